"""Drag: moves nodes, groups and sections, or resizes a section.

The document changes on release; until then the scene shows a preview. An op without wires that is
moved over a wire is inserted into it.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.editing.new_node import edit_keeping_room, position_in_wire
from app.canvas.input.gesture import Gesture, Pointer
from app.canvas.input.hover import resize_cursor
from app.canvas.scene.hit_test import section_content, wire_near
from app.document.placement import snapped
from app.document.sections import resized
from app.document.sheet import Point, Rect
from app.style import sizes
from app.style.strokes import pen
from app.style.theme import faded
from engine.graph import OpNode, Wire

GUIDE_REACH = 5.0
"""Distance in sheet px within which a node is aligned with another one."""
OVERHANG = 12.0
"""By how much a guide line is longer than the nodes that it aligns, at each end, in sheet px."""
INSERT_REACH = 16.0
"""Distance in sheet px from a wire within which a dropped node is inserted into it."""


class DragTarget(Struct, frozen=True):
    """The pressed node, collapsed group (its members) or section.

    `edges` are those of the section that are resized: "rb" for right and bottom, "" to move it.
    """

    node: int | None = None
    group: frozenset[int] = frozenset()
    section: int | None = None
    edges: str = ""

    @property
    def nodes(self) -> frozenset[int]:
        """Return the node, or the members of the group."""
        return self.group if self.node is None else frozenset((self.node,))

    @property
    def sections(self) -> frozenset[int]:
        """Return the section."""
        return frozenset(() if self.section is None else (self.section,))


class Drag(Gesture):
    """Drag the target and with it the whole selection; Alt ignores the grid, a click selects."""

    def __init__(self, canvas: CanvasContext, start: Pointer, target: DragTarget) -> None:
        super().__init__(canvas, start)
        self.target = target
        self.moved = False
        """Whether the press has become a drag, not a click."""
        self._selection_before = canvas.selection.snapshot()
        self._positions: Mapping[int, Point] = {}
        self._rects: Mapping[int, Rect] = {}
        """Where the dragged nodes and sections are in the document, by number."""
        self._new_positions: Mapping[int, Point] = {}
        self._new_rects: Mapping[int, Rect] = {}
        """Where they are shown meanwhile."""
        self._guides: list[QLineF] = []
        self._insert_wire: Wire | None = None
        """The wire that the node would be inserted into on release."""

    def move(self, pointer: Pointer) -> None:
        """Preview everything at its new position."""
        if not self.moved:
            if not self.is_drag(pointer):
                return
            self._begin()
        self._update_positions(pointer)
        self.canvas.scene.show_dragged(self._new_positions, self._new_rects)
        if self.target.section is None:
            self._insert_wire = self._wire_below(pointer)
            self.canvas.messages.set_hint(self._insert_hint())
        self.canvas.repaint.everything()

    def release(self, pointer: Pointer) -> None:
        """Commit the new positions; a click only selects."""
        if not self.moved:
            self.select(pointer, self.target.nodes, self.target.sections)
        elif self._insert_wire is not None:
            self._insert(pointer, self._insert_wire)
        else:
            self._end_preview()
            self.canvas.document.move(
                self._new_positions, text=self._undo_text(), rects=self._new_rects
            )

    def cancel(self) -> None:
        """Show everything at its old position."""
        self._end_preview()
        self.canvas.selection.restore(self._selection_before)

    def paint(self, painter: QPainter) -> None:
        """Paint the guides, and the wire that the node would be inserted into."""
        theme, scale = self.canvas.theme, self.canvas.camera.scale
        painter.setPen(pen(theme.selection, 1.0 / scale))
        painter.drawLines(self._guides)
        if self._insert_wire is not None:
            path = self.canvas.scene.courses[self._insert_wire].path
            painter.strokePath(path, pen(faded(theme.selection, 0.3), 10))
            painter.strokePath(path, pen(theme.selection, 4.0))

    @property
    def cursor(self) -> Qt.CursorShape:
        """Return the resize arrow of the edges, else arrows in four directions once moved."""
        if self.target.edges:
            return resize_cursor(self.target.edges)
        return Qt.CursorShape.SizeAllCursor if self.moved else Qt.CursorShape.ArrowCursor

    @property
    def pulls_view(self) -> bool:
        """Return whether the view scrolls at its border: once the press is a drag."""
        return self.moved

    # private

    def _begin(self) -> None:
        """Select the target, unless it is selected, and store the old positions."""
        self.moved = True
        selection, document, target = self.canvas.selection, self.canvas.document, self.target
        if target.edges:
            selection.choose((), (), target.sections)
            self._rects = {n: document.sheet.sections[n].rect for n in target.sections}
            return
        if not (target.nodes <= selection.nodes and target.sections <= selection.sections):
            selection.choose(target.nodes, (), target.sections)
        nodes, sections = section_content(self.canvas.scene, selection.sections)
        positions = document.positions
        self._positions = {n: positions[n] for n in selection.nodes | nodes if n in positions}
        self._rects = {n: document.sheet.sections[n].rect for n in sections}

    def _update_positions(self, pointer: Pointer) -> None:
        """Compute the new positions and rectangles."""
        moved = pointer.sheet - self.start.sheet
        shift = (moved.x(), moved.y())
        grid = 0.0 if pointer.held(Qt.KeyboardModifier.AltModifier) else sizes.GRID / 2
        if self.target.edges:
            edges, rects = self.target.edges, self._rects.items()
            self._new_rects = {n: resized(rect, edges, shift, grid) for n, rect in rects}
            return
        x, y = self._anchor()
        place, self._guides = (x + shift[0], y + shift[1]), []
        if grid:
            place = self._aligned(place, snapped(place, grid))
        # everything else keeps its distance from the anchor
        dx, dy = place[0] - x, place[1] - y
        self._new_positions = {n: (x + dx, y + dy) for n, (x, y) in self._positions.items()}
        self._new_rects = {n: (x + dx, y + dy, w, h) for n, (x, y, w, h) in self._rects.items()}

    def _anchor(self) -> Point:
        """Return the old position of the corner that snaps: the section's, or the first node's."""
        if self.target.section is not None:
            return self._rects[self.target.section][:2]
        return self._positions[min(self.target.nodes)]

    def _aligned(self, place: Point, on_grid: Point) -> Point:
        """Return the position aligned with nearby nodes, in each direction without one on the grid.

        Stores a guide line through the aligned nodes.
        """
        node, scene = self.target.node, self.canvas.scene
        if node is None:
            return on_grid
        box, (x, y) = scene.boxes[node], place
        # about a window at 100 %: nodes farther away are rarely seen together with this one
        area = QRectF(x - 900, y - 700, 1800, 1400)
        others = [scene.boxes[n] for n in scene.node_index.within(area) if n not in self._positions]
        row = next((other for other in others if abs(other.y - y) <= GUIDE_REACH), None)
        column = next((other for other in others if abs(other.x - x) <= GUIDE_REACH), None)
        if row is not None:
            left, right = min(row.x, x), max(row.x + row.w, x + box.w)
            self._guides.append(QLineF(left - OVERHANG, row.y, right + OVERHANG, row.y))
        if column is not None:
            top, low = min(column.y, y), max(column.y + column.h, y + box.h)
            self._guides.append(QLineF(column.x, top - OVERHANG, column.x, low + OVERHANG))
        return (on_grid[0] if column is None else column.x, on_grid[1] if row is None else row.y)

    def _end_preview(self) -> None:
        """Show everything at its position in the document, and clear the hint."""
        self.canvas.scene.show_dragged({})
        if self.target.section is None:
            self.canvas.messages.set_hint("")
        self.canvas.repaint.everything()

    def _undo_text(self) -> str:
        """Return the text of the undo step; "" for nodes alone, for which the document has one."""
        section, selection = self.target.section, self.canvas.selection
        alone = not selection.nodes and len(selection.sections) <= 1
        if section is None or not (self.target.edges or alone):
            return "Move selection" if self._rects else ""
        verb = "Resize" if self.target.edges else "Move"
        return f"{verb} section {self.canvas.document.sheet.sections[section].title}".rstrip()

    # a node dropped into a wire

    def _wire_below(self, pointer: Pointer) -> Wire | None:
        """Return the wire to insert the node into: an op without wires that moves alone."""
        node, graph, scene = self.target.node, self.canvas.document.graph, self.canvas.scene
        if node is None or len(self._positions) > 1 or not isinstance(graph.nodes[node], OpNode):
            return None
        if graph.outgoing[node] or any(s is not None for s in graph.inputs(node)):
            return None
        for at in (pointer.sheet, scene.boxes[node].rect.center()):
            wire = wire_near(scene, at, INSERT_REACH)
            if wire is not None and wire[0] != node:
                return wire
        return None

    def _insert_hint(self) -> str:
        """Return the hint with the nodes between which the node would be inserted, or ""."""
        if self._insert_wire is None or self.target.node is None:
            return ""
        graph = self.canvas.document.graph
        source = graph.source(self._insert_wire)
        source_title = "" if source is None else graph.title(source)
        title, target_title = graph.title(self.target.node), graph.title(self._insert_wire[0])
        return f"Insert {title} between {source_title} and {target_title}"

    def _insert(self, pointer: Pointer, wire: Wire) -> None:
        """Insert the node into a wire, which then leads into its slot nearest to the pointer."""
        canvas, document, node = self.canvas, self.canvas.document, min(self.target.nodes)
        slots, box = range(len(document.graph.inputs(node))), canvas.scene.boxes[node]
        slot = min(slots, key=lambda k: abs(box.slot(k).y() - pointer.sheet.y()))
        self._end_preview()
        dropped = self._new_positions[node]
        place, shift = position_in_wire(canvas, document.graph.nodes[node], dropped, wire, node)
        wires = document.wires
        # moved and inserted in one undo step
        edit_keeping_room(
            canvas, lambda gesture: wires.insert(node, wire, slot, place, shift, gesture)
        )
