"""NodeCache: pixmaps of nodes and labels, by look, size and screen."""

from __future__ import annotations

from collections.abc import Generator, Hashable
from contextlib import contextmanager

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from app.canvas.appearance.detail import Detail
from app.canvas.appearance.ledgers import ChipLook
from app.canvas.appearance.look import LabelLook, NodeLook
from app.canvas.layout.node_box import Box, ledger_width
from app.canvas.paint.arrivals import MayWait, at_once
from app.canvas.paint.far_view import EDGE, far_body, paint_far_body, paint_far_texts
from app.canvas.paint.nodes import (
    EMPTY_FIGURE,
    MARGIN,
    paint_body,
    paint_texts,
)
from app.canvas.paint.pixmaps import Pixmaps, Surface
from app.canvas.paint.wires import paint_label
from app.canvas.scene.scene import Scene

LABEL_MARGIN = 2.0
"""Margin in sheet px by which the edge of a label exceeds its rectangle."""


Shape = tuple[float, float, float]
"""Width and height of a node, and the width of its left column, in sheet px."""


class NodeCache:
    """Paints nodes from pixmaps: one of the whole node, made from one of its body.

    A body is drawn once for all nodes that look alike but for their names and numbers, so slider
    ticks, steps and nodes that come into view draw few bodies. Two looks that say the same are the
    same, so nodes that a slider does not reach stay as they are. What may wait is shown meanwhile
    as it was at another scale, or else without texts.
    """

    def __init__(self) -> None:
        self._pixmaps = Pixmaps()
        self._may_wait: MayWait = at_once

    @contextmanager
    def leaving_out(self, may_wait: MayWait) -> Generator[None]:
        """Leave out meanwhile what may wait."""
        self._may_wait = may_wait
        try:
            yield
        finally:
            self._may_wait = at_once

    def fit(self, screen: float) -> None:
        """Set the capacity for a screen with this number of px."""
        self._pixmaps.fit(screen)

    def paint(
        self, painter: QPainter, node: int, detail: Detail, scene: Scene, surface: Surface
    ) -> None:
        """Paint one node at its position; the painter is scaled as the surface is."""
        box, look = scene.boxes[node], scene.node(node)
        if detail < Detail.RESULTS:
            self._paint_far(painter, look, box, detail >= Detail.NUMBERS, surface)
            return
        found, grown = self._pixmaps.find(node, surface, (look, _shape(box))), 1.0
        if found is None and not _is_stepped(look) and self._may_wait(node, box.rect):
            found, grown = self._stand_in(node, look, box, surface)
        elif found is None:
            found = self._draw(node, look, box, surface)
        painter.save()
        _to_corner(painter, QPointF(box.x - MARGIN, box.y - MARGIN), surface.ratio)
        _draw(painter, found, grown)
        painter.restore()

    def prepare(self, node: int, scene: Scene, surface: Surface) -> None:
        """Keep the pixmap of a node that will be painted soon, if it is still there."""
        if node not in scene.boxes:
            return
        look, box = scene.node(node), scene.boxes[node]
        if self._pixmaps.find(node, surface, (look, _shape(box))) is None:
            self._draw(node, look, box, surface)

    def paint_label(
        self,
        painter: QPainter,
        look: LabelLook,
        rect: QRectF,
        short: bool,
        hovered: bool,
        surface: Surface,
    ) -> None:
        """Paint a label from its pixmap: scrolling shows it in many strips, one after the other.

        One that may wait is left out if it was not drawn at another scale.
        """
        what = (look, rect.width(), rect.height(), short, hovered)
        found, grown = self._pixmaps.find(what, surface), 1.0
        if found is None and look.state == "done" and self._may_wait(rect.getRect(), rect):
            found, grown = self._pixmaps.find_scaled(what, surface) or (None, 1.0)
            if found is None:
                return
        elif found is None:
            found = _blank(rect.width(), rect.height(), LABEL_MARGIN, surface)
            inner = _begin(found, LABEL_MARGIN, surface)
            at_origin = QRectF(QPointF(), rect.size())
            paint_label(inner, look, at_origin, surface.theme, short, hovered)
            inner.end()
            self._pixmaps.keep(what, found, surface)
        painter.save()
        corner = rect.topLeft() - QPointF(LABEL_MARGIN, LABEL_MARGIN)
        _to_corner(painter, corner, surface.ratio)
        _draw(painter, found, grown)
        painter.restore()

    def _paint_far(
        self, painter: QPainter, look: NodeLook, box: Box, numbers: bool, surface: Surface
    ) -> None:
        """Paint a node when zoomed out: its body from a pixmap, its texts directly."""
        body = far_body(look)
        what = (body, box.w, box.h)
        found = self._pixmaps.find(what, surface)
        if found is None:
            found = _blank(box.w, box.h, EDGE, surface)
            inner = _begin(found, EDGE, surface)
            paint_far_body(inner, body, box.w, box.h, surface.theme)
            inner.end()
            self._pixmaps.keep(what, found, surface)
        painter.save()
        _to_corner(painter, QPointF(box.x - EDGE, box.y - EDGE), surface.ratio)
        painter.drawPixmap(QPointF(), found)
        painter.translate(EDGE * surface.scale, EDGE * surface.scale)
        paint_far_texts(painter, look, box, surface.theme, surface.scale, numbers)
        painter.restore()

    def clear(self) -> None:
        """Clear the cache."""
        self._pixmaps.clear()

    def _draw(self, node: int, look: NodeLook, box: Box, surface: Surface) -> QPixmap:
        """Draw body and texts."""
        found = _blank(_width(look, box), box.h, MARGIN, surface)
        painter = _begin(found, 0.0, surface._replace(scale=1.0))
        painter.drawPixmap(0, 0, self._body(look, box, surface))
        painter.end()
        painter = _begin(found, MARGIN, surface)
        paint_texts(painter, look, box.w, box.h, box.left, surface.theme)
        painter.end()
        self._pixmaps.keep(node, found, surface, (look, _shape(box)))
        return found

    def _body(self, look: NodeLook, box: Box, surface: Surface) -> QPixmap:
        """Return a pixmap of a node's body, drawing it only if no node had it yet."""
        what, bare = _body_key(look, box)
        found = self._pixmaps.find(what, surface)
        if found is None:
            found = _blank(box.w, box.h, MARGIN, surface)
            painter = _begin(found, MARGIN, surface)
            paint_body(painter, bare, box.w, box.h, box.left, surface.theme)
            painter.end()
            self._pixmaps.keep(what, found, surface)
        return found

    def _stand_in(
        self, node: int, look: NodeLook, box: Box, surface: Surface
    ) -> tuple[QPixmap, float]:
        """Return what a node is shown by until it is drawn whole, and how much it is enlarged."""
        scaled = self._pixmaps.find_scaled(node, surface, (look, _shape(box)))
        scaled = scaled or self._pixmaps.find_scaled(_body_key(look, box)[0], surface)
        return scaled or (self._body(look, box, surface), 1.0)


def _is_stepped(look: NodeLook) -> bool:
    """Return whether a node takes part in the step that is shown."""
    return look.state in ("forward", "firing", "receiving")


def _shape(box: Box) -> Shape:
    return (box.w, box.h, box.left)


def _body_key(look: NodeLook, box: Box) -> tuple[Hashable, NodeLook]:
    bare = body_look(look)
    return (bare, _shape(box)), bare


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


def _draw(painter: QPainter, pixmap: QPixmap, grown: float) -> None:
    """Draw a pixmap at the origin, enlarged if it was drawn at another scale."""
    if grown == 1.0:
        painter.drawPixmap(QPointF(), pixmap)
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.scale(grown, grown)
    painter.drawPixmap(QPointF(), pixmap)
    painter.restore()


def _to_corner(painter: QPainter, corner: QPointF, ratio: float) -> None:
    """Transform a painter to screen px from the corner of a pixmap.

    The corner is rounded to whole device px, so that text stays sharp.
    """
    corner = painter.transform().map(corner)
    painter.resetTransform()
    painter.translate(round(corner.x() * ratio) / ratio, round(corner.y() * ratio) / ratio)


def _width(look: NodeLook, box: Box) -> float:
    """Return how wide a node is with its ledger, which may exceed it where widths are fixed."""
    wide = box.w
    for lane in (look, look.correct):
        if lane is not None and lane.chips:
            chips = [chip.text for chip in lane.chips]
            wide = max(wide, ledger_width(chips, lane.more, lane.total, lane.start))
    return wide


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
