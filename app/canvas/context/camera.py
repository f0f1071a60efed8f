"""Camera: zoom factor and scroll offset; Framing: chooses them, to have something in view.

The camera knows nothing of the sheet's content. Its `repeated_fit` is called when the view is
resized, to fit the same content again; any manual pan or zoom clears it. Framing brings everything,
the selection or a step into view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

from PySide6.QtCore import QMarginsF, QObject, QPoint, QPointF, QRect, QRectF, QSize, QSizeF, Signal

from app.canvas.appearance.detail import MIN_TEXT_SIZES, READABLE, Detail, scale_for_text_size
from app.canvas.layout.group_layout import united
from app.canvas.scene.scene import Scene
from app.document.document import Document
from app.document.placement import Viewport
from app.document.sheet import Point
from app.style.current import Style
from app.style.strokes import canvas_font, is_presented
from app.workbench.playback.view_state import ViewState
from app.workbench.selection import Selection
from engine.graph import Wire
from engine.trace import Event

MIN_ZOOM, MAX_ZOOM = 0.05, 4.0
MIN_VIEW_WIDTH = 50
"""A view narrower than this, in px, has not been laid out yet; nothing is fitted to it."""
BORDER = 28
"""Distance in px from the border within which a dragging pointer scrolls the view."""
MAX_PULL = 24.0
"""Most px that it scrolls at a time; half the distance beyond BORDER up to that."""


class CameraState(NamedTuple):
    """Zoom, scroll offset, and the fit that a resize repeats."""

    zoom: float
    offset: QPointF
    repeated_fit: Callable[[], None] | None


class Place(NamedTuple):
    """Where the sheet has its origin in the view, in px, and screen px per sheet px."""

    offset: QPointF
    scale: float


class Camera(QObject):
    """Maps points between sheet and screen, pans and zooms."""

    zoomed = Signal(float)
    """Emitted with the zoom factor when everything may have moved on the screen."""
    shifted = Signal(QPoint)
    """Emitted with the shift in px after a pan, so that the view can be blitted."""

    def __init__(
        self, style: Style, view_size: Callable[[], QSize], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._view_size = view_size
        self.zoom = 1.0
        self.offset: QPointF = QPointF(40, 40)
        """Where the sheet has its origin in the view, in px; a small margin until the first fit."""
        self.repeated_fit: Callable[[], None] | None = None
        self.covered_width = 0
        """Width of a panel that covers the right edge of the view, in px."""

    @property
    def interface_scale(self) -> float:
        """Return the interface scale, the size of everything at 100 % zoom."""
        return self._style.scale

    @property
    def control_scale(self) -> float:
        """Return the size of controls over the view, which a small window limits."""
        return self._style.control_scale

    @property
    def follows(self) -> bool:
        """Return whether the user lets the view follow the step."""
        return self._style.follows_step

    def let_follow(self, follows: bool) -> None:
        """Let the view follow the step, or stay where it is."""
        self._style.set_follows_step(follows)

    @property
    def scale(self) -> float:
        """Return screen px per sheet px."""
        return self.zoom * self._style.scale

    @property
    def visible_area(self) -> QRectF:
        size, scale = self._view_size(), self.scale
        corner = self.to_sheet(QPointF(0, 0))
        return QRectF(corner.x(), corner.y(), size.width() / scale, size.height() / scale)

    @property
    def uncovered_area(self) -> QRectF:
        """Return the visible part of the sheet beside a panel that covers the right edge."""
        return self.visible_area.adjusted(0.0, 0.0, -self.covered_width / self.scale, 0.0)

    @property
    def screen_centre(self) -> QPointF:
        """Return the centre of the view, in screen px."""
        return QPointF(QRect(QPoint(0, 0), self._view_size()).center())

    @property
    def sheet_centre(self) -> Point:
        screen_centre = self.visible_area.center()
        return (screen_centre.x(), screen_centre.y())

    def to_sheet(self, point: QPointF) -> QPointF:
        return (point - self.offset) / self.scale

    def to_screen(self, point: QPointF) -> QPointF:
        return point * self.scale + self.offset

    def rect_on_screen(self, rect: QRectF) -> QRectF:
        """Map a sheet rectangle to the screen."""
        return QRectF(self.to_screen(rect.topLeft()), rect.size() * self.scale)

    @property
    def size(self) -> QSize:
        """Return the size of the view, in screen px."""
        return self._view_size()

    @property
    def state(self) -> CameraState:
        """Return zoom, offset and repeated fit, for `restore`."""
        return CameraState(self.zoom, QPointF(self.offset), self.repeated_fit)

    def restore(self, state: CameraState) -> None:
        """Restore a `state`."""
        self.zoom, self.offset, self.repeated_fit = state
        self.zoomed.emit(self.zoom)
        if self.repeated_fit is not None:
            self.repeated_fit()

    # zooming and panning by the user

    def set_zoom(self, zoom: float, about: QPointF | None = None) -> None:
        """Set the zoom, keeping the screen point `about` (default: the centre) fixed."""
        self.repeated_fit = None
        point = self.screen_centre if about is None else about
        sheet_point = self.to_sheet(point)
        self.zoom = min(max(zoom, MIN_ZOOM), MAX_ZOOM)
        self.offset = _rounded(point - sheet_point * self.scale)
        self.zoomed.emit(self.zoom)

    def zoom_by(self, factor: float, about: QPointF | None = None) -> None:
        """Zoom in or out around a screen point."""
        self.set_zoom(self.zoom * factor, about)

    def pan_by(self, pixels: QPointF) -> None:
        """Scroll the sheet by whole px."""
        self.repeated_fit = None
        before = self.offset
        self.offset = before + QPointF(pixels.toPoint())
        self._emit_shift(before)

    def bring_to_middle(self, point: QPointF) -> None:
        """Scroll a sheet point to the centre of the view, beside a panel that covers it."""
        self.pan_by(self.to_screen(self.uncovered_area.center()) - self.to_screen(point))

    # used by framing

    def fit(self, rect: QRectF, margins: QMarginsF, max_zoom: float = 1.0) -> None:
        """Show a sheet rectangle within margins in px, as large as fits, at `max_zoom` at most.

        It is centred in the space within the margins.
        """
        size = self._view_size()
        if rect.isEmpty() or size.width() < MIN_VIEW_WIDTH:
            return
        inner = QRectF(0, 0, size.width(), size.height()).marginsRemoved(margins)
        fitting = (
            min(inner.width() / rect.width(), inner.height() / rect.height()) / self.interface_scale
        )
        self.zoom = min(max(fitting, MIN_ZOOM), max_zoom)
        self.offset = _rounded(inner.center() - rect.center() * self.scale)
        self.zoomed.emit(self.zoom)

    def show_at(self, place: Place) -> None:
        """Show the sheet at a place that was chosen before."""
        if place != (self.offset, self.scale):
            self.offset, self.zoom = place.offset, place.scale / self.interface_scale
            self.zoomed.emit(self.zoom)

    def bring_into_view(self, rect: QRectF, extra_shift: Callable[[], QPointF]) -> None:
        """Scroll a rectangle into view, then by `extra_shift`; emit one shift for both."""
        before = self.offset
        self.offset = _rounded(self.offset + _into_view(rect, self.uncovered_area) * self.scale)
        self.offset = _rounded(self.offset + extra_shift())  # it depends on the offset
        self._emit_shift(before)

    def pull(self, at: QPointF) -> QPointF:
        """Return the scroll distance for a pointer at the border of the view or beyond it."""
        size, point = self._view_size(), at.toPoint()
        return QPointF(_pull(point.x(), size.width()), _pull(point.y(), size.height()))

    def _emit_shift(self, before: QPointF) -> None:
        shift = (self.offset - before).toPoint()
        if not shift.isNull():
            self.shifted.emit(shift)


def _into_view(rect: QRectF, area: QRectF) -> QPointF:
    """Return the smallest shift of the sheet that brings a rectangle into the visible area."""
    # right or down where it begins before the area, else left or up where it ends behind it
    x = max(area.left() - rect.left(), 0.0) or min(area.right() - rect.right(), 0.0)
    y = max(area.top() - rect.top(), 0.0) or min(area.bottom() - rect.bottom(), 0.0)
    return QPointF(x, y)


def _pull(at: int, length: int) -> float:
    """Return the scroll distance along one axis for a pointer at `at` in a view of this length."""
    if at < BORDER:
        return min(MAX_PULL, (BORDER - at) / 2)
    if at > length - BORDER:
        return -min(MAX_PULL, (at - length + BORDER) / 2)
    return 0.0


def _rounded(point: QPointF) -> QPointF:
    """Round a point to whole px, so that scrolled pixels can be copied exactly."""
    return QPointF(round(point.x()), round(point.y()))


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
_LEAST_HELD = 0.75
"""A room's view of a graph holds still down to this share of the largest scale that fits."""
MIN_PRESENTED_NUMBER = 0.033
"""Minimum font size of numbers as a share of the view's height; below it a graph in a single row is
wrapped into rows."""
STEP_MARGIN = 16.0
"""Screen px between a followed step and the edge of the view."""
MARK_MARGIN = 4.0
"""Screen px between the marks of a ripple and the edge of the view.

A ripple is the effect of a small change of one node, marked on all nodes that depend on it."""
MAX_STEP_SHARE = 0.9
"""Size of receiver, label and firing node together, as a share of the view's, up to which a step
scrolls all of them into view; larger steps leave the firing node out, then the label."""


def place_before_room(scene: Scene, size: QSizeF, held: Place | None = None) -> Place:
    """Return where a room of this size sees a sheet whole, or the group that a question opens.

    That is the place of before, if `held`, while all is in view and large enough there: else the
    graph would jump between two steps that show it, for a mistake's rows or a longer number.
    """
    layout, view = scene.node_layout, QRectF(QPointF(), size)
    # a room reads the numbers around a question: of a sheet that a group opens, the group
    bounds = united(layout.groups.frames.values()) if layout.visible.opens else scene.bounds()
    margins = PRESENTATION_MARGINS * (size.width() / PRESENTATION_WIDTH)
    inner = view.marginsRemoved(margins)
    wide, high = max(bounds.width(), 1.0), max(bounds.height(), 1.0)
    scale = max(min(inner.width() / wide, inner.height() / high), MIN_ZOOM)
    if held is not None and held.scale >= _LEAST_HELD * scale:
        corner = bounds.topLeft() * held.scale + held.offset
        seen = QRectF(corner, bounds.size() * held.scale)
        if view.marginsRemoved(margins * 0.5).contains(seen):
            return held
    return Place(_rounded(inner.center() - bounds.center() * scale), scale)


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
        self._named: frozenset[int] | None = None
        """The nodes that a question about the followed step names, or None without a question."""
        self._followed_generation = scene.generation
        """The layout generation of the scene when a step was last followed."""
        self.palette: FoldablePalette | None = None
        """The palette, if it can fold to widen the canvas."""
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

    def fit_all(self, *, least: Detail = Detail.SHAPES, holds: bool = False) -> None:
        """Show everything, as large as it fits; repeated when the view is resized.

        Where it fits only with less than the `least` detail, the view scrolls. A presented one
        `holds` still, where it can.
        """
        self.about_to_fit.emit()
        self._scene.wrap_for(self.viewport)  # may change the bounds
        camera, bounds = self._camera, self._scene.bounds()
        if bounds.isEmpty():  # a fit of nothing keeps the zoom: the first node appears at 100 %
            camera.set_zoom(1.0)
            if self.palette is not None and not is_presented():
                self.palette.prefer_rail(rail=False)
        if is_presented():
            if not bounds.isEmpty() and camera.size.width() >= MIN_VIEW_WIDTH:
                held = Place(camera.offset, camera.scale) if holds else None
                camera.show_at(place_before_room(self._scene, QSizeF(camera.size), held))
        else:
            self._fold_palette_if_unreadable(bounds)
            camera.fit(bounds, self._margins, MAX_FIT_ZOOM)
            # unreadable: fit within narrow margins, but no larger than readable needs
            if camera.scale < scale_for_text_size(READABLE):
                narrow = self._beside_controls(NARROW_MARGINS) + self._flag_margins
                # `interface_scale` is the scale at zoom 1, which text size and display set
                camera.fit(bounds, narrow, scale_for_text_size(READABLE) / camera.interface_scale)
            if self._scene.detail(camera.scale) < least:
                camera.set_zoom(self._scene.least_scale(least) / camera.interface_scale)
                self._bring_step_into_view()
        camera.repeated_fit = self.fit_all  # last, as `set_zoom` clears it
        self.bring_ripple_into_view()

    def fit_new(self) -> None:
        """Show a new sheet whole, or where its numbers would not be seen, its end to be read."""
        self.fit_all()
        if self._scene.detail(self._camera.scale) >= Detail.NUMBERS or is_presented():
            return
        self.fit_all(least=Detail.RESULTS)
        root = self._document.graph.root
        if root is not None and self._step is None:
            self.show_node(root)

    def bring_ripple_into_view(self) -> None:
        """Scroll the marks of a ripple into view, after a fit of everything."""
        union = united(self.marks())
        if not union.isEmpty() and self._is_fitted:
            edge = MARK_MARGIN / self._camera.scale
            # the minimap may cover marks: no shift, QPointF() is (0, 0)
            self._camera.bring_into_view(union.adjusted(-edge, -edge, edge, edge), QPointF)
            if self._named is not None:  # marks farther away than fits leave the question in view
                self._bring_step_into_view()

    def set_covered_width(self, wide: int) -> None:
        """Fit everything left of a panel that covers the right edge; 0 if none does."""
        if wide != self._camera.covered_width:
            self._camera.covered_width = wide
            self.refit()
            self._bring_step_into_view()

    def beside_panel(self, margins: QMarginsF) -> QMarginsF:
        """Return margins without the width of a panel that covers the right edge."""
        return margins + QMarginsF(0, 0, self._camera.covered_width, 0)

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
        if self._is_fitted and not self.shows_all:
            self.fit_again()

    def refit(self, shown: Detail = Detail.SHAPES) -> None:
        """Fit everything again after texts have got other widths, unless the view was moved.

        `shown` is the detail before the layout changed.
        """
        if self._is_fitted:
            self.fit_again(shown)

    def fit_again(self, shown: Detail = Detail.SHAPES) -> None:
        """Show everything, but with no less detail of the same sheet than was shown.

        Without a pass numbers count, captions don't; a question is read whole.
        """
        if is_presented():
            self.fit_all(holds=True)
            return
        detail = max(shown, self._scene.detail(self._camera.scale))
        if self._scene.looks.frame.phase == "live":
            self.fit_all(least=Detail.NUMBERS if detail >= Detail.NUMBERS else Detail.SHAPES)
            return
        if self._named is not None:
            detail = max(detail, Detail.RESULTS)
        self.fit_all(least=detail if detail >= Detail.RESULTS else Detail.SHAPES)

    def fit_selection(self) -> None:
        """Show the selection, or everything if nothing is selected."""
        selection, scene = self._selection, self._scene
        frames = map(scene.node_layout.groups.rect, selection.frames)
        bounds = united([scene.bounds(selection.nodes), *frames])
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
        if not rect.isEmpty() and not self._camera.uncovered_area.contains(rect):
            self._camera.bring_to_middle(rect.center())

    def show_nodes(self, nodes: Iterable[int]) -> None:
        """Bring nodes into view if they are not visible, zooming out if needed."""
        rect = self._scene.bounds(nodes)
        if not rect.isEmpty() and not self._camera.uncovered_area.contains(rect):
            self._camera.fit(self._scene.bounds(), self.beside_panel(MARGINS))

    def show_groups(self, numbers: Iterable[int]) -> None:
        """Bring groups into view if they are not visible."""
        rect = united(map(self._scene.node_layout.groups.rect, numbers))
        if not rect.isEmpty() and not self._camera.uncovered_area.contains(rect):
            self._zoom_to(rect)

    def repeat_fit(self) -> bool:
        """Repeat the last fit, after a resize, unless the user has panned or zoomed
        since; return whether it did."""
        fit = self._camera.repeated_fit
        if fit is not None:
            (self.fit_again if self._is_fitted and not is_presented() else fit)()
        return fit is not None

    @property
    def shows_all(self) -> bool:
        """Return whether everything is in view."""
        return self._scene.lies_in(self._camera.uncovered_area)

    def follow(self, now: ViewState) -> None:
        """Keep the firing node, the receiving node and the label of a step in view.

        Of a question it is the step that is asked about. A view that shows everything does not
        scroll. A fit of everything is repeated if the layout has changed since the last step and
        left something out of view.
        """
        previous, self._followed_generation = self._followed_generation, self._scene.generation
        step, asked = now.frame.current, now.asked_step
        self._named = None if asked is None else now.asked_nodes
        if asked is not None:
            self._step = asked
        elif step is not None:
            self._step = (step.node, step.wire if isinstance(step, Event) else None)
        if self._is_fitted and previous != self._scene.generation:
            self.refit_if_cut_off()
        if self._camera.follows and not self.shows_all:
            self._bring_step_into_view()

    def toggle_follow(self) -> None:
        """Let the view follow the step, or stay; one that shows all too small comes closer."""
        is_far = self.shows_all and self._scene.detail(self._camera.scale) < Detail.RESULTS
        self._camera.let_follow(is_far or not self._camera.follows)
        if is_far:
            self.fit_all(least=Detail.RESULTS)

    def forget_step(self) -> None:
        """Forget the step of the pass that has been left."""
        self._step = self._named = None

    # private

    @property
    def _is_fitted(self) -> bool:
        """Return whether everything was fitted, and the view not moved since."""
        return self._camera.repeated_fit == self.fit_all

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

    def _bring_step_into_view(self) -> None:
        if self._step is not None:
            if self._named is not None and self._is_fitted and not is_presented():
                self._zoom_out_to_step(*self._step)
            self._camera.bring_into_view(*self._step_area(*self._step))

    def _zoom_out_to_step(self, receiver: int, wire: Wire | None) -> None:
        """Make a question fit the view, with text that can still be read."""
        camera, rect = self._camera, self._scene.bounds((receiver, *(wire or ())[:1]))
        label = None if wire is None else self._scene.labels.rect(wire)
        size, space = rect.united(label or rect).size(), camera.uncovered_area.size()
        share = MAX_STEP_SHARE * min(space.width() / size.width(), space.height() / size.height())
        least = self._scene.least_scale(Detail.RESULTS)
        if share < 1.0 and camera.scale > least:
            camera.set_zoom(max(camera.scale * share, least) / camera.interface_scale)
            camera.repeated_fit = self.fit_all  # which `set_zoom` clears

    def _step_area(self, receiver: int, wire: Wire | None) -> tuple[QRectF, Callable[[], QPointF]]:
        """Return a step's rectangle with its margin, and the shift that clears the minimap."""
        rect = self._step_rect(receiver, wire)
        firing = rect if wire is None else self._scene.bounds((wire[0],))
        area = rect.adjusted(-STEP_MARGIN, -STEP_MARGIN, STEP_MARGIN, STEP_MARGIN)
        return area, lambda: self._shift_from_minimap(rect, firing)

    def _step_rect(self, receiver: int, wire: Wire | None) -> QRectF:
        """Return the rectangle of the receiver, with label, firing node and nodes that a question
        names, where they fit."""
        rect = self._scene.bounds((receiver,))
        label = None if wire is None else self._scene.labels.rect(wire)
        firing = None if wire is None else self._scene.bounds((wire[0],))
        space = self._camera.uncovered_area.size() * MAX_STEP_SHARE
        for more in (label, firing, *(self._scene.bounds((n,)) for n in self._named or ())):
            wider = rect if more is None else rect.united(more)
            if wider.width() < space.width() and wider.height() < space.height():
                rect = wider
        return rect

    def _shift_from_minimap(self, *rects: QRectF) -> QPointF:
        """Return the shift that moves the first covered rectangle out from under the minimap."""
        shifts = (self.clearance(self._camera.rect_on_screen(rect)) for rect in rects)
        return next((shift for shift in shifts if not shift.isNull()), QPointF())
