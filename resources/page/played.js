/* Played: a pass by hand and a descent, which the reader takes click by click. Each begins anew when
   its step is entered; what is said of it are texts of the task. */

const isPlayed = (doing) => Boolean(doing?.hand || doing?.descent);

/** Begin the pass or the descent of a step, whose `moves` are those so far. */
function beginPlay(found, progress) {
  played = {
    hand: found.doing.hand, descent: found.doing.descent,
    seeded: false, fired: [], refused: null, explains: false, remarks: [], // of early clicks
    epochs: 0, losses: [], first: null, before: null, earlier: null, isBlocked: false, isStuck: false, // the leaves of forward passes
  };
  found.moves = [];
  progress.moves = 0;
}

/** Return all moves of a played step: a node has room for their numbers. */
const movesToCome = ({ hand, descent }) => (hand ? [hand.seeded, ...Object.values(hand.turns).flatMap(({ move }) => move ?? [])] : [descent]);

/** Return the numbers of a played step by the keys of holes. */
function playedFields() {
  const { hand, before, earlier } = played;
  if (hand) {
    const right = passOf(leafNumbers), found = { ...right, ...passOf(leafNumbers, ticksByHand()), clicks: played.remarks.length };
    for (const [key, number] of Object.entries(right)) {
      if (key[0] === "g") found[`r${key.slice(1)}`] = number;
      if (key[0] === "s") found[key] = number;
    }
    return found;
  }
  const found = passOf(before ?? leafNumbers);
  for (const node of Object.keys(leafNumbers)) {
    const [b, p, d, v] = [before?.[node], earlier?.[node], found[`g${node}`], leafNumbers[node]];
    Object.assign(found, { [`b${node}`]: b, [`p${node}`]: p, [`d${node}`]: d, [`v${node}`]: v });
  }
  return Object.assign(found, { lost: played.losses.at(earlier && -2), epochs: played.epochs });
}

/** Show what a click has changed; what had the focus keeps it. */
function showPlay() {
  const { dataset: { node }, textContent: text } = document.activeElement, wasAsked = parts.ask.contains(document.activeElement);
  followPlay();
  render("");
  const buttons = [...parts.ask.querySelectorAll("button")];
  if (node) pageElement.querySelector(`.figure [data-node="${node}"], .no-focus .map [data-node="${node}"]`)?.focus();
  else if (wasAsked) (buttons.find((each) => each.textContent === text) ?? buttons[0]).focus();
}

/** Let the moves of the step, and the numbers, be those of what was done so far. */
function followPlay() {
  const { hand, descent, seeded, fired, before } = played, turns = fired.map((each) => hand.turns[each].move);
  if (hand) step().moves = seeded ? [hand.seeded, ...turns] : [];
  else step().moves = before ? [{ shown: descent.shown }] : [];
  work().moves = step().moves.length;
  runPass();
  if (descent && before) step().moves[0].says = descentTexts()[0];
}

/** Return the sentence of a played step, a line below it, and the buttons. */
function playedParts() {
  const { hand } = played, [sentence, line, past] = hand ? handTexts() : descentTexts();
  const button = (text, action, enabled = true) => make("button", {
    type: "button", class: "plain", "aria-disabled": String(!enabled), click: () => { if (enabled) { action(); showPlay(); } },
  }, text);
  const buttons = hand ? handButtons(button) : [1, 10].map((count) => button(count === 1 ? "1 epoch" : "10 epochs", () => takeEpochs(count), !played.isStuck));
  const texts = [make("p", { class: "sentence" }, ...spans(sentence)), make("p", {}, ...spans(line)), past ? make("p", {}, past) : null];
  const offers = hand && !isOver() && refusedByHand() ? [make("div", { class: "row" }, ...offersByHand(button))] : [];
  return [make("div", { class: "row acts" }, ...buttons), make("div", { class: "played", role: "status" }, ...texts), ...offers, taskStatus()];
}

/** Take one press of Show me, from the beginning where what was done leads elsewhere. */
function showPlayed() {
  const { hand, descent } = played, order = hand?.shows;
  const leadsThere = hand ? isOwnNumbers() && played.fired.every((node, k) => node === order[k]) && played.fired.length < order.length
    : played.epochs + descent.shows <= descent.most && Object.entries(OWN_NUMBERS).every(([node, number]) => Object.is((played.first ?? leafNumbers)[node], number));
  if (!leadsThere) {
    beginPlay(step(), work());
    setLeaves({ ...OWN_NUMBERS });
  }
  if (hand) Object.assign(played, { seeded: true, fired: [...played.fired, order[played.fired.length]], refused: null });
  else takeEpochs(descent.shows);
  followPlay();
  return step().doing.checks.every(holds);
}

/** Return the numbers of checks of a played step. */
function numbersPlayed() {
  const { descent, epochs, losses } = played;
  return { order: Number(isOver() && firedEarly().length === 0), epochs, loss: losses.at(-1) ?? null, rate: fromJson(descent?.rate) };
}

/* By hand. */

const rootByHand = () => live.ticks[0][0];
const isOver = () => Boolean(played.hand) && played.seeded && played.fired.length === played.hand.counts.length;

/** Return the indices of the ticks that the reader has let happen, in their order. */
function ticksByHand() {
  const all = [...live.ticks.keys()];
  return [played.seeded ? 0 : [], ...played.fired.map((node) => all.filter((k) => live.ticks[k][1] === node))].flat();
}

/** Return the sum of 2 ** k over those nodes, of all that one waits for, that have not fired. */
const waiting = (node, fired = played.fired) => (played.hand.turns[node].waits ?? []).reduce((sum, each, k) => sum + (fired.includes(each) ? 0 : 2 ** k), 0);
const firedEarly = () => played.fired.filter((node, k) => waiting(node, played.fired.slice(0, k)) > 0);

/** Return what is said of the refused node if it may fire all the same, else undefined. */
function refusedByHand() {
  const { hand, seeded, fired, refused } = played;
  return seeded && refused !== null && !fired.includes(refused) ? hand.turns[refused].refusals?.[waiting(refused)] : undefined;
}

/** Give the root its seed, or let a node fire if it may; else refuse it. */
function clickNode(id) {
  const { kind, inputs } = DRAWINGS[step().graph ?? 0].node(id), node = kind === "root" ? inputs[0] : id;
  const mayFire = played.seeded && played.hand.turns[node].move && !played.fired.includes(node) && !waiting(node);
  Object.assign(played, { refused: null, explains: false });
  if (!played.seeded && node === rootByHand()) played.seeded = true;
  else if (mayFire) played.fired.push(node);
  else {
    played.refused = node;
    played.remarks.push(...(refusedByHand() ? [refusedByHand().remark] : []));
  }
  showPlay();
}

function takeBack() {
  if (played.refused !== null) played.refused = null;
  else if (played.fired.length) played.fired.pop();
  else played.seeded = false;
}

function handButtons(button) {
  return [button("Take back", takeBack, played.seeded), isOver() ? button("Again", () => beginPlay(step(), work())) : null];
}

/** Return the buttons that a refusal offers. */
function offersByHand(button) {
  const force = () => Object.assign(played, { fired: [...played.fired, played.refused], refused: null });
  return [button("Fire anyway", force), played.explains ? null : button("Why the order?", () => { played.explains = true; })];
}

function handTexts() {
  const { hand, seeded, fired, refused, explains } = played, found = refusedByHand();
  const now = seeded ? step().moves.at(-1).says : hand.begin;
  if (isOver()) return endTexts();
  if (found) return [found.title, explains ? [found.why] : found.line];
  if (refused !== null) return [[seeded ? hand.turns[refused].never : hand.unseeded], now];
  return [now, [hand.counts[fired.length]]];
}

function endTexts() {
  const { hand: { end, turns }, fired, remarks } = played, early = firedEarly();
  const names = (nodes) => nodes.map((node) => turns[node].name).join(", ");
  if (early.length) {
    const isRight = ([node]) => near(fields[`g${node}`], fields[`r${node}`], Math.max(Math.abs(fields[`g${node}`]), fields[`s${node}`]));
    const wrong = Object.entries(end.wrong).filter((each) => !isRight(each)).map(([, text]) => filled(text));
    const line = (wrong.length ? end.damage : end.harmless).replace("{nodes}", () => names(early)).replace("{wrong}", () => wrong.join(", "));
    return [end.early[early.length - 1], [line]];
  }
  const program = [...new Set(live.ticks.map(([, sender]) => sender))].filter((node) => node !== undefined);
  const isOther = fired.some((node, k) => node !== program[k]), order = end.order.at(isOther ? -1 : 0).replace("{order}", () => names(fired));
  return [end.works[Math.min(end.works.length - 1, remarks.length)], [[...remarks.slice(0, 1), order].join(" ")]];
}

/* Descent. */

function takeEpochs(count) {
  for (let k = 0; k < count && !played.isStuck; k += 1) takeEpoch();
}

/** Move the leaves against their gradients, unless nothing moves or a number is not finite. */
function takeEpoch() {
  const { rate, learners } = played.descent, found = passOf(leafNumbers), loss = found[`v${rootByHand()}`];
  const next = { ...leafNumbers };
  for (const node of learners) next[node] -= fromJson(rate) * found[`g${node}`];
  played.first ??= leafNumbers;
  played.losses[played.epochs] = loss;
  const isBlocked = ![loss, ...learners.map((node) => found[`g${node}`])].every(Number.isFinite);
  const isStuck = isBlocked || learners.every((node) => Object.is(next[node], leafNumbers[node]));
  Object.assign(played, { earlier: played.before, before: leafNumbers, isBlocked, isStuck });
  if (isStuck) return;
  leafNumbers = next;
  played.epochs += 1;
}

const LOSSES_SHOWN = 12;

function descentTexts() {
  const { descent, before, earlier, epochs, losses, isBlocked, isStuck } = played;
  const kind = before === null ? 0 : isBlocked ? 3 + Math.min(epochs, 1) : earlier ? 2 : 1;
  const remark = isBlocked || before === null ? [] : isStuck ? [descent.stuck] : descent.stale;
  const shown = losses.slice(-LOSSES_SHOWN).map((loss) => decimals(loss, 4)).join(", ");
  return [chosenText({}, descent.says[kind]), [[filled(descent.epoch), "secondary"], remark.length ? "    " : "", ...remark], shown && descent.losses + shown];
}
