/* Focus: the node or wire of a step, drawn large. */

/** Return the height of the focus of a graph in px, the same at each step. */
function focusHeight(drawing) {
  const tallest = Math.max(0, ...drawing.graph.nodes.map((n) => boxOf(drawing, n).height));
  return Math.max(178, tallest + 22 + 34);
}

/** Draw the focus into a box of this size: the receiver, the wire, the firing node; null without
    one. */
function drawFocus(drawing, focus, view, width, height) {
  const receiver = drawing.node(focus.receiver), sender = drawing.node(focus.sender);
  if (!receiver) return null;
  if (!sender) return drawAlone(drawing, receiver, view, width, height);
  return drawPair(drawing, focus, receiver, sender, view, width, height);
}

/** Return the size of a focus before scaling: width, height, the y of its content as `top`, and `most`, its largest scale.

    It fills its box, but for a wide layout, where the nodes would be far from each other. `least`
    and `need` are the width and height of its content. */
function innerSize(least, width, height, need) {
  const roomy = layout() === "wide";
  const inner = { width: Math.max(least, roomy ? Math.min(width, 480) : width), height: need };
  inner.most = roomy ? LARGEST_SCALE : 1;
  if (!roomy && height > need && inner.width <= width) inner.height = height;
  inner.top = (inner.height - need) / 2;
  return inner;
}

/** Return the scale at which a focus fits into its box. */
const innerScale = (inner, width, height) => Math.min(inner.most, width / inner.width, height / inner.height);

/** Return a focus, scaled, in the middle of its box. */
function centred(g, inner, width, height) {
  const scale = innerScale(inner, width, height);
  const dx = (width - inner.width * scale) / 2;
  const dy = (height - inner.height * scale) / 2;
  return shape("g", { transform: `translate(${Math.max(0, dx)} ${Math.max(0, dy)}) scale(${scale})` }, g);
}

/** Draw receiver, wire and firing node: the label between them, else above; then without
    formulas; then with short names. */
function drawPair(drawing, focus, receiver, sender, view, width, height) {
  const own = wireLines(view, focus.wire);
  const most = labelSize(longestLines(drawing, focus.wire, own)).width, room = most + 2 * 6;
  const gap = 44;
  let boxes = [boxOf(drawing, receiver), boxOf(drawing, sender)];
  const total = (between) => 2 * EDGE + boxes[0].width + boxes[1].width + between;
  let isAbove = false;
  if (total(room) > width) isAbove = true;
  const linesOf = (now) => fittedLines(now, focus.wire, Math.min(most, width - 8)), lines = linesOf(view);
  const narrower = isAbove ? [[], [60, RESERVED_TIGHT], [60, RESERVED_TIGHT, RESERVED_TIGHT]] : [];
  for (const form of narrower) if (total(gap) > width) boxes = [receiver, sender].map((n) => boxOf(drawing, n, false, ...form));
  if (isAbove) boxes.forEach((box, k) => { // rather narrow numbers in a ledger than too small ones
    const least = boxOf(drawing, [receiver, sender][k], false, 60, RESERVED_TIGHT, "").width;
    box.width = Math.max(Math.min(least, box.width), Math.min(box.width, box.width - total(gap) + (width * SIZES.chip) / LEAST_TEXT));
  });
  const inner = innerSize(isAbove ? total(gap) : total(room), width, height, focusHeight(drawing) + (isAbove ? 18 : 0));
  const [left, right] = boxes;
  const top = inner.top + (isAbove ? 42 : 24);
  view.small = isTooSmall(innerScale(inner, width, height));
  const rightX = inner.width - EDGE - right.width;
  const g = shape("g");
  const [, slot = 0] = wireEnds(focus.wire);
  const from = { x: EDGE + left.width + 5, y: top + capsuleY(receiver) };
  const to = { x: rightX - 5, y: top + slotY(sender, slot) };
  const tagY = inner.height - inner.top - 20;
  drawSides(g, drawing, focus, { receiver, sender, from, rightX, top, tagY, across: inner.width, bottom: inner.height });
  const hue = drawing.hueOf(receiver.id, focus.wire);
  const middle = (from.x + to.x) / 2;
  const kind = wireClass(view, focus, ...wireEnds(focus.wire));
  const isLit = view.lit.has(focus.wire);
  const start = from.x + 10;
  g.append(shape("path", { d: `M${start} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`, class: `wire ${kind} ${isLit ? "ringed" : ""}` }));
  g.append(drawNode(drawing, receiver, left, EDGE, top, view));
  g.append(drawNode(drawing, sender, right, rightX, top, view));
  if (lines.asked || kind === "fires") g.append(drawArrow(start, from.y, lines.asked));
  const labelPlace = isAbove ? { x: middle, y: top - 21 } : { x: (from.x + 14 + to.x) / 2, y: to.y };
  const middleOf = (wide) => Math.min(Math.max(labelPlace.x, wide / 2 + 2), inner.width - wide / 2 - 2);
  if (isAbove && lines.sent + lines.factors) g.append(shape("path", { d: `M${middle} ${top - 6}V${(from.y + to.y) / 2}`, class: "stem" }));
  g.append(drawLabel(lines, middleOf, labelPlace.y, hue, true, focus.wire, linesOf));
  drawBadge(g, view, sender, rightX + right.width - 5, top - 3);
  return centred(g, inner, width, height);
}

/** Return a number of a label, or the one that room is kept for if that is longer. */
const withRoom = (text) => (roomOf(text, "label") > widthOf(text, "label") ? RESERVED : text);

/** Return the longest label of a wire in this step: space is kept for it, so that nothing moves. */
function longestLines(drawing, key, lines) {
  const [upstream, local, sent] = ["u", "l", "c"].map((letter) => drawing.longest[letter + key] ?? "");
  const factors = upstream && local ? `${withRoom(upstream)} × ${withRoom(local)}` : "";
  return { factors, sent: sent ? withRoom(sent) : lines.sent, asked: true };
}

/** Draw the other wires of both nodes, down to a tag for the readers and one for the inputs. */
function drawSides(g, drawing, focus, { receiver, sender, from, rightX, top, tagY: y, across, bottom }) {
  const others = drawing.readers.get(receiver.id).filter(([n, s]) => wireKey(n, s) !== focus.wire);
  const down = from.x + 8;
  const texts = [...new Set(others.map(([node]) => nodeText(drawing.node(node))))];
  let end = EDGE;
  if (texts.length) {
    const text = texts.length > 2 ? `to ${texts[0]}, … ${texts.length}` : `to ${texts.join(", ")}`;
    const hue = drawing.hueOf(receiver.id, wireKey(...others[0]));
    g.append(shape("path", { d: `M${from.x} ${from.y + 10}H${down}V${bottom}`, class: `wire side hue${hue}` }));
    const tag = drawTag(text, 0, 0, 130);
    end = Math.max(EDGE, down - 10 - tag.width);
    tag.g.setAttribute("transform", `translate(${end} ${y})`);
    g.append(tag.g);
    end += tag.width;
  }
  const [, slot = 0] = wireEnds(focus.wire);
  const inputs = (sender.inputs ?? []).map((source, k) => [source, k]);
  const rest = inputs.filter(([source, k]) => k !== slot && source !== null && drawing.node(source));
  if (!rest.length) return;
  const lead = nodeText(drawing.node(rest[0][0]));
  const textOf = (reserved) => {
    const value = valueNow(drawing, rest[0][0], reserved);
    return `from ${lead}${value ? `, ${value}` : ""}${rest.length > 1 ? ", …" : ""}`;
  };
  const turn = Math.max(down + 12, rightX - 74);
  const entry = top + slotY(sender, rest[0][1]);
  g.append(shape("path", { d: `M${rightX - 5} ${entry}H${turn + 6}Q${turn} ${entry} ${turn} ${entry + 6}V${bottom}`, class: "wire side" }));
  const x = Math.max(end + 6, turn - 4);
  const tag = drawTag(textOf(), 0, 0, Math.min(150, across - EDGE - x), `v${rest[0][0]}`, textOf);
  tag.g.setAttribute("transform", `translate(${x} ${y})`);
  g.append(tag.g);
}

/** Return the value of a node as a tag shows it now, or as the text that stands for all; "" if it is
    not shown. */
function valueNow(drawing, id, reserved = "") {
  const key = `v${id}`, text = stateNow()[key] ?? "";
  if (!text || text === PLACEHOLDER) return "";
  return reserved || fittedText({ holes: unfilledState() }, key, { text }, "tag", roomOf(drawing.longest[key] ?? "", "tag"));
}

/** Draw the badge of the firing node: its place in the order of firing. */
function drawBadge(g, view, sender, x, y) {
  const fired = new Set(Object.keys(view.state).filter((key) => key[0] === "c").map((key) => key.slice(1).split(".")[0]));
  if (!fired.has(String(sender.id))) return;
  g.append(shape("circle", { cx: x, cy: y, r: 11, class: "badge" }));
  g.append(label(String(fired.size), "chip", x, y, "on-fill", "middle"));
}

const LEAST_BESIDE = 100; // px left of a node, for its inputs as tags

/** Draw a node without a firing one, its inputs and readers as tags. */
function drawAlone(drawing, node, view, width, height) {
  const inputs = (node.inputs ?? []).map((source, slot) => [source, slot]).filter(([source]) => drawing.node(source));
  const beside = EDGE + (inputs.length ? LEAST_BESIDE : EDGE), full = boxOf(drawing, node);
  const box = full.width + beside > width ? boxOf(drawing, node, false) : full;
  const inner = innerSize(box.width + beside, width, height, focusHeight(drawing));
  const top = inner.top + 24;
  const side = (inner.width - box.width) / 2 - EDGE - 10;
  const x = inputs.length && side < 60 ? inner.width - EDGE - box.width : (inner.width - box.width) / 2;
  view.small = isTooSmall(innerScale(inner, width, height));
  const g = shape("g");
  for (const [source, slot] of inputs) {
    const other = drawing.node(source), y = top + slotY(node, slot);
    const textOf = (reserved) => {
      const value = valueNow(drawing, source, reserved);
      return `${nodeText(other)}${value && nodeText(other) !== value ? `  ${value}` : ""}`;
    };
    const tag = drawTag(textOf(), 0, 0, x - EDGE - 16, `v${source}`, textOf);
    const at = Math.max(EDGE, x - 28 - tag.width);
    g.append(shape("path", { d: `M${at + tag.width} ${y}H${x - 5}`, class: step().kind === "forward" ? "wire forward" : "wire side" }));
    tag.g.setAttribute("transform", `translate(${at} ${y})`);
    g.append(tag.g);
  }
  const readers = drawing.readers.get(node.id);
  if (readers.length && node.kind !== "root") {
    const names = [...new Set(readers.map(([reader]) => nodeText(drawing.node(reader))))];
    const start = x + box.width + 5, y = top + capsuleY(node);
    const most = inner.width - start - 20 - 4;
    if (most > 72) {
      const tag = drawTag(`to ${names.slice(0, 2).join(", ")}${names.length > 2 ? ", …" : ""}`, start + 18, y, most);
      g.append(shape("path", { d: `M${start} ${y}H${start + 18}`, class: "wire side" }), tag.g);
    }
  }
  g.append(drawNode(drawing, node, box, x, top, view));
  return centred(g, inner, width, height);
}
