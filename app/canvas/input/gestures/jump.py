"""Jump: press the map to look there, drag its frame to look around."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.input.gestures.gesture import Gesture, Pointer


class Jump(Gesture):
    """What is pressed on the map comes into the middle, unless it is the frame that is taken."""

    def __init__(
        self, canvas: CanvasContext, start: Pointer, below: QPointF, per_pixel: float
    ) -> None:
        """Take the point of the sheet that was pressed and how much of it a pixel stands for."""
        super().__init__(canvas, start)
        self._per_pixel = per_pixel
        self._home = canvas.camera.visible_area.center()
        self._middle = self._home
        if not canvas.camera.visible_area.contains(below):
            self._middle = below
        self._look_at(self._middle)

    def move(self, pointer: Pointer) -> None:
        """Look as far from where it was pressed as the hand has gone."""
        gone = pointer.screen - self.start.screen
        self._look_at(self._middle + gone * self._per_pixel)

    def cancel(self) -> None:
        """Look where one looked before."""
        self._look_at(self._home)

    @property
    def cursor(self) -> Qt.CursorShape:
        """A closed hand: the frame is held."""
        return Qt.CursorShape.ClosedHandCursor

    def _look_at(self, middle: QPointF) -> None:
        self.canvas.camera.pan_by(
            (self.canvas.camera.visible_area.center() - middle) * self.canvas.camera.scale
        )
