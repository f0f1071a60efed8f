"""Predictions: what a learner has answered in a run, as the rows of a list, and what it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from app.controls.rich_text import Span, Spans, filled
from app.style.notation import Notation
from app.workbench.formulas import SIGNS, enumerated
from app.workbench.modes.quiz import Quiz
from app.workbench.question_words import ROLES, asked, right_number
from engine.errors import EngineError
from engine.formats.expression import write
from engine.formats.report import Report
from engine.frame import Frame
from engine.graph import OpNode, brief
from engine.numbers import DIGITS_SHOWN, Digits, short
from engine.rules import BY_NAME as RULES
from engine.study.drill import Drill, drills
from engine.study.grading import grade, told
from engine.study.question import Kind, Question, facts, is_about, receiver
from engine.study.record import Attempt, pattern, summary
from engine.study.slips import Slip, slip_numbers
from engine.trace import Trace, run_to_step

_TITLES: Mapping[Kind, str] = {
    "value": "{node}",
    "local": "{node} along {receiver}",
    "contribution": "{node} to {receiver}",
    "sum": "{node} to {receiver}, sum",
    "final": "{receiver} at the end",
    "sign": "{receiver} up, {root}",
}

_LONGEST_ANSWER = 12
"""Characters of a wrong answer in a row; all of it is read aloud, and shown by the card."""


class Row(Struct, frozen=True):
    """One question of a run: its title, and once it is answered the number and what was said."""

    step: int
    title: str
    number: str = ""
    role: str = "gradient"
    right: bool = False
    wrong: str = ""
    sentence: str = ""

    @property
    def is_open(self) -> bool:
        """Return whether the question waits for its answer."""
        return not self.number

    @property
    def spoken(self) -> str:
        """Return the row as it is read aloud."""
        where = f"step {self.step:,}, {self.title}" if self.step else self.title
        if self.is_open:
            return f"{where}: not answered yet"
        if self.right:
            return f"{where}: {self.number}, right. {self.sentence}".rstrip()
        if not self.wrong:
            return f"{where}: {self.number}. {self.sentence}".rstrip()
        return f"{where}: {self.number}, you said {self.wrong}. {self.sentence}".rstrip()

    @property
    def mark(self) -> Spans:
        """Return the right number with ✓, or a wrong answer, struck, before it."""
        if self.is_open:
            return (Span("?", "selection", bold=True),)
        number = Span(self.number, self.role, bold=True)
        if self.right:
            return filled("{number} ✓", number=number)
        if not self.wrong:
            return (number,)
        cross = Span("✗ ", "error", bold=True)
        wrong = Span(brief(self.wrong, _LONGEST_ANSWER), "error", strike=True)
        return (cross, wrong, Span("  "), number)


class PatternTold(Struct, frozen=True):
    """A slip that was made at several questions: where, what is said of it, and the true rule."""

    where: str
    sentence: str
    rule: Spans
    slip: Slip
    question: Question
    trace: Trace

    def drills(self, seed: int) -> tuple[Drill, ...]:
        """Return three questions like the last one."""
        return drills(self.question, self.trace, self.slip, seed)


class Answers:
    """The rows of one run; those that are known already are not graded again."""

    def __init__(self) -> None:
        self._report: Report | None = None
        self._digits: Digits = DIGITS_SHOWN
        self._rows: list[Row] = []
        self._traces: dict[tuple[str, tuple[tuple[int, float], ...]], Trace] = {}

    def rows(self, report: Report, digits: Digits = DIGITS_SHOWN) -> Sequence[Row]:
        """Return a row for each answer."""
        known = self._report
        if known is None or known.graph is not report.graph or digits != self._digits:
            self._rows, self._traces = [], {}
        attempts = report.record.attempts
        count = len(self._rows)
        if known is not None and known.record.attempts[:count] != attempts[:count]:
            self._rows = []
        self._report, self._digits = report, digits
        for attempt in attempts[len(self._rows) :]:
            self._rows.append(_row(attempt, self._trace(attempt), digits))
        return self._rows

    def pattern(
        self, report: Report, digits: Digits = DIGITS_SHOWN, notation: Notation = "partial"
    ) -> PatternTold | None:
        """Return what is told of a slip that was made again and again, or None."""
        found = pattern(report.record)
        if found is None:
            return None
        last = next(a for a in reversed(report.record.attempts) if found.slip.name in a.slips)
        return self._told(found.slip, last, _where(found.steps), digits, notation)

    def worst(
        self, report: Report, digits: Digits = DIGITS_SHOWN, notation: Notation = "partial"
    ) -> PatternTold | None:
        """Return what is told of the slip that was made most often, or None."""
        slips = summary(report.record).slips
        if not slips:
            return None
        slip = slips[0][0]
        last = next(a for a in reversed(report.record.attempts) if slip.name in a.slips)
        return self._told(slip, last, "", digits, notation)

    def _told(
        self, slip: Slip, attempt: Attempt, where: str, digits: Digits, notation: Notation
    ) -> PatternTold | None:
        question, trace = attempt.question, self._trace(attempt)
        if trace is None:
            return None
        number = next((n for s, n in slip_numbers(question, trace) if s is slip), None)
        if number is None:
            return None
        said = told(slip, number, question, trace, digits)
        shown = rule(slip, question, trace, notation)
        return PatternTold(where, said, shown, slip, question, trace)

    def _trace(self, attempt: Attempt) -> Trace | None:
        """Return the pass in which a question was answered; None if it can't be run any more."""
        report = self._report
        assert report is not None
        phase = "forward" if attempt.question.kind == "value" else "backward"
        key = (phase, tuple(sorted(attempt.values.items())))
        if key not in self._traces:
            rules = RULES[report.record.rules]
            try:
                graph = report.graph.with_values(attempt.values)
                self._traces[key] = run_to_step(graph, phase, rules)
            except EngineError:
                return None
        found = self._traces[key]
        return found if is_about(attempt.question, found) else None


def so_far(quiz: Quiz) -> Report:
    """Return the run that is on, without answers of earlier rounds, which are asked for again."""
    attempts = quiz.record.attempts[quiz.round_start :]
    return Report(quiz.graph, msgspec.structs.replace(quiz.record, attempts=attempts))


def open_row(quiz: Quiz, frame: Frame) -> Row | None:
    """Return the row of the question that waits for its answer, or None."""
    question, trace = quiz.question(frame), frame.whole
    if question is None or trace is None:
        return None
    return Row(_step(question, trace), _title(question, trace))


def rule(slip: Slip, question: Question, trace: Trace, notation: Notation = "partial") -> Spans:
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
    """Return what a drill is about, with all that is given, and what is asked."""
    question, trace = drill.question, drill.trace
    graph, fields = trace.graph, _names(question, trace)
    given = [write(graph).replace("; ", "\n")]
    if question.wire is not None and question.kind != "local":
        at = facts(question, trace)
        given.append(f"{fields['node']} got {short(at.upstream, digits)}.")
        if question.kind == "sum":
            given.append(f"{fields['receiver']}.grad holds {short(at.before, digits)}.")
            given.append(f"This step: {fields['node']} passes its contribution on to it.")
    return "\n".join(given), asked(question, trace, digits)


def _row(attempt: Attempt, trace: Trace | None, digits: Digits) -> Row:
    question = attempt.question
    if trace is None:
        return Row(question.step, attempt.text, number="–")
    verdict = grade(question, trace, attempt.text, digits) if attempt.text else None
    row = Row(
        _step(question, trace),
        _title(question, trace),
        right_number(question, trace, digits),
        ROLES.get(question.kind, "gradient"),
    )
    if verdict is None:
        return replace(row, sentence="You had it shown." if attempt.shown else "You left it out.")
    wrong = "" if verdict.right else attempt.text.strip()
    return replace(row, right=verdict.right, wrong=wrong, sentence=verdict.sentence)


def _step(question: Question, trace: Trace) -> int:
    """Return the step of a question as the timeline counts them; 0 for one before the pass."""
    if question.kind == "value":
        steps = {step.node: k for k, step in enumerate(trace.computed, 1)}
        return steps.get(question.node, 0)
    return question.step


def _title(question: Question, trace: Trace) -> str:
    return _TITLES[question.kind].format(**_names(question, trace))


def _names(question: Question, trace: Trace) -> dict[str, str]:
    graph = trace.graph
    node = graph.nodes[question.node]
    sign = f"{graph.op(question.node).symbol} " if isinstance(node, OpNode) else ""
    return {
        "node": f"{sign}{graph.brief(question.node)}",
        "receiver": graph.brief(receiver(question, trace)),
        "root": graph.brief(trace.root),
    }


def _where(steps: Sequence[int]) -> str:
    """Return `same slip at 3 and 6`."""
    return f"same slip at {enumerated([str(step) for step in steps])}"
