"""PointerRing: the speaker's pointer as a ring; CrossFade: the cut between two graphs."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QPropertyAnimation, QRectF, Qt, QTimer, QVariantAnimation
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QGraphicsOpacityEffect, QWidget

from app.guard import guarded
from app.style.current import Style

_DIAMETER = 0.05
"""Diameter of the ring as a share of the window's height."""
FADE_AFTER_MS = 2000
"""Milliseconds of rest after which the ring fades."""
CUT_MS = 240
"""Duration in milliseconds of a cross-fade, and of the fading of the ring."""
_LINE, _EDGE = 4.0, 2.0
"""Width of the violet ring and of its white edges, inner and outer, in px at a height of 1080."""
_SCREEN_HEIGHT = 1080.0


@guarded
class PointerRing(QWidget):
    """A ring around the pointer, which fades when the pointer rests."""

    def __init__(self, style: Style, window: QWidget) -> None:
        super().__init__(window)
        self._style, self._window = style, window
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        self.rest = QTimer(self, singleShot=True, interval=FADE_AFTER_MS)
        """Restarts at each move; its timeout begins the fading."""
        self.rest.timeout.connect(self._fade)
        self._effect = QGraphicsOpacityEffect(self)
        self._effect.setEnabled(False)
        self.setGraphicsEffect(self._effect)
        self._fading = QPropertyAnimation(self._effect, b"opacity", self)
        self._fading.setDuration(CUT_MS)
        self._fading.setEndValue(0.0)
        self._fading.finished.connect(self.hide)

    def show_at(self, at: QPointF) -> None:
        """Show the ring around a point of the window, in px."""
        self._fading.stop()
        self._effect.setEnabled(False)
        high = self._window.height()
        side = _DIAMETER * high + 2 * _EDGE * high / _SCREEN_HEIGHT
        rect = QRectF(0, 0, side, side)
        rect.moveCenter(at)
        self.setGeometry(rect.toAlignedRect())
        self.show()
        self.raise_()
        self.rest.start()

    def clear(self) -> None:
        """Hide the ring at once."""
        self.rest.stop()
        self._fading.stop()
        self.hide()

    def _fade(self) -> None:
        if not self._style.motion:
            self.hide()
            return
        self._effect.setEnabled(True)
        self._fading.setStartValue(1.0)
        self._fading.start()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the ring with its edges."""
        scale = self._window.height() / _SCREEN_HEIGHT
        wide = (_LINE + 2 * _EDGE) * scale
        circle = QRectF(self.rect()).adjusted(wide / 2, wide / 2, -wide / 2, -wide / 2)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(Qt.GlobalColor.white, wide))
            painter.drawEllipse(circle)
            painter.setPen(QPen(self._style.theme.selection, _LINE * scale))
            painter.drawEllipse(circle)


@guarded
class CrossFade(QWidget):
    """A picture over a window, which fades out and deletes itself."""

    def __init__(self, picture: QPixmap, window: QWidget) -> None:
        super().__init__(window)
        self._picture, self._opacity = picture, 1.0
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setGeometry(window.rect())
        self.fading = QVariantAnimation(self)
        self.fading.setDuration(CUT_MS)
        self.fading.setStartValue(1.0)
        self.fading.setEndValue(0.0)
        self.fading.valueChanged.connect(self._show_opacity)
        self.fading.finished.connect(self.deleteLater)
        self.show()
        self.raise_()

    def start(self) -> None:
        """Begin to fade, once the window shows the new graph."""
        self.fading.start()

    def _show_opacity(self, opacity: float) -> None:
        self._opacity = opacity
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the picture in its present opacity."""
        with QPainter(self) as painter:
            painter.setOpacity(self._opacity)
            painter.drawPixmap(0, 0, self._picture)
