"""Effects: the single animations, each drawn over what is on the canvas already."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from math import hypot

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPolygonF

from app.canvas.appearance.look import WireLook, WireState
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.layout.geometry import Course, body_height, slot_row
from app.canvas.layout.text_sizes import chip_width
from app.canvas.paint.ledgers import paint_chip
from app.canvas.paint.nodes import outline
from app.canvas.paint.wires import paint_wire
from app.document.sheet import Point
from app.style import sizes
from app.style.strokes import pen, put, rounded
from app.style.text_widths import width
from app.style.theme import faded
from engine.graph import Wire


def eased(share: float) -> float:
    """Ease out: fast at first, then slower."""
    return 1.0 - (1.0 - min(max(share, 0.0), 1.0)) ** 3


class Move:
    """One animation with a delay and a duration, both in milliseconds."""

    waits = 0.0
    lasts = 1.0

    def __init__(self, canvas: CanvasContext) -> None:
        self.canvas = canvas
        self.share = 0.0
        self.over = False
        self.dirty = QRectF()
        """The rectangle of the sheet to repaint."""

    def go(self, moment: float) -> None:
        """Be as one is at this moment."""
        share = eased((moment - self.waits) / self.lasts)
        ended = moment >= self.waits + self.lasts
        self.dirty = QRectF()
        if not self.over and (moment == 0 or ended or share != self.share):
            last, self.share, self.over = self.share, share, ended
            self.dirty = self.reach(last)

    def reach(self, last: float) -> QRectF:
        """What of the sheet differs now from when the share was `last`."""
        raise NotImplementedError

    def end(self) -> None:
        """Put back what was lent from the canvas."""

    def paint(self, painter: QPainter) -> None:
        """Draw it over the nodes, in the coordinates of the sheet."""


class WireRun(Move):
    """The colour of a contribution runs along its wire, from the slot to the source."""

    lasts = float(sizes.MOTION_WIRE)

    def __init__(self, canvas: CanvasContext, wire: Wire) -> None:
        super().__init__(canvas)
        self.wire = wire
        self._hue = canvas.scene.wire(wire).hue

    def reach(self, last: float) -> QRectF:
        """The stretch that has come since; at the end all of it."""
        course = self.canvas.scene.courses.get(self.wire)
        if course is None:
            return QRectF()
        found = course.path.controlPointRect()
        if 0 < self.share < 1:
            found = _stretch(course, last, self.share).boundingRect()
        return found.adjusted(-20, -14, 20, 14)

    def paint_wire(self, painter: QPainter, course: Course) -> None:
        """Draw the wire as it was, and over it how far the colour has come."""
        theme = self.canvas.theme
        before: WireState = "asked" if self.canvas.playback.now.cover else "next"
        paint_wire(painter, course, WireLook(before, self._hue), theme)
        color = theme.sibling(self._hue) if self._hue >= 0 else theme.gradient
        come = _stretch(course, 0.0, self.share)
        strokes = [(sizes.WIRE_FIRING + 2 * sizes.HALO, theme.canvas)]
        if theme.tints:
            strokes.append((sizes.WIRE_FIRING + 6, faded(color, 0.22)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for wide, ink in (*strokes, (sizes.WIRE_FIRING, color)):
            painter.setPen(pen(ink, wide * theme.scale))
            painter.drawPolyline(come)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawEllipse(come.last(), 5.5, 5.5)
        painter.setBrush(Qt.BrushStyle.NoBrush)


class ChipFill(Move):
    """The chip that has landed fills once the colour has come, from the side of the wires."""

    waits = float(sizes.MOTION_WIRE)
    lasts = float(sizes.MOTION_CHIP)

    def __init__(self, canvas: CanvasContext, node: int) -> None:
        super().__init__(canvas)
        self._node = node
        look = canvas.scene.node(node)
        self._chip = next((chip for chip in look.chips if chip.state == "landed"), None)
        self._lane = body_height(len(look.plugged)) + sizes.LEDGER / 2
        self._x = 12 + width(look.start, "caption") + 6
        for chip in look.chips:
            if chip is self._chip:
                break
            self._x += chip_width(chip.text) + 4

    def reach(self, last: float) -> QRectF:
        """The chip."""
        box = self.canvas.scene.boxes.get(self._node)
        if box is None or self._chip is None:
            return QRectF()
        return self._rect().translated(box.x, box.y).adjusted(-3, -3, 3, 3)

    def paint(self, painter: QPainter) -> None:
        """Draw the part of the chip that is not yet filled; its number can be read throughout."""
        box = self.canvas.scene.boxes.get(self._node)
        if box is None or self._chip is None or self.canvas.camera.scale < sizes.ZOOM_LABELS:
            return
        rect = self._rect().adjusted(-1, -1, 1, 1)
        painter.save()
        painter.translate(box.x, box.y)
        painter.setClipRect(rect.adjusted(0, 0, -rect.width() * self.share, 0))
        painter.fillRect(rect, self.canvas.theme.node)
        at = QPointF(self._x, self._lane)
        paint_chip(painter, self._chip._replace(state="done"), at, self.canvas.theme)
        painter.restore()

    def _rect(self) -> QRectF:
        assert self._chip is not None
        top = self._lane - sizes.CHIP / 2
        return QRectF(self._x, top, chip_width(self._chip.text), sizes.CHIP)


class SumTint(Move):
    """The sum of a node lights up shortly when it has changed."""

    waits = float(sizes.MOTION_WIRE + sizes.MOTION_CHIP)
    lasts = float(sizes.MOTION_SUM)

    def __init__(self, canvas: CanvasContext, node: int) -> None:
        super().__init__(canvas)
        self._node = node
        look = canvas.scene.node(node)
        self._sums: list[tuple[str, float, QColor]] = []
        if look.grad is not None:
            color = canvas.theme.error if look.grad.kind == "bad" else canvas.theme.gradient
            self._sums.append((look.grad.text, slot_row(1), color))
        if look.chips:
            lane = body_height(len(look.plugged)) + sizes.LEDGER / 2
            self._sums.append((f"= {look.total}", lane, canvas.theme.text))

    def reach(self, last: float) -> QRectF:
        """The right half of the node."""
        box = self.canvas.scene.boxes.get(self._node)
        if box is None or not self._sums:
            return QRectF()
        widest = max(width(text, "number") for text, _y, _color in self._sums)
        return QRectF(box.x + box.w - widest - 24, box.y, widest + 24, box.h)

    def paint(self, painter: QPainter) -> None:
        """Tint the surface behind the number and write it again."""
        box = self.canvas.scene.boxes.get(self._node)
        if box is None or not self.share or self.canvas.camera.scale < sizes.ZOOM_LABELS:
            return
        tint = faded(self.canvas.theme.gradient, 0.4 * (1.0 - self.share) ** 0.5)
        right = box.x + box.w - 14
        for text, y, color in self._sums:
            wide, middle = width(text, "number"), box.y + y
            rect = QRectF(right - wide - 5, middle - 10, wide + 10, 20)
            painter.fillPath(rounded(rect, 6, 6), tint)
            put(painter, text, "number", color, (right, middle), "right")


class Pulse(Move):
    """A ring leaves the outline of a node that computes or fires."""

    lasts = float(sizes.MOTION_NODE)

    def __init__(self, canvas: CanvasContext, node: int, color: QColor) -> None:
        super().__init__(canvas)
        self._node = node
        self._color = color

    def reach(self, last: float) -> QRectF:
        """The node and a little around it."""
        box = self.canvas.scene.boxes.get(self._node)
        return QRectF() if box is None else box.rect.adjusted(-16, -16, 16, 16)

    def paint(self, painter: QPainter) -> None:
        """Draw the ring, fainter the farther out it is."""
        box = self.canvas.scene.boxes.get(self._node)
        if box is None:
            return
        gap = 3.0 + 8.0 * self.share
        kind = self.canvas.scene.node(self._node).kind
        path = outline(kind, box.w + 2 * gap, box.h + 2 * gap).translated(box.x - gap, box.y - gap)
        all_but_badge = QPainterPath()
        all_but_badge.addRect(self.reach(0.0))
        all_but_badge.addEllipse(
            QPointF(box.x + box.w - 4, box.y), sizes.BADGE / 2, sizes.BADGE / 2
        )
        painter.save()
        painter.setClipPath(all_but_badge, Qt.ClipOperation.IntersectClip)
        painter.strokePath(path, pen(faded(self._color, 0.6 * (1.0 - self.share)), 3.0))
        painter.restore()


class Glide(Move):
    """Nodes glide from where they stood to where they stand now."""

    lasts = float(sizes.MOTION_ARRANGE)

    def __init__(self, canvas: CanvasContext, start: Mapping[int, Point]) -> None:
        super().__init__(canvas)
        self._start = start

    def reach(self, last: float) -> QRectF:
        """Lift the nodes to where they are on their way; wires everywhere follow."""
        self.canvas.scene.lift({} if self.over else self._places())
        return self.canvas.camera.visible_area

    def end(self) -> None:
        """Let them stand where they stand."""
        self.canvas.scene.lift({})
        self.canvas.repaint.everything()

    def _places(self) -> dict[int, Point]:
        places, share = self.canvas.document.positions, self.share
        return {
            node: (x + (places[node][0] - x) * share, y + (places[node][1] - y) * share)
            for node, (x, y) in self._start.items()
            if node in places
        }


def _stretch(course: Course, start: float, end: float) -> QPolygonF:
    """The piece of a wire between two shares of its length, measured from the slot."""
    line = course.polyline
    pairs = list(pairwise(line.at(k) for k in range(line.count() - 1, -1, -1)))
    steps = [hypot(b.x() - a.x(), b.y() - a.y()) for a, b in pairs]
    low, high = start * sum(steps), end * sum(steps)
    found = QPolygonF()
    gone = 0.0
    for (a, b), step in zip(pairs, steps, strict=True):
        if step and gone + step >= low and gone <= high:
            if found.isEmpty():
                found.append(a + (b - a) * max(0.0, (low - gone) / step))
            found.append(a + (b - a) * min(1.0, (high - gone) / step))
        gone += step
    return found
