/* Leaves: the row of the reader's numbers under the figure of a live page, to drag or to type. */

const PIXELS = 7; // of a drag for one step
const WHOLE_STEPS_FROM = 10; // from this size on a step is 1, below it 0.1
const DECIMALS = 10; // of a stepped number, so that 0.1 + 0.2 is 0.3

const leavesRow = make("div", { class: "leaves", role: "group", "aria-label": "Your numbers" });
let stateBefore = null; // the numbers on the figure before a drag, while it lasts
let isFirstMove = false; // of a drag, after which the controls to answer with are as they stay
let typedLeaf = null; // the id of the leaf whose number is being typed
let leafNote = ""; // what is said of a number that can't be read
let waitsForFrame = false;

const isOwnNumbers = () => Object.entries(OWN_NUMBERS).every(([node, number]) => Object.is(leafNumbers[node], number));
/** Return whether numbers rest: at the end, where a question has the page's alone, and while the keys
    of a phone need the room. */
const numbersRest = () => !live || isAtEnd() || (openQuestion() !== null && (openQuestion().like === undefined || (!page.cover && hasKeys() && !openAttempt().done)));

/** Show the row where numbers may be changed. */
function renderLeaves() {
  leavesRow.hidden = numbersRest();
  if (leavesRow.hidden) {
    typedLeaf = null;
    return;
  }
  const reset = make("button", {
    type: "button", class: "plain reset", "aria-label": "Back to the first numbers", "aria-disabled": String(isOwnNumbers()),
    click: () => { leafNote = ""; changeLeaves({ ...OWN_NUMBERS }); },
  }, "↺");
  const chips = make("div", { class: "chips" }, ...live.leaves.map(leafChip));
  const scrolled = leavesRow.querySelector(".chips")?.scrollTop ?? 0;
  const beside = [mistakeMenu(), ...(page.live && layout() === "wide" ? linkParts() : [])].filter((each) => each !== null);
  leavesRow.replaceChildren(chips, reset, ...beside, make("output", { class: "told" }, leafNote));
  chips.scrollTop = scrolled;
}

function leafChip({ node, name }) {
  const number = leafNumbers[node], text = short(number, LEAF_DIGITS);
  const title = make("b", {}, name);
  if (node === typedLeaf) return make("label", { class: "leaf-chip" }, title, leafField(node, name, text));
  return make("div", {
    class: "leaf-chip", role: "slider", tabindex: "0", "data-leaf": node, "aria-label": name, "aria-valuenow": number, "aria-valuetext": text,
    pointerdown: (event) => beginDrag(event, node), keydown: (event) => onLeafKey(event, node),
  }, title, make("span", { class: "arrow", "aria-hidden": true }, "‹"), make("output", {}, text), make("span", { class: "arrow", "aria-hidden": true }, "›"));
}

const LEAF_DIGITS = 6;

function leafField(node, name, text) {
  const typed = make("input", {
    type: "text", class: "leaf-field", maxlength: LONGEST_ANSWER, "aria-label": name, autocomplete: "off", enterkeyhint: "done",
    keydown: (event) => {
      if (event.key === "Enter") endTyping(node, typed.value);
      else if (event.key === "Escape") endTyping(node, text);
      else return event.stopPropagation();
      event.preventDefault();
      return event.stopPropagation();
    },
    blur: () => { if (typedLeaf === node) endTyping(node, typed.value); },
  });
  typed.value = text;
  queueMicrotask(() => {
    typed.focus();
    typed.select();
  });
  return typed;
}

/** Take a typed number; of one that can't be read the old one stays, and the row says so. */
function endTyping(node, text) {
  typedLeaf = null;
  const number = parseExpression(text), isOld = text === short(leafNumbers[node], LEAF_DIGITS);
  leafNote = number === null ? refusal(text, shortened(text.trim().replaceAll("-", MINUS), QUOTED)) : "";
  changeLeaves(number === null || isOld ? leafNumbers : { ...leafNumbers, [node]: number });
  leavesRow.querySelector(`[data-leaf="${node}"]`)?.focus();
}

function setLeaves(next) {
  askAgain();
  leafNumbers = next;
  runPass();
}

/** Set numbers, and show all that follows from them. */
function changeLeaves(next) {
  setLeaves(next);
  showNumbers();
  renderLeaves();
  if (leavesRow.hidden) bringUpQuestion(); // which is asked again, and keys took the place of the row
  writeLink();
}

/** Show the present numbers where they stand: figure and sentence. */
function showNumbers() {
  const turns = isAnswerShown !== isAnswered(); // it is asked for again, or as before the drag
  if (stateBefore === null || isFirstMove || turns) renderStep();
  else renderWords();
  if (stateBefore === null || turns) drawFigure();
  else showTexts(); // while it is dragged: room grows once the finger lifts
  isFirstMove = false;
}

/** Return a number some steps on, on the grid of its steps. */
function stepped(number, steps) {
  const size = Math.abs(number) >= WHOLE_STEPS_FROM ? 1 : 0.1;
  return Number.isFinite(number) ? Number((number + steps * size).toFixed(DECIMALS)) : number;
}

function beginDrag(event, node) {
  const chip = event.currentTarget, from = leafNumbers[node], { clientX: start, pointerId } = event;
  let isMoved = false;
  event.preventDefault(); // of a selection of text
  chip.focus({ preventScroll: true });
  const move = ({ clientX }) => {
    const steps = Math.round((clientX - start) / PIXELS);
    if (steps === 0 && !isMoved) return;
    if (!isMoved) {
      chip.setPointerCapture(pointerId);
      stateBefore = { ...stateNow() }; // as they are now
      isMoved = isFirstMove = true;
      parts.step.setAttribute("aria-live", "off"); // the sentence is said once, as the finger lifts
    }
    drag(chip, node, stepped(from, steps));
  };
  const end = (ending) => {
    chip.removeEventListener("pointermove", move);
    stateBefore = null;
    parts.step.setAttribute("aria-live", "polite");
    if (isMoved) changeLeaves(leafNumbers);
    else if (ending.type === "pointerup") {
      typedLeaf = node;
      renderLeaves();
    }
  };
  chip.addEventListener("pointermove", move);
  chip.addEventListener("pointerup", end, { once: true });
  chip.addEventListener("pointercancel", end, { once: true });
}

/** Show a dragged number, at most once a frame. */
function drag(chip, node, number) {
  if (number === leafNumbers[node]) return;
  askAgain();
  leafNumbers = { ...leafNumbers, [node]: number };
  if (waitsForFrame) return;
  waitsForFrame = true;
  requestAnimationFrame(() => {
    waitsForFrame = false;
    runPass();
    setText(chip.querySelector("output"), short(leafNumbers[node], LEAF_DIGITS));
    showNumbers();
  });
}

function onLeafKey(event, node) {
  const steps = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[event.key];
  if (steps) changeLeaves({ ...leafNumbers, [node]: stepped(leafNumbers[node], steps) });
  else if (event.key === "Enter") {
    typedLeaf = node;
    renderLeaves();
  } else return;
  event.preventDefault();
  event.stopPropagation();
  leavesRow.querySelector(`div[data-leaf="${node}"]`)?.focus();
}
