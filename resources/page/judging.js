/* Judging: the verdict on a typed number or a choice, in the order that page_data.py gives. */

/** Judge a typed number, in the order that page_data.py gives.

    Returns right, verdict and slip as a record stores them, and texts: `says`, or `first` and `again`. */
function judge(question, number) {
  const { answer } = question;
  const right = fromJson(answer.number);
  if (near(number, right, fromJson(answer.scale) ?? 0)) return { right: true, verdict: "right" };
  const slips = question.slips ?? [];
  const exact = slips.find((s) => s.exact !== false && near(number, fromJson(s.number)));
  if (exact) return wrongBy(exact);
  if ((answer.rounded ?? []).some((other) => near(number, other))) {
    return { right: true, verdict: "rounded", says: answer.rounded_says };
  }
  const rounded = slips.find((s) => (s.rounded ?? []).some((other) => near(number, other)));
  if (rounded) return wrongBy(rounded);
  const low = fromJson(answer.low), high = fromJson(answer.high);
  if (low !== null && low <= number && number <= high) {
    return { right: true, verdict: "rounded", says: answer.digits };
  }
  return { right: false, verdict: "wrong", first: question.wrong, again: question.wrong_again };
}

function wrongBy(slip) {
  return { right: false, verdict: "slip", slip: slip.name, ...slip };
}

/** Judge a choice; returns as `judge`. */
function judgeChoice(question, choice) {
  const slip = (question.slips ?? [])[choice.slip ?? -1];
  const says = choice.says ?? [];
  if (choice.right) return { right: true, verdict: choice.verdict, says };
  return {
    right: false,
    verdict: choice.verdict ?? "wrong",
    slip: choice.slip_name || slip?.name,
    full: slip?.full,
    mended: slip?.mended,
    asked: slip?.asked,
    second: slip?.second,
    first: says.length ? says : slip?.first ?? question.wrong,
    again: choice.again?.length ? choice.again : slip?.again ?? (says.length ? says : question.wrong_again),
  };
}
