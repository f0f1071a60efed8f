"""Framing: chooses zoom and offset so that everything, the selection or a step is in view.

A fit of everything is repeated when the view is resized, until the user pans or zooms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from PySide6.QtCore import QMarginsF, QObject, QPointF, QRectF, QSize, QSizeF, Signal

from app.canvas.appearance.detail import MIN_TEXT_SIZES, READABLE, Detail, scale_for_text_size
from app.canvas.context.camera import Camera, CameraState
from app.canvas.scene.scene import Scene
from app.document.bands import Viewport
from app.document.document import Document
from app.style.strokes import canvas_font, is_presented
from app.workbench.selection import Selection
from engine.frame import Frame
from engine.graph import Wire
from engine.trace import Event

MARGINS = QMarginsF(26, 30, 26, 58)
"""Margins of a fit, in screen px: the top leaves space for badges, the bottom for the legend and
the zoom buttons at 100 %."""
NARROW_MARGINS = QMarginsF(9, 14, 9, 44)
"""Margins of a fit in which MARGINS would make texts smaller than is easy to read."""
FLAG_MARGIN = 6.0
"""Additional top margin for the flags of wrong gradients, in screen px."""
MAX_FIT_ZOOM = 1.3
"""Maximum zoom of a fit: a graph of few nodes would otherwise fill the window."""
PRESENTATION_MARGINS, PRESENTATION_WIDTH = QMarginsF(34, 52, 34, 24), 1920.0
"""Margins of a presentation in px, in a window of this width; others in proportion."""
MIN_PRESENTED_NUMBER = 0.033
"""Minimum font size of numbers as a share of the view's height; below it a graph in a single row is
wrapped into rows."""
STEP_MARGIN = 16.0
"""Screen px between a followed step and the edge of the view."""
MARK_MARGIN = 4.0
"""Screen px between the marks of a ripple and the edge of the view.

A ripple is the effect of a small change of one node, marked on all nodes that depend on it."""
MAX_STEP_SHARE = 0.9
"""Width of receiver, label and firing node together, as a share of the view's, up to which a step
scrolls all of them into view; wider steps leave the firing node out, then the label."""


class FoldablePalette(Protocol):
    """The palette beside the canvas, which can fold to a rail of icons."""

    def canvas_size(self, rail: bool) -> QSize:
        """Return the size that the canvas would have with the palette as a rail, or unfolded."""
        ...

    def prefer_rail(self, rail: bool) -> None:
        """Fold the palette to a rail or unfold it, unless the user has chosen."""
        ...


class Framing(QObject):
    """Sets the camera so that a part of the scene is in view.

    A fit of everything stays in force (`camera.repeated_fit`) until the user pans or zooms.
    """

    about_to_fit = Signal()
    """Emitted before everything is fitted, so that animations finish and bounds are final."""

    def __init__(
        self, camera: Camera, scene: Scene, document: Document, selection: Selection
    ) -> None:
        super().__init__(camera)
        self._camera = camera
        self._scene = scene
        self._document = document
        self._selection = selection
        self._step: tuple[int, Wire | None] | None = None
        """The followed step: its receiving node, and the wire along which it propagates."""
        self._followed_generation = scene.generation
        """The layout generation of the scene when a step was last followed."""
        self.palette: FoldablePalette | None = None
        """The palette, if it can fold to widen the canvas."""
        self.covered_width = 0
        """Width in screen px of a panel that covers the right edge of the view."""
        self.clearance: Callable[[QRectF], QPointF] = lambda _rect: QPointF()
        """Returns the shift that moves a screen rectangle out from under the minimap."""
        self.marks: Callable[[], Sequence[QRectF]] = tuple
        """Returns the rectangles of the marks of a ripple, in sheet px."""

    @property
    def viewport(self) -> Viewport:
        """Return the space for the graph, which is wrapped into rows if it would be unreadable."""
        if is_presented():
            view = self._view_rect
            readable = MIN_PRESENTED_NUMBER * view.height() / canvas_font("number").pixelSize()
            inner = view.marginsRemoved(self._margins)
        else:
            # rows are the last resort: the most space there can be, and the smallest text that
            # detail still shows; fits of one row aim at READABLE, which is larger
            size = self.palette.canvas_size(rail=True) if self.palette else self._camera.size
            readable = scale_for_text_size(MIN_TEXT_SIZES[Detail.RESULTS])
            margins = self._beside_controls(NARROW_MARGINS) + self._flag_margins
            inner = QRectF(QPointF(), QSizeF(size)).marginsRemoved(margins)
        return Viewport(inner.width(), inner.height(), readable)

    def fit_all(self) -> None:
        """Show everything, as large as it fits; repeated when the view is resized."""
        self.about_to_fit.emit()
        self._scene.wrap_for(self.viewport)  # may change the bounds
        camera, bounds = self._camera, self._scene.bounds()
        if bounds.isEmpty():  # a fit of nothing keeps the zoom: the first node appears at 100 %
            camera.set_zoom(1.0)
            if self.palette is not None and not is_presented():
                self.palette.prefer_rail(rail=False)
        if is_presented():
            camera.fit(bounds, self._margins, math.inf)
        else:
            self._fold_palette_if_unreadable(bounds)
            camera.fit(bounds, self._margins, MAX_FIT_ZOOM)
            # unreadable: fit within narrow margins, but no larger than readable needs
            if camera.scale < scale_for_text_size(READABLE):
                narrow = self._beside_controls(NARROW_MARGINS) + self._flag_margins
                # `unit` is the scale at zoom 1, which text size and display set
                camera.fit(bounds, narrow, scale_for_text_size(READABLE) / camera.unit)
        camera.repeated_fit = self.fit_all  # last, as `set_zoom` clears it
        self.show_marks()

    def show_marks(self) -> None:
        """Scroll the marks of a ripple into view, after a fit of everything."""
        union = QRectF()
        for mark in self.marks():
            union = union.united(mark)
        if not union.isEmpty() and self._camera.repeated_fit == self.fit_all:
            edge = MARK_MARGIN / self._camera.scale
            # the minimap may cover marks: no shift, QPointF() is (0, 0)
            self._camera.bring_in(union.adjusted(-edge, -edge, edge, edge), QPointF)

    def set_covered_width(self, wide: int) -> None:
        """Fit everything left of a panel that covers the right edge; 0 if none does."""
        if wide != self.covered_width:
            self.covered_width = wide
            if self._camera.repeated_fit == self.fit_all:
                self.fit_all()

    def beside_panel(self, margins: QMarginsF) -> QMarginsF:
        """Return margins without the width of a panel that covers the right edge."""
        return margins + QMarginsF(0, 0, self.covered_width, 0)

    @property
    def view(self) -> tuple[CameraState, Viewport | None]:
        """Return the camera's place and the viewport of the last fit, for `restore`."""
        return self._camera.state, self._scene.node_layout.spacing.viewport

    def restore(self, view: tuple[CameraState, Viewport | None]) -> None:
        """Restore a `view`: the rows of the nodes and the camera's place."""
        place, viewport = view
        self._scene.wrap_for(viewport)
        self._camera.restore(place)

    def refit_if_cut_off(self) -> None:
        """Fit everything again after an edit that left something out of view, unless the user has
        panned or zoomed."""
        if self._camera.repeated_fit == self.fit_all and not self.shows_all:
            self.fit_all()

    def refit(self) -> None:
        """Fit everything again after texts have got other widths, unless the view was moved."""
        if self._camera.repeated_fit == self.fit_all:
            self.fit_all()

    def fit_selection(self) -> None:
        """Show the selection, or everything if nothing is selected."""
        selection, scene = self._selection, self._scene
        section_bounds = scene.node_layout.sections.bounds(selection.sections)
        bounds = scene.bounds(selection.nodes).united(section_bounds)
        if bounds.isEmpty():
            # not `fit_all`, which would wrap into rows what the user looks at
            self._camera.fit(scene.bounds(), self.beside_panel(MARGINS))
        else:
            self._zoom_to(bounds)

    def show_node(self, node: int) -> None:
        """Scroll a node, or the collapsed group around it, into view if it is not visible."""
        if self._document.inside is not None and node not in self._document.visible_nodes:
            self._document.look_inside(None)
        rect = self._scene.node_layout.bounds_of([node])
        if not rect.isEmpty() and not self._camera.visible_area.contains(rect):
            self._camera.bring_to_middle(rect.center())

    def show_nodes(self, nodes: Iterable[int]) -> None:
        """Bring nodes into view if they are not visible, zooming out if needed."""
        rect = self._scene.bounds(nodes)
        if not rect.isEmpty() and not self._camera.visible_area.contains(rect):
            self._camera.fit(self._scene.bounds(), self.beside_panel(MARGINS))

    def show_sections(self, numbers: Iterable[int]) -> None:
        """Bring sections into view if they are not visible."""
        rect = self._scene.node_layout.sections.bounds(numbers)
        if not rect.isEmpty() and not self._camera.visible_area.contains(rect):
            self._zoom_to(rect)

    def repeat_fit(self) -> bool:
        """Repeat the last fit, after a resize, unless the user has panned or zoomed
        since; return whether it did."""
        fit = self._camera.repeated_fit
        if fit is not None:
            fit()
        return fit is not None

    @property
    def shows_all(self) -> bool:
        """Return whether everything is in view."""
        return self._scene.lies_in(self._camera.visible_area)

    def follow(self, frame: Frame) -> None:
        """Keep the firing node, the receiving node and the label of a step in view.

        A view that shows everything does not scroll. A fit of everything is repeated if the layout
        has changed since the last step and left something out of view.
        """
        previous, self._followed_generation = self._followed_generation, self._scene.generation
        step = frame.current
        if step is not None:
            self._step = (step.node, step.wire if isinstance(step, Event) else None)
        if self._camera.repeated_fit == self.fit_all:
            if previous != self._scene.generation:
                self.refit_if_cut_off()
        elif self._camera.follows and self._step is not None and not self.shows_all:
            self._camera.bring_in(*self._step_area(*self._step))

    def leave_pass(self) -> None:
        """Forget the step of the pass that has been left."""
        self._step = None

    # private

    @property
    def _flag_margins(self) -> QMarginsF:
        """Return the space for flags of wrong gradients."""
        has_flags = self._scene.text_sizes.needs_more_room  # passes that widen texts may have flags
        return QMarginsF(0, FLAG_MARGIN if has_flags else 0.0, 0, 0)

    @property
    def _margins(self) -> QMarginsF:
        if is_presented():
            return PRESENTATION_MARGINS * (self._view_rect.width() / PRESENTATION_WIDTH)
        return self._beside_controls(MARGINS) + self._flag_margins

    def _beside_controls(self, margins: QMarginsF) -> QMarginsF:
        """Return margins adapted to the size of the controls and the width of a covering panel."""
        below = margins.bottom() * (self._camera.control_scale - 1.0)
        return self.beside_panel(margins) + QMarginsF(0, 0, 0, below)

    @property
    def _view_rect(self) -> QRectF:
        """Return the rectangle of the view, in screen px."""
        return QRectF(QPointF(), QSizeF(self._camera.size))

    def _fold_palette_if_unreadable(self, bounds: QRectF) -> None:
        """Fold the palette if the graph would be unreadable beside its texts; not during a pass."""
        if self.palette is None or bounds.isEmpty() or self._step is not None:
            return
        size = self.palette.canvas_size(rail=False)
        wide = (size.width() - NARROW_MARGINS.left() - NARROW_MARGINS.right()) / bounds.width()
        high = (size.height() - NARROW_MARGINS.top() - NARROW_MARGINS.bottom()) / bounds.height()
        self.palette.prefer_rail(min(wide, high) < scale_for_text_size(READABLE))

    def _zoom_to(self, rect: QRectF) -> None:
        """Fit a part of the sheet; unlike a fit of everything, a resize does not repeat it."""
        self._camera.fit(rect, self.beside_panel(MARGINS))
        self._camera.repeated_fit = None

    def _step_area(self, receiver: int, wire: Wire | None) -> tuple[QRectF, Callable[[], QPointF]]:
        """Return a step's rectangle with its margin, and the shift that clears the minimap."""
        rect = self._step_rect(receiver, wire)
        firing = rect if wire is None else self._scene.bounds((wire[0],))
        area = rect.adjusted(-STEP_MARGIN, -STEP_MARGIN, STEP_MARGIN, STEP_MARGIN)
        return area, lambda: self._shift_from_minimap(rect, firing)

    def _step_rect(self, receiver: int, wire: Wire | None) -> QRectF:
        """Return the rectangle of the receiver, with label and firing node where they fit."""
        rect = self._scene.bounds((receiver,))
        label = None if wire is None else self._scene.labels.rect(wire)
        firing = None if wire is None else self._scene.bounds((wire[0],))
        for more in (label, firing):
            wider = rect if more is None else rect.united(more)
            if wider.width() < self._camera.visible_area.width() * MAX_STEP_SHARE:
                rect = wider
        return rect

    def _shift_from_minimap(self, *rects: QRectF) -> QPointF:
        """Return the shift that moves the first covered rectangle out from under the minimap."""
        shifts = (self.clearance(self._camera.rect_on_screen(rect)) for rect in rects)
        return next((shift for shift in shifts if not shift.isNull()), QPointF())
