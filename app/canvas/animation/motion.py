"""Motion: runs the animations of a canvas.

Animations run contributions along wires, fill chips, light up sums and move arranged nodes. The
canvas always shows the final state. An animation is painted over it or, while nodes glide, moves
the nodes temporarily; so the picture is right whenever animations stop, and numbers never move.
Gestures move nodes too, therefore no nodes glide during a gesture. One timer drives all animations,
and only what moves is repainted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QElapsedTimer, QObject, QRectF, QTimer
from PySide6.QtGui import QPainter

from app.canvas.animation.effects import ChipFill, Glide, Move, Pulse, RippleRun, SumTint, WireRun
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.paint.wires import RunningWire
from app.document.change import Change
from app.document.sheet import Point
from engine.graph import Wire
from engine.study.ripple import GraphRipple
from engine.trace import Computed, Event

TICK = 16
MOST_GLIDING = 150
"""Above this number of nodes an arranged sheet is shown at once: the animation would stutter."""


class Motion(QObject):
    """Runs the animations of one canvas."""

    def __init__(self, canvas: CanvasContext) -> None:
        super().__init__(canvas.widget)
        self._canvas = canvas
        self._moves: Sequence[Move] = ()
        self._before: dict[int, Point] = {}
        self._since = QElapsedTimer()
        self._clock = QTimer(self)
        self._clock.setInterval(TICK)
        self._clock.timeout.connect(self._tick)
        canvas.framing.settle_wanted.connect(self.finish)
        canvas.playback.stepped.connect(self._show_step)
        canvas.auto_layout.placing.connect(self._remember)
        canvas.auto_layout.placed.connect(self._glide_soon)

    @property
    def running(self) -> bool:
        """Return whether an animation is running."""
        return bool(self._moves)

    @property
    def running_wire(self) -> RunningWire | None:
        """Return the wire along which colour is running, and how far."""
        found = (m.running_wire for m in self._moves if isinstance(m, WireRun) and not m.over)
        return next(found, None)

    @property
    def ripple_front(self) -> float | None:
        """Return how many columns a running ripple has come; None where none runs."""
        found = (m.front for m in self._moves if isinstance(m, RippleRun) and not m.over)
        return next(found, None)

    @property
    def rippled(self) -> Callable[[Wire], float] | None:
        """Return what tells how far a running ripple has come along a wire."""
        found = (m.come for m in self._moves if isinstance(m, RippleRun) and not m.over)
        return next(found, None)

    def show_ripple(self, found: GraphRipple | None) -> None:
        """Run a change through the graph, column by column, or end the one that runs."""
        self.finish()
        if found is not None and self._is_wanted:
            self._start([RippleRun(self._canvas, found)])

    def finish(self) -> None:
        """Finish all animations at once."""
        moves, self._moves = self._moves, ()
        self._clock.stop()
        for move in moves:
            self._repaint(move.dirty)
            move.end()

    def show_at(self, moment: float) -> None:
        """Show every animation at a time in milliseconds after its start."""
        for move in self._moves:
            before = QRectF(move.dirty)
            move.go(moment)
            self._repaint(before.united(move.dirty))
        if all(move.over for move in self._moves):
            self.finish()

    def follow_document(self, change: Change) -> None:
        """Finish all animations: the edit may have moved what they are about."""
        if change.whole:
            self._before = {}  # positions of another document's nodes
        self.finish()

    def paint(self, painter: QPainter) -> None:
        """Paint the running animations over the nodes, in sheet coordinates."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for move in self._moves:
            if not move.over:
                move.paint(painter)

    # starting

    def _start(self, moves: Sequence[Move]) -> None:
        if not moves:
            return
        self._moves = moves
        self._since.start()
        self._clock.start()
        self.show_at(0.0)

    def _show_step(self) -> None:
        """Start the animations of the step just taken."""
        self.finish()
        if not self._is_wanted:
            return
        step = self._canvas.playback.frame.current
        if isinstance(step, Computed):
            self._start(self._computed(step))
        elif isinstance(step, Event):
            self._start(self._fired(step))

    def _computed(self, step: Computed) -> list[Move]:
        drawn = step.node in self._canvas.scene.boxes
        return [Pulse(self._canvas, step.node, self._canvas.theme.value)] if drawn else []

    def _fired(self, event: Event) -> list[Move]:
        canvas, scene = self._canvas, self._canvas.scene
        moves: list[Move] = []
        color = canvas.theme.gradient
        if event.wire is None:
            return [Pulse(canvas, event.node, color)] if event.node in scene.boxes else []
        if event.target in scene.boxes and self._is_first(event):
            moves.append(Pulse(canvas, event.target, color))
        if event.wire in scene.courses:
            moves.append(WireRun(canvas, event.wire))
        if event.node in scene.boxes:
            moves += [ChipFill(canvas, event.node), SumTint(canvas, event.node)]
        return moves

    def _is_first(self, event: Event) -> bool:
        """Return whether this is the first event that its node fires."""
        frame = self._canvas.playback.frame
        trace = frame.trace
        if trace is None or frame.cursor < 2:
            return True
        return trace.events[frame.cursor - 2].target != event.target

    def _remember(self) -> None:
        self.finish()
        self._before = dict(self._canvas.document.positions)

    def _glide_soon(self) -> None:
        """Start gliding after all consequences of the new positions, such as framing, are done."""
        QTimer.singleShot(0, self, self._glide)

    def _glide(self) -> None:
        before, self._before = self._before, {}
        now = self._canvas.document.positions
        moved = {n: p for n, p in before.items() if now.get(n, p) != p}
        held = self._canvas.grip.held
        if moved and len(moved) <= MOST_GLIDING and self._is_wanted and not held:
            self.finish()
            self._start([Glide(self._canvas, moved)])

    # private

    @property
    def _is_wanted(self) -> bool:
        """Return whether animations are switched on and can be seen."""
        return self._canvas.style.motion and self._canvas.widget.isVisible()

    def _tick(self) -> None:
        self.show_at(float(self._since.elapsed()))

    def _repaint(self, rect: QRectF) -> None:
        self._canvas.repaint.on_sheet(rect)
