"""The preview of an export: its picture, in which a rectangle can be drawn, or its text."""

from __future__ import annotations

from PySide6.QtCore import QMargins, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QStackedWidget, QWidget

from app.guard import guarded
from app.style import sizes
from app.style.current import Style
from app.style.strokes import hairline
from app.style.theme import faded

SIZE = (460, 380)
"""Width and height of the preview in px at 100 %."""
MOST_TEXT = 20_000
"""Characters of a text that are shown."""
LEAST_DRAG = 4.0
"""Px below which a drag is a click."""
STEP = 0.02
"""Share of the picture by which an arrow key moves or resizes the rectangle."""
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


@guarded
class PicturePreview(QWidget):
    """A picture in the middle of its room; in it a rectangle, while one can be drawn."""

    drawn = Signal(QRectF)
    """Emitted with the rectangle drawn, as shares of the picture's width and height."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self.picture = QImage()
        self.rect_shares: QRectF | None = None
        """The rectangle; None while the picture can't be cropped by one."""
        self._start: QPointF | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Preview")

    def show_picture(self, picture: QImage, rect: QRectF | None) -> None:
        """Show a picture, and in it the rectangle that it is cropped to, as shares."""
        self.picture, self.rect_shares = picture, rect
        able = rect is not None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if able else Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.CrossCursor if able else Qt.CursorShape.ArrowCursor)
        says = "Drag a rectangle; arrow keys move it, with Shift they resize it." if able else ""
        self.setToolTip(says)
        self.setAccessibleDescription(says)
        self.update()

    def room(self) -> QSize:
        """Return the room for a picture, in device px."""
        return self.size().shrunkBy(QMargins(1, 1, 1, 1)) * self.devicePixelRatioF()

    def place(self) -> QRectF:
        """Return where the picture is drawn."""
        size = self.picture.size().toSizeF() / self.devicePixelRatioF()
        if size.width() > self.width() or size.height() > self.height():
            size.scale(self.size().toSizeF(), Qt.AspectRatioMode.KeepAspectRatio)
        found = QRectF(QPointF(), size)
        found.moveCenter(QRectF(self.rect()).center())
        return found

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the picture on its page, and what the rectangle leaves out faded."""
        theme = self._style.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(self.rect(), theme.quiet)
        place = self.place()
        painter.drawImage(place, self.picture)
        painter.setPen(hairline(theme.line))
        painter.drawRect(place)
        if self.rect_shares is not None:
            kept = self._on_screen(self.rect_shares)
            for rest in _around(place, kept):
                painter.fillRect(rest, faded(QColor(theme.quiet), 0.75))
            painter.setPen(hairline(theme.selection, 2.0))
            painter.drawRect(kept)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a rectangle."""
        if self.rect_shares is not None and event.button() == Qt.MouseButton.LeftButton:
            self._start = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Draw the rectangle."""
        if self._start is not None:
            found = QRectF(self._start, event.position()).normalized() & self.place()
            if min(found.width(), found.height()) >= LEAST_DRAG:
                self.rect_shares = self._shares(found)
                self.update()

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """End the rectangle."""
        if self._start is not None and self.rect_shares is not None:
            self._start = None
            self.drawn.emit(self.rect_shares)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the rectangle with the arrow keys, or resize it with Shift."""
        if self.rect_shares is None or event.key() not in _ARROWS:
            super().keyPressEvent(event)
            return
        x, y = (STEP * part for part in _ARROWS[Qt.Key(event.key())])
        found = QRectF(self.rect_shares)
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            found.setSize(found.size() + QRectF(0, 0, x, y).size())
        else:
            found.translate(x, y)
        whole = QRectF(0, 0, 1, 1)
        if found.width() >= STEP and found.height() >= STEP and whole.contains(found):
            self.rect_shares = found
            self.update()
            self.drawn.emit(found)

    def _shares(self, rect: QRectF) -> QRectF:
        whole = self.place()
        x, y = rect.x() - whole.x(), rect.y() - whole.y()
        wide, high = whole.width(), whole.height()
        return QRectF(x / wide, y / high, rect.width() / wide, rect.height() / high)

    def _on_screen(self, shares: QRectF) -> QRectF:
        whole = self.place()
        wide, high = whole.width(), whole.height()
        return QRectF(
            whole.x() + shares.x() * wide,
            whole.y() + shares.y() * high,
            shares.width() * wide,
            shares.height() * high,
        )


class ExportPreview(QStackedWidget):
    """Shows a picture or the begin of a text."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self.picture = PicturePreview(style)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setProperty("kind", "code")
        self.text.setFont(style.font("code"))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName("Preview")
        self.addWidget(self.picture)
        self.addWidget(self.text)
        self.setMinimumSize(*(style.px(length) for length in SIZE))
        self.setContentsMargins(0, 0, style.px(sizes.SPACES[1]), 0)

    def show_picture(self, picture: QImage, rect: QRectF | None = None) -> None:
        """Show a picture, in which a rectangle can be drawn if there is one already."""
        self.picture.show_picture(picture, rect)
        self.setCurrentWidget(self.picture)

    def show_text(self, text: str) -> None:
        """Show the begin of a text."""
        if self.text.toPlainText() != text[:MOST_TEXT]:
            self.text.setPlainText(text[:MOST_TEXT])
        self.setCurrentWidget(self.text)

    def clear(self) -> None:
        """Show nothing."""
        self.show_picture(QImage())


def _around(whole: QRectF, kept: QRectF) -> list[QRectF]:
    """Return the four rectangles of a whole that a part of it leaves over."""
    return [
        QRectF(whole.topLeft(), QPointF(whole.right(), kept.top())),
        QRectF(QPointF(whole.left(), kept.bottom()), whole.bottomRight()),
        QRectF(QPointF(whole.left(), kept.top()), kept.bottomLeft()),
        QRectF(kept.topRight(), QPointF(whole.right(), kept.bottom())),
    ]
