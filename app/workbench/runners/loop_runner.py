"""LoopRunner: begins, drives and ends a training loop on the document's graph.

The state of the loop belongs to the playback, which shows it; here are the learner's actions. All
updates of a run are one undo step of the document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Signal

from app.controls.slices import Slices, Work
from app.document.document import Document
from app.workbench.modes.loop import (
    DEFAULT_PACE,
    DEFAULT_RATE,
    LoopState,
    Step,
    epoch_pause,
    new_loop,
)
from app.workbench.playback.playback import Playback, restart_reason
from app.workbench.playback.view_state import ViewState
from engine.errors import EngineError
from engine.graph import Graph
from engine.numbers import counted
from engine.rules import CORRECT

EPOCH_LIMIT = 10_000
"""Maximum length of a run, which keeps the parameters of each epoch for going back."""
_TOO_LONG = "This run has {count:,} epochs, as many as one may have. Undo it, or end Descent."
_ENDED = "{why}: Descent has ended. Its updates are one undo step."
_NEW_RUN = "The graph was edited: a new run begins here."
_MISTAKE_OFF = "Descent uses the right rules, so the mistake is switched off."


class LoopRunner(QObject):
    """The training loop of one document."""

    changed = Signal()
    """Emitted when the loop has ended or waits for a pass, starts or stops running, and after the
    choice of a pace."""

    def __init__(
        self, document: Document, playback: Playback, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._playback = document, playback
        self.now: LoopState | None = None
        """The loop, also while a pass is stepped through in its place; None without one."""
        self._run_graph: Graph | None = None
        self._gesture = 0  # joins all updates of a run into one undo step
        self.rate, self._zeroes = DEFAULT_RATE, True
        """The learning rate of the next loop."""
        self.pace = DEFAULT_PACE
        """The name of the pace, one of `PACES`."""
        self._slices = Slices(self)
        playback.shown.connect(self._follow)

    @property
    def shown(self) -> bool:
        """Return whether the loop is shown; not while a pass is stepped through."""
        return self._playback.now.loop is not None

    @property
    def running(self) -> bool:
        """Return whether epochs are being done."""
        return self._slices.active

    def set_pace(self, pace: str) -> None:
        """Choose how many epochs a second are done, from the next one on."""
        self.pace = pace
        self.changed.emit()

    def toggle(self) -> None:
        """Begin a loop, or end it."""
        if self.now is None:
            self._begin()
        else:
            self.leave()

    def leave(self) -> None:
        """End the loop; the leaves keep their values, as one undo step."""
        self.stop()
        self.now = None
        if self.shown:
            self._playback.leave()
        self.changed.emit()

    def escape(self) -> bool:
        """Stop a run, or else end the loop; return whether either was on."""
        if self.running:
            self.stop()
            return True
        is_shown = self.shown
        if is_shown:
            self.leave()
        return is_shown

    def resume(self) -> None:
        """Show the loop again that waits while a pass is stepped through."""
        if (now := self._ready()) is not None:
            self._show(now)

    def do(self, step: Step) -> None:
        """Do one of the four steps, or say why it can't be done."""
        self.stop()
        if (now := self._ready()) is not None:
            self._show_result_or_say_why(lambda: now.do(step))

    def run(self, epochs: int | None = None) -> None:
        """Do this many epochs one after another; without a number until `stop`."""
        if self._ready() is None:
            return
        self._slices.start(self._run_epochs(epochs))
        self.changed.emit()

    def stop(self) -> None:
        """Stop the epochs that are running; those that are done stay."""
        if self.running:
            self._slices.cancel()
            self.changed.emit()

    def go(self, epoch: int) -> None:
        """Go to an epoch of this run, whose parameters the leaves get."""
        self.stop()
        if (now := self._ready()) is not None and epoch != now.at:
            self._show_result_or_say_why(lambda: now.at_epoch(epoch))

    def set_rate(self, rate: float) -> None:
        """Set the learning rate, from the next update on."""
        self.rate = rate
        if self.now is not None and self.now.descent.rate != rate:
            self._show(self._on_document(self.now).with_rate(rate))

    def set_zeroes(self, zeroes: bool) -> None:
        """Choose whether the epochs of a run begin with zero grad."""
        self._zeroes = zeroes
        if self.now is not None and self.now.zeroes != zeroes:
            self._show(self._on_document(self.now).with_zeroes(zeroes))

    def set_learners(self, nodes: Iterable[int]) -> None:
        """Choose the leaves that learn."""
        if self.now is not None:
            self._show(self._on_document(self.now).with_learners(nodes))

    # private

    def _begin(self) -> None:
        playback = self._playback
        if not playback.can_begin(self._document.graph, "forward", lambda _graph: ""):
            return
        graph = self._document.graph
        self._show_result_or_say_why(lambda: new_loop(graph, self.rate, self._zeroes))
        if self.now is not None and playback.rules != CORRECT:
            loop = self.now
            was_mistaken = playback.rules.name != "program"
            playback.set_rules(CORRECT)  # ends the mode as well, since a loop owns its position
            self._show(loop)
            if was_mistaken:
                playback.said.emit(_MISTAKE_OFF)

    def _ready(self) -> LoopState | None:
        """Return the loop on the current graph; None without one, or if the document is locked."""
        if self.now is None:
            return None
        if self._document.locked:
            self._document.commit("", lambda sheet: sheet)  # refused with the reason for the lock
            return None
        return self._on_document(self.now)

    def _on_document(self, loop: LoopState) -> LoopState:
        """Return the loop on the document's graph; a pass may have edited its values."""
        return loop.on_graph(self._document.graph)

    def _show_result_or_say_why(self, action: Callable[[], LoopState]) -> None:
        try:
            now = action()
        except EngineError as error:
            self.stop()
            self._playback.said.emit(str(error))
        else:
            self._show(now)

    def _show(self, now: LoopState) -> None:
        """Show the loop, and give the document its graph."""
        self.now = now
        if now.initial_graph is not self._run_graph:
            self._run_graph, self._gesture = now.initial_graph, self._document.new_gesture()
        self._playback.set_mode(now)
        if now.graph is not self._document.graph:
            name = counted(now.at, "Descend {count} epoch", "Descend {count:,} epochs")
            self._document.commit(name, lambda s: s.with_graph(now.graph), self._gesture)

    def _run_epochs(self, remaining: int | None) -> Work:
        """Do one epoch in each slice, at full pace as many as fit in it.

        A run that stops before its last epoch says why.
        """
        reason = ""
        while (now := self._ready()) is not None:
            try:
                while True:
                    now, reason = now.finish_epoch()
                    remaining = None if remaining is None else remaining - 1
                    if len(now.epochs) > EPOCH_LIMIT:
                        reason = _TOO_LONG.format(count=EPOCH_LIMIT)
                    if reason or remaining == 0 or epoch_pause(self.pace) or self._slices.spent:
                        break
            except EngineError as error:
                reason = str(error)
            if reason or remaining == 0:
                self.stop()  # before `_show`, so that a finished run is not shown as running
            self._show(now)
            if reason:
                self._playback.said.emit(reason)
            yield epoch_pause(self.pace)
        self.stop()

    def _follow(self, shown: ViewState) -> None:
        """Adopt the loop's state after an edit; end where the edit has ended it."""
        loop, now = self.now, shown.loop
        if loop is None or now is loop:
            return
        if now is not None:
            self.stop()
            if now.initial_graph is not loop.initial_graph and (loop.at or loop.done):
                self._playback.said.emit(_NEW_RUN)
            self.now = now
            return
        self.stop()
        # another mode is shown: the loop waits for the end of a pass, but not for that of a pass on
        # other wiring, nor behind a question
        if shown.frame.trace is None or shown.change.wiring or shown.asks:
            self.now = None
            if shown.change.wiring and not shown.change.whole:
                self._playback.said.emit(_ENDED.format(why=restart_reason(shown.change)))
        self.changed.emit()
