"""Detail: how much of the sheet is drawn, by the size of its smallest text on the screen."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from app.style.strokes import canvas_font

MAX_SMALL_GRAPH: Final = 12
"""Number of nodes up to which a graph is small: its labels are whole wherever they can be read."""


class Detail(IntEnum):
    """Levels of detail, each a superset of the one before."""

    SHAPES = 0
    """Silhouettes in the colour of their state."""
    SYMBOLS = 1
    """The op's symbol, or the label; no text on wires."""
    NUMBERS = 2
    """Name, value and gradient; contributions on the wires of this step and the next."""
    RESULTS = 3
    """All of a node; labels on wires with the contribution alone."""
    WHOLE = 4
    """Everything: labels on wires with their factors too."""


MIN_TEXT_SIZES: Final = {Detail.SYMBOLS: 3.6, Detail.NUMBERS: 6.5, Detail.RESULTS: 9.0}
"""The size in screen px of the smallest text from which a level is shown."""
READABLE_IN_SMALL_GRAPH: Final = 8.0
"""The size in screen px from which all texts of a small graph are shown."""
READABLE: Final = 11.0
"""The size in screen px from which any text is read without effort."""


def smallest_text_size() -> int:
    """Return the size of the smallest text on the sheet, in sheet px."""
    return canvas_font("caption").pixelSize()


def detail_at(scale: float, is_small: bool) -> Detail:
    """Return the level of detail at a scale (screen px per sheet px)."""
    levels = (level for level in Detail if scale >= least_scale(level, is_small))
    return max(levels, default=Detail.SHAPES)


def least_scale(detail: Detail, is_small: bool) -> float:
    """Return the scale from which a level of detail is shown."""
    whole = READABLE_IN_SMALL_GRAPH if is_small else READABLE
    return scale_for_text_size(whole if detail == Detail.WHOLE else MIN_TEXT_SIZES.get(detail, 0.0))


def scale_for_text_size(pixels: float) -> float:
    """Return the scale at which the smallest text has this size, in screen px."""
    return pixels / smallest_text_size()
