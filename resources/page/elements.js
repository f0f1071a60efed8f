/* Elements: makes them, and writes texts of spans into them. */

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
  for (const span of filledText(text)) {
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
  const words = filledText(text).map((span) => {
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
