"""The options of the strip: answers to choose from, numbered by the keys that choose them."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QShortcut,
)
from PySide6.QtWidgets import QWidget

from app.controls.buttons import PaintedButton
from app.controls.focus import ENTER, KeyClaim
from app.controls.layouts import plain_tooltip
from app.guard import guarded
from app.style import sizes
from app.style.current import Style
from app.style.strokes import paint_box
from app.workbench.words.strip import Option
from engine.study.judging import MOST_CHOICES

_WIDE, _HIGH, GAP = 86, sizes.CLICK_TARGET, 8
"""Least width, height and gap in px at 100 %."""
_KEY: Final = (5.0, 16.0)
"""Left edge and side of the key in px at 100 %."""
_BESIDE: Final = 12
_RADIUS, _KEY_RADIUS = 6, 4
_CHOICE: Final = "choice {key}, {label}"
_WRONG: Final = "choice {key}, {label}, was wrong"
_LINE, _CHOSEN_LINE = 1.5, 2.4


@guarded
class _Enter(KeyClaim):
    """Lets Enter answer, while Space chooses."""

    def __init__(self, button: OptionButton) -> None:
        super().__init__(button, *ENTER)
        self._button = button

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() not in ENTER:
                return False
            self._button.entered.emit()
            return True
        return super().eventFilter(watched, event)


@guarded
class OptionButton(PaintedButton):
    """One answer: its key and its label; struck once it was wrong."""

    entered = Signal()

    def __init__(self, style: Style, place: int, parent: QWidget) -> None:
        super().__init__(style, parent)
        self._key = str(place + 1)
        self._state = ""
        self.setCheckable(True)
        _Enter(self)

    def show_option(self, option: Option) -> None:
        """Show an answer in its state."""
        self._state = option.state
        self.setText(option.label)
        self.setChecked(option.state == "chosen")
        self.setEnabled(option.state != "struck")
        self.setToolTip(plain_tooltip(f"{option.label} ({self._key})"))
        spoken = _WRONG if option.state == "struck" else _CHOICE
        self.setAccessibleName(spoken.format(key=self._key, label=option.label))
        self.update()

    def nextCheckState(self) -> None:
        """Leave it to the quiz what is chosen."""

    def sizeHint(self) -> QSize:
        px = self._style.px
        text = QFontMetricsF(self._style.font("interface strong")).horizontalAdvance(self.text())
        wide = sum(_KEY) * self._style.control_scale + text + px(2 * _BESIDE)
        return QSize(max(px(_WIDE), round(wide)), px(_HIGH))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, scale = self._style.theme, self._style.control_scale
        struck, chosen = self._state == "struck", self._state == "chosen"
        line = theme.error if struck else theme.selection
        wide = _CHOSEN_LINE if chosen else _LINE
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            fill = theme.error_tint if struck else theme.node
            edge = theme.text if self.hasFocus() and not chosen else line
            paint_box(painter, QRectF(self.rect()), fill, edge, _RADIUS * scale, wide * scale)
            left, side = (x * scale for x in _KEY)
            key = QRectF(left, (self.height() - side) / 2, side, side)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.error_tint if struck else theme.selection_tint)
            painter.drawRoundedRect(key, _KEY_RADIUS * scale, _KEY_RADIUS * scale)
            painter.setPen(line)
            font = self._style.font("tile")
            font.setWeight(QFont.Weight.DemiBold)
            painter.setFont(font)
            painter.drawText(key, Qt.AlignmentFlag.AlignCenter, self._key)
            font = self._style.font("interface strong")
            font.setStrikeOut(struck)
            painter.setFont(font)
            painter.setPen(line if struck else theme.text)
            rest = QRectF(self.rect()).adjusted(left + side, 0, 0, 0)
            painter.drawText(rest, Qt.AlignmentFlag.AlignCenter, self.text())


@guarded
class Options(QWidget):
    """The answers side by side; their keys choose while no field has the caret."""

    picked = Signal(object)
    """Emitted with the Option that was chosen."""
    entered = Signal()
    """Emitted when what is chosen is the answer."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._shown: tuple[Option, ...] = ()
        self._buttons = [OptionButton(style, place, self) for place in range(MOST_CHOICES)]
        for place, button in enumerate(self._buttons):
            button.clicked.connect(lambda _on=False, place=place: self.pick(place))
            button.entered.connect(self.entered)
            key = QShortcut(QKeySequence(str(place + 1)), self)
            key.activated.connect(lambda place=place: self.pick(place))
        self.setAccessibleName("Choices")
        style.changed.connect(self._place)
        self.hide()

    @property
    def buttons(self) -> list[OptionButton]:
        """Return the buttons that are shown."""
        return self._buttons[: len(self._shown)]

    def show_options(self, shown: tuple[Option, ...]) -> None:
        """Show these answers, or none."""
        if shown == self._shown:
            return
        self._shown = shown
        for place, button in enumerate(self._buttons):
            button.setVisible(place < len(shown))
        for button, option in zip(self.buttons, shown, strict=True):
            button.show_option(option)
        self._place()
        self.setVisible(bool(shown))

    def pick(self, place: int) -> None:
        """Choose the answer of a key, unless it was wrong, and put the keyboard there."""
        if place < len(self._shown) and self._shown[place].state != "struck":
            self._buttons[place].setFocus()
            self.picked.emit(self._shown[place])

    def focus_option(self) -> bool:
        """Put the keyboard on what is chosen, or on the first answer; False if there is none."""
        left = [button for button in self.buttons if button.isEnabled()]
        if not left:
            return False
        next((button for button in left if button.isChecked()), left[0]).setFocus()
        return True

    def _place(self) -> None:
        x = 0
        for button in self.buttons:
            hint = button.sizeHint()
            button.setGeometry(x, 0, hint.width(), hint.height())
            x += hint.width() + self._style.px(GAP)
        self.updateGeometry()

    # Qt's events

    def sizeHint(self) -> QSize:
        wide = sum(button.sizeHint().width() for button in self.buttons)
        gaps = max(len(self.buttons) - 1, 0) * self._style.px(GAP)
        return QSize(wide + gaps, self._style.px(_HIGH))
