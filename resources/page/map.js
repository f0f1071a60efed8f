/* Map: the whole graph in little, with its numbers where they can be read. */

/** Return the class of a wire by its state: asked, fires, done, forward (carries a value) or
    idle. */
function wireClass(view, focus, node, slot) {
  const key = wireKey(node, slot);
  const sent = numberAt(view, `c${key}`);
  if (sent.asked || (focus?.wire === key && numberAt(view, `l${key}`).asked)) return "asked";
  if (sent.known) return focus?.wire === key ? "fires" : "done";
  const isComputed = focus?.receiver === node && !focus.wire;
  return !isAtEnd() && step().kind === "forward" && isComputed ? "forward" : "idle";
}

/** Give the nodes of a map's column equal gaps if some overlap; `places` has their middles. */
function spread(places, boxWidth, boxHeight, height) {
  for (const place of places.values()) {
    const column = [...places.values()].filter((other) => Math.abs(other[0] - place[0]) < boxWidth);
    column.sort((one, other) => one[1] - other[1]);
    const isClose = column.some((one, k) => k > 0 && one[1] - column[k - 1][1] < boxHeight + 2);
    if (!isClose) continue;
    const first = 6 + boxHeight / 2, last = height - 6 - boxHeight / 2;
    column.forEach((one, k) => {
      one[1] = first + (k * (last - first)) / (column.length - 1);
    });
  }
}

/** Return for each node its column; one whose left edge is right of the middle of a column's
    first node starts the next. */
function columnsOf(nodes) {
  const found = new Map();
  let middle = -Infinity, column = -1;
  const sorted = [...nodes]; // as old phones know no toSorted
  sorted.sort((one, other) => one.x + one.width / 2 - other.x - other.width / 2);
  for (const node of sorted) {
    if (node.x >= middle) {
      column += 1;
      middle = node.x + node.width / 2;
    }
    found.set(node.id, column);
  }
  return nodes.map((node) => found.get(node.id));
}

/** Return the largest number of nodes that overlap one of them in x, with it. */
function maxOverlappingInX(nodes) {
  const counts = nodes.map((one) =>
    nodes.filter((other) => other.x < one.x + one.width && one.x < other.x + other.width).length);
  return Math.max(1, ...counts);
}

/** Return the function that maps the range of some values to another one. */
function linearScale(values, from, to) {
  const low = Math.min(...values), high = Math.max(...values);
  return (value) => (high > low ? from + ((value - low) / (high - low)) * (to - from) : (from + to) / 2);
}

const MAP_LINE = 16; // px between the numbers of a node on a map
const mapNodes = (drawing) => drawing.graph.nodes.filter((node) => !isSeated(node));
const mapName = (node) => (node.kind === "op" ? `${node.symbol} ${shortened(nodeText(node), 6)}` : shortened(nodeText(node), 8));
const hasGradients = (drawing, state) => [state, drawing.longest].some((texts) => Object.keys(texts).some((key) => key[0] === "g"));

/** Return the size of each node on a map with numbers, before scaling. */
function numbersBox(drawing, state) {
  const wide = mapNodes(drawing).filter((node) => node.kind !== "root").map((node) => {
    const numbers = [`v${node.id}`, `g${node.id}`].flatMap((key) => [drawing.longest[key], live ? RESERVED_ON_MAP : state[key]]);
    return Math.max(widthOf(mapName(node), "chip"), ...numbers.map((text) => widthOf(text ?? "", "chip")));
  });
  return { width: Math.max(34, ...wide) + 12, height: MAP_LINE * (hasGradients(drawing, state) ? 3 : 2) + 6 };
}

/** Return the scale of a map with numbers of this size, or null if they would be unreadable. */
function numbersScale(drawing, state, width, height) {
  const columns = columnsOf(mapNodes(drawing));
  const most = Math.max(...columns.map((one) => columns.filter((other) => other === one).length));
  const box = numbersBox(drawing, state);
  const across = (width - 2 * EDGE) / (Math.max(...columns) + 1) - 10;
  const scale = Math.min(1, across / box.width, ((height - 16) / most - 4) / box.height);
  return scale * SIZES.chip < LEAST_TEXT ? null : scale;
}

/** Draw the whole graph, with its numbers if they are readable, else as silhouettes with symbols.
    */
function drawMap(drawing, focus, view, width, height) {
  const nodes = mapNodes(drawing);
  const columns = columnsOf(nodes), count = Math.max(...columns) + 1;
  const mayHaveNumbers = focus === null || (!isAtEnd() && setsLeaves(step())); // the focus has those of its step
  const scale = mayHaveNumbers ? numbersScale(drawing, view.state, width, height) : null;
  const box = scale === null ? null : numbersBox(drawing, view.state);
  const boxWidth = box ? box.width * scale : Math.max(6, Math.min(38, (width - 2 * EDGE) / count - 6));
  const boxHeight = box ? box.height * scale : Math.max(6, Math.min(22, (height - 16) / maxOverlappingInX(nodes) - 4));
  const across = linearScale(columns, EDGE + boxWidth / 2 + 2, width - EDGE - boxWidth / 2 - 2);
  const middles = nodes.map((node) => node.y + bodyHeight(node) / 2);
  const down = linearScale(middles, 10 + boxHeight / 2, height - 10 - boxHeight / 2);
  const places = new Map(nodes.map((node, k) => [node.id, [across(columns[k]), down(middles[k])]]));
  spread(places, boxWidth, boxHeight, height);
  const g = shape("g");
  for (const node of nodes) {
    (node.inputs ?? []).forEach((source, slot) => {
      const from = places.get(source), to = places.get(node.id);
      if (!from || !to) return;
      const [x0, y0, x1] = [from[0] + boxWidth / 2, from[1], to[0] - boxWidth / 2];
      const slots = node.inputs.length;
      const y1 = to[1] + (slots > 1 ? ((slot - (slots - 1) / 2) * boxHeight * 0.5) / (slots - 1) : 0);
      const bend = Math.max(10, (x1 - x0) / 2);
      g.append(shape("path", { d: `M${x0} ${y0}C${x0 + bend} ${y0} ${x1 - bend} ${y1} ${x1} ${y1}`, class: `wire small ${wireClass(view, focus, node.id, slot)}` }));
    });
  }
  for (const node of nodes) {
    const [x, y] = places.get(node.id);
    const fires = view.glows?.has(node.id), lit = view.lit?.has(String(node.id));
    const one = shape("g", { class: `node ${node.kind}`, transform: `translate(${x - boxWidth / 2} ${y - boxHeight / 2})` });
    const r = box ? (node.kind === "leaf" ? 12 : 6) : node.kind === "leaf" ? boxHeight / 2 : 5;
    const high = node.kind === "root" ? Math.min(28, boxHeight) : boxHeight;
    one.append(shape("rect", { y: (boxHeight - high) / 2, width: boxWidth, height: high, rx: r, class: `silhouette ${fires ? "fires" : lit ? "ringed" : ""}` }));
    if (node.kind === "root") {
      one.append(shape("use", { href: "#flag", x: boxWidth / 2 - 7, y: boxHeight / 2 - 7, width: 14, height: 14, class: "flag" }));
    } else if (box) one.append(mapNumbers(drawing, node, box.width / 2, scale, view));
    else if (boxHeight >= 12) {
      const text = node.kind === "op" ? node.symbol : nodeText(node);
      if (widthOf(text, "chip") <= boxWidth) one.append(label(text, "chip", boxWidth / 2, boxHeight / 2, "", "middle"));
      else if (node.kind !== "op" && boxWidth > 24) one.append(label(elided(text, "chip", boxWidth - 4), "chip", boxWidth / 2, boxHeight / 2, "", "middle"));
    }
    g.append(tappable(one, node));
  }
  return { g, places, hasNumbers: box !== null };
}

/** Return the name of a node, its value, and its gradient if gradients are known. */
function mapNumbers(drawing, node, middle, scale, view) {
  const g = shape("g", { transform: `scale(${scale})` }, label(mapName(node), "chip", middle, 3 + MAP_LINE / 2, "", "middle"));
  const rows = [["data", `v${node.id}`], ["grad", `g${node.id}`]];
  rows.slice(0, hasGradients(drawing, view.state) ? 2 : 1).forEach(([caption, key], row) => {
    if (node.kind === "constant" && caption === "grad") return;
    const own = (found) => valueClass(caption, found), write = (text) => elided(text, "chip", 2 * middle - 4);
    g.append(numberLabel(view, key, "chip", middle, 3 + MAP_LINE * (row + 1.5), { own, room: 2 * middle - 4, anchor: "middle", write }));
  });
  return g;
}
