"""Fields for writing lessons and lectures: of one line or several, and their labels."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextDocument,
)
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPlainTextEdit, QPushButton, QWidget

from app.controls.focus import PressedByEnter
from app.controls.layouts import in_row, plain_label
from app.controls.painted_buttons import push_button
from app.guard import exception_safe
from app.style.current import Style

_LABEL_WIDTH = 50
"""Width of the label before a field, in px at 100 %."""
_MOST_LINES: Final = 8
"""Most visible lines of a `TextField`; a longer text scrolls."""


@exception_safe
class LineField(QLineEdit):
    """A field of one line."""

    def __init__(self, name: str, placeholder: str = "", limit: int = 0) -> None:
        """Make an empty field for at most `limit` characters, 0 for any number."""
        super().__init__()
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        if limit:
            self.setMaxLength(limit)

    def show_text(self, text: str) -> None:
        """Show a text; an equal one is not set again, as that would move the caret."""
        if self.text() != text:
            with QSignalBlocker(self):
                self.setText(text)
            if not self.hasFocus():
                self.setCursorPosition(0)  # a text wider than the field shows its beginning

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Scroll to the beginning of a text wider than the field."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.setCursorPosition(0)


@exception_safe
class TextField(QPlainTextEdit):
    """A field of several lines that colours live numbers.

    It is as high as its text, up to `_MOST_LINES`.
    """

    def __init__(
        self,
        style: Style,
        name: str,
        placeholder: str = "",
        lines: int = 2,
        *,
        takes_numbers: bool = True,
    ) -> None:
        """Make an empty field with the height of at least `lines`.

        With `takes_numbers`, `NumberClicks` inserts a number clicked on the sheet at the caret.
        """
        super().__init__()
        self._lines = lines
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self.setTabChangesFocus(True)
        self.setProperty("takes_numbers", takes_numbers)
        self._numbers = _LiveNumbers(style, self.document())
        style.changed.connect(self._restyle)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self._restyle()

    def show_text(self, text: str) -> None:
        """Show a text; an equal one is not set again, as that would move the caret."""
        if self.toPlainText() != text:
            with QSignalBlocker(self):
                self.setPlainText(text)

    def _restyle(self) -> None:
        self._numbers.rehighlight()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Set the height to that of the text."""
        document, pitch = self.document(), self.fontMetrics().lineSpacing()
        # a QPlainTextEdit's document has its size in lines; those of its blocks are in px
        blocks = map(document.findBlockByNumber, range(document.blockCount()))
        high = ceil(sum(document.documentLayout().blockBoundingRect(b).height() for b in blocks))
        highest = pitch * _MOST_LINES
        off, needed = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(off if high <= highest else needed)
        frame = max(self.height() - self.viewport().height(), 0)  # below 0 before a new layout
        edges = ceil(2 * document.documentMargin()) + frame
        self.setFixedHeight(min(max(high, pitch * self._lines), highest) + edges)


@exception_safe
class _LiveNumbers(QSyntaxHighlighter):
    """Colours `{a.grad}` as a gradient and `{a}` as a value."""

    def __init__(self, style: Style, document: QTextDocument) -> None:
        super().__init__(document)
        self._style = style

    def highlightBlock(self, text: str) -> None:
        start = text.find("{")
        while start >= 0 and (end := text.find("}", start)) > 0:
            shape, theme = QTextCharFormat(), self._style.theme
            inside = text[start + 1 : end]
            shape.setForeground(theme.value if "." not in inside else theme.gradient)
            shape.setFont(self._style.font("code"))
            self.setFormat(start, end - start + 1, shape)
            start = text.find("{", end)


def text_button(text: str, tooltip: str) -> QPushButton:
    """Return a button with a text and a tooltip; Enter presses it, too."""
    button = push_button(text)
    button.setToolTip(tooltip)
    button.setAccessibleDescription(tooltip)
    return button


def tick_box(text: str, on_click: Callable[[bool], object]) -> QCheckBox:
    """Return a box that calls `on_click` when the user ticks or unticks it; Enter does, too."""
    tick = QCheckBox(text)
    PressedByEnter(tick)
    tick.clicked.connect(on_click)
    return tick


@exception_safe
class FieldLabel(QWidget):
    """The label before a field, of the same width for all fields."""

    def __init__(self, style: Style, text: str) -> None:
        super().__init__()
        self._style = style
        in_row((plain_label(text, "caption"), 1), parent=self, gap=0)
        style.run_now_and_on_change(self._restyle)

    def _restyle(self) -> None:
        self.setMinimumWidth(self._style.px(_LABEL_WIDTH))


def labelled(style: Style, text: str, field: QWidget) -> QWidget:
    """Return a row of a label and a field."""
    row = QWidget()
    is_high = isinstance(field, QPlainTextEdit)
    edge = Qt.AlignmentFlag.AlignTop if is_high else Qt.AlignmentFlag.AlignVCenter
    in_row((FieldLabel(style, text), edge), (field, 1), parent=row, style=style, gap=4)
    return row
