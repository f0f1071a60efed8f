"""UnfoldEdits: opens an operation in place into the simpler ones it is made of, and closes it."""

from __future__ import annotations

from collections.abc import Callable

from app.document.change import about
from app.document.history import History, StepName
from app.document.sheet import Sheet
from engine.graph import Graph
from engine.study.unfold import can_unfold, fold, foldable, unfold

Placed = Callable[[frozenset[int], int], object]
"""Is told of nodes that are placed roughly, and of the gesture to which a better layout belongs."""


class UnfoldEdits:
    """Opens and closes operations on the sheet of one history, each as one undo step.

    The graph is laid out again in the same step: the parts take far more room than the node did.
    """

    def __init__(self, history: History, placed: Placed) -> None:
        self._history = history
        self._placed = placed

    def open(self, node: int) -> bool:
        """Replace an operation by its parts."""
        return self._edit(about("Unfold {node}", node=node), lambda g: unfold(g, node))

    def close(self, node: int, op: str | None = None) -> bool:
        """Replace the parts that end in a node by their operation: `op`, or the largest."""
        return self._edit(about("Fold {node}", node=node), lambda g: fold(g, node, op))

    def can_open(self, node: int) -> bool:
        """Return whether a node is made of simpler operations."""
        return can_unfold(self._history.graph, node)

    def closes_to(self, node: int) -> list[str]:
        """Return the operations whose parts end in a node, the largest first."""
        return foldable(self._history.graph, node)

    def _edit(self, text: StepName, edit: Callable[[Graph], Graph]) -> bool:
        from app.document.place_new_nodes import place_new_nodes

        gesture = self._history.new_gesture()

        def step(sheet: Sheet) -> Sheet:
            graph = edit(sheet.graph)
            fresh = graph.nodes.keys() - sheet.graph.nodes.keys()
            return sheet.with_graph(graph, place_new_nodes(graph, sheet.positions, fresh))

        done = self._history.commit(text, step, gesture)
        if done:
            self._placed(frozenset(self._history.graph.nodes), gesture)
        return done
