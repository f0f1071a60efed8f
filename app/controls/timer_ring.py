"""TimerRing: the time left for a mark, as a thin ring."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.guard import guarded
from app.style.current import Style
from app.style.theme import Theme

_LINE = 0.1
"""Thickness of the ring as a share of its diameter."""
_TOP, _FULL_TURN = 90 * 16, 360 * 16
"""Angles in sixteenths of a degree, the unit of `QPainter.drawArc`."""


def paint_timer(painter: QPainter, rect: QRectF, share: float, theme: Theme) -> None:
    """Paint the share of the time left, 1 to 0; at 0 the whole ring in the colour of text."""
    line = rect.width() * _LINE
    circle = rect.adjusted(line / 2, line / 2, -line / 2, -line / 2)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.text if share <= 0 else theme.line, line))
    painter.drawEllipse(circle)
    if share > 0:
        pen = QPen(theme.selection, line)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawArc(circle, _TOP, round(min(share, 1.0) * _FULL_TURN))


@guarded
class TimerRing(QWidget):
    """Shows the share of the time left; only the speaker's window has the seconds."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self.share = 1.0
        """The share of the time left, 1 to 0."""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        style.changed.connect(self.update)

    def show_share(self, share: float) -> None:
        """Show the share of the time left, 1 to 0."""
        if share != self.share:
            self.share = share
            self.setAccessibleName("The time is over" if share <= 0 else "Timer")
            self.update()
        if self.isHidden():
            self.show()
            self.raise_()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the ring."""
        with QPainter(self) as painter:
            paint_timer(painter, QRectF(self.rect()), self.share, self._style.theme)
