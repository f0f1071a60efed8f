"""Lanes: wires that run back along one line are led beside one another.

A route is chosen for each wire alone, past the nodes. Where the routes of several wires share a
line, each gets a lane of its own, so that they cross as rarely as can be and nest in their turns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations

from msgspec.structs import replace

from app.canvas.layout.bends import Nodes, beside_one_another
from app.canvas.layout.routes import CLEARANCE, LEAST_RUN, REACH, BackRoute, BendRoute, Route
from engine.graph import Wire

APART = 7.0
"""Distance of two lanes, in sheet px."""
NEAR = 3 * APART
"""Levels nearer than this are shared out together."""
MOST = 300
"""More wires than these that run back stay on their routes; nobody could follow them."""
MOST_TURNS = 12
"""The most lanes beside one turn."""
TOUCH = 8.0
"""Length in sheet px over which two turns may be on one line."""
CLEAR = 6.0
"""Least distance of a lane from a node, in sheet px."""

Routes = dict[Wire, Route]


class Lanes:
    """The routes of the wires of a sheet, each as if it were alone, and as they are drawn."""

    def __init__(self) -> None:
        self._routes: Routes = {}
        self._bends: dict[Wire, BendRoute] = {}
        self._led: dict[Wire, Route | BendRoute] = {}
        self._is_led = True
        """Whether no route is newer than those that are drawn."""

    @property
    def back(self) -> Iterator[tuple[Wire, BackRoute]]:
        """Yield the wires that run back."""
        for wire, route in self._routes.items():
            if isinstance(route, BackRoute):
                yield wire, route

    def put(self, wire: Wire, route: Route) -> None:
        """Set the route of a wire alone."""
        self._bends.pop(wire, None)
        self._routes[wire] = route
        self._is_led = False

    def put_bend(self, wire: Wire, bend: BendRoute) -> None:
        """Set the bend of a wire alone, which is drawn so."""
        self.drop(wire)
        self._bends[wire] = bend
        self._is_led = False

    def draw_alone(self, wire: Wire) -> None:
        """Note that a wire is drawn along its route, as if it were alone."""
        self._led.pop(wire, None)

    def drop(self, wire: Wire) -> None:
        """Forget a wire, if it has a route."""
        if self._routes.pop(wire, None) or self._bends.pop(wire, None):
            self._is_led = False
            self._led.pop(wire, None)

    def take_changed(
        self, nodes: Nodes, source: Callable[[Wire], int | None]
    ) -> dict[Wire, Route | BendRoute]:
        """Lead the wires beside one another; return those to draw along another route."""
        if self._is_led:
            return {}
        routes = in_lanes(self._routes, nodes)
        before, self._is_led = self._led, True
        self._led = {**routes, **beside_one_another(self._bends, routes, source, nodes)}
        alone = {w: self._bends[w] for w in before.keys() - self._led.keys() & self._bends.keys()}
        changed = {w: route for w, route in self._led.items() if route != before.get(w)}
        return alone | changed


def in_lanes(routes: Mapping[Wire, Route], nodes: Nodes) -> Routes:
    """Return routes that are nowhere on one another, where nodes leave room for that.

    The result does not depend on the order of the routes.
    """
    found = {wire: routes[wire] for wire in sorted(routes)}
    if 1 < len(found) <= MOST:
        _share_levels(found, nodes)
        _share_turns_out(found)
        _share_turns_in(found, nodes)
    return found


# levels


def _share_levels(routes: Routes, nodes: Nodes) -> None:
    """Give the wires that run back between the same nodes levels of their own."""
    for group in _groups(routes):
        pairs = combinations(group, 2)
        if all(abs(routes[a].level - routes[b].level) >= APART for a, b in pairs):
            continue
        order = _in_order([(wire, routes[wire]) for wire in group])
        middle = sum(routes[wire].level for wire in group) / len(group)
        top, bottom = _free_levels([routes[wire] for wire in group], middle, nodes)
        pitch = min(APART, (bottom - top) / (len(group) - 1))
        half = pitch * (len(group) - 1) / 2
        middle = min(max(middle, top + half), bottom - half)
        for k, wire in enumerate(order):
            routes[wire] = replace(routes[wire], level=middle - half + k * pitch, beside=True)


def _groups(routes: Routes) -> list[list[Wire]]:
    """Return the wires whose runs are near one another and overlap, directly or through others."""
    wires = sorted(routes, key=lambda wire: (routes[wire].level, wire))
    head = {wire: wire for wire in wires}

    def find(wire: Wire) -> Wire:
        while head[wire] != wire:
            wire = head[wire]
        return wire

    for k, wire in enumerate(wires):
        one = routes[wire]
        for other in wires[k + 1 :]:
            two = routes[other]
            if two.level - one.level >= NEAR:
                break
            if one.left[0] < two.right[0] and two.left[0] < one.right[0]:
                head[find(other)] = find(wire)
    groups: dict[Wire, list[Wire]] = {}
    for wire in wires:
        groups.setdefault(find(wire), []).append(wire)
    return [group for group in groups.values() if len(group) > 1]


def _free_levels(group: list[Route], middle: float, nodes: Nodes) -> tuple[float, float]:
    """Return the highest and lowest y to which runs may be moved from a level between nodes."""
    reach = APART * len(group)
    left, right = min(route.left[0] for route in group), max(route.right[0] for route in group)
    top, bottom = middle - reach, middle + reach
    for sides in nodes((left, top - CLEAR, right, bottom + CLEAR)):
        if sides[3] <= middle:
            top = max(top, min(sides[3] + CLEAR, middle))
        elif sides[1] >= middle:
            bottom = min(bottom, max(sides[1] - CLEAR, middle))
    return top, bottom


def _in_order(group: list[tuple[Wire, Route]]) -> list[Wire]:
    """Return wires from the highest level to the lowest, so that few of them cross."""
    found: list[tuple[Wire, Route]] = []
    for wire, route in group:
        above = [0.0]  # crossings, by the number of wires above it
        for _other, other in found:
            above.append(above[-1] + _crossings(other, route) - _crossings(route, other))
        place = min(range(len(above)), key=lambda k: (above[k], -k))
        found.insert(place, (wire, route))
    return [wire for wire, _route in found]


def _crossings(upper: Route, lower: Route) -> int:
    """Return how often two wires cross at their turns if one has the level above the other's."""
    count = 0
    sides = ((upper.right, lower.right, 1.0), (upper.left, lower.left, -1.0))
    for (x, y), (other_x, other_y), sign in sides:
        level = (upper.level + lower.level) / 2
        outside = sign * (x - other_x)
        if abs(outside) < APART:  # the longer turn is led around the shorter one
            outside = abs(y - level) - abs(other_y - level)
        count += y > level and outside <= 0
        count += other_y < level and outside >= 0
    return count


# turns


class _Turns:
    """Turns beside one another: each is at an x, between two heights."""

    def __init__(self, routes: Routes) -> None:
        self._routes = routes
        self._taken: dict[Wire, tuple[float, float, float]] = {}

    def find(self, x: float, low: float, high: float, lanes: Iterable[float]) -> float:
        """Return the first lane that is free if one at x is not; x if none is."""
        others = self._in_the_way(x, low, high)
        for other in others:
            self._routes[other] = replace(self._routes[other], beside=True)
        if not others:
            return x
        return next((at for at in lanes if not self._in_the_way(at, low, high)), x)

    def take(self, wire: Wire, x: float, low: float, high: float) -> None:
        """Put a turn there."""
        self._taken[wire] = (x, low, high)

    def _in_the_way(self, x: float, low: float, high: float) -> list[Wire]:
        """Return the wires whose turns are on, or too near, a turn at an x between two heights."""
        return [
            wire
            for wire, (at, top, bottom) in self._taken.items()
            if abs(x - at) < APART - 0.5 and min(high, bottom) - max(low, top) > TOUCH
        ]


def _share_turns_out(routes: Routes) -> None:
    """Lead the turns behind the sources around one another, the shortest inside."""
    turns = _Turns(routes)
    for wire, route in _back(routes, lambda route: route.start[1]):
        low, high = sorted((route.start[1], route.level))
        x = route.right[0]
        at = turns.find(x, low, high, (x + k * APART for k in range(1, MOST_TURNS)))
        turns.take(wire, at, low, high)
        if at != x:
            routes[wire] = replace(route, reach=route.reach + (at - x) / REACH, beside=True)


def _share_turns_in(routes: Routes, nodes: Nodes) -> None:
    """Lead the turns before the slots around one another, the shortest inside."""
    turns = _Turns(routes)
    for wire, route in _back(routes, lambda route: route.end[1]):
        low, high = sorted((route.end[1], route.level))
        x = route.left[0]
        at = turns.find(x, low, high, _lanes_before(route, low, high, nodes))
        turns.take(wire, at, low, high)
        if at != x:
            routes[wire] = replace(route, first=route.first + at - x, beside=True)


def _back(routes: Routes, y: Callable[[Route], float]) -> list[tuple[Wire, BackRoute]]:
    """Return the wires that run back, those with the shortest way from y to their level first."""
    found = [(wire, route) for wire, route in routes.items() if isinstance(route, BackRoute)]
    return sorted(found, key=lambda pair: abs(y(pair[1]) - pair[1].level))


def _lanes_before(route: BackRoute, low: float, high: float, nodes: Nodes) -> Iterator[float]:
    """Yield where else the turn before a slot may be, farther from the slot first."""
    x = route.left[0]
    area = (x - MOST_TURNS * APART, low, route.first, high)
    least = max((r[2] + CLEARANCE for r in nodes(area) if r[2] <= x), default=-math.inf)
    most = route.end[0] - LEAST_RUN - REACH * route.turn
    apart = [k * APART for k in range(1, MOST_TURNS)]
    yield from (x - by for by in apart if x - by >= least)
    yield from (x + by for by in apart if x + by <= most)
