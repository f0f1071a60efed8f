"""Captions: the texts in a node's header and beside its slots, apart from numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from app.document.node_sizes import is_seated
from app.style.notation import Notation
from app.workbench.gradients.formulas import SIGNS, along, term
from engine.graph import Constant, Graph, OpNode, Root, Wire, brief, is_blank

LENGTH = 24
"""Operands are shortened in formulas longer than this, in characters."""
LONGEST_VARIABLE = 8
"""Length above which the variable of a slot's derivative is shortened, in characters."""
LONGEST_ASIDE = 12
"""Length above which a name beside its label is shortened, in characters."""
_LONGEST = (LENGTH, 16, 10, 8, 6, 5, 4, 3)
"""The operand lengths, in characters, that are tried one after another."""
Operand = tuple[str, bool]
_LETTERED = frozenset({"sub", "div", "pow", "where_gt0"})


class Texts(NamedTuple):
    """The texts of one node: title, name and formula in its header, captions at its slots."""

    title: str
    name: str
    symbol: str
    caption: str
    shorter: tuple[str, ...]
    slots: tuple[str, ...]


class Captions:
    """Titles, captions and slot letters of one graph; cached while its wiring is unchanged."""

    def __init__(
        self, graph: Graph, short: Callable[[float], str], notation: Notation = "partial"
    ) -> None:
        self._sign = SIGNS[notation]
        self._graph = graph
        self._short = short
        self._kept: dict[int, tuple[tuple[Operand, ...], tuple[str, ...]]] = {}
        self._texts: dict[int, Texts] = {}

    def take_over(self, before: Captions) -> None:
        """Reuse the cached captions of `before`, whose wiring and number format are the same."""
        self._kept = before._kept
        if before._graph is self._graph and before._sign == self._sign:
            self._texts = before._texts

    def texts(self, node: int) -> Texts:
        """Return all captions of a node, put together once for as long as the graph stays."""
        found = self._texts.get(node)
        if found is None:
            found = self._texts[node] = Texts(
                self.title(node),
                self.name(node),
                self.symbol(node),
                self.caption(node),
                self.shorter(node),
                self.slots(node),
            )
        return found

    def title(self, node: int) -> str:
        """Return the text of a node's header: what the user called it, else ""."""
        shown = self._shown(node)
        label = "" if shown is None else self._graph.label(shown)
        return "" if is_blank(label) else label

    def name(self, node: int) -> str:
        """Return the name of a node where its header has to say it: if its label does not."""
        shown = self._shown(node)
        if shown is None or is_seated(self._graph, shown):
            return ""
        is_label = not is_blank(self._graph.label(shown))
        name = self._graph.name_beside(shown) if is_label else self._graph.names[shown]
        return brief(name, LONGEST_ASIDE)

    def symbol(self, node: int) -> str:
        """Return the symbol of an op; an empty text for other nodes."""
        is_op = isinstance(self._graph.nodes[node], OpNode)
        return self._graph.op(node).symbol if is_op else ""

    def caption(self, node: int) -> str:
        """Return an op's formula with the names of its inputs; an empty text for other nodes."""
        found = self._graph.nodes[node]
        if not isinstance(found, OpNode):
            return ""
        empty = [slot for slot, source in enumerate(found.inputs) if source is None]
        if empty and len(empty) < len(found.inputs):
            return f"slot {empty[0] + 1} empty"
        texts = self._formulas(node, found)
        return next((text for text in texts if len(text) <= LENGTH), texts[-1])

    def shorter(self, node: int) -> tuple[str, ...]:
        """Return the formula of `caption` with shorter and shorter operands, for less space."""
        found, caption = self._graph.nodes[node], self.caption(node)
        if not isinstance(found, OpNode):
            return ()
        texts = self._formulas(node, found)
        return texts[texts.index(caption) + 1 :] if caption in texts else ()

    def reserved(self, node: int) -> str:
        """Return the formula that the header of a node without a label is given room for.

        One with a number in it may change, and its node would change its width.
        """
        found = self._graph.nodes[node]
        if not isinstance(found, OpNode) or found.label or None in found.inputs:
            return ""
        sources = [self._graph.nodes[source] for source in found.inputs if source is not None]
        return "" if any(isinstance(s, Constant) for s in sources) else self.caption(node)

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

    def _shown(self, node: int) -> int | None:
        """Return the node that a header is about: for a Root the one plugged into it."""
        found = self._graph.nodes[node]
        return found.input if isinstance(found, Root) else node

    def _formulas(self, node: int, found: OpNode) -> tuple[str, ...]:
        """Return the formula with its operands shortened more and more, as long as they differ.

        It is kept for as long as its operands are written alike.
        """
        operands = tuple([self._operand(source) for source in found.inputs])
        kept = self._kept.get(node)
        if kept is not None and kept[0] == operands:
            return kept[1]
        op = self._graph.op(node)
        several = [tuple([_shortened(o, longest) for o in operands]) for longest in _LONGEST]
        apart = [found for found in several if len(set(found)) == len(set(operands))]
        filled = (op.filled(op.formula, found) for found in apart or [[o[0] for o in operands]])
        texts = tuple(dict.fromkeys(filled))
        self._kept[node] = (operands, texts)
        return texts

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


def _shortened(operand: Operand, longest: int) -> str:
    text, is_number = operand
    return text if is_number else brief(text, longest)
