"""Positions of nodes, from a graph and the sizes of its nodes.

    columns(graph)                   plain columns from the leaves to the root, for any size
    balanced_columns(graph)          columns in which nodes are level with their neighbours
    in_reading_order(graph, places)  leaves of each column in the order of the formula
    tidy_layout(places, size, ...)   Graphviz's layout with narrower gaps, on whole px
    columns_at_once(sizes, wires)    columns instead of a layout that would take Graphviz long
    wrap_into_bands, in_bands        a wide graph in several bands, as text is put into lines
    free_place, free_block           the nearest free position

All numbers are scene px; a position is the upper left corner. New nodes among others that keep
their positions are placed by `place_new_nodes` of `merge_expression.py`.

A wire from one band to the next runs back between them, so a graph is wrapped only where few wires
cross.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from itertools import accumulate, chain, combinations, pairwise, product
from typing import NamedTuple

from app.document.sheet import OUTSIDE_SHEET, Point, Rect
from app.style import sizes
from engine.errors import EditError
from engine.formats.graphviz import Direction, Wires
from engine.graph import Graph, Leaf, Node, OpNode, Root, post_order

COLUMN_PITCH = 312.0
ROW_PITCH = 144.0
"""Distances between columns and between rows of nodes, from corner to corner."""
ROOT_PITCH = 216.0
"""Distance between a node and the Root on its right, from corner to corner."""
ROOT_GAP = 30.0
"""Gap before a column of Roots, whose wires carry no labels."""
ROOT_CLEARANCE = 8.0
"""Least gap between other nodes and a Root that is moved level with its input."""
ROW_GAP = 24.0
"""Gap between nodes without wires, which are placed in rows below the others."""
ROW_WIDTH = 720.0
"""Width of a row of nodes without wires on a sheet that holds nothing else."""
GRAPHVIZ_GAPS = (200.0, 22.0)
"""Gaps that Graphviz is asked for, between columns (until `close_gaps`) and between rows."""

Size = Callable[[int], tuple[float, float]]
"""Returns the width and height of a node."""


# free places


def snapped(point: Point, grid: float = sizes.GRID) -> Point:
    """Return the nearest point of the grid; raises EditError for a point off the sheet."""
    if not (math.isfinite(point[0]) and math.isfinite(point[1])):
        raise EditError(OUTSIDE_SHEET)
    return (round(point[0] / grid) * float(grid), round(point[1] / grid) * float(grid))


def free_place(taken: Iterable[Point], wanted: Point) -> Point:
    """Return `wanted` on the grid, or the first free grid point diagonally below it."""
    occupied, grid = set(taken), sizes.GRID
    place = snapped(wanted)
    while any(abs(x - place[0]) < grid and abs(y - place[1]) < grid for x, y in occupied):
        place = (place[0] + grid, place[1] + grid)
    return place


DOWN_AND_UP = ((1, 1), (1, -1))
"""Directions, each as axis (0 for x) and sign."""
_DIRECTIONS = (*DOWN_AND_UP, (0, 1), (0, -1))


def free_block(
    taken: Iterable[Rect],
    wanted: Rect,
    gap: float = 48.0,
    directions: Iterable[tuple[int, int]] = _DIRECTIONS,
) -> Point:
    """Return the free position nearest to `wanted` for a block of this size.

    It is moved straight down, up, right or left, whichever of the `directions` is nearest.
    """
    others = list(taken)
    moved = [_cleared(others, wanted, gap, axis, sign) for axis, sign in directions]
    x, y = min(moved, key=lambda p: abs(p[0] - wanted[0]) + abs(p[1] - wanted[1]))
    return (x, y)


def _cleared(others: list[Rect], wanted: Rect, gap: float, axis: int, sign: int) -> Point:
    """Return the corner of a rectangle moved in one direction past all rectangles it covers."""
    corner, extent = [wanted[0], wanted[1]], (wanted[2], wanted[3])
    while covered := [r for r in others if overlap(r, (corner[0], corner[1], *extent), gap)]:
        if sign > 0:
            # a Rect is (x, y, width, height), so its extent along an axis is two places on
            edge = max(rect[axis] + rect[axis + 2] for rect in covered) + gap
        else:
            edge = min(rect[axis] for rect in covered) - gap - extent[axis]
        if (edge - corner[axis]) * sign <= 0:
            break  # it overlaps by a rounding error only
        corner[axis] = edge
    return (corner[0], corner[1])


def overlap(one: Rect, other: Rect, gap: float = 0.0) -> bool:
    """Return whether two rectangles overlap or are less than `gap` apart."""
    across = one[0] < other[0] + other[2] + gap and other[0] < one[0] + one[2] + gap
    return across and one[1] < other[1] + other[3] + gap and other[1] < one[1] + one[3] + gap


# columns from a graph


def columns(
    graph: Graph, origin: Point = (0.0, 0.0), pitch: Point = (COLUMN_PITCH, ROW_PITCH)
) -> dict[int, Point]:
    """Return a position for every node; `pitch` is the distance of columns and of rows."""
    rows: dict[int, int] = {}
    places: dict[int, Point] = {}
    for node, column in _column_of(graph).items():
        row = rows.get(column, 0)
        rows[column] = row + 1
        places[node] = snapped((origin[0] + column * pitch[0], origin[1] + row * pitch[1]))
    return places


def stacked(
    places: Mapping[int, Point], sizes: Mapping[int, tuple[float, float]], graph: Graph
) -> dict[int, Point]:
    """Return columns with their rows close together, however high each is, around one middle.

    Leaves alone in a column stand in several, so that it is not higher than the others.
    """
    by_x: dict[float, list[int]] = {}
    for item in sorted(places, key=lambda item: places[item][1]):
        by_x.setdefault(places[item][0], []).append(item)
    gap_x, gap_y = GRAPHVIZ_GAPS
    heights = {x: sum(sizes[n][1] + gap_y for n in items) for x, items in by_x.items()}
    only_leaves = {x for x, items in by_x.items() if set(graph.leaves) >= set(items)}
    most = max((high for x, high in heights.items() if x not in only_leaves), default=0.0)
    found, right = dict[int, Point](), 0.0
    for x, items in sorted(by_x.items()):
        parts = math.ceil(heights[x] / max(most, 1.0)) if x in only_leaves and most else 1
        rows = math.ceil(len(items) / parts)
        for start in range(0, len(items), rows):
            column = items[start : start + rows]
            y = -sum(sizes[n][1] + gap_y for n in column) / 2
            for item in column:
                found[item] = (right, y)
                y += sizes[item][1] + gap_y
            right += max(sizes[n][0] for n in column) + gap_x
    return found


def condensed(graph: Graph, items: Mapping[int, int]) -> Graph:
    """Return the graph of the items to which nodes belong, such as folded groups.

    Wires within an item, and those that would close a loop of items, are left out.
    """
    sources: dict[int, dict[int, None]] = {item: {} for item in items.values()}
    for node, item in items.items():
        for source in graph.inputs(node):
            if source is not None and items.get(source, item) != item:
                sources[item][items[source]] = None
    loops = Graph({item: OpNode("add", tuple(each)) for item, each in sources.items()}, None, 1)
    order = {item: k for k, item in enumerate(loops.structure.topological_order)}
    nodes: dict[int, Node] = {
        item: OpNode("add", tuple(x for x in each if order[x] < order[item])) if each else Leaf(0.0)
        for item, each in sources.items()
    }
    return Graph(nodes, None, max(nodes, default=0) + 1)


def _column_of(graph: Graph) -> dict[int, int]:
    """Return the column of each node: right of its inputs; of a leaf, left of its targets."""
    order = graph.structure.topological_order
    depth: dict[int, int] = {}
    for node in order:
        depth[node] = 1 + max((depth[s] for s in graph.inputs(node) if s is not None), default=-1)
    for node in reversed(order):  # leaves and constants move right, next to their first target
        users = [depth[target] for target, _slot in graph.outgoing[node]]
        if users and not isinstance(graph.nodes[node], OpNode | Root):
            depth[node] = min(users) - 1
    return depth


_Spot = tuple[int, int, int]
"""A node, or the lane of a wire in a column: (node, target, column); a node has target -1."""
_Links = dict[_Spot, list[tuple[_Spot, float]]]
"""The neighbours of each spot, with their preferred vertical offsets in rows."""
_SWEEPS = 6
"""Passes over all columns, alternately from left and right."""
_SLOT_LEAN = 0.4
"""Preferred vertical distance, in rows, of the inputs of neighbouring slots."""


def balanced_columns(graph: Graph, pitch: Point = (COLUMN_PITCH, 160.0)) -> dict[int, Point]:
    """Return a position for every node, for pictures of graphs of some hundred nodes.

    `pitch` is the distance of columns and of rows; its default suits the cards of the start page.

    Barycentre heuristic: a wire that spans columns reserves a lane in each, and every node and lane
    is pulled to the mean height of its neighbours.
    """
    column = _column_of(graph)
    spots, links = _spots(graph, column)
    heights = {spot: float(row) for rows in spots.values() for row, spot in enumerate(rows)}
    for sweep in range(_SWEEPS):
        for k in sorted(spots, reverse=sweep % 2 == 1):
            _balance_column(spots[k], links, heights)
    return {n: (column[n] * pitch[0], heights[n, -1, column[n]] * pitch[1]) for n in graph.nodes}


def _spots(graph: Graph, column: dict[int, int]) -> tuple[dict[int, list[_Spot]], _Links]:
    spots: dict[int, list[_Spot]] = {}
    links: _Links = {}

    def add(spot: _Spot) -> None:
        if spot not in links:
            spots.setdefault(spot[2], []).append(spot)
            links[spot] = []

    for node in graph.structure.topological_order:
        add((node, -1, column[node]))
    for source, (target, slot) in graph.wires():
        before: _Spot = (source, -1, column[source])
        for between in range(column[source] + 1, column[target]):
            lane = (source, target, between)
            add(lane)
            _link(links, before, lane, 0.0)
            before = lane
        # the inputs of a node prefer heights in the order of its slots
        lean = (slot - (len(graph.inputs(target)) - 1) / 2) * _SLOT_LEAN
        _link(links, before, (target, -1, column[target]), lean)
    return spots, links


def _link(links: _Links, a: _Spot, b: _Spot, lean: float) -> None:
    links[a].append((b, lean))
    links[b].append((a, -lean))


def _balance_column(rows: list[_Spot], links: _Links, heights: dict[_Spot, float]) -> None:
    """Sort one column by the mean height of each spot's neighbours, at least a row apart."""
    wanted = {
        spot: sum(heights[other] + lean for other, lean in links[spot]) / len(links[spot])
        if links[spot]
        else heights[spot]
        for spot in rows
    }
    rows.sort(key=lambda spot: wanted[spot])
    placed: list[float] = []
    for spot in rows:
        least = placed[-1] + 1.0 if placed else wanted[spot]
        placed.append(max(wanted[spot], least))
    # spacing has only pushed down: shift the column back to its mean height
    drift = sum(placed) / len(placed) - sum(wanted.values()) / len(wanted)
    for spot, height in zip(rows, placed, strict=True):
        heights[spot] = height - drift


def in_reading_order(graph: Graph, places: Mapping[int, Point]) -> dict[int, Point]:
    """Return the positions with the leaves of each column in the order of the formula.

    The topological order has leaves as a formula names them: inputs come in slot order. A column
    keeps its order if more wires would cross otherwise: each wire of a leaf that would
    move is compared with all wires.
    """
    found = dict(places)
    leaves_by_x = dict[float, list[int]]()
    for leaf in (n for n in graph.structure.topological_order if n in graph.leaves):
        leaves_by_x.setdefault(found[leaf][0], []).append(leaf)
    for leaves in leaves_by_x.values():
        from_top = sorted((found[leaf] for leaf in leaves), key=lambda point: point[1])
        ordered = dict(zip(leaves, from_top, strict=True))
        moved = {leaf: point for leaf, point in ordered.items() if point != found[leaf]}
        reordered = found | moved
        if _crossings(graph, reordered, moved) <= _crossings(graph, found, moved):
            found = reordered
    return found


def _crossings(graph: Graph, places: Mapping[int, Point], moved: Collection[int]) -> int:
    """Return how many wires cross one from a moved leaf, each drawn straight from node to slot."""
    if not moved:
        return 0
    theirs, others = list[Rect](), list[Rect]()
    for source, (target, slot) in graph.wires():
        # 1 px between the slots of a node is enough to tell which of two wires is above
        line = (*places[source], places[target][0], places[target][1] + slot)
        (theirs if source in moved else others).append(line)
    pairs = chain(product(theirs, others), combinations(theirs, 2))
    return sum(_do_cross(one, other) for one, other in pairs)


def _do_cross(one: Rect, other: Rect) -> bool:
    """Return whether one of two lines (x, y, x, y) from left to right passes over the other."""
    left, right = max(one[0], other[0]), min(one[2], other[2])
    if left >= right:
        return False
    before, after = (_y_at(one, x) - _y_at(other, x) for x in (left, right))
    return before * after < 0


def _y_at(line: Rect, x: float) -> float:
    return line[1] + (line[3] - line[1]) * (x - line[0]) / (line[2] - line[0])


# Graphviz's layout

LONG_WIRES = 1_000_000
"""Squares of the lengths of wires, in columns, above which Graphviz straightens them for long."""
MOST_BENDS = 12
"""Columns that wires pass per node, above which they are also many: a few are straight at once."""


def columns_at_once(
    sizes: Mapping[int, tuple[float, float]], wires: Wires, direction: Direction = "LR"
) -> dict[int, Point] | None:
    """Return positions in columns where Graphviz would take long and much memory, else None.

    Both limits are measured: what Graphviz has placed within two seconds is below one of them.
    """
    if direction == "TB":
        turned = columns_at_once({n: (h, w) for n, (w, h) in sizes.items()}, wires)
        return None if turned is None else {n: (y, x) for n, (x, y) in turned.items()}
    pairs = [(a, b) for a, (b, _slot) in wires if a in sizes and b in sizes]
    inputs: dict[int, list[int]] = {node: [] for node in sizes}
    for source, target in pairs:
        inputs[target].append(source)
    column = _short_wired(inputs)
    lengths = [max(column[b] - column[a], 1) for a, b in pairs]
    passed = sum(lengths) - len(lengths)
    if sum(n * n for n in lengths) < LONG_WIRES or passed < MOST_BENDS * len(sizes):
        return None
    width, height = (max(sides) for sides in zip(*sizes.values(), strict=True))
    rows, found = Counter[int](), dict[int, Point]()
    for node in sorted(sizes):
        k = column[node]
        found[node] = (k * (width + GRAPHVIZ_GAPS[0]), rows[k] * (height + GRAPHVIZ_GAPS[1]))
        rows[k] += 1
    return found


def _short_wired(inputs: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """Return columns in which wires are about as short as Graphviz makes them.

    A node moves right to its first target where that makes no wire longer: it feeds as many as it
    reads. What feeds it alone moves along and does not count.
    """
    order = post_order(inputs, inputs.__getitem__)
    column, targets = dict[int, int](), defaultdict[int, list[int]](list)
    for node in order:
        column[node] = 1 + max((column.get(s, -1) for s in inputs[node]), default=-1)
        for source in inputs[node]:
            targets[source].append(node)
    moves_along: set[int] = set()
    for node in order:
        if len(targets[node]) == 1 and moves_along.issuperset(inputs[node]):
            moves_along.add(node)
    for node in reversed(order):
        held = sum(source not in moves_along for source in inputs[node])
        if len(targets[node]) >= max(held, 1):
            column[node] = min(column[target] for target in targets[node]) - 1
    return column


def tidy_layout(
    places: Mapping[int, Point], size: Size, labels: Mapping[int, float], graph: Graph
) -> dict[int, Point]:
    """Return a layout by Graphviz from left to right with closed gaps, rounded to whole px.

    Columns are as close as the `labels` (the widest on a wire into each node) allow. Each Root is
    level with its input unless another node is there. Nodes without wires are placed in rows below.
    """
    unwired = [n for n in sorted(places) if _is_unwired(graph, n)]
    widths = {node: size(node)[0] for node in places}
    wired = {node: place for node, place in places.items() if node not in unwired}
    roots = {root: graph.inputs(root)[0] for root in graph.roots()}
    closed = close_gaps(wired, widths, labels, roots)
    found = {n: (float(round(x)), float(round(y))) for n, (x, y) in closed.items()}
    for root, source in roots.items():
        if root in found and source in found:
            level = (found[root][0], found[source][1])
            rect = (*level, *size(root))
            others = ((*place, *size(other)) for other, place in found.items() if other != root)
            if not any(overlap(other, rect, ROOT_CLEARANCE) for other in others):
                found[root] = level
    return found | _in_rows(unwired, size, found)


def _is_unwired(graph: Graph, node: int) -> bool:
    """Return whether no wire begins or ends at a node (a negative number is a collapsed group)."""
    if node not in graph.nodes:
        return False
    return not graph.outgoing[node] and all(source is None for source in graph.inputs(node))


def _in_rows(nodes: list[int], size: Size, above: Mapping[int, Point]) -> dict[int, Point]:
    """Return positions for nodes in rows below all others, as text is filled into lines."""
    y = max((place[1] + size(node)[1] + ROW_GAP for node, place in above.items()), default=0.0)
    right = max((place[0] + size(node)[0] for node, place in above.items()), default=ROW_WIDTH)
    x, row_height, found = 0.0, 0.0, dict[int, Point]()
    for node in nodes:
        width, height = size(node)
        if x and x + width > right:
            x, y, row_height = 0.0, y + row_height + ROW_GAP, 0.0
        found[node] = (x, y)
        x, row_height = x + width + ROW_GAP, max(row_height, height)
    return found


def column_gap(label: float) -> float:
    """Return the gap between two columns: the bends of its wires, and its widest label."""
    return sizes.BEND + label + sizes.LABEL_TO_SLOT


def close_gaps(
    places: Mapping[int, Point],
    widths: Mapping[int, float],
    labels: Mapping[int, float],
    roots: Container[int] = (),
) -> dict[int, Point]:
    """Return the positions with each gap between columns reduced to the width of its labels.

    Graphviz uses one gap for all columns, set by the widest label of the graph. `widths` holds the
    width of each node, `labels` that of the widest label on a wire into it.
    """
    result = dict(places)
    shift, end = 0.0, None
    for column in columns_of(places, widths):
        if end is not None:
            widest = max(labels.get(node, 0.0) for node in column)
            gap = ROOT_GAP if all(n in roots for n in column) else column_gap(widest)
            shift = end + gap - places[column[0]][0]
        for node in column:
            x, y = places[node]
            result[node] = (x + shift, y)
        end = max(result[node][0] + widths[node] for node in column)
    return result


BELOW = 48.0
"""How far right of a node one that reads it may begin and be below it, in scene px."""


def columns_of(
    places: Mapping[int, Point], widths: Mapping[int, float], graph: Graph | None = None
) -> list[list[int]]:
    """Return the columns from left to right: nodes that begin above or below the first of each.

    With a `graph`, one that reads a node of the column, and is not just below it, begins the next.
    """
    found: list[list[int]] = []
    left = width = -math.inf
    for node in sorted(places, key=lambda n: (places[n][0], n)):
        offset, inputs = places[node][0] - left, () if graph is None else graph.inputs(node)
        reads = found and not set(found[-1]).isdisjoint(inputs)
        if not offset < (BELOW if reads else width):
            found.append([])
            left, width = places[node][0], widths[node]
        found[-1].append(node)
    return found


# bands

BAND_GAP = 48.0
"""Distance between two bands, in scene px, in which their wires run back."""
BAND_INDENT = 170.0
"""Indent of the bands below the first, for the labels of wires from the band above, in scene px."""
_INDENT_STEP = 1.0
"""Further indent of each band: columns are recognized by their x, so no two may share one."""
MOST_CROSSING = 3
"""Maximum number of wires from one band to the next."""
_LEAST_ENLARGEMENT = 1.15
"""Factor by which bands must enlarge the picture to be worth the jumps between them."""
MOST_BANDS = 12
"""Maximum number of bands tried."""


class Viewport(NamedTuple):
    """Width and height of a canvas in screen px, and the least readable scale."""

    width: float
    height: float
    readable_scale: float


LAPTOP_VIEWPORT = Viewport(1226.0, 457.0, 0.75)
"""The canvas of a laptop of 1366 x 768 px without its margins; texts of 12 px have 9 px there."""


def wrap_into_bands(
    places: Mapping[int, Point], size: Size, wires: Iterable[tuple[int, int]], viewport: Viewport
) -> dict[int, Point]:
    """Return the positions in as many bands as show the graph largest in a viewport.

    `wires` are pairs of source and target. A graph that can be read in one band stays in one.
    """
    columns, found = _columns(places), dict(places)
    if len(columns) < 2:
        return found
    best = _scale(places, size, viewport)
    if best >= viewport.readable_scale:
        return found
    best *= _LEAST_ENLARGEMENT
    pairs = list(wires)
    for count in range(2, min(MOST_BANDS, len(columns)) + 1):
        bands = in_bands(places, size, pairs, count)
        if bands is None:
            continue
        scale = _scale(bands, size, viewport)
        if scale > best:
            best, found = scale, bands
    return found


def in_bands(
    places: Mapping[int, Point],
    size: Size,
    wires: Iterable[tuple[int, int]],
    count: int,
    space: Point = (BAND_INDENT, BAND_GAP),
    most_crossing: int = MOST_CROSSING,
) -> dict[int, Point] | None:
    """Return the positions in this number of bands; None where too many wires would cross.

    `space` holds the indent of the bands below the first, and the gap between two bands.
    """
    columns = _columns(places)
    crossings = _wires_before(columns, wires)
    cuts = _cuts(columns, places, size, [n <= most_crossing for n in crossings], count)
    return None if cuts is None else _stacked(columns, cuts, places, size, space)


def _columns(places: Mapping[int, Point]) -> list[list[int]]:
    """Return the nodes of each column, from left to right."""
    by_x: dict[float, list[int]] = {}
    for node, (x, _y) in places.items():
        by_x.setdefault(x, []).append(node)
    return [by_x[x] for x in sorted(by_x)]


def _scale(places: Mapping[int, Point], size: Size, viewport: Viewport) -> float:
    """Return the scale at which everything fits into the viewport."""
    left, top, right, bottom = _bounds(places, size, places)
    return min(viewport.width / (right - left), viewport.height / (bottom - top))


def _bounds(
    nodes: Iterable[int], size: Size, places: Mapping[int, Point]
) -> tuple[float, float, float, float]:
    rects = [(*places[node], *size(node)) for node in nodes]
    return (
        min(x for x, _y, _w, _h in rects),
        min(y for _x, y, _w, _h in rects),
        max(x + w for x, _y, w, _h in rects),
        max(y + h for _x, y, _w, h in rects),
    )


def _wires_before(columns: list[list[int]], wires: Iterable[tuple[int, int]]) -> list[int]:
    """Return for each column the number of wires that cross its left side."""
    column = {node: k for k, nodes in enumerate(columns) for node in nodes}
    changes = [0] * (len(columns) + 1)
    for source, target in wires:
        if source in column and target in column and column[source] < column[target]:
            changes[column[source] + 1] += 1
            changes[column[target] + 1] -= 1
    return list(accumulate(changes[:-1]))


def _cuts(
    columns: list[list[int]],
    places: Mapping[int, Point],
    size: Size,
    may_begin: list[bool],
    count: int,
) -> list[int] | None:
    """Return the first column of each band after the first; None if a band finds no column.

    Each is the column nearest to the edge of equally wide bands, at most half a band from it.
    `may_begin` holds for each column whether few enough wires cross its left side.
    """
    lefts = [places[nodes[0]][0] for nodes in columns]
    _left, _top, right, _bottom = _bounds(columns[-1], size, places)
    band_width = (right - lefts[0]) / count
    cuts: list[int] = []
    for band in range(1, count):
        ideal = lefts[0] + band * band_width
        candidates = [
            k
            for k in range((cuts[-1] if cuts else 0) + 1, len(columns))
            if may_begin[k] and abs(lefts[k] - ideal) < band_width / 2
        ]
        if not candidates:
            return None
        cuts.append(min(candidates, key=lambda k: abs(lefts[k] - ideal)))
    return cuts


def _stacked(
    columns: list[list[int]], cuts: list[int], places: Mapping[int, Point], size: Size, space: Point
) -> dict[int, Point]:
    """Return the positions with the bands below each other, from the left edge of the first.

    `space` holds the indent of the bands below the first, and the gap between two bands.
    """
    indent, gap = space
    found: dict[int, Point] = {}
    origin, bottom = places[columns[0][0]][0], None
    for band, (first, last) in enumerate(pairwise([0, *cuts, len(columns)])):
        shift = indent + band * _INDENT_STEP if band else 0.0
        nodes = [node for column in columns[first:last] for node in column]
        left, top, _right, low_edge = _bounds(nodes, size, places)
        dy = 0.0 if bottom is None else bottom + gap - top
        for node in nodes:
            x, y = places[node]
            found[node] = (x - left + origin + shift, y + dy)
        bottom = low_edge + dy
    return found
