"""A leaf nudged: the root's value against it as a curve, with tangent and secant.

The curve consists of strokes. A stroke ends where a value is infinite or nan, and where the value
jumps, so that no false line joins them. Bisection tells a jump from a steep slope: a jump keeps its
height however close the two points are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from msgspec import Struct

from app.controls.drawn_range import NARROWEST, is_drawable
from app.workbench.trials.checking import CheckMethod, CheckRow, rows
from engine.asking.nudge import Quotient, quotient, root_value
from engine.graph import Constant, Graph, Leaf, Node
from engine.numbers import LARGEST_DRAWN, full
from engine.rules import Rules
from engine.trace import Trace, run

Point = tuple[float, float]
Stroke = tuple[Point, ...]

MIN_HALF_RANGE: Final = 1.2
"""Half the width of the range of the leaf, at least."""
HALF_RANGE_BY_VALUE: Final = 0.15
"""Half the width of the range, as a share of the leaf's value, at least."""
HALF_RANGE_BY_H: Final = 1.6
"""Half the width of the range, as a multiple of h, at least: both ends of a secant are in it."""
SAMPLE_COUNTS: Final = ((200, 161), (2_000, 81), (math.inf, 41))
"""(nodes up to, points of the curve): a large graph gets fewer points."""
JUMP_LIMIT: Final = 8
"""Steep intervals examined for a jump; each costs MAX_BISECTIONS values."""
MAX_BISECTIONS: Final = 40
"""Bisections of an interval; usually its ends are neighbouring floats before."""
STEEP_SHARE: Final = 0.05
"""Difference of neighbours that may be a jump, as a share of the curve's height."""
STRAIGHT_TOLERANCE: Final = 1e-9
"""Deviation allowed of a straight line, as a share of its height."""
ROUNDING_TOLERANCE: Final = 8 * 2.0**-52
"""Deviation allowed of a straight line, as a share of its values: eight times the epsilon."""
TAIL_SHARE: Final = 0.05
"""Share of the lowest, and of the highest, values that may be cut off near a pole."""
TAIL_RATIO: Final = 4.0
"""The tails are cut off if the curve is this many times as high as without them."""
MARGIN: Final = 0.08
"""Space above and below a curve, as a share of its height."""
POINTER_STEPS: Final = 200
"""Steps over the range when the point is moved by the mouse, before rounding to a decimal."""
EDGE_SHARE: Final = 0.1
"""Share of the range at each end that is too near the edge for the point."""


class Curve(Struct, frozen=True):
    """The root's value over a range of a leaf's: strokes, and the range of values drawn."""

    node: int
    low: float
    high: float
    strokes: tuple[Stroke, ...]
    bottom: float
    top: float

    @property
    def straight(self) -> bool:
        """Return whether the curve is one straight line over the range."""
        if len(self.strokes) != 1 or self.strokes[0][0][0] > self.low:
            return False
        (x0, y0), (x1, y1) = self.strokes[0][0], self.strokes[0][-1]
        if x1 < self.high or x1 == x0:
            return False
        size = max(abs(y) for _x, y in self.strokes[0])
        allowed = max(STRAIGHT_TOLERANCE * abs(y1 - y0), ROUNDING_TOLERANCE * size)
        slope = (y1 - y0) / (x1 - x0)
        return all(abs(y - y0 - slope * (x - x0)) <= allowed for x, y in self.strokes[0])

    def contains(self, x: float) -> bool:
        """Return whether x is within the range and not near its edges."""
        edge = EDGE_SHARE * (self.high - self.low)
        return self.low + edge <= x <= self.high - edge

    def rounded(self, x: float) -> float:
        """Return a number clamped to the range and rounded to its resolution."""
        decimals = -Decimal((self.high - self.low) / POINTER_STEPS).adjusted()
        return min(max(round(x, decimals), self.low), self.high)

    def step(self) -> float:
        """Return the step of the point per key press: ten times the resolution of the mouse."""
        return float(
            Decimal(1).scaleb(Decimal((self.high - self.low) / POINTER_STEPS).adjusted() + 1)
        )


class Nudge(Struct, frozen=True):
    """The marks over a curve: the point, the slope of the tangent, and the secant of h."""

    x: float
    y: float
    slope: float | None
    h: float
    secant: Quotient | None


def nudge(trace: Trace, row: CheckRow, method: CheckMethod, h: float) -> Nudge:
    """Return the point, the tangent and the secant of a row."""
    secant = None if method == "exact" else quotient(trace, row.node, h, method)
    return Nudge(trace.values[row.node], trace.values[trace.root], row.backward, h, secant)


class NudgeResult(Struct, frozen=True):
    """A nudge with its row of the check and its curve."""

    graph: Graph
    row: CheckRow
    curve: Curve
    nudge: Nudge


class NudgeKey(NamedTuple):
    """The cache key of a nudge: a leaf of a graph, rules, a method and its h."""

    graph: Graph
    node: int
    rules: Rules
    method: CheckMethod
    h: float


def compute_nudge(
    key: NudgeKey, drawn_range: tuple[float, float], known_curve: Curve | None
) -> Iterator[NudgeResult | None]:
    """Yield None between slices of work, and the result last.

    The curve over a range is computed unless it is known. Raises EngineError without a pass.
    """
    graph, node, rules, method, h = key
    row = next(rows(graph, rules=rules, method=method, h=h, nodes=(node,)))
    yield None
    trace = run(graph, rules=rules)
    if known_curve is None:
        points = list[Point]()
        for point in sample_curve(trace, node, *drawn_range):
            points.append(point)
            yield None
        known_curve = curve_through(trace, node, *drawn_range, points)
    yield NudgeResult(graph, row, known_curve, nudge(trace, row, method, h))


def leaf_range(x: float, h: float) -> tuple[float, float]:
    """Return the range in which a leaf is moved, with its value `x` in the middle."""
    half = min(
        max(MIN_HALF_RANGE, HALF_RANGE_BY_VALUE * abs(x), HALF_RANGE_BY_H * h), LARGEST_DRAWN
    )
    return x - half, x + half


def refusal(graph: Graph, node: int | None) -> str:
    """Return the reason why a node has no curve, or ""."""
    found: Node | None = None if node is None else graph.nodes.get(node)
    if node is None or found is None:
        return "Select a row to nudge its leaf."
    if not isinstance(found, Leaf):
        kind = "a constant" if isinstance(found, Constant) else "computed"
        return f"{graph.brief(node)} is {kind}: only a leaf can be nudged."
    if not is_drawable(found.value):
        return f"{graph.brief(node)} is {full(found.value)}: no point of a curve."
    return ""


def sample_curve(trace: Trace, node: int, low: float, high: float) -> Iterator[Point]:
    """Yield points of a curve from left to right; the current point among them."""
    count = next(points for most, points in SAMPLE_COUNTS if len(trace.graph.nodes) <= most)
    here = trace.values[node]
    xs = {low + k * (high - low) / (count - 1) for k in range(count - 1)} | {high, here}
    for x in sorted(xs):
        yield x, root_value(trace, node, x)


def curve_through(
    trace: Trace, node: int, low: float, high: float, points: Sequence[Point]
) -> Curve:
    """Return the curve through points, broken where it jumps or is not finite."""
    ys = [y for _x, y in points if is_drawable(y)]
    bottom, top = _drawn_range(ys, trace.values[trace.root])

    def value(x: float) -> float:
        return root_value(trace, node, x)

    strokes, jumps_left = list[Stroke](), JUMP_LIMIT
    stroke = list[Point]()
    for before, after in zip((None, *points), (*points, None), strict=True):
        if before is not None and is_drawable(before[1]):
            stroke.append(before)
        ends = after is None or not is_drawable(after[1])
        if before is not None and after is not None and not ends and is_drawable(before[1]):
            steep = abs(after[1] - before[1]) > STEEP_SHARE * (top - bottom)
            jump = _jump(value, before, after) if steep and jumps_left > 0 else None
            jumps_left -= steep  # a bool: 0 or 1
            if jump is not None:
                stroke.append(jump[0])
                strokes.append(tuple(stroke))
                stroke = [jump[1]]
        if ends and stroke:
            strokes.append(tuple(stroke))
            stroke = []
    return Curve(node, low, high, tuple(strokes), bottom, top)


def same_curve(one: Graph, other: Graph, node: int) -> bool:
    """Return whether two graphs have the same curve: they differ in the leaf's value alone."""
    if one.structure is not other.structure:
        return False
    return all(found is other.nodes.get(n) for n, found in one.nodes.items() if n != node)


def nudge_sentence(graph: Graph, row: CheckRow, found: Nudge, curve: Curve) -> str:
    """Return the sentence about the nudge, its tangent and its secant."""
    assert graph.root is not None
    leaf, root = graph.brief(row.node), graph.brief(graph.root)
    if row.backward is None:
        return f"No path leads from {leaf} to {root}, so {root} stays {full(found.y)}."
    sentences = list[str]()
    if found.secant is None or not math.isfinite(found.secant.value):
        pass
    elif len(found.secant.moves) == 1:
        sentences.append(
            f"{leaf} from {full(found.x)} to {full(found.x + found.h)} moves {root} from "
            f"{full(found.y)} to {full(found.secant.above)}: "
            f"{full(found.secant.value)} times as far."
        )
    else:
        sentences.append(
            f"{root} is {full(found.secant.below)} at {leaf} − h and {full(found.secant.above)} at "
            f"{leaf} + h: {full(found.secant.value)} times as far apart."
        )
    sentences.append(_remark(leaf, root, row, found, curve))
    return " ".join(sentences).strip()


def _remark(leaf: str, root: str, row: CheckRow, found: Nudge, curve: Curve) -> str:
    """Return the remark on tangent and secant, or the reason why there is none."""
    if not is_drawable(found.y):
        return f"{root} is {full(found.y)} here, so there is no point to draw."
    if row.backward is not None and not is_drawable(row.backward):
        return "A slope that is not finite has no tangent to draw."
    if row.doubt == "kink":
        return row.reason
    if row.verdict == "differs":
        return "The tangent has the slope of the gradient, which is wrong here."
    if curve.straight and row.verdict == "agrees" and found.secant is None:
        return f"{root} is a straight line in {leaf} here, and the tangent lies on it."
    if curve.straight and row.verdict == "agrees":
        return f"{root} is a straight line in {leaf} here: tangent and secant coincide."
    return ""


def _drawn_range(ys: Sequence[float], here: float) -> tuple[float, float]:
    """Return the lowest and highest value drawn; the tails of poles are cut off."""
    if not ys:
        return -1.0, 1.0
    ordered = sorted(ys)
    low, high = ordered[0], ordered[-1]
    cut = int(TAIL_SHARE * len(ordered))
    inner = ordered[-1 - cut] - ordered[cut]
    if inner > 0 and high - low > TAIL_RATIO * inner:
        low, high = max(low, ordered[cut] - inner), min(high, ordered[-1 - cut] + inner)
    if is_drawable(here):
        low, high = min(low, here), max(high, here)
    if high - low <= max(NARROWEST, STRAIGHT_TOLERANCE * max(abs(low), abs(high))):
        edge = max(1.0, 0.1 * abs(high))  # a flat curve in the middle of some height
        return low - edge, high + edge
    edge = MARGIN * (high - low)
    return low - edge, high + edge


def _jump(value: Callable[[float], float], a: Point, b: Point) -> tuple[Point, Point] | None:
    """Return both ends of a jump between two points, or None for a steep slope."""
    height = abs(b[1] - a[1])
    for _k in range(MAX_BISECTIONS):
        x = 0.5 * (a[0] + b[0])
        if not a[0] < x < b[0]:
            break
        middle = x, value(x)
        if not is_drawable(middle[1]):
            return a, b
        a, b = (a, middle) if abs(middle[1] - a[1]) > abs(b[1] - middle[1]) else (middle, b)
    # a jump keeps its height; that of a slope has shrunk with each bisection
    return (a, b) if abs(b[1] - a[1]) > 0.5 * height else None
