"""The single animations; each is painted over what the canvas shows already."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath

from app.canvas.appearance.detail import Detail
from app.canvas.appearance.look import WireLook, WireState
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.layout.node_box import chip_places, chip_width, lane_tops, total_middle
from app.canvas.paint.nodes import badge_middle, outline, paint_chip
from app.canvas.paint.wires import RunningWire
from app.document.node_sizes import PAD_RIGHT, number_middle
from app.document.sheet import Point
from app.style import sizes
from app.style.strokes import pen, put, rounded, width
from app.style.theme import faded
from engine.graph import Wire
from engine.study.ripple import GraphRipple

MOST_COLUMNS = 6
"""A ripple through more columns takes no longer than through these."""


def eased(share: float) -> float:
    """Ease out: map linear progress (0 to 1) to a curve that starts fast and slows down."""
    return 1.0 - (1.0 - min(max(share, 0.0), 1.0)) ** 3


class Move:
    """One animation with a delay and a duration in ms; `share` is its progress, 0 to 1."""

    waits = 0.0
    lasts = 1.0

    def __init__(self, canvas: CanvasContext) -> None:
        self.canvas = canvas
        self.share = 0.0
        self.over = False
        self.dirty = QRectF()
        """The sheet rectangle to repaint."""

    def go(self, moment: float) -> None:
        """Set the progress for a time in milliseconds after the start."""
        share = eased((moment - self.waits) / self.lasts)
        ended = moment >= self.waits + self.lasts
        self.dirty = QRectF()
        if not self.over and (moment == 0 or ended or share != self.share):
            last, self.share, self.over = self.share, share, ended
            self.dirty = self.reach(last)

    def reach(self, last: float) -> QRectF:
        """Return the sheet rectangle that changed since the progress was `last`."""
        raise NotImplementedError

    def end(self) -> None:
        """Restore anything borrowed from the canvas."""

    def paint(self, painter: QPainter) -> None:
        """Paint over the nodes, in sheet coordinates."""


class WireRun(Move):
    """Runs the colour of a contribution along its wire, from the slot to the source."""

    lasts = float(sizes.MOTION_WIRE)

    def __init__(self, canvas: CanvasContext, wire: Wire) -> None:
        super().__init__(canvas)
        self.wire = wire
        self._hue = canvas.scene.wire(wire).hue

    def reach(self, last: float) -> QRectF:
        """Return the stretch coloured since the last frame; at the end the whole wire."""
        course = self.canvas.scene.courses.get(self.wire)
        if course is None:
            return QRectF()
        found = course.path.controlPointRect()
        if 0 < self.share < 1:
            found = course.stretch(last, self.share).boundingRect()
        return found.adjusted(-20, -14, 20, 14)

    @property
    def running_wire(self) -> RunningWire:
        """Return the look of the wire before, and which share of it is coloured already."""
        before: WireState = "asked" if self.canvas.playback.now.quiz else "next"
        return RunningWire(self.wire, WireLook(before, self._hue), self.share)


class ChipFill(Move):
    """Fills a ledger chip from the wires' side once the colour has reached it."""

    waits = float(sizes.MOTION_WIRE)
    lasts = float(sizes.MOTION_CHIP)

    def __init__(self, canvas: CanvasContext, node: int) -> None:
        super().__init__(canvas)
        self._node = node
        look = canvas.scene.node(node)
        self._chip = next((chip for chip in look.ledger.chips if chip.state == "landed"), None)
        self._at = QPointF()
        for chip, at in zip(look.ledger.chips, chip_places(look), strict=True):
            if chip is self._chip:
                self._at = at

    def reach(self, last: float) -> QRectF:
        """Return the chip's rectangle."""
        box = self.canvas.scene.boxes.get(self._node)
        if box is None or self._chip is None:
            return QRectF()
        return self._rect().translated(box.x, box.y).adjusted(-3, -3, 3, 3)

    def paint(self, painter: QPainter) -> None:
        """Cover the part of the chip that is not filled yet; its number stays readable."""
        box = self.canvas.scene.boxes.get(self._node)
        if box is None or self._chip is None or self.canvas.detail < Detail.RESULTS:
            return
        rect = self._rect().adjusted(-1, -1, 1, 1)
        painter.save()
        painter.translate(box.x, box.y)
        painter.setClipRect(rect.adjusted(0, 0, -rect.width() * self.share, 0))
        painter.fillRect(rect, self.canvas.theme.node)
        paint_chip(painter, self._chip._replace(state="done"), self._at, self.canvas.theme)
        painter.restore()

    def _rect(self) -> QRectF:
        assert self._chip is not None
        top = self._at.y() - sizes.CHIP / 2
        return QRectF(self._at.x(), top, chip_width(self._chip.text), sizes.CHIP)


class SumTint(Move):
    """Highlights the sum of a node briefly after it changed."""

    waits = float(sizes.MOTION_WIRE + sizes.MOTION_CHIP)
    lasts = float(sizes.MOTION_SUM)

    def __init__(self, canvas: CanvasContext, node: int) -> None:
        super().__init__(canvas)
        self._node = node
        look = canvas.scene.node(node)
        self._sums: list[tuple[str, float, QColor]] = []
        if look.grad is not None:
            color = canvas.theme.error if look.grad.kind == "bad" else canvas.theme.gradient
            self._sums.append((look.grad.text, number_middle(look.kind, 1), color))
        if look.ledger.chips:
            ink = canvas.theme.text if look.correct is None else canvas.theme.error
            own = lane_tops(look)[-1]
            self._sums.append((look.ledger.total, total_middle(*own), ink))

    def reach(self, last: float) -> QRectF:
        """Return the right half of the node."""
        box = self.canvas.scene.boxes.get(self._node)
        if box is None or not self._sums:
            return QRectF()
        widest = max(width(text, "number") for text, _y, _color in self._sums)
        return QRectF(box.x + box.w - widest - 24, box.y, widest + 24, box.h)

    def paint(self, painter: QPainter) -> None:
        """Tint the surface behind the number, then write the number again."""
        box = self.canvas.scene.boxes.get(self._node)
        if box is None or not self.share or self.canvas.detail < Detail.RESULTS:
            return
        tint = faded(self.canvas.theme.gradient, 0.4 * (1.0 - self.share) ** 0.5)
        right = box.x + box.w - PAD_RIGHT
        for text, y, color in self._sums:
            wide, middle = width(text, "number"), box.y + y
            rect = QRectF(right - wide - 5, middle - 10, wide + 10, 20)
            painter.fillPath(rounded(rect, 6, 6), tint)
            put(painter, text, "number", color, (right, middle), "right")


class Pulse(Move):
    """Expands a ring from the outline of a node that computes or fires."""

    lasts = float(sizes.MOTION_NODE)

    def __init__(self, canvas: CanvasContext, node: int, color: QColor) -> None:
        super().__init__(canvas)
        self._node = node
        self._color = color

    def reach(self, last: float) -> QRectF:
        """Return the node's rectangle with the margin that the ring needs."""
        box = self.canvas.scene.boxes.get(self._node)
        return QRectF() if box is None else box.rect.adjusted(-16, -16, 16, 16)

    def paint(self, painter: QPainter) -> None:
        """Paint the ring, fainter the further out it is."""
        box = self.canvas.scene.boxes.get(self._node)
        if box is None:
            return
        gap = 3.0 + 8.0 * self.share
        kind = self.canvas.scene.node(self._node).kind
        path = outline(kind, box.w + 2 * gap, box.h + 2 * gap).translated(box.x - gap, box.y - gap)
        all_but_badge = QPainterPath()
        all_but_badge.addRect(self.reach(0.0))
        all_but_badge.addEllipse(
            badge_middle(box.w) + QPointF(box.x, box.y), sizes.BADGE / 2, sizes.BADGE / 2
        )
        painter.save()
        painter.setClipPath(all_but_badge, Qt.ClipOperation.IntersectClip)
        painter.strokePath(path, pen(faded(self._color, 0.6 * (1.0 - self.share)), 3.0))
        painter.restore()


class RippleRun(Move):
    """Lets a change run through the graph: each column of wires takes its time."""

    def __init__(self, canvas: CanvasContext, found: GraphRipple) -> None:
        super().__init__(canvas)
        self._found = found
        self._columns = max(found.columns.values())
        self.lasts = float(sizes.MOTION_COLUMN * max(1, min(self._columns, MOST_COLUMNS)))
        self.front = 0.0
        """How many columns it has come."""

    def go(self, moment: float) -> None:
        """Set how far it has come; all columns take equally long."""
        self.share = min(moment / self.lasts, 1.0)
        self.front = self._columns * self.share
        self.over = self.share >= 1
        self.dirty = self.canvas.camera.visible_area

    def come(self, wire: Wire) -> float:
        """Return how far it has come along a wire, 0 to 1."""
        source = self._found.graph.source(wire)
        column = self._found.columns.get(-1 if source is None else source, self._columns)
        return min(max(self.front - column, 0.0), 1.0)


class Glide(Move):
    """Moves nodes smoothly from their old to their new positions."""

    lasts = float(sizes.MOTION_ARRANGE)

    def __init__(self, canvas: CanvasContext, start: Mapping[int, Point]) -> None:
        super().__init__(canvas)
        self._start = start

    def reach(self, last: float) -> QRectF:
        """Move the nodes to their intermediate positions; their wires follow."""
        self.canvas.scene.lift({} if self.over else self._places())
        return self.canvas.camera.visible_area

    def end(self) -> None:
        """Put the nodes at their final positions."""
        self.canvas.scene.lift({})
        self.canvas.repaint.everything()

    def _places(self) -> dict[int, Point]:
        places, share = self.canvas.document.positions, self.share
        return {
            node: (x + (places[node][0] - x) * share, y + (places[node][1] - y) * share)
            for node, (x, y) in self._start.items()
            if node in places
        }
