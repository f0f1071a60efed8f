"""TimeMachine: breakpoints on nodes, and jumps to the steps that decide a gradient."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.document.document import Document
from app.workbench.playback.playback import Playback
from app.workbench.playback.view_state import ViewState
from engine.errors import EngineError
from engine.graph import Graph, Root
from engine.trace import Computed, Event, Trace, run_within_limit

_NO_MORE_STOPS = "No breakpoint is reached any more in this pass."
_NO_BREAKPOINTS = "No node has a breakpoint: select one and press F9."
_NO_CONTRIBUTION = "No contribution comes to {node} in this pass."
_NEVER_WRONG = "{node} is never wrong in this pass."


class TimeMachine(QObject):
    """Sets the breakpoints of the document, at which it pauses a pass; they are not saved."""

    changed = Signal()
    """Emitted after a breakpoint was set or cleared."""

    def __init__(
        self, document: Document, playback: Playback, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._playback = document, playback
        playback.shown.connect(self._follow)

    @property
    def breakpoints(self) -> frozenset[int]:
        """Return the nodes at which a pass stops."""
        return self._document.home.stops

    def toggle(self, node: int) -> None:
        """Set or clear the breakpoint of a node; a Root stands for its input."""
        graph = self._playback.frame.graph
        found = graph.nodes.get(node)
        if isinstance(found, Root) and found.input is not None:
            node = found.input
        self._set(self.breakpoints ^ {node})

    def clear(self) -> None:
        """Clear all breakpoints."""
        self._set(frozenset())

    def run_to_breakpoint(self) -> None:
        """Go to the next step at which a node with a breakpoint fires or receives."""
        playback = self._playback
        if not self.breakpoints:
            playback.said.emit(_NO_BREAKPOINTS)
            return
        if playback.phase == "live" and not playback.backward(cursor=0):
            return
        trace, cursor = playback.now.unhidden_trace, playback.cursor
        steps = _steps(trace)
        stops = (k for k in range(cursor + 1, len(steps) + 1) if self._touches(steps[k - 1]))
        stop = next(stops, None)
        if stop is None:
            playback.said.emit(_NO_MORE_STOPS)
        else:
            playback.go(stop, pause=True)

    def to_final(self, node: int) -> None:
        """Go to the step after which the gradient of a node changes no more."""
        trace = self._backward_trace()
        if trace is None:
            return
        cursors = [k for k, event in enumerate(trace.events, 1) if event.node == node]
        if cursors:
            self._go_to(cursors[-1])
        else:
            self._report(_NO_CONTRIBUTION, trace.graph, node)

    def to_first_wrong(self, node: int) -> None:
        """Go to the first step that leaves a wrong gradient in a node, under a mistake."""
        trace = self._backward_trace()
        if trace is None:
            return
        if self._playback.phase != "backward":
            self._playback.backward(cursor=0)
        comparison = self._playback.now.comparison
        wrong = () if comparison is None else comparison.wrong
        cursors = [k for k in sorted(wrong) if trace.events[k - 1].node == node]
        if cursors:
            self._go_to(cursors[0])
        else:
            self._report(_NEVER_WRONG, trace.graph, node)

    # private

    def _backward_trace(self) -> Trace | None:
        """Return the backward pass that is shown, or would be."""
        playback = self._playback
        if playback.phase == "backward":
            return playback.now.unhidden_trace
        try:
            return run_within_limit(playback.frame.graph, "backward", playback.rules)
        except EngineError as error:
            playback.said.emit(str(error))
            return None

    def _go_to(self, cursor: int) -> None:
        if self._playback.phase == "backward":
            self._playback.go(cursor, pause=True)
        else:
            self._playback.backward(cursor=cursor)

    def _report(self, template: str, graph: Graph, node: int) -> None:
        self._playback.said.emit(template.format(node=graph.title(node)))

    def _follow(self, shown: ViewState) -> None:
        """Pause a playing pass at a breakpoint; drop the breakpoints of deleted nodes."""
        left = self.breakpoints & self._document.graph.nodes.keys()
        if shown.change.whole or left != self.breakpoints:
            self._set(left)
        step = shown.frame.current
        if self.breakpoints and self._playback.playing and step is not None and self._touches(step):
            self._playback.pause()

    def _touches(self, step: Event | Computed) -> bool:
        """Return whether a node with a breakpoint fires or receives at a step."""
        if step.node in self.breakpoints:
            return True
        return isinstance(step, Event) and step.sender in self.breakpoints

    def _set(self, breakpoints: frozenset[int]) -> None:
        self._document.home.stops = breakpoints
        self.changed.emit()


def _steps(trace: Trace | None) -> tuple[Event, ...] | tuple[Computed, ...]:
    if trace is None:
        return ()
    return trace.computed if trace.phase == "forward" else trace.events
