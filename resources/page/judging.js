/* Judging: the verdict on a typed number or a choice, in the order that page_data.py gives. */

const MOST_RELATIVE_ERROR = 0.01; // of an answer computed from numbers that are shown rounded
const MOST_ROUNDED = 0.051; // by which rounding to two digits changes a number
const MOST_DIGITS = 17;
const LONGEST_REASON = 100; // characters, and of a praise
const LONGEST_PRAISE = 140;

/** Return whether a number is another one rounded to two significant digits or more. */
function rounds(number, full) {
  if (!finite(number, full) || full === 0 || Math.abs(number - full) > MOST_ROUNDED * Math.abs(full)) return false;
  const [mantissa, exponent] = Math.abs(full).toExponential().split("e"), figures = mantissa.replace(".", "");
  for (let count = 2; count < MOST_DIGITS; count += 1) {
    const up = roundedTo({ figures, first: Number(exponent) }, count), forms = [`${up.figures[0]}.${up.figures.slice(1)}0e${up.first}`];
    // a half to the even digit, as Python has it
    if (figures.slice(count) === "5" && "02468".includes(figures[count - 1])) forms.push(`${figures[0]}.${figures.slice(1, count)}e${exponent}`);
    if (forms.some((form) => near(number, Math.sign(full) * Number(form)))) return true;
  }
  return false;
}

/** Judge a typed number, in the order that page_data.py gives.

    Returns right, verdict and slip as a record stores them, and texts: `says`, or `first`. */
function judge(question, number) {
  const { answer } = question, own = numbersAround(question);
  const right = numberOf(answer.number, own), scale = numberOf(answer.scale ?? 0, own);
  if (near(number, right, scale)) return { right: true, verdict: "right" };
  const slips = (question.slips ?? []).filter(({ wrong }) => !wrong || numberOf(wrong, own) !== undefined)
    .map((slip) => Object.assign({}, slip, { number: numberOf(slip.number, own) })).filter((slip) => !near(slip.number, right, scale));
  const exact = slips.filter((slip) => near(number, slip.number));
  if (near(number, -right)) exact.sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0));
  if (exact.length) return slipped(question, number, exact, slips);
  if (rounds(number, right)) return { right: true, verdict: "rounded", says: page.words.rounded };
  const rounded = slips.filter((slip) => rounds(number, slip.number));
  if (rounded.length) return slipped(question, number, rounded, slips);
  const fromRounded = areRounded(digitsShown, ...(answer.sources ?? []).map((key) => numberOf(key, own)));
  const isNear = (full) => fromRounded && finite(number, full) && Math.abs(number - full) <= MOST_RELATIVE_ERROR * Math.abs(full);
  if (isNear(right)) return { right: true, verdict: "rounded", says: chosenText(question, answer.digits) };
  const fromDigits = slips.filter((slip) => isNear(slip.number));
  if (fromDigits.length) return slipped(question, number, fromDigits, slips);
  return { right: false, verdict: "wrong", first: chosenText(question, question.wrong) };
}

const digitsShown = page.digits ?? 4;

/** Return the verdict on a number that several slips give, the likeliest first. */
function slipped(question, number, found, slips) {
  const [slip] = found, shown = short(slip.number, digitsShown);
  const reason = found.filter((each) => near(each.number, slip.number)).map((each) => reasonOf(question, each)).find((each) => each);
  const right = unsigned(chosenText(question, question.answer.label)), fact = chosenText(question, slip.fact);
  const isTold = reason?.numbers.includes(right) && right !== unsigned(shown);
  let first = isTold ? null : reason?.says ?? null;
  if (first && !near(number, slip.number) && short(number, digitsShown) !== shown) {
    const [cross, typed, rest] = first;
    first = String(rest).startsWith(" is ") ? [cross, typed, rest.replace(" is ", " is about "), ...first.slice(3)] : null;
  }
  const mended = found.map(({ name }) => reasonOf(question, slips.find((each) => each.name === name))?.mended).find((text) => text);
  return {
    right: false, verdict: "slip", slip: slip.name, full: chosenText(question, slip.full), mended, asked: reason?.asked,
    first: first ?? (fact.length ? fact : chosenText(question, question.wrong)), second: slip.second && chosenText(question, slip.second),
  };
}

/** Return what is said against a slip's number, null where nothing is. */
function reasonOf(question, slip) {
  const found = chosenText(question, slip.reason), own = numbersAround(question), shown = short(slip.number, digitsShown);
  if (!found?.says) return null;
  const says = found.says.map((span) => filledSpan(span, own));
  if ([...plain(says.slice(1), shown)].length > LONGEST_REASON) return null;
  const mended = filled(found.mended, own);
  const asked = found.asked === undefined ? null : numberOf(found.asked, own);
  return { says, asked, mended: [...mended].length > LONGEST_PRAISE ? "" : mended, numbers: found.numbers.map((text) => unsigned(filled(text, own))) };
}

/** Judge a choice; returns as `judge`. */
function judgeChoice(question, choice) {
  const says = choice.says ?? [], { verdict } = choice;
  if (choice.right) return { right: true, verdict, says };
  if (!says.length && question.answer) return judge(question, parseExpression(choice.text));
  return { right: false, verdict: verdict ?? "wrong", slip: choice.slip_name, first: says, again: choice.again ?? says };
}
