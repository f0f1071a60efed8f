"""Pixmaps of nodes, kept by what they show, how large, and on what screen."""

from __future__ import annotations

from collections import OrderedDict

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPixmap

from app.canvas.geometry import Box
from app.canvas.look import NodeLook
from app.canvas.paint_node import MARGIN, paint_node
from app.canvas.stage import Stage
from app.style.theme import Theme

KEPT = 800


class NodePixmaps:
    """Paints nodes from pixmaps; a node that looks like one before is not drawn again."""

    def __init__(self) -> None:
        self._kept: OrderedDict[object, QPixmap] = OrderedDict()

    def paint(
        self, painter: QPainter, stage: Stage, node: int, theme: Theme, scale: float, ratio: float
    ) -> None:
        """Paint one node where it stands; the painter is scaled by `scale`."""
        box = stage.boxes[node]
        pixmap = self._pixmap(stage.node(node), box, theme, scale, ratio)
        corner = painter.transform().map(QPointF(box.x - MARGIN, box.y - MARGIN))
        painter.save()
        painter.resetTransform()
        # on whole device pixels, so that writing stays sharp
        at = QPointF(round(corner.x() * ratio) / ratio, round(corner.y() * ratio) / ratio)
        painter.drawPixmap(at, pixmap)
        painter.restore()

    def clear(self) -> None:
        """Forget all pixmaps."""
        self._kept.clear()

    def _pixmap(
        self, look: NodeLook, box: Box, theme: Theme, scale: float, ratio: float
    ) -> QPixmap:
        key = (look, box.w, box.h, box.left, theme.name, round(scale, 4), ratio)
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
            return found
        wide, high = (box.w + 2 * MARGIN) * scale, (box.h + 2 * MARGIN) * scale
        found = QPixmap(round(wide * ratio) + 1, round(high * ratio) + 1)
        found.setDevicePixelRatio(ratio)
        found.fill(Qt.GlobalColor.transparent)
        painter = QPainter(found)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(scale, scale)
        painter.translate(MARGIN, MARGIN)
        paint_node(painter, look, box.w, box.h, box.left, theme)
        painter.end()
        self._kept[key] = found
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found
