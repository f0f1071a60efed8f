"use strict";
/* The page: shows the steps of a `PageData`, asks, judges, and keeps a record. No network.

   Everything that is said and every right number come from the JSON block; app/takeaway/page_data.py
   describes its fields, states and the order of judging. The parts of this file, from the top:

     elements   make them, and write texts of spans into them
     numbers    read what was typed, and compare it
     states     the numbers on the figure at each step
     session    what the reader has done; the only thing that changes
     figure     focus, map and whole graph as SVG
     view       the page as a function of the session
     input      buttons, keys, swipe, size
     record     what the end page shows and copies

   Sizes are in px at a text size of 16. */

const page = JSON.parse(document.getElementById("data").textContent);
const root = document.getElementById("page");

/* ---- elements ---- */

const SVG_NAMES = "http://www.w3.org/2000/svg";
const MINUS = "−";
const PLACEHOLDER = "?";
const MARK_TAGS = { b: "b", c: "code", s: "s" };

/** Return a new element; an attribute that is null or false is left out, true has no value. */
function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Return a new element of a drawing. */
function shape(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG_NAMES, tag), attributes, children);
}

function filled(element, attributes, children) {
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

/** Return the spans of a text as nodes; `own` stands where the reader's own answer does. */
function spans(text, own = "") {
  const found = [];
  for (const span of text) {
    const before = found.at(-1);
    if (typeof span !== "string") found.push(coloured(span, own));
    else if (/^[.,;:?!)]/.test(span) && before instanceof Element) {
      // no line begins with a full stop
      found.splice(-1, 1, make("span", { class: "joined" }, before, span[0]), span.slice(1));
    } else found.push(document.createTextNode(span));
  }
  return found.map((node) => (typeof node === "string" ? document.createTextNode(node) : node));
}

function coloured([words, role = "", marks = ""], own) {
  if (role === "blank") return make("span", { class: "blank" }, PLACEHOLDER);
  let inner = document.createTextNode(role === "typed" ? own : words);
  for (const mark of marks) inner = make(MARK_TAGS[mark], {}, inner);
  return make("span", { class: `role-${role || "text"}` }, inner);
}

/** Return a text without the sign ✓ or ✗ that stands before it: a verdict has its own. */
function withoutSign(text) {
  const [first] = text;
  return Array.isArray(first) && /^[✓✗]\s*$/.test(first[0]) ? text.slice(1) : text;
}

/** Return the spans of a verdict, its first sentence in bold. */
function spansWithLead(text, typed) {
  const lead = make("strong"), rest = [];
  let ended = false;
  for (const node of spans(withoutSign(text), typed)) {
    const words = node.textContent;
    const end = ended || node.nodeType !== Node.TEXT_NODE ? -1 : words.search(/[.!?:] /);
    if (ended) rest.push(node);
    else if (end < 0) lead.append(node);
    else {
      ended = true;
      lead.append(words.slice(0, end + 1));
      rest.push(words.slice(end + 1));
    }
  }
  return [lead, ...rest];
}

/** Return a text without its colours, for a screen reader. */
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

const LONGEST_ANSWER = 80;
const QUOTED = 12;
const SPELLINGS = { "−": "-", "–": "-", "×": "*", "·": "*", "⋅": "*", "÷": "/", "∞": "inf" };
const TOKEN = /\s*(?:((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|(infinity|inf|nan|pi)|(\*\*|[-+*/^()]))/y;
const NAMED = { inf: Infinity, infinity: Infinity, nan: NaN, pi: Math.PI };
const TOLERANCE = 1e-9;
const MOST_RELATIVE_ERROR = 0.01;

/** Return a number of the JSON, which has words for nan and the infinities; null stays null. */
function fromJson(number) {
  return number === null || number === undefined ? null : Number(number);
}

/** Return what was typed in plain characters, as Python would write it. */
function ascii(text) {
  const written = text.trim().toLowerCase().replace(/^=/, "").trim();
  return written.replace(/[−–×·⋅÷∞]/g, (sign) => SPELLINGS[sign]);
}

function fail() {
  throw new SyntaxError("no number");
}

/** Return the number of a constant expression of + − × ÷ ^ ( ), or null if it is none. */
function parse(text) {
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

/** Return the signs and numbers of an expression in their order, or null. */
function tokensOf(text) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text);
    if (found === null) return null;
    if (/^0+[1-9]\d*$/.test(found[1] ?? "")) return null; // in Python no number either
    const named = found[2] === undefined ? found[3] : NAMED[found[2]];
    tokens.push(found[1] === undefined ? named : Number(found[1]));
  }
  return tokens;
}

/** Return half a unit in the last place of a plain decimal of two or more digits, else 0. */
function halfUnit(text) {
  const found = /^[+-]?(\d*)\.?(\d*)(?:e([+-]?\d+))?$/.exec(ascii(text).replaceAll(" ", ""));
  if (found === null || (found[1] + found[2]).replace(/^0+/, "").length < 2) return 0;
  return Number(`5e${Number(found[3] ?? 0) - found[2].length - 1}`);
}

/** Return whether a number is as good as another one, of size `scale` at least. */
function near(number, other, scale = 0) {
  if (Number.isNaN(number) || Number.isNaN(other)) {
    return Number.isNaN(number) && Number.isNaN(other);
  }
  if (!Number.isFinite(number) || !Number.isFinite(other)) return number === other;
  return Math.abs(number - other) <= TOLERANCE * Math.max(Math.abs(other), scale);
}

/** Write a number that was typed as an expression; what the engine computed comes as text. */
function numberText(number) {
  if (Number.isNaN(number)) return "nan";
  if (!Number.isFinite(number)) return number > 0 ? "∞" : `${MINUS}∞`;
  const short = Number.isInteger(number) ? number : Number(number.toPrecision(4));
  return String(short === 0 ? 0 : short).replaceAll("-", MINUS);
}

/** Judge a typed number: `accepted` are the answers accepted in the blanks before it. */
function judge(question, number, accepted) {
  const { answer } = question;
  const right = fromJson(answer.number);
  if (near(number, right, fromJson(answer.scale) ?? 0)) return { right: true, verdict: "right" };
  if (isFromDigits(number, right, rangeOf(answer, accepted))) {
    return { right: true, verdict: "rounded", says: answer.digits };
  }
  const slips = question.slips ?? [];
  const exact = slips.find((s) => s.exact !== false && near(number, fromJson(s.number)));
  if (exact) return wrongBy(exact);
  if ((answer.rounded ?? []).some((other) => near(number, other))) {
    return { right: true, verdict: "rounded", says: answer.rounded_says };
  }
  const rounded = slips.find((s) => (s.rounded ?? []).some((other) => near(number, other)));
  if (rounded) return wrongBy(rounded);
  return { right: false, verdict: "wrong", first: question.wrong, again: question.wrong_again };
}

function wrongBy(slip) {
  return { right: false, verdict: "slip", slip: slip.name, ...slip };
}

function isFromDigits(number, right, range) {
  if (range === null || !Number.isFinite(number) || !Number.isFinite(right)) return false;
  const [low, high] = range;
  const within = (low <= number && number <= high) || near(number, low) || near(number, high);
  return within && Math.abs(number - right) <= MOST_RELATIVE_ERROR * Math.abs(right);
}

/** Return the range that printed numbers allow, widened by a blank that was accepted before. */
function rangeOf(answer, accepted) {
  let low = fromJson(answer.low), high = fromJson(answer.high);
  if (low === null || high === null) return null;
  const { widened } = answer;
  const before = widened && accepted.find((each) => each.kind === widened.by);
  if (!before) return [low, high];
  const base = widened.base.map(fromJson);
  const typed = [before.number - before.half, before.number + before.half];
  const ends = widened.by === "contribution"
    ? [base[0] + typed[0], base[1] + typed[1]]
    : base.flatMap((one) => typed.map((other) => one * other));
  low = Math.min(low, ...ends);
  high = Math.max(high, ...ends);
  return [low, high];
}

/** Return the verdict on a choice. */
function judgeChoice(question, choice) {
  const slip = (question.slips ?? [])[choice.slip ?? -1];
  const says = choice.says ?? [];
  if (choice.right) return { right: true, verdict: choice.verdict ?? "right", says };
  return {
    right: false,
    verdict: choice.verdict ?? "wrong",
    slip: choice.slip_name || slip?.name,
    full: slip?.full,
    first: says.length ? says : slip?.first ?? question.wrong,
    again: choice.again?.length ? choice.again : slip?.again ?? (says.length ? says : question.wrong_again),
  };
}

/* ---- states ---- */

/** Return a state after a change. */
function changed(state, change) {
  if (!change) return state;
  const next = { ...state, ...change.set };
  for (const key of change.gone ?? []) delete next[key];
  return next;
}

/** For each step its states: the first, and one after each of its questions. */
const STATES = (() => {
  let state = {};
  return page.steps.map((step) => {
    state = changed(state, step.shown);
    const found = [state];
    for (const question of step.questions ?? []) {
      state = changed(state, question.reveals);
      found.push(state);
    }
    return found;
  });
})();

/** For each step and key the longest text that it has: sizes do not change within a step. */
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

const KEEP_KEY = `backwire ${page.record.page} ${page.title}`;
const SECOND = 1000;
const LAST_TRY = 3;

/** Return a session in which nothing is done yet. */
function newSession() {
  return {
    at: 0,
    name: "", // the reader's, for the record
    steps: page.steps.map((step) => ({
      place: 0, // the question that is open
      moves: 0, // how many moves of Show me were shown
      slider: step.slider?.at ?? 0,
      state: "", // "done" or "shown"
      presses: 0,
      given: (step.questions ?? []).map(() => ({
        draft: "",
        tries: [],
        hints: 0,
        rungs: 0,
        shown: false,
        done: false,
        right: false,
        seconds: 0,
        says: null, // the verdict: { kind, lines, typed }
      })),
    })),
  };
}

let session = newSession();
let keeps = false; // whether the session is kept on this phone
let cameUp = Date.now(); // when the open question came up
let peeked = null; // the node that was tapped on the map, if no step of it can be shown

/** Return what the browser keeps for this page, or null if it keeps nothing. */
function storage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

function load() {
  try {
    const kept = JSON.parse(storage()?.getItem(KEEP_KEY) ?? "null");
    const fits = kept?.steps?.length === page.steps.length;
    if (!fits || !kept.steps.every((work, k) => work.given.length === asked(k).length)) return;
    session = kept;
    keeps = true;
  } catch {
    // what is kept was written by another page, or by hand: begin anew
  }
}

function save() {
  try {
    if (keeps) storage()?.setItem(KEEP_KEY, JSON.stringify(session));
    else if (storage()?.getItem(KEEP_KEY)) storage().removeItem(KEEP_KEY);
  } catch {
    keeps = false; // the store is full or refused
  }
}

const isAtEnd = () => session.at >= page.steps.length;
const step = () => page.steps[session.at];
const work = () => session.steps[session.at];
const asked = (index) => page.steps[index].questions ?? [];
/** The question of a step that is open or was answered last; null if it has none. */
const openQuestion = () => (isAtEnd() ? null : asked(session.at)[work().place] ?? null);
const given = () => work().given[work().place];
const movesLeft = () => (step().moves ?? []).length - work().moves;

/** Return whether a step is behind the reader: nothing is open in it. */
function isDone(index) {
  const found = page.steps[index], done = session.steps[index];
  if (page.cover) return true;
  if (done.given.some((each) => !each.done)) return false;
  if (found.slider) return done.state !== "" || found.slider.positions.every((p) => !p.done);
  return found.kind === "hunt" || done.moves >= (found.moves ?? []).length;
}

/** Return the first step with something open, beyond which nobody jumps. */
function furthest() {
  const open = page.steps.findIndex((_, index) => !isDone(index));
  return open < 0 ? page.steps.length : open;
}

/** Return the numbers that the figure shows now. */
function stateNow() {
  const found = step(), done = work(), states = STATES[session.at];
  const answered = done.given.filter((each) => each.done).length;
  let state = states[answered];
  if (found.slider) state = changed(states[0], found.slider.positions[done.slider].shown);
  else for (const move of (found.moves ?? []).slice(0, done.moves)) state = changed(state, move.shown);
  return state;
}

/** Return what is drawn large, or null: `isShown` if it is only shown, and nothing happens there.

    A node that was tapped on the map goes first; then, with a slider, the one to be watched; then
    what the move or the step is about. Before its first move, and where a step only tells, this is
    what its text points at. */
function focusNow(drawing) {
  if (drawing.node(peeked)) return { receiver: peeked, isShown: true };
  const watched = step().slider && (step().watched ?? []).find((key) => !key.includes("."));
  if (watched) return { receiver: Number(watched) };
  const move = (step().moves ?? [])[work().moves - 1];
  if (move) return move.focus ?? step().focus ?? litFocus(drawing);
  const tells = step().kind === "say" || step().kind === "do";
  return (tells ? litFocus(drawing) : null) ?? step().focus ?? litFocus(drawing);
}

/** Stop the clock of the open question. */
function addSeconds() {
  const now = Date.now();
  if (openQuestion() && !given().done) given().seconds += (now - cameUp) / SECOND;
  cameUp = now;
}

/** Show a verdict; `kind` is right, wrong, worked, hint or note. */
function say(kind, lines, typed = "") {
  given().says = { kind, lines: lines.filter((line) => line?.length), typed };
}

/** Answer the open question with a typed text, or with a choice. */
function submit(text, choice = null) {
  const question = openQuestion(), done = given();
  if (!question || done.done) return;
  const quoted = shortened(text.trim().replaceAll("-", MINUS), QUOTED);
  let judged;
  if (choice) judged = judgeChoice(question, choice);
  else {
    const number = parse(text);
    if (number === null) {
      const words = text.trim() ? page.words.unread.replace("{text}", () => quoted) : page.words.empty;
      say("note", [[words]]);
      return render("field");
    }
    judged = judge(question, number, acceptedBefore());
  }
  addSeconds();
  work().presses += 1;
  done.tries.push({ text: text.trim(), verdict: judged.verdict, answer: work().presses });
  if (judged.slip) done.tries.at(-1).slip = { name: judged.slip, full: judged.full ?? "" };
  const shown = choice ? choice.label : quoted;
  if (judged.right) acceptAs(question, done, judged, shown);
  else {
    done.draft = "";
    if (done.tries.length >= LAST_TRY) showAnswer();
    else if (done.tries.length > 1) say("wrong", [judged.again, question.second], shown);
    else say("wrong", [judged.first], shown);
  }
  save();
  return render("verdict");
}

function acceptAs(question, done, judged, shown) {
  const count = done.tries.length, praise = question.praise ?? [];
  const later = [null, page.words.second, page.words.third][count - 1];
  const isRounded = typeof judged.says === "string" && judged.says !== "";
  const own = isRounded ? [later ? `${later} ${judged.says}` : judged.says] : null;
  done.done = done.right = true;
  say("right", [own ?? praise[Math.min(count, praise.length) - 1] ?? judged.says ?? []], shown);
  finishStep("done");
}

function finishStep(state) {
  if (work().given.every((each) => each.done)) work().state ||= state;
}

/** Return the typed answers that were accepted in earlier blanks of the same sentence. */
function acceptedBefore() {
  const here = openQuestion().record;
  const found = [];
  work().given.slice(0, work().place).forEach((done, k) => {
    const { record } = asked(session.at)[k];
    const same = record.node === here.node && record.slot === here.slot && record.step === here.step;
    const text = done.tries.at(-1)?.text;
    if (!same || !done.right || text === undefined) return;
    found.push({ kind: record.kind, number: parse(text), half: halfUnit(text) });
  });
  return found;
}

/** Show the answer of the open question, and the blanks that follow in its sentence. */
function showAnswer() {
  const question = openQuestion(), place = work().place;
  say("worked", [question.worked]);
  for (const done of work().given.slice(place, place + 1 + (question.rest ?? 0))) {
    done.done = done.shown = true;
  }
  finishStep("shown");
}

/** Climb a rung: the hint of the step, the rule, the ripple in words, the worked line. */
function hint() {
  const question = openQuestion(), done = given();
  if (!question || done.done) return;
  const own = step().hint ?? [];
  done.hints += 1;
  if (own.length && done.hints === 1) say("hint", [own]);
  else {
    done.rungs = Math.max(done.rungs, done.tries.length) + 1;
    const line = [question.rule, question.second][done.rungs - 1];
    if (line?.length) say("hint", [line]);
    else showAnswer();
  }
  save();
  render("verdict");
}

/** Show what is open in this step: the answer, the position of a slider, or the next move. */
function showMe() {
  if (isAtEnd()) return;
  addSeconds();
  const slider = step().slider;
  if (openQuestion() && !given().done && (step().kind !== "hunt" || movesLeft() === 0)) showAnswer();
  else if (slider) {
    const best = slider.positions.findIndex((position) => position.done);
    if (best >= 0) work().slider = best;
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
  if (movesLeft() > 0 && !(question && given().done)) {
    work().moves += 1;
    if (movesLeft() === 0 && !question) work().state ||= "done";
  } else if (question && !given().done && !page.cover) {
    return remind();
  } else if (question && work().place + 1 < asked(session.at).length && !page.cover) {
    work().place = firstOpen();
    if (given().done) return go(session.at + 1);
  } else if (!isDone(session.at)) {
    return remind();
  } else {
    return go(session.at + 1);
  }
  cameUp = Date.now();
  save();
  return render("step");
}

/** Return the place of the first open blank after the present one, or the present one. */
function firstOpen() {
  const open = work().given.findIndex((each, k) => k > work().place && !each.done);
  return open < 0 ? work().place : open;
}

function back() {
  if (isAtEnd() || !openQuestion() || work().place === 0) return go(session.at - 1);
  work().place -= 1;
  return render("step");
}

/** Go to a step, at most to the first one with something open. */
function go(index) {
  if (index < 0 || index > page.steps.length || index === session.at) return;
  addSeconds();
  if (!isAtEnd() && isDone(session.at)) work().state ||= "done";
  session.at = Math.min(index, furthest());
  save();
  render("step");
}

/** Say that something is open here, where nothing else is said. */
function remind() {
  const question = openQuestion();
  if (!question) {
    const told = parts.ask.querySelector(".done");
    if (told) told.textContent = "Move it until the task is done, or press Show me.";
    return;
  }
  if (!given().says) {
    say("note", [[question.choices?.length ? "Choose an answer, or press Show me." : "Type an answer, or press Show me."]]);
    render("");
  }
}

/* ---- figure ---- */

const HEADER = 28, PADDING = 4, CELL = 38, ROW = 26, LEDGER = 30, PILL = 24;
const EDGE = 12; // least distance of anything in a figure from its border
const CAPSULE = { width: 10, height: 44 };
const LEAST_TEXT = 10; // px on the screen; a smaller text is left out
const FONT = "system-ui, sans-serif";
const SIZES = { name: 16, number: 16, caption: 11.5, chip: 13, label: 15, tag: 14, sign: 14 };
const WEIGHTS = { name: 700, number: 700, caption: 400, chip: 600, label: 600, tag: 400, sign: 600 };
const MARKS = ["circle", "square", "triangle", "diamond"];
const UNKNOWN = "–";

const pen = document.createElement("canvas").getContext("2d");

/** Return the width of a text in px. */
function widthOf(text, role) {
  pen.font = `${WEIGHTS[role]} ${SIZES[role]}px ${FONT}`;
  return pen.measureText(text).width;
}

/** Return a text cut to a width, with an ellipsis. */
function fitted(text, role, width) {
  if (widthOf(text, role) <= width) return text;
  const signs = [...text];
  while (signs.length > 1 && widthOf(`${signs.join("")}…`, role) > width) signs.pop();
  return `${signs.join("")}…`;
}

function label(text, role, x, y, classes = "", anchor = "start") {
  return shape("text", { x, y, class: `t-${role} ${classes}`, "text-anchor": anchor, dy: "0.35em" }, text);
}

const wireKey = (node, slot) => `${node}.${slot}`;

/** Return the class of a number: violet where it is asked for, else its own. */
function tone(text, own) {
  return text.asked ? "asked" : own;
}

/** A graph as its figures need it. */
class Drawing {
  constructor(graph) {
    this.graph = graph;
    this.longest = {}; // the longest texts of the step that is shown
    this.nodes = new Map(graph.nodes.map((node) => [node.id, node]));
    this.readers = new Map(graph.nodes.map((node) => [node.id, []]));
    for (const node of graph.nodes) {
      (node.inputs ?? []).forEach((source, slot) => this.readers.get(source)?.push([node.id, slot]));
    }
  }

  node(id) {
    return this.nodes.get(id) ?? null;
  }

  /** Return the hue and mark of a wire among those of its source, or -1 for a single one. */
  sibling(source, key) {
    const wires = this.readers.get(source) ?? [];
    const place = wires.findIndex(([node, slot]) => wireKey(node, slot) === key);
    return wires.length > 1 ? place % MARKS.length : -1;
  }

  arrivals(id) {
    const found = (this.graph.arrivals ?? {})[id] ?? [];
    return found.length > 1 ? found : [];
  }
}

const DRAWINGS = page.graphs.map((graph) => new Drawing(graph));

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

/** What is drawn of a number: its text, and whether it is asked for. */
function numberAt(view, key) {
  if (view.typed[key] !== undefined) return { text: view.typed[key], asked: true };
  const text = view.state[key];
  return { text: text ?? UNKNOWN, asked: text === PLACEHOLDER, known: text !== undefined };
}

/** Return the box of a node in the focus: sizes that hold each of its numbers on this page. */
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
  return { width, height: bodyHeight(node) + (chips.length ? LEDGER : 0), left, kind, name: mostName };
}

/** Draw a node with its upper left corner at x, y. `view` has state, typed, small and lit. */
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

function outlinePath(kind, width, height) {
  const round = 16, corner = 8, cut = 10;
  if (kind === "constant") {
    return `M${cut} 0H${width - cut}L${width} ${cut}V${height - cut}L${width - cut} ${height}H${cut}L0 ${height - cut}V${cut}Z`;
  }
  const left = kind === "leaf" ? round : corner, right = kind === "root" ? round : corner;
  return `M${left} 0H${width - right}A${right} ${right} 0 0 1 ${width} ${right}V${height - right}A${right} ${right} 0 0 1 ${width - right} ${height}H${left}A${left} ${left} 0 0 1 0 ${height - left}V${left}A${left} ${left} 0 0 1 ${left} 0Z`;
}

function headerPath(kind, width) {
  const round = 16, corner = 8, cut = 10;
  if (kind === "constant") return `M${cut} 0H${width - cut}L${width} ${cut}V${HEADER}H0V${cut}Z`;
  const left = kind === "leaf" ? round : corner, right = kind === "root" ? round : corner;
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
  if (node.kind !== "root") g.append(label(fitted(nodeText(node), "name", Math.max(12, end - x)), "name", x, HEADER / 2));
}

function drawRows(g, node, { width }, view) {
  ["data", "grad"].slice(0, rowCount(node)).forEach((caption, row) => {
    const y = HEADER + PADDING + ROW * (row + 0.5);
    const found = numberAt(view, `${caption === "data" ? "v" : "g"}${node.id}`);
    if (!view.small) g.append(label(caption, "caption", 11, y, "muted"));
    g.append(label(found.text, "number", width - 14, y, tone(found, valueTone(caption, found)), "end"));
  });
}

const valueTone = (caption, found) => (found.known ? (caption === "data" ? "value" : "gradient") : "muted");

function drawColumns(g, node, { width, left }, view) {
  if (left) {
    g.append(shape("path", { d: `M${left} ${HEADER + 8}V${HEADER + 2 * PADDING + 2 * CELL - 8}`, class: "divider" }));
  }
  (node.inputs ?? []).forEach((source, slot) => {
    const top = HEADER + PADDING + CELL * slot;
    if (node.kind === "op") {
      const found = numberAt(view, `l${wireKey(node.id, slot)}`);
      const caption = fitted((node.captions ?? [])[slot] ?? "", "caption", left - 16);
      if (!view.small) g.append(label(caption, "caption", 12, top + CELL * 0.27, "local-caption"));
      g.append(label(found.text, "number", 12, top + CELL * (view.small ? 0.5 : 0.71), tone(found, found.known ? "local" : "muted")));
    }
    const empty = source === null ? "slot empty" : "slot";
    g.append(shape("circle", { cx: 0, cy: slotY(node, slot), r: 5, class: empty }));
  });
  ["data", "grad"].forEach((caption, row) => {
    const top = HEADER + PADDING + CELL * row;
    const found = numberAt(view, `${caption === "data" ? "v" : "g"}${node.id}`);
    if (!view.small) g.append(label(caption, "caption", width - 14, top + CELL * 0.27, "muted", "end"));
    g.append(label(found.text, "number", width - 14, top + CELL * (view.small ? 0.5 : 0.71), tone(found, valueTone(caption, found)), "end"));
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

/** Draw what comes back to a node by each wire, and the sum. */
function drawLedger(g, drawing, node, { width, height }, view) {
  const { focus } = view;
  const arrivals = drawing.arrivals(node.id);
  if (!arrivals.length) return;
  const y = height - LEDGER / 2;
  g.append(shape("path", { d: `M0 ${height - LEDGER}H${width}`, class: "divider" }));
  // while it is asked what the node holds now, its sum is asked for, not what it held before
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
    const place = drawing.sibling(node.id, key);
    const state = found.asked ? "asked" : found.known ? "landed" : "waits";
    const chip = shape("g", { class: `chip ${state} hue${place}` });
    chip.append(shape("rect", { x, y: y - 10, width: wide, height: 20, rx: 10 }));
    chip.append(shape("use", { href: `#${MARKS[place]}`, x: x + 6, y: y - 4, width: 8, height: 8, class: "mark" }));
    chip.append(label(text, "chip", x + wide - 8, y, "", "end"));
    g.append(chip);
    x += wide + (isTight ? 2 : 4);
  }
  g.append(label(`= ${sum.text}`, "chip", width - 12, y, tone(sum, "gradient"), "end"));
}

/** Return the two lines of a wire's label: the factors, and what goes down the wire. */
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

/** Draw the arrow of a wire, at the node that gets the contribution. */
function drawArrow(x, y, asks) {
  const g = shape("g", { class: asks ? "arrow asked" : "arrow" });
  g.append(shape("circle", { cx: x, cy: y, r: 7 }));
  g.append(shape("path", { d: `M${x + 2.5} ${y - 4}L${x - 4} ${y}L${x + 2.5} ${y + 4}Z` }));
  return g;
}

/** Draw the end of a wire that leaves the focus: a pill with the name of the other node. */
function drawTag(text, x, y, most) {
  const shown = fitted(text, "tag", Math.max(20, most - 20));
  const width = widthOf(shown, "tag") + 20;
  const g = shape("g", { class: "tag" });
  g.append(shape("rect", { x, y: y - 12, width, height: 24, rx: 12 }));
  g.append(label(shown, "tag", x + 10, y));
  return { g, width };
}

/** Return how high the focus of a graph must be, so that it is equally high at each step. */
function focusHeight(drawing) {
  const tallest = Math.max(0, ...drawing.graph.nodes.map((n) => boxOf(drawing, n).height));
  return Math.max(178, tallest + 22 + 34);
}

/** Draw the focus into a box of this width: the receiver, the wire, the firing node. */
function drawFocus(drawing, focus, view, width, height) {
  const receiver = drawing.node(focus.receiver);
  const sender = focus.sender === null || focus.sender === undefined ? null : drawing.node(focus.sender);
  if (!receiver) return null;
  if (!sender) return drawAlone(drawing, receiver, view, width, height);
  return drawPair(drawing, focus, receiver, sender, view, width, height);
}

/** Return the size in which a focus is drawn: that of its box, but not too wide between the nodes. */
function innerSize(least, width, height, need) {
  const roomy = layout() === "wide";
  const inner = { width: Math.max(least, roomy ? Math.min(width, 480) : width), height: need };
  inner.most = roomy ? LARGEST_SCALE : 1;
  if (!roomy && height > need && inner.width <= width) inner.height = height;
  inner.top = (inner.height - need) / 2;
  return inner;
}

/** Draw a figure in the middle of its box, scaled down if it has to be. */
function figure(g, inner, width, height) {
  const scale = Math.min(inner.most, width / inner.width, height / inner.height);
  const dx = (width - inner.width * scale) / 2;
  const dy = (height - inner.height * scale) / 2;
  return shape("g", { transform: `translate(${Math.max(0, dx)} ${Math.max(0, dy)}) scale(${scale})` }, g);
}

/** Draw receiver, wire and firing node, in the widest way that fits. */
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
  view.small = SIZES.caption * Math.min(inner.most, width / inner.width, height / inner.height) < LEAST_TEXT;
  const rightX = inner.width - EDGE - right.width;
  const g = shape("g");
  const slot = Number(focus.wire.split(".")[1] ?? 0);
  const from = { x: EDGE + left.width + 5, y: top + capsuleY(receiver) };
  const to = { x: rightX - 5, y: top + slotY(sender, slot) };
  const tagY = inner.height - inner.top - 20;
  drawSides(g, drawing, focus, { receiver, sender, from, rightX, top, tagY, bottom: inner.height });
  const place = drawing.sibling(receiver.id, focus.wire);
  const middle = (from.x + to.x) / 2;
  const kind = wireClass(view, focus, ...focus.wire.split(".").map(Number));
  const isLit = view.lit.has(focus.wire);
  const start = from.x + 10;
  g.append(shape("path", { d: `M${start} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`, class: `wire ${kind} ${isLit ? "ringed" : ""}` }));
  g.append(drawNode(drawing, receiver, left, EDGE, top, view));
  g.append(drawNode(drawing, sender, right, rightX, top, view));
  if (lines.asked || kind === "fires") g.append(drawArrow(start, from.y, lines.asked));
  const seat = isAbove ? { x: middle, y: top - 21 } : { x: (from.x + 14 + to.x) / 2, y: to.y };
  const wide = labelSize(lines).width / 2;
  seat.x = Math.min(Math.max(seat.x, wide + 2), inner.width - wide - 2);
  if (isAbove && lines.sent + lines.factors) g.append(shape("path", { d: `M${middle} ${top - 6}V${(from.y + to.y) / 2}`, class: "stem" }));
  g.append(drawLabel(lines, seat.x, seat.y, place));
  drawBadge(g, view, sender, rightX + right.width - 5, top - 3);
  return figure(g, inner, width, height);
}

/** Return the longest label that a wire gets on this page, so that nothing moves when it comes. */
function longestLines(drawing, key, lines) {
  const [upstream, local, sent] = ["u", "l", "c"].map((letter) => drawing.longest[letter + key] ?? "");
  return { factors: upstream && local ? `${upstream} × ${local}` : "", sent: sent || lines.sent, asked: true };
}

/** Draw the wires that leave the focus, each down to a tag. */
function drawSides(g, drawing, focus, { receiver, sender, from, rightX, top, tagY: y, bottom }) {
  const others = drawing.readers.get(receiver.id).filter(([n, s]) => wireKey(n, s) !== focus.wire);
  const down = from.x + 8;
  const texts = [...new Set(others.map(([node]) => nodeText(drawing.node(node))))];
  let end = EDGE;
  if (texts.length) {
    const text = texts.length > 2 ? `to ${texts[0]}, … ${texts.length}` : `to ${texts.join(", ")}`;
    const place = drawing.sibling(receiver.id, wireKey(...others[0]));
    g.append(shape("path", { d: `M${from.x} ${from.y + 10}H${down}V${bottom}`, class: `wire side hue${place}` }));
    const tag = drawTag(text, 0, 0, 130);
    end = Math.max(EDGE, down - 10 - tag.width);
    tag.g.setAttribute("transform", `translate(${end} ${y})`);
    g.append(tag.g);
    end += tag.width;
  }
  const slot = Number(focus.wire.split(".")[1] ?? 0);
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

/** Draw the place of the firing node in the order: how many have fired, with it. */
function drawBadge(g, view, sender, x, y) {
  const fired = new Set(Object.keys(view.state).filter((key) => key[0] === "c").map((key) => key.slice(1).split(".")[0]));
  if (!fired.has(String(sender.id))) return;
  g.append(shape("circle", { cx: x, cy: y, r: 11, class: "badge" }));
  g.append(label(String(fired.size), "chip", x, y, "on-fill", "middle"));
}

/** Draw a node alone, its inputs and readers as tags. */
function drawAlone(drawing, node, view, width, height) {
  const box = boxOf(drawing, node);
  const inner = innerSize(box.width + 2 * EDGE, width, height, focusHeight(drawing));
  const top = inner.top + 24;
  const inputs = (node.inputs ?? []).map((source, slot) => [source, slot]).filter(([source]) => drawing.node(source));
  const side = (inner.width - box.width) / 2 - EDGE - 10;
  const x = inputs.length && side < 60 ? inner.width - EDGE - box.width : (inner.width - box.width) / 2;
  view.small = SIZES.caption * Math.min(inner.most, width / inner.width, height / inner.height) < LEAST_TEXT;
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
  return figure(g, inner, width, height);
}

/** Return the class of a wire between any two nodes: asked, brought something, carries a value. */
function wireClass(view, focus, node, slot) {
  const key = wireKey(node, slot);
  const sent = numberAt(view, `c${key}`);
  if (sent.asked || (focus?.wire === key && numberAt(view, `l${key}`).asked)) return "asked";
  if (sent.known) return focus?.wire === key ? "fires" : "done";
  const isComputed = focus?.receiver === node && !focus.wire;
  return !isAtEnd() && step().kind === "forward" && isComputed ? "forward" : "idle";
}

/** Move nodes of a map apart that would stand on each other: those of a column get equal gaps. */
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

/** Return for each node its column: a node whose left edge is beyond the middle of one starts one. */
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

/** Return how many nodes stand above each other where they are most. */
function mostAbove(nodes) {
  const counts = nodes.map((one) =>
    nodes.filter((other) => other.x < one.x + one.width && one.x < other.x + other.width).length);
  return Math.max(1, ...counts);
}

/** Return the function that maps the range of some values to another one. */
function scaled(values, from, to) {
  const low = Math.min(...values), high = Math.max(...values);
  return (value) => (high > low ? from + ((value - low) / (high - low)) * (to - from) : (from + to) / 2);
}

const MAP_LINE = 16; // px between the numbers of a node on a map
const mapNodes = (drawing) => drawing.graph.nodes.filter((node) => node.seated === null || node.seated === undefined);
const mapName = (node) => (node.kind === "op" ? `${node.symbol} ${shortened(nodeText(node), 6)}` : shortened(nodeText(node), 8));
const hasGradients = (drawing, state) => [state, drawing.longest].some((texts) => Object.keys(texts).some((key) => key[0] === "g"));

/** Return the box of a node on a map that has its numbers, in px before scaling. */
function numbersBox(drawing, state) {
  const wide = mapNodes(drawing).filter((node) => node.kind !== "root").map((node) => {
    const numbers = [`v${node.id}`, `g${node.id}`].flatMap((key) => [drawing.longest[key], state[key]]);
    return Math.max(widthOf(mapName(node), "chip"), ...numbers.map((text) => widthOf(text ?? "", "chip")));
  });
  return { width: Math.max(34, ...wide) + 12, height: MAP_LINE * (hasGradients(drawing, state) ? 3 : 2) + 6 };
}

/** Return the scale in which a map of this size has its numbers, or null if none can be read. */
function numbersScale(drawing, state, width, height) {
  const columns = columnsOf(mapNodes(drawing));
  const most = Math.max(...columns.map((one) => columns.filter((other) => other === one).length));
  const box = numbersBox(drawing, state);
  const across = (width - 2 * EDGE) / (Math.max(...columns) + 1) - 10;
  const scale = Math.min(1, across / box.width, ((height - 16) / most - 4) / box.height);
  return scale * SIZES.chip < LEAST_TEXT ? null : scale;
}

/** Draw the whole graph: with its numbers if there is room, else as silhouettes with signs. */
function drawMap(drawing, focus, view, width, height) {
  const nodes = mapNodes(drawing);
  const columns = columnsOf(nodes), count = Math.max(...columns) + 1;
  const hasRoom = focus === null || (!isAtEnd() && step().slider); // beside a focus it only shows the place
  const scale = hasRoom ? numbersScale(drawing, view.state, width, height) : null;
  const box = scale === null ? null : numbersBox(drawing, view.state);
  const boxWidth = box ? box.width * scale : Math.max(6, Math.min(38, (width - 2 * EDGE) / count - 6));
  const boxHeight = box ? box.height * scale : Math.max(6, Math.min(22, (height - 16) / mostAbove(nodes) - 4));
  const across = scaled(columns, EDGE + boxWidth / 2 + 2, width - EDGE - boxWidth / 2 - 2);
  const middles = nodes.map((node) => node.y + bodyHeight(node) / 2);
  const down = scaled(middles, 10 + boxHeight / 2, height - 10 - boxHeight / 2);
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
      else if (node.kind !== "op" && boxWidth > 24) one.append(label(fitted(text, "chip", boxWidth - 4), "chip", boxWidth / 2, boxHeight / 2, "", "middle"));
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
    g.append(label(fitted(found.text, "chip", 2 * middle - 4), "chip", middle, 3 + MAP_LINE * (row + 1.5), tone(found, valueTone(caption, found)), "middle"));
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
  view.small = SIZES.caption * scale < LEAST_TEXT;
  const g = shape("g", { class: "dense" }), labels = shape("g");
  for (const node of graph.nodes) {
    (node.inputs ?? []).forEach((source, slot) => {
      const other = drawing.node(source);
      if (!other || node.seated !== undefined) return;
      if (other.seated === node.id) {
        labels.append(drawPill(other, node.x, node.y + slotY(node, slot), view));
        return;
      }
      drawWholeWire(g, labels, drawing, other, node, slot, focus, view);
    });
  }
  for (const node of graph.nodes) {
    if (node.seated !== null && node.seated !== undefined) continue;
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
  const bend = Math.min(46, Math.max(20, (x1 - x0) / 2));
  const reach = x1 > x0 ? (x1 - x0) / 2 : 60;
  const d = x1 - x0 >= 40
    ? `M${x0} ${y0}C${x0 + bend} ${y0} ${x0 + bend * 0.6} ${y1} ${x0 + bend + 14} ${y1}H${x1}`
    : `M${x0} ${y0}C${x0 + reach} ${y0} ${x1 - reach} ${y1} ${x1} ${y1}`;
  const kind = wireClass(view, focus, node.id, slot), place = drawing.sibling(source.id, key);
  const lit = view.lit?.has(key) ? "ringed" : "";
  g.append(shape("path", { d, class: "halo" }));
  g.append(shape("path", { d, class: `wire ${kind} ${lit} ${place < 0 ? "" : `hue${place}`}` }));
  const lines = wireLines(view, key);
  const isFocus = focus?.wire === key;
  if (!isFocus && !lines.asked) lines.factors = "";
  const { width, rows } = labelSize(lines);
  if (rows.length) labels.append(drawLabel(lines, x1 - 6 - width / 2, y1, place, isFocus));
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

const MOST_SEGMENTS = 24; // of the bar; more steps are one long segment
const KEYS = [
  ["7", "8", "9", MINUS, "back"],
  ["4", "5", "6", "×", "÷"],
  ["1", "2", "3", ".", "^"],
  ["0", "∞", "( )", "+", "hint"],
];
const KEY_NAMES = { [MINUS]: "minus", "×": "times", "÷": "divided by", ".": "point", "^": "to the power of", "∞": "infinity", "( )": "bracket", "+": "plus", back: "Delete", hint: "Hint" };

/** The parts of the page that stay; what is in them is made anew by each `render`. */
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
let mapPlaces = new Map(); // where each node stands on the map, in px

function build() {
  document.getElementById("words").hidden = true;
  root.append(
    symbols(),
    make("header", { class: "top" }, parts.title, parts.count, parts.bar),
    parts.map,
    make("div", { class: "figure" }, parts.focus),
    make("section", { class: "question", "aria-label": "Step" }, parts.step, parts.ask, parts.foot),
    make("nav", { class: "buttons", "aria-label": "Steps" }, parts.back, parts.show, parts.next),
  );
  root.classList.add("ready");
}

/** Show the session. `target` gets the focus: verdict, field, step, or "" for none. */
function render(target = "") {
  const hadField = field !== null && document.activeElement === field;
  peeked = null;
  renderTop();
  field = null;
  if (isAtEnd()) renderEnd();
  else renderStep();
  renderButtons();
  renderFoot();
  root.classList.toggle("types", field !== null && !given().done);
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
  root.dataset.step = String(at);
}

function renderButtons() {
  const question = openQuestion();
  const open = question && !given().done;
  const canShow = !isAtEnd() && !page.cover && (open || movesLeft() > 0 || (step().slider && work().state === ""));
  const mayGo = !isAtEnd() && (page.cover || (movesLeft() > 0 && !(question && given().done)) || (question ? !open : isDone(session.at)));
  setEnabled(parts.back, session.at > 0 || (question && work().place > 0));
  setEnabled(parts.show, Boolean(canShow));
  setEnabled(parts.next, Boolean(mayGo));
  const move = isAtEnd() ? null : (step().moves ?? [])[work().moves];
  parts.next.textContent = move ? "Step" : "Next";
}

/** A disabled button keeps the focus, so that a keyboard does not lose its place. */
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
  if (move && !(question && given().done)) children.push(make("p", { class: "sentence" }, ...spans(move.says)));
  if (question) children.push(...sentenceOf(question));
  else if (!move && found.says?.length && page.kind === "graph") {
    children.push(make("p", { class: "sentence" }, ...spans(found.says)));
  }
  parts.step.replaceChildren(...children);
  parts.ask.replaceChildren(...askParts(found, question));
}

function sentenceOf(question) {
  const done = given();
  const text = !done.done ? question.sentence : done.shown ? question.worked_sentence ?? question.answered : question.answered;
  const typed = done.tries.at(-1)?.text ?? "";
  const found = [];
  if (text?.length) found.push(make("p", { class: "sentence" }, ...spans(text, typed)));
  if (!done.done && question.prompt?.length && !step().text?.length) found.push(make("p", { class: "prompt" }, ...spans(question.prompt)));
  return found;
}

function askParts(found, question) {
  if (found.slider) return [sliderOf(found.slider)];
  if (!question) return [];
  if (page.cover) return coverParts(question);
  if (question.choices?.length) return [choicesOf(question), verdictRoom(question)];
  const keys = given().done || !hasKeys() ? [] : [keysOf()];
  return [fieldRow(question), verdictRoom(question), ...keys];
}

/** Return the button that shows a covered number; nothing is typed or counted there. */
function coverParts(question) {
  const done = given();
  if (done.done) return [make("div", { class: "room" }, done.says ? verdictBox(done.says) : "")];
  return [make("button", { type: "button", class: "plain wide", click: uncover }, `Show ${question.title || "the number"}`)];
}

function uncover() {
  if (!openQuestion() || given().done) return;
  given().done = true;
  say("right", [openQuestion().worked]);
  save();
  if (work().place + 1 < asked(session.at).length) work().place += 1;
  render("");
}

function choicesOf(question) {
  const done = given();
  const longest = Math.max(...question.choices.map((choice) => choice.label.length));
  const form = longest <= 4 ? "numbers short" : longest <= 9 ? "numbers" : "words";
  const buttons = question.choices.map((choice) => {
    const tried = done.tries.some((each) => each.text === choice.text);
    const isRight = done.done && choice.right && (done.shown || tried);
    const isWrong = tried && !choice.right;
    const state = isRight ? "right" : isWrong ? "wrong" : "";
    const sign = isRight ? " ✓" : isWrong ? " ✗" : "";
    const spoken = isRight ? `${choice.label}, right` : isWrong ? `${choice.label}, wrong` : null;
    const inner = isWrong ? make("s", {}, choice.label) : make("span", {}, choice.label);
    return make("button", {
      type: "button", class: `choice ${state}`, "aria-label": spoken,
      disabled: done.done || isWrong, click: () => submit(choice.text, choice),
    }, inner, sign ? make("span", { class: "sign", "aria-hidden": true }, sign) : null);
  });
  const answered = done.tries.length > 0 ? "answered" : "";
  return make("div", { class: `choices ${form} ${answered}`, role: "group", "aria-label": question.title || "Choices" }, ...buttons);
}

function fieldRow(question) {
  const done = given();
  const showsKeys = hasKeys();
  field = make("input", {
    type: "text", class: "field", inputmode: showsKeys ? "none" : "text", autocomplete: "off", autocapitalize: "off",
    spellcheck: "false", maxlength: LONGEST_ANSWER, "aria-label": question.title || "Your answer", enterkeyhint: "done",
    readonly: done.done, "aria-invalid": done.says?.kind === "note" ? "true" : null, input: onTyped,
    click: bringUpKeys, // as those of a phone would come
  });
  const last = done.shown ? null : done.tries.at(-1)?.text; // a wrong answer does not stand as the shown one
  field.value = done.done ? last ?? question.answer?.label ?? "" : done.draft;
  const reads = make("output", { class: "reads" });
  const sign = done.done ? make("span", { class: "sign", "aria-hidden": true }, done.right ? "✓" : "") : null;
  const button = make("button", { type: "button", class: "main", click: () => submit(field.value), disabled: done.done }, "Answer");
  const row = make("div", { class: `field-row ${done.done && done.right ? "right" : ""}` }, make("div", { class: "box" }, field, reads, sign), button);
  queueMicrotask(() => showReading());
  return row;
}

/** Return what the reader holds, in a word. */
function device() {
  return window.matchMedia("(pointer: fine)").matches ? "computer" : "phone";
}

/** The own keys stand on phones; where there is a real keyboard, they would be in the way. */
function hasKeys() {
  return !(window.matchMedia("(pointer: fine)").matches && layout() === "wide");
}

function keysOf() {
  const buttons = KEYS.flat().map((key) => {
    const isDigit = /^\d$/.test(key);
    const text = key === "back" ? "⌫" : key === "hint" ? "Hint" : key;
    const kind = key === "hint" ? "hint" : isDigit ? "digit" : "sign";
    return make("button", { type: "button", class: `key ${kind}`, "aria-label": KEY_NAMES[key] ?? null, "data-key": key, mousedown: (event) => event.preventDefault(), click: () => press(key) }, text);
  });
  return make("div", { class: "keys", role: "group", "aria-label": "Number keys" }, ...buttons);
}

/** Put a sign into the field, at its caret. */
function press(key) {
  if (key === "hint") return hint();
  if (!field || given().done) return undefined;
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

/** The field has changed: what is typed stands on the wire at once. */
function onTyped() {
  given().draft = field.value;
  if (given().says?.kind === "note") {
    given().says = null;
    parts.ask.querySelector(".room").replaceWith(verdictRoom(openQuestion()));
    field.removeAttribute("aria-invalid");
  }
  save();
  showReading();
  drawFigure();
}

/** Show what an expression comes to, beside it. */
function showReading() {
  const reads = field?.parentElement?.querySelector(".reads");
  if (!reads || given().done) return;
  const number = parse(field.value);
  const isPlain = /^[+-]?[\d.]*$/.test(ascii(field.value)) || /^[+-]?inf$|^nan$/.test(ascii(field.value));
  reads.textContent = number === null || isPlain ? "" : `= ${numberText(number)}`;
}

/** Return the room under an answer: the verdict, or before it Hint. */
function verdictRoom(question) {
  const { says, done } = given();
  const isTyped = !question.choices?.length;
  const hintButton = done || (isTyped && hasKeys()) ? null
    : make("button", { type: "button", class: "plain hint", click: hint }, "Hint");
  const again = isTyped ? "Try again. Your first answer counts." : "Choose again. Your first answer counts.";
  const room = make("div", { class: `room ${isTyped ? "typed" : "chosen"}` });
  if (says) room.append(verdictBox(says));
  const note = !says ? `Nothing leaves this ${device()}` : says.kind === "wrong" ? again : "";
  if (hintButton || (note && !(isTyped && hasKeys()))) room.append(make("div", { class: "row" }, hintButton, make("span", { class: "note" }, note)));
  const after = done && !given().shown && isAllDone() ? step().says ?? [] : []; // else the sentence says it
  if (after.length) room.append(make("p", { class: "after" }, ...spans(after)));
  return room;
}

const isAllDone = () => work().given.every((each) => each.done);

const VERDICT_SIGNS = { right: "✓", wrong: "✗", worked: "", hint: "", note: "" };
const VERDICT_NAMES = { right: "Right: ", wrong: "Wrong: ", worked: "", hint: "Hint: ", note: "" };

function verdictBox({ kind, lines, typed: text }) {
  const sign = VERDICT_SIGNS[kind] ? make("span", { class: "sign", "aria-hidden": true }, VERDICT_SIGNS[kind]) : null;
  const spoken = VERDICT_NAMES[kind] ? make("span", { class: "spoken" }, VERDICT_NAMES[kind]) : null;
  const hasLead = kind === "right" || kind === "wrong" || kind === "note";
  const rows = lines.map((line, k) => make("p", {}, ...(k === 0 && hasLead ? spansWithLead(line, text) : spans(line, text))));
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
  const done = make("p", { class: "done", role: "status" }, work().state === "done" ? "✓ Done." : work().state === "shown" ? "This is one way." : "");
  const output = make("output", {}, position.label);
  return make("div", { class: "slider" }, make("label", {}, make("b", {}, slider.name), " = ", output), input, done);
}

/** Move the slider; its input stays, because it is being dragged. */
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
  if (session.at === 0 || isAtEnd()) {
    if (storage() !== null) {
      const box = make("input", { type: "checkbox", change: (event) => { keeps = event.target.checked; save(); } });
      box.checked = keeps;
      children.push(make("label", { class: "keep" }, box, `Remember on this ${device()}`));
    }
    const open = page.words?.open ?? page.words?.not_hidden;
    if (open) children.push(make("p", {}, open));
  }
  parts.foot.replaceChildren(...children);
}

/** Return the layout that the style sheet has chosen: portrait, landscape or wide. */
function layout() {
  return getComputedStyle(root).getPropertyValue("--layout").trim();
}

const MAP_HEIGHT = 92; // px, in portrait
const OVERVIEW_HEIGHTS = [150, 178, 224, 270]; // of a map that is the only figure
const SLIDER_HEIGHTS = [120, 150, 178]; // of a map above the node that is watched

/** Draw map and focus, or the whole graph where it fits. */
function drawFigure() {
  const at = Math.min(session.at, page.steps.length - 1);
  const found = page.steps[at], drawing = DRAWINGS[found.graph ?? 0];
  drawing.longest = LONGEST[at];
  const kind = layout();
  const state = isAtEnd() ? STATES[at].at(-1) : stateNow();
  let focus = isAtEnd() ? null : focusNow(drawing);
  if (kind !== "wide" && (needsWhole() || (found.slider && kind === "landscape" && peeked === null))) {
    if (numbersScale(drawing, state, parts.map.clientWidth || 300, overviewHeight(kind))) focus = null;
  }
  const view = isAtEnd() ? { state, typed: {}, glows: new Set(), lit: new Set() } : viewNow(focus);
  let whole = null;
  root.classList.toggle("whole", false);
  root.classList.toggle("no-focus", kind !== "wide" && focus === null);
  if (kind === "wide") {
    root.classList.toggle("whole", true);
    whole = drawWhole(drawing, focus, view, parts.focus.clientWidth, parts.focus.clientHeight);
    root.classList.toggle("whole", whole !== null);
    root.classList.toggle("no-focus", whole === null && focus === null);
  }
  root.style.setProperty("--focus", `${focusHeight(drawing)}px`);
  root.style.setProperty("--map", `${mapHeight(found, drawing, state, focus)}px`);
  const { clientWidth: across, clientHeight: high } = parts.map;
  const map = drawMap(drawing, focus, view, across || 300, high || MAP_HEIGHT);
  root.classList.toggle("stuck", focus === null && needsWhole());
  root.classList.toggle("numbers", whole !== null || (focus === null && map.hasNumbers));
  mapPlaces = whole ? new Map() : map.places;
  parts.map.replaceChildren(map.g);
  const { clientWidth: width, clientHeight: height } = parts.focus;
  const drawn = whole?.g ?? (focus ? drawFocus(drawing, focus, view, width, height) : null);
  parts.focus.replaceChildren(...(drawn ? [drawn] : []));
  for (const part of [parts.map, parts.focus]) part.classList.toggle("forward", found.kind === "forward");
  parts.focus.setAttribute("aria-label", spokenFigure(found));
}

/** Return the height that a map without focus has at most, in px. */
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
  // map and focus come with the first move: nothing below may move then
  if (!isAtEnd() && found.moves?.length) return MAP_HEIGHT + focusHeight(drawing);
  return fits(OVERVIEW_HEIGHTS) ?? 170;
}

/** Return the figure in words; while something is asked, what is asked. */
function spokenFigure(found) {
  if (isAtEnd()) return "The graph at the end.";
  if (found.given?.length) return plain(found.given);
  const question = openQuestion();
  const move = (found.moves ?? [])[work().moves - 1];
  const open = question && !given().done;
  const words = plain(open ? question.sentence : move?.says ?? found.says ?? []);
  return words || plain((found.text ?? [])[0] ?? []) || found.title;
}

/** Return the node or wire that the question or the text of a step points at, or null. */
function litFocus(drawing) {
  const record = openQuestion()?.record;
  if (record && record.kind !== "text" && drawing.node(record.node)) return { receiver: record.node, isShown: true };
  const wire = (step().lit ?? []).find((key) => key.includes("."));
  if (wire) {
    const [node, slot] = wire.split(".").map(Number);
    const receiver = drawing.node(node)?.inputs?.[slot];
    if (drawing.node(receiver)) return { receiver, sender: node, wire, isShown: true };
  }
  const node = (step().lit ?? []).find((key) => drawing.node(Number(key)));
  return node === undefined ? null : { receiver: Number(node), isShown: true };
}

const ASKED_BEFORE_PASS = new Set(["final", "sign"]);

/** Return whether an answer needs the numbers of the whole graph. */
function needsWhole() {
  return !isAtEnd() && peeked === null && ASKED_BEFORE_PASS.has(openQuestion()?.record.kind);
}

/** Return what the figure shows: numbers, what is being typed, what glows. */
function viewNow(focused) {
  const state = stateNow(), question = openQuestion();
  const focus = focused?.isShown ? null : focused;
  const shown = {};
  if (question && !given().done && !page.cover) {
    const { draft } = given();
    const key = question.key ?? "";
    if (draft.trim() && key) {
      const number = parse(draft);
      const text = number === null ? shortened(draft.trim().replaceAll("-", MINUS), QUOTED) : numberText(number);
      shown[key] = text;
    }
  }
  const glows = new Set(focus ? [focus.receiver, focus.sender].filter((id) => id !== null && id !== undefined) : []);
  const lit = new Set(focused === null && needsWhole() ? [String(question.record.node)] : step().lit ?? []);
  return { state, focus, typed: shown, glows, lit, small: false };
}

function moveFocus(target, hadField) {
  if (target === "start") return session.at > 0 ? bringUpQuestion() : undefined; // first comes the title
  if (target === "verdict") {
    const verdict = parts.ask.querySelector(".verdict");
    (verdict ?? parts.next).focus({ preventScroll: false });
    const room = parts.ask.querySelector(".room");
    if (field && !given().done) bringUpKeys();
    else if (room) bringUp(room, parts.step.lastElementChild);
  } else if (target === "field" || hadField) field?.focus();
  if (target !== "step") return undefined;
  window.scrollTo(0, 0);
  parts.ask.closest(".question").scrollTo(0, 0);
  if (field && !given().done && (hadField || !hasKeys() || document.activeElement !== document.body)) field.focus({ preventScroll: true });
  return bringUpQuestion();
}

/** Scroll so far that what is answered with is seen, but never what stands above it in the step. */
function bringUpQuestion() {
  if (isAtEnd()) return;
  if (parts.ask.childElementCount) bringUp(parts.ask, parts.step.querySelector("p") ?? parts.ask);
  else if (work().moves > 0) bringUp(parts.step, parts.step.lastElementChild); // what the move did
}

/** Scroll so far that all keys are seen together with the field, and more if there is room. */
function bringUpKeys() {
  bringUp(parts.ask, parts.ask);
}

/** Scroll so far that the end of a part is seen, and `first` still is. */
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
  // stop where nothing is cut through the middle: below title, map or heading
  const edges = [parts.map, parts.focus.parentElement].map((each) => each.getBoundingClientRect().top);
  const stops = scrolls === window ? [...edges, parts.step.getBoundingClientRect().top - 6 - ceiling] : [];
  scrolls.scrollBy(0, Math.min(most, stops.find((stop) => stop >= needed) ?? needed));
}

/** Return the height of the figure that stays at the upper edge. */
function stuckHeight() {
  const stuck = [parts.focus.parentElement, parts.map].filter((part) => getComputedStyle(part).position === "sticky");
  return Math.max(0, ...stuck.map((part) => part.getBoundingClientRect().height));
}

/* ---- input ---- */

const SWIPE = 56; // px
const SCREEN_EDGE = 18; // where the phone's own gestures begin

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
  const question = openQuestion(), open = question && !given().done;
  if (key === "PageDown" || (key === "ArrowRight" && arrows)) whenEnabled(parts.next, goOn);
  else if (key === "PageUp" || (key === "ArrowLeft" && arrows)) whenEnabled(parts.back, back);
  else if (key === "Enter" && inField) submit(field.value);
  else if (key === "Enter" && (target === document.body || target.classList?.contains("verdict"))) enter(open);
  else if (/^[1-4]$/.test(key) && open && question.choices?.length && !inInput) {
    parts.ask.querySelectorAll(".choice")[Number(key) - 1]?.click();
  } else if (key === "Tab" && !event.shiftKey && target.classList?.contains("verdict") && !open) parts.next.focus();
  else if (open && field && !inField && !inInput && /^[-\d.+*/^()×÷−∞]$/.test(key)) {
    field.focus();
    press(key === "-" ? MINUS : key);
  } else return;
  event.preventDefault();
}

function enter(open) {
  if (!open) whenEnabled(parts.next, goOn);
  else if (field) submit(field.value);
}

let touch = null; // where a finger came down

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

/** A tap on the map goes to a step of the node under it, or chooses it where nodes are asked for. */
function tapMap(event) {
  const box = parts.map.getBoundingClientRect();
  const x = event.clientX - box.left, y = event.clientY - box.top;
  let found = null, least = 30;
  for (const [id, [nx, ny]] of mapPlaces) {
    const away = Math.hypot(nx - x, ny - y);
    if (away < least) [found, least] = [id, away];
  }
  if (found !== null) tapNode(found);
}

function tapNode(id) {
  const question = openQuestion();
  const choice = question && !given().done ? question.choices?.find((each) => each.node === id) : null;
  if (choice) return submit(choice.text, choice);
  const graph = isAtEnd() ? page.steps.at(-1).graph ?? 0 : step().graph ?? 0, last = furthest();
  const indices = page.steps.map((_, k) => k).filter((k) => k <= last && (page.steps[k].graph ?? 0) === graph);
  const about = (k) => [page.steps[k].focus?.sender, page.steps[k].focus?.receiver].includes(id);
  const fires = (k) => page.steps[k].focus?.sender === id;
  const after = indices.filter((k) => k > session.at), before = indices.filter((k) => k < session.at);
  const goal = [...after, ...before].find(fires) ?? [...after, ...before].find(about);
  if (goal !== undefined) return go(goal);
  peeked = peeked === id || isAtEnd() ? null : id;
  return drawFigure();
}

/** While numbers are covered, a tap on the figure shows the next one. */
function tapFocus() {
  if (page.cover && !isAtEnd()) uncover();
}

/* ---- record ---- */

const LONGEST_NAME = 200;
const CODE_SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Return all questions with what was given to them. */
function answers() {
  return page.steps.flatMap((_, index) => asked(index).map((question, k) => ({ question, done: session.steps[index].given[k] })));
}

const isFirstTime = (done) => done.right && !done.shown && done.hints === 0 && done.tries.length === 1;
const wasTouched = (done) => done.tries.length > 0 || done.hints > 0 || done.shown;

/** Return a count in base 32; one that is too large for its places is the largest that fits. */
function digits(count, places) {
  let rest = Math.min(count, CODE_SIGNS.length ** places - 1), text = "";
  for (let k = 0; k < places; k += 1) {
    text = CODE_SIGNS[rest % CODE_SIGNS.length] + text;
    rest = Math.floor(rest / CODE_SIGNS.length);
  }
  return text;
}

/** Return the code of 12 characters; `RecordData` describes it. */
function code() {
  const all = answers().map(({ done }) => done).filter(wasTouched);
  const hinted = all.filter((done) => done.hints > 0).length, shown = all.filter((done) => done.shown).length;
  const body = page.record.page + digits(all.filter(isFirstTime).length, 2) + digits(all.length, 2) + digits(hinted, 1) + digits(shown, 1);
  const sum = [...body].reduce((total, sign, k) => total + (k + 1) * CODE_SIGNS.indexOf(sign), 0);
  const signs = body + digits((sum * 37) % 1021, 2);
  return [signs.slice(0, 4), signs.slice(4, 8), signs.slice(8)].join("-");
}

/** Return the record as the text of a file that `backwire grade` reads. */
function recordText() {
  return page.record.form === "progress" ? progressText() : reportText();
}

function reportText() {
  const attempts = answers().filter(({ done }) => wasTouched(done)).map(attemptText);
  const list = attempts.length ? `,\n "attempts": [\n  ${attempts.join(",\n  ")}\n ]` : "";
  const student = session.name ? ` "student": ${JSON.stringify(session.name)},\n` : "";
  return `${page.record.head}${student}${page.record.body}${list}\n}\n`;
}

function attemptText({ question, done }) {
  const { kind, node, slot, step: at } = question.record;
  const fields = [["kind", JSON.stringify(kind)], ["node", node]];
  if (slot !== null && slot !== undefined) fields.push(["slot", slot]);
  if (at) fields.push(["step", at]);
  if (done.hints) fields.push(["hints", done.hints]);
  if (done.shown) fields.push(["shown", true]);
  fields.push(["seconds", done.seconds.toFixed(1)]);
  const tries = done.tries.map((each) => `{"text": ${JSON.stringify(each.text)}, "verdict": "${each.verdict}", "answer": ${each.answer}}`);
  if (tries.length) fields.push(["tries", `[${tries.join(", ")}]`]);
  return `{${fields.map(([name, value]) => `"${name}": ${value}`).join(", ")}}`;
}

/** Return the day here, so many days from today, as 2025-12-31. */
function day(days) {
  const found = new Date();
  found.setDate(found.getDate() + days);
  const two = [found.getMonth() + 1, found.getDate()].map((number) => String(number).padStart(2, "0"));
  return [found.getFullYear(), ...two].join("-");
}

function progressText() {
  const { key, digest, title, seed } = page.record.lesson;
  const all = answers().filter(({ done }) => wasTouched(done));
  const states = session.steps.map((each) => each.state);
  const numbers = all.filter(({ question }) => question.record.kind !== "text");
  const lesson = {
    digest, at: Math.min(session.at, page.steps.length - 1), states, seed,
    right: all.filter(({ done }) => isFirstTime(done)).length, asked: all.length,
    seconds: Math.round(10 * all.reduce((sum, { done }) => sum + done.seconds, 0)) / 10,
    ended: isAtEnd() ? day(0) : "",
  };
  const slips = new Map();
  for (const { question, done } of numbers) {
    const slip = done.tries[0]?.slip;
    if (slip) slips.set(slip.name, { name: slip.name, kind: question.record.kind, lesson: key, title, last: day(0), next: day(1) });
  }
  const kinds = [...new Set(numbers.map(({ question }) => question.record.kind))];
  const file = {
    format: "backwire progress", version: 2, lessons: { [key]: lesson }, slips: [...slips.values()],
    asked: kinds.map((kind) => ({ kind, lesson: key, title, last: day(0) })), student: session.name,
  };
  return `${JSON.stringify(file, null, 1)}\n`;
}

function renderEnd() {
  const all = answers().map(({ done }) => done).filter(wasTouched), right = all.filter(isFirstTime).length;
  const found = [make("h2", {}, "The end")];
  if (page.able) found.push(make("p", {}, page.able));
  if (page.surprise) found.push(make("p", {}, page.surprise));
  if (all.length) found.push(make("p", { class: "sentence" }, make("b", {}, `${right} of ${all.length}`), " right first time."));
  const slips = new Map();
  for (const { slip } of all.flatMap((done) => done.tries)) if (slip?.full) slips.set(slip.full, (slips.get(slip.full) ?? 0) + 1);
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
  const told = make("p", { class: "told", role: "status" });
  const copy = make("button", { type: "button", class: "main", click: () => copyRecord(text, told) }, "Copy the record");
  return [
    make("p", {}, "Your code: ", make("b", { class: "code" }, code())),
    make("p", { class: "note" }, "It says how many were right first time. The record says what you answered."),
    make("label", {}, "Your name, if you hand it in", name),
    make("div", { class: "row" }, copy, told),
    make("details", {}, make("summary", {}, "The record"), text),
  ];
}

/** Copy the record; where the browser refuses, select it, so that the reader can. */
async function copyRecord(text, told) {
  try {
    await navigator.clipboard.writeText(text.value);
    told.textContent = "Copied.";
  } catch {
    text.closest("details").open = true;
    text.focus();
    text.select();
    told.textContent = document.execCommand("copy") ? "Copied." : "Copy what is selected.";
  }
}

function beginAgain() {
  session = newSession();
  cameUp = Date.now();
  save();
  render("step");
}

/* ---- start ---- */

/** Show what was kept; where it was damaged, begin anew, so that nobody is locked out of the page. */
function renderKept() {
  try {
    render("start");
  } catch (error) {
    if (!keeps) throw error;
    session = newSession();
    render("start");
  }
}

try {
  load();
  build();
  renderKept();
} catch (error) {
  // an old browser: the list in words is the page
  root.classList.remove("ready");
  document.getElementById("words").hidden = false;
  throw error;
}
document.addEventListener("keydown", onKey);
root.addEventListener("touchstart", onTouchStart, { passive: true });
root.addEventListener("touchend", onTouchEnd, { passive: true });
document.addEventListener("visibilitychange", () => (document.hidden ? addSeconds() : (cameUp = Date.now())));
let drawnLayout = layout();
new ResizeObserver(() => {
  const now = `${layout()} ${hasKeys()}`;
  if (now === drawnLayout) return drawFigure();
  drawnLayout = now;
  return render("");
}).observe(root);
