"""Mouse and wheel: one gesture from press to release; zooming, scrolling, scrubbing a number."""

from __future__ import annotations

import math
from functools import partial

from PySide6.QtCore import QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QCursor, QMouseEvent, QPainter, QWheelEvent

from app.canvas.animation import Motion
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.editing.graph_editing import GraphEditing
from app.canvas.input.gesture import Gesture, Pointer
from app.canvas.input.hover import Hover
from app.canvas.input.keyboard_navigation import KeyboardNavigation
from app.canvas.overlay.minimap import Minimap
from app.controls.scrub import PIXELS_PER_STEP, scrub
from engine.graph import Constant, Leaf, Wire

SCROLL_INTERVAL = 16
"""Interval in milliseconds at which the view scrolls while the pointer is at its border."""


class Mouse(QObject):
    """The mouse on one canvas, and the Space key that lets it pan."""

    def __init__(
        self,
        canvas: CanvasContext,
        editing: GraphEditing,
        keyboard: KeyboardNavigation,
        motion: Motion,
    ) -> None:
        super().__init__(canvas.widget)
        self._canvas = canvas
        self._editing = editing
        self._keyboard = keyboard
        self._motion = motion
        self.hover = Hover(canvas)
        self._gesture: Gesture | None = None
        self._button = Qt.MouseButton.NoButton
        """The button whose press began the gesture."""
        self.grabs = False
        """Whether Space is held, so that the next press pans wherever it is."""
        self._held_keys = Qt.KeyboardModifier.NoModifier
        """The modifiers held when the pointer last moved."""
        self._scrolling = QTimer(self, interval=SCROLL_INTERVAL)
        self._scrolling.timeout.connect(self._pull_view)

    @property
    def gesture(self) -> Gesture | None:
        """Return the running gesture."""
        return self._gesture

    @property
    def hidden(self) -> Wire | None:
        """Return the wire that follows the pointer and is not painted by the scene."""
        return None if self._gesture is None else self._gesture.hidden

    @property
    def fading(self) -> Wire | None:
        """Return the wire that a wire being drawn would replace."""
        return None if self._gesture is None else self._gesture.fading

    def paint(self, painter: QPainter) -> None:
        """Paint the preview of the gesture, in sheet coordinates."""
        if self._gesture is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._gesture.paint(painter)

    # from press to release

    def press(self, event: QMouseEvent) -> None:
        """Begin a gesture, unless another button holds one."""
        if self._gesture is not None and event.button() != self._button:
            return
        self.cancel()
        self._button = event.button()
        self.interrupt()
        self._canvas.widget.setFocus(Qt.FocusReason.MouseFocusReason)
        pointer = self._pointer(event.position(), event.modifiers())
        left = event.button() == Qt.MouseButton.LeftButton
        pans = event.button() == Qt.MouseButton.MiddleButton or (left and self.grabs)
        if left or pans:
            self._start(self._begin(pointer, pans))

    def interrupt(self) -> None:
        """End animations, open fields and keyboard navigation, as any press on the canvas does."""
        self._motion.finish()
        self._editing.leave()
        self._keyboard.stop()

    def move(self, event: QMouseEvent) -> None:
        """Update the gesture, or the hover.

        A gesture whose button is no longer pressed is cancelled: its release went to a dialog or a
        menu that opened meanwhile.
        """
        at = event.position()
        if self._gesture is not None and not event.buttons() & self._button:
            self.cancel()
        if self._gesture is None:
            self.hover.point(at)
            return
        self._held_keys = event.modifiers()
        self._gesture.move(self._pointer(at, self._held_keys))
        self.hover.show_cursor(self._gesture.cursor)
        pulls = self._gesture.pulls_view and not self._canvas.camera.pull(at).isNull()
        if pulls and not self._scrolling.isActive():
            self._scrolling.start()

    def release(self, event: QMouseEvent) -> None:
        """Finish the gesture when the button that began it is released."""
        if event.button() != self._button:
            return
        gesture = self._pop_gesture()
        if gesture is not None:
            gesture.release(self._pointer(event.position(), event.modifiers()))
            self._canvas.widget.unsetCursor()
            self._canvas.repaint.everything()

    def double_click(self, event: QMouseEvent) -> None:
        """Edit a value or a label, or open quick add on the empty sheet."""
        at = event.position()
        if event.button() != Qt.MouseButton.LeftButton:
            return
        on_sheet = self.hover.widget_at(at) is None
        if not on_sheet or self._canvas.playback.now.by_hand is not None:
            self.press(event)  # the second of two quick presses
        else:
            self._editing.double_click(self.hover.hit_at(at), self._canvas.camera.to_sheet(at))

    def cancel(self) -> bool:
        """Cancel the gesture; return whether there was one."""
        gesture = self._pop_gesture()
        if gesture is not None:
            gesture.cancel()
            self._canvas.widget.unsetCursor()
        return gesture is not None

    def cancel_or_close(self) -> bool:
        """Cancel the gesture, or close the open box or field; return whether there was one."""
        return self.cancel() or self._editing.close()

    def end_gesture(self) -> None:
        """End the gesture: the nodes, wires or groups it refers to may have been removed."""
        gesture = self._pop_gesture()
        self._keyboard.end_wire()
        self._editing.close()
        if gesture is not None:
            gesture.end()
            self._canvas.widget.unsetCursor()

    # private

    def _pointer(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> Pointer:
        return Pointer(self._canvas.camera.to_sheet(at), at, modifiers)

    def _begin(self, pointer: Pointer, pans: bool) -> Gesture:
        """Return the gesture that starts on the minimap or on the sheet.

        The modules of the gestures are loaded by the first one.
        """
        from app.canvas.input.gestures import Jump, Pan, begin

        if pans:
            return Pan(self._canvas, pointer)
        pressed = self.hover.widget_at(pointer.screen)
        if isinstance(pressed, Minimap):
            return Jump(self._canvas, pointer, pressed)
        found = self.hover.hit_at(pointer.screen)
        return begin(self._canvas, pointer, found, self._editing.adding.open_quick_add)

    def _start(self, gesture: Gesture) -> None:
        self._gesture = gesture
        self._canvas.gesture_state.is_active = (
            True  # until its release the view follows the hand alone
        )
        self.hover.show_cursor(gesture.cursor)

    def _pop_gesture(self) -> Gesture | None:
        gesture, self._gesture = self._gesture, None
        self._canvas.gesture_state.is_active = False
        self._scrolling.stop()
        return gesture

    def _pull_view(self) -> None:
        """Scroll the view while a gesture holds the pointer at its border."""
        at = QPointF(self._canvas.widget.mapFromGlobal(QCursor.pos()))
        shift = self._canvas.camera.pull(at)
        if self._gesture is None or shift.isNull():
            self._scrolling.stop()
            return
        self._canvas.camera.pan_by(shift)
        # the pointer rests on the screen, but is over another point of the sheet now
        self._gesture.move(self._pointer(at, self._held_keys))


UNDO_STEP_PAUSE = 800
"""Pause in milliseconds after which turning the wheel begins a new undo step."""
ZOOM_PER_UNIT = 1.0015
"""Zoom factor per eighth of a degree, the unit of Qt's wheel angle."""


class Wheel(QObject):
    """Handles the wheel and two-finger gestures on a trackpad over one canvas."""

    def __init__(self, canvas: CanvasContext, hover: Hover) -> None:
        super().__init__(canvas.widget)
        self._canvas = canvas
        self._hover = hover
        self._scrubbed: tuple[int, int] | None = None
        """The node that the wheel changes, and the gesture of its undo step."""
        self._pause = QTimer(self, singleShot=True)
        # True: the value has changed, as every turn of the wheel changes it
        self._pause.timeout.connect(partial(canvas.document.value_released.emit, True))

    def turn(self, event: QWheelEvent) -> None:
        """Zoom at the pointer; two fingers on a trackpad scroll, with Ctrl they zoom."""
        pixels, angle = event.pixelDelta(), event.angleDelta()
        # a wheel may report px too (on X11), but only a trackpad's events are synthesized
        trackpad = (
            not pixels.isNull() and event.source() != Qt.MouseEventSource.MouseEventNotSynthesized
        )
        if trackpad and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._canvas.camera.pan_by(QPointF(pixels))
        elif self._scrub(event.position(), angle.y(), event.modifiers()):
            pass  # it has changed a number
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            # 60 px for a notch of the wheel, which is 120 units; some systems swap the axes
            self._canvas.camera.pan_by(QPointF(angle.y() + angle.x(), 0) / 2)
        elif angle.y():
            self._canvas.camera.zoom_by(math.pow(ZOOM_PER_UNIT, angle.y()), event.position())
        event.accept()

    def _scrub(self, at: QPointF, angle: int, modifiers: Qt.KeyboardModifier) -> bool:
        """Change the number below the pointer if its leaf is selected; return whether it is.

        Successive turns on one number are one undo step.
        """
        canvas = self._canvas
        found = self._hover.hit_at(at)
        node = found.node
        if (
            found.part != "number"
            or node is None
            or node not in canvas.selection.nodes
            or not angle
        ):
            return False
        if self._scrubbed is None or self._scrubbed[0] != node or not self._pause.isActive():
            self._scrubbed = (node, canvas.document.new_gesture())
            canvas.document.value_held.emit(node)
        self._pause.start(UNDO_STEP_PAUSE)
        number = canvas.document.graph.nodes[node]
        if isinstance(number, Leaf | Constant):
            pixels = math.copysign(PIXELS_PER_STEP, angle)
            value = scrub(number.value, pixels, modifiers)
            canvas.document.set_value(node, value, self._scrubbed[1])
        return True
