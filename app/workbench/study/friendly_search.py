"""FriendlySearch: draws friendly numbers in slices, so that the window goes on meanwhile."""

from __future__ import annotations

from collections.abc import Collection, Generator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.controls.slices import Slices
from app.document.change import Change
from app.document.document import Document
from engine.graph import Graph
from engine.rules import Rules
from engine.study.question import LEVELS, Kind

if TYPE_CHECKING:
    from engine.study.friendly import Friendly


class FriendlySearch(QObject):
    """One search at a time, for the graph of a document; an edit of the document ends it."""

    found = Signal(object, int)
    """Emitted with the Friendly numbers and their seed, while the document is as it was."""
    lasts = Signal(bool)
    """Emitted when a search goes on beyond its first slice, and again when it is over."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._graph: Graph | None = None
        self._seed = 0
        self._lasts = False
        self._slices = Slices(self)
        self._slices.finished.connect(self._finish)
        document.changed.connect(self._follow)

    @property
    def running(self) -> bool:
        """Return whether a search goes on."""
        return self._slices.active

    def begin(self, kinds: tuple[Kind, ...], rules: Rules, seed: int) -> None:
        """Search numbers for the document's graph; a search that goes on is given up."""
        from engine.study.friendly import searched

        self._start(searched(self._document.graph, seed, kinds, rules), seed)

    def begin_for(
        self, graph: Graph, leaves: Collection[int], seed: int, after: int | None = None
    ) -> None:
        """Search numbers for some leaves of a part of it, from `after` ms on."""
        from engine.study.friendly import searched

        kinds = LEVELS["whole step"].kinds
        self._start(searched(graph, seed, kinds, leaves=leaves), seed, after)

    def _start(
        self, search: Generator[None, None, Friendly], seed: int, after: int | None = None
    ) -> None:
        self.cancel()
        self._graph, self._seed = self._document.graph, seed
        self._slices.start(search, after)
        if self.running:
            self._lasts = True
            self.lasts.emit(True)

    def cancel(self) -> None:
        """Give the search up."""
        self._slices.cancel()
        if self._lasts:
            self._lasts = False
            self.lasts.emit(False)

    def _follow(self, _change: Change) -> None:
        if self.running and self._graph is not self._document.graph:
            self.cancel()

    def _finish(self, found: Friendly) -> None:
        self.cancel()
        self.found.emit(found, self._seed)
