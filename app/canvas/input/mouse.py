"""Mouse: turns presses, moves and releases into one gesture at a time."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QCursor, QMouseEvent, QPainter

from app.canvas.animation.motion import Motion
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.editing.graph_editing import GraphEditing
from app.canvas.input.gestures.begin import begin, begin_on_corner
from app.canvas.input.gestures.draw_wire import DrawWire
from app.canvas.input.gestures.gesture import Gesture, Pointer
from app.canvas.input.gestures.pan import Pan
from app.canvas.input.hover import Hover
from app.canvas.input.keyboard_navigation import KeyboardNavigation
from app.canvas.overlay.overlay import Overlay
from engine.graph import Wire

PULL = 16
"""Milliseconds between two pulls of the view by a pointer at its border."""


class Mouse(QObject):
    """The mouse on one canvas, and the Space key that lets it pan."""

    def __init__(
        self,
        canvas: CanvasContext,
        overlay: Overlay,
        editing: GraphEditing,
        keyboard: KeyboardNavigation,
        motion: Motion,
    ) -> None:
        super().__init__(canvas.widget)
        self._canvas = canvas
        self._overlay = overlay
        self._editing = editing
        self._keyboard = keyboard
        self._motion = motion
        self.hover = Hover(canvas, overlay)
        self._gesture: Gesture | None = None
        self._button = Qt.MouseButton.NoButton
        self.grabs = False
        """Whether the next press takes hold of the sheet, wherever it is: Space is held."""
        self._pull = QTimer(self)
        self._pull.setInterval(PULL)
        self._pull.timeout.connect(self._pull_view)

    @property
    def gesture(self) -> Gesture | None:
        """The gesture that is going on."""
        return self._gesture

    @property
    def hidden(self) -> Wire | None:
        """The wire that hangs on the pointer instead of being drawn."""
        return self._gesture.hidden if isinstance(self._gesture, DrawWire) else None

    def paint(self, painter: QPainter) -> None:
        """Draw what the gesture previews, in the coordinates of the sheet."""
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
        self._motion.finish()
        self._editing.leave()
        self._keyboard.stop()
        self._canvas.widget.setFocus(Qt.FocusReason.MouseFocusReason)
        pointer = self._pointer(event.position(), event.modifiers())
        left = event.button() == Qt.MouseButton.LeftButton
        if event.button() == Qt.MouseButton.MiddleButton or (left and self.grabs):
            self._start(Pan(self._canvas, pointer))
        elif left:
            self._start(self._begin(pointer))

    def move(self, event: QMouseEvent) -> None:
        """Let the gesture follow, or light up what is under the pointer.

        Without its button it is over: what came between, a dialog or a menu, got the release.
        """
        at = event.position()
        if not event.buttons() & self._button:
            self.cancel()
        if self._gesture is None:
            self.hover.point(at)
            return
        self._overlay.point(at)
        self._gesture.move(self._pointer(at, event.modifiers()))
        self._canvas.widget.setCursor(self._gesture.cursor)
        pulls = self._gesture.pulls_view and not self._canvas.camera.pull(at).isNull()
        if pulls and not self._pull.isActive():
            self._pull.start()

    def release(self, event: QMouseEvent) -> None:
        """End the gesture with the button that began it."""
        if event.button() != self._button:
            return
        gesture = self._take()
        if gesture is not None:
            gesture.release(self._pointer(event.position(), event.modifiers()))
            self._canvas.widget.unsetCursor()
            self._canvas.repaint.everything()

    def double_click(self, event: QMouseEvent) -> None:
        """Edit a value or a label, or add where nothing is."""
        at = event.position()
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if self._overlay.covers(at):  # the second of two quick presses
            self.press(event)
        else:
            self._editing.double_click(self.hover.hit_at(at), self._canvas.camera.to_sheet(at))

    def cancel(self) -> bool:
        """End the gesture without a trace; whether there was one."""
        gesture = self._take()
        if gesture is not None:
            gesture.cancel()
            self._canvas.widget.unsetCursor()
        return gesture is not None

    def cancel_or_close(self) -> bool:
        """End the gesture, or close the box or field that is open; whether there was one."""
        return self.cancel() or self._editing.close()

    def let_go(self) -> None:
        """What stands on the sheet came or went: what hand and keyboard were at may be gone."""
        gesture = self._take()
        self._keyboard.end_wire()
        self._editing.close()
        if gesture is not None:
            gesture.end()
            self._canvas.widget.unsetCursor()

    # private

    def _pointer(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> Pointer:
        return Pointer(self._canvas.camera.to_sheet(at), at, modifiers)

    def _begin(self, pointer: Pointer) -> Gesture:
        on_overlay = begin_on_corner(self._canvas, self._overlay.corner, pointer)
        return on_overlay or begin(
            self._canvas,
            pointer,
            self.hover.hit_at(pointer.screen),
            self._editing.adding.open_quick_add,
        )

    def _start(self, gesture: Gesture) -> None:
        self._gesture = gesture
        self._canvas.grip.held = True
        self._canvas.widget.setCursor(gesture.cursor)

    def _take(self) -> Gesture | None:
        gesture, self._gesture = self._gesture, None
        self._canvas.grip.held = False
        self._pull.stop()
        return gesture

    def _pull_view(self) -> None:
        """Move the view along while a gesture holds the pointer at its border."""
        at = QPointF(self._canvas.widget.mapFromGlobal(QCursor.pos()))
        shift = self._canvas.camera.pull(at)
        if self._gesture is None or shift.isNull():
            self._pull.stop()
            return
        self._canvas.camera.pan_by(shift)
        self._gesture.move(self._pointer(at, Qt.KeyboardModifier.NoModifier))
