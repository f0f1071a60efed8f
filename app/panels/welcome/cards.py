"""Cards of the start page: an example, and a recent file."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.controls.kind import plain_tooltip
from app.controls.painted_button import PaintedButton
from app.document.examples import Example
from app.guard import guarded
from app.panels.welcome.thumbnail import paint_thumbnail
from app.style import sizes
from app.style.current import Style
from app.style.theme import mixed
from engine.errors import EngineError
from engine.formats.files import load_drawing
from engine.formats.native import Drawing

WIDTH, LEAST_WIDTH = 180, 140
"""Usual width of an example's card, and the least beside another one, in px at 100 %."""
PICTURE, LEAST_PICTURE = 138, 60
"""Usual and least height of an example's picture, in px at 100 %."""
WORDS = 62
"""Height of a card besides its picture, in px at 100 %."""
ROW, LEAST_ROW = 58, 40
"""Usual and least height of a recent file, in px at 100 %."""
_ROW_WITH_PICTURE = 56
"""Height of a recent file below which its picture would show nothing, in px at 100 %."""
_LARGEST_FILE = 300_000
"""Bytes of a file that is read for its picture at most."""


class Thumbnail:
    """The picture of a file, cached for each size and look; the file is read when first painted."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._key: tuple[object, ...] = ()
        self._pixmap = QPixmap()

    def paint(self, painter: QPainter, rect: QRectF, style: Style, ratio: float) -> None:
        """Paint the picture into rect."""
        if self._drawing is None:
            return
        key = (rect.width(), rect.height(), style.theme.name, style.control_scale, ratio)
        if key != self._key:
            self._key = key
            self._pixmap = QPixmap((rect.size() * ratio).toSize())
            self._pixmap.setDevicePixelRatio(ratio)
            self._pixmap.fill(Qt.GlobalColor.transparent)
            with QPainter(self._pixmap) as inner:
                paint_thumbnail(inner, QRectF(QPointF(0, 0), rect.size()), self._drawing, style)
        painter.drawPixmap(rect.topLeft(), self._pixmap)

    @cached_property
    def _drawing(self) -> Drawing | None:
        """The file's content, or None if it can't be read or is too large for a picture."""
        try:
            if self._path.stat().st_size > _LARGEST_FILE:
                return None
            return load_drawing(self._path)
        except (OSError, EngineError):
            return None


class PictureCard(PaintedButton):
    """A button with a picture, highlighted on hover."""

    def __init__(self, style: Style, path: Path, parent: QWidget | None) -> None:
        super().__init__(style, parent)
        self._thumbnail = Thumbnail(path)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _box(self, painter: QPainter) -> None:
        theme = self._style.theme
        line = theme.outline if self.underMouse() else theme.line
        fill = mixed(theme.panel, theme.text, 0.03) if self.isDown() else theme.panel
        self.paint_box(painter, fill, line, sizes.RADIUS_CARD)

    def _picture(self, painter: QPainter, rect: QRectF, margin: float) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._style.theme.canvas)
        painter.drawRoundedRect(rect, self._style.px(6), self._style.px(6))
        inner = rect.adjusted(margin, margin, -margin, -margin)
        self._thumbnail.paint(painter, inner, self._style, self.devicePixelRatioF())

    def _line(self, painter: QPainter, role: str, at: QPointF, room: float, text: str) -> None:
        painter.setFont(self._style.font(role))
        metrics = QFontMetricsF(painter.font())
        painter.drawText(at, metrics.elidedText(text, Qt.TextElideMode.ElideRight, room))


@guarded
class ExampleCard(PictureCard):
    """An example: picture, title, and its point; the tooltip has its formula."""

    chosen = Signal(str)

    def __init__(self, style: Style, example: Example, parent: QWidget | None = None) -> None:
        super().__init__(style, example.path, parent)
        self.example = example
        self._high = PICTURE
        self.setText(example.title)
        self.setAccessibleName(f"Example {example.title}: {example.note}")
        self.setToolTip(plain_tooltip(f"{example.expression}\n{example.note}"))
        self.clicked.connect(self._choose)

    def set_picture(self, height: int) -> None:
        """Set the height of the picture, in px at 100 %."""
        if height != self._high:
            self._high = height
            self.updateGeometry()

    def _choose(self) -> None:
        self.chosen.emit(self.example.name)

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(WIDTH), self._style.px(self._high + WORDS))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(120), self._style.px(self._high + WORDS))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, px = self._style.theme, self._style.px
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._box(painter)
            edge = px(7)
            picture = QRectF(edge, edge, self.width() - 2 * edge, px(self._high))
            self._picture(painter, picture, px(6))
            left, room = px(12), self.width() - 2 * px(12)
            top = px(self._high) + edge
            painter.setPen(theme.secondary)
            self._line(painter, "caption", QPointF(left, top + px(42)), room, self.example.note)
            painter.setPen(theme.text)
            strong = QPointF(left, top + px(22))
            self._line(painter, "interface strong", strong, room, self.example.title)


@guarded
class RecentCard(PictureCard):
    """A recent file: picture, name, folder and modification time."""

    chosen = Signal(str)

    def __init__(self, style: Style, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(style, path, parent)
        self.path = path
        self._high = ROW
        self._when = f"{path.parent.name}, {_when(path)}"
        self.setText(path.name)
        self.setAccessibleName(f"Recent file {path.name}")
        self.setToolTip(plain_tooltip(str(path)))
        self.clicked.connect(self._choose)

    def set_height(self, height: int) -> None:
        """Set the height, in px at 100 %."""
        if height != self._high:
            self._high = height
            self.updateGeometry()

    def _choose(self) -> None:
        self.chosen.emit(str(self.path))

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(280), self._style.px(self._high))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(180), self._style.px(self._high))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, px = self._style.theme, self._style.px
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._box(painter)
            left = px(14)
            if self._high >= _ROW_WITH_PICTURE:
                edge, wide = px(6), min(px(150), self.width() * 0.42)
                self._picture(painter, QRectF(edge, edge, wide, self.height() - 2 * edge), px(5))
                left = edge + wide + px(12)
            room = self.width() - left - px(10)
            painter.setPen(theme.text)
            middle = self.height() / 2
            name = QPointF(left, middle - px(3))
            self._line(painter, "interface strong", name, room, self.path.name)
            painter.setPen(theme.secondary)
            self._line(painter, "caption", QPointF(left, middle + px(14)), room, self._when)


def _when(path: Path) -> str:
    """Return the day a file was changed, with the time if that was today or yesterday."""
    try:
        changed = datetime.fromtimestamp(path.stat().st_mtime)
    except OSError:
        return "gone"
    days = (datetime.now().date() - changed.date()).days
    if days == 0:
        return f"today, {changed:%H:%M}"
    if days == 1:
        return f"yesterday, {changed:%H:%M}"
    return f"{changed:%Y-%m-%d}"
