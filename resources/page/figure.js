/* Figure: which of map, focus and whole graph is drawn, and with what. */

/** Return the layout that the style sheet has chosen: portrait, landscape or wide. */
function layout() {
  return getComputedStyle(pageElement).getPropertyValue("--layout").trim();
}

const MAP_HEIGHT = 92; // px, of a map above a focus in portrait
const OVERVIEW_HEIGHTS = [150, 178, 224, 270]; // px, of a map that is the only figure: the first readable one
const UNREADABLE_OVERVIEW_HEIGHT = 170; // px, of one whose numbers fit in none of these
const LEAF_TASK_HEIGHTS = [120, 150, 178]; // px, of a map above the node that is watched

/** Write the present numbers into the figure that is drawn. */
function showTexts() {
  const view = { ...viewNow(focusNow(DRAWINGS[step().graph ?? 0])), holes: unfilledState() };
  writeLiving(view);
}

/** Draw map and focus, or in a wide layout the whole graph if it is readable. */
function drawFigure() {
  livingTexts.clear();
  pageElement.classList.toggle("types", field !== null && !isAtEnd() && !openAttempt().done);
  setSizes(CAPTION, NUMBER);
  const at = Math.min(session.at, page.steps.length - 1);
  const found = page.steps[at], drawing = DRAWINGS[found.graph ?? 0];
  const kind = layout();
  const state = isAtEnd() ? filledState(STATES[at].at(-1)) : stateNow();
  drawing.longest = LONGEST[at];
  let focus = isAtEnd() ? null : focusNow(drawing);
  if (kind !== "wide" && (needsWhole() || (setsLeaves(found) && kind === "landscape" && peekedNode === null))) {
    if (numbersScale(drawing, state, parts.map.clientWidth || 300, overviewHeight(kind))) focus = null;
  }
  const view = isAtEnd() ? { state, typed: {}, glows: new Set(), lit: new Set(), ...faultsAt(found) } : viewNow(focus);
  view.holes = isAtEnd() ? STATES[at].at(-1) : unfilledState();
  let whole = null;
  pageElement.classList.toggle("plays", played !== null && !isAtEnd());
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
  pageElement.classList.toggle("stuck", focus === null && (needsWhole() || played !== null));
  pageElement.classList.toggle("numbers", whole !== null || (focus === null && map.hasNumbers));
  mapPlaces = whole ? new Map() : map.places;
  parts.map.replaceChildren(map.g);
  const { clientWidth: width, clientHeight: height } = parts.focus;
  const drawn = whole?.g ?? (focus ? drawFocus(drawing, focus, view, width, height) : null);
  parts.focus.replaceChildren(...(drawn ? [drawn] : []));
  for (const part of [parts.map, parts.focus]) part.classList.toggle("forward", found.kind === "forward");
  parts.map.setAttribute("aria-hidden", String(!played?.hand));
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
  const fitting = (heights) => heights.find((height) => numbersScale(drawing, state, width, height));
  if (setsLeaves(found) && !isAtEnd() && focus !== null) return fitting(LEAF_TASK_HEIGHTS) ?? MAP_HEIGHT;
  if (focus !== null) return MAP_HEIGHT;
  // as high as map and focus together, which appear with the first move
  if (!isAtEnd() && !played && found.moves?.length) return MAP_HEIGHT + focusHeight(drawing);
  return fitting(OVERVIEW_HEIGHTS) ?? UNREADABLE_OVERVIEW_HEIGHT;
}

/** Return the figure in words for a screen reader; while a question is open, its sentence. */
function spokenFigure(found) {
  if (isAtEnd()) return "The graph at the end.";
  if (found.given?.length) return plain(found.given);
  const question = openQuestion();
  const move = (found.moves ?? [])[work().moves - 1];
  const open = question && !openAttempt().done;
  const words = plain(open ? question.sentence : saying(move ?? found));
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
    wrong, struck  keys of gradients that a mistake made wrong, and of contributions it overwrote
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
  return { state, focus, typed, glows, lit, small: false, ...faultsAt(step()) };
}
