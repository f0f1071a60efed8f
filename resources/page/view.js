/* View: the page as a function of the session. */

const MOST_SEGMENTS = 24; // of the bar; for more steps it is one segment that grows
const KEYS = [
  ["7", "8", "9", MINUS, "back"],
  ["4", "5", "6", "×", "÷"],
  ["1", "2", "3", ".", "^"],
  ["0", "∞", "( )", "+", "hint"],
];
const KEY_NAMES = { [MINUS]: "minus", "×": "times", "÷": "divided by", ".": "point", "^": "to the power of", "∞": "infinity", "( )": "bracket", "+": "plus", back: "Delete" };

/** The elements that `build` makes once; each `render` replaces their content. */
const parts = {
  title: make("h1", {}, page.title),
  count: make("p", { class: "count" }),
  bar: make("div", { class: "bar", "aria-hidden": true }),
  map: shape("svg", { class: "map", "aria-hidden": true, click: tapMap }),
  focus: shape("svg", { class: "focus", role: "img", click: tapFocus }),
  step: make("div", { class: "step", "aria-live": "polite", "aria-atomic": true }),
  ask: make("div", { class: "ask" }),
  foot: make("div", { class: "foot" }),
  back: make("button", { type: "button", class: "plain", click: back }, "Back"),
  show: make("button", { type: "button", class: "plain", click: showMe }, "Show me"),
  next: make("button", { type: "button", class: "main", click: goOn }, "Next"),
};
let field = null; // the input of the open question, if it is typed
let mapPlaces = new Map(); // the middle of each node on the map by id, in px

function build() {
  document.getElementById("words").hidden = true;
  parts.show.hidden = !takesHelp();
  pageElement.append(
    symbols(),
    make("header", { class: "top" }, parts.title, parts.count, parts.bar),
    parts.map,
    make("div", { class: "figure" }, parts.focus),
    leavesRow,
    make("section", { class: "question", "aria-label": "Step" }, parts.step, parts.ask, parts.foot),
    make("nav", { class: "buttons", "aria-label": "Steps" }, parts.back, parts.show, parts.next),
  );
  pageElement.classList.add("ready");
  pageElement.classList.toggle("asks", page.steps.some(({ questions }) => questions?.length));
}

/** Show the session, then move the focus to the verdict, the field, the step, that of a link or, at
    the start, nowhere; "" keeps it. */
function render(target = "") {
  const hadField = field !== null && document.activeElement === field;
  peekedNode = null;
  followStep();
  renderTop();
  field = null;
  renderLeaves();
  if (isAtEnd()) renderEnd();
  else renderStep();
  renderButtons();
  renderFoot();
  drawFigure();
  moveFocus(target, hadField);
  writeLink();
  return undefined;
}

function renderTop() {
  const count = page.steps.length, at = session.at;
  parts.count.textContent = isAtEnd() ? "End" : `${at + 1} of ${count}`;
  const segments = count <= MOST_SEGMENTS
    ? page.steps.map((_, k) => make("i", { class: k < at ? "past" : k === at ? "now" : "" }))
    : [make("i", { class: "past long" })];
  parts.bar.replaceChildren(...segments);
  if (count > MOST_SEGMENTS) segments[0].style.width = `${(100 * Math.min(at + 1, count)) / count}%`;
  pageElement.dataset.step = String(at);
}

function renderButtons() {
  const question = openQuestion();
  const open = question && !openAttempt().done;
  const canShow = !isAtEnd() && !page.cover && (open || movesLeft() > 0 || (step().doing && step().kind === "do" && work().state === ""));
  const mayGo = !isAtEnd() && (page.cover || (movesLeft() > 0 && !(question && openAttempt().done)) || (question ? !open || !isOwnNumbers() : isDone(session.at)));
  setEnabled(parts.back, session.at > 0 || (question && work().place > 0));
  setEnabled(parts.show, Boolean(canShow));
  setEnabled(parts.next, Boolean(mayGo));
  const move = isAtEnd() ? null : (step().moves ?? [])[work().moves];
  parts.next.textContent = move ? "Step" : "Next";
}

/** Enable a button by aria-disabled: a `disabled` one would lose the focus of a keyboard. */
function setEnabled(button, enabled) {
  button.setAttribute("aria-disabled", String(!enabled));
}

let isAnswerShown = false; // in the step on the screen
const isAnswered = () => openQuestion() !== null && openAttempt().done;

function renderStep() {
  checkTask();
  isAnswerShown = isAnswered();
  parts.step.replaceChildren(...stepWords());
  parts.ask.replaceChildren(...askParts(step(), openQuestion()));
}

/** While a number is dragged: show the words that change, and whether the task is done. */
function renderWords() {
  checkTask();
  const words = stepWords(), before = [...parts.step.children];
  if (words.length !== before.length) parts.step.replaceChildren(...words);
  else words.forEach((each, k) => follow(before[k], each));
  if (step().doing) parts.ask.replaceChildren(...askParts(step(), null));
}

/** Give a node of the words the texts and the class of another one, if it is built alike, else its place. */
function follow(node, next) {
  if (node.nodeName !== next.nodeName || node.childNodes.length !== next.childNodes.length) return node.replaceWith(next);
  if (node.nodeType === Node.TEXT_NODE) {
    if (node.data !== next.data) node.data = next.data;
    return undefined;
  }
  if (node.className !== next.className) node.className = next.className;
  [...next.childNodes].forEach((child, k) => follow(node.childNodes[k], child));
  return undefined;
}

/** Return the texts of a step, and the sentence about it. */
function stepWords() {
  const found = step(), question = openQuestion();
  const move = (found.moves ?? [])[work().moves - 1];
  const now = move?.text;
  const paragraphs = now?.length ? now : found.text ?? [];
  const children = [];
  if (linkNote.text && linkNote.at === session.at) children.push(make("p", { class: "note" }, linkNote.text));
  if (putBackAt === session.at && isOwnNumbers() && question && !openAttempt().done) children.push(make("p", { class: "note" }, "This is asked at the page's numbers, not at yours."));
  if (page.kind === "lesson") children.push(make("h2", {}, found.title));
  if (page.still && session.at === (page.begins ?? 0)) children.push(make("p", { class: "aside" }, page.still));
  if (found.on_computer) children.push(make("p", { class: "aside" }, found.on_computer));
  const isEnd = live !== null && found.kind === "end";
  for (const text of isEnd && !isOwnNumbers() ? [endLine()] : paragraphs) children.push(make("p", {}, ...spans(text)));
  if (found.given?.length) children.push(make("p", { class: "given" }, ...spans(found.given)));
  if (found.task?.length && !found.on_computer) {
    const hasMoved = movesLeft() === 0 && (found.doing ? work().state !== "" : found.moves?.length);
    children.push(make("p", { class: `task ${hasMoved ? "done" : ""}` }, ...spans(found.task)));
  }
  if (found.moves?.length && !move) children.push(make("p", { class: "note" }, `${found.doing?.passes.length > 1 ? "Choose the mistake, then press" : "Press"} Step: each press is one move.`));
  if (move && !played && !(question && openAttempt().done)) children.push(make("p", { class: "sentence" }, ...spans(saying(move))));
  const { passes, chosen } = passesOffered();
  if (passes[chosen].says) children.push(make("p", { class: "note" }, passes[chosen].says));
  if (question) children.push(...moreParts(), ...sentenceOf(question));
  else if (!move && found.says?.length && page.kind === "graph") {
    children.push(make("p", { class: "sentence" }, ...spans(isEnd ? endSentence(found) : saying(found))));
  }
  return children;
}

/** Return the sentence about a step, with the remarks on its numbers and on a wrong one. */
function saying(found) {
  const remark = remarkOn(found), verdict = isOwnNumbers() && found.verdict ? found.verdict : verdictOn(found);
  return [...(found.says ?? []), ...(remark ? [" ", remark] : []), ...verdict];
}

function sentenceOf(question) {
  const attempt = openAttempt();
  const closed = attempt.shown ? question.worked_sentence : question.answered;
  const text = chosenText(question, attempt.done ? closed : question.sentence);
  const typed = attempt.tries.at(-1)?.text ?? "";
  const paragraphs = [];
  if (text?.length) paragraphs.push(make("p", { class: "sentence" }, ...spans(text, typed)));
  // a lesson's own text says what to do
  const hasPrompt = !attempt.done && question.prompt?.length && !step().text?.length;
  if (hasPrompt) paragraphs.push(make("p", { class: "prompt" }, ...spans(question.prompt)));
  return paragraphs;
}
