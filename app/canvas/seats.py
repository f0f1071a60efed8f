"""Seats: room on the wires for their labels, clear of nodes and of each other.

A label sits left of its slot. Where that is taken it slides left along its own wire, then it is
shortened to the contribution, then it becomes a dot.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QRectF

from app.canvas.geometry import Course
from app.canvas.grid import Grid
from app.style import sizes

Form = Literal["full", "short", "dot"]
GAP = 2.0
STEP = 12.0


@dataclass(frozen=True, slots=True)
class Seat:
    """Room for a label: its right end, its middle line, how much of it fits."""

    right: float
    y: float
    form: Form


class Seater:
    """Gives seats one after the other; who comes first sits best."""

    def __init__(self, nodes: Iterable[QRectF]) -> None:
        self._taken: Grid[int] = Grid()
        self._count = 0
        for rect in nodes:
            self._take(rect)

    def seat(self, course: Course, full: float, short: float) -> Seat:
        """The best seat left on a wire for a label with these widths."""
        first = course.run_end - (sizes.LABEL_TO_SLOT - sizes.SLOT / 2)
        if not full:
            return Seat(first, course.y, "full")
        for form, wide in (("full", full), ("short", short)):
            right = first
            lowest = max(course.run_start - 8 + wide, first - 2 * full)
            while right >= lowest:
                if self._free(right, course.y, wide):
                    return self._sit(right, course.y, wide, form)  # type: ignore[arg-type]
                right -= STEP
        return Seat(first, course.y, "dot")

    def _sit(self, right: float, y: float, wide: float, form: Form) -> Seat:
        self._take(self._rect(right, y, wide))
        return Seat(right, y, form)

    def _free(self, right: float, y: float, wide: float) -> bool:
        rect = self._rect(right, y, wide).adjusted(-GAP, -0.5, GAP, 0.5)
        return not self._taken.within(rect)

    def _rect(self, right: float, y: float, wide: float) -> QRectF:
        high = sizes.LABEL_FIRING
        return QRectF(right - wide, y - high / 2, wide, high)

    def _take(self, rect: QRectF) -> None:
        self._count += 1
        self._taken.put(self._count, rect)
