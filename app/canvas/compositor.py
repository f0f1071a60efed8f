"""Compositor: paints the canvas from back to front and reuses pictures of unchanged layers."""

from __future__ import annotations

from functools import partial
from typing import Protocol

from PySide6.QtCore import QRectF, QTimer
from PySide6.QtGui import QPainter, QRegion

from app.canvas.animation.motion import Motion
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.input.drop import PaletteDrop
from app.canvas.input.keyboard_navigation import KeyboardNavigation
from app.canvas.input.mouse import Mouse
from app.canvas.overlay.selection_rings import paint_empty, paint_selection
from app.canvas.paint.background import Backdrop
from app.canvas.paint.painter import (
    BATCHED,
    Emphasis,
    ground_key,
    is_crowded,
    paint_above,
    paint_ground,
)
from app.canvas.paint.part_painter import CachedPartPainter
from app.canvas.paint.pixmap_cache import PixmapCache, View
from app.canvas.paint.regions import is_on_screen, paint_region


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
        if scale >= BATCHED and is_crowded(canvas.scene, area) != self._crowded:
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
        paint_selection(painter, canvas, area, hover, self._keyboard.walks)
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
        stays = where == before and camera.scale >= BATCHED
        key = ground_key(scene, area, emphasis) if stays else None
        self._cache.draw_ground(painter, key, size, paint)

    def _look_at_sheet(self, painter: QPainter) -> None:
        """Set the painter's transform to sheet coordinates."""
        painter.translate(self._canvas.camera.offset)
        painter.scale(self._canvas.camera.scale, self._canvas.camera.scale)
