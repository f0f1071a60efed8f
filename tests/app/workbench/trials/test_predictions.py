"""The rows of a run, its pattern and its counts name a slip alike."""

import pytest

from app.workbench.trials.predictions import AnswerRows
from engine import from_expression
from engine.asking.inference import tallies
from engine.asking.judging import judge
from engine.asking.kinds import answer
from engine.asking.question import Kind, Question
from engine.asking.record import Attempt, Record, Try
from engine.formats.report import Report
from engine.numbers import short
from engine.trace import run


def test_a_pattern_has_the_name_of_its_rows_and_gives_no_open_answer_away():
    graph = from_expression("y = a*b; L = y*c", {"a": 2, "b": 3, "c": 4})
    trace = run(graph)
    asked = [
        Question("contribution", e.sender, e.slot, k)
        for k, e in enumerate(trace.events, 1)
        if e.wire
    ]
    minus, other = "minus lost", "other input's slope"
    tries = [
        Attempt(q, (Try("9", "slip", (minus, other) if k else (other,)),))
        for k, q in enumerate(asked)
    ]
    report = Report(graph, Record("predict", "contribution", attempts=tuple(tries)))
    rows = AnswerRows()
    (tally,) = tallies(tries)
    assert {row.sentence for row in rows.rows(report)} == {tally.title}
    for open_questions in ((), asked[-1:]):
        found = rows.repeated(report, open_questions=open_questions)
        assert found is not None
        assert found.slip.name == other
        has_number = any(c.isdigit() for c in found.sentence)
        assert (has_number, bool(found.true_rule)) == (not open_questions, not open_questions)


@pytest.mark.parametrize(
    ("contribution", "total", "shown"),
    [
        (
            "6",
            "6",
            ("sum after × (e) → a", "4", ("6",)),
        ),  # the contribution is right, the sum is not
        ("-3", "6", ("contribution of × (e) → a", "+6", ("−3",))),
        ("-3", "4", ("contribution of × (e) → a", "+6", ("−3",))),
        ("6", "4", ("contribution of × (e) → a", "+6", ())),
    ],
)
def test_a_row_has_the_right_number_of_the_blank_that_was_answered_wrongly(
    contribution: str, total: str, shown: tuple[str, str, tuple[str, ...]]
):
    graph = from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})
    trace, attempts = run(graph), list[Attempt]()
    blanks: tuple[tuple[Kind, str], ...] = (("contribution", contribution), ("sum", total))
    for kind, text in blanks:
        question = Question(kind, 3, 0, 6)  # what e sends to a
        (judged,) = judge(trace, [(question, text)])
        slips = tuple(slip.name for slip in judged.slips)
        right = short(answer(question, trace)).replace("−", "-")
        tries = (Try(text, judged.verdict, slips), Try(right, "right"))
        attempts.append(Attempt(question, tries if judged.verdict != "right" else tries[1:]))
    record = Record("predict", "contribution and sum", attempts=tuple(attempts))
    (row,) = AnswerRows().rows(Report(graph, record))
    assert (row.title, row.number, row.wrong) == shown
