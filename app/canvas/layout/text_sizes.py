"""TextSizes: the widest texts of a whole pass, so that nothing changes size during it.

Then what follows from them: how large a node is, and where its slots and rows are. All in pixels
at 100 %, relative to the sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from weakref import WeakKeyDictionary

from PySide6.QtCore import QPointF, QRectF

from app.canvas.appearance.ledgers import CHIPS_SHOWN
from app.canvas.appearance.look import LabelLook
from app.canvas.appearance.looks import Looks
from app.canvas.appearance.visible_nodes import Folded
from app.document.node_sizes import TextWidths, header_width
from app.style import sizes
from app.style.strokes import width
from engine.errors import EngineError
from engine.frame import frame_at
from engine.graph import Graph, OpNode, Root, Structure, Wire, kind_of
from engine.rules import CORRECT
from engine.trace import Event, Trace, run

Write = Callable[[float], str]
MANY = 400
"""Above this number of nodes, sizes reserve a fixed width for numbers."""
_FIXED = TextWidths(value=78.0, grad=78.0, local=88.0)
_FIXED_LEDGER = replace(_FIXED, chips=264.0)
_FIXED_LABEL = (190.0, 70.0)
_USUAL_LABEL = 110.0


class TextSizes:
    """The widest texts of one pass (or of the values alone), by node, by wire and by group."""

    def __init__(self, looks: Looks, short: Write, signed: Write) -> None:
        self._looks, self._short, self._signed = looks, short, signed
        self._graph: Graph = looks.graph
        self._trace: Trace | None = looks.frame.trace
        self._by_target: dict[int, list[Event]] | None = None
        self._labels: dict[Wire, tuple[float, float]] = {}

    @property
    def many(self) -> bool:
        """Return whether the graph is so large that numbers get a fixed width."""
        return len(self._graph.nodes) > MANY

    @property
    def backward(self) -> bool:
        """Return whether it is a backward pass."""
        return self._trace is not None and self._trace.phase == "backward"

    def is_like(self, before: TextSizes) -> bool:
        """Return whether only numbers may differ: same kind of pass, same wiring."""
        phases = {None if trace is None else trace.phase for trace in (self._trace, before._trace)}
        return len(phases) == 1 and self._graph.structure is before._graph.structure

    def has_ledger(self, node: int) -> bool:
        """Return whether a node gets several contributions, in this pass or in a later one."""
        return node in self.ledgers

    @cached_property
    def ledgers(self) -> frozenset[int]:
        """Return the nodes that get several contributions, in this pass or in a later one."""
        trace, graph = self._trace, self._graph
        if trace is None or not self.backward:
            return forks(graph, graph.root)
        if trace.rules is CORRECT:
            return forks(graph, trace.root)
        several = {node for node, places in trace.schedule.arrivals.items() if len(places) > 1}
        return frozenset(n for n in several if not isinstance(graph.nodes[n], Root))

    def node(self, node: int) -> TextWidths:
        """Return the widest texts that a node shows in the pass."""
        if self.many:
            return _FIXED_LEDGER if self.has_ledger(node) else _FIXED
        found = self._graph.nodes[node]
        shown = found.input if isinstance(found, Root) else node
        value = None if shown is None else self._values.get(shown)
        wide = 0.0 if value is None else width(self._short(value), "number")
        trace = self._trace
        if trace is None or not self.backward or shown is None:
            return TextWidths(wide)
        events = [trace.events[k] for k in trace.schedule.arrivals.get(shown, ())]
        texts = [self._short(event.after) for event in events]
        fired = self._fired_by(node)
        locals_ = [width("∂ " + self._short(event.local), "done") for event in fired]
        chips = 0.0
        if len(events) > 1 and not isinstance(found, Root):
            chips = self._chips_room(events)
        convention = any(self._looks.by_convention(node, event.slot) for event in fired)
        return TextWidths(
            wide,
            max((width(text, "number") for text in texts), default=0.0),
            max(locals_, default=0.0) + (14.0 if convention else 0.0),
            chips,
        )

    def header(self, node: int) -> float:
        """Return the width that a node's header needs."""
        kind = kind_of(self._graph.nodes[node])
        symbol = self._graph.op(node).symbol if kind == "op" else ""
        return header_width(kind, self._looks.title(node), symbol, width)

    def group(self, folded: Folded) -> tuple[float, float]:
        """Return the widest name and the widest number of the outputs of a collapsed group."""
        names = (self._looks.title(node) or self._graph.title(node) for node in folded.outputs)
        text_sizes = [self.node(node) for node in folded.outputs]
        return (
            max((width(name, "caption strong") for name in names), default=0.0),
            max((max(room.value, room.grad) for room in text_sizes), default=0.0),
        )

    def label(self, wire: Wire) -> tuple[float, float]:
        """Return the widest label of a wire during the pass, full and shortened; 0 if none."""
        if self._trace is None or not self.backward:
            return (0.0, 0.0)
        if self.many:
            return _FIXED_LABEL
        if wire not in self._labels:
            widths = [self._label_widths(event) for event in self._carried_by(wire)]
            wholes, shorts = zip(*widths, strict=True) if widths else ((0.0,), (0.0,))
            self._labels[wire] = (max(wholes), max(shorts))
        return self._labels[wire]

    def labels_into(self, nodes: frozenset[int]) -> dict[int, float]:
        """Return for each node the widest label on a wire into it in a backward pass."""
        ops = [n for n in nodes if isinstance(self._graph.nodes.get(n), OpNode)]
        if len(nodes) > MANY:
            return dict.fromkeys(ops, _FIXED_LABEL[0])
        try:
            trace = self._trace if self._trace and self.backward else run(self._graph)
        except EngineError:
            return dict.fromkeys(ops, _USUAL_LABEL)
        looks = Looks(frame_at(trace, len(trace)), self._short, self._signed, False, False)
        found: dict[int, float] = {}
        for event in trace.events:
            if event.wire is not None and event.target in nodes:
                wide = label_width(looks.final_label(event))
                found[event.target] = max(found.get(event.target, 0.0), wide)
        return found

    def _chips_room(self, events: list[Event]) -> float:
        """Return the width of the widest ledger: with chips to come, or with chips folded."""
        texts = sorted((self._signed(event.contribution) for event in events), key=len)
        totals = {self._short(event.after) for event in events}
        sweeps = [event.sweep for event in events]
        most = max(sweeps.count(sweep) for sweep in set(sweeps))
        hidden, shown = most - CHIPS_SHOWN, texts[-min(most, CHIPS_SHOWN) :]
        total = max(totals, key=lambda text: width(text, "number"))
        left = {f"was {self._short(event.before)}" for event in events if event.sweep > 1}
        start = max({"0", *left}, key=lambda text: width(text, "caption"))
        wide = ledger_width(shown, max(hidden, 0), total, start)
        if hidden <= 0:
            return wide
        folded = max((f"… {text}" for text in totals), key=lambda text: width(text, "caption"))
        return max(wide, ledger_width(shown, hidden - 1, total, folded))

    @property
    def _values(self) -> Mapping[int, float]:
        return self._looks.frame.values if self._trace is None else self._trace.values

    def _label_widths(self, event: Event) -> tuple[float, float]:
        look = self._looks.final_label(event)
        waiting = look._replace(contribution="···")
        whole = max(label_width(look), label_width(waiting))
        return whole, max(label_width(look, True), label_width(waiting, True))

    def _carried_by(self, wire: Wire) -> list[Event]:
        """Return the events that a wire carries."""
        return [event for event in self._fired_by(wire[0]) if event.slot == wire[1]]

    def _fired_by(self, node: int) -> list[Event]:
        """Return the events in which a node fires."""
        if self._by_target is None:
            self._by_target = {}
            for event in () if self._trace is None else self._trace.events:
                self._by_target.setdefault(event.target, []).append(event)
        return self._by_target.get(node, [])


def forks(graph: Graph, root: int | None) -> frozenset[int]:
    """Return the nodes that several firing wires leave, in the correct pass of a root."""
    found = _FORKS.setdefault(graph.structure, {})
    if root is not None and root not in found:
        wants = graph.plan(root).wants
        fires = {n for n in wants if not isinstance(graph.nodes[n], Root)}
        found[root] = frozenset(
            n for n in fires if sum(w[0] in fires for w in graph.outgoing[n]) > 1
        )
    return frozenset() if root is None else found[root]


_FORKS: WeakKeyDictionary[Structure, dict[int, frozenset[int]]] = WeakKeyDictionary()


def chip_width(text: str) -> float:
    """Return the width of a chip in a ledger."""
    return 28.0 if not text else width(text, "caption strong") + 26


def ledger_width(chips: list[str], more: int, total: str, start: str = "0") -> float:
    """Return the width of a ledger."""
    wide = 12 + width(start, "caption") + 6 + sum(chip_width(text) + 4 for text in chips)
    if more:
        wide += width(f"{more} more", "caption") + 6
    return wide + 8 + width(f"= {total}", "number") + 14


def label_width(look: LabelLook, short: bool = False) -> float:
    """Return the width of a wire's label in its widest state."""
    text = look.contribution if short else look.text
    return width(text, "firing") + 20.0


@dataclass(frozen=True, slots=True)
class Box:
    """A node's rectangle, and the width of its left column (slots and local derivatives)."""

    x: float
    y: float
    w: float
    h: float
    left: float = 0.0

    @property
    def rect(self) -> QRectF:
        """Return the rectangle of the body with its ledger."""
        return QRectF(self.x, self.y, self.w, self.h)

    def slot(self, slot: int) -> QPointF:
        """Return the middle of a slot."""
        return QPointF(self.x, self.y + slot_row(slot))

    def output(self, place: int = 0, count: int = 1) -> QPointF:
        """Return the point where wire number `place` of `count` leaves the capsule."""
        spread = sizes.OUTPUT_SPREAD * (place / (count - 1) - 0.5) if count > 1 else 0.0
        return QPointF(
            self.x + self.w + sizes.CAPSULE_WIDTH / 2, self.y + capsule_middle() + spread
        )


def slot_row(slot: int) -> float:
    """Return the y of a slot's middle relative to the node's top."""
    return sizes.NODE_HEADER + sizes.NODE_PADDING + sizes.NODE_ROW * (slot + 0.5)


def capsule_middle() -> float:
    """Return the y of the capsule's middle relative to the node's top."""
    return sizes.NODE_HEADER + sizes.NODE_PADDING + sizes.NODE_ROW
