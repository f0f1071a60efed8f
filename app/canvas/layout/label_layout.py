"""LabelLayout: places the labels on wires, clear of nodes and of each other.

A label has one place, left of its slot; columns are laid out so that it is free. Where the user has
placed a node there, the label is shortened to the contribution, and finally becomes a dot. The
labels of firing, next, asked and hovered wires are always painted in full.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Literal

from msgspec import Struct
from PySide6.QtCore import QRectF

from app.canvas.layout.spatial_index import Sides, SpatialIndex, sides_of
from app.canvas.layout.text_sizes import TextSizes
from app.canvas.layout.wire_path import Course
from app.style import sizes
from engine.graph import Wire

Form = Literal["full", "short", "dot"]
GAP = 2.0
"""Clearance left and right of a label, in sheet px."""
SLACK = 0.5
"""Clearance above and below a label, in sheet px."""
HALF = sizes.LABEL / 2
TO_SLOT = sizes.LABEL_TO_SLOT - sizes.SLOT / 2
TO_BEND = 3.0
"""Distance in sheet px by which a label may extend beyond the horizontal run of its wire."""


class LabelPlace(Struct, frozen=True):
    """The place of a label: its right end, its middle line, and how much of its text fits."""

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

    def place(self, course: Course, full: float, short: float) -> LabelPlace:
        """Return the best free place on a wire for a label of these widths, full and shortened."""
        first = course.run_end - TO_SLOT
        if not full:
            return LabelPlace(first, course.y, "full")
        forms = (("full", full, sizes.LABEL), ("short", short, sizes.LABEL_LINE))
        for form, wide, high in forms:
            sides = (first - wide, course.y - high / 2, first, course.y + high / 2)
            if first - wide >= course.run_start - TO_BEND and self._free(sides):
                self._take(sides)
                return LabelPlace(first, course.y, form)  # type: ignore[arg-type]
        return LabelPlace(first, course.y, "dot")

    def _free(self, sides: Sides) -> bool:
        left, top, right, bottom = sides
        wider = (left - GAP, top - SLACK, right + GAP, bottom + SLACK)
        return not (self._nodes.touching(wider) or self._taken.touching(wider))

    def _take(self, sides: Sides) -> None:
        self._count += 1
        self._taken.insert(self._count, sides)


class LabelLayout(dict[Wire, LabelPlace]):
    """The places of all labels, each computed on first use; `home` are the nodes in groups.

    Labels are placed from left to right. To place one label, only those are placed first that come
    earlier and may overlap it; so the result does not depend on the order of the queries.
    """

    def __init__(
        self,
        courses: Mapping[Wire, Course],
        wires: SpatialIndex[Wire],
        text_sizes: TextSizes,
        home: Container[int],
        placer: LabelPlacer,
    ) -> None:
        super().__init__()
        self._courses, self._wires = courses, wires
        self._text_sizes, self._home = text_sizes, home
        self._placer = placer

    def __missing__(self, wire: Wire) -> LabelPlace:
        waiting = [wire]
        while waiting:
            last = waiting[-1]
            full, short = self._text_sizes.label(last)
            full = short if last[0] in self._home else full
            earlier = [] if last in self or not full else self._earlier(last, max(full, short))
            if earlier:
                waiting += earlier
                continue
            waiting.pop()
            if last not in self:
                self[last] = self._placer.place(self._courses[last], full, short)
        return self[wire]

    def _earlier(self, wire: Wire, wide: float) -> list[Wire]:
        """Return the wires not placed yet that come first and whose labels may overlap this one."""
        course = self._courses[wire]
        right = course.run_end - TO_SLOT + 2 * GAP
        left = max(course.run_start - TO_BEND, right - wide) - 2 * GAP
        high = 2 * (HALF + SLACK)
        key = (course.run_end, wire)
        return [
            other
            for other in self._wires.touching((left, course.y - high, right, course.y + high))
            if other not in self
            and ((found := self._courses[other]).run_end, other) < key
            and abs(found.y - course.y) < high
            and found.run_end - TO_SLOT > left
        ]
