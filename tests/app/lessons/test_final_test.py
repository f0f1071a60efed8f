"""The final test: what a seed draws, the verdicts on answers, and the file that is handed in."""

import json
from typing import Any

import pytest

from app.lessons import final_test
from app.lessons.course import names
from app.lessons.final_test import (
    KINDS,
    FinalAnswers,
    FinalReport,
    FinalTest,
    changed_verdicts,
    drawn_test,
    graded,
    ideas_shown,
    lesson_of,
    name_of_click,
    report_of,
)
from engine.asking.beliefs import belief_numbers
from engine.asking.hand_run import click_slip
from engine.asking.inference import BY_NAME, confusable
from engine.asking.kinds import answer, long_name
from engine.asking.question import Question, facts
from engine.errors import FormatError
from engine.formats.expression import write
from engine.graph import Leaf, OpNode
from engine.numbers import plain
from engine.trace import Trace
from tests.helpers.sampling import sampled
from tests.helpers.tables import in_turn

DRAWN = {
    1: "a = 2; u = a**2; b = 7; v = u*b; w = v + b; y = w*a: slope of × (y) → w\n"
    "a = -6; b = 4; u = a*b; v = u*b; y = v + b: slope of × (v) → u\n"
    "b = -4; a = -3; u = b*a; v = u + a; w = v + a; y = w*u: contribution of × (u) → a\n"
    "c = -2; b = 5; u = c*b; a = 3; v = a**2; y = u*v: contribution of xʸ (v) → a\n"
    "a = 2; u = a**2; b = 3; v = u*b; w = v - b; y = w*b: sum after × (v) → b\n"
    "b = -5; a = 4; u = b + a; v = u*a; y = v*a: final gradient of a\n"
    "b = -2; u = b**2; a = -5; v = u - a; w = v*b; y = w*a: final gradient of b\n"
    "c = -3; a = 3; u = c*a; v = u - a; b = -6; y = v*b: next node\n"
    "c = 6; a = 7; b = -4; u = a + b; v = u*b; y = c*v",
    4117: "b = -5; a = 7; u = b*a; c = -6; v = c*a; y = u - v: slope of × (u) → a\n"
    "a = -6; b = -4; u = a*b; v = u - b; w = v - b; y = w + b: slope of × (u) → a\n"
    "a = -4; b = 2; u = a*b; c = 6; v = c - a; y = u*v: contribution of × (u) → b\n"
    "c = 6; a = -4; u = c + a; b = -5; v = u*b; y = v*a: contribution of × (v) → b\n"
    "a = -2; b = 2; u = a*b; v = u**2; y = v*a: sum after × (u) → a\n"
    "a = -2; b = -3; u = a - b; y = u*a: final gradient of b\n"
    "b = 2; a = 7; u = b + a; y = u*b: final gradient of b\n"
    "a = -2; b = -1; u = a + b; v = u*a; y = v**2: next node\n"
    "b = -1; a = -2; u = b - a; v = u*a; w = v*b; y = w*b",
}
"""The tests of two seeds: a report is judged by the test that was drawn."""
SEEDS = sampled(range(1, 10_000), 400)


def text_of(test: FinalTest) -> str:
    singles = ((each.trace.graph, each.question) for each in test.singles)
    lines = [f"{write(graph)}: {long_name(question, graph)}" for graph, question in singles]
    return "\n".join((*lines, write(test.all_gradients.trace.graph)))


@pytest.mark.parametrize("seed", DRAWN)
def test_a_seed_draws_the_same_test_everywhere(seed: int):
    assert text_of(drawn_test(seed)) == DRAWN[seed]


def size(trace: Trace) -> int:
    return sum(isinstance(node, Leaf | OpNode) for node in trace.graph.nodes.values())


def is_shared(trace: Trace) -> bool:
    return any(len(trace.graph.outgoing[leaf]) > 1 for leaf in trace.graph.leaves)


def test_every_test_keeps_its_promises():
    for seed in SEEDS:
        try:
            assert_keeps_promises(drawn_test(seed))
        except AssertionError as broken:
            raise AssertionError(f"seed {seed}") from broken


def assert_keeps_promises(test: FinalTest) -> None:
    assert tuple(single.question.kind for single in test.singles) == KINDS
    assert all(4 <= size(single.trace) <= 8 for single in test.singles)
    assert sum(is_shared(single.trace) for single in test.singles) >= 4
    assert 6 <= len(test.all_gradients.questions) == size(test.all_gradients.trace) <= 8
    assert is_shared(test.all_gradients.trace)
    for single in test.singles:
        question, trace = single.question, single.trace
        assert {n.op for n in trace.graph.nodes.values() if isinstance(n, OpNode)} <= {
            *("add", "sub", "mul", "pow")
        }
        if question.wire is not None and question.kind != "next":
            # the slope alone, or what came passed on, is another number than the answer
            at = facts(question, trace)
            before = at.before if question.kind == "sum" else 0.0
            assert question.kind == "local" or at.local + before != answer(question, trace)
            assert question.kind == "local" or at.upstream + before != answer(question, trace)
            assert abs(at.local) != 1
            assert not confusable(question, trace)
        if question.kind != "next":
            right = answer(question, trace)
            assert right not in [number for _slip, number in belief_numbers(question, trace)]
            assert question.kind != "final" or abs(right) != 1


def test_its_lesson_has_a_step_per_question_and_one_for_the_whole_graph():
    lesson = lesson_of(drawn_test(4117))
    assert lesson.kind == "test"
    assert [len(step.asks) for step in lesson.steps] == [1] * 8 + [6]
    assert not any(step.hint or step.moves or step.friendly for step in lesson.steps)


# the verdicts


def right(question: Question, trace: Trace) -> str:
    if question.kind == "next":
        return name_of_click(trace.graph, question.node)
    return plain(answer(question, trace))


def answers_to(test: FinalTest, **others: str) -> FinalAnswers:
    """The right answers, but those given: `q3` is that to the third, `w2` the second gradient."""
    texts = [right(*asked) for asked in test.asked]
    for place, text in others.items():
        texts[int(place[1:]) - 1 + (len(KINDS) if place[0] == "w" else 0)] = text
    count = len(KINDS)
    singles, gradients, seconds = texts[:count], texts[count:], (1.5,) * (count + 1)
    return FinalAnswers(test.seed, (*singles,), (*gradients,), seconds)


TEST = drawn_test(4117)


@in_turn(
    ("others", "score", "passed"),
    [
        ({}, (8, 6), True),
        ({"q3": "-4"}, (7, 6), True),
        ({"q3": "-4", "q8": "u"}, (6, 6), False),
        ({"w6": "18"}, (8, 5), False),
        ({"q1": "-10/2", "q4": "-4*2"}, (8, 6), True),
    ],
)
def test_seven_of_eight_and_the_whole_graph_pass(
    others: dict[str, str], score: tuple[int, int], passed: bool
):
    found = graded(TEST, answers_to(TEST, **others))
    assert (found.right_singles, found.right_gradients) == score
    assert found.passed is passed


def test_a_wrong_answer_gets_its_slip_in_full():
    found = graded(TEST, answers_to(TEST, q3="-4", q8="u")).singles
    assert found[2].said == "−4 is the local derivative alone; × (u) got 10, so 10 × −4 goes to b."
    assert (found[7].slips, found[7].said, found[7].right_text) == (
        ("waits",),
        "+ (u) still waits.",
        "v",
    )


# the file


def report(**others: str) -> FinalReport:
    return report_of(answers_to(TEST, **others), "Ada")


def test_a_report_is_read_as_it_was_written():
    assert final_test.read_report(final_test.report_text(report(q3="-4"))) == report(q3="-4")


def edited(**fields: Any) -> str:
    return json.dumps({**json.loads(final_test.report_text(report())), **fields})


def single(place: int, **fields: Any) -> dict[str, Any]:
    singles = json.loads(final_test.report_text(report()))["answers"]
    singles[place - 1] |= fields
    return {"answers": singles}


def whole(place: int, **fields: Any) -> dict[str, Any]:
    found = json.loads(final_test.report_text(report()))["whole"]
    found["answers"][place - 1] |= fields
    return {"whole": found}


NOT_A_TEST = "The file is not a Backwire test: "


@in_turn(
    ("fields", "said"),
    [
        ({"format": "backwire report"}, NOT_A_TEST + 'it has no "format": "backwire test".'),
        ({"version": 3}, "The file is of version 3; this program reads up to version 2."),
        ({"seed": 10_000}, NOT_A_TEST + "Expected `int` <= 9999 - at `$.seed`."),
        ({"score": 8}, NOT_A_TEST + "Object contains unknown field `score`."),
        ({"student": "a" * 201}, "The report: the student's name has at most 200 characters."),
        ({"answers": []}, "The report: a test has 8 single questions, not 0."),
        (
            {"test": "0"},
            "The report: another version of Backwire drew the test of seed 4117; grade it there.",
        ),
        (single(2, text="three"), 'Answer 2: "three" is no number.'),
        (single(8, text="q"), 'Answer 8: the graph has no node "q".'),
        (single(1, text="1" * 81), "Answer 1: an answer has at most 80 characters."),
        (
            single(1, seconds=-1),
            NOT_A_TEST + "Expected `float` >= 0.0 - at `$.answers[0].seconds`.",
        ),
        (whole(3, text=""), 'The whole graph, answer 3: "" is no number.'),
        ({"whole": {"seconds": 1, "answers": []}}, "The whole graph: it has 6 gradients, not 0."),
    ],
)  # fmt: skip
def test_a_fault_is_said_in_one_sentence_with_its_place(fields: dict[str, Any], said: str):
    with pytest.raises(FormatError) as refused:
        final_test.read_report(edited(**fields))
    assert str(refused.value) == said


def test_a_verdict_that_was_edited_is_noticed():
    forged = final_test.read_report(edited(**single(3, text="-4", verdict="right")))
    assert changed_verdicts(forged, graded(TEST, forged.answers)) == [(3, "right")]


def slip_at(place: str, *names: str) -> dict[str, str]:
    """An answer with the first number of these beliefs, to the question at a place."""
    index = int(place[1:]) - 1 + (len(KINDS) if place[0] == "w" else 0)
    question, trace = TEST.asked[index]
    if question.kind == "next":
        slips = ((node, click_slip(trace, question.step, node)) for node in trace.graph.names)
        wrong = next(node for node, slip in slips if slip is not None and slip.name in names)
        return {place: name_of_click(trace.graph, wrong)}
    numbers = belief_numbers(question, trace, ())
    return {place: plain(next(x for belief, x in numbers if belief.name in names))}


@in_turn(
    ("wrong", "ideas"),
    [
        ({}, []),
        (slip_at("q3", "upstream forgotten"), [("slope only", 2, (2,))]),
        (
            slip_at("q1", "own value") | slip_at("q2", "own value") | slip_at("q5", "replaced"),
            [("own", 3, (0, 1)), ("replaces", 6, (4,))],
        ),
        (
            slip_at("q8", "waits") | slip_at("q4", "local derivative forgotten") | {"q6": "1e9"},
            [("passed on", 2, (3,)), ("order", 9, (7,)), ("", 0, (5,))],
        ),
        (slip_at("w6", "one path only"), [("one path", 10, (13,))]),
    ],
)
def test_the_rows_of_a_result_are_the_beliefs_the_earliest_lesson_first(
    wrong: dict[str, str], ideas: list[tuple[str, int, tuple[int, ...]]]
):
    found = ideas_shown(graded(TEST, answers_to(TEST, **wrong)))
    assert [(each.idea, each.lesson, each.places) for each in found] == ideas
    assert all((each.lesson_name != "") == (each.lesson > 0) for each in found)


def test_each_idea_leads_to_a_lesson_of_the_course():
    assert final_test.LESSONS.keys() == BY_NAME.keys()
    assert set(final_test.LESSONS.values()) <= set(names())
