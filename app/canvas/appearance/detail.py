"""Detail: how much of the sheet is drawn, by the size of its smallest text on the screen."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from app.style.strokes import canvas_font

FEW: Final = 12
"""Up to this number of nodes, labels are whole wherever they can be read at all."""


class Detail(IntEnum):
    """Levels of detail, each a superset of the one before."""

    SHAPES = 0
    """Silhouettes in the colour of their state."""
    SYMBOLS = 1
    """The op's symbol, or the label; no text on wires."""
    NUMBERS = 2
    """Name, value and gradient; contributions on the wires of this step and the next."""
    RESULTS = 3
    """All of a node; of labels on wires the contribution."""
    WHOLE = 4
    """Everything."""


LEAST_TEXT: Final = {Detail.SYMBOLS: 3.6, Detail.NUMBERS: 6.5, Detail.RESULTS: 9.0}
"""The size in screen px of the smallest text from which a level is shown."""
READ_FEW: Final = 8.0
"""The size in screen px from which all texts of a small graph are shown."""
READABLE: Final = 11.0
"""The size in screen px from which any text is read without effort."""


def smallest() -> int:
    """Return the size of the smallest text on the sheet, in sheet px."""
    return canvas_font("caption").pixelSize()


def detail_at(scale: float, few: bool) -> Detail:
    """Return the level of detail at a scale (screen px per sheet px); `few` for a small graph."""
    text = smallest() * scale
    if text >= (READ_FEW if few else READABLE):
        return Detail.WHOLE
    return max(
        (level for level, least in LEAST_TEXT.items() if text >= least), default=Detail.SHAPES
    )


def scale_of(text: float) -> float:
    """Return the scale at which the smallest text has this size, in screen px."""
    return text / smallest()
