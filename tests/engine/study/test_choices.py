"""Choices are the right answer and what the likeliest slips give, or there are none."""

import math

import pytest

from engine import from_expression
from engine.numbers import short
from engine.rules import MISTAKES, Rules
from engine.study.judging import MOST_CHOICES, choices, judge
from engine.study.question import LEVELS, Question, answer, asked
from engine.trace import Trace, run
from tests.helpers.graphs import EXAMPLES, Example
from tests.helpers.pupil import wire_question

KINDS = LEVELS["whole step"].kinds
TABLE = [
    # expression, leaves, what is asked, the numbers as the curriculum lists them
    ("y = a*b", {"a": 2, "b": 5}, ("contribution", "y.2"), (1, 2, 5, 10)),
    ("u = k*x; y = m*u", {"k": 3, "x": 4, "m": 2}, ("contribution", "u.2"), (2, 3, 6, 8)),
    ("p = a+b; y = p*c", {"a": 2, "b": -3, "c": 10}, ("contribution", "p.2"), (-10, -1, 1, 10)),
    (
        *("e = a*b; d = e+a; L = d*f", {"a": 3, "b": -2, "f": 5}),
        *(("contribution", "e.1"), (-10, -2, 5, 15)),
    ),
    ("y = a*a", {"a": 3}, ("sum", "y.2"), (3, 4, 6, 12)),
    ("y = a*a", {"a": 3}, ("final", "a"), (0, 3, 6, 12)),
    ("y = a+a", {"a": 3}, ("final", "a"), (0, 1, 2, 3)),
    ("c=a+b; d=a*b; e=c+d; f=c*d; y=e+f", {"a": 2, "b": 3}, ("final", "a"), (1, 3, 6, 25)),
    ("y = relu(x)", {"x": -3}, ("contribution", "y.1"), (0, 1)),
    ("y = tanh(x)", {"x": 0.8813735870195432}, ("local", "y.1"), (0.5, 0.6293, 0.7071)),
    ("y = a/b", {"a": 6, "b": 2}, ("local", "y.2"), (-1.5, 1.5, 3)),
    ("y = tanh(x)", {"x": 3}, ("local", "y.1"), (0.009866, 0.4231, 0.9951)),
]


@pytest.mark.parametrize(("text", "leaves", "about", "numbers"), TABLE)
def test_the_choices_are_those_of_the_curriculum(text, leaves, about, numbers):
    trace = run(from_expression(text, leaves))
    kind, where = about
    node = trace.graph.node_named(where) or 0
    question = wire_question(kind, trace, where) if "." in where else Question(kind, node)
    assert choices(question, trace) == pytest.approx(numbers, rel=1e-3)


def test_of_a_sign_the_root_rises_falls_or_stays():
    trace = run(from_expression("y = a*b", {"a": 2, "b": 5}))
    assert choices(Question("sign", 1), trace) == (1, -1, 0)


def test_where_no_slip_shows_there_is_nothing_to_choose_from():
    trace = run(from_expression("y = a*b", {"a": 2, "b": 5}))
    assert choices(Question("value", 3), trace) == ()


@pytest.mark.parametrize("rules", [None, *MISTAKES[:3]])
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_of_the_choices_only_the_answer_is_right(example: Example, rules: Rules | None):
    graph = example.graph
    trace: Trace = run(graph) if rules is None else run(graph, rules=rules)
    for question in (*asked(trace, LEVELS["whole step"]), *asked(trace, LEVELS["final gradients"])):
        found = choices(question, trace)
        right = answer(question, trace)
        assert len(found) <= MOST_CHOICES
        assert len({short(x) for x in found}) == len(found)
        good = [x for x in found if judge(trace, [(question, short(x))])[0].right]
        assert not found or [short(x) for x in good] == [short(right)]
        assert sorted(x for x in found if not math.isnan(x)) == [
            x for x in found if not math.isnan(x)
        ]
