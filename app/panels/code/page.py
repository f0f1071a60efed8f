"""CodePage: the pass as code with the line of the step lit, or the graph as one function."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget

from app.controls.keys import PressedByEnter
from app.controls.layouts import in_column, in_row, plain_label
from app.controls.panel import Page
from app.controls.segmented import Segmented
from app.guard import guarded
from app.panels.code.source import NO_ROOT, SourceView
from app.panels.code.steps import CodeView
from app.style import sizes
from app.style.current import Style
from app.workbench.gradients.listing import Listing
from app.workbench.playback.playback import Playback
from app.workbench.selection import Selection

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
        edges = (sizes.PAGE_EDGE, 10, sizes.PAGE_EDGE, 12)
        in_column(*parts, parent=whole, style=style, edges=edges, gap=8)
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
