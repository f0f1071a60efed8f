"""Stage: where everything stands and what it shows, for one sheet and one frame.

The view paints a stage on the screen and the picture export paints one on paper, so both are
the same by construction. Sizes keep room for every number of the pass that is shown, and labels
are seated for all of its steps at once: nothing jumps while stepping.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF

from app.canvas.geometry import Box, Course, Room, course, header_width, node_size
from app.canvas.grid import Grid
from app.canvas.look import CHIPS_SHOWN, LabelLook, Looks, NodeLook, WireLook
from app.canvas.paint_node import ledger_width
from app.canvas.paint_wire import label_width
from app.canvas.seats import Seat, Seater
from app.canvas.text import width
from app.document.sheet import Point, Sheet
from app.style import sizes
from engine.errors import EngineError
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph, Root, Wire, inputs_of, kind_of
from engine.trace import Event, Trace, run

Write = Callable[[float], str]
MANY = 400
"""From so many nodes on, sizes keep a fixed room for numbers instead of fitting each."""
_FIXED = Room(value=78.0, grad=78.0, local=88.0)
_FIXED_LEDGER = replace(_FIXED, chips=264.0)
_FIXED_LABEL = 190.0


class Stage:
    """The places of all nodes, wires and labels, and their looks."""

    def __init__(self, short: Write, signed: Write) -> None:
        self._short, self._signed = short, signed
        self.sheet = Sheet()
        self.looks = Looks(live_frame(self.sheet.graph), short, signed, False, False)
        self.boxes: dict[int, Box] = {}
        self.courses: dict[Wire, Course] = {}
        self.node_grid: Grid[int] = Grid()
        self.wire_grid: Grid[Wire] = Grid()
        self._seats: dict[Wire, Seat] | None = None
        self._trace: Trace | None = None
        self._lifted: Mapping[int, Point] = {}
        self._node_looks: dict[int, NodeLook] = {}
        self._wire_looks: dict[Wire, WireLook] = {}
        self._label_looks: dict[Wire, LabelLook | None] = {}
        self._size_state: tuple[bool, bool, bool] = (False, False, False)
        self._by_target: tuple[Trace | None, dict[int, list[Event]]] = (None, {})

    # what it shows

    def write_with(self, short: Write, signed: Write) -> None:
        """Write numbers another way; everything may need another size."""
        self._short, self._signed = short, signed
        self._trace = None
        self.show(self.sheet, self.looks.frame, self.looks.covered, self.looks.shown, anew=True)

    def show(
        self,
        sheet: Sheet,
        frame: Frame,
        covered: bool = False,
        shown: bool = False,
        anew: bool = False,
    ) -> bool:
        """Take over a sheet and a frame; returns whether anything stands elsewhere now."""
        before, self.sheet = self.sheet, sheet
        stale = None if anew else self._stale(frame, covered, shown)
        self.looks = Looks(frame, self._short, self._signed, covered, shown)
        self._forget_looks(stale)
        graph = sheet.graph is not before.graph or frame.trace is not self._trace
        self._trace = frame.trace
        if anew or graph or before.positions is not sheet.positions:
            return self._relayout(before, anew or graph)
        return False

    def lift(self, places: Mapping[int, Point]) -> None:
        """Show nodes elsewhere while they are dragged, without touching the sheet."""
        moved = set(places) | set(self._lifted)
        self._lifted = places
        self._place(moved)

    @property
    def lifted(self) -> Mapping[int, Point]:
        """The nodes that are being dragged, and where to."""
        return self._lifted

    def node(self, node: int) -> NodeLook:
        """What a node shows."""
        if node not in self._node_looks:
            self._node_looks[node] = self.looks.node(node)
        return self._node_looks[node]

    def wire(self, wire: Wire) -> WireLook:
        """How a wire is drawn."""
        if wire not in self._wire_looks:
            self._wire_looks[wire] = self.looks.wire(wire)
        return self._wire_looks[wire]

    def label(self, wire: Wire) -> LabelLook | None:
        """What stands on a wire, or None."""
        if wire not in self._label_looks:
            self._label_looks[wire] = self.looks.label(wire)
        return self._label_looks[wire]

    def seat(self, wire: Wire) -> Seat:
        """Where the label of a wire has its room."""
        return self.seats[wire]

    @property
    def seats(self) -> dict[Wire, Seat]:
        """Where the labels of all wires have their room."""
        if self._seats is None:
            self._seats = self._seated()
        return self._seats

    def label_rect(self, wire: Wire, short: bool = False) -> QRectF | None:
        """The rectangle of a label as it is drawn now, or None when there is none."""
        look = self.label(wire)
        if look is None:
            return None
        seat = self.seat(wire)
        short = short or seat.form == "short"
        high = sizes.LABEL_FIRING if look.state == "firing" else sizes.LABEL
        wide = label_width(look, short)
        return QRectF(seat.right - wide, seat.y - high / 2, wide, high)

    # where things are

    def extent(self, node: int) -> QRectF:
        """The rectangle a node may cover at any step, its ledger among it."""
        box = self.boxes[node]
        least = Box(box.x, box.y, box.w, 0).rect
        slots = max(1, len(inputs_of(self.sheet.graph.nodes[node])))
        high = sizes.NODE_HEIGHT + max(0, slots - 2) * sizes.NODE_ROW
        ledger = sizes.LEDGER if self._may_have_ledger(node) else 0
        least.setHeight(high + ledger)
        return least

    def bounds(self, nodes: Iterable[int] | None = None) -> QRectF:
        """The rectangle around nodes (all of them unless given), the same at every step."""
        found = QRectF()
        chosen = self.boxes if nodes is None else [n for n in nodes if n in self.boxes]
        for node in chosen:
            found = found.united(self.extent(node))
        if nodes is None:
            for section in self.sheet.sections.values():
                found = found.united(QRectF(*section.rect))
            for wire in self.courses.values():
                found = found.united(wire.path.controlPointRect())
        return found

    def output(self, node: int) -> QPointF:
        """The middle of a node's capsule."""
        return self.boxes[node].output()

    def widest_label(self, nodes: frozenset[int]) -> float:
        """The widest label that wires among these nodes may carry in a backward pass."""
        if len(nodes) > MANY:
            return _FIXED_LABEL
        graph = self.sheet.graph
        try:
            trace = self._trace if self._trace and self._is_backward() else run(graph)
        except EngineError:
            return 110.0
        looks = Looks(frame_at(trace, len(trace)), self._short, self._signed, False, False)
        widths = [
            label_width(looks.final_label(event))
            for event in trace.events
            if event.wire is not None and event.target in nodes
        ]
        return max(widths, default=110.0)

    # inside

    def _stale(self, frame: Frame, covered: bool, shown: bool) -> set[Event] | None:
        """The events whose nodes and wires look otherwise in a new frame; None for all."""
        old = self.looks
        same = frame.trace is old.frame.trace and frame.graph is old.frame.graph
        if not same or (covered, shown) != (old.covered, old.shown) or frame.trace is None:
            return None
        low, high = sorted((old.frame.cursor, frame.cursor))
        if frame.phase != "backward" or low == 0 or high == frame.total:
            return None
        if frame.trace.rules.passes > 1 or high - low > 50:
            return None
        return set(frame.trace.events[low - 1 : high + 1])

    def _forget_looks(self, stale: set[Event] | None) -> None:
        if stale is None:
            self._node_looks.clear()
            self._wire_looks.clear()
            self._label_looks.clear()
            return
        for event in stale:
            self._node_looks.pop(event.node, None)
            self._node_looks.pop(event.target, None)
            if event.wire is not None:
                self._wire_looks.pop(event.wire, None)
                self._label_looks.pop(event.wire, None)
        marker = self.sheet.graph.active_root
        if marker is not None:
            self._node_looks.pop(marker, None)

    def _is_backward(self) -> bool:
        return self._trace is not None and self._trace.phase == "backward"

    def _relayout(self, before: Sheet, graph: bool) -> bool:
        old, new = before.graph, self.sheet.graph
        if old.structure is not new.structure or graph:
            for gone in self.boxes.keys() - new.nodes.keys():
                del self.boxes[gone]
                self.node_grid.take(gone)
            wires = {wire for _source, wire in new.wires()}
            for lost in self.courses.keys() - wires:
                del self.courses[lost]
                self.wire_grid.take(lost)
            changed = {n for n in self._to_measure(old, new, before) if self._resized(n)}
            rewired = {
                n
                for n, found in new.nodes.items()
                if n not in old.nodes or inputs_of(found) != inputs_of(old.nodes[n])
            }
            sources = {
                s
                for n in rewired
                for s in (*new.inputs(n), *_inputs(old, n))
                if s is not None and s in new.nodes
            }
        else:
            changed, rewired, sources = set[int](), set[int](), set[int]()
        moved = {
            n
            for n, place in self.sheet.positions.items()
            if (box := self.boxes.get(n)) is None or (box.x, box.y) != place
        }
        touched = changed | rewired | sources | moved
        self._place(touched)
        if graph and not self._many:
            self._seats = None
        return bool(touched)

    def _to_measure(self, old: Graph, new: Graph, before: Sheet) -> Iterable[int]:
        """The nodes whose size may differ; with many nodes numbers have no say in it."""
        state = (self._many, self.looks.frame.phase == "backward", self._trace is None)
        same, self._size_state = state == self._size_state, state
        if not self._many or not same or old.structure is not new.structure:
            return new.nodes
        return [n for n in new.nodes if n not in self.boxes]

    def _resized(self, node: int) -> bool:
        box = self._measured(node)
        if self.boxes.get(node) == box:
            return False
        self.boxes[node] = box
        return True

    def _measured(self, node: int) -> Box:
        graph = self.sheet.graph
        found = graph.nodes[node]
        kind = kind_of(found)
        slots = len(inputs_of(found))
        wide, high, left = node_size(kind, slots, self._header(node, kind), self._room(node))
        backward = self.looks.frame.phase == "backward"
        ledger = sizes.LEDGER if backward and self._may_have_ledger(node) else 0
        x, y = self._lifted.get(node) or self.sheet.positions.get(node, (0.0, 0.0))
        return Box(x, y, wide, high + ledger, left)

    def _header(self, node: int, kind: str) -> float:
        graph = self.sheet.graph
        symbol = graph.op(node).symbol if kind == "op" else ""
        return header_width(kind, self.looks.title(node), symbol)

    def _place(self, nodes: set[int]) -> None:
        """Put nodes where they stand now, and lay the wires that end on them anew."""
        graph = self.sheet.graph
        for node in nodes:
            if node in self.boxes:
                x, y = self._lifted.get(node) or self.sheet.positions.get(node, (0.0, 0.0))
                self.boxes[node] = replace(self.boxes[node], x=x, y=y)
                self.node_grid.put(node, self.extent(node).adjusted(-20, -20, 20, 20))
        wires: set[Wire] = set()
        for node in nodes:
            for slot, source in enumerate(graph.inputs(node)):
                if source is not None:
                    wires.add((node, slot))
                    wires.update(graph.outgoing[source])
            wires.update(graph.outgoing[node])
        for wire in wires:
            self._lay(wire)
        if nodes:
            self._seats = None

    def _lay(self, wire: Wire) -> None:
        graph = self.sheet.graph
        source = graph.source(wire)
        if source is None or source not in self.boxes or wire[0] not in self.boxes:
            return
        fan = self._fan(source)
        start = self.boxes[source].output(fan.index(wire), len(fan))
        end = self.boxes[wire[0]].slot(wire[1]) - QPointF(sizes.SLOT / 2, 0)
        laid = course(start, end, self._obstacles(start, end, source, wire[0]))
        self.courses[wire] = laid
        self.wire_grid.put(wire, laid.path.controlPointRect().adjusted(-12, -14, 12, 14))

    def _fan(self, source: int) -> tuple[Wire, ...]:
        """The wires that leave a node, from the highest target to the lowest."""
        wires = self.sheet.graph.outgoing[source]
        if len(wires) < 2:
            return wires
        return tuple(sorted(wires, key=lambda w: (self.boxes[w[0]].slot(w[1]).y(), w)))

    def _obstacles(self, start: QPointF, end: QPointF, source: int, target: int) -> list[QRectF]:
        if end.x() - start.x() < 140 or (self._lifted and len(self.boxes) > MANY):
            return []
        area = QRectF(start, end).normalized().adjusted(10, -60, -10, 60)
        return [
            self.extent(n)
            for n in self.node_grid.within(area)
            if n not in (source, target) and self.extent(n).intersects(area)
        ]

    def _seated(self) -> dict[Wire, Seat]:
        seater = Seater([self.extent(n) for n in self.boxes])
        widths = self._label_widths()
        seats: dict[Wire, Seat] = {}
        for wire in sorted(self.courses, key=lambda w: (self.boxes[w[0]].x, w)):
            full, short = widths.get(wire, (0.0, 0.0))
            seats[wire] = seater.seat(self.courses[wire], full, short)
        return seats

    def _label_widths(self) -> dict[Wire, tuple[float, float]]:
        """The widest label each wire carries during the pass, whole and short."""
        trace = self._trace
        if trace is None or trace.phase != "backward":
            return {}
        if self._many:
            return dict.fromkeys(self.courses, (_FIXED_LABEL, 70.0))
        widths: dict[Wire, tuple[float, float]] = {}
        for event in trace.events:
            if event.wire is None:
                continue
            look = self.looks.final_label(event)
            before = widths.get(event.wire, (0.0, 0.0))
            waiting = replace(look, contribution="···")
            widths[event.wire] = (
                max(label_width(look), label_width(waiting), before[0]),
                max(label_width(look, True), label_width(waiting, True), before[1]),
            )
        return widths

    def _may_have_ledger(self, node: int) -> bool:
        graph = self.sheet.graph
        if isinstance(graph.nodes[node], Root):
            return False
        if self._trace is not None and self._trace.phase == "backward":
            return len(self._trace.arrivals.get(node, ())) > 1
        root = graph.root
        if root is None or node not in graph.plan(root).wants:
            return False
        plan = graph.plan(root)
        users = [w for w in graph.outgoing[node] if w[0] in plan.wants]
        return sum(not isinstance(graph.nodes[w[0]], Root) for w in users) > 1

    def _room(self, node: int) -> Room:
        """The widest texts a node shows in the pass, so that it keeps its size throughout."""
        if self._many:
            return _FIXED_LEDGER if self._may_have_ledger(node) else _FIXED
        found = self.sheet.graph.nodes[node]
        shown = found.input if isinstance(found, Root) else node
        value = None if shown is None else self._values.get(shown)
        wide = 0.0 if value is None else width(self._short(value), "number")
        trace = self._trace
        if trace is None or trace.phase == "forward" or shown is None:
            return Room(wide)
        events = [trace.events[k] for k in trace.arrivals.get(shown, ())]
        texts = [self._short(event.after) for event in events]
        locals_ = [
            width("∂ " + self._short(event.local), "done") for event in self._fired_by(node, trace)
        ]
        chips = 0.0
        if len(events) > 1 and not isinstance(found, Root):
            chips = _chips_room([self._signed(e.contribution) for e in events], texts)
        kink = 14.0 if locals_ and self.looks.kink(node) else 0.0
        return Room(
            wide,
            max((width(text, "number") for text in texts), default=0.0),
            max(locals_, default=0.0) + kink,
            chips,
        )

    @property
    def _many(self) -> bool:
        return len(self.sheet.graph.nodes) > MANY

    @property
    def _values(self) -> Mapping[int, float]:
        trace = self._trace
        return self.looks.frame.values if trace is None else trace.values

    def _fired_by(self, node: int, trace: Trace) -> list[Event]:
        """The events in which a node fires."""
        if self._by_target[0] is not trace:
            table: dict[int, list[Event]] = {}
            for event in trace.events:
                table.setdefault(event.target, []).append(event)
            self._by_target = (trace, table)
        return self._by_target[1].get(node, [])


def _chips_room(texts: list[str], totals: list[str]) -> float:
    if len(texts) <= CHIPS_SHOWN:
        shown, more = texts, 0
    else:
        shown, more = sorted(texts, key=len)[-CHIPS_SHOWN:], len(texts) - CHIPS_SHOWN
    return max(ledger_width(shown, more, total) for total in totals)


def _inputs(graph: Graph, node: int) -> tuple[int | None, ...]:
    return inputs_of(graph.nodes[node]) if node in graph.nodes else ()
