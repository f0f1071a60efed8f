"""LabelLayout: places the labels on wires, clear of nodes and of each other.

A label ends left of its slot; columns are laid out with space for it. Where a node that the user
has moved covers it, the label is shortened to the contribution, or else painted as a dot. The
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
"""How much of a label fits: both lines, the contribution alone, or no text."""
SIDE_CLEARANCE = 2.0
"""Clearance left and right of a label, in sheet px."""
VERTICAL_CLEARANCE = 0.5
"""Clearance above and below a label, in sheet px."""
HALF_HEIGHT = sizes.LABEL / 2
SLOT_CLEARANCE = sizes.LABEL_TO_SLOT - sizes.SLOT / 2
"""Distance of a label's right end from the end of its wire, in sheet px."""
BEND_OVERHANG = 3.0
"""Distance in sheet px by which a label may extend beyond the horizontal run of its wire."""


class LabelPlace(Struct, frozen=True):
    """The place of a label: x of its right end, y of its middle, and the form that fits."""

    right: float
    y: float
    form: Form


class LabelPlacer:
    """Places labels one after the other, each clear of nodes and of the labels before it."""

    def __init__(self, boxes: Iterable[QRectF], nodes: SpatialIndex[int] | None = None) -> None:
        self._nodes = nodes or SpatialIndex[int]()
        self._occupied: SpatialIndex[int] = SpatialIndex()
        self._count = 0
        for rect in boxes:
            self._occupy(sides_of(rect))

    def place(self, course: Course, full: float, short: float) -> LabelPlace:
        """Return the place of a label in its longest form that is free, and occupy it."""
        right = course.run_end - SLOT_CLEARANCE
        if not full:  # without a text
            return LabelPlace(right, course.y, "full")
        forms = (("full", full, sizes.LABEL), ("short", short, sizes.LABEL_LINE))
        for form, wide, high in forms:
            sides = (right - wide, course.y - high / 2, right, course.y + high / 2)
            if right - wide >= course.run_start - BEND_OVERHANG and self._is_free(sides):
                self._occupy(sides)
                # mypy and pyright infer `str` for the forms in the tuple
                return LabelPlace(right, course.y, form)  # type: ignore[arg-type]
        return LabelPlace(right, course.y, "dot")

    def _is_free(self, sides: Sides) -> bool:
        left, top, right, bottom = sides
        wider = (
            left - SIDE_CLEARANCE,
            top - VERTICAL_CLEARANCE,
            right + SIDE_CLEARANCE,
            bottom + VERTICAL_CLEARANCE,
        )
        return not (self._nodes.touching(wider) or self._occupied.touching(wider))

    def _occupy(self, sides: Sides) -> None:
        self._count += 1
        self._occupied.insert(self._count, sides)


class LabelLayout(dict[Wire, LabelPlace]):
    """The places of all labels, each computed on first use.

    `home` has the nodes that are hidden in collapsed groups (a wire into one has a short label).

    Labels have an order, from left to right. Before a label is placed, so are all earlier ones that
    may overlap it; so the result does not depend on the order of the queries.
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
        stack = [wire]  # depth-first: a label stays on it until all earlier ones are placed
        while stack:
            last = stack[-1]
            full, short = self._text_sizes.label(last)
            full = short if last[0] in self._home else full  # groups show contributions alone
            earlier = (
                [] if last in self or not full else self._unplaced_before(last, max(full, short))
            )
            if earlier:
                stack += earlier
                continue
            stack.pop()
            if last not in self:
                self[last] = self._placer.place(self._courses[last], full, short)
        return self[wire]

    def _unplaced_before(self, wire: Wire, wide: float) -> list[Wire]:
        """Return the earlier wires, not placed yet, whose labels may overlap this one."""
        course = self._courses[wire]
        # twice the clearance, since each of two labels keeps its own
        right = course.run_end - SLOT_CLEARANCE + 2 * SIDE_CLEARANCE
        left = max(course.run_start - BEND_OVERHANG, right - wide) - 2 * SIDE_CLEARANCE
        high = 2 * (HALF_HEIGHT + VERTICAL_CLEARANCE)
        key = (course.run_end, wire)
        return [
            other
            for other in self._wires.touching((left, course.y - high, right, course.y + high))
            if other not in self
            and ((found := self._courses[other]).run_end, other) < key
            and abs(found.y - course.y) < high
            and found.run_end - SLOT_CLEARANCE > left
        ]
