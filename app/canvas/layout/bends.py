"""Bends: wires that bend between the same columns bend beside one another.

A falling wire bends first and a rising one last, so most cross at a right angle. Where two bends
would lie on one another, or one wire would seem to go on where another one comes, they are moved
within the length that both have for bending.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, product

from msgspec import Struct
from msgspec.structs import replace

from app.canvas.layout.routes import FALLS, REACH, RISES, BackRoute, BendRoute, Place, Route
from app.canvas.layout.spatial_index import Sides
from engine.graph import Wire

MOST = 60
"""More wires than these bend as if each were alone; nobody could follow them."""
LANES = (FALLS, RISES, (0.08, 0.4), (0.36, 0.68), (0.66, 0.97))
"""Where in the length for bending a bend may be, as shares, preferred ones first."""
BESIDE = 3.0
"""Distance in sheet px below which two wires lie on one another."""
LEAST = 12.0
"""Length in sheet px over which two bends may do so: where they cross."""
LEVEL = 16.0
"""Distance of two levels, in sheet px, that may be taken for one."""
AFTER = 4.0
"""Least distance from the end of a level run to the beginning of another one near its height."""
MISTAKEN = 40.0
"""What a level run that may be mistaken for another one's counts, as px on one another."""
CORNER, AT_CORNER = 7.0, 0.1
"""Distance in sheet px within which a wire meets the corner of another one, and what that counts:
where bends are moved, they had better not."""
SAMPLES = 12
"""Heights at which two curves are compared."""
FINE = 240
"""Shares of a height for which the way across is kept."""
ROUNDS, TRIES = 3, 16
"""How often all bends are looked at, and the most moves that are tried."""

Nodes = Callable[[Sides], Iterable[Sides]]
"""Returns the rectangles of the nodes that touch a rectangle."""


class _Curve(Struct, frozen=True):
    """A way from one height to another: from x to x, or out from the first x by `reach`."""

    start: float
    end: float
    top: float
    low: float
    falls: bool
    reach: float = 0.0

    def x(self, y: float) -> float:
        """Return the x at a height between top and low."""
        share = (y - self.top) / (self.low - self.top)
        t = _PARAMETER[round((share if self.falls else 1.0 - share) * FINE)]
        if self.reach:
            return self.start + 3.0 * self.reach * t * (1.0 - t)
        return self.start + (self.end - self.start) * (1.5 * t * (1.0 - t) + t**3)


def beside_one_another(
    bends: Mapping[Wire, BendRoute],
    routes: Mapping[Wire, Route],
    source: Callable[[Wire], int | None],
    nodes: Nodes,
) -> dict[Wire, BendRoute]:
    """Return the bends that are moved so that none lies on another one, or on a turn of a route.

    Wires of one source may; the result does not depend on the order.
    """
    if len(bends) > MOST or len(bends) + len(routes) < 2:
        return {}
    found = _Bends(bends)
    turns = [(wire, curve) for wire in sorted(routes) for curve in _turns(routes[wire])]
    for wire, bend in bends.items():
        for other, curve in turns:
            if source(other) != source(wire) and _may_meet(bend.zone, _zone(curve)):
                found.turns.setdefault(wire, []).append(curve)
    for one, other in combinations(found.lanes, 2):
        zones = (bends[one].zone, bends[other].zone)
        if source(one) != source(other) and _may_meet(*zones):
            found.near.setdefault(one, []).append(other)
            found.near.setdefault(other, []).append(one)
    found.settle(nodes)
    moved = [wire for wire, lane in found.lanes.items() if lane != bends[wire].lane]
    return {wire: found.bend(wire) for wire in moved}


class _Bends:
    """The lanes of bends, with the other bends and the turns that each may lie on."""

    def __init__(self, bends: Mapping[Wire, BendRoute]) -> None:
        self.lanes = {wire: bends[wire].lane for wire in sorted(bends)}
        self.near: dict[Wire, list[Wire]] = {}
        self.turns: dict[Wire, list[_Curve]] = {}
        self._bends = bends
        self._met: dict[tuple[Wire, Place, Wire, Place], float] = {}
        self._on_turns: dict[tuple[Wire, Place], float] = {}
        self._tries = TRIES

    def settle(self, nodes: Nodes) -> None:
        """Move bends, alone or in pairs, until none lies on another one or nothing gets better."""
        poor = [wire for wire in self.lanes if self._cost(wire) >= LEAST]
        both = {other for wire in poor for other in (wire, *self.near.get(wire, ()))}
        free = {w for w in both if not any(True for _ in nodes(self._bends[w].zone))}
        for _round in range(ROUNDS):
            moved = False
            for wire in poor:
                if wire in free and self._cost(wire) >= LEAST:
                    pairs = [(wire, other) for other in self.near.get(wire, ()) if other in free]
                    moved |= self._move((wire,)) or any(map(self._move, pairs))
            if not moved:
                return

    def _move(self, wires: tuple[Wire, ...]) -> bool:
        """Give wires the lanes in which they lie least on others; return whether that helped."""
        self._tries -= 1
        if self._tries < 0:
            return False
        before = tuple(self.lanes[wire] for wire in wires)
        best, found = sum(map(self._cost, wires)), before
        for lanes in product(LANES, repeat=len(wires)):
            self.lanes.update(zip(wires, lanes, strict=True))
            cost = sum(map(self._cost, wires))
            if cost < best:
                best, found = cost, lanes
        self.lanes.update(zip(wires, found, strict=True))
        return found != before

    def _cost(self, wire: Wire) -> float:
        """Return over how many px a bend lies on others, and on turns."""
        key = (wire, self.lanes[wire])
        if key not in self._on_turns:
            curve = _curve(self.bend(wire))
            turns = self.turns.get(wire, ())
            self._on_turns[key] = sum(_on_one_another(curve, turn) for turn in turns)
        return self._on_turns[key] + sum(self._between(wire, w) for w in self.near.get(wire, ()))

    def _between(self, wire: Wire, other: Wire) -> float:
        one, two = (wire, other) if wire < other else (other, wire)
        key = (one, self.lanes[one], two, self.lanes[two])
        if key not in self._met:
            self._met[key] = _meeting(self.bend(one), self.bend(two))
        return self._met[key]

    def bend(self, wire: Wire) -> BendRoute:
        """Return a bend in its lane."""
        return replace(self._bends[wire], lane=self.lanes[wire])


def _meeting(one: BendRoute, other: BendRoute) -> float:
    """Return over how many px two bends lie on one another, or may be mistaken."""
    mistaken = _is_mistaken(one, other) or _is_mistaken(other, one)
    a, b = _curve(one), _curve(other)
    corners = _corners_met(a, b) + _corners_met(b, a)
    return _on_one_another(a, b) + MISTAKEN * mistaken + AT_CORNER * corners


def _is_mistaken(one: BendRoute, other: BendRoute) -> bool:
    """Return whether a wire seems to go on where another one comes to its own level."""
    if abs(one.start[1] - other.end[1]) >= LEVEL:
        return False
    (left, right), (begin, done) = one.span, other.span
    return left + (right - left) / 4 + AFTER > done - (done - begin) / 4


def _corners_met(one: _Curve, other: _Curve) -> int:
    """Return how many corners of a bend are on another one, which crosses there."""
    heights = (one.top, one.low) if one.falls else (one.low, one.top)
    return sum(
        other.top < y < other.low and abs(other.x(y) - x) < CORNER
        for x, y in zip((one.start, one.end), heights, strict=True)
    )


def _on_one_another(one: _Curve, other: _Curve) -> float:
    """Return over how many px of height two curves lie on one another; 0 where they only cross."""
    top, low = max(one.top, other.top), min(one.low, other.low)
    if low - top <= LEAST:
        return 0.0
    if one.reach == 0.0 == other.reach and (
        one.end + BESIDE < other.start or other.end + BESIDE < one.start
    ):
        return 0.0
    step = (low - top) / SAMPLES
    heights = (top + (k + 0.5) * step for k in range(SAMPLES))
    long = step * sum(abs(one.x(y) - other.x(y)) < BESIDE for y in heights)
    return long if long > LEAST else 0.0


def _curve(bend: BendRoute) -> _Curve:
    (left, right), y, to = bend.span, bend.start[1], bend.end[1]
    return _Curve(left, right, min(y, to), max(y, to), to > y)


def _turns(route: Route) -> Iterator[_Curve]:
    """Yield the turns of a wire that runs back, or the bends into a lane and out of it."""
    for (x, y), (to_x, to), reach in route.turns:
        if isinstance(route, BackRoute) and route.beside:  # a straight side
            x, to_x, reach = x + REACH * reach, x + REACH * reach, 0.0
        yield _Curve(x, to_x, min(y, to), max(y, to), to > y, reach)


def _zone(curve: _Curve) -> Sides:
    xs = (curve.start, curve.end, curve.start + REACH * curve.reach)
    return (min(xs), curve.top, max(xs), curve.low)


def _may_meet(one: Sides, other: Sides) -> bool:
    across = one[0] < other[2] + BESIDE and other[0] < one[2] + BESIDE
    return across and one[1] < other[3] + LEVEL and other[1] < one[3] + LEVEL


def _parameter(share: float) -> float:
    """Return where on a cubic curve from level to level a share of its height is reached."""
    low, high = 0.0, 1.0
    for _ in range(30):
        t = (low + high) / 2
        low, high = (t, high) if t * t * (3.0 - 2.0 * t) < share else (low, t)
    return low


_PARAMETER = [_parameter(k / FINE) for k in range(FINE + 1)]
