"""Quiz: Cover and Ask me. The next step has blanks in its sentence, which the learner fills in.

    Cover      a class is asked: the blanks have no field, and a click or the step shows them
    Ask me     the learner types into the blanks; Answer judges all of them at once

The questions follow from the next step and from those done, so stepping back and forth asks each
once. Three wrong tries, hints among them, show the answer:

    rung 0   nothing was answered yet
    rung 1   the slip that the number gives away, without the right number
    rung 2   the sentence unfolds: the slope becomes a blank of its own
    rung 3   worked: the blanks are filled

A lesson chooses its questions instead: one sentence after the other, those before a pass first.
With choices a sentence has one box at a time.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, Final, Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from app.document.change import Change
from app.lessons.lesson import Ask, LessonKind
from app.workbench.modes.mode import STEPPING, Mode
from engine.asking.hand_run import RULES_NAME as BY_HAND_NAME
from engine.asking.hand_run import click_slip
from engine.asking.judging import Judgement, VerdictKind, judge, read_answer, read_blanks
from engine.asking.kinds import ASKED_BEFORE_PASS, steps_before
from engine.asking.question import (
    DEFAULT_LEVEL,
    LEVELS,
    Kind,
    Level,
    Question,
    StepKey,
    Steps,
    Task,
    hide_answers,
    hide_order,
    is_chosen,
    level_questions,
    near,
    step_questions,
)
from engine.asking.reasons import first_reason
from engine.asking.record import RIGHT, UNFOLDING_RUNG, Attempt, Record, Try, is_clean
from engine.asking.ways import WayName
from engine.errors import EngineError
from engine.formats.report import Report
from engine.frame import Frame, Phase
from engine.graph import Constant, Graph, Leaf, Node
from engine.numbers import DIGITS_SHOWN, Digits
from engine.rules import CORRECT
from engine.schedule import Pass
from engine.trace import Trace, kept_for_pass

Values: TypeAlias = tuple[tuple[int, float], ...]
"""The numbers of leaves and constants, by node."""
_PassKey: TypeAlias = tuple[Pass, str, Values]
_NO_GRAPH: Final = Graph()


class FurthestShown(Struct, frozen=True):
    """The furthest cursor at which each pass was shown, by its mistake and leaf values."""

    furthest: Mapping[_PassKey, int] = field(default_factory=dict[_PassKey, int])

    def with_seen_frame(self, frame: Frame) -> FurthestShown:
        """Return the cursors with that of a frame that is shown now."""
        if frame.phase == "live" or frame.unhidden is None:
            return self
        key = _pass_key(frame.phase, frame.unhidden, frame.graph)
        shown = {key: frame.cursor}
        forward = _pass_key("forward", frame.unhidden, frame.graph)
        if frame.phase == "backward" and forward in self.furthest:
            shown[forward] = len(frame.values)  # a backward pass shows all values
        further = {key: k for key, k in shown.items() if k > self.furthest.get(key, -1)}  # 0 counts
        return FurthestShown({**self.furthest, **further}) if further else self

    def includes(self, question: Question, trace: Trace, graph: Graph) -> bool:
        """Return whether the answer to a question has been shown."""
        phase: Pass = "forward" if question.kind == "value" else "backward"
        key = _pass_key(phase, trace, graph)
        return self.furthest.get(key, 0) > steps_before(question, trace)

    def without_backward(self) -> FurthestShown:
        """Return the forward cursors alone: the next backward pass asks about other steps."""
        return FurthestShown({key: k for key, k in self.furthest.items() if key[0] == "forward"})


def _pass_key(phase: Pass, trace: Trace, graph: Graph) -> _PassKey:
    """Return what tells the passes of one wiring apart; a mistake changes no value."""
    rules = trace.rules
    by_hand = rules.name == BY_HAND_NAME and rules.seed == CORRECT.seed  # the same numbers
    name = CORRECT.name if by_hand else rules.name
    return (
        phase,
        name if phase == "backward" else "",
        tuple(changed_leaves(_NO_GRAPH, graph).items()),
    )


def changed_leaves(before: Graph, now: Graph) -> dict[int, float]:
    """Return the new numbers of the leaves and constants that changed, by node."""
    if before is now:
        return {}
    old = before.nodes
    return {
        node: found.value
        for node, found in now.nodes.items()
        if isinstance(found, Leaf | Constant) and not _has_value(old.get(node), found.value)
    }


def _has_value(node: Node | None, value: float) -> bool:
    """Return whether a node has this number; nan equals nan."""
    if not isinstance(node, Leaf | Constant):
        return False
    return node.value == value or (math.isnan(node.value) and math.isnan(value))


STEPS: Final[tuple[Steps, ...]] = ("last", "every", "meet")
"""Which steps ask: some of the last ones, each, or those where paths meet."""
_NO_CHOICE: Final = "Choose one first."
NO_ASKS: Final[Mapping[Question, Ask]] = MappingProxyType({})
_PLAYED: Final[tuple[Kind, ...]] = ("change", "local", "contribution", "sum")
"""The kinds whose answers play on the sheet."""
WORKED_RUNG = 3
"""The rung at which the answer is shown; at UNFOLDING_RUNG the slope becomes a blank of its own."""


class JudgedAnswer(Struct, frozen=True):
    """The last answer to one question and its judgement.

    A click on a node has no `judgement`; its text is the node's id, and `next_slip` names the
    mistake if the node may not fire next. A choice of a lesson has neither.
    """

    question: Question
    text: str
    right: bool
    judgement: Judgement | None = None
    next_slip: str = ""

    @property
    def verdict(self) -> VerdictKind:
        """Return how a record names the judgement."""
        if self.judgement is not None:
            return self.judgement.verdict
        return "right" if self.right else "slip"

    @property
    def slips(self) -> tuple[str, ...]:
        """Return the names of the slips that give the number, the likeliest first."""
        if self.judgement is None:
            return (self.next_slip,) if self.next_slip else ()
        return tuple(slip.name for slip in self.judgement.slips)


class LessonQuestions(Struct, frozen=True):
    """The questions of a lesson in their order, and their form.

    `by_choices`: multiple choice wherever wrong answers exist. `asks` are the lesson's texts and
    choices by question, `hint` is its help before all other. Only a lesson of a file gives hints; a
    test has one try for each question, and shows no verdict on it.
    """

    questions: tuple[Question, ...]
    by_choices: bool = False
    hint: str = ""
    asks: Mapping[Question, Ask] = NO_ASKS
    kind: LessonKind = "lesson"
    guess: bool = False
    """Whether any answer is taken, and none is judged or recorded."""

    @property
    def level(self) -> Level:
        """Return the level with the kinds of these questions as its blanks."""
        kinds: dict[Kind, None] = dict.fromkeys(q.kind for q in self.questions if q.kind != "text")
        return Level("", tuple(kinds), before_pass=not kinds.keys().isdisjoint(ASKED_BEFORE_PASS))


@kept_for_pass
def _asked_steps(
    trace: Trace, kinds: tuple[Kind, ...], last: int | None, meet: bool
) -> tuple[int, ...]:
    """Return the steps of a pass that are asked about: a sentence counts them with each key."""
    steps = range(1, len(trace) + 1)
    asked = (step for step in steps if step_questions(trace, step, kinds))
    return tuple(step for step in asked if is_chosen(trace, step, kinds, last, meet=meet))


class NextPass(Struct, frozen=True):
    """The next pass of a quiz; `last` is the number of last steps that it asks about."""

    phase: Phase
    level: Level
    last: int


class Quiz(Mode, frozen=True, kw_only=True):
    """The blanks of the next step, their texts and their judgements.

    `is_cover`: Cover, which hides numbers until they are revealed and has no answers or help, not
    Ask me. `steps` says which steps ask; for "last", `last` is their number. `done` are the
    questions that are answered, shown or skipped. `typed` holds the texts of the fields,
    `last_answers` the judged ones of this step, `refusal` why Answer judged nothing. `tries` and
    `hints` count those at this step, and `helped` further tries that answered the question of a
    verdict; `shown`: its answer was shown. `graph` is the run's first
    graph, `round_start` the number of attempts before this pass.
    """

    name: ClassVar[str] = "quiz"
    is_cover: bool = False
    level: Level = LEVELS[DEFAULT_LEVEL]
    steps: Steps = "last"
    last: int = 1
    finals: tuple[int, ...] = ()
    """The leaves whose final gradients are asked for."""
    lesson_questions: LessonQuestions | None = None
    """A lesson's questions, which replace those of the level."""
    done: frozenset[Question] = frozenset()
    typed: Mapping[Question, str] = field(default_factory=dict[Question, str])
    last_answers: Mapping[Question, JudgedAnswer] = field(
        default_factory=dict[Question, JudgedAnswer]
    )
    refusal: str = ""
    tries: int = 0
    helped: int = 0
    hints: int = 0
    allows_help: bool = True
    """Whether the task of the graph, if it has one, leaves hints and Show me to the learner."""
    hints_by_step: Mapping[StepKey, int] = field(default_factory=dict[StepKey, int])
    """The hints used in this pass, by step."""
    shows_own_hint: bool = False
    """Whether the lesson's own hint is shown."""
    own_hint_used: bool = False
    """Whether the lesson's own hint was shown at this step."""
    way: WayName | Literal[""] = ""
    """The other way to the answer that is shown, until it is answered or helped otherwise."""
    ways_used: bool = False
    """Whether another way was shown at this step: all together count as one hint."""
    shown: bool = False
    answered_questions: tuple[Question, ...] = ()
    """The questions of the step just taken, until Go on."""
    furthest_shown: FurthestShown = field(default_factory=FurthestShown)
    """How far each pass was on the screen: answers read there do not count as known."""
    name_of_graph: str = ""
    open_beliefs: tuple[str, ...] = ()
    """The beliefs that the learner holds from earlier days."""
    task: Task | None = None
    """The task of the exercise that the graph is: its level stays."""
    record: Record = field(default_factory=lambda: Record("predict", ""))
    graph: Graph = field(default_factory=Graph)
    round_start: int = 0

    @property
    def title(self) -> str:
        if self.lesson_questions is not None:
            return ""  # the lesson says so itself
        return "Cover" if self.is_cover else "Ask me"

    @property
    def report(self) -> Report:
        task = "" if self.task is None else self.task.text
        return Report(self.graph, self.record, title=self.name_of_graph, task=task)

    def with_seen_frame(self, frame: Frame) -> Quiz:
        if self.is_cover:
            return self
        return replace(self, furthest_shown=self.furthest_shown.with_seen_frame(frame))

    @property
    def asks(self) -> bool:
        return self.lesson_questions is None or any(q.kind != "text" for q in self.waiting)

    @property
    def opens_groups(self) -> bool:
        return self.asks or self.shows_answer

    @property
    def survives_pass(self) -> bool:
        return self.is_cover

    @property
    def begins_before_seed(self) -> bool:
        return self.level.before_pass

    @property
    def asks_each_step(self) -> bool:
        return not self.is_cover

    @property
    def hides_order(self) -> bool:
        """Return whether the next node is asked for, so that no later step may be shown."""
        if self.lesson_questions is not None:
            return any(question.kind == "next" for question in self.waiting)
        return self.level.kinds == ("next",)

    @property
    def waiting(self) -> tuple[Question, ...]:
        """Return the lesson's questions that are not done, at any cursor."""
        chosen = () if self.lesson_questions is None else self.lesson_questions.questions
        return tuple(question for question in chosen if question not in self.done)

    @property
    def is_finished(self) -> bool:
        """Return whether all of a lesson's questions are done."""
        return self.lesson_questions is not None and not self.waiting

    def numbers_put_aside(self, frame: Frame) -> dict[int, float]:
        """Return the numbers of a lesson's open questions that the sheet no longer has, by node.

        With any the questions are asleep: each is about the numbers with which it was asked.
        """
        if self.lesson_questions is None or self.is_poll or self.is_finished:
            return {}
        return changed_leaves(frame.graph, self.graph)

    @property
    def has_one_try(self) -> bool:
        """Return whether each question has one answer, without help and without a verdict."""
        return self.lesson_questions is not None and self.lesson_questions.kind == "test"

    @property
    def is_guess(self) -> bool:
        """Return whether any answer is taken, and none is judged or recorded."""
        return self.lesson_questions is not None and self.lesson_questions.guess

    @property
    def takes_help(self) -> bool:
        """Return whether there are hints and Show me: neither in a test nor for a guess."""
        return self.allows_help and not (self.has_one_try or self.is_guess)

    @property
    def is_poll(self) -> bool:
        """Return whether the room of a lecture is asked, which answers by hands."""
        return self.lesson_questions is not None and self.lesson_questions.kind == "lecture"

    @property
    def rung(self) -> int:
        """Return how much help was given at this step, 0 to `WORKED_RUNG`."""
        return WORKED_RUNG if self.shown else min(self.tries + self.hints, WORKED_RUNG)

    # what is asked

    def questions(self, frame: Frame) -> tuple[Question, ...]:
        """Return the questions about the next step, done or not, in reading order."""
        trace = frame.unhidden
        if self.answered_questions:
            return ()
        if self.lesson_questions is not None:
            return self._chosen_at(frame)
        if trace is None or frame.cursor >= frame.total:
            return ()
        if frame.phase == "forward":
            return (Question("value", trace.computed[frame.cursor].node),)
        if self.level.before_pass:
            return tuple(Question("final", node) for node in self.finals if not frame.cursor)
        if not self._asks_at(frame, trace):
            return ()
        step, kinds = frame.cursor + 1, self.level.kinds
        return step_questions(trace, step, ("local", *kinds) if self.unfolds(step) else kinds)

    def _chosen_at(self, frame: Frame) -> tuple[Question, ...]:
        """Return the lesson's questions in the current sentence; () if all are done."""
        waits = self.waiting
        first = next((q for q in waits if _is_asked_at(q, frame)), None)
        if waits and waits[0].kind == "text":
            first = waits[0]
        if first is None or self.lesson_questions is None:
            return ()
        if first.kind == "final":
            return tuple(q for q in self.lesson_questions.questions if q.kind == "final")
        if first.wire is None:
            return (first,)
        slope = replace(first, kind="local")
        of_step = {q.kind: q for q in self.lesson_questions.questions if q.step == first.step}
        if "contribution" in of_step and self.unfolds(first.step):
            of_step[slope.kind] = slope
        return tuple(of_step[kind] for kind in LEVELS["whole step"].kinds if kind in of_step)

    def questions_left(self, frame: Frame) -> int:
        """Return how many questions are open from here on, as the end of the run counts them."""
        trace = frame.unhidden
        if trace is None or frame.phase == "forward" or self.level.before_pass:
            return len(self.finals) if self.level.before_pass else frame.total - frame.cursor
        return sum(
            question not in self.done
            for step in self._coming(frame, trace)
            for question in step_questions(trace, step, self.level.kinds)
        )

    def next_asked(self, frame: Frame) -> int:
        """Return the next step of a backward pass that is asked about, 0 if none is."""
        trace = frame.unhidden
        steps = () if trace is None else self._coming(frame, trace)
        return next(iter(steps), 0) if frame.phase == "backward" else 0

    def _coming(self, frame: Frame, trace: Trace) -> Sequence[int]:
        asked = _asked_steps(trace, self.level.kinds, self._asked_last, self.steps == "meet")
        return asked[bisect_right(asked, frame.cursor) :]

    def open_questions(self, frame: Frame) -> tuple[Question, ...]:
        """Return the questions about the next step that are not done."""
        return tuple(q for q in self.questions(frame) if q not in self.done)

    def question(self, frame: Frame) -> Question | None:
        """Return the first open question, or None."""
        return next(iter(self.open_questions(frame)), None)

    def furthest(self, frame: Frame) -> int:
        trace = frame.unhidden
        if not self.has_one_try or trace is None or frame.phase != "backward":
            return frame.total
        limits = (
            0 if question.kind in ASKED_BEFORE_PASS else steps_before(question, trace)
            for question in self.waiting
        )
        return min(limits, default=frame.total)

    def is_open(self, frame: Frame) -> bool:
        return not self.is_cover and self.question(frame) is not None

    def takes_clicks(self, frame: Frame) -> bool:
        question = None if self.is_cover or self.is_poll else self.question(frame)
        is_next = question is not None and question.kind == "next"
        return is_next and not self.numbers_put_aside(frame)

    @property
    def shows_answer(self) -> bool:
        return bool(self.answered_questions)

    def blanks(self, frame: Frame) -> tuple[Question, ...]:
        """Return the open questions that have a blank now; with choices only the first."""
        unanswered = self.open_questions(frame)
        return (
            unanswered[:1]
            if self.lesson_questions is not None and self.lesson_questions.by_choices
            else unanswered
        )

    def judges_slope(self, frame: Frame) -> bool:
        """Return whether Answer judges a slope that unfolded as help, as no more is filled in."""
        blanks = self.blanks(frame)
        is_help = len(blanks) > 1 and blanks[0].kind == "local" and self.unfolds(blanks[0].step)
        filled = tuple(q for q in blanks if self.typed.get(q, "").strip())
        return is_help and filled == blanks[:1]

    def ask_of(self, question: Question) -> Ask | None:
        """Return the text and the choices that a lesson wrote for a question, if it did."""
        return None if self.lesson_questions is None else self.lesson_questions.asks.get(question)

    def wrong_answers(self, question: Question) -> tuple[str, ...]:
        """Return the wrong answers to a question in this pass, the first one first."""
        return tuple(each.text for each in self._wrong_tries(question))

    def _wrong_tries(self, question: Question) -> list[Try]:
        tries = (each for a in self.pass_attempts if a.question == question for each in a.tries)
        return [each for each in tries if each.verdict not in RIGHT]

    def wrong_number(self, frame: Frame) -> tuple[Question, float] | None:
        """Return the question whose last wrong number stands on the sheet, and that number.

        It is the first wrong blank of the last Answer at a step that had one: what follows it may
        follow from it. A test has no verdict, and questions that are asleep are about other
        numbers.
        """
        questions = self.answered_questions or self.open_questions(frame)
        if self.is_cover or self.has_one_try or self.numbers_put_aside(frame):
            return None
        last = [
            (wrong[-1], q)
            for q in questions
            if q.kind in _PLAYED and (wrong := self._wrong_tries(q))
        ]
        found = max(last, key=lambda each: each[0].answer, default=None)
        number = None if found is None else read_answer(found[0].text).number
        return None if found is None or number is None else (found[1], number)

    def with_answers_shown(self, questions: tuple[Question, ...]) -> Quiz:
        """Return the quiz with the answers of a step shown until Go on."""
        return replace(self, answered_questions=questions)

    def unfolds(self, step: int) -> bool:
        """Return whether the slope is a blank of its own by now."""
        kinds = self.level.kinds
        if self.rung < UNFOLDING_RUNG or "contribution" not in kinds or "local" in kinds:
            return False
        # a slope asked for stays; once the whole contribution was right, none is added
        return any(q.kind == "local" for q in self.done if q.step == step) or not any(
            q.kind == "contribution" and q.step == step for q in self.done
        )

    def helped_blank(self, question: Question) -> Question:
        """Return the blank that help with a question asks for: its slope, while that is open."""
        slope = replace(question, kind="local")
        is_open = self.unfolds(question.step) and slope not in self.done
        return slope if is_open and question.kind == "contribution" else question

    def _asks_at(self, frame: Frame, trace: Trace) -> bool:
        return self.is_cover or self._asks_step(trace, frame.cursor + 1)

    def _asks_step(self, trace: Trace, step: int) -> bool:
        meet = self.steps == "meet"
        return is_chosen(trace, step, self.level.kinds, self._asked_last, meet=meet)

    @property
    def _asked_last(self) -> int | None:
        return self.last if self.steps == "last" else None

    def hide(self, frame: Frame) -> Frame:
        """Return the frame without the numbers asked for, and without later steps."""
        if not self.asks:
            return frame
        # while the answers of the step just taken are shown, the next one would be a hint
        if self.hides_order or self.answered_questions:
            return hide_order(frame)
        questions = self.questions(frame)
        unanswered = [question for question in questions if question not in self.done]
        finals = frozenset(question.node for question in unanswered if question.kind == "final")
        kinds: list[Kind] = [question.kind for question in unanswered if question.kind != "final"]
        filled: list[Kind] = [question.kind for question in questions if question in self.done]
        return hide_answers(
            frame,
            kinds,
            has_blanks=bool(questions),
            finals=finals,
            filled=filled,
            shows_sum=any(
                a.question.kind == "sum" and a.question.step == frame.cursor + 1 and a.tries
                for a in self.pass_attempts
            ),
        )

    @property
    def answers(self) -> Mapping[str, str]:
        """Return the texts in the blanks, by kind; of final gradients by kind and node."""
        texts = ((q, text.strip().replace("-", "−")) for q, text in self.typed.items())
        return {
            f"final {q.node}" if q.kind == "final" else q.kind: text for q, text in texts if text
        }

    def right_answers(self) -> dict[int, bool]:
        """Return whether the first answers about each step of this pass were right, by cursor."""
        first = {
            attempt.question: attempt.tries[0].verdict in RIGHT
            for attempt in self.pass_attempts
            if attempt.tries and attempt.question.step
        }
        found: dict[int, bool] = {}
        for question, right in first.items():
            found[question.step] = found.get(question.step, True) and right
        return found

    # answers and help

    def with_text(self, question: Question, text: str) -> Quiz:
        """Return the quiz after a text was typed into the field of a question."""
        return replace(self, typed={**self.typed, question: text}, refusal="")

    def with_refusal(self, question: Question, sentence: str) -> Quiz:
        """Return the quiz with nothing chosen for a question, and the reason why, "" for none."""
        return replace(self.with_text(question, ""), refusal=sentence)

    def answered(self, frame: Frame, digits: Digits = DIGITS_SHOWN, seconds: float = 0.0) -> Quiz:
        """Return the quiz after Answer: all blanks are judged, or none if one is no number."""
        trace, unanswered = frame.unhidden, self.blanks(frame)
        unanswered = unanswered[:1] if self.judges_slope(frame) else unanswered
        if self.is_guess:
            return self._guessed(unanswered)
        if unanswered and unanswered[0].kind == "text":
            return self._choice_answered(unanswered[0], frame, seconds)
        if trace is None or not unanswered:
            return self
        typed = [(question, self.typed.get(question, "").strip()) for question in unanswered]
        keys = {question.key for question in unanswered}
        accepted = [
            (a.question, a.text) for a in self.pass_attempts if a.right and a.question.key in keys
        ]
        try:
            judged = judge(trace, typed, digits, accepted)
        except EngineError as error:
            return replace(self, refusal=str(error))
        given = {
            found.blank.question: JudgedAnswer(
                found.blank.question, found.blank.text, found.right, found
            )
            for found in judged
        }
        return self._with_judged(given, frame, seconds, digits)

    def _guessed(self, questions: tuple[Question, ...]) -> Quiz:
        """Return the quiz after guesses: any number will do, and any choice."""
        typed = [(question, self.typed.get(question, "").strip()) for question in questions]
        if any(question.kind == "text" and not text for question, text in typed):
            return replace(self, refusal=_NO_CHOICE)
        try:
            read_blanks((q, text) for q, text in typed if q.kind != "text")
        except EngineError as error:
            return replace(self, refusal=str(error))
        given = {
            q: JudgedAnswer(q, text if q.kind == "text" else _with_one_sign(text), True)
            for q, text in typed
        }
        return replace(
            self,
            done=self.done.union(questions),
            last_answers={**self.last_answers, **given},
            typed={},
            refusal="",
        )

    def _choice_answered(self, question: Question, frame: Frame, seconds: float) -> Quiz:
        """Return the quiz after the answer to a multiple choice question of a lesson."""
        text, own = self.typed.get(question, ""), self.ask_of(question)
        chosen = None if own is None else own.choice(text)
        if chosen is None:
            return replace(self, refusal=_NO_CHOICE)
        answer = JudgedAnswer(question, text, chosen.right)
        return self._with_judged({question: answer}, frame, seconds)

    def unjudgeable_blank(self, frame: Frame) -> Question | None:
        """Return the first blank that is no number, or else the first empty one."""
        texts = [(q, self.typed.get(q, "").strip()) for q in self.blanks(frame)]
        unread = [q for q, text in texts if text and read_answer(text).number is None]
        empty = [q for q, text in texts if not text]
        return next(iter((*unread, *empty)), None)

    def clicked(self, frame: Frame, node: int, seconds: float = 0.0) -> Quiz:
        """Return the quiz after a click on the node that may fire next."""
        trace, question = frame.unhidden, self.question(frame)
        if trace is None or question is None or question.kind != "next":
            return self
        slip = click_slip(trace, question.step, node)
        slip_name = "" if slip is None else slip.name
        answer = JudgedAnswer(question, str(node), right=slip is None, next_slip=slip_name)
        return self._with_judged({question: answer}, frame, seconds)

    def hinted(self, frame: Frame, seconds: float = 0.0) -> Quiz:
        """Return the quiz one rung higher; the last one shows the answer.

        A lesson's own hint precedes the first rung.
        """
        own = self.has_own_hint
        if not own and self.rung + 1 >= WORKED_RUNG:
            return self.revealed(frame, seconds)
        # a hint replaces the slips of wrong answers
        right = {q: each for q, each in self.last_answers.items() if each.right}
        hints = self.hints if own else self.hints + 1
        return replace(
            self,
            hints=hints,
            shows_own_hint=own,
            own_hint_used=self.own_hint_used or own,
            hints_by_step=self._with_hint(frame),
            last_answers=right,
            refusal="",
            way="",
        )

    def _with_hint(self, frame: Frame) -> Mapping[StepKey, int]:
        keys = {q.key for q in self.blanks(frame)}
        return {**self.hints_by_step, **{key: self.hints_by_step.get(key, 0) + 1 for key in keys}}

    def with_way(self, way: WayName, frame: Frame) -> Quiz:
        """Return the quiz with another way to the answer; all of a step count as one hint."""
        hints = self.hints_by_step if self.ways_used else self._with_hint(frame)
        return replace(self, way=way, ways_used=True, hints_by_step=hints, refusal="")

    @property
    def has_own_hint(self) -> bool:
        """Return whether a lesson has a hint that was not shown yet."""
        return (
            self.lesson_questions is not None
            and bool(self.lesson_questions.hint)
            and not self.own_hint_used
        )

    def revealed(self, frame: Frame, seconds: float = 0.0) -> Quiz:
        """Return the quiz after the answer was shown; it does not count as right."""
        unanswered = self.open_questions(frame)
        if self.is_cover:
            return replace(self, done=self.done.union(unanswered))
        return self._closed_unanswered(unanswered, frame, seconds, shown=True)

    def skipped(self, frame: Frame, seconds: float = 0.0) -> Quiz:
        """Return the quiz after a step was passed over: neither right nor wrong."""
        return self._closed_unanswered(self.open_questions(frame), frame, seconds, shown=False)

    def _closed_unanswered(
        self, unanswered: tuple[Question, ...], frame: Frame, seconds: float, *, shown: bool
    ) -> Quiz:
        """Return the quiz with questions, if any, closed and recorded without an answer."""
        if not unanswered:
            return self
        closed = replace(self, typed={}, refusal="", shown=shown, done=self.done.union(unanswered))
        for question in unanswered:
            attempt = self._attempt(question, frame, seconds)
            closed = closed._recorded(replace(attempt, shown=shown))
        return closed

    @property
    def pass_attempts(self) -> tuple[Attempt, ...]:
        return self.record.attempts[self.round_start :]

    def _attempt(self, question: Question, frame: Frame, seconds: float) -> Attempt:
        """Return an attempt without a try; `seen` if the answer was shown before."""
        known, trace = changed_leaves(self.graph, frame.graph), frame.unhidden
        before = (a for a in self.record.attempts if a.question == question and not a.skipped)
        # what was shown after an answer to the same question does not count as seen before it
        answered = any(attempt.values == known for attempt in before)
        shown = trace is not None and self.furthest_shown.includes(question, trace, frame.graph)
        hints = self.hints_by_step.get(question.key, 0)
        earlier = self.record.attempts[: self.round_start]
        round_ = earlier[-1].round + 1 if earlier else 0
        return Attempt(
            question,
            hints=hints,
            seen=shown and not answered,
            seconds=seconds,
            values=known,
            round=round_,
        )

    def _recorded(self, attempt: Attempt) -> Quiz:
        """Return the quiz with an attempt in its record: a further try at a question is added."""
        attempts = list(self.record.attempts)
        for k in range(self.round_start, len(attempts)):
            old = attempts[k]
            if old.question == attempt.question:
                tries, seconds = (*old.tries, *attempt.tries), max(old.seconds, attempt.seconds)
                attempts[k] = replace(attempt, tries=tries, seen=old.seen, seconds=seconds)
                break
        else:
            attempts.append(attempt)
        return replace(self, record=replace(self.record, attempts=tuple(attempts)))

    def _with_judged(
        self,
        answers: Mapping[Question, JudgedAnswer],
        frame: Frame,
        seconds: float,
        digits: Digits = DIGITS_SHOWN,
    ) -> Quiz:
        """Return the quiz with a try recorded; the third wrong one shows the answer."""
        unanswered = self.open_questions(frame)
        right = {q for q, answer in answers.items() if answer.right}
        is_helped = self._answers_help(answers, frame, digits)
        judged = replace(
            self,
            done=self.done | right,
            last_answers={**self.last_answers, **answers},
            typed={},
            refusal="",
            way="",
            tries=self.tries + (not is_helped),
            helped=self.helped + is_helped,
            shows_own_hint=False,
        )
        left = [q for q in unanswered if q not in right]
        if len(right) == len(answers) < len(unanswered):  # another blank of the sentence is next
            judged = judged._at_next_blank(self)
        elif self.tries and left and not any(map(self._is_tried, left)):
            judged = replace(judged, tries=1, helped=0, hints=0)  # those before were of others
        before = [a for a in self.pass_attempts if a.question.key in {q.key for q in answers}]
        number = 1 + max((each.answer for a in before for each in a.tries), default=0)
        for question, answer in answers.items():
            follows = answer.judgement is not None and answer.judgement.kind == "follows"
            tried = Try(answer.text, answer.verdict, answer.slips, number, digits, follows)
            attempt = self._attempt(question, frame, seconds)
            judged = judged._recorded(replace(attempt, tries=(tried,)))
        if self.has_one_try:
            return replace(
                judged, done=self.done.union(answers), last_answers={}, tries=0, helped=0
            )
        if len(right) < len(answers) and judged.rung >= WORKED_RUNG:
            wrong = tuple(q for q in unanswered if q not in right)
            return judged._closed_unanswered(wrong, frame, 0.0, shown=True)
        return judged

    def _answers_help(
        self, answers: Mapping[Question, JudgedAnswer], frame: Frame, digits: Digits
    ) -> bool:
        """Return whether the first wrong number answers the question of the last sentence.

        It is no further try: the learner answered what was asked, only not in its blank. A number
        that was given before is one, or whoever insists on it would get no other help.
        """
        answer, trace = next((a for a in answers.values() if not a.right), None), frame.unhidden
        if trace is None or self.tries != 1 or answer is None or answer.judgement is None:
            return False
        before = self.last_answers.get(answer.question)
        judged = None if before is None else before.judgement
        if judged is None or answer.text in self.wrong_answers(answer.question):
            return False
        reason = first_reason(judged.slips, judged.slip_number, answer.question, trace, digits)
        return reason is not None and near(answer.judgement.blank.number, reason.first.asked)

    def _is_tried(self, question: Question) -> bool:
        """Return whether a wrong number stood in a blank that followed from no other blank."""
        return any(not each.follows for each in self._wrong_tries(question))

    def _at_next_blank(self, before: Quiz) -> Quiz:
        """Return the quiz at the next blank; a product goes on with the tries of its slope."""
        answers = {q: each for q, each in self.last_answers.items() if each.right}
        if any(q.kind == "local" for q in self.done - before.done):
            return replace(self, last_answers=answers, tries=before.tries)
        return replace(self, last_answers=answers, tries=0, helped=0, hints=0)

    def after_move(self) -> Quiz:
        """Return the quiz after the pass moved: Cover hides again, Ask me keeps what is done."""
        done = frozenset[Question]() if self.is_cover else self.done
        return replace(
            self,
            done=done,
            typed={},
            last_answers={},
            refusal="",
            tries=0,
            helped=0,
            hints=0,
            way="",
            ways_used=False,
            shows_own_hint=False,
            own_hint_used=False,
            shown=False,
            answered_questions=(),
        )

    def with_values_edited(self) -> Quiz:
        """Return the quiz after a value was edited: everything may be asked again.

        A lesson's questions keep their numbers; an answer on show was about those before.
        """
        if self.lesson_questions is not None:
            return self.after_move() if self.answered_questions else self
        return replace(self._from_start(), record=replace(self.record, changed=True))

    def after_edit(self, change: Change, graph: Graph) -> Mode:
        return STEPPING if change.whole else self

    def continued(self, earlier: Quiz) -> Quiz:
        """Return the quiz, just begun, as one more pass of an earlier run of the same questions."""
        was, now = earlier.record, self.record
        record = replace(was, last=now.last)
        if replace(record, attempts=(), changed=False, seed=now.seed) != now:
            return self
        return replace(self, graph=earlier.graph, record=record)._from_start()

    def restarted(self, frame: Frame) -> Quiz:
        """Return the quiz for a pass that begins; after a clean round one step more is asked."""
        if self.lesson_questions is not None:
            return self.after_move()
        if (last := self.next_last(frame)) == self.last:
            return self._from_start()
        record = replace(self.record, last=last)
        furthest_shown = self.furthest_shown.without_backward()
        return replace(self._from_start(), last=last, record=record, furthest_shown=furthest_shown)

    def is_clean(self, frame: Frame) -> bool:
        """Return whether the pass is at its end, and everything it asked was right first time."""
        wanted = self._questions_of_pass(frame)
        return bool(wanted) and is_clean(self.pass_attempts, wanted)

    def _questions_of_pass(self, frame: Frame) -> tuple[Question, ...]:
        """Return all questions of a pass at its end; () before it."""
        trace = frame.unhidden
        if self.is_cover or self.lesson_questions or trace is None or frame.cursor < frame.total:
            return ()
        if frame.phase == "forward":
            return tuple(Question("value", step.node) for step in trace.computed)
        if self.level.before_pass:
            return tuple(Question("final", node) for node in self.finals)
        return level_questions(trace, self.level, self._asked_last, meet=self.steps == "meet")

    def next_last(self, frame: Frame) -> int:
        """Return how many last steps the next pass asks about: one more if this was clean."""
        trace = frame.unhidden
        asks_last_steps = self.steps == "last" and not self.level.before_pass
        if not asks_last_steps or frame.phase == "forward" or not self.is_clean(frame):
            return self.last
        assert trace is not None
        steps = {question.step for question in level_questions(trace, self.level)}
        return min(self.last + 1, max(len(steps), self.last))

    def next_pass(self, frame: Frame) -> NextPass:
        """Return the next pass: the same again, unless this one was clean.

        Then it is the backward pass after the forward pass, one step more of the last ones, or,
        where every step was asked about and no task says the level, the whole step.
        """
        same = NextPass(frame.phase, self.level, self.last)
        if not self.is_clean(frame):
            return same
        if frame.phase == "forward":
            values_only = self.level.kinds == ("value",)
            return same if values_only else replace(same, phase="backward")
        if (last := self.next_last(frame)) > self.last:
            return replace(same, last=last)
        last_level = LEVELS["whole step"]
        is_below = self.task is None and set(self.level.kinds) < set(last_level.kinds)
        return replace(same, level=last_level) if is_below else same

    def _from_start(self) -> Quiz:
        count = len(self.record.attempts)
        return replace(self.after_move(), done=frozenset(), hints_by_step={}, round_start=count)


def _with_one_sign(text: str) -> str:
    """Return a number with its own sign where several were typed: -1 for `---1`."""
    number = text.lstrip("-−+ ")
    signs = text[: len(text) - len(number)].replace("−", "-")
    is_negative = signs.count("-") % 2 == 1
    return text if len(signs) < 2 else "-" * is_negative + number


def _is_asked_at(question: Question, frame: Frame) -> bool:
    """Return whether a pass is at the cursor at which a lesson's question is asked."""
    trace = frame.unhidden
    phase: Phase = "forward" if question.kind == "value" else "backward"
    if trace is None or frame.phase != phase or question.kind == "text":
        return False
    return frame.cursor == (
        0 if question.kind in ASKED_BEFORE_PASS else steps_before(question, trace)
    )
