"""Move a section by its title bar, with all nodes and sections inside it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.input.gestures.gesture import Gesture, Pointer
from app.canvas.layout.section_rects import as_rect
from app.canvas.scene.hit_test import content
from app.document.sheet import Point, Rect
from app.style import sizes


class MoveSection(Gesture):
    """Drag the title bar and with it the whole selection; Alt moves freely, a click selects."""

    def __init__(self, canvas: CanvasContext, start: Pointer, section: int) -> None:
        super().__init__(canvas, start)
        self._section = section
        self._chosen = canvas.selection.chosen()
        self._moved = False
        self._homes: dict[int, Point] = {}
        self._rects: dict[int, Rect] = {}
        self._gone: Point = (0.0, 0.0)

    def move(self, pointer: Pointer) -> None:
        """Preview the section and its content at their new positions."""
        if not self._moved and not self.went_far(pointer):
            return
        if not self._moved:
            self._begin()
        self._gone = self._shift(pointer)
        self.canvas.scene.node_layout.sections.lift(self._rects_now())
        self.canvas.scene.lift(self._places_now())
        self.canvas.repaint.everything()

    def release(self, pointer: Pointer) -> None:
        """Commit the new positions; a click only selects."""
        if not self._moved:
            self._click(pointer)
            return
        self._put_down()
        section = self.canvas.document.sheet.sections.get(self._section)
        if section is None:  # deleted meanwhile
            return
        many = len(self.canvas.selection.sections) > 1 or self.canvas.selection.nodes
        text = "Move selection" if many else f"Move section {section.title}".rstrip()
        rects = {n: as_rect(rect) for n, rect in self._rects_now().items()}
        self.canvas.document.sections.move(rects, self._places_now(), text)

    def cancel(self) -> None:
        """Show everything at its old position."""
        self._put_down()
        self.canvas.selection.choose_again(self._chosen)

    @property
    def cursor(self) -> Qt.CursorShape:
        """Return arrows in four directions once the section moves."""
        return Qt.CursorShape.SizeAllCursor if self._moved else Qt.CursorShape.ArrowCursor

    @property
    def pulls_view(self) -> bool:
        """Return True: the view scrolls at its border."""
        return self._moved

    def _begin(self) -> None:
        self._moved = True
        selection, document = self.canvas.selection, self.canvas.document
        if self._section not in self._chosen.sections:
            selection.choose(sections=(self._section,))
        nodes, boxes = content(self.canvas.scene, selection.sections)
        nodes |= selection.nodes
        self._homes = {n: document.positions[n] for n in nodes if n in document.positions}
        self._rects = {n: document.sheet.sections[n].rect for n in boxes}

    def _shift(self, pointer: Pointer) -> Point:
        """Return the shift, rounded to half steps of the grid."""
        x, y = self._rects[self._section][:2]
        far = pointer.sheet - self.start.sheet
        if pointer.held(Qt.KeyboardModifier.AltModifier):
            return (far.x(), far.y())
        grid = sizes.GRID / 2
        return (
            round((x + far.x()) / grid) * grid - x,
            round((y + far.y()) / grid) * grid - y,
        )

    def _rects_now(self) -> dict[int, QRectF]:
        dx, dy = self._gone
        return {n: QRectF(x + dx, y + dy, w, h) for n, (x, y, w, h) in self._rects.items()}

    def _places_now(self) -> dict[int, Point]:
        dx, dy = self._gone
        return {n: (x + dx, y + dy) for n, (x, y) in self._homes.items()}

    def _put_down(self) -> None:
        self.canvas.scene.node_layout.sections.lift({})
        self.canvas.scene.lift({})
        self.canvas.repaint.everything()

    def _click(self, pointer: Pointer) -> None:
        selection = self.canvas.selection
        if pointer.held(Qt.KeyboardModifier.ControlModifier):
            selection.toggle_section(self._section)
        elif pointer.held(Qt.KeyboardModifier.ShiftModifier):
            selection.add(sections=(self._section,))
        else:
            selection.choose(sections=(self._section,))
