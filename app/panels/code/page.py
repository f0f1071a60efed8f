"""CodePage: the pass as code with the line of the step lit, or the graph as one function."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QSyntaxHighlighter,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QTextEdit, QWidget

from app.controls.keys import PressedByEnter
from app.controls.layouts import in_column, in_row, plain_label
from app.controls.panel import EDGE, Page
from app.controls.segmented import Segmented
from app.guard import guarded
from app.panels.code.steps import CodeView
from app.style.current import Style
from app.workbench.gradients.listing import Listing
from app.workbench.playback.playback import Playback
from app.workbench.selection import Selection
from engine.errors import EngineError
from engine.graph import Graph, OpNode

_ALL = 1000
"""Stretch of the code, which gets its height before the sentence below."""
CLICK = "A click on a line goes to its step. Lines after this step are grey."


@guarded
class CodePage(Page):
    """Two faces: Steps, one line per step; Source, the graph compiled to one function."""

    def __init__(self, style: Style, playback: Playback, selection: Selection) -> None:
        super().__init__(style, "Code")
        self._playback = playback
        self._is_source = False
        self.face = Segmented(style, (("steps", "Steps"), ("source", "Source")), "Face")
        self.steps = CodeView(style)
        self.source = SourceView(style, selection)
        self.heading = plain_label(kind="strong")
        self.copy = QPushButton("Copy")
        PressedByEnter(self.copy)
        self.words = plain_label(kind="secondary", wraps=True)
        whole = QWidget()
        head = in_row((self.heading, 1), self.copy)
        parts = (self.face, head, (self.steps, _ALL), (self.source, _ALL), self.words, 1)
        in_column(*parts, parent=whole, style=style, edges=(EDGE, 10, EDGE, 12), gap=8)
        self.add((whole, 1))
        self.face.chosen.connect(self.show_face)
        self.copy.clicked.connect(self._copy)
        self.steps.step_chosen.connect(partial(playback.go, pause=True))
        self.follow(playback.shown)
        selection.changed.connect(self.source.light)

    def show_face(self, name: str) -> None:
        """Show steps or source."""
        self.face.set_choice(name)
        self._is_source = name == "source"
        self.refresh_if_visible()

    def text(self) -> str:
        """Return the code that is shown."""
        return self.source.toPlainText() if self._is_source else self.steps.text()

    def refresh(self) -> None:
        """Show the code of the face that is chosen."""
        frame = self._playback.frame
        if self._is_source:
            said = self.source.show_graph(self._playback.now.sheet.graph)
            some = not self.source.document().isEmpty()
            self.heading.setText("One function")
        else:
            listing = Listing(frame, self._style.digits)
            self.steps.show_listing(listing)
            some = len(listing) > 0
            said = CLICK if some else NO_ROOT
            self.heading.setText("One line per step")
        self.words.setText(said)
        self.steps.setVisible(some and not self._is_source)
        self.source.setVisible(some and self._is_source)
        self.copy.setEnabled(some)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text())


NO_ROOT: Final = "Choose a root: the number whose gradients the program returns."
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
class SourceView(QPlainTextEdit):
    """Lines for values, then for gradients; a selected node has its lines lit."""

    def __init__(self, style: Style, selection: Selection) -> None:
        super().__init__()
        self._style, self._selection = style, selection
        self._graph: Graph | None = None
        self._said = ""
        self.setReadOnly(True)
        self.setProperty("kind", "code")
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
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

    def _restyle(self) -> None:
        self.setFont(self._style.font("code"))
        self._colors.rehighlight()
        self.light()


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
