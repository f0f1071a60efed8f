"""Surface: what gestures, overlays and building ask of the canvas; the view is one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QWidget

from app.canvas.arrange import Arranger
from app.canvas.stage import Stage
from app.document.document import Document
from app.document.sheet import Point
from app.style.current import Style
from app.style.theme import Theme
from app.workbench.playback import Playback
from app.workbench.selection import Selection
from engine.graph import Wire


class Surface(Protocol):
    """The canvas as its parts see it: the model, where one looks, and how to speak up."""

    style_in_force: Style
    document: Document
    playback: Playback
    selection: Selection
    stage: Stage
    arranger: Arranger

    @property
    def theme(self) -> Theme:
        """The colours in force."""
        ...

    @property
    def unit(self) -> float:
        """The size of everything, apart from the zoom."""
        ...

    @property
    def scale(self) -> float:
        """Screen pixels per pixel of the sheet."""
        ...

    @property
    def visible_area(self) -> QRectF:
        """The part of the sheet that is seen."""
        ...

    @property
    def wiring(self) -> tuple[int, Wire] | None:
        """The wire that the keyboard would plug in."""
        ...

    @property
    def walks(self) -> bool:
        """Whether the keyboard walks along wires here."""
        ...

    @property
    def host(self) -> QWidget:
        """The widget on which boxes and fields are opened."""
        ...

    def to_screen(self, point: QPointF, /) -> QPointF:
        """The point of the screen above a point of the sheet."""
        ...

    def centre(self) -> Point:
        """The point of the sheet in the middle of the view."""
        ...

    def zoom_by(self, factor: float) -> None:
        """Zoom in or out about the middle of the view."""
        ...

    def pan_by(self, pixels: QPointF, /) -> None:
        """Shift the sheet on the screen."""
        ...

    def show_node(self, node: int, /) -> None:
        """Bring a node into view if it is not."""
        ...

    def show_nodes(self, nodes: Iterable[int], /) -> None:
        """Bring nodes into view if they are not."""
        ...

    def fit_all(self) -> None:
        """Show everything."""
        ...

    def rest(self) -> None:
        """End all motion: things are as they are."""
        ...

    def redraw(self) -> None:
        """Paint anew at the next turn."""
        ...

    def redraw_at(self, rect: QRectF, /) -> None:
        """Paint a rectangle of the sheet anew."""
        ...

    def refuse(self, sentence: str, /) -> None:
        """Say why something can't be."""
        ...

    def say_hint(self, text: str, /) -> None:
        """Say what letting go would do."""
        ...

    def quick_add(
        self, at: QPointF | None = None, source: int | None = None, wire: Wire | None = None
    ) -> None:
        """Open the box to type what to add."""
        ...

    def enter_group(self, group: int | None, /) -> None:
        """Look at the inside of a group alone."""
        ...

    def edit_value(self, node: int | None, /) -> None:
        """Type a value for a leaf or a constant."""
        ...

    def press_wire(self, wire: Wire, /) -> None:
        """A click on a wire or its label."""
        ...
