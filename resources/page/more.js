/* Three more: a question that was not right first time is asked again at sets of numbers that the page has
   for it. What is answered there is part of the record, with the number of its set. */

const MORE = 3;
let more = []; // the attempts of this time, { place, set, attempt }, the open one last

/** Return the indices of the sets at which the open question was not asked yet, the next one first. */
function setsLeft() {
  const sets = page.sets ?? [], { place, more: before } = work();
  return sets.map((_, k) => (session.set + k) % sets.length).filter((set) => !before.some((each) => each.place === place && each.set === set));
}

/** Return whether the open question can be asked at three more sets: an answered one that was not right
    first time. */
function offersMore() {
  const question = openQuestion();
  if (page.cover || more.length > 0 || question?.like === undefined || !isOwnNumbers()) return false;
  return openAttempt().done && !isRightFirstTime(openAttempt()) && setsLeft().length >= MORE;
}

/** Ask the open question at the next set. */
function askMore() {
  const [set] = setsLeft(), asking = { place: work().place, set, attempt: newAttempt() };
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
