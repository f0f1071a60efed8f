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
from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from app.document.change import Change
from app.lessons.lesson import Ask
from app.workbench.modes.mode import STEPPING, Mode
from engine.errors import EngineError
from engine.formats.report import Report
from engine.frame import Frame, Phase
from engine.graph import Constant, Graph, Leaf, Node
from engine.numbers import DIGITS_SHOWN, Digits
from engine.schedule import Pass
from engine.study.hand_run import click_slip
from engine.study.judging import Judgement, VerdictKind, judge, read_answer
from engine.study.question import (
    ASKED_BEFORE_PASS,
    DEFAULT_LEVEL,
    LEVELS,
    Kind,
    Level,
    Question,
    StepKey,
    hide_answers,
    hide_order,
    is_chosen,
    level_questions,
    step_questions,
    steps_before,
)
from engine.study.record import RIGHT, Attempt, Record, Try, is_clean
from engine.study.task import Steps
from engine.trace import Trace

Values: TypeAlias = tuple[tuple[int, float], ...]
"""Numbers of leaves and constants that differ from those at the beginning of a run, by node."""
_Places: TypeAlias = dict[tuple[Pass, Values], int]


class Looked(Struct, frozen=True):
    """The furthest cursor at which each pass of a run was shown, at each set of values."""

    furthest: Mapping[tuple[Pass, Values], int] = field(default_factory=_Places)

    def at(self, frame: Frame, values: Values) -> Looked:
        """Return it after a frame was shown."""
        if frame.phase == "live":
            return self
        shown: _Places = {(frame.phase, values): frame.cursor}
        if frame.phase == "backward" and ("forward", values) in self.furthest:
            shown["forward", values] = len(frame.values)  # it was left, and they are all shown
        further = {key: k for key, k in shown.items() if k > self.furthest.get(key, -1)}
        return Looked({**self.furthest, **further}) if further else self

    def has(self, question: Question, trace: Trace, values: Values) -> bool:
        """Return whether the answer to a question has been shown."""
        phase: Pass = "forward" if question.kind == "value" else "backward"
        return self.furthest.get((phase, values), 0) > steps_before(question, trace)

    def before_more_is_asked(self) -> Looked:
        """Return it without the backward pass, of which more is asked than when it was shown."""
        return Looked({key: k for key, k in self.furthest.items() if key[0] == "forward"})


def changed_values(before: Graph, now: Graph) -> Values:
    """Return `changed_leaves` as a hashable key."""
    return tuple(changed_leaves(before, now).items())


def changed_leaves(before: Graph, now: Graph) -> dict[int, float]:
    """Return the numbers of the leaves and constants that hold another one now, by node."""
    if before is now:
        return {}
    old = before.nodes
    return {
        node: found.value
        for node, found in now.nodes.items()
        if isinstance(found, Leaf | Constant) and not _held(old.get(node), found.value)
    }


def _held(node: Node | None, value: float) -> bool:
    """Return whether a node held this number; nan is nan."""
    if not isinstance(node, Leaf | Constant):
        return False
    return node.value == value or (math.isnan(node.value) and math.isnan(value))


STEPS: Final[tuple[Steps, ...]] = ("last", "every", "meet")
NO_OWN: Final[Mapping[Question, Ask]] = MappingProxyType({})
WORKED: Final = 3
"""The rung at which the answer is shown."""


class Given(Struct, frozen=True):
    """The last answer to one question, as it was written and judged.

    A click on a node has no `judgement`; its text is the node's id.
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


class Chosen(Struct, frozen=True):
    """The questions of a lesson in their order, and their form.

    `by_choices` says that an answer is chosen where there are wrong ones to choose from. `own` are
    the texts and choices that the lesson wrote, `hint` is its help before all other.
    """

    questions: tuple[Question, ...]
    by_choices: bool = False
    hint: str = ""
    own: Mapping[Question, Ask] = NO_OWN

    @property
    def level(self) -> Level:
        """Return the blanks as a level."""
        kinds: dict[Kind, None] = dict.fromkeys(q.kind for q in self.questions if q.kind != "text")
        return Level("", tuple(kinds), once=not kinds.keys().isdisjoint(ASKED_BEFORE_PASS))


class Following(Struct, frozen=True):
    """The next pass of a quiz: its phase, its level, and how many of its last steps are asked."""

    phase: Phase
    level: Level
    last: int


class Quiz(Mode, frozen=True, kw_only=True):
    """The blanks of the next step, their texts and their judgements.

    `done` are the questions that are answered, shown or skipped. `typed` holds the texts of the
    fields, `given` the last answers about this step, `refusal` why the last Answer judged nothing.
    `tries` and `hints` count those at this step; `shown` says that its answer was shown. `graph`
    is the one with which the run began, `round_start` counts the answers given before this pass.
    """

    name: ClassVar[str] = "quiz"
    covers: bool = False
    level: Level = LEVELS[DEFAULT_LEVEL]
    steps: Steps = "last"
    last: int = 1
    finals: tuple[int, ...] = ()
    """The leaves whose final gradients are asked for."""
    chosen: Chosen | None = None
    """A lesson's questions, which replace those of the level."""
    done: frozenset[Question] = frozenset()
    typed: Mapping[Question, str] = field(default_factory=dict[Question, str])
    given: Mapping[Question, Given] = field(default_factory=dict[Question, Given])
    refusal: str = ""
    tries: int = 0
    hints: int = 0
    helped: Mapping[StepKey, int] = field(default_factory=dict[StepKey, int])
    """The hints used in this pass, also at steps visited before."""
    own_hint: bool = False
    """Whether the lesson's own hint is shown."""
    own_hinted: bool = False
    """Whether it was shown at this step."""
    shown: bool = False
    answered_questions: tuple[Question, ...] = ()
    """Those of the step just taken, while it stays on show."""
    looked: Looked = field(default_factory=Looked)
    """The answers that have been on the screen in this run."""
    name_of_graph: str = ""
    task: str = ""
    """The text of the exercise that the graph is, or ""."""
    record: Record = field(default_factory=lambda: Record("predict", ""))
    graph: Graph = field(default_factory=Graph)
    round_start: int = 0

    @property
    def title(self) -> str:
        if self.chosen is not None:
            return ""  # the lesson says so itself
        return "Cover" if self.covers else "Ask me"

    @property
    def report(self) -> Report:
        """Return the report of the run, to be handed in."""
        return Report(self.graph, self.record, title=self.name_of_graph, task=self.task)

    def after_showing(self, frame: Frame) -> Quiz:
        if self.covers:
            return self
        return replace(self, looked=self.looked.at(frame, changed_values(self.graph, frame.graph)))

    @property
    def asks(self) -> bool:
        return self.chosen is None or any(q.kind != "text" for q in self.waiting)

    @property
    def survives_pass(self) -> bool:
        return self.covers

    @property
    def begins_before_seed(self) -> bool:
        return self.level.once

    @property
    def asks_each_step(self) -> bool:
        return not self.covers

    @property
    def hides_order(self) -> bool:
        """Return whether the next node is asked for, so that no later step may be shown."""
        if self.chosen is not None:
            return any(question.kind == "next" for question in self.waiting)
        return self.level.kinds == ("next",)

    @property
    def waiting(self) -> tuple[Question, ...]:
        """Return the lesson's questions that are not done, at any cursor."""
        chosen = () if self.chosen is None else self.chosen.questions
        return tuple(question for question in chosen if question not in self.done)

    @property
    def is_through(self) -> bool:
        """Return whether all of a lesson's questions are done."""
        return self.chosen is not None and not self.waiting

    @property
    def rung(self) -> int:
        """Return how much help was given at this step, 0 to WORKED."""
        return WORKED if self.shown else min(self.tries + self.hints, WORKED)

    # what is asked

    def questions(self, frame: Frame) -> tuple[Question, ...]:
        """Return the questions about the next step, done or not, in reading order."""
        trace = frame.unhidden
        if self.answered_questions:
            return ()
        if self.chosen is not None:
            return self._chosen_at(frame)
        if trace is None or frame.cursor >= frame.total:
            return ()
        if frame.phase == "forward":
            return (Question("value", trace.computed[frame.cursor].node),)
        if self.level.once:
            return tuple(Question("final", node) for node in self.finals if not frame.cursor)
        if not self._asks_at(frame, trace):
            return ()
        return step_questions(trace, frame.cursor + 1, self._kinds(trace, frame.cursor + 1))

    def _chosen_at(self, frame: Frame) -> tuple[Question, ...]:
        """Return the lesson's questions in the current sentence; () if all are done."""
        waits = self.waiting
        first = next((q for q in waits if _is_asked_at(q, frame)), None)
        if waits and waits[0].kind == "text":
            first = waits[0]
        if first is None or self.chosen is None:
            return ()
        if first.kind == "final":
            return tuple(q for q in self.chosen.questions if q.kind == "final")
        if first.wire is None:
            return (first,)
        slope = replace(first, kind="local")
        of_step = {q.kind: q for q in self.chosen.questions if q.step == first.step}
        if self.unfolds(first.step):
            of_step[slope.kind] = slope
        return tuple(of_step[kind] for kind in LEVELS["whole step"].kinds if kind in of_step)

    def open_questions(self, frame: Frame) -> tuple[Question, ...]:
        """Return those that are not done."""
        return tuple(q for q in self.questions(frame) if q not in self.done)

    def question(self, frame: Frame) -> Question | None:
        """Return the first that is not done, or None."""
        return next(iter(self.open_questions(frame)), None)

    def is_open(self, frame: Frame) -> bool:
        return not self.covers and self.question(frame) is not None

    def takes_clicks(self, frame: Frame) -> bool:
        question = None if self.covers else self.question(frame)
        return question is not None and question.kind == "next"

    @property
    def shows_answer(self) -> bool:
        return bool(self.answered_questions)

    def boxes(self, frame: Frame) -> tuple[Question, ...]:
        """Return the open questions that have a blank now: one at a time where it is chosen."""
        still = self.open_questions(frame)
        return still[:1] if self.chosen is not None and self.chosen.by_choices else still

    def own(self, question: Question) -> Ask | None:
        """Return the text and the choices that a lesson wrote for a question, if it did."""
        return None if self.chosen is None else self.chosen.own.get(question)

    def struck(self, question: Question) -> frozenset[str]:
        """Return the wrong answers to a question in this pass."""
        tries = (each for a in self._of_pass if a.question == question for each in a.tries)
        return frozenset(each.text for each in tries if each.verdict not in RIGHT)

    def settled(self, questions: tuple[Question, ...]) -> Quiz:
        """Return the quiz with questions that are answered, which stay on show until Go on."""
        return replace(self, answered_questions=questions)

    def unfolds(self, step: int) -> bool:
        """Return whether the slope is a blank of its own by now."""
        if self.rung < 2 or "contribution" not in self.level.kinds or "local" in self.level.kinds:
            return False
        return any(q.kind == "local" for q in self.done if q.step == step) or not any(
            q.kind == "contribution" and q.step == step for q in self.done
        )

    def _kinds(self, trace: Trace, step: int) -> tuple[Kind, ...]:
        return ("local", *self.level.kinds) if self.unfolds(step) else self.level.kinds

    def _asks_at(self, frame: Frame, trace: Trace) -> bool:
        step, meet = frame.cursor + 1, self.steps == "meet"
        return self.covers or is_chosen(trace, step, self.level.kinds, self._asked_last, meet=meet)

    @property
    def _asked_last(self) -> int | None:
        return self.last if self.steps == "last" else None

    def hide(self, frame: Frame) -> Frame:
        """Return the frame without the numbers asked for, and without later steps."""
        if not self.asks:
            return frame
        if self.hides_order or self.answered_questions:
            return hide_order(frame)
        questions = self.questions(frame)
        still = [question for question in questions if question not in self.done]
        finals = frozenset(question.node for question in still if question.kind == "final")
        kinds: list[Kind] = [question.kind for question in still if question.kind != "final"]
        found: list[Kind] = [question.kind for question in questions if question in self.done]
        return hide_answers(frame, kinds, bool(questions), finals, found)

    @property
    def answers(self) -> Mapping[str, str]:
        """Return the texts in the blanks, by kind; of final gradients by kind and node."""
        texts = ((q, text.strip().replace("-", "−")) for q, text in self.typed.items())
        return {
            f"final {q.node}" if q.kind == "final" else q.kind: text for q, text in texts if text
        }

    def marks(self) -> dict[int, bool]:
        """Return whether the first answers about each step of this pass were right, by cursor."""
        first = {
            attempt.question: attempt.tries[0].verdict in RIGHT
            for attempt in self._of_pass
            if attempt.tries and attempt.question.step
        }
        found: dict[int, bool] = {}
        for question, right in first.items():
            found[question.step] = found.get(question.step, True) and right
        return found

    # how it goes on

    def with_text(self, question: Question, text: str) -> Quiz:
        """Return the quiz after a text was typed into the field of a question."""
        return replace(self, typed={**self.typed, question: text}, refusal="")

    def answered(self, frame: Frame, digits: Digits = DIGITS_SHOWN, seconds: float = 0.0) -> Quiz:
        """Return the quiz after Answer: all blanks are judged, or none if one is no number."""
        trace, still = frame.unhidden, self.boxes(frame)
        if still and still[0].kind == "text":
            return self._chose(still[0], frame, seconds)
        if trace is None or not still:
            return self
        typed = [(question, self.typed.get(question, "").strip()) for question in still]
        keys = {question.key for question in still}
        accepted = [
            (a.question, a.text) for a in self._of_pass if a.right and a.question.key in keys
        ]
        try:
            judged = judge(trace, typed, digits, accepted)
        except EngineError as error:
            return replace(self, refusal=str(error))
        given = {
            found.blank.question: Given(found.blank.question, found.blank.text, found.right, found)
            for found in judged
        }
        return self._judged(given, frame, seconds, digits)

    def _chose(self, question: Question, frame: Frame, seconds: float) -> Quiz:
        """Return the quiz after one of a lesson's own choices, or none, was chosen."""
        text, own = self.typed.get(question, ""), self.own(question)
        found = [choice for choice in own.choices if choice.text == text] if own else []
        if not found:
            return replace(self, refusal="Choose one first.")
        return self._judged({question: Given(question, text, found[0].right)}, frame, seconds)

    def refused(self, frame: Frame) -> Question | None:
        """Return the blank because of which nothing can be judged: no number, or else empty."""
        texts = [(q, self.typed.get(q, "").strip()) for q in self.boxes(frame)]
        unread = [q for q, text in texts if text and read_answer(text).number is None]
        empty = [q for q, text in texts if not text]
        return next(iter((*unread, *empty)), None)

    def clicked(self, frame: Frame, node: int, seconds: float = 0.0) -> Quiz:
        """Return the quiz after a click on the node that may fire next."""
        trace, question = frame.unhidden, self.question(frame)
        if trace is None or question is None or question.kind != "next":
            return self
        slip = click_slip(trace, question.step, node)
        given = Given(question, str(node), slip is None, None, "" if slip is None else slip.name)
        return self._judged({question: given}, frame, seconds)

    def hinted(self, frame: Frame, seconds: float = 0.0) -> Quiz:
        """Return the quiz one rung higher; the last one shows the answer.

        A lesson's own hint precedes the first rung.
        """
        own = self.has_own_hint
        if not own and self.rung + 1 >= WORKED:
            return self.revealed(frame, seconds)
        keys = {q.key for q in self.boxes(frame)}
        helped = {**self.helped, **{key: self.helped.get(key, 0) + 1 for key in keys}}
        given = {q: each for q, each in self.given.items() if each.right}  # the hint is shown now
        hints = self.hints if own else self.hints + 1
        return replace(
            self,
            hints=hints,
            own_hint=own,
            own_hinted=self.own_hinted or own,
            helped=helped,
            given=given,
            refusal="",
        )

    @property
    def has_own_hint(self) -> bool:
        """Return whether a lesson has a hint that was not shown yet."""
        return self.chosen is not None and bool(self.chosen.hint) and not self.own_hinted

    def revealed(self, frame: Frame, seconds: float = 0.0) -> Quiz:
        """Return the quiz after the answer was shown; it does not count as right."""
        still = self.open_questions(frame)
        if self.covers:
            return replace(self, done=self.done.union(still))
        return self._passed(still, frame, seconds, shown=True) if still else self

    def skipped(self, frame: Frame, seconds: float = 0.0) -> Quiz:
        """Return the quiz after a step was passed over: neither right nor wrong."""
        still = self.open_questions(frame)
        return self._passed(still, frame, seconds, shown=False) if still else self

    def _passed(
        self, still: tuple[Question, ...], frame: Frame, seconds: float, *, shown: bool
    ) -> Quiz:
        found = replace(self, typed={}, refusal="", shown=shown, done=self.done.union(still))
        for question in still:
            attempt = self._attempt(question, frame, seconds)
            found = found._recorded(replace(attempt, shown=shown))
        return found

    @property
    def _of_pass(self) -> tuple[Attempt, ...]:
        """Return the attempts of this pass."""
        return self.record.attempts[self.round_start :]

    def _attempt(self, question: Question, frame: Frame, seconds: float) -> Attempt:
        """Return an attempt without a try; `seen` if the answer was shown before."""
        values, trace = changed_values(self.graph, frame.graph), frame.unhidden
        known = dict(values)
        before = (a for a in self.record.attempts if a.question == question and not a.skipped)
        answered = any(attempt.values == known for attempt in before)
        shown = trace is not None and self.looked.has(question, trace, values)
        hints = self.helped.get(question.key, 0)
        earlier = self.record.attempts[: self.round_start]
        round_ = earlier[-1].round + 1 if earlier else 0
        return Attempt(question, (), hints, False, shown and not answered, seconds, known, round_)

    def _recorded(self, attempt: Attempt) -> Quiz:
        """Return the quiz with an attempt in its record: a further try at a question is added."""
        attempts = list(self.record.attempts)
        for place in range(self.round_start, len(attempts)):
            old = attempts[place]
            if old.question == attempt.question:
                tries, seconds = (*old.tries, *attempt.tries), max(old.seconds, attempt.seconds)
                attempts[place] = replace(attempt, tries=tries, seen=old.seen, seconds=seconds)
                break
        else:
            attempts.append(attempt)
        return replace(self, record=replace(self.record, attempts=tuple(attempts)))

    def _judged(
        self,
        given: Mapping[Question, Given],
        frame: Frame,
        seconds: float,
        digits: Digits = DIGITS_SHOWN,
    ) -> Quiz:
        still = self.open_questions(frame)
        right = {q for q, answer in given.items() if answer.right}
        judged = replace(
            self,
            done=self.done | right,
            given={**self.given, **given},
            typed={},
            refusal="",
            tries=self.tries + 1,
            own_hint=False,
        )
        if len(right) == len(given) < len(still):  # another box of the sentence is next
            judged = judged._at_next_box(self)
        before = [a for a in self._of_pass if a.question.key in {q.key for q in given}]
        number = 1 + max((each.answer for a in before for each in a.tries), default=0)
        for question, answer in given.items():
            tried = Try(answer.text, answer.verdict, answer.slips, number, digits)
            attempt = self._attempt(question, frame, seconds)
            judged = judged._recorded(replace(attempt, tries=(tried,)))
        if len(right) < len(given) and judged.rung >= WORKED:
            left = tuple(q for q in still if q not in right)
            return judged._passed(left, frame, 0.0, shown=True)
        return judged

    def _at_next_box(self, before: Quiz) -> Quiz:
        """Return the quiz at the next box; the help for a slope is that for its product."""
        given = {q: each for q, each in self.given.items() if each.right}
        if any(q.kind == "local" for q in self.done - before.done):
            return replace(self, given=given, tries=before.tries)
        return replace(self, given=given, tries=0, hints=0)

    def at_cursor(self) -> Quiz:
        """Return the quiz after the pass moved: Cover hides again, Ask me keeps what is done."""
        done = frozenset[Question]() if self.covers else self.done
        return replace(
            self,
            done=done,
            typed={},
            given={},
            refusal="",
            tries=0,
            hints=0,
            own_hint=False,
            own_hinted=False,
            shown=False,
            answered_questions=(),
        )

    def with_values_edited(self) -> Quiz:
        """Return the quiz after a value was edited: everything may be asked again.

        A lesson's questions are asked once.
        """
        if self.is_through:
            return self
        return replace(self._from_start(), record=replace(self.record, changed=True))

    def after_edit(self, change: Change, graph: Graph) -> Mode:
        return STEPPING if change.whole else self

    def restarted(self, frame: Frame) -> Quiz:
        """Return the quiz for a pass that begins; after a clean round one step more is asked."""
        if self.chosen is not None:
            return self.at_cursor()
        if (last := self.next_last(frame)) == self.last:
            return self._from_start()
        record = replace(self.record, last=last)
        looked = self.looked.before_more_is_asked()
        return replace(self._from_start(), last=last, record=record, looked=looked)

    def is_clean(self, frame: Frame) -> bool:
        """Return whether the pass is at its end, and everything it asked was right first time."""
        wanted = self._wanted(frame)
        return bool(wanted) and is_clean(self._of_pass, wanted)

    def _wanted(self, frame: Frame) -> tuple[Question, ...]:
        """Return all questions of a pass that is at its end, () of one that is not."""
        trace = frame.unhidden
        if self.covers or self.chosen or trace is None or frame.cursor < frame.total:
            return ()
        if frame.phase == "forward":
            return tuple(Question("value", step.node) for step in trace.computed)
        if self.level.once:
            return tuple(Question("final", node) for node in self.finals)
        return level_questions(trace, self.level, self._asked_last, meet=self.steps == "meet")

    def next_last(self, frame: Frame) -> int:
        """Return how many last steps the next pass asks about: one more if this was clean."""
        trace, once = frame.unhidden, self.level.once
        if self.steps != "last" or frame.phase == "forward" or once or not self.is_clean(frame):
            return self.last
        assert trace is not None
        steps = {question.step for question in level_questions(trace, self.level)}
        return min(self.last + 1, max(len(steps), self.last))

    def following(self, frame: Frame) -> Following:
        """Return the next pass: the same again, unless this one was clean.

        Then it is the backward pass after the forward pass, one step more of the last ones, or,
        where every step was asked about, the whole step.
        """
        same = Following(frame.phase, self.level, self.last)
        if not self.is_clean(frame):
            return same
        if frame.phase == "forward":
            values_only = self.level.kinds == ("value",)
            return same if values_only else replace(same, phase="backward")
        if (last := self.next_last(frame)) > self.last:
            return replace(same, last=last)
        last_level = LEVELS["whole step"]
        is_below = set(self.level.kinds) < set(last_level.kinds)
        return replace(same, level=last_level) if is_below else same

    def _from_start(self) -> Quiz:
        count = len(self.record.attempts)
        return replace(self.at_cursor(), done=frozenset(), helped={}, round_start=count)


def _is_asked_at(question: Question, frame: Frame) -> bool:
    """Return whether a pass is at the place at which a lesson's question is asked."""
    trace = frame.unhidden
    phase: Phase = "forward" if question.kind == "value" else "backward"
    if trace is None or frame.phase != phase or question.kind == "text":
        return False
    return frame.cursor == (
        0 if question.kind in ASKED_BEFORE_PASS else steps_before(question, trace)
    )
