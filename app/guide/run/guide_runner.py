"""LessonRunner: leads through the steps of a lesson on the document and its playback.

    Demonstration        makes the moves of Show me, each by the part that does it in the window
    begin, go_on, ...    what the page Lesson, the strip and the commands call
    _follow...           what ends a step: the learner's answers, moves and settings

A lesson is no mode: it has an index into its steps, and starts and ends the mode that a step
needs. It owns neither graph nor pass, so a learner may edit and step freely; `put_back`
restores the situation at the step's beginning.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from app.document.change import difference
from app.document.document import Document
from app.document.history import LOCKED
from app.document.sheet import Sheet, sheet_of
from app.guide.play.guide import Guess, LessonState, ResumePoint, WrongAnswer
from app.lessons.course import course, folded, is_of_course
from app.lessons.lesson import Lesson, Step
from app.lessons.progress import Mark
from app.lessons.situation import Method, Move, Situation, Verb
from app.style.current import Style
from app.workbench.modes.mode import STEPPING
from app.workbench.modes.quiz import Quiz
from app.workbench.playback.playback import Playback
from app.workbench.playback.view_state import ViewState
from app.workbench.runners.hunt_runner import HuntRunner
from app.workbench.runners.loop_runner import LoopRunner
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.selection import NO_TARGETS, LessonTargets, Selection
from app.workbench.study.checks import Checks
from app.workbench.words.sentences import ROLES
from engine.frame import Frame
from engine.graph import Graph
from engine.rules import BY_NAME, CORRECT
from engine.study.question import Question
from engine.trace import run

if TYPE_CHECKING:
    from app.lessons.course import Head
    from app.workbench.training import Training


MOVE_INTERVAL_MS = 420
"""Time in ms between two moves of Show me, to see what the first one changed."""
TEST_LOCKED: Final = "The graphs of a test stay as they are until its end."


class Tools(Struct, frozen=True):
    """The parts of the workbench that a lesson uses."""

    document: Document
    playback: Playback
    selection: Selection
    quiz: QuizRunner
    hunting: HuntRunner
    loops: LoopRunner
    checks: Checks
    training: Callable[[], Training]
    """Returns the network of the page Train, made when it is first needed."""


class Demonstration(QObject):
    """Makes a list of moves, one every MOVE_INTERVAL_MS."""

    finished = Signal()
    """Emitted after the last move."""

    def __init__(self, tools: Tools, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tools = tools
        self._moves: list[Move] = []
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._advance)

    def begin(self, moves: Sequence[Move]) -> None:
        """Make these moves, the first after one interval."""
        self._moves = [*moves]
        self._timer.start(MOVE_INTERVAL_MS)

    def stop(self) -> None:
        """Make no further move."""
        self._timer.stop()
        self._moves = []

    def _advance(self) -> None:
        if self._moves:
            move = self._moves.pop(0)
            perform(self._tools, move)
        if not self._moves:
            self._timer.stop()
            self.finished.emit()


def perform(tools: Tools, move: Move) -> None:
    """Make one move, as a learner would."""
    _PERFORM[move.verb](tools, move)


def _move_node(move: Move) -> int:
    assert move.node is not None
    return move.node


def _step(tools: Tools, move: Move) -> None:
    """Go to a step of the backward pass, which begins if it has not."""
    if tools.playback.phase != "backward":
        tools.playback.backward()
    tools.playback.go(int(move.number))


def _fire(tools: Tools, move: Move) -> None:
    """Fire a node, also one that should wait; the seed is set first."""
    hand = tools.quiz.by_hand
    if hand.now is not None and hand.now.needs_seed:
        hand.set_seed(1.0)
    hand.click(_move_node(move))
    if hand.now is not None and hand.now.refused is not None:
        hand.force()


def _wire(tools: Tools, move: Move) -> None:
    assert move.wire is not None
    tools.document.wires.connect(_move_node(move), *move.wire)


def _loop_on(tools: Tools) -> LoopRunner | Training:
    """Return the descent if it is on, else the network of the page Train."""
    return tools.loops if tools.loops.now is not None else tools.training()


def _set_method(tools: Tools, move: Move) -> None:
    method: Method = move.name  # pyright: ignore[reportAssignmentType]
    tools.checks.set_method(method)


def _set_seed(tools: Tools, move: Move) -> None:
    training = tools.training()
    training.change(replace(training.setup, seed=int(move.number)))


_PERFORM: Final[Mapping[Verb, Callable[[Tools, Move], object]]] = {
    "set": lambda tools, move: tools.document.set_value(_move_node(move), move.number),
    "step": _step,
    "fire": _fire,
    "wire": _wire,
    "root": lambda tools, move: tools.document.mark_root(_move_node(move)),
    "epochs": lambda tools, move: _loop_on(tools).run(int(move.number)),
    "mistake": lambda tools, move: tools.playback.set_rules(BY_NAME.get(move.name, CORRECT)),
    "h": lambda tools, move: tools.checks.set_h(move.number),
    "method": _set_method,
    "rate": lambda tools, move: _loop_on(tools).set_rate(move.number),
    "unfold": lambda tools, move: tools.document.unfolding.open(_move_node(move)),
    "seed": _set_seed,
    "update": lambda tools, _move: tools.loops.run(1),
}


class OwnSettings(Struct, frozen=True):
    """The learner's settings of the pages Numeric and Train, which a lesson may change."""

    h: float
    method: Method
    rate: float


_PACE: Final = "50"
"""Pace of a network in a lesson, in epochs per second."""
_MS_PER_SECOND: Final = 1000.0
_FROM_START: Final = ResumePoint()
_SEED_COUNT: Final = 2**31


class LessonRunner(QObject):
    """Begins, leads through and leaves one lesson at a time."""

    changed = Signal()
    """Emitted after a change of `now`, or of the graph in a lesson."""
    entered = Signal(object)
    """Emitted with the Step that has just been entered; None for the end page."""
    focus_wanted = Signal()
    """Emitted when Next should get the focus."""
    step_done = Signal()
    """Emitted when the learner has done a step with a task."""
    page_wanted = Signal(str)
    """Emitted with the name of the page on which moves are shown."""

    def __init__(self, tools: Tools, style: Style, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tools, self._style = tools, style
        self._document, self._playback = tools.document, tools.playback
        self._state: LessonState | None = None
        self._own_sheet_index = -1
        """Index of the learner's own sheet on the undo stack; −1 if there is none."""
        self._entering = False
        """Whether the runner itself changes sheet and mode, which then is not followed."""
        self._own_settings: OwnSettings | None = None
        """The learner's settings from before the lesson that is on; None without a lesson."""
        self._training: Training | None = None
        """The network of the page Train, once a lesson has trained it."""
        self._asked: tuple[Quiz, Frame] | None = None
        """The questions of the step as they were last awake, and the frame at which they were."""
        self._clock = QElapsedTimer()
        self._demonstration = Demonstration(tools, self)
        self._demonstration.finished.connect(self._end_demonstration)
        tools.playback.shown.connect(self._follow)
        tools.checks.changed.connect(self._follow_settings)
        tools.quiz.tried.connect(self._end_tried)

    # state for the views

    @property
    def now(self) -> LessonState | None:
        """Return the lesson that is on or was left, or None."""
        return self._state

    @property
    def active(self) -> bool:
        """Return whether a lesson is on."""
        return self._state is not None and not self._state.left

    def seconds_since_last_call(self) -> float:
        """Return the seconds in the lesson since the last call."""
        return self._clock.restart() / _MS_PER_SECOND if self._clock.isValid() else 0.0

    @property
    def edited(self) -> bool:
        """Return whether the graph on the sheet differs from the one with which the step began."""
        state = self._state
        if state is None:
            return False
        change = difference(Sheet(state.base.graph), Sheet(self._document.graph))
        return change.graph

    @property
    def following(self) -> Head | None:
        """Return the lesson of the course after the one that is on, the first after another file.

        None after the last one, and after what was made in memory.
        """
        if self._state is None or self._state.lesson.path is None:
            return None
        return course().after(self._state.lesson.name if is_of_course(self._state.lesson) else "")

    @property
    def has_own_sheet(self) -> bool:
        """Return whether the learner's own sheet before the lesson can be restored."""
        return len(self._document.done) > self._own_sheet_index >= 0

    # moving through the steps

    def begin(self, lesson: Lesson, resume_point: ResumePoint = _FROM_START) -> bool:
        """Begin or continue a lesson; return False if the document is locked."""
        unmarked: tuple[Mark, ...] = ("",) * len(lesson.steps)
        seed = random.randrange(_SEED_COUNT) if resume_point.seed is None else resume_point.seed
        return self._begin(
            LessonState(
                lesson,
                lesson.steps[0].begun,
                resume_point.at,
                resume_point.marks or unmarked,
                typed=resume_point.typed,
                seed=seed,
                earlier_score=(resume_point.right, resume_point.asked),
            )
        )

    def begin_at_end(self, state: LessonState) -> bool:
        """Begin a test that has ended at its end; return False if the document is locked."""
        return self._begin(replace(state, at=len(state.lesson.steps)))

    def _begin(self, state: LessonState) -> bool:
        """Open the lesson's own sheet, and enter the step of the state."""
        lesson = state.lesson
        self._end_modes()
        self._unlock()
        if self._state is not None and self._state.lesson.name != lesson.name:
            self.restore_own_sheet()
        index = self._document.open_practice(_sheet(lesson, lesson.graph), lesson_title(lesson))
        if index < 0:
            return False
        if self._own_sheet_index < 0:
            self._own_sheet_index = index
        self._state = state
        self._clock.restart()
        if self._own_settings is None:
            checks, loops = self._tools.checks, self._tools.loops
            self._own_settings = OwnSettings(checks.h, checks.method, loops.rate)
        self._enter(state.at, resets=True)
        return True

    def go_on(self) -> None:
        """Go to the next step; if the current one is not done, warn instead."""
        state = self._state
        if state is None or state.step is None:
            return
        if not state.may_go_on and self._playback.now.mode.shows_answer:
            self._tools.quiz.answer()  # shows the next of several questions
            return
        if not state.may_go_on:
            self._set_state(replace(state, warned=True))
            return
        if state.step.wants_nothing:
            self._state = state.marked("done")
        self._enter(state.at + 1)

    def go_back(self) -> None:
        """Go to the step before; its mark stays."""
        if self._state is not None and self._state.can_go_back:
            self._enter(self._state.at - 1, resets=True)

    def go_to(self, at: int) -> None:
        """Go to a step, or with the number of steps as `at` to the end page; not in a test."""
        state = self._state
        steps = 0 if state is None else len(state.lesson.steps)
        if state is not None and 0 <= at <= steps and not state.is_test_open:
            self._enter(at, resets=True)

    def show_me(self) -> None:
        """Do the step for the learner: its moves one by one, or its answer."""
        state = self._state
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
            self._state = replace(state, showing=True)
            self._demonstration.begin(step.moves)
            self.changed.emit()
            if step.panel:
                self.page_wanted.emit(step.panel)

    def put_back(self) -> None:
        """Restore the situation at the step's beginning, and its question as it was left."""
        asked = self._asked
        if self._state is not None:
            self._enter(self._state.at, resets=True)
        anew = self._playback.now.quiz
        if asked is not None and anew is not None and asked[0].graph == anew.graph:
            quiz, frame = asked
            self._playback.show_place(frame.phase, frame.cursor)
            self._playback.set_mode(quiz)

    def show_hint(self) -> None:
        """Show the hint of the step in its card."""
        if self._state is not None:
            self._set_state(replace(self._state, hinted=True))

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

    def leave(self) -> None:
        """Leave the lesson; the sheet stays, and the lesson can be continued."""
        if self._state is None or self._state.left:
            return
        self._state = replace(self._state, typed=self._typed_texts())
        self._stop_moves()
        self._entering = True  # what ends here is not followed: it would leave the lesson again
        self._playback.fold(frozenset())
        self._end_modes()
        self._unlock()
        self._tools.selection.set_lesson_targets(NO_TARGETS)
        self._document.end_practice()
        self._document.undo_floor = 0
        self._restore_settings()
        self._entering = False
        self._set_state(replace(self._state, left=True))

    def resume(self) -> None:
        """Continue the lesson that was left, at the beginning of its step."""
        state = self._state
        if state is not None and state.left:
            self._begin(state)

    def dismiss(self) -> None:
        """Leave the lesson for good: it can't be continued."""
        self._stop_moves()
        self._playback.fold(frozenset())
        self._end_modes()
        self._tools.selection.set_lesson_targets(NO_TARGETS)
        self._document.end_practice()
        self._document.undo_floor = 0
        self._state, self._own_sheet_index = None, -1
        self.changed.emit()

    def show_beginning(self, situation: Situation) -> None:
        """Restore a situation on the sheet outside of any lesson, with its mode."""
        self._end_modes()
        self._restore(situation)
        self._begin_mode_of(situation)
        self._tools.checks.set_h(situation.h)
        self._tools.checks.set_method(situation.method)

    def restore_own_sheet(self) -> None:
        """Undo the lesson: restore the learner's own sheet."""
        index, self._own_sheet_index = self._own_sheet_index, -1
        self.leave()
        if len(self._document.done) > index >= 0:
            self._playback.leave()  # or the end of the lesson's pass is reported for this sheet
            self._document.go_to(index)

    # entering a step

    def _enter(self, at: int, *, resets: bool = False) -> None:
        """Enter a step; `resets`: restore its sheet even if it continues with the current one."""
        state = self._state
        assert state is not None
        self._stop_moves()
        self._end_modes()
        self._entering, self._asked = True, None
        state = replace(state, at=at, quiz_ended=False, warned=False, hinted=False, left=False)
        step = state.step
        self._playback.fold(folded(state.lesson, at))
        if step is None:
            self._state = state
            if not state.lesson.stays:
                self._restore(_end_situation(state.lesson))
        else:
            self._state = state = replace(state, begun=_situation_of(step, state))
            if resets or step.sets_graph:
                self._restore(state.begun)
            if resets or step.settings:
                self._apply_settings(state)
        self._state = replace(state, base=self._document.sheet)
        self._document.undo_floor = len(self._document.done)  # undo would leave the lesson
        self._tools.selection.clear()  # its ring would look like one of the step
        self._tools.selection.set_lesson_targets(
            NO_TARGETS
            if step is None
            else LessonTargets(frozenset(step.lit), frozenset(step.watched))
        )
        if step is not None:
            self._begin_mode(step)
        self._lock_test()
        self._entering = False
        self._set_state(_with_parts(self._state, self._playback.now))
        self.entered.emit(step)
        self._follow(self._playback.now)

    def _begin_mode(self, step: Step) -> None:
        """Begin the mode that a step needs; one that is done asks and hides nothing again."""
        assert self._state is not None
        if step.kind == "ask" and not self._state.mark:
            self._ask(step)
        elif step.ripple is not None:
            self._playback.set_ripple(step.ripple)
        elif step.kind == "hunt" and not self._state.mark:
            # put back or resumed, it has the same mistake
            seed = self._state.seed + self._state.at
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
        assert self._state is not None
        self._entering = True
        self._end_modes()
        self._restore(self._state.begun)
        self._begin_mode(step)
        self._entering = False

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

    def _apply_settings(self, state: LessonState) -> None:
        """Set the page Numeric as at the beginning of the step, if the lesson sets it at all."""
        if any(step.settings.keys() & {"h", "method"} for step in state.lesson.steps):
            self._tools.checks.set_h(state.begun.h)
            self._tools.checks.set_method(state.begun.method)

    def _restore_settings(self) -> None:
        """Restore the learner's settings of the pages Numeric and Train."""
        if self._own_settings is not None:
            self._tools.checks.set_h(self._own_settings.h)
            self._tools.checks.set_method(self._own_settings.method)
            self._tools.loops.set_rate(self._own_settings.rate)
            self._own_settings = None

    def _ask(self, step: Step) -> None:
        """Ask the questions of a step, with the texts in their blanks when the lesson was left."""
        from app.lessons.questions import questions_of

        assert self._state is not None
        _trace, questions, own = questions_of(step, self._state.begun)
        by_choices, kind = step.form == "choices", self._state.lesson.kind
        self._tools.quiz.ask(
            questions, choices=by_choices, hint=step.hint, own=own, kind=kind, guess=step.guess
        )
        for question, text in zip(questions, self._state.typed, strict=False):
            self._tools.quiz.set_text(question, text)
        self._state = replace(self._state, typed=())

    def _typed_texts(self) -> tuple[str, ...]:
        """Return the texts in the blanks of the step, by its questions."""
        quiz = self._tools.quiz.now
        if quiz is None or quiz.lesson_questions is None:
            return ()
        return tuple(quiz.typed.get(question, "") for question in quiz.lesson_questions.questions)

    def _restore(self, situation: Situation) -> None:
        """Restore graph, mistake and cursor, also while a presentation locks the graph."""
        locked, self._document.locked = self._document.locked, False
        self._set_situation(situation)
        self._document.locked = locked

    def _set_situation(self, situation: Situation) -> None:
        document, playback, graph = self._document, self._playback, situation.graph
        playback.set_mode(STEPPING)
        if document.graph != graph:
            playback.leave()  # else it says that the pass is back at its start
            missing = graph.nodes.keys() - document.positions.keys()
            if missing or difference(Sheet(document.graph), Sheet(graph)).wiring:
                lesson = None if self._state is None else self._state.lesson
                document.open_practice(_sheet(lesson, graph), document.title)
            else:
                document.commit("Step of the lesson", lambda sheet: sheet.with_graph(graph))
        playback.set_rules(situation.rules)
        playback.show_place(situation.phase, situation.cursor)

    def _lock_test(self) -> None:
        """Lock the graph of a test, which is what its questions are about, until its end."""
        if self._state is not None and self._state.is_test_open:
            self._document.locked, self._document.lock_text = True, TEST_LOCKED
        else:
            self._unlock()

    def _unlock(self) -> None:
        """End the lock of a test; that of a presentation stays."""
        if self._document.lock_text == TEST_LOCKED:
            self._document.locked, self._document.lock_text = False, LOCKED

    def _end_modes(self) -> None:
        self._playback.pause()
        self._playback.set_ripple(None)
        if self._tools.loops.now is not None:
            self._tools.loops.leave()
        if self._training is not None:
            self._training.stop()
        if self._playback.now.mode is not STEPPING:
            self._playback.set_mode(STEPPING)

    def _end_demonstration(self) -> None:
        if self._state is not None:
            self._set_state(replace(self._state.marked("shown"), showing=False))
            self.focus()

    def _stop_moves(self) -> None:
        self._demonstration.stop()
        if self._state is not None and self._state.showing:
            self._state = replace(self._state, showing=False)

    # following the view state

    def _follow(self, now: ViewState) -> None:
        """End a step that is done; leave the lesson if its document was undone or replaced."""
        state = self._state
        if state is None or state.left or self._entering or self._playback.lags_behind_document:
            return
        if self._document.title != lesson_title(state.lesson):  # undone, or another one opened
            self._own_sheet_index = -1
            self.leave()
            return
        found = self._after_view_state(_with_parts(state, now), now)
        if found.quiz_ended and state.is_test_open:
            # after this signal, within which the other mode is still being begun
            QTimer.singleShot(0, self, self._ask_again)
        elif found != state:
            self._set_state(found)
            if found.mark and not state.mark:
                self.step_done.emit()
        elif now.change.graph:
            self.changed.emit()

    def _follow_settings(self) -> None:
        """End a step that is done by setting the page Numeric."""
        self._follow(self._playback.now)

    def _follow_training(self) -> None:
        """End a step that is done by training a network."""
        if self._state is not None and self._state.begun.mode == "training":
            self._follow(self._playback.now)

    def _ask_again(self) -> None:
        """Ask the question of a test again that another mode has ended."""
        quiz = self._playback.now.quiz
        if self.active and (quiz is None or quiz.lesson_questions is None):
            self.put_back()

    def _after_view_state(self, state: LessonState, now: ViewState) -> LessonState:
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
            return state.marked("done" if hunt.solved else "shown")
        done = step.checks and not state.mark and self._fulfils(step, now)
        return state.marked("done") if done else state

    def _after_answers(self, state: LessonState, now: ViewState) -> LessonState:
        """Return the state with the quiz's attempts, or with `quiz_ended`."""
        quiz = now.quiz
        if quiz is None or quiz.lesson_questions is None:  # another mode
            return state if state.mark else replace(state, quiz_ended=True)
        if quiz.numbers_put_aside(now.frame):
            return state
        self._asked = quiz, now.frame
        attempts = quiz.record.attempts
        found = state.with_attempts(attempts)
        found = replace(found, wrong=(*state.wrong, *self._new_wrong(state, now)))
        if quiz.is_guess:
            found = replace(found, guesses=_with_guesses(state, quiz))
        if quiz.is_finished:
            shown = any(attempt.shown for attempt in attempts)
            found = found.marked("shown" if shown else "done")
        return found

    def _new_wrong(self, state: LessonState, now: ViewState) -> list[WrongAnswer]:
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
        state = self._state
        if state is not None and state.is_test and not state.left:
            self._state = state.with_attempts(quiz.record.attempts).marked("done")
            self._enter(state.at + 1)

    def _fulfils(self, step: Step, now: ViewState) -> bool:
        """Return whether all checks of a step hold at once."""
        from app.lessons.checks import holds

        situation = self.situation(now)
        return all(holds(check, situation) for check in step.checks)

    def situation(self, now: ViewState) -> Situation:
        """Return the learner's situation, which the checks of a step examine."""
        begun = None if self._state is None else self._state.begun
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
        if training is not None and self._state and self._state.begun.mode == "training":
            return training.rate, training.state.epochs, training.loss
        return self._tools.loops.rate, 0, None

    def _set_state(self, state: LessonState) -> None:
        self._state = state
        self.changed.emit()


def lesson_title(lesson: Lesson) -> str:
    """Return the title of a lesson's document: `lesson: one wire, one slope`."""
    title = lesson.title
    if lesson.kind != "lesson":
        return title
    is_word = title[1:2].islower() or title[1:2] == " "  # not an abbreviation such as XOR
    return f"lesson: {title[:1].lower() if is_word else title[:1]}{title[1:]}"


def _sheet(lesson: Lesson | None, graph: Graph) -> Sheet:
    """Return the sheet of a graph, laid out as a file of the lesson has it."""
    for drawing in () if lesson is None else lesson.drawings:
        if not difference(Sheet(drawing.graph), Sheet(graph)).wiring:
            return sheet_of(drawing).with_graph(graph)
    return Sheet(graph)


def _with_guesses(state: LessonState, quiz: Quiz) -> tuple[Guess, ...]:
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
    """Return the colour of an answer."""
    return "text" if question.kind == "text" else ROLES.get(question.kind, "gradient")


def _with_parts(state: LessonState, now: ViewState) -> LessonState:
    """Return the state with the parts that its steps need; the timeline comes with a pass."""
    is_pass = now.frame.phase != "live" and now.frame.cursor > 0
    begun = is_pass or now.by_hand is not None or now.loop is not None
    needed = (step.parts for step in state.lesson.steps[: state.at + 1])
    parts = state.parts.union(("timeline",) * begun, *needed)
    return state if parts == state.parts else replace(state, parts=parts)


def _situation_of(step: Step, state: LessonState) -> Situation:
    """Return the situation at a step's beginning, or of a test's step that shows the answer."""
    if state.is_test and state.mark:
        from app.lessons.final_test import after_answer

        return after_answer(step)
    from app.lessons.questions import drawn

    return drawn(step, state.seed)


def _end_situation(lesson: Lesson) -> Situation:
    """Return the lesson's graph at the end of its backward pass."""
    trace = run(lesson.graph)
    return Situation(lesson.graph, "backward", len(trace))
