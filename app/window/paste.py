"""The paste dialog: the graph that a text from outside would make, before it is added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout

from app.document.clipboard import pasted
from app.panels.welcome.formula_box import Preview
from app.style import sizes
from engine.errors import EngineError
from engine.formats.native import Drawing

if TYPE_CHECKING:
    from app.window.main_window import MainWindow


class PasteDialog(QDialog):
    """Shows the text, which may be mended, and its graph; `wanted` carries the Drawing."""

    wanted = Signal(object)

    def __init__(self, window: MainWindow, text: str) -> None:
        super().__init__(window)
        self._look = window.look
        self._drawing: Drawing | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Paste as a graph")
        self.field = QPlainTextEdit(text)
        self.field.setProperty("kind", "code")
        self.field.setFont(window.look.font("code"))
        self.field.setTabChangesFocus(True)
        self.field.setAccessibleName("Text from the clipboard")
        self.preview = Preview(window.look)
        self.note = QLabel()
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setWordWrap(True)
        self.note.setProperty("kind", "error")
        self._buttons = QDialogButtonBox()
        self.button = self._buttons.addButton("Paste", QDialogButtonBox.ButtonRole.AcceptRole)
        self._buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self._lay_out()
        self._buttons.accepted.connect(self._accept)
        self._buttons.rejected.connect(self.reject)
        self.field.textChanged.connect(self._read)
        self._read()
        self.button.setDefault(True)
        self.button.setFocus()

    def _lay_out(self) -> None:
        px = self._look.px
        column = QVBoxLayout(self)
        margin = px(sizes.SPACES[3])
        column.setContentsMargins(margin, margin, margin, margin)
        column.setSpacing(px(sizes.SPACES[2]))
        column.addWidget(self.field, 1)
        column.addWidget(self.preview, 2)
        column.addWidget(self.note)
        column.addWidget(self._buttons)
        self.resize(px(520), px(440))

    def _read(self) -> None:
        """Show the graph, or say why there is none."""
        sentence = ""
        try:
            self._drawing = pasted(self.field.toPlainText())
        except EngineError as error:
            self._drawing, sentence = None, str(error)
        self.preview.show_graph(self._drawing.graph if self._drawing else None)
        self.note.setText(sentence)
        self.note.setVisible(bool(sentence))
        self.button.setEnabled(self._drawing is not None)

    def _accept(self) -> None:
        if self._drawing is not None:
            self.wanted.emit(self._drawing)
            self.accept()
