"""WireLayout: the paths of all wires between the nodes of a layout."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from PySide6.QtCore import QPointF, QRectF

from app.canvas.layout.geometry import Course, Sides, sides_of
from app.canvas.layout.label_layout import LabelLayout, LabelPlacer
from app.canvas.layout.node_layout import NodeLayout
from app.canvas.layout.spatial_index import SpatialIndex
from app.canvas.layout.wire_path import course_past
from app.document.sheet import Point
from app.style import sizes
from engine.graph import Wire

MANY = 1000
"""Laying the wires of more nodes than these takes so long that it is told how far it has come."""
CARRIED = 12
"""Wires of more nodes than these do not look for a way round while they are dragged."""
PAST = 60.0
"""How far above and below its ends a wire looks for what is in its way."""
ENDS = 10.0
"""How close to its ends nothing is in its way."""
STUB = 150.0
"""How long a wire from outside is drawn inside a group."""


class WireLayout:
    """The courses of all wires; `changed` is told which wires got another, None for all."""

    def __init__(
        self, node_layout: NodeLayout, changed: Callable[[Iterable[Wire] | None], None]
    ) -> None:
        self._node_layout = node_layout
        self._changed = changed
        self.courses: dict[Wire, Course] = {}
        self.wire_index: SpatialIndex[Wire] = SpatialIndex(12, 14)
        self._label_layout: LabelLayout | None = None
        self._hasty: set[int] = set()
        """The nodes whose wires were laid past what was being dragged: it may yet go elsewhere."""
        self.told: Callable[[float], object] = _nobody
        """Told now and then, while many wires are laid, which share of them is."""

    def clear(self) -> None:
        """Take all wires away."""
        self.courses.clear()
        self.wire_index.clear()
        self._label_layout = None
        self._changed(None)

    def drop_gone(self) -> None:
        """Take the wires away that the sheet has no more."""
        wires = {wire for _source, wire in self._node_layout.sheet.graph.wires()}
        gone = self.courses.keys() - wires
        for wire in gone:
            del self.courses[wire]
            self.wire_index.take(wire)
        self._changed(gone)

    def lay(self, nodes: set[int]) -> None:
        """Lay the wires that end on nodes anew, and all that what has come to rest is near to.

        So wires run the same whatever stood where before. While nodes are dragged, other wires
        stay as they are.
        """
        graph = self._node_layout.sheet.graph
        sources = {s for n in nodes for s in (n, *graph.inputs(n)) if s is not None}
        beside: dict[int, set[Wire]] = {}
        if self._node_layout.lifted:
            self._hasty |= sources
        else:
            sources |= self._hasty & graph.nodes.keys()
            self._hasty = set()
            beside = self._wires_past(self._node_layout.take_changed_areas(), sources)
        if not sources and not beside:
            return
        many = len(sources) > MANY
        for k, source in enumerate(sources):
            if many and k % (MANY // 4) == 0:
                self.told(k / len(sources))
            self._lay_fan(source)
        if many:
            self.told(1.0)
        for source, wires in beside.items():
            self._lay_fan(source, wires)
        self._label_layout = None

    def reseat(self) -> None:
        """Forget the places of labels: they need other sizes."""
        self._label_layout = None

    @property
    def label_layout(self) -> LabelLayout:
        """The places of the labels on all wires."""
        if self._label_layout is None:
            boxes = [box.rect for box in self._node_layout.group_boxes.values()]
            seater = LabelPlacer(boxes, self._node_layout.node_index)
            self._label_layout = LabelLayout(
                self.courses, self.wire_index, self._label_room, seater
            )
        return self._label_layout

    def bounds(self) -> QRectF:
        """The rectangle around all wires."""
        if not self.courses:
            return QRectF()
        lefts, tops, rights, bottoms = zip(
            *(course.bounds for course in self.courses.values()), strict=True
        )
        return QRectF(QPointF(min(lefts), min(tops)), QPointF(max(rights), max(bottoms)))

    def stubs(self) -> list[tuple[Wire, str]]:
        """Inside a group: the wires that come from outside, and where from."""
        visible, graph = self._node_layout.visible, self._node_layout.sheet.graph
        if visible.inside is None:
            return []
        found: list[tuple[Wire, str]] = []
        for wire in self.courses:
            source = graph.source(wire)
            if source is not None and not visible.drawn(source):
                found.append((wire, graph.title(source)))
        return found

    # private

    def _wires_past(self, areas: list[Sides], laid: set[int]) -> dict[int, set[Wire]]:
        """The wires that may run past one of these areas, by their source, if not laid anyway."""
        graph, found = self._node_layout.sheet.graph, set[Wire]()
        if len(laid) == len(graph.nodes):
            return {}
        if len(areas) > len(self.courses) / 4:
            found.update(self.courses)
            areas = []
        for room in areas:
            left, top, right, low = room
            near = self.wire_index.touching((left + ENDS, top - PAST, right - ENDS, low + PAST))
            found.update(wire for wire in near if self.courses[wire].minds(room))
        by_source: dict[int, set[Wire]] = {}
        for wire in found:
            source = graph.source(wire)
            if source is not None and source not in laid:
                by_source.setdefault(source, set()).add(wire)
        return by_source

    def _lay_fan(self, source: int, only: Collection[Wire] | None = None) -> None:
        """Lay the wires that leave a node, the one to the highest target first, or some of them."""
        node_layout, changed = self._node_layout, list[Wire]()
        wires = node_layout.sheet.graph.outgoing[source]
        ends = {wire: end for wire in wires if (end := node_layout.slot_point(wire)) is not None}
        fan = sorted(ends, key=lambda wire: (ends[wire].y(), wire)) if len(ends) > 1 else ends
        for place, wire in enumerate(fan):
            if only is not None and wire not in only:
                continue
            end = (ends[wire].x() - sizes.SLOT / 2, ends[wire].y())
            start = (end[0] - STUB, end[1])
            if source in node_layout.boxes:
                start = node_layout.boxes[source].output(place, len(ends)).toTuple()
            elif node_layout.visible.drawn(source):
                start = (node_layout.output(source) or QPointF()).toTuple()
            laid = course_past(start, end, self._obstacles(start, end, source, wire[0]))
            if only is None or not laid.is_like(self.courses[wire]):
                self.courses[wire] = laid
                self.wire_index.put(wire, laid.bounds)
                changed.append(wire)
        for wire in wires if len(ends) < len(wires) else ():
            if wire not in ends:
                self.courses.pop(wire, None)
                self.wire_index.take(wire)
                changed.append(wire)
        self._changed(changed)

    def _obstacles(self, start: Point, end: Point, source: int, target: int) -> list[Sides]:
        """What may stand in the way of a wire; nodes between its ends are never in one column."""
        node_layout = self._node_layout
        lifted = len(node_layout.lifted)
        hurried = lifted > 0 and (node_layout.text_sizes.many or lifted > CARRIED)
        if end[0] - start[0] < 140 or hurried:
            return []
        top, bottom = min(start[1], end[1]) - PAST, max(start[1], end[1]) + PAST
        area = (start[0] + ENDS, top, end[0] - ENDS, bottom)
        near = node_layout.node_index.touching(area)
        found = [node_layout.node_index.sides(n) for n in near if n != source and n != target]
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

    def _label_room(self, wire: Wire) -> tuple[float, float]:
        full, short = self._node_layout.text_sizes.label(wire)
        return (short if wire[0] in self._node_layout.visible.home else full), short


def _nobody(_share: float) -> None:
    """Nobody wants to know."""
