/* Tasks: what the reader does in a step of a lesson at numbers of their own, by setting leaves, choosing a
   mistake and stepping, and when it is done. */

const NOT_DONE = "Go on until the task is done, or press Show me.";
const OTHER_MISTAKE = "Not yet: the task needs another mistake. Choose it in the menu beside your numbers.";
const RELATIONS = {
  is: (x, y) => near(x, y, 1),
  not: (x, y) => !near(x, y, 1),
  above: (x, y) => x > y && !near(x, y, 1),
  below: (x, y) => x < y && !near(x, y, 1),
};
let followed = ""; // the step and the pass that numbers and moves are of

/** Return whether leaves alone are set in a step, without a pass to step through. */
const setsLeaves = ({ doing, moves }) => Boolean(doing) && !isPlayed(doing) && !moves?.length;

/** Let numbers and moves be those of the step of a lesson, and of the pass that is taken in it. */
function followStep() {
  const at = Math.min(session.at, page.steps.length - 1), found = page.steps[at], index = session.steps[at]?.pass ?? 0;
  if (page.live || followed === `${at} ${index}`) return;
  followed = `${at} ${index}`;
  played = null;
  setLive(found?.doing?.passes[index].live ?? found?.live ?? null);
  if (!live) return;
  if (found.doing) found.moves = found.doing.passes[index].moves;
  LONGEST[at] = longestOf(isPlayed(found.doing) ? { ...found, moves: movesToCome(found.doing) } : found, at);
  if (isPlayed(found.doing)) beginPlay(found, session.steps[at]);
}

/** Take another pass of the task, from its beginning. */
function takePass(index) {
  const numbers = leafNumbers;
  work().pass = index;
  work().moves = 0;
  followStep();
  setLeaves(numbers);
}

/** Return the number of a check by its key; null if it is not known. */
function numberOfCheck(key) {
  const { moves, pass } = work(), own = { moves, pass, left: movesLeft(), ...(played ? numbersPlayed() : {}) };
  if (key in own) return own[key];
  return numberIn(unfilledState()[key]);
}

/** Return the number of a text of a state; null without one. */
function numberIn(text = "") {
  const [, hole] = /^\ufdd0(\w+):/.exec(text) ?? [];
  return hole ? fields[hole] : parseExpression(text);
}

const holds = ([keys, relation, number]) => keys.map(numberOfCheck).some((found) => found !== null && RELATIONS[relation](found, fromJson(number)));

/** Mark the task as done once its checks hold. */
function checkTask() {
  if (!step().doing || work().state !== "" || !step().doing.checks.every(holds)) return;
  work().state = "done";
  renderButtons();
  save();
}

/** Set the numbers, or take the pass, that solve the task; return whether there was something to do. */
function showTask() {
  if (played) return showPlayed();
  const { numbers = {}, shows = 0 } = step().doing, own = { ...OWN_NUMBERS };
  for (const [node, number] of Object.entries(numbers)) own[node] = fromJson(number);
  const isThere = Object.entries(own).every(([node, number]) => Object.is(leafNumbers[node], number));
  if (isThere && work().pass === shows) return false;
  setLeaves(own);
  if (work().pass !== shows) takePass(shows);
  return true;
}

function taskStatus() {
  const needsMistake = step().doing.checks.some((check) => String(check[0]) === "pass" && !holds(check));
  const isStepped = work().moves > 0 && (needsMistake || movesLeft() === 0);
  const stuck = !isStepped || played || setsLeaves(step()) ? "" : needsMistake ? OTHER_MISTAKE : "Not yet: the task needs other numbers.";
  const text = movesLeft() > 0 ? stuck : { done: "✓ Done.", shown: "This is one way." }[work().state] ?? stuck;
  return make("p", { class: "status", role: "status" }, text);
}
