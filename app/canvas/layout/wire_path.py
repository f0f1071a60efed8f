"""Wire paths: routes around obstacles, and the courses drawn along them."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import chain
from operator import add

from msgspec import Struct
from msgspec.structs import replace

from app.canvas.layout.spatial_index import Sides
from app.document.sheet import Point
from app.style import sizes

Interval = tuple[float, float]
"""From where to where, along one axis."""
Leg = tuple[float, ...]
"""A segment of a course from the end of the one before: a straight line to (x, y), or a cubic curve
(x1, y1, x2, y2, x, y) with two control points."""
BACK_LEGS = (4, 8)
"""Numbers of segments of a wire that runs back, without and with straight sides.

Of the others, a wire between nodes that almost touch has 2, a single bend 3, a lane route 5.
"""
RUN_CLEARANCE = 4.0
"""Least distance of a level run from a node, in sheet px."""


def level_curve(a: Point, b: Point) -> Leg:
    """Return a curve that leaves one point level and arrives level at another."""
    middle = (a[0] + b[0]) / 2
    return (middle, a[1], middle, b[1], b[0], b[1])


def covers(sides: Sides, y: float) -> bool:
    """Return whether a level line at y would touch a rectangle or its clearance."""
    return sides[1] - RUN_CLEARANCE < y < sides[3] + RUN_CLEARANCE


class Course:
    """The course of a wire: its path, and the horizontal run into the slot that holds its label.

    The run is at height `y`, from x `run_start` to x `run_end`.

    The canvas draws it as a `DrawnCourse`.
    """

    __slots__ = ("bounds", "influence", "is_blocked", "legs", "run_end", "run_start", "start", "y")

    def __init__(self, start: Point, legs: tuple[Leg, ...], run: Interval, y: float) -> None:
        self.start = start
        self.run_start, self.run_end = run
        self.y = y
        xs = [start[0], *chain.from_iterable([leg[::2] for leg in legs])]
        ys = [start[1], *chain.from_iterable([leg[1::2] for leg in legs])]
        self.bounds: Sides = (min(xs), min(ys), max(xs), max(ys))
        """Bounds of the path and its control points."""
        self.is_blocked = False
        """Whether an obstacle blocks the straight course."""
        self.influence = RUN_CLEARANCE
        """Vertical distance to its end, in sheet px, within which a node affects the routing."""
        self.legs = legs

    @property
    def end(self) -> Point:
        """Return the point where it meets its slot."""
        x, y = self.legs[-1][-2:]
        return x, y

    def translated(self, right: float, down: float) -> Course:
        """Return the course translated."""
        x, y = self.start
        by = (right, down) * 3  # a leg has up to three points; `map` ends with the shorter one
        legs = tuple([tuple(map(add, leg, by)) for leg in self.legs])
        run = (self.run_start + right, self.run_end + right)
        found = Course((x + right, y + down), legs, run, self.y + down)
        found.is_blocked, found.influence = self.is_blocked, self.influence
        return found

    @property
    def svg(self) -> str:
        """Return the path as SVG writes it, to a tenth of a sheet px."""
        parts = [("M", self.start), *(("LC"[len(leg) > 2], leg) for leg in self.legs)]
        return "".join(letter + " ".join(f"{round(x, 1):g}" for x in xs) for letter, xs in parts)

    def has_same_path_as(self, other: Course) -> bool:
        """Return whether another wire has the same path."""
        return self.start == other.start and self.legs == other.legs

    def depends_on(self, sides: Sides) -> bool:
        """Return whether an obstacle appearing or vanishing here may change the path."""
        level = self.legs[-1][-1]  # the y of the slot
        if sides[1] - self.influence < level < sides[3] + self.influence:
            return True
        if self.is_blocked and covers(sides, self.start[1]):
            return True
        x, y = self.start
        if sides[1] >= max(y, level) or sides[3] <= min(y, level):
            return False
        # in its bend, or in the earlier bend that it would take if nothing blocked it
        right = self.legs[-1][-2] if self.is_blocked else x + sizes.BEND
        return sides[0] < right and sides[2] > x

    def touches(self, sides: Sides) -> bool:
        """Return whether the bounds of any segment touch a rectangle."""
        left, top, right, bottom = sides
        if self.run_start < right and self.run_end > left and top < self.y < bottom:
            return True
        begin, high, end, low = self.bounds
        if len(self.legs) in (2, *BACK_LEGS):  # close by, or back
            return begin < right and end > left and high < bottom and low > top
        if begin < right and self.run_start > left:  # the bend before the run
            level = self.start[1]
            if min(level, self.y) < bottom and max(level, self.y) > top:
                return True
        # a single bend ends with its run; only a lane has another bend behind it
        if len(self.legs) == 3 or not (self.run_end < right and end > left):
            return False
        level = self.legs[-1][1]  # the bend after it
        return min(level, self.y) < bottom and max(level, self.y) > top


BACK_RUN, TURN_REACH = 170.0, 36.0
"""Length of the level run left of the slot, which holds the label, and how far the control points
of the turns reach out, in sheet px."""

BULGE_SHARE = 0.75
"""How far a turn bulges out, as a share of the reach of its control points: a cubic curve whose
inner control points have one x reaches 3/4 of the way to it."""
MIN_TURN_REACH, MIN_RUN, TURN_CLEARANCE = 12.0, 12.0, sizes.CAPSULE_WIDTH / 2 + 5.0
"""For a wire that turns into its slot right of a node: the tightest turn, the shortest level run
left of the slot, and its least distance from that node and its capsule, in sheet px."""

CIRCLE_CONTROL = 0.5523
"""Distance of the control points of a cubic quarter circle from its ends: 4/3 (√2 - 1) radii."""

LANES_SPACE = 8.0
"""Preferred free space above and below a level, for the lanes of other wires, in sheet px."""
OBSTACLE_CLEARANCE = 20.0
"""Clearance between a wire and an obstacle, in sheet px."""


FALLING_LANE, RISING_LANE = (0.08, 0.6), (0.45, 0.97)
"""The part of the bend in which a wire changes its height, as shares: falling wires early, rising
ones late, so that one crosses the other on its level run, at a right angle."""

END_PIECE = 4.0
"""Length of the level piece between a node and the bend next to it, in sheet px."""
LANE_BEND = 50.0
"""Length of a bend into a lane or out of it, with the level piece at the node, in sheet px."""


Turn = tuple[Point, Point, float]
"""From where to where a wire changes its height, and how far out its control points reach."""


class BackRoute(Struct, frozen=True):
    """A route to a slot on the left: out to the right, back along a level, into the slot."""

    start: Point
    end: Point
    level: float
    """The y at which it runs back."""
    run_start: float
    """The x at which the level run into the slot begins."""
    left_reach: float = TURN_REACH
    """How far the control points of the turn on the left reach out, in sheet px."""
    right_reach: float = TURN_REACH
    """The same for the turn on the right."""
    nested: bool = False
    """Whether other wires run next to it; then its turns have straight sides, so that they nest."""

    @property
    def right(self) -> Point:
        """Return the x of the turn behind the source, and the y at which it begins."""
        return (self.start[0] + BULGE_SHARE * self.right_reach, self.start[1])

    @property
    def left(self) -> Point:
        """Return the x of the turn before the slot, and the y to which it leads."""
        return (self.run_start - BULGE_SHARE * self.left_reach, self.end[1])

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Return both turns."""
        (x, y), run_start, level = self.start, self.run_start, self.level
        return (
            ((x, y), (x, level), self.right_reach),
            ((run_start, level), (run_start, self.end[1]), -self.left_reach),
        )

    def course(self) -> Course:
        """Return the course along this route."""
        (x, y), (_end_x, end_y) = self.start, self.end
        run_start, level = self.run_start, self.level
        turn_legs = _straight_turn if self.nested else _round_turn
        legs = (
            *turn_legs(x, y, level, self.right_reach),
            (run_start, level),
            *turn_legs(run_start, level, end_y, -self.left_reach),
            self.end,
        )
        found = Course(self.start, legs, (run_start, self.end[0]), end_y)
        found.is_blocked, found.influence = True, math.inf  # anything near may take its level
        return found


class LaneRoute(Struct, frozen=True):
    """A route to a slot on the right, through a free lane between nodes."""

    start: Point
    end: Point
    level: float
    """The y of the lane."""
    influence: float
    """As in Course."""
    nested: bool = False
    """Whether other wires run next to it."""

    @property
    def left(self) -> Point:
        """Return the x of the bend into the lane, and the y at which it begins."""
        return (self.start[0] + LANE_BEND / 2, self.start[1])

    @property
    def right(self) -> Point:
        """Return the x of the bend out of the lane, and the y to which it leads."""
        return (self.end[0] - LANE_BEND / 2, self.end[1])

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Return the bends into the lane and out of it."""
        start, end, y = self.start, self.end, self.level
        # a short level piece at each node shows where the wire leaves it and arrives
        near, first = (start[0] + END_PIECE, start[1]), (start[0] + LANE_BEND, y)
        last = (max(first[0], end[0] - LANE_BEND), y)
        return ((near, first, 0.0), (last, (end[0] - END_PIECE, end[1]), 0.0))

    def course(self) -> Course:
        """Return the course along this route."""
        start, end, y = self.start, self.end, self.level
        (near, first, _), (last, after, _) = self.turns
        legs = (near, level_curve(near, first), last, level_curve(last, after), end)
        found = Course(start, legs, (first[0], last[0]), y)
        found.is_blocked, found.influence = True, self.influence
        return found


class BendRoute(Struct, frozen=True):
    """A route to a slot on the right: a bend to its height, then level into it."""

    start: Point
    end: Point
    first: float
    """The x from which it may bend."""
    length: float
    """The length within which it bends, in sheet px."""
    lane: Interval
    """In which part of this length it does, as shares."""
    is_blocked: bool = False
    influence: float = RUN_CLEARANCE
    """As in Course."""

    @property
    def span(self) -> Interval:
        """Return the interval of x in which it changes its height."""
        begin, done = self.lane
        return (self.first + begin * self.length, self.first + done * self.length)

    @property
    def zone(self) -> Sides:
        """Return the rectangle behind its source in which it may bend."""
        low, high = sorted((self.start[1], self.end[1]))
        # 1 px behind its start, so that the node at which it starts does not touch it
        return (self.first + 1.0, low, self.first + self.length, high)

    def course(self) -> Course:
        """Return the course along this route."""
        begin, done = self.span
        first, last = (begin, self.start[1]), (done, self.end[1])
        legs = (first, level_curve(first, last), self.end)
        found = Course(self.start, legs, (done, self.end[0]), self.end[1])
        found.is_blocked, found.influence = self.is_blocked, self.influence
        return found


Route = BackRoute | LaneRoute
"""A route past nodes, which may need a lane next to those of others.

Both have the same attributes: `level`, the turns at its ends (`left`, `right`), and `nested`.
"""


def back_route(start: Point, end: Point, obstacles: Sequence[Sides], back_run: float) -> BackRoute:
    """Return the route with the level run `back_run` before its slot, on a free level.

    Where nodes are in its way before the slot, whichever level it takes, it turns into the slot
    right of them.
    """
    run_start = end[0] - back_run
    levels = _levels_back(start, end, obstacles, run_start)
    for level in levels:
        turn = (run_start, TURN_REACH, level, end)
        if not any(_blocks_turn(r, *turn) or _blocks_curve(r, *turn) for r in obstacles):
            return BackRoute(start, end, level, run_start)
    tight_routes = (_tight_route(start, end, obstacles, level, run_start) for level in levels)
    found = next((route for route in tight_routes if route is not None), None)
    return found or BackRoute(start, end, levels[0], run_start)


def _tight_route(
    start: Point, end: Point, obstacles: Sequence[Sides], level: float, run_start: float
) -> BackRoute | None:
    """Return the route with a tight turn between its slot and the nodes left of it, or None."""
    reach = TURN_REACH
    for _ in obstacles:  # each round moves the turn right of at least one more of them
        behind = [r[2] for r in obstacles if _blocks_turn(r, run_start, reach, level, end)]
        if not behind:
            break
        reach = min(TURN_REACH, (end[0] - MIN_RUN - max(behind) - TURN_CLEARANCE) / BULGE_SHARE)
        if reach < MIN_TURN_REACH:
            return None
        run_start = max(behind) + TURN_CLEARANCE + BULGE_SHARE * reach
    if any(_blocks_curve(r, run_start, reach, level, end) for r in obstacles):
        return None
    return BackRoute(start, end, level, run_start, left_reach=reach)


def _round_turn(x: float, y: float, to: float, reach: float) -> tuple[Leg, ...]:
    """Return a turn between two heights as one curve, to the right or for a negative reach left."""
    return ((x + reach, y, x + reach, to, x, to),)


def _straight_turn(x: float, y: float, to: float, reach: float) -> tuple[Leg, ...]:
    """Return a turn of the same depth with a straight side, along which other lanes can nest."""
    out, high, k = BULGE_SHARE * reach, to - y, CIRCLE_CONTROL
    corner = math.copysign(min(abs(out), abs(high) / 2), high)
    side, before, after = x + out, y + corner, to - corner
    return (
        (x + k * out, y, side, before - k * corner, side, before),
        (side, after),
        (side, after + k * corner, x + k * out, to, x, to),
    )


def _levels_back(
    start: Point, end: Point, obstacles: Sequence[Sides], run_start: float
) -> list[float]:
    """Return the free levels back to x `run_start` that have the least detour, wide gaps first."""
    (x, y), (_end_x, end_y) = start, end
    levels = sorted(
        {
            (y + end_y) / 2,
            *(r[1] - OBSTACLE_CLEARANCE for r in obstacles),
            *(r[3] + OBSTACLE_CLEARANCE for r in obstacles),
        }
    )
    free = [at for at in levels if not any(blocks_run(r, run_start, x, at) for r in obstacles)]
    free = free or levels[:1]

    def detour(at: float) -> float:
        # rounded, since all levels between both ends have the same detour
        return round(abs(at - y) + abs(at - end_y), 3)

    def lacks_lane_space(at: float) -> bool:
        return any(
            blocks_run(r, run_start, x, at + by)
            for r in obstacles
            for by in (-LANES_SPACE, LANES_SPACE)
        )

    with_free_start = [at for at in free if not any(_blocks_start(r, start, at) for r in obstacles)]
    free = with_free_start or free
    least = min(map(detour, free))
    return sorted((at for at in free if detour(at) == least), key=lacks_lane_space)


def blocks_run(sides: Sides, left: float, right: float, y: float) -> bool:
    """Return whether a rectangle blocks a level run."""
    left_of_end, right_of_start = sides[0] - RUN_CLEARANCE < right, sides[2] + RUN_CLEARANCE > left
    return covers(sides, y) and left_of_end and right_of_start


def _blocks_start(sides: Sides, start: Point, level: float) -> bool:
    """Return whether a rectangle blocks the turn behind the source."""
    left, top, right, bottom = sides
    (x, y), out = start, BULGE_SHARE * TURN_REACH
    between = min(level, y) < bottom and max(level, y) > top
    return between and left < x + out and right > x + TURN_CLEARANCE


def _blocks_turn(sides: Sides, run_start: float, reach: float, level: float, end: Point) -> bool:
    """Return whether a rectangle left of a slot blocks the turn into it, or its level run."""
    if sides[2] > end[0] - MIN_RUN:  # no turn fits between it and the slot
        return False
    return _blocks_curve(sides, run_start, reach, level, end) or (
        covers(sides, end[1]) and sides[2] > run_start
    )


def _blocks_curve(sides: Sides, run_start: float, reach: float, level: float, end: Point) -> bool:
    """Return whether a rectangle lies in the curve of the turn into a slot."""
    left, top, right, bottom = sides
    between = min(level, end[1]) < bottom and max(level, end[1]) > top
    return between and left < run_start and right > run_start - BULGE_SHARE * reach


MIN_FORWARD_GAP = 4.0
"""Distance of source and slot, in sheet px, below which a wire runs back."""

MIN_BEND = 26.0
"""Distance below which a bend would be too steep to follow with the eye, in sheet px."""
BEND_CLEARANCE = 16.0
"""Distance of a bend from the obstacles before it, in sheet px."""
LABEL_GAP = 5.0
"""Distance from the end of a bend to the widest label of its column, in sheet px."""


def bend_length() -> float:
    """Return the length of a bend behind the capsule, in sheet px; shorter in a presentation."""
    length = sizes.BEND_PRESENTED if sizes.presented else sizes.BEND
    return length - sizes.CAPSULE_WIDTH / 2 - LABEL_GAP


def route_past(
    start: Point, end: Point, obstacles: Sequence[Sides] = (), back_run: float = BACK_RUN
) -> Course | Route | BendRoute:
    """Return a course that needs no lane, or else the route or bend to which one is assigned.

    `back_run` is the level run left of the slot where the wire runs back.
    """
    if runs_back(start, end):
        return back_route(start, end, obstacles, back_run)
    (x, y), (end_x, end_y) = start, end
    gap = end_x - x
    if gap < MIN_BEND:
        return _short_course(start, end)
    bend = min(bend_length(), gap)
    blocked = _blocking(obstacles, (x + bend, end_x, end_y), _bend_area(x, y, end_y))
    if not blocked:
        return _bend_route(start, end, bend, x)
    # bend behind the obstacles if the level run there is free, else take a lane between nodes
    later = max(r[2] for r in blocked) + BEND_CLEARANCE
    level, area = (x, later, y), _bend_area(later, y, end_y)
    if end_x - later >= bend and not _blocking(obstacles, level, area):
        found = _bend_route(start, end, bend, later)
    else:
        lane = _free_lane_level(start, end, obstacles)
        if lane is not None:
            # whatever comes or goes nearer than this may block the lane or free a nearer one
            influence = _detour(lane, start, end) + OBSTACLE_CLEARANCE + RUN_CLEARANCE
            return LaneRoute(start, end, lane, influence)
        # through a node; any change may free another way
        found = replace(_bend_route(start, end, bend, x), influence=math.inf)
    return replace(found, is_blocked=True)


def runs_back(start: Point, end: Point) -> bool:
    """Return whether a slot is too far left for a wire without a return turn."""
    gap = end[0] - start[0]
    # to a slot at the same height a straight line leads, however short
    return gap < MIN_FORWARD_GAP and not (gap > 0 and start[1] == end[1])


def _bend_route(start: Point, end: Point, bend: float, first: float) -> BendRoute:
    """Return the route that bends within the length `bend` from x `first`."""
    lane = FALLING_LANE if end[1] > start[1] else RISING_LANE
    return BendRoute(start, end, first, min(bend, end[0] - first), lane)


def _bend_area(x: float, y: float, end_y: float) -> Sides:
    """Return the rectangle in which a bend that begins at x changes its height."""
    begin, done = FALLING_LANE if end_y > y else RISING_LANE
    bend = bend_length()
    return (x + begin * bend, min(y, end_y), x + done * bend, max(y, end_y))


def _blocking(
    obstacles: Sequence[Sides], run: tuple[float, float, float], bend: Sides
) -> list[Sides]:
    """Return the obstacles of a level run (its left, right and y) and of the bend at its end."""
    left, right, y = run
    # `blocks_run`, written out: this is the innermost loop of routing
    low, high, begin, top, done, bottom = y - RUN_CLEARANCE, y + RUN_CLEARANCE, *bend
    left, right = left - RUN_CLEARANCE, right + RUN_CLEARANCE
    return [
        r
        for r in obstacles
        if (r[1] < high and r[3] > low and r[0] < right and r[2] > left)
        or (r[0] < done and r[2] > begin and r[1] < bottom and r[3] > top)
    ]


def _free_lane_level(start: Point, end: Point, obstacles: Sequence[Sides]) -> float | None:
    """Return the free level with the least detour for a run past nodes, or None.

    Levels to which no node blocks the bends are preferred.
    """
    # the level run between both bends, with its clearance
    left, right = start[0] + LANE_BEND - RUN_CLEARANCE, end[0] - LANE_BEND + RUN_CLEARANCE
    if right <= left:
        return None
    # nodes within 6 px of an end touch no bend; within 12 px a bend is not at its level yet
    inside = [r for r in obstacles if r[2] > start[0] + 6 and r[0] < end[0] - 6]
    taken = _joined(
        (r[1] - RUN_CLEARANCE, r[3] + RUN_CLEARANCE)
        for r in inside
        if r[2] > start[0] + 12 and r[0] < end[0] - 12
    )
    starts = [interval[0] for interval in taken]

    def is_free(y: float) -> bool:
        before = bisect_left(starts, y) - 1
        return before < 0 or taken[before][1] <= y

    levels = sorted(_levels_around(inside))
    middle = bisect_left(levels, end[1])
    blocks = _bend_blocks(start, end, inside)

    def is_reached(y: float) -> bool:
        return is_free(y) and not any(min(y, at) < r[3] and max(y, at) > r[1] for at, r in blocks)

    for is_good in (is_reached, is_free) if blocks else (is_free,):
        above = next(filter(is_good, reversed(levels[:middle])), None)
        below = next(filter(is_good, levels[middle:]), None)
        if above is not None and below is not None:
            return min(above, below, key=lambda y: _detour(y, start, end))
        if above is not None or below is not None:
            return below if above is None else above
    return None


def _bend_blocks(start: Point, end: Point, obstacles: Iterable[Sides]) -> list[tuple[float, Sides]]:
    """Return the obstacles of the bends into a lane and out of it, each with the y of that end."""
    bends = ((start[0], start[0] + LANE_BEND, start[1]), (end[0] - LANE_BEND, end[0], end[1]))
    return [(y, r) for r in obstacles for a, b, y in bends if a < r[2] and b > r[0]]


def _levels_around(obstacles: Sequence[Sides]) -> list[float]:
    return [at for r in obstacles for at in (r[1] - OBSTACLE_CLEARANCE, r[3] + OBSTACLE_CLEARANCE)]


def _detour(y: float, start: Point, end: Point) -> float:
    """Return the routing cost of running along this y.

    A detour at the source counts 0.3 of it: the lane has the label, which belongs to the slot.
    """
    return abs(y - end[1]) + 0.3 * abs(y - start[1])


def _joined(intervals: Iterable[Interval]) -> list[Interval]:
    """Return overlapping intervals merged, in order."""
    found: list[Interval] = []
    for low, high in sorted(intervals):
        if found and low < found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return found


def _short_course(start: Point, end: Point) -> Course:
    """Return the course between two nodes that almost touch, with no space for a level run."""
    last = (end[0] - min(END_PIECE, (end[0] - start[0]) / 2), end[1])
    return Course(start, (level_curve(start, last), end), (last[0], end[0]), end[1])
