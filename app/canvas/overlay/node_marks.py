"""Marks painted over nodes: readiness in a pass by hand, the checked badge, breakpoints, ripples.

HandMarks outlines the nodes that are ready to fire and the chips a refused node waits for.
CheckedBadge is below the root while the last gradient check is about exactly this graph.
BreakMarks puts a red disc on the upper left corner of each node at which a pass stops.
RippleMarks has, while a ripple is shown, a pill with its change over each node; in place of a
contribution are the local derivative and the change that it causes. The experiment of a question is
a ripple along some wires, of which the number that is asked stays open. A wrong answer stands where
the right one would: hollow, and struck beside it. Another way to an answer marks nodes likewise.
(Elsewhere a pill is a constant that is drawn at its slot.)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath

from app.canvas.animation import Motion
from app.canvas.appearance.detail import Detail
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.layout.node_box import chip_positions, chip_width
from app.canvas.layout.text_sizes import LABEL_PAD
from app.canvas.paint.node_painting import outline, paint_badge
from app.document.sheet import is_large
from app.style import fonts, sizes
from app.style.icons import paint_icon
from app.style.strokes import draw_text, pen, rounded, sibling_glyph, width
from app.style.theme import faded
from app.workbench.modes.evidence import helping_changes, shown_way
from app.workbench.playback.time_machine import TimeMachine
from app.workbench.trials.gradient_checks import Checks
from app.workbench.words.ripple import NAME_LENGTH, pill_text
from engine.asking.nudge import GraphRipple
from engine.asking.question import receiver
from engine.asking.ways import OPEN
from engine.graph import Root, Wire
from engine.numbers import Digits, short, signed

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
                half, place = sizes.CHIP / 2 + _RING_GAP, at + QPointF(box.x, box.y)
                wide = chip_width("") + 2 * _RING_GAP
                ring = QRectF(place.x() - _RING_GAP, place.y() - half, wide, 2 * half)
                painter.strokePath(rounded(ring, half, half), pen(error, _LINE))

    def _outline(self, node: int) -> QPainterPath:
        scene = self._canvas.scene
        box = scene.boxes[node]
        path = outline(scene.node(node).kind, box.w, box.h)
        return path.translated(QPointF(box.x, box.y))


BADGE_TEXTS = {"agrees": "checked", "can't tell": "can't tell"}
"""Text of the badge by the verdict of the check; with another verdict there is none."""
DOUBTFUL_DASHES = (4.0, 3.0)
BADGE_TOP, SEED_HEIGHT = 8.0, 24.0
"""Space between the root and the badge, and above the root for its seed, in sheet px."""
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
        """Return the sheet rectangle of the badge, clear of nodes; empty while there is none."""
        canvas, text = self._canvas, self.text
        root = canvas.playback.frame.graph.active_root
        if not text or root is None or root not in canvas.scene.boxes:
            return QRectF()
        if canvas.detail < Detail.RESULTS:
            return QRectF()
        root_rect = canvas.scene.boxes[root].rect
        wide = 2 * BADGE_PADDING + BADGE_MARK + BADGE_GAP + width(text, "caption strong")
        left, high = root_rect.center().x() - wide / 2, float(sizes.PILL)
        tops = (root_rect.bottom() + BADGE_TOP, root_rect.top() - SEED_HEIGHT - high)
        beside = QRectF(root_rect.right() + BADGE_TOP, root_rect.top(), wide, high)
        places = (*(QRectF(left, top, wide, high) for top in tops), beside)
        return next((rect for rect in places if canvas.scene.is_free(rect)), beside)

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
        top = area.center().y() - BADGE_MARK / 2
        mark = QRectF(area.left() + BADGE_PADDING, top, BADGE_MARK, BADGE_MARK)
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
            painter.drawEllipse(at, BREAK_RADIUS, BREAK_RADIUS)
        painter.setBrush(Qt.BrushStyle.NoBrush)


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
_ASKED_DASHES = (3.4, 2.6)

Piece = tuple[str, QColor]
"""A part of a text, and its colour."""


def _pieces_width(pieces: Iterable[Piece]) -> float:
    return sum(width(text, TEXT_ROLE) for text, _color in pieces)


class RippleMarks:
    """Paints the marks of one canvas over its nodes."""

    def __init__(self, canvas: CanvasContext, motion: Motion) -> None:
        self._canvas, self._motion = canvas, motion
        self._places: tuple[object, RipplePlaces] | None = None
        """What texts and places depend on, and these."""

    @property
    def places(self) -> RipplePlaces:
        """Return texts and places of all marks, at the end of the ripple.

        They are computed once a change: a paint, of which a drag makes many, computes nothing.
        """
        canvas, scene = self._canvas, self._canvas.scene
        key = (canvas.playback.now, scene.looks, scene.generation, canvas.detail)
        key = (*key, canvas.style.digits, canvas.theme)
        found = self._places
        if found is None or found[0] != key:
            self._places = found = (key, RipplePlaces(canvas))
        return found[1]

    def paint(self, painter: QPainter) -> None:
        """Paint the marks, in sheet coordinates."""
        places = self.places
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for rect, text in places.given:
            pieces = [(text, self._canvas.theme.selection)]
            self._paint_readable_pill(painter, rect, pieces, is_answer=True)
        for rect, pieces in places.ways:
            self._paint_pill(painter, rect, pieces)
        ripple, progress = places.ripple, self._motion.ripple_progress
        if ripple is None:
            return
        self._paint_ring(painter, ripple.node)
        reached = [w for w in places.wires if progress is None or progress(w) >= 1]
        for wire in reached:
            self._paint_arrow(painter, wire)
        for label in filter(None, map(places.labels.get, reached)):
            self._paint_label(painter, label)
        for node in self.nodes_with_visible_pill:
            self._paint_readable_pill(painter, *places.pills[node])
        if places.ratio is not None and self._front >= max(ripple.columns.values()):
            rect, pieces = places.ratio
            self._paint_readable_pill(painter, rect, pieces, rect.topLeft())

    def rects(self) -> list[QRectF]:
        """Return the sheet rectangles of all marks at the end of the ripple."""
        return self.places.rects

    @property
    def nodes_with_visible_pill(self) -> list[int]:
        """Return the nodes with a pill that the running ripple has reached."""
        ripple, pills, front = self.places.ripple, self.places.pills, self._front
        return [] if ripple is None else [n for n in pills if ripple.columns[n] <= front]

    @property
    def _front(self) -> float:
        """Return the column that the ripple has reached; infinite if it does not run."""
        front = self._motion.ripple_front
        return math.inf if front is None else front

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

    def _paint_readable_pill(
        self,
        painter: QPainter,
        rect: QRectF,
        pieces: Sequence[Piece],
        fixed: QPointF | None = None,
        *,
        is_answer: bool = False,
    ) -> None:
        """Paint a pill that can be read at any zoom: it grows around `fixed`, its lower middle."""
        at = QPointF(rect.center().x(), rect.bottom()) if fixed is None else fixed
        size = fonts.ROLES[TEXT_ROLE].pixels * self._canvas.camera.scale
        grown = max(1.0, MIN_PILL_TEXT / size) if self._canvas.detail < Detail.RESULTS else 1.0
        painter.save()
        painter.translate(at)
        painter.scale(grown, grown)
        painter.translate(-at)
        self._paint_pill(painter, rect, pieces, is_answer=is_answer)
        painter.restore()

    def _paint_pill(
        self, painter: QPainter, rect: QRectF, pieces: Sequence[Piece], *, is_answer: bool = False
    ) -> None:
        """Paint a pill; that of an answer is hollow, and struck once the right one is shown.

        One that asks for a number, its last piece, is dashed.
        """
        asks = pieces[-1][0] == OPEN
        theme, half, middle = self._canvas.theme, rect.height() / 2, rect.center()
        path = rounded(rect, half, half)
        ground = theme.canvas if is_answer else theme.node
        line = theme.selection if is_answer or asks else theme.value
        painter.fillPath(path, ground)
        painter.strokePath(path, pen(line, PILL_LINE, _ASKED_DASHES if asks else ()))
        wide = _pieces_width(pieces)
        x = middle.x() - wide / 2
        for text, color in pieces:
            x += draw_text(painter, text, TEXT_ROLE, color, (x, middle.y()))
        if is_answer and self._canvas.playback.now.mode.shows_answer:
            painter.fillRect(QRectF(x - wide, middle.y(), wide, PILL_LINE), line)

    def _paint_label(self, painter: QPainter, label: RippleLabel) -> None:
        theme, rect, slope = self._canvas.theme, label.rect, label.slope
        path = rounded(rect, PILL_PADDING, PILL_PADDING)
        painter.fillPath(path, theme.node)
        painter.strokePath(path, pen(theme.value, LABEL_LINE))
        middle = rect.center()
        first, last = (middle.y() + shift for shift in sizes.LABEL_MIDDLES)
        if slope:
            x = middle.x() - width(f"× {slope}", "factors") / 2
            x += draw_text(painter, "× ", "factors", theme.secondary, (x, first))
            draw_text(painter, slope, "factors", theme.local, (x, first))
        at = (middle.x(), last if slope else middle.y())
        draw_text(painter, label.effect, TEXT_ROLE, theme.value, at, "middle")

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


class RippleLabel(Struct, frozen=True):
    """The place of a wire's label, the change, and its slope, "" where there is no space for it."""

    rect: QRectF
    effect: str
    slope: str


class RipplePlaces:
    """Texts and places of the marks of one state, in sheet px; each is computed once."""

    def __init__(self, canvas: CanvasContext) -> None:
        self._canvas, self._now = canvas, canvas.playback.now
        self.ripple = self._now.ripple
        self._digits: Digits = canvas.style.digits
        self._asks = canvas.scene.looks.asks_effect
        """Whether the ripple is an experiment, of which a number stays open."""

    @property
    def rects(self) -> list[QRectF]:
        """The rectangles of all marks."""
        given = [rect for rect, _text in (*self.given, *self.ways)]
        return [*given, *self._pill_and_label_rects, *([self.ratio[0]] if self.ratio else [])]

    @cached_property
    def _pill_and_label_rects(self) -> list[QRectF]:
        pills = [rect for rect, _pieces in self.pills.values()]
        return [*pills, *(label.rect for label in self.labels.values())]

    # answers and other ways

    @cached_property
    def given(self) -> list[tuple[QRectF, str]]:
        """The pill of the last wrong answer that is about the sheet, if there is one.

        A change is where the change will be, and once that has come beside it; another number is
        under the node that receives.
        """
        now, scene = self._now, self._canvas.scene
        found = None if now.quiz is None else now.quiz.wrong_number(now.frame)
        trace = now.unhidden_trace
        if found is None or trace is None:
            return []
        (question, number), gap = found, float(sizes.SELECTION_GAP)
        is_change, node = question.kind == "change", receiver(question, trace)
        if node not in scene.boxes:
            return []
        text = f"you {(signed if is_change else short)(number, self._digits)}"
        box = scene.boxes[node]
        wide = 2 * PILL_PADDING + width(text, TEXT_ROLE)
        rect = QRectF(box.x + (box.w - wide) / 2, box.y - PILL_HEIGHT - PILL_GAP, wide, PILL_HEIGHT)
        taken = [*(way for way, _pieces in self.ways), *self._pill_and_label_rects]
        if not is_change:
            return [(self._place_under(node, rect, taken), text)]
        if self.ripple is None:
            return [(self._free_place(node, rect), text)]
        right, _pieces = self._pill(self.ripple, node)
        rect.moveTo(right.right() + gap, right.top())
        if not scene.is_free(rect) or any(map(rect.intersects, taken)):
            rect.moveTo(right.left(), right.top() - gap - PILL_HEIGHT)
        return [(rect, text)]

    def _place_under(self, node: int, over: QRectF, taken: Sequence[QRectF]) -> QRectF:
        """Return the place of a pill beside the ratio or under its node, else over it."""
        bottom, gap = self._canvas.scene.boxes[node].rect.bottom(), float(sizes.SELECTION_GAP)
        under = over.translated(0, bottom + gap - over.top())
        ratio = None if self.ratio is None else self.ratio[0]
        places = [under, over.translated(0, -gap)]
        if self.ripple is not None and node == self.ripple.node:
            pill, _pieces = self._pill(self.ripple, node)
            places[1:] = [over.translated(pill.topRight() - over.topLeft() + QPointF(gap, 0))]
        if ratio is not None:
            beside = over.translated(ratio.topRight() - over.topLeft() + QPointF(gap, 0))
            places[:1] = [beside, under.translated(0, ratio.bottom() - bottom)]
        return self._free_place(node, *places, avoid=[*taken, *([ratio] if ratio else [])])

    @cached_property
    def ways(self) -> list[tuple[QRectF, list[Piece]]]:
        """The marks of another way over its nodes."""
        canvas, quiz, theme = self._canvas, self._now.quiz, self._canvas.theme
        if quiz is None or not quiz.way or canvas.detail < Detail.RESULTS:
            return []
        way = shown_way(quiz, self._now.frame, self._digits)
        pills: list[tuple[QRectF, list[Piece]]] = []
        for node, text in () if way is None else way.marks:
            if node in canvas.scene.boxes:
                pieces = [(text, theme.selection if text == OPEN else theme.value)]
                pills.append((self._pill_over(node, pieces), pieces))
        return pills

    # nodes

    @cached_property
    def pills(self) -> dict[int, tuple[QRectF, list[Piece]]]:
        """The pills of nodes: those reached; in a large graph first and last.

        In an experiment these are the nodes of its sentence.
        """
        ripple, boxes = self.ripple, self._canvas.scene.boxes
        if ripple is None:
            return {}
        if self._asks:
            marked = () if self._canvas.detail < Detail.RESULTS else self._marks
            nodes = [n for n in marked if n in boxes and n in ripple.columns]
        else:
            ends = (ripple.node, ripple.root)
            reached = ripple.columns if self._marks_all(ripple) else ends
            shown = (n for n in reached if n is not None and n in ripple.columns and n in boxes)
            nodes = [n for n in shown if not isinstance(ripple.graph.nodes[n], Root)]
        return {node: self._pill(ripple, node) for node in nodes}

    @cached_property
    def _marks(self) -> Mapping[int, tuple[float, ...]]:
        """The changes that the sentence of the experiment names, by node."""
        quiz = self._now.quiz
        return {} if quiz is None else dict(helping_changes(quiz, self._now.frame, self._digits))

    def _marks_all(self, ripple: GraphRipple) -> bool:
        """Return whether every node and wire is marked: where few enough are large enough."""
        return not is_large(ripple.graph) and self._canvas.detail >= Detail.RESULTS

    def _pieces(self, ripple: GraphRipple, node: int) -> list[Piece]:
        """Return the text of a node's pill; shares that are to be added have their marks."""
        theme = self._canvas.theme
        if self._asks:
            changes = self._marks.get(node, ())
            if len(changes) == 1:
                return [(f"Δ {signed(changes[0], self._digits)}", theme.value)]
            evidence = self._now.evidence
            starts = [w for w in ripple.graph.outgoing[ripple.node] if ripple.carries(w)]
            asked = None if evidence is None else evidence.question.wire
            groups = [[w for w in starts if w != asked], [w for w in starts if w == asked]]
            pieces: list[Piece] = []
            for change, group in zip(changes, groups, strict=True):
                share = (f"{signed(change, self._digits)}  ", theme.value)
                pieces += [*self._mark_pieces(group), share]
            return [*pieces, ("= ", theme.secondary), (OPEN, theme.selection)]
        text, remainder = pill_text(ripple, node, self._digits)
        return [(text, theme.value), *([(remainder, theme.secondary)] if remainder else [])]

    def _mark_pieces(self, wires: Iterable[Wire]) -> list[Piece]:
        """Return the marks of wires from one source, as their chips have them."""
        theme, hue = self._canvas.theme, self._canvas.scene.looks.hue
        hues = [hue(wire) for wire in wires]
        return [(f"{sibling_glyph(h)} ", theme.sibling(h)) for h in hues if h >= 0]

    def _pill(self, ripple: GraphRipple, node: int) -> tuple[QRectF, list[Piece]]:
        """Return the rectangle and the text of the pill of a node.

        It is centred over the node; that of several changes ends at its right edge. A badge on the
        corner stays free. Where another node is close above, it lies on the ring, or else in the
        header of its own node.
        """
        pieces = self._pieces(ripple, node)
        # only the text of a single change begins with a Δ
        several = not pieces[0][0].startswith("Δ")
        rect = self._pill_over(node, pieces, several=several, is_ringed=node == ripple.node)
        return rect, pieces

    def _pill_over(
        self, node: int, pieces: Sequence[Piece], *, several: bool = False, is_ringed: bool = False
    ) -> QRectF:
        """Return the rectangle of a pill with these pieces over a node."""
        scene = self._canvas.scene
        box, look = scene.boxes[node], scene.node(node)
        wide = 2 * PILL_PADDING + _pieces_width(pieces)
        left = box.x + (box.w - wide) / 2
        limit = box.rect.right() + PILL_OVERHANG
        if look.badge:
            limit = box.rect.right() - sizes.BADGE / 2 - 2
        left = limit - wide if several else min(left, limit - wide if look.badge else left)
        ring = sizes.SELECTION_GAP + sizes.OUTLINE_SELECTED if is_ringed else 0.0
        flag = sizes.BADGE / 2 + 2 if look.flag else 0.0
        rect = QRectF(left, box.y - PILL_HEIGHT - PILL_GAP - flag, wide, PILL_HEIGHT)
        # up by as much as the ring is wider than the space for a flag, which is there already
        over_ring = rect.translated(0, -max(ring - flag, 0.0))
        under = QRectF(box.x + (box.w - wide) / 2, box.rect.bottom() + PILL_GAP, wide, PILL_HEIGHT)
        return self._free_place(node, over_ring, rect, *((under,) if several else ()))

    def _free_place(self, node: int, *places: QRectF, avoid: Sequence[QRectF] = ()) -> QRectF:
        """Return the first place of a pill without a node, or that over the header's formula."""
        rect, wide = self._canvas.scene.boxes[node].rect, places[0].width()
        top = rect.top() + (sizes.NODE_HEADER - PILL_HEIGHT) / 2
        header = QRectF(rect.right() - wide - PILL_GAP, top, wide, PILL_HEIGHT)
        return next((place for place in places if self._is_free(place, avoid)), header)

    def _is_free(self, rect: QRectF, avoid: Iterable[QRectF]) -> bool:
        """Return whether no node, no label of the pass and none of `avoid` lies in a rectangle."""
        scene = self._canvas.scene
        labels = map(scene.labels.rect, scene.wire_index.within(rect))
        taken = (*avoid, *(label for label in labels if label is not None))
        return scene.is_free(rect) and not any(map(rect.intersects, taken))

    # the ratio

    @cached_property
    def ratio(self) -> tuple[QRectF, list[Piece]] | None:
        """Place and text of `ΔL ÷ Δa = 4`, or None where there is none or no free space for it.

        It is under its node, on the ring where another node is close below; else behind the
        pill above it.
        """
        ripple, boxes = self.ripple, self._canvas.scene.boxes
        pieces = [] if ripple is None else self._ratio_pieces(ripple)
        if ripple is None or ripple.node not in boxes or not pieces:
            return None
        box, gap = boxes[ripple.node], float(sizes.SELECTION_GAP)
        wide = 2 * RATIO_PADDING + _pieces_width(pieces)
        left, bottom = box.x - gap, box.rect.bottom()
        pill, _pieces = self._pill(ripple, ripple.node)
        places = (
            QRectF(left, bottom + 2 * gap, wide, RATIO_HEIGHT),
            QRectF(left, bottom + PILL_GAP, wide, PILL_HEIGHT),
            QRectF(pill.right() + gap, pill.top(), wide, PILL_HEIGHT),
        )
        taken = self._pill_and_label_rects
        if ripple.along is None:  # else the given number keeps out of its way
            taken = [*taken, *(rect for rect, _text in self.given)]
        free = next((rect for rect in places if self._is_free(rect, taken)), None)
        return None if free is None else (free, pieces)

    def _ratio_pieces(self, ripple: GraphRipple) -> list[Piece]:
        """Return the text of the ratio, or nothing where there is no such ratio.

        An experiment leaves it open; the truth of a slope has none where it is not the slope.
        """
        graph, theme, root = ripple.graph, self._canvas.theme, ripple.root
        if root is None or not ripple.leads_to_root or not math.isfinite(ripple.ratio):
            return []
        now, number = self._now, (short(ripple.ratio, self._digits), theme.value)
        question = None if now.evidence is None else now.evidence.question
        if self._asks and now.quiz is not None and question is not None:
            if [len(changes) for changes in self._marks.values()][-1:] != [1]:
                return []  # shares are asked for in their pill
            number = (OPEN, theme.selection)
            is_slope = any(q.kind == "local" for q in now.quiz.open_questions(now.frame))
            root = question.node if is_slope else root
        elif question is not None and question.wire is not None:
            carried = ripple.carried(question.wire)
            if carried is None or short(carried.slope, self._digits) != number[0]:
                return []
        names = [graph.brief(node, NAME_LENGTH) for node in (root, ripple.node)]
        return [(f"Δ{names[0]} ÷ Δ{names[1]}", theme.text), (" = ", theme.secondary), number]

    # wires

    @cached_property
    def wires(self) -> list[Wire]:
        """The wires that carry the change, none in a large graph."""
        ripple, scene = self.ripple, self._canvas.scene
        if ripple is None or not self._marks_all(ripple):
            return []
        inputs = ripple.graph.inputs
        wires = ((node, slot) for node in ripple.columns for slot in range(len(inputs(node))))
        drawn = (w for w in wires if w in scene.courses and w[0] in scene.boxes)
        return [w for w in drawn if ripple.carries(w)]

    @cached_property
    def labels(self) -> dict[Wire, RippleLabel]:
        """The labels that fit, by wire.

        Each ends where the label of the wire does; it covers neither a node nor another label. An
        experiment has none: it names its changes at nodes, and asks for slopes.
        """
        if self.ripple is None or self._asks:
            return {}
        taken = [rect for rect, _pieces in self.pills.values()]
        found: dict[Wire, RippleLabel] = {}
        for wire in self.wires:
            carried = self.ripple.carried(wire)
            if carried is None:  # into a Root
                continue
            slope = short(carried.slope, self._digits)
            effect = signed(carried.effect, self._digits)
            label_place = self._canvas.scene.wire_layout.label_layout[wire]
            narrow = 2 * LABEL_PAD + width(effect, TEXT_ROLE)
            wide = max(narrow, 2 * LABEL_PAD + width(f"× {slope}", "factors"))
            forms = ((wide, sizes.LABEL, slope), (narrow, sizes.LABEL_LINE, ""))
            for across, high, written in forms:
                rect = QRectF(label_place.right - across, label_place.y - high / 2, across, high)
                if self._is_free(rect, taken):
                    taken.append(rect)
                    found[wire] = RippleLabel(rect, effect, written)
                    break
        return found
