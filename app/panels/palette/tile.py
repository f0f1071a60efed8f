"""A tile of the palette: a symbol over a caption, to be clicked or dragged to the canvas.

Its symbol is an icon, a sign, or the curve of a function, which `paint_curve` paints.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from PySide6.QtCore import QMimeData, QPoint, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDrag,
    QFont,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QTransform,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from app.controls.focus import TakenKeys
from app.controls.layouts import plain_tooltip
from app.controls.painted_buttons import PaintedButton
from app.guard import exception_safe
from app.style import sizes
from app.style.current import Style
from app.style.icons import NAMES, paint_icon
from app.style.strokes import pen
from app.style.theme import faded, mixed
from app.workbench.adding import Entry
from engine.ops import BY_NAME

AnyTile = TypeVar("AnyTile", bound=QWidget)

SymbolPainter = Callable[[QPainter, QRectF, Style, QColor], None]
"""Paints a symbol in the middle of a rectangle in px, in the ink of this colour."""

_MIN_TEXT_SIZE = 9
"""Height of the smallest font that `fit_text` takes, in px: a smaller one can't be read."""


class TileShape(NamedTuple):
    """Sizes of a tile, its symbol and the caption below it, in px at 100 %.

    `symbol_inset` is the space left and right of the symbol, `caption_role` the caption's font.
    """

    width: int
    height: int
    symbol_inset: int
    symbol_top: int
    symbol_height: int
    caption_top: int
    caption_height: int
    caption_role: str


IN_PALETTE: Final = TileShape(
    width=40,
    height=47,
    symbol_inset=6,
    symbol_top=6,
    symbol_height=20,
    caption_top=28,
    caption_height=15,
    caption_role="small",
)
IN_RAIL: Final = TileShape(
    width=48,
    height=38,
    symbol_inset=13,
    symbol_top=4,
    symbol_height=18,
    caption_top=22,
    caption_height=14,
    caption_role="tile",
)


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


def curve_painter(function: Callable[[float], float]) -> SymbolPainter:
    """Return a painter for the curve of a function."""

    def paint(painter: QPainter, rect: QRectF, style: Style, ink: QColor) -> None:
        inset = style.px(2)
        paint_curve(painter, rect.adjusted(inset, inset, -inset, -inset), function, ink)

    return paint


def symbol_painter(entry: Entry) -> SymbolPainter:
    """Return a painter for an entry's symbol: an icon, a sign, or the function's curve."""
    kind, _colon, name = entry.key.partition(":")
    if entry.key == "root":
        return icon_painter("root", 16)
    if kind != "op" and name in NAMES:
        return icon_painter(name, 24)
    op = BY_NAME.get(entry.key.removeprefix("op:"))
    # the curve of neg, a falling line, says less than its minus
    if op is not None and len(op.slots) == 1 and op.name != "neg":
        return curve_painter(op.forward)
    return sign_painter(op.short or op.symbol if op is not None else entry.symbol)


def fit_text(painter: QPainter, rect: QRectF, font: QFont, ink: QColor, text: str) -> None:
    """Draw one line centred in rect; `font` is made smaller if it would not fit."""
    while QFontMetricsF(font).horizontalAdvance(text) > rect.width():
        if font.pixelSize() <= _MIN_TEXT_SIZE:
            break
        font.setPixelSize(font.pixelSize() - 1)
    painter.setFont(font)
    painter.setPen(ink)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)


def _tile_colors(style: Style, key: str) -> tuple[QColor, QColor]:
    """Return the fill and the outline of the tile of an entry."""
    theme = style.theme
    if key == "leaf":
        return theme.header_leaf, theme.line
    if key == "constant":
        return theme.header_op, theme.line
    if key == "root":
        return theme.header_root, theme.line
    return theme.node, theme.line


MIME = "application/x-backwire-entry"
"""Type of what a dragged tile carries: the key of its entry."""
_ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)
_CORNER_MARK_SIZE = 4
"""Side of the mark on a tile that opens more tiles, in px at 100 %."""


@exception_safe
class TileButton(PaintedButton):
    """A button with a symbol over a caption; arrow keys are emitted, since they move the focus."""

    arrow_pressed = Signal(object, int)
    """Emitted with the tile and the arrow key."""
    pulled_outside = Signal()
    """Emitted when the pointer leaves a tile that `opens_more` with the mouse button held."""
    released_outside = Signal(QPoint)
    """Emitted after `pulled_outside` with the screen point at which the button is released."""

    def __init__(
        self,
        style: Style,
        symbol: SymbolPainter,
        caption: str,
        shape: TileShape,
        parent: QWidget | None = None,
        opens_more: bool = False,
    ) -> None:
        """Make a tile; one that `opens_more` has a mark in its corner."""
        super().__init__(style, parent)
        self._symbol = symbol
        self._caption = caption
        self._shape = shape
        self._opens_more = opens_more
        self._is_pulled_outside = False
        TakenKeys(self, *_ARROWS).pressed.connect(self._emit_arrow)

    @property
    def key(self) -> str:
        """Return the key of the entry that sets the tile's colours, or ""."""
        return ""

    def _emit_arrow(self, key: int) -> None:
        self.arrow_pressed.emit(self, key)

    def _paint(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_box(painter)
        px, theme, shape = self._style.px, self._style.theme, self._shape
        ink = theme.root if self.key == "root" else theme.text
        inset = px(shape.symbol_inset)
        symbol = QRectF(
            inset, px(shape.symbol_top), self.width() - 2 * inset, px(shape.symbol_height)
        )
        self._symbol(painter, symbol, self._style, ink)
        ink = theme.text if self.key in ("leaf", "root", "constant") else theme.secondary
        top = px(shape.caption_top)
        box = QRectF(px(1), top, self.width() - px(2), px(shape.caption_height))
        fit_text(painter, box, self._style.font(shape.caption_role), ink, self._caption)
        if self._opens_more:
            self._paint_corner_mark(painter, theme.secondary)

    def _paint_box(self, painter: QPainter) -> None:
        theme = self._style.theme
        fill, line = _tile_colors(self._style, self.key)
        if self.isDown():
            fill = mixed(fill, theme.text, 0.10)
        elif self.underMouse():
            fill, line = mixed(fill, theme.text, 0.05), theme.outline
        self.paint_box(painter, fill, line, sizes.RADIUS_BUTTON)

    def _paint_corner_mark(self, painter: QPainter, ink: QColor) -> None:
        side, gap = self._style.px(_CORNER_MARK_SIZE), self._style.px(3)
        right, bottom = self.width() - gap, self.height() - gap
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        painter.drawPolygon(
            [QPoint(right, bottom), QPoint(right - side, bottom), QPoint(right, bottom - side)]
        )

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(self._shape.width), self._style.px(self._shape.height))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        held = bool(event.buttons() & Qt.MouseButton.LeftButton)
        outside = not self.rect().contains(event.position().toPoint())
        if self._opens_more and held and outside and not self._is_pulled_outside:
            self._is_pulled_outside = True
            self.pulled_outside.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self._is_pulled_outside:
            self._is_pulled_outside = False
            self.released_outside.emit(event.globalPosition().toPoint())

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self._paint(painter)


@exception_safe
class Tile(TileButton):
    """The tile of one entry; a click emits `chosen` with its key, a drag carries the key."""

    chosen = Signal(str)
    drag_began = Signal(object)
    """Emitted with the QDrag, whose pixmap may still be replaced."""

    def __init__(
        self,
        style: Style,
        entry: Entry,
        parent: QWidget | None = None,
        shape: TileShape = IN_PALETTE,
    ) -> None:
        super().__init__(style, symbol_painter(entry), entry.short or entry.title, shape, parent)
        self.entry = entry
        self._pressed_at = QPoint()
        self.setAccessibleName(f"Add {entry.title}")
        self.setAccessibleDescription(entry.says)
        self.setToolTip(plain_tooltip(_tooltip(entry)))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._choose)

    @property
    def key(self) -> str:
        return self.entry.key

    def drag_pixmap(self) -> QPixmap:
        """Return the tile as it is drawn at the pointer during a drag."""
        pixmap = QPixmap(self.size() * self.devicePixelRatioF())
        pixmap.setDevicePixelRatio(self.devicePixelRatioF())
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self._paint(painter)
        painter.end()
        return pixmap

    def mime_data(self) -> QMimeData:
        """Return the MIME data of a drag: the entry's key."""
        mime = QMimeData()
        mime.setData(MIME, self.entry.key.encode())
        return mime

    def _choose(self) -> None:
        self.chosen.emit(self.entry.key)

    def _start_drag(self) -> None:
        self.setDown(False)  # the drag takes the release of the mouse button
        drag = QDrag(self)
        drag.setMimeData(self.mime_data())
        drag.setPixmap(self.drag_pixmap())
        drag.setHotSpot(self.rect().center())
        self.drag_began.emit(drag)
        drag.exec(Qt.DropAction.CopyAction)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed_at = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        moved = (event.position().toPoint() - self._pressed_at).manhattanLength()
        left = bool(event.buttons() & Qt.MouseButton.LeftButton)
        if left and self.isDown() and moved >= QApplication.startDragDistance():
            self._start_drag()
        else:
            super().mouseMoveEvent(event)


class TileGroup(QWidget):
    """A part of the palette; it emits what the tiles and groups in it emit."""

    chosen = Signal(str)
    """Emitted with the key of a clicked entry."""
    drag_began = Signal(object)
    """Emitted with the QDrag of a tile."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style

    def _take_in(self, part: Tile | TileGroup) -> None:
        part.chosen.connect(self.chosen)
        part.drag_began.connect(self.drag_began)

    def _tile(self, entry: Entry, parent: QWidget, shape: TileShape = IN_PALETTE) -> Tile:
        tile = Tile(self._style, entry, parent, shape)
        self._take_in(tile)
        tile.arrow_pressed.connect(self._move_focus)
        return tile

    def _move_focus(self, tile: TileButton, arrow: int) -> None:
        """Focus the nearest tile in the direction of an arrow key."""


def _tooltip(entry: Entry) -> str:
    op = BY_NAME.get(entry.key.removeprefix("op:"))
    if op is None:
        return f"{entry.title}: {entry.says}"
    return f"{op.name}: {op.description}\n{op.formula}"


def tile_in_direction(tiles: Sequence[AnyTile], tile: AnyTile, arrow: int) -> AnyTile | None:
    """Return the tile to focus by an arrow key, or None at an end."""
    index = tiles.index(tile)
    if arrow in (Qt.Key.Key_Left, Qt.Key.Key_Right):
        index += 1 if arrow == Qt.Key.Key_Right else -1
        return tiles[index] if 0 <= index < len(tiles) else None
    # up and down: the nearest row on that side, in it the nearest tile
    here, down = tile.geometry().center(), arrow == Qt.Key.Key_Down
    beyond = [
        other
        for other in tiles
        if (other.geometry().center().y() - here.y()) * (1 if down else -1) > tile.height() // 2
    ]
    return min(
        beyond,
        key=lambda other: (
            abs(other.geometry().center().y() - here.y()),
            abs(other.geometry().center().x() - here.x()),
        ),
        default=None,
    )


_SAMPLES: Final = 97
"""Odd, so that the middle of the span, where relu and abs bend, is a sample."""
_STROKE_WIDTH: Final = 1.6
_LIMIT: Final = 3.0
"""Largest argument, and largest value that is drawn."""
_MIN_JUMP: Final = 0.4
"""A change between two samples by more than this share of the height is drawn as a gap."""

Points = tuple[tuple[float, float], ...]
"""One unbroken piece of a curve, in the unit square."""


def paint_curve(
    painter: QPainter, rect: QRectF, function: Callable[[float], float], color: QColor
) -> None:
    """Paint the curve of a function from −3 to 3 so that it fills rect, with a pale line at zero.

    Values that are not finite, or beyond ±3, are left out; what remains is scaled to the whole
    rectangle.
    """
    zero = curve(function)[1]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if zero is not None:
        y = rect.bottom() - zero * rect.height()
        painter.setPen(QPen(faded(color, 0.22), 1.0))
        painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y))
    painter.setPen(pen(color, _STROKE_WIDTH))
    to_rect = QTransform(rect.width(), 0, 0, -rect.height(), rect.left(), rect.bottom())
    painter.drawPath(to_rect.map(_unit_path(function)))
    painter.restore()


@lru_cache(maxsize=256)
def curve(function: Callable[[float], float]) -> tuple[tuple[Points, ...], float | None]:
    """Return the pieces of the curve in the unit square (y upwards), and the y of zero or None."""
    # sample twice: to find the part of the span with a curve, then that part at full resolution
    drawn = [x for x, y in _sampled(function, -_LIMIT, _LIMIT) if abs(y) <= _LIMIT]
    if not drawn:
        return (), None
    left, right = drawn[0], drawn[-1]
    samples = [(x, y if abs(y) <= _LIMIT else math.nan) for x, y in _sampled(function, left, right)]
    heights = [y for _, y in samples if math.isfinite(y)]
    low, high = min(heights), max(heights)
    width = right - left or 1.0
    height = high - low
    if height == 0:  # a constant: half-way up
        low, height = low - 0.5, 1.0
    normalized = [((x - left) / width, (y - low) / height) for x, y in samples]
    zero = -low / height
    return tuple(_pieces(normalized)), zero if 0 <= zero <= 1 else None


@lru_cache(maxsize=256)
def _unit_path(function: Callable[[float], float]) -> QPainterPath:
    """Return the curve as a path in the unit square."""
    path = QPainterPath()
    for piece in curve(function)[0]:
        path.addPolygon(QPolygonF([QPointF(*point) for point in piece]))
    return path


def _sampled(
    function: Callable[[float], float], left: float, right: float
) -> list[tuple[float, float]]:
    step = (right - left) / (_SAMPLES - 1)
    xs = [left + step * i for i in range(_SAMPLES)]
    return [(x, _value(function, x)) for x in xs]


def _value(function: Callable[[float], float], x: float) -> float:
    """Return the value of the function, nan where it has none or gives no real number."""
    try:
        return float(function(x))
    except (ArithmeticError, ValueError, TypeError):
        return math.nan


def _pieces(samples: list[tuple[float, float]]) -> list[Points]:
    """Split the curve where it has no value and where it jumps."""
    pieces: list[list[tuple[float, float]]] = [[]]
    for x, y in samples:
        last = pieces[-1]
        if not math.isfinite(y):
            pieces.append([])
        elif last and abs(y - last[-1][1]) > _MIN_JUMP:
            pieces.append([(x, y)])
        else:
            last.append((x, y))
    return [tuple(piece) for piece in pieces if piece]
