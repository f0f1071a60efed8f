"""Drag: move nodes, groups and sections, or pull an edge; a single node drops into a wire."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.editing.new_node import keep_room, room_in_wire
from app.canvas.input.gesture import Gesture, Pointer
from app.canvas.input.hover import resize_cursor
from app.canvas.scene.hit_test import content, wire_near
from app.document.placement import snapped
from app.document.sections import resized
from app.document.sheet import Point, Rect
from app.style import sizes
from app.style.strokes import pen
from app.style.theme import faded
from engine.graph import OpNode, Wire

GUIDE_REACH = 5.0
"""Distance in sheet px within which a node is aligned with another one."""


class Held(Struct, frozen=True):
    """The pressed thing: a node, the members of a group, or a section; of it maybe edges ("rb")."""

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
    """Drag something and with it the whole selection; Alt goes off the grid, a click selects."""

    def __init__(self, canvas: CanvasContext, start: Pointer, held: Held) -> None:
        super().__init__(canvas, start)
        self.held = held
        self.moved = False
        self._chosen = canvas.selection.chosen()
        self._positions: Mapping[int, Point] = {}
        self._rects: Mapping[int, Rect] = {}
        self._new_positions: Mapping[int, Point] = {}
        self._new_rects: Mapping[int, Rect] = {}
        self._guides: list[QLineF] = []
        self._into: Wire | None = None

    def move(self, pointer: Pointer) -> None:
        """Preview everything at its new position."""
        if not self.moved:
            if not self.is_drag(pointer):
                return
            self._begin()
        self._follow(pointer)
        self.canvas.scene.show_dragged(self._new_positions, self._new_rects)
        if self.held.section is None:
            self._into = self._wire_below(pointer)
            self.canvas.messages.set_hint(self._sentence())
        self.canvas.repaint.everything()

    def release(self, pointer: Pointer) -> None:
        """Commit the new positions; a click only selects."""
        if not self.moved:
            self.select(pointer, self.held.nodes, self.held.sections)
        elif self._into is not None:
            self._insert(pointer, self._into)
        else:
            self._put_down()
            self.canvas.document.move(self._new_positions, text=self._name(), rects=self._new_rects)

    def cancel(self) -> None:
        """Show everything at its old position."""
        self._put_down()
        self.canvas.selection.choose_again(self._chosen)

    def paint(self, painter: QPainter) -> None:
        """Paint the guides, and the wire that the node would be inserted into."""
        theme, scale = self.canvas.theme, self.canvas.camera.scale
        painter.setPen(pen(theme.selection, 1.0 / scale))
        painter.drawLines(self._guides)
        if self._into is not None:
            path = self.canvas.scene.courses[self._into].path
            painter.strokePath(path, pen(faded(theme.selection, 0.3), 10))
            painter.strokePath(path, pen(theme.selection, 4.0))

    @property
    def cursor(self) -> Qt.CursorShape:
        """Return the resize arrow of the edges, or arrows in four directions once things move."""
        if self.held.edges:
            return resize_cursor(self.held.edges)
        return Qt.CursorShape.SizeAllCursor if self.moved else Qt.CursorShape.ArrowCursor

    @property
    def pulls_view(self) -> bool:
        """Return whether the view scrolls at its border: once things move."""
        return self.moved

    # private

    def _begin(self) -> None:
        """Select the pressed thing, unless it is selected, and store the old positions."""
        self.moved = True
        selection, document, held = self.canvas.selection, self.canvas.document, self.held
        if held.edges:
            selection.choose((), (), held.sections)
            self._rects = {n: document.sheet.sections[n].rect for n in held.sections}
            return
        if not (held.nodes <= selection.nodes and held.sections <= selection.sections):
            selection.choose(held.nodes, (), held.sections)
        nodes, sections = content(self.canvas.scene, selection.sections)
        positions = document.positions
        self._positions = {n: positions[n] for n in selection.nodes | nodes if n in positions}
        self._rects = {n: document.sheet.sections[n].rect for n in sections}

    def _follow(self, pointer: Pointer) -> None:
        """Compute the new positions and rectangles."""
        far = pointer.sheet - self.start.sheet
        by = (far.x(), far.y())
        grid = 0.0 if pointer.held(Qt.KeyboardModifier.AltModifier) else sizes.GRID / 2
        if self.held.edges:
            edges, rects = self.held.edges, self._rects.items()
            self._new_rects = {n: resized(rect, edges, by, grid) for n, rect in rects}
            return
        x, y = self._handle()
        place, self._guides = (x + by[0], y + by[1]), []
        if grid:
            place = self._guided(place, snapped(place, grid))
        dx, dy = place[0] - x, place[1] - y
        self._new_positions = {n: (x + dx, y + dy) for n, (x, y) in self._positions.items()}
        self._new_rects = {n: (x + dx, y + dy, w, h) for n, (x, y, w, h) in self._rects.items()}

    def _handle(self) -> Point:
        """Return the old position of the corner that snaps to the grid."""
        if self.held.section is not None:
            return self._rects[self.held.section][:2]
        return self._positions[min(self.held.nodes)]

    def _guided(self, place: Point, on_grid: Point) -> Point:
        """Return the position of a node aligned with one near by, else the one on the grid."""
        node, scene = self.held.node, self.canvas.scene
        if node is None:
            return on_grid
        box, (x, y) = scene.boxes[node], place
        area = QRectF(x - 900, y - 700, 1800, 1400)
        others = [scene.boxes[n] for n in scene.node_index.within(area) if n not in self._positions]
        row = next((other for other in others if abs(other.y - y) <= GUIDE_REACH), None)
        column = next((other for other in others if abs(other.x - x) <= GUIDE_REACH), None)
        if row is not None:
            left, right = min(row.x, x), max(row.x + row.w, x + box.w)
            self._guides.append(QLineF(left - 12, row.y, right + 12, row.y))
        if column is not None:
            top, low = min(column.y, y), max(column.y + column.h, y + box.h)
            self._guides.append(QLineF(column.x, top - 12, column.x, low + 12))
        return (on_grid[0] if column is None else column.x, on_grid[1] if row is None else row.y)

    def _put_down(self) -> None:
        self.canvas.scene.show_dragged({})
        if self.held.section is None:
            self.canvas.messages.set_hint("")
        self.canvas.repaint.everything()

    def _name(self) -> str:
        """Return the name of the step; "" for nodes alone, which the document names."""
        section, chosen = self.held.section, self.canvas.selection
        alone = not chosen.nodes and len(chosen.sections) <= 1
        if section is None or not (self.held.edges or alone):
            return "Move selection" if self._rects else ""
        verb = "Resize" if self.held.edges else "Move"
        return f"{verb} section {self.canvas.document.sheet.sections[section].title}".rstrip()

    # a node dropped into a wire

    def _wire_below(self, pointer: Pointer) -> Wire | None:
        """Return the wire that takes in the node: an op without wires, moved alone."""
        node, graph, scene = self.held.node, self.canvas.document.graph, self.canvas.scene
        if node is None or len(self._positions) > 1 or not isinstance(graph.nodes[node], OpNode):
            return None
        if graph.outgoing[node] or any(s is not None for s in graph.inputs(node)):
            return None
        for at in (pointer.sheet, scene.boxes[node].rect.center()):
            wire = wire_near(scene, at, 16.0)
            if wire is not None and wire[0] != node:
                return wire
        return None

    def _sentence(self) -> str:
        """Return the hint: between which nodes the node would be inserted."""
        if self._into is None or self.held.node is None:
            return ""
        graph = self.canvas.document.graph
        source = graph.source(self._into)
        before = "" if source is None else graph.title(source)
        name, behind = graph.title(self.held.node), graph.title(self._into[0])
        return f"Insert {name} between {before} and {behind}"

    def _insert(self, pointer: Pointer, wire: Wire) -> None:
        """Insert the node into a wire, by the slot nearest to the pointer."""
        canvas, document, node = self.canvas, self.canvas.document, min(self.held.nodes)
        slots, box = range(len(document.graph.inputs(node))), canvas.scene.boxes[node]
        slot = min(slots, key=lambda k: abs(box.slot(k).y() - pointer.sheet.y()))
        self._put_down()
        found, place = document.graph.nodes[node], self._new_positions[node]
        place, room = room_in_wire(canvas, found, place, wire, node)
        keep_room(canvas, lambda g: document.wires.insert(node, wire, slot, place, room, g))
