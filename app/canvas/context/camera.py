"""Camera: zoom factor and scroll offset; maps between sheet px and screen px.

It knows nothing of the sheet's content. `repeated_fit` is called when the view is resized, to fit
the same content again; any manual pan or zoom clears it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QMarginsF, QObject, QPoint, QPointF, QRect, QRectF, QSize, Signal

from app.document.sheet import Point
from app.style.current import Style

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
        self.offset = QPointF(40, 40)
        """Where the sheet has its origin in the view, in px; a small margin until the first fit."""
        self.repeated_fit: Callable[[], None] | None = None

    @property
    def unit(self) -> float:
        """Return the interface scale, the size of everything at 100 % zoom."""
        return self._style.scale

    @property
    def control_scale(self) -> float:
        """Return the size of controls over the view, which a small window limits."""
        return self._style.control_scale

    @property
    def follows(self) -> bool:
        """Return whether the user lets the view follow the step."""
        return self._style.follow

    @property
    def scale(self) -> float:
        """Return screen px per sheet px."""
        return self.zoom * self._style.scale

    @property
    def visible_area(self) -> QRectF:
        """Return the visible part of the sheet."""
        size, scale = self._view_size(), self.scale
        corner = self.to_sheet(QPointF(0, 0))
        return QRectF(corner.x(), corner.y(), size.width() / scale, size.height() / scale)

    @property
    def screen_centre(self) -> QPointF:
        """Return the centre of the view, in screen px."""
        return QPointF(QRect(QPoint(0, 0), self._view_size()).center())

    @property
    def sheet_centre(self) -> Point:
        """Return the point of the sheet at the centre of the view."""
        screen_centre = self.visible_area.center()
        return (screen_centre.x(), screen_centre.y())

    def to_sheet(self, point: QPointF) -> QPointF:
        """Map a screen point to the sheet."""
        return (point - self.offset) / self.scale

    def to_screen(self, point: QPointF) -> QPointF:
        """Map a sheet point to the screen."""
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
        """Scroll a sheet point to the centre of the view."""
        self.pan_by(self.screen_centre - self.to_screen(point))

    # used by framing

    def fit(self, rect: QRectF, margins: QMarginsF, max_zoom: float = 1.0) -> None:
        """Show a sheet rectangle within margins in px, as large as fits, at `max_zoom` at most.

        It is centred in the space within the margins.
        """
        size = self._view_size()
        if rect.isEmpty() or size.width() < MIN_VIEW_WIDTH:
            return
        inner = QRectF(0, 0, size.width(), size.height()).marginsRemoved(margins)
        fitting = min(inner.width() / rect.width(), inner.height() / rect.height()) / self.unit
        self.zoom = min(max(fitting, MIN_ZOOM), max_zoom)
        self.offset = _rounded(inner.center() - rect.center() * self.scale)
        self.zoomed.emit(self.zoom)

    def bring_in(self, rect: QRectF, extra_shift: Callable[[], QPointF]) -> None:
        """Scroll a rectangle into view, then by `extra_shift`; emit one shift for both."""
        before = self.offset
        self.offset = _rounded(self.offset + _into_view(rect, self.visible_area) * self.scale)
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
