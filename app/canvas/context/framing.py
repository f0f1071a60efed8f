"""Framing: chooses zoom and offset so that everything, the selection or a step is in view."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from PySide6.QtCore import QMarginsF, QObject, QPointF, QRectF, QSize, QSizeF, Signal

from app.canvas.appearance.detail import LEAST_TEXT, READABLE, Detail, scale_of
from app.canvas.context.camera import Camera, Place
from app.canvas.scene.scene import Scene
from app.document.bands import Viewport
from app.document.document import Document
from app.style.strokes import canvas_font, is_presented
from app.workbench.selection import Selection
from engine.frame import Frame
from engine.graph import Wire
from engine.trace import Event

MARGINS = QMarginsF(26, 30, 26, 58)
"""Screen px kept free around everything: above for badges, below, at 100 %, for legend and zoom
control."""
NARROW = QMarginsF(9, 14, 9, 44)
"""The same where wider margins would make texts too small to be read without effort."""
FLAGS = 6.0
"""Screen px more that flags take above the nodes while a mistake is on."""
LARGEST = 1.3
"""Zoom to which a small graph is enlarged when everything is fitted."""
PRESENTED, PRESENTED_WIDTH = QMarginsF(34, 52, 34, 24), 1920.0
"""Margins of a presentation in px, in a window of this width."""
PRESENTED_NUMBERS = 0.033
"""Least size of numbers, as a share of the height, in one row in a presentation."""
AROUND_STEP = 16.0
AROUND_MARKS = 4.0
"""Screen px between the marks of a ripple and the edge of the view."""
SHARE = 0.9
"""Share of the view's width that the content of a step may fill at most."""


class Around(Protocol):
    """The parts around the canvas."""

    def canvas_size(self, rail: bool) -> QSize:
        """Return the size that the canvas would have with the palette as icons, or not."""
        ...

    def prefer_rail(self, rail: bool) -> None:
        """Show the palette as icons, or not, where the user has not chosen otherwise."""
        ...


class Framing(QObject):
    """Sets the camera so that a part of the scene is in view."""

    settle_wanted = Signal()
    """Emitted before everything is framed; running animations must finish at once."""

    def __init__(
        self, camera: Camera, scene: Scene, document: Document, selection: Selection
    ) -> None:
        super().__init__(camera)
        self._camera = camera
        self._scene = scene
        self._document = document
        self._selection = selection
        self._step: tuple[int, Wire | None] | None = None
        self._generation = scene.generation
        """That of the scene when a step was last followed."""
        self.around: Around | None = None
        """The parts around the canvas, where the palette can give up room; None for none."""
        self._covered = 0
        """Screen px at the right edge that are left free."""
        self.clearance: Callable[[QRectF], QPointF] = lambda _rect: QPointF()
        """Returns the shift that moves a screen rectangle out from under the minimap."""
        self.marks: Callable[[], Sequence[QRectF]] = tuple
        """Returns where the marks of a ripple stand, in sheet px."""

    @property
    def viewport(self) -> Viewport:
        """Return what the view can offer within its margins; nodes are in rows if it is less."""
        if is_presented():
            view = self._view
            readable = PRESENTED_NUMBERS * view.height() / canvas_font("number").pixelSize()
            inner = view.marginsRemoved(self._margins)
        else:  # the least margins, and the palette as icons
            size = self.around.canvas_size(rail=True) if self.around else self._camera.size
            readable = scale_of(LEAST_TEXT[Detail.RESULTS])
            margins = self._over_controls(NARROW) + self._flags
            inner = QRectF(QPointF(), QSizeF(size)).marginsRemoved(margins)
        return Viewport(inner.width(), inner.height(), readable)

    def fit_all(self) -> None:
        """Show everything, as large as it fits; repeated when the view is resized."""
        self.settle_wanted.emit()
        self._scene.fill(self.viewport)
        camera, bounds = self._camera, self._scene.bounds()
        if bounds.isEmpty():  # show the first node to be added at 100 %
            camera.set_zoom(1.0)
            if self.around is not None and not is_presented():
                self.around.prefer_rail(False)
        if is_presented():
            camera.fit(bounds, self._margins, math.inf)
        else:
            self._ask_for_room(bounds)
            camera.fit(bounds, self._margins, LARGEST)
            if camera.scale < scale_of(READABLE):
                narrow = self._over_controls(NARROW) + self._flags
                camera.fit(bounds, narrow, scale_of(READABLE) / camera.unit)
        camera.kept = self.fit_all
        self.show_marks()

    def show_marks(self) -> None:
        """Scroll as little as brings the marks of a ripple into a view that shows everything."""
        union = QRectF()
        for mark in self.marks():
            union = union.united(mark)
        if not union.isEmpty() and self._camera.kept == self.fit_all:
            edge = AROUND_MARKS / self._camera.scale
            self._camera.bring_in(union.adjusted(-edge, -edge, edge, edge), QPointF)

    def leave_free(self, wide: int) -> None:
        """Frame what comes beside the right edge of the view, which something covers."""
        if wide != self._covered:
            self._covered = wide
            if self._camera.kept == self.fit_all:
                self.fit_all()

    @property
    def view(self) -> tuple[Place, Viewport | None]:
        """Return the place of the camera, and what everything was last fitted into."""
        return self._camera.place, self._scene.node_layout.spacing.viewport

    def go_back_to(self, view: tuple[Place, Viewport | None]) -> None:
        """Restore the place of the camera, and the nodes to where they were."""
        place, viewport = view
        self._scene.fill(viewport)
        self._camera.go_back_to(place)

    def keep_all(self) -> None:
        """Show everything again if it was fitted and an edit has put something out of view."""
        if self._camera.kept == self.fit_all and not self.shows_all:
            self.fit_all()

    def refit(self) -> None:
        """Show everything again, unless the user has chosen the view."""
        if self._camera.kept == self.fit_all:
            self.fit_all()

    def fit_selection(self) -> None:
        """Show the selection, or everything if nothing is selected."""
        chosen, scene = self._selection, self._scene
        found = scene.bounds(chosen.nodes).united(
            scene.node_layout.sections.bounds(chosen.sections)
        )
        if found.isEmpty():
            self._camera.fit(scene.bounds(), MARGINS)
        else:
            self._look_closely(found)

    def show_node(self, node: int) -> None:
        """Scroll a node, or the collapsed group around it, into view if it is not visible."""
        if self._document.inside is not None and node not in self._document.seen:
            self._document.look_inside(None)
        rect = self._scene.node_layout.around([node])
        if not rect.isEmpty() and not self._camera.visible_area.contains(rect):
            self._camera.bring_to_middle(rect.center())

    def show_nodes(self, nodes: Iterable[int]) -> None:
        """Bring nodes into view if they are not visible, zooming out if needed."""
        rect = self._scene.bounds(nodes)
        if not rect.isEmpty() and not self._camera.visible_area.contains(rect):
            self._camera.fit(self._scene.bounds(), MARGINS)

    def show_sections(self, numbers: Iterable[int]) -> None:
        """Bring sections into view if they are not visible."""
        rect = self._scene.node_layout.sections.bounds(numbers)
        if not rect.isEmpty() and not self._camera.visible_area.contains(rect):
            self._look_closely(rect)

    def again(self) -> bool:
        """Repeat the last chosen framing after a resize; return whether there was one."""
        kept = self._camera.kept
        if kept is not None:
            kept()
        return kept is not None

    @property
    def shows_all(self) -> bool:
        """Return whether everything is in view."""
        return self._scene.lies_in(self._camera.visible_area)

    def follow(self, frame: Frame) -> None:
        """Keep the firing node, the receiving node and the label of a step in view.

        A view that shows everything stays; one that was fitted is fitted again if an edit has put
        something out of it.
        """
        before, self._generation = self._generation, self._scene.generation
        step = frame.current
        if step is not None:
            self._step = (step.node, step.wire if isinstance(step, Event) else None)
        if self._camera.kept == self.fit_all:
            if before != self._scene.generation:
                self.keep_all()
        elif self._camera.follows and self._step is not None and not self.shows_all:
            self._camera.bring_in(*self._to_bring_in(*self._step))

    def leave_pass(self) -> None:
        """Forget the step of the pass that has been left."""
        self._step = None

    # private

    @property
    def _flags(self) -> QMarginsF:
        return QMarginsF(0, FLAGS if self._scene.text_sizes.needs_room else 0.0, 0, 0)

    @property
    def _margins(self) -> QMarginsF:
        if is_presented():
            return PRESENTED * (self._view.width() / PRESENTED_WIDTH)
        return self._over_controls(MARGINS) + self._flags

    def _over_controls(self, margins: QMarginsF) -> QMarginsF:
        """Return margins for legend and zoom control as large as they are, and what is covered."""
        below = margins.bottom() * self._camera.control_scale
        right = margins.right() + self._covered
        return QMarginsF(margins.left(), margins.top(), right, below)

    @property
    def _view(self) -> QRectF:
        """Return the rectangle of the view, in screen px."""
        return QRectF(QPointF(), QSizeF(self._camera.size))

    def _ask_for_room(self, bounds: QRectF) -> None:
        """Have the palette folded to icons where its texts take the room to read the graph."""
        if self.around is None or bounds.isEmpty() or self._step is not None:
            return
        size = self.around.canvas_size(rail=False)
        wide = (size.width() - NARROW.left() - NARROW.right()) / bounds.width()
        high = (size.height() - NARROW.top() - NARROW.bottom()) / bounds.height()
        self.around.prefer_rail(min(wide, high) < scale_of(READABLE))

    def _look_closely(self, rect: QRectF) -> None:
        """Zoom in on a part of the sheet, away from the current view."""
        self._camera.fit(rect, MARGINS)
        self._camera.kept = None

    def _to_bring_in(
        self, receiver: int, wire: Wire | None
    ) -> tuple[QRectF, Callable[[], QPointF]]:
        """Return the rectangle of a step with room around it, and what moves it aside."""
        rect = self._step_rect(receiver, wire)
        firing = rect if wire is None else self._scene.bounds((wire[0],))
        room = rect.adjusted(-AROUND_STEP, -AROUND_STEP, AROUND_STEP, AROUND_STEP)
        return room, lambda: self._aside(rect, firing)

    def _step_rect(self, receiver: int, wire: Wire | None) -> QRectF:
        """Return the rectangle of the receiver, with label and firing node where they fit."""
        rect = self._scene.bounds((receiver,))
        label = None if wire is None else self._scene.labels.rect(wire)
        firing = None if wire is None else self._scene.bounds((wire[0],))
        for more in (label, firing):
            wider = rect if more is None else rect.united(more)
            if wider.width() < self._camera.visible_area.width() * SHARE:
                rect = wider
        return rect

    def _aside(self, *rects: QRectF) -> QPointF:
        """Return the shift that moves the first coverable rectangle out from under the minimap."""
        shifts = (self.clearance(self._camera.rect_on_screen(rect)) for rect in rects)
        return next((shift for shift in shifts if not shift.isNull()), QPointF())
