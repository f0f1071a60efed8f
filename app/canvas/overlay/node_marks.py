"""Marks painted over nodes: readiness in a pass by hand, the checked badge, breakpoints.

HandMarks outlines the nodes that are ready to fire and the chips a refused node waits for.
CheckedBadge is below the root while the last gradient check is about exactly this graph.
BreakMarks puts a red disc on the upper left corner of each node at which a pass stops.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath

from app.canvas.appearance.detail import Detail
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.layout.node_box import chip_positions, chip_width
from app.canvas.paint.nodes import outline
from app.style import sizes
from app.style.icons import paint_icon
from app.style.strokes import draw_text, pen, rounded, width
from app.style.theme import faded
from app.workbench.playback.time_machine import TimeMachine
from app.workbench.study.checks import Checks
from engine.graph import Wire

READY = "ready"
"""Text of the tag of a node that may fire."""
_LINE, _GLOW = 2.2, 8.0
"""Width of the outline of a ready node, and of the glow around it, in sheet px."""
_DASHES = (5.0, 4.0)
_TAG_PADDING = 11.0
"""Padding of the tag's text, in sheet px."""
_RING_GAP = 4.0
"""Space between a chip and the ring around it, in sheet px."""


class HandMarks:
    """Paints the marks of one canvas over its nodes."""

    def __init__(self, canvas: CanvasContext) -> None:
        self._canvas = canvas
        canvas.modes.by_hand.changed.connect(canvas.repaint.everything)

    def paint(self, painter: QPainter) -> None:
        """Paint the marks, in sheet coordinates."""
        canvas = self._canvas
        run, graph = canvas.playback.now.by_hand, canvas.playback.frame.graph
        if run is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if canvas.modes.by_hand.shows_ready:
            ready = (graph.active_root,) if run.needs_seed else run.ready(graph)
            for node in ready:
                if node is not None and node in canvas.scene.boxes:
                    self._paint_ready(painter, node, "seed" if run.needs_seed else READY)
        if run.refused is not None and run.refused in canvas.scene.boxes:
            self._paint_refused(painter, run.refused, run.waits(graph, run.refused))

    def _paint_ready(self, painter: QPainter, node: int, text: str) -> None:
        theme, path = self._canvas.theme, self._outline(node)
        painter.strokePath(path, pen(faded(theme.selection, 0.2), _GLOW))
        painter.strokePath(path, pen(theme.selection, _LINE))
        if self._canvas.detail < Detail.RESULTS:
            return
        box = self._canvas.scene.boxes[node].rect
        wide = width(text, "caption strong") + 2 * _TAG_PADDING
        # at the top is the correct gradient of a node whose own is wrong
        edge = box.bottom() if self._canvas.scene.node(node).correct_grad else box.top() - 4
        tag = QRectF(box.right() - wide + 8, edge - sizes.CHIP / 2 + 2, wide, sizes.CHIP)
        painter.fillPath(rounded(tag, tag.height() / 2, tag.height() / 2), theme.selection)
        at = (tag.center().x(), tag.center().y())
        draw_text(painter, text, "caption strong", theme.on_fill, at, "middle")
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_refused(self, painter: QPainter, node: int, awaited: tuple[Wire, ...]) -> None:
        canvas, error = self._canvas, self._canvas.theme.error
        scene = canvas.scene
        painter.strokePath(self._outline(node), pen(error, _LINE, _DASHES))
        for wire in awaited:
            if wire in scene.courses:
                painter.strokePath(scene.courses[wire].path, pen(faded(error, 0.2), _GLOW))
                painter.strokePath(scene.courses[wire].path, pen(error, _LINE, _DASHES))
        look, box = scene.node(node), scene.boxes[node]
        if canvas.detail < Detail.RESULTS or not look.ledger.chips:
            return
        for chip, at in zip(look.ledger.chips, chip_positions(look), strict=True):
            if chip.state == "waiting":
                half = sizes.CHIP / 2
                ring = QRectF(box.x + at.x(), box.y + at.y() - half, chip_width(""), sizes.CHIP)
                ring.adjust(-_RING_GAP, -_RING_GAP, _RING_GAP, _RING_GAP)
                painter.strokePath(
                    rounded(ring, half + _RING_GAP, half + _RING_GAP), pen(error, _LINE)
                )

    def _outline(self, node: int) -> QPainterPath:
        scene = self._canvas.scene
        box = scene.boxes[node]
        path = outline(scene.node(node).kind, box.w, box.h)
        return path.translated(QPointF(box.x, box.y))


BADGE_TEXTS = {"agrees": "checked", "can't tell": "can't tell"}
"""Text of the badge by the verdict of the check; with another verdict there is none."""
DOUBTFUL_DASHES = (4.0, 3.0)
BADGE_TOP = 8.0
"""Space between the root and the badge, in sheet px."""
BADGE_PADDING, BADGE_MARK, BADGE_GAP = 8.0, 12.0, 4.0
"""Padding of mark and text, side of the mark, and gap between them, in sheet px."""
BADGE_LINE = 1.4


class CheckedBadge:
    """Paints the badge, and repaints where it appears, moves or vanishes."""

    def __init__(self, canvas: CanvasContext, checks: Checks) -> None:
        self._canvas = canvas
        self._checks = checks
        self._painted_rect = QRectF()
        self._painted_text = ""
        """The place and the text that are on the screen."""
        checks.changed.connect(self._follow)

    @property
    def text(self) -> str:
        """Return the text of the badge, or "" while there is none."""
        return BADGE_TEXTS.get(self._checks.verdict or "", "")

    @property
    def area(self) -> QRectF:
        """Return the sheet rectangle of the badge; empty while there is none."""
        canvas, text = self._canvas, self.text
        root = canvas.playback.frame.graph.active_root
        if not text or root not in canvas.scene.boxes:
            return QRectF()
        if canvas.detail < Detail.RESULTS:
            return QRectF()
        root_rect = canvas.scene.boxes[root].rect
        wide = 2 * BADGE_PADDING + BADGE_MARK + BADGE_GAP + width(text, "caption strong")
        return QRectF(
            root_rect.center().x() - wide / 2, root_rect.bottom() + BADGE_TOP, wide, sizes.PILL
        )

    def paint(self, painter: QPainter) -> None:
        """Paint the badge, in sheet coordinates."""
        area, theme = self.area, self._canvas.theme
        if area != self._painted_rect:  # the root has moved since
            self._repaint(area)
        if area.isEmpty():
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        path = rounded(area, area.height() / 2, area.height() / 2)
        painter.fillPath(path, theme.node)
        doubtful = self._checks.verdict != "agrees"
        painter.strokePath(path, pen(theme.text, BADGE_LINE, DOUBTFUL_DASHES if doubtful else ()))
        mark = QRectF(
            area.left() + BADGE_PADDING, area.center().y() - BADGE_MARK / 2, BADGE_MARK, BADGE_MARK
        )
        if doubtful:
            middle = (mark.center().x(), mark.center().y())
            draw_text(painter, "?", "caption strong", theme.text, middle, "middle")
        else:
            paint_icon(painter, mark, "check", theme.text)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        at = (mark.right() + BADGE_GAP, area.center().y())
        draw_text(painter, self.text, "caption strong", theme.text, at)

    def _follow(self) -> None:
        if self.area != self._painted_rect or self.text != self._painted_text:
            self._repaint(self.area)

    def _repaint(self, area: QRectF) -> None:
        for rect in (self._painted_rect, area):
            if not rect.isEmpty():
                self._canvas.repaint.on_sheet(
                    rect.adjusted(-BADGE_LINE, -BADGE_LINE, BADGE_LINE, BADGE_LINE)
                )
        self._painted_rect, self._painted_text = area, self.text


BREAK_RADIUS, BREAK_OUTLINE = 6.5, 1.8
"""Radius of the disc and width of its edge, in sheet px."""


class BreakMarks:
    """Paints the marks, and repaints the canvas when a breakpoint is set or removed."""

    def __init__(self, canvas: CanvasContext, machine: TimeMachine) -> None:
        self._canvas = canvas
        self._machine = machine
        machine.changed.connect(canvas.repaint.everything)

    def centres(self) -> list[QPointF]:
        """Return the middles of the marks, in sheet px."""
        boxes = self._canvas.scene.boxes
        nodes = sorted(self._machine.breakpoints & boxes.keys())
        return [boxes[node].rect.topLeft() + QPointF(2, 2) for node in nodes]

    def paint(self, painter: QPainter) -> None:
        """Paint the marks, in sheet coordinates."""
        centres = self.centres()
        if not centres:
            return
        theme = self._canvas.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(theme.error)
        painter.setPen(pen(theme.canvas, BREAK_OUTLINE))
        for at in centres:
            painter.drawEllipse(
                QRectF(
                    at.x() - BREAK_RADIUS, at.y() - BREAK_RADIUS, 2 * BREAK_RADIUS, 2 * BREAK_RADIUS
                )
            )
        painter.setBrush(Qt.BrushStyle.NoBrush)
