/* Mistakes: the one in the pass of a page, which the reader chose in a menu or by a link. */

const NO_MISTAKE = { name: "", title: "No mistake", steps: page.steps, live };
let mistake = NO_MISTAKE;

/** Take the steps of a mistake by its name; of an unknown one those without a mistake. */
function setMistake(name) {
  const chosen = (page.mistakes ?? []).find((each) => each.name === name) ?? NO_MISTAKE;
  if (chosen === mistake) return;
  const at = isAtEnd() ? chosen.steps.length : Math.min(session.at, chosen.steps.length - 1);
  mistake = chosen;
  ({ live, steps: page.steps } = chosen);
  session = { ...newSession(), name: session.name, at };
  runPass();
  readSteps();
}

/** Return the menu of the mistakes that the page offers; null without one. */
function mistakeMenu() {
  if (!page.mistakes) return null;
  const options = [NO_MISTAKE, ...page.mistakes].map((each) => make("option", { value: each.name, selected: each === mistake }, each.title));
  return make("select", {
    class: "mistakes", "aria-label": "Mistake in the pass",
    change: ({ target }) => {
      setMistake(target.value);
      render("");
      leavesRow.querySelector("select").focus();
    },
  }, ...options);
}
