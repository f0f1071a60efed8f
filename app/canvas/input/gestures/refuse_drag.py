"""RefuseDrag: says why a number can't be dragged while editing is locked."""

from __future__ import annotations

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.input.gestures.gesture import Gesture, Pointer


class RefuseDrag(Gesture):
    """Say once that editing is locked; the sheet stays where it is."""

    def __init__(self, canvas: CanvasContext, start: Pointer) -> None:
        super().__init__(canvas, start)
        self._said = False

    def move(self, pointer: Pointer) -> None:
        """Refuse as soon as the press has become a drag."""
        if not self._said and self.went_far(pointer):
            self._said = self.canvas.document.refuse_if_locked()
