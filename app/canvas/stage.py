"""Stage: where everything stands and what it shows, for one sheet and one frame.

The view paints a stage on the screen and the picture export paints one on paper, so both are
the same by construction. Sizes keep room for every number of the pass that is shown, and labels
are seated for all of its steps at once: nothing jumps while stepping.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF

from app.canvas.geometry import Box, Course, course, header_width, node_size
from app.canvas.grid import Grid
from app.canvas.group_look import GroupBox, GroupLook, group_box, group_look
from app.canvas.look import LabelLook, Looks, NodeLook, WireLook
from app.canvas.paint_wire import label_width
from app.canvas.rooms import Rooms, Write
from app.canvas.scheme import Folded, Scheme, scheme_of
from app.canvas.seats import Seat, Seater
from app.document.sheet import Point, Sheet
from app.style import sizes
from engine.errors import EngineError
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph, Wire, inputs_of, kind_of
from engine.trace import run

STUB = 150.0
"""How long a wire from outside is drawn inside a group."""
FRAME = (20.0, 40.0, 20.0, 16.0)
"""How far the frame of an opened group reaches beyond its members: left, top, right, bottom."""


class Stage:
    """The places of all nodes, groups, wires and labels, and their looks."""

    def __init__(self, short: Write, signed: Write) -> None:
        self._short, self._signed = short, signed
        self.sheet = Sheet()
        self.inside: int | None = None
        self.scheme = Scheme(frozenset())
        self.looks = Looks(live_frame(self.sheet.graph), short, signed, False, False)
        self.rooms = Rooms(self.looks, short, signed)
        self.boxes: dict[int, Box] = {}
        self.group_boxes: dict[int, GroupBox] = {}
        self.courses: dict[Wire, Course] = {}
        self.node_grid: Grid[int] = Grid()
        self.wire_grid: Grid[Wire] = Grid()
        self._seats: dict[Wire, Seat] | None = None
        self._lifted: Mapping[int, Point] = {}
        self._lifted_sections: Mapping[int, QRectF] = {}
        self._node_looks: dict[int, NodeLook] = {}
        self._wire_looks: dict[Wire, WireLook] = {}
        self._label_looks: dict[Wire, LabelLook | None] = {}
        self._group_looks: dict[int, GroupLook] = {}
        self._size_state: tuple[bool, bool, bool] = (False, False, False)

    # what it shows

    def write_with(self, short: Write, signed: Write) -> None:
        """Write numbers another way; everything may need another size."""
        self._short, self._signed = short, signed
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
        old = self.looks
        stale = None if anew else self._stale(frame, covered, shown)
        self.looks = Looks(frame, self._short, self._signed, covered, shown)
        self._forget_looks(stale)
        numbers = anew or sheet.graph is not before.graph or frame.trace is not old.frame.trace
        if numbers:
            self.rooms = Rooms(self.looks, self._short, self._signed)
        rescheme = anew or self._is_other_scheme(before)
        if rescheme:
            self.scheme = scheme_of(sheet, self._kept_inside())
        if rescheme and (self.scheme.folded or self.scheme.opened or before.groups or self.inside):
            self._lay_out_anew()
            return True
        if numbers or rescheme or before.positions is not sheet.positions:
            return self._relayout(before, numbers or rescheme)
        return False

    def look_inside(self, group: int | None) -> None:
        """Show the inside of a group alone, or the whole sheet."""
        self.inside = group
        frame, looks = self.looks.frame, self.looks
        self.show(self.sheet, frame, looks.covered, looks.shown, anew=True)
        self._lay_out_anew()

    def in_pass(self) -> Stage:
        """The stage of the backward pass, where nodes need more room; this one if none can run."""
        if self.rooms.backward or self.rooms.many:
            return self
        try:
            trace = run(self.sheet.graph)
        except EngineError:
            return self
        found = Stage(self._short, self._signed)
        found.inside = self.inside
        found.show(self.sheet, frame_at(trace, 0), anew=True)
        return found

    def lift(self, places: Mapping[int, Point]) -> None:
        """Show nodes elsewhere while they are dragged, without touching the sheet."""
        moved = set(places) | set(self._lifted)
        self._lifted = places
        self._place(moved & self.sheet.graph.nodes.keys())

    @property
    def lifted(self) -> Mapping[int, Point]:
        """The nodes that are being dragged, and where to."""
        return self._lifted

    def lift_sections(self, rects: Mapping[int, QRectF]) -> None:
        """Show sections elsewhere while they are dragged, without touching the sheet."""
        self._lifted_sections = rects

    def section_rects(self) -> dict[int, QRectF]:
        """Where the sections are; inside a group there are none."""
        if self.inside is not None:
            return {}
        return {
            number: self._lifted_sections.get(number) or QRectF(*section.rect).normalized()
            for number, section in self.sheet.sections.items()
        }

    def section_bounds(self, numbers: Iterable[int]) -> QRectF:
        """The rectangle around some sections."""
        rects, found = self.section_rects(), QRectF()
        for number in numbers:
            found = found.united(rects.get(number, QRectF()))
        return found

    def node(self, node: int) -> NodeLook:
        """What a node shows."""
        if node not in self._node_looks:
            self._node_looks[node] = self.looks.node(node)
        return self._node_looks[node]

    def group(self, group: int) -> GroupLook:
        """What a collapsed group shows."""
        if group not in self._group_looks:
            title = self.sheet.groups[group].title
            self._group_looks[group] = group_look(self.looks, title, self.scheme.folded[group])
        return self._group_looks[group]

    def wire(self, wire: Wire) -> WireLook:
        """How a wire is drawn."""
        if wire not in self._wire_looks:
            self._wire_looks[wire] = self.looks.wire(wire)
        return self._wire_looks[wire]

    def label(self, wire: Wire) -> LabelLook | None:
        """What stands on a wire, or None; into a collapsed group the contribution alone."""
        if wire not in self._label_looks:
            look = self.looks.label(wire)
            if look is not None and wire[0] in self.scheme.home:
                look = replace(look, upstream="", local="")
            self._label_looks[wire] = look
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
        if look is None or wire not in self.seats:
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
        slots = max(1, len(inputs_of(self.sheet.graph.nodes[node])))
        high = sizes.NODE_HEIGHT + max(0, slots - 2) * sizes.NODE_ROW
        ledger = sizes.LEDGER if self.rooms.has_ledger(node) else 0
        return QRectF(box.x, box.y, box.w, high + ledger)

    def extents(self) -> list[QRectF]:
        """The rectangles of all nodes and collapsed groups."""
        groups = [box.rect for box in self.group_boxes.values()]
        return [self.extent(node) for node in self.boxes] + groups

    def bounds(self, nodes: Iterable[int] | None = None) -> QRectF:
        """The rectangle around nodes (everything unless given), the same at every step."""
        if nodes is not None:
            return self._around(nodes)
        found = QRectF()
        for rect in self.extents():
            found = found.united(rect)
        for group in self.scheme.opened:
            found = found.united(self.frame_rect(group))
        for rect in self.section_rects().values():
            found = found.united(rect)
        for wire in self.courses.values():
            found = found.united(wire.path.controlPointRect())
        return found

    def frame_rect(self, group: int) -> QRectF:
        """The frame of an opened group, around its members."""
        members = self.scheme.opened[group]
        found = self.bounds(members)
        for other, rect in self.group_boxes.items():
            if self.scheme.folded[other].members <= members:
                found = found.united(rect.rect)
        left, top, right, bottom = FRAME
        nested = sum(
            other != group and inner < members for other, inner in self.scheme.opened.items()
        )
        grow = 1 + min(nested, 2) * 0.6
        return found.adjusted(-left * grow, -top * grow, right * grow, bottom * grow)

    def slot_point(self, wire: Wire) -> QPointF | None:
        """Where a slot is drawn: on its node, or on the collapsed group around it."""
        if wire[0] in self.boxes:
            return self.boxes[wire[0]].slot(wire[1])
        group = self.scheme.home.get(wire[0])
        if group is None or wire not in self.scheme.folded[group].slots:
            return None
        return self.group_boxes[group].slot(self.scheme.folded[group].slots.index(wire))

    def output(self, node: int) -> QPointF | None:
        """Where a node's output is drawn: the middle of its capsule, or on its group."""
        if node in self.boxes:
            return self.boxes[node].output()
        group = self.scheme.home.get(node)
        if group is None or node not in self.scheme.folded[group].outputs:
            return None
        return self.group_boxes[group].output(self.scheme.folded[group].outputs.index(node))

    def stubs(self) -> list[tuple[Wire, str]]:
        """Inside a group: the wires that come from outside, and where from."""
        if self.inside is None:
            return []
        graph = self.sheet.graph
        found: list[tuple[Wire, str]] = []
        for wire in self.courses:
            source = graph.source(wire)
            if source is not None and not self.scheme.drawn(source):
                found.append((wire, graph.title(source)))
        return found

    # inside

    def _around(self, nodes: Iterable[int]) -> QRectF:
        found = QRectF()
        for node in nodes:
            if node in self.boxes:
                found = found.united(self.extent(node))
            elif node in self.scheme.home:
                found = found.united(self.group_boxes[self.scheme.home[node]].rect)
        return found

    def _stale(self, frame: Frame, covered: bool, shown: bool) -> set[int] | None:
        """The places of events whose nodes and wires look otherwise now; None for all."""
        old = self.looks
        same = frame.trace is old.frame.trace and frame.graph is old.frame.graph
        if not same or (covered, shown) != (old.covered, old.shown) or frame.trace is None:
            return None
        low, high = sorted((old.frame.cursor, frame.cursor))
        if frame.phase != "backward" or low == 0 or high == frame.total:
            return None
        if frame.trace.rules.passes > 1 or high - low > 50:
            return None
        return set(range(low - 1, high + 1))

    def _forget_looks(self, stale: set[int] | None) -> None:
        self._group_looks.clear()
        if stale is None:
            self._node_looks.clear()
            self._wire_looks.clear()
            self._label_looks.clear()
            return
        trace = self.looks.frame.trace
        assert trace is not None
        for event in (trace.events[k] for k in stale):
            self._node_looks.pop(event.node, None)
            self._node_looks.pop(event.target, None)
            if event.wire is not None:
                self._wire_looks.pop(event.wire, None)
                self._label_looks.pop(event.wire, None)
        marker = self.sheet.graph.active_root
        if marker is not None:
            self._node_looks.pop(marker, None)

    def _is_other_scheme(self, before: Sheet) -> bool:
        if before.groups != self.sheet.groups:
            return True
        return before.graph.structure is not self.sheet.graph.structure

    def _kept_inside(self) -> int | None:
        if self.inside is not None and self.inside not in self.sheet.groups:
            self.inside = None
        return self.inside

    def _lay_out_anew(self) -> None:
        """Everything from nothing: sizes, places, wires."""
        self.boxes.clear()
        self.group_boxes.clear()
        self.courses.clear()
        self.node_grid.clear()
        self.wire_grid.clear()
        self._size_groups()
        for node in self.scheme.shown:
            self._resized(node)
        self._place(set(self.scheme.shown) | set(self.scheme.home))
        for _source, wire in self.sheet.graph.wires():
            self._lay(wire)
        self._seats = None

    def _relayout(self, before: Sheet, graph: bool) -> bool:
        old, new = before.graph, self.sheet.graph
        changed, rewired, sources = set[int](), set[int](), set[int]()
        if graph:
            self._drop_gone()
            self._size_groups()
            changed = {n for n in self._to_measure(old, new) if self._resized(n)}
            rewired = {n for n in new.nodes if n not in old.nodes or _rewired(old, new, n)}
            sources = {
                s
                for n in rewired
                for s in (*new.inputs(n), *_inputs(old, n))
                if s is not None and s in new.nodes
            }
        moved = {
            n
            for n, place in self.sheet.positions.items()
            if n in self.scheme.shown
            and ((box := self.boxes.get(n)) is None or (box.x, box.y) != place)
        }
        if before.positions is not self.sheet.positions:
            moved |= self.scheme.home.keys()
        touched = changed | rewired | sources | moved
        self._place(touched)
        if graph and not self.rooms.many:
            self._seats = None
        return bool(touched)

    def _drop_gone(self) -> None:
        for gone in self.boxes.keys() - self.scheme.shown:
            del self.boxes[gone]
            self.node_grid.take(gone)
        wires = {wire for _source, wire in self.sheet.graph.wires()}
        for lost in self.courses.keys() - wires:
            del self.courses[lost]
            self.wire_grid.take(lost)

    def _to_measure(self, old: Graph, new: Graph) -> Iterable[int]:
        """The nodes whose size may differ; with many nodes numbers have no say in it."""
        frame = self.looks.frame
        state = (self.rooms.many, frame.phase == "backward", frame.trace is None)
        same, self._size_state = state == self._size_state, state
        if not self.rooms.many or not same or old.structure is not new.structure:
            return self.scheme.shown
        return [n for n in self.scheme.shown if n not in self.boxes]

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
        symbol = graph.op(node).symbol if kind == "op" else ""
        header = header_width(kind, self.looks.title(node), symbol)
        wide, high, left = node_size(kind, slots, header, self.rooms.node(node))
        backward = self.looks.frame.phase == "backward"
        ledger = sizes.LEDGER if backward and self.rooms.has_ledger(node) else 0
        x, y = self._place_of(node)
        return Box(x, y, wide, high + ledger, left)

    def _size_groups(self) -> None:
        for group, folded in self.scheme.folded.items():
            x, y = self._group_place(group, folded)
            rooms = [self.rooms.node(node) for node in folded.outputs]
            room = max((max(r.value, r.grad) for r in rooms), default=0.0)
            self.group_boxes[group] = group_box(self.group(group), x, y, room)

    def _group_place(self, group: int, folded: Folded) -> Point:
        """A group goes along when all its members are dragged."""
        x, y = self.sheet.groups[group].position
        one = next(iter(folded.members), None)
        if one is not None and one in self._lifted and folded.members <= self._lifted.keys():
            (ax, ay), (bx, by) = self._lifted[one], self.sheet.positions.get(one, (0.0, 0.0))
            x, y = x + ax - bx, y + ay - by
        return (x, y)

    def _place_of(self, node: int) -> Point:
        return self._lifted.get(node) or self.sheet.positions.get(node, (0.0, 0.0))

    def _place(self, nodes: set[int]) -> None:
        """Put nodes where they stand now, and lay the wires that end on them anew."""
        graph = self.sheet.graph
        nodes = nodes | self._place_groups(nodes)
        for node in nodes:
            if node in self.boxes:
                x, y = self._place_of(node)
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

    def _place_groups(self, nodes: set[int]) -> set[int]:
        """Put the groups around nodes where they stand now; returns all their members."""
        touched: set[int] = set()
        for group in {self.scheme.home[node] for node in nodes if node in self.scheme.home}:
            folded = self.scheme.folded[group]
            x, y = self._group_place(group, folded)
            self.group_boxes[group] = replace(self.group_boxes[group], x=x, y=y)
            touched |= folded.members
        return touched

    def _lay(self, wire: Wire) -> None:
        graph = self.sheet.graph
        source = graph.source(wire)
        end = self.slot_point(wire)
        if source is None or end is None:
            self.courses.pop(wire, None)
            self.wire_grid.take(wire)
            return
        end -= QPointF(sizes.SLOT / 2, 0)
        if self.scheme.drawn(source):
            fan = self._fan(source)
            start = self._start(source, wire, fan)
        else:
            start = end - QPointF(STUB, 0)
        laid = course(start, end, self._obstacles(start, end, source, wire[0]))
        self.courses[wire] = laid
        self.wire_grid.put(wire, laid.path.controlPointRect().adjusted(-12, -14, 12, 14))

    def _start(self, source: int, wire: Wire, fan: tuple[Wire, ...]) -> QPointF:
        if source in self.boxes:
            return self.boxes[source].output(fan.index(wire), len(fan))
        return self.output(source) or QPointF()

    def _fan(self, source: int) -> tuple[Wire, ...]:
        """The drawn wires that leave a node, from the highest target to the lowest."""
        wires = self.sheet.graph.outgoing[source]
        if len(wires) < 2:
            return wires
        points = {wire: self.slot_point(wire) for wire in wires}
        drawn = [(point.y(), wire) for wire, point in points.items() if point is not None]
        return tuple(wire for _y, wire in sorted(drawn))

    def _obstacles(self, start: QPointF, end: QPointF, source: int, target: int) -> list[QRectF]:
        if end.x() - start.x() < 140 or (self._lifted and self.rooms.many):
            return []
        area = QRectF(start, end).normalized().adjusted(10, -60, -10, 60)
        found = [
            self.extent(n)
            for n in self.node_grid.within(area)
            if n not in (source, target) and self.extent(n).intersects(area)
        ]
        home = self.scheme.home
        ends = (home.get(source), home.get(target))
        return found + [
            box.rect
            for group, box in self.group_boxes.items()
            if group not in ends and box.rect.intersects(area)
        ]

    def _seated(self) -> dict[Wire, Seat]:
        seater = Seater(self.extents())
        widths = self.rooms.labels(self.courses)
        seats: dict[Wire, Seat] = {}
        for wire in sorted(self.courses, key=lambda w: (self.courses[w].run_end, w)):
            full, short = widths.get(wire, (0.0, 0.0))
            if wire[0] in self.scheme.home:
                full = short
            seats[wire] = seater.seat(self.courses[wire], full, short)
        return seats


def _inputs(graph: Graph, node: int) -> tuple[int | None, ...]:
    return inputs_of(graph.nodes[node]) if node in graph.nodes else ()


def _rewired(old: Graph, new: Graph, node: int) -> bool:
    return inputs_of(new.nodes[node]) != inputs_of(old.nodes[node])
