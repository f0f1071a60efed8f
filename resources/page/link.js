/* Link: this moment as the end of the address, `#a=2&b=-3&step=6&mistake=assign`. Names are those of
   leaves, numbers as they are typed, and the step counts as the page does; what can't be read is passed
   over. A page may be told where it will lie, and where to open. */

const STEP_NAME = "step", MISTAKE_NAME = "mistake";
const { address, opening } = pageElement.dataset;
let linkNote = { at: 0, text: "" }; // what was passed over, and the step that says so
/** The address before its end; "" in a frame that has none. */
const placeOfPage = () => address ?? (window.location.protocol === "about:" ? "" : window.location.href.split("#")[0]);

/** Return the end of the address that leads to the numbers and the step on the screen. */
function linkText() {
  const changed = (live?.leaves ?? []).filter(({ node }) => !Object.is(leafNumbers[node], OWN_NUMBERS[node]));
  const named = changed.map(({ node, key }) => `${encodeURIComponent(key)}=${writtenNumber(leafNumbers[node])}`);
  if (session.at > 0 && !isAtEnd()) named.push(`${STEP_NAME}=${session.at + 1}`);
  if (mistake !== NO_MISTAKE) named.push(`${MISTAKE_NAME}=${encodeURIComponent(mistake.name)}`);
  if (opening && !named.length) named.push(`${STEP_NAME}=1`); // the address alone leads to what it opens
  return named.length ? `#${named.join("&")}` : "";
}

/** Return a number as it can be typed. */
const writtenNumber = (x) => String(x).replace("Infinity", "inf").replace("NaN", "nan").replace("+", "");

/** Let the address follow, where that is allowed: in a frame of a text it is not. */
function writeLink() {
  const text = linkText();
  if (text === window.location.hash) return;
  try {
    window.history.replaceState(null, "", text || window.location.pathname + window.location.search);
  } catch {
    // about:srcdoc
  }
}

/** Take numbers, mistake and step from the address; steps before that one are passed over. */
function readLink() {
  endMore();
  const given = new URLSearchParams((window.location.hash || (opening ?? "")).slice(1));
  setMistake(given.get(MISTAKE_NAME));
  const at = Number(given.get(STEP_NAME) ?? 0);
  const isGiven = Number.isInteger(at) && at >= 1 && at <= page.steps.length;
  if (isGiven) {
    session.at = at - 1;
    session.steps.forEach((each, index) => { if (index < session.at && !isDone(index)) each.passedOver = true; });
  }
  followStep();
  const next = { ...OWN_NUMBERS }, taken = [isGiven ? STEP_NAME : "", mistake === NO_MISTAKE ? "" : MISTAKE_NAME];
  for (const { node, key } of live?.leaves ?? []) {
    const number = parseExpression(given.get(key) ?? "");
    if (number === null) continue;
    next[node] = number;
    taken.push(key);
  }
  const left = [...given].filter(([key]) => !taken.includes(key)).map(([key, text]) => `${shortened(key, QUOTED)}${text && ` = ${shortened(text, QUOTED)}`}`);
  const count = left.length > MOST_NAMED ? `${left.length} parts` : left.join(", ");
  linkNote = { at: session.at, text: left.length ? `The link says more than this page can read: ${count}.` : "" };
  leafNumbers = next;
  practice = null;
  if (openQuestion() && openQuestion().like === undefined && !page.cover) putNumbersBack(); // it has the page's alone
  runPass();
}

/** Return the button that copies the link, and the place where it is selected instead; none without
    an address. */
function linkParts() {
  if (!placeOfPage()) return [];
  const shown = make("input", { type: "text", class: "name", readonly: true, hidden: true, "aria-label": "Link" });
  const button = make("button", { type: "button", class: "plain", click: () => copyLink(button, shown) }, "Copy link");
  return [make("div", { class: "row" }, button, shown)];
}

async function copyLink(button, shown) {
  shown.value = placeOfPage() + linkText();
  try {
    await navigator.clipboard.writeText(shown.value);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Copy this:";
    shown.hidden = false;
    shown.focus();
    shown.select();
  }
}
