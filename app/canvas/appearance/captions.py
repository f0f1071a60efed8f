"""Captions: what stands in the header of a node and beside its slots, apart from numbers."""

from __future__ import annotations

from collections.abc import Callable

from app.workbench.formulas import brief
from engine.graph import Constant, Graph, Leaf, OpNode, Root, kind_of

LENGTH = 24
"""In a longer formula the operands are shortened."""
_LONGEST = (LENGTH, 16, 10, 8, 6, 5, 4, 3)
"""The lengths, in characters, to which operands are shortened one after another."""
_LETTERED = frozenset({"sub", "div", "pow", "where_gt0"})


class Captions:
    """The titles, captions and letters of one graph; captions are kept while its wiring stays."""

    def __init__(self, graph: Graph, short: Callable[[float], str]) -> None:
        self._graph = graph
        self._short = short
        self._kept: dict[int, str] = {}

    def take_over(self, before: Captions) -> None:
        """Keep the captions of the same wiring, whose numbers are written the same way."""
        self._kept = before._kept

    def title(self, node: int) -> str:
        """What stands in the header of a node."""
        graph = self._graph
        found = graph.nodes[node]
        if isinstance(found, Root):
            return "" if found.input is None else graph.title(found.input)
        if isinstance(found, Constant | OpNode):
            return found.label
        return graph.title(node)

    def caption(self, node: int) -> str:
        """What a node is: its kind, or the formula of an op with the names of its inputs."""
        found = self._graph.nodes[node]
        if not isinstance(found, OpNode):
            return kind_of(found)
        empty = [slot for slot, source in enumerate(found.inputs) if source is None]
        if empty and len(empty) < len(found.inputs):
            return f"slot {empty[0] + 1} empty"
        if node not in self._kept:
            text = self._formula(node, found)
            sources = [self._graph.nodes[s] for s in found.inputs if s is not None]
            if any(isinstance(source, Constant) for source in sources):
                return text  # the number of a constant may change
            self._kept[node] = text
        return self._kept[node]

    def letters(self, node: int) -> tuple[str, ...]:
        """The letters of slots that can't be swapped."""
        found = self._graph.nodes[node]
        if not isinstance(found, OpNode) or found.op not in _LETTERED:
            return ()
        return self._graph.op(node).slots

    # private

    def _formula(self, node: int, found: OpNode) -> str:
        """The formula with its operands, shortened as far as it takes to fit."""
        op, text = self._graph.op(node), ""
        for longest in _LONGEST:
            operands = ["?" if s is None else self._operand(s, longest) for s in found.inputs]
            text = op.filled(op.formula, operands)
            if len(text) <= LENGTH:
                break
        return text

    def _operand(self, node: int, longest: int) -> str:
        """An operand in a formula: a name, shortened, or the number of a constant, which is not."""
        graph = self._graph
        found = graph.nodes[node]
        if isinstance(found, Constant) and not found.label:
            return self._short(found.value)
        title = graph.label(node) or (graph.title(node) if isinstance(found, Leaf) else "…")
        return brief(title, longest)
