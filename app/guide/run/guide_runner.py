"""GuideRunner: leads a learner through the steps of a lesson, or a room through its slides.

    begin, go_on, go_back, end   what the page Lesson, the strip and a remote call
    show_me, put_back, ...       help for a learner; `_follow` sees what ends a step
    raise_hand, ask_again, ...   the poll of a question to the room

A guide is no mode: it has an index into steps or slides, and starts and ends the mode that each
needs. It owns neither graph nor pass, so a learner, and a lecturer, may edit and step freely.
While a question to the room is open, a quiz of this one question hides its numbers everywhere; the
room is shown a poll instead.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from app.document.change import Change, difference
from app.document.history import LOCKED, Edit
from app.document.sheet import Sheet, sheet_of
from app.guide.play.guide import Guess, Learner, Room, WrongAnswer, room_of
from app.guide.run.demonstration import Demonstration, Tools
from app.lessons.course import course, folded, is_of_course
from app.lessons.lesson import Lesson, Step
from app.lessons.situation import Method, Situation
from app.style.current import Style
from app.workbench.modes.mode import STEPPING, Mode
from app.workbench.modes.quiz import Quiz, changed_leaves
from app.workbench.playback.view_state import ViewState
from app.workbench.selection import LessonTargets
from engine.asking.judging import MOST_CHOICES
from engine.asking.kinds import KINDS
from engine.asking.question import Question
from engine.errors import EngineError
from engine.formats.native import Drawing
from engine.frame import Frame
from engine.graph import Constant, Graph, Leaf
from engine.trace import run

if TYPE_CHECKING:
    from app.guide.play.poll import Poll
    from app.guide.play.slides import Slide
    from app.lessons.course import Head
    from app.workbench.training import Training


TEST_LOCKED: Final = "The graphs of a test stay as they are until its end."
LAST_STEP: Final = "This is the last step. Esc ends the lecture."
NO_LONGER_FITS: Final = "Step {step} no longer fits: {why}."
USUAL_SECONDS: Final = 60
"""The time of a timer that is started by hand."""
_TICK_MS: Final = 250
_PACE: Final = "50"
"""Pace of a network in a lesson, in epochs per second."""


class OwnSettings(Struct, frozen=True):
    """The learner's settings of the pages Numeric and Train, which a lesson may change."""

    h: float
    method: Method
    rate: float


class OwnSheet(Struct, frozen=True, eq=False):
    """The user's sheet and its situation, from before others were shown.

    `steps` is the number of done steps of undo, `inside` the id of the entered group.
    """

    steps: int
    edit: Edit
    undone: tuple[Edit, ...]
    inside: int | None
    situation: Situation
    targets: LessonTargets


class GuideRunner(QObject):
    """Begins, leads through and ends one lesson at a time, for a learner or for a room."""

    changed = Signal()
    """Emitted after a change of `learner` or `room`, and of the graph in a lesson."""
    entered = Signal()
    """Emitted after another step, or another slide or stage of it, is shown."""
    said = Signal(str)
    """Emitted with a sentence for the lecturer."""
    focus_wanted = Signal()
    """Emitted when Next should get the focus."""
    step_done = Signal()
    """Emitted when the learner has done a step with a task."""
    page_wanted = Signal(str)
    """Emitted with the name of the page on which moves are shown."""
    graph_changing = Signal()
    """Emitted before the sheet gets another graph."""
    ticked = Signal()
    """Emitted four times a second before a room, to repaint the clocks."""

    def __init__(self, tools: Tools, style: Style, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tools, self._style, self._playback = tools, style, tools.playback
        self._document = tools.document
        self.learner: Learner | None = None  # whose lesson is on or was left
        self.last_room: Room | None = None  # before which a lesson is, or else was last
        self._learners_sheet: OwnSheet | None = None
        self._rooms_sheet: OwnSheet | None = None
        """The user's sheets from before both; None once they are back, or can't come back."""
        self.is_moving = False
        """Whether the sheet is between two steps or stages: what changes is not followed."""
        self._own_settings: OwnSettings | None = None
        """The learner's settings from before the lesson that is on; None without a lesson."""
        self._training: Training | None = None
        """The network of the page Train, once a lesson has trained it."""
        self._asked: tuple[Quiz, Frame] | None = None
        """The questions of the step as they were last awake, and the frame at which they were."""
        self._known_graph: Graph | None = None
        """The graph that a room was last shown, to find the leaves that an edit changes."""
        self._saved_counts: Mapping[int, tuple[Poll, ...]] = {}
        self.clock: Callable[[], float] = time.monotonic
        """Returns the time in seconds."""
        self._counted_at, self._times_asked_again = 0.0, 0
        self.ticks = QTimer(self, interval=_TICK_MS)
        self.ticks.timeout.connect(self.ticked)
        self._demonstration = Demonstration(tools, self)
        self._demonstration.finished.connect(self._end_demonstration)
        tools.playback.shown.connect(self._follow)
        tools.checks.changed.connect(self._follow_settings)
        tools.quiz.tried.connect(self._end_tried)

    # state for the views

    @property
    def active(self) -> bool:
        """Return whether a learner's lesson is on."""
        return self.learner is not None and not self.learner.left

    @property
    def room(self) -> Room | None:
        """Return the room before which a lesson is, or None."""
        return None if self.last_room is None or self.last_room.left else self.last_room

    def room_for(self, lesson: Lesson, seed: int = 0, first: int = 0) -> Room:
        """Return a room for a lesson, with the numbers and mistakes of its last time, if any.

        Its hands are for these, and a handout has and hides the same.
        """
        last = self.last_room
        is_same = last is not None and last.lesson.title == lesson.title
        return room_of(lesson, last.seed if last is not None and is_same else seed, first)

    def seconds_since_last_call(self) -> float:
        """Return the seconds in the learner's lesson since the last call."""
        before, self._counted_at = self._counted_at, self.clock()
        return self._counted_at - before

    @property
    def edited(self) -> bool:
        """Return whether the graph on the sheet differs from the one with which the step began."""
        learner = self.learner
        return (
            learner is not None
            and difference(Sheet(learner.base.graph), Sheet(self._document.graph)).graph
        )

    @property
    def following(self) -> Head | None:
        """Return the lesson of the course after the one that is on, the first after another file.

        None after the last one, and after what was made in memory.
        """
        if self.learner is None or self.learner.lesson.path is None:
            return None
        lesson = self.learner.lesson
        return course().after(lesson.name if is_of_course(lesson) else "")

    @property
    def has_own_sheet(self) -> bool:
        """Return whether the learner's own sheet before the lesson can be restored."""
        own = self._learners_sheet
        return own is not None and len(self._document.done) > own.steps

    @property
    def has_unsaved_hands(self) -> bool:
        """Return whether the current or last room raised hands that are in no file."""
        room = self.last_room
        return room is not None and room.has_hands and room.counts != self._saved_counts

    def note_saved(self) -> None:
        """Note that the hands are saved, or need not be."""
        self._saved_counts = {} if self.last_room is None else self.last_room.counts

    @property
    def seconds(self) -> float:
        """Return the seconds since the room's lesson began."""
        room = self.room
        return 0.0 if room is None else room.seconds + self.clock() - room.begun_at

    @property
    def seconds_at_slide(self) -> float:
        """Return the seconds since the slide was entered, or its question was opened."""
        return 0.0 if self.room is None else self.clock() - self.room.entered_at

    @property
    def timer_seconds(self) -> int:
        """Return the seconds for which the timer of the slide runs."""
        return (self.room and self.room.step.timer) or USUAL_SECONDS

    @property
    def seconds_left(self) -> float | None:
        """Return the seconds left on the timer, at least 0; None while none runs."""
        begun_at = None if self.room is None else self.room.timer_begun_at
        return None if begun_at is None else max(self.timer_seconds - self.clock() + begun_at, 0.0)

    @property
    def time_share(self) -> float | None:
        """Return the share of the timer that is left, 1 to 0; None without one."""
        left = self.seconds_left
        return None if left is None else left / self.timer_seconds

    # begin and end

    def begin(self, guide: Learner | Room, *, goes_on: bool = False) -> bool:
        """Begin or continue a lesson; return False if the document is locked, or no slide fits.

        A room keeps hands, ends and clock of its last lesson, if it was the same; with `goes_on`
        its place, too, if it began at the same step and did not reach its end.
        """
        if isinstance(guide, Room):
            return self._begin_before_room(guide, goes_on=goes_on)
        lesson = guide.lesson
        self._unlock()
        if self._document.refuse_if_locked():
            return False
        if self.room is not None:  # its sheet is lent
            self.end()
        with self._playback.at_once():
            self._end_modes()
            if self.learner is not None and self.learner.lesson.name != lesson.name:
                self.restore_own_sheet()
            own = self._learners_sheet if self.has_own_sheet else self.own_sheet()
            self._open_sheet(lesson, lesson.graph, lesson_title(lesson))
        self._learners_sheet = own
        self._counted_at = self.clock()
        if self._own_settings is None:
            checks, loops = self._tools.checks, self._tools.loops
            self._own_settings = OwnSettings(checks.h, checks.method, loops.rate)
        self._enter_step(guide, resets=True)
        return True

    def _begin_before_room(self, room: Room, *, goes_on: bool) -> bool:
        self.end()
        last = self.last_room
        if last is not None and last.lesson.title == room.lesson.title:
            goes_on = goes_on and last.first == room.first and last.next_index(+1) is not None
            room = room.continuing(last, keeps_place=goes_on)
        first = replace(room, at=room.at - 1).next_index(+1)
        if first is None:
            return False
        self._rooms_sheet = self.own_sheet()
        self._document.lent_to_lecture = True
        self._document.look_inside(None)
        self.last_room = replace(room, begun_at=self.clock())
        self._as_own_edit(
            lambda: self._open_sheet(room.lesson, room.slides[first].graph, room.lesson.title)
        )
        self._document.undo_floor = len(self._document.done)
        self.ticks.start()
        self._enter_slide(first)
        return True

    def end(self) -> None:
        """End what is on: a room's lesson, after which the user's sheet comes back, or a learner's.

        A learner's sheet stays; both can be continued.
        """
        own, room = self._rooms_sheet, self.room
        if own is not None and room is not None:
            with self._playback.at_once():
                self._stop_room(room)
                self.restore(own, forgets=not room.edited)  # live edits stay reachable by redo
            self.changed.emit()
        elif self.learner is not None and self.active:
            self._leave(self.learner)

    def _stop_room(self, room: Room) -> None:
        self.last_room = replace(room, left=True, seconds=self.seconds, timer_begun_at=None)
        self._rooms_sheet = None
        self._document.lent_to_lecture, self._document.undo_floor = False, 0
        self.ticks.stop()
        self._end_modes()
        self._point(None)

    def _leave(self, learner: Learner) -> None:
        self._demonstration.stop()
        learner = replace(learner, typed=self._typed_texts(), showing=False, left=True)
        self.is_moving = True  # what ends here is not followed: it would leave the lesson again
        with self._playback.at_once():
            self._playback.fold(frozenset())
            self._end_modes()
            self._unlock()
            self._point(None)
            self._document.end_practice()
        self._document.undo_floor = 0
        if self._own_settings is not None:
            self._tools.checks.set_h(self._own_settings.h)
            self._tools.checks.set_method(self._own_settings.method)
            self._tools.loops.set_rate(self._own_settings.rate)
            self._own_settings = None
        self.is_moving = False
        self._set_learner(learner)

    def dismiss(self) -> None:
        """Leave the learner's lesson for good: it can't be continued."""
        self.end()
        self.learner = self._learners_sheet = None
        self.changed.emit()

    def forget_room(self) -> None:
        """Forget the last lecture: the next one has no hands, and its clock begins at 0."""
        self.last_room, self._saved_counts = None, {}
        self.changed.emit()

    def resume(self) -> None:
        """Continue the lesson that was left, at the beginning of its step."""
        if self.learner is not None and self.learner.left:
            self.begin(self.learner)

    # the user's own sheet

    def own_sheet(self) -> OwnSheet:
        """Return the sheet that is shown, to be restored after others."""
        document = self._document
        return OwnSheet(
            len(document.done),
            document.current,
            document.undone,
            document.inside,
            self.situation(self._playback.now),
            self._tools.selection.lesson_targets,
        )

    def restore(self, own: OwnSheet, *, forgets: bool = True) -> None:
        """Show the user's sheet again, at its place in the pass.

        What was done since is lost if `forgets`, else it can be done again.
        """
        document = self._document
        document.undo_floor, document.lent_to_lecture = 0, False
        with self._playback.at_once():
            self._playback.leave()  # or the end of the other sheet's pass is reported for this one
            if forgets:
                document.resume(own.steps, own.undone)
            else:
                document.go_to(own.steps)
            document.look_inside(own.inside)
            self._playback.show_place(own.situation.phase, own.situation.cursor)
        self._tools.selection.set_lesson_targets(own.targets)

    def restore_own_sheet(self) -> None:
        """Undo the learner's lesson: restore their own sheet."""
        is_there, own = self.has_own_sheet, self._learners_sheet
        self._learners_sheet = None
        if self.learner is not None and self.active:
            self._leave(self.learner)
        if is_there and own is not None:
            self.restore(own, forgets=False)

    def show_beginning(self, situation: Situation) -> None:
        """Restore a situation on the sheet outside of any lesson, with its mode."""
        with self._playback.at_once():
            self._end_modes()
            self._show(situation)
            self._begin_mode_of(situation)
        self._tools.checks.set_h(situation.h)
        self._tools.checks.set_method(situation.method)

    # moving through steps and slides

    def go_on(self) -> None:
        """Go to the next step or slide.

        If a step is not done, warn instead; if a question to the room is open, reveal its answer.
        """
        room, learner = self.room, self.learner
        if room is not None:
            following = room.following
            if following is None:
                self.said.emit(LAST_STEP)
            elif following.stage == "revealed":
                self.reveal()
            else:
                self._enter_slide(following.at)
        elif learner is None or learner.step is None:
            return
        elif learner.may_go_on:
            ended = learner.with_step_ended("done") if learner.step.wants_nothing else learner
            self._enter_step(replace(ended, at=learner.at + 1))
        elif self._playback.now.mode.shows_answer:
            self._tools.quiz.answer()  # shows the next of several questions
        else:
            self._set_learner(replace(learner, warned=True))

    def go_back(self) -> None:
        """Return to the question from its reveal, or else go to the step or slide before."""
        room, learner = self.room, self.learner
        if room is not None:
            before = room.at if room.stage == "revealed" else room.next_index(-1)
            if before is not None:
                self._enter_slide(before)
        elif learner is not None and learner.can_go_back:
            self._enter_step(replace(learner, at=learner.at - 1), resets=True)

    def go_to(self, at: int) -> None:
        """Go to a step or slide; of a learner with the number of steps to the end page.

        Not to a slide that no longer fits, and not in a test.
        """
        room, learner = self.room, self.learner
        if room is not None:
            if 0 <= at < len(room.slides) and not room.slides[at].misfit:
                self._enter_slide(at)
        elif learner is not None and 0 <= at <= len(learner.done) and not learner.is_test_open:
            self._enter_step(replace(learner, at=at), resets=True)

    # showing

    def _show(self, situation: Situation, mode: Mode = STEPPING) -> None:
        """Show a situation on the sheet, also while a presentation locks it."""
        document, graph = self._document, situation.graph
        with self._playback.at_once():
            if document.graph != graph:
                self._playback.leave()  # else the reset to the start of the pass is announced
                self._as_own_edit(lambda: self._show_graph(graph))
            self._known_graph = document.graph
            self._playback.show(situation, mode)

    def _show_graph(self, graph: Graph) -> None:
        document, guide = self._document, self.room or self.learner
        is_missing = bool(graph.nodes.keys() - document.positions.keys())
        if is_missing or difference(Sheet(document.graph), Sheet(graph)).wiring:
            lesson = None if guide is None else guide.lesson
            self._open_sheet(lesson, graph, document.title)
        else:
            document.commit("Step of the lesson", lambda sheet: sheet.with_graph(graph))

    def _open_sheet(self, lesson: Lesson | None, graph: Graph, title: str) -> None:
        """Show another graph, laid out as a file of the lesson has it."""
        self.graph_changing.emit()
        self._playback.leave()  # else the reset to the start of the pass is announced
        self._document.open_practice(practice_sheet(lesson, graph), title)

    def _as_own_edit(self, act: Callable[[], object]) -> None:
        """Run an edit of the guide itself, which no lock refuses."""
        was_moving, self.is_moving = self.is_moving, True
        with self._document.unlocked():
            act()
        self.is_moving = was_moving

    def _end_modes(self) -> None:
        self._playback.pause()
        self._playback.set_ripple(None)
        if self._tools.loops.now is not None:
            self._tools.loops.leave()
        if self._training is not None:
            self._training.stop()
        if self._playback.now.mode is not STEPPING:
            self._playback.set_mode(STEPPING)

    def point(self) -> None:
        """Point at what the step points at, in place of what the lecturer has clicked."""
        guide = self.room or (self.learner if self.active else None)
        if guide is not None:
            self._point(guide.step)

    def _point(self, step: Step | None) -> None:
        """Point at the nodes and wires of a step."""
        lit, watched = ((), ()) if step is None else (step.lit, step.watched)
        targets = LessonTargets(frozenset(lit), frozenset(watched))
        self._tools.selection.set_lesson_targets(targets)

    # a learner's step
    def _enter_step(self, learner: Learner, *, resets: bool = False) -> None:
        """Enter a step; `resets`: restore its sheet even if it continues with the current one."""
        self._demonstration.stop()
        self.is_moving, self._asked = True, None
        with self._playback.at_once():
            self._show_step(learner, resets=resets)
        self._lock_test()
        self.is_moving = False
        assert self.learner is not None
        self._set_learner(_with_parts(self.learner, self._playback.now))
        self.entered.emit()
        self._follow_learner(self._playback.now)

    def _show_step(self, learner: Learner, *, resets: bool) -> None:
        self._end_modes()
        step = learner.step
        learner = replace(learner, quiz_ended=False, warned=False, hinted=False)
        learner = replace(learner, showing=False, left=False)
        if step is not None:
            learner = replace(learner, begun=_situation_of(step, learner))
        self.learner = learner
        self._playback.fold(folded(learner.lesson, learner.at))
        if step is None and not learner.lesson.stays:
            self._show(_end_situation(learner.lesson))
        elif step is not None:
            if resets or step.sets_graph:
                self._show(learner.begun)
            if resets or step.settings:
                self._apply_settings(learner)
        self.learner = replace(learner, base=self._document.sheet)
        self._document.undo_floor = len(self._document.done)  # undo would leave the lesson
        self._tools.selection.clear()  # its ring would look like one of the step
        self._point(step)
        if step is not None:
            self._begin_mode(step)

    def _begin_mode(self, step: Step) -> None:
        """Begin the mode that a step needs; one that is done asks and hides nothing again."""
        assert self.learner is not None
        if step.kind == "ask" and not self.learner.ended:
            self._ask(step)
        elif step.ripple is not None:
            self._playback.set_ripple(step.ripple)
        elif step.kind == "hunt" and not self.learner.ended:
            # put back or resumed, it has the same mistake
            seed = self.learner.seed + self.learner.at
            self._tools.hunting.begin(seed, among=step.mistakes)
        elif step.begun.mode == "training" and step.sets_graph:
            self._begin_training(step)
        elif step.sets_graph:
            self._begin_mode_of(step.begun)

    def _begin_mode_of(self, situation: Situation) -> None:
        """Begin a pass by hand, or the descent at its rate."""
        if situation.mode == "hand":
            self._tools.quiz.by_hand.begin("backward")
        elif situation.mode == "descent":
            self._tools.loops.set_rate(situation.rate)
            self._tools.loops.toggle()

    def _begin_anew(self, step: Step) -> None:
        """Restore the beginning of the step that is on, its mode too."""
        assert self.learner is not None
        self.is_moving = True
        with self._playback.at_once():
            self._end_modes()
            self._show(self.learner.begun)
            self._begin_mode(step)
        self.is_moving = False

    def _begin_training(self, step: Step) -> None:
        """Set up the network of a step; a run has as many epochs as the step shows."""
        from engine.training.learning import Setup

        begun = step.begun
        if self._training is None:
            self._training = self._tools.training()
            self._training.advanced.connect(self._follow_training)
            self._training.reset_done.connect(self._follow_training)
        training = self._training
        training.set_data("XOR")
        shown = sum(int(move.number) for move in step.moves if move.verb == "epochs")
        epochs = shown or training.setup.epochs
        training.change(Setup(begun.sizes, rate=begun.rate, seed=begun.seed, epochs=epochs))
        training.reset()
        training.set_pace(_PACE)
        if begun.epochs:
            training.run(begun.epochs)

    def _apply_settings(self, state: Learner) -> None:
        """Set the page Numeric as at the beginning of the step, if the lesson sets it at all."""
        if any(step.settings.keys() & {"h", "method"} for step in state.lesson.steps):
            self._tools.checks.set_h(state.begun.h)
            self._tools.checks.set_method(state.begun.method)

    def _ask(self, step: Step) -> None:
        """Ask the questions of a step, with the texts in their blanks when the lesson was left."""
        from app.lessons.questions import questions_of

        assert self.learner is not None
        _trace, questions, asks = questions_of(step, self.learner.begun)
        by_choices, kind = step.form == "choices", self.learner.lesson.kind
        self._tools.quiz.ask(
            questions, choices=by_choices, hint=step.hint, asks=asks, kind=kind, guess=step.guess
        )
        for question, text in zip(questions, self.learner.typed, strict=False):
            self._tools.quiz.set_text(question, text)
        self.learner = replace(self.learner, typed=())

    def _typed_texts(self) -> tuple[str, ...]:
        """Return the texts in the blanks of the step, by its questions."""
        quiz = self._tools.quiz.now
        if quiz is None or quiz.lesson_questions is None:
            return ()
        return tuple(quiz.typed.get(question, "") for question in quiz.lesson_questions.questions)

    def _lock_test(self) -> None:
        """Lock the graph of a test, which is what its questions are about, until its end."""
        if self.learner is not None and self.learner.is_test_open:
            self._document.locked, self._document.lock_text = True, TEST_LOCKED
        else:
            self._unlock()

    def _unlock(self) -> None:
        """End the lock of a test; that of a presentation stays."""
        if self._document.lock_text == TEST_LOCKED:
            self._document.locked, self._document.lock_text = False, LOCKED

    # help for a learner

    def show_me(self) -> None:
        """Do the step for the learner: its moves one by one, or its answer."""
        state = self.learner
        if state is None or state.step is None or state.showing:
            return
        step = state.step
        if step.kind == "ask":
            self._tools.quiz.show_answer()
            self.focus()
        elif step.kind == "hunt":
            self._tools.hunting.show()
            self.focus()
        elif step.moves:
            self._begin_anew(step)
            self.learner = replace(state, showing=True)
            self._demonstration.begin(step.moves)
            self.changed.emit()
            if step.panel:
                self.page_wanted.emit(step.panel)

    def put_back(self) -> None:
        """Restore the situation at the step's beginning, and its question as it was left."""
        asked = self._asked
        if self.learner is not None:
            self._enter_step(self.learner, resets=True)
        anew = self._playback.now.quiz
        if asked is not None and anew is not None and asked[0].graph == anew.graph:
            quiz, frame = asked
            with self._playback.at_once():
                self._playback.show_place(frame.phase, frame.cursor)
                self._playback.set_mode(quiz)

    def show_hint(self) -> None:
        """Show the hint of the step in its card."""
        if self.learner is not None:
            self._set_learner(replace(self.learner, hinted=True))

    def focus(self) -> None:
        """Focus the blank of the step, Go on, or else Next."""
        mode = self._playback.now.mode
        if mode.is_open(self._playback.frame) or (mode.shows_answer and not self._is_quiz_finished):
            self._tools.quiz.blank_wanted.emit()
        else:
            self.focus_wanted.emit()

    @property
    def _is_quiz_finished(self) -> bool:
        quiz = self._playback.now.quiz
        return quiz is None or quiz.is_finished

    def _end_demonstration(self) -> None:
        if self.learner is not None:
            self._set_learner(replace(self.learner.with_step_ended("shown"), showing=False))
            self.focus()

    # following the view state

    def _follow(self, now: ViewState) -> None:
        if self.room is None:
            self._follow_learner(now)
        else:
            self._follow_live_edit(now.change)

    def _follow_learner(self, now: ViewState) -> None:
        """End a step that is done; leave the lesson if its document was undone or replaced."""
        state = self.learner
        if state is None or state.left or self.is_moving or self._playback.lags_behind_document:
            return
        if self._document.title != lesson_title(state.lesson):  # undone, or another one opened
            self._learners_sheet = None
            self._leave(state)
            return
        found = self._after_view_state(_with_parts(state, now), now)
        if found.quiz_ended and state.is_test_open:
            # after this signal, within which the other mode is still being begun
            QTimer.singleShot(0, self, self._ask_again)
        elif found != state:
            self._set_learner(found)
            if found.ended and not state.ended:
                self.step_done.emit()
        elif now.change.graph:
            self.changed.emit()

    def _follow_settings(self) -> None:
        """End a step that is done by setting the page Numeric."""
        self._follow_learner(self._playback.now)

    def _follow_training(self) -> None:
        """End a step that is done by training a network."""
        if self.learner is not None and self.learner.begun.mode == "training":
            self._follow_learner(self._playback.now)

    def _ask_again(self) -> None:
        """Ask the question of a test again that another mode has ended."""
        quiz = self._playback.now.quiz
        if self.active and (quiz is None or quiz.lesson_questions is None):
            self.put_back()

    def _after_view_state(self, state: Learner, now: ViewState) -> Learner:
        """Return the state with the current step ended, if the view state fulfils it."""
        step = state.step
        if step is None or state.showing:
            return state
        if step.kind == "ask":
            return self._after_answers(state, now)
        if step.kind == "hunt":
            hunt = now.hunt
            if hunt is None or hunt.stage == "name":
                return state
            return state.with_step_ended("done" if hunt.solved else "shown")
        done = step.checks and not state.ended and self._fulfils(step, now)
        return state.with_step_ended("done") if done else state

    def _after_answers(self, state: Learner, now: ViewState) -> Learner:
        """Return the state with the quiz's attempts, or with `quiz_ended`."""
        quiz = now.quiz
        if quiz is None or quiz.lesson_questions is None:  # another mode
            return state if state.ended else replace(state, quiz_ended=True)
        if quiz.numbers_put_aside(now.frame):  # the learner drags a leaf: the questions sleep
            return state
        self._asked = quiz, now.frame
        attempts = quiz.record.attempts
        found = state.with_attempts(attempts)
        found = replace(found, wrong=(*state.wrong, *self._new_wrong(state, now)))
        if quiz.is_guess:
            found = replace(found, guesses=_with_guesses(state, quiz))
        if quiz.is_finished:
            shown = any(attempt.shown for attempt in attempts)
            found = found.with_step_ended("shown" if shown else "done")
        return found

    def _new_wrong(self, state: Learner, now: ViewState) -> list[WrongAnswer]:
        """Return the wrong answers of a first try that the state has not noted."""
        from app.workbench.words.help import wrong_answers  # late: most answers are right

        quiz = now.quiz
        if quiz is None or quiz.tries != 1:
            return []
        trace = now.unhidden_trace or run(
            now.frame.graph
        )  # the lesson's own question needs no pass
        noted = {(each.step, each.question) for each in state.wrong}
        return [
            WrongAnswer(
                state.at + 1,
                question,
                typed,
                right,
                said,
                _role(question),
                next(iter(quiz.last_answers[question].slips), ""),
            )
            for question, typed, right, said in wrong_answers(quiz, trace, self._style.digits)
            if (state.at + 1, question) not in noted
        ]

    def _end_tried(self, quiz: Quiz) -> None:
        """End a step of a test with the answers that were given, and enter the next one."""
        state = self.learner
        if state is not None and state.is_test and not state.left:
            self.learner = state.with_attempts(quiz.record.attempts).with_step_ended("done")
            self._enter_step(replace(self.learner, at=state.at + 1))

    def _fulfils(self, step: Step, now: ViewState) -> bool:
        """Return whether all checks of a step hold at once."""
        from app.lessons.step_checks import holds

        situation = self.situation(now)
        return all(holds(check, situation) for check in step.checks)

    def situation(self, now: ViewState) -> Situation:
        """Return the learner's situation, which the checks of a step examine."""
        begun = None if self.learner is None else self.learner.begun
        rate, epochs, loss = self._progress_of_training(now)
        return Situation(
            graph=now.frame.graph,
            phase=now.frame.phase,
            cursor=now.frame.cursor,
            rules=self._playback.rules,
            frame=now.frame,
            hand=now.by_hand,
            h=self._tools.checks.h,
            method=self._tools.checks.method,
            rate=rate,
            epochs=epochs,
            loss=loss,
            sizes=() if begun is None else begun.sizes,
            seed=0 if begun is None else begun.seed,
            mode="" if begun is None else begun.mode,
            plane=None if begun is None else begun.plane,
        )

    def _progress_of_training(self, now: ViewState) -> tuple[float, int, float | None]:
        """Return rate, epochs and the loss computed last, of the descent or the network."""
        training, loop = self._training, now.loop
        if loop is not None:
            loss = loop.losses[loop.latest_loss_epoch] if loop.latest_loss_epoch >= 0 else None
            return loop.descent.rate, loop.at, loss
        if training is not None and self.learner and self.learner.begun.mode == "training":
            return training.rate, training.state.epochs, training.loss
        return self._tools.loops.rate, 0, None

    def _set_learner(self, learner: Learner) -> None:
        self.learner = learner
        self.changed.emit()

    # a room's slide

    def _enter_slide(self, at: int) -> None:
        """Show a slide, with its question open if it asks."""
        room = self.last_room
        assert room is not None
        slide = room.slides[at]
        self.is_moving = True
        with self._playback.at_once():
            self._end_modes()
            self._show_to_room(slide.situation, _mode_of(slide))
            if slide.kind == "ask" and slide.question is not None:
                self._tools.quiz.ask([slide.question], choices=True, kind="lecture")
            self._point(slide.step)
        self.is_moving = False
        room = replace(room, at=at)
        done = room.with_end("shown")
        room = replace(room, done=done, stage="asked" if slide.kind == "ask" else "shown")
        room = self._with_poll(room) if slide.kind == "ask" else room
        now = self.clock()
        timer_begun_at = now if slide.step.timer else None
        self._set_room(replace(room, entered_at=now, timer_begun_at=timer_begun_at))
        self.entered.emit()

    def reveal(self) -> None:
        """Show the answer to the open question to the room."""
        room = self.room
        if room is None or room.stage != "asked" or not room.step.reveal:
            return
        self.is_moving = True
        from app.workbench.modes.hunt import mode_of_answer

        # of a hunt the end of its pass
        self._show_to_room(room.slide.revealed, mode_of_answer(room.slide.asks))
        self.is_moving = False
        self._set_room(replace(room, stage="revealed", timer_begun_at=None))
        self.entered.emit()

    def _show_to_room(self, situation: Situation | None, mode: Mode) -> None:
        """Show a situation, if the slide fits, in a mode; undo is for live edits after it."""
        done = self._document.done
        if situation is None:
            self._playback.set_mode(mode)
        else:
            self._show(situation, mode)
        if self._document.done is not done:
            self._document.undo_floor = len(self._document.done)

    def step(self, direction: int) -> None:
        """Step the pass within the slide; never past an open question, but of a hunt."""
        room = self.room
        if room is not None and (room.stage != "asked" or room.slide.is_hunt):
            (self._playback.step if direction > 0 else self._playback.step_back)()

    def toggle_timer(self) -> None:
        """Start the timer with the step's seconds, or stop it."""
        room = self.room
        if room is not None:
            begun_at = self.clock() if room.timer_begun_at is None else None
            self._set_room(replace(room, timer_begun_at=begun_at))

    def _set_room(self, room: Room) -> None:
        self.last_room = room
        self.changed.emit()

    # the poll

    @property
    def _open_poll(self) -> Poll | None:
        """Return the poll of the open question; None without one."""
        room = self.room
        return room.poll if room is not None and room.stage == "asked" else None

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

        room, poll = self.room, self._open_poll
        if room is None or poll is None:
            return
        found = choice_of_number(room.slide, number, self._style.digits)
        if len(poll.choices) < MOST_CHOICES and found.label not in {c.label for c in poll.choices}:
            self._set_poll(replace(poll, choices=(*poll.choices, found), hands=(*poll.hands, 0)))

    def ask_again(self) -> None:
        """Ask the question again without hands, with other numbers, a hunt with another mistake.

        Earlier counts stay.
        """
        from app.guide.play.poll import poll_of, with_new_numbers
        from app.guide.play.slides import with_other_mistake

        room = self.room
        if room is None or room.poll is None:
            return
        self._times_asked_again += 1
        slide, seed, digits = room.slide, self._times_asked_again, self._style.digits
        try:
            if slide.is_hunt:
                slide = with_other_mistake(slide, seed)
            else:
                slide = with_new_numbers(slide, seed, digits)
        except EngineError as error:
            self.said.emit(str(error))
            return
        poll = replace(poll_of(slide, digits), earlier=room.poll.first_count)
        slides = (*room.slides[: room.at], slide, *room.slides[room.at + 1 :])
        self.last_room = replace(room.with_other_poll(poll), slides=slides)
        self._enter_slide(room.at)

    def _with_poll(self, room: Room) -> Room:
        """Return the room with the stored poll of its slide; a new one if its choices changed."""
        from app.guide.play.poll import choice_of_number, poll_of

        slide, digits, had = room.slide, self._style.digits, room.polls.get(room.at)
        found = poll_of(slide, digits)
        if had is not None and slide.form == "number":
            again = tuple(
                choice_of_number(slide, c.number, digits)
                for c in had.choices
                if c.number is not None
            )
            found = replace(found, choices=again, hands=(0,) * len(again))
        if had is None or had.asks_the_same(found):
            return room.with_poll(had or found)
        former = room.former_polls.get(room.at, ())
        same = (poll for poll in reversed(former) if poll.asks_the_same(found))
        return room.with_other_poll(next(same, replace(found, earlier=had.earlier)))

    def _set_poll(self, poll: Poll) -> None:
        room = self.room
        assert room is not None
        self._set_room(room.with_poll(poll))

    # live edits before a room

    def _follow_live_edit(self, change: Change) -> None:
        """Resolve the slides again after an edit; end the lecture if a document is opened."""
        room, before = self.room, self._known_graph
        if room is None or self.is_moving:
            return
        if change.opened:
            self._stop_room(room)
            self.changed.emit()
        elif change.graph and before is not None and self._document.graph != before:
            self._follow_edit(replace(room, edited=True), before, restarts=change.wiring)

    def _follow_edit(self, room: Room, before: Graph, *, restarts: bool) -> None:
        """Show the slide on the edited graph, or the nearest one before, else after, that fits."""
        drawing = self._document.sheet.drawing()
        self.last_room = room = with_live_edit(room, before, drawing)
        self._known_graph = drawing.graph
        misfit = room.slide.misfit.rstrip(".")
        if not misfit:
            if room.stage == "asked" or restarts:
                self._enter_slide(room.at)
            else:
                self._set_room(room if room.poll is None else self._with_poll(room))
            return
        fitting = room.next_index(-1)
        fitting = room.next_index(+1) if fitting is None else fitting
        if fitting is None:
            self.end()
        else:
            self._enter_slide(fitting)
        self.said.emit(NO_LONGER_FITS.format(step=room.slide.at + 1, why=misfit))


def lesson_title(lesson: Lesson) -> str:
    """Return the title of a lesson's document: `lesson: one wire, one slope`."""
    title = lesson.title
    if lesson.kind != "lesson":
        return title
    is_word = title[1:2].islower() or title[1:2] == " "  # not an abbreviation such as XOR
    return f"lesson: {title[:1].lower() if is_word else title[:1]}{title[1:]}"


def _mode_of(slide: Slide) -> Mode:
    """Return the mode in which a room sees a slide; its question is asked after that."""
    if slide.kind != "ask" or slide.asks != "mistake":
        return STEPPING
    from app.workbench.modes.hunt import HiddenMistake  # few lectures ask for one

    return HiddenMistake()


def practice_sheet(lesson: Lesson | None, graph: Graph) -> Sheet:
    """Return the sheet of a graph, laid out as a file of the lesson has it."""
    drawing = Drawing(graph) if lesson is None else lesson.drawing_of(graph)
    return replace(sheet_of(drawing), lesson="", task=None)


def _with_guesses(state: Learner, quiz: Quiz) -> tuple[Guess, ...]:
    """Return the guesses of a lesson with those of a quiz in place of the earlier ones there."""
    assert state.step is not None
    assert quiz.lesson_questions is not None
    asked = zip(quiz.lesson_questions.questions, state.step.asks, strict=True)
    here = (
        Guess(state.at, question, ask, quiz.last_answers[question].text, quiz.graph)
        for question, ask in asked
        if question in quiz.last_answers
    )
    # an answer that is on show no longer is among the last ones once the pass goes on
    new = {guess.question: guess for guess in here}
    kept = (g for g in state.guesses if g.at != state.at or g.question not in new)
    return (*kept, *new.values())


def _role(question: Question) -> str:
    return KINDS[question.kind].role


def _with_parts(state: Learner, now: ViewState) -> Learner:
    """Return the state with the parts that its steps need; the timeline comes with a pass."""
    is_pass = now.frame.phase != "live" and now.frame.cursor > 0
    begun = is_pass or now.by_hand is not None or now.loop is not None
    needed = (step.parts for step in state.lesson.steps[: state.at + 1])
    parts = state.parts.union(("timeline",) * begun, *needed)
    return state if parts == state.parts else replace(state, parts=parts)


def _situation_of(step: Step, state: Learner) -> Situation:
    """Return the situation at a step's beginning, or of a test's step that shows the answer."""
    if state.is_test and state.ended:
        from app.lessons.final_test import after_answer

        return after_answer(step)
    from app.lessons.questions import drawn

    return drawn(step, state.seed)


def _end_situation(lesson: Lesson) -> Situation:
    """Return the lesson's graph at the end of its backward pass."""
    trace = run(lesson.graph)
    return Situation(lesson.graph, "backward", len(trace))


def with_live_edit(room: Room, before: Graph, edited: Drawing) -> Room:
    """Return a room after an edit of the graph `before` while its slide was shown.

    The wiring of `edited` and the numbers that were changed count for all slides of this sheet;
    numbers that only the slide had do not.
    """
    shared, changed = room.slide.graph, changed_leaves(before, edited.graph)
    graph = _with_kept_numbers(edited.graph, shared, changed)
    found = [
        _edited(slide, edited.graph, changed, graph) if slide.graph is shared else slide
        for slide in room.slides
    ]
    drawings = (dataclasses.replace(edited, graph=graph), *room.lesson.drawings)
    lesson = replace(room.lesson, drawings=drawings)
    return replace(room, lesson=lesson, slides=tuple(found))


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
