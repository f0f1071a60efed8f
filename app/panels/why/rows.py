"""Rows of the inspector: a caption, a number in full precision, a copy button."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.controls.elided_label import ElidedLabel
from app.controls.icon_button import IconButton
from app.controls.kind import set_kind
from app.controls.layouts import in_row, plain_label
from app.style.current import Style
from engine.numbers import NO_PATH, NOT_COMPUTED, full, plain

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
        self.caption = plain_label(caption, "secondary")
        self.number = ElidedLabel(style, kind=kind)
        self.copy = IconButton(style, "copy", f"Copy the {caption.lower()}")
        self.copy.set_kind("quiet")
        in_row(self.caption, (self.number, 1), self.copy, parent=self, edges=0)
        self.number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.copy.clicked.connect(self._copy)
        style.changed.connect(self._restyle)
        self._restyle()

    def text(self) -> str:
        """Return the number as shown."""
        return self.number.text()

    def show_number(self, number: float | None, pathless: bool = False) -> None:
        """Show a number, None for an unknown one, or that no path leads to the root."""
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
        self.caption = plain_label(caption, "secondary")
        self.words = plain_label(wraps=True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        top = Qt.AlignmentFlag.AlignTop
        in_row((self.caption, top), (self.words, 1), parent=self, edges=0)
        style.changed.connect(self._restyle)
        self._restyle()

    def text(self) -> str:
        """Return the text."""
        return self.words.text()

    def show_text(self, text: str) -> None:
        """Show a text; without one the row is hidden."""
        self.words.setText(text)
        self.setVisible(bool(text))

    def _restyle(self) -> None:
        self.caption.setFixedWidth(self._style.px(CAPTION_WIDTH))
