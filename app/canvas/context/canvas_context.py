"""Surface: what the parts of the canvas ask of it; the view is one."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QWidget

from app.canvas.context.auto_layout import AutoLayout
from app.canvas.context.camera import Camera
from app.canvas.context.framing import Framing
from app.canvas.scene.scene import Scene
from app.document.document import Document
from app.document.sheet import Point
from app.style.current import Style
from app.style.theme import Theme
from app.workbench.playback import Playback
from app.workbench.selection import Selection
from engine.graph import Wire


class CanvasContext:
    """The canvas as its parts see it: the model, where one looks, and how to speak up."""

    style_in_force: Style
    document: Document
    playback: Playback
    selection: Selection
    scene: Scene
    auto_layout: AutoLayout
    camera: Camera
    framing: Framing

    @property
    def theme(self) -> Theme:
        """The colours in force."""
        return self.style_in_force.theme

    # where one looks

    @property
    def zoom(self) -> float:
        """The zoom chosen on the canvas: 1.0 is 100 %."""
        return self.camera.zoom

    @property
    def unit(self) -> float:
        """The size of everything, apart from the zoom."""
        return self.camera.unit

    @property
    def scale(self) -> float:
        """Screen pixels per pixel of the sheet."""
        return self.camera.scale

    @property
    def visible_area(self) -> QRectF:
        """The part of the sheet that is seen."""
        return self.camera.visible_area

    def to_sheet(self, point: QPointF) -> QPointF:
        """The point of the sheet under a point of the screen."""
        return self.camera.to_sheet(point)

    def to_screen(self, point: QPointF) -> QPointF:
        """The point of the screen above a point of the sheet."""
        return self.camera.to_screen(point)

    def centre(self) -> Point:
        """The point of the sheet in the middle of the view."""
        return self.camera.centre

    def set_zoom(self, zoom: float, about: QPointF | None = None) -> None:
        """Set the zoom, keeping a point of the screen (its middle) where it is."""
        self.camera.set_zoom(zoom, about)

    def zoom_by(self, factor: float, about: QPointF | None = None) -> None:
        """Zoom in or out about a point of the screen."""
        self.camera.zoom_by(factor, about)

    def pan_by(self, pixels: QPointF) -> None:
        """Shift the sheet on the screen; what stays in view is copied, not painted."""
        self.camera.pan_by(pixels)

    def fit_all(self) -> None:
        """Show everything, never larger than 100 %, also when the view gets another size."""
        self.framing.fit_all()

    def fit_when_sized(self) -> None:
        """Show what was opened, also once the size of the view is known."""
        self.framing.show_opened()

    def fit_selection(self) -> None:
        """Show what is chosen, or everything."""
        self.framing.fit_selection()

    def show_node(self, node: int) -> None:
        """Bring a node into view if it is not."""
        if self.document.inside is not None and node not in self.document.seen:
            self.document.look_inside(None)
        self.framing.show_node(node)

    def show_nodes(self, nodes: Iterable[int]) -> None:
        """Bring nodes into view if they are not, zooming out where they need it."""
        self.framing.show_nodes(nodes)

    def show_sections(self, numbers: Iterable[int]) -> None:
        """Bring sections into view if they are not."""
        self.framing.show_sections(numbers)

    # what the view does itself

    @property
    def host(self) -> QWidget:
        """The widget that is painted on, and on which boxes and fields are opened."""
        raise NotImplementedError

    @property
    def held(self) -> bool:
        """Whether a gesture is going on: what it holds is not to be moved by anything else."""
        raise NotImplementedError

    @property
    def walks(self) -> bool:
        """Whether the keyboard walks along wires here."""
        raise NotImplementedError

    def rest(self) -> None:
        """End all motion: things are as they are."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Paint anew at the next turn."""
        self.host.update()

    def redraw_at(self, rect: QRectF) -> None:
        """Paint a rectangle of the sheet anew."""
        if not rect.isEmpty():
            on_screen = self.camera.rect_on_screen(rect).adjusted(-2, -2, 2, 2)
            self.host.update(on_screen.toAlignedRect())

    def refuse(self, sentence: str) -> None:
        """Say why something can't be."""
        raise NotImplementedError

    def say_hint(self, text: str) -> None:
        """Say what letting go would do."""
        raise NotImplementedError

    def quick_add(
        self, at: QPointF | None = None, source: int | None = None, wire: Wire | None = None
    ) -> None:
        """Open the box to type what to add, at a point of the sheet (the pointer's)."""
        raise NotImplementedError

    def edit_value(self, node: int | None) -> None:
        """Type a value for a leaf or a constant."""
        raise NotImplementedError

    def enter_group(self, group: int | None) -> None:
        """Look at the inside of a group alone, or at the whole sheet again."""
        raise NotImplementedError
