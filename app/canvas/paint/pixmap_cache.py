"""PixmapCache: pixmaps of drawn parts."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap

MIN_CAPACITY = 4_000_000
"""Least capacity, in px, however small the screen is."""
CAPACITY_IN_SCREENS = 2
"""Capacity as a multiple of the px of a large screen."""

Point = tuple[float, float]


class PixmapCache:
    """Pixmaps by key, for one style; the least recently used are dropped first."""

    def __init__(self) -> None:
        self._pixmaps: OrderedDict[Hashable, QPixmap] = OrderedDict()
        """The least recently used first."""
        self._size, self._capacity = 0, MIN_CAPACITY
        """In px of all pixmaps."""
        self._style: object = None
        """The settings on which all pixmaps depend: theme, sizes, notation."""
        self.ratio = 1.0
        """Device pixel ratio of the screen."""
        self._ground_key: object = None
        self._ground: QPixmap | None = None

    def set_screen(self, style: object, pixels: float, ratio: float) -> None:
        """Set the style of the sheet, the number of px and device pixel ratio of the screen."""
        self._capacity = max(MIN_CAPACITY, round(CAPACITY_IN_SCREENS * pixels))
        if (style, ratio) != (self._style, self.ratio):
            self._style, self.ratio = style, ratio
            self.clear()

    def draw(
        self, painter: QPainter, key: Hashable, at: Point, make: Callable[[], QPixmap]
    ) -> None:
        """Draw the pixmap of a key at a point in px; it is made if there is none."""
        pixmap = self._pixmaps.get(key)
        if pixmap is None:
            pixmap = self._pixmaps[key] = make()
            self._size += pixmap.width() * pixmap.height()
            while self._size > self._capacity and len(self._pixmaps) > 1:
                _key, dropped = self._pixmaps.popitem(last=False)
                self._size -= dropped.width() * dropped.height()
        self._pixmaps.move_to_end(key)
        painter.drawPixmap(whole_px(*at, self.ratio), pixmap)

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


def whole_px(x: float, y: float, ratio: float) -> QPointF:
    """Return the nearest point of whole device px, where pixels stay sharp."""
    return QPointF(round(x * ratio) / ratio, round(y * ratio) / ratio)
