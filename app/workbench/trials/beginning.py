"""Beginning: draws friendly numbers for the leaves of a formula that was typed without values.

The formula is shown at once, its leaves without values until they are drawn; the numbers join its
undo step. Those not found in time are offered, and the leaves are 2, 3, 4 …
"""

from __future__ import annotations

from collections.abc import Collection, Generator
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from app.controls.slices import Slices
from app.document.document import Document
from app.document.typed_formulas import DrawnNumbers
from app.workbench.modes.mode import STEPPING
from app.workbench.playback.playback import Playback
from app.workbench.playback.view_state import ViewState
from engine.asking.question import LEVELS, Kind
from engine.edits import subgraph
from engine.graph import Graph
from engine.rules import Rules

if TYPE_CHECKING:
    from engine.asking.friendly import Friendly


class FriendlySearch(QObject):
    """One search at a time, for the graph of a document; an edit of the document ends it."""

    found = Signal(object, int)
    """Emitted with the Friendly numbers and their seed, while the document is as it was."""
    running_changed = Signal(bool)
    """Emitted with True when a search begins that is not over at once, with False at its end."""

    def __init__(
        self, document: Document, playback: Playback, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._graph: Graph | None = None
        self._seed = 0
        self._emitted_running = False
        self._slices = Slices(self)
        self._slices.finished.connect(self._finish)
        playback.shown.connect(self._follow)

    @property
    def running(self) -> bool:
        return self._slices.active

    def begin(self, kinds: tuple[Kind, ...], rules: Rules, seed: int) -> None:
        """Search numbers for the document's graph; cancels a running search."""
        from engine.asking.friendly import friendly_search

        self._start(friendly_search(self._document.graph, seed, kinds, rules), seed)

    def begin_for(
        self, graph: Graph, leaves: Collection[int], seed: int, after: int | None = None
    ) -> None:
        """Search numbers for `leaves` in a subgraph of the document, after a delay in ms."""
        from engine.asking.friendly import friendly_search

        kinds = LEVELS["whole step"].kinds  # whatever is asked about a step later
        self._start(friendly_search(graph, seed, kinds, leaves=leaves), seed, after)

    def _start(
        self, search: Generator[None, None, Friendly], seed: int, after: int | None = None
    ) -> None:
        self.cancel()
        self._graph, self._seed = self._document.graph, seed
        self._slices.start(search, after)
        if self.running:
            self._emitted_running = True
            self.running_changed.emit(True)

    def cancel(self) -> None:
        self._slices.cancel()
        if self._emitted_running:
            self._emitted_running = False
            self.running_changed.emit(False)

    def _follow(self, _shown: ViewState) -> None:
        if self.running and self._graph is not self._document.graph:
            self.cancel()

    def _finish(self, found: Friendly) -> None:
        self.found.emit(found, self._seed)
        if not self.running:  # only now: until then the leaves may be shown without values
            self.cancel()


FIRST_SEED: Final = 1
"""The seed of the numbers that a formula begins with; `Other numbers` takes the next ones."""
MOST_NODES: Final = 24
"""Nodes of a graph up to which numbers are drawn unasked: in about half a second."""
LONGEST_MS = 600
"""Longest time for which leaves are shown without values."""
_NO_OTHERS: Final = "No other numbers were found with which each answer differs from its slips."


class Beginning(QObject):
    """The numbers with which one document's formulas begin."""

    said = Signal(str)
    """Emitted with a sentence for the user when no other numbers were found."""

    def __init__(
        self, document: Document, playback: Playback, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._playback = document, playback
        self._gesture = 0
        """The undo gesture of typing the formula, with which the numbers merge; 0 after that."""
        self._search = FriendlySearch(document, playback, self)
        self._search.found.connect(self._set_numbers)
        self._search.running_changed.connect(self._withhold)
        self._deadline = QTimer(self)
        self._deadline.setSingleShot(True)
        self._deadline.timeout.connect(self._search.cancel)
        document.typed_without_values.connect(self._begin)
        playback.shown.connect(self._follow)

    @property
    def now(self) -> DrawnNumbers | None:
        """Return the typed formula and its drawn numbers, if the graph is still that; else None."""
        return self._document.number_draws.of(self._document.graph)

    @property
    def running(self) -> bool:
        """Return whether numbers are being drawn."""
        return self._search.running

    def act(self, name: str) -> None:
        """Perform the action of a button of the strip: "ones" or "others"."""
        (self.set_ones if name == "ones" else self.draw_others)()

    def draw_others(self) -> None:
        """Draw other numbers for the same leaves, as a step of its own."""
        now = self.now
        if now is None or self.running or self._document.refuse_if_locked():
            return
        self._gesture = 0
        self._search.begin_for(active_subgraph(now.graph), now.leaves, now.seed + 1)

    def set_ones(self) -> None:
        """Set the same leaves to 1, as a step of its own."""
        if (now := self.now) is not None:
            self._document.renumber("All 1", now, dict.fromkeys(now.leaves, 1.0))

    def _begin(self, begun: DrawnNumbers, gesture: int) -> None:
        graph = active_subgraph(begun.graph)
        if len(graph.nodes) <= MOST_NODES:
            self._gesture = gesture
            # a search never finds the numbers it starts from; it may find 2, 3, 4 …, but not all 1
            ones = graph.with_values(dict.fromkeys(begun.leaves, 1.0))
            self._search.begin_for(ones, begun.leaves, FIRST_SEED, after=0)
            self._deadline.start(LONGEST_MS)

    def _withhold(self, running: bool) -> None:
        """Show the leaves without values while the first numbers are drawn."""
        now = self.now if running and self._gesture else None
        self._playback.withhold(now.leaves if now is not None else ())
        if not running:
            self._deadline.stop()

    def _set_numbers(self, found: Friendly, seed: int) -> None:
        """Set the leaves to the numbers found, merged with the typing or as a step of its own."""
        now = self.now
        if now is None:
            return
        begun = replace(now, seed=seed)
        if not found.changed:
            self._document.number_draws.remember(begun)
            if not self._gesture:
                self.said.emit(_NO_OTHERS)
            return
        drawn = DrawnNumbers(found.graph, now.leaves).numbers
        values = dict(zip(now.leaves, drawn, strict=True))
        if self._gesture:
            self._document.replace_drawn_numbers(begun, values, self._gesture)
        else:
            self._document.renumber("Other numbers", begun, values)

    def _follow(self, shown: ViewState) -> None:
        """Cancel the search once a pass or a mode begins, or the file is to stay as saved."""
        is_saved = shown.change.file and self._document.current.is_saved
        if is_saved or shown.frame.phase != "live" or shown.mode is not STEPPING:
            self._search.cancel()


def active_subgraph(graph: Graph) -> Graph:
    if graph.root is None or graph.active_root is None:
        return graph
    return subgraph(graph, (*graph.plan(graph.root).order, graph.active_root))
