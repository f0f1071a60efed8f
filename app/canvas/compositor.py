"""Compositor: paints the canvas from back to front and reuses pictures of unchanged layers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from PySide6.QtCore import QRectF, QTimer
from PySide6.QtGui import QPainter, QPixmap, QRegion

from app.canvas.animation.motion import Motion
from app.canvas.appearance.detail import Detail
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.input.drop import PaletteDrop
from app.canvas.input.keyboard_navigation import KeyboardNavigation
from app.canvas.input.mouse import Mouse
from app.canvas.overlay.selection_rings import paint_empty, paint_selection
from app.canvas.paint.arrivals import Arrivals, View, at_once
from app.canvas.paint.background import Backdrop, BackgroundCache
from app.canvas.paint.node_cache import NodeCache
from app.canvas.paint.painter import (
    BATCHED,
    Emphasis,
    Painters,
    ground_key,
    is_crowded,
    label_wires,
    paint_above,
    paint_ground,
    paint_labels,
)
from app.canvas.paint.pixmaps import Surface
from app.canvas.paint.regions import is_on_screen, paint_region
from app.controls.slices import Slices, Work
from engine.graph import Wire

PAUSE = 60
"""Time in ms without another step or view after which what the next step will show is drawn."""


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
        self._pixmaps = NodeCache()
        self._backdrop = Backdrop()
        self._ground = BackgroundCache()
        self._crowded = False
        canvas.style.changed.connect(self._pixmaps.clear)
        self._ahead_of: object = None
        """The frame and the view from which the next step leads there."""
        self._ahead = Slices(canvas.widget, budget=4)
        self._arrivals = Arrivals()
        self._soon = QTimer(canvas.widget)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._draw_late)

    def add(self, layer: Painted) -> None:
        """Paint another layer over all others."""
        self._over.append(layer)

    @property
    def is_whole(self) -> bool:
        """Return whether the screen shows everything, with nothing left for the next frames."""
        return self._arrivals.all_drawn

    def paint(self, painter: QPainter, region: QRegion) -> None:
        """Paint a region of the widget."""
        canvas, area = self._canvas, self._canvas.camera.visible_area
        size, ratio = canvas.widget.size(), canvas.widget.devicePixelRatioF()
        self._pixmaps.fit(size.width() * size.height() * ratio**2)
        near = canvas.camera.scale >= BATCHED
        if near and is_crowded(canvas.scene, area) != self._crowded:
            self._crowded = not self._crowded
            canvas.repaint.everything()  # wires are drawn alike all over the canvas
        may_wait = at_once
        if is_on_screen(painter, canvas.widget):
            structure = canvas.scene.sheet.graph.structure
            self._arrivals.begin(View(structure, area, canvas.camera.scale))
            may_wait = self._arrivals.may_wait
            self._soon.start(0)
        with self._pixmaps.leaving_out(may_wait):
            paint = partial(self._paint, emphasis=self._emphasis(), painters=self._painters())
            paint_region(painter, region, paint)
        in_pass = near and canvas.playback.frame.phase == "backward"
        if in_pass and self._ahead_of != self._seen:
            self._ahead_of = self._seen
            self._ahead.start(self._draw_ahead(), after=PAUSE)

    # private

    def _draw_late(self) -> None:
        """Paint again if something has been left out."""
        if self._arrivals.take_late():
            self._canvas.repaint.everything()

    def _draw_ahead(self) -> Work:
        """Draw the nodes and labels that come into view with the next step."""
        if self._ahead_of != self._seen:  # it is painted first
            return
        for draw in reversed(self._next_view()):
            draw()
            yield
            if self._ahead_of != self._seen:
                return

    def _next_view(self) -> list[Callable[[], None]]:
        """Return what draws each node and each label of the view after the next step."""
        canvas, scene = self._canvas, self._canvas.scene
        area, scale = canvas.framing.next_area(canvas.playback.frame), canvas.camera.scale
        if area is None or scene.detail(scale) < Detail.RESULTS:
            return []
        seen, emphasis, painters = canvas.camera.visible_area, self._emphasis(), self._painters()

        def label(wire: Wire) -> None:
            pixel = QPixmap(1, 1)
            with QPainter(pixel) as nowhere:
                nowhere.scale(scale, scale)
                paint_labels(nowhere, scene, [wire], scale, emphasis, painters)

        nodes = set(scene.node_index.within(area)) - set(scene.node_index.within(seen))
        wires = set(label_wires(scene, area)) - set(label_wires(scene, seen))
        prepare = partial(self._pixmaps.prepare, scene=scene, surface=self._surface)
        return [partial(label, wire) for wire in wires] + [partial(prepare, n) for n in nodes]

    @property
    def _seen(self) -> object:
        """Return what the next view depends on: the step, and what is seen now."""
        canvas = self._canvas
        return id(canvas.playback.frame), canvas.camera.visible_area.getRect(), canvas.theme.name

    @property
    def _surface(self) -> Surface:
        canvas = self._canvas
        return Surface(canvas.theme, canvas.camera.scale, canvas.widget.devicePixelRatioF())

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

    def _painters(self) -> Painters:
        """Return what paints nodes and labels from the cache."""
        scene, surface = self._canvas.scene, self._surface
        return Painters(
            surface.theme,
            partial(self._pixmaps.paint, scene=scene, surface=surface),
            partial(self._pixmaps.paint_label, surface=surface),
            partial(self._pixmaps.label_waits, scene=scene),
        )

    def _paint(
        self, painter: QPainter, exposed: QRectF, emphasis: Emphasis, painters: Painters
    ) -> None:
        canvas, hover = self._canvas, self._mouse.hover.current
        corner, end = exposed.topLeft(), exposed.bottomRight()
        area = QRectF(canvas.camera.to_sheet(corner), canvas.camera.to_sheet(end))
        self._paint_ground(painter, exposed, area, emphasis)
        painter.save()
        self._look_at_sheet(painter)
        paint_above(painter, canvas.scene, area, canvas.camera.scale, emphasis, painters)
        paint_selection(painter, canvas, area, hover, self._keyboard.walks)
        for part in self._over:
            part.paint(painter)
        painter.restore()
        if canvas.document.empty:
            paint_empty(painter, QRectF(canvas.widget.rect()), canvas.style)

    def _paint_ground(
        self, painter: QPainter, exposed: QRectF, area: QRectF, emphasis: Emphasis
    ) -> None:
        """Paint the background, its dots and the wires."""
        scene, theme = self._canvas.scene, self._canvas.theme
        offset, scale, size = (
            self._canvas.camera.offset,
            self._canvas.camera.scale,
            self._canvas.widget.size(),
        )

        def draw(on: QPainter) -> None:
            if self._canvas.style.presented:
                on.fillRect(exposed, theme.canvas)
            else:
                self._backdrop.paint(on, exposed, size.width(), offset, scale, theme)
            on.save()
            self._look_at_sheet(on)
            paint_ground(on, scene, theme, area, scale, emphasis)
            on.restore()

        if scale < BATCHED or exposed.size().toSize() != size:
            draw(painter)
            return
        where = (offset.toTuple(), scale, size, theme.name)
        looks = partial(ground_key, scene, area, emphasis)
        self._ground.paint(painter, size, where, looks, draw)

    def _look_at_sheet(self, painter: QPainter) -> None:
        """Set the painter's transform to sheet coordinates."""
        painter.translate(self._canvas.camera.offset)
        painter.scale(self._canvas.camera.scale, self._canvas.camera.scale)
