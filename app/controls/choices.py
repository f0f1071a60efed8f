"""One of several choices: Segmented, a row of buttons, and ChoiceBox, a combo box."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QButtonGroup, QComboBox, QPushButton, QWidget

from app.controls.focus import PAGE_KEYS, TakenKeys
from app.controls.layouts import in_row
from app.guard import exception_safe
from app.style.current import Style

_ARROW_STEPS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_PADDING, _NARROW_PADDING = 13, 6
"""Space left and right of a text, in px at 100 %."""


class Segmented(QWidget):
    """Exclusive buttons side by side; ↑ and ↓ move between them, since ← and → are the steps."""

    chosen = Signal(str)
    """Emitted with the key of the button that the user has clicked or moved to."""

    def __init__(
        self,
        style: Style,
        choices: Sequence[tuple[str, str]],
        name: str = "",
        *,
        narrow: bool = False,
        low: bool = False,
    ) -> None:
        """Make buttons for pairs of key and text; `name` is the accessible name.

        `low` ones are 28 px high at 100 %; `narrow` ones have less space around their texts.
        """
        super().__init__()
        self._padding = _NARROW_PADDING if narrow else _PADDING
        self._style = style
        self._buttons: dict[str, QPushButton] = {}
        self._group = QButtonGroup(self)
        row = in_row(parent=self, gap=0)
        for index, (key, text) in enumerate(choices):
            button = QPushButton(text, self)
            button.setCheckable(True)
            button.setProperty("low", "true" if low else "")
            button.setProperty("segment", _segment(index, len(choices)))
            button.setProperty("edges", "narrow" if narrow else "")
            button.setAccessibleName(f"{name}: {text}" if name else text)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click does not take the focus
            # Qt moves by them only in a column
            TakenKeys(button, *_ARROW_STEPS).pressed.connect(self._move_choice)
            row.addWidget(button)
            self._group.addButton(button, index)
            self._buttons[key] = button
        self.setAccessibleName(name)
        self.set_choice(choices[0][0])
        self._group.idClicked.connect(self._clicked)
        style.run_now_and_on_change(self._restyle)

    def choice(self) -> str:
        """Return the key of the current choice."""
        return next(key for key, button in self._buttons.items() if button.isChecked())

    def set_choice(self, key: str) -> None:
        """Set the current choice; emits nothing. The keyboard focus follows it."""
        had_focus = any(button.hasFocus() for button in self._buttons.values())
        self._buttons[key].setChecked(True)
        if had_focus:
            self._buttons[key].setFocus()

    def button(self, key: str) -> QPushButton:
        """Return the button of a choice."""
        return self._buttons[key]

    def set_text(self, key: str, text: str) -> None:
        """Set the text of a choice."""
        button = self._buttons[key]
        if button.text() != text:
            button.setText(text)
            name = self.accessibleName()
            button.setAccessibleName(f"{name}: {text}" if name else text)
            self._restyle()

    def _restyle(self) -> None:
        """Reserve space for each text in bold, so that nothing moves when it is chosen."""
        metrics = QFontMetrics(self._style.font("interface strong"))
        for button in self._buttons.values():
            button.setMinimumWidth(
                metrics.horizontalAdvance(button.text()) + self._style.px(2 * self._padding)
            )

    def _clicked(self, index: int) -> None:
        self.chosen.emit(list(self._buttons)[index])

    def _move_choice(self, key: int) -> None:
        """Choose the neighbour of the current button, if there is one in the direction of a key."""
        buttons = list(self._buttons.values())
        steps = _ARROW_STEPS[Qt.Key(key)]
        index = min(max(self._group.checkedId() + steps, 0), len(buttons) - 1)
        buttons[index].setFocus()
        if not buttons[index].isChecked():
            buttons[index].click()


def _segment(index: int, count: int) -> str:
    """Return the place of a button in its row, by which the style sheet rounds its corners."""
    if count == 1:
        return "only"
    return {0: "first", count - 1: "last"}.get(index, "middle")


_MOST_ROWS: Final = 16
"""Number of rows beyond which the open list scrolls."""
_OPENING_KEYS: Final = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End)


@exception_safe
class ChoiceBox(QComboBox):
    """A combo box that changes in its open list alone, where Space chooses and no text is cut.

    Arrow keys and letters open the list; the wheel over the closed box scrolls what is around.
    """

    def __init__(self, name: str = "") -> None:
        """Make an empty box; `name` is its accessible name where it has no label."""
        super().__init__()
        self.setAccessibleName(name)
        self.setMaxVisibleItems(_MOST_ROWS)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # not by the wheel
        self.view().installEventFilter(self)  # the keys of an open list go to its view

    def showPopup(self) -> None:
        """Make the list as wide as its texts, and not only as wide as the box."""
        view = self.view()
        view.ensurePolished()  # its frame is that of the style sheet
        view.setMinimumWidth(view.sizeHintForColumn(0) + 2 * view.frameWidth())
        super().showPopup()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        pressed = watched is self.view() and event.type() == QEvent.Type.KeyPress
        if pressed and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Space:
            self._choose(self.view().currentIndex().row())
            return True
        return super().eventFilter(watched, event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        text = event.text().strip()
        if event.key() in _OPENING_KEYS:
            self.showPopup()
        elif text and text.isprintable():
            self.showPopup()
            self.view().keyboardSearch(text)
        elif event.key() not in PAGE_KEYS:
            super().keyPressEvent(event)

    def _choose(self, row: int) -> None:
        enabled = self.model().index(row, 0).flags() & Qt.ItemFlag.ItemIsEnabled
        if row < 0 or not enabled:
            return
        self.hidePopup()
        self.setCurrentIndex(row)
        self.activated.emit(row)  # as Qt does after Enter; `setCurrentIndex` does not


def choice_box(texts: Mapping[str, str], chosen: str) -> ChoiceBox:
    """Return a box of texts with their keys as item data; without a `chosen` key the first."""
    box = ChoiceBox()
    for key, text in texts.items():
        box.addItem(text, key)
    box.setCurrentIndex(max(box.findData(chosen), 0))
    return box
