"""NodeCache: pixmaps of nodes and labels, by look, size and screen."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from app.canvas.appearance.detail import Detail
from app.canvas.appearance.face import body_look
from app.canvas.appearance.look import BodyLook, LabelLook, NodeLook
from app.canvas.appearance.states import node_state
from app.canvas.layout.node_box import Box, lane_tops, lane_width
from app.canvas.paint.arrivals import MayWait, at_once
from app.canvas.paint.far_view import (
    EDGE,
    TEXT,
    FarBody,
    far_body,
    far_texts,
    paint_far_body,
    paint_far_text,
)
from app.canvas.paint.nodes import MARGIN, paint_body, paint_texts
from app.canvas.paint.pixmaps import Pixmaps, Surface, whole_px
from app.canvas.paint.wires import paint_label
from app.canvas.scene.scene import Scene
from app.style import sizes
from engine.graph import Wire

LABEL_MARGIN = 2.0
"""Margin in sheet px by which the edge of a label exceeds its rectangle."""
TEXT_MARGIN = 2.0
"""The same in screen px of a text when zoomed out."""
LABEL_COST = 0.3
"""Cost of drawing a label, relative to a node with all its texts."""
FAR_COST = 0.2
"""The same of the texts of a node when zoomed out."""


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
        self,
        painter: QPainter,
        nodes: Iterable[int],
        detail: Detail,
        scene: Scene,
        surface: Surface,
    ) -> None:
        """Paint nodes at their positions; the painter is scaled as the surface is."""
        is_far, to_screen = detail < Detail.RESULTS, painter.transform()
        margin = EDGE if is_far else MARGIN
        painter.save()
        painter.resetTransform()
        for node in nodes:
            box = scene.boxes[node]
            at = to_screen.map(QPointF(box.x - margin, box.y - margin))
            at = whole_px(at.x(), at.y(), surface.ratio)
            if is_far:
                self._paint_far(painter, node, at, detail >= Detail.NUMBERS, scene, surface)
            else:
                _draw(painter, at, *self._near(node, scene, surface))
        painter.restore()

    def _near(self, node: int, scene: Scene, surface: Surface) -> tuple[QPixmap, float]:
        """Return the pixmap that shows a node now, and how much it is enlarged."""
        box, look = scene.boxes[node], scene.node_looks.get(node)
        if look is None and self._waits(node, box, scene, 1.0):
            return self._stand_in(node, None, body_look(scene.looks, node), box, surface)
        unread, look = look is None, look or scene.node(node)
        found = self._pixmaps.find(node, surface, (look, _shape(box)))
        if found is not None:
            return found, 1.0
        if not unread and self._waits(node, box, scene, 1.0):
            return self._stand_in(node, look, look.body, box, surface)
        return self._draw(node, look, box, surface), 1.0

    def _waits(self, node: int, box: Box, scene: Scene, cost: float) -> bool:
        """Return whether a node is drawn later; what takes part in the step never is."""
        is_stepped = node_state(scene.looks.frame, node) in ("forward", "firing", "receiving")
        return not is_stepped and self._may_wait(node, box.rect, cost)

    def prepare(self, node: int, scene: Scene, surface: Surface) -> None:
        """Keep the pixmap of a node that will be painted soon, if it is still there."""
        if node not in scene.boxes:
            return
        look, box = scene.node(node), scene.boxes[node]
        if self._pixmaps.find(node, surface, (look, _shape(box))) is None:
            self._draw(node, look, box, surface)

    def label_waits(self, wire: Wire, scene: Scene) -> bool:
        """Return whether the label of a wire has not been read and may wait with that too."""
        if scene.labels.is_read(wire) or scene.wire(wire).state not in ("done", "zero"):
            return False
        course, half = scene.courses[wire], sizes.LABEL / 2
        run = QRectF(
            QPointF(course.run_start, course.y - half), QPointF(course.run_end, course.y + half)
        )
        return self._may_wait(wire, run, LABEL_COST)

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
        if (
            found is None
            and look.state == "done"
            and self._may_wait(rect.getRect(), rect, LABEL_COST)
        ):
            found, grown = self._pixmaps.find_scaled(what, surface) or (None, 1.0)
            if found is None:
                return
        elif found is None:
            found = _blank(rect.width(), rect.height(), LABEL_MARGIN, surface)
            at_origin = QRectF(QPointF(), rect.size())
            with _begin(found, LABEL_MARGIN, surface) as inner:
                paint_label(inner, look, at_origin, surface.theme, short, hovered)
            self._pixmaps.keep(what, found, surface)
        at = painter.transform().map(rect.topLeft() - QPointF(LABEL_MARGIN, LABEL_MARGIN))
        painter.save()
        painter.resetTransform()
        _draw(painter, whole_px(at.x(), at.y(), surface.ratio), found, grown)
        painter.restore()

    def _paint_far(
        self,
        painter: QPainter,
        node: int,
        at: QPointF,
        numbers: bool,
        scene: Scene,
        surface: Surface,
    ) -> None:
        """Paint a node when zoomed out: its body, and each of its texts from a pixmap.

        A body is shared by all nodes that look alike, a text by all scales.
        """
        box, look = scene.boxes[node], scene.node_looks.get(node)
        waits = look is None and self._waits(node, box, scene, FAR_COST)
        look = None if waits else scene.node(node)
        body = body_look(scene.looks, node) if look is None else look.body
        flagged = look is not None and bool(look.flag)
        painter.drawPixmap(at, self._far_body(far_body(body, flagged), box, surface))
        if look is None:
            return
        anyscale, inset = surface._replace(scale=1.0), EDGE * surface.scale - TEXT_MARGIN
        for text in far_texts(look, box, surface.theme, surface.scale, numbers):
            what = (text.text, text.font.role, text.font.factor, text.color.rgba())
            found = self._pixmaps.find(what, anyscale)
            if found is None:
                waits = waits or self._waits(node, box, scene, FAR_COST)
                if waits:
                    continue
                found = _blank(text.wide, 2 * TEXT, TEXT_MARGIN, anyscale)
                with _begin(found, TEXT_MARGIN, anyscale) as inner:
                    paint_far_text(inner, text, QPointF(0.0, float(TEXT)))
                self._pixmaps.keep(what, found, anyscale)
            x, y = at.x() + inset + text.x, at.y() + inset + text.y - TEXT
            painter.drawPixmap(whole_px(x, y, surface.ratio), found)

    def _far_body(self, body: FarBody, box: Box, surface: Surface) -> QPixmap:
        what = (body, box.w, box.h)
        found = self._pixmaps.find(what, surface)
        if found is None:
            found = _blank(box.w, box.h, EDGE, surface)
            with _begin(found, EDGE, surface) as inner:
                paint_far_body(inner, body, box.w, box.h, surface.theme)
            self._pixmaps.keep(what, found, surface)
        return found

    def clear(self) -> None:
        """Clear the cache."""
        self._pixmaps.clear()

    def _draw(self, node: int, look: NodeLook, box: Box, surface: Surface) -> QPixmap:
        """Draw body and texts."""
        body, wide = self._body(look.body, box, surface), _width(look, box)
        found = body.copy() if wide == box.w else _widened(body, wide, box, surface)
        with _begin(found, MARGIN, surface) as painter:
            paint_texts(painter, look, box.w, box.h, box.left, surface.theme)
        self._pixmaps.keep(node, found, surface, (look, _shape(box)))
        return found

    def _body(self, look: BodyLook, box: Box, surface: Surface) -> QPixmap:
        """Return a pixmap of a node's body, drawing it only if no node had it yet."""
        what = (look, _shape(box))
        found = self._pixmaps.find(what, surface)
        if found is None:
            found = _blank(box.w, box.h, MARGIN, surface)
            with _begin(found, MARGIN, surface) as painter:
                paint_body(painter, look, box.w, box.h, box.left, surface.theme)
            self._pixmaps.keep(what, found, surface)
        return found

    def _stand_in(
        self, node: int, look: NodeLook | None, body: BodyLook, box: Box, surface: Surface
    ) -> tuple[QPixmap, float]:
        """Return what a node is shown by until it is drawn whole, and how much it is enlarged."""
        scaled = self._pixmaps.find_scaled(node, surface, (look, _shape(box)))
        scaled = scaled or self._pixmaps.find_scaled((body, _shape(box)), surface)
        return scaled or (self._body(body, box, surface), 1.0)


def _shape(box: Box) -> Shape:
    return (box.w, box.h, box.left)


def _blank(wide: float, high: float, margin: float, surface: Surface) -> QPixmap:
    """Return an empty pixmap, large enough for all that exceeds a rectangle of this size."""
    scale, ratio = surface.scale, surface.ratio
    wide, high = (wide + 2 * margin) * scale, (high + 2 * margin) * scale
    found = QPixmap(round(wide * ratio) + 1, round(high * ratio) + 1)
    found.setDevicePixelRatio(ratio)
    found.fill(Qt.GlobalColor.transparent)
    return found


def _widened(body: QPixmap, wide: float, box: Box, surface: Surface) -> QPixmap:
    """Return a body with room to its right."""
    found = _blank(wide, box.h, MARGIN, surface)
    with QPainter(found) as painter:
        painter.drawPixmap(0, 0, body)
    return found


def _begin(pixmap: QPixmap, margin: float, surface: Surface) -> QPainter:
    """Return a painter on the pixmap with what is drawn at its origin."""
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(surface.scale, surface.scale)
    painter.translate(margin, margin)
    return painter


def _draw(painter: QPainter, at: QPointF, pixmap: QPixmap, grown: float) -> None:
    """Draw a pixmap at a point, enlarged if it was drawn at another scale."""
    if grown == 1.0:
        painter.drawPixmap(at, pixmap)
        return
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    room = QRectF(at, pixmap.deviceIndependentSize() * grown)
    painter.drawPixmap(room, pixmap, QRectF(pixmap.rect()))
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)


def _width(look: NodeLook, box: Box) -> float:
    """Return how wide a node is with its ledger, which may exceed it where widths are fixed."""
    return max(box.w, *(lane_width(lane) for lane, _top in lane_tops(look) if lane.chips), 0.0)
