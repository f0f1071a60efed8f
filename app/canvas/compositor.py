"""Compositor: paints the canvas from back to front and reuses pictures of unchanged layers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Protocol

from PySide6.QtCore import QPointF, QRect, QRectF, QTimer
from PySide6.QtGui import QPainter, QPixmap, QPolygonF, QRegion
from PySide6.QtWidgets import QWidget

from app.canvas.animation import Motion
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.input.drop import PaletteDrop
from app.canvas.input.keyboard_navigation import KeyboardNavigation
from app.canvas.input.mouse import Mouse
from app.canvas.overlay.selection_rings import paint_empty, paint_selection
from app.canvas.paint.painter import (
    SILHOUETTE_SCALE,
    Emphasis,
    ground_key,
    is_crowded,
    paint_above,
    paint_ground,
)
from app.canvas.paint.part_painter import CachedPartPainter
from app.canvas.paint.pixmap_cache import PixmapCache, View
from app.style import sizes
from app.style.strokes import pen
from app.style.theme import Theme


class Backdrop:
    """The canvas colour with dots every 24 px, fewer when zoomed out; one row of dots is cached."""

    def __init__(self) -> None:
        self._key: object = None
        self._rows: dict[bool, QPixmap] = {}

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
        while step * scale < 14:
            step *= 4
        step *= scale
        ratio = painter.device().devicePixelRatioF()
        phase, begin = offset.x(), 0.0
        if (step * ratio).is_integer():  # then a row shifted by one step has the same pixels
            phase, begin = 0.0, offset.x() % step - step
        key = (phase, step, wide, theme.name, ratio)
        if key != self._key:
            self._key, self._rows = key, {}
        first = math.floor((exposed.top() - 2 - offset.y()) / step)
        last = math.ceil((exposed.bottom() + 2 - offset.y()) / step)
        for row in range(first, last + 1):
            y = (offset.y() + row * step) * ratio
            between = 0.187 < y - math.floor(y) < 0.813  # then dots lie between pixel rows
            top = math.floor(y) if between else round(y)
            if between not in self._rows:
                down = 0.5 if between else 0.0
                room = wide + 2 * math.ceil(step)
                self._rows[between] = _row(phase, step, room, theme, ratio, down)
            painter.drawPixmap(QPointF(begin, (top - 2) / ratio), self._rows[between])


def _row(phase: float, step: float, wide: int, theme: Theme, ratio: float, down: float) -> QPixmap:
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


WASTE = 150_000
"""Area in px whose painting takes as long as starting another rectangle."""


def is_on_screen(painter: QPainter, widget: QWidget) -> bool:
    """Return whether a painter draws a widget on the screen, not into a picture of it."""
    if not widget.isVisible():
        return False
    return painter.paintEngine().paintDevice() is widget.backingStore().paintDevice()


def paint_region(
    painter: QPainter, region: QRegion, paint: Callable[[QPainter, QRectF], None]
) -> None:
    """Call `paint` for each rectangle of a widget's exposed region.

    Within a clip region of several rectangles Qt draws every line ten times slower than within one
    rectangle, so each rectangle is painted separately.
    """
    rects: Iterable[QRect] = region  # type: ignore[assignment]  # its stubs lack __iter__
    ratio = painter.device().devicePixelRatioF()
    apart = region.rectCount() > 1 and ratio.is_integer()
    for rect in together(rects):
        if apart:
            patch = QPixmap(rect.size() * ratio)
            patch.setDevicePixelRatio(ratio)
            with QPainter(patch) as inner:
                inner.translate(-rect.topLeft())
                _paint_one(inner, rect, paint)
            painter.save()
            for part in rects:
                if rect.contains(part):
                    painter.setClipRect(part)
                    painter.drawPixmap(rect.topLeft(), patch)
            painter.restore()
        else:
            painter.save()
            _paint_one(painter, rect, paint)
            painter.restore()


def _paint_one(painter: QPainter, rect: QRect, paint: Callable[[QPainter, QRectF], None]) -> None:
    painter.setClipRect(rect)  # even where it is all there is: without a clip lines are slow
    paint(painter, QRectF(rect))


def together(rects: Iterable[QRect]) -> list[QRect]:
    """Merge rectangles that are close to each other: fewer are painted faster."""
    found: list[QRect] = []
    for rect in rects:
        grown = rect
        for other in [*found]:
            both = grown.united(other)
            if _pixels(both) - _pixels(grown) - _pixels(other) < WASTE:
                found.remove(other)
                grown = both
        found.append(grown)
    return found


def _pixels(rect: QRect) -> int:
    return rect.width() * rect.height()


class Painted(Protocol):
    """A layer of the canvas that is painted over the nodes."""

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
        self._over: list[Painted] = [mouse, palette_drop, keyboard, motion]
        self._motion = motion
        self._cache = PixmapCache()
        self._backdrop = Backdrop()
        self._crowded = False
        self._ground_place: object = None
        """Where the ground was last painted."""
        self._next_frame = QTimer(canvas.widget, singleShot=True, interval=0)
        self._next_frame.timeout.connect(canvas.repaint.everything)

    def add(self, layer: Painted) -> None:
        """Paint another layer over all others."""
        self._over.append(layer)

    @property
    def is_whole(self) -> bool:
        """Return whether the screen shows everything, with nothing left for the next frames."""
        return not self._cache.has_deferred

    def paint(self, painter: QPainter, region: QRegion) -> None:
        """Paint a region of the widget."""
        canvas, area = self._canvas, self._canvas.camera.visible_area
        scale, widget = canvas.camera.scale, canvas.widget
        on_screen = is_on_screen(painter, widget)
        repaints_all = on_screen and canvas.repaint.take_everything()
        if scale >= SILHOUETTE_SCALE and is_crowded(canvas.scene, area) != self._crowded:
            self._crowded = not self._crowded
            canvas.repaint.everything()  # wires are drawn alike all over the canvas
        size, ratio = widget.size(), widget.devicePixelRatioF()
        pixels = size.width() * size.height() * ratio**2
        self._cache.set_screen(canvas.style.sheet_settings, pixels, ratio)
        if on_screen:
            view = View(canvas.scene.sheet.graph.structure, area, scale, canvas.scene.looks)
            self._cache.begin_frame(view, repaints_all)
        else:
            self._cache.begin_picture()
        parts = CachedPartPainter(self._cache, canvas.theme, scale)
        paint = partial(self._paint, emphasis=self._emphasis(), parts=parts)
        paint_region(painter, region, paint)
        if self._cache.has_deferred:
            self._next_frame.start()

    # private

    def _emphasis(self) -> Emphasis:
        hover = self._mouse.hover.current
        return Emphasis(
            hover.wire if hover.part in ("wire", "label") else None,
            self._mouse.hidden,
            self._motion.running_wire,
            self._crowded,
            self._mouse.fading or self._keyboard.fading,
            self._motion.rippled,
        )

    def _paint(
        self, painter: QPainter, exposed: QRectF, emphasis: Emphasis, parts: CachedPartPainter
    ) -> None:
        canvas, hover = self._canvas, self._mouse.hover.current
        camera = canvas.camera
        area = QRectF(camera.to_sheet(exposed.topLeft()), camera.to_sheet(exposed.bottomRight()))
        self._paint_ground(painter, exposed, area, emphasis, parts)
        painter.save()
        self._look_at_sheet(painter)
        paint_above(painter, canvas.scene, area, parts, emphasis)
        paint_selection(painter, canvas, area, hover, self._keyboard.shows_focus_ring)
        for part in self._over:
            part.paint(painter)
        painter.restore()
        if canvas.document.empty:
            paint_empty(painter, QRectF(canvas.widget.rect()), canvas.style)

    def _paint_ground(
        self,
        painter: QPainter,
        exposed: QRectF,
        area: QRectF,
        emphasis: Emphasis,
        parts: CachedPartPainter,
    ) -> None:
        """Paint the background, its dots and the wires; from a pixmap if all of it stays."""
        scene, theme = self._canvas.scene, self._canvas.theme
        camera, size = self._canvas.camera, self._canvas.widget.size()

        def paint(on: QPainter) -> None:
            if self._canvas.style.presented:
                on.fillRect(exposed, theme.canvas)
            else:
                self._backdrop.paint(on, exposed, size.width(), camera.offset, camera.scale, theme)
            on.save()
            self._look_at_sheet(on)
            paint_ground(on, scene, area, parts, emphasis)
            on.restore()

        if exposed.size().toSize() != size:
            paint(painter)
            return
        where, before = (camera.place, size), self._ground_place
        self._ground_place = where
        stays = where == before and camera.scale >= SILHOUETTE_SCALE
        key = ground_key(scene, area, emphasis) if stays else None
        self._cache.draw_ground(painter, key, size, paint)

    def _look_at_sheet(self, painter: QPainter) -> None:
        """Set the painter's transform to sheet coordinates."""
        painter.translate(self._canvas.camera.offset)
        painter.scale(self._canvas.camera.scale, self._canvas.camera.scale)
