"""A tile of the palette: a symbol over a caption, to be clicked or dragged to the canvas."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QMimeData, QPoint, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDrag,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from app.controls.keys import KeyClaim
from app.controls.kind import plain_tooltip
from app.controls.painted_button import PaintedButton
from app.guard import guarded
from app.style import sizes
from app.style.current import Style
from app.style.curves import paint_curve
from app.style.icons import NAMES, paint_icon
from app.style.theme import mixed
from app.workbench.finding import Entry
from engine.ops import BY_NAME

MIME = "application/x-backwire-entry"
WIDTH, HEIGHT = 40, 47
_SYMBOLS = {"maximum": "max", "minimum": "min", "where_gt0": "x | y", "pow": "xⁿ"}
_CAPTIONS = {
    "constant": "const",
    "leaky_relu": "leaky",
    "maximum": "max",
    "minimum": "min",
    "where_gt0": "where",
}
_ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)


@guarded
class Tile(PaintedButton):
    """One entry; a click emits `chosen`, a drag carries its key."""

    chosen = Signal(str)
    arrow_pressed = Signal(object, int)

    def __init__(self, style: Style, entry: Entry, parent: QWidget | None = None) -> None:
        super().__init__(style, parent)
        self.entry = entry
        self._pressed_at = QPoint()
        self.setAccessibleName(f"Add {entry.title}")
        self.setAccessibleDescription(entry.says)
        self.setToolTip(plain_tooltip(_tip(entry)))
        self._claim = KeyClaim(self, *_ARROWS)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._choose)

    def picture(self) -> QPixmap:
        """Return the drag pixmap."""
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

    def _drag(self) -> None:
        self.setDown(False)
        drag = QDrag(self)
        drag.setMimeData(self.mime_data())
        picture = self.picture()
        drag.setPixmap(picture)
        drag.setHotSpot(self.rect().center())
        drag.exec(Qt.DropAction.CopyAction)

    def _paint(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_box(painter)
        px = self._style.px
        symbol = QRectF(px(6), px(6), self.width() - px(12), px(20))
        _symbol_painter(self.entry)(painter, symbol, self._style, self._text_color())
        caption = _CAPTIONS.get(self.entry.title, self.entry.title)
        box = QRectF(px(1), self.height() - px(19), self.width() - px(2), px(15))
        _fit_text(painter, box, self._style.font("small"), self._caption_ink(), caption)

    def _paint_box(self, painter: QPainter) -> None:
        theme = self._style.theme
        fill, line = _box_colors(self._style, self.entry)
        if self.isDown():
            fill = mixed(fill, theme.text, 0.10)
        elif self.underMouse():
            fill, line = mixed(fill, theme.text, 0.05), theme.outline
        self.paint_box(painter, fill, line, sizes.RADIUS_BUTTON)

    def _text_color(self) -> QColor:
        theme = self._style.theme
        return theme.root if self.entry.key == "root" else theme.text

    def _caption_ink(self) -> QColor:
        theme = self._style.theme
        return theme.text if self.entry.key in ("leaf", "root", "constant") else theme.secondary

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(WIDTH), self._style.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed_at = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        moved = (event.position().toPoint() - self._pressed_at).manhattanLength()
        left = bool(event.buttons() & Qt.MouseButton.LeftButton)
        if left and self.isDown() and moved >= QApplication.startDragDistance():
            self._drag()
        else:
            super().mouseMoveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ARROWS:
            self.arrow_pressed.emit(self, int(event.key()))
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self._paint(painter)


SymbolPainter = Callable[[QPainter, QRectF, Style, QColor], None]


def _symbol_painter(entry: Entry) -> SymbolPainter:
    """Return a painter for an entry's symbol: an icon, a sign, or the function's curve."""
    kind, _colon, name = entry.key.partition(":")
    if entry.key == "root" or (kind != "op" and name in NAMES):
        icon, side = (name, 24) if name else ("root", 16)

        def drawing(painter: QPainter, rect: QRectF, style: Style, ink: QColor) -> None:
            _drawing(painter, rect, icon, style.px(side), ink)

        return drawing
    op = BY_NAME.get(entry.key.removeprefix("op:"))
    if op is not None and len(op.slots) == 1 and op.name != "neg":

        def curve(painter: QPainter, rect: QRectF, style: Style, ink: QColor) -> None:
            inset = style.px(2)
            paint_curve(painter, rect.adjusted(inset, inset, -inset, -inset), op.forward, ink)

        return curve

    def sign(painter: QPainter, rect: QRectF, style: Style, ink: QColor) -> None:
        _sign(painter, rect, style, ink, _SYMBOLS.get(entry.title, entry.symbol))

    return sign


def _drawing(painter: QPainter, rect: QRectF, icon: str, side: float, ink: QColor) -> None:
    box = QRectF(rect.center() - QPointF(side / 2, side / 2), QSizeF(side, side))
    paint_icon(painter, box, icon, ink)


def _sign(painter: QPainter, rect: QRectF, style: Style, ink: QColor, text: str) -> None:
    _fit_text(painter, rect, style.font("heading"), ink, text)


def _fit_text(painter: QPainter, rect: QRectF, font: QFont, ink: QColor, text: str) -> None:
    """Draw one line centred in rect, with a smaller font if it would not fit."""
    while QFontMetricsF(font).horizontalAdvance(text) > rect.width() and font.pixelSize() > 9:
        font.setPixelSize(font.pixelSize() - 1)
    painter.setFont(font)
    painter.setPen(ink)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)


def _box_colors(style: Style, entry: Entry) -> tuple[QColor, QColor]:
    theme = style.theme
    if entry.key == "leaf":
        return theme.header_leaf, theme.line
    if entry.key == "constant":
        return theme.header_op, theme.line
    if entry.key == "root":
        return theme.header_root, theme.line
    return theme.node, theme.line


def _tip(entry: Entry) -> str:
    if not entry.key.startswith("op:"):
        return f"{entry.title}: {entry.says}"
    op = BY_NAME[entry.key[3:]]
    return f"{op.name}: {op.says}\n{op.formula}"
