"""A row of words of which exactly one holds: `contribution | node`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from app.controls.keys import ARROWS, KeyClaim
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
        """Take the choices as pairs of key and text, and a name for those who cannot see them."""
        super().__init__(parent)
        self._style = style
        self._buttons: dict[str, QPushButton] = {}
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for place, (key, text) in enumerate(choices):
            button = QPushButton(text, self)
            button.setCheckable(True)
            button.setProperty("segment", _segment(place, len(choices)))
            button.setAccessibleName(f"{name}: {text}" if name else text)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys where they are
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
        """The key of the choice that holds."""
        return next(key for key, button in self._buttons.items() if button.isChecked())

    def set_choice(self, key: str) -> None:
        """Show a choice; emits nothing."""
        self._buttons[key].setChecked(True)

    def set_tooltips(self, tooltips: dict[str, str]) -> None:
        """Explain the choices, by their keys."""
        for key, text in tooltips.items():
            self._buttons[key].setToolTip(text)

    def _restyle(self) -> None:
        """Give each word room for its bold form, so that nothing moves when it is chosen."""
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
