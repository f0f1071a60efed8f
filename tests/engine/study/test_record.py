"""Records: a run can be summed up, graded again, and its pattern of slips is found."""

from typing import Any

import pytest

from engine import from_expression
from engine.study.grading import grade
from engine.study.paths import path_products, paths
from engine.study.question import LEVELS, Question, answer, asked
from engine.study.record import (
    Attempt,
    Record,
    Try,
    is_clean,
    pattern,
    regraded,
    summary,
    there_were,
)
from engine.study.slips import SLIPS, slip_numbers
from engine.trace import Trace, run
from tests.helpers.graphs import demonstration


def attempt(trace: Trace, question: Question, text: str) -> Attempt:
    verdict = grade(question, trace, text)
    slips = tuple(slip.name for slip in verdict.slips)
    return Attempt(question, (Try(text, verdict.kind, slips),))


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
    question = asked(trace, LEVELS["slope"])[4]
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
        Attempt(told.question, (Try(told.text, "right"),)) for told in record.attempts
    ))  # fmt: skip
    for (told, (verdict,)), true in zip(regraded(forged, graph), record.attempts, strict=True):
        assert verdict.kind == true.verdict
        assert told.text == true.text


def test_an_answer_after_a_change_of_values_is_graded_with_the_new_ones():
    graph = from_expression("y = a*b", {"a": 2, "b": 3})
    question = Question("local", 3, 0, 2)
    told = Attempt(question, (Try("5", "right"),), values={2: 5.0})
    record = Record("predict", "local", changed=True).with_attempt(told)
    assert [verdict.kind for _told, (verdict,) in regraded(record, graph)] == ["right"]


def test_what_was_seen_or_helped_is_not_right_first_time():
    trace = run(demonstration())
    first, second, third, fourth = asked(trace, LEVELS["slope"])[:4]

    def given(question: Question, *texts: str, **rest: Any) -> Attempt:
        return Attempt(
            question, tuple(Try(t, grade(question, trace, t).kind) for t in texts), **rest
        )

    right = [repr(answer(question, trace)) for question in (first, second, third, fourth)]
    record = Record("predict", "local", attempts=(
        given(first, right[0], seen=True),
        given(second, "77", right[1]),
        given(third, right[2], hints=1),
        given(fourth, right[3]),
    ))  # fmt: skip
    found = summary(record)
    assert (found.asked, found.answered, found.seen, found.right_first) == (4, 4, 1, 1)
    assert [attempt.right for attempt in record.attempts] == [True] * 4
    wanted = [attempt.question for attempt in record.attempts]
    assert not is_clean(record.attempts, wanted)
    assert is_clean([given(q, text) for q, text in zip(wanted, right, strict=True)], wanted)


@pytest.mark.parametrize(("level", "last", "number"), [
    ("local", None, 10), ("local", 3, 3), ("local", 99, 10), ("final", 3, 7), ("sum", None, 10),
])  # fmt: skip
def test_the_questions_there_were_are_those_of_the_steps_asked_about(level, last, number):
    graph = demonstration()
    assert there_were(Record("predict", level, last=last), graph) == number


def test_the_values_count_where_one_of_them_was_asked():
    graph = demonstration()
    value = Attempt(Question("value", 3), (Try("5", "right"),))
    both = Attempt(Question("final", 1), (Try("5", "right"),))
    assert there_were(Record("predict", "final", attempts=(value,)), graph) == 5
    assert there_were(Record("predict", "final", attempts=(value, both)), graph) == 12


def test_the_products_of_all_nodes_are_those_of_their_paths_to_the_last_bit():
    for graph in (demonstration(), from_expression("c=a-b; d=-c; e=d*a; y=tanh(e)*e - a")):
        trace = run(graph)
        for limit in (1, 2, 50):
            found = path_products(trace, limit)
            for node in trace.graph.plan(trace.root).order:
                walked = [path.product for path in paths(graph, node, limit=limit)]
                assert found[node] == walked
