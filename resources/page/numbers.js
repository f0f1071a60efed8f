/* Numbers: reads what was typed, and compares it. */

const LONGEST_ANSWER = 80; // characters, as `engine.asking.judging` reads them
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
  return Math.abs(number - other) <= TOLERANCE * Math.max(Math.abs(other), Number.isFinite(scale) ? scale : 0);
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
  const shown = Number.isInteger(number) ? number : Number(number.toPrecision(4));
  return String(shown === 0 ? 0 : shown).replaceAll("-", MINUS);
}
