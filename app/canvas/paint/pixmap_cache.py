"""PixmapCache: pixmaps of drawn parts, with a budget of new drawings per frame."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap

BUDGET_AFTER_VIEW_CHANGE = 2.0
"""Cost of new drawings in a frame with other changes; a node with all its texts costs 1."""
BUDGET_PER_FRAME = 8.0
"""The same in a frame that only completes the one before."""
MIN_CAPACITY = 4_000_000
"""Least capacity, in px, however small the screen is."""
CAPACITY_IN_SCREENS = 2
"""Capacity as a multiple of the px of a large screen."""

Point = tuple[float, float]


class View(NamedTuple):
    """One frame: the wiring, the area of the sheet, its scale, and the looks of all in it."""

    structure: object
    """The wiring; views are compared, and a new one means another graph."""
    area: QRectF
    scale: float
    looks: object
    """Anything that differs when a look does."""


class CachedPixmap(NamedTuple):
    """A pixmap and the scale at which it was drawn."""

    pixmap: QPixmap
    scale: float


class PixmapCache:
    """Pixmaps by key, each at one scale, for one style; the least recently used are dropped first.

    A frame on the screen draws new pixmaps within its budget and defers the others to the frames
    after it. In areas that were complete in the last frame at the same scale nothing is deferred,
    so a number that changes never vanishes; nor is anything in a picture.
    """

    def __init__(self) -> None:
        self._pixmaps: OrderedDict[Hashable, CachedPixmap] = OrderedDict()
        """The least recently used first."""
        self._size, self._capacity = 0, MIN_CAPACITY
        """In px of all pixmaps."""
        self._style: object = None
        """The settings on which all pixmaps depend: theme, sizes, notation."""
        self.ratio = 1.0
        """Device pixel ratio of the screen."""
        self._view: View | None = None
        self._complete_area = QRectF()
        """The area of the sheet that was complete in the last frame and is still in view."""
        self._budget = math.inf
        self._new_size = 0
        """Number of px drawn for the view since it changed."""
        self._ground_key: object = None
        self._ground: QPixmap | None = None
        self.has_deferred = False
        """Whether the screen lacks something that is deferred to the next frames."""

    def set_screen(self, style: object, pixels: float, ratio: float) -> None:
        """Set the style of the sheet, the number of px and device pixel ratio of the screen."""
        self._capacity = max(MIN_CAPACITY, round(CAPACITY_IN_SCREENS * pixels))
        if (style, ratio) != (self._style, self.ratio):
            self._style, self.ratio = style, ratio
            self.clear()

    def begin_frame(self, view: View, repaints_all: bool) -> None:
        """Begin a frame on the screen, of all of the view or, unless `repaints_all`, of a part.

        The first frame of a wiring defers nothing; nor does a view that exceeds the capacity, which
        would never be complete.
        """
        before, self._view = self._view, view
        rewired = before is None or before.structure is not view.structure
        # 1. the area that the last frame left complete; something is deferred until the next frame
        #    that repaints all
        if before is None or rewired or before.scale != view.scale:
            self._complete_area = QRectF()
        elif self.has_deferred:
            self._complete_area = self._complete_area.intersected(view.area)
        else:
            self._complete_area = before.area
        if view != before:
            self._new_size = 0
        # 2. the budget of this frame
        if rewired or self._new_size > self._capacity:
            self._budget = math.inf
        else:
            self._budget = BUDGET_PER_FRAME if view == before else BUDGET_AFTER_VIEW_CHANGE
        if repaints_all:
            self.has_deferred = False

    def begin_picture(self) -> None:
        """Begin a picture apart from the screen, in which nothing is deferred."""
        self._budget = math.inf

    def cost(self, area: QRectF, cost: float) -> float:
        """Return the cost of a new drawing in an area of the sheet; 0 if it can't be deferred."""
        return 0.0 if self._budget == math.inf or self._complete_area.intersects(area) else cost

    def draw(
        self,
        painter: QPainter,
        key: Hashable,
        at: Point,
        make: Callable[[], QPixmap],
        scale: float = 1.0,
        cost: float = 0.0,
    ) -> bool:
        """Draw the pixmap of a key at a point in px; False if none exists and it is deferred.

        While it is deferred, the pixmap of another scale is drawn resized.
        """
        cached = self._pixmaps.get(key)
        if cached is not None and cached.scale == scale:
            self._pixmaps.move_to_end(key)
            painter.drawPixmap(whole_px(*at, self.ratio), cached.pixmap)
            return True
        if cost and self._is_deferred(cost):
            if cached is not None:
                target = whole_px(*at, self.ratio)
                _draw_resized(painter, target, cached.pixmap, scale / cached.scale)
            return cached is not None
        pixmap = make()
        self._store(key, pixmap, scale)
        painter.drawPixmap(whole_px(*at, self.ratio), pixmap)
        return True

    def draw_ground(
        self, painter: QPainter, key: object, size: QSize, paint: Callable[[QPainter], None]
    ) -> None:
        """Draw the ground of the view, from a pixmap once its key is that of the frame before.

        So a ground that changes in every frame never costs a pixmap. Without a key, as while the
        view moves, it is always painted.
        """
        if key is None or key != self._ground_key:
            self._ground_key, self._ground = key, None
            paint(painter)
            return
        if self._ground is None:
            self._ground = self.new_pixmap(size.width(), size.height(), paint, opaque=True)
        painter.drawPixmap(0, 0, self._ground)

    def new_pixmap(
        self, wide: float, high: float, paint: Callable[[QPainter], None], opaque: bool = False
    ) -> QPixmap:
        """Return a pixmap of this size in px, painted with its corner as origin."""
        # 1 px more, since the drawing may begin within a px and be rounded at both ends
        pixmap = QPixmap(round(wide * self.ratio) + 1, round(high * self.ratio) + 1)
        pixmap.setDevicePixelRatio(self.ratio)
        if not opaque:
            pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint(painter)
        return pixmap

    def clear(self) -> None:
        """Drop all pixmaps."""
        self._pixmaps.clear()
        self._size, self._ground = 0, None

    # private

    def _is_deferred(self, cost: float) -> bool:
        if self._budget > 0:
            self._budget -= cost
            return False
        self.has_deferred = True
        return True

    def _store(self, key: Hashable, pixmap: QPixmap, scale: float) -> None:
        self._drop(key)
        self._pixmaps[key] = CachedPixmap(pixmap, scale)
        size = pixmap.width() * pixmap.height()
        self._size += size
        self._new_size += size
        while self._size > self._capacity and len(self._pixmaps) > 1:
            self._drop(next(iter(self._pixmaps)))

    def _drop(self, key: Hashable) -> None:
        cached = self._pixmaps.pop(key, None)
        if cached is not None:
            self._size -= cached.pixmap.width() * cached.pixmap.height()


def whole_px(x: float, y: float, ratio: float) -> QPointF:
    """Return the nearest point of whole device px, where pixels stay sharp."""
    return QPointF(round(x * ratio) / ratio, round(y * ratio) / ratio)


def _draw_resized(painter: QPainter, at: QPointF, pixmap: QPixmap, factor: float) -> None:
    smooth = QPainter.RenderHint.SmoothPixmapTransform
    painter.setRenderHint(smooth)
    target = QRectF(at, pixmap.deviceIndependentSize() * factor)
    painter.drawPixmap(target, pixmap, QRectF(pixmap.rect()))
    painter.setRenderHint(smooth, False)
