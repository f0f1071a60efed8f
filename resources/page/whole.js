/* Whole: all nodes at their places, for wide screens. */

const LARGEST_SCALE = 1.4;
const LEAST_SCALE = 0.77; // below it the smallest numbers of the whole graph are under 10 px

/** Draw all nodes at their places, or null if they would be too small to read. */
function drawWhole(drawing, focus, view, width, height) {
  const { graph } = drawing, edge = 24;
  const inner = { width: graph.width + 2 * edge, height: graph.height + 2 * edge };
  const scale = Math.min(LARGEST_SCALE, width / inner.width, height / inner.height);
  if (scale < LEAST_SCALE) return null;
  setSizes(Math.max(CAPTION, LEAST_TEXT / scale), DENSE_NUMBER);
  const g = shape("g", { class: "dense" }), labels = shape("g");
  for (const node of graph.nodes) {
    (node.inputs ?? []).forEach((source, slot) => {
      const other = drawing.node(source);
      if (!other || isSeated(node)) return;
      if (other.seated === node.id) {
        labels.append(drawPill(other, node.x, node.y + slotY(node, slot), view));
        return;
      }
      drawWholeWire(g, labels, drawing, other, node, slot, focus, view);
    });
  }
  for (const node of graph.nodes) {
    if (isSeated(node)) continue;
    const measured = boxOf(drawing, node);
    const box = { ...measured, width: node.width, height: node.height };
    if (node.kind === "op") box.left = Math.min(measured.left, node.width * (live ? 0.5 : 0.55));
    if (widthOf(nodeText(node), "name") + widthOf(box.kind, "caption") + 66 > node.width) box.kind = node.kind === "leaf" ? "leaf" : "";
    g.append(drawNode(drawing, node, box, node.x, node.y, view));
    if (focus?.sender === node.id) drawBadge(labels, view, node, node.x + node.width - 5, node.y - 3);
  }
  g.append(labels);
  const dx = (width - inner.width * scale) / 2 + edge * scale;
  const dy = Math.max(0, (height - inner.height * scale) / 2) + edge * scale;
  return { g: shape("g", { transform: `translate(${dx} ${dy}) scale(${scale})` }, g), scale, dx, dy };
}

/** Return the x from which nothing is left of a node at a height, of a label. */
function freeFrom(drawing, source, node, y) {
  const half = 21, isBeside = (other) => other.x < node.x && other.y < y + half && other.y + other.height > y - half;
  const ends = drawing.graph.nodes.filter((other) => other === source || (!isSeated(other) && isBeside(other)));
  return Math.max(...ends.map((other) => other.x + other.width));
}

function drawWholeWire(g, labels, drawing, source, node, slot, focus, view) {
  const x0 = source.x + source.width + 5, y0 = source.y + capsuleY(source);
  const x1 = node.x - 5, y1 = node.y + slotY(node, slot);
  const key = wireKey(node.id, slot);
  const d = drawing.graph.courses[key];
  const kind = wireClass(view, focus, node.id, slot), hue = drawing.hueOf(source.id, key);
  const lit = view.lit?.has(key) ? "ringed" : "";
  g.append(shape("path", { d, class: "halo" }));
  g.append(shape("path", { d, class: `wire ${kind} ${lit} ${hue < 0 ? "" : `hue${hue}`}` }));
  const isFocus = focus?.wire === key, most = x1 - freeFrom(drawing, source, node, y1) - 17;
  const linesOf = (now) => fittedLines(now, key, most, isFocus);
  const lines = linesOf(view);
  labels.append(drawLabel(lines, (wide) => x1 - 6 - wide / 2, y1, hue, isFocus, key, linesOf));
  if (isFocus && x1 - x0 > 30) labels.append(drawArrow(x0 + 8, y0, lines.asked));
}

function drawPill(node, x, y, view) {
  const text = numberAt(view, `v${node.id}`);
  const shown = text.known ? text.text : nodeText(node), width = widthOf(shown, "chip") + 18;
  const g = shape("g", { class: "node constant", transform: `translate(${x - width - 2} ${y - PILL / 2})` });
  g.append(shape("rect", { width, height: PILL, rx: 6, class: "body edge" }));
  g.append(label(shown, "chip", width / 2, PILL / 2, "value", "middle"));
  return g;
}

/** Return the shapes that all figures use. */
function symbols() {
  const shapes = {
    circle: shape("circle", { cx: 4, cy: 4, r: 3.5 }),
    square: shape("rect", { x: 0.8, y: 0.8, width: 6.4, height: 6.4 }),
    triangle: shape("path", { d: "M4 0.4L7.8 7.4H0.2Z" }),
    diamond: shape("path", { d: "M4 0L8 4L4 8L0 4Z" }),
    flag: shape("path", { d: "M1 0H3V1H12L9 4.5L12 8H3V14H1Z" }),
  };
  const found = Object.entries(shapes).map(([name, drawn]) => {
    const size = name === "flag" ? 14 : 8;
    return shape("symbol", { id: name, viewBox: `0 0 ${size} ${size}` }, drawn);
  });
  return shape("svg", { class: "symbols", width: 0, height: 0, "aria-hidden": true }, shape("defs", {}, ...found));
}
