"""NotesPane: the speaker's notes of a mark, in a font size that the speaker chooses."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QTextBlockFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QPushButton, QTextEdit, QWidget

from app.controls.layouts import in_column, in_row
from app.style.current import Style
from app.style.fonts import with_features
from app.window.settings import NOTES_SIZES

_PARAGRAPH: Final = 0.5
"""Space below a paragraph, as a share of the font size."""
_NO_NOTES: Final = "This mark has no notes."


class NotesPane(QFrame):
    """The notes as selectable plain text, and two buttons for their font size."""

    resized = Signal(int)
    """Emitted with the chosen font size in px at 100 %."""

    def __init__(self, style: Style, size: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._size = size
        self._notes = ""
        self.setProperty("kind", "card")
        self.text = QTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setAcceptRichText(False)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setProperty("kind", "notes")
        self.text.setAccessibleName("Notes")
        self.text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        flags = Qt.TextInteractionFlag.TextSelectableByMouse
        self.text.setTextInteractionFlags(flags | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        self.smaller = self._button("A−", "Smaller notes", -1)
        self.larger = self._button("A+", "Larger notes", +1)
        row = in_row(1, self.smaller, self.larger, style=style, edges=0, gap=0)
        in_column((self.text, 1), row, parent=self, style=style, edges=(8, 8, 8, 6), gap=4)
        style.changed.connect(self._write)
        self._write()

    def show_notes(self, notes: str) -> None:
        """Show the notes of a mark, scrolled to their beginning."""
        if notes != self._notes:
            self._notes = notes
            self._write()

    def scroll_by(self, steps: int) -> None:
        """Scroll by thirds of the visible height: positive steps down."""
        bar = self.text.verticalScrollBar()
        bar.setValue(bar.value() + steps * max(bar.pageStep() // 3, 1))

    def change_size(self, steps: int) -> None:
        """Choose a size some steps of `NOTES_SIZES` larger."""
        nearest = min(NOTES_SIZES, key=lambda size: abs(size - self._size))
        index = NOTES_SIZES.index(nearest) + steps
        size = NOTES_SIZES[min(max(index, 0), len(NOTES_SIZES) - 1)]
        if size != self._size:
            self._size = size
            self._write()
            self.resized.emit(size)

    def _button(self, text: str, name: str, steps: int) -> QPushButton:
        button = QPushButton(text, self)
        button.setProperty("kind", "quiet")
        button.setProperty("small", "true")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(name)
        button.setToolTip(name)
        button.clicked.connect(lambda: self.change_size(steps))
        return button

    def _write(self) -> None:
        """Write the notes in their font size, with space between paragraphs."""
        pixels = self._style.px(self._size)
        font = self._style.font("interface")
        font.setPixelSize(pixels)
        self.text.setPlainText(self._notes or _NO_NOTES)
        block = QTextBlockFormat()
        block.setBottomMargin(_PARAGRAPH * pixels)
        block.setLineHeight(122.0, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor = QTextCursor(self.text.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(block)
        theme = self._style.theme
        character = cursor.charFormat()
        character.setFont(with_features(font))
        character.setForeground(theme.text if self._notes else theme.secondary)
        cursor.mergeCharFormat(character)
        self.smaller.setEnabled(self._size > NOTES_SIZES[0])
        self.larger.setEnabled(self._size < NOTES_SIZES[-1])
