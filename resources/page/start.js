/* Start: the page is built and drawn for the first time. */

/** Do something with the stored session; one that is damaged is dropped, or the page could never be
    opened again. */
function orBeginAnew(act) {
  try {
    act();
  } catch (error) {
    if (!isKept) throw error;
    session = newSession();
    act();
  }
}

try {
  load();
  orBeginAnew(readLink);
  build();
  orBeginAnew(() => render("start"));
} catch (error) {
  // an old browser: the list in words is the page
  pageElement.classList.remove("ready");
  document.getElementById("words").hidden = false;
  throw error;
}
document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", () => {
  readLink();
  render("link");
});
pageElement.addEventListener("touchstart", onTouchStart, { passive: true });
pageElement.addEventListener("touchend", onTouchEnd, { passive: true });
document.addEventListener("visibilitychange", () => (document.hidden ? addSeconds() : (openedAt = Date.now())));
let drawnLayout = layout();
new ResizeObserver(() => {
  if (stateBefore !== null) return undefined; // a sentence grew during a drag, after which all is drawn
  const now = `${layout()} ${hasKeys()}`;
  if (now === drawnLayout) return drawFigure();
  drawnLayout = now;
  return render("");
}).observe(pageElement);
