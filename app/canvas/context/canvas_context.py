"""CanvasContext: models, camera, repainting and messages, shared by all parts of a canvas."""

from __future__ import annotations

from msgspec import Struct, field
from PySide6.QtCore import QObject, QRectF, Signal
from PySide6.QtWidgets import QWidget

from app.canvas.appearance.detail import Detail
from app.canvas.context.auto_layout import AutoLayout
from app.canvas.context.camera import Camera, Framing
from app.canvas.scene.scene import Scene
from app.document.document import Document
from app.style.current import Style
from app.style.theme import Theme
from app.workbench.playback.playback import Playback
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.selection import Selection

ANTIALIAS_MARGIN = 2
"""Screen px by which antialiasing may exceed a rectangle of the sheet."""


class Repaint:
    """Schedules repaints of one canvas; Qt merges them into one paint event."""

    def __init__(self, widget: QWidget, camera: Camera) -> None:
        self._widget = widget
        self._camera = camera

    def everything(self) -> None:
        """Schedule a repaint of the whole canvas."""
        self._widget.update()

    def on_sheet(self, rect: QRectF) -> None:
        """Schedule a repaint of a sheet rectangle."""
        if not rect.isEmpty():
            self.on_screen(
                self._camera.rect_on_screen(rect).adjusted(
                    -ANTIALIAS_MARGIN, -ANTIALIAS_MARGIN, ANTIALIAS_MARGIN, ANTIALIAS_MARGIN
                )
            )

    def on_screen(self, rect: QRectF) -> None:
        """Schedule a repaint of a widget rectangle."""
        self._widget.update(rect.toAlignedRect())


class CanvasMessages(QObject):
    """Forwards the messages of the parts of one canvas; CanvasView emits them as its own."""

    said = Signal(str)
    """Emitted with a refusal or a confirmation, as a sentence."""
    hinted = Signal(str)
    """Emitted with a hint on the effect of a release or click; empty to clear it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.hint = ""
        """The current hint."""

    def refuse(self, sentence: str) -> None:
        """Emit the reason why something can't be done."""
        self.said.emit(sentence)

    def set_hint(self, text: str) -> None:
        """Replace the current hint; an empty text clears it."""
        self.hint = text
        self.hinted.emit(text)


class GestureState(Struct):
    """Whether a gesture is under way: until it ends, nothing else moves the view or the nodes."""

    is_active: bool = False


class CanvasContext(Struct, frozen=True):
    """The model, the camera, and how to repaint and to show messages."""

    widget: QWidget
    """The viewport of the view: it is painted on, and the parent of boxes and fields."""
    style: Style
    document: Document
    playback: Playback
    modes: QuizRunner
    """Takes clicks and keys where a learner answers a question or does a pass by hand."""
    selection: Selection
    scene: Scene
    camera: Camera
    framing: Framing
    auto_layout: AutoLayout
    repaint: Repaint
    messages: CanvasMessages
    gesture_state: GestureState = field(default_factory=GestureState)

    @property
    def detail(self) -> Detail:
        """Return how much of the sheet is drawn now."""
        return self.scene.detail(self.camera.scale)

    @property
    def theme(self) -> Theme:
        """Return the current colour theme."""
        return self.style.theme
