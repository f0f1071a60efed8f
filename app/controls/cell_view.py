"""CellView: the source of a cell or file, read only, with one of its lines lit."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QTextBlock, QTextCursor, QTextFormat
from PySide6.QtWidgets import QTextEdit

from app.controls.focus import NAVIGATION_KEYS, claim_keys
from app.guard import exception_safe
from app.style.current import Style
from engine.errors import one_line


@exception_safe
class CellView(QTextEdit):
    """The source of a program, read only, with one of its lines lit and in sight."""

    line_chosen = Signal(int)
    """Emitted with the line, counted from 1, that a click or a key leads to."""

    def __init__(self, style: Style, name: str, most_lines: int) -> None:
        """A longer source scrolls."""
        super().__init__()
        self._style, self._most_lines = style, most_lines
        self._line, self._role = 0, "firing"
        self.setReadOnly(True)
        by_keys = Qt.TextInteractionFlag.TextSelectableByKeyboard
        self.setTextInteractionFlags(self.textInteractionFlags() | by_keys)
        claim_keys(self, *NAVIGATION_KEYS)
        self.setProperty("kind", "code")
        self.setLineWrapMode(QTextEdit.LineWrapMode.NoWrap)
        self.setAccessibleName(name)
        self.cursorPositionChanged.connect(self._on_cursor)
        style.run_now_and_on_change(self._restyle)

    def show_line(self, text: str, line: int, role: str = "firing") -> None:
        """Show a source, with a line, counted from 1, lit in a colour of the theme."""
        self.blockSignals(True)
        lines = text.split("\n")  # as Python counts them
        text = "\n".join(s if s.isprintable() else one_line(s.expandtabs()) for s in lines)
        if text != self.toPlainText():
            self.setPlainText(text)
        self.light(line, role)
        block = self.document().findBlockByNumber(line - 1)
        if block.isValid() and block != self.textCursor().block():
            self.setTextCursor(QTextCursor(block))
        self.blockSignals(False)

    def light(self, line: int, role: str) -> None:
        """Light a line in a colour of the theme, wherever the cursor is; 0 lights none."""
        self._line, self._role = line, role
        self._restyle()

    def _on_cursor(self) -> None:
        self.line_chosen.emit(self.textCursor().blockNumber() + 1)

    def _restyle(self) -> None:
        self.setFont(self._style.font("code"))
        lines = min(self.document().blockCount() + 2, self._most_lines)  # two for the scroll bar
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + self._style.px(14))
        block = self.document().findBlockByNumber(self._line - 1)
        color = getattr(self._style.theme, self._role)
        self.setExtraSelections([line_highlight(block, color)] if block.isValid() else [])


def line_highlight(block: QTextBlock, color: QColor) -> QTextEdit.ExtraSelection:
    """Return the highlight of a whole line of a text."""
    found = QTextEdit.ExtraSelection()  # PySide's stubs lack its fields
    found.cursor = QTextCursor(block)  # type: ignore[attr-defined]
    found.format.setBackground(color)  # type: ignore[attr-defined]
    found.format.setProperty(QTextFormat.Property.FullWidthSelection, True)  # type: ignore[attr-defined]
    return found
