"""TopLine: the lecture and its mark, the clock, and the time of the lecture with a bar."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QDateTime, QLocale, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.controls.layouts import ElidedLabel, plain_label
from app.guard import guarded
from app.style.current import Style
from app.style.strokes import hairline

_MINUTE: Final = 60
_EDGE, _BAR = 16.0, 260.0
"""Space at both ends, and width of the bar, in px at 100 %."""


def clock_text(seconds: float) -> str:
    """Return a time in seconds as m:ss, or h:mm:ss from an hour on."""
    total = int(seconds)
    hours, minutes = total // _MINUTE // _MINUTE, total // _MINUTE % _MINUTE
    rest = f"{minutes:02}:{total % _MINUTE:02}" if hours else f"{minutes}:{total % _MINUTE:02}"
    return f"{hours}:{rest}" if hours else rest


@guarded
class RunningBar(QWidget):
    """A thin bar of the elapsed share of the planned time."""

    def __init__(self, style: Style, parent: QWidget | None) -> None:
        super().__init__(parent)
        self._style = style
        self._share = 0.0

    def set_share(self, share: float) -> None:
        """Show the elapsed share; above 1 the bar is full, in the colour of errors."""
        if share != self._share:
            self._share = share
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._style.theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            bar = QRectF(self.rect())
            painter.setBrush(theme.line)
            painter.drawRoundedRect(bar, bar.height() / 2, bar.height() / 2)
            bar.setWidth(bar.width() * min(self._share, 1.0))
            painter.setBrush(theme.text if self._share <= 1 else theme.error)
            painter.drawRoundedRect(bar, bar.height() / 2, bar.height() / 2)


@guarded
class TopLine(QWidget):
    """Lecture and mark at the left, the clock in the middle, the times at the right."""

    def __init__(self, style: Style, parent: QWidget | None) -> None:
        super().__init__(parent)
        self._style = style
        self.title = ElidedLabel(style, kind="heading", parent=self)
        self.mark_number = plain_label(kind="secondary", parent=self)
        self.clock = plain_label(kind="clock", parent=self)
        self.clock.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.running = plain_label("running", "secondary", parent=self)
        self.running_time = plain_label(kind="strong", parent=self)
        self.total = plain_label(kind="secondary", parent=self)
        self.bar = RunningBar(style, self)

    def show_mark(self, title: str, at: int, count: int) -> None:
        """Show the title of the lecture, the index of its mark from 0, and the count of marks."""
        self.title.setText(title)
        self.mark_number.setText(f"mark {at + 1} of {count}")
        self._place()

    def show_times(self, seconds: float, planned: float) -> None:
        """Show elapsed and planned seconds of the lecture; 0 planned if no mark has a time."""
        labels = (self.clock, self.running_time, self.total)
        lengths = [len(label.text()) for label in labels]
        time = QDateTime.currentDateTime().time()
        set_text(self.clock, QLocale().toString(time, QLocale.FormatType.ShortFormat))
        set_text(self.running_time, clock_text(seconds))
        set_text(self.total, f"of {clock_text(planned)}" if planned else "")
        self.bar.setVisible(bool(planned))
        self.bar.set_share(seconds / planned if planned else 0.0)
        if lengths != [len(label.text()) for label in labels]:  # 10:00 is wider than 9:59
            self._place()

    def _place(self) -> None:
        px, high = self._style.px, self.height()
        edge, wide = px(_EDGE), px(_BAR)
        clock = self.clock.sizeHint().width() + px(16)
        self.clock.setGeometry((self.width() - clock) // 2, 0, clock, high)
        right = self.width() - edge
        for label in (self.total, self.running_time, self.running):
            width = label.sizeHint().width()
            label.setGeometry(right - width, 0, width, high - px(2))
            right -= width + (px(8) if label.text() else 0)
        self.bar.setGeometry(self.width() - edge - wide, high - px(6), wide, px(4))
        number = self.mark_number.sizeHint().width()
        free = self.clock.x() - edge - number - px(20)
        title = min(self.title.sizeHint().width(), free)
        self.title.setGeometry(edge, 0, title, high)
        self.mark_number.setGeometry(edge + title + px(12), 0, number, high)

    # Qt's events

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, bottom = self._style.theme, self.height() - 1
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.panel)
            painter.setPen(hairline(theme.line))
            painter.drawLine(QPointF(0, bottom), QPointF(self.width(), bottom))


def set_text(label: QLabel, text: str) -> None:
    """Set a text only if it differs, to avoid a repaint at every tick."""
    if label.text() != text:
        label.setText(text)
