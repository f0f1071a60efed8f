/* States: the numbers on the figure at each step. */

/** Return a state after a change. */
function applyChange(state, change) {
  if (!change) return state;
  const next = { ...state, ...change.set };
  for (const key of change.gone ?? []) delete next[key];
  return next;
}

/** For each step its states: on entering it, and after each of its questions. */
const STATES = [];
/** For each step and key of a state its longest text: a box keeps its size during a step. */
const LONGEST = [];

function statesOf(steps) {
  let state = {};
  return steps.map((step) => {
    state = applyChange(state, step.shown);
    const found = [state];
    for (const question of step.questions ?? []) {
      state = applyChange(state, question.reveals);
      found.push(state);
    }
    return found;
  });
}

function grow(longest, key, text) {
  if (text.length > (longest[key] ?? "").length) longest[key] = text;
}

function longestOf(step, index) {
  const longest = {};
  const add = (texts) => {
    for (const [key, text] of Object.entries(texts ?? {})) {
      if (text) grow(longest, key, filled(text));
    }
  };
  STATES[index].forEach(add);
  for (const part of step.moves ?? []) add(part.shown?.set);
  for (const question of step.questions ?? []) if (question.answer && (live || !question.letters)) add({ [question.key]: chosenText(question, question.answer.label) });
  return longest;
}

/** Follow the steps of the page, which a mistake replaces. */
function readSteps() {
  STATES.splice(0, Infinity, ...statesOf(page.steps));
  LONGEST.splice(0, Infinity, ...page.steps.map(longestOf));
}

readSteps();
