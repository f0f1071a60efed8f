"""Paper: pages of A4 or Letter, filled from top to bottom with blocks, for a PDF.

    pages = Pages(PAPERS["A4"])
    pages.add(40.0, paint)                 paint(painter, x, y): the corner of the block
    pages.add(26.0, head, with_next=34.0)  on the same page as the next 34 px
    pages.painters(foot)                   a painter for each page, as `pdf` takes them

All lengths are px of 96 to the inch, except the sides of a Paper.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QPainter

from app.canvas.paint.figure import INCH_CM
from app.canvas.paint.pdf import Paint
from app.controls.rich_text import Spans, height, lay_out, paint_lines
from app.style.theme import PRINT
from engine.formats.dot import DPI

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


def paint_text(
    painter: QPainter,
    spans: Spans,
    font: QFont,
    at: tuple[float, float],
    wide: float,
    *,
    in_key: bool = False,
) -> float:
    """Paint spans in lines of a width, with the upper left corner at a point; return the height.

    An answer in a key is grey and slanted.
    """
    lines = lay_out(clean(spans), font, wide)
    x, y = at
    total = height(lines)
    if not in_key:
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
    """Return spans on one line, as `plain` their texts."""
    return tuple(replace(span, text=plain(span.text)) for span in spans)


def plain(text: str) -> str:
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
