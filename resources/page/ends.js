/* Ends: at the reader's numbers the end of a pass, and what the correct pass has where a mistake is made. */

const MOST_EFFECTS = 4, LARGEST_SHOWN = 3; // leaves whose effects are all told, and of more so many
const LEAF_CHANGE = 0.01; // as in app/workbench/words/ends.py
const MEASUREMENT_TOLERANCE = 0.1; // relative, of a measured ratio
const SAME = 1e-9; // relative, of two gradients

/** Return a sentence of the page with its fields. */
const worded = (key, named) => page.words[key].replace(/\{(\w+)\}/g, (_, name) => named[name]);
const shortName = (node) => { const found = DRAWINGS[0].node(node); return found.short || found.name; };
const sizeOf = (x) => (Number.isNaN(x) ? Infinity : Math.abs(x));

/** Return the leaves with a gradient, the largest first. */
function rankedLeaves() {
  const known = live.leaves.map(({ node }) => node).filter((node) => `g${node}` in fields);
  return [known, known.toSorted((a, b) => sizeOf(fields[`g${b}`]) - sizeOf(fields[`g${a}`]) || 0)];
}

/** Return the sentence about the end, with the leaves of the largest gradients where it names some. */
function endSentence({ says }) {
  const own = Object.create(fields);
  rankedLeaves()[1].forEach((node, k) => Object.assign(own, { [`r${k}`]: fields[`g${node}`], [`Nr${k}:16`]: shortName(node) }));
  return says.map((span) => filledSpan(span, own));
}

/** Return the line below it: what a small change of the leaves does or how many gradients are wrong,
    else the last step. */
function endLine() {
  const wrong = comparison() ? differing() : meaning();
  return wrong ? [wrong] : saying(page.steps.at(-2));
}

function differing() {
  const known = live.order.filter((node) => `g${node}` in fields), { final, sizes } = comparison();
  const count = known.filter((node) => !isSame(fields[`g${node}`], final[node] ?? 0, sizes[node])).length;
  return worded(count === 0 ? "agree" : known.length === 1 ? "differs" : count === 1 ? "one" : "many", { count, known: known.length });
}

/** Return what 0.01 more of each leaf does to the root; "" where it responds unlike its gradient. */
function meaning() {
  const [known, ranked] = rankedLeaves(), { root } = page.graphs[0], value = fields[`v${root}`];
  const leaves = known.length <= MOST_EFFECTS ? known : ranked.slice(0, LARGEST_SHOWN);
  const isKink = ([, sender, slot]) => slot !== undefined && CONVENTIONS[COMPUTED.get(sender).op]?.[slot](...COMPUTED.get(sender).inputs.map((source) => fields[`v${source}`]));
  if (!isCorrectPass() || !finite(...live.order.map((node) => fields[`v${node}`]), ...leaves.map((node) => fields[`g${node}`])) || live.ticks.some(isKink)) return "";
  const alike = new Map();
  let isTrue = true;
  for (const node of leaves) {
    const grad = fields[`g${node}`], moved = leafNumbers[node] + LEAF_CHANGE;
    const ratio = difference(passOf({ ...leafNumbers, [node]: moved })[`v${root}`], value) / difference(moved, leafNumbers[node]);
    isTrue &&= !(Math.abs(ratio - grad) > MEASUREMENT_TOLERANCE * (Math.abs(grad) || 1)); // it may be nan
    const before = alike.get(grad) ?? { names: [], moves: false };
    alike.set(grad, { names: [...before.names, shortName(node)], moves: before.moves || ratio !== 0 });
  }
  if (!isTrue) return "";
  let size = NaN;
  const clauses = [...alike].map(([grad, { names, moves }], k) => {
    const effectName = grad === 0 ? (moves ? "flat" : "still") : grad > 0 ? "rises" : "falls";
    const effects = worded(`${effectName} ${Math.abs(grad) === size}`, { root: k ? "it" : shortName(root), by: short(Math.abs(grad) * LEAF_CHANGE, digitsShown) });
    size = Math.abs(grad);
    const listed = names.length > 1 ? `${names.slice(0, -1).join(", ")} or ${names.at(-1)}` : names[0];
    return worded(k ? "later" : "more", { leaves: listed, effect: effects });
  });
  return clauses.length ? `${clauses.join("; ")}.` : "";
}

/* The correct pass. */

const correctLive = () => (mistake === NO_MISTAKE ? page.correct ?? null : NO_MISTAKE.live);
const isCorrectPass = () => correctLive() === null;

function isSame(a, b, size = 0) {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true;
  return Number.isFinite(a - b) && Math.abs(a - b) <= SAME * Math.max(Math.abs(a), Math.abs(b), size);
}

/** Return this pass against the correct one, null where it is that one: by tick the gradient that is
    `expected` after it, what should be `sent`, and whether it goes `wrong`; by node the `final`
    gradient and the size of the summands. */
function comparison() {
  const right = live && page.kind === "graph" ? correctLive() : null;
  if (right === null) return null;
  return compared ??= comparedWith(right);
}

function comparedWith(right) {
  const pass = passOf(leafNumbers, right.ticks.keys(), right), rightly = {}, final = {}, sizes = {};
  right.ticks.forEach(([node, sender, slot], k) => {
    if (slot !== undefined) rightly[wireKey(sender, slot)] = pass[`c${k}`];
    final[node] = pass[`g${node}`];
  });
  live.ticks.forEach(([node, , slot], k) => {
    const size = slot === undefined ? 0 : Math.abs(fields[`c${k}`]);
    sizes[node] = Math.max(sizes[node] ?? 0, Number.isFinite(size) ? size : 0);
  });
  let sums = {}, arrived = new Set();
  const ticks = live.ticks.map(([node, sender, slot], k) => {
    if (slot === undefined) {
      if (sender === undefined) [sums, arrived] = [{}, new Set()]; // a second pass starts from zero
      sums[node] = sender === undefined ? live.seed : 0;
      return { expected: sums[node], sent: null, isWrong: false };
    }
    const wire = wireKey(sender, slot), sent = rightly[wire] ?? 0, contribution = fields[`c${k}`];
    if (!arrived.has(wire)) sums[node] = (sums[node] ?? 0) + sent;
    arrived.add(wire);
    const isWrong = !isSame(contribution, sent, sizes[node]) || !isSame(fields[`a${k}`], sums[node], sizes[node]);
    return { expected: sums[node], sent: isSame(contribution, sent) ? null : sent, isWrong };
  });
  return { ticks, final, sizes };
}

/** Return the remark about the correct pass at a step that goes wrong; [] at any other. */
function verdictOn({ kind, focus }) {
  const { ticks } = (kind === "backward" && focus && comparison()) || {}, at = ticks?.[focus.step - 1];
  if (!at?.isWrong) return [];
  const isFirst = ticks.findIndex(({ isWrong }) => isWrong) === focus.step - 1, isSum = at.sent === null;
  const number = isSum ? at.expected : at.sent;
  const [here, words] = page.words[`wrong ${Number(isFirst)}${Number(isSum)}`].split("|");
  return [" ", [here, "error"], words, [short(number, digitsShown, isSum ? "" : "+"), Number.isFinite(number) ? "gradient" : "error", "b"], "."];
}

/** Return what a mistake shows on the figure after a step: keys of wrong gradients, and of the
    contributions that were overwritten. */
function faultsAt({ kind, focus }) {
  const faults = { wrong: new Set(), struck: new Set() };
  if (!live || page.kind !== "graph" || played || kind === "forward") return faults;
  const count = kind === "end" ? live.ticks.length : focus?.step ?? 0, latest = {}, arrived = {};
  live.ticks.slice(0, count).forEach(([node, sender, slot], k) => {
    latest[node] = k;
    if (slot === undefined || !live.replaces) return;
    if (arrived[node]) faults.struck.add(`c${arrived[node]}`);
    arrived[node] = wireKey(sender, slot);
  });
  const found = comparison();
  for (const [node, k] of Object.entries(found ? latest : {})) {
    const right = kind === "end" ? found.final[node] ?? 0 : found.ticks[k].expected;
    const held = kind === "end" ? fields[`g${node}`] : fields[`a${k}`] ?? right;
    if (!isSame(held, right, found.sizes[node])) faults.wrong.add(`g${node}`);
  }
  return faults;
}
