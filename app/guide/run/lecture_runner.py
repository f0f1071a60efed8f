"""LectureRunner: leads a room through the slides of a lesson.

    begin, end            open the lecture's sheets, and restore the user's own sheet
    go_on, go_back        PageDown and PageUp: question, reveal, next slide
    raise_hand, ...       the poll of a question to the room
    ask_again             the same question with new numbers

A lecture is no mode: it has an index into its slides, and a stage. While a question is open, a quiz
of this one question hides its numbers everywhere; the room is shown a poll instead.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from app.document.change import Change
from app.document.document import Document
from app.document.history import Edit
from app.document.sheet import sheet_of
from app.style.current import Style
from app.workbench.modes.mode import STEPPING, Answered
from app.workbench.modes.quiz import changed_leaves
from app.workbench.playback.playback import Playback
from app.workbench.runners.quiz_runner import QuizRunner
from engine.errors import EngineError
from engine.formats.native import Drawing
from engine.frame import Phase
from engine.graph import Constant, Graph, Leaf
from engine.study.judging import MOST_CHOICES

if TYPE_CHECKING:
    from app.guide.play.poll import LectureState, Poll
    from app.guide.play.slides import Slide
    from app.lessons.lesson import Lesson
    from app.lessons.situation import Situation

LAST_MARK: Final = "This is the last mark. Esc ends the lecture."
NO_LONGER_FITS: Final = "Mark {mark} no longer fits: {why}."
MARK_STEP: Final = "Mark of the lecture"
USUAL_SECONDS: Final = 60
"""The time of a timer that is started by hand."""
_TICK_MS: Final = 250


class OwnSheet(Struct, frozen=True, eq=False):
    """The user's document and place in the pass before a lecture.

    `steps` is the number of done steps of undo, `inside` the id of the entered group.
    """

    steps: int
    undone: tuple[Edit, ...]
    inside: int | None
    phase: Phase
    cursor: int


class LectureRunner(QObject):
    """Begins, leads through and ends one lecture at a time."""

    changed = Signal()
    """Emitted after a change of `now`, and when the timer begins or ends."""
    ticked = Signal()
    """Emitted four times a second during a lecture, to repaint the clocks."""
    entered = Signal()
    """Emitted after another slide, or another stage of it, was shown."""
    said = Signal(str)
    """Emitted with a sentence for the lecturer."""
    graph_changing = Signal()
    """Emitted before the sheet gets another graph."""

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
        self._last_state: LectureState | None = None
        self._own: OwnSheet | None = None
        """The user's own sheet, as it was before the lecture."""
        self._sheet_graph: Graph | None = None
        """`Slide.graph` of the sheet that is shown; None before the first one."""
        self._known_graph: Graph | None = None
        """The graph that the lecture last showed, to find the leaves that an edit changes."""
        self._edited = False
        """Whether the sheet was edited during the lecture."""
        self._times_asked_again = 0
        self._former_polls: dict[int, list[Poll]] = {}
        """Polls by slide whose numbers an edit changed: its Undo brings their hands back."""
        self._saved_polls: Mapping[int, Poll] = {}
        self._seconds_before = 0.0
        """The duration of the lecture that goes on."""
        self._acting = False
        """Whether the lecture itself changes the document."""
        self.is_moving = False
        """Whether the sheet is between two slides or stages: `now` still has the former one."""
        self.clock: Callable[[], float] = time.monotonic
        """Returns the time in seconds."""
        self._begun_at = self._entered_at = 0.0
        self._timer_begun_at: float | None = None
        """The times at which lecture, slide and timer began; None while no timer runs."""
        self.ticks = QTimer(self, interval=_TICK_MS)
        self.ticks.timeout.connect(self.ticked)
        document.changed.connect(self._on_document_changed)

    # state for the views

    @property
    def now(self) -> LectureState | None:
        """Return the active lecture, or None."""
        return self._state

    @property
    def last(self) -> LectureState | None:
        """Return the active lecture, or else the last one that has ended; None before the first."""
        return self._state or self._last_state

    @property
    def has_unsaved_hands(self) -> bool:
        """Return whether the current or last lecture has hands that are in no file."""
        polls: Mapping[int, Poll] = {} if self.last is None else self.last.polls
        return polls != self._saved_polls and any(poll.has_hands for poll in polls.values())

    def note_saved(self) -> None:
        """Note that the hands are saved, or need not be."""
        self._saved_polls = {} if self.last is None else self.last.polls

    @property
    def seconds(self) -> float:
        """Return the seconds since the lecture began."""
        return 0.0 if self._state is None else self.clock() - self._begun_at

    @property
    def seconds_at_mark(self) -> float:
        """Return the seconds since the slide was entered, or its question was opened."""
        return 0.0 if self._state is None else self.clock() - self._entered_at

    @property
    def timer_seconds(self) -> int:
        """Return the seconds for which the timer of the slide runs."""
        return (self._state and self._state.slide.step.timer) or USUAL_SECONDS

    @property
    def seconds_left(self) -> float | None:
        """Return the seconds left on the timer, at least 0; None while none runs."""
        if self._timer_begun_at is None:
            return None
        return max(self.timer_seconds - (self.clock() - self._timer_begun_at), 0.0)

    @property
    def time_share(self) -> float | None:
        """Return the share of the timer that is left, 1 to 0; None without one."""
        left = self.seconds_left
        return None if left is None else left / self.timer_seconds

    # moving through the slides

    def begin(self, lesson: Lesson, seed: int = 0, at: int = 0, *, goes_on: bool = False) -> bool:
        """Begin at the first slide of a step; return False if none of the slides fits.

        The seed draws friendly numbers and hidden mistakes. Hands, visits, seed and clock are those
        of the last lecture, if it was of the same lesson; with `goes_on` its place is, too, if it
        began at the same step and did not reach its end.
        """
        from app.guide.play.poll import LectureState, gone_on
        from app.guide.play.slides import slides_of

        self.end()
        last = self._last_state
        if last is not None and last.lesson.title != lesson.title:
            last = None
        seed = seed if last is None else last.seed
        state = LectureState(lesson, slides_of(lesson, seed), seed=seed, begun=at)
        start = next((k for k, slide in enumerate(state.slides) if slide.at >= at), 0)
        if last is not None:
            state = gone_on(state, last, edited=self._edited)
            if goes_on and last.begun == at and last.next_index(+1) is not None:
                start = state.at
        else:
            self._former_polls, self._seconds_before = {}, 0.0
        state = replace(state, at=start - 1)
        first = state.next_index(+1)
        if first is None:
            return False
        document, playback = self._document, self._playback
        self._own = OwnSheet(
            len(document.done), document.undone, document.inside, playback.phase, playback.cursor
        )
        document.lent_to_lecture, self._sheet_graph, self._edited = True, None, False
        document.look_inside(None)
        self._state = state
        self._begun_at = self.clock() - self._seconds_before
        self.ticks.start()
        self._enter(first)
        return True

    def end(self) -> None:
        """End the lecture, and bring back the sheet that was open before it."""
        own = self._own
        if self._state is None or own is None:
            return
        self._stop()
        self._playback.leave()
        if self._edited:  # the live edits stay reachable by redo
            self._document.go_to(own.steps)
        else:
            self._document.resume(own.steps, own.undone)
        self._document.look_inside(own.inside)
        self._playback.show_place(own.phase, own.cursor)
        self.changed.emit()

    def go_on(self) -> None:
        """Reveal the open question, or else go to the next slide."""
        state = self._state
        if state is None:
            return
        following = state.following
        if following is None:
            self.said.emit(LAST_MARK)
        elif following.stage == "revealed":
            self.reveal()
        else:
            self._enter(following.at)

    def go_back(self) -> None:
        """Return to the question from its reveal, or else go to the slide before."""
        state = self._state
        if state is None:
            return
        if state.stage == "revealed":
            self._enter(state.at)
        elif (before := state.next_index(-1)) is not None:
            self._enter(before)

    def go_to(self, at: int) -> None:
        """Go to a slide, unless it no longer fits."""
        state = self._state
        if state is not None and 0 <= at < len(state.slides) and not state.slides[at].misfit:
            self._enter(at)

    def step(self, direction: int) -> None:
        """Step the pass within the slide; never past an open question."""
        if self._state is not None and self._state.stage != "asked":
            (self._playback.step if direction > 0 else self._playback.step_back)()

    def reveal(self) -> None:
        """Show the answer to the open question."""
        state = self._state
        if state is None or state.stage != "asked" or not state.slide.step.reveal:
            return
        self.is_moving = True
        if state.slide.asks == "mistake":  # at the same step
            self._show_mistake(revealed=True)
        else:
            self._playback.set_mode(Answered())
            if state.slide.revealed is not None:
                self._show(state.slide.revealed)
        self.is_moving = False
        self._timer_begun_at = None
        self._set_state(replace(state, stage="revealed"))
        self.entered.emit()

    # the poll

    @property
    def _open_poll(self) -> Poll | None:
        """Return the poll of the open question; None without one."""
        state = self._state
        return state.poll if state is not None and state.stage == "asked" else None

    def raise_hand(self, index: int, hands: int = 1) -> None:
        """Add hands to a choice of the open question; −1 removes one."""
        poll = self._open_poll
        if poll is not None and index < len(poll.hands):
            self.set_hands(index, poll.hands[index] + hands)

    def set_hands(self, index: int, count: int) -> None:
        """Set the hands for a choice of the open question."""
        from app.guide.play.poll import HANDS_LIMIT

        poll = self._open_poll
        if poll is not None:
            hands = list(poll.hands)
            hands[index] = min(max(count, 0), HANDS_LIMIT)
            self._set_poll(replace(poll, hands=tuple(hands)))

    def clear_hands(self) -> None:
        """Set all hands of the open question to 0."""
        poll = self._open_poll
        if poll is not None:
            self._set_poll(replace(poll, hands=(0,) * len(poll.hands)))

    def add_number(self, number: float) -> None:
        """Add a number that was called out as a choice of a question in the form number."""
        from app.guide.play.poll import choice_of_number

        state, poll = self._state, self._open_poll
        if state is None or poll is None:
            return
        found = choice_of_number(state.slide, number, self._style.digits)
        if len(poll.choices) < MOST_CHOICES and found.label not in {c.label for c in poll.choices}:
            self._set_poll(replace(poll, choices=(*poll.choices, found), hands=(*poll.hands, 0)))

    def ask_again(self) -> None:
        """Ask the question again, with other numbers and no hands; the first count stays."""
        from app.guide.play.poll import poll_of, with_new_numbers

        state = self._state
        if state is None or state.poll is None:
            return
        self._times_asked_again += 1
        digits = self._style.digits
        try:
            slide = with_new_numbers(state.slide, self._times_asked_again, digits)
        except EngineError as error:
            self.said.emit(str(error))
            return
        poll = replace(poll_of(slide, digits), earlier=state.poll.first_count)
        found = list(state.slides)
        found[state.at] = slide
        self._state = replace(state.with_poll(poll), slides=tuple(found))
        self._enter(state.at)

    # the timer

    def toggle_timer(self) -> None:
        """Start the timer with the step's seconds, or stop it."""
        if self._state is not None:
            self._timer_begun_at = self.clock() if self._timer_begun_at is None else None
            self.changed.emit()

    # entering

    def _enter(self, at: int) -> None:
        """Show a slide, with its question open if it asks."""
        state = self._state
        assert state is not None
        slide = state.slides[at]
        self.is_moving = True
        self._playback.set_mode(STEPPING)
        if slide.situation is not None:
            self._open_sheet(state, slide)
            self._show(slide.situation)
        state = replace(state, at=at, stage="shown", visited=state.visited | {at})
        if slide.kind == "ask":
            state = replace(state.with_poll(self._poll(state, slide)), stage="asked")
            if slide.question is not None:
                self._quiz.ask([slide.question], choices=True, kind="lecture")
            elif slide.asks == "mistake":
                self._show_mistake(revealed=False)
        self.is_moving = False
        self._entered_at = self.clock()
        self._timer_begun_at = self._entered_at if slide.step.timer else None
        self._set_state(state)
        self.entered.emit()

    def _show_mistake(self, *, revealed: bool) -> None:
        """Show the pass up to its cursor without its rules, or `revealed` with them."""
        from app.workbench.modes.hunt import HiddenMistake  # few lectures ask for one

        self._playback.set_mode(HiddenMistake(revealed=revealed))

    def _poll(self, state: LectureState, slide: Slide) -> Poll:
        """Return the stored poll of a slide; a new one, without hands, if its choices changed."""
        from app.guide.play.poll import choice_of_number, poll_of

        digits, had = self._style.digits, state.polls.get(state.at)
        found = poll_of(slide, digits)
        if had is not None and slide.form == "number":
            again = tuple(
                choice_of_number(slide, c.number, digits)
                for c in had.choices
                if c.number is not None
            )
            found = replace(found, choices=again, hands=(0,) * len(again))
        if had is None or had.asks_the_same(found):
            return had or found
        former = self._former_polls.setdefault(state.at, [])
        former.append(had)
        same = (poll for poll in reversed(former) if poll.asks_the_same(found))
        return next(same, replace(found, earlier=had.earlier))

    def _open_sheet(self, state: LectureState, slide: Slide) -> None:
        """Show the sheet of a slide, if another graph is shown."""
        if slide.graph is not self._sheet_graph:
            self.graph_changing.emit()
            self._playback.leave()  # else the reset to the start of the pass is announced
            drawing = state.lesson.drawing_of(slide.graph)
            sheet = replace(sheet_of(drawing), lesson="", task=None)
            self._act(lambda: self._document.open_practice(sheet, state.lesson.title))
            self._sheet_graph = slide.graph

    def _show(self, situation: Situation) -> None:
        """Show a situation on the sheet: its values, mistake and place of the pass."""
        document, playback, graph = self._document, self._playback, situation.graph
        if document.graph != graph or playback.rules != situation.rules:
            playback.leave()  # else the reset to the start of the pass is announced
        if document.graph != graph:
            self._act(lambda: document.commit(MARK_STEP, lambda sheet: sheet.with_graph(graph)))
        self._known_graph = document.graph
        playback.set_rules(situation.rules)
        playback.show_place(situation.phase, situation.cursor)

    def _act(self, act: Callable[[], object]) -> None:
        """Run an edit of the lecture itself on the document, which a presentation locks."""
        locked, self._document.locked = self._document.locked, False
        self._acting = True
        act()
        self._acting, self._document.locked = False, locked
        self._document.undo_floor = len(self._document.done)  # undo is for live edits alone

    def _set_poll(self, poll: Poll) -> None:
        state = self._state
        assert state is not None
        self._set_state(state.with_poll(poll))

    def _set_state(self, state: LectureState) -> None:
        self._state = state
        self.changed.emit()

    # live edits

    def _on_document_changed(self, change: Change) -> None:
        """Resolve the slides again after an edit; end the lecture if a document is opened."""
        state = self._state
        if state is None or self._acting:
            return
        if change.opened:
            self._stop()
            self.changed.emit()
        elif (
            change.graph
            and self._known_graph is not None
            and self._document.graph != self._known_graph
        ):
            self._edited = True
            self._follow_edit(state, self._known_graph, restarts=change.wiring)

    def _follow_edit(self, state: LectureState, before: Graph, *, restarts: bool) -> None:
        """Show the slide on the edited graph, or the nearest one before, else after, that fits."""
        drawing, at = self._document.sheet.drawing(), state.at
        state = with_live_edit(state, before, drawing)
        self._sheet_graph = state.slide.graph
        self._known_graph = drawing.graph
        misfit = state.slide.misfit.rstrip(".")
        if not misfit:
            self._state = state
            if state.stage == "asked" or restarts:
                self._enter(at)
            elif state.poll is not None:
                self._set_poll(self._poll(state, state.slide))
            else:
                self._set_state(state)
            return
        fitting = state.next_index(-1)
        fitting = state.next_index(+1) if fitting is None else fitting
        self._state = state
        if fitting is None:
            self.end()
        else:
            self._enter(fitting)
        self.said.emit(NO_LONGER_FITS.format(mark=at + 1, why=misfit))

    def _stop(self) -> None:
        """End without restoring the user's own sheet."""
        self._seconds_before = self.seconds
        self._last_state, self._state, self._own = self._state, None, None
        self._document.lent_to_lecture, self._document.undo_floor = False, 0
        self.ticks.stop()
        self._timer_begun_at = None
        self._playback.set_mode(STEPPING)


def with_live_edit(state: LectureState, before: Graph, edited: Drawing) -> LectureState:
    """Return the state after an edit of the graph `before` while its slide was shown.

    The wiring of `edited` and the numbers that were changed count for all slides of this sheet;
    numbers that only the slide had do not.
    """
    shared, changed = state.slide.graph, changed_leaves(before, edited.graph)
    graph = _with_kept_numbers(edited.graph, shared, changed)
    found = [
        _edited(slide, edited.graph, changed, graph) if slide.graph is shared else slide
        for slide in state.slides
    ]
    drawings = (dataclasses.replace(edited, graph=graph), *state.lesson.drawings)
    lesson = replace(state.lesson, drawings=drawings)
    return replace(state, lesson=lesson, slides=tuple(found))


def _edited(slide: Slide, edited: Graph, changed: Collection[int], graph: Graph) -> Slide:
    """Return a slide on an edited graph with its own numbers; `graph` is that of its sheet."""
    from app.guide.play.slides import on_graph

    own = slide.step.begun.graph if slide.situation is None else slide.situation.graph
    return replace(on_graph(slide, _with_kept_numbers(edited, own, changed)), graph=graph)


def _with_kept_numbers(graph: Graph, old: Graph, changed: Collection[int]) -> Graph:
    """Return an edited graph with the numbers of an old one where the edit did not change them."""
    kept = {
        node: found.value
        for node, found in old.nodes.items()
        if isinstance(found, Leaf | Constant)
        and node not in changed
        and isinstance(graph.nodes.get(node), Leaf | Constant)
    }
    return graph.with_values(kept)
