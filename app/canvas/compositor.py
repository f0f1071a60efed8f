"""Compositor: paints the canvas from back to front.

Backdrop, wires and nodes come from cached pixmaps while they are unchanged. The functions after it
split an exposed region into rectangles, which Qt paints faster.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Protocol

from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QPainter, QPixmap, QPolygonF, QRegion

from app.canvas.animation import Motion
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.input.drop import PaletteDrop
from app.canvas.input.keyboard_navigation import KeyboardNavigation
from app.canvas.input.mouse import Mouse
from app.canvas.overlay.selection_rings import paint_empty, paint_selection
from app.canvas.paint.painter import (
    SILHOUETTE_SCALE,
    CachedPartPainter,
    Emphasis,
    PartPainter,
    ground_key,
    is_crowded,
    paint_above,
    paint_ground,
)
from app.canvas.paint.pixmap_cache import PixmapCache
from app.canvas.scene.hit_test import NO_HIT
from app.style import sizes
from app.style.strokes import pen
from app.style.theme import Theme


class Layer(Protocol):
    """A layer of the canvas that is painted over the nodes, such as Mouse or RippleMarks."""

    def paint(self, painter: QPainter, /) -> None:
        """Paint it, in sheet coordinates."""
        ...


class Compositor:
    """Paints all layers of one canvas, from back to front."""

    def __init__(
        self,
        canvas: CanvasContext,
        mouse: Mouse,
        keyboard: KeyboardNavigation,
        palette_drop: PaletteDrop,
        motion: Motion,
    ) -> None:
        self._canvas = canvas
        self._mouse = mouse
        self._keyboard = keyboard
        self._layers: list[Layer] = [mouse, palette_drop, keyboard, motion]
        self._motion = motion
        self._cache = PixmapCache()
        self._backdrop = Backdrop()
        self._crowded = False
        """Whether so many wires are in view that most of them are hairlines."""
        self._last_ground_view: object = None
        """Camera place and size of the last painted ground."""

    def add(self, layer: Layer) -> None:
        """Paint another layer over those added before; CanvasView and the window add some."""
        self._layers.append(layer)

    def paint(self, painter: QPainter, region: QRegion) -> None:
        """Paint a region of the widget."""
        canvas, area = self._canvas, self._canvas.camera.visible_area
        scale, widget = canvas.camera.scale, canvas.widget
        if scale >= SILHOUETTE_SCALE and is_crowded(canvas.scene, area) != self._crowded:
            self._crowded = not self._crowded
            # in the next frame too, since all wires change between curves and hairlines
            canvas.repaint.everything()
        size, ratio = widget.size(), widget.devicePixelRatioF()
        pixels = size.width() * size.height() * ratio**2
        self._cache.set_screen(canvas.style.sheet_settings, pixels, ratio)
        parts = CachedPartPainter(self._cache, canvas.theme, scale)
        paint = partial(self._paint, emphasis=self._emphasis(), parts=parts)
        paint_region(painter, region, paint)

    def paint_below_layers(self, painter: QPainter) -> None:
        """Paint what is in view without pixmaps, so that a scaled painter keeps it sharp.

        It is in screen px and has no layers: those change more often, see `paint_layers`.
        """
        canvas, area = self._canvas, self._canvas.camera.visible_area
        parts = PartPainter(canvas.theme, canvas.camera.scale)
        still = Emphasis(crowded=is_crowded(canvas.scene, area))
        painter.save()
        self._use_sheet_coordinates(painter)
        paint_ground(painter, canvas.scene, area, parts, still)
        paint_above(painter, canvas.scene, area, parts, still)
        paint_selection(painter, canvas, area, NO_HIT, shows_focus=False)
        painter.restore()

    def paint_layers(self, painter: QPainter) -> None:
        """Paint the layers over a copy, in screen px."""
        painter.save()
        self._use_sheet_coordinates(painter)
        for layer in self._layers:
            layer.paint(painter)
        painter.restore()

    # private

    def _emphasis(self) -> Emphasis:
        hover = self._mouse.hover.current
        return Emphasis(
            hovered=hover.wire if hover.part in ("wire", "label") else None,
            hidden=self._mouse.hidden,
            running=self._motion.running_wire,
            crowded=self._crowded,
            fading=self._mouse.fading or self._keyboard.fading,
            ripple_progress=self._motion.ripple_progress,
        )

    def _paint(
        self, painter: QPainter, exposed: QRectF, emphasis: Emphasis, parts: CachedPartPainter
    ) -> None:
        canvas, hover = self._canvas, self._mouse.hover.current
        camera = canvas.camera
        area = QRectF(camera.to_sheet(exposed.topLeft()), camera.to_sheet(exposed.bottomRight()))
        self._paint_ground(painter, exposed, area, emphasis, parts)
        painter.save()
        self._use_sheet_coordinates(painter)
        paint_above(painter, canvas.scene, area, parts, emphasis)
        paint_selection(painter, canvas, area, hover, self._keyboard.shows_focus_ring)
        for layer in self._layers:
            layer.paint(painter)
        painter.restore()
        if canvas.document.empty:
            covered = canvas.camera.covered_width
            area = QRectF(canvas.widget.rect()).adjusted(0, 0, -covered, 0)
            paint_empty(painter, area, canvas.style)

    def _paint_ground(
        self,
        painter: QPainter,
        exposed: QRectF,
        area: QRectF,
        emphasis: Emphasis,
        parts: CachedPartPainter,
    ) -> None:
        """Paint the background, its dots and the wires; from a pixmap if the view stays."""
        scene, theme = self._canvas.scene, self._canvas.theme
        camera, size = self._canvas.camera, self._canvas.widget.size()

        def paint(on: QPainter) -> None:
            if self._canvas.style.presented:
                on.fillRect(exposed, theme.canvas)
            else:
                self._backdrop.paint(on, exposed, size.width(), camera.offset, camera.scale, theme)
            on.save()
            self._use_sheet_coordinates(on)
            paint_ground(on, scene, area, parts, emphasis)
            on.restore()

        if exposed.size().toSize() != size:
            paint(painter)  # a part of the canvas is not worth a pixmap of all of it
            return
        view, last_view = (camera.state, size), self._last_ground_view
        self._last_ground_view = view
        stays = view == last_view and camera.scale >= SILHOUETTE_SCALE
        key = ground_key(scene, area, emphasis) if stays else None
        self._cache.draw_ground(painter, key, size, paint)

    def _use_sheet_coordinates(self, painter: QPainter) -> None:
        """Set the painter's transform to sheet coordinates."""
        painter.translate(self._canvas.camera.offset)
        painter.scale(self._canvas.camera.scale, self._canvas.camera.scale)


MIN_DOT_DISTANCE = 14
"""Distance of the dots of the grid in px on the screen; closer ones would look like a grey area."""


class Backdrop:
    """The canvas colour and the dots of the grid, fewer when zoomed out; one row of dots is cached.

    A cached row is drawn at whole device px, since a pixmap at a fraction of one would be blurred.
    """

    def __init__(self) -> None:
        self._key: object = None
        self._dot_rows: dict[bool, QPixmap] = {}
        """Dots on a pixel row; under True, dots between two pixel rows."""

    def paint(
        self,
        painter: QPainter,
        exposed: QRectF,
        wide: int,
        offset: QPointF,
        scale: float,
        theme: Theme,
    ) -> None:
        """Paint the exposed part, in screen px; the sheet's origin is at `offset`."""
        painter.fillRect(exposed, theme.canvas)
        step = float(sizes.GRID)
        while step * scale < MIN_DOT_DISTANCE:
            step *= 4  # of a square of 4 × 4 dots one stays
        step *= scale
        ratio = painter.device().devicePixelRatioF()
        phase, left = offset.x(), 0.0
        if (step * ratio).is_integer():  # a pan then only shifts the row, so one is enough
            phase, left = 0.0, offset.x() % step - step
        key = (phase, step, wide, theme.name, ratio)
        if key != self._key:
            self._key, self._dot_rows = key, {}
        first = math.floor((exposed.top() - 2 - offset.y()) / step)
        last = math.ceil((exposed.bottom() + 2 - offset.y()) / step)
        for row in range(first, last + 1):
            y = (offset.y() + row * step) * ratio
            # dots nearer to the border of two pixel rows than to a middle are painted between them
            between = 0.187 < y - math.floor(y) < 0.813
            top = math.floor(y) if between else round(y)
            if between not in self._dot_rows:
                down = 0.5 if between else 0.0
                row_width = wide + 2 * math.ceil(step)  # one step over at each side
                self._dot_rows[between] = _dot_row(phase, step, row_width, theme, ratio, down)
            # the dots lie 2 device px below the top of their pixmap
            painter.drawPixmap(QPointF(left, (top - 2) / ratio), self._dot_rows[between])


def _dot_row(
    phase: float, step: float, wide: int, theme: Theme, ratio: float, down: float
) -> QPixmap:
    """Return one row of dots with a dot at `phase`, shifted down by `down` device px."""
    row = QPixmap(math.ceil(wide * ratio), math.ceil(4 * ratio))
    row.setDevicePixelRatio(ratio)
    row.fill(theme.canvas)
    first = math.floor(-phase / step)
    count = math.ceil(wide / step) + 2
    dots = [QPointF(phase + (first + k) * step, (2 + down) / ratio) for k in range(count)]
    painter = QPainter(row)
    painter.setPen(pen(theme.grid, 1.6))
    painter.drawPoints(QPolygonF(dots))
    painter.end()
    return row


RECT_OVERHEAD = 150_000
"""Area in px whose painting takes as long as the fixed costs of painting one more rectangle."""


def paint_region(
    painter: QPainter, region: QRegion, paint: Callable[[QPainter, QRectF], None]
) -> None:
    """Call `paint` for each rectangle of a widget's exposed region.

    Within a clip region of several rectangles Qt draws every line ten times slower than within one
    rectangle, so each rectangle is painted separately.
    """
    rects: Iterable[QRect] = region  # type: ignore[assignment]  # its stubs lack __iter__
    ratio = painter.device().devicePixelRatioF()
    # a pixmap has whole device px; at a fractional ratio its edges would show as seams
    through_pixmap = region.rectCount() > 1 and ratio.is_integer()
    for rect in merged_rects(rects):
        if through_pixmap:
            patch = QPixmap(rect.size() * ratio)
            patch.setDevicePixelRatio(ratio)
            with QPainter(patch) as inner:
                inner.translate(-rect.topLeft())
                _paint_clipped(inner, rect, paint)
            painter.save()
            for part in rects:  # only the exposed parts of a merged rectangle
                if rect.contains(part):
                    painter.setClipRect(part)
                    painter.drawPixmap(rect.topLeft(), patch)
            painter.restore()
        else:
            painter.save()
            _paint_clipped(painter, rect, paint)
            painter.restore()


def _paint_clipped(
    painter: QPainter, rect: QRect, paint: Callable[[QPainter, QRectF], None]
) -> None:
    painter.setClipRect(rect)  # even if it is the whole widget: Qt draws unclipped lines slowly
    paint(painter, QRectF(rect))


def merged_rects(rects: Iterable[QRect]) -> list[QRect]:
    """Merge rectangles if painting the area between them is cheaper than one more rectangle."""
    found: list[QRect] = []
    for rect in rects:
        grown = rect
        for other in [*found]:
            both = grown.united(other)
            if _pixel_count(both) - _pixel_count(grown) - _pixel_count(other) < RECT_OVERHEAD:
                found.remove(other)
                grown = both
        found.append(grown)
    return found


def _pixel_count(rect: QRect) -> int:
    return rect.width() * rect.height()
