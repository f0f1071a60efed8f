"""Slips: each wrong belief is named from the number that it produces, and no other number is."""

import math
from collections.abc import Callable, Iterator, Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace

from engine import Graph, from_expression
from engine.asking.answering import grade
from engine.asking.beliefs import BELIEFS, belief_numbers, wrong_and_answer
from engine.asking.facts import StepFacts
from engine.asking.kinds import answer, error_scale, is_askable
from engine.asking.question import LEVELS, Question, facts, level_questions, near
from engine.rules import MISTAKES
from engine.trace import Trace, run
from tests.helpers.graphs import EXAMPLES
from tests.helpers.random_graphs import graphs
from tests.helpers.sampling import sampled, tries
from tests.helpers.tables import in_turn

TABLE = [
    # expression, leaves, wire as (target, slot), what is asked, the slip, its number by hand
    ("y = a*b", {"a": 2, "b": 3}, ("y", 0), "local", "own value", 2),
    ("y = a*b", {"a": 2, "b": 3}, ("y", 1), "local", "own value", 3),
    ("y = a*b", {"a": 4, "b": 3}, ("y", 0), "local", "product as sum", 1),
    ("y = a+b", {"a": 4, "b": 3}, ("y", 0), "local", "sum as product", 3),
    ("y = tanh(a)", {"a": 0.5}, ("y", 0), "local", "value for slope", math.tanh(0.5)),
    ("y = (a + b)*c", {"a": 2, "b": 3, "c": -4}, ("v3", 0), "contribution",
     "data for contribution", 2),
    ("e = a*b; y = e + a", {"a": 2, "b": -3}, ("e", 0), "sum", "data for sum", 2),
    ("e = a*b; y = e + a", {"a": 2, "b": -3}, ("e", 0), "sum", "minus lost in the sum", 2),
    (
        *("e = a*b; y = e + a", {"a": 2, "b": -3}, ("e", 0), "contribution"),
        *("gradient for contribution", -2),
    ),
    ("e = a*b; y = e + a", {"a": 2, "b": -3}, ("e", 0), "upstream", "value read for gradient", -6),
    (
        *("y = tanh(a)", {"a": 0.5}, ("y", 0), "local", "slope at the output"),
        1 - math.tanh(math.tanh(0.5)) ** 2,
    ),
    ("y = sin(a)", {"a": 0.5}, ("y", 0), "local", "slope at the output", math.cos(math.sin(0.5))),
    ("y = a**3", {"a": 2}, ("y", 0), "local", "exponent not lowered", 24),
    ("y = a**3", {"a": 2}, ("y", 0), "local", "exponent not in front", 4),
    ("y = square(a)", {"a": 3}, ("y", 0), "local", "exponent not lowered", 18),
    ("y = square(a)", {"a": 3}, ("y", 0), "local", "exponent not in front", 3),
    ("y = sqrt(a)", {"a": 4}, ("y", 0), "local", "exponent not lowered", 1),
    ("y = sqrt(a)", {"a": 4}, ("y", 0), "local", "exponent not in front", 0.5),
    ("y = -a", {"a": 4}, ("y", 0), "local", "minus lost in the slope", 1),
    ("y = a - b", {"a": 4, "b": 3}, ("y", 1), "local", "minus lost in the slope", 1),
    ("y = a/b", {"a": 8, "b": 2}, ("y", 1), "local", "minus lost in the slope", 2),
    ("y = cos(a)", {"a": 1}, ("y", 0), "local", "minus lost in the slope", math.sin(1)),
    ("y = acos(a)", {"a": 0}, ("y", 0), "local", "minus lost in the slope", 1),
    ("y = a**(-2)", {"a": 2}, ("y", 0), "local", "minus lost in the slope", 0.25),
    ("y = sigmoid(a)", {"a": 0}, ("y", 0), "local", "factor forgotten", 0.5),
    (*("y = silu(a)", {"a": 2}, ("y", 0), "local", "factor forgotten"), 1 / (1 + math.exp(-2))),
    ("y = a**b", {"a": 2, "b": 3}, ("y", 1), "local", "factor forgotten", 8),
    ("e = a*b; y = e*c", {"a": 2, "b": 3, "c": 5}, ("e", 0), "contribution", "own value", 10),
    (
        "e = a*b; y = e*c", {"a": 2, "b": 3, "c": 5}, ("e", 0), "contribution",
        "upstream forgotten", 3,
    ),
    (
        *("e = a*b; y = e*c", {"a": 2, "b": 3, "c": 5}, ("e", 0), "contribution"),
        *("local derivative forgotten", 5),
    ),
    ("e = a*b; y = e*c", {"a": 2, "b": 3, "c": 5}, ("e", 0), "contribution", "factors added", 8),
    (
        *("e = a*b; y = e*c", {"a": 2, "b": 3, "c": 5}, ("e", 0), "contribution"),
        *("other input's slope", 10),
    ),
    (
        "e = a*b; y = e*c",
        {"a": 2, "b": 3, "c": 5},
        ("e", 0),
        "contribution",
        "value for upstream",
        18,
    ),
    ("e = a*b; y = e*c", {"a": 2, "b": -3, "c": 5}, ("e", 0), "contribution", "minus lost", 15),
    ("y = a*b + a", {"a": 2, "b": 3}, ("v3", 0), "sum", "replaced", 3),
    ("y = a*b + a", {"a": 2, "b": 5}, ("v3", 0), "sum", "not added", 1),
    ("d = a*b; y = d + a*c", {"a": 2, "b": 5, "c": 3}, ("d", 0), "sum", "multiplied", 15),
    ("y = a*b + a", {"a": 2, "b": 5}, ("v3", 0), "sum", "counted twice", 11),
    ("y = a*b + a", {"a": 2, "b": 5}, ("v3", 0), "sum", "own value", 3),
    ("y = a*b + a", {"a": 7, "b": 3}, ("a", None), "final", "assign", 3),
    ("y = a*b + a", {"a": 7, "b": 3}, ("a", None), "final", "one path only", 1),
    ("y = a*b + a", {"a": 7, "b": 3}, ("a", None), "final", "value for gradient", 7),
    ("e = a*b; y = e + a", {"a": 2, "b": -3}, ("e", 0), "sum", "sizes added", 4),
    ("e = a*b; y = e*c", {"a": 2, "b": 3, "c": 5}, ("a", None), "final",
     "slope given for gradient", 3),
    ("y = -a", {"a": 2}, ("a", None), "sign", "own sign", 1),
]  # fmt: skip


def named(graph: Graph, name: str) -> int:
    """The node of a name; v3 is the node with id 3."""
    node = graph.node_named(name)
    return int(name[1:]) if node is None else node


def question_at(trace: Trace, wire: tuple[str, int | None], kind: str) -> Question:
    target, slot = named(trace.graph, wire[0]), wire[1]
    if slot is None:
        return Question(kind, target)  # pyright: ignore[reportArgumentType]
    step = trace.schedule.wires.index((target, slot)) + 1
    return Question(kind, target, slot, step)  # pyright: ignore[reportArgumentType]


@in_turn(("text", "leaves", "wire", "kind", "slip", "number"), TABLE)
def test_the_number_of_a_slip_is_what_the_belief_gives_by_hand(
    text, leaves, wire, kind, slip, number
):
    trace = run(from_expression(text, leaves))
    question = question_at(trace, wire, kind)
    found = [n for s in BELIEFS if s.name == slip for _w, n in wrong_and_answer(s, question, trace)]
    assert any(math.isclose(n, number) for n in found), found


CHANGES = [
    # y = a * b: a goes from 2 to 5 where b is 3, so y from 6 to 15
    ("new value", 15),
    ("leaf's own change", 3),
    ("slope alone", 3),
    ("other way round", -9),
]


@pytest.mark.parametrize(("slip", "number"), CHANGES)
def test_a_change_has_its_slips(slip: str, number: float):
    trace = run(from_expression("y = a*b", {"a": 2, "b": 3}))
    question = Question("change", 3, leaf=1, to=5.0)
    assert is_askable(question, trace)
    assert answer(question, trace) == 9
    found = [n for s in BELIEFS if s.name == slip for _w, n in wrong_and_answer(s, question, trace)]
    assert found == [number]


def test_a_change_needs_a_node_with_a_number_of_its_own():
    trace = run(from_expression("y = a*b", {"a": 2, "b": 3}))
    assert not is_askable(Question("change", 3, leaf=3, to=5.0), trace)
    assert not is_askable(Question("change", 3), trace)


def test_every_slip_but_those_of_mistakes_stands_in_the_tables():
    by_hand = {row[4] for row in TABLE} | {row[0] for row in CHANGES}
    rules = {rules.name for rules in MISTAKES}
    assert {slip.name for slip in BELIEFS} == by_hand | rules


@pytest.mark.parametrize("kind", ["local", "contribution"])
@pytest.mark.parametrize(
    ("text", "leaves"),
    [("y = a*b + c*a", {"a": 2, "b": 3, "c": 5}), ("y = a/b + exp(a)", {"a": 2, "b": 4})],
)
def test_the_negative_of_a_right_slope_or_contribution_is_a_minus_lost(kind, text, leaves):
    trace = run(from_expression(text, leaves))
    names = {"local": "minus lost in the slope", "contribution": "minus lost"}
    for question in level_questions(trace, LEVELS["whole step"]):
        if question.kind == kind:
            verdict = grade(question, trace, repr(-answer(question, trace)))
            assert verdict.slips[0].name == names[kind]


def questions(trace: Trace) -> Iterator[Question]:
    for level in LEVELS.values():
        yield from level_questions(trace, level)


def assert_slips_are_told(trace: Trace, every: int = 1) -> None:
    """Each slip's number is diagnosed as that slip, and never graded right."""
    for question in sampled(questions(trace), every):
        right, scale = answer(question, trace), error_scale(question, trace)
        for slip, number in belief_numbers(question, trace):
            verdict = grade(question, trace, repr(number), "shortest")
            assert verdict.kind == "slip", (question, slip.name, number, verdict)
            assert slip in verdict.slips
            assert verdict.sentence.endswith((".", ".)", "?"))
            assert "{" not in verdict.sentence
        for number in {n for s in BELIEFS for _w, n in wrong_and_answer(s, question, trace)}:
            seen = [n for _slip, n in belief_numbers(question, trace, ())]
            assert near(number, right, scale) != any(near(number, n) for n in seen)


@settings(
    max_examples=tries(200),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(graphs(most=8))
def test_every_slip_in_any_graph_is_named(graph: Graph):
    assert_slips_are_told(run(graph), every=5)


def test_the_likeliest_of_two_slips_is_told_and_the_other_named():
    trace = run(from_expression("e = a*b; y = e*c", {"a": 2, "b": 3, "c": 5}))
    verdict = grade(question_at(trace, ("e", 0), "contribution"), trace, "10")
    assert verdict.sentence == (
        "You took 2 as the slope. 2 is a itself; the slope of × (e) along a is the other factor, 3."
        " Or is it what goes to the other input?"
    )


@pytest.mark.parametrize(
    ("a", "b", "text", "said"),
    [
        (3, -2, "2", "The sign is wrong: the slope of × (y) along a is −2."),
        (3, 2, "-2", "The sign is wrong: the slope of × (y) along a is 2."),
    ],
)
def test_a_wrong_sign_is_called_so_whether_a_minus_was_lost_or_kept(
    a: float, b: float, text: str, said: str
):
    trace = run(from_expression("y = a*b", {"a": a, "b": b}))
    assert grade(question_at(trace, ("y", 0), "local"), trace, text).sentence == said


def test_a_mistake_that_gives_the_same_number_is_called_as_in_the_menus():
    trace = run(from_expression("u = a+b; y = u*a", {"a": 5, "b": 2}))
    said = grade(Question("final", 1), trace, "7").sentence
    assert "Or is it “Order not reversed” or “" in said


def by_output(f: StepFacts) -> tuple[float, ...]:
    return (f.op.partials[0](f.value, f.op.forward(f.value)),) if len(f.inputs) == 1 else ()


def of_silu(f: StepFacts) -> tuple[float, ...]:
    s = 1 / (1 + math.exp(-f.inputs[0]))
    return s, s + f.inputs[0] * (1 - s)


def others(f: StepFacts) -> list[int]:
    return [slot for slot in range(len(f.inputs)) if slot != f.slot]


def minus_in_formula(f: StepFacts) -> bool:
    return f.op.name in ("neg", "cos", "acos") or (
        (f.op.name in ("sub", "div") and f.slot == 1)
        or (f.op.name == "pow" and f.slot == 0 and f.inputs[1] < 0)
    )


IN_PYTHON: dict[str, Callable[[StepFacts], tuple[float, ...]]] = {
    "own value": lambda f: (f.inputs[f.slot],) if f.op.name in ("mul", "div") else (),
    "minus lost in the slope": lambda f: (-f.local,),
    "upstream forgotten": lambda f: (f.local,),
    "local derivative forgotten": lambda f: (f.upstream,),
    "replaced": lambda f: (f.contribution,),
    "not added": lambda f: (f.before,),
    "minus lost": lambda f: (-f.contribution,),
    "other input's slope": lambda f: tuple(
        f.upstream * f.op.partials[k](*f.inputs, f.value) for k in others(f)
    ),
    "slope at the output": by_output,
    "exponent not lowered": lambda f: {
        "square": lambda: (2 * f.value,),
        "sqrt": lambda: (0.5 * f.value,),
        "pow": lambda: (f.inputs[1] * f.value,) if f.slot == 0 else (),
    }.get(f.op.name, tuple)(),
    "exponent not in front": lambda f: {
        "square": lambda: (f.local / 2,),
        "sqrt": lambda: (f.local / 0.5,),
        "pow": lambda: (f.local / f.inputs[1],) if f.slot == 0 and f.inputs[1] else (),
    }.get(f.op.name, tuple)(),
    "factor forgotten": lambda f: {
        "sigmoid": lambda: (f.value, 1 - f.value),
        "silu": lambda: of_silu(f),
        "pow": lambda: (f.value,) if f.slot == 1 else (),
    }.get(f.op.name, tuple)(),
    "value for slope": lambda f: () if f.op.name == "exp" else (f.value,),
    "value read for gradient": lambda f: (f.value,),
    "value for upstream": lambda f: (f.value * f.local,),
    "factors added": lambda f: (f.upstream + f.local,),
    "counted twice": lambda f: (f.before + f.contribution + f.contribution,),
    "multiplied": lambda f: (f.before * f.contribution,),
    "product as sum": lambda f: (1.0,) if f.op.name == "mul" else (),
    "sum as product": lambda f: (f.inputs[others(f)[0]],) if f.op.name == "add" else (),
    "data for contribution": lambda f: (f.inputs[f.slot],) if f.op.name in ("add", "sub") else (),
    "data for sum": lambda f: (f.inputs[f.slot],),
    "minus lost in the sum": lambda f: (-f.after,) if min(f.before, f.contribution) < 0 else (),
}


@in_turn("example", [each for each in EXAMPLES if len(each.graph.nodes) < 100])
def test_each_formula_of_a_belief_gives_what_python_says(example):
    trace = run(example.graph)
    beliefs = [each for each in BELIEFS if each.name in IN_PYTHON]
    assert {b.name for b in BELIEFS if isinstance(b.formulas, str | Mapping)} - {
        *("value for gradient", "sizes added", "own sign"),
        *(name for name, _number in CHANGES),
    } == {each.name for each in beliefs}
    for step, event in enumerate(trace.events, 1):
        if event.wire is None:
            continue
        for belief in beliefs:
            question = Question(belief.kind, *event.wire, step)
            expected = IN_PYTHON[belief.name](facts(question, trace))
            assert belief.numbers(question, trace) == pytest.approx(expected, nan_ok=True)
            if belief.carried is not None:
                later = belief.numbers(replace(question, kind="sum"), trace)
                assert bool(later) == minus_in_formula(facts(question, trace))
