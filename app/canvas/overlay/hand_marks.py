"""The marks of a pass by hand: who is ready, and for what a refused node still waits."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath

from app.canvas.appearance.detail import Detail
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.layout.node_box import chip_places, chip_width
from app.canvas.paint.nodes import outline
from app.style import sizes
from app.style.strokes import pen, put, rounded, width
from app.style.theme import faded
from engine.graph import Wire

READY = "ready"
_LINE, _GLOW = 2.2, 8.0
"""Width of the outline of a ready node, and of the glow around it, in sheet px."""
_DASHES = (5.0, 4.0)
_TAG_EDGE = 11.0
"""Space beside the text of the tag, in sheet px."""
_RING = 4.0
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
            first = (graph.active_root,) if run.needs_seed else run.ready(graph)
            for node in first:
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
        wide = width(text, "caption strong") + 2 * _TAG_EDGE
        tag = QRectF(box.right() - wide + 8, box.top() - sizes.CHIP / 2 - 2, wide, sizes.CHIP)
        painter.fillPath(rounded(tag, tag.height() / 2, tag.height() / 2), theme.selection)
        at = (tag.center().x(), tag.center().y())
        put(painter, text, "caption strong", theme.on_fill, at, "middle")
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_refused(self, painter: QPainter, node: int, waits: tuple[Wire, ...]) -> None:
        canvas, error = self._canvas, self._canvas.theme.error
        scene = canvas.scene
        painter.strokePath(self._outline(node), pen(error, _LINE, _DASHES))
        for wire in waits:
            if wire in scene.courses:
                painter.strokePath(scene.courses[wire].path, pen(faded(error, 0.2), _GLOW))
                painter.strokePath(scene.courses[wire].path, pen(error, _LINE, _DASHES))
        look, box = scene.node(node), scene.boxes[node]
        if canvas.detail < Detail.RESULTS or not look.ledger.chips:
            return
        for chip, at in zip(look.ledger.chips, chip_places(look), strict=True):
            if chip.state == "waiting":
                half = sizes.CHIP / 2
                ring = QRectF(box.x + at.x(), box.y + at.y() - half, chip_width(""), sizes.CHIP)
                ring.adjust(-_RING, -_RING, _RING, _RING)
                painter.strokePath(rounded(ring, half + _RING, half + _RING), pen(error, _LINE))

    def _outline(self, node: int) -> QPainterPath:
        scene = self._canvas.scene
        box = scene.boxes[node]
        path = outline(scene.node(node).kind, box.w, box.h)
        return path.translated(QPointF(box.x, box.y))
