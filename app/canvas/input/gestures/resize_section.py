"""Resize a section by an edge or a corner; its content stays where it is."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.input.gestures.gesture import Gesture, Pointer
from app.canvas.input.hover import resize_cursor
from app.canvas.layout.section_rects import as_rect
from app.document.sections import SMALLEST
from app.style import sizes


class ResizeSection(Gesture):
    """Drag the edges named ("rb" is the lower right corner); Alt goes off the grid."""

    def __init__(self, canvas: CanvasContext, start: Pointer, section: int, edges: str) -> None:
        super().__init__(canvas, start)
        self._section = section
        self._edges = edges
        self._chosen = canvas.selection.chosen()
        self._home = QRectF(*canvas.document.sheet.sections[section].rect)
        self._moved = False

    def move(self, pointer: Pointer) -> None:
        """Preview the new rectangle."""
        if not self._moved and not self.went_far(pointer):
            return
        if not self._moved:
            self._moved = True
            self.canvas.selection.choose(sections=(self._section,))
        self.canvas.scene.node_layout.sections.lift({self._section: self._rect(pointer)})
        self.canvas.repaint.everything()

    def release(self, pointer: Pointer) -> None:
        """Commit the new rectangle; a click selects the section."""
        if not self._moved:
            self.canvas.selection.choose(sections=(self._section,))
            return
        rect = self._rect(pointer)
        self._put_down()
        section = self.canvas.document.sheet.sections.get(self._section)
        if section is not None:
            text = f"Resize section {section.title}".rstrip()
            self.canvas.document.sections.move({self._section: as_rect(rect)}, {}, text)

    def cancel(self) -> None:
        """Restore the old rectangle."""
        self._put_down()
        self.canvas.selection.choose_again(self._chosen)

    @property
    def cursor(self) -> Qt.CursorShape:
        """Return the resize arrow of the dragged edges."""
        return resize_cursor(self._edges)

    @property
    def pulls_view(self) -> bool:
        """Return True: the view scrolls at its border."""
        return self._moved

    def _put_down(self) -> None:
        self.canvas.scene.node_layout.sections.lift({})
        self.canvas.repaint.everything()

    def _rect(self, pointer: Pointer) -> QRectF:
        """Return the section's rectangle with the dragged edges at the pointer."""
        far: QPointF = pointer.sheet - self.start.sheet
        free = pointer.held(Qt.KeyboardModifier.AltModifier)
        rect, least = QRectF(self._home), SMALLEST
        if "l" in self._edges:
            rect.setLeft(min(_snapped(rect.left() + far.x(), free), rect.right() - least[0]))
        if "r" in self._edges:
            rect.setRight(max(_snapped(rect.right() + far.x(), free), rect.left() + least[0]))
        if "t" in self._edges:
            rect.setTop(min(_snapped(rect.top() + far.y(), free), rect.bottom() - least[1]))
        if "b" in self._edges:
            rect.setBottom(max(_snapped(rect.bottom() + far.y(), free), rect.top() + least[1]))
        return rect


def _snapped(along: float, free: bool) -> float:
    grid = sizes.GRID / 2
    return along if free else round(along / grid) * grid
