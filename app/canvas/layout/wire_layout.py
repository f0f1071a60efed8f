"""WireLayout: the paths of all wires between the nodes of a layout."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from PySide6.QtCore import QPointF, QRectF

from app.canvas.layout.course import Course
from app.canvas.layout.label_layout import LabelLayout, LabelPlacer
from app.canvas.layout.lanes import Lanes
from app.canvas.layout.node_layout import NodeLayout
from app.canvas.layout.routes import BACK, TURN, BendRoute, Route
from app.canvas.layout.spatial_index import Sides, SpatialIndex, sides_of, touch
from app.canvas.layout.wire_path import CLOSE, route_past
from app.document.sheet import Point
from app.style import sizes
from engine.graph import Wire

MANY = 1000
"""Above this number of nodes, progress is reported while wires are routed."""
CARRIED = 12
"""Above this number of nodes, dragged wires are not routed around obstacles."""
PAST = 60.0
"""Vertical distance, in sheet px, within which obstacles of a wire are searched."""
ENDS = 10.0
"""Distance to its ends, in sheet px, within which nothing is an obstacle."""
STUB = 150.0
"""Length in sheet px of the stub of a wire from outside the entered group."""


class WireLayout:
    """The courses of all wires; `changed` is called with those that changed, or None for all."""

    def __init__(
        self, node_layout: NodeLayout, changed: Callable[[Iterable[Wire] | None], None]
    ) -> None:
        self._node_layout = node_layout
        self._changed = changed
        self.courses: dict[Wire, Course] = {}
        self.wire_index: SpatialIndex[Wire] = SpatialIndex(12, 14)
        self._label_layout: LabelLayout | None = None
        self.back = BACK
        """The level run left of a slot of a wire that runs back, with space for its label."""
        self._lanes = Lanes()
        self._hasty: set[int] = set()
        """Sources routed during a drag; they are routed again when it ends."""
        self._carried: dict[int, Point] = {}
        """Where the dragged nodes were when their wires were routed last."""
        self.progress: Callable[[float], object] = _ignore
        """Called repeatedly with the share (0 to 1) of wires routed, if there are many."""

    def clear(self) -> None:
        """Remove all wires."""
        self.courses.clear()
        self._lanes.clear()
        self.wire_index.clear()
        self._label_layout = None
        self._changed(None)

    def drop_gone(self) -> None:
        """Remove the wires that are no longer on the sheet."""
        wires = {wire for _source, wire in self._node_layout.sheet.graph.wires()}
        gone = self.courses.keys() - wires
        for wire in gone:
            del self.courses[wire]
            self._lanes.drop(wire)
            self.wire_index.take(wire)
        self._changed(gone)

    def lay(self, nodes: set[int]) -> None:
        """Route the wires that end on these nodes, and those near anything that moved.

        So the routing does not depend on earlier positions. While nodes are dragged, other wires
        keep their path.
        """
        graph = self._node_layout.sheet.graph
        sources = {s for n in nodes for s in (n, *graph.inputs(n)) if s is not None}
        beside: dict[int, set[Wire]] = {}
        if self._node_layout.lifted:
            self._hasty |= sources
            sources -= self._carry(sources, self._shifts(nodes))
        else:
            self._carried = {}
            sources |= self._hasty & graph.nodes.keys()
            self._hasty = set()
            beside = self._wires_past(self._node_layout.take_changed_areas(), sources)
        if not sources and not beside:
            self._lead_apart()
            return
        many = len(sources) > MANY
        for k, source in enumerate(sources):
            if many and k % (MANY // 4) == 0:
                self.progress(k / len(sources))
            self._lay_fan(source)
        if many:
            self.progress(1.0)
        for source, wires in beside.items():
            self._lay_fan(source, wires)
        self._lead_apart()
        self._label_layout = None

    def reseat(self) -> None:
        """Discard the places of labels, because their sizes changed."""
        self._label_layout = None

    @property
    def label_layout(self) -> LabelLayout:
        """Return the places of the labels on all wires."""
        if self._label_layout is None:
            layout = self._node_layout
            placer = LabelPlacer([b.rect for b in layout.group_boxes.values()], layout.node_index)
            self._label_layout = LabelLayout(
                self.courses, self.wire_index, layout.text_sizes, layout.visible.home, placer
            )
        return self._label_layout

    def bounds(self) -> QRectF:
        """Return the rectangle around all wires."""
        if not self.courses:
            return QRectF()
        lefts, tops, rights, bottoms = zip(
            *(course.bounds for course in self.courses.values()), strict=True
        )
        return QRectF(QPointF(min(lefts), min(tops)), QPointF(max(rights), max(bottoms)))

    def stubs(self) -> list[tuple[Wire, str]]:
        """Return the wires that enter the shown group from outside, with their sources' names."""
        visible, graph = self._node_layout.visible, self._node_layout.sheet.graph
        found: list[tuple[Wire, str]] = []
        for wire in self.courses:
            source = graph.source(wire)
            if source is not None and not visible.drawn(source):
                found.append((wire, graph.title(source)))
        return found

    # private

    def _shifts(self, nodes: set[int]) -> dict[int, Point]:
        """Return how far dragged nodes moved since their wires were routed, where that is known."""
        before, boxes = self._carried, self._node_layout.boxes
        self._carried = {n: (boxes[n].x, boxes[n].y) for n in nodes if n in boxes}
        return {
            n: (round(x - before[n][0], 6), round(y - before[n][1], 6))
            for n, (x, y) in self._carried.items()
            if n in before
        }

    def _carry(self, sources: set[int], shifts: dict[int, Point]) -> set[int]:
        """Move the wires between nodes that are dragged together; returns their sources.

        Wires of a few nodes are routed around obstacles even during a drag, so those are not.
        """
        outgoing, carried = self._node_layout.sheet.graph.outgoing, set[int]()
        for source in sources & shifts.keys() if self._is_hurried else ():
            shift, wires = shifts[source], outgoing[source]
            known = all(wire in self.courses and wire not in self._lanes for wire in wires)
            if known and all(shifts.get(wire[0]) == shift for wire in wires):
                carried.add(source)
                for wire in wires if shift != (0.0, 0.0) else ():
                    self._put(wire, self.courses[wire].moved(*shift))
                self._changed(wires)
        return carried

    @property
    def _is_hurried(self) -> bool:
        """Return whether so much is dragged that its wires are not routed around obstacles."""
        lifted = len(self._node_layout.lifted)
        return lifted > 0 and (self._node_layout.text_sizes.whole.many or lifted > CARRIED)

    def _wires_past(self, areas: list[Sides], laid: set[int]) -> dict[int, set[Wire]]:
        """Return by source the wires that may pass one of these areas and are not in `laid`."""
        graph, found = self._node_layout.sheet.graph, set[Wire]()
        if len(laid) == len(graph.nodes):
            return {}
        if len(areas) > len(self.courses) / 4:
            found.update(self.courses)
            areas = []
        routes = self._lanes.back if areas else ()
        back = [(wire, self._around(route.start, route.end)) for wire, route in routes]
        for room in areas:
            left, top, right, low = room
            near = self.wire_index.touching((left + ENDS, top - PAST, right - ENDS, low + PAST))
            found.update(wire for wire in near if self.courses[wire].depends_on(room))
            found.update(wire for wire, area in back if touch(area, room))
        by_source: dict[int, set[Wire]] = {}
        for wire in found:
            source = graph.source(wire)
            if source is not None and source not in laid:
                by_source.setdefault(source, set()).add(wire)
        return by_source

    def _lay_fan(self, source: int, only: Collection[Wire] | None = None) -> None:
        """Route all or some wires that leave a node, starting with the highest target."""
        node_layout, changed = self._node_layout, list[Wire]()
        wires = node_layout.sheet.graph.outgoing[source]
        ends = {wire: end for wire in wires if (end := node_layout.slot_point(wire)) is not None}
        fan = sorted(ends, key=lambda wire: (ends[wire].y(), wire)) if len(ends) > 1 else list(ends)
        drawn = dict.fromkeys(ends[wire].toTuple() for wire in fan)  # wires to one slot are one
        places = {spot: place for place, spot in enumerate(drawn)}
        for wire in fan:
            if only is not None and wire not in only:
                continue
            end = (ends[wire].x() - sizes.SLOT / 2, ends[wire].y())
            start = self._start(source, end, places[ends[wire].toTuple()], len(places))
            obstacles = self._obstacles(start, end, source, wire[0])
            laid = self._routed(wire, route_past(start, end, obstacles, self.back))
            if laid is None:
                continue
            if only is None or not laid.is_like(self.courses[wire]):
                self._put(wire, laid)
                changed.append(wire)
        for wire in wires if len(ends) < len(wires) else ():
            if wire not in ends:
                self.courses.pop(wire, None)
                self._lanes.drop(wire)
                self.wire_index.take(wire)
                changed.append(wire)
        self._changed(changed)

    def _start(self, source: int, end: Point, place: int, count: int) -> Point:
        """Return where wire number `place` of `count` leaves a node, a group or the frame."""
        node_layout = self._node_layout
        if source in node_layout.boxes:
            return node_layout.boxes[source].output(place, count).toTuple()
        if node_layout.visible.drawn(source):
            return (node_layout.output(source) or QPointF()).toTuple()
        return (end[0] - STUB, end[1])

    def _routed(self, wire: Wire, found: Course | Route | BendRoute) -> Course | None:
        """Return the course of a wire, or None if it is found when others are known too."""
        if isinstance(found, Course):
            self._lanes.drop(wire)
            return found
        if isinstance(found, BendRoute):
            self._lanes.put_bend(wire, found)
            return found.course()
        self._lanes.put(wire, found)
        if wire in self.courses and not self._is_hurried:
            return None
        self._lanes.draw_alone(wire)
        return found.course()

    def _lead_apart(self) -> None:
        """Lead the wires that have routes beside one another."""
        if self._is_hurried:
            return
        index = self._node_layout.node_index
        groups = [sides_of(box.rect) for box in self._node_layout.group_boxes.values()]

        def nodes(area: Sides) -> list[Sides]:
            near = [index.sides(node) for node in index.touching(area)]
            return near + [group for group in groups if touch(group, area)]

        changed = self._lanes.take_changed(nodes, self._node_layout.sheet.graph.source)
        for wire, route in changed.items():
            self._put(wire, route.course())
        if changed:
            self._label_layout = None
            self._changed(changed)

    def _put(self, wire: Wire, course: Course) -> None:
        self.courses[wire] = course
        self.wire_index.put(wire, course.bounds)

    def _around(self, start: Point, end: Point) -> Sides:
        """Return where nodes may be in the way of a wire that runs back."""
        top, bottom = _past(start, end)
        return (end[0] - self.back - TURN, top, start[0] + TURN, bottom)

    def _obstacles(self, start: Point, end: Point, source: int, target: int) -> list[Sides]:
        """Return the possible obstacles of a wire: nodes and groups between its ends."""
        node_layout = self._node_layout
        if CLOSE <= end[0] - start[0] < 140 or self._is_hurried:
            return []
        top, bottom = _past(start, end)
        area, own = (start[0] + ENDS, top, end[0] - ENDS, bottom), (source, target)
        if end[0] < start[0] + CLOSE:  # it runs back, past its own nodes too
            area, own = self._around(start, end), ()
        near = node_layout.node_index.touching(area)
        found = [node_layout.node_index.sides(n) for n in near if n not in own]
        if not node_layout.group_boxes:
            return found
        home = node_layout.visible.home
        ends = (home.get(source), home.get(target))
        rect = QRectF(QPointF(*area[:2]), QPointF(*area[2:]))
        return found + [
            sides_of(box.rect)
            for group, box in node_layout.group_boxes.items()
            if group not in ends and box.rect.intersects(rect)
        ]


def _past(start: Point, end: Point) -> tuple[float, float]:
    """Return between which heights obstacles of a wire are searched."""
    return min(start[1], end[1]) - PAST, max(start[1], end[1]) + PAST


def _ignore(_share: float) -> None:
    """Ignore the progress."""
