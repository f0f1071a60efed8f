"""FriendlySearch: draws friendly numbers in slices, so that the window goes on meanwhile."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.document.document import Document
from engine.graph import Graph
from engine.rules import Rules
from engine.study.question import Kind

if TYPE_CHECKING:
    from engine.study.friendly import Friendly

SLICE = 0.008
"""Seconds of a slice: half a frame, so that the hand on the mouse feels nothing."""


class FriendlySearch(QObject):
    """One search at a time, for the graph of a document; an edit of the document ends it."""

    found = Signal(object, int)
    """Emitted with the Friendly numbers and their seed, while the document is as it was."""
    lasts = Signal(bool)
    """Emitted when a search goes on beyond its first slice, and again when it is over."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._search: Generator[None, None, Friendly] | None = None
        self._graph: Graph | None = None
        self._seed = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._go_on)

    @property
    def running(self) -> bool:
        """Return whether a search goes on."""
        return self._search is not None

    def begin(self, kinds: tuple[Kind, ...], rules: Rules, seed: int) -> None:
        """Search numbers for the document's graph; a search that goes on is given up."""
        from engine.study.friendly import searched

        self.cancel()
        self._graph, self._seed = self._document.graph, seed
        self._search = searched(self._graph, seed, kinds, rules)
        self._go_on()
        if self.running:
            self.lasts.emit(True)
            self._timer.start(0)

    def cancel(self) -> None:
        """Give the search up."""
        self._search = self._graph = None
        if self._timer.isActive():
            self._timer.stop()
            self.lasts.emit(False)

    def _go_on(self) -> None:
        """Search for one slice."""
        if self._search is None or self._graph is not self._document.graph:
            self.cancel()
            return
        until = perf_counter() + SLICE
        try:
            while perf_counter() < until:
                next(self._search)
        except StopIteration as end:
            self.cancel()
            self.found.emit(end.value, self._seed)
