"""Paper: pages of A4 or Letter, filled from top to bottom with blocks, and graphs on them.

    pages = Pages(PAPERS["A4"])
    pages.add(40.0, paint)                 paint(painter, x, y): the corner of the block
    pages.add(26.0, head, with_next=34.0)  on the same page as the next 34 px
    pages.painters(foot)                   a painter for each page, as `pdf` takes them
    fitted_figure(...)                     a graph as it fits a part of a page, with type that can
                                           be read on paper

All lengths are px of 96 to the inch, except the sides of a Paper.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from app.canvas.appearance.detail import smallest_text_size
from app.canvas.layout.text_sizes import TextSizes
from app.canvas.paint import figure
from app.canvas.paint.figure import INCH_CM, Figure, PictureOptions, SceneOf, figures_of
from app.canvas.paint.picture_export import Paint, painted_image
from app.canvas.scene.scene import Scene
from app.controls.rich_text import height, lay_out, paint_lines
from app.controls.spans import Spans
from app.document.sheet import Sheet
from app.style.theme import PRINT
from engine.formats.dot import DPI
from engine.frame import Frame
from engine.numbers import Digits

MM: Final = DPI / INCH_CM / 10
"""Px to a millimetre."""
MARGIN: Final = 15 * MM
"""Left and right margin of a page."""
TOP: Final = 13 * MM
"""Margin above the first block of a page."""
FOOT: Final = 15.5 * MM
"""Height of the foot of a page, from its line to the edge of the paper."""
FOOT_GAP: Final = 4 * MM
"""Least space between the last block and the line of the foot."""
FILLED: Final = QColor("#5f5f5f")
"""Colour of the answers in a key: a grey that any printer renders."""
SLANT: Final = -0.21
"""Horizontal shear of the answers in a key, as the shipped fonts have no italic."""

_KEY: Final = replace(
    PRINT, text=FILLED, secondary=FILLED, value=FILLED, gradient=FILLED, local=FILLED, error=FILLED
)
"""The theme of the answers in a key."""

Block: TypeAlias = Callable[[QPainter, float, float], None]
"""Paints a block with its upper left corner at x and y."""


class Paper(Struct, frozen=True):
    """A size of paper, in mm."""

    name: str
    wide: float
    high: float

    @property
    def size(self) -> QSizeF:
        """Return the size in px."""
        return QSizeF(self.wide, self.high) * MM

    @property
    def text_width(self) -> float:
        """Return the width between the margins, in px."""
        return self.wide * MM - 2 * MARGIN

    @property
    def bottom(self) -> float:
        """Return the y of the line above the foot, in px."""
        return self.high * MM - FOOT


PAPERS: Final = {
    paper.name: paper for paper in (Paper("A4", 210.0, 297.0), Paper("Letter", 215.9, 279.4))
}


class Pages(Struct):
    """Blocks on pages; `y` is where the next block of the last page begins."""

    paper: Paper
    y: float = TOP
    pages: list[list[tuple[float, Block]]] = field(default_factory=lambda: [[]])
    heads: Block | None = None
    """Paints the head of the table that is being added; `turn` repeats it on a new page."""
    head_height: float = 0.0

    @property
    def room(self) -> float:
        """Return the free height of the last page."""
        return self.paper.bottom - FOOT_GAP - self.y

    def add(self, high: float, block: Block, with_next: float = 0.0) -> None:
        """Add a block of a height; on a new page if it, and `with_next`, do not fit on this one."""
        if high + with_next > self.room and self.pages[-1]:
            self.turn()
        self.pages[-1].append((self.y, block))
        self.y += high

    def skip(self, high: float) -> None:
        """Leave some height free."""
        self.y += high

    def turn(self) -> None:
        """Begin a new page, with the head of the table that is being added, if there is one."""
        self.pages.append([])
        self.y = TOP
        if self.heads is not None:
            self.pages[-1].append((self.y, self.heads))
            self.y += self.head_height

    def painters(self, foot: Callable[[QPainter, int, int], None]) -> list[Paint]:
        """Return the painters of the pages; `foot` gets the number of a page, and how many."""

        def painter_of(k: int) -> Paint:
            def paint(painter: QPainter) -> None:
                # also where a label is written from right to left
                painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
                for y, block in self.pages[k]:
                    block(painter, MARGIN, y)
                foot(painter, k + 1, len(self.pages))

            return paint

        return [painter_of(k) for k in range(len(self.pages))]


def page_image(paint: Paint, paper: Paper, room: tuple[float, float]) -> QImage:
    """Return the picture of a page as large as a width and a height in device px."""
    size = paper.size
    scale = min(room[0] / size.width(), room[1] / size.height())
    wide, high = int(size.width() * scale), int(size.height() * scale)
    return painted_image(paint, wide, high, scale, QColor("white"))


def paint_text(
    painter: QPainter,
    spans: Spans,
    font: QFont,
    at: tuple[float, float],
    wide: float,
    *,
    as_key_answer: bool = False,
) -> float:
    """Paint spans in lines of a width, with the upper left corner at a point; return the height.

    With `as_key_answer` they are grey and slanted, as the answers in a key.
    """
    lines = lay_out(clean(spans), font, wide)
    x, y = at
    total = height(lines)
    if not as_key_answer:
        paint_lines(painter, QPointF(x, y), lines, font, PRINT)
        return total
    without_gaps = sum(line.ascent + line.descent for line in lines)
    gap = (total - without_gaps) / max(len(lines) - 1, 1)
    for line in lines:  # each alone: a shear of all would move lower lines to the left
        painter.save()
        painter.translate(x, y + line.ascent)
        painter.shear(SLANT, 0)
        paint_lines(painter, QPointF(0, -line.ascent), (line,), font, _KEY)
        painter.restore()
        y += line.ascent + line.descent + gap
    return total


def text_height(spans: Spans, font: QFont, wide: float) -> float:
    """Return the height of spans in lines of a width."""
    return height(lay_out(clean(spans), font, wide))


_BIDI_MARKS: Final = dict.fromkeys(
    (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)), None
)
"""Unicode's marks of direction, which would reorder the words after a label as well."""


def clean(spans: Spans) -> Spans:
    """Return spans on one line, as `printable_text` their texts."""
    return tuple(replace(span, text=printable_text(span.text)) for span in spans)


def printable_text(text: str) -> str:
    """Return a text without control characters, such as line ends, and marks of direction."""
    return "".join(c if c >= " " else " " for c in text.translate(_BIDI_MARKS))


def paint_rule(
    painter: QPainter, left: float, right: float, y: float, color: QColor, wide: float = 1.0
) -> None:
    """Paint a horizontal line, `wide` px thick, with its middle at y."""
    painter.fillRect(QRectF(left, y - wide / 2, right - left, wide), color)


def grid(
    painter: QPainter, corner: tuple[float, float], widths: Sequence[float], high: float
) -> None:
    """Paint the borders of the cells of one row of a table."""
    x, y = corner
    total = sum(widths)
    for line in (y, y + high):
        paint_rule(painter, x, x + total, line, PRINT.line)
    for k in range(len(widths) + 1):
        left = x + sum(widths[:k])
        painter.fillRect(QRectF(left - 0.5, y, 1.0, high), PRINT.line)


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
        return not self.whole_pass.graph_is_large

    @property
    def closes_gaps(self) -> bool:
        return not self.whole_pass.graph_is_large


def fitted_figure(
    sheet: Sheet, frame: Frame, digits: Digits, room: tuple[float, float], new_scene: SceneOf
) -> Figure:
    """Return the figure that fits a width and a height in px, of the fewest rows of nodes.

    Its type has 8 pt, or less where that does not fit: the largest type if all is below LEAST_TYPE.
    Groups are open. Raises FormatError for a graph that no picture can hold.
    """
    wide, high = room
    picture_options = PictureOptions(
        theme="print",
        digits=digits,
        width=wide / figure.DPI * figure.INCH_CM,
        height=high / figure.DPI * figure.INCH_CM,
        margin=0.0,
    )
    open_sheet, best = replace(sheet, groups={}), None
    for most_crossing in _CROSSINGS:
        for found in figures_of(open_sheet, frame, picture_options, new_scene, most_crossing):
            if found.type_sizes[0] >= LEAST_TYPE:
                return found
            if best is None or found.scale > best.scale:
                best = found
    assert best is not None  # the sheet as it is
    return best
