"""Routes: where a wire runs that is led back to a slot left of it, or past nodes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from app.canvas.layout.course import Course, Leg, Place, covers, level_curve
from app.canvas.layout.spatial_index import Sides
from app.style import sizes

BACK, TURN = 170.0, 36.0
"""The level run left of the slot, where the label is, and how far the turns reach out, in sheet
px."""

REACH = 0.75
"""How far a turn really reaches out, as a share of the reach of its control points."""
LEAST_TURN, LEAST_RUN, CLEARANCE = 12.0, 12.0, sizes.CAPSULE_WIDTH / 2 + 5.0
"""For a wire that turns into its slot right of a node: the tightest turn, the shortest level run
left of the slot, and its least distance from that node and its capsule, in sheet px."""

ROUND = 0.5523
"""Where the control points of a quarter of a circle are, as a share of its radius."""

ROOM = 8.0
"""How far above and below a level others can run beside it, in sheet px."""
LANE = 20.0
"""Clearance between a wire and an obstacle, in sheet px."""


FALLS, RISES = (0.08, 0.6), (0.45, 0.97)
"""The part of the bend in which a wire changes its height, as shares: falling wires do so first and
rising ones last, so that they cross at a right angle on a level run."""

LANE_BEND = 50.0
"""Length of a bend into a lane or out of it, with the level piece at the node, in sheet px."""


Turn = tuple[Place, Place, float]
"""From where to where a wire changes its height, and how far out its control points reach."""


class BackRoute(Struct, frozen=True):
    """Out to the right, along a level back, then into the slot from the left."""

    start: Place
    end: Place
    level: float
    """The y at which it runs back."""
    first: float
    """The x at which the level run into the slot begins."""
    turn: float = TURN
    """How far the control points of the turn on the left reach out, in sheet px."""
    reach: float = TURN
    """How far those of the turn on the right do."""
    beside: bool = False
    """Whether other wires run beside it; then its turns have sides, so that they can nest."""

    @property
    def right(self) -> Place:
        """Return the x of the turn behind the source, and the y from which it comes."""
        return (self.start[0] + REACH * self.reach, self.start[1])

    @property
    def left(self) -> Place:
        """Return the x of the turn before the slot, and the y to which it leads."""
        return (self.first - REACH * self.turn, self.end[1])

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Return both turns."""
        (x, y), first, level = self.start, self.first, self.level
        return (
            ((x, y), (x, level), self.reach),
            ((first, level), (first, self.end[1]), -self.turn),
        )

    def course(self) -> Course:
        """Return the course along this route."""
        (x, y), (_end_x, end_y) = self.start, self.end
        first, level = self.first, self.level
        turned = _nesting if self.beside else _bulge
        legs = (
            *turned(x, y, level, self.reach),
            (first, level),
            *turned(first, level, end_y, -self.turn),
            self.end,
        )
        found = Course(self.start, legs, (first, self.end[0]), end_y)
        found.crowded, found.influence = True, math.inf  # anything near may take its level
        return found


class LaneRoute(Struct, frozen=True):
    """On to the right through a lane between nodes, then to the slot."""

    start: Place
    end: Place
    level: float
    """The y of the lane."""
    influence: float
    """As in Course."""
    beside: bool = False
    """Whether other wires run beside it."""

    @property
    def left(self) -> Place:
        """Return the x of the bend into the lane, and the y from which it comes."""
        return (self.start[0] + LANE_BEND / 2, self.start[1])

    @property
    def right(self) -> Place:
        """Return the x of the bend out of the lane, and the y to which it leads."""
        return (self.end[0] - LANE_BEND / 2, self.end[1])

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Return the bends into the lane and out of it."""
        start, end, y = self.start, self.end, self.level
        near, first = (start[0] + 4, start[1]), (start[0] + LANE_BEND, y)
        last = (max(first[0], end[0] - LANE_BEND), y)
        return ((near, first, 0.0), (last, (end[0] - 4, end[1]), 0.0))

    def course(self) -> Course:
        """Return the course along this route."""
        start, end, y = self.start, self.end, self.level
        (near, first, _), (last, after, _) = self.turns
        legs = (near, level_curve(near, first), last, level_curve(last, after), end)
        found = Course(start, legs, (first[0], last[0]), y)
        found.crowded, found.influence = True, self.influence
        return found


class BendRoute(Struct, frozen=True):
    """On to the right: a bend to the height of the slot, then level into it."""

    start: Place
    end: Place
    first: float
    """The x from which it may bend."""
    length: float
    """The length within which it bends, in sheet px."""
    lane: Place
    """In which part of this length it does, as shares."""
    crowded: bool = False
    influence: float = 4.0
    """As in Course."""

    @property
    def span(self) -> Place:
        """Return between which x it changes its height."""
        begin, done = self.lane
        return (self.first + begin * self.length, self.first + done * self.length)

    @property
    def zone(self) -> Sides:
        """Return where it may bend, behind its source."""
        low, high = sorted((self.start[1], self.end[1]))
        return (self.first + 1.0, low, self.first + self.length, high)

    def course(self) -> Course:
        """Return the course along this route."""
        begin, done = self.span
        first, last = (begin, self.start[1]), (done, self.end[1])
        legs = (first, level_curve(first, last), self.end)
        found = Course(self.start, legs, (done, self.end[0]), self.end[1])
        found.crowded, found.influence = self.crowded, self.influence
        return found


Route = BackRoute | LaneRoute
"""A route past nodes, which others may have to be led beside."""


def back_route(
    start: Place, end: Place, obstacles: Sequence[Sides] = (), back: float = BACK
) -> BackRoute:
    """Return the route with the level run `back` before its slot, on a free level.

    Where nodes are in its way before the slot, whichever level it takes, it turns into the slot
    right of them.
    """
    wanted = end[0] - back
    levels = _levels_back(start, end, obstacles, wanted)
    for level in levels:
        at = (wanted, TURN, level, end)
        if not any(_blocks_turn(r, *at) or _hit(r, *at) for r in obstacles):
            return BackRoute(start, end, level, wanted)
    tighter = (_tighter(start, end, obstacles, level, wanted) for level in levels)
    found = next((route for route in tighter if route is not None), None)
    return found or BackRoute(start, end, levels[0], wanted)


def _tighter(
    start: Place, end: Place, obstacles: Sequence[Sides], level: float, first: float
) -> BackRoute | None:
    """Return a route that turns between the nodes left of its slot and the slot, or None."""
    turn = TURN
    for _ in obstacles:
        behind = [r[2] for r in obstacles if _blocks_turn(r, first, turn, level, end)]
        if not behind:
            break
        turn = min(TURN, (end[0] - LEAST_RUN - max(behind) - CLEARANCE) / REACH)
        if turn < LEAST_TURN:
            return None
        first = max(behind) + CLEARANCE + REACH * turn
    if any(_hit(r, first, turn, level, end) for r in obstacles):
        return None
    return BackRoute(start, end, level, first, turn)


def _bulge(x: float, y: float, to: float, reach: float) -> tuple[Leg, ...]:
    """Return a turn from one height to another to the right, or to the left if negative."""
    return ((x + reach, y, x + reach, to, x, to),)


def _nesting(x: float, y: float, to: float, reach: float) -> tuple[Leg, ...]:
    """Return a turn as far out with a straight side, so that others stay apart all the way."""
    out, high, k = REACH * reach, to - y, ROUND
    corner = math.copysign(min(abs(out), abs(high) / 2), high)
    side, before, after = x + out, y + corner, to - corner
    return (
        (x + k * out, y, side, before - k * corner, side, before),
        (side, after),
        (side, after + k * corner, x + k * out, to, x, to),
    )


def _levels_back(start: Place, end: Place, obstacles: Sequence[Sides], first: float) -> list[float]:
    """Return where a wire can run back to `first` with the least detour, the roomiest y first."""
    (x, y), (_end_x, end_y) = start, end
    levels = sorted(
        {(y + end_y) / 2, *(r[1] - LANE for r in obstacles), *(r[3] + LANE for r in obstacles)}
    )
    free = [at for at in levels if not any(blocks_run(r, first, x, at) for r in obstacles)]
    free = free or levels[:1]

    def detour(at: float) -> float:
        return round(abs(at - y) + abs(at - end_y), 3)

    def is_narrow(at: float) -> bool:
        return any(blocks_run(r, first, x, at + by) for r in obstacles for by in (-ROOM, ROOM))

    open_ended = [at for at in free if not any(_blocks_start(r, start, at) for r in obstacles)]
    free = open_ended or free
    least = min(map(detour, free))
    return sorted((at for at in free if detour(at) == least), key=is_narrow)


def blocks_run(sides: Sides, left: float, right: float, y: float) -> bool:
    """Return whether a rectangle is in the way of a level run."""
    return covers(sides, y) and sides[0] - 4 < right and sides[2] + 4 > left


def _blocks_start(sides: Sides, start: Place, level: float) -> bool:
    """Return whether a rectangle is in the way of the turn behind the source."""
    left, top, right, bottom = sides
    (x, y), out = start, REACH * TURN
    between = min(level, y) < bottom and max(level, y) > top
    return between and left < x + out and right > x + CLEARANCE


def _blocks_turn(sides: Sides, first: float, turn: float, level: float, end: Place) -> bool:
    """Return whether a rectangle left of a slot is in the way of the turn into it."""
    if sides[2] > end[0] - LEAST_RUN:
        return False
    return _hit(sides, first, turn, level, end) or (covers(sides, end[1]) and sides[2] > first)


def _hit(sides: Sides, first: float, turn: float, level: float, end: Place) -> bool:
    """Return whether the turn into a slot would run through a rectangle."""
    left, top, right, bottom = sides
    between = min(level, end[1]) < bottom and max(level, end[1]) > top
    return between and left < first and right > first - REACH * turn
