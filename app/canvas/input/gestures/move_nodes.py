"""Move the selected nodes, on the grid and along guides; a single node drops into a wire."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.editing.insertion import keep_room, room_in_wire
from app.canvas.input.gestures.gesture import Gesture, Pointer
from app.canvas.layout.section_rects import as_rect
from app.canvas.scene.hit_test import content, wire_near
from app.document.sheet import Point, Rect
from app.style import sizes
from app.style.strokes import pen
from app.style.theme import faded
from engine.graph import OpNode, Wire

GUIDE_REACH = 5.0


class MoveNodes(Gesture):
    """Drag a node and with it the whole selection; Alt moves freely, off the grid."""

    def __init__(self, canvas: CanvasContext, start: Pointer, node: int) -> None:
        super().__init__(canvas, start)
        self._node = node
        self._chosen = canvas.selection.chosen()
        self._moved = False
        self._homes: dict[int, Point] = {}
        self._rects: dict[int, Rect] = {}
        self._now: dict[int, Point] = {}
        self._guides: list[QLineF] = []
        self._into: Wire | None = None

    def move(self, pointer: Pointer) -> None:
        """Preview the nodes at their new positions."""
        if not self._moved and not self.went_far(pointer):
            return
        if not self._moved:
            self._begin()
        self._now = places = self._places(pointer)
        self.canvas.scene.lift(places)
        self.canvas.scene.node_layout.sections.lift(self._rects_for(places))
        self._into = self._wire_below(pointer) if len(places) == 1 else None
        self.canvas.messages.set_hint(self._sentence())
        self.canvas.repaint.everything()

    def release(self, pointer: Pointer) -> None:
        """Commit the new positions; a click only selects."""
        if not self._moved:
            self._click(pointer)
            return
        places = self._now
        slot = self._slot_for(pointer) if self._into is not None else 0
        self._put_down()
        if self._into is not None:
            found = self.canvas.document.graph.nodes[self._node]
            node, at = self._node, places[self._node]
            at, room = room_in_wire(self.canvas, found, at, self._into, node)
            wires, into = self.canvas.document.wires, self._into
            keep_room(self.canvas, lambda g: wires.insert(node, into, slot, at, room, g))
        elif self._rects:
            rects = {n: as_rect(rect) for n, rect in self._rects_for(places).items()}
            self.canvas.document.sections.move(rects, places, "Move selection")
        else:
            self.canvas.document.move(places)

    def cancel(self) -> None:
        """Show the nodes at their old positions."""
        self._put_down()
        self.canvas.selection.choose_again(self._chosen)

    def _put_down(self) -> None:
        self.canvas.scene.lift({})
        self.canvas.scene.node_layout.sections.lift({})
        self.canvas.messages.set_hint("")
        self.canvas.repaint.everything()

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
        """Return arrows in four directions once nodes move."""
        return Qt.CursorShape.SizeAllCursor if self._moved else Qt.CursorShape.ArrowCursor

    @property
    def pulls_view(self) -> bool:
        """Return True: the view scrolls at its border."""
        return self._moved

    def _begin(self) -> None:
        self._moved = True
        selection = self.canvas.selection
        if self._node not in self._chosen.nodes:
            selection.focus_on(self._node)
        self._take_along()

    def _take_along(self) -> None:
        """Add the whole selection, and the content of its sections, to what is moved."""
        selection, document = self.canvas.selection, self.canvas.document
        nodes, boxes = content(self.canvas.scene, selection.sections)
        positions = document.positions
        self._homes = {n: positions[n] for n in selection.nodes | nodes if n in positions}
        self._rects = {n: document.sheet.sections[n].rect for n in boxes}

    def _rects_for(self, places: dict[int, Point]) -> dict[int, QRectF]:
        """Return the sections' rectangles for these node positions."""
        (x, y), (home_x, home_y) = places[self._node], self._homes[self._node]
        return {
            n: QRectF(*rect).translated(x - home_x, y - home_y) for n, rect in self._rects.items()
        }

    def _click(self, pointer: Pointer) -> None:
        selection = self.canvas.selection
        if pointer.held(Qt.KeyboardModifier.ControlModifier):
            selection.toggle(self._node)
        elif pointer.held(Qt.KeyboardModifier.ShiftModifier):
            selection.add((self._node,))
        else:
            selection.focus_on(self._node)

    def _places(self, pointer: Pointer) -> dict[int, Point]:
        shift = pointer.sheet - self.start.sheet
        home = self._homes[self._node]
        x, y = home[0] + shift.x(), home[1] + shift.y()
        self._guides = []
        if not pointer.held(Qt.KeyboardModifier.AltModifier):
            grid = sizes.GRID / 2
            snapped = (round(x / grid) * grid, round(y / grid) * grid)
            x, y = self._guided(x, y, snapped)
        dx, dy = x - home[0], y - home[1]
        return {n: (px + dx, py + dy) for n, (px, py) in self._homes.items()}

    def _guided(self, x: float, y: float, snapped: Point) -> Point:
        """Return the position aligned with a node near by, else the one on the grid."""
        scene = self.canvas.scene
        box = scene.boxes[self._node]
        area = QRectF(x - 900, y - 700, 1800, 1400)
        result = [snapped[0], snapped[1]]
        others = [scene.boxes[n] for n in scene.node_index.within(area) if n not in self._homes]
        for other in others:
            if abs(other.y - y) <= GUIDE_REACH:
                result[1] = other.y
                left, right = min(other.x, x), max(other.x + other.w, x + box.w)
                self._guides.append(QLineF(left - 12, other.y, right + 12, other.y))
                break
        for other in others:
            if abs(other.x - x) <= GUIDE_REACH:
                result[0] = other.x
                top, low = min(other.y, y), max(other.y + other.h, y + box.h)
                self._guides.append(QLineF(other.x, top - 12, other.x, low + 12))
                break
        return (result[0], result[1])

    def _wire_below(self, pointer: Pointer) -> Wire | None:
        graph = self.canvas.document.graph
        if not isinstance(graph.nodes[self._node], OpNode):
            return None
        if graph.outgoing[self._node] or any(s is not None for s in graph.inputs(self._node)):
            return None
        scene = self.canvas.scene
        middle = scene.boxes[self._node].rect.center()
        for at in (pointer.sheet, QPointF(middle)):
            wire = wire_near(scene, at, 16.0)
            if wire is not None and wire[0] != self._node:
                return wire
        return None

    def _slot_for(self, pointer: Pointer) -> int:
        slots = len(self.canvas.document.graph.inputs(self._node))
        box = self.canvas.scene.boxes[self._node]
        return min(range(slots), key=lambda k: abs(box.slot(k).y() - pointer.sheet.y()))

    def _sentence(self) -> str:
        if self._into is None:
            return ""
        graph = self.canvas.document.graph
        source = graph.source(self._into)
        name = graph.title(self._node)
        before = "" if source is None else graph.title(source)
        return f"Insert {name} between {before} and {graph.title(self._into[0])}"
