"""Text fields: NumberEdit for a number, LogRow with a slider too, FilterEdit to filter a list."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QSlider, QWidget

from app.controls.focus import NAVIGATION_KEYS, OnPurpose, PressOutside, claim_keys
from app.controls.layouts import set_valid
from app.controls.painted_buttons import IconButton
from app.guard import exception_safe
from app.style import sizes
from app.style.current import Style
from app.style.icons import paint_icon
from engine.numbers import ABOUT, Digits, full, parse_quotient, short, why_no_number

_MAX_LENGTH: int = 64
"""Characters of a typed number."""
_TEXT_PADDING = 26
"""Space left and right of the text together, in px at 100 %."""


@exception_safe
class NumberEdit(QLineEdit):
    """A field that accepts numbers as people type them, including inf and nan.

    While it has not the focus, a number too long for it is rounded after `≈`; the tooltip has it.
    """

    committed = Signal(float)
    """Emitted with the number when a text was accepted, even if it is the one before."""
    cancelled = Signal()
    """Emitted when Esc, or leaving with a text that is no number, has restored the number."""
    refused = Signal(str)
    """Emitted with an error sentence when committed text is no number."""

    def __init__(self, style: Style, value: float = 0.0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._value = float(value)
        self._is_edited = False
        """Whether the user has typed since the number was set."""
        self._least_width = 0
        """As in `fit_width`; 0 if the layout decides."""
        self.setMaxLength(_MAX_LENGTH)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFont(style.font("number"))
        self.textChanged.connect(self._show_validity)
        self.textEdited.connect(self._mark_edited)
        self._press_outside = PressOutside(self, self._accept_or_cancel)
        claim_keys(self, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)
        style.changed.connect(self._restyle)
        self.set_value(value)

    def value(self) -> float:
        """Return the number last set or committed."""
        return self._value

    def set_value(self, value: float) -> None:
        """Show a number with all its digits, discarding typed text; emits nothing."""
        self._value = float(value)
        self._is_edited = False
        self.setText(full(self._value))
        self._fit_width()
        self._show_tooltip()
        self.setCursorPosition(0)  # so that a number wider than the field shows its beginning

    def shown_text(self) -> str:
        """Return the text as it is painted: a number that has not enough room is rounded."""
        text, about = self.text(), ABOUT
        if self.hasFocus() or self._is_edited or self._has_room_for(text):
            return text
        digits: tuple[Digits, ...] = (4, 3, 2, 1)
        texts = [about + short(self._value, count).removeprefix(about) for count in digits]
        return next((rounded for rounded in texts if self._has_room_for(rounded)), texts[-1])

    def _has_room_for(self, text: str) -> bool:
        room = self.width() - self._style.px(_TEXT_PADDING)
        return self.fontMetrics().horizontalAdvance(text) <= room

    def _show_tooltip(self) -> None:
        """Show the whole number where it is rounded."""
        cut = not (self._is_edited or self._has_room_for(self.text()))
        self.setToolTip(self.text() if cut else "")

    def fit_width(self, least: int) -> None:
        """Be as wide as the number, from `least` to twice as much, in px at 100 %."""
        self._least_width = least
        self._fit_width()

    def is_valid(self) -> bool:
        return parse_quotient(self.text()) is not None

    def commit(self) -> bool:
        """Accept the text as the value; invalid text stays, in red, and emits `refused`."""
        number = parse_quotient(self.text())
        if number is None:
            self._show_validity()
            self.selectAll()
            self.refused.emit(why_no_number(self.text()))
            return False
        self.set_value(number)
        self.committed.emit(number)
        return True

    def cancel(self) -> None:
        """Restore the value from before the text was edited."""
        self.set_value(self._value)
        self.cancelled.emit()

    def _mark_edited(self) -> None:
        self._is_edited = True

    def _show_validity(self) -> None:
        valid = self.is_valid()
        set_valid(self, valid)
        self.setAccessibleDescription("" if valid else "Not a number")

    def _restyle(self) -> None:
        self.setFont(self._style.font("number"))
        self._fit_width()

    def _fit_width(self) -> None:
        px, least = self._style.px, self._least_width
        if least:
            metrics = QFontMetricsF(self._style.font("number"))
            width = math.ceil(metrics.horizontalAdvance(self.text())) + px(_TEXT_PADDING)
            self.setFixedWidth(min(max(width, px(least)), px(2 * least)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_tooltip()

    def paintEvent(self, event: QPaintEvent) -> None:
        text = self.shown_text()
        if text == self.text():
            super().paintEvent(event)
            return
        from PySide6.QtWidgets import QStyle, QStyleOptionFrame  # the first picture needs no QStyle

        option, edge = QStyleOptionFrame(), self._style.px(_TEXT_PADDING / 2)
        self.initStyleOption(option)
        area, aligned = self.rect().adjusted(0, 0, -edge, 0), Qt.AlignmentFlag.AlignVCenter
        with QPainter(self) as painter:
            panel = QStyle.PrimitiveElement.PE_PanelLineEdit
            self.style().drawPrimitive(panel, option, painter, self)
            painter.setPen(self.palette().color(self.foregroundRole()))
            painter.drawText(area, self.alignment() | aligned, text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
            self.commit()
        elif event.key() == Qt.Key.Key_Escape:
            event.accept()
            self.cancel()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() != Qt.FocusReason.MouseFocusReason:
            self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._accept_or_cancel()

    def _accept_or_cancel(self) -> None:
        if not self._is_edited:
            return
        if self.is_valid():
            self.commit()
        else:
            self.refused.emit(why_no_number(self.text()))
            self.cancel()


class LogRow(QWidget):
    """A logarithmic slider and a number field, which a subclass lays out."""

    changed = Signal(float)
    """Emitted with the number when the user has moved the slider or typed."""
    refused = Signal(str)
    """Emitted with a sentence when the typed text is no number above 0."""

    def __init__(
        self, style: Style, name: str, ticks: Sequence[float], number: float, refusal: str
    ) -> None:
        """`ticks` are the numbers of the slider, from its left end, all above 0.

        `refusal` is the sentence about a typed number that is not above 0.
        """
        super().__init__()
        self._style, self._ticks, self._refusal = style, ticks, refusal
        self._number = math.nan  # equals no number, so that the first one is shown
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, len(ticks) - 1)
        self.slider.setPageStep(3)
        self.slider.setAccessibleName(name)
        OnPurpose(self.slider, *NAVIGATION_KEYS)
        self.field = NumberEdit(style, number)
        self.field.setAccessibleName(name)
        self.show_number(number)
        self.slider.valueChanged.connect(self._apply_tick)
        self.field.committed.connect(self._commit)
        self.field.refused.connect(self.refused)

    def show_number(self, number: float) -> None:
        """Show the number that is used, unless another one is being typed; emits nothing."""
        if number == self._number == self.field.value():
            return
        self._number = number
        self.field.set_value(number)
        ratios = [abs(math.log(number) - math.log(tick)) for tick in self._ticks]
        with QSignalBlocker(self.slider):
            self.slider.setValue(ratios.index(min(ratios)))  # the tick nearest by ratio

    def _apply_tick(self, tick: int) -> None:
        self._number = self._ticks[tick]
        self.field.set_value(self._number)
        self.changed.emit(self._number)

    def _commit(self, number: float) -> None:
        if math.isfinite(number) and number > 0:
            self.show_number(number)
            self.changed.emit(number)
        else:
            self.refused.emit(self._refusal)
            self.field.set_value(self._number)


@exception_safe
class FilterEdit(QLineEdit):
    """A search field with an icon; Esc clears it, Down moves the focus to the list."""

    filter_changed = Signal(str)
    """Emitted with the text as `filter` returns it, at every key."""
    list_wanted = Signal()
    """Emitted when the focus shall move to the list."""

    def __init__(self, style: Style, placeholder: str) -> None:
        super().__init__()
        self._style = style
        self._clear = IconButton(style, "close", "Clear", parent=self)
        self._clear.setProperty("only", "small")
        self._clear.set_kind("quiet")
        self._clear.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._clear.setCursor(Qt.CursorShape.ArrowCursor)
        self._clear.hide()
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        self.setMaxLength(200)
        claim_keys(self, Qt.Key.Key_Escape, Qt.Key.Key_Down)
        self._clear.clicked.connect(self.clear)
        self.textChanged.connect(self._changed)
        style.run_now_and_on_change(self._restyle)

    def filter(self) -> str:
        """Return the search text, stripped and in lower case."""
        return self.text().strip().casefold()

    def _changed(self) -> None:
        self._clear.setVisible(bool(self.text()))
        self.filter_changed.emit(self.filter())

    def _restyle(self) -> None:
        margin = self._style.px(sizes.CLICK_TARGET)  # for the icon, and for the button
        self.setTextMargins(margin, 0, margin, 0)
        self._place_clear_button()

    def _place_clear_button(self) -> None:
        side = self._style.px(sizes.CLICK_TARGET)
        gap = self._style.px(sizes.SPACES[0])
        self._clear.setFixedSize(side, side)
        self._clear.move(self.width() - side - gap, (self.height() - side) // 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() == Qt.Key.Key_Down:
            self.list_wanted.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_clear_button()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        side = self._style.px(sizes.ICON)
        left = self._style.px(sizes.SPACES[1] + 1)
        with QPainter(self) as painter:
            icon_rect = QRectF(left, (self.height() - side) / 2, side, side)
            paint_icon(painter, icon_rect, "search", self._style.theme.secondary)
