"""NodeCache: pixmaps of nodes, by look, size and screen."""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPixmap

from app.canvas.appearance.ledgers import ChipLook
from app.canvas.appearance.look import NodeLook
from app.canvas.layout.node_box import Box, ledger_width
from app.canvas.paint.nodes import (
    EMPTY_FIGURE,
    MARGIN,
    paint_badge,
    paint_body,
    paint_numbers,
)
from app.canvas.scene.scene import Scene
from app.style.theme import Theme

KEPT = 4_000_000
"""Capacity of the cache in px, about two screens."""
FEW = 400
"""Number of nodes whose last look is remembered."""


class _Surface(NamedTuple):
    """What a pixmap is drawn for: theme, scale and device pixel ratio."""

    theme: Theme
    scale: float
    ratio: float

    @property
    def key(self) -> tuple[str, float, float]:
        """Return the part of the cache key that belongs to the surface."""
        return (self.theme.name, self.scale, self.ratio)


class NodeCache:
    """Paints nodes from pixmaps: one of the whole node, made from one of its body.

    A body is drawn once for all nodes that look alike, so slider ticks and steps, which change only
    numbers, draw no bodies. A whole node is cached when it is painted twice with the same look.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[object, QPixmap] = OrderedDict()
        self._size = 0
        self._looks: dict[int, tuple[NodeLook, object]] = {}

    def paint(
        self, painter: QPainter, node: int, scene: Scene, theme: Theme, scale: float, ratio: float
    ) -> None:
        """Paint one node at its position; the painter is scaled by `scale`."""
        box, look = scene.boxes[node], scene.node(node)
        surface = _Surface(theme, scale, ratio)
        whole = self._whole(node, look, box, surface)
        painter.save()
        _to_corner(painter, box, ratio)
        painter.drawPixmap(QPointF(), whole or self._body(look, box, surface))
        painter.scale(scale, scale)
        painter.translate(MARGIN, MARGIN)
        if whole is None:
            paint_numbers(painter, look, box.w, box.h, box.left, theme)
        paint_badge(painter, look, box.w, theme)
        painter.restore()

    def clear(self) -> None:
        """Clear the cache."""
        self._kept.clear()
        self._looks.clear()
        self._size = 0

    def _whole(self, node: int, look: NodeLook, box: Box, surface: _Surface) -> QPixmap | None:
        """Return a pixmap of body and numbers, if the node was painted with this look before."""
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
            paint_numbers(painter, look, box.w, box.h, box.left, surface.theme)
            painter.end()
            self._keep(node, found)
        return found

    def _body(self, look: NodeLook, box: Box, surface: _Surface) -> QPixmap:
        """Return a pixmap of a node's body, drawing it only if no node had it yet."""
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
    """Return an empty pixmap for a node, large enough for all that exceeds its rectangle."""
    scale, ratio = surface.scale, surface.ratio
    wide, high = (box.w + 2 * MARGIN) * scale, (box.h + 2 * MARGIN) * scale
    found = QPixmap(round(wide * ratio) + 1, round(high * ratio) + 1)
    found.setDevicePixelRatio(ratio)
    found.fill(Qt.GlobalColor.transparent)
    return found


def _begin(pixmap: QPixmap, surface: _Surface) -> QPainter:
    """Return a painter on the pixmap with the node at its origin."""
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(surface.scale, surface.scale)
    painter.translate(MARGIN, MARGIN)
    return painter


def _pixels(pixmap: QPixmap) -> int:
    return pixmap.width() * pixmap.height()


def _to_corner(painter: QPainter, box: Box, ratio: float) -> None:
    """Transform a painter to screen px from the corner of a node's pixmap.

    The corner is rounded to whole device px, so that text stays sharp.
    """
    corner = painter.transform().map(QPointF(box.x - MARGIN, box.y - MARGIN))
    painter.resetTransform()
    painter.translate(round(corner.x() * ratio) / ratio, round(corner.y() * ratio) / ratio)


def numbers_inside(look: NodeLook, wide: float) -> bool:
    """Return whether all numbers fit in the node; with fixed widths a ledger may be too wide."""
    chips = [chip.text for chip in look.chips]
    return not chips or ledger_width(chips, look.more, look.total, look.start) <= wide


def body_look(look: NodeLook) -> NodeLook:
    """Return the look without its numbers: equal for two looks with the same body."""
    return look._replace(
        value=EMPTY_FIGURE,
        grad=None if look.grad is None else EMPTY_FIGURE,
        was="",
        locals=tuple(("" if not text else "1", False) for text, _kink in look.locals),
        chips=(ChipLook("", 0, "done"),) if look.chips or look.correct else (),
        correct=None,
        here="",
        before="",
        start="",
        come=0,
        due=0,
        more=0,
        total="",
        waiting=None,
        badge=0,
        badge_filled=False,
        right="",
    )
