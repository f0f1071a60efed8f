"""Predictions: the answers of a run as the rows of a list, and the slips repeated in it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec
from msgspec import Struct

from app.controls.spans import Span, Spans, filled
from app.style.derivative_notation import Notation
from app.workbench.gradients.formulas import SIGNS, enumerated, grad_name
from app.workbench.modes.quiz import Quiz
from app.workbench.words.sentences import answer_text, question_text
from engine.asking.answering import belief_sentence
from engine.asking.beliefs import Belief, belief_numbers
from engine.asking.friendly import Drill, drills
from engine.asking.inference import Tally, tallies, titles
from engine.asking.kinds import KINDS, is_askable, long_name
from engine.asking.question import Question, StepKey, facts, receiver
from engine.asking.record import RIGHT, Attempt, StepResult, step_results
from engine.errors import EngineError
from engine.formats.expression import write
from engine.formats.report import Report
from engine.frame import Frame
from engine.graph import OpNode, brief
from engine.numbers import DIGITS_SHOWN, Digits, short
from engine.rules import BY_NAME as RULES
from engine.trace import Trace, run_within_limit

_SEEN_BEFORE = "Seen before it was answered."
_YOU_SAID = ", you said {texts}"
_ANSWER_LIMIT = 12
"""Characters shown of a wrong answer; screen readers read all of it."""
_TRY_MARKS = {1: "✓", 2: "2nd", 3: "3rd"}
"""Marks behind a number, by the number of answers up to the right one."""


class StepRow(Struct, frozen=True):
    """One step of a run: its title, the right number once it is known, and the wrong answers.

    `role` is the colour of the number, `sentence` the slip, or why the step is not counted right.
    `tries` counts the answers up to the right one, 1 where all of it was right first time. It is 0
    where the number was shown or left out, or had been seen or hinted before.
    """

    step: int
    title: str
    number: str = ""
    role: str = "gradient"
    tries: int = 0
    wrong: tuple[str, ...] = ()
    sentence: str = ""

    @property
    def is_open(self) -> bool:
        """Return whether something of the step is not answered yet."""
        return not self.number

    @property
    def right_first(self) -> bool:
        """Return whether all of it was right at the first Answer."""
        return self.tries == 1

    @property
    def spoken(self) -> str:
        """Return the row as it is read aloud."""
        where = f"step {self.step:,}, {self.title}" if self.step else self.title
        wrong_text = _YOU_SAID.format(texts=enumerated(self.wrong)) if self.wrong else ""
        if self.is_open:
            return f"{where}: not answered yet{wrong_text}"
        if self.right_first:
            return f"{where}: {self.number}, right"
        return f"{where}: {self.number}{wrong_text}. {self.sentence}".rstrip()

    @property
    def mark(self) -> Spans:
        """Return the right number with ✓ or the number of its try; `?` while it is open."""
        if self.is_open:
            return (Span("?", "selection", bold=True),)
        number = Span(self.number, self.role, bold=True)
        try_mark = _TRY_MARKS.get(self.tries, "")
        if self.right_first:
            return (number, Span(f" {try_mark}", bold=True))
        return (number, Span(f" {try_mark}", "secondary")) if try_mark else (number,)

    @property
    def below(self) -> Spans:
        """Return the line below the title: wrong answers, struck out, and the slip."""
        spans: list[Span] = []
        if self.wrong:
            spans.append(Span("you said ", "secondary"))
            for k, text in enumerate(self.wrong):
                if k:
                    last = k == len(self.wrong) - 1
                    spans.append(Span(enumerated(["", ""]) if last else ", ", "secondary"))
                spans.append(Span(brief(text, _ANSWER_LIMIT), "error", strike=True))
        if self.sentence:
            spans.append(Span(f"\n{self.sentence}" if spans else self.sentence, "secondary"))
        return tuple(spans)


class RepeatedSlip(Struct, frozen=True):
    """A slip made at several questions: their steps, the sentence about it, and the true rule."""

    where: str
    sentence: str
    true_rule: Spans
    slip: Belief
    question: Question
    trace: Trace

    def drills(self, seed: int) -> tuple[Drill, ...]:
        """Return three drills of the question at which it was made last."""
        return drills(self.question, self.trace, self.slip, seed)


class AnswerRows:
    """The rows of one run, cached by step."""

    def __init__(self) -> None:
        self._report: Report | None = None
        self._digits: Digits = DIGITS_SHOWN
        self._rows: dict[StepKey, tuple[StepResult, bool, str, StepRow]] = {}
        """By step its result, whether it is open, its slip, and the row made from these."""
        self._traces: dict[tuple[str, tuple[tuple[int, float], ...]], Trace] = {}
        """The passes in which was answered, by phase and the changed values of leaves."""

    def rows(
        self,
        report: Report,
        digits: Digits = DIGITS_SHOWN,
        open_questions: Collection[Question] = (),
    ) -> Sequence[StepRow]:
        """Return a row for each step that was answered; `open_questions` are the open questions."""
        known = self._report
        if known is None or known.graph is not report.graph or digits != self._digits:
            self._rows, self._traces = {}, {}
        self._report, self._digits = report, digits
        opened = {question.key for question in open_questions}
        known_titles = [tally.title for tally in tallies(report.record.attempts)]
        found: list[StepRow] = []
        for key, step_record in step_results(report.record.attempts).items():
            behind = {x for a in step_record.attempts for x in titles(a.slips)}
            state = (
                step_record,
                key in opened,
                next(filter(behind.__contains__, known_titles), ""),
            )
            cached = self._rows.get(key)
            if cached is None or cached[:3] != state:
                trace = self._trace(step_record.attempts[-1])
                cached = (*state, _row(*state, trace, digits))
                self._rows[key] = cached
            found.append(cached[3])
        return found

    def repeated(
        self,
        report: Report,
        digits: Digits = DIGITS_SHOWN,
        notation: Notation = "partial",
        open_questions: Collection[Question] = (),
    ) -> RepeatedSlip | None:
        """Return the slip repeated at several questions, or None; no answer to an open one."""
        found = next(iter(tallies(report.record.attempts)), None)
        if found is None or found.count < 2:
            return None
        where = f"same idea at {enumerated([str(step) for step in found.steps])}"
        shown = self._repeated_slip(found, where, digits, notation)
        if shown is None or shown.question not in open_questions:
            return shown
        brief = f"{shown.slip.brief[:1].upper()}{shown.slip.brief[1:]}."
        return msgspec.structs.replace(shown, sentence=brief, true_rule=())

    def most_frequent(
        self, report: Report, digits: Digits = DIGITS_SHOWN, notation: Notation = "partial"
    ) -> RepeatedSlip | None:
        found = next(iter(tallies(report.record.attempts)), None)
        return None if found is None else self._repeated_slip(found, "", digits, notation)

    def _repeated_slip(
        self, found: Tally, where: str, digits: Digits, notation: Notation
    ) -> RepeatedSlip | None:
        """Return the slip of the last of several answers, with its question."""
        last, slip = found.attempts[-1], found.slip
        question, trace = last.question, self._trace(last)
        if trace is None or slip is None:
            return None
        number = next((n for s, n in belief_numbers(question, trace, ()) if s is slip), None)
        if number is None:
            return None
        sentence = belief_sentence(slip, number, question, trace, digits)
        shown = true_rule(slip, question, trace, notation)
        return RepeatedSlip(where, sentence, shown, slip, question, trace)

    def _trace(self, attempt: Attempt) -> Trace | None:
        """Return the pass in which a question was answered; None if it can no longer run."""
        report = self._report
        assert report is not None
        phase = "forward" if attempt.question.kind == "value" else "backward"
        key = (phase, tuple(sorted(attempt.values.items())))
        if key not in self._traces:
            rules = RULES.get(report.record.rules)
            if rules is None:  # a rule of the learner's own, which no report holds
                return None
            try:
                graph = report.graph.with_values(attempt.values)
                self._traces[key] = run_within_limit(graph, phase, rules)
            except EngineError:
                return None
        found = self._traces[key]
        return found if is_askable(attempt.question, found) else None


def current_report(quiz: Quiz) -> Report:
    """Return the report of the current round of a run."""
    attempts = quiz.record.attempts[quiz.round_start :]
    return Report(quiz.graph, msgspec.structs.replace(quiz.record, attempts=attempts))


def open_step_row(quiz: Quiz, frame: Frame) -> StepRow | None:
    """Return the row of the step that waits for its first answer, or None."""
    questions, trace = quiz.open_questions(frame), frame.unhidden
    if not questions or trace is None or quiz.last_answers or quiz.shown:
        return None
    main = next((q for q in questions if q.kind == "contribution"), questions[0])
    return StepRow(_step(main, trace), _title(main, trace))


def true_rule(
    slip: Belief, question: Question, trace: Trace, notation: Notation = "partial"
) -> Spans:
    """Return the true rule that a slip breaks, in symbols."""
    node = trace.graph.nodes[question.node]
    if slip.kind == "local" and isinstance(node, OpNode):
        op = trace.graph.op(question.node)
        lines: list[Span] = []
        formula = op.filled(op.formula, op.slots)
        for slot, letter in enumerate(op.slots):
            slope = Span(op.filled(op.slopes[slot], op.slots), "local")
            sign = SIGNS[notation]
            over = Span(f"{sign}({formula})", "local", under=f"{sign}{letter}")
            lines += [Span("\n" if slot else ""), over, Span(" = "), slope]
        return tuple(span for span in lines if span.text)
    if slip.kind == "contribution":
        return filled(
            "contribution = {upstream} × {local}",
            upstream=Span("upstream gradient", "gradient", bold=True),
            local=Span("local derivative", "local", bold=True),
        )
    if slip.kind == "sum":
        return filled(
            "{grad} = what it held + contribution", grad=Span("grad", "gradient", bold=True)
        )
    return filled(
        "{grad} = sum over all paths of the product of {local}",
        grad=Span("grad", "gradient", bold=True),
        local=Span("local derivatives", "local", bold=True),
    )


def drill_text(drill: Drill, digits: Digits = DIGITS_SHOWN) -> tuple[str, str]:
    """Return the given facts of a drill, and its question."""
    question, trace = drill.question, drill.trace
    graph, fields = trace.graph, _names(question, trace)
    facts_given = [write(graph).replace("; ", "\n")]
    if question.wire is not None and question.kind != "local":
        at = facts(question, trace)
        facts_given.append(f"{fields['node']} got {short(at.upstream, digits)}.")
        if question.kind == "sum":
            grad = grad_name(graph, receiver(question, trace))
            facts_given.append(f"{grad} holds {short(at.before, digits)}.")
            facts_given.append(f"This step: {fields['node']} passes its contribution on to it.")
    return "\n".join(facts_given), question_text(question, trace, digits)


def _row(
    step_record: StepResult, is_open: bool, slip: str, trace: Trace | None, digits: Digits
) -> StepRow:
    attempts = step_record.attempts
    if trace is None:
        return StepRow(attempts[0].question.step, attempts[0].text, number="–")
    # a row has one number: of several blanks that of the one answered wrongly
    wrong_ones = [a for a in attempts if any(t.verdict not in RIGHT for t in a.tries)]
    about = [a.question for a in wrong_ones or attempts]
    main = next((question for question in about if question.kind == "contribution"), about[0])
    title, step = _title(main, trace), _step(main, trace)
    tries_of_main = [t for a in wrong_ones if a.question == main for t in a.tries]
    texts = [t.text for t in tries_of_main if t.verdict not in RIGHT]
    wrong = tuple(text.strip().replace("-", "−") for text in texts if main.kind != "next")
    if is_open:
        return StepRow(step, title, wrong=wrong, sentence=slip)
    number, role = answer_text(main, trace, digits), KINDS[main.kind].role
    if step_record.shown:
        return StepRow(step, title, number, role, 0, wrong, slip or "You had it shown.")
    if step_record.skipped:
        return StepRow(step, title, number, role, 0, wrong, "You left it out.")
    tries = max(len(a.tries) for a in attempts)
    sentence = slip or (
        _SEEN_BEFORE if step_record.seen else "With a hint." if step_record.hinted else ""
    )
    counted_tries = tries if tries > 1 or step_record.right_first else 0
    return StepRow(step, title, number, role, counted_tries, wrong, sentence)


def _step(question: Question, trace: Trace) -> int:
    """Return the step of a question as the timeline counts them; 0 for one before the pass."""
    if question.kind == "value":
        steps = {step.node: k for k, step in enumerate(trace.computed, 1)}
        return steps.get(question.node, 0)
    return question.step


def _title(question: Question, trace: Trace) -> str:
    return long_name(question, trace.graph)


def _names(question: Question, trace: Trace) -> dict[str, str]:
    graph = trace.graph
    node = graph.nodes[question.node]
    sign = f"{graph.op(question.node).symbol} " if isinstance(node, OpNode) else ""
    return {
        "node": f"{sign}{graph.brief(question.node)}",
        "receiver": graph.brief(receiver(question, trace)),
        "root": graph.brief(trace.root),
    }
