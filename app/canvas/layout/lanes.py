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

from app.canvas.layout.spatial_index import Sides, SpatialIndex
from app.canvas.layout.wire_path import (
    BULGE_SHARE,
    FALLING_LANE,
    MIN_RUN,
    RISING_LANE,
    TURN_CLEARANCE,
    BackRoute,
    BendRoute,
    Course,
    Route,
    Turn,
)
from engine.graph import Wire

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
COST_UNITS = 1000
"""Costs are kept as integers, in these parts of a sheet px: equal sums are then equal."""
CORNER_DISTANCE = 7.0
"""Distance in sheet px below which a corner lies on another bend."""

CURVE_STEPS = 240
"""Number of heights for which the parameter of a curve is precomputed."""
_PARAMETERS = [
    0.5 - math.sin(math.asin(1.0 - 2.0 * k / CURVE_STEPS) / 3.0) for k in range(CURVE_STEPS + 1)
]
"""The parameter t of a cubic curve from level to level, by its height in steps: the inverse of the
height 3t² - 2t³ has a closed form."""
_SHARES = [1.5 * t * (1.0 - t) + t**3 for t in _PARAMETERS]
"""Which share of its width a bend has passed there."""

NodesIn = Callable[[Sides], Sequence[Sides]]
"""Returns the rectangles of the nodes that touch a rectangle."""


Key = tuple[Wire, int]
"""A bend, as (wire, 0), or one of the turns of a route."""
Piece = tuple[int | None, BendRoute | Turn]
"""The source of a wire, with its bend or with a turn of its route, which stays where it is."""


class BendLanes:
    """The bends of a sheet in their lanes, so that as few as can be are in conflict.

    Neighbours are bends of different sources that may meet in some lane. Lanes depend on what is
    connected by neighbours alone, and are found again only where something in it has changed.
    """

    def __init__(self) -> None:
        self._pieces: dict[Key, Piece] = {}
        self._index: SpatialIndex[Key] = SpatialIndex()
        self._near: dict[Key, dict[Key, list[int | None]]] = {}
        """The neighbours of each bend, and the turns that it may meet, with the costs of the pair
        by both lanes; a pair has one list, which goes with it."""
        self._lanes: dict[Key, int] = {}
        """Of bends, the index in LANES."""

    def update(
        self,
        bends: Mapping[Wire, BendRoute],
        routes: Mapping[Wire, Route],
        source: Callable[[Wire], int | None],
        nodes: NodesIn,
        stale: Iterable[Wire] = (),
    ) -> dict[Wire, BendRoute]:
        """Follow bends and routes; return the bends that have another lane than alone.

        Of the `stale` ones, nodes may have come into their zones or left them.
        """
        pieces: dict[Key, Piece] = {(wire, 0): (source(wire), bend) for wire, bend in bends.items()}
        for wire, route in routes.items():
            pieces |= {(wire, k): (source(wire), t) for k, t in enumerate(_turns(route))}
        waiting = {(wire, 0) for wire in stale if wire in bends} | self._follow(pieces)
        while waiting:
            cluster = self._cluster(min(waiting))
            waiting -= cluster
            self._resolve_conflicts(sorted(cluster), nodes)
        return {
            key[0]: replace(bend, lane=LANES[lane])
            for key, lane in self._lanes.items()
            if LANES[lane] != (bend := bends[key[0]]).lane
        }

    def _follow(self, pieces: dict[Key, Piece]) -> set[Key]:
        """Link the pieces that have changed anew; return the bends that are near one of them."""
        before, self._pieces = self._pieces, pieces
        keys = before.keys() | pieces.keys()
        changed = {key for key in keys if before.get(key) != pieces.get(key)}
        near = set[Key]()
        for key in changed:
            for other in self._near.pop(key, ()):
                del self._near[other][key]
                near.add(other)
            self._lanes.pop(key, None)
            self._index.remove(key)
        for key in changed & pieces.keys():
            self._near[key] = {}
            self._index.insert(key, _whole_zone(pieces[key]))
        for key in changed & pieces.keys():
            near |= self._link(key)
        return {key for key in near | changed if _is_bend(pieces.get(key))}

    def _link(self, key: Key) -> set[Key]:
        """Note what a piece may meet; returns it."""
        piece = self._pieces[key]
        left, top, right, bottom = _whole_zone(piece)
        reach, above = OVERLAP_DISTANCE, SAME_LEVEL
        for other in self._index.touching(
            (left - reach, top - above, right + reach, bottom + above)
        ):
            beside = self._pieces[other]
            if beside[0] != piece[0] and (_is_bend(piece) or _is_bend(beside)):
                self._near[key][other] = self._near[other].setdefault(key, [None] * len(LANES) ** 2)
        return set(self._near[key])

    def _cluster(self, key: Key) -> set[Key]:
        """Return the bends that are connected to this one by neighbours."""
        found, waiting = {key}, [key]
        while waiting:
            near = self._near[waiting.pop()].keys() - found
            fresh = [other for other in near if _is_bend(self._pieces[other])]
            found.update(fresh)
            waiting += fresh
        return found

    def _resolve_conflicts(self, cluster: list[Key], nodes: NodesIn) -> None:
        """Begin with each bend in its own lane, and move those in conflict with others."""
        bends = {
            key: bend for key in cluster if isinstance(bend := self._pieces[key][1], BendRoute)
        }
        self._lanes |= {key: LANES.index(bend.lane) for key, bend in bends.items()}
        # bends without a conflict keep their lanes, unless a neighbour needs theirs
        conflicting = [key for key in cluster if self._is_in_conflict(key)]
        if conflicting:
            # another lane could lead through a node, so a bend with a node in its zone stays
            movable = {key for key, bend in bends.items() if not nodes(bend.zone)}
            self._move_apart([key for key in conflicting if key in movable], movable)

    def _move_apart(self, conflicting: list[Key], movable: set[Key]) -> None:
        """Move these bends, alone or in pairs, until no conflict remains or no move helps."""
        moves = 0
        for _round in range(ROUNDS):
            moved = False
            for key in conflicting:
                if not self._is_in_conflict(key):
                    continue
                # alone, or else with the first neighbour that makes both together cheaper
                pairs = [(key, other) for other in sorted(self._near[key].keys() & movable)]
                for keys in [(key,), *pairs]:
                    moves += 1
                    if moves > MAX_MOVES:
                        return
                    if self._move(keys):
                        moved = True
                        break
            if not moved:
                return

    def _move(self, keys: tuple[Key, ...]) -> bool:
        """Move one bend, or two, to the lanes of the lowest cost; return if it is lower now."""
        every, (one, two) = range(len(LANES)), (keys[0], keys[-1])
        costs: dict[tuple[int, ...], int] = {}
        if one == two:
            costs.update({(lane,): self._cost(one, lane) for lane in every})
        else:
            ones = [self._cost(one, lane, without=two) for lane in every]
            twos = [self._cost(two, lane, without=one) for lane in every]
            for a, b in product(every, every):  # the cost of the pair counts for both
                costs[a, b] = ones[a] + twos[b] + 2 * self._pair_cost(one, a, two, b)
        before = tuple([self._lanes[key] for key in keys])
        best = min(costs, key=costs.__getitem__)
        if costs[best] == costs[before]:
            return False
        self._lanes.update(zip(keys, best, strict=True))
        return True

    def _is_in_conflict(self, key: Key) -> bool:
        return self._cost(key, self._lanes[key]) >= MIN_OVERLAP * COST_UNITS

    def _cost(self, key: Key, lane: int, without: Key | None = None) -> int:
        """Return the cost of a bend in a lane beside its neighbours, one of them left out."""
        lanes = self._lanes
        return sum(
            self._pair_cost(key, lane, other, lanes.get(other, 0))
            for other in self._near[key]
            if other != without
        )

    def _pair_cost(self, one: Key, lane: int, two: Key, other_lane: int) -> int:
        """Return the cost of two bends in their lanes, or of a bend and a turn."""
        if one > two:
            one, lane, two, other_lane = two, other_lane, one, lane
        costs, at = self._near[one][two], lane * len(LANES) + other_lane
        found = costs[at]
        if found is None:
            pieces = (self._pieces[one][1], self._pieces[two][1])
            found = costs[at] = _pair_cost(*pieces, lane, other_lane)
        return found


# the cost


def _pair_cost(one: BendRoute | Turn, two: BendRoute | Turn, lane: int, other_lane: int) -> int:
    """Return the cost of two pieces in these lanes, in units in which sums are exact."""
    a, b = _curve(one, lane), _curve(two, other_lane)
    cost = _overlap_cost(a, b)
    if isinstance(one, BendRoute) and isinstance(two, BendRoute):
        is_ambiguous = _seems_to_continue(a, b) or _seems_to_continue(b, a)
        cost += AMBIGUITY_COST * is_ambiguous + CORNER_COST * (
            _corners_on(a, b) + _corners_on(b, a)
        )
    return round(cost * COST_UNITS)


def _overlap_cost(one: Turn, other: Turn) -> float:
    """Return the height over which two curves overlap; 0 where they only cross."""
    a, b, near = _zone(one), _zone(other), OVERLAP_DISTANCE
    top, bottom = max(a[1], b[1]), min(a[3], b[3])
    if bottom - top <= MIN_OVERLAP or a[0] >= b[2] + near or b[0] >= a[2] + near:
        return 0.0
    step = (bottom - top) / OVERLAP_SAMPLES
    heights = [top + (k + 0.5) * step for k in range(OVERLAP_SAMPLES)]
    pairs = zip(_xs_at(one, heights), _xs_at(other, heights), strict=True)
    found = step * sum([abs(x - other_x) < near for x, other_x in pairs])
    return found if found > MIN_OVERLAP else 0.0


def _seems_to_continue(one: Turn, other: Turn) -> bool:
    """Return whether the level run before one bend meets the level run after the other."""
    (left, level), (right, _to), _ = one
    (other_left, _from), (other_right, other_level), _ = other
    if abs(level - other_level) >= SAME_LEVEL:
        return False
    run_end = left + (right - left) * LEVEL_SHARE
    other_run_start = other_right - (other_right - other_left) * LEVEL_SHARE
    return run_end + MIN_GAP > other_run_start


def _corners_on(one: Turn, other: Turn) -> int:
    """Return how many corners of a bend lie on another one."""
    left, top, right, bottom = _zone(other)
    near = CORNER_DISTANCE
    corners = [(x, y) for x, y in one[:2] if top < y < bottom and left - near < x < right + near]
    return sum([abs(_xs_at(other, (y,))[0] - x) < near for x, y in corners])


# curves


def _is_bend(piece: Piece | None) -> bool:
    return piece is not None and isinstance(piece[1], BendRoute)


def _whole_zone(piece: Piece) -> Sides:
    """Return the rectangle in which a piece is, in whichever lane."""
    found = piece[1]
    return found.zone if isinstance(found, BendRoute) else _zone(found)


def _curve(piece: BendRoute | Turn, lane: int) -> Turn:
    """Return the curve in which a bend in a lane changes its height; a turn is one."""
    if not isinstance(piece, BendRoute):
        return piece
    begin, done = LANES[lane]
    left, right = piece.first + begin * piece.length, piece.first + done * piece.length
    return ((left, piece.start[1]), (right, piece.end[1]), 0.0)


def _turns(route: Route) -> Iterator[Turn]:
    """Yield the turns of a wire that runs back, or the bends into a lane and out of it."""
    for (x, y), (to_x, to), reach in route.turns:
        if isinstance(route, BackRoute) and route.nested:  # a straight side
            x, to_x, reach = x + BULGE_SHARE * reach, x + BULGE_SHARE * reach, 0.0
        yield (x, y), (to_x, to), reach


def _xs_at(curve: Turn, heights: Iterable[float]) -> list[float]:
    """Return the x of a cubic Bézier curve at some of its heights.

    A turn has its inner control points `reach` beyond its ends, a bend halfway between them.
    """
    (start, start_y), (end, end_y), reach = curve
    high, wide = end_y - start_y, end - start
    steps = [round((y - start_y) / high * CURVE_STEPS) for y in heights]
    # Bézier's formula, with both inner control points at start + reach, or at half the way
    if reach:
        return [start + 3.0 * reach * (t := _PARAMETERS[k]) * (1.0 - t) for k in steps]
    return [start + wide * _SHARES[k] for k in steps]


def _zone(curve: Turn) -> Sides:
    """Return the bounds of a curve."""
    (x, y), (to_x, to), reach = curve
    left, right = (x, to_x) if x < to_x else (to_x, x)
    out = x + BULGE_SHARE * reach
    top, bottom = (y, to) if y < to else (to, y)
    return (min(left, out), top, max(right, out), bottom) if reach else (left, top, right, bottom)


LANE_PITCH = 7.0
"""Distance of two neighbouring lanes, in sheet px."""
SHARED_LEVEL = 3 * LANE_PITCH
"""Distance of levels, in sheet px, below which their wires get levels together."""
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
        self._bend_lanes = BendLanes()
        self._stale: set[Wire] = set()
        """The wires whose routes were set or dropped since lanes were assigned."""
        self._plain = False

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
        self._stale.add(wire)

    def forget_lane(self, wire: Wire) -> None:
        """Note that a wire is drawn along its own route, without a lane."""
        self._drawn.pop(wire, None)

    def drop(self, wire: Wire) -> None:
        """Forget a wire, if it has a route."""
        if self._routes.pop(wire, None) or self._bends.pop(wire, None):
            self._stale.add(wire)
            self._drawn.pop(wire, None)

    def pop_changed(
        self, nodes: NodesIn, source: Callable[[Wire], int | None], plain: bool
    ) -> dict[Wire, Route | BendRoute]:
        """Assign lanes; return the wires whose drawn route has changed, with it.

        If `plain`, each wire is drawn as if alone.
        """
        if not self._stale and plain == self._plain:
            return {}
        stale, self._stale, self._plain = self._stale, set(), plain
        routes = self._routes if plain else separated_routes(self._routes, nodes)
        bends = {} if plain else self._bends
        moved = self._bend_lanes.update(bends, {} if plain else routes, source, nodes, stale)
        before, self._drawn = self._drawn, {**routes, **moved}
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
