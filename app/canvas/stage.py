"""Stage: where everything stands and what it shows, for one sheet and one frame.

The view paints a stage on the screen and the picture export paints one on paper, so both are
the same by construction. Sizes keep room for every number of the pass that is shown, and labels
are seated for all of its steps at once: nothing jumps while stepping.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from PySide6.QtCore import QLineF, QPointF, QRectF

from app.canvas.afar import Afar
from app.canvas.geometry import (
    Box,
    Course,
    Sides,
    body_height,
    course_past,
    header_width,
    node_size,
    sides_of,
)
from app.canvas.grid import Grid
from app.canvas.group_look import GroupBox, GroupLook, group_box, group_look
from app.canvas.look import LabelLook, Looks, NodeLook, Tone, WireLook
from app.canvas.paint_wire import label_width
from app.canvas.rooms import Rooms, Write
from app.canvas.scheme import Folded, Scheme, scheme_of
from app.canvas.seats import Seat, Seater, Seats
from app.document.sheet import Point, Sheet
from app.style import sizes
from engine.errors import EngineError
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph, Root, Wire, inputs_of, kind_of
from engine.trace import Computed, Event, run

Step = Event | Computed

LITTLE = 0.3
"""Of less than this share of the sheet only what is in an area is drawn from afar."""
HURRY = 120
"""From so many nodes on, a change of numbers alone is drawn first and measured later."""
CARRIED = 12
"""Wires of more nodes than these do not look for a way round while they are dragged."""
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
        self.node_grid: Grid[int] = Grid(20, 20)
        self.wire_grid: Grid[Wire] = Grid(12, 14)
        self._seats: Seats | None = None
        self._lifted: Mapping[int, Point] = {}
        self._lifted_sections: Mapping[int, QRectF] = {}
        self._node_looks: dict[int, NodeLook] = {}
        self._wire_looks: dict[Wire, WireLook] = {}
        self._label_looks: dict[Wire, LabelLook | None] = {}
        self._group_looks: dict[int, GroupLook] = {}
        self._size_state: tuple[bool, bool, bool] = (False, False, False)
        self.unmeasured = False
        """Whether numbers have changed since the nodes were measured: `settle` is due."""
        self.touched: list[Step] | None = None
        """The steps whose nodes and wires were all that looked otherwise, last time; or None."""
        self._far_wires: Afar[Wire, WireLook, QLineF] = Afar(self._far_wire)
        self._far_nodes: Afar[int, Tone, QRectF] = Afar(self._far_node)

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
        self.touched = None
        self.looks = Looks(frame, self._short, self._signed, covered, shown)
        self.looks.take_over(old)
        self._forget_looks(old, stale)
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
            return self._relayout(before, numbers or rescheme, anew)
        if stale is not None and sheet is before and not self.scheme.folded:
            self.touched = stale
        return False

    def settle(self) -> None:
        """Give all nodes the room that their numbers need."""
        if self.unmeasured:
            self.unmeasured = False
            self._place({n for n in self.scheme.shown if self._resized(n)})

    def look_inside(self, group: int | None) -> None:
        """Show the inside of a group alone, or the whole sheet."""
        self.inside = group
        frame, looks = self.looks.frame, self.looks
        self.show(self.sheet, frame, looks.covered, looks.shown, anew=True)
        self._lay_out_anew()

    def in_pass(self) -> Stage:
        """The stage of the backward pass, where nodes need more room; this one if none can run."""
        self.settle()
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
                look = look._replace(upstream="", local="")
            self._label_looks[wire] = look
        return self._label_looks[wire]

    def far_wires(self, area: QRectF) -> Mapping[WireLook, list[QLineF]]:
        """The wires in an area, perhaps more, as straight lines by how they are drawn."""
        if self.wire_grid.share(area) < LITTLE:
            return self._far_wires.some(sorted(self.wire_grid.within(area)))
        return self._far_wires.shapes(self.courses)

    def far_nodes(self, area: QRectF) -> Mapping[Tone, list[QRectF]]:
        """The nodes in an area, perhaps more, as rectangles by their state in one word."""
        if self.node_grid.share(area) < LITTLE:
            return self._far_nodes.some(sorted(self.node_grid.within(area)))
        return self._far_nodes.shapes(self.boxes)

    def seat(self, wire: Wire) -> Seat:
        """Where the label of a wire has its room."""
        return self.seats[wire]

    @property
    def seats(self) -> Seats:
        """Where the labels of all wires have their room."""
        if self._seats is None:
            boxes = [box.rect for box in self.group_boxes.values()]
            seater = Seater(boxes, self.node_grid)
            self._seats = Seats(self.courses, self.wire_grid, self._label_room, seater)
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
        left, top, right, bottom = self.node_grid.sides(node)
        return QRectF(left, top, right - left, bottom - top)

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
        if self.courses:
            lefts, tops, rights, bottoms = zip(
                *(course.bounds for course in self.courses.values()), strict=True
            )
            corner = QPointF(max(rights), max(bottoms))
            found = found.united(QRectF(QPointF(min(lefts), min(tops)), corner))
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

    def _stale(self, frame: Frame, covered: bool, shown: bool) -> list[Step] | None:
        """The steps whose nodes and wires look otherwise now; None for all."""
        old, trace = self.looks, frame.trace
        same = trace is old.frame.trace and frame.graph is old.frame.graph
        if not same or (covered, shown) != (old.covered, old.shown) or trace is None:
            return None
        low, high = sorted((old.frame.cursor, frame.cursor))
        if low == 0 or high == frame.total or trace.rules.passes > 1 or high - low > 50:
            return None
        steps = trace.events if frame.phase == "backward" else trace.computed
        return list(steps[low - 1 : high + 1])

    def _forget_looks(self, before: Looks, stale: list[Step] | None) -> None:
        self._group_looks.clear()
        if stale is None:
            self._node_looks.clear()
            self._label_looks.clear()
            if not self.looks.tones_since(before):
                self._far_nodes.forget()
            if not self.looks.wires_since(before):
                self._wire_looks.clear()
                self._far_wires.forget()
            return
        wires = {wire for step in stale for wire in self.wires_of(step)}
        nodes = {node for step in stale for node in self.nodes_of(step)}
        for node in nodes:
            self._node_looks.pop(node, None)
        for wire in wires:
            self._wire_looks.pop(wire, None)
            self._label_looks.pop(wire, None)
        self._far_nodes.forget(nodes)
        self._far_wires.forget(wires)

    def nodes_of(self, step: Step) -> set[int]:
        """The nodes that show a step: who computes, fires or receives, and its Roots."""
        graph = self.sheet.graph
        nodes = {step.node, step.target} if isinstance(step, Event) else {step.node}
        users = (target for target, _slot in graph.outgoing.get(step.node, ()))
        marker = graph.active_root
        roots = {user for user in users if isinstance(graph.nodes[user], Root)}
        return nodes | roots | (set() if marker is None else {marker})

    def wires_of(self, step: Step) -> list[Wire]:
        """The wires that show a step: the one that carries it, or all into who computes."""
        if isinstance(step, Event):
            return [] if step.wire is None else [step.wire]
        return [(step.node, slot) for slot in range(len(self.sheet.graph.inputs(step.node)))]

    def _far_wire(self, wire: Wire) -> tuple[WireLook, list[QLineF]] | None:
        course = self.courses.get(wire)
        return None if course is None else (self.wire(wire), course.chords)

    def _far_node(self, node: int) -> tuple[Tone, list[QRectF]] | None:
        box = self.boxes.get(node)
        return None if box is None else (self.looks.tone(node), [box.rect])

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
        self._far_nodes.forget()
        self._far_wires.forget()
        self._size_groups()
        for node in self.scheme.shown:
            self._resized(node)
        self._place(set(self.scheme.shown) | set(self.scheme.home))
        self._seats = None

    def _relayout(self, before: Sheet, graph: bool, anew: bool) -> bool:
        old, new = before.graph, self.sheet.graph
        touched = self._moved(before)
        if graph and old.structure is not new.structure:
            self._drop_gone()
            rewired = {n for n in new.nodes if n not in old.nodes or _rewired(old, new, n)}
            touched |= rewired
            for node in rewired:
                sources = (*new.inputs(node), *_inputs(old, node))
                touched.update(s for s in sources if s is not None and s in new.nodes)
        if graph:
            self._size_groups()
            touched |= {n for n in self._to_measure(old, new, anew) if self._resized(n)}
        self._place(touched)
        return bool(touched)

    def _moved(self, before: Sheet) -> set[int]:
        """The nodes that stand elsewhere now, all in collapsed groups among them."""
        if before.positions is self.sheet.positions:
            return set()
        boxes, shown = self.boxes, self.scheme.shown
        moved = {
            n
            for n, place in self.sheet.positions.items()
            if n in shown and ((box := boxes.get(n)) is None or (box.x, box.y) != place)
        }
        return moved | self.scheme.home.keys()

    def _drop_gone(self) -> None:
        for gone in self.boxes.keys() - self.scheme.shown:
            del self.boxes[gone]
            self.node_grid.take(gone)
            self._far_nodes.forget((gone,))
        wires = {wire for _source, wire in self.sheet.graph.wires()}
        for lost in self.courses.keys() - wires:
            del self.courses[lost]
            self.wire_grid.take(lost)
            self._far_wires.forget((lost,))

    def _to_measure(self, old: Graph, new: Graph, anew: bool) -> Iterable[int]:
        """The nodes whose size may differ; with many nodes numbers have no say in it."""
        state = (self.rooms.many, self.rooms.backward, self.looks.frame.trace is None)
        same = state == self._size_state and old.structure is new.structure and not anew
        self._size_state = state
        if not (same and self.rooms.many):
            self._seats = None
        if same and len(new.nodes) > HURRY:
            self.unmeasured = not self.rooms.many
            return [n for n in self.scheme.shown if n not in self.boxes]
        self.unmeasured = False
        return self.scheme.shown

    def _resized(self, node: int) -> bool:
        """Measure a node; whether its wires start elsewhere or its room differs."""
        box, before = self._measured(node), self.boxes.get(node)
        self.boxes[node] = box
        self._far_nodes.forget((node,))
        if before is None or (box.w, box.left, box.x, box.y) != (
            *(before.w, before.left, before.x, before.y),
        ):
            return True
        return self.node_grid.sides(node) != self._sides(node)

    def _measured(self, node: int) -> Box:
        found = self.sheet.graph.nodes[node]
        kind = kind_of(found)
        slots = len(inputs_of(found))
        symbol = self.sheet.graph.op(node).symbol if kind == "op" else ""
        header = header_width(kind, self.looks.title(node), symbol)
        wide, high, left = node_size(kind, slots, header, self.rooms.node(node))
        backward = self.looks.frame.phase == "backward"
        ledger = sizes.LEDGER if backward and self.rooms.has_ledger(node) else 0
        x, y = self._place_of(node)
        return Box(x, y, wide, high + ledger, left)

    def _sides(self, node: int) -> Sides:
        """The sides of the rectangle that a node may cover at any step."""
        box = self.boxes[node]
        high = body_height(len(inputs_of(self.sheet.graph.nodes[node])))
        ledger = sizes.LEDGER if self.rooms.has_ledger(node) else 0
        return (box.x, box.y, box.x + box.w, box.y + high + ledger)

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
        if not nodes:
            return
        graph = self.sheet.graph
        nodes = nodes | self._place_groups(nodes)
        sources = set(nodes)
        for node in nodes:
            sources.update(source for source in graph.inputs(node) if source is not None)
            box = self.boxes.get(node)
            if box is not None:
                self.boxes[node] = Box(*self._place_of(node), box.w, box.h, box.left)
                self.node_grid.put(node, self._sides(node))
        self._far_nodes.forget(nodes)
        for source in sources:
            self._far_wires.forget(graph.outgoing[source])
            self._lay_fan(source)
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

    def _lay_fan(self, source: int) -> None:
        """Lay the wires that leave a node, the one to the highest target first."""
        wires = self.sheet.graph.outgoing[source]
        ends = {wire: end for wire in wires if (end := self.slot_point(wire)) is not None}
        fan = sorted(ends, key=lambda wire: (ends[wire].y(), wire)) if len(ends) > 1 else ends
        for place, wire in enumerate(fan):
            end = (ends[wire].x() - sizes.SLOT / 2, ends[wire].y())
            start = (end[0] - STUB, end[1])
            if source in self.boxes:
                start = self.boxes[source].output(place, len(ends)).toTuple()
            elif self.scheme.drawn(source):
                start = (self.output(source) or QPointF()).toTuple()
            laid = course_past(start, end, self._obstacles(start, end, source, wire[0]))
            self.courses[wire] = laid
            self.wire_grid.put(wire, laid.bounds)
        for wire in wires if len(ends) < len(wires) else ():
            if wire not in ends:
                self.courses.pop(wire, None)
                self.wire_grid.take(wire)

    def _obstacles(self, start: Point, end: Point, source: int, target: int) -> list[Sides]:
        """What may stand in the way of a wire; nodes between its ends are never in one column."""
        hurried = bool(self._lifted) and (self.rooms.many or len(self._lifted) > CARRIED)
        if end[0] - start[0] < 140 or hurried:
            return []
        top, bottom = min(start[1], end[1]) - 60, max(start[1], end[1]) + 60
        area = (start[0] + 10, top, end[0] - 10, bottom)
        near = self.node_grid.touching(area)
        found = [self.node_grid.sides(n) for n in near if n != source and n != target]
        if not self.group_boxes:
            return found
        home = self.scheme.home
        ends = (home.get(source), home.get(target))
        rect = QRectF(QPointF(*area[:2]), QPointF(*area[2:]))
        return found + [
            sides_of(box.rect)
            for group, box in self.group_boxes.items()
            if group not in ends and box.rect.intersects(rect)
        ]

    def _label_room(self, wire: Wire) -> tuple[float, float]:
        full, short = self.rooms.label(wire)
        return (short if wire[0] in self.scheme.home else full), short


def _inputs(graph: Graph, node: int) -> tuple[int | None, ...]:
    return inputs_of(graph.nodes[node]) if node in graph.nodes else ()


def _rewired(old: Graph, new: Graph, node: int) -> bool:
    return inputs_of(new.nodes[node]) != inputs_of(old.nodes[node])
