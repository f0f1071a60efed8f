"""Records: a run can be summed up, graded again, and its pattern of slips is found."""

import pytest

from engine import from_expression
from engine.study.grading import grade
from engine.study.question import LEVELS, Question, answer, asked
from engine.study.record import Attempt, Record, pattern, regraded, summary
from engine.study.slips import SLIPS, slip_numbers
from engine.trace import Trace, run
from tests.helpers.graphs import demonstration


def attempt(trace: Trace, question: Question, text: str) -> Attempt:
    verdict = grade(question, trace, text)
    return Attempt(question, text, verdict.kind, tuple(slip.name for slip in verdict.slips))


def learner(trace: Trace, level: str, belief: str) -> Record:
    """A run of someone who holds one wrong belief and else computes right."""
    record = Record("predict", level)
    for question in asked(trace, LEVELS[level]):
        wrong = [n for slip, n in slip_numbers(question, trace) if slip.name == belief]
        number = wrong[0] if wrong else answer(question, trace)
        record = record.with_attempt(attempt(trace, question, repr(number)))
    return record


BELIEFS = (
    ("own value", "local", "c=a+b; d=a*b; y=c*d"),
    ("own value", "contribution", "c=a+b; d=a*b; e=c+d; f=c*d; y=e+f"),
    ("upstream forgotten", "contribution", "c=a+b; d=a*b; e=c*d; f=e*c; y=f*a"),
    ("replaced", "sum", "c=a+b; d=a*b; e=c+d; f=c*d; y=e+f"),
    ("minus lost in the slope", "local", "c=a-b; d=-c; y=d - a"),
    ("minus lost in the slope", "contribution", "p=a*a; c=p-b; d=c*b; e=d-a; y=e*a"),
    ("value for slope", "local", "c=tanh(a); d=sigmoid(c); y=d*b"),
    ("value for slope", "contribution", "c=tanh(a); d=sigmoid(c); y=d*b"),
)


@pytest.mark.parametrize(("belief", "level", "text"), BELIEFS)
def test_a_belief_is_named_by_the_second_answer_that_it_changes(belief, level, text):
    trace = run(from_expression(text, {"a": 2, "b": 3}))
    record, changed = Record("predict", level), 0
    for told in learner(trace, level, belief).attempts:
        record = record.with_attempt(told)
        changed += not told.right
        if changed == 2:
            break
    assert changed == 2, "the graph shows the belief twice"
    found = pattern(record)
    assert found is not None
    assert found.slip.name == belief


def test_one_slip_is_no_pattern():
    trace = run(demonstration())
    question = asked(trace, LEVELS["local"])[4]
    record = Record("predict", "local").with_attempt(attempt(trace, question, "6"))
    assert not record.attempts[0].right
    assert pattern(record) is None


def test_a_summary_counts_what_was_right_first_time():
    trace = run(demonstration())
    record = learner(trace, "sum", "replaced")
    found = summary(record)
    wrong = sum(not told.right for told in record.attempts)
    assert (found.asked, found.right_first) == (len(record.attempts), len(record.attempts) - wrong)
    assert [(slip.name, count) for slip, count in found.slips] == [("replaced", wrong)]


def test_grading_again_gives_the_same_verdicts_whatever_the_file_says():
    graph = demonstration()
    record = learner(run(graph), "all", SLIPS[0].name)
    forged = Record("predict", "all", attempts=tuple(
        Attempt(told.question, told.text, "right") for told in record.attempts
    ))  # fmt: skip
    for (told, verdict), true in zip(regraded(forged, graph), record.attempts, strict=True):
        assert verdict.kind == true.verdict
        assert told.text == true.text


def test_an_answer_after_a_change_of_values_is_graded_with_the_new_ones():
    graph = from_expression("y = a*b", {"a": 2, "b": 3})
    question = Question("local", 3, 0, 2)
    told = Attempt(question, "5", "right", values={2: 5.0})
    record = Record("predict", "local", changed=True).with_attempt(told)
    assert [verdict.kind for _told, verdict in regraded(record, graph)] == ["right"]
