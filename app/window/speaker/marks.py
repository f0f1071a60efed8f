"""MarkStrip: the marks of a lecture as a row of buttons."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from app.controls.buttons import PaintedButton
from app.controls.layouts import plain_tooltip
from app.guard import guarded
from app.lessons.lecture import Slide
from app.lessons.lecture_state import LectureState
from app.style import sizes
from app.style.current import Style
from app.style.icons import paint_icon
from engine.numbers import ASKED

_GAP: Final = 6.0
_PAD: Final = 10.0
_LEAST_WIDTH: Final = 76.0
"""Least width of a mark in px at 100 %."""
_ICON: Final = 14.0


@guarded
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
        states = {
            "current": is_current,
            "done": is_done,
            "question": self._slide.mark.kind == "ask",
        }
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
        elif self._slide.mark.kind == "ask" and not self._slide.misfit:
            painter.setFont(self._style.font("interface strong"))
            painter.setPen(theme.selection)
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(line, int(right), ASKED)


@guarded
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
