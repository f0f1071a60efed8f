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

KEPT = 4_000_000
"""So many pixels are kept, those of about two screens."""
FEW = 400
"""For so many nodes the body they had last is remembered."""


class _Surface(NamedTuple):
    """What a pixmap is drawn for."""

    theme: str
    scale: float
    ratio: float


class NodePixmaps:
    """Paints nodes: the body from a pixmap, the numbers written over it.

    A body is drawn once for all nodes that look alike, so a slider's ticks and steps, which
    change numbers, draw no body anew.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[object, QPixmap] = OrderedDict()
        self._size = 0
        self._bodies: dict[int, tuple[NodeLook, Box, _Surface, QPixmap]] = {}

    def paint(
        self, painter: QPainter, stage: Stage, node: int, theme: Theme, scale: float, ratio: float
    ) -> None:
        """Paint one node where it stands; the painter is scaled by `scale`."""
        box, look = stage.boxes[node], stage.node(node)
        surface = _Surface(theme.name, scale, ratio)
        body = self._last(node, look, box, surface) or self._draw(node, look, box, surface, theme)
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
        self._bodies.clear()
        self._size = 0

    def _last(self, node: int, look: NodeLook, box: Box, surface: _Surface) -> QPixmap | None:
        """The body that a node had last, if it looks as it did."""
        last = self._bodies.get(node)
        if last is None or last[0] is not look or last[2] != surface or not _alike(last[1], box):
            return None
        return last[3]

    def _draw(
        self, node: int, look: NodeLook, box: Box, surface: _Surface, theme: Theme
    ) -> QPixmap:
        """The body of a node, drawn anew only if no node has had it."""
        bare = body_look(look)
        key = (bare, box.w, box.h, box.left, surface)
        body = self._kept.get(key)
        if body is None:
            body = _drawn(bare, box, surface, theme)
            self._keep(key, body)
        else:
            self._kept.move_to_end(key)
        if len(self._bodies) > FEW:
            self._bodies.clear()
        self._bodies[node] = (look, box, surface, body)
        return body

    def _keep(self, key: object, pixmap: QPixmap) -> None:
        self._kept[key] = pixmap
        self._size += _pixels(pixmap)
        while self._size > KEPT and len(self._kept) > 1:
            _key, oldest = self._kept.popitem(last=False)
            self._size -= _pixels(oldest)


def _drawn(look: NodeLook, box: Box, surface: _Surface, theme: Theme) -> QPixmap:
    scale, ratio = surface.scale, surface.ratio
    wide, high = (box.w + 2 * MARGIN) * scale, (box.h + 2 * MARGIN) * scale
    found = QPixmap(round(wide * ratio) + 1, round(high * ratio) + 1)
    found.setDevicePixelRatio(ratio)
    found.fill(Qt.GlobalColor.transparent)
    painter = QPainter(found)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(scale, scale)
    painter.translate(MARGIN, MARGIN)
    paint_body(painter, look, box.w, box.h, box.left, theme)
    painter.end()
    return found


def _alike(one: Box, other: Box) -> bool:
    """Whether two boxes have one size, wherever they stand."""
    return one is other or (one.w, one.h, one.left) == (other.w, other.h, other.left)


def _pixels(pixmap: QPixmap) -> int:
    return pixmap.width() * pixmap.height()


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
