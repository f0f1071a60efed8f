"""CanvasView: the sheet on the screen; it paints the stage and passes the mouse to gestures."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable

from PySide6.QtCore import (
    QEvent,
    QObject,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QCursor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from app.canvas import touched
from app.canvas.accessible import Spokesman
from app.canvas.arrange import Arranger
from app.canvas.breadcrumbs import Breadcrumbs
from app.canvas.building import Building
from app.canvas.furniture import Furniture
from app.canvas.gestures.begin import begin
from app.canvas.gestures.draw_wire import DrawWire
from app.canvas.gestures.gesture import Gesture, Pointer
from app.canvas.gestures.pan import Pan
from app.canvas.ground import Ground
from app.canvas.hits import NOTHING, Hit, hit
from app.canvas.motion import Motion
from app.canvas.overlay import Backdrop, chosen_point, paint_empty, paint_selection
from app.canvas.painter import (
    BATCHED,
    CROWD,
    Emphasis,
    ground_key,
    paint_above,
    paint_ground,
)
from app.canvas.patches import paint_patches
from app.canvas.pixmaps import NodePixmaps
from app.canvas.sections import resize_cursor
from app.canvas.stage import Stage, Step
from app.canvas.walking import Walking
from app.controls.kind import plain_tooltip
from app.document.change import Change
from app.document.document import Document
from app.document.grouping import members_of
from app.document.sheet import Point
from app.style import sizes
from app.style.current import Style
from app.style.theme import Theme
from app.workbench.playback import Playback
from app.workbench.selection import Selection
from engine.formats.native import Drawing
from engine.frame import Frame
from engine.graph import Wire
from engine.graphviz import Direction
from engine.trace import Event

SMALLEST, LARGEST = 0.05, 4.0
FIT_MARGIN = 48.0
GESTURE_BUTTONS = Qt.MouseButton.LeftButton | Qt.MouseButton.MiddleButton
NARROW = 12.0
SETTLE = 120
"""Milliseconds after which the nodes of a large graph are measured once numbers have changed."""
BORDER = 28
WALKING_KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)


class CanvasView(QAbstractScrollArea):
    """The canvas. It owns where one looks; the document, playback and selection own the rest."""

    zoom_changed = Signal(float)
    hint = Signal(str)
    """What letting go, or the thing under the pointer, would do; empty when there is nothing."""
    said = Signal(str)
    """A sentence for the person: a refusal, or what has been done."""
    menu_wanted = Signal(object, QPoint)
    """A Hit and the place on the screen: a context menu is wanted."""
    arranging = Signal(bool)
    """Whether a layout takes long."""

    def __init__(
        self,
        style: Style,
        document: Document,
        playback: Playback,
        selection: Selection,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.style_in_force = style
        self.document = document
        self.playback = playback
        self.selection = selection
        self.stage = Stage(style.short, style.signed)
        self.arranger = Arranger(document, self.stage, self)
        self.building = Building(self)
        self.walking = Walking(self)
        self.breadcrumbs = Breadcrumbs(style, self)
        self.furniture = Furniture(self)
        self._pixmaps = NodePixmaps()
        self._backdrop = Backdrop()
        self._ground = Ground()
        self._zoom = 1.0
        self._offset = QPointF(40, 40)
        self._gesture: Gesture | None = None
        self._hover: Hit = NOTHING
        self._aimed: QPointF | None = None
        self._space = False
        self._crowded = False
        self._keeps: Callable[[], None] | None = None  # how it looks until someone looks elsewhere
        self._settling = _timer(self, SETTLE, self._settle)
        self._settling.setSingleShot(True)
        self._pull = _timer(self, 16, self._pull_view)
        self._set_up_widget()
        self._connect()
        self.motion = Motion(self)  # after our own slots: it moves what they have shown
        self.spokesman = Spokesman(self)
        self._show_frame(playback.frame)

    def _connect(self) -> None:
        self._told_at: QPointF | None = None  # the point of the screen that the hint is about
        self.document.changed.connect(self._follow_document)
        self.playback.frame_changed.connect(self._show_frame)
        self.playback.settings_changed.connect(self._show_settings)
        self.selection.changed.connect(self.redraw)
        self.style_in_force.changed.connect(self._restyle)
        self.arranger.working.connect(self.arranging)
        self.arranger.failed.connect(self.said)
        self.breadcrumbs.chosen.connect(self.enter_group)

    def _set_up_widget(self) -> None:
        self.setObjectName("canvas")
        self.setAccessibleName("Canvas")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAcceptDrops(True)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.viewport().setAcceptDrops(True)

    # what there is

    @property
    def theme(self) -> Theme:
        """The colours in force."""
        return self.style_in_force.theme

    @property
    def zoom(self) -> float:
        """The zoom chosen on the canvas: 1.0 is 100 %."""
        return self._zoom

    @property
    def unit(self) -> float:
        """The size of everything, apart from the zoom."""
        return self.style_in_force.scale

    @property
    def scale(self) -> float:
        """Screen pixels per pixel of the sheet."""
        return self._zoom * self.unit

    @property
    def visible_area(self) -> QRectF:
        """The part of the sheet that is seen."""
        size = self.viewport().size()
        corner = self.to_sheet(QPointF(0, 0))
        return QRectF(corner.x(), corner.y(), size.width() / self.scale, size.height() / self.scale)

    @property
    def wiring(self) -> tuple[int, Wire] | None:
        """The wire that the keyboard would plug in."""
        return self.walking.wiring

    @property
    def walks(self) -> bool:
        """Whether the keyboard walks along wires here."""
        return self.walking.on and self.hasFocus()

    @property
    def host(self) -> QWidget:
        """The widget on which boxes and fields are opened."""
        return self.viewport()

    def to_sheet(self, point: QPointF) -> QPointF:
        """The point of the sheet under a point of the screen."""
        return (point - self._offset) / self.scale

    def to_screen(self, point: QPointF) -> QPointF:
        """The point of the screen above a point of the sheet."""
        return point * self.scale + self._offset

    def aim(self, at: QPointF | None) -> None:
        """Let a point of the screen stand for the pointer while a menu is open; None ends it."""
        self._aimed = at

    def pointer_on_sheet(self) -> QPointF:
        """The point of the sheet under the pointer, or in the middle of the view."""
        at = self._aimed or QPointF(self.viewport().mapFromGlobal(QCursor.pos()))
        if not QRectF(self.viewport().rect()).contains(at):
            at = QPointF(self.viewport().rect().center())
        return self.to_sheet(at)

    def centre(self) -> Point:
        """The point of the sheet in the middle of the view."""
        middle = self.visible_area.center()
        return (middle.x(), middle.y())

    # looking

    def fit_all(self) -> None:
        """Show everything, never larger than 100 %, also when the view gets another size."""
        self.motion.finish()
        self._fit(self.stage.bounds())
        self._keeps = self.fit_all

    def show_opened(self) -> None:
        """Show everything, with narrow margins where that keeps the labels on wires readable."""
        self.motion.finish()
        self._lay_opened()

    def _lay_opened(self) -> None:
        bounds = self.stage.bounds()
        self._fit(bounds)
        if self.scale < sizes.ZOOM_LABELS:
            self._fit(bounds, NARROW)
            if self.scale > sizes.ZOOM_LABELS:
                self._fit(bounds, NARROW, sizes.ZOOM_LABELS / self.unit)
        self._keeps = self.show_opened

    def fit_selection(self) -> None:
        """Show what is chosen, or everything."""
        chosen = self.selection
        found = self.stage.bounds(chosen.nodes).united(self.stage.section_bounds(chosen.sections))
        self._fit(found if not found.isEmpty() else self.stage.bounds())

    def fit_when_sized(self) -> None:
        """Show what was opened as soon as the size of the view is known."""
        self._keeps = self.show_opened
        self.show_opened()

    def set_zoom(self, zoom: float, about: QPointF | None = None) -> None:
        """Set the zoom, keeping a point of the screen (its middle) where it is."""
        wanted = min(max(zoom, SMALLEST), LARGEST)
        self._keeps = None
        point = about or QPointF(self.viewport().rect().center())
        below = self.to_sheet(point)
        self._zoom = wanted
        self._offset = _whole(point - below * self.scale)
        self.zoom_changed.emit(self._zoom)
        self.redraw()

    def zoom_by(self, factor: float, about: QPointF | None = None) -> None:
        """Zoom in or out about a point of the screen."""
        self.set_zoom(self._zoom * factor, about)

    def pan_by(self, pixels: QPointF) -> None:
        """Shift the sheet on the screen; what stays in view is copied, not painted."""
        shift = pixels.toPoint()
        self._keeps = None
        self._offset += QPointF(shift)
        self._shifted(shift)

    def _shifted(self, shift: QPoint) -> None:
        """The sheet has been shifted: copy what stays in view."""
        if not shift.isNull():
            self.viewport().scroll(shift.x(), shift.y())
            self.furniture.moved_by(shift)

    def show_node(self, node: int) -> None:
        """Bring a node into view if it is not."""
        if node not in self.stage.boxes:
            return
        rect = self.stage.extent(node)
        if not self.visible_area.contains(rect):
            middle = self.to_screen(rect.center())
            self.pan_by(QPointF(self.viewport().rect().center()) - middle)

    def show_nodes(self, nodes: Iterable[int]) -> None:
        """Bring nodes into view if they are not, zooming out where they need it."""
        rect = self.stage.bounds(nodes)
        if not rect.isEmpty() and not self.visible_area.contains(rect):
            self._fit(self.stage.bounds())

    def show_sections(self, numbers: Iterable[int]) -> None:
        """Bring sections into view if they are not."""
        rect = self.stage.section_bounds(numbers)
        if not rect.isEmpty() and not self.visible_area.contains(rect):
            self._fit(rect)

    def redraw(self) -> None:
        """Paint anew at the next turn."""
        self.viewport().update()

    def redraw_at(self, rect: QRectF) -> None:
        """Paint a rectangle of the sheet anew."""
        if not rect.isEmpty():
            corner, size = self.to_screen(rect.topLeft()), rect.size() * self.scale
            self.viewport().update(QRectF(corner, size).adjusted(-2, -2, 2, 2).toAlignedRect())

    # building, for the window and the gestures

    def quick_add(
        self, at: QPointF | None = None, source: int | None = None, wire: Wire | None = None
    ) -> None:
        """Open the box to type what to add, at a point of the sheet (the pointer's)."""
        self.building.open_quick_add(at or self.pointer_on_sheet(), source, wire)

    def preview_paste(
        self, drawing: Drawing, told: str, at: Point, take: Callable[[], object]
    ) -> None:
        """Show at a point of the sheet what would be pasted; `take` is called on Enter."""
        self.building.preview_paste(drawing, told, QPointF(*at), take)

    def add_entry(self, key: str) -> int | None:
        """Add an entry of the palette at the middle of the view."""
        return self.building.add(key, QPointF(*self.centre()))

    def label_selected(self) -> None:
        """Type a label for the chosen node, or a title for the chosen section or group."""
        groups = self.chosen_groups()
        if self.selection.section is not None:
            self.building.edit_title(self.selection.section)
        elif groups and (self.selection.only is None or groups[0] in self.stage.group_boxes):
            self.building.edit_group(groups[0])
        else:
            self.building.edit_label(self.selection.focus)

    def edit_value_selected(self) -> None:
        """Type a value for the chosen leaf or constant."""
        self.building.edit_value(self.selection.focus)

    def delete_selected(self, heal: bool = False) -> None:
        """Delete what is chosen; `heal` joins the neighbours of one-slot ops."""
        self.building.delete(heal)

    def arrange(self, only_selected: bool = False, direction: Direction = "LR") -> None:
        """Find better places for everything, or for what is chosen, as one undo step."""
        self.building.arrange(only_selected, direction)

    def enter_group(self, group: int | None) -> None:
        """Look at the inside of a group alone, or at the whole sheet again."""
        self.cancel_gesture()
        self.stage.look_inside(group)
        self.document.new_nodes_join(self.stage.inside)
        self.playback.look_into(self.stage.inside)
        self.breadcrumbs.show_path(self.document.sheet.groups, self.stage.inside)
        self.selection.clear()
        self.fit_all()

    def leave_group(self) -> bool:
        """Look at what is around the group that is looked into; whether there was one."""
        inside = self.stage.inside
        if inside is None:
            return False
        self.enter_group(self.document.sheet.groups[inside].parent)
        return True

    def add_section(self) -> None:
        """Draw a titled box around what is chosen."""
        self.building.add_section()

    def group_selected(self) -> None:
        """Put what is chosen into a group, shown as one."""
        group = self.document.make_group(self.selection.nodes)
        if group is not None:
            self.selection.choose(members_of(self.document.sheet.groups, group))

    def unpack_selected(self) -> None:
        """Take the chosen groups away and leave what is in them."""
        gesture = self.document.new_gesture()
        for group in self.chosen_groups():
            self.document.unpack_group(group, gesture)

    def collapse_selected(self) -> None:
        """Show the chosen groups as one, or open them in place if they are."""
        gesture = self.document.new_gesture()
        for group in self.chosen_groups():
            collapsed = self.document.sheet.groups[group].collapsed
            self.document.collapse_group(group, not collapsed, gesture)

    def enter_selected(self) -> None:
        """Look at the inside of the chosen group."""
        for group in self.chosen_groups()[:1]:
            self.enter_group(group)

    def chosen_groups(self) -> list[int]:
        """The outermost groups of which every member is chosen."""
        groups, nodes = self.document.sheet.groups, self.selection.nodes
        whole = {g for g in groups if members_of(groups, g) and members_of(groups, g) <= nodes}
        return sorted(g for g in whole if groups[g].parent not in whole)

    def refuse(self, sentence: str) -> None:
        """Say why something can't be."""
        self.said.emit(sentence)

    def say_hint(self, text: str) -> None:
        """Say what letting go would do."""
        self._told_at = None
        self.hint.emit(text)

    def edit_value(self, node: int | None) -> None:
        """Type a value for a leaf or a constant."""
        self.building.edit_value(node)

    def press_wire(self, wire: Wire) -> None:
        """A click on a wire or its label chooses it; on a covered one it shows the number."""
        following = self.playback.frame.next_event
        if self.playback.covered and following is not None and following.wire == wire:
            self.playback.reveal()
        else:
            self.selection.choose((), (wire,))

    def cancel_gesture(self) -> bool:
        """End the gesture that is going on without a trace; whether there was one."""
        gesture, self._gesture = self._gesture, None
        self._pull.stop()
        if gesture is None:
            return self.building.close()
        gesture.cancel()
        self.viewport().unsetCursor()
        return True

    @property
    def gesture(self) -> Gesture | None:
        """The gesture that is going on."""
        return self._gesture

    # following the model

    def _follow_document(self, change: Change) -> None:
        """Playback says when numbers differ; what only stands elsewhere is shown from here."""
        if change.wiring or change.whole:
            self._let_go()
        if not change.graph:
            self._show_frame(self.playback.frame)
        if change.whole:
            if self.stage.inside is not None:
                self.stage.look_inside(None)
            self.document.new_nodes_join(None)
            self.playback.look_into(None)
            self.fit_when_sized()
        if change.boxes or change.whole:
            self.breadcrumbs.show_path(self.document.sheet.groups, self.stage.inside)

    def _let_go(self) -> None:
        """Nodes or wires came or went: what the hand and the keyboard were at may be gone."""
        gesture, self._gesture = self._gesture, None
        self._pull.stop()
        self.walking.end_wire()
        self.building.close()
        if gesture is not None:
            gesture.end()
            self.viewport().unsetCursor()

    def _show_frame(self, frame: Frame) -> None:
        if frame.graph is not self.document.graph:
            return  # numbers of another graph are never drawn; the right ones are on their way
        covered = self.playback.covered
        shown = self.playback.cover and not covered
        before = self.stage.looks.frame
        self._hover_on(NOTHING)
        self.stage.show(self.document.sheet, frame, covered, shown)
        if frame.phase != "live" and (frame.cursor, frame.phase) != (before.cursor, before.phase):
            self._follow_step(frame)
        self._redraw_steps(self.stage.touched)
        if self.stage.unmeasured:
            self._settling.start()
        if self._told_at is not None:
            self.hint.emit(self.building.told(self.hit_at(self._told_at)))

    def _settle(self) -> None:
        """The numbers have come to rest: nodes get the room they need."""
        self.stage.settle()
        self.redraw()

    def _redraw_steps(self, steps: list[Step] | None) -> None:
        """Paint anew what looks otherwise after a step, or everything."""
        if steps is None or self.scale < BATCHED:
            self.redraw()
            return
        for rect in touched.by_steps(self.stage, steps, self.scale):
            self.redraw_at(rect)
        self.furniture.redraw()

    def _follow_step(self, frame: Frame) -> None:
        """Keep in view what the step is about: who fires, who receives, and the label."""
        if self._gesture is not None or self.scale < sizes.ZOOM_CONTRIBUTIONS:
            return
        if self._keeps == self.show_opened:
            self._lay_opened()
        else:
            self._bring_in(frame)

    def _bring_in(self, frame: Frame) -> None:
        step = frame.current
        if step is None or frame.graph is not self.document.graph:
            return
        nodes = {step.node}
        wire = step.wire if isinstance(step, Event) else None
        rect = self.stage.bounds(nodes)
        for more in (self.stage.label_rect(wire) if wire else None, self._firing_rect(wire)):
            wider = rect.united(more) if more is not None else rect
            if wider.width() < self.visible_area.width() * 0.9:
                rect = wider
        before = self._offset
        shift = _into_view(rect.adjusted(-16, -16, 16, 16), self.visible_area)
        self._offset = _whole(self._offset + shift * self.scale)
        self._step_aside(rect, self._firing_rect(wire) or rect)
        self._shifted((self._offset - before).toPoint())

    def _step_aside(self, *rects: QRectF) -> None:
        """Bring the first of these that can be out from under the map."""
        for rect in rects:
            on_screen = QRectF(self.to_screen(rect.topLeft()), rect.size() * self.scale)
            shift = self.furniture.clearance(on_screen)
            if not shift.isNull():
                self._offset = _whole(self._offset + shift)
                return

    def _firing_rect(self, wire: Wire | None) -> QRectF | None:
        return None if wire is None else self.stage.bounds((wire[0],))

    def _show_settings(self) -> None:
        self._show_frame(self.playback.frame)

    def _restyle(self) -> None:
        self._pixmaps.clear()
        self.stage.write_with(self.style_in_force.short, self.style_in_force.signed)
        if self._keeps is not None:
            self._keeps()
        else:
            self.set_zoom(self._zoom)

    def _fit(self, rect: QRectF, margin: float = FIT_MARGIN, most: float = 1.0) -> None:
        if rect.isEmpty() or self.viewport().width() < 50:
            return
        area = rect.adjusted(-margin, -margin, margin, margin)
        size = self.viewport().size()
        fitting = min(size.width() / area.width(), size.height() / area.height()) / self.unit
        self._zoom = min(max(fitting, SMALLEST), most)
        middle = QPointF(self.viewport().rect().center())
        self._offset = _whole(middle - area.center() * self.scale)
        self.zoom_changed.emit(self._zoom)
        self.redraw()

    # where the pointer is

    def _pointer(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> Pointer:
        return Pointer(self.to_sheet(at), at, modifiers)

    def hit_at(self, at: QPointF) -> Hit:
        """What lies under a point of the screen."""
        return hit(self.stage, self.to_sheet(at), self.scale)

    def _start(self, gesture: Gesture | None) -> None:
        self._gesture = gesture
        if gesture is not None:
            self.viewport().setCursor(gesture.cursor)

    def _hover_at(self, at: QPointF) -> None:
        pointed = self.furniture.point(at)
        found = NOTHING if self.furniture.covers(at) else self.hit_at(at)
        if found == self._hover and not pointed:
            return
        self._hover_on(found)
        self.viewport().setCursor(_cursor(found))
        self.say_hint(self.furniture.tip or self.building.told(found))
        self._told_at = None if self.furniture.tip or found == NOTHING else at

    def _hover_on(self, found: Hit) -> None:
        """Light up what is under the pointer, and nothing else."""
        before, self._hover = self._hover, found
        for changed in () if found == before else (before, found):
            rect = touched.by_hit(self.stage, changed, self.scale)
            if rect is None or self.scale < BATCHED:
                self.redraw()
            else:
                self.redraw_at(rect)

    def _pull_view(self) -> None:
        """Move the view along while a gesture holds the pointer at its border."""
        at = self.viewport().mapFromGlobal(QCursor.pos())
        shift = _pull(at, self.viewport().size())
        if self._gesture is None or shift.isNull():
            self._pull.stop()
            return
        self.pan_by(shift)
        self._gesture.move(self._pointer(QPointF(at), Qt.KeyboardModifier.NoModifier))

    # Qt's events

    def sizeHint(self) -> QSize:
        """Room for a graph."""
        return QSize(900, 600)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the sheet and what lies over it, strip by strip where only strips are new."""
        painter = QPainter(self.viewport())
        try:
            self.furniture.refresh()
            self._see_crowd()
            paint_patches(painter, event.region(), self._paint)
        except Exception:  # an exception that leaves a paint event kills the process
            sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
        finally:
            painter.end()

    def _see_crowd(self) -> None:
        """Draw wires alike all over the view, by how many there are in it."""
        if self.scale < BATCHED:
            return
        crowded = len(self.stage.wire_grid.within(self.visible_area)) > CROWD
        if crowded != self._crowded:
            self._crowded = crowded
            self.redraw()

    def _paint(self, painter: QPainter, exposed: QRectF) -> None:
        area = QRectF(self.to_sheet(exposed.topLeft()), self.to_sheet(exposed.bottomRight()))
        wire = self._hover.wire if self._hover.part in ("wire", "label") else None
        running, painted = self.motion.run, self._paint_node
        emphasis = Emphasis(wire, self._hidden(), painted, running, self._crowded)
        self._paint_ground(painter, exposed, area, emphasis)
        painter.save()
        self._look_at_sheet(painter)
        paint_above(painter, self.stage, self.theme, area, self.scale, emphasis)
        paint_selection(painter, self, area, self._hover)
        if self._gesture is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._gesture.paint(painter)
        self.building.paint(painter)
        self.motion.paint(painter)
        painter.restore()
        if self.document.empty:
            paint_empty(painter, QRectF(self.viewport().rect()), self.style_in_force)
        self.furniture.paint(painter, exposed)

    def _paint_ground(
        self, painter: QPainter, exposed: QRectF, area: QRectF, emphasis: Emphasis
    ) -> None:
        """Draw the canvas, its dots and the wires."""
        size = self.viewport().size()

        def draw(on: QPainter) -> None:
            self._backdrop.paint(on, exposed, size.width(), self._offset, self.scale, self.theme)
            on.save()
            self._look_at_sheet(on)
            paint_ground(on, self.stage, self.theme, area, self.scale, emphasis)
            on.restore()

        if self.scale < BATCHED or exposed.size().toSize() != size:
            draw(painter)
            return
        looks = ground_key(self.stage, area, emphasis)
        where = (self._offset.toTuple(), self.scale, size, self.theme.name)
        self._ground.paint(painter, size, looks and (looks, where), draw)

    def _look_at_sheet(self, painter: QPainter) -> None:
        """Let a painter draw in the coordinates of the sheet."""
        painter.translate(self._offset)
        painter.scale(self.scale, self.scale)

    def _paint_node(self, painter: QPainter, node: int) -> None:
        ratio = self.viewport().devicePixelRatioF()
        self._pixmaps.paint(painter, self.stage, node, self.theme, self.scale, ratio)

    def _hidden(self) -> Wire | None:
        return self._gesture.hidden if isinstance(self._gesture, DrawWire) else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a gesture."""
        if self._gesture is not None:
            return
        self.motion.finish()
        self.building.leave()
        self.walking.stop()
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        pointer = self._pointer(event.position(), event.modifiers())
        if event.button() == Qt.MouseButton.MiddleButton or (
            event.button() == Qt.MouseButton.LeftButton and self._space
        ):
            self._start(Pan(self, pointer))
        elif event.button() == Qt.MouseButton.LeftButton:
            on_furniture = self.furniture.begin(pointer)
            self._start(on_furniture or begin(self, pointer, self.hit_at(event.position())))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Let the gesture follow, or light up what is under the pointer."""
        if self._gesture is None:
            self._hover_at(event.position())
            return
        self.furniture.point(event.position())
        self._gesture.move(self._pointer(event.position(), event.modifiers()))
        self.viewport().setCursor(self._gesture.cursor)
        at_border = not _pull(event.position().toPoint(), self.viewport().size()).isNull()
        if self._gesture.pulls_view and at_border and not self._pull.isActive():
            self._pull.start()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the gesture with the button that began it."""
        if event.buttons() & GESTURE_BUTTONS:
            return
        gesture, self._gesture = self._gesture, None
        self._pull.stop()
        if gesture is not None:
            gesture.release(self._pointer(event.position(), event.modifiers()))
            self.viewport().unsetCursor()
            self.redraw()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Edit a value or a label, or add where nothing is."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if self.furniture.covers(event.position()):  # the second of two quick presses
            self.mousePressEvent(event)
            return
        found = self.hit_at(event.position())
        self.building.double_click(found, self.to_sheet(event.position()))

    def viewportEvent(self, event: QEvent) -> bool:
        """A tooltip tells what the thing under the pointer is, and what can be done with it."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            at = QPointF(event.pos())
            text = self.furniture.tip or self.building.tip(self.hit_at(at))
            if text and self._gesture is None:
                QToolTip.showText(event.globalPos(), plain_tooltip(text), self.viewport())
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer; a trackpad's two fingers pan, with Ctrl they zoom.

        On the number of the chosen leaf the wheel changes it.
        """
        pixels, angle = event.pixelDelta(), event.angleDelta()
        trackpad = (
            not pixels.isNull() and event.source() != Qt.MouseEventSource.MouseEventNotSynthesized
        )
        if trackpad and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.pan_by(QPointF(pixels))
        elif self.building.wheel(self.hit_at(event.position()), angle.y(), event.modifiers()):
            pass
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.pan_by(QPointF(angle.y() + angle.x(), 0) / 2)
        elif angle.y():
            self.zoom_by(math.pow(1.0015, angle.y()), event.position())
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of what lies under the pointer, or of what has the keyboard."""
        at = QPointF(self.viewport().mapFromGlobal(event.globalPos()))
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            at = self.to_screen(chosen_point(self))
        found = self.hit_at(at)
        self._choose_for_menu(found)
        self.menu_wanted.emit(found, self.viewport().mapToGlobal(at.toPoint()))

    def _choose_for_menu(self, found: Hit) -> None:
        """What a menu is opened for is what its actions act on."""
        wire = found.wire
        if found.part == "slot" and wire and self.document.graph.source(wire) is not None:
            self.selection.choose((), (wire,))
        elif found.node is not None and found.node not in self.selection.nodes:
            self.selection.focus_on(found.node)
        elif found.wire is not None and found.node is None:
            self.selection.choose((), (found.wire,))
        elif found.group is not None:
            self.selection.choose(members_of(self.document.sheet.groups, found.group))
        elif found.section is not None and found.section not in self.selection.sections:
            self.selection.choose(sections=(found.section,))

    def event(self, event: QEvent) -> bool:
        """Keys that walk along wires are ours before any shortcut; pinch zooms."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if self.walking.wants(event):
                event.accept()
                return True
        elif (
            isinstance(event, QNativeGestureEvent)
            and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture
        ):
            self.zoom_by(1.0 + event.value(), event.position())
            return True
        return super().event(event)

    def focusNextPrevChild(self, _next: bool) -> bool:
        """Tab is quick add here, not a move of the keyboard."""
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space grabs the sheet; arrows walk along wires."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = True
            self.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
        elif event.key() == Qt.Key.Key_Tab:
            self.quick_add()
        elif (event.key() == Qt.Key.Key_Escape and self.cancel_gesture()) or (
            event.key() == Qt.Key.Key_Backspace and self.leave_group()
        ):
            return
        elif not self.walking.key(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Space lets the sheet go."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = False
            self.viewport().unsetCursor()
        super().keyReleaseEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that the keyboard is here."""
        super().focusInEvent(event)
        self.redraw()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Keys held here are held no more."""
        super().focusOutEvent(event)
        self._space = False
        self.redraw()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer."""
        super().leaveEvent(event)
        self.furniture.point(None)
        self._hover = NOTHING
        self.say_hint("")
        self.redraw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit what was opened before there was a size."""
        super().resizeEvent(event)
        if self._keeps is not None:
            self._keeps()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take entries of the palette."""
        if self.building.can_drop(event.mimeData()):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Show what dropping here would do."""
        if self.building.can_drop(event.mimeData()):
            self.building.drag_over(event.mimeData(), self.to_sheet(event.position()))
            event.acceptProposedAction()

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:
        """Forget the preview."""
        self.building.drag_over(None, QPointF())

    def dropEvent(self, event: QDropEvent) -> None:
        """Add the entry here, into the wire below if there is one."""
        if self.building.can_drop(event.mimeData()):
            self.building.drop(event.mimeData(), self.to_sheet(event.position()))
            event.acceptProposedAction()
            self.setFocus(Qt.FocusReason.OtherFocusReason)


def _cursor(found: Hit) -> Qt.CursorShape:
    if found.edges:
        return resize_cursor(found.edges)
    return {
        "number": Qt.CursorShape.SizeHorCursor,
        "output": Qt.CursorShape.CrossCursor,
        "slot": Qt.CursorShape.CrossCursor,
        "wire": Qt.CursorShape.PointingHandCursor,
        "label": Qt.CursorShape.PointingHandCursor,
    }.get(found.part, Qt.CursorShape.ArrowCursor)


def _into_view(rect: QRectF, area: QRectF) -> QPointF:
    """The least shift of the sheet that brings a rectangle into the visible area."""
    x = max(area.left() - rect.left(), 0.0) or min(area.right() - rect.right(), 0.0)
    y = max(area.top() - rect.top(), 0.0) or min(area.bottom() - rect.bottom(), 0.0)
    return QPointF(x, y)


def _timer(parent: QObject, interval: int, act: Callable[[], object]) -> QTimer:
    timer = QTimer(parent)
    timer.setInterval(interval)
    timer.timeout.connect(act)
    return timer


def _whole(point: QPointF) -> QPointF:
    """A point on whole pixels, so that scrolling copies exactly."""
    return QPointF(round(point.x()), round(point.y()))


def _pull(at: QPoint, size: QSize) -> QPointF:
    """How the view moves when the pointer is at its border, or beyond it."""
    x = y = 0.0
    if at.x() < BORDER:
        x = min(24.0, (BORDER - at.x()) / 2)
    elif at.x() > size.width() - BORDER:
        x = -min(24.0, (at.x() - size.width() + BORDER) / 2)
    if at.y() < BORDER:
        y = min(24.0, (BORDER - at.y()) / 2)
    elif at.y() > size.height() - BORDER:
        y = -min(24.0, (at.y() - size.height() + BORDER) / 2)
    return QPointF(x, y)
