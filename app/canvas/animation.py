"""Motion runs the animations of a canvas; below it, one class for each animation.

Animations run contributions along wires, fill chips, light up sums and move arranged nodes. The
canvas always shows the final state. An animation is painted over it or, while nodes glide, moves
the nodes temporarily; so the picture is right whenever animations stop, and numbers never move.
Gestures move nodes too, therefore no nodes glide during a gesture. One timer drives all animations,
and only the moving parts are repainted. Who steps by hand checks, who plays watches: an eye needs
some 200 ms to set out, and by then a wire that eases out is coloured. So a played step is slower.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from PySide6.QtCore import QElapsedTimer, QObject, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPainterPath

from app.canvas.appearance.detail import Detail
from app.canvas.appearance.face import GRAD
from app.canvas.appearance.looks import WireLook, WireState
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.layout.node_box import Box, chip_positions, chip_width, ledger_tops, total_middle
from app.canvas.paint.node_painting import badge_middle, outline, paint_chip
from app.canvas.paint.wires import RunningWire
from app.document.change import Change
from app.document.node_sizes import PAD_RIGHT, number_middle
from app.document.sheet import Point, is_large
from app.style import sizes
from app.style.strokes import draw_text, pen, rounded, width
from app.style.theme import faded
from engine.asking.nudge import GraphRipple
from engine.asking.question import Kind
from engine.graph import Wire
from engine.trace import Computed, Event

OneAnimation = TypeVar("OneAnimation", bound="Animation")

_SUM_ALONE = frozenset[Kind]({"sum"})
TICK = 16
"""Interval of repaints in ms: 60 per second."""


class Motion(QObject):
    """Runs the animations of one canvas."""

    def __init__(self, canvas: CanvasContext) -> None:
        super().__init__(canvas.widget)
        self._canvas = canvas
        self._animations: Sequence[Animation] = ()
        self._pace = 1.0
        """By how much slower the animations run than those of a step by hand."""
        self._positions_before: dict[int, Point] = {}
        """Positions of all nodes before they are arranged."""
        self._elapsed = QElapsedTimer()
        self._timer = QTimer(self, interval=TICK)
        self._timer.timeout.connect(self._tick)
        canvas.framing.about_to_fit.connect(self.finish)
        canvas.playback.stepped.connect(self._show_step)
        canvas.auto_layout.placing.connect(self._store_positions)
        canvas.auto_layout.placed.connect(self._glide_soon)

    @property
    def running(self) -> bool:
        return bool(self._animations)

    @property
    def running_wire(self) -> RunningWire | None:
        """Return the wire along which colour is running, and how far."""
        return next((a.running_wire for a in self._active(WireRun)), None)

    @property
    def ripple_front(self) -> float | None:
        """Return the column that a running ripple has reached; None if none runs.

        A column is the most wires on a way from the changed node, fractional while between two.
        """
        return next((a.front for a in self._active(RippleRun)), None)

    @property
    def ripple_progress(self) -> Callable[[Wire], float] | None:
        """Return the function from a wire to the progress, 0 to 1, of a running ripple along it."""
        return next((a.progress for a in self._active(RippleRun)), None)

    def show_ripple(self, ripple: GraphRipple | None) -> None:
        """Run a change through the graph, column by column, or end the one that runs."""
        self.finish()
        if ripple is not None and self._is_wanted:
            self._start([RippleRun(self._canvas, ripple)])

    def finish(self) -> None:
        animations, self._animations, self._pace = self._animations, (), 1.0
        self._timer.stop()
        for animation in animations:
            self._repaint(animation.dirty_rect)
            animation.end()

    def show_at(self, moment: float) -> None:
        """Show every animation at a time in milliseconds after its start."""
        for animation in self._animations:
            before = QRectF(animation.dirty_rect)
            animation.power = 1 if self._pace > 1 else 3
            animation.advance(moment)
            self._repaint(before.united(animation.dirty_rect))
        if not self._is_wanted or all(animation.is_over for animation in self._animations):
            self.finish()

    def follow_document(self, change: Change) -> None:
        """Finish all animations: the edit may have moved or removed their nodes."""
        if change.whole:
            self._positions_before = {}  # those of another document's nodes
        self.finish()

    def paint(self, painter: QPainter) -> None:
        """Paint the running animations over the nodes, in sheet coordinates."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for animation in self._animations:
            if not animation.is_over:
                animation.paint(painter)

    # starting

    def _start(self, animations: Sequence[Animation]) -> None:
        if not animations:
            return
        self._animations = animations
        self._elapsed.start()
        self._timer.start()
        self.show_at(0.0)

    def _show_step(self, played: bool) -> None:
        """Start the animations of the step just taken.

        If it was `played`, they are slower, but not before a room. So is the truth of an answer;
        that of a slope is a ripple, which runs already.
        """
        playback = self._canvas.playback
        if playback.now.evidence is not None:
            return
        self.finish()
        if not self._is_wanted:
            return
        if kinds := self._answered_kinds:
            self._pace = sizes.MOTION_SLOWEST / sizes.MOTION_STEP
        elif played and not self._canvas.style.presented:
            longest = min(sizes.MOTION_PLAYED / playback.speed, sizes.MOTION_SLOWEST)
            self._pace = max(longest / sizes.MOTION_STEP, 1.0)
        step = playback.frame.current
        if isinstance(step, Computed):
            self._start(self._compute_animations(step))
        elif isinstance(step, Event):
            self._start(self._fire_animations(step, kinds))

    @property
    def _answered_kinds(self) -> frozenset[Kind]:
        """Return what was asked of the step whose answer is shown."""
        quiz = self._canvas.playback.now.quiz
        return frozenset(() if quiz is None else (q.kind for q in quiz.answered_questions))

    def _compute_animations(self, step: Computed) -> list[Animation]:
        drawn = step.node in self._canvas.scene.boxes
        return [Pulse(self._canvas, step.node, self._canvas.theme.value)] if drawn else []

    def _fire_animations(self, event: Event, answered: frozenset[Kind]) -> list[Animation]:
        # backward, the target of a wire fires, and its source (`event.node`) receives
        canvas, scene = self._canvas, self._canvas.scene
        animations: list[Animation] = []
        color = canvas.theme.gradient
        if event.wire is None:
            return [Pulse(canvas, event.node, color)] if event.node in scene.boxes else []
        if answered == _SUM_ALONE and event.node in scene.boxes:
            return [SumCount(canvas, event.node)]
        if event.sender in scene.boxes and self._is_first(event):
            animations.append(Pulse(canvas, event.sender, color))
        if event.wire in scene.courses:
            animations.append(WireRun(canvas, event.wire))
        if event.node in scene.boxes:
            animations += [ChipFill(canvas, event.node), SumTint(canvas, event.node)]
        return animations

    def _is_first(self, event: Event) -> bool:
        """Return whether this is the first event that its node fires."""
        frame = self._canvas.playback.frame
        trace = frame.trace
        if trace is None or frame.cursor < 2:
            return True
        # the current event is at index cursor - 1, so this is the one before it
        return trace.events[frame.cursor - 2].sender != event.sender

    def _store_positions(self) -> None:
        self.finish()
        self._positions_before = dict(self._canvas.document.positions)

    def _glide_soon(self) -> None:
        """Start gliding after all consequences of the new positions, such as framing, are done."""
        QTimer.singleShot(0, self, self._glide)

    def _glide(self) -> None:
        before, self._positions_before = self._positions_before, {}
        now = self._canvas.document.positions
        moved = {n: p for n, p in before.items() if now.get(n, p) != p}
        stays = self._canvas.gesture_state.is_active or is_large(self._canvas.document.graph)
        if moved and self._is_wanted and not stays:
            self.finish()
            self._start([Glide(self._canvas, moved)])

    # private

    def _active(self, kind: type[OneAnimation]) -> Iterator[OneAnimation]:
        return (a for a in self._animations if isinstance(a, kind) and not a.is_over)

    @property
    def _is_wanted(self) -> bool:
        """Return whether animations are switched on and can be seen."""
        widget = self._canvas.widget
        unseen = widget.visibleRegion().isEmpty() or widget.window().isMinimized()
        return self._canvas.style.motion and not unseen

    def _tick(self) -> None:
        self.show_at(self._elapsed.elapsed() / self._pace)

    def _repaint(self, rect: QRectF) -> None:
        self._canvas.repaint.on_sheet(rect)


MIN_RING_GAP, MAX_RING_GAP = 3.0, 11.0
"""Distance of the ring of a Pulse from the node, first and at the end, in sheet px."""
MAX_TIMED_COLUMNS = 6
"""Number of columns from which on a ripple takes no longer."""


class Animation:
    """One animation with a delay and a duration in ms; `share` is its progress, 0 to 1."""

    delay = 0.0
    duration = 1.0
    power = 3
    """The power by which it eases out, fast first and then slower; 1 for an even pace."""

    def __init__(self, canvas: CanvasContext) -> None:
        self.canvas = canvas
        self.share = 0.0
        self.is_over = False
        self.dirty_rect = QRectF()
        """The sheet rectangle to repaint."""

    def advance(self, moment: float) -> None:
        """Set the progress for a time in milliseconds after the start."""
        passed = min(max((moment - self.delay) / self.duration, 0.0), 1.0)
        share = 1.0 - (1.0 - passed) ** self.power
        ended = moment >= self.delay + self.duration
        self.dirty_rect = QRectF()
        if not self.is_over and (moment == 0 or ended or share != self.share):
            last, self.share, self.is_over = self.share, share, ended
            self.dirty_rect = self.changed_rect(last)

    def changed_rect(self, last: float) -> QRectF:
        """Return the sheet rectangle that changed since the progress was `last`."""
        raise NotImplementedError

    def end(self) -> None:
        """Restore anything borrowed from the canvas."""

    def paint(self, painter: QPainter) -> None:
        """Paint over the nodes, in sheet coordinates."""


class WireRun(Animation):
    """Runs the colour of a contribution along its wire, from the slot to the source."""

    duration = float(sizes.MOTION_WIRE)

    def __init__(self, canvas: CanvasContext, wire: Wire) -> None:
        super().__init__(canvas)
        self.wire = wire
        self._hue = canvas.scene.wire(wire).hue

    def changed_rect(self, last: float) -> QRectF:
        """Return the stretch coloured since the last repaint; at the end the whole wire."""
        course = self.canvas.scene.courses.get(self.wire)
        if course is None:
            return QRectF()
        found = course.path.controlPointRect()
        if 0 < self.share < 1:
            found = course.stretch(last, self.share).boundingRect()
        return found.adjusted(-20, -14, 20, 14)  # the stroke, its glow, and marks at the ends

    @property
    def running_wire(self) -> RunningWire:
        """Return the look of the wire before, and which share of it is coloured already."""
        before: WireState = "asked" if self.canvas.playback.now.quiz else "next"
        return RunningWire(self.wire, WireLook(before, self._hue), self.share)


class NodeAnimation(Animation):
    """An animation on a node, which is over where the node is drawn no longer."""

    def __init__(self, canvas: CanvasContext, node: int) -> None:
        super().__init__(canvas)
        self._node = node

    @property
    def box(self) -> Box | None:
        """Return the box of the node, if it is drawn."""
        return self.canvas.scene.boxes.get(self._node)


class ChipFill(NodeAnimation):
    """Fills a ledger chip from the wires' side once the colour has reached it."""

    delay = float(sizes.MOTION_WIRE)
    duration = float(sizes.MOTION_CHIP)

    def __init__(self, canvas: CanvasContext, node: int) -> None:
        super().__init__(canvas, node)
        look = canvas.scene.node(node)
        self._chip = next((chip for chip in look.ledger.chips if chip.state == "landed"), None)
        self._at = QPointF()
        for chip, at in zip(look.ledger.chips, chip_positions(look), strict=True):
            if chip is self._chip:
                self._at = at

    def changed_rect(self, last: float) -> QRectF:
        """Return the chip's rectangle."""
        box = self.box
        if box is None or self._chip is None:
            return QRectF()
        return self._rect().translated(box.x, box.y).adjusted(-3, -3, 3, 3)

    def paint(self, painter: QPainter) -> None:
        """Cover the part of the chip that is not filled yet; its number stays readable."""
        box = self.box
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


class SumTint(NodeAnimation):
    """Highlights the sum of a node briefly after it changed."""

    delay = float(sizes.MOTION_WIRE + sizes.MOTION_CHIP)
    duration = float(sizes.MOTION_SUM)

    def __init__(self, canvas: CanvasContext, node: int) -> None:
        super().__init__(canvas, node)
        look = canvas.scene.node(node)
        self._sums: list[tuple[str, float, QColor]] = []
        """The numbers to highlight: text, y of the middle line in the node, and colour."""
        if look.grad is not None:
            color = canvas.theme.error if look.grad.kind == "bad" else canvas.theme.gradient
            self._sums.append((look.grad.text, number_middle(look.kind, GRAD.row), color))
        if look.ledger.chips:
            ink = canvas.theme.text if look.correct is None else canvas.theme.error
            ledger = ledger_tops(look)[-1]
            self._sums.append((look.ledger.total, total_middle(*ledger), ink))

    def changed_rect(self, last: float) -> QRectF:
        """Return the right part of the node, in which the sums are."""
        box = self.box
        if box is None or not self._sums:
            return QRectF()
        widest = max(width(text, "number") for text, _y, _color in self._sums) + 24  # and margins
        return QRectF(box.x + box.w - widest, box.y, widest, box.h)

    def paint(self, painter: QPainter) -> None:
        """Tint the surface behind the number, then write the number again."""
        box = self.box
        if box is None or not self.share or self.canvas.detail < Detail.RESULTS:
            return
        tint = faded(self.canvas.theme.gradient, 0.4 * (1.0 - self.share) ** 0.5)
        right = box.x + box.w - PAD_RIGHT
        for text, y, color in self._sums:
            wide, middle = width(text, "number"), box.y + y
            rect = QRectF(right - wide - 5, middle - 10, wide + 10, 20)
            painter.fillPath(rounded(rect, 6, 6), tint)
            draw_text(painter, text, "number", color, (right, middle), "right")


class SumCount(SumTint):
    """Lets the chips of a sum land in order, and the sum count with each."""

    delay = 0.0

    def __init__(self, canvas: CanvasContext, node: int) -> None:
        super().__init__(canvas, node)
        frame, look = canvas.playback.frame, canvas.scene.node(node)
        events = [chip.event for chip in frame.ledger(node) if chip.event is not None]
        self._totals = [canvas.scene.looks.short(event.after) for event in events]
        landed = ((c, at) for c, at in zip(look.ledger.chips, chip_positions(look), strict=True))
        self._chips = [(c, at) for c, at in landed if c.state in ("done", "landed")]
        self.duration = float(sizes.MOTION_SUM * max(len(events), 1))

    def changed_rect(self, last: float) -> QRectF:
        """Return the node's rectangle."""
        return QRectF() if self.box is None else self.box.rect

    def paint(self, painter: QPainter) -> None:
        """Cover the chips that are still to land, and write the sum of the others."""
        box, theme = self.box, self.canvas.theme
        if box is None or not self._totals or self.canvas.detail < Detail.RESULTS:
            return
        count = len(self._totals)
        landed = min(int(self.share * count) + 1, count)
        painter.save()
        painter.translate(box.x, box.y)
        # chips at the beginning may be left out
        for chip, at in self._chips[len(self._chips) - count + landed :]:
            across = chip_width(chip.text) + 2
            painter.fillRect(
                QRectF(at.x() - 1, at.y() - sizes.CHIP / 2 - 1, across, sizes.CHIP + 2), theme.node
            )
        painter.restore()
        right = box.x + box.w - PAD_RIGHT
        for text, y, color in self._sums:
            now = ("= " if text.startswith("= ") else "") + self._totals[landed - 1]
            wide, middle = max(width(t, "number") for t in (text, now)), box.y + y
            rect = QRectF(right - wide - 5, middle - 10, wide + 10, 20)
            painter.fillRect(rect, theme.node)
            painter.fillPath(rounded(rect, 6, 6), faded(theme.gradient, 0.25))
            draw_text(painter, now, "number", color, (right, middle), "right")


class Pulse(NodeAnimation):
    """Expands a ring from the outline of a node that computes or fires, or gets the seed."""

    duration = float(sizes.MOTION_NODE)

    def __init__(self, canvas: CanvasContext, node: int, color: QColor) -> None:
        super().__init__(canvas, node)
        self._color = color

    def changed_rect(self, last: float) -> QRectF:
        """Return the node's rectangle with the margin that the ring needs."""
        box = self.box
        reach = MAX_RING_GAP + 5.0  # with the stroke of the ring
        return QRectF() if box is None else box.rect.adjusted(-reach, -reach, reach, reach)

    def paint(self, painter: QPainter) -> None:
        """Paint the ring, fainter the further out it is."""
        box = self.box
        if box is None:
            return
        gap = MIN_RING_GAP + (MAX_RING_GAP - MIN_RING_GAP) * self.share
        kind = self.canvas.scene.node(self._node).kind
        path = outline(kind, box.w + 2 * gap, box.h + 2 * gap).translated(box.x - gap, box.y - gap)
        # two shapes in one path: the inner one is a hole
        all_but_badge = QPainterPath()
        all_but_badge.addRect(self.changed_rect(0.0))
        all_but_badge.addEllipse(
            badge_middle(box.w) + QPointF(box.x, box.y), sizes.BADGE / 2, sizes.BADGE / 2
        )
        painter.save()
        painter.setClipPath(all_but_badge, Qt.ClipOperation.IntersectClip)
        painter.strokePath(path, pen(faded(self._color, 0.6 * (1.0 - self.share)), 3.0))
        painter.restore()


class RippleRun(Animation):
    """Runs a change through the graph, column by column, each in the same time."""

    def __init__(self, canvas: CanvasContext, ripple: GraphRipple) -> None:
        super().__init__(canvas)
        self._ripple = ripple
        self._columns = max(ripple.columns.values())
        self.duration = float(sizes.MOTION_COLUMN * max(1, min(self._columns, MAX_TIMED_COLUMNS)))
        self.front = 0.0
        """Column reached, fractional."""

    def advance(self, moment: float) -> None:
        """Set the progress, which is linear: all columns take equally long."""
        self.share = min(moment / self.duration, 1.0)
        self.front = self._columns * self.share
        self.is_over = self.share >= 1
        self.dirty_rect = self.canvas.camera.visible_area

    def progress(self, wire: Wire) -> float:
        """Return the progress along a wire, 0 to 1."""
        source = self._ripple.graph.source(wire)
        column = self._ripple.columns.get(-1 if source is None else source, self._columns)
        return min(max(self.front - column, 0.0), 1.0)


class Glide(Animation):
    """Moves nodes smoothly from their old to their new positions."""

    duration = float(sizes.MOTION_ARRANGE)

    def __init__(self, canvas: CanvasContext, start: Mapping[int, Point]) -> None:
        super().__init__(canvas)
        self._start = start

    def changed_rect(self, last: float) -> QRectF:
        """Move the nodes to their intermediate positions; their wires follow."""
        self.canvas.scene.show_dragged({} if self.is_over else self._positions())
        return self.canvas.camera.visible_area

    def end(self) -> None:
        """Show the nodes at their final positions."""
        self.canvas.scene.show_dragged({})
        self.canvas.repaint.everything()

    def _positions(self) -> dict[int, Point]:
        positions, share = self.canvas.document.positions, self.share
        return {
            node: (x + (positions[node][0] - x) * share, y + (positions[node][1] - y) * share)
            for node, (x, y) in self._start.items()
            if node in positions
        }
