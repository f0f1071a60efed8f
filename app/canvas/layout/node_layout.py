"""NodeLayout: positions and sizes of nodes, collapsed groups and sections on a sheet.

Sizes reserve space for the widest numbers of the whole pass, so nothing here depends on the step
that is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set

from PySide6.QtCore import QPointF, QRectF

from app.canvas.appearance.visible_nodes import VisibleNodes
from app.canvas.layout.group_layout import GroupLayout
from app.canvas.layout.section_rects import SectionLayout
from app.canvas.layout.spatial_index import MovedRects, Sides, SpatialIndex, sides_of
from app.canvas.layout.text_sizes import Box, TextSizes
from app.document.node_sizes import body_height, node_size
from app.document.sheet import Point, Sheet
from app.style import sizes
from engine.graph import Graph, Wire, inputs_of

HURRY = 120
"""Above this number of nodes, a change of numbers is painted first and measured later."""


class NodeLayout:
    """Boxes and rectangles of everything on one sheet.

    `changed` is called with the nodes whose box changed or went away, or with None for all. Methods
    that move nodes return those whose wires must be routed again.
    """

    def __init__(
        self, text_sizes: TextSizes, changed: Callable[[Iterable[int] | None], None]
    ) -> None:
        self.sheet = Sheet()
        self.visible = VisibleNodes(frozenset())
        self.text_sizes = text_sizes
        self.boxes: dict[int, Box] = {}
        self.node_index: SpatialIndex[int] = SpatialIndex(20, 20)
        self.unmeasured = False
        """Whether numbers changed since the nodes were measured, so that `settle` is due."""
        self.lifted: Mapping[int, Point] = {}
        """Temporary positions of the nodes being dragged."""
        self._changed = changed
        self._moved_rects = MovedRects(self._room)
        self.sections = SectionLayout()
        self.groups = GroupLayout(self.around, lambda group: self._moved_rects.notice(-group))
        self.group_boxes = self.groups.boxes

    # updates

    def lay_out(self, sheet: Sheet, visible: VisibleNodes, text_sizes: TextSizes) -> set[int]:
        """Lay out a sheet from scratch; returns the nodes to route."""
        self._take(sheet, visible, text_sizes)
        self.boxes.clear()
        self.groups.clear()
        self.node_index.clear()
        self.unmeasured = False
        self._changed(None)
        self.groups.measure(text_sizes, self.lifted)
        for node in visible.shown:
            self._resized(node)
        placed = self._place(set(visible.shown) | set(visible.home))
        self._moved_rects.forget()
        return placed

    def follow(
        self, sheet: Sheet, visible: VisibleNodes, text_sizes: TextSizes, remeasure: bool
    ) -> set[int]:
        """Switch to the next sheet and update what differs.

        With `remeasure` every node is measured again, as after a change of the number format.
        """
        before, old_rooms = self.sheet, self.text_sizes
        self._take(sheet, visible, text_sizes)
        old, new = before.graph, sheet.graph
        touched = _moved(self.boxes, self.visible.shown, before, sheet)
        if old.structure is not new.structure:
            self._drop_gone()
            rewired = {n for n in new.nodes if n not in old.nodes or _rewired(old, new, n)}
            touched |= rewired
            for node in rewired | (old.nodes.keys() - new.nodes.keys()):
                sources = (*_inputs(new, node), *_inputs(old, node))
                touched.update(s for s in sources if s is not None and s in new.nodes)
        if text_sizes is not old_rooms:
            touched |= self.groups.measure(text_sizes, self.lifted)
            alike = text_sizes.is_like(old_rooms) and not remeasure
            touched |= {n for n in self._to_measure(alike) if self._resized(n)}
        return self._place(touched)

    def settle(self) -> set[int]:
        """Give all nodes the space that their numbers need."""
        if not self.unmeasured:
            return set()
        self.unmeasured = False
        return self._place({n for n in self.visible.shown if self._resized(n)})

    def lift(self, places: Mapping[int, Point]) -> set[int]:
        """Show nodes at other positions while they are dragged, without changing the sheet."""
        moved = set(places) | set(self.lifted)
        self.lifted = places
        return self._place(moved & self.sheet.graph.nodes.keys())

    def take_changed_areas(self) -> list[Sides]:
        """Return the rectangles that nodes and groups left or moved to since the last call."""
        return self._moved_rects.take()

    # positions

    def slot_point(self, wire: Wire) -> QPointF | None:
        """Return where a slot is drawn: on its node, or on the collapsed group around it."""
        if wire[0] in self.boxes:
            return self.boxes[wire[0]].slot(wire[1])
        group = self.visible.home.get(wire[0])
        if group is None or wire not in self.visible.folded[group].slots:
            return None
        return self.group_boxes[group].slot(self.visible.folded[group].slots.index(wire))

    def output(self, node: int) -> QPointF | None:
        """Return where a node's output is drawn: at its capsule, or on the group around it."""
        if node in self.boxes:
            return self.boxes[node].output()
        group = self.visible.home.get(node)
        if group is None or node not in self.visible.folded[group].outputs:
            return None
        return self.group_boxes[group].output(self.visible.folded[group].outputs.index(node))

    def extent(self, node: int) -> QRectF:
        """Return the rectangle a node may cover at any step, including its ledger."""
        left, top, right, bottom = self.node_index.sides(node)
        return QRectF(left, top, right - left, bottom - top)

    def extents(self) -> list[QRectF]:
        """Return the rectangles of all nodes and collapsed groups."""
        groups = [box.rect for box in self.group_boxes.values()]
        return [self.extent(node) for node in self.boxes] + groups

    def around(self, nodes: Iterable[int]) -> QRectF:
        """Return the rectangle around nodes, or around the collapsed groups that contain them."""
        found = QRectF()
        for node in nodes:
            if node in self.boxes:
                found = found.united(self.extent(node))
            elif node in self.visible.home:
                found = found.united(self.group_boxes[self.visible.home[node]].rect)
        return found

    def seen_at(self, places: Mapping[int, Point]) -> list[Point]:
        """Return the positions at which moved nodes will be visible, or those of their groups."""
        found = [place for node, place in places.items() if node in self.boxes]
        return found + self.groups.seen_at(places)

    def bounds(self) -> QRectF:
        """Return the rectangle around everything."""
        found = QRectF()
        for rect in self.extents():
            found = found.united(rect)
        return found.united(self.groups.bounds()).united(self.sections.bounds())

    # private

    def _take(self, sheet: Sheet, visible: VisibleNodes, text_sizes: TextSizes) -> None:
        self.sheet, self.visible, self.text_sizes = sheet, visible, text_sizes
        self.groups.follow(sheet, visible)
        self.sections.follow(sheet, shown=visible.inside is None)

    def _drop_gone(self) -> None:
        gone = self.boxes.keys() - self.visible.shown
        self.groups.forget_frames()
        for node in gone:
            self._moved_rects.notice(node)
            del self.boxes[node]
            self.node_index.take(node)
        self._changed(gone)

    def _to_measure(self, alike: bool) -> Iterable[int]:
        """Return the nodes whose size may differ; in large graphs numbers do not count."""
        if alike and len(self.sheet.graph.nodes) > HURRY:
            self.unmeasured = not self.text_sizes.many
            return [n for n in self.visible.shown if n not in self.boxes]
        self.unmeasured = False
        return self.visible.shown

    def _resized(self, node: int) -> bool:
        """Measure a node; return whether its size or the start of its wires changed."""
        before = self.boxes.get(node)
        box = _measured(self.sheet, self.text_sizes, node, self._place_of(node))
        self.boxes[node] = box
        self._changed((node,))
        if before is None or (box.w, box.left, box.x, box.y) != (
            *(before.w, before.left, before.x, before.y),
        ):
            return True
        return self.node_index.sides(node) != self._sides(node)

    def _sides(self, node: int) -> Sides:
        """Return the sides of the rectangle that a node may cover at any step."""
        box = self.boxes[node]
        high = body_height(len(inputs_of(self.sheet.graph.nodes[node])))
        ledger = sizes.LEDGER if self.text_sizes.has_ledger(node) else 0
        return (box.x, box.y, box.x + box.w, box.y + high + ledger)

    def _room(self, key: int) -> Sides | None:
        """Return the rectangle of a node or, for a negative key, of a collapsed group."""
        if key >= 0:
            return self.node_index.found(key)
        return sides_of(self.group_boxes[-key].rect) if -key in self.group_boxes else None

    def _place_of(self, node: int) -> Point:
        return self.lifted.get(node) or self.sheet.positions.get(node, (0.0, 0.0))

    def _place(self, nodes: set[int]) -> set[int]:
        """Update the positions of nodes; returns them and all members of their groups."""
        if not nodes:
            return nodes
        self.groups.forget_frames()
        nodes = nodes | self.groups.place_around(nodes, self.lifted)
        for node in nodes:
            box = self.boxes.get(node)
            if box is not None:
                self.boxes[node] = Box(*self._place_of(node), box.w, box.h, box.left)
                self._moved_rects.notice(node)
                self.node_index.put(node, self._sides(node))
        self._changed(nodes)
        return nodes


def _inputs(graph: Graph, node: int) -> tuple[int | None, ...]:
    return inputs_of(graph.nodes[node]) if node in graph.nodes else ()


def _rewired(old: Graph, new: Graph, node: int) -> bool:
    return inputs_of(new.nodes[node]) != inputs_of(old.nodes[node])


def _moved(boxes: Mapping[int, Box], shown: Set[int], before: Sheet, now: Sheet) -> set[int]:
    """Return the nodes whose position changed."""
    if before.positions is now.positions:
        return set()
    return {
        n
        for n, place in now.positions.items()
        if n in shown and ((box := boxes.get(n)) is None or (box.x, box.y) != place)
    }


def _measured(sheet: Sheet, text_sizes: TextSizes, node: int, place: Point) -> Box:
    """Return the box of a node whose upper left corner is at `place`."""
    found = sheet.graph.nodes[node]
    wide, high, left = node_size(found, text_sizes.header(node), text_sizes.node(node))
    ledger = sizes.LEDGER if text_sizes.backward and text_sizes.has_ledger(node) else 0
    return Box(*place, wide, high + ledger, left)
