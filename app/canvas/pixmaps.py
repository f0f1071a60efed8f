"""Pixmaps of nodes, kept by what they show, how large, and on what screen."""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPixmap

from app.canvas.geometry import Box
from app.canvas.look import NodeLook
from app.canvas.paint_node import MARGIN, body_look, paint_body, paint_numbers
from app.canvas.stage import Stage
from app.style.theme import Theme

KEPT = 1500


class _Surface(NamedTuple):
    """What a pixmap is drawn for."""

    theme: Theme
    scale: float
    ratio: float


class NodePixmaps:
    """Paints nodes: the body from a pixmap, the numbers written over it.

    A body is drawn once for all nodes that look alike, so a slider's ticks and steps, which
    change numbers, draw no body anew.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[object, QPixmap] = OrderedDict()

    def paint(
        self, painter: QPainter, stage: Stage, node: int, theme: Theme, scale: float, ratio: float
    ) -> None:
        """Paint one node where it stands; the painter is scaled by `scale`."""
        box, look = stage.boxes[node], stage.node(node)
        bare = body_look(look)
        key = (bare, box.w, box.h, box.left, theme.name, round(scale, 4), ratio)
        body = self._kept.get(key)
        if body is None:
            body = self._draw(key, bare, box, _Surface(theme, scale, ratio))
        corner = _put(painter, box, body, ratio)
        painter.save()
        painter.resetTransform()  # to where the pixmap lies, on whole pixels
        painter.translate(corner)
        painter.scale(scale, scale)
        painter.translate(MARGIN, MARGIN)
        paint_numbers(painter, look, box.w, box.left, theme)
        painter.restore()

    def clear(self) -> None:
        """Forget all pixmaps."""
        self._kept.clear()

    def _draw(self, key: object, look: NodeLook, box: Box, surface: _Surface) -> QPixmap:
        scale, ratio = surface.scale, surface.ratio
        wide, high = (box.w + 2 * MARGIN) * scale, (box.h + 2 * MARGIN) * scale
        found = QPixmap(round(wide * ratio) + 1, round(high * ratio) + 1)
        found.setDevicePixelRatio(ratio)
        found.fill(Qt.GlobalColor.transparent)
        painter = QPainter(found)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(scale, scale)
        painter.translate(MARGIN, MARGIN)
        paint_body(painter, look, box.w, box.h, box.left, surface.theme)
        painter.end()
        self._keep(key, found)
        return found

    def _keep(self, key: object, pixmap: QPixmap) -> None:
        self._kept[key] = pixmap
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)


def _put(painter: QPainter, box: Box, pixmap: QPixmap, ratio: float) -> QPointF:
    """Paint a node's pixmap; returns where its corner is on the screen."""
    corner = painter.transform().map(QPointF(box.x - MARGIN, box.y - MARGIN))
    painter.save()
    painter.resetTransform()
    # on whole device pixels, so that writing stays sharp
    at = QPointF(round(corner.x() * ratio) / ratio, round(corner.y() * ratio) / ratio)
    painter.drawPixmap(at, pixmap)
    painter.restore()
    return at
