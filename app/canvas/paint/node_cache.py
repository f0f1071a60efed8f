"""NodeCache: pixmaps of nodes and labels, by look, size and screen."""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from app.canvas.appearance.ledgers import ChipLook
from app.canvas.appearance.look import LabelLook, NodeLook
from app.canvas.layout.node_box import Box, ledger_width
from app.canvas.paint.nodes import (
    EMPTY_FIGURE,
    MARGIN,
    paint_badge,
    paint_body,
    paint_names,
    paint_numbers,
)
from app.canvas.paint.wires import paint_label
from app.canvas.scene.scene import Scene
from app.style.theme import Theme

KEPT = 4_000_000
"""Capacity of the cache in px, about two screens."""
FEW = 400
"""Number of nodes whose last look is remembered."""
LABEL_MARGIN = 2.0
"""Margin in sheet px by which the edge of a label exceeds its rectangle."""


class Surface(NamedTuple):
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

    A body is drawn once for all nodes that look alike but for their names and numbers, so slider
    ticks, steps and nodes that come into view draw few bodies. A whole node is cached when it is
    painted twice with the same look. Two looks that say the same are the same, so nodes that a
    slider does not reach stay as they are.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[object, QPixmap] = OrderedDict()
        self._size = 0
        self._looks: dict[int, tuple[NodeLook, object]] = {}

    def paint(self, painter: QPainter, node: int, scene: Scene, surface: Surface) -> None:
        """Paint one node at its position; the painter is scaled as the surface is."""
        box, look = scene.boxes[node], scene.node(node)
        theme, scale, ratio = surface
        whole = self._whole(node, look, box, surface)
        painter.save()
        _to_corner(painter, QPointF(box.x - MARGIN, box.y - MARGIN), ratio)
        painter.drawPixmap(QPointF(), whole or self._body(look, box, surface))
        painter.scale(scale, scale)
        painter.translate(MARGIN, MARGIN)
        if whole is None:
            _paint_texts(painter, look, box, theme)
        paint_badge(painter, look, box.w, theme)
        painter.restore()

    def prepare(self, node: int, scene: Scene, surface: Surface) -> None:
        """Keep the pixmap of a node that will be painted soon, if it is still there."""
        if node not in scene.boxes:
            return
        look, box = scene.node(node), scene.boxes[node]
        if self._whole(node, look, box, surface) is None:
            self._whole(node, look, box, surface)  # the second time it is kept

    def paint_label(
        self,
        painter: QPainter,
        look: LabelLook,
        rect: QRectF,
        short: bool,
        hovered: bool,
        surface: Surface,
    ) -> None:
        """Paint a label from its pixmap: scrolling shows it in many strips, one after the other."""
        key = (look, rect.width(), rect.height(), short, hovered, surface.key)
        found = self._kept.get(key)
        if found is None:
            found = _blank(rect.width(), rect.height(), LABEL_MARGIN, surface)
            inner = _begin(found, LABEL_MARGIN, surface)
            at_origin = QRectF(QPointF(), rect.size())
            paint_label(inner, look, at_origin, surface.theme, short, hovered)
            inner.end()
            self._keep(key, found)
        else:
            self._kept.move_to_end(key)
        painter.save()
        corner = rect.topLeft() - QPointF(LABEL_MARGIN, LABEL_MARGIN)
        _to_corner(painter, corner, surface.ratio)
        painter.drawPixmap(QPointF(), found)
        painter.restore()

    def clear(self) -> None:
        """Clear the cache."""
        self._kept.clear()
        self._looks.clear()
        self._size = 0

    def _whole(self, node: int, look: NodeLook, box: Box, surface: Surface) -> QPixmap | None:
        """Return a pixmap of body and numbers, if the node was painted with this look before."""
        shape, last = (box.w, box.h, box.left, *surface.key), self._looks.get(node)
        if last is None or last[0] != look or last[1] != shape:
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
            painter = _begin(found, MARGIN, surface)
            _paint_texts(painter, look, box, surface.theme)
            painter.end()
            self._keep(node, found)
        return found

    def _body(self, look: NodeLook, box: Box, surface: Surface) -> QPixmap:
        """Return a pixmap of a node's body, drawing it only if no node had it yet."""
        bare = body_look(look)
        key = (bare, box.w, box.h, box.left, surface.key)
        found = self._kept.get(key)
        if found is None:
            found = _blank(box.w, box.h, MARGIN, surface)
            painter = _begin(found, MARGIN, surface)
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


def _paint_texts(painter: QPainter, look: NodeLook, box: Box, theme: Theme) -> None:
    paint_names(painter, look, box.w, theme)
    paint_numbers(painter, look, box.w, box.h, box.left, theme)


def _blank(wide: float, high: float, margin: float, surface: Surface) -> QPixmap:
    """Return an empty pixmap, large enough for all that exceeds a rectangle of this size."""
    scale, ratio = surface.scale, surface.ratio
    wide, high = (wide + 2 * margin) * scale, (high + 2 * margin) * scale
    found = QPixmap(round(wide * ratio) + 1, round(high * ratio) + 1)
    found.setDevicePixelRatio(ratio)
    found.fill(Qt.GlobalColor.transparent)
    return found


def _begin(pixmap: QPixmap, margin: float, surface: Surface) -> QPainter:
    """Return a painter on the pixmap with what is drawn at its origin."""
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(surface.scale, surface.scale)
    painter.translate(margin, margin)
    return painter


def _pixels(pixmap: QPixmap) -> int:
    return pixmap.width() * pixmap.height()


def _to_corner(painter: QPainter, corner: QPointF, ratio: float) -> None:
    """Transform a painter to screen px from the corner of a pixmap.

    The corner is rounded to whole device px, so that text stays sharp.
    """
    corner = painter.transform().map(corner)
    painter.resetTransform()
    painter.translate(round(corner.x() * ratio) / ratio, round(corner.y() * ratio) / ratio)


def numbers_inside(look: NodeLook, wide: float) -> bool:
    """Return whether all numbers fit in the node; with fixed widths a ledger may be too wide."""
    chips = [chip.text for chip in look.chips]
    return not chips or ledger_width(chips, look.more, look.total, look.start) <= wide


def body_look(look: NodeLook) -> NodeLook:
    """Return the look without names and numbers: equal for two looks with the same body."""
    return look._replace(
        label="",
        name="",
        caption="",
        shorter=(),
        slot_captions=(),
        update=None,
        value=EMPTY_FIGURE,
        grad=None if look.grad is None else EMPTY_FIGURE,
        was="",
        locals=(),
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
