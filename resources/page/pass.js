/* Pass: what a live page computes at the reader's numbers, and how numbers are written.

   Formulas come as OPS and CONVENTIONS; the order of the pass comes as `page.live.ticks`. Texts have
   holes for numbers, as engine/numbers.py describes them: key, digits, marks. */

let live = null; // of the mistake that the reader chose, in a lesson of the step
let OWN_NUMBERS = {}; // of each leaf by its id, at which the page asks
let COMPUTED = new Map(); // operation and inputs by node
let leafNumbers = {}; // as the reader has dragged or typed them
let played = null; // the pass by hand or the descent that is on
let fields = {}; // the numbers of both passes by the keys of holes
let numbersOf = new WeakMap(); // the numbers around questions
let compared = null; // `comparison` at these numbers, once it was needed

/** Take what a pass is computed by, at its own numbers; null for none. */
function setLive(next) {
  live = next;
  COMPUTED = new Map((live?.computed ?? []).map(([node, op, ...inputs]) => [node, { op, inputs }]));
  setOwnNumbers();
}

/** Ask at these numbers of the leaves, in their order; without any at the page's. */
function setOwnNumbers(numbers) {
  OWN_NUMBERS = Object.fromEntries((live?.leaves ?? []).map(({ node, value }, k) => [node, fromJson(numbers?.[k] ?? value)]));
  leafNumbers = { ...OWN_NUMBERS };
  runPass();
}

/** Compute `fields` at the reader's numbers. */
function runPass() {
  if (!live) return;
  fields = played ? playedFields() : passOf(leafNumbers);
  compared = null;
  numbersOf = new WeakMap();
}

/** Run both passes, the backward one in the order of some ticks: return the value v3 of node 3, its
    gradient g3 and the sum s3 of the sizes of what its paths multiply; and of event 7 the upstream
    gradient u7, the slope l7, the contribution c7 and the gradient a7 after it. */
function passOf(numbers, ticks = live.ticks.keys(), of = live) {
  const found = {}, values = { ...numbers }, gradients = {};
  for (const [node, number] of Object.entries(of.constants)) values[node] = fromJson(number);
  for (const [node, op, ...inputs] of of.computed) values[node] = OPS[op][0](...inputs.map((source) => values[source]));
  for (const [node, value] of Object.entries(values)) found[`v${node}`] = value;
  for (const k of ticks) {
    const [node, sender, slot, used = slot] = of.ticks[k];
    if (slot === undefined) {
      gradients[node] = sender === undefined ? of.seed : 0;
      found[`s${node}`] ??= 1; // of the root
      continue;
    }
    const { op, inputs } = COMPUTED.get(sender);
    const local = OPS[op][used + 1](...inputs.map((each) => values[each]), values[sender]);
    const contribution = (gradients[sender] ?? 0) * local; // the chain rule
    gradients[node] = of.replaces ? contribution : (gradients[node] ?? 0) + contribution;
    found[`s${node}`] = (found[`s${node}`] ?? 0) + (found[`s${sender}`] ?? 0) * Math.abs(local);
    found[`u${k}`] = gradients[sender] ?? 0;
    found[`l${k}`] = local;
    found[`c${k}`] = contribution;
    found[`a${k}`] = gradients[node];
  }
  for (const [node, gradient] of Object.entries(gradients)) found[`g${node}`] = gradient;
  return found;
}

/** Return the remark on the numbers of a step, as a span; null without one. */
function remarkOn({ kind, focus }) {
  if (!live || !focus) return null;
  const bad = live.order.find((node) => !Number.isFinite(fields[`v${node}`]));
  const badSpan = () => [filled(live.bad[bad][Number.isNaN(fields[`v${bad}`]) ? 0 : 1]), "error"];
  if (kind === "forward") return bad === focus.receiver ? badSpan() : null;
  const k = focus.step - 1;
  if (!(`c${k}` in fields)) return null;
  const { op, inputs } = COMPUTED.get(focus.sender), [, slot] = wireEnds(focus.wire);
  if (CONVENTIONS[op]?.[slot](...inputs.map((source) => fields[`v${source}`]))) return [live.conventions[op], "secondary"];
  const isFirst = live.ticks.slice(0, k).every((_, j) => Number.isFinite(fields[`c${j}`] ?? 0));
  if (Number.isFinite(fields[`c${k}`]) || !isFirst) return null;
  if (bad !== undefined) return badSpan();
  if (Number.isFinite(fields[`l${k}`])) return [live.overflow, "error"];
  return [filled(live.steep[op], { l: fields[`l${k}`] }), "error"];
}

/* What surrounds a question: the letters of formulas, as engine/asking/number_fields.py names them. */

let around = {}; // the numbers with which a formula is computed

/** Return the numbers around a question by their letters. */
function numbersAround(question) {
  if (!question.letters) return fields;
  if (!numbersOf.has(question)) {
    const { letters, places } = question, own = Object.assign(Object.create(fields), places, question.names);
    for (const [letter, key] of Object.entries(letters)) own[letter] = numberOf(key, fields);
    const { op, inputs } = COMPUTED.get(places.n), [forward, ...slopes] = OPS[op];
    slopes.forEach((slope, k) => { own[`slope${k}`] = slope(...inputs.map((source) => fields[`v${source}`]), own.value); });
    own.value_at_value = forward(own.value);
    own.slope_at_value = slopes[0](own.value, own.value_at_value);
    numbersOf.set(question, own);
  }
  return numbersOf.get(question);
}

/** Return the number of a formula. */
function computed(k, own) {
  around = own;
  return FORMULAS[k](own);
}

/** Return the number of a key: of a letter, of a formula, or itself. */
function numberOf(key, own) {
  if (typeof key === "string" && key in own) return own[key];
  return /^e\d/.test(key) ? computed(key.slice(1), own) : fromJson(key);
}

/** Return what the conditions in a text choose, its holes filled. */
function chosenText(question, text) {
  const own = numbersAround(question);
  let found = text ?? [];
  while (typeof found === "number" || found?.when !== undefined) {
    found = typeof found === "number" ? page.results[found] : computed(found.when, own) ? found.yes : found.no;
  }
  if (typeof found === "string") return filled(found, own);
  return Array.isArray(found) ? found.map((span) => filledSpan(span, own)) : found;
}

/** Return by how much a node changes when the inputs along wires are raised; before that those along
    `shifted` are raised by `shift`. */
function effect(wires, watched, change, shift, shifted) {
  const [at, moved] = [0, change].map((more) => {
    const values = {};
    const raise = (wire) => (shifted.includes(wire) ? shift + (wires.includes(wire) ? more : 0) : wires.includes(wire) ? more : 0);
    const raised = (node, source, slot) => (values[source] ?? fields[`v${source}`]) + raise(`${node}.${slot}`);
    for (const [node, op, ...inputs] of live.computed) values[node] = OPS[op][0](...inputs.map((source, slot) => raised(node, source, slot)));
    return values[watched] ?? fields[`v${watched}`];
  });
  return difference(moved, at);
}

const TRUSTED_DIGITS = 13; // of the larger of two numbers

function difference(moved, at) {
  const found = moved - at, size = Math.max(Math.abs(moved), Math.abs(at));
  if (!Number.isFinite(found) || found === 0 || !Number.isFinite(size)) return found;
  const places = TRUSTED_DIGITS - Math.ceil(Math.log10(size));
  const rounded = places < 0 ? Math.round(found * 10 ** places) / 10 ** places : Number(found.toFixed(Math.min(places, 100)));
  return rounded || found; // a change is never rounded to 0
}

const finite = (...numbers) => numbers.every(Number.isFinite);
const same = (x, y, digits) => short(x, digits) === short(y, digits);
const firstShown = (wires, node, rate, digits, ...changes) => changes.find((x) => same(effect(wires, node, x, 0, wires) / x, rate, digits)) ?? NaN;
const fits = (text, most) => [...filled(page.texts[text], around)].length <= most;
const unsigned = (text) => text.replaceAll(MINUS, "").replace(/^\++/, "");
const numbersIn = (text) => filled(page.texts[text], around).split("\n").map(unsigned);
const apart = (some, others) => !numbersIn(some).some((text) => numbersIn(others).includes(text));

/* Numbers, written as engine/numbers.py does. */

const NOISE = 1e-12; // relative
const NOISE_OF_WHOLE = 4; // units in the last place
const BITS = new Float64Array(1), WHOLE_BITS = new BigInt64Array(BITS.buffer);

/** Return the distance from a positive number to the next larger one. */
function unitInLastPlace(x) {
  BITS[0] = x;
  WHOLE_BITS[0] += 1n;
  return BITS[0] - x;
}

/** Return the figures of a positive number without rounding noise, and the exponent of the first. */
function decimal(x) {
  const close = Number(x.toExponential(9));
  const noise = Number.isInteger(close) ? NOISE_OF_WHOLE * unitInLastPlace(x) : NOISE * x;
  const shown = Number.isFinite(close) && Math.abs(close - x) <= noise ? close : x;
  const [mantissa, exponent] = shown.toExponential().split("e");
  return { figures: mantissa.replace(".", ""), first: Number(exponent) };
}

/** Return a decimal with at most so many figures, a half rounded away from 0. */
function roundedTo({ figures, first }, count) {
  if (figures.length <= count) return { figures, first };
  const kept = figures.slice(0, count);
  const whole = String(BigInt(kept) + (figures[count] >= "5" ? 1n : 0n));
  const found = { figures: whole.replace(/0+$/, ""), first: first + (whole.length > count ? 1 : 0) };
  // the largest number would be read back as infinity
  return Number.isFinite(Number(`${whole}e${first - count + 1}`)) ? found : { figures: kept.replace(/0+$/, ""), first };
}

const EXPONENT_BELOW = -4, EXPONENT_FROM = 7; // exponents of the first figure

function decimalText({ figures, first }) {
  if (first < EXPONENT_BELOW || first >= EXPONENT_FROM) {
    const mantissa = figures.length === 1 ? figures : `${figures[0]}.${figures.slice(1)}`;
    return `${mantissa}e${first < 0 ? MINUS : ""}${Math.abs(first)}`;
  }
  if (first < 0) return `0.${"0".repeat(-first - 1)}${figures}`;
  const whole = figures.slice(0, first + 1).padEnd(first + 1, "0"), rest = figures.slice(first + 1);
  return rest ? `${whole}.${rest}` : whole;
}

/** Return the decimal of a positive number, and that with at most so many significant digits. */
function rounding(x, digits) {
  const exact = decimal(x);
  // written without an exponent, the whole part keeps its digits
  const rounded = roundedTo(exact, exact.first < EXPONENT_FROM ? Math.max(digits, exact.first + 1) : digits);
  return { rounded, isExact: rounded.figures === exact.figures && rounded.first === exact.first };
}

const areRounded = (digits, ...numbers) => numbers.some((x) => Number.isFinite(x) && x !== 0 && !rounding(Math.abs(x), digits).isExact);

/** Write a number with at most so many significant digits; `plus` precedes a positive one. */
function short(x, digits, plus = "") {
  if (Number.isNaN(x)) return "nan";
  if (x === 0) return "0";
  const minus = x < 0 ? MINUS : plus;
  if (!Number.isFinite(x)) return `${minus}inf`;
  const { rounded, isExact } = rounding(Math.abs(x), digits), text = decimalText(rounded);
  if (isExact || (text.includes(".") && rounded.figures.length === digits)) return minus + text;
  if (!text.includes(".") || text.includes("e")) return `≈ ${minus}${text}`;
  const shown = text.replace(".", "").replace(/^0+/, "").length;
  return minus + text + "0".repeat(Math.max(0, digits - shown));
}

/** Write a number with at most so many digits after its point, ties to even. */
function decimals(x, places) {
  if (!Number.isFinite(x) || Math.abs(x) >= 10 ** EXPONENT_FROM) return short(x, 4);
  const isTie = Math.abs(x * 2 ** (places + 1)) % 2 === 1, above = Number(x.toFixed(places));
  const isOdd = Math.abs(Math.round(above * 10 ** places)) % 2 === 1;
  const rounded = isTie && isOdd ? Number((above - Math.sign(x) * 10 ** -places).toFixed(places)) : above, isWhole = Number.isInteger(rounded);
  const noise = isWhole ? NOISE_OF_WHOLE * unitInLastPlace(Math.abs(x)) : NOISE * Math.abs(x);
  return (isWhole && Math.abs(rounded - x) > noise ? "≈ " : "") + String(rounded + 0).replace("-", MINUS);
}

const HOLE = /\ufdd0(\w+):(\d+)([+&([=±.]*)(?:\?([^\ufdd1]*))?\ufdd1/g;

/** Return a text with its holes filled; one whose key is unknown stays. */
function filled(text, own = fields) {
  if (!live || !text.includes("\ufdd0")) return text;
  return text.replace(HOLE, (hole, key, digits, marks, words) => {
    if (key[0] === "N") return own[`${key}:${digits}`];
    if (!(key in own) && !/^e\d/.test(key)) return hole;
    const number = numberOf(key, own);
    if (marks === ".") return decimals(number, Number(digits));
    if (words) return words.split("|")[number > 0 ? 0 : number !== 0 ? 1 : 2];
    if (marks.includes("±") && number === 0) return "±0";
    const found = short(number, Number(digits), marks.includes("+") ? "+" : "");
    if (marks.includes("&")) return found.startsWith(MINUS) ? `${MINUS} ${found.slice(1)}` : `+ ${found}`;
    if (marks.includes("=")) return found.startsWith("≈") ? found : `= ${found}`;
    const isSigned = /^[−+]/.test(found), isAbout = found.startsWith("≈");
    return (isSigned && marks.includes("(")) || (isAbout && marks.includes("[")) ? `(${found})` : found;
  });
}

/** Return a span with its holes filled; a number by itself has the colour of errors if it is not
    finite. */
function filledSpan(span, own = fields) {
  if (!live) return span;
  if (typeof span === "string") return filled(span, own);
  const [, key] = /^\ufdd0([a-z]\w*):\d+[+±.]*\ufdd1$/.exec(span[0]) ?? [];
  const role = key !== undefined && !Number.isFinite(numberOf(key, own)) ? "error" : span[1];
  return [filled(span[0], own), ...(span.length > 1 ? [role] : []), ...span.slice(2)];
}

const filledText = (text) => (live ? text.map((span) => filledSpan(span)) : text);

/** Return a state whose holes are filled with the present numbers where it is read: a phone shows a few of many. */
function filledState(state) {
  if (!live) return state;
  return new Proxy(state, { get: (texts, key) => (key in texts ? stateText(texts[key]) : undefined) });
}

const writtenHoles = new Map(); // by text of a state: the key of its number, that number, and how it was written

/** Return a text of a state, a hole alone, filled: it is written anew if its number is another one. */
function stateText(text) {
  if (!writtenHoles.has(text)) writtenHoles.set(text, { key: /^\ufdd0(\w+):[^\ufdd0]*$/.exec(text)?.[1], number: 0, written: null });
  const known = writtenHoles.get(text), number = fields[known.key];
  if (number === undefined) return filled(text);
  if (known.written === null || !Object.is(known.number, number)) {
    known.written = filled(text);
    known.number = number;
  }
  return known.written;
}

setLive(page.live ?? null);
