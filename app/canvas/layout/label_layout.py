"""LabelLayout: places the labels on wires, clear of nodes and of each other.

The painter shows firing, next, asked and hovered labels whole, whatever fits their place.

A label sits left of its slot. Where that is taken it slides left along its own wire, then it is
shortened to the contribution, then it becomes a dot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QRectF

from app.canvas.layout.geometry import Course, Sides, sides_of
from app.canvas.layout.spatial_index import SpatialIndex
from app.style import sizes
from engine.graph import Wire

Form = Literal["full", "short", "dot"]
GAP = 2.0
STEP = 12.0
SLACK = 0.5
"""The room above and below a label."""
HALF = sizes.LABEL_FIRING / 2
TO_SLOT = sizes.LABEL_TO_SLOT - sizes.SLOT / 2
TO_BEND = 8.0
"""How far a label may reach back beyond the level run of its wire."""


@dataclass(frozen=True, slots=True)
class Seat:
    """The place of a label: its right end, its middle line, how much of it fits."""

    right: float
    y: float
    form: Form


class LabelPlacer:
    """Places labels one after the other; earlier ones get the better places."""

    def __init__(self, boxes: Iterable[QRectF], nodes: SpatialIndex[int] | None = None) -> None:
        self._nodes = nodes or SpatialIndex[int]()
        self._taken: SpatialIndex[int] = SpatialIndex()
        self._count = 0
        for rect in boxes:
            self._take(sides_of(rect))

    def seat(self, course: Course, full: float, short: float) -> Seat:
        """The best seat left on a wire for a label with these widths."""
        first = course.run_end - TO_SLOT
        if not full:
            return Seat(first, course.y, "full")
        for form, wide in (("full", full), ("short", short)):
            right = first
            lowest = max(course.run_start - TO_BEND + wide, first - 2 * full)
            while right >= lowest:
                if self._free(right, course.y, wide):
                    self._take((right - wide, course.y - HALF, right, course.y + HALF))
                    return Seat(right, course.y, form)  # type: ignore[arg-type]
                right -= STEP
        return Seat(first, course.y, "dot")

    def _free(self, right: float, y: float, wide: float) -> bool:
        sides = (right - wide - GAP, y - HALF - SLACK, right + GAP, y + HALF + SLACK)
        return not (self._nodes.touching(sides) or self._taken.touching(sides))

    def _take(self, sides: Sides) -> None:
        self._count += 1
        self._taken.put(self._count, sides)


class LabelLayout(Mapping[Wire, Seat]):
    """The places of all labels, each computed on first use.

    Wires sit down from left to right. To find one seat, only those are found before that come
    earlier and may sit where this one may; so it does not matter in which order one asks.
    """

    def __init__(
        self,
        courses: Mapping[Wire, Course],
        wires: SpatialIndex[Wire],
        room: Callable[[Wire], tuple[float, float]],
        seater: LabelPlacer,
    ) -> None:
        self._courses, self._wires = courses, wires
        self._room, self._seater = room, seater
        self._found: dict[Wire, Seat] = {}

    def __getitem__(self, wire: Wire) -> Seat:
        if wire in self._found:
            return self._found[wire]
        waiting = [wire]
        while waiting:
            last = waiting[-1]
            earlier = [] if last in self._found else self._earlier(last)
            if earlier:
                waiting += earlier
                continue
            waiting.pop()
            if last not in self._found:
                self._found[last] = self._seater.seat(self._courses[last], *self._room(last))
        return self._found[wire]

    def __contains__(self, wire: object) -> bool:
        return wire in self._courses

    def __iter__(self) -> Iterator[Wire]:
        return iter(self._courses)

    def __len__(self) -> int:
        return len(self._courses)

    def _earlier(self, wire: Wire) -> list[Wire]:
        """The wires not seated yet that come first and whose labels may be in the way."""
        full, short = self._room(wire)
        if not full:
            return []
        course = self._courses[wire]
        right = course.run_end - TO_SLOT + 2 * GAP
        left = max(course.run_start - TO_BEND, right - 3 * max(full, short)) - 2 * GAP
        high = 2 * (HALF + SLACK)
        key = (course.run_end, wire)
        return [
            other
            for other in self._wires.touching((left, course.y - high, right, course.y + high))
            if other not in self._found
            and ((found := self._courses[other]).run_end, other) < key
            and abs(found.y - course.y) < high
            and found.run_end - TO_SLOT > left
        ]
