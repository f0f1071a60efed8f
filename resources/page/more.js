/* Three more: a question that was not right first time is asked again at sets of numbers that the page has
   for it. What is answered there is part of the record, with the number of its set. */

const MORE = 3;
let more = []; // the attempts of this time, { place, set, attempt }, the open one last
let isFromEnd = false; // whether they end where they began, on the end page

/** Return the indices of the sets at which a question was not asked yet, the next one first. */
function setsLeft(index, place) {
  const sets = page.sets ?? [], { more: before } = session.steps[index];
  return sets.map((_, k) => (session.set + k) % sets.length).filter((set) => !before.some((each) => each.place === place && each.set === set));
}

/** Return whether a question can be asked at three more sets: one that was not right first time. */
function needsMore(index, place) {
  const question = asked(index)[place], attempt = session.steps[index].given[place];
  return !page.cover && question?.like !== undefined && attempt.done && !isRightFirstTime(attempt) && setsLeft(index, place).length >= MORE;
}

const offersMore = () => more.length === 0 && isOwnNumbers() && needsMore(session.at, work().place);

/** Return the button that asks again where the last slip was made; null without such a question. */
function moreOfSlip() {
  const all = page.steps.flatMap((_, index) => session.steps[index].given.map((attempt, place) => ({ index, place, attempt })));
  const found = all.filter(({ index, place, attempt }) => attempt.tries.some(({ slip }) => slip) && needsMore(index, place));
  const last = found[found.length - 1];
  return last ? moreButton("like the last slip", () => {
    go(last.index);
    work().place = last.place;
    isFromEnd = true;
    askMore();
  }) : null;
}

const moreButton = (note, click) => make("div", { class: "row" }, make("button", { type: "button", class: "plain", click }, "Three more"), make("span", { class: "note" }, note));

/** Ask the open question at the next set. */
function askMore() {
  const [set] = setsLeft(session.at, work().place), asking = { place: work().place, set, attempt: newAttempt() };
  session.set = (set + 1) % page.sets.length;
  work().more.push(asking);
  more = [...more, asking];
  setOwnNumbers(page.sets[set]);
  openedAt = Date.now();
  save();
  return render("step");
}

/** Put the page's own numbers back. */
function endMore() {
  if (more.length === 0) return;
  addSeconds();
  more = [];
  isFromEnd = false;
  setOwnNumbers();
  putNumbersBack();
}

const rightOf = (asking) => asking.filter(({ attempt }) => isRightFirstTime(attempt)).length;

/** Return the count above a question of Three more, after the last with what was right. */
function moreParts() {
  if (more.length === 0) return [];
  const isOver = more.length === MORE && more.at(-1).attempt.done;
  return [make("p", { class: "note" }, isOver ? `Three more: ${rightOf(more)} of ${MORE} right first time.` : `Three more: ${more.length} of ${MORE}`)];
}

/** Return the questions of Three more that were answered, with the number of their set. */
function moreAttempts() {
  const all = page.steps.flatMap((_, index) => session.steps[index].more.map((each) => ({ question: asked(index)[each.place], ...each })));
  return all.filter(({ attempt }) => wasTouched(attempt));
}
