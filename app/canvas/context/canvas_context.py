"""CanvasContext: what every part of one canvas is given."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtWidgets import QWidget

from app.canvas.context.auto_layout import AutoLayout
from app.canvas.context.camera import Camera
from app.canvas.context.framing import Framing
from app.canvas.context.messages import Messages
from app.canvas.context.repaint import Repaint
from app.canvas.scene.scene import Scene
from app.document.document import Document
from app.style.current import Style
from app.style.theme import Theme
from app.workbench.playback import Playback
from app.workbench.selection import Selection


@dataclass
class Grip:
    """Whether a gesture holds something: what it holds must not be moved by anything else."""

    held: bool = False


@dataclass(frozen=True, slots=True)
class CanvasContext:
    """The model, the camera, and how to repaint and to say something.

    `widget` is painted on; boxes and fields open on it.
    """

    widget: QWidget
    style: Style
    document: Document
    playback: Playback
    selection: Selection
    scene: Scene
    camera: Camera
    framing: Framing
    auto_layout: AutoLayout
    repaint: Repaint
    messages: Messages
    grip: Grip = field(default_factory=Grip)

    @property
    def theme(self) -> Theme:
        """The colours in force."""
        return self.style.theme
