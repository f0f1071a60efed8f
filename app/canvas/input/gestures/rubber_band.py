"""Rubber band: select the nodes and groups that a rectangle touches, the sections it encloses."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.input.gestures.gesture import Gesture, Pointer
from app.style.strokes import pen
from app.style.theme import faded


class RubberBand(Gesture):
    """Drag on the empty sheet; Shift adds to the selection, Ctrl toggles."""

    def __init__(self, canvas: CanvasContext, start: Pointer) -> None:
        super().__init__(canvas, start)
        self._before = canvas.selection.chosen()
        self._end: QPointF = start.sheet

    def move(self, pointer: Pointer) -> None:
        """Select what the rectangle touches."""
        self._end = pointer.sheet
        rect = self._rect()
        chosen = inside = self._inside(rect)
        if self.start.held(Qt.KeyboardModifier.ShiftModifier):
            chosen = self._before.nodes | inside
        elif self.start.held(Qt.KeyboardModifier.ControlModifier):
            chosen = self._before.nodes ^ inside
        sections = self.canvas.scene.node_layout.sections.rects
        boxes = [n for n, box in sections.items() if rect.contains(box)]
        kept = () if chosen is inside else self._before.sections
        self.canvas.selection.choose(chosen, (), {*boxes, *kept})
        self.canvas.repaint.everything()

    def release(self, pointer: Pointer) -> None:
        """Finish; a mere click on the empty sheet clears the selection."""
        kept = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier
        if not self.went_far(pointer) and not self.start.modifiers & kept:
            self.canvas.selection.clear()

    def cancel(self) -> None:
        """Restore the selection before the gesture."""
        self.canvas.selection.choose_again(self._before)

    def paint(self, painter: QPainter) -> None:
        """Paint the rectangle."""
        theme = self.canvas.theme
        scale = self.canvas.camera.scale
        painter.fillRect(self._rect(), faded(theme.selection, 0.08))
        painter.setPen(pen(theme.selection, 1.2 / scale, (5 / scale, 3 / scale)))
        painter.drawRect(self._rect())

    @property
    def pulls_view(self) -> bool:
        """Return True: the view scrolls at its border."""
        return True

    def _inside(self, rect: QRectF) -> frozenset[int]:
        """Return the nodes it touches, and the members of the collapsed groups it touches."""
        scene = self.canvas.scene
        nodes = (n for n in scene.node_index.within(rect) if scene.boxes[n].rect.intersects(rect))
        touched = (g for g, box in scene.group_boxes.items() if box.rect.intersects(rect))
        return frozenset(nodes).union(*(scene.visible.folded[g].members for g in touched))

    def _rect(self) -> QRectF:
        return QRectF(self.start.sheet, self._end).normalized()
