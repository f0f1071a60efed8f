"""Painters of nodes and labels: directly on any surface, or from the pixmap cache.

`painter.py` arranges a scene and asks one of them for each node and label: PartPainter for
pictures, CachedPartPainter for the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPixmap

from app.canvas.appearance.detail import Detail
from app.canvas.appearance.look import LabelLook, NodeLook
from app.canvas.appearance.looks import node_state
from app.canvas.layout.node_box import Box, ledger_tops, ledger_width
from app.canvas.paint.far_view import (
    STATE_EDGE,
    TEXT_SIZE,
    FarText,
    far_body,
    far_texts,
    paint_far_body,
    paint_far_text,
)
from app.canvas.paint.nodes import NODE_MARGIN, paint_body, paint_node, paint_texts
from app.canvas.paint.pixmap_cache import PixmapCache, Point
from app.canvas.paint.wires import paint_label
from app.canvas.scene.scene import Scene
from app.style.theme import Theme

LABEL_MARGIN = 2.0
"""Margin in sheet px by which the edge of a label exceeds its rectangle."""
TEXT_MARGIN = 2.0
"""The same in screen px of a text when zoomed out."""
LABEL_COST = 0.3
"""Cost of drawing a label, relative to a node with all its texts."""
FAR_COST = 0.2
"""The same of a text of a node when zoomed out."""
BASELINE = QPointF(TEXT_MARGIN, TEXT_SIZE + TEXT_MARGIN)
"""Left end of the baseline of such a text in its pixmap."""


class PartPainter:
    """Paints nodes and labels in one theme at one scale, on a surface of any kind."""

    def __init__(self, theme: Theme, scale: float) -> None:
        self.theme, self.scale = theme, scale

    def paint_nodes(
        self, painter: QPainter, scene: Scene, nodes: Iterable[int], detail: Detail
    ) -> None:
        """Paint nodes at their positions."""
        theme, scale = self.theme, self.scale
        for node in nodes:
            box, look = scene.boxes[node], scene.node(node)
            painter.save()
            painter.translate(box.x, box.y)
            if detail >= Detail.RESULTS:
                paint_node(painter, look, box.w, box.h, box.left, theme)
            else:
                paint_far_body(painter, far_body(look.body, bool(look.flag)), box.w, box.h, theme)
                painter.scale(1 / scale, 1 / scale)
                for text in far_texts(look, box, theme, scale, detail >= Detail.NUMBERS):
                    paint_far_text(painter, text, QPointF(text.x, text.y))
            painter.restore()

    def paint_label(
        self, painter: QPainter, look: LabelLook, rect: QRectF, short: bool, hovered: bool
    ) -> None:
        """Paint a label."""
        paint_label(painter, look, rect, self.theme, short, hovered)


class CachedPartPainter(PartPainter):
    """Paints nodes and labels on the screen from the pixmap cache.

    Nodes that differ only in names and numbers share the pixmap of a body; zoomed out, equal texts
    share one at all scales. A node whose texts are deferred is drawn as its body.
    """

    def __init__(self, cache: PixmapCache, theme: Theme, scale: float) -> None:
        super().__init__(theme, scale)
        self._cache = cache

    def paint_nodes(
        self, painter: QPainter, scene: Scene, nodes: Iterable[int], detail: Detail
    ) -> None:
        """Paint nodes at their positions; those that take part in the step are never deferred."""
        is_far, frame = detail < Detail.RESULTS, scene.looks.frame
        sheet, scale = painter.transform(), self.scale
        left, top = sheet.dx(), sheet.dy()  # of the sheet's origin, in px of the view
        margin, full_cost = (STATE_EDGE, FAR_COST) if is_far else (NODE_MARGIN, 1.0)
        painter.save()
        painter.resetTransform()  # pixmaps have the scale already
        for node in nodes:
            box, look = scene.boxes[node], scene.node(node)
            cost = self._cache.cost(box.rect, full_cost)
            if cost and node_state(frame, node) in ("forward", "firing", "receiving"):
                cost = 0.0
            at = (left + (box.x - margin) * scale, top + (box.y - margin) * scale)
            if is_far:
                self._paint_far(painter, look, box, at, detail >= Detail.NUMBERS, cost)
            else:
                self._paint_near(painter, look, box, at, cost)
        painter.restore()

    def paint_label(
        self, painter: QPainter, look: LabelLook, rect: QRectF, short: bool, hovered: bool
    ) -> None:
        """Paint a label; only those of earlier steps may be deferred."""
        wide, high = rect.width(), rect.height()
        cost = self._cache.cost(rect, LABEL_COST) if look.state == "done" else 0.0
        at = painter.transform().map(rect.topLeft() - QPointF(LABEL_MARGIN, LABEL_MARGIN))

        def make() -> QPixmap:
            def paint(inner: QPainter) -> None:
                at_origin = QRectF(0, 0, wide, high)
                paint_label(inner, look, at_origin, self.theme, short, hovered)

            return self._new_pixmap(wide, high, LABEL_MARGIN, paint)

        painter.save()
        painter.resetTransform()
        key = (look, wide, high, short, hovered)
        self._cache.draw(painter, key, (at.x(), at.y()), make, self.scale, cost)
        painter.restore()

    # private

    def _paint_near(
        self, painter: QPainter, look: NodeLook, box: Box, at: Point, cost: float
    ) -> None:
        shape = (box.w, box.h, box.left)

        def make() -> QPixmap:
            def paint(inner: QPainter) -> None:
                # the body from its own pixmap, in px; then the texts in sheet px
                to_sheet = inner.transform()
                inner.resetTransform()
                self._paint_body(inner, look, box, (0.0, 0.0))
                inner.setTransform(to_sheet)
                paint_texts(inner, look, *shape, self.theme)

            return self._new_pixmap(_painted_width(look, box), box.h, NODE_MARGIN, paint)

        if not self._cache.draw(painter, (look, shape), at, make, self.scale, cost):
            self._paint_body(painter, look, box, at)

    def _paint_body(self, painter: QPainter, look: NodeLook, box: Box, at: Point) -> None:
        body, shape = look.body, (box.w, box.h, box.left)

        def make() -> QPixmap:
            def paint(inner: QPainter) -> None:
                paint_body(inner, body, *shape, self.theme)

            return self._new_pixmap(box.w, box.h, NODE_MARGIN, paint)

        self._cache.draw(painter, (body, shape), at, make, self.scale)

    def _paint_far(
        self,
        painter: QPainter,
        look: NodeLook,
        box: Box,
        at: Point,
        shows_numbers: bool,
        cost: float,
    ) -> None:
        body = far_body(look.body, bool(look.flag))
        theme, scale = self.theme, self.scale

        def make() -> QPixmap:
            def paint(inner: QPainter) -> None:
                paint_far_body(inner, body, box.w, box.h, theme)

            return self._new_pixmap(box.w, box.h, STATE_EDGE, paint)

        self._cache.draw(painter, (body, box.w, box.h), at, make, scale)
        # texts are placed from the whole device px at which the cache draws the body
        ratio, inset = self._cache.ratio, STATE_EDGE * scale - TEXT_MARGIN
        left = round(at[0] * ratio) / ratio + inset
        top = round(at[1] * ratio) / ratio + inset - TEXT_SIZE
        for text in far_texts(look, box, theme, scale, shows_numbers):
            key = (text.text, text.font.role, text.font.factor, text.color.rgba())
            corner = (left + text.x, top + text.y)
            self._cache.draw(painter, key, corner, partial(self._text_pixmap, text), cost=cost)

    def _text_pixmap(self, text: FarText) -> QPixmap:
        """Return the pixmap of a text, in px of the screen."""
        wide, high = text.wide + 2 * TEXT_MARGIN, 2.0 * (TEXT_SIZE + TEXT_MARGIN)
        return self._cache.new_pixmap(wide, high, partial(paint_far_text, text=text, at=BASELINE))

    def _new_pixmap(
        self, wide: float, high: float, margin: float, paint: Callable[[QPainter], None]
    ) -> QPixmap:
        """Return a pixmap of a size on the sheet with a margin around it."""

        def paint_on_sheet(painter: QPainter) -> None:
            painter.scale(self.scale, self.scale)
            painter.translate(margin, margin)
            paint(painter)

        size = (wide + 2 * margin) * self.scale, (high + 2 * margin) * self.scale
        return self._cache.new_pixmap(*size, paint_on_sheet)


def _painted_width(look: NodeLook, box: Box) -> float:
    """Return the width of a node with its ledger, which may exceed it where widths are fixed."""
    ledgers = (ledger for ledger, _top in ledger_tops(look) if ledger.chips)
    return max(box.w, *(ledger_width(ledger) for ledger in ledgers), 0.0)
