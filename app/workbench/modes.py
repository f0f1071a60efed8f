"""Modes: begins and ends the ways in which a learner is asked, and times the answers.

What the mode is and how far it has got belongs to the playback, beside the frame that it hides
parts of; here is what a learner does.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QElapsedTimer, QObject, Signal

from app.workbench.asking import HINTS, TITLES, Asking, Mode, begun
from app.workbench.playback import Playback
from app.workbench.shown import Shown
from engine.frame import Frame
from engine.numbers import DIGITS_SHOWN, Digits
from engine.study.question import Question

MOST_STEPS = 2_000
"""Steps of a pass in which questions are asked: answering one takes a few seconds."""
MS = 1000.0


class Modes(QObject):
    """Cover and Predict: one at a time, on the pass of one playback."""

    ended = Signal(object)
    """Emitted with the Record of a run in which something was answered."""

    def __init__(self, playback: Playback, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._playback = playback
        self._level = "contribution"
        self._last: int | None = None
        self._since = QElapsedTimer()
        self._question: Question | None = None
        self._before: Asking | None = None
        playback.shown.connect(self._follow)

    @property
    def now(self) -> Asking | None:
        """Return the mode that is on, or None."""
        return self._playback.now.asking

    @property
    def level(self) -> str:
        """Return what is asked of each step: the name of a level."""
        return self._level

    @property
    def last(self) -> int | None:
        """Return how many of the last steps are asked about; None for all."""
        return self._last

    @property
    def question(self) -> Question | None:
        """Return what is asked now, or None."""
        now, frame = self.now, self._playback.frame
        return None if now is None else now.question(frame)

    def toggle(self, mode: Mode) -> None:
        """Begin a mode, which ends another one, or end it if it is on."""
        if self.now is not None and self.now.mode == mode:
            self.leave()
        else:
            self._begin(mode)

    def leave(self) -> None:
        """End the mode that is on; its record is handed out."""
        self._playback.ask(None)

    def set_level(self, level: str) -> None:
        """Set what is asked of each step; the mode that is on goes on with it."""
        self._level = level
        self._begin_again()

    def set_last(self, last: int | None) -> None:
        """Ask about so many last steps only; None for all."""
        self._last = last
        self._begin_again()

    # answering

    def check(self, text: str, digits: Digits = DIGITS_SHOWN) -> None:
        """Grade an answer; one that can't be read stays in the field with what to write."""
        if self.now is not None:
            self._playback.ask(self.now.answered(self._frame, text, digits, self._seconds))

    def hint(self) -> None:
        """Give one more hint, of three."""
        if self.now is not None and self.question is not None:
            self._playback.ask(replace(self.now, hints=min(self.now.hints + 1, HINTS)))

    def show_answer(self) -> None:
        """Show the answer; it does not count as right."""
        if self.now is not None:
            self._playback.ask(self.now.revealed(self._frame, self._seconds))

    def keep_text(self, text: str) -> None:
        """Keep what stands in the field, so that a closed card opens with it."""
        if self.now is not None and text != self.now.text:
            self._playback.ask(replace(self.now, text=text))

    def open_card(self, wanted: bool = True) -> None:
        """Open or close the card."""
        if self.now is not None and self.now.card_open != wanted:
            self._playback.ask(replace(self.now, card_open=wanted))

    # private

    @property
    def _frame(self) -> Frame:
        return self._playback.frame

    @property
    def _seconds(self) -> float:
        return self._since.elapsed() / MS if self._since.isValid() else 0.0

    def _begin(self, mode: Mode) -> None:
        playback = self._playback
        playback.pause()
        if mode == "predict" and playback.phase == "live" and not playback.backward():
            return  # why not has been said
        if playback.frame.total > MOST_STEPS:
            playback.said.emit(
                f"{TITLES[mode]} asks about passes of up to {MOST_STEPS:,} steps;"
                f" this one has {playback.frame.total:,}."
            )
            return
        playback.ask(begun(mode, playback.frame.graph, self._level, self._last))

    def _begin_again(self) -> None:
        if self.now is not None:
            self._playback.ask(begun(self.now.mode, self._frame.graph, self._level, self._last))

    def _follow(self, shown: Shown) -> None:
        """Time questions, and hand out the record of a mode that has ended."""
        question = self.question
        if question != self._question:
            self._question = question
            self._since.restart()
        before, self._before = self._before, shown.asking
        if before is not None and shown.asking is None and before.record.attempts:
            self.ended.emit(before.record)
