"""Changing a number by dragging: four px are one step, smaller with Shift, larger with Ctrl.

The step depends on the initial number (0.1 for 2, 1 for 30, 0.001 for 0.02), and results are
multiples of the step, so that they are short.
"""

from __future__ import annotations

import math
import sys
from decimal import Decimal
from typing import Final

from PySide6.QtCore import Qt

PIXELS_PER_STEP: Final = 4.0
"""How far the pointer moves for one step, in px: far enough to stop at a wanted number."""

_MIDDLE_RANGE: Final = (0.1, 10.0)
_MIDDLE_STEP: Final = Decimal("0.1")
"""Numbers of this range have the same step; others, one tenth of their leading digit's place."""
_LARGEST: Final = Decimal(sys.float_info.max)


def scrub(start: float, pixels: float, modifiers: Qt.KeyboardModifier) -> float:
    """Return the number after dragging `pixels` px to the right from `start`."""
    steps = round(pixels / PIXELS_PER_STEP)
    if steps == 0 or not math.isfinite(start):
        return start
    size = step_for(start, modifiers)
    multiple = round(Decimal(start) / size) + steps
    return float(min(max(size * multiple, -_LARGEST), _LARGEST))


def step_for(start: float, modifiers: Qt.KeyboardModifier) -> Decimal:
    """Return the step for this number: a power of ten."""
    size = _MIDDLE_STEP
    if start and math.isfinite(start) and not _MIDDLE_RANGE[0] <= abs(start) < _MIDDLE_RANGE[1]:
        # one place below the leading digit: 1 for 30, 0.001 for 0.02
        size = Decimal(1).scaleb(Decimal(abs(start)).adjusted() - 1)
    if modifiers & Qt.KeyboardModifier.ShiftModifier:
        size /= 10
    if modifiers & Qt.KeyboardModifier.ControlModifier:
        size *= 10
    return size


class Scrub:
    """One drag on a number; a modifier changes the step from where it is pressed."""

    def __init__(self, start: float) -> None:
        self.start = start
        self.value = start
        self._base = start
        self._base_pixels = 0.0
        """Number and offset of the pointer when the modifiers last changed."""
        self._modifiers = Qt.KeyboardModifier.NoModifier

    def moved(self, pixels: float, modifiers: Qt.KeyboardModifier) -> float:
        """Return the number when the pointer is `pixels` px from where it was pressed."""
        if modifiers != self._modifiers:
            self._base, self._base_pixels, self._modifiers = self.value, pixels, modifiers
        self.value = scrub(self._base, pixels - self._base_pixels, modifiers)
        return self.value
