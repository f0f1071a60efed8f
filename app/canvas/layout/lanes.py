"""Lanes: wires that would share a line or overlap in their bends each get a lane of their own.

A route is chosen for each wire alone, past the nodes. Where the routes of several wires share a
line, each gets a lane of its own, so that they cross as rarely as can be and nest in their turns.

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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

from msgspec.structs import replace

from app.canvas.layout.spatial_index import Sides
from app.canvas.layout.wire_path import (
    BULGE_SHARE,
    FALLING_LANE,
    MIN_RUN,
    RISING_LANE,
    TURN_CLEARANCE,
    BackRoute,
    BendRoute,
    Course,
    Interval,
    Route,
    Turn,
)
from engine.graph import Wire

MAX_BENDS = 60
"""With more bends than these, each is drawn as if alone; nobody could follow them."""
LANES = (FALLING_LANE, RISING_LANE, (0.08, 0.4), (0.36, 0.68), (0.66, 0.97))
"""The lanes: shares of the length for bending between which a bend may be, preferred ones first."""
ROUNDS, MAX_MOVES = 3, 16
"""How often all conflicts of a cluster are examined, and the most moves that are tried in it: lanes
are assigned at every move of a dragged node."""

OVERLAP_DISTANCE = 3.0
"""Distance in sheet px below which two curves overlap."""
MIN_OVERLAP = 12.0
"""Height in sheet px up to which an overlap is a crossing; a bend that costs less is free of
conflicts."""
OVERLAP_SAMPLES = 12
"""Heights at which two curves are compared."""

AMBIGUITY_COST = 40.0
"""As bad as an overlap of this height, in sheet px."""
SAME_LEVEL = 16.0
"""Distance in sheet px below which two levels look like one."""
LEVEL_SHARE = 0.25
"""Share of the width of a bend, at each end, in which it looks level."""
MIN_GAP = 4.0
"""Least distance in sheet px between two level runs at one level that look like two wires."""

CORNER_COST = 0.1
"""Far below MIN_OVERLAP: however many corners there are, they are no conflict."""
CORNER_DISTANCE = 7.0
"""Distance in sheet px below which a corner lies on another bend."""

CURVE_STEPS = 240
"""Number of heights for which the parameter of a curve is precomputed."""
_PARAMETERS = [
    0.5 - math.sin(math.asin(1.0 - 2.0 * k / CURVE_STEPS) / 3.0) for k in range(CURVE_STEPS + 1)
]
"""The parameter t of a cubic curve from level to level, by its height in steps: the inverse of the
height 3t² - 2t³ has a closed form."""

NodesIn = Callable[[Sides], Sequence[Sides]]
"""Returns the rectangles of the nodes that touch a rectangle."""


def separated_bends(
    bends: Mapping[Wire, BendRoute],
    routes: Mapping[Wire, Route],
    source: Callable[[Wire], int | None],
    nodes: NodesIn,
) -> dict[Wire, BendRoute]:
    """Return the bends that move to another lane, so that as few as can be are in conflict.

    Wires of one source are never in conflict. The result does not depend on the order.
    """
    if len(bends) > MAX_BENDS or len(bends) + len(routes) < 2:
        return {}
    bend_lanes = _BendLanes(bends)
    turns = [(wire, turn) for wire in sorted(routes) for turn in _turns(routes[wire])]
    for wire, bend in bends.items():
        for other, turn in turns:
            if source(other) != source(wire) and _may_meet(bend.zone, _zone(turn)):
                bend_lanes.turns[wire].append(turn)
    for one, other in combinations(bend_lanes.lanes, 2):
        if source(one) != source(other) and _may_meet(bends[one].zone, bends[other].zone):
            bend_lanes.neighbours[one].append(other)
            bend_lanes.neighbours[other].append(one)
    bend_lanes.resolve_conflicts(nodes)
    moved = [wire for wire, lane in bend_lanes.lanes.items() if lane != bends[wire].lane]
    return {wire: bend_lanes.bend(wire) for wire in moved}


class _BendLanes:
    """The lanes of bends; each has the bends and turns that it may meet in any lane."""

    def __init__(self, bends: Mapping[Wire, BendRoute]) -> None:
        self.lanes = {wire: bends[wire].lane for wire in sorted(bends)}
        self.neighbours: dict[Wire, list[Wire]] = {wire: [] for wire in bends}
        self.turns: dict[Wire, list[Turn]] = {wire: [] for wire in bends}
        self._bends = bends
        self._turn_costs: dict[tuple[Wire, Interval], float] = {}
        self._pair_costs: dict[tuple[Wire, Interval, Wire, Interval], float] = {}

    def resolve_conflicts(self, nodes: NodesIn) -> None:
        """Move bends, alone or in pairs, until no conflict remains or no move helps."""
        # 1. Find the conflicts. Other bends keep their lanes, unless a neighbour needs theirs.
        conflicting = [wire for wire in self.lanes if self._is_in_conflict(wire)]
        if not conflicting:
            return
        # 2. Another lane could lead through a node, so a bend with a node in its zone stays.
        movable = {wire for wire, bend in self._bends.items() if not nodes(bend.zone)}
        # 3. Resolve each cluster for itself, so that none uses up the moves of another one.
        while conflicting:
            cluster = self._cluster(conflicting[0])
            self._resolve_cluster([wire for wire in conflicting if wire in cluster], movable)
            conflicting = [wire for wire in conflicting if wire not in cluster]

    def _resolve_cluster(self, conflicting: list[Wire], movable: set[Wire]) -> None:
        """Resolve the conflicts of one cluster with at most MAX_MOVES moves."""
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
            curve = _height_change(self.bend(wire))
            self._turn_costs[key] = sum(_overlap_cost(curve, turn) for turn in self.turns[wire])
        others = self.neighbours[wire]
        return self._turn_costs[key] + sum(self._pair_cost(wire, other) for other in others)

    def _pair_cost(self, wire: Wire, other: Wire) -> float:
        """Return the cost of two bends in their lanes, kept since lanes are tried many times."""
        one, two = (wire, other) if wire < other else (other, wire)
        key = (one, self.lanes[one], two, self.lanes[two])
        if key not in self._pair_costs:
            a, b = self.bend(one), self.bend(two)
            overlap = _overlap_cost(_height_change(a), _height_change(b))
            self._pair_costs[key] = overlap + _ambiguity_cost(a, b) + _corner_cost(a, b)
        return self._pair_costs[key]


# the cost


def _overlap_cost(one: Turn, other: Turn) -> float:
    """Return the height over which two curves overlap; 0 where they only cross."""
    a, b = _zone(one), _zone(other)
    top, bottom = max(a[1], b[1]), min(a[3], b[3])
    if bottom - top <= MIN_OVERLAP or not _may_meet(a, b):
        return 0.0
    step = (bottom - top) / OVERLAP_SAMPLES
    heights = (top + (k + 0.5) * step for k in range(OVERLAP_SAMPLES))
    found = step * sum(abs(_x_at(one, y) - _x_at(other, y)) < OVERLAP_DISTANCE for y in heights)
    return found if found > MIN_OVERLAP else 0.0


def _ambiguity_cost(one: BendRoute, other: BendRoute) -> float:
    """Return AMBIGUITY_COST where either bend seems to continue the other one."""
    is_ambiguous = _seems_to_continue(one, other) or _seems_to_continue(other, one)
    return AMBIGUITY_COST if is_ambiguous else 0.0


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
    a, b = _height_change(one), _height_change(other)
    return CORNER_COST * (_corners_on(a, b) + _corners_on(b, a))


def _corners_on(one: Turn, other: Turn) -> int:
    """Return how many corners of a bend lie on another one."""
    _left, top, _right, bottom = _zone(other)
    return sum(
        top < y < bottom and abs(_x_at(other, y) - x) < CORNER_DISTANCE for x, y in (one[0], one[1])
    )


# curves


def _height_change(bend: BendRoute) -> Turn:
    """Return the piece of a bend in which it changes its height."""
    (left, right), y, to = bend.span, bend.start[1], bend.end[1]
    return ((left, y), (right, to), 0.0)


def _turns(route: Route) -> Iterator[Turn]:
    """Yield the turns of a wire that runs back, or the bends into a lane and out of it."""
    for (x, y), (to_x, to), reach in route.turns:
        if isinstance(route, BackRoute) and route.nested:  # a straight side
            x, to_x, reach = x + BULGE_SHARE * reach, x + BULGE_SHARE * reach, 0.0
        yield (x, y), (to_x, to), reach


def _x_at(curve: Turn, y: float) -> float:
    """Return the x of a cubic Bézier curve at one of its heights.

    A turn has its inner control points `reach` beyond its ends, a bend halfway between them.
    """
    (start, start_y), (end, end_y), reach = curve
    t = _PARAMETERS[round((y - start_y) / (end_y - start_y) * CURVE_STEPS)]
    # Bézier's formula, with both inner control points at start + reach, or at half the way
    if reach:
        return start + 3.0 * reach * t * (1.0 - t)
    return start + (end - start) * (1.5 * t * (1.0 - t) + t**3)


def _zone(curve: Turn) -> Sides:
    """Return the bounds of a curve."""
    (x, y), (to_x, to), reach = curve
    out = x + BULGE_SHARE * reach
    return (min(x, to_x, out), min(y, to), max(x, to_x, out), max(y, to))


def _may_meet(one: Sides, other: Sides) -> bool:
    """Return whether curves in two zones may be in conflict."""
    across = one[0] < other[2] + OVERLAP_DISTANCE and other[0] < one[2] + OVERLAP_DISTANCE
    return across and one[1] < other[3] + SAME_LEVEL and other[1] < one[3] + SAME_LEVEL


LANE_PITCH = 7.0
"""Distance of two neighbouring lanes, in sheet px."""
SHARED_LEVEL = 3 * LANE_PITCH
"""Distance of levels, in sheet px, below which their wires get levels together."""
MAX_ROUTES = 300
"""With more routes than these none is moved; nobody could follow the wires."""
MAX_LANES_PER_TURN = 12
"""The most lanes next to one another at a turn."""
MIN_SHARED_LENGTH = 8.0
"""Length in sheet px up to which two turns may be on one line."""
NODE_CLEARANCE = 6.0
"""Least distance of a lane from a node, in sheet px."""

Routes = dict[Wire, Route]


class LaneAssignment:
    """The routes of the wires of a sheet: each as if it were alone, and in its lane as drawn."""

    def __init__(self) -> None:
        self._routes: Routes = {}
        """Each wire has a route or a bend, both as if it were alone."""
        self._bends: dict[Wire, BendRoute] = {}
        self._drawn: dict[Wire, Route | BendRoute] = {}
        """The routes, and the bends that have another lane than alone, as drawn."""
        self._is_current = True
        """Whether no route has changed since lanes were assigned."""

    @property
    def back_routes(self) -> Iterator[tuple[Wire, BackRoute]]:
        """Yield the wires that run back, with their routes."""
        for wire, route in self._routes.items():
            if isinstance(route, BackRoute):
                yield wire, route

    def set_route(self, wire: Wire, route: Course | Route | BendRoute) -> None:
        """Set how a wire runs alone; along a bend it is drawn until lanes are assigned."""
        if isinstance(route, Course):  # shares no line with others
            self.drop(wire)
            return
        if isinstance(route, BendRoute):
            self.drop(wire)
            self._bends[wire] = route
        else:
            self._bends.pop(wire, None)
            self._routes[wire] = route
        self._is_current = False

    def forget_lane(self, wire: Wire) -> None:
        """Note that a wire is drawn along its own route, without a lane."""
        self._drawn.pop(wire, None)

    def drop(self, wire: Wire) -> None:
        """Forget a wire, if it has a route."""
        if self._routes.pop(wire, None) or self._bends.pop(wire, None):
            self._is_current = False
            self._drawn.pop(wire, None)

    def pop_changed(
        self, nodes: NodesIn, source: Callable[[Wire], int | None]
    ) -> dict[Wire, Route | BendRoute]:
        """Assign lanes; return the wires whose drawn route has changed, with it."""
        if self._is_current:
            return {}
        routes = separated_routes(self._routes, nodes)
        before, self._is_current = self._drawn, True
        self._drawn = {**routes, **separated_bends(self._bends, routes, source, nodes)}
        # wires that are drawn without a lane again
        alone = {
            w: self._bends[w] for w in (before.keys() - self._drawn.keys()) & self._bends.keys()
        }
        changed = {w: route for w, route in self._drawn.items() if route != before.get(w)}
        return alone | changed


def separated_routes(routes: Mapping[Wire, Route], nodes: NodesIn) -> Routes:
    """Return routes in lanes that do not overlap, where nodes leave space for that.

    The result does not depend on the order of the routes.
    """
    found = {wire: routes[wire] for wire in sorted(routes)}
    if 1 < len(found) <= MAX_ROUTES:
        _spread_levels(found, nodes)
        _nest_turns_at_sources(found)
        _nest_turns_at_slots(found, nodes)
    return found


# levels


def _spread_levels(routes: Routes, nodes: NodesIn) -> None:
    """Spread the levels of runs that are near one another and overlap."""
    for group in _level_groups(routes):
        pairs = combinations(group, 2)
        if all(abs(routes[a].level - routes[b].level) >= LANE_PITCH for a, b in pairs):
            continue
        order = _order_by_crossings([(wire, routes[wire]) for wire in group])
        middle = sum(routes[wire].level for wire in group) / len(group)
        top, bottom = _free_levels([routes[wire] for wire in group], middle, nodes)
        pitch = min(LANE_PITCH, (bottom - top) / (len(group) - 1))
        half = pitch * (len(group) - 1) / 2
        middle = min(max(middle, top + half), bottom - half)
        for k, wire in enumerate(order):
            routes[wire] = replace(routes[wire], level=middle - half + k * pitch, nested=True)


def _level_groups(routes: Routes) -> list[list[Wire]]:
    """Return the connected components of near and overlapping runs, by union-find."""
    wires = sorted(routes, key=lambda wire: (routes[wire].level, wire))
    parent = {wire: wire for wire in wires}

    def find(wire: Wire) -> Wire:
        while parent[wire] != wire:
            wire = parent[wire]
        return wire

    for k, wire in enumerate(wires):
        one = routes[wire]
        for other in wires[k + 1 :]:
            two = routes[other]
            if two.level - one.level >= SHARED_LEVEL:
                break
            if one.left[0] < two.right[0] and two.left[0] < one.right[0]:
                parent[find(other)] = find(wire)
    groups: dict[Wire, list[Wire]] = {}
    for wire in wires:
        groups.setdefault(find(wire), []).append(wire)
    return [group for group in groups.values() if len(group) > 1]


def _free_levels(group: list[Route], middle: float, nodes: NodesIn) -> tuple[float, float]:
    """Return the highest and lowest free y around a level between nodes."""
    reach = LANE_PITCH * len(group)
    left, right = min(route.left[0] for route in group), max(route.right[0] for route in group)
    top, bottom = middle - reach, middle + reach
    for sides in nodes((left, top - NODE_CLEARANCE, right, bottom + NODE_CLEARANCE)):
        if sides[3] <= middle:
            top = max(top, min(sides[3] + NODE_CLEARANCE, middle))
        elif sides[1] >= middle:
            bottom = min(bottom, max(sides[1] - NODE_CLEARANCE, middle))
    return top, bottom


def _order_by_crossings(group: list[tuple[Wire, Route]]) -> list[Wire]:
    """Return wires from the highest level to the lowest: each inserted where it crosses fewest."""
    ordered: list[tuple[Wire, Route]] = []
    for wire, route in group:
        crossings = [0.0]  # by the number of wires above this one
        for _other, other in ordered:
            crossings.append(crossings[-1] + _crossings(other, route) - _crossings(route, other))
        # of places with equally few crossings the lowest one
        index = min(range(len(crossings)), key=lambda k: (crossings[k], -k))
        ordered.insert(index, (wire, route))
    return [wire for wire, _route in ordered]


def _crossings(upper: Route, lower: Route) -> int:
    """Return how often two wires cross at their turns if one has the level above the other's."""
    count = 0
    # at each end: the turns of both wires, and in which direction x leads outwards
    sides = ((upper.right, lower.right, 1.0), (upper.left, lower.left, -1.0))
    for (x, y), (other_x, other_y), sign in sides:
        level = (upper.level + lower.level) / 2
        outside = sign * (x - other_x)  # how far the upper wire turns outside the lower one
        if abs(outside) < LANE_PITCH:  # the longer turn is led around the shorter one
            outside = abs(y - level) - abs(other_y - level)
        # a wire that turns past the level of the other one crosses it, unless it turns outside it
        count += y > level and outside <= 0
        count += other_y < level and outside >= 0
    return count


# turns


class _Turns:
    """The turns that have a lane: each at an x, between two heights."""

    def __init__(self, routes: Routes) -> None:
        self._routes = routes
        self._taken: dict[Wire, tuple[float, float, float]] = {}
        """The x of each turn, its upper and its lower y."""

    def find(self, x: float, low: float, high: float, lanes: Iterable[float]) -> float:
        """Return x if it overlaps no turn, else the first free lane, or x if none is free.

        The turns it overlaps get straight sides, along which it can nest.
        """
        others = self._overlapping(x, low, high)
        for other in others:
            self._routes[other] = replace(self._routes[other], nested=True)
        if not others:
            return x
        return next((at for at in lanes if not self._overlapping(at, low, high)), x)

    def take(self, wire: Wire, x: float, low: float, high: float) -> None:
        """Add the turn of a wire."""
        self._taken[wire] = (x, low, high)

    def _overlapping(self, x: float, low: float, high: float) -> list[Wire]:
        """Return the wires whose turns are on, or too near, a turn at an x between two heights."""
        return [
            wire
            for wire, (at, top, bottom) in self._taken.items()
            if abs(x - at) < LANE_PITCH - 0.5  # neighbouring lanes, apart from rounding, are free
            and min(high, bottom) - max(low, top) > MIN_SHARED_LENGTH
        ]


def _nest_turns_at_sources(routes: Routes) -> None:
    """Nest the turns behind the sources, the shortest inside."""
    turns = _Turns(routes)
    for wire, route in _back_routes(routes, lambda route: route.start[1]):
        low, high = sorted((route.start[1], route.level))
        x = route.right[0]
        at = turns.find(x, low, high, (x + k * LANE_PITCH for k in range(1, MAX_LANES_PER_TURN)))
        turns.take(wire, at, low, high)
        if at != x:
            routes[wire] = replace(
                route, right_reach=route.right_reach + (at - x) / BULGE_SHARE, nested=True
            )


def _nest_turns_at_slots(routes: Routes, nodes: NodesIn) -> None:
    """Nest the turns before the slots, the shortest inside."""
    turns = _Turns(routes)
    for wire, route in _back_routes(routes, lambda route: route.end[1]):
        low, high = sorted((route.end[1], route.level))
        x = route.left[0]
        at = turns.find(x, low, high, _lanes_before(route, low, high, nodes))
        turns.take(wire, at, low, high)
        if at != x:
            routes[wire] = replace(route, run_start=route.run_start + at - x, nested=True)


def _back_routes(routes: Routes, y: Callable[[Route], float]) -> list[tuple[Wire, BackRoute]]:
    """Return the wires that run back, those with the shortest turn from y to their level first."""
    found = [(wire, route) for wire, route in routes.items() if isinstance(route, BackRoute)]
    return sorted(found, key=lambda pair: abs(y(pair[1]) - pair[1].level))


def _lanes_before(route: BackRoute, low: float, high: float, nodes: NodesIn) -> Iterator[float]:
    """Yield the lanes for a turn before a slot: farther from the slot first, then nearer."""
    x = route.left[0]
    area = (x - MAX_LANES_PER_TURN * LANE_PITCH, low, route.run_start, high)
    least = max((r[2] + TURN_CLEARANCE for r in nodes(area) if r[2] <= x), default=-math.inf)
    most = route.end[0] - MIN_RUN - BULGE_SHARE * route.left_reach
    offsets = [k * LANE_PITCH for k in range(1, MAX_LANES_PER_TURN)]
    yield from (x - by for by in offsets if x - by >= least)
    yield from (x + by for by in offsets if x + by <= most)
