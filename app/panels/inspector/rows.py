"""Rows of the inspector: a caption, a number in full precision, a button that copies it."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.controls.elided_label import ElidedLabel
from app.controls.icon_button import IconButton
from app.controls.kind import set_kind
from app.style.current import Style
from app.style.numbers import NO_PATH, NOT_COMPUTED, full, plain

CAPTION_WIDTH = 84


class NumberRow(QWidget):
    """A number with all its digits; `–` while it is not known."""

    def __init__(
        self, style: Style, caption: str, kind: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._kind = kind
        self._number: float | None = None
        self.caption = caption_label(caption)
        self.number = ElidedLabel(style, kind=kind)
        self.copy = IconButton(style, "copy", f"Copy the {caption.lower()}")
        self.copy.set_kind("quiet")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.caption)
        row.addWidget(self.number, 1)
        row.addWidget(self.copy)
        self.number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.copy.clicked.connect(self._copy)
        style.changed.connect(self._restyle)
        self._restyle()

    def text(self) -> str:
        """The number as it is shown."""
        return self.number.text()

    def show_number(self, number: float | None, pathless: bool = False) -> None:
        """Show a number, that it is not known, or that no path leads there."""
        self._number = number
        unknown = f"{NO_PATH}  no path" if pathless else NOT_COMPUTED
        self.number.setText(unknown if number is None else full(number))
        bad = number is not None and not math.isfinite(number)
        set_kind(self.number, "secondary" if number is None else "error" if bad else self._kind)
        self.copy.setEnabled(number is not None)

    def _copy(self) -> None:
        if self._number is not None:
            QGuiApplication.clipboard().setText(plain(self._number))

    def _restyle(self) -> None:
        self.caption.setFixedWidth(self._style.px(CAPTION_WIDTH))


class TextRow(QWidget):
    """A caption and a text that wraps."""

    def __init__(self, style: Style, caption: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self.caption = caption_label(caption)
        self.words = QLabel()
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setWordWrap(True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.caption, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.words, 1)
        style.changed.connect(self._restyle)
        self._restyle()

    def text(self) -> str:
        """The text."""
        return self.words.text()

    def show_text(self, text: str) -> None:
        """Show a text; the row is hidden without one."""
        self.words.setText(text)
        self.setVisible(bool(text))

    def _restyle(self) -> None:
        self.caption.setFixedWidth(self._style.px(CAPTION_WIDTH))


def caption_label(text: str) -> QLabel:
    """The words before a field."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("kind", "secondary")
    return label
