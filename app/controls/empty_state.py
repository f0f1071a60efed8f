"""What stands where there is nothing yet: a sentence that says what to do, and a button for it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app.style import sizes
from app.style.current import Style


class EmptyState(QWidget):
    """One sentence, and at most one action."""

    acted = Signal()

    def __init__(
        self, style: Style, sentence: str, action: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._sentence = QLabel(self)
        self._sentence.setTextFormat(Qt.TextFormat.PlainText)
        self._sentence.setWordWrap(True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sentence.setProperty("kind", "secondary")
        self._button = QPushButton(self)
        self._button.clicked.connect(self.acted)
        self._column = QVBoxLayout(self)
        self._column.addStretch()
        self._column.addWidget(self._sentence)
        self._column.addWidget(self._button, 0, Qt.AlignmentFlag.AlignCenter)
        self._column.addStretch()
        style.changed.connect(self._restyle)
        self._restyle()
        self.show_state(sentence, action)

    def show_state(self, sentence: str, action: str = "") -> None:
        """Say something else, with another action or none."""
        self._sentence.setText(sentence)
        self._button.setText(action)
        self._button.setVisible(bool(action))

    def _restyle(self) -> None:
        margin = self._style.px(sizes.SPACES[3])
        self._column.setContentsMargins(margin, margin, margin, margin)
        self._column.setSpacing(self._style.px(sizes.SPACES[2]))
