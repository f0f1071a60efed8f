"""TextSizes: the widest texts of a whole pass, so that nothing changes size during it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from weakref import WeakKeyDictionary

from app.canvas.appearance.ledgers import CHIPS_SHOWN
from app.canvas.appearance.look import LabelLook
from app.canvas.appearance.looks import Looks
from app.canvas.appearance.visible_nodes import Folded
from app.canvas.layout.geometry import Room, header_width
from app.style.text_widths import width
from engine.errors import EngineError
from engine.frame import frame_at
from engine.graph import Graph, OpNode, Root, Structure, Wire, kind_of
from engine.rules import CORRECT
from engine.trace import Event, Trace, run

Write = Callable[[float], str]
MANY = 400
"""From so many nodes on, sizes keep a fixed room for numbers instead of fitting each."""
_FIXED = Room(value=78.0, grad=78.0, local=88.0)
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
        """Whether there are so many nodes that numbers get a fixed room."""
        return len(self._graph.nodes) > MANY

    @property
    def backward(self) -> bool:
        """Whether it is a backward pass."""
        return self._trace is not None and self._trace.phase == "backward"

    def is_like(self, before: TextSizes) -> bool:
        """Whether nothing but numbers may differ: a pass of the same kind, the same wiring."""
        phases = {None if trace is None else trace.phase for trace in (self._trace, before._trace)}
        return len(phases) == 1 and self._graph.structure is before._graph.structure

    def has_ledger(self, node: int) -> bool:
        """Whether several contributions come to a node, now or in a pass yet to be run."""
        return node in self.ledgers

    @cached_property
    def ledgers(self) -> frozenset[int]:
        """The nodes to which several contributions come, now or in a pass yet to be run."""
        trace, graph = self._trace, self._graph
        if trace is None or not self.backward:
            return forks(graph, graph.root)
        if trace.rules is CORRECT:
            return forks(graph, trace.root)
        several = {node for node, places in trace.arrivals.items() if len(places) > 1}
        return frozenset(n for n in several if not isinstance(graph.nodes[n], Root))

    def node(self, node: int) -> Room:
        """The widest texts a node shows in the pass."""
        if self.many:
            return _FIXED_LEDGER if self.has_ledger(node) else _FIXED
        found = self._graph.nodes[node]
        shown = found.input if isinstance(found, Root) else node
        value = None if shown is None else self._values.get(shown)
        wide = 0.0 if value is None else width(self._short(value), "number")
        trace = self._trace
        if trace is None or not self.backward or shown is None:
            return Room(wide)
        events = [trace.events[k] for k in trace.arrivals.get(shown, ())]
        texts = [self._short(event.after) for event in events]
        fired = self._fired_by(node)
        locals_ = [width("∂ " + self._short(event.local), "done") for event in fired]
        chips = 0.0
        if len(events) > 1 and not isinstance(found, Root):
            chips = self._chips_room(events)
        convention = any(self._looks.by_convention(node, event.slot) for event in fired)
        return Room(
            wide,
            max((width(text, "number") for text in texts), default=0.0),
            max(locals_, default=0.0) + (14.0 if convention else 0.0),
            chips,
        )

    def header(self, node: int) -> float:
        """The width a node's header needs."""
        kind = kind_of(self._graph.nodes[node])
        symbol = self._graph.op(node).symbol if kind == "op" else ""
        return header_width(kind, self._looks.title(node), symbol)

    def group(self, folded: Folded) -> tuple[float, float]:
        """The widest name and the widest number of the outputs of a collapsed group."""
        names = (self._looks.title(node) or self._graph.title(node) for node in folded.outputs)
        text_sizes = [self.node(node) for node in folded.outputs]
        return (
            max((width(name, "caption strong") for name in names), default=0.0),
            max((max(room.value, room.grad) for room in text_sizes), default=0.0),
        )

    def label(self, wire: Wire) -> tuple[float, float]:
        """The widest label a wire carries during the pass, whole and short; 0 if none."""
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
        """For each node the widest label that wires into it may carry in a backward pass."""
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
        """The widest ledger of a node: with chips still to come, or with chips folded."""
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
        """The events that a wire carries."""
        return [event for event in self._fired_by(wire[0]) if event.slot == wire[1]]

    def _fired_by(self, node: int) -> list[Event]:
        """The events in which a node fires."""
        if self._by_target is None:
            self._by_target = {}
            for event in () if self._trace is None else self._trace.events:
                self._by_target.setdefault(event.target, []).append(event)
        return self._by_target.get(node, [])


def forks(graph: Graph, root: int | None) -> frozenset[int]:
    """The nodes that several firing wires leave, in the right pass of a root."""
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
    """The width of a chip in a ledger."""
    return 28.0 if not text else width(text, "caption strong") + 26


def ledger_width(chips: list[str], more: int, total: str, start: str = "0") -> float:
    """The width a node needs for its ledger."""
    wide = 12 + width(start, "caption") + 6 + sum(chip_width(text) + 4 for text in chips)
    if more:
        wide += width(f"{more} more", "caption") + 6
    return wide + 8 + width(f"= {total}", "number") + 14


def label_width(look: LabelLook, short: bool = False) -> float:
    """The width of a label on a wire, as wide as it gets in any state."""
    text = look.contribution if short else look.text
    return width(text, "firing") + 20.0
