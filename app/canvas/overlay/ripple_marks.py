"""Ripple marks: the changes at nodes and on wires while a ripple is shown.

A pill over each node has its change; in place of a wire's contribution are the local derivative and
the change that it causes. The second help of a question marks two nodes likewise. (Elsewhere a pill
is a constant that is drawn at its slot.)
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
from app.workbench.words.ripple import MAX_RIPPLE_NODES, NAME_LENGTH, pill_text
from engine.graph import OpNode, Root, Wire
from engine.numbers import Digits, short, signed
from engine.study.nudge import GraphRipple

PILL_HEIGHT, RATIO_HEIGHT = 20.0, 26.0
"""Heights of the pill of a node, and of the ratio under the node that is changed."""
PILL_GAP = 1.0
"""Space between a node and its pill."""
PILL_PADDING, RATIO_PADDING = 9.0, 11.0
PILL_OVERHANG = 5.0
"""By how much a pill with several changes exceeds the right edge of its node."""
PILL_LINE, LABEL_LINE = 1.8, 1.4
ARROW = (9.0, 5.0)
"""Length and half the height of the arrow at a slot."""
MIN_PILL_TEXT = 11.5
"""Size in px on the screen of the two pills that a large graph has."""
TEXT_ROLE = "contribution"

Piece = tuple[str, QColor]
"""A part of a text, and its colour."""


class RippleMarks:
    """Paints the marks of one canvas over its nodes."""

    def __init__(self, canvas: CanvasContext, motion: Motion) -> None:
        self._canvas, self._motion = canvas, motion

    def paint(self, painter: QPainter) -> None:
        """Paint the marks, in sheet coordinates."""
        ripple = self._canvas.playback.now.ripple
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if ripple is None:
            self._paint_help(painter)
            return
        self._paint_ring(painter, ripple.node)
        progress = self._motion.ripple_progress
        wires = [w for w in self._wires(ripple) if progress is None or progress(w) >= 1]
        for wire in wires:
            self._paint_arrow(painter, wire)
        for wire, place in self.labels(ripple, wires).items():
            self._paint_label(painter, ripple, wire, place)
        for node in self.nodes_with_visible_pill(ripple):
            self._paint_node(painter, ripple, node)
        self._paint_ratio(painter, ripple)

    def rects(self) -> list[QRectF]:
        """Return the sheet rectangles of pills, labels and ratio at the end of the ripple."""
        ripple = self._canvas.playback.now.ripple
        if ripple is None:
            return []
        ratio = self.ratio_rect(ripple)
        return [*self._pill_and_label_rects(ripple), *([] if ratio is None else [ratio])]

    def _pill_and_label_rects(self, ripple: GraphRipple) -> list[QRectF]:
        """Return the rectangles of pills and labels at the end of the ripple."""
        labels = self.labels(ripple, self._wires(ripple)).values()
        pills = [self.pill_rect(ripple, node) for node in self._nodes_with_pill(ripple)]
        return [*pills, *(place for place, _whole in labels)]

    def nodes_with_visible_pill(self, ripple: GraphRipple) -> list[int]:
        """Return the nodes with a pill that the running ripple has reached."""
        front = self._front  # the column that it has reached
        return [n for n in self._nodes_with_pill(ripple) if ripple.columns[n] <= front]

    def _nodes_with_pill(self, ripple: GraphRipple) -> list[int]:
        """Return the nodes that get a pill: those reached; in a large graph first and last."""
        nodes = [*ripple.columns] if self._marks_all(ripple) else [ripple.node, ripple.root]
        shown = (n for n in nodes if n in ripple.columns and n in self._canvas.scene.boxes)
        return [n for n in shown if not isinstance(ripple.graph.nodes[n], Root)]

    @property
    def _front(self) -> float:
        """Return the column that the ripple has reached; infinite if it does not run."""
        front = self._motion.ripple_front
        return math.inf if front is None else front

    def _marks_all(self, ripple: GraphRipple) -> bool:
        """Return whether every node and wire is marked: where few enough are large enough."""
        return len(ripple.graph.nodes) <= MAX_RIPPLE_NODES and self._canvas.detail >= Detail.RESULTS

    def _wires(self, ripple: GraphRipple) -> list[Wire]:
        """Return the wires that carry the change, none in a large graph."""
        if not self._marks_all(ripple):
            return []
        graph, scene = ripple.graph, self._canvas.scene
        wires = ((node, slot) for node in ripple.columns for slot in range(len(graph.inputs(node))))
        drawn = (w for w in wires if w in scene.courses and w[0] in scene.boxes)
        return [w for w in drawn if ripple.carries(w)]

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

    def pieces(self, ripple: GraphRipple, node: int) -> list[Piece]:
        """Return the text of a node's pill."""
        theme = self._canvas.theme
        text, remainder = pill_text(ripple, node, self._digits)
        return [(text, theme.value), *([(remainder, theme.secondary)] if remainder else [])]

    def pill_rect(self, ripple: GraphRipple, node: int) -> QRectF:
        """Return the rectangle of the pill of a node, in sheet px.

        It is centred over the node; that of several changes ends at its right edge. A badge on the
        corner stays free. Where another node is close above, it lies on the ring.
        """
        scene = self._canvas.scene
        box, look = scene.boxes[node], scene.node(node)
        wide = self._pill_width(self.pieces(ripple, node))
        # only the text of a single change begins with a Δ
        several = not self.pieces(ripple, node)[0][0].startswith("Δ")
        left = box.x + (box.w - wide) / 2
        limit = box.rect.right() + PILL_OVERHANG
        if look.badge:
            limit = box.rect.right() - sizes.BADGE / 2 - 2
        left = limit - wide if several else min(left, limit - wide if look.badge else left)
        ring = sizes.SELECTION_GAP + sizes.OUTLINE_SELECTED if node == ripple.node else 0.0
        flag = sizes.BADGE / 2 + 2 if look.flag else 0.0
        rect = QRectF(left, box.y - PILL_HEIGHT - PILL_GAP - flag, wide, PILL_HEIGHT)
        # up by as much as the ring is wider than the space for a flag, which is there already
        over_ring = rect.translated(0, -max(ring - flag, 0.0))
        return over_ring if self._is_free(over_ring) else rect

    def _pill_width(self, pieces: Sequence[Piece]) -> float:
        return 2 * PILL_PADDING + sum(width(text, TEXT_ROLE) for text, _color in pieces)

    def _paint_node(self, painter: QPainter, ripple: GraphRipple, node: int) -> None:
        rect, pieces = self.pill_rect(ripple, node), self.pieces(ripple, node)
        self._paint_readable_pill(painter, rect, pieces, QPointF(rect.center().x(), rect.bottom()))

    def _paint_readable_pill(
        self, painter: QPainter, rect: QRectF, pieces: Sequence[Piece], fixed: QPointF
    ) -> None:
        """Paint a pill, scaled up around a fixed point so that it can be read at any zoom."""
        size = fonts.ROLES[TEXT_ROLE].pixels * self._canvas.camera.scale
        grown = max(1.0, MIN_PILL_TEXT / size) if self._canvas.detail < Detail.RESULTS else 1.0
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
        painter.strokePath(path, pen(theme.value, PILL_LINE))
        x = rect.center().x() - sum(width(text, TEXT_ROLE) for text, _color in pieces) / 2
        for text, color in pieces:
            x += draw_text(painter, text, TEXT_ROLE, color, (x, rect.center().y()))

    # the ratio

    def ratio_pieces(self, ripple: GraphRipple) -> list[Piece]:
        """Return `ΔL ÷ Δa = 4`, or nothing where there is no such ratio."""
        graph, theme, root = ripple.graph, self._canvas.theme, ripple.root
        if root is None or not ripple.leads_to_root or not math.isfinite(ripple.ratio):
            return []
        names = [graph.brief(node, NAME_LENGTH) for node in (root, ripple.node)]
        return [
            (f"Δ{names[0]} ÷ Δ{names[1]}", theme.text),
            (" = ", theme.secondary),
            (short(ripple.ratio, self._digits), theme.value),
        ]

    def ratio_rect(self, ripple: GraphRipple) -> QRectF | None:
        """Return the rectangle of the ratio, or None where there is none or no free space for it.

        It is under its node, on the ring where another node is close below; else behind the
        pill above it.
        """
        pieces = self.ratio_pieces(ripple)
        if ripple.node not in self._canvas.scene.boxes or not pieces:
            return None
        box, gap = self._canvas.scene.boxes[ripple.node], float(sizes.SELECTION_GAP)
        wide = 2 * RATIO_PADDING + sum(width(text, TEXT_ROLE) for text, _color in pieces)
        left, bottom = box.x - gap, box.rect.bottom()
        pill = self.pill_rect(ripple, ripple.node)
        places = (
            QRectF(left, bottom + 2 * gap, wide, RATIO_HEIGHT),
            QRectF(left, bottom + PILL_GAP, wide, PILL_HEIGHT),
            QRectF(pill.right() + gap, pill.top(), wide, PILL_HEIGHT),
        )
        taken = self._pill_and_label_rects(ripple)
        free = (r for r in places if self._is_free(r) and not any(map(r.intersects, taken)))
        return next(free, None)

    def _is_free(self, rect: QRectF) -> bool:
        """Return whether no node lies in a rectangle of the sheet."""
        scene = self._canvas.scene
        return not any(scene.boxes[n].rect.intersects(rect) for n in scene.node_index.within(rect))

    def _paint_ratio(self, painter: QPainter, ripple: GraphRipple) -> None:
        if self._front < max(ripple.columns.values()):  # it has not come to the root yet
            return
        rect = self.ratio_rect(ripple)
        if rect is not None:
            self._paint_readable_pill(painter, rect, self.ratio_pieces(ripple), rect.topLeft())

    # wires

    def labels(self, ripple: GraphRipple, wires: Sequence[Wire]) -> dict[Wire, tuple[QRectF, bool]]:
        """Return the rectangles of the labels that fit, and whether the local derivative does too.

        Each ends where the label of the wire does; it covers neither a node nor another label.
        """
        taken: list[QRectF] = []
        places: dict[Wire, tuple[QRectF, bool]] = {}
        for wire in wires:
            if not isinstance(ripple.graph.nodes[wire[0]], OpNode):
                continue
            slope, effect = self._label_texts(ripple, wire)
            label_place = self._canvas.scene.wire_layout.label_layout[wire]
            narrow = 2 * LABEL_PAD + width(effect, TEXT_ROLE)
            wide = max(narrow, 2 * LABEL_PAD + width(f"× {slope}", "factors"))
            for across, high, has_slope in (
                (wide, sizes.LABEL, True),
                (narrow, sizes.LABEL_LINE, False),
            ):
                rect = QRectF(label_place.right - across, label_place.y - high / 2, across, high)
                if self._is_free(rect) and not any(map(rect.intersects, taken)):
                    taken.append(rect)
                    places[wire] = rect, has_slope
                    break
        return places

    def _label_texts(self, ripple: GraphRipple, wire: Wire) -> tuple[str, str]:
        """Return the local derivative along a wire, and the change that it causes."""
        carried = ripple.carried(wire)
        assert carried is not None
        return short(carried.slope, self._digits), signed(carried.effect, self._digits)

    def _paint_label(
        self, painter: QPainter, ripple: GraphRipple, wire: Wire, place: tuple[QRectF, bool]
    ) -> None:
        theme, (rect, has_slope) = self._canvas.theme, place
        slope, effect = self._label_texts(ripple, wire)
        path = rounded(rect, PILL_PADDING, PILL_PADDING)
        painter.fillPath(path, theme.node)
        painter.strokePath(path, pen(theme.value, LABEL_LINE))
        middle = rect.center()
        if not has_slope:
            draw_text(painter, effect, TEXT_ROLE, theme.value, (middle.x(), middle.y()), "middle")
            return
        first, last = (middle.y() + shift for shift in sizes.LABEL_MIDDLES)
        x = middle.x() - width(f"× {slope}", "factors") / 2
        x += draw_text(painter, "× ", "factors", theme.secondary, (x, first))
        draw_text(painter, slope, "factors", theme.local, (x, first))
        draw_text(painter, effect, TEXT_ROLE, theme.value, (middle.x(), last), "middle")

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
        wire, ripple = helped
        source, pills = frame.graph.source(wire), list[tuple[QRectF, list[Piece]]]()
        for node, change in ((source, ripple.change), (wire[0], ripple.effect)):
            if node is None or node not in canvas.scene.boxes:
                continue
            box = canvas.scene.boxes[node]
            pieces = [(f"Δ {signed(change, self._digits)}", canvas.theme.value)]
            wide, reach = self._pill_width(pieces), PILL_GAP + sizes.GLOW
            top = box.y - PILL_HEIGHT - reach if node == source else box.rect.bottom() + reach
            pills.append((QRectF(box.x + (box.w - wide) / 2, top, wide, PILL_HEIGHT), pieces))
        return pills

    def _paint_help(self, painter: QPainter) -> None:
        for rect, pieces in self.help_pills():
            self._paint_pill(painter, rect, pieces)

    @property
    def _digits(self) -> Digits:
        return self._canvas.style.digits
