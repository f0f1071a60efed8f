/* Nodes: the parts of a figure, as SVG. Sizes are in px at a text size of 16. */

// heights of the parts of a node
const HEADER = 28, PADDING = 4, CELL = 38, ROW = 26, LEDGER = 30, PILL = 24;
const CORNERS = { round: 16, square: 8, cut: 10 }; // of a leaf's left and a root's right side, others, a constant
const EDGE = 12; // least distance of anything in a figure from its border
const CAPSULE = { width: 10, height: 44 };
const CHIP = { mark: 5, end: 7, frame: 22 }; // px of a ledger's chip: before its mark, after its text, all beside it
const LEAST_TEXT = 10; // px on the screen; a smaller text is left out
const FONT = "system-ui, sans-serif";
const SIZES = { name: 16, number: 16, caption: 11.5, chip: 13, label: 15, tag: 14, sign: 14 };
const WEIGHTS = { name: 700, number: 700, caption: 400, chip: 600, label: 600, tag: 400, sign: 600 };
const MARKS = ["circle", "square", "triangle", "diamond"];
const UNKNOWN = "–";

const { caption: CAPTION, number: NUMBER } = SIZES;
const DENSE_NUMBER = 14; // px, in a whole graph, whose captions grow as it is scaled down

/** Draw captions and numbers in these sizes in px. */
function setSizes(caption, number) {
  Object.assign(SIZES, { caption, number });
  parts.focus.style.setProperty("--caption", `${caption}px`);
  parts.focus.style.setProperty("--number", `${number}px`);
}

const measuringContext = document.createElement("canvas").getContext("2d");

const MOST_WIDTHS = 1_000; // texts of a role whose widths are kept
const knownWidths = {}; // by role its size, and px by text, as measuring costs most of a figure

/** Return the width of a text in px. */
function widthOf(text, role) {
  const size = SIZES[role];
  if (knownWidths[role]?.size !== size) knownWidths[role] = { size, texts: new Map() };
  const { texts } = knownWidths[role];
  let found = texts.get(text);
  if (found === undefined) {
    if (texts.size >= MOST_WIDTHS) texts.clear();
    measuringContext.font = `${WEIGHTS[role]} ${size}px ${FONT}`;
    found = measuringContext.measureText(text).width;
    texts.set(text, found);
  }
  return found;
}

/** Return whether captions drawn at a scale are too small to be read. */
const isTooSmall = (scale) => SIZES.caption * scale < LEAST_TEXT;

/** Return a text cut to a width, with an ellipsis. */
function elided(text, role, width) {
  if (widthOf(text, role) <= width) return text;
  const signs = [...text];
  while (signs.length > 1 && (signs.at(-1) === "…" || widthOf(`${signs.join("")}…`, role) > width)) signs.pop();
  return `${signs.join("")}…`;
}

function label(text, role, x, y, classes = "", anchor = "start") {
  return shape("text", { x, y, class: `t-${role} ${classes}`, "text-anchor": anchor, dy: "0.35em" }, text);
}

/** Return the key of a wire, without the letter of a state's key. */
const wireKey = (node, slot) => `${node}.${slot}`;
/** Return the sender and the slot of a wire's key. */
const wireEnds = (key) => key.split(".").map(Number);

/** Return the class of a number of `numberAt`: asked, or its own. */
function numberClass(number, own) {
  return number.asked ? "asked" : `${own}${number.moved ? " moved" : ""}${number.wrong ? " wrong" : ""}`;
}

/** A graph with its nodes by id, and the readers of each: pairs of a node's id and its slot. */
class Drawing {
  constructor(graph) {
    this.graph = graph;
    this.longest = {}; // LONGEST of the step that is shown
    this.nodes = new Map(graph.nodes.map((node) => [node.id, node]));
    this.readers = new Map(graph.nodes.map((node) => [node.id, []]));
    for (const node of graph.nodes) {
      (node.inputs ?? []).forEach((source, slot) => this.readers.get(source)?.push([node.id, slot]));
    }
  }

  node(id) {
    return this.nodes.get(id) ?? null;
  }

  /** Return the hue of a wire, an index of MARKS, by its place among those of its source; -1 for
      a single one. */
  hueOf(source, key) {
    const wires = this.readers.get(source) ?? [];
    const place = wires.findIndex(([node, slot]) => wireKey(node, slot) === key);
    return wires.length > 1 ? place % MARKS.length : -1;
  }

  /** Return the keys of the wires that bring a node several contributions, in their order, else
      []. */
  arrivals(id) {
    const keys = (this.graph.arrivals ?? {})[id] ?? [];
    return keys.length > 1 ? keys : [];
  }
}

const DRAWINGS = page.graphs.map((graph) => new Drawing(graph));

const isSeated = (node) => node.seated !== null && node.seated !== undefined; // drawn inside its reader
const hasColumns = (node) => node.kind === "op" || node.kind === "root";
const rowHeight = (node) => (hasColumns(node) ? CELL : ROW);
const rowCount = (node) => (node.kind === "constant" ? 1 : 2);
const slotY = (node, slot) => HEADER + PADDING + rowHeight(node) * (slot + 0.5);
const capsuleY = (node) => HEADER + PADDING + (rowHeight(node) * rowCount(node)) / 2;
const nodeText = (node) => node.short || node.name;

function bodyHeight(node) {
  const rows = Math.max((node.inputs ?? []).length, rowCount(node));
  return HEADER + 2 * PADDING + rows * rowHeight(node);
}

/** Return a number of a figure: its text, whether it is asked for, and whether it is known. */
function numberAt(view, key) {
  if (view.typed[key] !== undefined) return { text: view.typed[key], asked: true };
  const text = view.state[key];
  const moved = stateBefore !== null && stateBefore[key] !== text;
  return { text: text ?? UNKNOWN, asked: text === PLACEHOLDER, known: text !== undefined, moved, wrong: view.wrong?.has(key) ?? false };
}

const RESERVED = "−88.88"; // the number for which a live page has room wherever one stands
const RESERVED_CHIP = "−8.88"; // the same in a ledger
const RESERVED_TIGHT = page.live ? "−8.8" : ""; // in place of either where boxes would not fit
const NEARLY_NARROWEST = 1.15;
const RESERVED_ON_MAP = "−88";

/** Return the room in px for a text that numbers of the reader's may lengthen. */
const roomOf = (text, role, reserved = RESERVED) => Math.max(widthOf(text, role), live ? widthOf(reserved, role) : 0);

/** Return the box of a node in the focus, wide enough for each of its numbers in this step.

    `left` is the width of an operation's left column, `kind` the text at the right of the header. */
function boxOf(drawing, node, hasFormula = true, mostName = 150, reserved = RESERVED, reservedChip = RESERVED_CHIP) {
  const { longest } = drawing;
  const widest = (key) => roomOf(longest[key] ?? PLACEHOLDER, "number", reserved);
  const cell = Math.max(28, widest(`v${node.id}`), widest(`g${node.id}`));
  const name = Math.min(widthOf(nodeText(node), "name"), mostName);
  const kind = node.kind === "op" ? (hasFormula ? node.formula ?? "" : "") : node.kind;
  let header = 11 + name + 10 + (kind ? widthOf(kind, "caption") + 10 : 0);
  if (node.symbol) header += 28 + Math.max(0, widthOf(node.symbol, "sign") - 12);
  let left = 0;
  let width = 11 + 30 + 8 + cell + 14;
  if (node.kind === "op") {
    const captions = (node.captions ?? []).map((text) => widthOf(text, "caption"));
    const locals = (node.inputs ?? []).map((_, slot) => widest(`l${wireKey(node.id, slot)}`));
    left = 13 + Math.max(27, ...captions, ...locals) + 7;
    width = left + 8 + cell + 14;
  } else if (node.kind === "root") width = 11 + cell + 14;
  const chips = drawing.arrivals(node.id).slice(-3);
  if (chips.length) {
    const each = chips.map((key) => Math.max(18, chipRoom(drawing, `c${key}`, reservedChip)) + CHIP.frame + 4);
    const sum = widthOf("= ", "chip") + chipRoom(drawing, `g${node.id}`, reservedChip);
    width = Math.max(width, 21 + each.reduce((a, b) => a + b, 0) + sum + 12);
  }
  width = Math.max(width, header, node.kind === "op" ? 86 : 96);
  return { width, height: bodyHeight(node) + (chips.length ? LEDGER : 0), left, kind };
}

/** Return the room in px for a number of a ledger. */
const chipRoom = ({ longest }, key, reserved = RESERVED_CHIP) => roomOf(longest[key] ?? PLACEHOLDER, "chip", reserved);

/** Return the shape of a node, which takes clicks and keys where nodes fire by hand. */
function tappable(g, node) {
  return played?.hand && !isAtEnd() ? withAttributes(g, { tabindex: 0, role: "button", "aria-label": nodeText(node), "data-node": node.id }, []) : g;
}

/** Draw a node with its upper left corner at x, y; `view` is that of `viewNow`. */
function drawNode(drawing, node, box, x, y, view) {
  const g = shape("g", { class: `node ${node.kind}`, transform: `translate(${x} ${y})` });
  const { width, height } = box;
  const outline = outlinePath(node.kind, width, height);
  if (view.glows?.has(node.id)) g.append(shape("path", { d: outline, class: "glow" }));
  if (view.lit?.has(String(node.id))) g.append(shape("path", { d: outline, class: "ring" }));
  g.append(shape("path", { d: outline, class: "body" }));
  g.append(shape("path", { d: headerPath(node.kind, width), class: "head" }));
  g.append(shape("path", { d: outline, class: view.glows?.has(node.id) ? "edge fires" : "edge" }));
  drawHeader(g, node, box, view);
  if (hasColumns(node)) drawColumns(g, node, box, view);
  else drawRows(g, node, box, view);
  drawLedger(g, drawing, node, box, view);
  if (node.kind !== "root") drawCapsule(g, node, width, view);
  return tappable(g, node);
}

/** Return the radii of the left and of the right corners of a leaf, an operation or a root. */
function cornerRadii(kind) {
  const { round, square } = CORNERS;
  return [kind === "leaf" ? round : square, kind === "root" ? round : square];
}

function outlinePath(kind, width, height) {
  if (kind === "constant") {
    const { cut } = CORNERS;
    return `M${cut} 0H${width - cut}L${width} ${cut}V${height - cut}L${width - cut} ${height}H${cut}L0 ${height - cut}V${cut}Z`;
  }
  const [left, right] = cornerRadii(kind);
  return `M${left} 0H${width - right}A${right} ${right} 0 0 1 ${width} ${right}V${height - right}A${right} ${right} 0 0 1 ${width - right} ${height}H${left}A${left} ${left} 0 0 1 0 ${height - left}V${left}A${left} ${left} 0 0 1 ${left} 0Z`;
}

function headerPath(kind, width) {
  if (kind === "constant") {
    const { cut } = CORNERS;
    return `M${cut} 0H${width - cut}L${width} ${cut}V${HEADER}H0V${cut}Z`;
  }
  const [left, right] = cornerRadii(kind);
  return `M${left} 0H${width - right}A${right} ${right} 0 0 1 ${width} ${right}V${HEADER}H0V${left}A${left} ${left} 0 0 1 ${left} 0Z`;
}

function drawHeader(g, node, box, view) {
  let x = 11;
  if (node.symbol) {
    const wide = Math.max(20, widthOf(node.symbol, "sign") + 8);
    g.append(shape("rect", { x: 7, y: 4, width: wide, height: 20, rx: 6, class: "symbol" }));
    g.append(label(node.symbol, "sign", 7 + wide / 2, HEADER / 2, "", "middle"));
    x = 7 + wide + 7;
  }
  let end = box.width - 9;
  if (node.kind === "root") {
    g.append(shape("use", { href: "#flag", x: end - 14, y: 7, width: 14, height: 14, class: "flag" }));
    end -= 20;
  } else if (box.kind && !view.small) {
    g.append(label(box.kind, "caption", end, HEADER / 2, "muted", "end"));
    end -= widthOf(box.kind, "caption") + 8;
  }
  if (node.kind !== "root") g.append(label(elided(nodeText(node), "name", Math.max(12, end - x)), "name", x, HEADER / 2));
}

const SHORT_BELOW = 1000;

/** Return the text of a number that is at most so wide: of a live page with fewer digits. */
function fittedText(view, key, { text }, role, room) {
  const [, field, digits, marks] = /^\ufdd0(\w+):(\d+)([+]?)\ufdd1$/.exec(view.holes?.[key] ?? "") ?? [];
  const number = fields[field];
  if (field === undefined || !Number.isFinite(number) || widthOf(text, role) <= room) return text;
  const fewer = Array.from({ length: Number(digits) - 1 }, (_, k) => short(number, Number(digits) - 1 - k, marks));
  const size = Math.abs(number), isLong = size >= SHORT_BELOW || size < 1 / SHORT_BELOW; // else plain digits are shorter
  const powers = (isLong ? [2, 1, 0] : []).map((places) => (number > 0 ? marks : "") + number.toExponential(places).replace("e+", "e").replaceAll("-", MINUS));
  // a whole number, and a single digit, would contradict the places with more digits
  const exact = short(number, MOST_DIGITS, marks);
  const marked = [text, ...fewer].map((each) => (each !== exact && /^[−+]?0?\.?0*[1-9]$/.test(each) ? `≈ ${each}` : each));
  const forms = [...marked.flatMap((each) => [each, each.replace("≈ ", "≈")]), ...powers], widths = forms.map((each) => widthOf(each, role));
  const most = Math.max(room, (isLong ? 1 : NEARLY_NARROWEST) * Math.min(...widths)); // where none fits, not an ≈ for a pixel
  return forms[widths.findIndex((width) => width <= most)];
}

/** By the key of a number on the figure: the functions that write it into its texts. While a leaf is
    dragged no more is drawn. */
const livingTexts = new Map();

/** Let `write` follow the numbers of a figure, of which it shows those of these keys. */
function living(keys, write) {
  if (!live) return;
  for (const key of keys) {
    if (!livingTexts.has(key)) livingTexts.set(key, { text: null, wrong: false, writers: [] });
    livingTexts.get(key).writers.push(write);
  }
}

/** Write the numbers of a view that have changed since the last time. */
function writeLiving(view) {
  const writers = new Set();
  for (const [key, shown] of livingTexts) {
    const text = view.state[key], wrong = view.wrong.has(key);
    if (text === shown.text && wrong === shown.wrong) continue;
    Object.assign(shown, { text, wrong });
    shown.writers.forEach((write) => writers.add(write));
  }
  for (const write of writers) write(view);
}

/** Give an element a text, or an attribute a value, if it has another one: each costs a layout. */
function setText(element, text) {
  const { firstChild: only } = element;
  if (!only) element.append(text);
  else if (only.data !== text) only.data = text;
}

function setAttribute(element, name, value) {
  const before = element.getAttribute(name);
  if (value === null) {
    if (before !== null) element.removeAttribute(name);
  } else if (before !== String(value)) element.setAttribute(name, value);
}

const NARROWEST = 1.3; // times as narrow as usual are letters before a number loses digits

/** Return the sign at the caption of a gradient that is wrong. */
function wrongSign(view, key, x, y) {
  const sign = label("", "caption", x, y, "wrong", "end"), show = (now) => setText(sign, numberAt(now, key).wrong ? "✘" : "");
  show(view);
  living([key], show);
  return sign;
}

/** Return the text of the number of a key, at most so wide; narrower letters are the last resort. */
function numberLabel(view, key, role, x, y, { own, room = Infinity, anchor = "start", write = (text) => text }) {
  const element = label("", role, x, y, "", anchor);
  element.setAttribute("lengthAdjust", "spacingAndGlyphs");
  const show = (now) => {
    const found = numberAt(now, key), isNarrow = widthOf(found.text, role) <= room * NARROWEST;
    const text = write(isNarrow ? found.text : fittedText(now, key, found, role, room));
    setText(element, text);
    setAttribute(element, "class", `t-${role} ${numberClass(found, own(found))}`);
    setAttribute(element, "textLength", live && widthOf(text, role) > room ? room : null);
  };
  show(view);
  living([key], show);
  return element;
}

function drawRows(g, node, { width }, view) {
  ["data", "grad"].slice(0, rowCount(node)).forEach((caption, row) => {
    const y = HEADER + PADDING + ROW * (row + 0.5);
    const key = `${caption === "data" ? "v" : "g"}${node.id}`;
    if (!view.small) g.append(label(caption, "caption", 11, y, "muted"));
    if (caption === "grad") g.append(wrongSign(view, key, view.small ? 8 : -3, y));
    const room = width - 14 - (view.small ? 8 : 17 + widthOf(caption, "caption"));
    g.append(numberLabel(view, key, "number", width - 14, y, { own: (found) => valueClass(caption, found), room, anchor: "end" }));
  });
}

const localClass = ({ known }) => (known ? "local" : "muted");
const valueClass = (caption, found) => (found.known ? (caption === "data" ? "value" : "gradient") : "muted");

function drawColumns(g, node, { width, left }, view) {
  if (left) {
    g.append(shape("path", { d: `M${left} ${HEADER + 8}V${HEADER + 2 * PADDING + 2 * CELL - 8}`, class: "divider" }));
  }
  (node.inputs ?? []).forEach((source, slot) => {
    const top = HEADER + PADDING + CELL * slot;
    if (node.kind === "op") {
      const key = `l${wireKey(node.id, slot)}`, own = localClass;
      const caption = elided((node.captions ?? [])[slot] ?? "", "caption", left - 16);
      if (!view.small) g.append(label(caption, "caption", 12, top + CELL * 0.27, "local-caption"));
      g.append(numberLabel(view, key, "number", 12, top + CELL * (view.small ? 0.5 : 0.71), { own, room: left - 16 }));
    }
    const empty = source === null ? "slot empty" : "slot";
    g.append(shape("circle", { cx: 0, cy: slotY(node, slot), r: 5, class: empty }));
  });
  ["data", "grad"].forEach((caption, row) => {
    const top = HEADER + PADDING + CELL * row;
    const key = `${caption === "data" ? "v" : "g"}${node.id}`, own = (found) => valueClass(caption, found);
    if (!view.small) g.append(label(caption, "caption", width - 14, top + CELL * 0.27, "muted", "end"));
    if (caption === "grad" && node.kind !== "root") g.append(wrongSign(view, key, width - 18 - widthOf(caption, "caption"), top + CELL * 0.27));
    g.append(numberLabel(view, key, "number", width - 14, top + CELL * (view.small ? 0.5 : 0.71), { own, room: width - 20 - left, anchor: "end" }));
  });
}

function drawCapsule(g, node, width, view) {
  const y = capsuleY(node) - CAPSULE.height / 2, half = CAPSULE.height / 2;
  const x = width - CAPSULE.width / 2, r = CAPSULE.width / 2;
  const upper = `M${x} ${y + half}V${y + r}A${r} ${r} 0 0 1 ${x + 2 * r} ${y + r}V${y + half}Z`;
  const lower = `M${x} ${y + half}V${y + 2 * half - r}A${r} ${r} 0 0 0 ${x + 2 * r} ${y + 2 * half - r}V${y + half}Z`;
  const fill = (key, own) => (numberAt(view, key).known && !numberAt(view, key).asked ? own : "");
  g.append(shape("path", { d: upper, class: `capsule ${fill(`v${node.id}`, "has-value")}` }));
  if (node.kind !== "constant") {
    g.append(shape("path", { d: lower, class: `capsule ${fill(`g${node.id}`, "has-gradient")}` }));
  }
}

/** Return whether the contributions that have landed along wires make up a gradient: not under some
    mistakes, where a wire fires twice or the last contribution replaces the others. */
function addsUp(id, wires, { holes }) {
  const [sum, ...landed] = [`g${id}`, ...wires.map((key) => `c${key}`)].map((key) => numberIn(holes[key])).filter((number, k) => k === 0 || number !== null);
  if (sum === null) return true;
  const size = landed.reduce((total, number) => total + Math.abs(number), Math.abs(sum));
  return !(Math.abs(landed.reduce((total, number) => total + number, 0) - sum) > MOST_RELATIVE_ERROR * size);
}

/** Draw the ledger of a node: its last three contributions as chips, and their sum. */
function drawLedger(g, drawing, node, { width, height }, view) {
  const { focus } = view;
  const arrivals = drawing.arrivals(node.id);
  if (!arrivals.length) return;
  const y = height - LEDGER / 2;
  g.append(shape("path", { d: `M0 ${height - LEDGER}H${width}`, class: "divider" }));
  // while the gradient after the step is asked, the sum is that one, not the one before
  const after = focus?.receiver === node.id ? numberAt(view, `a${focus.wire}`) : null;
  const sum = after?.asked ? after : numberAt(view, `g${node.id}`);
  const shown = arrivals.slice(-3), equals = widthOf("= ", "chip");
  const numbers = shown.map((key) => ({ ...numberAt(view, `c${key}`), key: `c${key}` }));
  for (const number of numbers) if (!number.known && !number.asked) number.text = "···";
  const wanted = [...numbers, { ...sum, key: `g${node.id}` }].map((each) => (live && !each.asked ? chipRoom(drawing, each.key) : widthOf(each.text, "chip")));
  const space = width - equals - shown.length * CHIP.frame;
  const isTight = wanted.reduce((total, room) => total + room, 0) > space - 32 - 4 * shown.length;
  const [start, gap, end] = isTight ? [6, 2, 8] : [20, 4, 12];
  const rooms = sharedRooms(wanted, space - start - end - gap * shown.length);
  const isWhole = arrivals.length <= shown.length && addsUp(node.id, shown, view);
  if (!isTight) g.append(label(isWhole ? "0" : "…", "chip", 8, y, "muted"));
  let x = start;
  numbers.forEach((number, k) => {
    const { key } = number, room = rooms[k], wide = room + CHIP.frame, hue = drawing.hueOf(node.id, shown[k]);
    const state = number.asked ? "asked" : view.struck?.has(key) ? "landed struck" : number.known ? "landed" : "waits";
    const chip = shape("g", { class: `chip ${state} hue${hue}` });
    chip.append(shape("rect", { x, y: y - 10, width: wide, height: 20, rx: 10 }));
    chip.append(shape("use", { href: `#${MARKS[hue]}`, x: x + CHIP.mark, y: y - 4, width: 8, height: 8, class: "mark" }));
    const text = label("", "chip", x + wide - CHIP.end, y, "", "end"), isLiving = number.known && !number.asked;
    const write = (now) => writeIn(text, isLiving ? fittedText(now, key, numberAt(now, key), "chip", room) : elided(number.text, "chip", room), room);
    write(view);
    if (isLiving) living([key], write);
    chip.append(text);
    g.append(chip);
    x += wide + gap;
  });
  const sumRoom = width - end - equals - x; // what the chips leave
  const sign = (now) => (arrivals.length > shown.length || addsUp(node.id, shown, now) ? "=" : "→");
  const sumText = (now) => (sum.asked ? elided(sum.text, "chip", sumRoom) : fittedText(now, `g${node.id}`, numberAt(now, `g${node.id}`), "chip", sumRoom));
  const total = label("", "chip", width - end, y, numberClass(sum, "gradient"), "end");
  const writeSum = (now) => writeIn(total, `${sign(now)} ${sumText(now)}`.replace(/^= ≈ ?/, "≈ "), equals + sumRoom);
  writeSum(view);
  if (!sum.asked) living([`g${node.id}`], writeSum);
  g.append(total);
}

/** Return the rooms that share a space: each is as wide as it is wanted, or the widest are equally less. */
function sharedRooms(wanted, space) {
  const rooms = [...wanted], order = [...wanted.keys()];
  order.sort((one, other) => wanted[one] - wanted[other]);
  order.reduce((left, k, at) => {
    rooms[k] = Math.min(wanted[k], left / (order.length - at));
    return left - rooms[k];
  }, space);
  return rooms;
}

/** Write a text whose letters become narrower where they would be wider than its room. */
function writeIn(element, text, room) {
  setText(element, text);
  setAttribute(element, "lengthAdjust", "spacingAndGlyphs");
  setAttribute(element, "textLength", widthOf(text, "chip") > room + 0.5 ? room : null);
}

/** Return the two lines of a wire's label: the factors, and the contribution. */
function wireLines(view, key) {
  const [upstream, local, sent] = ["u", "l", "c"].map((letter) => numberAt(view, letter + key));
  if (sent.asked) return { factors: "", sent: sent.text, asked: true };
  if (local.asked) return { factors: `${upstream.text} × ${local.text}`, sent: "", asked: true };
  const factors = upstream.known && local.known ? `${upstream.text} × ${local.text}` : "";
  return { factors, sent: sent.known ? sent.text : "", asked: false };
}

/** Return the lines of a wire's label at most so wide: its numbers with fewer digits, then without
    factors. */
function fittedLines(now, key, most, hasFactors = true) {
  const lines = wireLines(now, key);
  if (!hasFactors && !lines.asked) lines.factors = "";
  if (!live || lines.asked || labelSize(lines).width <= most) return lines;
  const fitted = (letter, room) => fittedText(now, letter + key, numberAt(now, letter + key), "label", room);
  const half = (most - 20 - widthOf(" × ", "label")) / 2;
  if (lines.factors) {
    const factors = ["u", "l"].map((letter) => ({ full: numberAt(now, letter + key).text, text: fitted(letter, half) }));
    // −2.5 as −3 would say that −2 × −3 is +5
    const areCoarse = factors.some(({ full, text }) => text !== full && text.replace(/\D/g, "").replace(/^0+/, "").length < 2);
    lines.factors = areCoarse ? "" : factors.map(({ text }) => text).join(" × ");
  }
  if (lines.sent) lines.sent = fitted("c", most - 20 - (lines.factors ? widthOf("= ", "label") : 0));
  if (labelSize(lines).width > most) lines.factors = "";
  return lines;
}

function labelSize(lines) {
  const texts = [lines.factors, lines.factors && lines.sent ? `= ${lines.sent}` : lines.sent];
  const rows = texts.filter(Boolean);
  const width = Math.max(0, ...rows.map((text) => widthOf(text, "label"))) + 20;
  return { rows, width: lines.asked ? Math.max(width, 64) : width, height: rows.length > 1 ? 42 : lines.asked ? 38 : 26 };
}

/** Draw the label of a wire; `middleOf` returns its middle for its width, which follows its numbers. */
function drawLabel(lines, middleOf, y, hue, isFocus, key, linesOf) {
  const { rows, width, height } = labelSize(lines), x = middleOf(width);
  const g = shape("g", { class: `label ${lines.asked ? "asked" : "landed"} ${hue < 0 ? "" : `hue${hue}`}` });
  if (!rows.length) return g;
  const box = shape("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 8, class: isFocus ? "fires" : "" });
  const texts = rows.map((text, k) => {
    const line = y + (k - (rows.length - 1) / 2) * 18;
    const isFactors = k === 0 && lines.factors !== "";
    return label(text, "label", x, line, isFactors ? "factors" : "sent", "middle");
  });
  g.append(box, ...texts);
  if (lines.asked) return g;
  living(["u", "l", "c"].map((letter) => letter + key), (view) => {
    const { rows: now, width: wide } = labelSize(linesOf(view)), middle = middleOf(wide);
    setAttribute(box, "x", middle - wide / 2);
    setAttribute(box, "width", wide);
    texts.forEach((text, k) => {
      setText(text, now[k - rows.length + now.length] ?? ""); // the last is what is sent
      setAttribute(text, "x", middle);
    });
  });
  return g;
}

/** Draw the arrow of a wire at the receiver of its contribution; x, y is its middle. */
function drawArrow(x, y, asks) {
  const g = shape("g", { class: asks ? "arrow asked" : "arrow" });
  g.append(shape("circle", { cx: x, cy: y, r: 7 }));
  g.append(shape("path", { d: `M${x + 2.5} ${y - 4}L${x - 4} ${y}L${x + 2.5} ${y + 4}Z` }));
  return g;
}

/** Draw a pill with the name of a node outside the focus; x, y is the middle of its left side.

    `textOf` returns a text that follows the number of `key`. */
function drawTag(text, x, y, most, key = "", textOf = null) {
  const clipped = (words) => elided(words, "tag", Math.max(20, most - 20)), shown = clipped(text);
  const reserved = live && textOf ? clipped(textOf(RESERVED)) : "";
  const width = Math.max(widthOf(shown, "tag"), widthOf(reserved, "tag")) + 20;
  const g = shape("g", { class: "tag" });
  g.append(shape("rect", { x, y: y - 12, width, height: 24, rx: 12 }));
  const name = label(shown, "tag", x + 10, y);
  if (textOf) living([key], () => setText(name, clipped(textOf())));
  g.append(name);
  return { g, width };
}
