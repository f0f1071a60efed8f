/* Answering: what a press of Answer, Hint, Show me, Next and Back does to the session. */

/** Add the time since `openedAt` to the open question, and restart the clock. */
function addSeconds() {
  const now = Date.now();
  if (openQuestion() && !openAttempt().done) openAttempt().seconds += (now - openedAt) / SECOND;
  openedAt = now;
}

/** Store the verdict on the open question; `kind` is right, wrong, worked, hint or note. */
function setVerdict(kind, lines, typed = "") {
  openAttempt().says = { kind, lines: lines.filter((line) => line?.length), typed };
}

/** Answer the open question with a typed text, or with a choice. */
function submit(text, choice = null) {
  const question = openQuestion(), attempt = openAttempt();
  if (!question || attempt.done) return;
  const quoted = shortened(text.trim().replaceAll("-", MINUS), QUOTED);
  let judged;
  if (choice) judged = judgeChoice(question, choice);
  else {
    const number = parseExpression(text);
    if (number === null) {
      setVerdict("note", [[refusal(text, quoted)]]);
      return render("field");
    }
    judged = judge(question, number);
  }
  addSeconds();
  if (isOwnNumbers() && more.length === 0) work().presses += 1;
  const isNew = attempt.tries.every((each) => each.text !== text.trim()); // else whoever insists on it would get no other help
  const isHelped = !judged.right && countOfTries(attempt) === 1 && isNew && attempt.asked !== null && near(parseExpression(text), attempt.asked);
  if (isHelped) attempt.helped = (attempt.helped ?? 0) + 1;
  attempt.tries.push({ text: text.trim(), verdict: judged.verdict, answer: more.length > 0 ? attempt.tries.length + 1 : work().presses });
  if (judged.slip) {
    attempt.tries.at(-1).slip = { name: judged.slip, full: judged.full ?? "" };
    attempt.mended = judged.mended ?? "";
  }
  attempt.asked = judged.asked ?? null;
  const typed = choice ? choice.label : quoted;
  if (judged.right) accept(question, attempt, judged, typed);
  else {
    attempt.draft = "";
    const rung = countOfTries(attempt) + attempt.rungs, isNumber = Boolean(question.answer);
    if (rung >= LAST_TRY) showAnswer();
    else if (rung === 1 || !isNumber) setVerdict("wrong", [rung > 1 ? judged.again : judged.first], typed);
    else {
      const [before, last] = attempt.tries.slice(-2), again = last?.text === before.text ? question.wrong_same : judged.again ?? question.wrong_again;
      setVerdict("wrong", [countOfTries(attempt) > 1 ? again : question.wrong_hinted, judged.second ?? chosenText(question, question.second)], typed);
    }
  }
  save();
  return render("verdict");
}

/** Return the number of tries so far, without those that answered the question of a verdict. */
const countOfTries = ({ tries, helped }) => tries.length - (helped ?? 0);

/** Close the open question, whose answer was judged right. */
function accept(question, attempt, judged, typed) {
  const count = attempt.tries.length, praise = question.praise ?? [], { first, second, third, fourth } = page.words;
  const word = [first, second, third, fourth][Math.min(count, LAST_TRY + 1) - 1];
  const { mended } = attempt, remark = typeof judged.says === "string" ? judged.says : ""; // a choice says a text
  const because = question.answer ? chosenText(question, question.answer.because) : "";
  const says = mended || `${remark} ${because}`.trim();
  const own = question.answer ? [(remark && !mended && count === 1 ? says : `${word} ${says}`).trim()] : null;
  attempt.done = attempt.right = true;
  countPractice(1);
  setVerdict("right", [own ?? praise[Math.min(count, praise.length) - 1] ?? judged.says ?? []], typed);
  finishStep("done");
}

/** Count an attempt at the reader's own numbers, which ended right or not. */
function countPractice(right) {
  if (isOwnNumbers()) return;
  const { asked: before, right: rightBefore } = session.practised ?? { asked: 0, right: 0 };
  session.practised = { asked: before + 1, right: rightBefore + right };
}

/** Record how the step ended, "done" or "shown", once its last question is closed. */
function finishStep(state) {
  if (isAllDone()) work().state ||= state;
}

/** Show the answer of the open question, and the blanks that follow in its sentence. */
function showAnswer() {
  const question = openQuestion(), place = work().place;
  setVerdict("worked", [chosenText(question, question.worked)]);
  countPractice(0);
  for (const attempt of isOwnNumbers() && more.length === 0 ? work().given.slice(place, place + 1 + (question.rest ?? 0)) : [openAttempt()]) {
    attempt.done = attempt.shown = true;
  }
  finishStep("shown");
}

/** Return the next hint: that of the step, the rule, the second hint; then [], as the worked answer is next. */
function nextHint() {
  const question = openQuestion(), attempt = openAttempt(), ofStep = step().hint ?? [];
  if (ofStep.length && attempt.hints === 0) return ofStep;
  return chosenText(question, [question.rule, question.second][countOfTries(attempt) + attempt.rungs]);
}

function hint() {
  const question = openQuestion(), attempt = openAttempt();
  if (!question || attempt.done) return;
  const line = nextHint();
  attempt.hints += 1;
  attempt.asked = null;
  if (line !== step().hint) attempt.rungs += 1;
  if (line.length) setVerdict("hint", [line]);
  else showAnswer();
  save();
  render("verdict");
}

/** Show the answer of the open question, numbers that solve the task, or the next move. */
function showMe() {
  if (isAtEnd()) return;
  addSeconds();
  if (openQuestion() && !openAttempt().done && (step().kind !== "hunt" || movesLeft() === 0)) showAnswer();
  else if (step().doing && showTask()) work().state ||= "shown";
  else if (movesLeft() > 0) {
    work().moves += 1;
    work().state ||= "shown";
  }
  save();
  render(openQuestion() ? "verdict" : "");
}

/** Go on: to the next move, the next blank, or the next step. */
function goOn() {
  if (isAtEnd()) return;
  const question = openQuestion();
  if (practises()) {
    putNumbersBack();
    if (!openAttempt().done) return render("step");
  }
  if (more.length > 0 && openAttempt().done) {
    if (more.length < MORE) return askMore();
    const next = isFromEnd ? page.steps.length : session.at;
    endMore();
    if (next !== session.at) return go(next);
  }
  if (movesLeft() > 0 && !(question && openAttempt().done)) {
    work().moves += 1;
    if (movesLeft() === 0 && !question && !step().doing) work().state ||= "done";
  } else if (question && !openAttempt().done && !page.cover) {
    return remind();
  } else if (question && work().place + 1 < asked(session.at).length && !page.cover) {
    work().place = nextOpenPlace();
    if (openAttempt().done) return go(session.at + 1);
  } else if (!isDone(session.at)) {
    return remind();
  } else {
    return go(session.at + 1);
  }
  openedAt = Date.now();
  save();
  return render("step");
}

/** Return the index of the first open question after the present one, or of the present one. */
function nextOpenPlace() {
  const next = work().given.findIndex((attempt, k) => k > work().place && !attempt.done);
  return next < 0 ? work().place : next;
}

function back() {
  if (more.length > 0) {
    endMore();
    return render("step");
  }
  if (isAtEnd() || !openQuestion() || work().place === 0) return go(session.at - 1);
  work().place -= 1;
  return render("step");
}

/** Go to a step by its index, at most to the first one that is not done. */
function go(index) {
  if (index < 0 || index > page.steps.length || index === session.at) return;
  addSeconds();
  endMore();
  if (!isAtEnd() && isDone(session.at)) work().state ||= "done";
  session.at = Math.min(index, furthest());
  if (openQuestion() && !page.cover) putNumbersBack();
  save();
  render("step");
}

/** Say why Next does nothing, unless a verdict is on the screen. */
function remind() {
  const question = openQuestion();
  if (!question) {
    const status = parts.ask.querySelector(".status");
    if (status) status.textContent = NOT_DONE;
    return;
  }
  if (!openAttempt().says) {
    const wanted = question.choices?.length ? "Choose an answer" : "Type an answer";
    setVerdict("note", [[takesHelp() ? `${wanted}, or press Show me.` : `${wanted}.`]]);
    render("");
  }
}
