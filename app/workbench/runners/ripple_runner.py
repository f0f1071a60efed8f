"""RippleRunner: begins, changes and ends a ripple, the forward propagation of a small change."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer

from app.document.document import Document
from app.document.sheet import is_large
from app.workbench.playback.playback import Playback
from app.workbench.selection import Selection
from engine.asking.nudge import OFFERED_CHANGES, USUAL_CHANGE, RippleRequest
from engine.graph import Root

_ASKED = "Not now: it would show what is asked."
_LOOP = "Not during Descent: it changes the numbers itself."
_NO_LEAF = "There is no leaf yet whose value could change."
_NO_VALUE = "{node} has no value yet."


class RippleRunner(QObject):
    """The ripple of the selected node, or of the first leaf; its change stays chosen."""

    def __init__(
        self,
        document: Document,
        playback: Playback,
        selection: Selection,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._playback, self._selection = playback, selection
        self.change = USUAL_CHANGE
        """The change that is added to the number."""
        self._deferred_follow = QTimer(self)
        self._deferred_follow.setSingleShot(True)
        self._deferred_follow.timeout.connect(self._follow)
        selection.changed.connect(self._follow_soon)
        document.value_held.connect(playback.hold_value)
        document.value_released.connect(playback.release_value)

    @property
    def on(self) -> bool:
        """Return whether a ripple is shown; not that of a value that is dragged."""
        return self._playback.ripple_request is not None

    def toggle(self, node: int | None = None) -> None:
        """Begin the ripple of a node, the selected one or the first leaf; end the one that is on.

        While a value is hidden, or there is none, say why not.
        """
        if self.on:
            self.end()
            return
        playback = self._playback
        now, graph = playback.now, playback.frame.graph
        if node is None:
            node = self._chosen()
        if now.hides_numbers:
            playback.said.emit(_ASKED)
        elif now.loop is not None:
            playback.said.emit(_LOOP)
        elif node is None:
            playback.said.emit(_NO_LEAF)
        elif node not in now.values:
            playback.said.emit(_NO_VALUE.format(node=graph.title(node)))
        else:
            playback.set_ripple(RippleRequest(node, self.change))

    def take(self, change: float | None) -> None:
        """Set the change of the ripple; with None begin or end it."""
        if change is None:
            self.toggle()
        else:
            self.set_change(change)

    def end(self) -> bool:
        """End the ripple; return whether one was on."""
        was_on = self.on
        self._playback.set_ripple(None)
        return was_on

    def set_change(self, change: float) -> None:
        """Set the change, also of the ripple that is on."""
        self.change = change
        request = self._playback.ripple_request
        if request is not None:
            self._playback.set_ripple(replace(request, change=change))

    def lower(self) -> None:
        """Choose the next smaller change, cyclically."""
        index = OFFERED_CHANGES.index(self.change) if self.change in OFFERED_CHANGES else -1
        self.set_change(OFFERED_CHANGES[(index + 1) % len(OFFERED_CHANGES)])

    # private

    def _chosen(self) -> int | None:
        """Return the selected node (a Root's input), or else the first leaf."""
        graph, only = self._playback.frame.graph, self._selection.only
        found = None if only is None else graph.nodes.get(only)
        if isinstance(found, Root):
            only = found.input
        return next(iter(graph.leaves), None) if only is None else only

    def _follow_soon(self) -> None:
        """Follow the selection, in a large graph once the click is handled."""
        if not self.on:
            return
        if is_large(self._playback.frame.graph):
            self._deferred_follow.start(0)
        else:
            self._follow()

    def _follow(self) -> None:
        request, only = self._playback.ripple_request, self._selection.only
        node = None if only is None else self._chosen()  # without a selection it stays
        if request is not None and node is not None and node in self._playback.now.values:
            self._playback.set_ripple(RippleRequest(node, request.change))
