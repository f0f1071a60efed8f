"""Asking: the mode in which a learner is asked, as a value, and how it goes on.

    cover      the next number is hidden until it is revealed; nothing is typed
    predict    the learner types it into a card; answers are graded and kept
    hunt       a mistake is on, and the learner finds out which (app/workbench/hunt.py)

All that is asked follows from the step that comes next and from the questions that are done, so
stepping back and forth asks what has not been asked yet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from app.workbench.looked import Looked, changed_values
from engine.formats.report import Report
from engine.frame import Frame
from engine.graph import Graph
from engine.numbers import DIGITS_SHOWN, Digits
from engine.rules import CORRECT, UNKNOWN, Rules
from engine.study.grading import Verdict, grade
from engine.study.hiding import hidden, veiled
from engine.study.question import LEVELS, Kind, Level, Question, asked, asked_at
from engine.study.record import Attempt, Record, Try, is_clean
from engine.trace import Trace

if TYPE_CHECKING:
    from app.workbench.hunt import Hunt

Mode = Literal["cover", "predict", "hunt"]

TITLES: dict[Mode, str] = {"cover": "Cover", "predict": "Predict", "hunt": "Hunt"}

HINTS = 3
"""Which rule, the numbers in it, and all but the product."""


class Given(Struct, frozen=True):
    """An answer as it was written, and what was said of it.

    Without a verdict there was none: it was looked up, or the question was `skipped`.
    """

    question: Question
    text: str
    verdict: Verdict | None
    skipped: bool = False

    @property
    def right(self) -> bool:
        """Return whether it was answered, and right."""
        return self.verdict is not None and self.verdict.right


class Asking(Struct, frozen=True):
    """A mode and how far it is.

    `last` limits the questions to that many steps at the end of the pass. `done` are the questions
    that are answered or revealed, `given` the answers of the step that comes next, `last_given` the
    last answer of all. `text` is that of the field and `told` what was said of a text that is no
    number; `hints` counts those taken for this question. `graph` is the one with which the run
    began, `title` what it is called. `round_start` counts the answers that were given before this
    pass began. `looked` is what of this run has been shown.
    """

    mode: Mode
    level: Level
    last: int | None = None
    done: frozenset[Question] = frozenset()
    given: tuple[Given, ...] = ()
    last_given: Given | None = None
    text: str = ""
    told: str = ""
    hints: int = 0
    card_open: bool = True
    record: Record = field(default_factory=lambda: Record("predict", ""))
    graph: Graph = field(default_factory=Graph)
    round_start: int = 0
    looked: Looked = field(default_factory=Looked)
    hunt: Hunt | None = None
    title: str = ""

    @property
    def report(self) -> Report:
        """The run so far, to be handed in."""
        return Report(self.graph, self.record, title=self.title)

    def questions(self, frame: Frame) -> tuple[Question, ...]:
        """Return the questions about the step that comes next, done or not."""
        trace = frame.whole
        if trace is None or frame.cursor >= frame.total or self.mode == "hunt":
            return ()
        if frame.phase == "forward":
            return (Question("value", trace.computed[frame.cursor].node),)
        if self.level.once:
            return asked(trace, self.level) if frame.cursor == 0 else ()
        if self.last is not None and frame.total - frame.cursor > self.last:
            return ()
        return asked_at(trace, frame.cursor + 1, self.level.kinds)

    def question(self, frame: Frame) -> Question | None:
        """Return what is asked now, or None."""
        return next((q for q in self.questions(frame) if q not in self.done), None)

    def is_done(self, frame: Frame) -> bool:
        """Return whether the last question about the next step has just been done."""
        return bool(self.given) and self.question(frame) is None

    def goes_on(self, frame: Frame) -> bool:
        """Return whether nothing is left to explain, so that the next step may be taken."""
        return self.is_done(frame) and all(given.right or given.skipped for given in self.given)

    def marks(self) -> dict[int, bool]:
        """Return whether the answers about each step of this pass were right, by its cursor."""
        found: dict[int, bool] = {}
        for attempt in self.record.attempts[self.round_start :]:
            if attempt.verdict != "unread" and attempt.question.step:
                step = attempt.question.step
                found[step] = found.get(step, True) and attempt.right
        return found

    def hide(self, frame: Frame) -> Frame:
        """Return the frame without what is asked for, and without what comes after."""
        if self.hunt is not None:
            return frame if not self.hunt.hides_mistake else self._veiled(frame, self.hunt)
        questions = self.questions(frame)
        still = [question for question in questions if question not in self.done]
        finals = frozenset(question.node for question in still if question.kind == "final")
        kinds: list[Kind] = [question.kind for question in still if question.kind != "final"]
        return hidden(frame, kinds, bool(questions), finals)

    def _veiled(self, frame: Frame, hunt: Hunt) -> Frame:
        """Return the frame without the mistake that is on, and without steps not taken yet."""
        if frame.trace is None or frame.phase != "backward":
            return frame
        return veiled(frame, hunt.seen, room_for(frame.graph, frame.trace.root))

    # how it goes on

    def answered(
        self, frame: Frame, text: str, digits: Digits = DIGITS_SHOWN, seconds: float = 0.0
    ) -> Asking:
        """Return the mode after an answer; one that can't be read is kept and not graded."""
        question, trace = self.question(frame), frame.whole
        if question is None or trace is None:
            return self
        verdict = grade(question, trace, text, digits)
        if verdict.kind == "unread":
            return replace(self, text=text, told=verdict.sentence)
        slips = tuple(slip.name for slip in verdict.slips)
        attempt = self._attempt(question, trace, seconds, digits)
        attempt = msgspec.structs.replace(attempt, tries=(Try(text, verdict.kind, slips),))
        return self._with(Given(question, text, verdict), attempt)

    def revealed(self, frame: Frame, seconds: float = 0.0) -> Asking:
        """Return the mode after the answer was shown; in Cover of the whole step at once."""
        question, trace = self.question(frame), frame.whole
        if question is None or trace is None:
            return self
        if self.mode == "cover":
            return replace(self, done=self.done.union(self.questions(frame)))
        attempt = self._attempt(question, trace, seconds)
        attempt = msgspec.structs.replace(attempt, shown=True)
        return self._with(Given(question, "", None), attempt)

    def skipped(self, frame: Frame, seconds: float = 0.0) -> Asking:
        """Return the mode after a question was passed over; its number is shown from then on."""
        question, trace = self.question(frame), frame.whole
        if question is None or trace is None:
            return self
        attempt = self._attempt(question, trace, seconds)
        return self._with(Given(question, "", None, skipped=True), attempt)

    def after_edit(self) -> Asking:
        """Return the mode after a value was edited: everything may be asked again."""
        record = msgspec.structs.replace(self.record, changed=True)
        return replace(self._from_start(), text=self.text, record=record)

    def at_step(self) -> Asking:
        """Return the mode after the pass moved: Cover hides again, Predict keeps what is done."""
        done = frozenset[Question]() if self.mode == "cover" else self.done
        return replace(self, done=done, given=(), text="", told="", hints=0)

    def seen(self, frame: Frame) -> Asking:
        """Return the mode after a place of the pass was shown, which it remembers."""
        if self.hunt is not None:
            backward = frame.phase == "backward"
            return replace(self, hunt=self.hunt.at(frame.cursor)) if backward else self
        if self.mode != "predict":
            return self
        return replace(self, looked=self.looked.at(frame, changed_values(self.graph, frame.graph)))

    def restarted(self, frame: Frame) -> Asking:
        """Return the mode for a pass that begins: everything is asked again.

        `frame` is where the pass before it ended; after a clean round one step more is asked.
        """
        if (last := self.next_last(frame)) == self.last:
            return self._from_start()
        record = msgspec.structs.replace(self.record, last=last)
        looked = self.looked.before_more_is_asked()
        return replace(self._from_start(), last=last, record=record, looked=looked)

    def next_last(self, frame: Frame) -> int | None:
        """Return how many of the last steps the next pass asks about.

        It is one more after a clean round: the pass is at its end, and all that is asked of it was
        right first time.
        """
        trace = frame.whole
        if self.last is None or trace is None or frame.cursor < frame.total:
            return self.last
        steps = range(max(1, frame.total - self.last + 1), frame.total + 1)
        wanted = {q for step in steps for q in asked_at(trace, step, self.level.kinds)}
        answers = self.record.attempts[self.round_start :]
        if self.mode != "predict" or not wanted or not is_clean(answers, wanted):
            return self.last
        return min(self.last + 1, frame.total)

    def _from_start(self) -> Asking:
        count = len(self.record.attempts)
        return replace(self.at_step(), done=frozenset(), round_start=count)

    def _attempt(
        self, question: Question, trace: Trace, seconds: float, digits: Digits = DIGITS_SHOWN
    ) -> Attempt:
        """Return a question that is done, without a try; seen is what was not answered before."""
        values = changed_values(self.graph, trace.graph)
        known = dict(values)
        before = (a for a in self.record.attempts if a.question == question and not a.skipped)
        answered = any(attempt.values == known for attempt in before)
        seen = not answered and self.looked.has(question, trace, values)
        return Attempt(question, (), self.hints, False, seen, seconds, known, digits)

    def _with(self, given: Given, attempt: Attempt) -> Asking:
        record = self.record.with_attempt(attempt)
        return replace(
            self,
            done=self.done | {given.question},
            given=(*self.given, given),
            last_given=given,
            record=record,
            text="",
            told="",
            hints=0,
        )


def begun(
    mode: Mode,
    graph: Graph,
    level: str = "contribution",
    last: int | None = None,
    rules: Rules = CORRECT,
    seed: int | None = None,
) -> Asking:
    """Return a mode at its beginning; `seed` is that of the friendly numbers in the graph."""
    record = Record(mode, level, rules.name, seed, last=last)
    return Asking(mode, LEVELS[level], last, record=record, graph=graph)


def begun_hunt(graph: Graph, hunt: Hunt) -> Asking:
    """Return a hunt at its beginning."""
    record = Record("hunt", "", hunt.rules.name, hunt.seed)
    return Asking("hunt", LEVELS["contribution"], record=record, graph=graph, hunt=hunt)


def room_for(graph: Graph, root: int) -> Trace:
    """Return the steps that any pass of a hunt may take, for which room is reserved."""
    from engine.study.hunt import all_passes

    if not (_ROOM and _ROOM[0].graph is graph and _ROOM[0].root == root):
        _ROOM[:] = [all_passes(graph, root)]
    return _ROOM[0]


_ROOM: list[Trace] = []
"""The last of them: it is asked for at each step."""


def predicts(asking: Asking | None) -> bool:
    """Return whether Predict is on."""
    return asking is not None and asking.mode == "predict"


def ends_with_pass(asking: Asking | None) -> bool:
    """Return whether a mode ends when the pass is left."""
    return predicts(asking) or hunts(asking)


def hunts(asking: Asking | None, *, comparing: bool = True) -> bool:
    """Return whether a hunt is on; without `comparing` only one that hides the correct pass."""
    if asking is None or asking.hunt is None:
        return False
    return comparing or asking.hunt.hides_comparison


def mended(asking: Asking | None) -> bool:
    """Return whether a hunt is over whose mistake was mended, and so is off from then on."""
    return asking is not None and asking.hunt is not None and asking.hunt.stage == "done"


def running_rules(asking: Asking | None, rules: Rules) -> Rules:
    """Return the rules under which a pass runs: in a hunt those of its mistake."""
    return rules if asking is None or asking.hunt is None else asking.hunt.rules


def known_rules(asking: Asking | None, rules: Rules) -> Rules:
    """Return the same rules as far as a learner may know them."""
    hidden = asking is not None and asking.hunt is not None and asking.hunt.hides_mistake
    return UNKNOWN if hidden else running_rules(asking, rules)


def waits(asking: Asking | None, frame: Frame) -> bool:
    """Return whether Predict has an open question about the step that comes next."""
    return asking is not None and asking.mode == "predict" and asking.question(frame) is not None
