"""Pixmaps of nodes, kept by what they show, how large, and on what screen."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPixmap

from app.canvas.geometry import Box
from app.canvas.look import NodeLook
from app.canvas.paint_node import MARGIN, body_look, paint_body, paint_node, paint_numbers
from app.canvas.stage import Stage
from app.style.theme import Theme

Paint = Callable[[QPainter, NodeLook, float, float, float, Theme], None]

KEPT = 1500


class _Surface(NamedTuple):
    """What a pixmap is drawn for."""

    theme: Theme
    scale: float
    ratio: float


class NodePixmaps:
    """Paints nodes from pixmaps; a node that looks like one before is not drawn again.

    A look that is new is painted as the pixmap of its body with the numbers written over it;
    only one that comes again gets a pixmap of its own. So a slider's ticks, which change every
    number, draw no body anew.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[object, QPixmap | None] = OrderedDict()

    def paint(
        self, painter: QPainter, stage: Stage, node: int, theme: Theme, scale: float, ratio: float
    ) -> None:
        """Paint one node where it stands; the painter is scaled by `scale`."""
        box, look = stage.boxes[node], stage.node(node)
        surface = _Surface(theme, scale, ratio)
        shape = (box.w, box.h, box.left, theme.name, round(scale, 4), ratio)
        key = (look, *shape)
        if key in self._kept:
            whole = self._kept[key] or self._draw(key, look, box, surface, paint_node)
            _put(painter, box, whole, ratio)
            return
        self._keep(key, None)
        bare = body_look(look)
        body_key = ("body", bare, *shape)
        body = self._kept.get(body_key)
        if body is None:
            body = self._draw(body_key, bare, box, surface, paint_body)
        _put(painter, box, body, ratio)
        painter.save()
        painter.translate(box.x, box.y)
        paint_numbers(painter, look, box.w, box.left, theme)
        painter.restore()

    def clear(self) -> None:
        """Forget all pixmaps."""
        self._kept.clear()

    def _draw(
        self, key: object, look: NodeLook, box: Box, surface: _Surface, paint: Paint
    ) -> QPixmap:
        scale, ratio = surface.scale, surface.ratio
        wide, high = (box.w + 2 * MARGIN) * scale, (box.h + 2 * MARGIN) * scale
        found = QPixmap(round(wide * ratio) + 1, round(high * ratio) + 1)
        found.setDevicePixelRatio(ratio)
        found.fill(Qt.GlobalColor.transparent)
        painter = QPainter(found)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(scale, scale)
        painter.translate(MARGIN, MARGIN)
        paint(painter, look, box.w, box.h, box.left, surface.theme)
        painter.end()
        self._keep(key, found)
        return found

    def _keep(self, key: object, pixmap: QPixmap | None) -> None:
        self._kept[key] = pixmap
        self._kept.move_to_end(key)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)


def _put(painter: QPainter, box: Box, pixmap: QPixmap, ratio: float) -> None:
    corner = painter.transform().map(QPointF(box.x - MARGIN, box.y - MARGIN))
    painter.save()
    painter.resetTransform()
    # on whole device pixels, so that writing stays sharp
    at = QPointF(round(corner.x() * ratio) / ratio, round(corner.y() * ratio) / ratio)
    painter.drawPixmap(at, pixmap)
    painter.restore()
