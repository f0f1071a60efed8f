"""TextSizes: the widest texts of a whole pass or training loop, for which layouts reserve space.

So no node changes its size from step to step. All widths in px at 100 %.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from functools import cached_property
from typing import Final
from weakref import WeakKeyDictionary

from app.canvas.appearance.face import GRAD, WholePass, face, node_look
from app.canvas.appearance.items import Item
from app.canvas.appearance.looks import (
    LONGEST_NUMBER_TEXT,
    STRIP_ROLE,
    WRONG_SEPARATOR,
    ChipLook,
    LabelLook,
    LedgerLook,
    Looks,
    NodeLook,
    NumberLook,
    NumberWidths,
)
from app.canvas.layout.node_box import (
    CAUSE_GAP,
    CAUSE_ROLE,
    LEDGER_LEFT,
    Box,
    ledger_tops,
    ledger_width,
)
from app.document.node_sizes import (
    CAPTION_NUMBER_GAP,
    DIVIDER_GAP,
    PAD_LEFT,
    PAD_RIGHT,
    PILL_PAD,
    TextWidths,
    header_width,
    is_pill,
    lane_height,
    ledger_height,
    pill_width,
)
from app.style import sizes
from app.style.strokes import cached_metric, is_presented, width
from engine.graph import Graph, OpNode, Root, Structure, Wire, kind_of
from engine.numbers import short
from engine.rules import CORRECT, Rules
from engine.trace import Event


def contribution_counts(graph: Graph, root: int | None) -> Mapping[int, int]:
    """Return the number of contributions of each node that gets several in the correct pass."""
    found = _COUNTS.setdefault(graph.structure, {})
    if root is not None and root not in found:
        reached = graph.plan(root).with_gradient
        fires = {n for n in reached if not isinstance(graph.nodes[n], Root)}
        counts = {n: sum(wire[0] in fires for wire in graph.outgoing[n]) for n in fires}
        found[root] = {n: count for n, count in counts.items() if count > 1}
    return {} if root is None else found[root]


_COUNTS: WeakKeyDictionary[Structure, dict[int, Mapping[int, int]]] = WeakKeyDictionary()
"""Cache of `contribution_counts`: by wiring, then by root."""


RESERVED_RATE: Final = "0.0001"
"""Learning rate for which the strip has space, since a user may change it during the loop."""
_UPDATE: Final = "{number} − {rate} × {number}"


def update_strip_width(looks: Looks, node: int) -> float:
    """Return the width that a leaf needs for its last update and for its struck old value."""
    loop = looks.loop_state
    assert loop is not None
    strip = width(_UPDATE.format(number=LONGEST_NUMBER_TEXT, rate=""), STRIP_ROLE)
    rates = (looks.short(loop.descent.rate), RESERVED_RATE)
    strip += max(width(rate, STRIP_ROLE) for rate in rates)
    number_row = (  # up to the new value: caption, old value
        width("data", "caption")
        + CAPTION_NUMBER_GAP
        + width(LONGEST_NUMBER_TEXT, "caption")
        + CAPTION_NUMBER_GAP
    )
    number = max(
        width(looks.short(looks.frame.values[node]), "number"), width(LONGEST_NUMBER_TEXT, "number")
    )
    return max(strip + 2 * PAD_LEFT, number_row + number + PAD_LEFT + PAD_RIGHT)


def node_number_widths(box: Box, learns: bool) -> NumberWidths:
    """Return the widths that a node's box has for its numbers."""
    right = box.w - PAD_LEFT - PAD_RIGHT
    if box.kind == "pill":
        right = box.w - 2 * PILL_PAD
        return NumberWidths(left=0.0, right=right, value=right)
    if box.kind == "op":
        right = box.w - box.left - DIVIDER_GAP - PAD_RIGHT
        return NumberWidths(left=box.left - PAD_LEFT - DIVIDER_GAP, right=right, value=right)
    if box.kind != "root":
        right -= width("data", "caption") + CAPTION_NUMBER_GAP
    struck = width(LONGEST_NUMBER_TEXT, "caption") + CAPTION_NUMBER_GAP if learns else 0.0
    return NumberWidths(left=0.0, right=right, value=right - struck, strip=box.w - 2 * PAD_LEFT)


def fits(look: NodeLook, box: Box) -> bool:
    """Return whether a box is wide enough for the numbers of a look."""
    room = node_number_widths(box, learns=False)
    columns = {"left": room.left, "right": room.right}
    cells = face(look.kind, len(look.body.plugged))
    ledgers = [ledger for ledger, _top in ledger_tops(look) if ledger.chips]
    return all(ledger_width(ledger) <= box.w for ledger in ledgers) and all(
        number_width(number) <= columns[cell.column] + ROUNDING
        for cell, number in zip(cells, look.numbers, strict=True)
    )


def group_number_widths(texts: TextWidths) -> NumberWidths:
    """Return the widths that the numbers of a node have in the line of a collapsed group."""
    return NumberWidths(left=texts.left, right=texts.right, value=texts.right)


_PERIODIC = 1 / 3
"""A number whose text shows every digit of the number format."""

_LARGE_GRAPH_LEDGER, _LARGE_GRAPH_LABEL = 264.0, 120.0
"""Widths in a large graph of a ledger and of a label whose numbers have the usual length."""
TYPICAL_LABEL_WIDTH = 70.0
"""Width of a label that is reserved while there is no pass."""
LABEL_PAD = 6.0
"""Distance of a label's text from its edges."""
MARK_WIDTH = 12.0
"""Width of a sibling's mark in a label."""
MAX_CAUSE_WIDTH = 190.0
"""Width of a node up to which the causes of a wrong gradient are written out."""
KINK_WIDTH = 14.0
"""Width of the mark behind a local derivative that is a convention."""
ROUNDING = 0.01
"""Difference of two widths, in px, that is a rounding error."""
NOTE_GAP = 6.0
"""Least distance between a number and the note left of it."""


class TextSizes:
    """The widest texts of one pass (or of the values alone), by node, by wire and by group."""

    def __init__(self, looks: Looks, rules: Rules = CORRECT) -> None:
        self._looks, self._graph = looks, looks.graph
        self.whole_pass = WholePass(looks, rules)
        self._presented = is_presented()
        self._longest_text = looks.short(_PERIODIC)
        self._labels: dict[Wire, tuple[float, float]] = {}
        """Cache of `label`."""

    def differs_in_numbers_only(self, before: TextSizes) -> bool:
        """Return whether only numbers may differ: same rules, same wiring, wrong or not."""
        mine, other = self.whole_pass, before.whole_pass
        if self._graph.structure is not before._graph.structure or mine.rules is not other.rules:
            return False
        same_loop = (mine.loop is None) == (other.loop is None)
        same_notation = self._longest_text == before._longest_text and self.is_drawn_like(before)
        same_wrongness = mine.has_wrong_gradients == other.has_wrong_gradients
        return same_wrongness and same_loop and same_notation

    def has_same_phase_as(self, before: TextSizes) -> bool:
        """Return whether no pass has begun or ended: nodes are moved apart for some."""
        return self._looks.frame.phase == before._looks.frame.phase

    def is_drawn_like(self, before: TextSizes) -> bool:
        """Return whether texts have the same fonts, and wires the same bends."""
        return self._presented == before._presented

    def resized_since(self, before: TextSizes) -> Set[int]:
        """Return the nodes whose size may differ from `before`.

        In a large graph numbers have a fixed width, but for those in pills.
        """
        if self is before:
            return frozenset()
        if not (self.whole_pass.graph_is_large and self.differs_in_numbers_only(before)):
            return self._graph.nodes.keys()
        nodes, others = self._graph.nodes, before._graph.nodes
        return {n for n in self._graph.structure.literals if nodes[n] is not others[n]}

    @property
    def needs_more_room(self) -> bool:
        """Return whether texts may be longer than positions on the sheet leave space for."""
        if self.whole_pass.graph_is_large:
            return False
        shown = self.whole_pass
        is_unusual = shown.rules is not CORRECT or self._presented or shown.loop is not None
        has_more_digits = len(self._longest_text) > len(short(_PERIODIC))
        return is_unusual or shown.has_wrong_gradients or has_more_digits

    @property
    def is_of_pass(self) -> bool:
        """Return whether a pass is shown of a graph that is small enough to move nodes apart."""
        return self.whole_pass.shown is not None and not self.whole_pass.graph_is_large

    @property
    def closes_gaps(self) -> bool:
        """Return whether columns are moved together where no label needs the gap between them."""
        return (
            self._presented or self.whole_pass.loop is not None
        ) and not self.whole_pass.graph_is_large

    @cached_property
    def ledgers(self) -> Set[int]:
        """Return the nodes that get several contributions, in this pass or in a later one."""
        trace, graph, comparison = self.whole_pass.trace, self._graph, self.whole_pass.comparison
        if trace is None:
            return contribution_counts(graph, graph.root).keys()
        if trace.rules is CORRECT:
            return contribution_counts(graph, trace.root).keys()
        several = {node for node, places in trace.schedule.arrivals.items() if len(places) > 1}
        several |= {node for node in trace.begins if node in trace.schedule.arrivals}
        if comparison is not None:
            several |= {n for n in comparison.ever_wrong if n in comparison.correct_wires}
        return frozenset(n for n in several if not isinstance(graph.nodes[n], Root))

    def ledger_height(self, node: int) -> float:
        """Return the height that a node's ledger takes, or 0 without one."""
        least = float(sizes.UPDATE_STRIP) if self.whole_pass.learns(node) else 0.0
        if node not in self.ledgers:
            return least
        chips, look = self._chip_count(node), self._final_look(node)
        if look is None or look.correct is None:
            return max(least, ledger_height(chips))
        above = ledger_height(len(look.correct.chips))
        return max(least, above + lane_height(chips, len(look.causes)))

    def node(self, node: int) -> TextWidths:
        """Return the widths of the widest texts that a node shows in the pass."""
        found, graph = self.whole_pass, self._graph
        if self.whole_pass.graph_is_large:
            least = 0.0 if found.loop is None else width(LONGEST_NUMBER_TEXT, "number")
            fixed = max(self._looks.fixed_width, least)
            chips = _LARGE_GRAPH_LEDGER if node in self.ledgers else 0.0
            return TextWidths(left=fixed, right=fixed, chips=chips)
        captions = self._looks.captions.texts(node).slots
        widest = {"left": max((width(c, "caption") for c in captions), default=0.0), "right": 0.0}
        cells = face(kind_of(graph.nodes[node]), len(captions))
        for cell in cells:
            widest[cell.column] = max(widest[cell.column], _widest(cell.of_pass(found, node)))
        # a constant, which has no grad, gets the same room for captions as a leaf
        caption = max(width(cell.caption, "caption") for cell in (*cells, GRAD))
        return TextWidths(widest["left"], widest["right"], self._below_cells_width(node), caption)

    def pill(self, node: int) -> float:
        """Return the width of a constant that is seated at the slot of its reader."""
        value = self.whole_pass.values.get(node)
        return pill_width(0.0 if value is None else width(self._looks.short(value), "number"))

    def header(self, node: int) -> float:
        """Return the width that a node's header needs."""
        kind, captions = kind_of(self._graph.nodes[node]), self._looks.captions
        title, symbol = captions.label_and_name(node), captions.symbol(node)
        return header_width(kind, title, symbol, width, captions.reserved_formula(node))

    def group(self, item: Item) -> tuple[float, float]:
        """Return the widest name and the widest number of the outputs of a folded group."""
        names = (self._graph.title(node) for node in item.outputs)
        numbers = (self.node(node).right for node in item.outputs)
        wide = max((width(name, "caption strong") for name in names), default=0.0)
        return wide, max(numbers, default=0.0)

    def label(self, wire: Wire) -> tuple[float, float]:
        """Return the widest label of a wire during the pass, full and shortened; 0 if none."""
        if wire not in self._labels:
            widths = [self._label_widths(event) for event in self.whole_pass.carried_by(wire)]
            wholes, shorts = zip(*widths, strict=True) if widths else ((0.0,), (0.0,))
            self._labels[wire] = (max(wholes), max(shorts))
        return self._labels[wire]

    def before_slots(self, nodes: frozenset[int]) -> dict[int, float]:
        """Return for each op the largest width before one of its slots: of a label or a pill."""
        graph, found = self._graph, dict[int, float]()
        for node in nodes:
            if isinstance(graph.nodes.get(node), OpNode):
                sources = enumerate(graph.inputs(node))
                found[node] = max(self._before_slot((node, k), source) for k, source in sources)
        return found

    def _before_slot(self, wire: Wire, source: int | None) -> float:
        if source is not None and is_pill(self._graph, source):
            return self.pill(source)
        if self.whole_pass.loop is not None:  # a loop shows no single contributions, so no labels
            return 0.0
        if self.whole_pass.graph_is_large:
            return _LARGE_GRAPH_LABEL
        return TYPICAL_LABEL_WIDTH if self.whole_pass.trace is None else self.label(wire)[0]

    def _chip_count(self, node: int) -> int:
        """Return the most contributions that a node's ledger shows at a time."""
        if self.whole_pass.trace is None:
            return contribution_counts(self._graph, self._graph.root).get(node, 0)
        return self.whole_pass.max_chips_per_sweep(node)

    def _below_cells_width(self, node: int) -> float:
        """Return the width of the part below the cells: ledger, causes or update strip."""
        strip = update_strip_width(self._looks, node) if self.whole_pass.learns(node) else 0.0
        events = self.whole_pass.arriving(node)
        if len(events) < 2 and (self.whole_pass.trace is None or node not in self.ledgers):
            return strip
        look = self._final_look(node)
        if look is None or look.correct is None:
            return max(strip, self._widest_ledger(events))
        causes = (
            width(name, CAUSE_ROLE) + CAUSE_GAP + width(text, "caption") + 2 * LEDGER_LEFT
            for name, text in look.causes
        )
        cause = min(max(causes, default=0.0), MAX_CAUSE_WIDTH)
        return max(strip, self._widest_ledger(events), ledger_width(look.correct), cause)

    def _widest_ledger(self, events: list[Event]) -> float:
        """Return the width of the widest ledger: with pending chips, or with chips summed up."""
        if not events:
            return 0.0
        write, signed = self._looks.short, self._looks.signed
        texts = sorted((signed(event.contribution) for event in events), key=len)
        totals = {write(event.after) for event in events}
        most = self.whole_pass.max_chips_per_sweep(events[0].node)
        shown, more = texts[-min(most, sizes.CHIPS_SHOWN) :], max(most - sizes.CHIPS_SHOWN, 0)
        total = max(totals, key=lambda text: width(text, "number"))
        starts = {"0"} | {f"was {write(e.before)}" for e in events if e.sweep > 1}
        starts |= {f"was {write(e.before)}" for e in events[:1] if e.before}
        if more:
            starts |= {f"… {text}" for text in totals}
        start = max(starts, key=lambda text: width(text, "caption"))
        chips = tuple([ChipLook(text, -1, "done") for text in shown])
        return ledger_width(LedgerLook(start, chips, more, total=f"= {total}"))

    def _final_look(self, node: int) -> NodeLook | None:
        """Return the look of a node at the end of a wrong pass; None if it is never wrong."""
        looks, comparison = self.whole_pass.at_end, self.whole_pass.comparison
        if looks is None or comparison is None or node not in comparison.ever_wrong:
            return None
        return node_look(looks, node)

    def _label_widths(self, event: Event) -> tuple[float, float]:
        """Return the widths of the label of an event, full and shortened, pending or fired."""
        look = self._looks.final_label(event, self.whole_pass.comparison)
        look = look._replace(hue=0 if event.node in self.ledgers else -1)  # also before the pass
        pending = look._replace(contribution="···")
        full_width = max(label_width(look), label_width(pending))
        short_width = max(label_width(look, short=True), label_width(pending, short=True))
        return full_width, short_width


def _widest(numbers: Iterable[NumberLook]) -> float:
    return max((number_width(number) for number in numbers), default=0.0)


def number_width(number: NumberLook) -> float:
    """Return the width of a number with its note and its mark."""
    wide = width(number.text, "number") + (KINK_WIDTH if number.by_convention else 0.0)
    return wide + (NOTE_GAP + width(number.note, "caption") if number.note else 0.0)


@cached_metric(20_000)
def label_width(look: LabelLook, short: bool = False) -> float:
    """Return the width of a wire's label, whole or shortened to its second line."""
    result = width(f"= {look.contribution}", "contribution") + (
        MARK_WIDTH if look.hue >= 0 else 0.0
    )
    if look.wrong:
        result += width(f"{WRONG_SEPARATOR}{look.wrong}", "contribution")
    factors = width(f"{look.upstream} × {look.local}", "factors") if look.local else 0.0
    return 2 * LABEL_PAD + (result if short else max(result, factors))
