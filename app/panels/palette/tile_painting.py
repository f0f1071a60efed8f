"""The look of the palette's tiles: their shapes, symbols, captions and colours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from app.style.current import Style
from app.style.curves import paint_curve
from app.style.icons import NAMES, paint_icon
from app.workbench.adding.finding import Entry
from engine.ops import BY_NAME

SymbolPainter = Callable[[QPainter, QRectF, Style, QColor], None]

_SYMBOLS = {"maximum": "max", "minimum": "min", "where_gt0": "x | y", "pow": "xⁿ"}


class TileShape(NamedTuple):
    """Sizes of a tile in px at 100 %: the symbol stands over the caption."""

    width: int
    height: int
    symbol_inset: int
    symbol_top: int
    symbol_height: int
    caption_top: int
    caption_height: int
    caption_role: str


IN_PALETTE: Final = TileShape(40, 47, 6, 6, 20, 28, 15, "small")
IN_RAIL: Final = TileShape(48, 38, 13, 4, 18, 22, 14, "tile")


def icon_painter(name: str, side: float) -> SymbolPainter:
    """Return a painter for an icon, `side` px wide at 100 %."""

    def paint(painter: QPainter, rect: QRectF, style: Style, ink: QColor) -> None:
        wide = style.px(side)
        box = QRectF(rect.center() - QPointF(wide / 2, wide / 2), QSizeF(wide, wide))
        paint_icon(painter, box, name, ink)

    return paint


def sign_painter(text: str) -> SymbolPainter:
    """Return a painter for a mathematical sign."""

    def paint(painter: QPainter, rect: QRectF, style: Style, ink: QColor) -> None:
        fit_text(painter, rect, style.font("heading"), ink, text)

    return paint


def curve_painter(of: Callable[[float], float]) -> SymbolPainter:
    """Return a painter for the curve of a function."""

    def paint(painter: QPainter, rect: QRectF, style: Style, ink: QColor) -> None:
        inset = style.px(2)
        paint_curve(painter, rect.adjusted(inset, inset, -inset, -inset), of, ink)

    return paint


def symbol_painter(entry: Entry) -> SymbolPainter:
    """Return a painter for an entry's symbol: an icon, a sign, or the function's curve."""
    kind, _colon, name = entry.key.partition(":")
    if entry.key == "root":
        return icon_painter("root", 16)
    if kind != "op" and name in NAMES:
        return icon_painter(name, 24)
    op = BY_NAME.get(entry.key.removeprefix("op:"))
    if op is not None and len(op.slots) == 1 and op.name != "neg":
        return curve_painter(op.forward)
    return sign_painter(_SYMBOLS.get(entry.title, entry.symbol))


def fit_text(painter: QPainter, rect: QRectF, font: QFont, ink: QColor, text: str) -> None:
    """Draw one line centred in rect, with a smaller font if it would not fit."""
    while QFontMetricsF(font).horizontalAdvance(text) > rect.width() and font.pixelSize() > 9:
        font.setPixelSize(font.pixelSize() - 1)
    painter.setFont(font)
    painter.setPen(ink)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)


def box_colors(style: Style, key: str) -> tuple[QColor, QColor]:
    """Return the fill and the outline of the tile of an entry."""
    theme = style.theme
    if key == "leaf":
        return theme.header_leaf, theme.line
    if key == "constant":
        return theme.header_op, theme.line
    if key == "root":
        return theme.header_root, theme.line
    return theme.node, theme.line
