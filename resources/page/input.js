/* Input: keys, swipes and taps. */

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
  const arrows = !(inField && field.value) && !inInput && !(target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement);
  const question = openQuestion(), open = question && !openAttempt().done;
  if (key === "PageDown" || (key === "ArrowRight" && arrows)) whenEnabled(parts.next, goOn);
  else if (key === "PageUp" || (key === "ArrowLeft" && arrows)) whenEnabled(parts.back, back);
  else if (key === "Enter" && inField) submit(field.value);
  else if ((key === "Enter" || key === " ") && target.dataset?.node) clickNode(Number(target.dataset.node));
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
  const isBusy = event.target.closest?.("input, textarea, .leaves") && event.target !== field;
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
  if (played?.hand && !isAtEnd()) return clickNode(id);
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

/** Show the next covered number, or let a node fire by hand. */
function tapFocus({ target }) {
  const node = target.closest("[data-node]");
  if (node) return clickNode(Number(node.dataset.node));
  if (page.cover && !isAtEnd()) uncover();
  return undefined;
}
