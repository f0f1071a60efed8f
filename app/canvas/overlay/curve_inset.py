"""CurveInset: the curve of an operation with its tangent, beside its node, as a way to an answer.

The tangent goes 1 to the right of where the input stands; how far it climbs there is asked.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QTransform

from app.canvas.appearance.detail import Detail
from app.canvas.context.canvas_context import CanvasContext
from app.controls.drawn_range import Range, axis_range, is_drawable, round_up
from app.style.strokes import baseline_drop, canvas_font, draw_text, pen, rounded
from app.workbench.modes.evidence import question_on_curve
from engine.asking.question import Question, facts
from engine.asking.ways import OPEN, on_curve
from engine.graph import Wire
from engine.numbers import short

WIDE, HIGH, MARGIN = 210.0, 150.0, 12.0
"""Size of the card, and the space around the plot in it, in sheet px."""
GAP = 14.0
"""Distance of the card from its node."""
REACH = 2.0
"""How far the curve goes to either side of the input."""
_POINTS, _TICKS = 48, 6
_DASHES = (3.4, 2.6)
_HALO = 4.0
"""Width of the margin around texts that lie on a curve, both sides of a stroke together."""
_ROLE = "caption"


class CurveInset:
    """Paints the card of one canvas over its nodes."""

    def __init__(self, canvas: CanvasContext) -> None:
        self._canvas = canvas

    def paint(self, painter: QPainter) -> None:
        """Paint the card, in sheet coordinates."""
        question, card = self._question, self.rect
        if question is None or card.isEmpty():
            return
        theme = self._canvas.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        path = rounded(card, 9.0, 9.0)
        painter.fillPath(path, theme.node)
        painter.strokePath(path, pen(theme.selection, 1.4, _DASHES))
        painter.save()
        painter.setClipRect(card)
        self._paint_plot(painter, question, card.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN))
        painter.restore()

    @property
    def rect(self) -> QRectF:
        """Return the rectangle of the card; empty without one.

        It is beside its node or in a corner of the view, and clear of nodes where there is room.
        """
        question, scene = self._question, self._canvas.scene
        if question is None or question.node not in scene.boxes:
            return QRectF()
        box = scene.boxes[question.node].rect
        left, top = box.center().x() - WIDE / 2, box.center().y() - HIGH / 2
        above, below = box.top() - HIGH - 2 * GAP, box.bottom() + GAP
        places = [(x, y) for x in (left, box.left(), box.right() - WIDE) for y in (above, below)]
        places += [(box.right() + GAP, top), (box.left() - GAP - WIDE, top)]
        area = self._canvas.camera.uncovered_area.adjusted(GAP, GAP, -GAP - WIDE, -GAP - HIGH)
        places += [(x, y) for y in (area.top(), area.bottom()) for x in (area.right(), area.left())]
        rects = [QRectF(x, y, WIDE, HIGH) for x, y in places]
        seen = [rect for rect in rects if self._is_seen(rect)]
        return next(filter(scene.is_free, (*seen, *rects)), (seen or rects)[0])

    def _is_seen(self, rect: QRectF) -> bool:
        """Return whether a rectangle is in view, and not under the buttons over the sheet."""
        camera = self._canvas.camera
        corners = QRectF(camera.to_screen(rect.topLeft()), camera.to_screen(rect.bottomRight()))
        shift = self._canvas.framing.clearance(corners)
        return camera.uncovered_area.contains(rect) and shift.isNull()

    @property
    def _question(self) -> Question | None:
        """Return the question whose curve is shown."""
        canvas, now = self._canvas, self._canvas.playback.now
        if now.quiz is None or canvas.detail < Detail.RESULTS:
            return None
        return question_on_curve(now.quiz, now.frame, canvas.style.digits)

    def _paint_plot(self, painter: QPainter, question: Question, plot: QRectF) -> None:
        trace, theme = self._canvas.playback.now.unhidden_trace, self._canvas.theme
        if trace is None or (wire := question.wire) is None:
            return
        at = facts(question, trace)
        x, y, slope = at.inputs[at.slot], at.value, at.local
        points = self._points(wire, x)
        left, right = x - REACH, x + REACH
        up = axis_range([y for _x, y in points] + [y, y + slope], 0.1, 1.0)
        on_plot = QTransform().translate(plot.left(), plot.bottom())
        on_plot.scale(plot.width() / (right - left), -plot.height() / (up[1] - up[0]))
        on_plot.translate(-left, -up[0])

        def place(a: float, b: float) -> QPointF:
            return on_plot.map(QPointF(a, b))

        painter.setPen(pen(theme.line, 1.0))
        for tick in _ticks(up):
            painter.drawLine(place(left, tick), place(right, tick))
        painter.setPen(pen(theme.value, 2.4))
        painter.drawPolyline([place(*point) for point in points])
        painter.setPen(pen(theme.local, 1.6))
        painter.drawLine(place(left, y - REACH * slope), place(right, y + REACH * slope))
        here, corner, end = place(x, y), place(x + 1, y), place(x + 1, y + slope)
        painter.setPen(pen(theme.selection, 1.6, _DASHES))
        painter.drawLines([here, corner, corner, end])
        beside = QPointF(end.x() + 6, (corner.y() + end.y()) / 2)
        _write(painter, OPEN, "number", theme.selection, beside, theme.node)
        for tick in _ticks(up):
            above = place(left, tick) - QPointF(0, 6)
            _write(painter, short(tick), _ROLE, theme.secondary, above, theme.node)
        below = 9 if slope > 0 else -9
        centre = ((here.x() + corner.x()) / 2, here.y() + below)
        draw_text(painter, "1", _ROLE, theme.selection, centre, "middle")
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.value)
        painter.drawEllipse(here, 4.5, 4.5)

    def _points(self, wire: Wire, x: float) -> list[tuple[float, float]]:
        """Return the points of the curve around the input that can be drawn."""
        trace = self._canvas.playback.now.unhidden_trace
        assert trace is not None
        xs = (x + REACH * (2 * k / _POINTS - 1) for k in range(_POINTS + 1))
        found = ((a, on_curve(trace.graph, wire, trace.values, a)) for a in xs)
        return [point for point in found if is_drawable(point[1])]


def _write(
    painter: QPainter, text: str, role: str, ink: QColor, at: QPointF, ground: QColor
) -> None:
    """Write a text from its left middle over the curves, with a margin around it."""
    halo = QPainterPath()
    halo.addText(at + QPointF(0, baseline_drop(role)), canvas_font(role), text)
    painter.strokePath(halo, pen(ground, _HALO))
    draw_text(painter, text, role, ink, (at.x(), at.y()))


def _ticks(up: Range) -> list[float]:
    """Return the round numbers of an axis, at most `_TICKS`."""
    power = 10.0 ** math.floor(math.log10((up[1] - up[0]) / _TICKS))
    stride = round_up((up[1] - up[0]) / _TICKS / power) * power
    first = math.ceil(up[0] / stride)
    return [round(k * stride, 12) for k in range(first, math.floor(up[1] / stride) + 1)]
