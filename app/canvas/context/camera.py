"""Camera: zoom factor and scroll offset, the map between sheet px and screen px.

It knows nothing of what stands on the sheet. `kept` is a way to look that is taken again when the
view gets another size, until someone looks elsewhere by hand.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, QSize, Signal

from app.document.sheet import Point
from app.style.current import Style

SMALLEST, LARGEST = 0.05, 4.0
LEAST_ROOM = 50
"""A narrower view has not got its size yet: nothing is fitted to it."""
BORDER = 28
"""So near to the border, in pixels, the pointer pulls the view along."""
FASTEST_PULL = 24.0


class Camera(QObject):
    """Maps points between sheet and screen, and changes what is seen."""

    zoomed = Signal(float)
    """One looks at this zoom now, and everything may lie elsewhere."""
    shifted = Signal(QPoint)
    """The sheet lies so many pixels farther; what stays in view looks as it did."""

    def __init__(
        self, style: Style, room: Callable[[], QSize], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._room = room
        self.zoom = 1.0
        self.offset = QPointF(40, 40)
        self.kept: Callable[[], None] | None = None

    @property
    def unit(self) -> float:
        """The size of everything, apart from the zoom."""
        return self._style.scale

    @property
    def scale(self) -> float:
        """Screen pixels per pixel of the sheet."""
        return self.zoom * self._style.scale

    @property
    def visible_area(self) -> QRectF:
        """The part of the sheet that is seen."""
        size, scale = self._room(), self.scale
        corner = self.to_sheet(QPointF(0, 0))
        return QRectF(corner.x(), corner.y(), size.width() / scale, size.height() / scale)

    @property
    def middle(self) -> QPointF:
        """The point of the screen in the middle of the view."""
        return QPointF(QRect(QPoint(0, 0), self._room()).center())

    @property
    def centre(self) -> Point:
        """The point of the sheet in the middle of the view."""
        middle = self.visible_area.center()
        return (middle.x(), middle.y())

    def to_sheet(self, point: QPointF) -> QPointF:
        """The point of the sheet under a point of the screen."""
        return (point - self.offset) / self.scale

    def to_screen(self, point: QPointF) -> QPointF:
        """The point of the screen above a point of the sheet."""
        return point * self.scale + self.offset

    def rect_on_screen(self, rect: QRectF) -> QRectF:
        """The rectangle of the screen above a rectangle of the sheet."""
        return QRectF(self.to_screen(rect.topLeft()), rect.size() * self.scale)

    # zooming and panning by hand

    def set_zoom(self, zoom: float, about: QPointF | None = None) -> None:
        """Set the zoom, keeping a point of the screen (its middle) where it is."""
        self.kept = None
        point = self.middle if about is None else about
        below = self.to_sheet(point)
        self.zoom = min(max(zoom, SMALLEST), LARGEST)
        self.offset = _whole(point - below * self.scale)
        self.zoomed.emit(self.zoom)

    def zoom_by(self, factor: float, about: QPointF | None = None) -> None:
        """Zoom in or out about a point of the screen."""
        self.set_zoom(self.zoom * factor, about)

    def pan_by(self, pixels: QPointF) -> None:
        """Shift the sheet on the screen by whole pixels."""
        self.kept = None
        before = self.offset
        self.offset = before + QPointF(pixels.toPoint())
        self._tell_shift(before)

    def bring_to_middle(self, point: QPointF) -> None:
        """Shift a point of the sheet to the middle of the view."""
        self.pan_by(self.middle - self.to_screen(point))

    # set by framing

    def fit(self, rect: QRectF, margin: float, most: float = 1.0) -> None:
        """Show a rectangle of the sheet with margins, as large as it fits but never larger."""
        size = self._room()
        if rect.isEmpty() or size.width() < LEAST_ROOM:
            return
        area = rect.adjusted(-margin, -margin, margin, margin)
        fitting = min(size.width() / area.width(), size.height() / area.height()) / self.unit
        self.zoom = min(max(fitting, SMALLEST), most)
        self.offset = _whole(self.middle - area.center() * self.scale)
        self.zoomed.emit(self.zoom)

    def bring_in(self, rect: QRectF, aside: Callable[[], QPointF]) -> None:
        """Shift as little as brings a rectangle into view, then by `aside`; told as one shift."""
        before = self.offset
        self.offset = _whole(before + _into_view(rect, self.visible_area) * self.scale)
        self.offset = _whole(self.offset + aside())
        self._tell_shift(before)

    def pull(self, at: QPointF) -> QPointF:
        """How far the view moves along while the pointer is at its border, or beyond it."""
        size, point = self._room(), at.toPoint()
        return QPointF(_pull(point.x(), size.width()), _pull(point.y(), size.height()))

    def _tell_shift(self, before: QPointF) -> None:
        shift = (self.offset - before).toPoint()
        if not shift.isNull():
            self.shifted.emit(shift)


def _into_view(rect: QRectF, area: QRectF) -> QPointF:
    """The least shift of the sheet that brings a rectangle into the visible area."""
    x = max(area.left() - rect.left(), 0.0) or min(area.right() - rect.right(), 0.0)
    y = max(area.top() - rect.top(), 0.0) or min(area.bottom() - rect.bottom(), 0.0)
    return QPointF(x, y)


def _pull(at: int, length: int) -> float:
    if at < BORDER:
        return min(FASTEST_PULL, (BORDER - at) / 2)
    if at > length - BORDER:
        return -min(FASTEST_PULL, (at - length + BORDER) / 2)
    return 0.0


def _whole(point: QPointF) -> QPointF:
    """A point on whole pixels, so that scrolling copies exactly."""
    return QPointF(round(point.x()), round(point.y()))
