"""The rows of a run, its pattern and its counts name a slip alike."""

from app.workbench.study.predictions import AnswerRows
from engine import from_expression
from engine.formats.report import Report
from engine.study.question import Question
from engine.study.record import Attempt, Record, Try, slips_made
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
    assert {row.sentence for row in rows.rows(report)} == {other}
    assert [slip.name for slip, _count in slips_made(tries)] == [other]
    for open_questions in ((), asked[-1:]):
        found = rows.repeated(report, open_questions=open_questions)
        assert found is not None
        assert found.slip.name == other
        has_number = any(c.isdigit() for c in found.sentence)
        assert (has_number, bool(found.true_rule)) == (not open_questions, not open_questions)
