"""NodeLayout: positions and sizes of nodes, collapsed groups and sections on a sheet.

Sizes reserve space for the widest numbers of the whole pass, so nothing here depends on the step
that is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF

from app.canvas.appearance.visible_nodes import VisibleNodes
from app.canvas.layout.group_layout import GroupLayout
from app.canvas.layout.node_box import Box
from app.canvas.layout.node_spacing import NodeSpacing
from app.canvas.layout.section_rects import SectionLayout
from app.canvas.layout.spatial_index import MovedRects, Sides, SpatialIndex, sides_of
from app.canvas.layout.text_sizes import TextSizes
from app.document.node_sizes import is_seated, node_size
from app.document.sheet import Point, Sheet
from app.style import sizes
from engine.graph import Graph, Wire, kind_of

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
        self.spacing = NodeSpacing()
        self._changed = changed
        self._seated: set[int] = set()
        """The constants that stand at the slot of their reader."""
        self._moved_rects = MovedRects(partial(_room, self))
        self.sections = SectionLayout()
        self.groups = GroupLayout(self.around, lambda group: self._moved_rects.notice(-group))
        self.group_boxes = self.groups.boxes

    # updates

    def lay_out(self, sheet: Sheet, visible: VisibleNodes, text_sizes: TextSizes) -> set[int]:
        """Lay out a sheet from scratch; returns the nodes to route."""
        _take(self, sheet, visible, text_sizes)
        self.boxes.clear()
        self.spacing.clear()
        self._seated.clear()
        self.groups.clear()
        self.node_index.clear()
        self.unmeasured = False
        self._changed(None)
        self.groups.measure(text_sizes, self.lifted)
        for node in visible.shown:
            self._resized(node)
        self._make_room()
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
        _take(self, sheet, visible, text_sizes)
        old, new = before.graph, sheet.graph
        touched, gone = _moved(self, before), False
        if old.structure is not new.structure:
            gone = self._drop_gone()
            rewired = {n for n in new.nodes if n not in old.nodes or _rewired(old, new, n)}
            touched |= rewired
            for node in rewired | (old.nodes.keys() - new.nodes.keys()):
                sources = (*_inputs(new, node), *_inputs(old, node))
                touched.update(s for s in sources if s is not None and s in new.nodes)
        if text_sizes is not old_rooms:
            touched |= self.groups.measure(text_sizes, self.lifted)
            alike = text_sizes.is_like(old_rooms) and not remeasure
            touched |= {n for n in self._to_measure(alike) if self._resized(n)}
        if touched or gone or self._may_be_moved_otherwise(before, old_rooms):
            same = text_sizes is old_rooms or (text_sizes.is_like(old_rooms) and not remeasure)
            keep = same and self.spacing.in_use and bool(before.sections) == bool(sheet.sections)
            touched |= self._make_room(keep)
            self.unmeasured |= keep
        return self._place(touched)

    def settle(self) -> set[int]:
        """Give all nodes the space that their numbers need."""
        if not self.unmeasured:
            return set()
        self.unmeasured = False
        resized = {n for n in self.visible.shown if self._resized(n)}
        again = resized or self.text_sizes.needs_room
        return self._place(resized | self._make_room() if again else resized)

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
        place = None if group is None else self.visible.folded[group].place(wire)
        return None if group is None or place is None else self.group_boxes[group].slot(place)

    def output(self, node: int) -> QPointF | None:
        """Return where a node's output is drawn: at its capsule, or on the group around it."""
        if node in self.boxes:
            return self.boxes[node].output()
        group = self.visible.home.get(node)
        if group is None or node not in self.visible.folded[group].outputs:
            return None
        return self.group_boxes[group].output(self.visible.folded[group].outputs.index(node))

    @property
    def extents(self) -> list[QRectF]:
        """Return the rectangles of all nodes and collapsed groups."""
        groups = [box.rect for box in self.group_boxes.values()]
        return [self.boxes[node].rect for node in self.boxes] + groups

    def around(self, nodes: Iterable[int]) -> QRectF:
        """Return the rectangle around nodes, or around the collapsed groups that contain them."""
        found = QRectF()
        for node in nodes:
            if node in self.boxes:
                found = found.united(self.boxes[node].rect)
            elif node in self.visible.home:
                found = found.united(self.group_boxes[self.visible.home[node]].rect)
        return found

    def seen_at(self, places: Mapping[int, Point]) -> list[Point]:
        """Return the positions at which moved nodes will be visible, or those of their groups."""
        found = [place for node, place in places.items() if node in self.boxes]
        return found + self.groups.seen_at(places)

    def bounds(self) -> QRectF:
        """Return the rectangle around everything."""
        found = self.frames()
        for rect in self.extents:
            found = found.united(rect)
        return found

    def places_with_room(self) -> dict[int, Point]:
        """Return the positions of nodes that must move for all to have room; few nodes only."""
        if self.visible.grouped:
            return {}
        return self.spacing.places_with_room(self.boxes, self.sheet, self.text_sizes)

    def frames(self) -> QRectF:
        """Return the rectangle around all groups and sections."""
        found = self.groups.bounds().united(self.sections.bounds())
        for box in self.group_boxes.values():
            found = found.united(box.rect)
        return found

    # private

    def _drop_gone(self) -> bool:
        """Forget the nodes that are no longer shown; return whether there were any."""
        gone = self.boxes.keys() - self.visible.shown
        self.groups.forget_frames()
        for node in gone:
            self._moved_rects.notice(node)
            del self.boxes[node]
            self.spacing.forget(node)
            self._seated.discard(node)
            self.node_index.take(node)
        self._changed(gone)
        return bool(gone)

    def _to_measure(self, alike: bool) -> Iterable[int]:
        """Return the nodes whose size may differ; in large graphs numbers do not count."""
        if alike and len(self.sheet.graph.nodes) > HURRY:
            self.unmeasured = not self.text_sizes.whole.many
            return [n for n in self.visible.shown if n not in self.boxes]
        self.unmeasured = False
        return self.visible.shown

    def _resized(self, node: int) -> bool:
        """Measure a node; return whether its size or the start of its wires changed."""
        before = self.boxes.get(node)
        box = self.boxes[node] = self.spacing.take(node, self._measured(node), before)
        self._changed((node,))
        return before != box or self.node_index.sides(node) != _sides(box)

    def _measured(self, node: int) -> Box:
        """Return the box that a node needs."""
        found, text_sizes = self.sheet.graph.nodes[node], self.text_sizes
        if is_seated(self.sheet.graph, node):
            self._seated.add(node)
            wide = text_sizes.pill(node)
            return Box(*self.place(node, wide), wide, sizes.PILL, 0.0, "pill")
        self._seated.discard(node)
        wide, high, left = node_size(found, text_sizes.header(node), text_sizes.node(node))
        high += text_sizes.ledger_height(node)
        return Box(*self.place(node), wide, high, left, kind_of(found))

    def _may_be_moved_otherwise(self, before: Sheet, old_rooms: TextSizes) -> bool:
        """Return whether nodes may be moved otherwise though each has the size it had."""
        if bool(before.sections) != bool(self.sheet.sections):
            return True
        measured = self.text_sizes is not old_rooms and not self.unmeasured
        return measured and (self.spacing.in_use or self.text_sizes.needs_room)

    def _make_room(self, keep: bool = False) -> set[int]:
        """Fit the nodes to one another; returns those that changed."""
        visible = self.visible  # what is in a frame stays in it
        framed = visible.opened or visible.inside is not None or self.sheet.sections
        apart = self.text_sizes.needs_room and not framed
        only_down = bool(visible.folded)  # collapsed groups stay, so columns do
        return self.spacing.fit(self.boxes, self.sheet, self.text_sizes, apart, keep, only_down)

    def place(self, node: int, seated: float = 0.0) -> Point:
        """Return where a node is drawn: one with a `seated` width left of its reader's slot."""
        if seated:
            at = self.slot_point(self.sheet.graph.outgoing[node][0])
            if at is not None:
                return (at.x() - sizes.LABEL_TO_SLOT - seated, at.y() - sizes.PILL / 2)
        x, y = self.lifted.get(node) or self.sheet.positions.get(node, (0.0, 0.0))
        right, down = self.spacing.shift(node)
        return (x + right, y + down)

    def _place(self, nodes: set[int]) -> set[int]:
        """Update the positions of nodes; returns them and all members of their groups."""
        if not nodes:
            return nodes
        self.groups.forget_frames()
        nodes = nodes | self.groups.place_around(nodes, self.lifted)
        seated = {s for n in nodes for s in _inputs(self.sheet.graph, n) if s in self._seated}
        seated |= nodes & self._seated
        for node in (*(nodes - seated), *seated):
            box = self.boxes.get(node)
            if box is not None:
                x, y = self.place(node, box.w if box.kind == "pill" else 0.0)
                self.boxes[node] = box = replace(box, x=x, y=y)
                self._moved_rects.notice(node)
                self.node_index.put(node, _sides(box))
        nodes |= seated
        self._changed(nodes)
        return nodes


def _sides(box: Box) -> Sides:
    return (box.x, box.y, box.x + box.w, box.y + box.h)


def _inputs(graph: Graph, node: int) -> tuple[int | None, ...]:
    return graph.nodes[node].inputs if node in graph.nodes else ()


def _rewired(old: Graph, new: Graph, node: int) -> bool:
    return new.nodes[node].inputs != old.nodes[node].inputs


def _take(layout: NodeLayout, sheet: Sheet, visible: VisibleNodes, text_sizes: TextSizes) -> None:
    """Switch a layout to the next sheet; sizes and positions are updated separately."""
    layout.sheet, layout.visible, layout.text_sizes = sheet, visible, text_sizes
    layout.groups.follow(sheet, visible)
    layout.sections.follow(sheet, shown=visible.inside is None)


def _room(layout: NodeLayout, key: int) -> Sides | None:
    """Return the rectangle of a node or, for a negative key, of a collapsed group."""
    if key >= 0:
        return layout.node_index.found(key)
    return sides_of(layout.group_boxes[-key].rect) if -key in layout.group_boxes else None


def _moved(layout: NodeLayout, before: Sheet) -> set[int]:
    """Return the nodes whose position on the sheet changed."""
    places = layout.sheet.positions
    if before.positions is places:
        return set()
    shown, boxes = layout.visible.shown & places.keys(), layout.boxes
    return {n for n in shown if (box := boxes.get(n)) is None or (box.x, box.y) != layout.place(n)}
