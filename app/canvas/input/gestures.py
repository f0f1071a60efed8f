"""begin() returns the gesture for a press of the left button; the gestures follow.

Mouse calls it with the part that the hit test found; drawing a wire is in `draw_wire`. To save time
at the start, this module is imported at the first press.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct
from PySide6.QtCore import QLineF, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.editing.new_node import edit_keeping_room, position_in_wire
from app.canvas.input.draw_wire import AddAtEnd, ConnectedEnd, DrawWire
from app.canvas.input.gesture import Gesture, Pointer
from app.canvas.input.hover import cursor_for
from app.canvas.overlay.minimap import Minimap
from app.canvas.scene.hit_test import Hit, content, hit, wire_near
from app.controls.scrub import Scrub
from app.document.boxes import members_of, resized
from app.document.placement import snapped
from app.document.sheet import Point, Rect
from app.style import sizes
from app.style.strokes import pen
from app.style.theme import faded
from engine.graph import Constant, Leaf, OpNode, Wire

_OPEN_FOR_STEP = "This step needs the group open; it folds again after it."


def begin(canvas: CanvasContext, pointer: Pointer, hit: Hit, add: AddAtEnd) -> Gesture:
    """Return the gesture for a press at a hit; `add` opens quick add at a wire's end."""
    if hit.wire is not None and hit.part != "slot":
        return _on_wire(canvas, pointer, hit, hit.wire)
    if canvas.document.locked:  # dragging scrolls then, since nothing can be moved
        if hit.node is not None and canvas.playback.now.takes_clicks:
            return FireOrPan(canvas, pointer, hit.node)
        return RefuseDrag(canvas, pointer) if hit.part == "number" else Pan(canvas, pointer)
    if hit.node is None:
        return _on_background(canvas, pointer, hit)
    if hit.wire is not None:  # the slot of a node, plugged or not
        return _on_slot(canvas, pointer, hit, hit.wire, add)
    if hit.part == "output":
        if pointer.held(Qt.KeyboardModifier.ControlModifier):
            return DrawWire(
                canvas, pointer, ConnectedEnd(all_of=hit.node), add
            )  # moves all its wires
        return DrawWire(canvas, pointer, ConnectedEnd(source=hit.node), add)
    return _on_node(canvas, pointer, hit, hit.node)


def _on_node(canvas: CanvasContext, pointer: Pointer, hit: Hit, node: int) -> Gesture:
    if hit.part == "number":
        return ScrubValue(canvas, pointer, node)
    if canvas.playback.now.takes_clicks:
        return FireNode(canvas, pointer, DragTarget(frozenset((node,)), node))
    return Drag(canvas, pointer, DragTarget(frozenset((node,)), node))


def _on_background(canvas: CanvasContext, pointer: Pointer, hit: Hit) -> Gesture:
    group = hit.group
    if group is None:
        return RubberBand(canvas, pointer)
    if hit.part == "opener":
        return Click(canvas, pointer, hit, lambda: _open_or_close(canvas, group))
    if canvas.document.sheet.groups[group].drawn:
        return Drag(canvas, pointer, DragTarget(frame=group, edges=hit.edges))
    members = members_of(canvas.document.sheet.groups, group)
    return Drag(canvas, pointer, DragTarget(members))


def _open_or_close(canvas: CanvasContext, group: int) -> None:
    if group in canvas.scene.visible.opens:
        canvas.messages.refuse(_OPEN_FOR_STEP)
        return
    canvas.document.groups.collapse(group, group in canvas.scene.visible.opened)


def _on_wire(canvas: CanvasContext, pointer: Pointer, hit: Hit, wire: Wire) -> Gesture:
    if _unplugs(pointer):
        return _unplug_click(canvas, pointer, hit, wire)
    return Click(canvas, pointer, hit, lambda: _click_wire(canvas, wire))


def _unplugs(pointer: Pointer) -> bool:
    """Return whether a click unplugs: with Alt, or with Ctrl and Shift where Alt moves windows."""
    ctrl_shift = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    return pointer.held(Qt.KeyboardModifier.AltModifier) or (
        pointer.modifiers & ctrl_shift == ctrl_shift
    )


def _unplug_click(canvas: CanvasContext, pointer: Pointer, hit: Hit, wire: Wire) -> Gesture:
    return Click(canvas, pointer, hit, lambda: canvas.document.wires.disconnect(*wire))


def _click_wire(canvas: CanvasContext, wire: Wire) -> None:
    """Select the clicked wire; if its number is asked for, reveal it or go to its blank."""
    following, modes = canvas.playback.frame.next_event, canvas.modes
    if modes.question is None or following is None or following.wire != wire:
        canvas.selection.choose((), (wire,))
    else:
        modes.reveal()


def _on_slot(
    canvas: CanvasContext, pointer: Pointer, hit: Hit, wire: Wire, add: AddAtEnd
) -> Gesture:
    source = canvas.document.graph.source(wire)
    if source is None:
        return DrawWire(canvas, pointer, ConnectedEnd(wire=wire), add)
    if _unplugs(pointer):
        return _unplug_click(canvas, pointer, hit, wire)
    return DrawWire(canvas, pointer, ConnectedEnd(source=source, unplugged=wire), add)


class Click(Gesture):
    """Press a wire or a button on the sheet, and release on the same to call `action`."""

    def __init__(
        self, canvas: CanvasContext, start: Pointer, pressed: Hit, action: Callable[[], object]
    ) -> None:
        super().__init__(canvas, start)
        self._pressed = pressed
        self._action = action

    def release(self, pointer: Pointer) -> None:
        """Run the action, if the pointer is still over the target."""
        released = hit(self.canvas.scene, pointer.sheet, self.canvas.camera.scale)
        if _target(released) == _target(self._pressed):
            self._action()

    @property
    def cursor(self) -> Qt.CursorShape:
        return Qt.CursorShape.PointingHandCursor


def _target(found: Hit) -> object:
    """Return the target of a click; a wire and its label are one."""
    return found.wire, found.group, found.part == "opener"


class ScrubValue(Gesture):
    """Drag a number sideways to change it: all changes form one undo step, which Esc reverts."""

    def __init__(self, canvas: CanvasContext, start: Pointer, node: int) -> None:
        super().__init__(canvas, start)
        found = canvas.document.graph.nodes[node]
        assert isinstance(found, Leaf | Constant)
        self._node = node
        self._scrub = Scrub(found.value)
        self._gesture = canvas.document.new_gesture()
        """Number of the undo step that all changes form."""
        self._selection_before = canvas.selection.snapshot()
        self._moved = False

    def move(self, pointer: Pointer) -> None:
        """Set the value for the pointer's position."""
        if not self._moved and not self.is_drag(pointer):
            return
        if not self._moved:
            self._moved = True
            self.canvas.selection.focus_on(self._node)
            self.canvas.document.value_held.emit(self._node)
        # as far by hand at every interface size
        pixels = (pointer.screen.x() - self.start.screen.x()) / self.canvas.style.scale
        value = self._scrub.moved(pixels, pointer.modifiers)
        self.canvas.document.set_value(self._node, value, self._gesture)

    def release(self, pointer: Pointer) -> None:
        """Keep the value if it differs from the old one; a click selects the node."""
        if self._moved:
            changed = self._scrub.value != self._scrub.start
            if not changed:
                self.canvas.document.abandon(self._gesture)
            self.canvas.document.value_released.emit(changed)
            return
        self.select(pointer, (self._node,))

    def cancel(self) -> None:
        """Restore the old value."""
        if self._moved:
            self.canvas.document.abandon(self._gesture)
            self.canvas.document.value_released.emit(False)
            self.canvas.selection.restore(self._selection_before)

    def end(self) -> None:
        """Keep the value: it is in the history already."""

    @property
    def cursor(self) -> Qt.CursorShape:
        """Return the horizontal resize arrow."""
        return Qt.CursorShape.SizeHorCursor


class RubberBand(Gesture):
    """Drag on the empty sheet to select; Shift adds to the selection, Ctrl toggles."""

    def __init__(self, canvas: CanvasContext, start: Pointer) -> None:
        super().__init__(canvas, start)
        self._selection_before = canvas.selection.snapshot()
        self._end: QPointF = start.sheet

    def move(self, pointer: Pointer) -> None:
        """Select the nodes and groups that the rectangle touches, and the drawn groups in it."""
        self._end = pointer.sheet
        rect = self._rect()
        nodes = touched = self._touched_nodes(rect)
        if self.start.held(Qt.KeyboardModifier.ShiftModifier):
            nodes = self._selection_before.nodes | touched
        elif self.start.held(Qt.KeyboardModifier.ControlModifier):
            nodes = self._selection_before.nodes ^ touched
        drawn = self.canvas.scene.node_layout.groups.drawn
        contained = [n for n, box in drawn.items() if rect.contains(box)]
        earlier = () if nodes is touched else self._selection_before.frames  # Shift or Ctrl
        self.canvas.selection.choose(nodes, (), {*contained, *earlier})
        self.canvas.repaint.everything()

    def release(self, pointer: Pointer) -> None:
        """Finish; a mere click on the empty sheet clears the selection."""
        extending = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier
        if not self.is_drag(pointer) and not self.start.modifiers & extending:
            self.canvas.selection.clear()

    def cancel(self) -> None:
        """Restore the selection before the gesture."""
        self.canvas.selection.restore(self._selection_before)

    def paint(self, painter: QPainter) -> None:
        theme = self.canvas.theme
        scale = self.canvas.camera.scale
        painter.fillRect(self._rect(), faded(theme.selection, 0.08))
        painter.setPen(pen(theme.selection, 1.2 / scale, (5 / scale, 3 / scale)))
        painter.drawRect(self._rect())

    @property
    def pulls_view(self) -> bool:
        """Return True: the view scrolls at its border."""
        return True

    def _touched_nodes(self, rect: QRectF) -> frozenset[int]:
        """Return the nodes it touches, and the members of the folded groups it touches."""
        scene = self.canvas.scene
        near = (key for key in scene.index.within(rect) if scene.boxes[key].rect.intersects(rect))
        return frozenset[int]().union(*(scene.item(key).members for key in near))

    def _rect(self) -> QRectF:
        return QRectF(self.start.sheet, self._end).normalized()


class Pan(Gesture):
    """Scroll by dragging with the middle button, or with Space held."""

    def __init__(self, canvas: CanvasContext, start: Pointer) -> None:
        super().__init__(canvas, start)
        self._scrolled = QPoint(0, 0)
        """How far the view was scrolled since the press, in screen px."""

    def move(self, pointer: Pointer) -> None:
        """Scroll by the pointer's movement."""
        shift = (pointer.screen - self.start.screen).toPoint() - self._scrolled
        self.canvas.camera.pan_by(QPointF(shift))
        self._scrolled += shift

    def cancel(self) -> None:
        """Restore the scroll offset."""
        self.canvas.camera.pan_by(-QPointF(self._scrolled))

    @property
    def cursor(self) -> Qt.CursorShape:
        return Qt.CursorShape.ClosedHandCursor


class FireOrPan(Pan):
    """Click a node to fire it while editing is locked; dragging scrolls."""

    def __init__(self, canvas: CanvasContext, start: Pointer, node: int) -> None:
        super().__init__(canvas, start)
        self._node = node

    def release(self, pointer: Pointer) -> None:
        """Let the node fire, or refuse it, unless the sheet was scrolled."""
        super().release(pointer)
        if self._scrolled.isNull():
            self.canvas.modes.click(self._node)

    @property
    def cursor(self) -> Qt.CursorShape:
        """Return the pointing hand until the sheet scrolls."""
        return Qt.CursorShape.PointingHandCursor if self._scrolled.isNull() else super().cursor


class Jump(Gesture):
    """Press the minimap to centre that point of the sheet, or drag its frame to scroll."""

    def __init__(self, canvas: CanvasContext, start: Pointer, minimap: Minimap) -> None:
        super().__init__(canvas, start)
        self._sheet_px_per_px = 1 / minimap.scale  # stays, though the map may be drawn again
        self._center_before = canvas.camera.visible_area.center()
        pressed = minimap.to_sheet(start.screen - QPointF(minimap.pos()))
        on_frame = canvas.camera.visible_area.contains(pressed)
        self._center = self._center_before if on_frame else pressed
        self._look_at(self._center)

    def move(self, pointer: Pointer) -> None:
        """Scroll by the pointer's distance from the press, scaled to the sheet."""
        distance = pointer.screen - self.start.screen
        self._look_at(self._center + distance * self._sheet_px_per_px)

    def cancel(self) -> None:
        """Restore the view before the gesture."""
        self._look_at(self._center_before)

    @property
    def cursor(self) -> Qt.CursorShape:
        return Qt.CursorShape.ClosedHandCursor

    def _look_at(self, center: QPointF) -> None:
        self.canvas.camera.pan_by(
            (self.canvas.camera.visible_area.center() - center) * self.canvas.camera.scale
        )


class RefuseDrag(Gesture):
    """Drag a number while editing is locked: shows the reason once, without scrolling."""

    def __init__(self, canvas: CanvasContext, start: Pointer) -> None:
        super().__init__(canvas, start)
        self._refused = False

    def move(self, pointer: Pointer) -> None:
        """Refuse as soon as the press has become a drag."""
        if not self._refused and self.is_drag(pointer):
            self._refused = self.canvas.document.refuse_if_locked()


GUIDE_REACH = 5.0
"""Distance in sheet px within which a node is aligned with another one."""
OVERHANG = 12.0
"""By how much a guide line is longer than the nodes that it aligns, at each end, in sheet px."""
INSERT_REACH = 16.0
"""Distance in sheet px from a wire within which a dropped node is inserted into it."""


class DragTarget(Struct, frozen=True):
    """The pressed node (one of `nodes`), group (its members) or drawn group.

    `edges` are those of the drawn group that are resized: "rb" for right and bottom, "" to move it.
    """

    nodes: frozenset[int] = frozenset()
    node: int | None = None
    frame: int | None = None
    edges: str = ""

    @property
    def frames(self) -> frozenset[int]:
        """Return the drawn group."""
        return frozenset(() if self.frame is None else (self.frame,))


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
        """Where the dragged nodes and drawn groups are in the document, by number."""
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
        if self.target.frame is None:
            self._insert_wire = self._wire_below(pointer)
            self.canvas.messages.set_hint(self._insert_hint())
        self.canvas.repaint.everything()

    def release(self, pointer: Pointer) -> None:
        """Commit the new positions; a click only selects."""
        if not self.moved:
            self.select(pointer, self.target.nodes, self.target.frames)
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
            return cursor_for(self.target.edges)
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
        drawn = document.sheet.drawn
        if target.edges:
            selection.choose((), (), target.frames)
            self._rects = {n: drawn[n] for n in target.frames}
            return
        if not (target.nodes <= selection.nodes and target.frames <= selection.frames):
            selection.choose(target.nodes, (), target.frames)
        nodes, frames = content(self.canvas.scene, selection.frames)
        positions = document.positions
        self._positions = {n: positions[n] for n in selection.nodes | nodes if n in positions}
        self._rects = {n: drawn[n] for n in frames}

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
        """Return the old position of the corner that snaps: the frame's, or the first node's."""
        if self.target.frame is not None:
            return self._rects[self.target.frame][:2]
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
        near = (key for key in scene.index.within(area) if isinstance(key, int))
        others = [scene.boxes[node] for node in near if node not in self._positions]
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
        if self.target.frame is None:
            self.canvas.messages.set_hint("")
        self.canvas.repaint.everything()

    def _undo_text(self) -> str:
        """Return the text of the undo step; "" for nodes alone, for which the document has one."""
        frame, selection = self.target.frame, self.canvas.selection
        alone = not selection.nodes and len(selection.frames) <= 1
        if frame is None or not (self.target.edges or alone):
            return "Move selection" if self._rects else ""
        verb = "Resize" if self.target.edges else "Move"
        return f"{verb} group {self.canvas.document.sheet.groups[frame].title}".rstrip()

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


class FireNode(Drag):
    """Click a node to fire it, or drag it, in a mode where the user chooses which node fires."""

    def release(self, pointer: Pointer) -> None:
        """Commit the new positions; a click selects the node and lets it fire, or refuses it."""
        super().release(pointer)
        if not self.moved and self.target.node is not None:
            self.canvas.modes.click(self.target.node)

    @property
    def cursor(self) -> Qt.CursorShape:
        """Return the pointing hand until nodes move."""
        return super().cursor if self.moved else Qt.CursorShape.PointingHandCursor
