"""Bends: wires that bend between the same columns bend in lanes of their own.

A falling wire bends first and a rising one last, so most cross at a right angle. Bends that are in
conflict with others, or with the turns of routes, move to other lanes within the length that they
have for bending. The cost of a bend is the sum over the others of

- overlap: the height in sheet px over which two curves run on one another;
- ambiguity: AMBIGUITY_COST where two level runs look like one wire;
- corners: CORNER_COST for each corner of one bend that lies on the other.

Overlap and ambiguity are conflicts. Corners are not, but of two lanes the one with fewer is chosen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product

from msgspec.structs import replace

from app.canvas.layout.routes import FALLS, REACH, RISES, BackRoute, BendRoute, Place, Route, Turn
from app.canvas.layout.spatial_index import Sides
from engine.graph import Wire

MAX_BENDS = 60
"""With more bends than these, each is drawn as if alone; nobody could follow them."""
LANES = (FALLS, RISES, (0.08, 0.4), (0.36, 0.68), (0.66, 0.97))
"""The lanes: shares of the length for bending between which a bend may be, preferred ones first."""
ROUNDS, MAX_MOVES = 3, 16
"""How often all conflicts of a cluster are looked at, and the most moves that are tried in it."""

OVERLAP_DISTANCE = 3.0
"""Distance in sheet px below which two curves overlap."""
MIN_OVERLAP = 12.0
"""Height in sheet px up to which an overlap is a crossing; a bend that costs less is free of
conflicts."""
SAMPLES = 12
"""Heights at which two curves are compared."""

AMBIGUITY_COST = 40.0
SAME_LEVEL = 16.0
"""Distance in sheet px below which two levels are taken for one."""
LEVEL_SHARE = 0.25
"""Share of the width of a bend, at each end, in which it looks level."""
MIN_GAP = 4.0
"""Least distance in sheet px between two level runs at one level that look like two wires."""

CORNER_COST = 0.1
CORNER_DISTANCE = 7.0
"""Distance in sheet px below which a corner lies on another bend."""

STEPS = 240
"""Heights for which the parameter of a curve is kept."""
_PARAMETERS = [0.5 - math.sin(math.asin(1.0 - 2.0 * k / STEPS) / 3.0) for k in range(STEPS + 1)]
"""The parameter t of a cubic curve from level to level, by its height 3t² - 2t³ in steps."""

Nodes = Callable[[Sides], Sequence[Sides]]
"""Returns the rectangles of the nodes that touch a rectangle."""


def beside_one_another(
    bends: Mapping[Wire, BendRoute],
    routes: Mapping[Wire, Route],
    source: Callable[[Wire], int | None],
    nodes: Nodes,
) -> dict[Wire, BendRoute]:
    """Return the bends that move to another lane, so that as few as can be are in conflict.

    Wires of one source are never in conflict. The result does not depend on the order.
    """
    if len(bends) > MAX_BENDS or len(bends) + len(routes) < 2:
        return {}
    found = _Bends(bends)
    turns = [(wire, turn) for wire in sorted(routes) for turn in _turns(routes[wire])]
    for wire, bend in bends.items():
        for other, turn in turns:
            if source(other) != source(wire) and _may_meet(bend.zone, _zone(turn)):
                found.turns[wire].append(turn)
    for one, other in combinations(found.lanes, 2):
        if source(one) != source(other) and _may_meet(bends[one].zone, bends[other].zone):
            found.neighbours[one].append(other)
            found.neighbours[other].append(one)
    found.settle(nodes)
    moved = [wire for wire, lane in found.lanes.items() if lane != bends[wire].lane]
    return {wire: found.bend(wire) for wire in moved}


class _Bends:
    """The lanes of bends; each has the bends and turns that it may meet in any lane."""

    def __init__(self, bends: Mapping[Wire, BendRoute]) -> None:
        self.lanes = {wire: bends[wire].lane for wire in sorted(bends)}
        self.neighbours: dict[Wire, list[Wire]] = {wire: [] for wire in bends}
        self.turns: dict[Wire, list[Turn]] = {wire: [] for wire in bends}
        self._bends = bends
        self._turn_costs: dict[tuple[Wire, Place], float] = {}
        self._pair_costs: dict[tuple[Wire, Place, Wire, Place], float] = {}

    def settle(self, nodes: Nodes) -> None:
        """Move bends, alone or in pairs, until there is no conflict or no move helps."""
        # 1. Find the conflicts. Other bends keep their lanes, unless a neighbour needs theirs.
        conflicting = [wire for wire in self.lanes if self._is_in_conflict(wire)]
        if not conflicting:
            return
        # 2. Another lane could lead through a node, so a bend with a node in its zone stays.
        movable = {wire for wire, bend in self._bends.items() if not nodes(bend.zone)}
        # 3. Settle each cluster for itself, so that none uses up the moves of another one.
        while conflicting:
            cluster = self._cluster(conflicting[0])
            self._settle([wire for wire in conflicting if wire in cluster], movable)
            conflicting = [wire for wire in conflicting if wire not in cluster]

    def _settle(self, conflicting: list[Wire], movable: set[Wire]) -> None:
        """Settle the conflicts of one cluster with at most MAX_MOVES moves."""
        moves = 0
        for _round in range(ROUNDS):
            moved = False
            for wire in conflicting:
                if wire not in movable or not self._is_in_conflict(wire):
                    continue
                # alone, or else with the first neighbour that makes both together cheaper
                pairs = [(wire, other) for other in self.neighbours[wire] if other in movable]
                for wires in [(wire,), *pairs]:
                    moves += 1
                    if moves > MAX_MOVES:
                        return
                    if self._move(wires):
                        moved = True
                        break
            if not moved:
                return

    def _cluster(self, wire: Wire) -> set[Wire]:
        """Return the bends that are connected to this one by neighbours."""
        found, waiting = {wire}, [wire]
        while waiting:
            new = set(self.neighbours[waiting.pop()]) - found
            found |= new
            waiting += new
        return found

    def bend(self, wire: Wire) -> BendRoute:
        """Return a bend in its lane."""
        return replace(self._bends[wire], lane=self.lanes[wire])

    def _move(self, wires: tuple[Wire, ...]) -> bool:
        """Move wires to the lanes with the lowest cost; return whether it is lower than before."""
        before = best = tuple(self.lanes[wire] for wire in wires)
        lowest = sum(map(self._cost, wires))
        for lanes in product(LANES, repeat=len(wires)):
            self.lanes.update(zip(wires, lanes, strict=True))
            cost = sum(map(self._cost, wires))
            if cost < lowest:
                lowest, best = cost, lanes
        self.lanes.update(zip(wires, best, strict=True))
        return best != before

    def _is_in_conflict(self, wire: Wire) -> bool:
        return self._cost(wire) >= MIN_OVERLAP

    def _cost(self, wire: Wire) -> float:
        """Return the cost of a bend in its lane."""
        key = (wire, self.lanes[wire])
        if key not in self._turn_costs:
            curve = _curve(self.bend(wire))
            self._turn_costs[key] = sum(_overlap_cost(curve, turn) for turn in self.turns[wire])
        others = self.neighbours[wire]
        return self._turn_costs[key] + sum(self._pair_cost(wire, other) for other in others)

    def _pair_cost(self, wire: Wire, other: Wire) -> float:
        """Return the cost of two bends in their lanes, kept since lanes are tried many times."""
        one, two = (wire, other) if wire < other else (other, wire)
        key = (one, self.lanes[one], two, self.lanes[two])
        if key not in self._pair_costs:
            a, b = self.bend(one), self.bend(two)
            overlap = _overlap_cost(_curve(a), _curve(b))
            self._pair_costs[key] = overlap + _ambiguity_cost(a, b) + _corner_cost(a, b)
        return self._pair_costs[key]


# the cost


def _overlap_cost(one: Turn, other: Turn) -> float:
    """Return the height over which two curves overlap; 0 where they only cross."""
    a, b = _zone(one), _zone(other)
    top, bottom = max(a[1], b[1]), min(a[3], b[3])
    if bottom - top <= MIN_OVERLAP or not _may_meet(a, b):
        return 0.0
    step = (bottom - top) / SAMPLES
    heights = (top + (k + 0.5) * step for k in range(SAMPLES))
    found = step * sum(abs(_x_at(one, y) - _x_at(other, y)) < OVERLAP_DISTANCE for y in heights)
    return found if found > MIN_OVERLAP else 0.0


def _ambiguity_cost(one: BendRoute, other: BendRoute) -> float:
    """Return AMBIGUITY_COST where either bend seems to continue the other one."""
    return AMBIGUITY_COST * (_seems_to_continue(one, other) or _seems_to_continue(other, one))


def _seems_to_continue(one: BendRoute, other: BendRoute) -> bool:
    """Return whether the level run before one bend meets the level run after the other."""
    if abs(one.start[1] - other.end[1]) >= SAME_LEVEL:
        return False
    (left, right), (other_left, other_right) = one.span, other.span
    run_end = left + (right - left) * LEVEL_SHARE
    other_run_start = other_right - (other_right - other_left) * LEVEL_SHARE
    return run_end + MIN_GAP > other_run_start


def _corner_cost(one: BendRoute, other: BendRoute) -> float:
    """Return CORNER_COST for each corner of either bend that lies on the other one."""
    a, b = _curve(one), _curve(other)
    return CORNER_COST * (_corners_on(a, b) + _corners_on(b, a))


def _corners_on(one: Turn, other: Turn) -> int:
    """Return how many corners of a bend lie on another one."""
    _left, top, _right, bottom = _zone(other)
    return sum(
        top < y < bottom and abs(_x_at(other, y) - x) < CORNER_DISTANCE for x, y in (one[0], one[1])
    )


# curves


def _curve(bend: BendRoute) -> Turn:
    """Return the piece of a bend in which it changes its height."""
    (left, right), y, to = bend.span, bend.start[1], bend.end[1]
    return ((left, y), (right, to), 0.0)


def _turns(route: Route) -> Iterator[Turn]:
    """Yield the turns of a wire that runs back, or the bends into a lane and out of it."""
    for (x, y), (to_x, to), reach in route.turns:
        if isinstance(route, BackRoute) and route.beside:  # a straight side
            x, to_x, reach = x + REACH * reach, x + REACH * reach, 0.0
        yield (x, y), (to_x, to), reach


def _x_at(curve: Turn, y: float) -> float:
    """Return the x of a curve at one of its heights."""
    (start, start_y), (end, end_y), reach = curve
    t = _PARAMETERS[round((y - start_y) / (end_y - start_y) * STEPS)]
    if reach:
        return start + 3.0 * reach * t * (1.0 - t)
    return start + (end - start) * (1.5 * t * (1.0 - t) + t**3)


def _zone(curve: Turn) -> Sides:
    """Return the bounds of a curve."""
    (x, y), (to_x, to), reach = curve
    out = x + REACH * reach
    return (min(x, to_x, out), min(y, to), max(x, to_x, out), max(y, to))


def _may_meet(one: Sides, other: Sides) -> bool:
    """Return whether curves in two zones may be in conflict."""
    across = one[0] < other[2] + OVERLAP_DISTANCE and other[0] < one[2] + OVERLAP_DISTANCE
    return across and one[1] < other[3] + SAME_LEVEL and other[1] < one[3] + SAME_LEVEL
