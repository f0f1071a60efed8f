"""Placeholder of an empty panel: a hint, and a button for its action."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.controls.layouts import in_column, plain_label
from app.style import sizes
from app.style.current import Style

_TALL_HEIGHT = 140
"""Minimum height of a `tall` state in px at 100 %, so that its sentence is not at the very top."""


class EmptyState(QWidget):
    """A sentence that says why the panel is empty, and at most one button."""

    action_clicked = Signal()
    """Emitted when the button was clicked."""

    def __init__(
        self, style: Style, sentence: str, action: str = "", *, tall: bool = False
    ) -> None:
        """Make it with a sentence and the text of its button; `tall` if it is alone on its page."""
        super().__init__()
        self._style = style
        self._sentence = plain_label(kind="secondary", wraps=True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._button = QPushButton()
        self._button.clicked.connect(self.action_clicked)
        parts = (0, self._sentence, (self._button, Qt.AlignmentFlag.AlignCenter), 0)
        in_column(*parts, parent=self, style=style, edges=sizes.SPACES[3], gap=sizes.SPACES[2])
        self.show_state(sentence, action)
        if tall:
            style.changed.connect(self._restyle)
            self._restyle()

    def show_state(self, sentence: str, action: str = "") -> None:
        """Show another sentence, with another action or none."""
        self._sentence.setText(sentence)
        self._button.setText(action)
        self._button.setVisible(bool(action))

    def _restyle(self) -> None:
        self.setMinimumHeight(self._style.px(_TALL_HEIGHT))
