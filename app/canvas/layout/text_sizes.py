"""TextSizes: the widest texts of a whole pass, so that nothing changes size during it.

All in px at 100 %.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from functools import cached_property

from msgspec.structs import replace

from app.canvas.appearance.look import NO_PATH_NOTE, TAIL, LabelLook, NodeLook
from app.canvas.appearance.looks import Looks
from app.canvas.appearance.visible_nodes import Folded
from app.canvas.layout.forks import forks
from app.canvas.layout.node_box import CAUSE, CAUSE_GAP, LEDGER_LEFT, ledger_width
from app.canvas.layout.update_sizes import LONGEST, strip_room, varies
from app.document.node_sizes import (
    TextWidths,
    header_width,
    is_seated,
    lane_height,
    ledger_height,
    pill_width,
)
from app.style import sizes
from app.style.strokes import is_presented, measured, width
from app.workbench.gradients.comparison import Comparison, compared
from engine.errors import EngineError
from engine.frame import frame_at
from engine.graph import Constant, Graph, OpNode, Root, Wire, kind_of
from engine.numbers import NO_PATH, short
from engine.rules import CORRECT, Rules
from engine.trace import Event, Trace, run

_PERIODIC = 1 / 3
"""A number whose text is the longer the more digits are shown."""
Write = Callable[[float], str]
MANY = 400
"""Above this number of nodes, sizes reserve a fixed width for numbers."""
MOST_AT_ONCE = 120
"""Above this number of nodes, a change of numbers is painted first and measured later."""
_FIXED = TextWidths(value=62.0, grad=62.0, local=62.0)
_FIXED_LEDGER = replace(_FIXED, chips=264.0)
_FIXED_LABEL = (120.0, 80.0)
USUAL_LABEL = 70.0
LABEL_PAD = 6.0
"""Distance of a label's text from its edges."""
MARK = 12.0
"""Width of a sibling's mark in a label."""
MOST_CAUSE = 190.0
"""Width of a node up to which the causes of a wrong gradient are written out."""
KINK = 14.0
"""Width of the mark behind a local derivative that is a convention."""


class TextSizes:
    """The widest texts of one pass (or of the values alone), by node, by wire and by group."""

    def __init__(self, looks: Looks, short: Write, signed: Write, rules: Rules = CORRECT) -> None:
        self._looks, self._short, self._signed = looks, short, signed
        self._graph: Graph = looks.graph
        self._rules = rules
        self._loop = looks.descending
        self._shown: Trace | None = looks.frame.unhidden
        self._presented = is_presented()
        self._periodic = self._short(_PERIODIC)
        self._by_target: dict[int, list[Event]] | None = None
        self._labels: dict[Wire, tuple[float, float]] = {}

    @property
    def many(self) -> bool:
        """Return whether the graph is so large that numbers get a fixed width."""
        return len(self._graph.nodes) > MANY

    @property
    def is_slow(self) -> bool:
        """Return whether measuring all nodes takes longer than a frame may."""
        return len(self._graph.nodes) > MOST_AT_ONCE and not self.many

    @property
    def backward(self) -> bool:
        """Return whether it is a backward pass."""
        return self._shown is not None and self._shown.phase == "backward"

    @cached_property
    def _trace(self) -> Trace | None:
        """The backward pass that is shown or comes next; None if there can be none."""
        if self.backward or self.many:
            return self._shown if self.backward else None
        try:
            return run(self._graph, rules=self._rules)
        except (EngineError, ValueError):
            return None

    def is_like(self, before: TextSizes) -> bool:
        """Return whether only numbers may differ: same rules, same wiring, wrong or not."""
        same = self._rules is before._rules and self._goes_wrong == before._goes_wrong
        loops = (self._loop is None) == (before._loop is None)
        written = self._periodic == before._periodic and self.is_drawn_like(before)
        return same and loops and written and self._graph.structure is before._graph.structure

    def is_drawn_like(self, before: TextSizes) -> bool:
        """Return whether texts have the same fonts, and wires the same bends."""
        return self._presented == before._presented

    def resized_since(self, before: TextSizes) -> Set[int]:
        """Return the nodes whose size may differ from `before`.

        In a large graph numbers have a fixed width, but for those of seated constants.
        """
        if self is before:
            return frozenset()
        if not (self.many and self.is_like(before)):
            return self._graph.nodes.keys()
        nodes, others = self._graph.nodes, before._graph.nodes
        return {n for n in self._graph.structure.literals if nodes[n] is not others[n]}

    def has_same_labels_as(self, before: TextSizes) -> bool:
        """Return whether every label on a wire has the same widths."""
        fixed = self.many and self.backward == before.backward and self.is_like(before)
        return self is before or fixed

    @property
    def needs_room(self) -> bool:
        """Return whether texts may be longer than those that the layout was made for."""
        if self.many:
            return False
        other = self._rules is not CORRECT or self._presented or self._loop is not None
        return other or self._goes_wrong or len(self._periodic) > len(short(_PERIODIC))

    @property
    def close(self) -> bool:
        """Return whether columns are moved together where no label needs the room between them."""
        return (self._presented or self._loop is not None) and not self.many

    def has_ledger(self, node: int) -> bool:
        """Return whether a node gets several contributions, in this pass or in a later one."""
        return node in self.ledgers

    @cached_property
    def ledgers(self) -> Set[int]:
        """Return the nodes that get several contributions, in this pass or in a later one."""
        trace, graph = self._trace, self._graph
        if trace is None:
            return forks(graph, graph.root).keys()
        if trace.rules is CORRECT:
            return forks(graph, trace.root).keys()
        several = {node for node, places in trace.schedule.arrivals.items() if len(places) > 1}
        if self._comparison is not None:
            several |= {n for n in self._comparison.ever_wrong if n in self._comparison.arriving}
        return frozenset(n for n in several if not isinstance(graph.nodes[n], Root))

    def ledger_height(self, node: int) -> float:
        """Return the height that a node's ledger takes, or 0 without one."""
        least = float(sizes.UPDATE_STRIP) if self.learns(node) else 0.0
        if node not in self.ledgers:
            return least
        own = ledger_height(self._chip_count(node))
        lanes = self._lanes(node)
        if lanes is None or lanes.correct is None:
            return max(least, own)
        lines = bool(lanes.here) + bool(lanes.before)
        above = ledger_height(len(lanes.correct.chips))
        return max(least, above + lane_height(self._chip_count(node), lines))

    def node(self, node: int) -> TextWidths:
        """Return the widest texts that a node shows in the pass."""
        if self.many:
            fixed = _FIXED_LEDGER if self.has_ledger(node) else _FIXED
            return fixed if self._loop is None else _with_room_for_epochs(fixed)
        found = self._graph.nodes[node]
        shown = found.input if isinstance(found, Root) else node
        value = None if shown is None else self._values.get(shown)
        wide = 0.0 if value is None else width(self._short(value), "number")
        captions = [width(text, "caption") for text in self._looks.slot_captions(node)]
        local, caption = max(captions, default=0.0), width("grad", "caption")
        trace = self._trace
        local = max(local, self._slope_width(node))
        if trace is None or shown is None:
            return TextWidths(wide, local=local, caption=caption)
        events = [trace.events[k] for k in trace.schedule.arrivals.get(shown, ())]
        texts = [self._short(event.after) for event in events]
        alone = node in self._graph.structure.pathless(trace.root)
        note = width(NO_PATH, "number") + 6 + width(NO_PATH_NOTE, "caption") if alone else 0.0
        fired = self._fired_by(node)
        locals_ = [width(self._short(event.local), "number") for event in fired]
        convention = any(self._looks.by_convention(node, event.slot) for event in fired)
        chips = 0.0
        if (len(events) > 1 or node in self.ledgers) and not isinstance(found, Root):
            chips = max(self._chips_room(events) if events else 0.0, self._lanes_room(node))
        if self._loop is not None:  # those of later epochs
            texts.append(LONGEST)
            wide = max(wide, 0.0 if isinstance(found, Constant) else width(LONGEST, "number"))
            if isinstance(found, OpNode) and varies(self._graph, node):
                locals_.append(width(LONGEST, "number"))
        if self.learns(node):
            chips = max(chips, strip_room(self._looks, node))
        return TextWidths(
            wide,
            max((width(text, "number") for text in texts), default=note),
            max(local, max(locals_, default=0.0) + (KINK if convention else 0.0)),
            chips,
            caption,
        )

    def _slope_width(self, node: int) -> float:
        """Return the width of the local derivatives that a node shows without a pass."""
        if not isinstance(found := self._graph.nodes[node], OpNode):
            return 0.0
        wires = ((node, slot) for slot in range(len(found.inputs)))
        slopes = (self._looks.extras.slope(wire, self._values) for wire in wires)
        texts = (self._short(slope) for slope in slopes if slope is not None)
        return max((width(text, "number") for text in texts), default=0.0)

    def learns(self, node: int) -> bool:
        """Return whether a training loop is shown in which a leaf learns."""
        return self._loop is not None and node in self._loop.loop.chosen

    def pill(self, node: int) -> float:
        """Return the width of a constant that is seated at the slot of its reader."""
        value = self._values.get(node)
        return pill_width(0.0 if value is None else width(self._short(value), "number"))

    def header(self, node: int) -> float:
        """Return the width that a node's header needs."""
        kind, captions = kind_of(self._graph.nodes[node]), self._looks.captions
        title = captions.title(node), captions.name(node)
        return header_width(kind, title, captions.symbol(node), width, captions.reserved(node))

    def group(self, folded: Folded) -> tuple[float, float]:
        """Return the widest name and the widest number of the outputs of a collapsed group."""
        names = (self._graph.title(node) for node in folded.outputs)
        text_sizes = [self.node(node) for node in folded.outputs]
        return (
            max((width(name, "caption strong") for name in names), default=0.0),
            max((max(room.value, room.grad) for room in text_sizes), default=0.0),
        )

    def label(self, wire: Wire) -> tuple[float, float]:
        """Return the widest label of a wire during the pass, full and shortened; 0 if none."""
        if self.many:
            return _FIXED_LABEL if self.backward else (0.0, 0.0)
        if wire not in self._labels:
            widths = [self._label_widths(event) for event in self._carried_by(wire)]
            wholes, shorts = zip(*widths, strict=True) if widths else ((0.0,), (0.0,))
            self._labels[wire] = (max(wholes), max(shorts))
        return self._labels[wire]

    def before_slots(self, nodes: frozenset[int]) -> dict[int, float]:
        """Return for each op the widest that stands before one of its slots: a label or a pill."""
        graph, found = self._graph, dict[int, float]()
        for node in nodes:
            if isinstance(graph.nodes.get(node), OpNode):
                sources = enumerate(graph.inputs(node))
                found[node] = max(self._before_slot((node, k), source) for k, source in sources)
        return found

    def _before_slot(self, wire: Wire, source: int | None) -> float:
        if source is not None and is_seated(self._graph, source):
            return self.pill(source)
        if self._loop is not None:  # no contribution is stepped, so no label comes
            return 0.0
        if self.many:
            return _FIXED_LABEL[0]
        return USUAL_LABEL if self._trace is None else self.label(wire)[0]

    def _chip_count(self, node: int) -> int:
        """Return the most contributions that a node's ledger shows at a time."""
        trace = self._trace
        if trace is None:
            return forks(self._graph, self._graph.root).get(node, 0)
        sweeps = [trace.events[k].sweep for k in trace.schedule.arrivals.get(node, ())]
        return max((sweeps.count(sweep) for sweep in set(sweeps)), default=0)

    def _chips_room(self, events: list[Event]) -> float:
        """Return the width of the widest ledger: with chips to come, or with chips folded."""
        texts = sorted((self._signed(event.contribution) for event in events), key=len)
        totals = {self._short(event.after) for event in events}
        sweeps = [event.sweep for event in events]
        most = max(sweeps.count(sweep) for sweep in set(sweeps))
        shown, more = texts[-min(most, sizes.CHIPS_SHOWN) :], max(most - sizes.CHIPS_SHOWN, 0)
        total = max(totals, key=lambda text: width(text, "number"))
        starts = {"0"} | {f"was {self._short(e.before)}" for e in events if e.sweep > 1}
        if more:
            starts |= {f"… {text}" for text in totals}
        start = max(starts, key=lambda text: width(text, "caption"))
        return ledger_width(shown, more, total, start)

    def _lanes_room(self, node: int) -> float:
        """Return the width of the correct lane and of the causes below the other one."""
        look = self._lanes(node)
        if look is None or look.correct is None:
            return 0.0
        lane = look.correct
        wide = ledger_width([c.text for c in lane.chips], lane.more, lane.total, lane.start)
        for name, text in (("here", look.here), ("before", look.before)):
            if text:
                named = width(name, CAUSE) + CAUSE_GAP + width(text, "caption")
                wide = max(wide, min(named + 2 * LEDGER_LEFT, MOST_CAUSE))
        return wide

    @cached_property
    def _comparison(self) -> Comparison | None:
        """The correct pass, if a mistake is on."""
        return None if self._trace is None else compared(self._trace)

    @property
    def _goes_wrong(self) -> bool:
        """Return whether the pass that is shown goes wrong, as one by hand may."""
        return self.backward and self._comparison is not None and bool(self._comparison.ever_wrong)

    @cached_property
    def _at_end(self) -> Looks | None:
        """What nodes show at the end of a wrong pass."""
        if self._trace is None or self._comparison is None:
            return None
        frame = frame_at(self._trace, len(self._trace))
        return Looks(frame, self._short, self._signed, self._comparison)

    def _lanes(self, node: int) -> NodeLook | None:
        """Return what a node shows at the end of a wrong pass; None if it is never wrong."""
        beside = self._comparison
        if self._at_end is None or beside is None or node not in beside.ever_wrong:
            return None
        return self._at_end.node(node)

    @property
    def _values(self) -> Mapping[int, float]:
        return self._looks.frame.values if self._shown is None else self._shown.values

    def _label_widths(self, event: Event) -> tuple[float, float]:
        look = self._looks.final_label(event, self._comparison)
        look = look._replace(hue=0 if self.has_ledger(event.node) else -1)  # also before the pass
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


def _with_room_for_epochs(fixed: TextWidths) -> TextWidths:
    least = width(LONGEST, "number")
    number, local = max(fixed.value, least), max(fixed.local, least)
    return replace(fixed, value=number, grad=number, local=local)


@measured(20_000)
def label_width(look: LabelLook, short: bool = False) -> float:
    """Return the width of a wire's label, whole or shortened to its second line."""
    result = width(f"= {look.contribution}", "contribution") + (MARK if look.hue >= 0 else 0.0)
    if look.wrong:
        result += width(f"{TAIL}{look.wrong}", "contribution")
    factors = width(f"{look.upstream} × {look.local}", "factors") if look.local else 0.0
    return 2 * LABEL_PAD + (result if short else max(result, factors))
