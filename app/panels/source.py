"""The source panel: the graph as one function, with the lines of the selected nodes lit."""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QShowEvent,
    QSyntaxHighlighter,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QTextEdit, QWidget

from app.controls.keys import PressedByEnter
from app.controls.layouts import PANEL_EDGES, fill_background, in_column, in_row, plain_label
from app.document.document import Document
from app.guard import guarded
from app.style.current import Style
from app.workbench.selection import Selection
from engine.errors import EngineError
from engine.graph import Graph, OpNode

READABLE: Final = 200
"""Operations up to which source is shown: some screens of it."""
_TOO_MANY: Final = "{count:,} operations are too many to read; up to {limit} are shown."
_WORDS: Final = (
    (re.compile(r"\bv\d+\b"), "value"),
    (re.compile(r"\bg\d+\b"), "gradient"),
    (re.compile(r"\b(?:def|return|if|else)\b"), "text"),
    (re.compile(r"#.*"), "secondary"),
)
_TARGET: Final = re.compile(r"\s*[vg](\d+) [+-]?= ")


@guarded
class SourcePanel(QWidget):
    """Lines for values, then for gradients; a selected node has its lines lit."""

    def __init__(
        self, style: Style, document: Document, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._style, self._document, self._selection = style, document, selection
        self._graph: Graph | None = None
        fill_background(self, "panel")
        self.words = plain_label(kind="secondary", wraps=True)
        self.code = QPlainTextEdit()
        self.code.setReadOnly(True)
        self.code.setProperty("kind", "code")
        self.code.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.code.setAccessibleName("Source of the program")
        self.copy = QPushButton("Copy")
        PressedByEnter(self.copy)
        self._colors = _Colors(style, self.code)
        head = in_row((plain_label("Source", "heading"), 1), self.copy)
        parts = (head, self.words, (self.code, 1))
        in_column(*parts, parent=self, style=style, edges=PANEL_EDGES, gap=8)
        self.copy.clicked.connect(self._copy)
        document.changed.connect(self._refresh)
        selection.changed.connect(self._light)
        style.changed.connect(self._restyle)
        self._restyle()

    def _refresh(self) -> None:
        graph = self._document.graph
        if not self.isVisible() or graph is self._graph:
            return
        self._graph = graph
        text, said = _source(graph)
        self.words.setText(said)
        self.code.setVisible(bool(text))
        self.copy.setEnabled(bool(text))
        if text != self.code.toPlainText():
            self.code.setPlainText(text)
        self._light()

    def _light(self) -> None:
        """Light the lines that compute the selected nodes and their gradients."""
        theme, found = self._style.theme, list[QTextEdit.ExtraSelection]()
        block = self.code.document().firstBlock()
        while block.isValid():
            target = _TARGET.match(block.text())
            if target is not None and int(target[1]) in self._selection.nodes:
                is_value = block.text().lstrip().startswith("v")
                found.append(_lit(block, theme.value_tint if is_value else theme.firing))
            block = block.next()
        self.code.setExtraSelections(found)
        if found:
            self.code.setTextCursor(found[0].cursor)  # type: ignore[attr-defined]

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.code.toPlainText())

    def _restyle(self) -> None:
        self.code.setFont(self._style.font("code"))
        self._colors.rehighlight()
        self._light()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()


@guarded
class _Colors(QSyntaxHighlighter):
    """Values blue, gradients orange, comments secondary: as numbers on the sheet."""

    def __init__(self, style: Style, code: QPlainTextEdit) -> None:
        super().__init__(code.document())
        self._style = style

    def highlightBlock(self, text: str) -> None:
        for pattern, role in _WORDS:
            look = QTextCharFormat()
            look.setForeground(getattr(self._style.theme, role))
            for found in pattern.finditer(text):
                self.setFormat(found.start(), len(found[0]), look)


def _source(graph: Graph) -> tuple[str, str]:
    """Return the source of a graph, and a sentence about it or on why there is none."""
    from engine.compiled.program import Program

    if graph.root is None:
        return "", "Choose a root: the number whose gradients the program returns."
    operations = sum(isinstance(graph.nodes[n], OpNode) for n in graph.nodes)
    if operations > READABLE:
        return "", _TOO_MANY.format(count=operations, limit=READABLE)
    try:
        text = Program(graph, tier="tape").source()
    except EngineError as error:
        return "", str(error)
    return text, "The graph as one function: its values, then its gradients, without a loop."


def _lit(block: QTextBlock, color: QColor) -> QTextEdit.ExtraSelection:
    found = QTextEdit.ExtraSelection()
    found.cursor = QTextCursor(block)  # type: ignore[attr-defined]
    found.format.setBackground(color)  # type: ignore[attr-defined]
    found.format.setProperty(QTextFormat.Property.FullWidthSelection, True)  # type: ignore[attr-defined]
    return found
