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
  const numbers = leafNumbers;
  leafNumbers = { ...OWN_NUMBERS }; // at which boxes have their sizes
  runPass();
  readSteps();
  leafNumbers = numbers;
  runPass();
}

/** Return the passes that the page or its task offers, and the one that is taken. */
function passesOffered() {
  const passes = step().doing?.passes ?? [NO_MISTAKE, ...(page.mistakes ?? [])];
  return { passes, chosen: step().doing ? work().pass : passes.indexOf(mistake) };
}

/** Return the menu of mistakes; null without one. */
function mistakeMenu() {
  const { passes, chosen } = passesOffered();
  if (passes.length === 1) return null;
  const options = passes.map((each, index) => make("option", { value: index, selected: index === chosen }, each.title));
  return make("select", {
    class: "mistakes", "aria-label": "Mistake in the pass",
    change: ({ target }) => {
      if (step().doing) takePass(Number(target.value));
      else setMistake(passes[target.value].name);
      render("");
      leavesRow.querySelector("select").focus();
    },
  }, ...options);
}
