"""BlankScreen: a black cover of a window, with line and timer of a blank step."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.controls.rings import paint_timer
from app.guard import exception_safe
from app.style import fonts
from app.style.theme import THEMES

_SIZE, _LEAST_SIZE = 0.075, 0.03
"""Largest and least font size of the line, as shares of the window's height."""
_MARGIN = 0.1
"""Left and right margin of the line, as a share of the window's width."""
_RING_SIDE, _RING_EDGE, _RING_CENTRE = 0.052, 0.039, 0.74
"""Diameter of the timer ring, distance to the right edge and y of its centre, as shares of the
window's height: the same place as in the strip of a question."""


@exception_safe
class BlankScreen(QWidget):
    """A cover of a window, with the line `text` in large font in its centre."""

    def __init__(
        self, window: QWidget, text: str = "", color: Qt.GlobalColor = Qt.GlobalColor.black
    ) -> None:
        super().__init__(window)
        self.text = text
        self.share: float | None = None
        """The share of the time left, 1 to 0; None without a timer."""
        self.setAccessibleName(text)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        palette = self.palette()
        palette.setColor(self.backgroundRole(), color)
        self.setPalette(palette)
        self.setAutoFillBackground(True)
        self.setGeometry(window.rect())
        self.show()
        self.raise_()

    def show_share(self, share: float | None) -> None:
        """Show the share of the time left, 1 to 0, or no timer for None."""
        if share != self.share:
            self.share = share
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the line and the timer ring."""
        super().paintEvent(event)
        with QPainter(self) as painter:
            if self.text:
                paint_line(painter, QRectF(self.rect()), self.text)
            if self.share is not None:
                high = float(self.height())
                side = _RING_SIDE * high
                left, top = self.width() - _RING_EDGE * high - side, _RING_CENTRE * high - side / 2
                paint_timer(painter, QRectF(left, top, side, side), self.share, THEMES["dark"])


def paint_line(painter: QPainter, screen: QRectF, text: str) -> None:
    """Paint the line of a blank step in white, centred, in the largest font that fits `screen`."""
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    painter.setPen(Qt.GlobalColor.white)
    inner = screen.adjusted(screen.width() * _MARGIN, 0, -screen.width() * _MARGIN, 0)
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
    size = _SIZE
    while True:
        font = fonts.sized("step", size * screen.height())
        painter.setFont(font)
        needed = painter.boundingRect(inner, flags, text)
        if inner.contains(needed) or size <= _LEAST_SIZE:
            break
        size *= 0.9
    painter.drawText(inner, flags, text)
