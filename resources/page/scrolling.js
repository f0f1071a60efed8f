/* Scrolling: what has the focus, and what must be seen. */

function moveFocus(target, hadField) {
  if (target === "start") return session.at > 0 ? bringUpQuestion(true) : undefined; // first comes the title
  if (target === "verdict") {
    const verdict = parts.ask.querySelector(".verdict");
    (verdict ?? parts.next).focus({ preventScroll: false });
    const room = parts.ask.querySelector(".room");
    if (field && !openAttempt().done) bringUpKeys();
    else if (room) bringUp(room, parts.step.lastElementChild);
  } else if (target === "field" || hadField) field?.focus();
  if (target !== "step" && target !== "link") return undefined;
  window.scrollTo(0, 0);
  parts.ask.closest(".question").scrollTo(0, 0);
  if (field && !openAttempt().done && (hadField || !hasKeys() || document.activeElement !== document.body)) field.focus({ preventScroll: true });
  return bringUpQuestion(target === "link");
}

/** Scroll until the controls are seen, in a frame of another page and where a page opens those that are
    answered with, but keep the first paragraph of the step on the screen. */
function bringUpQuestion(isOpening = false) {
  if (isAtEnd()) return;
  const controls = [...parts.ask.querySelectorAll(isOpening || window.parent !== window ? "input, .choice" : "button, input, p")];
  if (parts.ask.childElementCount) bringUp(controls.at(-1) ?? parts.ask, parts.step.querySelector("p") ?? parts.ask);
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
