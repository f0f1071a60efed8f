"""Gesture: everything from a press to its release; the document changes only on release.

Mouse calls its methods. (The number that Document calls a gesture marks edits that are one undo
step.)
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter

from app.canvas.context.canvas_context import CanvasContext
from engine.graph import Wire


class Pointer(Struct, frozen=True):
    """Position of the pointer on the sheet and in the view, with the modifiers held."""

    sheet: QPointF
    screen: QPointF
    """In px from the upper left corner of the canvas."""
    modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier

    def held(self, modifier: Qt.KeyboardModifier) -> bool:
        return bool(self.modifiers & modifier)


class Gesture:
    """One gesture. Subclasses preview while moving and commit one edit on release."""

    def __init__(self, canvas: CanvasContext, start: Pointer) -> None:
        self.canvas = canvas
        self.start = start

    def move(self, pointer: Pointer) -> None:
        """Follow the pointer."""

    def release(self, pointer: Pointer) -> None:
        """Finish and apply the preview."""

    def cancel(self) -> None:
        """Abort and restore the state before."""

    def end(self) -> None:
        """Finish because the document changed meanwhile; no edit may be made now."""
        self.cancel()

    def paint(self, painter: QPainter) -> None:
        """Paint the preview, in sheet coordinates."""

    @property
    def hidden(self) -> Wire | None:
        """Return the wire that follows the pointer and is not painted by the scene."""
        return None

    @property
    def fading(self) -> Wire | None:
        """Return the wire that a wire being drawn would replace."""
        return None

    @property
    def cursor(self) -> Qt.CursorShape:
        """Return the cursor during the gesture."""
        return Qt.CursorShape.ArrowCursor

    @property
    def pulls_view(self) -> bool:
        """Return whether the view scrolls while the pointer is at its border."""
        return False

    def select(
        self, pointer: Pointer, nodes: Iterable[int] = (), frames: Iterable[int] = ()
    ) -> None:
        """Select the clicked things; Ctrl toggles them, Shift adds them."""
        selection = self.canvas.selection
        if pointer.held(Qt.KeyboardModifier.ControlModifier):
            selection.toggle(nodes, frames)
        elif pointer.held(Qt.KeyboardModifier.ShiftModifier):
            selection.add(nodes, frames)
        else:
            selection.choose(nodes, (), frames)

    def is_drag(self, pointer: Pointer, pixels: float = 3.0) -> bool:
        """Return whether the pointer is more than `pixels` away from where it was pressed.

        Nearer, the press is a click: a hand hardly holds the mouse still.
        """
        return (pointer.screen - self.start.screen).manhattanLength() > pixels
