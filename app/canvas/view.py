"""CanvasView: the sheet on the screen; it puts the parts of the canvas together."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
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

from app.canvas.accessibility.canvas_interface import Announcer
from app.canvas.animation.motion import Motion
from app.canvas.compositor import Compositor
from app.canvas.context.auto_layout import AutoLayout
from app.canvas.context.camera import Camera
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.context.framing import Framing
from app.canvas.editing.building import GraphEditing
from app.canvas.editing.group_navigation import GroupNavigation
from app.canvas.input.drop import PaletteDrop
from app.canvas.input.gestures.gesture import Gesture
from app.canvas.input.keyboard_navigation import KeyboardNavigation
from app.canvas.input.mouse import Mouse
from app.canvas.input.wheel import Wheel
from app.canvas.model_sync import ModelSync
from app.canvas.overlay.breadcrumbs import Breadcrumbs
from app.canvas.overlay.overlay import Overlay
from app.canvas.scene.hit_test import Hit
from app.canvas.scene.scene import Scene
from app.document.document import Document
from app.document.sheet import Point
from app.style.current import Style
from app.workbench.playback import Playback
from app.workbench.selection import Selection
from engine.formats.native import Drawing
from engine.graph import Wire
from engine.graphviz import Direction


class CanvasView(QAbstractScrollArea, CanvasContext):
    """The canvas, as the window, the parts of the canvas and Qt see it."""

    zoom_changed = Signal(float)
    hint = Signal(str)
    """What letting go, or the thing under the pointer, would do; empty when there is nothing."""
    said = Signal(str)
    """A sentence for the person: a refusal, or what has been done."""
    menu_wanted = Signal(object, QPoint)
    """A Hit and the place on the screen: a context menu is wanted."""
    arranging = Signal(bool)
    """Whether a layout takes long."""
    laying = Signal(float)
    """Which share of very many wires has been laid; no event gets through meanwhile."""

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
        self.camera = Camera(style, self.viewport().size, self)
        self.scene = Scene(style.short, style.signed)
        self.auto_layout = AutoLayout(document, self.scene, self)
        self.building = GraphEditing(self)
        self.palette_drop = PaletteDrop(self, self.building.adding)
        self.keyboard = KeyboardNavigation(self)
        self.wheel = Wheel(self)
        self.breadcrumbs = Breadcrumbs(style, self)
        self.groups = GroupNavigation(self, self.breadcrumbs)
        self.overlay = Overlay(self)
        clearance = self.overlay.clearance
        self.framing = Framing(self.camera, self.scene, selection, clearance, self.rest)
        self.mouse = Mouse(self, self.overlay, self.building, self.keyboard)
        self.hover = self.mouse.hover
        self._set_up_widget()
        self._connect()
        self._following = ModelSync(self, self.mouse, self.groups, self.overlay)
        self.motion = Motion(self)  # after what follows the model: it moves what that has shown
        self.announcer = Announcer(self)
        over = (self.mouse, self.palette_drop, self.keyboard, self.motion)
        self.layers = Compositor(self, self.mouse, over, self.motion, self.overlay)
        self._following.show_now()

    def _connect(self) -> None:
        self.camera.zoomed.connect(self.zoom_changed)
        self.camera.zoomed.connect(self.redraw)
        self.camera.shifted.connect(self._scroll)
        self.hover.hint.connect(self.hint)
        self.hover.menu_wanted.connect(self.menu_wanted)
        self.selection.changed.connect(self.redraw)
        self.auto_layout.working.connect(self.arranging)
        self.auto_layout.failed.connect(self.said)
        self.scene.wire_layout.told = self.laying.emit
        self.breadcrumbs.chosen.connect(self.enter_group)

    def _scroll(self, shift: QPoint) -> None:
        """The sheet has been shifted: copy what stays in view."""
        self.viewport().scroll(shift.x(), shift.y())
        self.overlay.moved_by(shift)

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

    @property
    def walks(self) -> bool:
        """Whether the keyboard walks along wires here."""
        return self.keyboard.on and self.hasFocus()

    @property
    def host(self) -> QWidget:
        """The widget on which boxes and fields are opened."""
        return self.viewport()

    @property
    def gesture(self) -> Gesture | None:
        """The gesture that is going on."""
        return self.mouse.gesture

    @property
    def held(self) -> bool:
        """Whether a gesture is going on."""
        return self.mouse.gesture is not None

    def hit_at(self, at: QPointF) -> Hit:
        """What lies under a point of the screen."""
        return self.hover.hit_at(at)

    def aim(self, at: QPointF | None) -> None:
        """Let a point of the screen stand for the pointer while a menu is open; None ends it."""
        self.hover.aim(at)

    def pointer_on_sheet(self) -> QPointF:
        """The point of the sheet under the pointer, or in the middle of the view."""
        return self.hover.on_sheet()

    def rest(self) -> None:
        """End all motion: things are as they are."""
        self.motion.finish()

    # building, for the window and the gestures

    def quick_add(
        self, at: QPointF | None = None, source: int | None = None, wire: Wire | None = None
    ) -> None:
        """Open the box to type what to add, at a point of the sheet (the pointer's)."""
        place = self.pointer_on_sheet() if at is None else at
        self.building.adding.open_quick_add(place, source, wire)

    def preview_paste(
        self, drawing: Drawing, told: str, at: Point, take: Callable[[], object]
    ) -> None:
        """Show at a point of the sheet what would be pasted; `take` is called on Enter."""
        self.building.preview_paste(drawing, told, QPointF(*at), take)

    def add_entry(self, key: str) -> int | None:
        """Add an entry of the palette at the middle of the view."""
        return self.building.adding.add(key, QPointF(*self.centre()))

    def add_section(self) -> None:
        """Draw a titled box around what is chosen."""
        self.building.add_section()

    def label_selected(self) -> None:
        """Type a label for the chosen node, or a title for the chosen section or group."""
        self.building.label(self.groups.chosen())

    def edit_value_selected(self) -> None:
        """Type a value for the chosen leaf or constant."""
        self.building.fields.edit_value(self.selection.focus)

    def edit_value(self, node: int | None) -> None:
        """Type a value for a leaf or a constant."""
        self.building.fields.edit_value(node)

    def delete_selected(self, heal: bool = False) -> None:
        """Delete what is chosen; `heal` joins the neighbours of one-slot ops."""
        self.building.delete(heal)

    def arrange(self, only_selected: bool = False, direction: Direction = "LR") -> None:
        """Find better places for everything, or for what is chosen, as one undo step."""
        self.building.arrange(only_selected, direction)

    def enter_group(self, group: int | None) -> None:
        """Look at the inside of a group alone, or at the whole sheet again."""
        self.cancel_gesture()
        self.document.look_inside(group)

    def cancel_gesture(self) -> bool:
        """End the gesture that is going on, or close a box; whether there was one."""
        return self.mouse.cancel() or self.building.close()

    def refuse(self, sentence: str) -> None:
        """Say why something can't be."""
        self.said.emit(sentence)

    def say_hint(self, text: str) -> None:
        """Say what letting go would do."""
        self.hover.say(text)

    # Qt's events

    def sizeHint(self) -> QSize:
        """Room for a graph."""
        return QSize(900, 600)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the sheet and what lies over it."""
        with QPainter(self.viewport()) as painter:
            self.layers.paint(painter, event.region())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit what was opened before there was a size."""
        super().resizeEvent(event)
        self.framing.again()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a gesture."""
        self.mouse.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Let the gesture follow, or light up what is under the pointer."""
        self.mouse.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the gesture."""
        self.mouse.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Edit a value or a label, or add where nothing is."""
        self.mouse.double_click(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom, pan, or change a number."""
        self.wheel.turn(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer."""
        super().leaveEvent(event)
        self.hover.leave()

    def viewportEvent(self, event: QEvent) -> bool:
        """A tooltip tells what the thing under the pointer is, and what can be done with it."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            if self.gesture is None:
                self.hover.show_tip(event)
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of what lies under the pointer, or of what has the keyboard."""
        if not self.held:
            self.hover.ask_for_menu(event)

    def event(self, event: QEvent) -> bool:
        """Keys that walk along wires are ours before any shortcut; pinch zooms.

        What covers the window or takes the keyboard from it gets the release of a gesture too.
        """
        if event.type() in (QEvent.Type.WindowBlocked, QEvent.Type.WindowDeactivate):
            self.mouse.cancel()
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if self.keyboard.wants(event):
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
            self.mouse.grabs = True
            self.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
        elif event.key() == Qt.Key.Key_Tab:
            self.quick_add()
        elif (event.key() == Qt.Key.Key_Escape and self.cancel_gesture()) or (
            event.key() == Qt.Key.Key_Backspace and self.groups.leave()
        ):
            return
        elif not self.keyboard.key(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Space lets the sheet go."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.mouse.grabs = False
            self.viewport().unsetCursor()
        super().keyReleaseEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that the keyboard is here."""
        super().focusInEvent(event)
        self.redraw()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Keys held here are held no more."""
        super().focusOutEvent(event)
        self.mouse.grabs = False
        self.redraw()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take entries of the palette."""
        self.palette_drop.enter(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Show what dropping here would do."""
        self.palette_drop.move(event)

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:
        """Forget the preview."""
        self.palette_drop.leave()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add the entry here, into the wire below if there is one."""
        if self.palette_drop.drop(event):
            self.setFocus(Qt.FocusReason.OtherFocusReason)
