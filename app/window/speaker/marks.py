"""TopLine: title, clock and time of a lecture; MarkStrip: its marks; NotesPane: a mark's notes."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QDateTime, QLocale, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QTextEdit, QWidget

from app.controls.buttons import PaintedButton
from app.controls.layouts import ElidedLabel, in_column, in_row, plain_label, plain_tooltip
from app.guard import exception_safe
from app.guide.play.poll import LectureState
from app.guide.play.slides import Slide
from app.style import sizes
from app.style.current import Style
from app.style.fonts import with_features
from app.style.icons import paint_icon
from app.style.strokes import hairline
from app.window.settings import NOTES_SIZES
from engine.numbers import ASKED

_GAP: Final = 6.0
_PAD: Final = 10.0
_LEAST_WIDTH: Final = 76.0
"""Least width of a mark in px at 100 %."""
_ICON: Final = 14.0


@exception_safe
class MarkButton(PaintedButton):
    """One mark: its number, title and state."""

    def __init__(self, style: Style, index: int, slide: Slide, parent: QWidget) -> None:
        super().__init__(style, parent)
        self._index = index
        self._slide = slide
        self._is_current = self._is_done = False
        self.setEnabled(not slide.misfit)
        self.setText(slide.misfit or slide.title)
        self.setToolTip(plain_tooltip(self.text()))
        self.set_state(is_current=False, is_done=False)

    def set_state(self, is_current: bool, is_done: bool) -> None:
        """Show whether the mark is the current one, and whether it is done."""
        self._is_current, self._is_done = is_current, is_done
        states = {"current": is_current, "done": is_done, "question": self._slide.kind == "ask"}
        words = [f"Mark {self._index + 1}, {self._slide.title}"]
        words += [word for word, on in states.items() if on]
        words += [f"skipped: {self._slide.misfit}"] if self._slide.misfit else []
        self.setAccessibleName(", ".join(words))
        self.update()

    def sizeHint(self) -> QSize:
        px, metrics = self._style.px, QFontMetricsF(self._style.font("interface"))
        words = math.ceil(metrics.horizontalAdvance(self.text())) + px(2 * _PAD)
        return QSize(max(words, px(_LEAST_WIDTH)), px(46))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, px, style = self._style.theme, self._style.px, self._style
        misfit = bool(self._slide.misfit)
        fill = theme.selection_tint if self._is_current else theme.node
        line = theme.selection if self._is_current else theme.line
        if misfit:
            fill, line = theme.error_tint, theme.error
        elif self.underMouse() and not self._is_current:
            line = theme.outline
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            width = 2.0 if self._is_current else 1.0
            self.paint_box(painter, fill, line, sizes.RADIUS_SYMBOL, width)
            first = QRectF(px(_PAD), px(5), self.width() - px(2 * _PAD), px(18))
            second = QRectF(px(_PAD), px(23), self.width() - px(_PAD), px(19))
            strong = style.font("interface strong")
            painter.setFont(strong)
            is_plain = not (self._is_current or misfit)
            color = theme.error if misfit else theme.selection
            painter.setPen(theme.secondary if is_plain else color)
            middle = int(Qt.AlignmentFlag.AlignVCenter)
            painter.drawText(first, middle, str(self._index + 1))
            if not is_plain and not misfit:
                painter.setPen(theme.text)
            painter.setFont(style.font("interface"))
            painter.drawText(second, middle, self.text())
            self._paint_state(painter, first)

    def _paint_state(self, painter: QPainter, line: QRectF) -> None:
        """Paint a tick for a done mark, else a question mark for a question."""
        theme, side = self._style.theme, self._style.px(_ICON)
        if self._is_done and not self._is_current:
            corner = QPointF(line.right() - side, line.center().y() - side / 2)
            box = QRectF(corner.x(), corner.y(), side, side)
            paint_icon(painter, box, "check", theme.text)
        elif self._slide.kind == "ask" and not self._slide.misfit:
            painter.setFont(self._style.font("interface strong"))
            painter.setPen(theme.selection)
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(line, int(right), ASKED)


@exception_safe
class MarkStrip(QScrollArea):
    """The marks of a lecture in a row, scrolled to the current one."""

    chosen = Signal(int)
    """Emitted with the index of the clicked mark."""
    buttons_replaced = Signal()
    """Emitted after new buttons have replaced `buttons`."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._slides: tuple[Slide, ...] = ()
        self._at = -1
        self.buttons: list[MarkButton] = []
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Marks")
        self._row = QWidget()
        self.setWidget(self._row)
        self._row.setAutoFillBackground(False)
        style.changed.connect(self._place)

    def show_state(self, state: LectureState) -> None:
        """Show the marks of a lecture and the current one."""
        if state.slides is not self._slides:
            self._replace_buttons(state.slides)
        for index, button in enumerate(self.buttons):
            done = index in state.visited and (index != state.at or state.stage == "revealed")
            button.set_state(index == state.at, done)
        if state.at != self._at:
            self._at = state.at
            self.ensureWidgetVisible(self.buttons[state.at], self.width() // 3, 0)

    def _replace_buttons(self, slides: tuple[Slide, ...]) -> None:
        """Replace the buttons: those of a new lecture, or after an edit during one."""
        self._slides, self._at = slides, -1
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self.buttons = [
            MarkButton(self._style, index, slide, self._row) for index, slide in enumerate(slides)
        ]
        for index, button in enumerate(self.buttons):
            button.clicked.connect(lambda _on=False, index=index: self.chosen.emit(index))
            button.show()
        self.buttons_replaced.emit()
        self._place()

    def _place(self) -> None:
        """Lay out the buttons: over the whole width if all fit, else as wide as their titles."""
        if not self.buttons:
            return
        gap = self._style.px(_GAP)
        widths = [button.sizeHint().width() for button in self.buttons]
        spare = self.viewport().width() - sum(widths) - gap * (len(widths) - 1)
        more = max(spare, 0) / len(widths)
        left = 0.0
        for button, width in zip(self.buttons, widths, strict=True):
            right = left + width + more
            button.setGeometry(round(left), 0, round(right) - round(left), self.height())
            left = right + gap
        self._row.resize(round(left - gap), self.height())
        if 0 <= self._at < len(self.buttons):
            self.ensureWidgetVisible(self.buttons[self._at], self.width() // 3, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta()
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() - (turned.y() or turned.x()))
        event.accept()


_MINUTE: Final = 60
_EDGE, _BAR = 16.0, 260.0
"""Space at both ends, and width of the bar, in px at 100 %."""


def clock_text(seconds: float) -> str:
    """Return a time in seconds as m:ss, or h:mm:ss from an hour on."""
    total = int(seconds)
    hours, minutes = total // _MINUTE // _MINUTE, total // _MINUTE % _MINUTE
    rest = f"{minutes:02}:{total % _MINUTE:02}" if hours else f"{minutes}:{total % _MINUTE:02}"
    return f"{hours}:{rest}" if hours else rest


@exception_safe
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


@exception_safe
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
        self.clock.setText(QLocale().toString(time, QLocale.FormatType.ShortFormat))
        self.running_time.setText(clock_text(seconds))
        self.total.setText(f"of {clock_text(planned)}" if planned else "")
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


_PARAGRAPH: Final = 0.5
"""Space below a paragraph, as a share of the font size."""
_NO_NOTES: Final = "This mark has no notes."


class NotesPane(QFrame):
    """The notes as selectable plain text, and two buttons for their font size."""

    resized = Signal(int)
    """Emitted with the chosen font size in px at 100 %."""

    def __init__(self, style: Style, size: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._size = size
        self._notes = ""
        self.setProperty("kind", "card")
        self.text = QTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setAcceptRichText(False)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setProperty("kind", "notes")
        self.text.setAccessibleName("Notes")
        self.text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        flags = Qt.TextInteractionFlag.TextSelectableByMouse
        self.text.setTextInteractionFlags(flags | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        self.smaller = self._button("A−", "Smaller notes", -1)
        self.larger = self._button("A+", "Larger notes", +1)
        row = in_row(1, self.smaller, self.larger, style=style, edges=0, gap=0)
        in_column((self.text, 1), row, parent=self, style=style, edges=(8, 8, 8, 6), gap=4)
        style.changed.connect(self._write)
        self._write()

    def show_notes(self, notes: str) -> None:
        """Show the notes of a mark, scrolled to their beginning."""
        if notes != self._notes:
            self._notes = notes
            self._write()

    def scroll_by(self, steps: int) -> None:
        """Scroll by thirds of the visible height: positive steps down."""
        bar = self.text.verticalScrollBar()
        bar.setValue(bar.value() + steps * max(bar.pageStep() // 3, 1))

    def change_size(self, steps: int) -> None:
        """Choose a size some steps of `NOTES_SIZES` larger."""
        nearest = min(NOTES_SIZES, key=lambda size: abs(size - self._size))
        index = NOTES_SIZES.index(nearest) + steps
        size = NOTES_SIZES[min(max(index, 0), len(NOTES_SIZES) - 1)]
        if size != self._size:
            self._size = size
            self._write()
            self.resized.emit(size)

    def _button(self, text: str, name: str, steps: int) -> QPushButton:
        button = QPushButton(text, self)
        button.setProperty("kind", "quiet")
        button.setProperty("small", "true")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(name)
        button.setToolTip(name)
        button.clicked.connect(lambda: self.change_size(steps))
        return button

    def _write(self) -> None:
        """Write the notes in their font size, with space between paragraphs."""
        pixels = self._style.px(self._size)
        font = self._style.font("interface")
        font.setPixelSize(pixels)
        self.text.setPlainText(self._notes or _NO_NOTES)
        block = QTextBlockFormat()
        block.setBottomMargin(_PARAGRAPH * pixels)
        block.setLineHeight(122.0, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor = QTextCursor(self.text.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(block)
        theme = self._style.theme
        character = cursor.charFormat()
        character.setFont(with_features(font))
        character.setForeground(theme.text if self._notes else theme.secondary)
        cursor.mergeCharFormat(character)
        self.smaller.setEnabled(self._size > NOTES_SIZES[0])
        self.larger.setEnabled(self._size < NOTES_SIZES[-1])
