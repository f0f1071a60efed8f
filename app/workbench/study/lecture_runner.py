"""LectureRunner: leads a presentation through the marks of a lecture.

    begin, end            open the lecture's sheets, and bring the user's own sheet back
    go_on, go_back        what PageDown and PageUp do: question, reveal, next mark
    raise_hand, ...       the poll of a question to the room
    ask_again             the same question with new numbers

A lecture is no mode: it has an index into its marks, and the stage of the mark. While a question is
open, a quiz of this one question hides its numbers everywhere; the room is shown a poll instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from app.document.document import Document
from app.document.sheet import sheet_of
from app.lessons.lecture import Lecture, Slide, slides
from app.lessons.lecture_state import LectureState
from app.lessons.poll import Poll, judged, poll_of
from app.lessons.situation import Situation
from app.style.current import Style
from app.workbench.modes.mode import STEPPING
from app.workbench.playback.playback import Playback
from app.workbench.runners.quiz_runner import QuizRunner
from engine.study.judging import MOST_CHOICES
from engine.study.lecture import USUAL_SECONDS

HANDS_LIMIT: Final = 9_999
"""Most hands that can be typed for one choice."""
_TICK_MS: Final = 250
_MS_PER_SECOND: Final = 1000


class LectureRunner(QObject):
    """Begins, leads through and ends one lecture at a time."""

    changed = Signal()
    """Emitted after a change of `now`."""
    ticked = Signal()
    """Emitted a few times a second during a lecture: clocks are to be drawn again."""
    entered = Signal()
    """Emitted after another mark, or another stage of it, was shown."""
    said = Signal(str)
    """Emitted with a sentence for the lecturer."""

    def __init__(
        self,
        document: Document,
        playback: Playback,
        quiz: QuizRunner,
        style: Style,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document, self._playback, self._quiz, self._style = document, playback, quiz, style
        self._state: LectureState | None = None
        self._own_sheet_index = -1
        self._clock = QElapsedTimer()
        self._timer_clock = QElapsedTimer()
        self._timer_seconds = 0.0
        self._ticks = QTimer(self)
        self._ticks.setInterval(_TICK_MS)
        self._ticks.timeout.connect(self._tick)

    # state for the views

    @property
    def now(self) -> LectureState | None:
        """Return the lecture that is on, or None."""
        return self._state

    @property
    def seconds(self) -> float:
        """Return the seconds since the lecture began."""
        return self._clock.elapsed() / _MS_PER_SECOND if self._clock.isValid() else 0.0

    # moving through the marks

    def begin(self, lecture: Lecture, at: int = 0) -> bool:
        """Begin a lecture at a mark; return False if none of its marks fits."""
        state = LectureState(lecture, slides(lecture), at - 1)
        first = state.next_at(+1)
        if first is None:
            return False
        self._own_sheet_index = len(self._document.done)
        self._state = state
        self._clock.start()
        self._ticks.start()
        self._enter(first)
        return True

    def end(self) -> None:
        """End the lecture, and bring back the sheet that was open before it."""
        if self._state is None:
            return
        index, self._state = self._own_sheet_index, None
        self._ticks.stop()
        self._playback.set_mode(STEPPING)
        self._playback.leave()
        if len(self._document.done) > index >= 0:
            self._document.go_to(index)
        self.changed.emit()

    def go_on(self) -> None:
        """Reveal the open question, or else go to the next mark."""
        state = self._state
        if state is None:
            return
        if state.stage == "asked" and state.slide.mark.reveals:
            self.reveal()
        elif (following := state.next_at(+1)) is not None:
            self._enter(following)

    def go_back(self) -> None:
        """Return to the question from its reveal, or else go to the mark before."""
        state = self._state
        if state is None:
            return
        if state.stage == "revealed":
            self._enter(state.at)
        elif (before := state.next_at(-1)) is not None:
            self._enter(before)

    def go_to(self, at: int) -> None:
        """Go to a mark, unless it no longer fits."""
        state = self._state
        if state is not None and 0 <= at < len(state.slides) and not state.slides[at].misfit:
            self._enter(at)

    def step(self, direction: int) -> None:
        """Step the pass within the mark; never past an open question."""
        if self._state is None or self._state.stage == "asked":
            return
        if direction > 0:
            self._playback.step()
        else:
            self._playback.step_back()

    def reveal(self) -> None:
        """Show the answer to the open question."""
        state = self._state
        if state is None or state.stage != "asked":
            return
        self._playback.set_mode(STEPPING)
        if state.slide.revealed is not None:
            self._show(state.slide.revealed)
        self._set_state(replace(state, stage="revealed", seconds_left=None))
        self.entered.emit()

    # the poll

    def raise_hand(self, index: int, hands: int = 1) -> None:
        """Count a hand for a choice, or take one back with −1."""
        state = self._state
        if state is not None and state.poll is not None and index < len(state.poll.hands):
            self.set_hands(index, state.poll.hands[index] + hands)

    def set_hands(self, index: int, count: int) -> None:
        """Set the hands for a choice of the open question."""
        state = self._state
        if state is None or state.poll is None or state.stage != "asked":
            return
        hands = list(state.poll.hands)
        hands[index] = min(max(count, 0), HANDS_LIMIT)
        self._set_poll(replace(state.poll, hands=tuple(hands)))

    def clear_hands(self) -> None:
        """Set all hands of the open question to 0."""
        state = self._state
        if state is not None and state.poll is not None and state.stage == "asked":
            self._set_poll(replace(state.poll, hands=(0,) * len(state.poll.hands)))

    def add_number(self, number: float) -> None:
        """Add a number that was called out as a choice of a question in the form number."""
        state = self._state
        if state is None or state.poll is None or state.stage != "asked":
            return
        found = judged(state.slide, number, self._style.digits)
        poll = state.poll
        if len(poll.choices) < MOST_CHOICES and found.label not in {c.label for c in poll.choices}:
            self._set_poll(replace(poll, choices=(*poll.choices, found), hands=(*poll.hands, 0)))

    def ask_again(self) -> None:
        """Ask the same question with other numbers; the first count stays."""

    # the timer

    def toggle_timer(self) -> None:
        """Start the timer with the mark's seconds, or stop it."""
        state = self._state
        if state is None:
            return
        if state.seconds_left is None:
            self._start_timer(state.slide.mark.seconds or USUAL_SECONDS)
        else:
            self._set_state(replace(state, seconds_left=None))

    def _start_timer(self, seconds: int) -> None:
        self._timer_seconds = float(seconds)
        self._timer_clock.start()
        if self._state is not None:
            self._set_state(replace(self._state, seconds_left=self._timer_seconds))

    def _tick(self) -> None:
        state = self._state
        if state is not None and state.seconds_left:
            left = self._timer_seconds - self._timer_clock.elapsed() / _MS_PER_SECOND
            self._state = replace(state, seconds_left=max(left, 0.0))
        self.ticked.emit()

    # entering

    def _enter(self, at: int) -> None:
        """Show a mark, with its question open if it asks."""
        state = self._state
        assert state is not None
        slide = state.slides[at]
        self._playback.set_mode(STEPPING)
        if slide.situation is not None:
            self._open_sheet(state, slide)
            self._show(slide.situation)
        state = replace(state, at=at, stage="shown", poll=None, seconds_left=None)
        if slide.mark.kind == "ask":
            state = replace(
                state, stage="asked", poll=state.polls.get(at) or poll_of(slide, self._style.digits)
            )
            if slide.question is not None:
                self._quiz.ask([slide.question], choices=True, kind="lecture")
        self._set_state(state)
        if slide.mark.seconds:
            self._start_timer(slide.mark.seconds)
        self.entered.emit()

    def _open_sheet(self, state: LectureState, slide: Slide) -> None:
        """Show the sheet of a mark, if another graph is shown."""
        drawing = state.lecture.drawings[slide.placed.graph]
        if self._document.graph.structure is not drawing.graph.structure:
            self._unlocked(
                lambda: self._document.open_practice_sheet(sheet_of(drawing), state.lecture.title)
            )

    def _show(self, situation: Situation) -> None:
        """Show a situation on the sheet: its values, mistake and place of the pass."""
        document, playback, graph = self._document, self._playback, situation.graph
        if document.graph != graph:
            playback.leave()
            self._unlocked(
                lambda: document.commit(
                    "Mark of the lecture", lambda sheet: sheet.with_graph(graph)
                )
            )
        playback.set_rules(situation.rules)
        if situation.phase == "backward":
            playback.backward(cursor=situation.cursor)
        elif situation.phase == "forward":
            playback.forward(cursor=situation.cursor)
        else:
            playback.leave()

    def _unlocked(self, act: Callable[[], object]) -> None:
        """Do an edit while a presentation locks the document."""
        locked, self._document.locked = self._document.locked, False
        act()
        self._document.locked = locked

    def _set_poll(self, poll: Poll) -> None:
        state = self._state
        assert state is not None
        self._set_state(replace(state, poll=poll, polls={**state.polls, state.at: poll}))

    def _set_state(self, state: LectureState) -> None:
        self._state = state
        self.changed.emit()
