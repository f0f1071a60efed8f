"""Ripple marks: the changes at nodes and on wires while a ripple is shown.

A pill over each node says by how much it changes; in the seat of a wire's contribution stands the
slope over the change it gives. The second help of a question marks two nodes likewise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath

from app.canvas.animation import Motion
from app.canvas.appearance.detail import Detail
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.layout.text_sizes import LABEL_PAD
from app.canvas.paint.nodes import outline, paint_badge
from app.style import fonts, sizes
from app.style.strokes import draw_text, pen, rounded, width
from app.workbench.words.ripple import LONGEST_NAME, MANY, pill_text
from engine.graph import OpNode, Root, Wire
from engine.numbers import Digits, short, signed
from engine.study.nudge import GraphRipple

PILL, RATIO = 20.0, 26.0
"""Heights of the pill of a node, and of the ratio under the node that is changed."""
GAP = 1.0
"""Space between a node and its pill."""
PAD, RATIO_PAD = 9.0, 11.0
OVER = 5.0
"""By how much a pill of several changes exceeds the right edge of its node."""
LINE, LABEL_LINE = 1.8, 1.4
ARROW = (9.0, 5.0)
"""Length and half the height of the arrow at a slot."""
READABLE = 11.5
"""Size in px on the screen of the two pills that a large graph has."""
TEXT = "contribution"

Piece = tuple[str, QColor]


class RippleMarks:
    """Paints the marks of one canvas over its nodes."""

    def __init__(self, canvas: CanvasContext, motion: Motion) -> None:
        self._canvas, self._motion = canvas, motion

    def paint(self, painter: QPainter) -> None:
        """Paint the marks, in sheet coordinates."""
        found = self._canvas.playback.now.ripple
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if found is None:
            self._paint_help(painter)
            return
        self._paint_ring(painter, found.node)
        rippled = self._motion.ripple_progress
        wires = [w for w in self._wires(found) if rippled is None or rippled(w) >= 1]
        for wire in wires:
            self._paint_arrow(painter, wire)
        for wire, place in self.labels(found, wires).items():
            self._paint_label(painter, found, wire, place)
        for node in self.marked(found):
            self._paint_node(painter, found, node)
        self._paint_ratio(painter, found)

    def places(self) -> list[QRectF]:
        """Return the sheet rectangles of pills, labels and ratio at the end of the ripple."""
        found = self._canvas.playback.now.ripple
        if found is None:
            return []
        ratio = self.ratio_rect(found)
        return [*self._taken(found), *([] if ratio is None else [ratio])]

    def _taken(self, found: GraphRipple) -> list[QRectF]:
        """Return the rectangles of pills and labels at the end of the ripple."""
        labels = self.labels(found, self._wires(found)).values()
        pills = [self.pill_rect(found, node) for node in self._with_pill(found)]
        return [*pills, *(place for place, _whole in labels)]

    def marked(self, found: GraphRipple) -> list[int]:
        """Return the nodes that have a pill, as far as the change has come."""
        front = self._front
        return [n for n in self._with_pill(found) if found.columns[n] <= front]

    def _with_pill(self, found: GraphRipple) -> list[int]:
        """Return the nodes that get a pill: those reached; in a large graph first and last."""
        nodes = [*found.columns] if self._all_marked(found) else [found.node, found.root]
        shown = (n for n in nodes if n in found.columns and n in self._canvas.scene.boxes)
        return [n for n in shown if not isinstance(found.graph.nodes[n], Root)]

    @property
    def _front(self) -> float:
        front = self._motion.ripple_front
        return math.inf if front is None else front

    def _all_marked(self, found: GraphRipple) -> bool:
        return len(found.graph.nodes) <= MANY and self._canvas.detail >= Detail.RESULTS

    def _wires(self, found: GraphRipple) -> list[Wire]:
        """Return the wires that carry the change, none in a large graph."""
        if not self._all_marked(found):
            return []
        graph, scene = found.graph, self._canvas.scene
        wires = ((node, slot) for node in found.columns for slot in range(len(graph.inputs(node))))
        drawn = (w for w in wires if w in scene.courses and w[0] in scene.boxes)
        return [w for w in drawn if found.carries(w)]

    # nodes

    def _paint_ring(self, painter: QPainter, node: int) -> None:
        scene = self._canvas.scene
        if node not in scene.boxes:
            return
        box, gap = scene.boxes[node], float(sizes.SELECTION_GAP)
        path = outline(scene.node(node).kind, box.w + 2 * gap, box.h + 2 * gap)
        path = path.translated(box.x - gap, box.y - gap)
        painter.strokePath(path, pen(self._canvas.theme.selection, sizes.OUTLINE_SELECTED))
        if self._canvas.detail >= Detail.RESULTS:  # it passes below a flag on the corner
            painter.translate(box.x, box.y)
            paint_badge(painter, scene.node(node), box.w, self._canvas.theme)
            painter.translate(-box.x, -box.y)
            painter.setBrush(Qt.BrushStyle.NoBrush)

    def pieces(self, found: GraphRipple, node: int) -> list[Piece]:
        """Return the text of a node's pill."""
        theme = self._canvas.theme
        text, rest = pill_text(found, node, self._digits)
        return [(text, theme.value), *([(rest, theme.secondary)] if rest else [])]

    def pill_rect(self, found: GraphRipple, node: int) -> QRectF:
        """Return the rectangle of the pill of a node, in sheet px.

        It is centred over the node; that of several changes ends at its right edge. A badge on the
        corner keeps its room. Where another node is close above, it lies on the ring.
        """
        scene = self._canvas.scene
        box, look = scene.boxes[node], scene.node(node)
        wide = self._pill_width(self.pieces(found, node))
        several = not self.pieces(found, node)[0][0].startswith("Δ")
        left = box.x + (box.w - wide) / 2
        limit = box.rect.right() + OVER
        if look.badge:
            limit = box.rect.right() - sizes.BADGE / 2 - 2
        left = limit - wide if several else min(left, limit - wide if look.badge else left)
        ring = sizes.SELECTION_GAP + sizes.OUTLINE_SELECTED if node == found.node else 0.0
        flag = sizes.BADGE / 2 + 2 if look.flag else 0.0
        rect = QRectF(left, box.y - PILL - GAP - flag, wide, PILL)
        over_ring = rect.translated(0, flag - max(ring, flag))
        return over_ring if self._is_free(over_ring) else rect

    def _pill_width(self, pieces: Sequence[Piece]) -> float:
        return 2 * PAD + sum(width(text, TEXT) for text, _color in pieces)

    def _paint_node(self, painter: QPainter, found: GraphRipple, node: int) -> None:
        rect, pieces = self.pill_rect(found, node), self.pieces(found, node)
        self._paint_large(painter, rect, pieces, QPointF(rect.center().x(), rect.bottom()))

    def _paint_large(
        self, painter: QPainter, rect: QRectF, pieces: Sequence[Piece], fixed: QPointF
    ) -> None:
        """Paint a pill, around a fixed point so large that it can be read at any zoom."""
        size = fonts.ROLES[TEXT].pixels * self._canvas.camera.scale
        grown = max(1.0, READABLE / size) if self._canvas.detail < Detail.RESULTS else 1.0
        painter.save()
        painter.translate(fixed)
        painter.scale(grown, grown)
        painter.translate(-fixed)
        self._paint_pill(painter, rect, pieces)
        painter.restore()

    def _paint_pill(self, painter: QPainter, rect: QRectF, pieces: Sequence[Piece]) -> None:
        theme, half = self._canvas.theme, rect.height() / 2
        path = rounded(rect, half, half)
        painter.fillPath(path, theme.node)
        painter.strokePath(path, pen(theme.value, LINE))
        x = rect.center().x() - sum(width(text, TEXT) for text, _color in pieces) / 2
        for text, color in pieces:
            x += draw_text(painter, text, TEXT, color, (x, rect.center().y()))

    # the ratio

    def ratio_pieces(self, found: GraphRipple) -> list[Piece]:
        """Return `ΔL ÷ Δa = 4`, or nothing where there is no such ratio."""
        graph, theme, root = found.graph, self._canvas.theme, found.root
        if root is None or not found.leads_to_root or not math.isfinite(found.ratio):
            return []
        names = [graph.brief(node, LONGEST_NAME) for node in (root, found.node)]
        return [
            (f"Δ{names[0]} ÷ Δ{names[1]}", theme.text),
            (" = ", theme.secondary),
            (short(found.ratio, self._digits), theme.value),
        ]

    def ratio_rect(self, found: GraphRipple) -> QRectF | None:
        """Return the rectangle of the ratio, or None where there is none or no room for it.

        It stands under its node, on the ring where another node is close below; else behind the
        pill above it.
        """
        pieces = self.ratio_pieces(found)
        if found.node not in self._canvas.scene.boxes or not pieces:
            return None
        box, gap = self._canvas.scene.boxes[found.node], float(sizes.SELECTION_GAP)
        wide = 2 * RATIO_PAD + sum(width(text, TEXT) for text, _color in pieces)
        left, bottom = box.x - gap, box.rect.bottom()
        pill = self.pill_rect(found, found.node)
        places = (
            QRectF(left, bottom + 2 * gap, wide, RATIO),
            QRectF(left, bottom + GAP, wide, PILL),
            QRectF(pill.right() + gap, pill.top(), wide, PILL),
        )
        taken = self._taken(found)
        free = (r for r in places if self._is_free(r) and not any(map(r.intersects, taken)))
        return next(free, None)

    def _is_free(self, rect: QRectF) -> bool:
        """Return whether no node lies in a rectangle of the sheet."""
        scene = self._canvas.scene
        return not any(scene.boxes[n].rect.intersects(rect) for n in scene.node_index.within(rect))

    def _paint_ratio(self, painter: QPainter, found: GraphRipple) -> None:
        if self._front < max(found.columns.values()):  # it has not come to the root yet
            return
        rect = self.ratio_rect(found)
        if rect is not None:
            self._paint_large(painter, rect, self.ratio_pieces(found), rect.topLeft())

    # wires

    def labels(self, found: GraphRipple, wires: Sequence[Wire]) -> dict[Wire, tuple[QRectF, bool]]:
        """Return where the changes of wires stand, and whether with the slope above; or nothing.

        Each ends where the label of the wire does; it covers neither a node nor another label.
        """
        taken: list[QRectF] = []
        places: dict[Wire, tuple[QRectF, bool]] = {}
        for wire in wires:
            if not isinstance(found.graph.nodes[wire[0]], OpNode):
                continue
            slope, effect = self._label(found, wire)
            label_place = self._canvas.scene.wire_layout.label_layout[wire]
            narrow = 2 * LABEL_PAD + width(effect, TEXT)
            wide = max(narrow, 2 * LABEL_PAD + width(f"× {slope}", "factors"))
            for across, high, whole in (
                (wide, sizes.LABEL, True),
                (narrow, sizes.LABEL_LINE, False),
            ):
                rect = QRectF(label_place.right - across, label_place.y - high / 2, across, high)
                if self._is_free(rect) and not any(map(rect.intersects, taken)):
                    taken.append(rect)
                    places[wire] = rect, whole
                    break
        return places

    def _label(self, found: GraphRipple, wire: Wire) -> tuple[str, str]:
        carried = found.carried(wire)
        assert carried is not None
        return short(carried.slope, self._digits), signed(carried.effect, self._digits)

    def _paint_label(
        self, painter: QPainter, found: GraphRipple, wire: Wire, place: tuple[QRectF, bool]
    ) -> None:
        theme, (rect, whole) = self._canvas.theme, place
        slope, effect = self._label(found, wire)
        path = rounded(rect, PAD, PAD)
        painter.fillPath(path, theme.node)
        painter.strokePath(path, pen(theme.value, LABEL_LINE))
        middle = rect.center()
        if not whole:
            draw_text(painter, effect, TEXT, theme.value, (middle.x(), middle.y()), "middle")
            return
        first, last = (middle.y() + shift for shift in sizes.LABEL_MIDDLES)
        x = middle.x() - width(f"× {slope}", "factors") / 2
        x += draw_text(painter, "× ", "factors", theme.secondary, (x, first))
        draw_text(painter, slope, "factors", theme.local, (x, first))
        draw_text(painter, effect, TEXT, theme.value, (middle.x(), last), "middle")

    def _paint_arrow(self, painter: QPainter, wire: Wire) -> None:
        at = self._canvas.scene.node_layout.slot_point(wire)
        if at is None:
            return
        long, half = ARROW
        arrow_tip = QPointF(at.x() - sizes.SLOT / 2, at.y())
        path = QPainterPath(arrow_tip)
        path.lineTo(arrow_tip.x() - long, arrow_tip.y() - half)
        path.lineTo(arrow_tip.x() - long, arrow_tip.y() + half)
        path.closeSubpath()
        painter.fillPath(path, self._canvas.theme.value)

    # the second help of a question

    def help_pills(self) -> list[tuple[QRectF, list[Piece]]]:
        """Return the pills of the second help: over the input, under the node that fires."""
        canvas = self._canvas
        quiz, frame = canvas.playback.now.quiz, canvas.playback.frame
        if quiz is None or canvas.detail < Detail.RESULTS:
            return []
        from app.workbench.words.help import helping_ripple

        helped = helping_ripple(quiz, frame, self._digits)
        if helped is None:
            return []
        wire, found = helped
        source, pills = frame.graph.source(wire), list[tuple[QRectF, list[Piece]]]()
        for node, change in ((source, found.change), (wire[0], found.effect)):
            if node is None or node not in canvas.scene.boxes:
                continue
            box = canvas.scene.boxes[node]
            pieces = [(f"Δ {signed(change, self._digits)}", canvas.theme.value)]
            wide, reach = self._pill_width(pieces), GAP + sizes.GLOW
            top = box.y - PILL - reach if node == source else box.rect.bottom() + reach
            pills.append((QRectF(box.x + (box.w - wide) / 2, top, wide, PILL), pieces))
        return pills

    def _paint_help(self, painter: QPainter) -> None:
        for rect, pieces in self.help_pills():
            self._paint_pill(painter, rect, pieces)

    @property
    def _digits(self) -> Digits:
        return self._canvas.style.digits
