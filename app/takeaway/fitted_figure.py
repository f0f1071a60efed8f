"""Fitted figure: a graph as it fits a part of a page, with type that can be read on paper.

fitted_figure(...)  the figure with the fewest rows of nodes whose type is large enough
PaperFigure         a scene, the part of it on paper, and its scale
PaperSizes          the sizes of its nodes, for scenes that print something else
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QRectF, QSizeF

from app.canvas.appearance.detail import smallest_text_size
from app.canvas.layout.text_sizes import TextSizes
from app.canvas.paint import figure
from app.canvas.paint.figure import Figure, SceneOf, Shot, figures_of
from app.canvas.scene.scene import Scene
from app.document.sheet import Sheet
from engine.frame import Frame
from engine.numbers import Digits

LEAST_TYPE: Final = 7.0
"""Size in pt of the smallest text on paper."""
_CROSSINGS: Final = (None, 6, 10, 16, 40)
"""Limits of the wires from one row to the next: the usual one, then higher ones for a graph whose
type would be too small, as paper can't be zoomed."""


class PaperFigure(Struct, frozen=True):
    """A figure on paper: its scene, the `area` of the sheet shown, and px for a sheet px."""

    scene: Scene
    area: QRectF
    scale: float

    @property
    def size(self) -> QSizeF:
        """Return its size in px of 96 to the inch."""
        return self.area.size() * self.scale

    @property
    def type_size(self) -> float:
        """Return the size in pt of its smallest text."""
        return self.scale * smallest_text_size() * figure.POINTS / figure.DPI


class PaperSizes(TextSizes):
    """Sizes for a figure on paper: columns move apart for its texts, and gaps are closed."""

    @property
    def needs_more_room(self) -> bool:
        return not self.whole_pass.is_large

    @property
    def closes_gaps(self) -> bool:
        return not self.whole_pass.is_large


def fitted_figure(
    sheet: Sheet, frame: Frame, digits: Digits, room: tuple[float, float], new_scene: SceneOf
) -> Figure:
    """Return the figure that fits a width and a height in px, of the fewest rows of nodes.

    Its type has 8 pt, or less where that does not fit: the largest type if all is below LEAST_TYPE.
    Groups are open. Raises FormatError for a graph that no picture can hold.
    """
    wide, high = room
    shot = Shot(
        theme="print",
        digits=digits,
        width=wide / figure.DPI * figure.INCH_CM,
        height=high / figure.DPI * figure.INCH_CM,
        margin=0.0,
    )
    open_sheet, best = replace(sheet, groups={}), None
    for most_crossing in _CROSSINGS:
        for found in figures_of(open_sheet, frame, shot, new_scene, most_crossing):
            if found.type_sizes[0] >= LEAST_TYPE:
                return found
            if best is None or found.scale > best.scale:
                best = found
    assert best is not None  # the sheet as it is
    return best
