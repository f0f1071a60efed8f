"""CanvasView: the widget of the canvas, whose parts do the work behind its events.

To find what handles an event, start at the events at the end of the class.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
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

from app.canvas.accessibility import Announcer
from app.canvas.animation import Motion
from app.canvas.compositor import Compositor
from app.canvas.context.auto_layout import AutoLayout
from app.canvas.context.camera import Camera, Framing
from app.canvas.context.canvas_context import CanvasContext, CanvasMessages, Repaint
from app.canvas.editing.graph_editing import Breadcrumbs, GraphEditing, GroupNavigation
from app.canvas.editing.new_node import selected_wire
from app.canvas.input.drop import PaletteDrop
from app.canvas.input.keyboard_navigation import KeyboardNavigation
from app.canvas.input.mouse import Mouse, Wheel
from app.canvas.model_sync import ModelSync
from app.canvas.overlay.curve_inset import CurveInset
from app.canvas.overlay.node_marks import HandMarks, RippleMarks
from app.canvas.overlay.overlay import Overlay
from app.canvas.scene.hit_test import hit
from app.canvas.scene.scene import Scene
from app.document.document import Document
from app.guard import exception_safe
from app.style.current import Style
from app.workbench.playback.playback import Playback
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.selection import Selection

TAP_MS = 250
"""Longest time in milliseconds in which Space is tapped, not held."""


@exception_safe
class CanvasView(QAbstractScrollArea):
    """One canvas: makes its parts, connects them, and forwards Qt's events."""

    zoom_changed = Signal(float)
    """Emitted with the zoom, 1.0 for 100 %, after it has changed or everything was fitted."""
    hint = Signal(str)
    """Emitted with a hint on the effect of a release or click; empty to clear it."""
    said = Signal(str)
    """Emitted with a sentence for the user: a refusal or a confirmation."""
    menu_wanted = Signal(object, QPoint)
    """Emitted with a Hit and a screen position when a context menu is requested."""
    arranging = Signal(bool)
    """Emitted with True when a layout takes long, with False when it ends."""
    tapped = Signal()
    """Emitted after a tap of Space, which plays and pauses; held it pans."""
    routing = Signal(float)
    """Emitted with the share of routed wires while very many are routed, which blocks events."""

    def __init__(
        self,
        style: Style,
        document: Document,
        playback: Playback,
        modes: QuizRunner,
        selection: Selection,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._space_pressed_at: int | None = None
        """The time of the press of Space, in ms, while it may become a tap."""
        self._set_up_widget()
        self.camera = Camera(style, self.viewport().size, self)
        self.scene = Scene(style.short, style.signed, style.extras, style.notation)
        self.framing = Framing(self.camera, self.scene, document, selection)
        self.auto_layout = AutoLayout(
            document,
            self.scene,
            lambda: self.framing.viewport,
            lambda: self.scene.show(playback.now),
            self,
        )
        self.context = CanvasContext(
            widget=self.viewport(),
            style=style,
            document=document,
            playback=playback,
            modes=modes,
            selection=selection,
            scene=self.scene,
            camera=self.camera,
            framing=self.framing,
            auto_layout=self.auto_layout,
            repaint=Repaint(self.viewport(), self.camera),
            messages=CanvasMessages(self),
        )
        self._make_input()
        self._make_output()
        self._connect()
        self._sync.show_now()

    def _make_input(self) -> None:
        """Make mouse and keyboard handling, with the boxes and widgets it opens."""
        context = self.context
        self.breadcrumbs = Breadcrumbs(context.style, self)
        self.groups = GroupNavigation(context, self.breadcrumbs)
        self.editing = GraphEditing(context, self.groups)
        self.overlay = Overlay(context)
        self.motion = Motion(context)
        self.keyboard = KeyboardNavigation(context, self.editing.fields)
        self.mouse = Mouse(context, self.editing, self.keyboard, self.motion)
        self.hover = self.mouse.hover
        self.wheel = Wheel(context, self.hover)
        self.palette_drop = PaletteDrop(context, self.editing.adding)

    def _make_output(self) -> None:
        """Make the listeners to the model, and the painter with its layers."""
        context = self.context
        self._sync = ModelSync(context, self.mouse, self.keyboard, self.groups, self.motion)
        self.announcer = Announcer(self, context)
        self.compositor = Compositor(
            context, self.mouse, self.keyboard, self.palette_drop, self.motion
        )
        self.ripple_marks = RippleMarks(context, self.motion)
        self.curve_inset = CurveInset(context)
        marks = (HandMarks(context), self.ripple_marks, self.curve_inset)
        for layer in (self.editing.adding, *marks):
            self.compositor.add(layer)

    def _connect(self) -> None:
        repaint, messages = self.context.repaint, self.context.messages
        self.overlay.zoom_buttons.pressed.connect(self.mouse.interrupt)
        self.framing.clearance = self.overlay.clearance
        self.framing.marks = self.ripple_marks.rects
        self.camera.zoomed.connect(self.zoom_changed)
        self.camera.zoomed.connect(repaint.everything)
        self.camera.shifted.connect(self._scroll)
        messages.said.connect(self.said)
        messages.hinted.connect(self.hint)
        self.hover.menu_wanted.connect(self.menu_wanted)
        self.context.modes.by_hand.seed_wanted.connect(self.editing.fields.edit_seed)
        self.context.selection.changed.connect(repaint.everything)
        self.context.selection.lit_changed.connect(repaint.everything)
        self.auto_layout.working.connect(self.arranging)
        self.auto_layout.failed.connect(self.said)
        self.scene.wire_layout.progress = self.routing.emit
        self.breadcrumbs.chosen.connect(self.context.document.look_inside)

    def uncoverable_rects(self) -> list[QRectF]:
        """Return the rectangles that no message may cover: legend, map, zoom buttons, a preview.

        A legend that fades out at the start of a presentation does not count.
        """
        legend = self.overlay.legend
        shown = legend.isVisible() and not self.context.style.presented
        free = [QRectF(legend.geometry()) if shown else QRectF(), self.editing.preview_rect]
        return [*free, self.overlay.area]

    def _scroll(self, shift: QPoint) -> None:
        """Blit the viewport by a pan's shift; Qt moves child widgets along."""
        self.viewport().scroll(shift.x(), shift.y())
        self.overlay.place()

    def _set_pans(self, on: bool) -> None:
        """Let any press pan while Space is held, also one on the zoom buttons."""
        self.mouse.grabs, self._space_pressed_at = on, None
        transparent = Qt.WidgetAttribute.WA_TransparentForMouseEvents
        self.overlay.zoom_buttons.setAttribute(transparent, on)

    def _set_up_widget(self) -> None:
        self.setObjectName("canvas")
        self.setAccessibleName("Canvas")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAcceptDrops(True)
        # PySide calls a widget that Qt made deleted as soon as a parent begins to be destroyed,
        # while Qt still sends events here. One that Python made stays valid until its own end.
        self.setViewport(QWidget())
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.viewport().setAcceptDrops(True)

    def quick_add(self) -> None:
        """Open the quick-add box for the selected wire or node, else at the pointer or its menu."""
        adding, at = self.editing.adding, self.hover.on_sheet()
        wire = selected_wire(self.context)
        aimed_at = hit(self.scene, at, self.camera.scale).wire
        if wire is not None and (not self.hover.is_menu_open or aimed_at == wire):
            adding.open_into(wire)
        elif self.hover.is_menu_open:
            adding.open_quick_add(at)
        else:
            adding.open_beside_selected(at)

    # Qt's events

    def sizeHint(self) -> QSize:
        """Return a size with space for a graph."""
        return QSize(900, 600)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the sheet; its child widgets follow."""
        self.overlay.refresh()
        with QPainter(self.viewport()) as painter:
            self.compositor.paint(painter, event.region())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit content that was opened before the view had a size."""
        super().resizeEvent(event)
        self.framing.repeat_fit()
        # refitting has folded the palette, and Qt overlooks a resize within a resize
        if self.viewport().size() != self.size():
            self.viewport().resize(self.size())
        self.overlay.place()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a gesture; Space is tapped no longer."""
        self._space_pressed_at = None
        self.mouse.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Update the gesture, or the hover."""
        self.overlay.legend.point(event.position())
        self.mouse.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Finish the gesture."""
        self.mouse.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Edit a value or a label, or open quick add on the empty sheet."""
        self.mouse.double_click(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom, scroll, or change a number."""
        self.wheel.turn(event)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.overlay.legend.point(None)
        self.hover.leave()

    def viewportEvent(self, event: QEvent) -> bool:
        """Show the tooltip of the hit under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            if self.mouse.gesture is None:
                self.hover.show_tooltip(event)
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Request the menu of the hit under the pointer, or at the keyboard focus."""
        if self.mouse.gesture is None:
            self.hover.ask_for_menu(event)

    def event(self, event: QEvent) -> bool:
        """Take navigation keys before any shortcut; zoom on a pinch.

        The gesture is cancelled when the window is covered or loses the keyboard, because then no
        release arrives.
        """
        if event.type() in (QEvent.Type.WindowBlocked, QEvent.Type.WindowDeactivate):
            self.mouse.cancel()
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if self.keyboard.accepts(event):
                event.accept()
                return True
        elif (
            isinstance(event, QNativeGestureEvent)
            and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture
        ):
            self.camera.zoom_by(1.0 + event.value(), event.position())
            return True
        return super().event(event)

    def focusNextPrevChild(self, _next: bool) -> bool:
        """Keep the focus: Tab opens quick add on the canvas."""
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Grab the sheet on Space; move the focus on arrows."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._set_pans(True)
            self._space_pressed_at = event.timestamp()
            self.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
        elif event.key() == Qt.Key.Key_Tab:
            self.quick_add()
        elif (event.key() == Qt.Key.Key_Escape and self.mouse.cancel_or_close()) or (
            event.key() == Qt.Key.Key_Backspace and self.groups.leave()
        ):
            return
        elif not self.keyboard.key(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Release the sheet when Space is released; a tap is told."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            pressed_at = self._space_pressed_at
            self._set_pans(False)
            self.viewport().unsetCursor()
            if pressed_at is not None and event.timestamp() - pressed_at <= TAP_MS:
                self.tapped.emit()
        super().keyReleaseEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.context.repaint.everything()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Stop panning by Space: its release would be sent to another widget."""
        super().focusOutEvent(event)
        self._set_pans(False)
        self.context.repaint.everything()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept drags of palette entries."""
        self.palette_drop.enter(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self.palette_drop.move(event)

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:
        self.palette_drop.leave()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add the entry here, into the wire below if there is one."""
        self.palette_drop.drop(event)
