"""Compositor: paints the canvas from back to front, and reuses pictures of what did not change."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QRegion

from app.canvas.animation.motion import Motion
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.input.drop import PaletteDrop
from app.canvas.input.keyboard_navigation import KeyboardNavigation
from app.canvas.input.mouse import Mouse
from app.canvas.overlay.overlay import Overlay
from app.canvas.overlay.selection_rings import Backdrop, paint_empty, paint_selection
from app.canvas.paint.background_cache import BackgroundCache
from app.canvas.paint.node_cache import NodeCache
from app.canvas.paint.painter import BATCHED, CROWD, Emphasis, ground_key, paint_above, paint_ground
from app.canvas.paint.region_painter import paint_region


class Painted(Protocol):
    """A part of the canvas that is painted over the nodes."""

    def paint(self, painter: QPainter, /) -> None:
        """Draw it, in the coordinates of the sheet."""
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
        overlay: Overlay,
    ) -> None:
        self._canvas = canvas
        self._mouse = mouse
        self._keyboard = keyboard
        self._over: tuple[Painted, ...] = (mouse, palette_drop, keyboard, motion)
        self._motion = motion
        self._overlay = overlay
        self._pixmaps = NodeCache()
        self._backdrop = Backdrop()
        self._ground = BackgroundCache()
        self._crowded = False
        canvas.style.changed.connect(self._pixmaps.clear)

    def paint(self, painter: QPainter, region: QRegion) -> None:
        """Paint a region of the widget."""
        self._overlay.refresh()
        self._see_crowd()
        paint_region(painter, region, self._paint)

    # private

    def _see_crowd(self) -> None:
        """Draw wires alike all over the canvas, by how many there are in it."""
        if self._canvas.camera.scale < BATCHED:
            return
        near = self._canvas.scene.wire_index.within(self._canvas.camera.visible_area)
        crowded = len(near) > CROWD
        if crowded != self._crowded:
            self._crowded = crowded
            self._canvas.repaint.everything()

    def _paint(self, painter: QPainter, exposed: QRectF) -> None:
        canvas, hover = self._canvas, self._mouse.hover.current
        corner, end = exposed.topLeft(), exposed.bottomRight()
        area = QRectF(canvas.camera.to_sheet(corner), canvas.camera.to_sheet(end))
        wire = hover.wire if hover.part in ("wire", "label") else None
        hidden, running = self._mouse.hidden, self._motion.run
        emphasis = Emphasis(wire, hidden, self._paint_node, running, self._crowded)
        self._paint_ground(painter, exposed, area, emphasis)
        painter.save()
        self._look_at_sheet(painter)
        paint_above(painter, canvas.scene, canvas.theme, area, canvas.camera.scale, emphasis)
        paint_selection(painter, canvas, area, hover, self._keyboard.walks)
        for part in self._over:
            part.paint(painter)
        painter.restore()
        if canvas.document.empty:
            paint_empty(painter, QRectF(canvas.widget.rect()), canvas.style)
        self._overlay.paint(painter, exposed)

    def _paint_ground(
        self, painter: QPainter, exposed: QRectF, area: QRectF, emphasis: Emphasis
    ) -> None:
        """Draw the canvas, its dots and the wires."""
        scene, theme = self._canvas.scene, self._canvas.theme
        offset, scale, size = (
            self._canvas.camera.offset,
            self._canvas.camera.scale,
            self._canvas.widget.size(),
        )

        def draw(on: QPainter) -> None:
            self._backdrop.paint(on, exposed, size.width(), offset, scale, theme)
            on.save()
            self._look_at_sheet(on)
            paint_ground(on, scene, theme, area, scale, emphasis)
            on.restore()

        if scale < BATCHED or exposed.size().toSize() != size:
            draw(painter)
            return
        looks = ground_key(scene, area, emphasis)
        where = (offset.toTuple(), scale, size, theme.name)
        self._ground.paint(painter, size, looks and (looks, where), draw)

    def _look_at_sheet(self, painter: QPainter) -> None:
        """Let a painter draw in the coordinates of the sheet."""
        painter.translate(self._canvas.camera.offset)
        painter.scale(self._canvas.camera.scale, self._canvas.camera.scale)

    def _paint_node(self, painter: QPainter, node: int) -> None:
        canvas, ratio = self._canvas, self._canvas.widget.devicePixelRatioF()
        self._pixmaps.paint(
            painter, canvas.scene, node, canvas.theme, self._canvas.camera.scale, ratio
        )
