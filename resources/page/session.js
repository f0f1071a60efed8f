/* Session: the reader's answers and position; all other state is small and stands below it. */

const STORAGE_KEY = `backwire ${page.record.page} ${page.title}`;
const SECOND = 1000;
const LAST_TRY = 3; // a wrong one shows the answer

/** Return an attempt at a question before the first answer. */
const newAttempt = () => ({
  draft: "", // the text in the field
  tries: [], // { text, verdict, answer: the press at which it was given, slip }
  hints: 0, // presses of Hint
  rungs: 0, // those after the hint of the step
  asked: null, // the number that answers the question in the last verdict
  mended: "", // the praise once the belief of the last slip is mended
  helped: 0, // wrong tries that did so, which climb no rung
  shown: false, // by Show me or a third wrong answer
  done: false, // answered or shown
  right: false,
  seconds: 0,
  says: null, // the verdict: { kind, lines, typed }
});

/** Return a session before the first answer. `load` refuses one of another form. */
function newSession() {
  return {
    at: page.begins ?? 0,
    name: "", // the reader's, for the record
    round: 0, // runs before this one
    set: Math.floor(Math.random() * (page.sets ?? []).length), // the next of Three more: neighbours begin apart
    practised: { asked: 0, right: 0 }, // at the reader's own numbers: no part of the record
    steps: page.steps.map((step) => ({
      place: 0, // index of the question that is open
      moves: 0, // number of moves taken
      pass: 0, // index of the one that is taken in a task
      state: "", // "done" or "shown"
      passedOver: false, // by a link to a later step
      presses: 0, // of Answer
      given: (step.questions ?? []).map(newAttempt), // the attempt at each question
      more: [], // those of Three more
    })),
  };
}

let session = newSession();
let isKept = false; // whether the browser stores the session
let openedAt = Date.now(); // since when the open question has been on the screen, in ms
const MOST_NAMED = 3; // leaves
let practice = null; // { question, attempt } at numbers of the reader's
let answeredBefore = null; // the last answer, and the numbers at which it was right
let putBackAt = null; // the step whose question put the page's numbers back
let peekedNode = null; // id of the node tapped on the map, if no step about it can be shown

/** Return the browser's storage, or null if it is switched off. */
function storage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

function load() {
  try {
    const kept = JSON.parse(storage()?.getItem(STORAGE_KEY) ?? "null");
    const isOurs = kept?.steps?.length === page.steps.length;
    const isSet = (each, k) => each.place in asked(k) && each.set in page.sets && each.attempt.tries;
    if (!isOurs || !kept.steps.every((work, k) => work.given.length === asked(k).length && work.more.every((each) => isSet(each, k)) && (work.pass ?? 0) in (page.steps[k].doing?.passes ?? [0]))) return;
    session = kept;
    isKept = true;
  } catch {
    // what is kept was written by another page, or by hand: begin anew
  }
}

function save() {
  try {
    if (isKept) storage()?.setItem(STORAGE_KEY, JSON.stringify(session));
    else if (storage()?.getItem(STORAGE_KEY)) storage().removeItem(STORAGE_KEY);
  } catch {
    isKept = false; // the store is full or refused
  }
}

const isAtEnd = () => session.at >= page.steps.length;
const step = () => page.steps[session.at];
const work = () => session.steps[session.at];
const asked = (index) => page.steps[index].questions ?? [];
/** The question of a step that is open or was answered last; null if it has none. */
const openQuestion = () => (isAtEnd() ? null : asked(session.at)[work().place] ?? null);
/** Return whether the open question is asked at numbers of the reader's; of covered ones none is. */
const practises = () => !page.cover && openQuestion() !== null && !isOwnNumbers();
/** Return the attempt at `openQuestion`, in Three more and in practice one of their own. */
function openAttempt() {
  const question = openQuestion();
  if (!practises()) return more.at(-1)?.attempt ?? work().given[work().place];
  if (practice?.question !== question) practice = { question, attempt: newAttempt() };
  return practice.attempt;
}

/** Before numbers change: note what an answer was for; an open question keeps its tries. */
function askAgain() {
  if (played?.descent && step()?.doing?.descent === played.descent) beginPlay(step(), work());
  const question = live && !page.cover ? openQuestion() : null, attempt = question && openAttempt();
  if (attempt?.done) {
    if (question.answer) answeredBefore = { text: fieldText(question, attempt), numbers: leafNumbers };
    practice = null;
  } else if (attempt) practice = { question, attempt: { ...attempt, tries: [...attempt.tries], says: null } };
}

/** Return the last answer, and at which numbers of those that have changed since. */
function textAnswered() {
  if (answeredBefore === null || isOwnNumbers()) return null;
  const { text, numbers } = answeredBefore, changed = live.leaves.filter(({ node }) => !Object.is(numbers[node], leafNumbers[node]));
  const at = changed.slice(0, MOST_NAMED).map(({ node, name }) => `${name} = ${short(numbers[node], digitsShown)}`);
  return at.length ? `${text}, at ${at.join(", ")}` : text;
}

/** Put the page's own numbers back; a question that lost the reader's by that says so. */
function putNumbersBack() {
  putBackAt = page.live && openQuestion() && !isOwnNumbers() ? session.at : null;
  if (!isOwnNumbers()) setLeaves({ ...OWN_NUMBERS });
  practice = null;
  answeredBefore = null;
}
const movesLeft = () => (step().moves ?? []).length - work().moves;

/** Return whether a step has neither an open question nor a task to do. */
function isDone(index) {
  const data = page.steps[index], progress = session.steps[index];
  if (page.cover || progress.passedOver) return true;
  if (progress.given.some((attempt) => !attempt.done)) return false;
  if (data.doing && (data.kind === "free" || progress.state === "")) return data.kind === "free";
  return data.kind === "hunt" || progress.moves >= (data.moves ?? []).length;
}

/** Return the index of the first step that is not done, beyond which nobody jumps. */
function furthest() {
  const open = page.steps.findIndex((_, index) => !isDone(index));
  return open < 0 ? page.steps.length : open;
}

/** Return the state that the figure shows now. */
const stateNow = () => filledState(unfilledState());

function unfilledState() {
  const { moves } = step(), states = STATES[session.at];
  const answered = practises() || more.length > 0 ? work().place + openAttempt().done : work().given.filter((attempt) => attempt.done).length;
  return (moves ?? []).slice(0, work().moves).reduce((state, move) => applyChange(state, move.shown), states[answered]);
}

/** Return the wire over which the chosen node fired, once the question of who fires next is answered. */
function firedNow(drawing) {
  const { record, reveals } = openQuestion() ?? {};
  if (record?.kind !== "next" || !openAttempt().done) return null;
  const wire = Object.keys(reveals?.set ?? {}).find((key) => key[0] === "c")?.slice(1);
  if (!wire) return null;
  const [sender, slot] = wireEnds(wire);
  return { receiver: drawing.node(sender).inputs[slot], sender, wire };
}

/** Return the node or wire that is drawn large, as a `Focus`, or null; `isShown` if nothing fires.

    A node that was tapped on the map goes first; then, where leaves are set, the node to be watched; then
    the focus of the last move or of the step. Before its first move, and in a step without a
    question, it is the node or wire that the text points at. */
function focusNow(drawing) {
  if (drawing.node(peekedNode)) return { receiver: peekedNode, isShown: true };
  if (played) return null;
  const watched = setsLeaves(step()) && (step().watched ?? []).find((key) => !key.includes("."));
  if (watched) return { receiver: Number(watched) };
  const fired = firedNow(drawing);
  if (fired) return fired;
  const move = (step().moves ?? [])[work().moves - 1];
  if (move) return move.focus ?? step().focus ?? litFocus(drawing);
  const isWithoutQuestion = step().kind === "say" || step().kind === "do";
  return (isWithoutQuestion ? litFocus(drawing) : null) ?? step().focus ?? litFocus(drawing);
}
