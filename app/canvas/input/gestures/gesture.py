"""Gesture: something the hand does from press to release; it changes nothing until then."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter

from app.canvas.context.canvas_context import CanvasContext


@dataclass(frozen=True, slots=True)
class Pointer:
    """Where the pointer is, on the sheet and on the screen, and what is held down."""

    sheet: QPointF
    screen: QPointF
    modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier

    def held(self, modifier: Qt.KeyboardModifier) -> bool:
        """Whether a modifier key is held."""
        return bool(self.modifiers & modifier)


class Gesture:
    """One gesture. Subclasses preview while moving and commit one edit on release."""

    def __init__(self, canvas: CanvasContext, start: Pointer) -> None:
        self.canvas = canvas
        self.start = start

    def move(self, pointer: Pointer) -> None:
        """Follow the pointer."""

    def release(self, pointer: Pointer) -> None:
        """End it and do what it previews."""

    def cancel(self) -> None:
        """End it and leave no trace."""

    def end(self) -> None:
        """End it where things came or went under it; the history is being written now."""
        self.cancel()

    def paint(self, painter: QPainter) -> None:
        """Draw its preview, in the coordinates of the sheet."""

    @property
    def cursor(self) -> Qt.CursorShape:
        """The shape of the pointer while it lasts."""
        return Qt.CursorShape.ArrowCursor

    @property
    def pulls_view(self) -> bool:
        """Whether the view moves along when the pointer is at its border."""
        return False

    def went_far(self, pointer: Pointer, pixels: float = 3.0) -> bool:
        """Whether the pointer has left the place where it was pressed."""
        return (pointer.screen - self.start.screen).manhattanLength() > pixels
