"""A bare QPainter that draws the same graph, as the limit: nothing is kept but what to draw.

In full detail every node and wire in view is drawn by itself, smooth, with all its writing;
batched they are plain lines and rectangles, each colour in one call.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.canvas.appearance.looks import NodeLook
from app.canvas.layout.node_box import Box
from app.canvas.scene.scene import Scene
from app.document.node_sizes import PAD_LEFT, capsule_middle, caption_middle, number_middle
from app.document.sheet import sheet_of
from app.style import sizes
from app.style.current import Style
from app.style.fonts import load_fonts
from app.style.strokes import canvas_font
from app.workbench.playback.view_state import ViewState
from engine.formats.files import load_drawing
from engine.frame import live_frame
from tests.benchmarks.canvas_worker import SIZE, Action, Actions


def actions(name: str, file: Path) -> Actions:
    """Repaint fitted and at 1:1."""
    bare = Bare(file, batched=name.endswith("batched"))
    bare.resize(*SIZE)
    bare.show()
    return {
        "fitted: repaint": Action(lambda _k: bare.repaint(), lambda: bare.look(fitted=True)),
        "1:1: repaint": Action(lambda _k: bare.repaint(), lambda: bare.look(fitted=False)),
    }


@dataclass
class Body:
    """All there is to draw of one node in full detail, in the coordinates of the sheet."""

    path: QPainterPath
    header: QRectF
    header_color: QColor
    texts: list[tuple[str, QColor, QPointF, str]]
    slots: list[QPointF]
    capsule: QRectF


class Bare(QWidget):
    """A widget that paints a graph by plain calls."""

    def __init__(self, file: Path, batched: bool) -> None:
        super().__init__()
        load_fonts()
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._batched = batched
        style = Style()
        self._theme = style.theme
        drawing = load_drawing(file)
        self._scene = Scene(style.short, style.signed)
        self._scene.show(ViewState(sheet_of(drawing), live_frame(drawing.graph)))
        self.look(fitted=True)

    def look(self, fitted: bool) -> None:
        """Look at everything, or at the middle at 1:1; collects what is in view."""
        bounds = self._scene.bounds()
        self._scale = 1.0
        if fitted:
            self._scale = min(SIZE[0] / bounds.width(), SIZE[1] / bounds.height())
        wide, high = SIZE[0] / self._scale, SIZE[1] / self._scale
        middle = bounds.center()
        area = QRectF(middle.x() - wide / 2, middle.y() - high / 2, wide, high)
        self._corner = area.topLeft()
        nodes = self._scene.index.within(area)
        wires = self._scene.wire_index.within(area)
        self._bodies = [self._body(self._scene.boxes[n], self._scene.node(n)) for n in nodes]
        self._paths = [self._scene.courses[wire].path for wire in wires]
        self._lines = [line for wire in wires for line in _chords(self._scene, wire)]
        self._rects = {
            kind: [self._scene.boxes[n].rect for n in nodes if self._scene.node(n).kind == kind]
            for kind in ("leaf", "op", "root")
        }

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint what is in view."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.canvas)
        painter.scale(self._scale, self._scale)
        painter.translate(-self._corner)
        if self._batched:
            self._paint_batched(painter)
        else:
            self._paint_full(painter)
        painter.end()

    def _paint_batched(self, painter: QPainter) -> None:
        theme = self._theme
        line = QPen(theme.wire, 1.0)
        line.setCosmetic(True)
        painter.setPen(line)
        painter.drawLines(self._lines)
        painter.setPen(Qt.PenStyle.NoPen)
        colors = {"leaf": theme.value, "op": theme.wire, "root": theme.root}
        for kind, rects in self._rects.items():
            painter.setBrush(colors[kind])
            painter.drawRects(rects)

    def _paint_full(self, painter: QPainter) -> None:
        theme = self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        wire, edge, ring = QPen(theme.wire, 2.0), QPen(theme.outline, 1.2), QPen(theme.wire, 1.6)
        for path in self._paths:
            painter.strokePath(path, wire)
        for body in self._bodies:
            painter.fillPath(body.path, theme.node)
            painter.fillRect(body.header, body.header_color)
            painter.strokePath(body.path, edge)
            for text, color, at, role in body.texts:
                painter.setFont(canvas_font(role))
                painter.setPen(color)
                painter.drawText(at, text)
            painter.setPen(ring)
            painter.setBrush(theme.node)
            for at in body.slots:
                painter.drawEllipse(at, sizes.SLOT / 2, sizes.SLOT / 2)
            painter.drawRoundedRect(body.capsule, 5, 5)
            painter.setBrush(Qt.BrushStyle.NoBrush)

    def _body(self, box: Box, look: NodeLook) -> Body:
        theme = self._theme
        path = QPainterPath()
        path.addRoundedRect(box.rect, sizes.RADIUS_NODE, sizes.RADIUS_NODE)
        right, title = box.x + box.w, look.body.symbol or look.texts.label
        texts = [
            (title, theme.text, QPointF(box.x + 14, box.y + 19), "label"),
            (look.texts.captions[0], theme.secondary, QPointF(right - 54, box.y + 18), "caption"),
        ]
        rows = [("data", look.value.text, theme.value)]
        if look.grad is not None:
            rows.append(("grad", look.grad.text, theme.gradient))
        for place, (caption, number, color) in enumerate(rows):
            x = right - 42 if look.kind in ("op", "root") else box.x + PAD_LEFT
            y = box.y + caption_middle(look.kind, place) + 4
            texts.append((caption, theme.secondary, QPointF(x, y), "caption"))
            y = box.y + number_middle(look.kind, place) + 5
            texts.append((number, color, QPointF(right - 32, y), "number"))
        return Body(
            path,
            QRectF(box.x + 2, box.y + 2, box.w - 4, sizes.NODE_HEADER - 2),
            theme.header_leaf if look.kind == "leaf" else theme.header_op,
            texts,
            [box.slot(slot) for slot in range(len(look.body.plugged))],
            QRectF(right - 5, box.y + capsule_middle(look.kind) - 20, 10, 40),
        )


def _chords(scene: Scene, wire: tuple[int, int]) -> list[QLineF]:
    """A wire as two straight lines, its bend and its level run."""
    course = scene.courses[wire]
    end, knee = course.path.currentPosition(), QPointF(course.run_start, course.y)
    return [QLineF(QPointF(*course.start), knee), QLineF(knee, end)]
