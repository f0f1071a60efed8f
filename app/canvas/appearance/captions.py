"""Captions: the texts in a node's header and at its slots, apart from numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from app.document.node_sizes import is_seated
from app.workbench.gradients.formulas import SIGNS, along, term
from engine.graph import ASIDE, Constant, Graph, OpNode, Root, Wire, brief, is_blank, kind_of
from engine.op import Op

if TYPE_CHECKING:
    from app.style.current import Notation

LENGTH = 24
"""Operands are shortened in formulas longer than this, in characters."""
LONGEST_VARIABLE = 8
"""Length above which the variable of a slot's derivative is shortened, in characters."""
LONGEST_ASIDE = 12
"""Length above which a name next to its label is shortened, in characters."""
_LONGEST = (LENGTH, 16, 10, 8, 6, 5, 4, 3)
"""The operand lengths, in characters, that are tried one after another."""
Operand = tuple[str, bool]
_LETTERED = frozenset({"sub", "div", "pow", "where_gt0"})


class Texts(NamedTuple):
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
    """Titles, captions and slot letters of one graph; cached while it stays."""

    def __init__(
        self, graph: Graph, short: Callable[[float], str], notation: Notation = "partial"
    ) -> None:
        self._sign = SIGNS[notation]
        self._graph = graph
        self._short = short
        self._texts: dict[int, Texts] = {}

    def reuse_caches_of(self, before: Captions) -> None:
        """Reuse the texts of `before`, whose number format is the same, if the graph is too."""
        if before._graph is self._graph and before._sign == self._sign:
            self._texts = before._texts

    def texts(self, node: int) -> Texts:
        """Return the texts of a node, cached while the graph stays."""
        if node not in self._texts:
            self._texts[node] = Texts(*self.titles(node), self.formulas(node), self.slots(node))
        return self._texts[node]

    def titles(self, node: int) -> tuple[str, str]:
        """Return the label of a node, and its name where that differs.

        The header of a Root is about the node plugged into it.
        """
        graph, found = self._graph, self._graph.nodes[node]
        shown = found.input if isinstance(found, Root) else node
        if shown is None:
            return "", ""
        label = graph.label(shown)
        label = "" if is_blank(label) else label
        if is_seated(graph, shown):
            return label, ""
        name = graph.distinguishing_name(shown) if label else graph.names[shown]
        return label, brief(name, LONGEST_ASIDE)

    def symbol(self, node: int) -> str:
        """Return the symbol of an op; an empty text for other nodes."""
        is_op = isinstance(self._graph.nodes[node], OpNode)
        return self._graph.op(node).symbol if is_op else ""

    def formulas(self, node: int) -> tuple[str, ...]:
        """Return an op's formula with the names of its inputs, and shorter ones for less space.

        That of another node is its kind.
        """
        found = self._graph.nodes[node]
        if not isinstance(found, OpNode):
            return (kind_of(found),)
        empty = [slot for slot, source in enumerate(found.inputs) if source is None]
        if empty and len(empty) < len(found.inputs):
            return (f"slot {empty[0] + 1} empty",)
        operands = tuple([self._operand(source) for source in found.inputs])
        texts = _formulas(self._graph.op(node), operands)
        return texts[next((k for k, text in enumerate(texts) if len(text) <= LENGTH), -1) :]

    def reserved(self, node: int) -> str:
        """Return the formula for which the header of a node without a label reserves space.

        One with a number in it is left out: the number, and so the width, may change.
        """
        found = self._graph.nodes[node]
        if not isinstance(found, OpNode) or found.label or None in found.inputs:
            return ""
        sources = [self._graph.nodes[source] for source in found.inputs if source is not None]
        return "" if any(isinstance(s, Constant) for s in sources) else self.formulas(node)[0]

    def slots(self, node: int) -> tuple[str, ...]:
        """Return the text above the local derivative of each slot of an op: `∂/∂a`.

        The slot of a constant says that it is fixed, an empty one its letter if it has one.
        """
        found = self._graph.nodes[node]
        if not isinstance(found, OpNode):
            return ()
        letters = self._graph.op(node).slots if found.op in _LETTERED else ("",) * 3
        return tuple(
            letters[slot] if source is None else self._along((node, slot), source)
            for slot, source in enumerate(found.inputs)
        )

    # private

    def _along(self, wire: Wire, source: int) -> str:
        if isinstance(self._graph.nodes[source], Constant):
            return "fixed"
        return f"{self._sign}/{self._sign}{along(self._graph, wire, LONGEST_VARIABLE)}"

    def _operand(self, node: int | None) -> Operand:
        """Return how an operand is written, and whether that is a number, which stays whole."""
        found = None if node is None else self._graph.nodes[node]
        if isinstance(found, Constant) and not found.label:
            return self._short(found.value), True
        return "?" if node is None else term(self._graph, node), False


@lru_cache(20_000)
def _formulas(op: Op, operands: tuple[Operand, ...]) -> tuple[str, ...]:
    """Return an op's formula with its operands shortened more and more, as long as they differ."""
    several = dict.fromkeys(
        tuple([text if is_number else brief(text, longest) for text, is_number in operands])
        for longest in _LONGEST
    )
    apart = [found for found in several if len(set(found)) == len(set(operands))]
    apart = apart or [tuple([text for text, _is_number in operands])]
    return tuple(dict.fromkeys(op.filled(op.formula, found) for found in apart))
