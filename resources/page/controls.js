/* Controls: fields, keys and choices to answer with, and the verdict below them. */

/** Return the controls to answer with, and the verdict below them. */
function askParts({ doing }, question) {
  if (doing) return played ? playedParts() : [taskStatus()];
  if (!question) return [];
  if (page.cover) return coverParts(question);
  if (question.choices?.length) return [choicesOf(question), verdictArea(question)];
  const keys = openAttempt().done || !hasKeys() ? [] : [keypad()];
  return [fieldRow(question), verdictArea(question), ...keys];
}

/** Return the button that shows a covered number, which counts as no answer; then the number. */
function coverParts(question) {
  if (openAttempt().done) return [make("div", { class: "room" }, verdictBox({ kind: "right", lines: [chosenText(question, question.worked)] }))];
  return [make("button", { type: "button", class: "plain wide", click: uncover }, `Show ${question.title || "the number"}`)];
}

/** Show the covered number of the open question, and open the next one. */
function uncover() {
  if (!openQuestion() || openAttempt().done) return;
  openAttempt().done = true;
  save();
  if (work().place + 1 < asked(session.at).length) work().place += 1;
  render("");
}

function choicesOf(question) {
  const attempt = openAttempt();
  const longest = Math.max(...question.choices.map((choice) => choice.label.length));
  const form = longest <= 4 ? "numbers short" : longest <= 9 ? "numbers" : "words";
  const buttons = question.choices.map((choice) => {
    const tried = attempt.tries.some((each) => each.text === choice.text);
    const isRight = attempt.done && choice.right && (attempt.shown || tried);
    const isWrong = tried && !choice.right;
    const state = isRight ? "right" : isWrong ? "wrong" : "";
    const sign = isRight ? " ✓" : isWrong ? " ✘" : "";
    const spoken = isRight ? `${choice.label}, right` : isWrong ? `${choice.label}, wrong` : null;
    const inner = isWrong ? make("s", {}, choice.label) : make("span", {}, choice.label);
    return make("button", {
      type: "button", class: `choice ${state}`, "aria-label": spoken,
      disabled: attempt.done || isWrong, click: () => submit(choice.text, choice),
    }, inner, sign ? make("span", { class: "sign", "aria-hidden": true }, sign) : null);
  });
  const answered = attempt.tries.length > 0 ? "answered" : "";
  return make("div", { class: `choices ${form} ${answered}`, role: "group", "aria-label": question.title || "Choices" }, ...buttons);
}

function fieldRow(question) {
  const attempt = openAttempt();
  const showsKeys = hasKeys();
  field = make("input", {
    type: "text", class: "field", inputmode: showsKeys ? "none" : "text", autocomplete: "off", autocapitalize: "off",
    spellcheck: "false", maxlength: LONGEST_ANSWER, "aria-label": question.title || "Your answer", enterkeyhint: "done",
    readonly: attempt.done, "aria-invalid": attempt.says?.kind === "note" ? "true" : null, input: onTyped,
    click: bringUpKeys, // as a phone scrolls to its own keyboard
  });
  field.placeholder = textAnswered() ?? "";
  field.value = attempt.done ? fieldText(question, attempt) : attempt.draft;
  const reads = make("output", { class: "reads" });
  const sign = attempt.done ? make("span", { class: "sign", "aria-hidden": true }, attempt.right ? "✓" : "") : null;
  const button = make("button", { type: "button", class: "main", click: () => submit(field.value), disabled: attempt.done }, "Answer");
  const row = make("div", { class: `field-row ${attempt.done && attempt.right ? "right" : ""}` }, make("div", { class: "box" }, field, reads, sign), button);
  queueMicrotask(() => showReading());
  return row;
}

/** Return the answer in the field of a closed question; where it was shown, the last try is wrong. */
function fieldText(question, { shown, tries }) {
  return (shown ? null : tries.at(-1)?.text) ?? (question.answer ? chosenText(question, question.answer.label) : "");
}

/** Return the word for the reader's device. */
function device() {
  return window.matchMedia("(pointer: fine)").matches ? "computer" : "phone";
}

/** Return whether the page shows its own number keys: not where there is a real keyboard. */
function hasKeys() {
  return !(window.matchMedia("(pointer: fine)").matches && layout() === "wide");
}

/** Return whether the page has Hint and Show me: an exercise may be without them. */
const takesHelp = () => page.hints ?? true;

/** Return the word on the button of hints, which says when there is none but the answer. */
const hintWord = () => (nextHint().length ? "Hint" : "Show it");

function keypad() {
  const buttons = KEYS.flat().filter((key) => key !== "hint" || takesHelp()).map((key) => {
    const isDigit = /^\d$/.test(key);
    const text = key === "back" ? "⌫" : key === "hint" ? hintWord() : key;
    const kind = key === "hint" ? "hint" : isDigit ? "digit" : "sign";
    return make("button", { type: "button", class: `key ${kind}`, "aria-label": KEY_NAMES[key] ?? null, "data-key": key, mousedown: (event) => event.preventDefault(), click: () => typeKey(key) }, text);
  });
  return make("div", { class: "keys", role: "group", "aria-label": "Number keys" }, ...buttons);
}

/** Type a key of the keypad into the field, at its caret. */
function typeKey(key) {
  if (key === "hint") return hint();
  if (!field || openAttempt().done) return undefined;
  const { selectionStart: start, selectionEnd: end, value } = field;
  if (key === "back") {
    if (start === end && start > 0) field.setRangeText("", start - 1, start, "end");
    else field.setRangeText("", start, end, "end");
  } else if (value.length < LONGEST_ANSWER) {
    const before = value.slice(0, start);
    const opens = before.split("(").length > before.split(")").length;
    const mayClose = opens && /[\d.)∞]$/.test(before);
    field.setRangeText(key === "( )" ? (mayClose ? ")" : "(") : key, start, end, "end");
  }
  return onTyped();
}

/** Store a change of the field, and draw it on the figure. */
function onTyped() {
  openAttempt().draft = field.value;
  if (openAttempt().says?.kind === "note") {
    openAttempt().says = null;
    parts.ask.querySelector(".room").replaceWith(verdictArea(openQuestion()));
    field.removeAttribute("aria-invalid");
  }
  save();
  showReading();
  drawFigure();
}

/** Show the value of a typed expression in the field; a plain number needs none. */
function showReading() {
  const reads = field?.parentElement?.querySelector(".reads");
  if (!reads || openAttempt().done) return;
  const number = parseExpression(field.value);
  const isPlain = /^[+-]?[\d.]*$/.test(ascii(field.value)) || /^[+-]?inf$|^nan$/.test(ascii(field.value));
  reads.textContent = number === null || isPlain ? "" : `= ${numberText(number)}`;
}

/** Return the area below the controls: the verdict, Hint, and the narration after the last
    answer. */
function verdictArea(question) {
  const { says, done } = openAttempt();
  const isTyped = !question.choices?.length;
  const hintButton = done || !takesHelp() || (isTyped && hasKeys()) ? null
    : make("button", { type: "button", class: "plain hint", click: hint }, hintWord());
  const again = isTyped ? "Try again. Your first answer counts." : "Choose again. Your first answer counts.";
  const room = make("div", { class: `room ${isTyped ? "typed" : "chosen"}` });
  if (says) room.append(verdictBox(says));
  const note = !says ? `Nothing leaves this ${device()}` : says.kind === "wrong" ? again : "";
  if (hintButton || (note && !(isTyped && hasKeys()))) room.append(make("div", { class: "row" }, hintButton, make("span", { class: "note" }, note)));
  // the worked sentence of a shown answer tells the step already
  const after = done && !openAttempt().shown && isAllDone() ? saying(step()) : [];
  if (after.length) room.append(make("p", { class: "after" }, ...spans(after)));
  if (offersMore()) room.append(moreButton("at other numbers", askMore));
  return room;
}

const isAllDone = () => work().given.every((each) => each.done);

const VERDICT_SIGNS = { right: "✓", wrong: "✘", worked: "", hint: "", note: "" };
const VERDICT_NAMES = { right: "Right: ", wrong: "Wrong: ", worked: "", hint: "Hint: ", note: "" };

function verdictBox({ kind, lines, typed: text }) {
  const sign = VERDICT_SIGNS[kind] ? make("span", { class: "sign", "aria-hidden": true }, VERDICT_SIGNS[kind]) : null;
  const spoken = VERDICT_NAMES[kind] ? make("span", { class: "spoken" }, VERDICT_NAMES[kind]) : null;
  const hasLead = kind === "right" || kind === "wrong" || kind === "note";
  const rows = lines.map((line, k) => make("p", {}, ...(k === 0 && hasLead ? verdictSpans(line, text) : spans(line, text))));
  rows[0]?.prepend(...(spoken ? [spoken] : []));
  return make("div", { class: `verdict ${kind}`, tabindex: "-1", role: kind === "note" ? "alert" : null }, make("div", { class: sign ? "lines signed" : "lines" }, sign, ...rows));
}

function renderFoot() {
  const children = [];
  if (session.at === (page.begins ?? 0) || isAtEnd()) {
    if (storage() !== null) {
      const box = make("input", { type: "checkbox", change: (event) => { isKept = event.target.checked; save(); } });
      box.checked = isKept;
      children.push(make("label", { class: "keep" }, box, `Remember on this ${device()}`));
    }
  }
  const isBesideNumbers = page.live && (numbersRest() || layout() === "wide");
  if ((page.live || page.kind === "lesson") && !isBesideNumbers && !isAtEnd()) children.push(...linkParts());
  parts.foot.replaceChildren(...children);
}
