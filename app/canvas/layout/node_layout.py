"""NodeLayout: positions and sizes of nodes, collapsed groups and sections on a sheet.

Sizes reserve space for the widest numbers of the whole pass, so nothing here depends on the step
that is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF

from app.canvas.appearance.visible_nodes import VisibleNodes
from app.canvas.layout.group_layout import GroupLayout
from app.canvas.layout.node_box import Box
from app.canvas.layout.node_spacing import Basis, NodeSpacing, differing
from app.canvas.layout.section_rects import SectionLayout
from app.canvas.layout.spatial_index import MovedRects, Sides, SpatialIndex, sides_of
from app.canvas.layout.text_sizes import TextSizes
from app.document.node_sizes import is_seated, node_size
from app.document.sheet import Point, Sheet
from app.style import sizes
from engine.graph import Graph, Wire, kind_of


class NodeLayout:
    """Boxes and rectangles of everything on one sheet."""

    def __init__(self, text_sizes: TextSizes) -> None:
        self.sheet = Sheet()
        self.visible = VisibleNodes(frozenset())
        self.text_sizes = text_sizes
        self.boxes: dict[int, Box] = {}
        self.node_index: SpatialIndex[int] = SpatialIndex(20, 20)
        self.preview: Mapping[int, Point] = {}
        """Temporary positions of the nodes being dragged."""
        self.spacing = NodeSpacing()
        self._measured: dict[int, Box] = {}
        """Each node at the origin, as wide as it needs to be."""
        self._moved_rects = MovedRects(partial(_room, self))
        self.sections = SectionLayout()
        self.groups = GroupLayout(self.around, lambda group: self._moved_rects.notice(-group))
        self.group_boxes = self.groups.boxes

    def update(
        self,
        sheet: Sheet,
        visible: VisibleNodes,
        text_sizes: TextSizes,
        preview: Mapping[int, Point],
        settled: bool,
    ) -> set[int]:
        """Update what differs, as `Layout.update` says.

        Returns the nodes whose wires have to be routed again, and those that are gone.
        """
        before, sizes_before = self.sheet, self.text_sizes
        drawn_alike = visible.is_drawn_like(self.visible) and text_sizes.is_drawn_like(sizes_before)
        moved = differing(self.preview, preview)
        if sheet.positions is not before.positions:
            moved |= differing(before.positions, sheet.positions)
        self.sheet, self.visible, self.text_sizes = sheet, visible, text_sizes
        self.preview = preview
        self.sections.follow(sheet, shown=visible.inside is None)
        gone = self._drop_gone()
        measured = self._measure(sizes_before)
        arranged = self._arrange(bool(measured or gone), settled)
        moved |= measured | arranged | _rewired(before.graph, sheet.graph)
        moved |= self.groups.update(sheet, visible, text_sizes, preview)
        if not drawn_alike:
            moved |= visible.shown | visible.home.keys()
        return self._place(moved & sheet.graph.nodes.keys()) | gone

    @property
    def is_settled(self) -> bool:
        """Return whether nodes are moved apart as these sizes and positions need it."""
        return self.spacing.basis == self._basis

    def take_changed_areas(self) -> list[Sides]:
        """Return the rectangles that nodes and groups left or moved to since the last call."""
        return self._moved_rects.take()

    # positions

    def needed_width(self, node: int) -> float:
        """Return the width that a node needs, whatever its column has."""
        return self._measured[node].w

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

    def _drop_gone(self) -> set[int]:
        """Forget the nodes that are no longer shown, and return them."""
        gone = self.boxes.keys() - self.visible.shown
        for node in gone:
            self._moved_rects.notice(node)
            del self.boxes[node], self._measured[node]
            self.node_index.take(node)
        return gone

    def _measure(self, before: TextSizes) -> set[int]:
        """Measure the nodes whose size may differ; return those whose size does."""
        shown, resized = self.visible.shown, set[int]()
        stale = shown & self.text_sizes.resized_since(before)
        for node in stale | (shown - self._measured.keys()):
            box = self._size(node)
            if self._measured.get(node) != box:
                self._measured[node] = box
                resized.add(node)
        return resized

    def _size(self, node: int) -> Box:
        """Return the box that a node needs, at the origin."""
        graph, text_sizes = self.sheet.graph, self.text_sizes
        if is_seated(graph, node):
            return Box(0.0, 0.0, text_sizes.pill(node), sizes.PILL, 0.0, "pill")
        found = graph.nodes[node]
        wide, high, left = node_size(found, text_sizes.header(node), text_sizes.node(node))
        high += text_sizes.ledger_height(node)
        return Box(0.0, 0.0, wide, high, left, kind_of(found))

    @property
    def _basis(self) -> Basis:
        """Return what columns are moved apart by."""
        visible = self.visible  # what is in a frame stays in it
        framed = visible.opened or visible.inside is not None or self.sheet.sections
        apart = self.text_sizes.needs_room and not framed
        only_down = bool(visible.folded)  # collapsed groups stay, so columns do
        viewport = self.spacing.viewport if apart else None
        return Basis(self.sheet.positions, self.text_sizes, apart, only_down, viewport)

    def _arrange(self, resized: bool, settled: bool) -> set[int]:
        """Fit the nodes to one another; returns those whose width or shift differs."""
        basis = self._basis
        if not resized and basis == self.spacing.basis:
            return set()
        return self.spacing.fit(self._measured, self.sheet.graph, basis, settled)

    def _place(self, nodes: set[int]) -> set[int]:
        """Place nodes anew; returns them with the constants at their slots."""
        if not nodes:
            return nodes
        self.groups.forget_frames()
        graph = self.sheet.graph
        seated = graph.structure.literals
        pills = {s for n in nodes for s in graph.inputs(n) if s in seated} | (nodes & seated)
        for node in (*(nodes - pills), *pills):
            if node not in self._measured:
                continue
            box = self._box(node)
            if box != self.boxes.get(node):
                self._moved_rects.notice(node)
                self.boxes[node] = box
                self.node_index.put(node, _sides(box))
        return nodes | pills

    def _box(self, node: int) -> Box:
        """Return the box of a node where it is drawn: a seated constant left of its slot."""
        box = self._measured[node]
        if box.kind == "pill":
            at = self.slot_point(self.sheet.graph.outgoing[node][0])
            if at is not None:
                left = at.x() - sizes.LABEL_TO_SLOT - box.w
                return replace(box, x=left, y=at.y() - sizes.PILL / 2)
        x, y = self.preview.get(node) or self.sheet.positions.get(node, (0.0, 0.0))
        right, down = self.spacing.shift(node)
        return replace(box, x=x + right, y=y + down, w=self.spacing.width(node, box.w))


def _sides(box: Box) -> Sides:
    return (box.x, box.y, box.x + box.w, box.y + box.h)


def _rewired(old: Graph, new: Graph) -> set[int]:
    """Return the nodes whose inputs differ, with those they are or were plugged into."""
    if old.structure is new.structure:
        return set()
    changed = {
        node
        for node in old.nodes.keys() | new.nodes.keys()
        if node not in old.nodes or node not in new.nodes or old.inputs(node) != new.inputs(node)
    }
    sources = {
        source
        for graph in (old, new)
        for node in changed & graph.nodes.keys()
        for source in graph.inputs(node)
        if source is not None
    }
    return changed | sources


def _room(layout: NodeLayout, key: int) -> Sides | None:
    """Return the rectangle of a node or, for a negative key, of a collapsed group."""
    if key >= 0:
        return layout.node_index.found(key)
    return sides_of(layout.group_boxes[-key].rect) if -key in layout.group_boxes else None
