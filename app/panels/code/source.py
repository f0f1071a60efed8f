"""SourceView: the graph as one function, with the lines of the selected nodes lit."""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtGui import (
    QColor,
    QSyntaxHighlighter,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QTextEdit

from app.guard import guarded
from app.style.current import Style
from app.workbench.selection import Selection
from engine.errors import EngineError
from engine.graph import Graph, OpNode

NO_ROOT: Final = "Choose a root: the number whose gradients the program returns."
READABLE: Final = 200
"""Operations up to which source is shown: some screens of it."""
_TEXT, _LINE = 11, 21
"""Size of the text and height of a line, in px at 100 %; a line with its comment is long."""
_TOO_MANY: Final = "{count:,} operations are too many to read; up to {limit} are shown."
_WORDS: Final = (
    (re.compile(r"\bv\d+\b"), "value"),
    (re.compile(r"\bg\d+\b"), "gradient"),
    (re.compile(r"\b(?:def|return|if|else)\b"), "text"),
    (re.compile(r"#.*"), "secondary"),
)
_TARGET: Final = re.compile(r"\s*[vg](\d+) [+-]?= ")


@guarded
class SourceView(QTextEdit):
    """Lines for values, then for gradients; a selected node has its lines lit."""

    def __init__(self, style: Style, selection: Selection) -> None:
        super().__init__()
        self._style, self._selection = style, selection
        self._graph: Graph | None = None
        self._said = ""
        self.document().setDocumentMargin(0)
        self.setReadOnly(True)
        self.setProperty("kind", "code")
        self.setLineWrapMode(QTextEdit.LineWrapMode.NoWrap)
        self.setAccessibleName("Source of the program")
        self._colors = _Colors(style, self)
        style.changed.connect(self._restyle)
        self._restyle()

    def show_graph(self, graph: Graph) -> str:
        """Show the source of a graph; return a sentence about it, or on why there is none."""
        if graph is not self._graph:
            self._graph = graph
            text, self._said = _source(graph)
            if text != self.toPlainText():
                self.setPlainText(text)
                self._space_lines()
            self.light()
        return self._said

    def light(self) -> None:
        """Light the lines that compute the selected nodes and their gradients."""
        theme, found = self._style.theme, list[QTextEdit.ExtraSelection]()
        block = self.document().firstBlock()
        while block.isValid():
            target = _TARGET.match(block.text())
            if target is not None and int(target[1]) in self._selection.nodes:
                is_value = block.text().lstrip().startswith("v")
                found.append(_lit(block, theme.value_tint if is_value else theme.firing))
            block = block.next()
        self.setExtraSelections(found)
        if found:
            self.setTextCursor(found[0].cursor)  # type: ignore[attr-defined]

    def _space_lines(self) -> None:
        fixed = QTextBlockFormat.LineHeightTypes.FixedHeight.value
        form = QTextBlockFormat()
        form.setLineHeight(self._style.px(_LINE), fixed)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(form)

    def _restyle(self) -> None:
        font = self._style.font("code")
        font.setPixelSize(self._style.px(_TEXT))
        self.setFont(font)
        self._space_lines()
        self._colors.rehighlight()
        self.light()


@guarded
class _Colors(QSyntaxHighlighter):
    """Values blue, gradients orange, comments secondary: as numbers on the sheet."""

    def __init__(self, style: Style, code: QTextEdit) -> None:
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
        return "", NO_ROOT
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
