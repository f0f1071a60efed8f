"""QuizRunner and HandRunner: begin, answer and end Cover, Ask me, and passes by hand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Literal

from msgspec.structs import replace
from PySide6.QtCore import QElapsedTimer, QObject, Signal

from app.document.change import difference
from app.document.sheet import Sheet
from app.lessons.lesson import Ask, LessonKind
from app.workbench.modes.evidence import following_way
from app.workbench.modes.mode import HINT_LIMIT, STEPPING, ByHand
from app.workbench.modes.quiz import NO_ASKS, LessonQuestions, Quiz, Steps, changed_leaves
from app.workbench.playback.playback import Playback
from app.workbench.playback.view_state import ViewState
from engine.asking.hand_run import HandRun
from engine.asking.kinds import ASKED_BEFORE_PASS
from engine.asking.question import (
    DEFAULT_LEVEL,
    LEVELS,
    MOST_FINALS,
    MOST_STEPS,
    Question,
    leaves_with_gradient,
)
from engine.asking.record import Record
from engine.asking.rule_judging import OWN_RULE
from engine.formats.report import Report
from engine.frame import Frame, Phase
from engine.graph import Graph, Root
from engine.numbers import DIGITS_SHOWN, Digits
from engine.rules import CORRECT
from engine.schedule import Pass, schedule_of

_TOO_LONG_BY_HAND = "By hand is for passes of up to {most:,} steps; this one has {steps:,}."
_NOTHING_TO_DO = {
    "backward": "Nothing fires: no leaf leads to {root}, so nothing requires a gradient.",
    "forward": "Nothing is computed: {root} is given.",
}
_WITHOUT_MISTAKE = "By hand goes by the correct rules: {title} has been switched off."


class HandRunner(QObject):
    """The pass by hand of one playback, which holds its state."""

    seed_wanted = Signal()
    """Emitted after a click on the root, which asks for the seed."""
    changed = Signal()
    """Emitted after a change of `shows_ready`."""

    def __init__(self, playback: Playback, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._playback = playback
        self.shows_ready = True
        """Whether the nodes that may fire are marked."""

    @property
    def now(self) -> HandRun | None:
        return self._playback.now.by_hand

    # beginning and ending

    def toggle(self) -> None:
        """Begin a backward pass by hand, or end the pass by hand that is on."""
        if self.now is None:
            self.begin("backward")
        else:
            self.leave()

    def begin(self, phase: Pass) -> None:
        """Begin a pass by hand, or say why there is nothing to do."""
        playback, graph = self._playback, self._playback.now.sheet.graph
        playback.pause()
        if not playback.can_begin(graph, phase, partial(_obstacle, phase)):
            return
        with playback.at_once():
            playback.leave()
            mistake = playback.rules  # read after leaving: a hunt hides its rules
            playback.set_rules(CORRECT)
            self._show_run(HandRun(phase))
        if mistake != CORRECT:
            playback.said.emit(_WITHOUT_MISTAKE.format(title=mistake.title))

    def leave(self) -> None:
        """End the pass by hand, if there is one."""
        if self.now is not None:
            self._playback.set_mode(STEPPING)

    # turns

    def click(self, node: int) -> None:
        """Let a node fire, or refuse it with its reason; the root asks for the seed first."""
        run, graph = self.now, self._playback.frame.graph
        if run is None or node not in graph.nodes:
            return
        if node == graph.active_root and graph.root is not None:
            node = graph.root
        if run.needs_seed and node == graph.root:
            self.seed_wanted.emit()
        elif not isinstance(graph.nodes[node], Root):
            self._show_run(run.clicked(graph, node))

    def set_seed(self, seed: float) -> None:
        """Set the gradient with which the root starts."""
        if self.now is not None:
            self._show_run(self.now.seeded(seed))

    def force(self) -> None:
        """Let the refused node fire all the same."""
        if self.now is not None:
            self._show_run(self.now.forced(self._playback.frame.graph))

    def take_turn(self) -> None:
        """Take the turn that the program would take."""
        if self.now is not None:
            self._show_run(self.now.helped(self._playback.frame.graph))

    def take_back(self) -> None:
        """Take back the last turn, or the refusal that is shown."""
        if self.now is not None:
            self._show_run(self.now.taken_back())

    # help

    def hint(self) -> None:
        """Give one more hint for this turn."""
        mode = self._playback.now.mode
        if isinstance(mode, ByHand) and not mode.run.is_over(self._playback.frame.graph):
            self._playback.set_mode(replace(mode, hints=min(mode.hints + 1, HINT_LIMIT)))

    def explain(self) -> None:
        """Explain what would be lost if the refused node fired now."""
        mode = self._playback.now.mode
        if isinstance(mode, ByHand) and mode.run.refused is not None:
            self._playback.set_mode(replace(mode, explains_refusal=True))

    def set_shows_ready(self, shows: bool) -> None:
        """Choose whether the nodes that may fire are marked."""
        self.shows_ready = shows
        self.changed.emit()

    def _show_run(self, run: HandRun) -> None:
        self._playback.set_mode(ByHand(run))


def _obstacle(phase: Pass, graph: Graph) -> str:
    """Return why a pass that can run can't be done by hand; else ""."""
    run = HandRun(phase)
    assert graph.root is not None
    if not run.turns(graph):
        return _NOTHING_TO_DO[phase].format(root=graph.brief(graph.root))
    steps = len(run.trace(graph))
    return _TOO_LONG_BY_HAND.format(most=MOST_STEPS, steps=steps) if steps > MOST_STEPS else ""


_MS_PER_SECOND = 1000.0
_TOO_LONG = "{mode} asks about passes of up to {most:,} steps; this one has {steps:,}."
_OF_OWN_RULE = "Questions are about the correct pass or a mistake of the list; choose one first."
_NO_GRADIENT = "Nothing to ask: no leaf leads to {root}, so nothing requires a gradient."
_OF_WIRES = frozenset({"upstream", "local", "contribution", "sum"})
MOST_ASKED = 10
"""Contributions of a pass up to which each is asked about unless steps are chosen."""
_NO_MEETING = "Nothing to ask: no paths meet here, so no node gets a second contribution."


class QuizRunner(QObject):
    """Cover, Ask me and By hand: one at a time, on the pass of one playback."""

    ended = Signal(object)
    """Emitted with the Report of a run in which something was answered."""
    answered = Signal(object, object)
    """Emitted after each answer with the Report of the run that is on, and its Record before."""
    changed = Signal()
    """Emitted after a change of level or steps."""
    blank_wanted = Signal()
    """Emitted when the first empty blank should get the caret."""
    tried = Signal(object)
    """Emitted with the Quiz once all questions that have one try are answered; it is not shown."""
    all_done = Signal()
    """Emitted once all questions of a lesson are answered, shown or skipped."""
    lesson_step_wanted = Signal(int)
    """Emitted with 1 to go to the next step of the lesson, with −1 to go to the one before, 0 to
    put its graph back."""

    def __init__(self, playback: Playback, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._playback = playback
        self.by_hand = HandRunner(playback, self)
        self._level = self.chosen_level = DEFAULT_LEVEL
        """The name of the level that the learner has chosen."""
        """The level of the run that is on or was last, which a clean pass raises, and the chosen
        one, with which the next run begins."""
        self.steps: Steps = "every"
        """Which steps are chosen to be asked about."""
        self._by_size: bool = True
        """Whether a long pass is asked about where paths meet: no steps were chosen."""
        self.last = 1  # number of last steps that are asked about
        """How many of the last steps are asked about."""
        self.selected_nodes: Collection[int] = ()
        """The selected nodes: of too many leaves, those among them are asked about."""
        self.open_beliefs: Callable[[], tuple[str, ...]] = tuple
        """Returns the beliefs that the learner holds from earlier days; a window says which."""
        self._question_timer = QElapsedTimer()
        self._questions: tuple[Question, ...] = ()
        self._last_quiz: Quiz | None = None
        self.drawn: tuple[int, Graph] | None = None
        """The seed of the friendly numbers drawn last and the graph with them, for the record."""
        self._last_report: Report | None = None
        self.saved: Record | None = None
        """The record that was saved last, or need not be."""
        self._run = Quiz()
        """The run that is on or was last; before one a quiz of the sheet that asked nothing."""
        playback.shown.connect(self._follow)
        playback.answer_wanted.connect(self.blank_wanted)

    @property
    def now(self) -> Quiz | None:
        """Return Cover or Ask me, or None."""
        return self._playback.now.quiz

    @property
    def asks(self) -> bool:
        return self.now is not None and not self.now.is_cover

    @property
    def is_cover(self) -> bool:
        return self.now is not None and self.now.is_cover

    @property
    def level(self) -> str:
        """Return the name of the level, which says what blanks a step has: asked now, or chosen."""
        return self.chosen_level if self.now is None else self._level

    @property
    def chosen_steps(self) -> Steps | Literal[""]:
        """Return which steps the learner has chosen; "" before a choice."""
        return "" if self._by_size else self.steps

    @property
    def asked_steps(self) -> Steps:
        """Return which steps are asked about now, or else which are chosen."""
        return self.now.steps if self.now is not None and self.asks else self.steps

    @property
    def question(self) -> Question | None:
        """Return the first open question about the next step, or None."""
        now, frame = self.now, self._playback.frame
        return None if now is None else now.question(frame)

    @property
    def report(self) -> Report | None:
        """Return the run of Ask me that is on, or the last one; None before the first answer."""
        now = self.now
        if now is not None and now.lesson_questions is None and now.record.attempts:
            return now.report
        return self._last_report

    @property
    def has_unsaved_answers(self) -> bool:
        """Return whether an exercise has answers that are in no report yet."""
        run = self._run
        return run.task is not None and bool(run.record.attempts) and run.record != self.saved

    def toggle(self, *, cover: bool = False) -> None:
        """Begin Ask me, or Cover, which ends another mode; end it if it is on."""
        if self.now is not None and self.now.lesson_questions is not None and not cover:
            self.blank_wanted.emit()
        elif self.now is not None and self.now.is_cover == cover:
            self.leave()
        else:
            self._level = self.chosen_level
            self._begin(cover=cover)

    def ask(
        self,
        questions: Sequence[Question],
        *,
        choices: bool = False,
        hint: str = "",
        asks: Mapping[Question, Ask] = NO_ASKS,
        kind: LessonKind = "lesson",
        guess: bool = False,
    ) -> None:
        """Begin a lesson's questions, each at its step; those without a step are first.

        With `choices`, answers are multiple choice where wrong ones exist. `hint` precedes all
        other help, `asks` are the texts and choices that the lesson wrote, `kind` is its own. A
        `guess` is not judged.
        """
        playback = self._playback
        chosen = LessonQuestions(
            tuple(questions), by_choices=choices, hint=hint, asks=asks, kind=kind, guess=guess
        )
        playback.pause()
        self.by_hand.leave()
        graph, level = self._frame.graph, chosen.level
        record = Record("predict", level.name, playback.rules.name)
        if level.before_pass:
            playback.set_mode(STEPPING)
            playback.backward(cursor=0)
        playback.set_mode(
            Quiz(
                lesson_questions=chosen,
                level=level,
                steps="every",
                record=record,
                graph=graph,
                open_beliefs=self.open_beliefs(),
            )
        )
        self.blank_wanted.emit()

    def turn_lesson(self, direction: int) -> None:
        """Go to the next step of the lesson that asks, or do what `lesson_step_wanted` says."""
        self.lesson_step_wanted.emit(direction)

    def leave(self) -> None:
        """End the mode that is on; `ended` is emitted with its report."""
        self._playback.set_mode(STEPPING)

    def begin_next_pass(self) -> None:
        """Begin the next pass: the same again, or the next level if this one was clean."""
        phase: Phase = "backward"
        if (now := self.now) is not None:
            following = now.next_pass(self._frame)
            phase, self.last = following.phase, following.last
            if following.level.name != self._level:
                self._level = following.level.name
                self.changed.emit()
        self._begin(cover=False, phase=phase)

    def restore(self, level: str, steps: Steps | Literal[""]) -> None:
        """Set blanks and steps as they were kept; "": no steps were chosen."""
        self._set(level, steps or "every", by_size=not steps)

    def choose(self, level: str, steps: Steps) -> None:
        """Set the blanks of a step, and which steps have them; the quiz that is on begins again."""
        self._set(level, steps, by_size=False)

    def set_level(self, level: str) -> None:
        """Set the blanks of a step."""
        if level != self._level or level != self.chosen_level:
            self._set(level, self.steps, by_size=self._by_size)

    def set_steps(self, steps: Steps) -> None:
        """Set which steps are asked about."""
        self.choose(self._level, steps)

    def _set(self, level: str, steps: Steps, *, by_size: bool) -> None:
        same = (level, steps) == (self._level, self.steps) and steps == self.asked_steps
        if same and (level, by_size) == (self.chosen_level, self._by_size):
            return
        if steps != self.steps:
            self.last = 1
        self._level = self.chosen_level = level
        self.steps, self._by_size = steps, by_size
        self.changed.emit()
        if self.now is not None and not same:
            self._begin(cover=self.now.is_cover)

    # answering

    def set_text(self, question: Question, text: str) -> None:
        if (now := self.now) is not None and now.typed.get(question, "") != text:
            self._playback.set_mode(now.with_text(question, text))

    def refuse(self, question: Question, sentence: str) -> None:
        """Choose nothing for a question, and say why."""
        if (now := self.now) is not None:
            self._playback.set_mode(now.with_refusal(question, sentence))

    def answer(self, digits: Digits = DIGITS_SHOWN) -> None:
        """Judge all open blanks; without open ones, go on."""
        if (now := self.now) is None:
            return
        if now.is_finished:
            self.lesson_step_wanted.emit(1)
        elif now.numbers_put_aside(self._frame):
            self.lesson_step_wanted.emit(0)
        elif now.question(self._frame) is None:
            self._playback.step()
        else:
            self._show_quiz(now.answered(self._frame, digits, self._seconds))

    def click(self, node: int) -> None:
        """Say which node fires next: by hand it does, in Ask me that is the answer."""
        now = self.now
        if now is None:
            self.by_hand.click(node)
        else:
            self._show_quiz(now.clicked(self._frame, node, self._seconds))

    def hint(self) -> None:
        """Give one rung more of help."""
        now = self._awake_quiz()
        if now is not None and now.takes_help and now.question(self._frame) is not None:
            self._show_quiz(now.hinted(self._frame, self._seconds))

    def take_another_way(self, digits: Digits = DIGITS_SHOWN) -> None:
        """Ask for the same number in the next other way, cyclically."""
        now = self._awake_quiz()
        way = None if now is None else following_way(now, self._frame, digits)
        if now is not None and way is not None:
            self._show_quiz(now.with_way(way, self._frame))

    def show_answer(self) -> None:
        """Show the answer, which does not count as right."""
        if (now := self._awake_quiz()) is not None and now.takes_help:
            self._show_quiz(now.revealed(self._frame, self._seconds))

    def skip(self) -> None:
        """Take the step without an answer; it counts neither as right nor as wrong."""
        if (now := self.now) is not None and now.lesson_questions is not None:
            self.lesson_step_wanted.emit(1)
        elif now is not None:
            self._playback.set_mode(now.skipped(self._frame, self._seconds))
            self._playback.step()

    def reveal(self) -> None:
        """Show the covered numbers without taking the step; in Ask me focus the first blank."""
        now = self.now
        if now is None:
            return
        if not now.is_cover:
            self.blank_wanted.emit()
        elif self._playback.frame.asked_finals:  # final gradients are covered: the end shows them
            self._playback.to_end()
        else:
            self._playback.set_mode(now.revealed(self._frame))

    # private

    def _awake_quiz(self) -> Quiz | None:
        """Return the quiz, with the graph of its lesson put back if its questions are asleep."""
        if (now := self.now) is not None and now.numbers_put_aside(self._frame):
            self.lesson_step_wanted.emit(0)
        return self.now

    def _show_quiz(self, quiz: Quiz) -> None:
        """Show the quiz; an answered step is taken, and its answer is shown until Go on."""
        asked = () if self.now is None else self.now.questions(self._frame)
        if quiz.has_one_try and quiz.is_finished:
            self.tried.emit(quiz)
        elif not asked or not quiz.done.issuperset(asked):
            self._playback.set_mode(quiz)
        elif asked[0].kind not in ASKED_BEFORE_PASS:
            self._playback.advance(quiz.with_answers_shown(asked))
        else:  # no step to take
            self._playback.set_mode(
                quiz if quiz.lesson_questions is None else quiz.with_answers_shown(asked)
            )

    @property
    def _frame(self) -> Frame:
        return self._playback.frame

    @property
    def _seconds(self) -> float:
        return (
            self._question_timer.elapsed() / _MS_PER_SECOND
            if self._question_timer.isValid()
            else 0.0
        )

    def _begin(self, *, cover: bool, phase: Phase = "backward") -> None:
        """Begin a quiz, or say why there is nothing to ask.

        Where no pass is under way, one of `phase` begins.
        """
        playback, level = self._playback, LEVELS[self._level]
        playback.pause()
        self.by_hand.leave()
        if not playback.can_begin(self._frame.graph, "backward", partial(self._obstacle, cover)):
            return
        quiz = self._new_quiz(cover)
        asks_values = level.kinds == ("value",)  # of a forward pass
        in_other_pass = playback.phase == "backward" and asks_values
        if not cover and (self._no_pass_under_way or in_other_pass):
            playback.set_mode(STEPPING)
            if phase == "forward" or asks_values:
                playback.forward()
            else:
                playback.backward(cursor=0 if level.before_pass else 1)
        elif level.before_pass and playback.phase == "backward":
            playback.go(0)
        playback.set_mode(quiz)
        if not cover:
            if quiz.steps != self.steps and (first := quiz.next_asked(self._frame)):
                playback.go(first - 1)
            self.blank_wanted.emit()

    @property
    def _no_pass_under_way(self) -> bool:
        """Return whether no pass is under way: not begun, not seeded, or at its end."""
        phase, frame = self._playback.phase, self._frame
        unseeded = phase == "backward" and frame.cursor == 0
        return phase == "live" or unseeded or frame.cursor == frame.total

    def _obstacle(self, cover: bool, graph: Graph) -> str:
        """Return why a pass that can run can't be asked about; else ""."""
        assert graph.root is not None
        if self._playback.rules.name == OWN_RULE:  # no report could name it
            return _OF_OWN_RULE
        steps = schedule_of(graph, graph.root, "backward", self._playback.rules)
        longest = max(len(steps), self._frame.total)
        if longest > MOST_STEPS:
            mode = "Cover" if cover else "Ask me"
            return _TOO_LONG.format(mode=mode, most=MOST_STEPS, steps=longest)
        if not any(firing.kind == "contribution" and firing.sends for firing in steps.firings):
            return _NO_GRADIENT.format(root=graph.brief(graph.root))
        level = LEVELS[self._level]
        needs_meeting = level.kinds == ("sum",) or (self.steps == "meet" and not level.before_pass)
        has_meeting = any(len(arrivals) > 1 for arrivals in steps.arrivals.values())
        if needs_meeting and not (cover or has_meeting or level.kinds == ("value",)):
            return _NO_MEETING
        return ""

    def _new_quiz(self, cover: bool) -> Quiz:
        graph, rules = self._frame.graph, self._playback.rules
        seed, task = None, self._playback.now.sheet.task
        if self.drawn is not None and not changed_leaves(self.drawn[1], graph):
            seed = self.drawn[0]
        record = Record(
            "cover" if cover else "predict",
            self._level,
            rules=rules.name,
            seed=seed,
            last=self.last if self.steps == "last" else None,
            meet=(steps := self._fitting_steps(graph)) == "meet",
        )
        quiz = Quiz(
            is_cover=cover,
            allows_help=task is None or task.hints,
            level=LEVELS[self._level],
            steps=steps,
            last=self.last,
            finals=self._finals(graph),
            record=record,
            graph=graph,
            name_of_graph=self._playback.title,
            task=task,
            open_beliefs=self.open_beliefs(),
        )
        run = self._run
        if cover or (task is None and self.now is not run) or not _same_wiring(run.graph, graph):
            return quiz
        if task is not None:  # what was shown before counts as seen, as in a pass begun anew
            seen, grows = run.furthest_shown, run.record.attempts and quiz.last > run.last
            quiz = replace(quiz, furthest_shown=seen.without_backward() if grows else seen)
        return quiz.continued(run)

    def _fitting_steps(self, graph: Graph) -> Steps:
        """Return the chosen steps; without a choice, of a long pass those where paths meet."""
        assert graph.root is not None
        if not self._by_size or self.steps != "every" or self._playback.now.sheet.task is not None:
            return self.steps
        found = schedule_of(graph, graph.root, "backward", self._playback.rules)
        count = sum(len(arrivals) for arrivals in found.arrivals.values())
        meets = any(len(arrivals) > 1 for arrivals in found.arrivals.values())
        has_wire = not _OF_WIRES.isdisjoint(LEVELS[self._level].kinds)
        return "meet" if meets and has_wire and count > MOST_ASKED else "every"

    def _finals(self, graph: Graph) -> tuple[int, ...]:
        """Return the leaves whose final gradients are asked for; of many those selected."""
        assert graph.root is not None
        leaves = leaves_with_gradient(graph, graph.root)
        chosen = [leaf for leaf in leaves if leaf in self.selected_nodes]
        asked = leaves if len(leaves) <= MOST_FINALS else chosen or leaves
        return tuple(asked[:MOST_FINALS])

    def _follow(self, shown: ViewState) -> None:
        """Time the questions, and emit the report of a quiz that has ended."""
        now = shown.quiz
        questions = () if now is None else now.open_questions(shown.frame)
        if set(questions).isdisjoint(self._questions):  # another step, not the rest of this one
            self._question_timer.restart()
        self._questions = questions
        before, self._last_quiz = self._last_quiz, now
        if now is not None and now.is_finished and not (before is not None and before.is_finished):
            self.all_done.emit()
        self._tell_run(before, now)
        if shown.change.whole:
            self.last, self._last_report = 1, None
            self.saved = self._run.record
        if now is not None and not now.is_cover and now.lesson_questions is None:
            self._run = now
        elif shown.sheet.task is not None:
            run, frame = self._run, shown.frame
            run = run if _same_wiring(run.graph, frame.graph) else Quiz(graph=frame.graph)
            self._run = run.with_seen_frame(frame)
        if now is not None and now.steps == "last":
            self.last = now.next_last(shown.frame)

    def _tell_run(self, before: Quiz | None, now: Quiz | None) -> None:
        """Emit the report of a run that has ended, or that has another answer."""
        if before is None or before.lesson_questions is not None:
            return
        if now is not None and _is_same_run(before, now):
            if now.record.attempts != before.record.attempts:
                self.answered.emit(now.report, before.record)
        elif before.record.attempts:
            self._last_report = before.report
            self.ended.emit(self._last_report)


def _same_wiring(a: Graph, b: Graph) -> bool:
    """Return whether two graphs differ in values at most."""
    return a.structure is b.structure or not difference(Sheet(a), Sheet(b)).order_change


def _is_same_run(before: Quiz, now: Quiz) -> bool:
    """Return whether two states of a quiz belong to the same run."""
    return (
        now.is_cover == before.is_cover
        and now.lesson_questions is before.lesson_questions
        and len(now.record.attempts) >= len(before.record.attempts)
        and now.record.level == before.record.level
    )
