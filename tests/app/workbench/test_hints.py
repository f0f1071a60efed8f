"""Hints lead to an answer and leave the last step of the work to the learner."""

import pytest

from app.workbench.hints import hint
from engine import from_expression
from engine.rules import BY_NAME
from engine.study.question import LEVELS, Question, answer, asked
from engine.trace import Trace, run


@pytest.fixture
def shared() -> Trace:
    return run(from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2}))


def hints(question: Question, trace: Trace) -> list[str]:
    return [hint(question, trace, number) for number in (1, 2, 3)]


def test_the_three_hints_of_a_contribution(shared: Trace):
    question = next(q for q in asked(shared, LEVELS["contribution"]) if q.step == 6)
    assert hints(question, shared) == [
        "Chain rule: what × (e) got, times its slope along a.",
        "× (e) got −2; its slope along a is −3.",
        "−2 × (−3) = …",
    ]


def test_the_three_hints_of_a_local_derivative_name_its_formula_and_not_its_number(shared: Trace):
    product, total = Question("local", 3, 0, 6), Question("local", 4, 0, 4)
    assert hints(product, shared)[1:] == [
        "× (e) is a × b, here 2 × (−3).",
        "The slope of a × b along a is b: put the number in.",
    ]
    assert hints(total, shared)[2] == "Let e go up by 1, the rest stay: how much does e + a change?"


def test_the_three_hints_of_a_sum_and_of_a_final_gradient(shared: Trace):
    assert hints(Question("sum", 3, 0, 6), shared)[2] == "−2 + 6 = …"
    assert hints(Question("final", 1), shared)[1:] == [
        "The paths are a → e → d → L; a → d → L.",
        "(−3) × 1 × (−2) + 1 × (−2) = …",
    ]


def test_under_a_mistake_a_hint_says_what_the_mistake_does(shared: Trace):
    wrong = run(shared.graph, rules=BY_NAME["assign"])
    assert "replaces" in hint(Question("sum", 3, 0, 6), wrong, 1)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "formula",
    ["y = tanh(a*3) + b", "y = a**2 / b - b", "y = relu(-a) * exp(b)", "y = a + a * b + a"],
)
def test_every_question_has_three_hints_none_of_which_says_that_it_is_the_answer(
    formula: str, level: str
):
    trace = run(from_expression(formula, {"a": 0.75, "b": 1.5}))
    for question in asked(trace, LEVELS[level]):
        found = hints(question, trace)
        assert len(set(found)) == 3 or question.kind in ("upstream", "next")
        assert all(text.endswith((".", "?", "…")) for text in found)
        told = {f"= {answer(question, trace):g}.", f"is {answer(question, trace):g}."}
        if question.kind not in (
            "contribution",
            "next",
        ):  # where one factor is 1 the other is the product
            assert not any(text.endswith(tuple(told)) for text in found)
