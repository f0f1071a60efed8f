"""Pixmaps of nodes, kept by what they show, how large, and on what screen."""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPixmap

from app.canvas.appearance.look import NodeLook
from app.canvas.layout.geometry import Box
from app.canvas.paint.nodes import (
    MARGIN,
    body_look,
    numbers_inside,
    paint_badge,
    paint_body,
    paint_numbers,
)
from app.canvas.scene.scene import Scene
from app.style.theme import Theme

KEPT = 4_000_000
"""So many pixels are kept, those of about two screens."""
FEW = 400
"""For so many nodes it is remembered how they looked last."""


class _Surface(NamedTuple):
    """What a pixmap is drawn for."""

    theme: Theme
    scale: float
    ratio: float

    @property
    def key(self) -> tuple[str, float, float]:
        """By which pixmaps for it are found."""
        return (self.theme.name, self.scale, self.ratio)


class NodeCache:
    """Paints nodes from pixmaps: one of the whole node, made from one of its body.

    A body is drawn once for all nodes that look alike, so a slider's ticks and steps, which
    change numbers, draw no body anew. A node that looks as it did when it was painted last is
    kept whole, and only copied to the screen from then on.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[object, QPixmap] = OrderedDict()
        self._size = 0
        self._looks: dict[int, tuple[NodeLook, object]] = {}

    def paint(
        self, painter: QPainter, scene: Scene, node: int, theme: Theme, scale: float, ratio: float
    ) -> None:
        """Paint one node where it stands; the painter is scaled by `scale`."""
        box, look = scene.boxes[node], scene.node(node)
        surface = _Surface(theme, scale, ratio)
        whole = self._whole(node, look, box, surface)
        painter.save()
        _to_corner(painter, box, ratio)
        painter.drawPixmap(QPointF(), whole or self._body(look, box, surface))
        painter.scale(scale, scale)
        painter.translate(MARGIN, MARGIN)
        if whole is None:
            paint_numbers(painter, look, box.w, box.left, theme)
        paint_badge(painter, look, box.w, theme)
        painter.restore()

    def clear(self) -> None:
        """Forget all pixmaps."""
        self._kept.clear()
        self._looks.clear()
        self._size = 0

    def _whole(self, node: int, look: NodeLook, box: Box, surface: _Surface) -> QPixmap | None:
        """The body of a node with its numbers, if it looks as it did last."""
        shape, last = (box.w, box.h, box.left, *surface.key), self._looks.get(node)
        if last is None or last[0] is not look or last[1] != shape:
            if len(self._looks) > FEW:
                self._looks.clear()
            self._looks[node] = (look, shape)
            self._drop(node)
            return None
        found = self._kept.get(node)
        if found is not None:
            self._kept.move_to_end(node)
        elif numbers_inside(look, box.w):
            found = self._body(look, box, surface).copy()
            painter = _begin(found, surface)
            paint_numbers(painter, look, box.w, box.left, surface.theme)
            painter.end()
            self._keep(node, found)
        return found

    def _body(self, look: NodeLook, box: Box, surface: _Surface) -> QPixmap:
        """The body of a node, drawn anew only if no node has had it."""
        bare = body_look(look)
        key = (bare, box.w, box.h, box.left, surface.key)
        found = self._kept.get(key)
        if found is None:
            found = _blank(box, surface)
            painter = _begin(found, surface)
            paint_body(painter, bare, box.w, box.h, box.left, surface.theme)
            painter.end()
            self._keep(key, found)
        else:
            self._kept.move_to_end(key)
        return found

    def _keep(self, key: object, pixmap: QPixmap) -> None:
        self._kept[key] = pixmap
        self._size += _pixels(pixmap)
        while self._size > KEPT and len(self._kept) > 1:
            self._drop(next(iter(self._kept)))

    def _drop(self, key: object) -> None:
        found = self._kept.pop(key, None)
        if found is not None:
            self._size -= _pixels(found)


def _blank(box: Box, surface: _Surface) -> QPixmap:
    """A pixmap for a node and all that reaches beyond it, with nothing on it."""
    scale, ratio = surface.scale, surface.ratio
    wide, high = (box.w + 2 * MARGIN) * scale, (box.h + 2 * MARGIN) * scale
    found = QPixmap(round(wide * ratio) + 1, round(high * ratio) + 1)
    found.setDevicePixelRatio(ratio)
    found.fill(Qt.GlobalColor.transparent)
    return found


def _begin(pixmap: QPixmap, surface: _Surface) -> QPainter:
    """A painter that draws a node at its origin."""
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(surface.scale, surface.scale)
    painter.translate(MARGIN, MARGIN)
    return painter


def _pixels(pixmap: QPixmap) -> int:
    return pixmap.width() * pixmap.height()


def _to_corner(painter: QPainter, box: Box, ratio: float) -> None:
    """Let a painter draw in screen pixels from where a node's pixmap begins.

    That is on whole device pixels, so that writing stays sharp.
    """
    corner = painter.transform().map(QPointF(box.x - MARGIN, box.y - MARGIN))
    painter.resetTransform()
    painter.translate(round(corner.x() * ratio) / ratio, round(corner.y() * ratio) / ratio)
