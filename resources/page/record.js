/* Record: what the end page shows and copies. */

const LONGEST_NAME = 200;
const LONGEST_FILE_NAME = 60; // of signs that take up to four bytes each; file systems allow 255
const BASE32_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"; // this and the next two as in page_record.py
const CHECKSUM_FACTOR = 37;
const CHECKSUM_MODULUS = 1021;

/** Return each question of the page with the attempt at it. */
function allAttempts() {
  return page.steps.flatMap((_, index) => asked(index).map((question, k) => ({ question, attempt: session.steps[index].given[k] })));
}

const isRightFirstTime = ({ right, shown, hints, tries }) => right && !shown && hints === 0 && tries.length === 1;
const wasTouched = ({ tries, hints, shown }) => tries.length > 0 || hints > 0 || shown;

/** Return a count in base 32; one that is too large for its width is the largest that fits. */
function base32(count, width) {
  let rest = Math.min(count, BASE32_DIGITS.length ** width - 1), text = "";
  for (let k = 0; k < width; k += 1) {
    text = BASE32_DIGITS[rest % BASE32_DIGITS.length] + text;
    rest = Math.floor(rest / BASE32_DIGITS.length);
  }
  return text;
}

/** Return the code of 12 characters; `RecordData` describes it. */
function recordCode() {
  const all = allAttempts().map(({ attempt }) => attempt).filter(wasTouched);
  const hinted = all.filter(({ hints }) => hints > 0).length, shown = all.filter((attempt) => attempt.shown).length;
  const body = page.record.page + base32(all.filter(isRightFirstTime).length, 2) + base32(all.length, 2) + base32(hinted, 1) + base32(shown, 1);
  const sum = [...body].reduce((total, digit, k) => total + (k + 1) * BASE32_DIGITS.indexOf(digit), 0);
  const all12 = body + base32((sum * CHECKSUM_FACTOR) % CHECKSUM_MODULUS, 2);
  return [all12.slice(0, 4), all12.slice(4, 8), all12.slice(8)].join("-");
}

/** Return the record as the text of a file that `backwire grade` reads. */
function recordText() {
  return page.record.form === "progress" ? progressText() : reportText();
}

function reportText() {
  const attempts = [...allAttempts().filter(({ attempt }) => wasTouched(attempt)), ...moreAttempts()].map(attemptText);
  const list = attempts.length ? `,\n "attempts": [\n  ${attempts.join(",\n  ")}\n ]` : "";
  const student = session.name ? ` "student": ${JSON.stringify(session.name)},\n` : "";
  return `${page.record.head}${student}${page.record.body}${list}\n}\n`;
}

function attemptText({ question, attempt, set }) {
  const { kind, node, slot, step: at } = question.record;
  const named = [["kind", JSON.stringify(kind)], ["node", node]];
  if (slot !== null && slot !== undefined) named.push(["slot", slot]);
  if (at) named.push(["step", at]);
  if (attempt.hints) named.push(["hints", attempt.hints]);
  if (attempt.shown) named.push(["shown", true]);
  named.push(["seconds", attempt.seconds.toFixed(1)]);
  if (set !== undefined) named.push(["values", `{${live.leaves.map((leaf, k) => `"${leaf.node}": ${page.sets[set][k]}`).join(", ")}}`]);
  const tries = attempt.tries.map((each) => `{"text": ${JSON.stringify(each.text)}, "verdict": "${each.verdict}", "answer": ${each.answer}}`);
  if (tries.length) named.push(["tries", `[${tries.join(", ")}]`]);
  if (session.round) named.push(["round", session.round]);
  if (set !== undefined) named.push(["set", set + 1]);
  return `{${named.map(([name, value]) => `"${name}": ${value}`).join(", ")}}`;
}

/** Return the local date some days from today, as 2025-12-31. */
function dayFromToday(days) {
  const date = new Date();
  date.setDate(date.getDate() + days);
  const monthAndDay = [date.getMonth() + 1, date.getDate()].map((number) => String(number).padStart(2, "0"));
  return [date.getFullYear(), ...monthAndDay].join("-");
}

function progressText() {
  const { key, digest, title, seed } = page.record.lesson;
  const all = allAttempts().filter(({ attempt }) => wasTouched(attempt));
  const states = session.steps.map((each) => each.state);
  const numbers = all.filter(({ question }) => question.record.kind !== "text");
  const lesson = {
    digest, at: Math.min(session.at, page.steps.length - 1), states, seed,
    right: all.filter(({ attempt }) => isRightFirstTime(attempt)).length, asked: all.length,
    seconds: Math.round(10 * all.reduce((sum, { attempt }) => sum + attempt.seconds, 0)) / 10,
    ended: isAtEnd() ? dayFromToday(0) : "",
  };
  const slips = new Map();
  for (const { question, attempt } of numbers) {
    const slip = attempt.tries[0]?.slip;
    if (slip) slips.set(slip.name, { name: slip.name, kind: question.record.kind, lesson: key, title, last: dayFromToday(0), next: dayFromToday(1) });
  }
  const kinds = [...new Set(numbers.map(({ question }) => question.record.kind))];
  const file = {
    format: "backwire progress", version: 2, lessons: { [key]: lesson }, slips: [...slips.values()],
    asked: kinds.map((kind) => ({ kind, lesson: key, title, last: dayFromToday(0) })), student: session.name,
  };
  return `${JSON.stringify(file, null, 1)}\n`;
}

function renderEnd() {
  const all = allAttempts().map(({ attempt }) => attempt).filter(wasTouched), right = all.filter(isRightFirstTime).length;
  const found = [make("h2", {}, "The end")];
  if (page.able) found.push(make("p", {}, page.able));
  if (page.surprise) found.push(make("p", {}, page.surprise));
  if (all.length) found.push(make("p", { class: "sentence" }, make("b", {}, `${right} of ${all.length}`), " right first time."));
  const atSets = moreAttempts(), { asked: practised, right: rightOfPractised } = session.practised ?? {};
  if (atSets.length) found.push(make("p", { class: "note" }, `Three more: ${rightOf(atSets)} of ${atSets.length} right first time.`));
  if (practised) found.push(make("p", { class: "note" }, `${practised} more at your own numbers, ${rightOfPractised} right.`));
  const slips = new Map();
  for (const { slip } of [...all, ...atSets.map(({ attempt }) => attempt)].flatMap(({ tries }) => tries)) if (slip?.full) slips.set(slip.full, (slips.get(slip.full) ?? 0) + 1);
  const lines = [...slips].map(([text, count]) => make("li", {}, count > 1 ? `${text} (${count} times)` : text));
  if (lines.length) found.push(make("h3", {}, lines.length > 1 ? "Slips" : "One slip"), make("ul", { class: "slips" }, ...lines));
  parts.step.replaceChildren(...found);
  const onward = (page.onward ?? []).map(([text, href]) => make("p", {}, make("a", { href }, text)));
  parts.ask.replaceChildren(...onward, moreOfSlip() ?? "", ...(all.length ? recordParts() : []), make("button", { type: "button", class: "plain wide", click: beginAgain }, "Begin again"));
}

function recordParts() {
  const text = make("textarea", { readonly: true, rows: 4, "aria-label": "Record", class: "record" });
  text.value = recordText();
  const name = make("input", {
    type: "text", class: "name", maxlength: LONGEST_NAME, autocomplete: "name",
    input: (event) => {
      session.name = event.target.value.trim();
      text.value = recordText();
      save();
    },
  });
  name.value = session.name;
  const status = make("p", { class: "told", role: "status" });
  const copy = make("button", { type: "button", class: "main", click: () => copyRecord(text, status) }, "Copy the record");
  const keep = make("button", { type: "button", class: "plain", click: () => saveRecord(text, status) }, "Save it as a file");
  return [
    make("p", {}, "Your code: ", make("b", { class: "code" }, recordCode())),
    make("p", { class: "note" }, "It says how many were right first time. The record says what you answered."),
    make("label", {}, "Your name, if you hand it in", name),
    make("div", { class: "row" }, copy, keep),
    status,
    make("details", {}, make("summary", {}, "The record"), text),
  ];
}

/** Copy the record; where the browser refuses, select it for the reader to copy. */
async function copyRecord(text, status) {
  try {
    await navigator.clipboard.writeText(text.value);
    status.textContent = "Copied.";
  } catch {
    text.closest("details").open = true;
    text.focus();
    text.select();
    status.textContent = document.execCommand("copy") ? "Copied." : "Copy what is selected.";
  }
}

/** Save the record as a file with the reader's name. Its text is the address itself: nothing is
    requested. Who forbids a frame to download says nothing to it, so copying is named too. */
function saveRecord(text, status) {
  const name = `${session.name} ${page.title}`.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, LONGEST_FILE_NAME);
  const file = `${name || "record"}.${page.record.form === "progress" ? "progress" : "report"}.json`;
  make("a", { download: file, href: `data:application/json;charset=utf-8,${encodeURIComponent(text.value)}` }).click();
  status.textContent = `Saved as ${file}. If there is no such file, copy the record.`;
}

function beginAgain() {
  more = [];
  session = { ...newSession(), name: session.name, round: (session.round ?? 0) + 1 };
  openedAt = Date.now();
  putNumbersBack();
  save();
  render("step");
}
