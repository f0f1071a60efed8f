"""Jump: press the minimap to go there, drag its frame to scroll."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.input.gestures.gesture import Gesture, Pointer
from app.canvas.overlay.minimap import Minimap


class Jump(Gesture):
    """Centres the pressed point of the minimap, unless the frame itself is dragged."""

    def __init__(self, canvas: CanvasContext, start: Pointer, minimap: Minimap) -> None:
        super().__init__(canvas, start)
        self._per_pixel = 1 / minimap.scale
        self._home = canvas.camera.visible_area.center()
        pressed = minimap.to_sheet(start.screen - QPointF(minimap.pos()))
        within = canvas.camera.visible_area.contains(pressed)
        self._middle = self._home if within else pressed
        self._look_at(self._middle)

    def move(self, pointer: Pointer) -> None:
        """Scroll by the pointer's distance from the press, scaled to the sheet."""
        gone = pointer.screen - self.start.screen
        self._look_at(self._middle + gone * self._per_pixel)

    def cancel(self) -> None:
        """Restore the view before the gesture."""
        self._look_at(self._home)

    @property
    def cursor(self) -> Qt.CursorShape:
        """Return a closed hand."""
        return Qt.CursorShape.ClosedHandCursor

    def _look_at(self, middle: QPointF) -> None:
        self.canvas.camera.pan_by(
            (self.canvas.camera.visible_area.center() - middle) * self.canvas.camera.scale
        )
