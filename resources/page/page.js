"use strict";
/* The page: shows the steps of a `PageData`, asks, judges, and keeps a record. No network.

   Everything that is said and every right number come from the JSON block; app/takeaway/page_data.py
   describes its fields, states and the order of judging. The parts of this file, from the top:

     elements   make them, and write texts of spans into them
     numbers    read what was typed, and compare it
     states     the numbers on the figure at each step
     session    the reader's answers and position; all other state is small and stands below it
     figure     focus, map and whole graph as SVG
     view       the page as a function of the session
     input      buttons, keys, swipe, size
     record     what the end page shows and copies

   Sizes are in px at a text size of 16. */

const page = JSON.parse(document.getElementById("data").textContent);
const pageElement = document.getElementById("page");

/* ---- elements ---- */

const SVG_NAMES = "http://www.w3.org/2000/svg";
const MINUS = "−";
const PLACEHOLDER = "?";
const MARK_TAGS = { b: "b", c: "code", s: "s" };

/** Return a new HTML element; a function is a listener, null and false leave an attribute out. */
function make(tag, attributes = {}, ...children) {
  return withAttributes(document.createElement(tag), attributes, children);
}

/** Return a new SVG element, as `make` does. */
function shape(tag, attributes = {}, ...children) {
  return withAttributes(document.createElementNS(SVG_NAMES, tag), attributes, children);
}

function withAttributes(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) {
      // an attribute without value is true in HTML, but aria-hidden="" is none
      element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Return the spans of a text as nodes; a span of role `typed` becomes the text `typed`. */
function spans(text, typed = "") {
  const nodes = [];
  for (const span of text) {
    const before = nodes.at(-1);
    if (typeof span !== "string") nodes.push(spanElement(span, typed));
    else if (/^[.,;:?!)]/.test(span) && before instanceof Element) {
      // in one element with the span before it, so that no line begins with a full stop
      nodes.splice(-1, 1, make("span", { class: "joined" }, before, span[0]), span.slice(1));
    } else nodes.push(document.createTextNode(span));
  }
  return nodes.map((node) => (typeof node === "string" ? document.createTextNode(node) : node));
}

function spanElement([words, role = "", marks = ""], typed) {
  if (role === "blank") return make("span", { class: "blank" }, PLACEHOLDER);
  let inner = document.createTextNode(role === "typed" ? typed : words);
  for (const mark of marks) inner = make(MARK_TAGS[mark], {}, inner);
  return make("span", { class: `role-${role || "text"}` }, inner);
}

/** Return a text without its ✓ or ✘ at the beginning: the box of a verdict draws its own. */
function withoutVerdictSign(text) {
  const [first] = text;
  return Array.isArray(first) && /^[✓✘]\s*$/.test(first[0]) ? text.slice(1) : text;
}

/** Return the spans of a verdict, its first sentence in bold. */
function verdictSpans(text, typed) {
  const firstSentence = make("strong"), rest = [];
  let isEnded = false;
  for (const node of spans(withoutVerdictSign(text), typed)) {
    const words = node.textContent;
    const end = isEnded || node.nodeType !== Node.TEXT_NODE ? -1 : words.search(/[.!?:] /);
    if (isEnded) rest.push(node);
    else if (end < 0) firstSentence.append(node);
    else {
      isEnded = true;
      firstSentence.append(words.slice(0, end + 1));
      rest.push(words.slice(end + 1));
    }
  }
  return [firstSentence, ...rest];
}

/** Return the words of a text, for a screen reader. */
function plain(text, typed = "") {
  const words = text.map((span) => {
    if (typeof span === "string") return span;
    if (span[1] === "blank") return "blank";
    return span[1] === "typed" ? typed : span[0];
  });
  return words.join("");
}

/** Return a text of at most `most` characters, the last of them an ellipsis if it was longer. */
function shortened(text, most) {
  const signs = [...text];
  return signs.length <= most ? text : `${signs.slice(0, most - 1).join("")}…`;
}

/* ---- numbers ---- */

const LONGEST_ANSWER = 80; // characters, as `engine.study.judging` reads them
const QUOTED = 12; // characters of an answer that a verdict quotes
const SPELLINGS = { "−": "-", "–": "-", "×": "*", "·": "*", "⋅": "*", "÷": "/", "∞": "inf" };
const TOKEN = /\s*(?:((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|(infinity|inf|nan|pi)|(\*\*|[-+*/^()]))/y;
const COMMA = /(?<![\w.,])(\d+),(\d+)(?![\d.,])/g; // as in `engine.numbers`, and the next one
const GROUPED = /^[1-9]\d{0,2},\d{3}$/;
const NAMED = { inf: Infinity, infinity: Infinity, nan: NaN, pi: Math.PI };
const TOLERANCE = 1e-9; // relative; this one and the next as at the head of page_data.py

/** Return a number of the JSON, which has words for nan and the infinities; null stays null. */
function fromJson(number) {
  return number === null || number === undefined ? null : Number(number);
}

/** Return a typed expression in ASCII, as in Python: `=−2×3` is `-2*3`. */
function ascii(text) {
  const written = text.trim().toLowerCase().replace(/^=/, "").trim().replace(/^≈/, "").trim();
  const spelled = written.replace(/[−–×·⋅÷∞]/g, (sign) => SPELLINGS[sign]);
  if (spelled.includes("(")) return spelled; // there a comma separates arguments
  return spelled.replace(COMMA, (all, whole, part) => (GROUPED.test(all) ? all : `${whole}.${part}`));
}

function fail() {
  throw new SyntaxError("no number");
}

/** Return the number of a constant expression of + − × ÷ ^ ( ), or null if it is none. */
function parseExpression(text) {
  const tokens = text.length > LONGEST_ANSWER ? null : tokensOf(ascii(text));
  if (tokens === null || tokens.length === 0) return null;
  let at = 0;
  const next = (...signs) => (signs.includes(tokens[at]) ? tokens[at++] : null);
  const sum = () => {
    let value = product();
    for (let sign = next("+", "-"); sign; sign = next("+", "-")) {
      const other = product();
      value = sign === "+" ? value + other : value - other;
    }
    return value;
  };
  const product = () => {
    let value = signed();
    for (let sign = next("*", "/"); sign; sign = next("*", "/")) {
      const other = signed();
      value = sign === "*" ? value * other : value / other;
    }
    return value;
  };
  // a power binds more tightly than a minus before it, and less than one in its exponent
  const signed = () => {
    const sign = next("+", "-");
    if (sign === null) return power();
    return sign === "-" ? -signed() : signed();
  };
  const power = () => {
    const base = atom();
    return next("**", "^") ? base ** signed() : base;
  };
  const atom = () => {
    if (next("(")) {
      const value = sum();
      return next(")") ? value : fail();
    }
    return typeof tokens[at] === "number" ? tokens[at++] : fail();
  };
  try {
    const value = sum();
    return at === tokens.length ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Return the operators (strings) and numbers of an expression in their order, or null. */
function tokensOf(text) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text);
    if (found === null) return null;
    if (/^0+[1-9]\d*$/.test(found[1] ?? "")) return null; // Python refuses leading zeros
    if (Number(found[1]) === Infinity) return null; // too large, as 1e400
    const named = found[2] === undefined ? found[3] : NAMED[found[2]];
    tokens.push(found[1] === undefined ? named : Number(found[1]));
  }
  return tokens;
}

/** Return whether two numbers differ by at most TOLERANCE, relative to the other or to `scale`. */
function near(number, other, scale = 0) {
  if (Number.isNaN(number) || Number.isNaN(other)) {
    return Number.isNaN(number) && Number.isNaN(other);
  }
  if (!Number.isFinite(number) || !Number.isFinite(other)) return number === other;
  return Math.abs(number - other) <= TOLERANCE * Math.max(Math.abs(other), scale);
}

/** Return the sentence about a text that is no number. */
function refusal(text, quoted) {
  if (!text.trim()) return page.words.empty;
  const [found, whole, part] = [...text.matchAll(COMMA)].find(([all]) => GROUPED.test(all)) ?? [];
  if (found === undefined) return page.words.unread.replace("{text}", () => quoted);
  return page.words.comma.replace("{text}", found).replaceAll("{whole}", whole).replaceAll("{part}", part);
}

/** Write the value of a typed expression in four digits; numbers of the engine come as texts. */
function numberText(number) {
  if (Number.isNaN(number)) return "nan";
  if (!Number.isFinite(number)) return number > 0 ? "∞" : `${MINUS}∞`;
  const short = Number.isInteger(number) ? number : Number(number.toPrecision(4));
  return String(short === 0 ? 0 : short).replaceAll("-", MINUS);
}

/** Judge a typed number, in the order that page_data.py gives.

    Returns right, verdict and slip as a record stores them, and texts: `says`, or `first` and `again`. */
function judge(question, number) {
  const { answer } = question;
  const right = fromJson(answer.number);
  if (near(number, right, fromJson(answer.scale) ?? 0)) return { right: true, verdict: "right" };
  const slips = question.slips ?? [];
  const exact = slips.find((s) => s.exact !== false && near(number, fromJson(s.number)));
  if (exact) return wrongBy(exact);
  if ((answer.rounded ?? []).some((other) => near(number, other))) {
    return { right: true, verdict: "rounded", says: answer.rounded_says };
  }
  const rounded = slips.find((s) => (s.rounded ?? []).some((other) => near(number, other)));
  if (rounded) return wrongBy(rounded);
  const low = fromJson(answer.low), high = fromJson(answer.high);
  if (low !== null && low <= number && number <= high) {
    return { right: true, verdict: "rounded", says: answer.digits };
  }
  return { right: false, verdict: "wrong", first: question.wrong, again: question.wrong_again };
}

function wrongBy(slip) {
  return { right: false, verdict: "slip", slip: slip.name, ...slip };
}

/** Judge a choice; returns as `judge`. */
function judgeChoice(question, choice) {
  const slip = (question.slips ?? [])[choice.slip ?? -1];
  const says = choice.says ?? [];
  if (choice.right) return { right: true, verdict: choice.verdict, says };
  return {
    right: false,
    verdict: choice.verdict ?? "wrong",
    slip: choice.slip_name || slip?.name,
    full: slip?.full,
    mended: slip?.mended,
    asked: slip?.asked,
    first: says.length ? says : slip?.first ?? question.wrong,
    again: choice.again?.length ? choice.again : slip?.again ?? (says.length ? says : question.wrong_again),
  };
}

/* ---- states ---- */

/** Return a state after a change. */
function applyChange(state, change) {
  if (!change) return state;
  const next = { ...state, ...change.set };
  for (const key of change.gone ?? []) delete next[key];
  return next;
}

/** For each step its states: on entering it, and after each of its questions. */
const STATES = (() => {
  let state = {};
  return page.steps.map((step) => {
    state = applyChange(state, step.shown);
    const found = [state];
    for (const question of step.questions ?? []) {
      state = applyChange(state, question.reveals);
      found.push(state);
    }
    return found;
  });
})();

/** For each step and key of a state its longest text: a box keeps its size during a step. */
const LONGEST = page.steps.map((step, index) => {
  const longest = {};
  const add = (texts) => {
    for (const [key, text] of Object.entries(texts ?? {})) {
      if (text && text.length > (longest[key] ?? "").length) longest[key] = text;
    }
  };
  STATES[index].forEach(add);
  for (const part of [...(step.slider?.positions ?? []), ...(step.moves ?? [])]) add(part.shown?.set);
  for (const question of step.questions ?? []) add({ [question.key]: question.answer?.label });
  return longest;
});

/* ---- session ---- */

const STORAGE_KEY = `backwire ${page.record.page} ${page.title}`;
const SECOND = 1000;
const LAST_TRY = 3; // a wrong one shows the answer

/** Return a session before the first answer. `load` refuses one of another form. */
function newSession() {
  return {
    at: page.begins ?? 0,
    name: "", // the reader's, for the record
    round: 0, // runs before this one
    steps: page.steps.map((step) => ({
      place: 0, // index of the question that is open
      moves: 0, // number of moves taken
      slider: step.slider?.at ?? 0,
      state: "", // "done" or "shown"
      presses: 0, // of Answer
      given: (step.questions ?? []).map(() => ({ // the attempt at each question
        draft: "", // the text in the field
        tries: [], // { text, verdict, answer: the press at which it was given, slip }
        hints: 0, // presses of Hint
        rungs: 0, // those after the hint of the step
        asked: null, // the number that answers the question in the last verdict
        helped: 0, // wrong tries that did so, which climb no rung
        shown: false, // by Show me or a third wrong answer
        done: false, // answered or shown
        right: false,
        seconds: 0,
        says: null, // the verdict: { kind, lines, typed }
      })),
    })),
  };
}

let session = newSession();
let isKept = false; // whether the browser stores the session
let openedAt = Date.now(); // since when the open question has been on the screen, in ms
let peekedNode = null; // id of the node tapped on the map, if no step about it can be shown

/** Return the browser's storage, or null if it is switched off. */
function storage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

function load() {
  try {
    const kept = JSON.parse(storage()?.getItem(STORAGE_KEY) ?? "null");
    const fits = kept?.steps?.length === page.steps.length;
    if (!fits || !kept.steps.every((work, k) => work.given.length === asked(k).length)) return;
    session = kept;
    isKept = true;
  } catch {
    // what is kept was written by another page, or by hand: begin anew
  }
}

function save() {
  try {
    if (isKept) storage()?.setItem(STORAGE_KEY, JSON.stringify(session));
    else if (storage()?.getItem(STORAGE_KEY)) storage().removeItem(STORAGE_KEY);
  } catch {
    isKept = false; // the store is full or refused
  }
}

const isAtEnd = () => session.at >= page.steps.length;
const step = () => page.steps[session.at];
const work = () => session.steps[session.at];
const asked = (index) => page.steps[index].questions ?? [];
/** The question of a step that is open or was answered last; null if it has none. */
const openQuestion = () => (isAtEnd() ? null : asked(session.at)[work().place] ?? null);
/** The attempt at `openQuestion`. */
const openAttempt = () => work().given[work().place];
const movesLeft = () => (step().moves ?? []).length - work().moves;

/** Return whether a step has neither an open question nor a task to do. */
function isDone(index) {
  const data = page.steps[index], progress = session.steps[index];
  if (page.cover) return true;
  if (progress.given.some((attempt) => !attempt.done)) return false;
  if (data.slider) return progress.state !== "" || data.slider.positions.every((p) => !p.done);
  return data.kind === "hunt" || progress.moves >= (data.moves ?? []).length;
}

/** Return the index of the first step that is not done, beyond which nobody jumps. */
function furthest() {
  const open = page.steps.findIndex((_, index) => !isDone(index));
  return open < 0 ? page.steps.length : open;
}

/** Return the state that the figure shows now. */
function stateNow() {
  const { slider, moves } = step(), states = STATES[session.at];
  if (slider) return applyChange(states[0], slider.positions[work().slider].shown);
  const answered = work().given.filter((attempt) => attempt.done).length;
  return (moves ?? []).slice(0, work().moves).reduce((state, move) => applyChange(state, move.shown), states[answered]);
}

/** Return the node or wire that is drawn large, as a `Focus`, or null; `isShown` if nothing fires.

    A node that was tapped on the map goes first; then, with a slider, the node to be watched; then
    the focus of the last move or of the step. Before its first move, and in a step without a
    question, it is the node or wire that the text points at. */
function focusNow(drawing) {
  if (drawing.node(peekedNode)) return { receiver: peekedNode, isShown: true };
  const watched = step().slider && (step().watched ?? []).find((key) => !key.includes("."));
  if (watched) return { receiver: Number(watched) };
  const move = (step().moves ?? [])[work().moves - 1];
  if (move) return move.focus ?? step().focus ?? litFocus(drawing);
  const isWithoutQuestion = step().kind === "say" || step().kind === "do";
  return (isWithoutQuestion ? litFocus(drawing) : null) ?? step().focus ?? litFocus(drawing);
}

/** Add the time since `openedAt` to the open question, and restart the clock. */
function addSeconds() {
  const now = Date.now();
  if (openQuestion() && !openAttempt().done) openAttempt().seconds += (now - openedAt) / SECOND;
  openedAt = now;
}

/** Store the verdict on the open question; `kind` is right, wrong, worked, hint or note. */
function setVerdict(kind, lines, typed = "") {
  openAttempt().says = { kind, lines: lines.filter((line) => line?.length), typed };
}

/** Answer the open question with a typed text, or with a choice. */
function submit(text, choice = null) {
  const question = openQuestion(), attempt = openAttempt();
  if (!question || attempt.done) return;
  const quoted = shortened(text.trim().replaceAll("-", MINUS), QUOTED);
  let judged;
  if (choice) judged = judgeChoice(question, choice);
  else {
    const number = parseExpression(text);
    if (number === null) {
      setVerdict("note", [[refusal(text, quoted)]]);
      return render("field");
    }
    judged = judge(question, number);
  }
  addSeconds();
  work().presses += 1;
  const isHelped = !judged.right && countOfTries(attempt) === 1 && attempt.asked !== null && near(parseExpression(text), attempt.asked);
  if (isHelped) attempt.helped = (attempt.helped ?? 0) + 1;
  attempt.tries.push({ text: text.trim(), verdict: judged.verdict, answer: work().presses });
  if (judged.slip) attempt.tries.at(-1).slip = { name: judged.slip, full: judged.full ?? "", mended: judged.mended ?? "" };
  attempt.asked = fromJson(judged.asked);
  const typed = choice ? choice.label : quoted;
  if (judged.right) accept(question, attempt, judged, typed);
  else {
    attempt.draft = "";
    const rung = countOfTries(attempt) + attempt.rungs, isNumber = Boolean(question.answer);
    if (rung >= LAST_TRY) showAnswer();
    else if (rung === 1 || !isNumber) setVerdict("wrong", [rung > 1 ? judged.again : judged.first], typed);
    else setVerdict("wrong", [countOfTries(attempt) > 1 ? judged.again : question.wrong_hinted, question.second], typed);
  }
  save();
  return render("verdict");
}

/** Return the number of tries so far, without those that answered the question of a verdict. */
const countOfTries = ({ tries, helped }) => tries.length - (helped ?? 0);

/** Close the open question, whose answer was judged right. */
function accept(question, attempt, judged, typed) {
  const count = countOfTries(attempt), praise = question.praise ?? [];
  const word = [page.words.first, page.words.second, page.words.third][Math.min(count, LAST_TRY) - 1];
  const mended = attempt.tries.filter((each) => each.slip).at(-1)?.slip.mended;
  const isRounded = typeof judged.says === "string" && judged.says !== ""; // a choice says a text
  const remark = mended || (isRounded ? judged.says : "");
  const own = remark ? [mended || count > 1 ? `${word} ${remark}` : remark] : null;
  attempt.done = attempt.right = true;
  setVerdict("right", [own ?? praise[Math.min(count, praise.length) - 1] ?? judged.says ?? []], typed);
  finishStep("done");
}

/** Record how the step ended, "done" or "shown", once its last question is closed. */
function finishStep(state) {
  if (isAllDone()) work().state ||= state;
}

/** Show the answer of the open question, and the blanks that follow in its sentence. */
function showAnswer() {
  const question = openQuestion(), place = work().place;
  setVerdict("worked", [question.worked]);
  for (const attempt of work().given.slice(place, place + 1 + (question.rest ?? 0))) {
    attempt.done = attempt.shown = true;
  }
  finishStep("shown");
}

/** Give the next hint: that of the step, the rule, the second hint, last the worked answer. */
function hint() {
  const question = openQuestion(), attempt = openAttempt();
  if (!question || attempt.done) return;
  const ofStep = step().hint ?? [];
  attempt.hints += 1;
  attempt.asked = null;
  if (ofStep.length && attempt.hints === 1) setVerdict("hint", [ofStep]);
  else {
    attempt.rungs += 1;
    const line = [question.rule, question.second][countOfTries(attempt) + attempt.rungs - 1];
    if (line?.length) setVerdict("hint", [line]);
    else showAnswer();
  }
  save();
  render("verdict");
}

/** Show the answer of the open question, a position that solves the task, or the next move. */
function showMe() {
  if (isAtEnd()) return;
  addSeconds();
  const slider = step().slider;
  if (openQuestion() && !openAttempt().done && (step().kind !== "hunt" || movesLeft() === 0)) showAnswer();
  else if (slider) {
    const solution = slider.positions.findIndex((position) => position.done);
    if (solution >= 0) work().slider = solution;
    work().state ||= "shown";
  } else if (movesLeft() > 0) {
    work().moves += 1;
    work().state ||= "shown";
  }
  save();
  render(openQuestion() ? "verdict" : "");
}

/** Go on: to the next move, the next blank, or the next step. */
function goOn() {
  if (isAtEnd()) return;
  const question = openQuestion();
  if (movesLeft() > 0 && !(question && openAttempt().done)) {
    work().moves += 1;
    if (movesLeft() === 0 && !question) work().state ||= "done";
  } else if (question && !openAttempt().done && !page.cover) {
    return remind();
  } else if (question && work().place + 1 < asked(session.at).length && !page.cover) {
    work().place = nextOpenPlace();
    if (openAttempt().done) return go(session.at + 1);
  } else if (!isDone(session.at)) {
    return remind();
  } else {
    return go(session.at + 1);
  }
  openedAt = Date.now();
  save();
  return render("step");
}

/** Return the index of the first open question after the present one, or of the present one. */
function nextOpenPlace() {
  const next = work().given.findIndex((attempt, k) => k > work().place && !attempt.done);
  return next < 0 ? work().place : next;
}

function back() {
  if (isAtEnd() || !openQuestion() || work().place === 0) return go(session.at - 1);
  work().place -= 1;
  return render("step");
}

/** Go to a step by its index, at most to the first one that is not done. */
function go(index) {
  if (index < 0 || index > page.steps.length || index === session.at) return;
  addSeconds();
  if (!isAtEnd() && isDone(session.at)) work().state ||= "done";
  session.at = Math.min(index, furthest());
  save();
  render("step");
}

/** Say why Next does nothing, unless a verdict is on the screen. */
function remind() {
  const question = openQuestion();
  if (!question) {
    const status = parts.ask.querySelector(".done");
    if (status) status.textContent = "Move it until the task is done, or press Show me.";
    return;
  }
  if (!openAttempt().says) {
    setVerdict("note", [[question.choices?.length ? "Choose an answer, or press Show me." : "Type an answer, or press Show me."]]);
    render("");
  }
}

/* ---- figure ---- */

// heights of the parts of a node
const HEADER = 28, PADDING = 4, CELL = 38, ROW = 26, LEDGER = 30, PILL = 24;
const CORNERS = { round: 16, square: 8, cut: 10 }; // of a leaf's left and a root's right side, others, a constant
const EDGE = 12; // least distance of anything in a figure from its border
const CAPSULE = { width: 10, height: 44 };
const LEAST_TEXT = 10; // px on the screen; a smaller text is left out
const FONT = "system-ui, sans-serif";
const SIZES = { name: 16, number: 16, caption: 11.5, chip: 13, label: 15, tag: 14, sign: 14 };
const WEIGHTS = { name: 700, number: 700, caption: 400, chip: 600, label: 600, tag: 400, sign: 600 };
const MARKS = ["circle", "square", "triangle", "diamond"];
const UNKNOWN = "–";

const measuringContext = document.createElement("canvas").getContext("2d");

/** Return the width of a text in px. */
function widthOf(text, role) {
  measuringContext.font = `${WEIGHTS[role]} ${SIZES[role]}px ${FONT}`;
  return measuringContext.measureText(text).width;
}

/** Return whether captions drawn at a scale are too small to be read. */
const isTooSmall = (scale) => SIZES.caption * scale < LEAST_TEXT;

/** Return a text cut to a width, with an ellipsis. */
function elided(text, role, width) {
  if (widthOf(text, role) <= width) return text;
  const signs = [...text];
  while (signs.length > 1 && widthOf(`${signs.join("")}…`, role) > width) signs.pop();
  return `${signs.join("")}…`;
}

function label(text, role, x, y, classes = "", anchor = "start") {
  return shape("text", { x, y, class: `t-${role} ${classes}`, "text-anchor": anchor, dy: "0.35em" }, text);
}

/** Return the key of a wire, without the letter of a state's key. */
const wireKey = (node, slot) => `${node}.${slot}`;
/** Return the sender and the slot of a wire's key. */
const wireEnds = (key) => key.split(".").map(Number);

/** Return the class of a number of `numberAt`: asked, or its own. */
function numberClass(number, own) {
  return number.asked ? "asked" : own;
}

/** A graph with its nodes by id, and the readers of each: pairs of a node's id and its slot. */
class Drawing {
  constructor(graph) {
    this.graph = graph;
    this.longest = {}; // LONGEST of the step that is shown
    this.nodes = new Map(graph.nodes.map((node) => [node.id, node]));
    this.readers = new Map(graph.nodes.map((node) => [node.id, []]));
    for (const node of graph.nodes) {
      (node.inputs ?? []).forEach((source, slot) => this.readers.get(source)?.push([node.id, slot]));
    }
  }

  node(id) {
    return this.nodes.get(id) ?? null;
  }

  /** Return the hue of a wire, an index of MARKS, by its place among those of its source; -1 for
      a single one. */
  hueOf(source, key) {
    const wires = this.readers.get(source) ?? [];
    const place = wires.findIndex(([node, slot]) => wireKey(node, slot) === key);
    return wires.length > 1 ? place % MARKS.length : -1;
  }

  /** Return the keys of the wires that bring a node several contributions, in their order, else
      []. */
  arrivals(id) {
    const keys = (this.graph.arrivals ?? {})[id] ?? [];
    return keys.length > 1 ? keys : [];
  }
}

const DRAWINGS = page.graphs.map((graph) => new Drawing(graph));

const isSeated = (node) => node.seated !== null && node.seated !== undefined; // drawn inside its reader
const hasColumns = (node) => node.kind === "op" || node.kind === "root";
const rowHeight = (node) => (hasColumns(node) ? CELL : ROW);
const rowCount = (node) => (node.kind === "constant" ? 1 : 2);
const slotY = (node, slot) => HEADER + PADDING + rowHeight(node) * (slot + 0.5);
const capsuleY = (node) => HEADER + PADDING + (rowHeight(node) * rowCount(node)) / 2;
const nodeText = (node) => node.short || node.name;

function bodyHeight(node) {
  const rows = Math.max((node.inputs ?? []).length, rowCount(node));
  return HEADER + 2 * PADDING + rows * rowHeight(node);
}

/** Return a number of a figure: its text, whether it is asked for, and whether it is known. */
function numberAt(view, key) {
  if (view.typed[key] !== undefined) return { text: view.typed[key], asked: true };
  const text = view.state[key];
  return { text: text ?? UNKNOWN, asked: text === PLACEHOLDER, known: text !== undefined };
}

/** Return the box of a node in the focus, wide enough for each of its numbers in this step.

    `left` is the width of an operation's left column, `kind` the text at the right of the header. */
function boxOf(drawing, node, hasFormula = true, mostName = 150) {
  const { longest } = drawing;
  const widest = (key) => widthOf(longest[key] ?? PLACEHOLDER, "number");
  const cell = Math.max(28, widest(`v${node.id}`), widest(`g${node.id}`));
  const name = Math.min(widthOf(nodeText(node), "name"), mostName);
  const kind = node.kind === "op" ? (hasFormula ? node.formula ?? "" : "") : node.kind;
  let header = 11 + name + 10 + (kind ? widthOf(kind, "caption") + 10 : 0);
  if (node.symbol) header += 28 + Math.max(0, widthOf(node.symbol, "sign") - 12);
  let left = 0;
  let width = 11 + 30 + 8 + cell + 14;
  if (node.kind === "op") {
    const captions = (node.captions ?? []).map((text) => widthOf(text, "caption"));
    const locals = (node.inputs ?? []).map((_, slot) => widest(`l${wireKey(node.id, slot)}`));
    left = 13 + Math.max(27, ...captions, ...locals) + 7;
    width = left + 8 + cell + 14;
  } else if (node.kind === "root") width = 11 + cell + 14;
  const chips = drawing.arrivals(node.id).slice(-3);
  if (chips.length) {
    const each = chips.map((key) => Math.max(18, widthOf(longest[`c${key}`] ?? "", "chip")) + 26);
    const sum = widthOf(`= ${longest[`g${node.id}`] ?? PLACEHOLDER}`, "chip");
    width = Math.max(width, 21 + each.reduce((a, b) => a + b, 0) + sum + 12);
  }
  width = Math.max(width, header, node.kind === "op" ? 86 : 96);
  return { width, height: bodyHeight(node) + (chips.length ? LEDGER : 0), left, kind };
}

/** Draw a node with its upper left corner at x, y; `view` is that of `viewNow`. */
function drawNode(drawing, node, box, x, y, view) {
  const g = shape("g", { class: `node ${node.kind}`, transform: `translate(${x} ${y})` });
  const { width, height } = box;
  const outline = outlinePath(node.kind, width, height);
  if (view.glows?.has(node.id)) g.append(shape("path", { d: outline, class: "glow" }));
  if (view.lit?.has(String(node.id))) g.append(shape("path", { d: outline, class: "ring" }));
  g.append(shape("path", { d: outline, class: "body" }));
  g.append(shape("path", { d: headerPath(node.kind, width), class: "head" }));
  g.append(shape("path", { d: outline, class: view.glows?.has(node.id) ? "edge fires" : "edge" }));
  drawHeader(g, node, box, view);
  if (hasColumns(node)) drawColumns(g, node, box, view);
  else drawRows(g, node, box, view);
  drawLedger(g, drawing, node, box, view);
  if (node.kind !== "root") drawCapsule(g, node, width, view);
  return g;
}

/** Return the radii of the left and of the right corners of a leaf, an operation or a root. */
function cornerRadii(kind) {
  const { round, square } = CORNERS;
  return [kind === "leaf" ? round : square, kind === "root" ? round : square];
}

function outlinePath(kind, width, height) {
  if (kind === "constant") {
    const { cut } = CORNERS;
    return `M${cut} 0H${width - cut}L${width} ${cut}V${height - cut}L${width - cut} ${height}H${cut}L0 ${height - cut}V${cut}Z`;
  }
  const [left, right] = cornerRadii(kind);
  return `M${left} 0H${width - right}A${right} ${right} 0 0 1 ${width} ${right}V${height - right}A${right} ${right} 0 0 1 ${width - right} ${height}H${left}A${left} ${left} 0 0 1 0 ${height - left}V${left}A${left} ${left} 0 0 1 ${left} 0Z`;
}

function headerPath(kind, width) {
  if (kind === "constant") {
    const { cut } = CORNERS;
    return `M${cut} 0H${width - cut}L${width} ${cut}V${HEADER}H0V${cut}Z`;
  }
  const [left, right] = cornerRadii(kind);
  return `M${left} 0H${width - right}A${right} ${right} 0 0 1 ${width} ${right}V${HEADER}H0V${left}A${left} ${left} 0 0 1 ${left} 0Z`;
}

function drawHeader(g, node, box, view) {
  let x = 11;
  if (node.symbol) {
    const wide = Math.max(20, widthOf(node.symbol, "sign") + 8);
    g.append(shape("rect", { x: 7, y: 4, width: wide, height: 20, rx: 6, class: "symbol" }));
    g.append(label(node.symbol, "sign", 7 + wide / 2, HEADER / 2, "", "middle"));
    x = 7 + wide + 7;
  }
  let end = box.width - 9;
  if (node.kind === "root") {
    g.append(shape("use", { href: "#flag", x: end - 14, y: 7, width: 14, height: 14, class: "flag" }));
    end -= 20;
  } else if (box.kind && !view.small) {
    g.append(label(box.kind, "caption", end, HEADER / 2, "muted", "end"));
    end -= widthOf(box.kind, "caption") + 8;
  }
  if (node.kind !== "root") g.append(label(elided(nodeText(node), "name", Math.max(12, end - x)), "name", x, HEADER / 2));
}

function drawRows(g, node, { width }, view) {
  ["data", "grad"].slice(0, rowCount(node)).forEach((caption, row) => {
    const y = HEADER + PADDING + ROW * (row + 0.5);
    const found = numberAt(view, `${caption === "data" ? "v" : "g"}${node.id}`);
    if (!view.small) g.append(label(caption, "caption", 11, y, "muted"));
    g.append(label(found.text, "number", width - 14, y, numberClass(found, valueClass(caption, found)), "end"));
  });
}

const valueClass = (caption, found) => (found.known ? (caption === "data" ? "value" : "gradient") : "muted");

function drawColumns(g, node, { width, left }, view) {
  if (left) {
    g.append(shape("path", { d: `M${left} ${HEADER + 8}V${HEADER + 2 * PADDING + 2 * CELL - 8}`, class: "divider" }));
  }
  (node.inputs ?? []).forEach((source, slot) => {
    const top = HEADER + PADDING + CELL * slot;
    if (node.kind === "op") {
      const found = numberAt(view, `l${wireKey(node.id, slot)}`);
      const caption = elided((node.captions ?? [])[slot] ?? "", "caption", left - 16);
      if (!view.small) g.append(label(caption, "caption", 12, top + CELL * 0.27, "local-caption"));
      g.append(label(found.text, "number", 12, top + CELL * (view.small ? 0.5 : 0.71), numberClass(found, found.known ? "local" : "muted")));
    }
    const empty = source === null ? "slot empty" : "slot";
    g.append(shape("circle", { cx: 0, cy: slotY(node, slot), r: 5, class: empty }));
  });
  ["data", "grad"].forEach((caption, row) => {
    const top = HEADER + PADDING + CELL * row;
    const found = numberAt(view, `${caption === "data" ? "v" : "g"}${node.id}`);
    if (!view.small) g.append(label(caption, "caption", width - 14, top + CELL * 0.27, "muted", "end"));
    g.append(label(found.text, "number", width - 14, top + CELL * (view.small ? 0.5 : 0.71), numberClass(found, valueClass(caption, found)), "end"));
  });
}

function drawCapsule(g, node, width, view) {
  const y = capsuleY(node) - CAPSULE.height / 2, half = CAPSULE.height / 2;
  const x = width - CAPSULE.width / 2, r = CAPSULE.width / 2;
  const upper = `M${x} ${y + half}V${y + r}A${r} ${r} 0 0 1 ${x + 2 * r} ${y + r}V${y + half}Z`;
  const lower = `M${x} ${y + half}V${y + 2 * half - r}A${r} ${r} 0 0 0 ${x + 2 * r} ${y + 2 * half - r}V${y + half}Z`;
  const fill = (key, own) => (numberAt(view, key).known && !numberAt(view, key).asked ? own : "");
  g.append(shape("path", { d: upper, class: `capsule ${fill(`v${node.id}`, "has-value")}` }));
  if (node.kind !== "constant") {
    g.append(shape("path", { d: lower, class: `capsule ${fill(`g${node.id}`, "has-gradient")}` }));
  }
}

/** Draw the ledger of a node: its last three contributions as chips, and their sum. */
function drawLedger(g, drawing, node, { width, height }, view) {
  const { focus } = view;
  const arrivals = drawing.arrivals(node.id);
  if (!arrivals.length) return;
  const y = height - LEDGER / 2;
  g.append(shape("path", { d: `M0 ${height - LEDGER}H${width}`, class: "divider" }));
  // while the gradient after the step is asked, the sum is that one, not the one before
  const after = focus?.receiver === node.id ? numberAt(view, `a${focus.wire}`) : null;
  const sum = after?.asked ? after : numberAt(view, `g${node.id}`);
  const sumWidth = widthOf(`= ${sum.text}`, "chip");
  const chips = arrivals.slice(-3).map((key) => {
    const found = numberAt(view, `c${key}`);
    const text = found.known || found.asked ? found.text : "···";
    return { key, found, text, wide: widthOf(text, "chip") + 22 };
  });
  const isTight = 20 + chips.reduce((total, { wide }) => total + wide + 4, 0) + sumWidth + 12 > width;
  if (!isTight) g.append(label(arrivals.length > 3 ? "…" : "0", "chip", 8, y, "muted"));
  let x = isTight ? 6 : 20;
  for (const { key, found, text, wide } of chips) {
    if (x + wide + sumWidth + 8 > width) break;
    const hue = drawing.hueOf(node.id, key);
    const state = found.asked ? "asked" : found.known ? "landed" : "waits";
    const chip = shape("g", { class: `chip ${state} hue${hue}` });
    chip.append(shape("rect", { x, y: y - 10, width: wide, height: 20, rx: 10 }));
    chip.append(shape("use", { href: `#${MARKS[hue]}`, x: x + 6, y: y - 4, width: 8, height: 8, class: "mark" }));
    chip.append(label(text, "chip", x + wide - 8, y, "", "end"));
    g.append(chip);
    x += wide + (isTight ? 2 : 4);
  }
  g.append(label(`= ${sum.text}`, "chip", width - 12, y, numberClass(sum, "gradient"), "end"));
}

/** Return the two lines of a wire's label: the factors, and the contribution. */
function wireLines(view, key) {
  const [upstream, local, sent] = ["u", "l", "c"].map((letter) => numberAt(view, letter + key));
  if (sent.asked) return { factors: "", sent: sent.text, asked: true };
  if (local.asked) return { factors: `${upstream.text} × ${local.text}`, sent: "", asked: true };
  const factors = upstream.known && local.known ? `${upstream.text} × ${local.text}` : "";
  return { factors, sent: sent.known ? sent.text : "", asked: false };
}

function labelSize(lines) {
  const texts = [lines.factors, lines.factors && lines.sent ? `= ${lines.sent}` : lines.sent];
  const rows = texts.filter(Boolean);
  const width = Math.max(0, ...rows.map((text) => widthOf(text, "label"))) + 20;
  return { rows, width: lines.asked ? Math.max(width, 64) : width, height: rows.length > 1 ? 42 : lines.asked ? 38 : 26 };
}

function drawLabel(lines, x, y, hue, isFocus = true) {
  const { rows, width, height } = labelSize(lines);
  const g = shape("g", { class: `label ${lines.asked ? "asked" : "landed"} ${hue < 0 ? "" : `hue${hue}`}` });
  if (!rows.length) return g;
  g.append(shape("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 8, class: isFocus ? "fires" : "" }));
  rows.forEach((text, k) => {
    const line = y + (k - (rows.length - 1) / 2) * 18;
    const isFactors = k === 0 && lines.factors !== "";
    g.append(label(text, "label", x, line, isFactors ? "factors" : "sent", "middle"));
  });
  return g;
}

/** Draw the arrow of a wire at the receiver of its contribution; x, y is its middle. */
function drawArrow(x, y, asks) {
  const g = shape("g", { class: asks ? "arrow asked" : "arrow" });
  g.append(shape("circle", { cx: x, cy: y, r: 7 }));
  g.append(shape("path", { d: `M${x + 2.5} ${y - 4}L${x - 4} ${y}L${x + 2.5} ${y + 4}Z` }));
  return g;
}

/** Draw a pill with the name of a node outside the focus; x, y is the middle of its left side. */
function drawTag(text, x, y, most) {
  const shown = elided(text, "tag", Math.max(20, most - 20));
  const width = widthOf(shown, "tag") + 20;
  const g = shape("g", { class: "tag" });
  g.append(shape("rect", { x, y: y - 12, width, height: 24, rx: 12 }));
  g.append(label(shown, "tag", x + 10, y));
  return { g, width };
}

/** Return the height of the focus of a graph in px, the same at each step. */
function focusHeight(drawing) {
  const tallest = Math.max(0, ...drawing.graph.nodes.map((n) => boxOf(drawing, n).height));
  return Math.max(178, tallest + 22 + 34);
}

/** Draw the focus into a box of this size: the receiver, the wire, the firing node; null without
    one. */
function drawFocus(drawing, focus, view, width, height) {
  const receiver = drawing.node(focus.receiver), sender = drawing.node(focus.sender);
  if (!receiver) return null;
  if (!sender) return drawAlone(drawing, receiver, view, width, height);
  return drawPair(drawing, focus, receiver, sender, view, width, height);
}

/** Return the size of a focus before scaling: width, height, the y of its content as `top`, and `most`, its largest scale.

    It fills its box, but for a wide layout, where the nodes would be far from each other. `least`
    and `need` are the width and height of its content. */
function innerSize(least, width, height, need) {
  const roomy = layout() === "wide";
  const inner = { width: Math.max(least, roomy ? Math.min(width, 480) : width), height: need };
  inner.most = roomy ? LARGEST_SCALE : 1;
  if (!roomy && height > need && inner.width <= width) inner.height = height;
  inner.top = (inner.height - need) / 2;
  return inner;
}

/** Return the scale at which a focus fits into its box. */
const innerScale = (inner, width, height) => Math.min(inner.most, width / inner.width, height / inner.height);

/** Return a focus, scaled, in the middle of its box. */
function centred(g, inner, width, height) {
  const scale = innerScale(inner, width, height);
  const dx = (width - inner.width * scale) / 2;
  const dy = (height - inner.height * scale) / 2;
  return shape("g", { transform: `translate(${Math.max(0, dx)} ${Math.max(0, dy)}) scale(${scale})` }, g);
}

/** Draw receiver, wire and firing node: the label between them, else above; then without
    formulas; then with short names. */
function drawPair(drawing, focus, receiver, sender, view, width, height) {
  const lines = wireLines(view, focus.wire);
  const room = labelSize(longestLines(drawing, focus.wire, lines)).width + 2 * 6;
  const gap = 44;
  let boxes = [boxOf(drawing, receiver), boxOf(drawing, sender)];
  const total = (between) => 2 * EDGE + boxes[0].width + boxes[1].width + between;
  let isAbove = false;
  if (total(room) > width) isAbove = true;
  if (isAbove && total(gap) > width) boxes = [receiver, sender].map((n) => boxOf(drawing, n, false));
  if (isAbove && total(gap) > width) boxes = [receiver, sender].map((n) => boxOf(drawing, n, false, 60));
  const inner = innerSize(isAbove ? total(gap) : total(room), width, height, focusHeight(drawing) + (isAbove ? 18 : 0));
  const [left, right] = boxes;
  const top = inner.top + (isAbove ? 42 : 24);
  view.small = isTooSmall(innerScale(inner, width, height));
  const rightX = inner.width - EDGE - right.width;
  const g = shape("g");
  const [, slot = 0] = wireEnds(focus.wire);
  const from = { x: EDGE + left.width + 5, y: top + capsuleY(receiver) };
  const to = { x: rightX - 5, y: top + slotY(sender, slot) };
  const tagY = inner.height - inner.top - 20;
  drawSides(g, drawing, focus, { receiver, sender, from, rightX, top, tagY, bottom: inner.height });
  const hue = drawing.hueOf(receiver.id, focus.wire);
  const middle = (from.x + to.x) / 2;
  const kind = wireClass(view, focus, ...wireEnds(focus.wire));
  const isLit = view.lit.has(focus.wire);
  const start = from.x + 10;
  g.append(shape("path", { d: `M${start} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`, class: `wire ${kind} ${isLit ? "ringed" : ""}` }));
  g.append(drawNode(drawing, receiver, left, EDGE, top, view));
  g.append(drawNode(drawing, sender, right, rightX, top, view));
  if (lines.asked || kind === "fires") g.append(drawArrow(start, from.y, lines.asked));
  const labelPlace = isAbove ? { x: middle, y: top - 21 } : { x: (from.x + 14 + to.x) / 2, y: to.y };
  const wide = labelSize(lines).width / 2;
  labelPlace.x = Math.min(Math.max(labelPlace.x, wide + 2), inner.width - wide - 2);
  if (isAbove && lines.sent + lines.factors) g.append(shape("path", { d: `M${middle} ${top - 6}V${(from.y + to.y) / 2}`, class: "stem" }));
  g.append(drawLabel(lines, labelPlace.x, labelPlace.y, hue));
  drawBadge(g, view, sender, rightX + right.width - 5, top - 3);
  return centred(g, inner, width, height);
}

/** Return the longest label of a wire in this step: space is kept for it, so that nothing moves. */
function longestLines(drawing, key, lines) {
  const [upstream, local, sent] = ["u", "l", "c"].map((letter) => drawing.longest[letter + key] ?? "");
  return { factors: upstream && local ? `${upstream} × ${local}` : "", sent: sent || lines.sent, asked: true };
}

/** Draw the other wires of both nodes, down to a tag for the readers and one for the inputs. */
function drawSides(g, drawing, focus, { receiver, sender, from, rightX, top, tagY: y, bottom }) {
  const others = drawing.readers.get(receiver.id).filter(([n, s]) => wireKey(n, s) !== focus.wire);
  const down = from.x + 8;
  const texts = [...new Set(others.map(([node]) => nodeText(drawing.node(node))))];
  let end = EDGE;
  if (texts.length) {
    const text = texts.length > 2 ? `to ${texts[0]}, … ${texts.length}` : `to ${texts.join(", ")}`;
    const hue = drawing.hueOf(receiver.id, wireKey(...others[0]));
    g.append(shape("path", { d: `M${from.x} ${from.y + 10}H${down}V${bottom}`, class: `wire side hue${hue}` }));
    const tag = drawTag(text, 0, 0, 130);
    end = Math.max(EDGE, down - 10 - tag.width);
    tag.g.setAttribute("transform", `translate(${end} ${y})`);
    g.append(tag.g);
    end += tag.width;
  }
  const [, slot = 0] = wireEnds(focus.wire);
  const inputs = (sender.inputs ?? []).map((source, k) => [source, k]);
  const rest = inputs.filter(([source, k]) => k !== slot && source !== null && drawing.node(source));
  if (!rest.length) return;
  const value = valueNow(drawing, rest[0][0]);
  const lead = nodeText(drawing.node(rest[0][0]));
  const text = `from ${lead}${value ? `, ${value}` : ""}${rest.length > 1 ? ", …" : ""}`;
  const turn = Math.max(down + 12, rightX - 74);
  const entry = top + slotY(sender, rest[0][1]);
  g.append(shape("path", { d: `M${rightX - 5} ${entry}H${turn + 6}Q${turn} ${entry} ${turn} ${entry + 6}V${bottom}`, class: "wire side" }));
  const tag = drawTag(text, 0, 0, 150);
  const x = Math.max(end + 6, turn - 4);
  tag.g.setAttribute("transform", `translate(${x} ${y})`);
  g.append(tag.g);
}

/** Return the value of a node as the figure shows it now, or "". */
function valueNow(drawing, id) {
  const text = stateNow()[`v${id}`] ?? "";
  return text === PLACEHOLDER ? "" : text;
}

/** Draw the badge of the firing node: its place in the order of firing. */
function drawBadge(g, view, sender, x, y) {
  const fired = new Set(Object.keys(view.state).filter((key) => key[0] === "c").map((key) => key.slice(1).split(".")[0]));
  if (!fired.has(String(sender.id))) return;
  g.append(shape("circle", { cx: x, cy: y, r: 11, class: "badge" }));
  g.append(label(String(fired.size), "chip", x, y, "on-fill", "middle"));
}

/** Draw a node without a firing one, its inputs and readers as tags. */
function drawAlone(drawing, node, view, width, height) {
  const box = boxOf(drawing, node);
  const inner = innerSize(box.width + 2 * EDGE, width, height, focusHeight(drawing));
  const top = inner.top + 24;
  const inputs = (node.inputs ?? []).map((source, slot) => [source, slot]).filter(([source]) => drawing.node(source));
  const side = (inner.width - box.width) / 2 - EDGE - 10;
  const x = inputs.length && side < 60 ? inner.width - EDGE - box.width : (inner.width - box.width) / 2;
  view.small = isTooSmall(innerScale(inner, width, height));
  const g = shape("g");
  for (const [source, slot] of inputs) {
    const other = drawing.node(source), y = top + slotY(node, slot);
    const value = valueNow(drawing, source);
    const tag = drawTag(`${nodeText(other)}${value && nodeText(other) !== value ? `  ${value}` : ""}`, 0, 0, x - EDGE - 16);
    const at = Math.max(EDGE, x - 28 - tag.width);
    g.append(shape("path", { d: `M${at + tag.width} ${y}H${x - 5}`, class: step().kind === "forward" ? "wire forward" : "wire side" }));
    tag.g.setAttribute("transform", `translate(${at} ${y})`);
    g.append(tag.g);
  }
  const readers = drawing.readers.get(node.id);
  if (readers.length && node.kind !== "root") {
    const names = [...new Set(readers.map(([reader]) => nodeText(drawing.node(reader))))];
    const start = x + box.width + 5, y = top + capsuleY(node);
    const most = inner.width - start - 20 - 4;
    if (most > 72) {
      const tag = drawTag(`to ${names.slice(0, 2).join(", ")}${names.length > 2 ? ", …" : ""}`, start + 18, y, most);
      g.append(shape("path", { d: `M${start} ${y}H${start + 18}`, class: "wire side" }), tag.g);
    }
  }
  g.append(drawNode(drawing, node, box, x, top, view));
  return centred(g, inner, width, height);
}

/** Return the class of a wire by its state: asked, fires, done, forward (carries a value) or
    idle. */
function wireClass(view, focus, node, slot) {
  const key = wireKey(node, slot);
  const sent = numberAt(view, `c${key}`);
  if (sent.asked || (focus?.wire === key && numberAt(view, `l${key}`).asked)) return "asked";
  if (sent.known) return focus?.wire === key ? "fires" : "done";
  const isComputed = focus?.receiver === node && !focus.wire;
  return !isAtEnd() && step().kind === "forward" && isComputed ? "forward" : "idle";
}

/** Give the nodes of a map's column equal gaps if some overlap; `places` has their middles. */
function spread(places, boxWidth, boxHeight, height) {
  for (const place of places.values()) {
    const column = [...places.values()].filter((other) => Math.abs(other[0] - place[0]) < boxWidth);
    column.sort((one, other) => one[1] - other[1]);
    const isClose = column.some((one, k) => k > 0 && one[1] - column[k - 1][1] < boxHeight + 2);
    if (!isClose) continue;
    const first = 6 + boxHeight / 2, last = height - 6 - boxHeight / 2;
    column.forEach((one, k) => {
      one[1] = first + (k * (last - first)) / (column.length - 1);
    });
  }
}

/** Return for each node its column; one whose left edge is right of the middle of a column's
    first node starts the next. */
function columnsOf(nodes) {
  const found = new Map();
  let middle = -Infinity, column = -1;
  const sorted = [...nodes]; // as old phones know no toSorted
  sorted.sort((one, other) => one.x + one.width / 2 - other.x - other.width / 2);
  for (const node of sorted) {
    if (node.x >= middle) {
      column += 1;
      middle = node.x + node.width / 2;
    }
    found.set(node.id, column);
  }
  return nodes.map((node) => found.get(node.id));
}

/** Return the largest number of nodes that overlap one of them in x, with it. */
function maxOverlappingInX(nodes) {
  const counts = nodes.map((one) =>
    nodes.filter((other) => other.x < one.x + one.width && one.x < other.x + other.width).length);
  return Math.max(1, ...counts);
}

/** Return the function that maps the range of some values to another one. */
function linearScale(values, from, to) {
  const low = Math.min(...values), high = Math.max(...values);
  return (value) => (high > low ? from + ((value - low) / (high - low)) * (to - from) : (from + to) / 2);
}

const MAP_LINE = 16; // px between the numbers of a node on a map
const mapNodes = (drawing) => drawing.graph.nodes.filter((node) => !isSeated(node));
const mapName = (node) => (node.kind === "op" ? `${node.symbol} ${shortened(nodeText(node), 6)}` : shortened(nodeText(node), 8));
const hasGradients = (drawing, state) => [state, drawing.longest].some((texts) => Object.keys(texts).some((key) => key[0] === "g"));

/** Return the size of each node on a map with numbers, before scaling. */
function numbersBox(drawing, state) {
  const wide = mapNodes(drawing).filter((node) => node.kind !== "root").map((node) => {
    const numbers = [`v${node.id}`, `g${node.id}`].flatMap((key) => [drawing.longest[key], state[key]]);
    return Math.max(widthOf(mapName(node), "chip"), ...numbers.map((text) => widthOf(text ?? "", "chip")));
  });
  return { width: Math.max(34, ...wide) + 12, height: MAP_LINE * (hasGradients(drawing, state) ? 3 : 2) + 6 };
}

/** Return the scale of a map with numbers of this size, or null if they would be unreadable. */
function numbersScale(drawing, state, width, height) {
  const columns = columnsOf(mapNodes(drawing));
  const most = Math.max(...columns.map((one) => columns.filter((other) => other === one).length));
  const box = numbersBox(drawing, state);
  const across = (width - 2 * EDGE) / (Math.max(...columns) + 1) - 10;
  const scale = Math.min(1, across / box.width, ((height - 16) / most - 4) / box.height);
  return scale * SIZES.chip < LEAST_TEXT ? null : scale;
}

/** Draw the whole graph, with its numbers if they are readable, else as silhouettes with symbols.
    */
function drawMap(drawing, focus, view, width, height) {
  const nodes = mapNodes(drawing);
  const columns = columnsOf(nodes), count = Math.max(...columns) + 1;
  const mayHaveNumbers = focus === null || (!isAtEnd() && step().slider); // the focus has those of its step
  const scale = mayHaveNumbers ? numbersScale(drawing, view.state, width, height) : null;
  const box = scale === null ? null : numbersBox(drawing, view.state);
  const boxWidth = box ? box.width * scale : Math.max(6, Math.min(38, (width - 2 * EDGE) / count - 6));
  const boxHeight = box ? box.height * scale : Math.max(6, Math.min(22, (height - 16) / maxOverlappingInX(nodes) - 4));
  const across = linearScale(columns, EDGE + boxWidth / 2 + 2, width - EDGE - boxWidth / 2 - 2);
  const middles = nodes.map((node) => node.y + bodyHeight(node) / 2);
  const down = linearScale(middles, 10 + boxHeight / 2, height - 10 - boxHeight / 2);
  const places = new Map(nodes.map((node, k) => [node.id, [across(columns[k]), down(middles[k])]]));
  spread(places, boxWidth, boxHeight, height);
  const g = shape("g");
  for (const node of nodes) {
    (node.inputs ?? []).forEach((source, slot) => {
      const from = places.get(source), to = places.get(node.id);
      if (!from || !to) return;
      const [x0, y0, x1] = [from[0] + boxWidth / 2, from[1], to[0] - boxWidth / 2];
      const slots = node.inputs.length;
      const y1 = to[1] + (slots > 1 ? ((slot - (slots - 1) / 2) * boxHeight * 0.5) / (slots - 1) : 0);
      const bend = Math.max(10, (x1 - x0) / 2);
      g.append(shape("path", { d: `M${x0} ${y0}C${x0 + bend} ${y0} ${x1 - bend} ${y1} ${x1} ${y1}`, class: `wire small ${wireClass(view, focus, node.id, slot)}` }));
    });
  }
  for (const node of nodes) {
    const [x, y] = places.get(node.id);
    const fires = view.glows?.has(node.id), lit = view.lit?.has(String(node.id));
    const one = shape("g", { class: `node ${node.kind}`, transform: `translate(${x - boxWidth / 2} ${y - boxHeight / 2})` });
    const r = box ? (node.kind === "leaf" ? 12 : 6) : node.kind === "leaf" ? boxHeight / 2 : 5;
    const high = node.kind === "root" ? Math.min(28, boxHeight) : boxHeight;
    one.append(shape("rect", { y: (boxHeight - high) / 2, width: boxWidth, height: high, rx: r, class: `silhouette ${fires ? "fires" : lit ? "ringed" : ""}` }));
    if (node.kind === "root") {
      one.append(shape("use", { href: "#flag", x: boxWidth / 2 - 7, y: boxHeight / 2 - 7, width: 14, height: 14, class: "flag" }));
    } else if (box) one.append(mapNumbers(drawing, node, box.width / 2, scale, view));
    else if (boxHeight >= 12) {
      const text = node.kind === "op" ? node.symbol : nodeText(node);
      if (widthOf(text, "chip") <= boxWidth) one.append(label(text, "chip", boxWidth / 2, boxHeight / 2, "", "middle"));
      else if (node.kind !== "op" && boxWidth > 24) one.append(label(elided(text, "chip", boxWidth - 4), "chip", boxWidth / 2, boxHeight / 2, "", "middle"));
    }
    g.append(one);
  }
  return { g, places, hasNumbers: box !== null };
}

/** Return the name of a node, its value, and its gradient if gradients are known. */
function mapNumbers(drawing, node, middle, scale, view) {
  const g = shape("g", { transform: `scale(${scale})` }, label(mapName(node), "chip", middle, 3 + MAP_LINE / 2, "", "middle"));
  const rows = [["data", `v${node.id}`], ["grad", `g${node.id}`]];
  rows.slice(0, hasGradients(drawing, view.state) ? 2 : 1).forEach(([caption, key], row) => {
    const found = numberAt(view, key);
    if (node.kind === "constant" && caption === "grad") return;
    g.append(label(elided(found.text, "chip", 2 * middle - 4), "chip", middle, 3 + MAP_LINE * (row + 1.5), numberClass(found, valueClass(caption, found)), "middle"));
  });
  return g;
}

const LARGEST_SCALE = 1.4;
const LEAST_SCALE = 0.77; // below it the smallest numbers of the whole graph are under 10 px

/** Draw all nodes at their places, or null if they would be too small to read. */
function drawWhole(drawing, focus, view, width, height) {
  const { graph } = drawing, edge = 24;
  const inner = { width: graph.width + 2 * edge, height: graph.height + 2 * edge };
  const scale = Math.min(LARGEST_SCALE, width / inner.width, height / inner.height);
  if (scale < LEAST_SCALE) return null;
  view.small = isTooSmall(scale);
  const g = shape("g", { class: "dense" }), labels = shape("g");
  for (const node of graph.nodes) {
    (node.inputs ?? []).forEach((source, slot) => {
      const other = drawing.node(source);
      if (!other || isSeated(node)) return;
      if (other.seated === node.id) {
        labels.append(drawPill(other, node.x, node.y + slotY(node, slot), view));
        return;
      }
      drawWholeWire(g, labels, drawing, other, node, slot, focus, view);
    });
  }
  for (const node of graph.nodes) {
    if (isSeated(node)) continue;
    const measured = boxOf(drawing, node);
    const box = { ...measured, width: node.width, height: node.height };
    if (node.kind === "op") box.left = Math.min(measured.left, node.width * 0.55);
    if (widthOf(nodeText(node), "name") + widthOf(box.kind, "caption") + 66 > node.width) box.kind = node.kind === "leaf" ? "leaf" : "";
    g.append(drawNode(drawing, node, box, node.x, node.y, view));
    if (focus?.sender === node.id) drawBadge(labels, view, node, node.x + node.width - 5, node.y - 3);
  }
  g.append(labels);
  const dx = (width - inner.width * scale) / 2 + edge * scale;
  const dy = Math.max(0, (height - inner.height * scale) / 2) + edge * scale;
  return { g: shape("g", { transform: `translate(${dx} ${dy}) scale(${scale})` }, g), scale, dx, dy };
}

function drawWholeWire(g, labels, drawing, source, node, slot, focus, view) {
  const x0 = source.x + source.width + 5, y0 = source.y + capsuleY(source);
  const x1 = node.x - 5, y1 = node.y + slotY(node, slot);
  const key = wireKey(node.id, slot);
  const d = drawing.graph.courses[key];
  const kind = wireClass(view, focus, node.id, slot), hue = drawing.hueOf(source.id, key);
  const lit = view.lit?.has(key) ? "ringed" : "";
  g.append(shape("path", { d, class: "halo" }));
  g.append(shape("path", { d, class: `wire ${kind} ${lit} ${hue < 0 ? "" : `hue${hue}`}` }));
  const lines = wireLines(view, key);
  const isFocus = focus?.wire === key;
  if (!isFocus && !lines.asked) lines.factors = "";
  const { width, rows } = labelSize(lines);
  if (rows.length) labels.append(drawLabel(lines, x1 - 6 - width / 2, y1, hue, isFocus));
  if (isFocus && x1 - x0 > 30) labels.append(drawArrow(x0 + 8, y0, lines.asked));
}

function drawPill(node, x, y, view) {
  const text = numberAt(view, `v${node.id}`);
  const shown = text.known ? text.text : nodeText(node), width = widthOf(shown, "chip") + 18;
  const g = shape("g", { class: "node constant", transform: `translate(${x - width - 2} ${y - PILL / 2})` });
  g.append(shape("rect", { width, height: PILL, rx: 6, class: "body edge" }));
  g.append(label(shown, "chip", width / 2, PILL / 2, "value", "middle"));
  return g;
}

/** Return the shapes that all figures use. */
function symbols() {
  const shapes = {
    circle: shape("circle", { cx: 4, cy: 4, r: 3.5 }),
    square: shape("rect", { x: 0.8, y: 0.8, width: 6.4, height: 6.4 }),
    triangle: shape("path", { d: "M4 0.4L7.8 7.4H0.2Z" }),
    diamond: shape("path", { d: "M4 0L8 4L4 8L0 4Z" }),
    flag: shape("path", { d: "M1 0H3V1H12L9 4.5L12 8H3V14H1Z" }),
  };
  const found = Object.entries(shapes).map(([name, drawn]) => {
    const size = name === "flag" ? 14 : 8;
    return shape("symbol", { id: name, viewBox: `0 0 ${size} ${size}` }, drawn);
  });
  return shape("svg", { class: "symbols", width: 0, height: 0, "aria-hidden": true }, shape("defs", {}, ...found));
}

/* ---- view ---- */

const MOST_SEGMENTS = 24; // of the bar; for more steps it is one segment that grows
const KEYS = [
  ["7", "8", "9", MINUS, "back"],
  ["4", "5", "6", "×", "÷"],
  ["1", "2", "3", ".", "^"],
  ["0", "∞", "( )", "+", "hint"],
];
const KEY_NAMES = { [MINUS]: "minus", "×": "times", "÷": "divided by", ".": "point", "^": "to the power of", "∞": "infinity", "( )": "bracket", "+": "plus", back: "Delete", hint: "Hint" };

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
  pageElement.append(
    symbols(),
    make("header", { class: "top" }, parts.title, parts.count, parts.bar),
    parts.map,
    make("div", { class: "figure" }, parts.focus),
    make("section", { class: "question", "aria-label": "Step" }, parts.step, parts.ask, parts.foot),
    make("nav", { class: "buttons", "aria-label": "Steps" }, parts.back, parts.show, parts.next),
  );
  pageElement.classList.add("ready");
}

/** Show the session, then move the focus to the verdict, the field, the step or, at the start,
    nowhere; "" keeps it. */
function render(target = "") {
  const hadField = field !== null && document.activeElement === field;
  peekedNode = null;
  renderTop();
  field = null;
  if (isAtEnd()) renderEnd();
  else renderStep();
  renderButtons();
  renderFoot();
  pageElement.classList.toggle("types", field !== null && !openAttempt().done);
  drawFigure();
  moveFocus(target, hadField);
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
  const canShow = !isAtEnd() && !page.cover && (open || movesLeft() > 0 || (step().slider && work().state === ""));
  const mayGo = !isAtEnd() && (page.cover || (movesLeft() > 0 && !(question && openAttempt().done)) || (question ? !open : isDone(session.at)));
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

function renderStep() {
  const found = step(), question = openQuestion();
  const position = found.slider?.positions[work().slider];
  const paragraphs = position?.text?.length ? position.text : found.text ?? [];
  const move = (found.moves ?? [])[work().moves - 1];
  const children = [];
  if (page.kind === "lesson") children.push(make("h2", {}, found.title));
  if (found.on_computer) children.push(make("p", { class: "aside" }, found.on_computer));
  for (const text of paragraphs) children.push(make("p", {}, ...spans(text)));
  if (found.given?.length) children.push(make("p", { class: "given" }, ...spans(found.given)));
  if (found.task?.length && !found.on_computer) {
    const hasMoved = found.moves?.length && movesLeft() === 0;
    children.push(make("p", { class: `task ${hasMoved ? "done" : ""}` }, ...spans(found.task)));
  }
  if (found.moves?.length && !move) children.push(make("p", { class: "note" }, "Press Step: each press is one move."));
  if (move && !(question && openAttempt().done)) children.push(make("p", { class: "sentence" }, ...spans(move.says)));
  if (question) children.push(...sentenceOf(question));
  else if (!move && found.says?.length && page.kind === "graph") {
    children.push(make("p", { class: "sentence" }, ...spans(found.says)));
  }
  parts.step.replaceChildren(...children);
  parts.ask.replaceChildren(...askParts(found, question));
}

function sentenceOf(question) {
  const attempt = openAttempt();
  const closed = attempt.shown ? question.worked_sentence : question.answered;
  const text = attempt.done ? closed : question.sentence;
  const typed = attempt.tries.at(-1)?.text ?? "";
  const paragraphs = [];
  if (text?.length) paragraphs.push(make("p", { class: "sentence" }, ...spans(text, typed)));
  // a lesson's own text says what to do
  const hasPrompt = !attempt.done && question.prompt?.length && !step().text?.length;
  if (hasPrompt) paragraphs.push(make("p", { class: "prompt" }, ...spans(question.prompt)));
  return paragraphs;
}

/** Return the controls to answer with, and the verdict below them. */
function askParts({ slider }, question) {
  if (slider) return [sliderOf(slider)];
  if (!question) return [];
  if (page.cover) return coverParts(question);
  if (question.choices?.length) return [choicesOf(question), verdictArea(question)];
  const keys = openAttempt().done || !hasKeys() ? [] : [keypad()];
  return [fieldRow(question), verdictArea(question), ...keys];
}

/** Return the button that shows a covered number, which counts as no answer; then the number. */
function coverParts(question) {
  const { done, says } = openAttempt();
  if (done) return [make("div", { class: "room" }, says ? verdictBox(says) : "")];
  return [make("button", { type: "button", class: "plain wide", click: uncover }, `Show ${question.title || "the number"}`)];
}

/** Show the covered number of the open question, and open the next one. */
function uncover() {
  if (!openQuestion() || openAttempt().done) return;
  openAttempt().done = true;
  setVerdict("right", [openQuestion().worked]);
  save();
  if (work().place + 1 < asked(session.at).length) work().place += 1;
  render("");
}

function choicesOf(question) {
  const attempt = openAttempt();
  const longest = Math.max(...question.choices.map((choice) => choice.label.length));
  const form = longest <= 4 ? "numbers short" : longest <= 9 ? "numbers" : "words";
  const buttons = question.choices.map((choice) => {
    const tried = attempt.tries.some((each) => each.text === choice.text);
    const isRight = attempt.done && choice.right && (attempt.shown || tried);
    const isWrong = tried && !choice.right;
    const state = isRight ? "right" : isWrong ? "wrong" : "";
    const sign = isRight ? " ✓" : isWrong ? " ✘" : "";
    const spoken = isRight ? `${choice.label}, right` : isWrong ? `${choice.label}, wrong` : null;
    const inner = isWrong ? make("s", {}, choice.label) : make("span", {}, choice.label);
    return make("button", {
      type: "button", class: `choice ${state}`, "aria-label": spoken,
      disabled: attempt.done || isWrong, click: () => submit(choice.text, choice),
    }, inner, sign ? make("span", { class: "sign", "aria-hidden": true }, sign) : null);
  });
  const answered = attempt.tries.length > 0 ? "answered" : "";
  return make("div", { class: `choices ${form} ${answered}`, role: "group", "aria-label": question.title || "Choices" }, ...buttons);
}

function fieldRow(question) {
  const attempt = openAttempt();
  const showsKeys = hasKeys();
  field = make("input", {
    type: "text", class: "field", inputmode: showsKeys ? "none" : "text", autocomplete: "off", autocapitalize: "off",
    spellcheck: "false", maxlength: LONGEST_ANSWER, "aria-label": question.title || "Your answer", enterkeyhint: "done",
    readonly: attempt.done, "aria-invalid": attempt.says?.kind === "note" ? "true" : null, input: onTyped,
    click: bringUpKeys, // as a phone scrolls to its own keyboard
  });
  const last = attempt.shown ? null : attempt.tries.at(-1)?.text; // of an answer that was shown, the last try is wrong
  field.value = attempt.done ? last ?? question.answer?.label ?? "" : attempt.draft;
  const reads = make("output", { class: "reads" });
  const sign = attempt.done ? make("span", { class: "sign", "aria-hidden": true }, attempt.right ? "✓" : "") : null;
  const button = make("button", { type: "button", class: "main", click: () => submit(field.value), disabled: attempt.done }, "Answer");
  const row = make("div", { class: `field-row ${attempt.done && attempt.right ? "right" : ""}` }, make("div", { class: "box" }, field, reads, sign), button);
  queueMicrotask(() => showReading());
  return row;
}

/** Return the word for the reader's device. */
function device() {
  return window.matchMedia("(pointer: fine)").matches ? "computer" : "phone";
}

/** Return whether the page shows its own number keys: not where there is a real keyboard. */
function hasKeys() {
  return !(window.matchMedia("(pointer: fine)").matches && layout() === "wide");
}

function keypad() {
  const buttons = KEYS.flat().map((key) => {
    const isDigit = /^\d$/.test(key);
    const text = key === "back" ? "⌫" : key === "hint" ? "Hint" : key;
    const kind = key === "hint" ? "hint" : isDigit ? "digit" : "sign";
    return make("button", { type: "button", class: `key ${kind}`, "aria-label": KEY_NAMES[key] ?? null, "data-key": key, mousedown: (event) => event.preventDefault(), click: () => typeKey(key) }, text);
  });
  return make("div", { class: "keys", role: "group", "aria-label": "Number keys" }, ...buttons);
}

/** Type a key of the keypad into the field, at its caret. */
function typeKey(key) {
  if (key === "hint") return hint();
  if (!field || openAttempt().done) return undefined;
  const { selectionStart: start, selectionEnd: end, value } = field;
  if (key === "back") {
    if (start === end && start > 0) field.setRangeText("", start - 1, start, "end");
    else field.setRangeText("", start, end, "end");
  } else if (value.length < LONGEST_ANSWER) {
    const before = value.slice(0, start);
    const opens = before.split("(").length > before.split(")").length;
    const mayClose = opens && /[\d.)∞]$/.test(before);
    field.setRangeText(key === "( )" ? (mayClose ? ")" : "(") : key, start, end, "end");
  }
  return onTyped();
}

/** Store a change of the field, and draw it on the figure. */
function onTyped() {
  openAttempt().draft = field.value;
  if (openAttempt().says?.kind === "note") {
    openAttempt().says = null;
    parts.ask.querySelector(".room").replaceWith(verdictArea(openQuestion()));
    field.removeAttribute("aria-invalid");
  }
  save();
  showReading();
  drawFigure();
}

/** Show the value of a typed expression in the field; a plain number needs none. */
function showReading() {
  const reads = field?.parentElement?.querySelector(".reads");
  if (!reads || openAttempt().done) return;
  const number = parseExpression(field.value);
  const isPlain = /^[+-]?[\d.]*$/.test(ascii(field.value)) || /^[+-]?inf$|^nan$/.test(ascii(field.value));
  reads.textContent = number === null || isPlain ? "" : `= ${numberText(number)}`;
}

/** Return the area below the controls: the verdict, Hint, and the narration after the last
    answer. */
function verdictArea(question) {
  const { says, done } = openAttempt();
  const isTyped = !question.choices?.length;
  const hintButton = done || (isTyped && hasKeys()) ? null
    : make("button", { type: "button", class: "plain hint", click: hint }, "Hint");
  const again = isTyped ? "Try again. Your first answer counts." : "Choose again. Your first answer counts.";
  const room = make("div", { class: `room ${isTyped ? "typed" : "chosen"}` });
  if (says) room.append(verdictBox(says));
  const note = !says ? `Nothing leaves this ${device()}` : says.kind === "wrong" ? again : "";
  if (hintButton || (note && !(isTyped && hasKeys()))) room.append(make("div", { class: "row" }, hintButton, make("span", { class: "note" }, note)));
  // the worked sentence of a shown answer tells the step already
  const after = done && !openAttempt().shown && isAllDone() ? step().says ?? [] : [];
  if (after.length) room.append(make("p", { class: "after" }, ...spans(after)));
  return room;
}

const isAllDone = () => work().given.every((each) => each.done);

const VERDICT_SIGNS = { right: "✓", wrong: "✘", worked: "", hint: "", note: "" };
const VERDICT_NAMES = { right: "Right: ", wrong: "Wrong: ", worked: "", hint: "Hint: ", note: "" };

function verdictBox({ kind, lines, typed: text }) {
  const sign = VERDICT_SIGNS[kind] ? make("span", { class: "sign", "aria-hidden": true }, VERDICT_SIGNS[kind]) : null;
  const spoken = VERDICT_NAMES[kind] ? make("span", { class: "spoken" }, VERDICT_NAMES[kind]) : null;
  const hasLead = kind === "right" || kind === "wrong" || kind === "note";
  const rows = lines.map((line, k) => make("p", {}, ...(k === 0 && hasLead ? verdictSpans(line, text) : spans(line, text))));
  rows[0]?.prepend(...(spoken ? [spoken] : []));
  return make("div", { class: `verdict ${kind}`, tabindex: "-1", role: kind === "note" ? "alert" : null }, make("div", { class: sign ? "lines signed" : "lines" }, sign, ...rows));
}

function sliderOf(slider) {
  const position = slider.positions[work().slider];
  const input = make("input", {
    type: "range", min: 0, max: slider.positions.length - 1, step: 1, value: work().slider,
    "aria-label": slider.name, "aria-valuetext": position.label,
    input: (event) => slide(Number(event.target.value)),
  });
  const status = make("p", { class: "done", role: "status" }, work().state === "done" ? "✓ Done." : work().state === "shown" ? "This is one way." : "");
  const output = make("output", {}, position.label);
  return make("div", { class: "slider" }, make("label", {}, make("b", {}, slider.name), " = ", output), input, status);
}

/** Show a position of the slider; without `render`, as a new input would end the drag. */
function slide(index) {
  const { positions } = step().slider;
  work().slider = index;
  if (positions[index].done) work().state ||= "done";
  const input = parts.ask.querySelector("input");
  input.setAttribute("aria-valuetext", positions[index].label);
  parts.ask.querySelector("output").textContent = positions[index].label;
  if (work().state === "done") parts.ask.querySelector(".done").textContent = "✓ Done.";
  const texts = positions[index].text ?? [];
  if (texts.length) {
    const old = [...parts.step.querySelectorAll("p:not([class])")];
    texts.forEach((text, k) => old[k]?.replaceChildren(...spans(text)));
  }
  renderButtons();
  drawFigure();
  save();
}

function renderFoot() {
  const children = [];
  if (session.at === (page.begins ?? 0) || isAtEnd()) {
    if (storage() !== null) {
      const box = make("input", { type: "checkbox", change: (event) => { isKept = event.target.checked; save(); } });
      box.checked = isKept;
      children.push(make("label", { class: "keep" }, box, `Remember on this ${device()}`));
    }
  }
  parts.foot.replaceChildren(...children);
}

/** Return the layout that the style sheet has chosen: portrait, landscape or wide. */
function layout() {
  return getComputedStyle(pageElement).getPropertyValue("--layout").trim();
}

const MAP_HEIGHT = 92; // px, of a map above a focus in portrait
const OVERVIEW_HEIGHTS = [150, 178, 224, 270]; // px, of a map that is the only figure: the first readable one
const UNREADABLE_OVERVIEW_HEIGHT = 170; // px, of one whose numbers fit in none of these
const SLIDER_HEIGHTS = [120, 150, 178]; // px, of a map above the node that is watched

/** Draw map and focus, or in a wide layout the whole graph if it is readable. */
function drawFigure() {
  const at = Math.min(session.at, page.steps.length - 1);
  const found = page.steps[at], drawing = DRAWINGS[found.graph ?? 0];
  drawing.longest = LONGEST[at];
  const kind = layout();
  const state = isAtEnd() ? STATES[at].at(-1) : stateNow();
  let focus = isAtEnd() ? null : focusNow(drawing);
  if (kind !== "wide" && (needsWhole() || (found.slider && kind === "landscape" && peekedNode === null))) {
    if (numbersScale(drawing, state, parts.map.clientWidth || 300, overviewHeight(kind))) focus = null;
  }
  const view = isAtEnd() ? { state, typed: {}, glows: new Set(), lit: new Set() } : viewNow(focus);
  let whole = null;
  pageElement.classList.toggle("whole", false);
  pageElement.classList.toggle("no-focus", kind !== "wide" && focus === null);
  if (kind === "wide") {
    pageElement.classList.toggle("whole", true);
    whole = drawWhole(drawing, focus, view, parts.focus.clientWidth, parts.focus.clientHeight);
    pageElement.classList.toggle("whole", whole !== null);
    pageElement.classList.toggle("no-focus", whole === null && focus === null);
  }
  pageElement.style.setProperty("--focus", `${focusHeight(drawing)}px`);
  pageElement.style.setProperty("--map", `${mapHeight(found, drawing, state, focus)}px`);
  const { clientWidth: across, clientHeight: high } = parts.map;
  const map = drawMap(drawing, focus, view, across || 300, high || MAP_HEIGHT);
  pageElement.classList.toggle("stuck", focus === null && needsWhole());
  pageElement.classList.toggle("numbers", whole !== null || (focus === null && map.hasNumbers));
  mapPlaces = whole ? new Map() : map.places;
  parts.map.replaceChildren(map.g);
  const { clientWidth: width, clientHeight: height } = parts.focus;
  const drawn = whole?.g ?? (focus ? drawFocus(drawing, focus, view, width, height) : null);
  parts.focus.replaceChildren(...(drawn ? [drawn] : []));
  for (const part of [parts.map, parts.focus]) part.classList.toggle("forward", found.kind === "forward");
  parts.focus.setAttribute("aria-label", spokenFigure(found));
}

/** Return the largest height in px of a map without a focus. */
function overviewHeight(kind) {
  const { top } = parts.map.getBoundingClientRect();
  return kind === "landscape" ? window.innerHeight - Math.max(0, top) - 60 : OVERVIEW_HEIGHTS.at(-1);
}

/** Return the height of the map in portrait: the least one in which its numbers can be read. */
function mapHeight(found, drawing, state, focus) {
  const width = parts.map.clientWidth || 300;
  const fits = (heights) => heights.find((height) => numbersScale(drawing, state, width, height));
  if (found.slider && !isAtEnd() && focus !== null) return fits(SLIDER_HEIGHTS) ?? MAP_HEIGHT;
  if (focus !== null) return MAP_HEIGHT;
  // as high as map and focus together, which appear with the first move
  if (!isAtEnd() && found.moves?.length) return MAP_HEIGHT + focusHeight(drawing);
  return fits(OVERVIEW_HEIGHTS) ?? UNREADABLE_OVERVIEW_HEIGHT;
}

/** Return the figure in words for a screen reader; while a question is open, its sentence. */
function spokenFigure(found) {
  if (isAtEnd()) return "The graph at the end.";
  if (found.given?.length) return plain(found.given);
  const question = openQuestion();
  const move = (found.moves ?? [])[work().moves - 1];
  const open = question && !openAttempt().done;
  const words = plain(open ? question.sentence : move?.says ?? found.says ?? []);
  return words || plain((found.text ?? [])[0] ?? []) || found.title;
}

/** Return the node or wire that the question or the text of a step points at, or null. */
function litFocus(drawing) {
  const record = openQuestion()?.record;
  if (record && record.kind !== "text" && drawing.node(record.node)) return { receiver: record.node, isShown: true };
  const wire = (step().lit ?? []).find((key) => key.includes("."));
  if (wire) {
    const [node, slot] = wireEnds(wire);
    const receiver = drawing.node(node)?.inputs?.[slot];
    if (drawing.node(receiver)) return { receiver, sender: node, wire, isShown: true };
  }
  const node = (step().lit ?? []).find((key) => drawing.node(Number(key)));
  return node === undefined ? null : { receiver: Number(node), isShown: true };
}

const ASKED_BEFORE_PASS = new Set(["final", "sign"]);

/** Return whether the open question needs the numbers of the whole graph. */
function needsWhole() {
  return !isAtEnd() && peekedNode === null && ASKED_BEFORE_PASS.has(openQuestion()?.record.kind);
}

/** Return what a figure needs of the session:

    state, typed   texts by key; those being typed are drawn in place of the state's
    focus          the wire or node of the step, if it fires
    glows, lit     ids of nodes that take part in the step; keys of nodes and wires with a ring
    small          whether captions are left out, as they would be too small */
function viewNow(focused) {
  const state = stateNow(), question = openQuestion();
  const focus = focused?.isShown ? null : focused;
  const typed = {};
  if (question && !openAttempt().done && !page.cover) {
    const { draft } = openAttempt();
    const key = question.key ?? "";
    if (draft.trim() && key) {
      const number = parseExpression(draft);
      typed[key] = number === null ? shortened(draft.trim().replaceAll("-", MINUS), QUOTED) : numberText(number);
    }
  }
  const glows = new Set(focus ? [focus.receiver, focus.sender].filter((id) => id !== null && id !== undefined) : []);
  const lit = new Set(focused === null && needsWhole() ? [String(question.record.node)] : step().lit ?? []);
  return { state, focus, typed, glows, lit, small: false };
}

function moveFocus(target, hadField) {
  if (target === "start") return session.at > 0 ? bringUpQuestion() : undefined; // first comes the title
  if (target === "verdict") {
    const verdict = parts.ask.querySelector(".verdict");
    (verdict ?? parts.next).focus({ preventScroll: false });
    const room = parts.ask.querySelector(".room");
    if (field && !openAttempt().done) bringUpKeys();
    else if (room) bringUp(room, parts.step.lastElementChild);
  } else if (target === "field" || hadField) field?.focus();
  if (target !== "step") return undefined;
  window.scrollTo(0, 0);
  parts.ask.closest(".question").scrollTo(0, 0);
  if (field && !openAttempt().done && (hadField || !hasKeys() || document.activeElement !== document.body)) field.focus({ preventScroll: true });
  return bringUpQuestion();
}

/** Scroll until the controls are seen, but keep the first paragraph of the step on the screen. */
function bringUpQuestion() {
  if (isAtEnd()) return;
  if (parts.ask.childElementCount) bringUp(parts.ask, parts.step.querySelector("p") ?? parts.ask);
  else if (work().moves > 0) bringUp(parts.step, parts.step.lastElementChild); // what the move did
}

/** Scroll until the field and all keys are seen. */
function bringUpKeys() {
  bringUp(parts.ask, parts.ask);
}

/** Scroll until the lower end of a part is seen, but keep the upper end of `first` on the screen.
    */
function bringUp(part, first) {
  const pane = parts.ask.closest(".question");
  const scrolls = getComputedStyle(pane).overflowY === "auto" ? pane : window;
  const { top: buttonsTop } = parts.next.parentElement.getBoundingClientRect();
  const isFixed = getComputedStyle(parts.next.parentElement).position === "fixed";
  const floor = scrolls === pane ? pane.getBoundingClientRect().bottom : isFixed ? buttonsTop : window.innerHeight;
  const ceiling = scrolls === pane ? pane.getBoundingClientRect().top : stuckHeight();
  const needed = part.getBoundingClientRect().bottom + 8 - floor;
  const most = first.getBoundingClientRect().top - 6 - ceiling;
  if (needed <= 0 || most <= 0) return;
  // rather stop where no part is cut: at the upper edge of map, figure or step
  const edges = [parts.map, parts.focus.parentElement].map((each) => each.getBoundingClientRect().top);
  const stops = scrolls === window ? [...edges, parts.step.getBoundingClientRect().top - 6 - ceiling] : [];
  scrolls.scrollBy(0, Math.min(most, stops.find((stop) => stop >= needed) ?? needed));
}

/** Return the height of a figure that sticks to the upper edge of the screen, else 0. */
function stuckHeight() {
  const stuck = [parts.focus.parentElement, parts.map].filter((part) => getComputedStyle(part).position === "sticky");
  return Math.max(0, ...stuck.map((part) => part.getBoundingClientRect().height));
}

/* ---- input ---- */

const SWIPE = 56; // px
const SCREEN_EDGE = 18; // px, in which the gestures of the phone itself begin

/** Do the action of a button if it is enabled; where Next is not, say why. */
function whenEnabled(button, action) {
  if (button.getAttribute("aria-disabled") !== "true") action();
  else if (button === parts.next) remind();
}

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const { key, target } = event;
  const inField = target === field && field !== null;
  const inInput = target instanceof HTMLInputElement && !inField;
  const arrows = !(inField && field.value) && !inInput && !(target instanceof HTMLTextAreaElement);
  const question = openQuestion(), open = question && !openAttempt().done;
  if (key === "PageDown" || (key === "ArrowRight" && arrows)) whenEnabled(parts.next, goOn);
  else if (key === "PageUp" || (key === "ArrowLeft" && arrows)) whenEnabled(parts.back, back);
  else if (key === "Enter" && inField) submit(field.value);
  else if (key === "Enter" && (target === document.body || target.classList?.contains("verdict"))) onEnter(open);
  else if (/^[1-4]$/.test(key) && open && question.choices?.length && !inInput) {
    parts.ask.querySelectorAll(".choice")[Number(key) - 1]?.click();
  } else if (key === "Tab" && !event.shiftKey && target.classList?.contains("verdict") && !open) parts.next.focus();
  else if (open && field && !inField && !inInput && /^[-\d.+*/^()×÷−∞]$/.test(key)) {
    field.focus();
    typeKey(key === "-" ? MINUS : key);
  } else return;
  event.preventDefault();
}

function onEnter(open) {
  if (!open) whenEnabled(parts.next, goOn);
  else if (field) submit(field.value);
}

let touch = null; // where the only finger began, if it may swipe

function onTouchStart(event) {
  const [first] = event.touches;
  const isBusy = event.target.closest?.("input, textarea") && event.target !== field;
  const isEdge = first.clientX < SCREEN_EDGE || first.clientX > window.innerWidth - SCREEN_EDGE;
  touch = event.touches.length > 1 || isBusy || isEdge ? null : { x: first.clientX, y: first.clientY };
}

function onTouchEnd(event) {
  if (touch === null || event.changedTouches.length !== 1) return;
  const dx = event.changedTouches[0].clientX - touch.x, dy = event.changedTouches[0].clientY - touch.y;
  touch = null;
  if (Math.abs(dx) < SWIPE || Math.abs(dx) < 2 * Math.abs(dy) || (window.visualViewport?.scale ?? 1) > 1.05) return;
  if (dx < 0) whenEnabled(parts.next, goOn);
  else whenEnabled(parts.back, back);
}

const TAP_RADIUS = 30; // px, from the middle of a node

/** Tap the node of the map that is nearest to a tap. */
function tapMap(event) {
  const box = parts.map.getBoundingClientRect();
  const x = event.clientX - box.left, y = event.clientY - box.top;
  let nearest = null, least = TAP_RADIUS;
  for (const [id, [nodeX, nodeY]] of mapPlaces) {
    const distance = Math.hypot(nodeX - x, nodeY - y);
    if (distance < least) [nearest, least] = [id, distance];
  }
  if (nearest !== null) tapNode(nearest);
}

/** Choose a node where one is asked for; else go to the next step in which it fires or takes
    part; else draw it large. */
function tapNode(id) {
  const question = openQuestion();
  const choice = question && !openAttempt().done ? question.choices?.find((each) => each.node === id) : null;
  if (choice) return submit(choice.text, choice);
  const graph = isAtEnd() ? page.steps.at(-1).graph ?? 0 : step().graph ?? 0, last = furthest();
  const indices = page.steps.map((_, k) => k).filter((k) => k <= last && (page.steps[k].graph ?? 0) === graph);
  const about = (k) => [page.steps[k].focus?.sender, page.steps[k].focus?.receiver].includes(id);
  const fires = (k) => page.steps[k].focus?.sender === id;
  const after = indices.filter((k) => k > session.at), before = indices.filter((k) => k < session.at);
  const goal = [...after, ...before].find(fires) ?? [...after, ...before].find(about);
  if (goal !== undefined) return go(goal);
  peekedNode = peekedNode === id || isAtEnd() ? null : id;
  return drawFigure();
}

/** Show the next covered number. */
function tapFocus() {
  if (page.cover && !isAtEnd()) uncover();
}

/* ---- record ---- */

const LONGEST_NAME = 200;
const LONGEST_FILE_NAME = 60; // of signs that take up to four bytes each; file systems allow 255
const BASE32_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"; // this and the next two as in page_record.py
const CHECKSUM_FACTOR = 37;
const CHECKSUM_MODULUS = 1021;

/** Return each question of the page with the attempt at it. */
function allAttempts() {
  return page.steps.flatMap((_, index) => asked(index).map((question, k) => ({ question, attempt: session.steps[index].given[k] })));
}

const isRightFirstTime = ({ right, shown, hints, tries }) => right && !shown && hints === 0 && tries.length === 1;
const wasTouched = ({ tries, hints, shown }) => tries.length > 0 || hints > 0 || shown;

/** Return a count in base 32; one that is too large for its width is the largest that fits. */
function base32(count, width) {
  let rest = Math.min(count, BASE32_DIGITS.length ** width - 1), text = "";
  for (let k = 0; k < width; k += 1) {
    text = BASE32_DIGITS[rest % BASE32_DIGITS.length] + text;
    rest = Math.floor(rest / BASE32_DIGITS.length);
  }
  return text;
}

/** Return the code of 12 characters; `RecordData` describes it. */
function recordCode() {
  const all = allAttempts().map(({ attempt }) => attempt).filter(wasTouched);
  const hinted = all.filter(({ hints }) => hints > 0).length, shown = all.filter((attempt) => attempt.shown).length;
  const body = page.record.page + base32(all.filter(isRightFirstTime).length, 2) + base32(all.length, 2) + base32(hinted, 1) + base32(shown, 1);
  const sum = [...body].reduce((total, digit, k) => total + (k + 1) * BASE32_DIGITS.indexOf(digit), 0);
  const all12 = body + base32((sum * CHECKSUM_FACTOR) % CHECKSUM_MODULUS, 2);
  return [all12.slice(0, 4), all12.slice(4, 8), all12.slice(8)].join("-");
}

/** Return the record as the text of a file that `backwire grade` reads. */
function recordText() {
  return page.record.form === "progress" ? progressText() : reportText();
}

function reportText() {
  const attempts = allAttempts().filter(({ attempt }) => wasTouched(attempt)).map(attemptText);
  const list = attempts.length ? `,\n "attempts": [\n  ${attempts.join(",\n  ")}\n ]` : "";
  const student = session.name ? ` "student": ${JSON.stringify(session.name)},\n` : "";
  return `${page.record.head}${student}${page.record.body}${list}\n}\n`;
}

function attemptText({ question, attempt }) {
  const { kind, node, slot, step: at } = question.record;
  const fields = [["kind", JSON.stringify(kind)], ["node", node]];
  if (slot !== null && slot !== undefined) fields.push(["slot", slot]);
  if (at) fields.push(["step", at]);
  if (attempt.hints) fields.push(["hints", attempt.hints]);
  if (attempt.shown) fields.push(["shown", true]);
  if (session.round) fields.push(["round", session.round]);
  fields.push(["seconds", attempt.seconds.toFixed(1)]);
  const tries = attempt.tries.map((each) => `{"text": ${JSON.stringify(each.text)}, "verdict": "${each.verdict}", "answer": ${each.answer}}`);
  if (tries.length) fields.push(["tries", `[${tries.join(", ")}]`]);
  return `{${fields.map(([name, value]) => `"${name}": ${value}`).join(", ")}}`;
}

/** Return the local date some days from today, as 2025-12-31. */
function dayFromToday(days) {
  const date = new Date();
  date.setDate(date.getDate() + days);
  const monthAndDay = [date.getMonth() + 1, date.getDate()].map((number) => String(number).padStart(2, "0"));
  return [date.getFullYear(), ...monthAndDay].join("-");
}

function progressText() {
  const { key, digest, title, seed } = page.record.lesson;
  const all = allAttempts().filter(({ attempt }) => wasTouched(attempt));
  const states = session.steps.map((each) => each.state);
  const numbers = all.filter(({ question }) => question.record.kind !== "text");
  const lesson = {
    digest, at: Math.min(session.at, page.steps.length - 1), states, seed,
    right: all.filter(({ attempt }) => isRightFirstTime(attempt)).length, asked: all.length,
    seconds: Math.round(10 * all.reduce((sum, { attempt }) => sum + attempt.seconds, 0)) / 10,
    ended: isAtEnd() ? dayFromToday(0) : "",
  };
  const slips = new Map();
  for (const { question, attempt } of numbers) {
    const slip = attempt.tries[0]?.slip;
    if (slip) slips.set(slip.name, { name: slip.name, kind: question.record.kind, lesson: key, title, last: dayFromToday(0), next: dayFromToday(1) });
  }
  const kinds = [...new Set(numbers.map(({ question }) => question.record.kind))];
  const file = {
    format: "backwire progress", version: 2, lessons: { [key]: lesson }, slips: [...slips.values()],
    asked: kinds.map((kind) => ({ kind, lesson: key, title, last: dayFromToday(0) })), student: session.name,
  };
  return `${JSON.stringify(file, null, 1)}\n`;
}

function renderEnd() {
  const all = allAttempts().map(({ attempt }) => attempt).filter(wasTouched), right = all.filter(isRightFirstTime).length;
  const found = [make("h2", {}, "The end")];
  if (page.able) found.push(make("p", {}, page.able));
  if (page.surprise) found.push(make("p", {}, page.surprise));
  if (all.length) found.push(make("p", { class: "sentence" }, make("b", {}, `${right} of ${all.length}`), " right first time."));
  const slips = new Map();
  for (const { slip } of all.flatMap(({ tries }) => tries)) if (slip?.full) slips.set(slip.full, (slips.get(slip.full) ?? 0) + 1);
  const lines = [...slips].map(([text, count]) => make("li", {}, count > 1 ? `${text} (${count} times)` : text));
  if (lines.length) found.push(make("h3", {}, lines.length > 1 ? "Slips" : "One slip"), make("ul", { class: "slips" }, ...lines));
  parts.step.replaceChildren(...found);
  parts.ask.replaceChildren(...(all.length ? recordParts() : []), make("button", { type: "button", class: "plain wide", click: beginAgain }, "Begin again"));
}

function recordParts() {
  const text = make("textarea", { readonly: true, rows: 4, "aria-label": "Record", class: "record" });
  text.value = recordText();
  const name = make("input", {
    type: "text", class: "name", maxlength: LONGEST_NAME, autocomplete: "name",
    input: (event) => {
      session.name = event.target.value.trim();
      text.value = recordText();
      save();
    },
  });
  name.value = session.name;
  const status = make("p", { class: "told", role: "status" });
  const copy = make("button", { type: "button", class: "main", click: () => copyRecord(text, status) }, "Copy the record");
  const keep = make("button", { type: "button", class: "plain", click: () => saveRecord(text, status) }, "Save it as a file");
  return [
    make("p", {}, "Your code: ", make("b", { class: "code" }, recordCode())),
    make("p", { class: "note" }, "It says how many were right first time. The record says what you answered."),
    make("label", {}, "Your name, if you hand it in", name),
    make("div", { class: "row" }, copy, keep),
    status,
    make("details", {}, make("summary", {}, "The record"), text),
  ];
}

/** Copy the record; where the browser refuses, select it for the reader to copy. */
async function copyRecord(text, status) {
  try {
    await navigator.clipboard.writeText(text.value);
    status.textContent = "Copied.";
  } catch {
    text.closest("details").open = true;
    text.focus();
    text.select();
    status.textContent = document.execCommand("copy") ? "Copied." : "Copy what is selected.";
  }
}

/** Save the record as a file with the reader's name. Its text is the address itself: nothing is
    requested. Who forbids a frame to download says nothing to it, so copying is named too. */
function saveRecord(text, status) {
  const name = `${session.name} ${page.title}`.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, LONGEST_FILE_NAME);
  const file = `${name || "record"}.${page.record.form === "progress" ? "progress" : "report"}.json`;
  make("a", { download: file, href: `data:application/json;charset=utf-8,${encodeURIComponent(text.value)}` }).click();
  status.textContent = `Saved as ${file}. If there is no such file, copy the record.`;
}

function beginAgain() {
  session = { ...newSession(), name: session.name, round: (session.round ?? 0) + 1 };
  openedAt = Date.now();
  save();
  render("step");
}

/* ---- start ---- */

/** Show the stored session; one that is damaged is dropped, or the page could never be opened
    again. */
function renderStored() {
  try {
    render("start");
  } catch (error) {
    if (!isKept) throw error;
    session = newSession();
    render("start");
  }
}

try {
  load();
  build();
  renderStored();
} catch (error) {
  // an old browser: the list in words is the page
  pageElement.classList.remove("ready");
  document.getElementById("words").hidden = false;
  throw error;
}
document.addEventListener("keydown", onKey);
pageElement.addEventListener("touchstart", onTouchStart, { passive: true });
pageElement.addEventListener("touchend", onTouchEnd, { passive: true });
document.addEventListener("visibilitychange", () => (document.hidden ? addSeconds() : (openedAt = Date.now())));
let drawnLayout = layout();
new ResizeObserver(() => {
  const now = `${layout()} ${hasKeys()}`;
  if (now === drawnLayout) return drawFigure();
  drawnLayout = now;
  return render("");
}).observe(pageElement);
