"""Framing: chooses zoom and offset so that everything, the selection or a step is in view."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, QPointF, QRectF, Signal

from app.canvas.context.camera import Camera
from app.canvas.scene.scene import Scene
from app.document.document import Document
from app.style import sizes
from app.workbench.selection import Selection
from engine.frame import Frame
from engine.graph import Wire
from engine.trace import Event

MARGIN = 48.0
NARROW = 12.0
AROUND_STEP = 16.0
SHARE = 0.9
"""Share of the view's width that the content of a step may fill at most."""


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
        self.clearance: Callable[[QRectF], QPointF] = lambda _rect: QPointF()
        """Returns the shift that moves a screen rectangle out from under the minimap."""

    def fit_all(self) -> None:
        """Show everything, at most at 100 %; repeated when the view is resized."""
        self.settle_wanted.emit()
        self._camera.fit(self._scene.bounds(), MARGIN)
        self._camera.kept = self.fit_all

    def show_opened(self) -> None:
        """Show everything, with narrow margins where that keeps the labels on wires readable.

        Repeated when the view is resized, and kept while steps are followed.
        """
        self.settle_wanted.emit()
        self._lay_opened()

    def fit_selection(self) -> None:
        """Show the selection, or everything if nothing is selected."""
        chosen, scene = self._selection, self._scene
        found = scene.bounds(chosen.nodes).united(
            scene.node_layout.sections.bounds(chosen.sections)
        )
        if found.isEmpty():
            self._camera.fit(scene.bounds(), MARGIN)
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
            self._camera.fit(self._scene.bounds(), MARGIN)

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

    def follow(self, frame: Frame, moved: bool = True) -> None:
        """Keep the firing node, the receiving node and the label of a step in view.

        `moved` tells whether anything may have moved. Unless the user chose the view, a backward
        pass is zoomed in if its labels are unreadable with everything in view, until it is left.
        """
        step = frame.current
        if step is not None:
            self._step = (step.node, step.wire if isinstance(step, Event) else None)
        if self._camera.kept == self.show_opened:
            if moved:
                self._lay_opened()
            if frame.phase != "backward" or self._camera.scale >= sizes.ZOOM_LABELS:
                return
            self._look_at_step()
        elif self._camera.scale >= sizes.ZOOM_CONTRIBUTIONS and self._step is not None:
            self._bring_in(*self._step)

    def leave_pass(self) -> None:
        """Show everything again if the pass was zoomed in."""
        self._step = None
        if self._camera.kept == self._look_at_step:
            self.show_opened()

    # private

    def _look_at_step(self) -> None:
        """Zoom in as far as the labels of the step need."""
        camera = self._camera
        if self._step is not None:
            camera.set_zoom(sizes.ZOOM_LABELS / camera.unit)
            self._bring_in(*self._step)
            camera.kept = self._look_at_step

    def _look_closely(self, rect: QRectF) -> None:
        """Zoom in on a part of the sheet, away from the current view."""
        self._camera.fit(rect, MARGIN)
        self._camera.kept = None

    def _lay_opened(self) -> None:
        camera, bounds = self._camera, self._scene.bounds()
        if bounds.isEmpty():  # show the first node to be added at 100 %
            camera.set_zoom(1.0)
        camera.fit(bounds, MARGIN)
        if camera.scale < sizes.ZOOM_LABELS:
            camera.fit(bounds, NARROW)
            if camera.scale > sizes.ZOOM_LABELS:
                camera.fit(bounds, NARROW, sizes.ZOOM_LABELS / camera.unit)
        camera.kept = self.show_opened

    def _bring_in(self, receiver: int, wire: Wire | None) -> None:
        """Bring the receiver into view first; with it label and firing node where they fit."""
        rect = self._scene.bounds((receiver,))
        label = None if wire is None else self._scene.label_rect(wire)
        firing = None if wire is None else self._scene.bounds((wire[0],))
        for more in (label, firing):
            wider = rect if more is None else rect.united(more)
            if wider.width() < self._camera.visible_area.width() * SHARE:
                rect = wider
        room = rect.adjusted(-AROUND_STEP, -AROUND_STEP, AROUND_STEP, AROUND_STEP)
        self._camera.bring_in(room, lambda: self._aside(rect, firing or rect))

    def _aside(self, *rects: QRectF) -> QPointF:
        """Return the shift that moves the first coverable rectangle out from under the minimap."""
        shifts = (self.clearance(self._camera.rect_on_screen(rect)) for rect in rects)
        return next((shift for shift in shifts if not shift.isNull()), QPointF())
