"""Sizes on a handout: how much space the nodes of a figure need, alike on all marks of a graph.

A figure reserves space for the numbers that its page shows and for the box of the number asked
about, and none for a hidden one. With SharedSizes it also reserves what the other pages show.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence, Set
from functools import cached_property
from typing import Final, TypeVar

import msgspec

from app.canvas.appearance.face import WholePass
from app.canvas.appearance.looks import Looks
from app.document.node_sizes import TextWidths, is_seated
from app.takeaway.paper import PaperSizes
from app.workbench.gradients.comparison import Comparison
from engine.graph import Graph, Wire
from engine.rules import Rules
from engine.study.question import Question
from engine.trace import Trace

BOX_WIDTH: Final = 50.0
"""Width of the box of a number in sheet px: 10 mm on paper at the smallest type, 7 pt."""

T = TypeVar("T")


class _ShownPass(WholePass):
    """The pass that is shown, never the one that would follow: its numbers may be asked for."""

    @cached_property
    def trace(self) -> Trace | None:
        return self.shown if self.backward else None

    @cached_property
    def comparison(self) -> Comparison | None:
        return None


class AskedSizes(PaperSizes):
    """Sizes with room for the box of the number asked about, or `shared` ones."""

    def __init__(
        self,
        looks: Looks,
        rules: Rules,
        question: Question | None,
        shared: SharedSizes | None = None,
    ) -> None:
        super().__init__(looks, rules)
        self.whole_pass = _ShownPass(looks, rules)
        self._question, self._shared = question, shared

    @cached_property
    def ledgers(self) -> Set[int]:
        return super().ledgers if self._shared is None else self._shared.ledgers

    def ledger_height(self, node: int) -> float:
        shared = self._shared
        return super().ledger_height(node) if shared is None else shared.ledger_height(node)

    def pill(self, node: int) -> float:
        return super().pill(node) if self._shared is None else self._shared.pill(node)

    def node(self, node: int) -> TextWidths:
        return self._own_node(node) if self._shared is None else self._shared.node(node)

    def label(self, wire: Wire) -> tuple[float, float]:
        return self._own_label(wire) if self._shared is None else self._shared.label(wire)

    def before_slot(self, wire: Wire, source: int | None) -> float:
        """Return the width before a slot: of a label or a pill."""
        shared = self._shared
        if shared is not None:
            return shared.before_slot(wire, source)
        is_pill = source is not None and is_seated(self._graph, source)
        if self.whole_pass.trace is None and not is_pill:
            return 0.0  # outside of a backward pass paper never gets a label
        return super()._before_slot(wire, source)

    def _before_slot(self, wire: Wire, source: int | None) -> float:
        return self.before_slot(wire, source)

    def _own_node(self, node: int) -> TextWidths:
        found, question = super().node(node), self._question
        if question is None:
            return found
        left, right, chips = found.left, found.right, found.chips
        if question.kind == "local" and node == question.node:
            left = max(left, BOX_WIDTH)
        if question.kind in ("value", "final") and node == question.node:
            right = max(right, BOX_WIDTH)
        if question.kind == "sum" and node == receiver_of(question, self._graph):
            right = right if chips else max(right, BOX_WIDTH)
            chips += BOX_WIDTH if chips else 0.0
        return msgspec.structs.replace(found, left=left, right=right, chips=chips)

    def _own_label(self, wire: Wire) -> tuple[float, float]:
        whole, short = super().label(wire)
        if self._question is None or self._question.wire != wire:
            return whole, short
        return max(whole, BOX_WIDTH), max(short, BOX_WIDTH)


class SharedSizes:
    """The largest sizes on any of several pages, each computed once."""

    def __init__(self, pages: Sequence[AskedSizes]) -> None:
        self._pages = pages
        self._known: dict[Hashable, object] = {}

    @cached_property
    def ledgers(self) -> Set[int]:
        """Return the nodes with a ledger on any page."""
        return frozenset[int]().union(*(page.ledgers for page in self._pages))

    def ledger_height(self, node: int) -> float:
        """Return the height of the highest ledger of a node."""
        return self._once("ledger", node, lambda: max(p.ledger_height(node) for p in self._pages))

    def pill(self, node: int) -> float:
        """Return the largest width of a seated constant."""
        return self._once("pill", node, lambda: max(p.pill(node) for p in self._pages))

    def node(self, node: int) -> TextWidths:
        """Return the largest widths of the texts of a node."""
        return self._once("node", node, lambda: _largest([p.node(node) for p in self._pages]))

    def label(self, wire: Wire) -> tuple[float, float]:
        """Return the largest widths of a wire's label, full and shortened."""
        return self._once("label", wire, lambda: self._largest_label(wire))

    def before_slot(self, wire: Wire, source: int | None) -> float:
        """Return the largest width before a slot."""
        widest = lambda: max(p.before_slot(wire, source) for p in self._pages)  # noqa: E731
        return self._once("slot", wire, widest)

    def _largest_label(self, wire: Wire) -> tuple[float, float]:
        wholes, shorts = zip(*(page.label(wire) for page in self._pages), strict=True)
        return max(wholes), max(shorts)

    def _once(self, kind: str, key: Hashable, compute: Callable[[], T]) -> T:
        """Return what was computed before for this key, or compute it."""
        if (kind, key) not in self._known:
            self._known[kind, key] = compute()
        return self._known[kind, key]  # pyright: ignore[reportReturnType]


def _largest(found: Sequence[TextWidths]) -> TextWidths:
    columns = zip(*(msgspec.structs.astuple(widths) for widths in found), strict=True)
    return TextWidths(*map(max, columns))


def receiver_of(question: Question, graph: Graph) -> int:
    """Return the node that the number asked about belongs to."""
    source = None if question.wire is None else graph.source(question.wire)
    return question.node if source is None else source
