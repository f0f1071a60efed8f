"""Captions: the texts in a node's header and at its slots, apart from numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from app.document.node_sizes import is_pill
from app.workbench.gradients.formulas import SIGNS, along, term
from engine.graph import ASIDE, Constant, Graph, OpNode, Root, Wire, brief, is_blank, kind_of
from engine.ops import Op

if TYPE_CHECKING:
    from app.style.derivative_notation import Notation

MAX_FORMULA_LENGTH = 24
"""Operands are shortened in formulas longer than this, in characters."""
MAX_VARIABLE_LENGTH = 8
"""Length above which the variable of a slot's derivative is shortened, in characters."""
MAX_NAME_LENGTH = 12
"""Length above which a name next to its label is shortened, in characters."""
_OPERAND_LENGTHS = (MAX_FORMULA_LENGTH, 16, 10, 8, 6, 5, 4, 3)
"""Operand lengths, in characters, one shortened formula for each."""
Operand = tuple[str, bool]
"""The text of an operand, and whether it is a number, which is never shortened."""


class NodeTexts(NamedTuple):
    """The texts of one node: label, name and formula in its header, captions at its slots."""

    label: str
    name: str
    """The name where it is not the label: `w_7` of `w · w_7`."""
    captions: tuple[str, ...]
    """The formula with its operands shortened more and more; the kind of a node that is no op."""
    slots: tuple[str, ...]
    """Per slot the caption of its local derivative (`∂/∂a`), or the letter of an empty slot."""

    @property
    def title(self) -> str:
        """Return label and name as the header says them: `w`, `w · w_7`, `v3`, or ""."""
        return ASIDE.join(part for part in (self.label, self.name) if part)


class Captions:
    """The texts of the nodes of one graph, apart from numbers; cached per node."""

    def __init__(
        self, graph: Graph, short: Callable[[float], str], notation: Notation = "partial"
    ) -> None:
        self._sign = SIGNS[notation]
        self._graph = graph
        self._short = short
        self._texts: dict[int, NodeTexts] = {}

    def reuse_caches_of(self, before: Captions) -> None:
        """Reuse the texts of `before`, whose number format is the same, if the graph is too."""
        if before._graph is self._graph and before._sign == self._sign:
            self._texts = before._texts

    def texts(self, node: int) -> NodeTexts:
        if node not in self._texts:
            self._texts[node] = NodeTexts(
                *self.label_and_name(node), self.formulas(node), self.slots(node)
            )
        return self._texts[node]

    def label_and_name(self, node: int) -> tuple[str, str]:
        """Return the label of a node, and its name where that differs.

        The header of a Root is about the node plugged into it.
        """
        graph, found = self._graph, self._graph.nodes[node]
        shown = found.input if isinstance(found, Root) else node
        if shown is None:
            return "", ""
        label = graph.label(shown)
        label = "" if is_blank(label) else label
        if is_pill(graph, shown):
            return label, ""
        name = graph.distinguishing_name(shown) if label else graph.names[shown]
        return label, brief(name, MAX_NAME_LENGTH)

    def symbol(self, node: int) -> str:
        """Return the symbol of an op; an empty text for other nodes."""
        is_op = isinstance(self._graph.nodes[node], OpNode)
        return self._graph.op(node).symbol if is_op else ""

    def formulas(self, node: int) -> tuple[str, ...]:
        """Return the formula of an op by its inputs' names, then shorter and shorter forms of it.

        For another node return its kind, for an op with some empty slots the first of them.
        """
        found = self._graph.nodes[node]
        if not isinstance(found, OpNode):
            return (kind_of(found),)
        empty = [slot for slot, source in enumerate(found.inputs) if source is None]
        if empty and len(empty) < len(found.inputs):
            return (f"slot {empty[0] + 1} empty",)
        operands = tuple([self._operand(source) for source in found.inputs])
        texts = _formulas(self._graph.op(node), operands)
        # those that are too long are left out; the shortest one stays in any case
        return texts[
            next((k for k, text in enumerate(texts) if len(text) <= MAX_FORMULA_LENGTH), -1) :
        ]

    def reserved_formula(self, node: int) -> str:
        """Return the formula for which the header of an op without a label reserves space, or "".

        A formula with a number in it reserves none: the number, and so the width, may change.
        """
        found = self._graph.nodes[node]
        if not isinstance(found, OpNode) or found.label or None in found.inputs:
            return ""
        sources = [self._graph.nodes[source] for source in found.inputs if source is not None]
        return "" if any(isinstance(s, Constant) for s in sources) else self.formulas(node)[0]

    def slots(self, node: int) -> tuple[str, ...]:
        """Return the text above the local derivative of each slot of an op: `∂/∂a`.

        For the slot of a constant it is `fixed`, for an empty slot its letter, if slots have any.
        """
        found = self._graph.nodes[node]
        if not isinstance(found, OpNode):
            return ()
        # where the order of the inputs does not matter, an empty slot shows no letter
        op = self._graph.op(node)
        letters = ("",) * len(op.slots) if op.commutes or len(op.slots) == 1 else op.slots
        return tuple(
            letters[slot] if source is None else self._derivative_caption((node, slot), source)
            for slot, source in enumerate(found.inputs)
        )

    # private

    def _derivative_caption(self, wire: Wire, source: int) -> str:
        if isinstance(self._graph.nodes[source], Constant):
            return "fixed"
        return f"{self._sign}/{self._sign}{along(self._graph, wire, MAX_VARIABLE_LENGTH)}"

    def _operand(self, node: int | None) -> Operand:
        """Return a node as an operand: a number, its name, or `?` for an empty slot."""
        found = None if node is None else self._graph.nodes[node]
        if isinstance(found, Constant) and not found.label:
            return self._short(found.value), True
        return "?" if node is None else term(self._graph, node), False


@lru_cache(20_000)
def _formulas(op: Op, operands: tuple[Operand, ...]) -> tuple[str, ...]:
    """Return the formula with operands shortened more and more, while they stay distinguishable."""
    shortened = dict.fromkeys(
        tuple([text if is_number else brief(text, length) for text, is_number in operands])
        for length in _OPERAND_LENGTHS
    )
    distinct = [texts for texts in shortened if len(set(texts)) == len(set(operands))]
    distinct = distinct or [tuple([text for text, _is_number in operands])]
    return tuple(dict.fromkeys(op.filled(op.formula, texts) for texts in distinct))
