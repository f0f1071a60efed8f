"""A row of exclusive choices: `contribution | node`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from app.controls.keys import ARROWS, KeyClaim
from app.controls.layouts import in_row
from app.style.current import Style

_PADDING: Final = 13


class Segmented(QWidget):
    """Exclusive buttons side by side; the arrow keys move between them."""

    chosen = Signal(str)

    def __init__(
        self,
        style: Style,
        choices: Sequence[tuple[str, str]],
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """Make buttons for pairs of key and text; `name` is the accessible name."""
        super().__init__(parent)
        self._style = style
        self._buttons: dict[str, QPushButton] = {}
        self._group = QButtonGroup(self)
        row = in_row(parent=self, edges=0, gap=0)
        for place, (key, text) in enumerate(choices):
            button = QPushButton(text, self)
            button.setCheckable(True)
            button.setProperty("segment", _segment(place, len(choices)))
            button.setAccessibleName(f"{name}: {text}" if name else text)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click does not take the focus
            KeyClaim(button, *ARROWS)
            row.addWidget(button)
            self._group.addButton(button, place)
            self._buttons[key] = button
        self.setAccessibleName(name)
        self.set_choice(choices[0][0])
        self._group.idClicked.connect(self._clicked)
        style.changed.connect(self._restyle)
        self._restyle()

    def choice(self) -> str:
        """Return the key of the current choice."""
        return next(key for key, button in self._buttons.items() if button.isChecked())

    def set_choice(self, key: str) -> None:
        """Set the current choice; emits nothing."""
        self._buttons[key].setChecked(True)

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
                metrics.horizontalAdvance(button.text()) + self._style.px(2 * _PADDING)
            )

    def _clicked(self, place: int) -> None:
        self.chosen.emit(list(self._buttons)[place])


def _segment(place: int, count: int) -> str:
    if count == 1:
        return "only"
    return {0: "first", count - 1: "last"}.get(place, "middle")
