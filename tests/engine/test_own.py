"""Operations of one's own: made from a formula, they are rows like those of the table."""

import math
import random

import numpy
import pytest

from engine import edits
from engine.check import check
from engine.compiled.arrays import array_op
from engine.errors import EngineError
from engine.formats import native
from engine.formats.expression import read_typed, write
from engine.formats.own_formula import own_operation, with_operation
from engine.graph import Graph, OpNode
from engine.ops import Op
from engine.trace import run
from tests.helpers.tables import in_turn

BEND = own_operation("bend", "a * sigmoid(a)")
TWICE = own_operation("twice", "bend(x) + bend(x*y)", "", (BEND,))
FORMULAS = (
    "a * sigmoid(a)", "maximum(a, b)", "relu(a - 3)", "abs(a + 10)", "log(a*b - 5.9)",
    "a/b + b/a", "where_gt0(a, b, a*b)", "exp(-a^2)", "square(square(a))", "gelu(a)*tanh(b)",
    "softplus(a) - elu(b)/leaky_relu(a)", "floor(a) + sign(b)", "a**b", "3a² − 4a + 5",
    "minimum(relu(a), b)", "√a + log1p(b)", "1/(1 + e**(-a))", "silu(a) - tan(b)", "a - a",
    "max(max(a, b), max(c, d))", "asin(a)*acos(b)*atan(c)", "a**3/(b - 1)/(b + 1)", "neg(a)*cos(b)",
)  # fmt: skip


def graph_of(text: str, *operations: Op) -> Graph:
    return read_typed(text, (), operations).named


def points(count: int, seed: int = 5) -> list[list[float]]:
    draw = random.Random(seed)
    usual = (0.0, 1.0, -1.0, 2.0)
    return [
        [draw.choice((draw.uniform(-4, 4), draw.choice(usual))) for _ in range(count)]
        for _ in range(40)
    ]


@in_turn("formula", FORMULAS)
def test_value_and_slopes_are_those_of_the_pass_over_its_formula(formula: str):
    op, graph = own_operation("mine", formula), graph_of(formula)
    leaves = sorted(graph.leaves)
    for at in points(len(leaves)):
        trace = run(graph.with_values(dict(zip(leaves, at, strict=True))))
        value = op.forward(*at)
        assert value == pytest.approx(trace.values[trace.root], rel=1e-14, nan_ok=True)
        if not math.isfinite(value) or op.kink(*at):
            continue
        for partial, leaf in zip(op.partials, leaves, strict=True):
            wanted = trace.gradients[leaf]
            assert partial(*at, value) == pytest.approx(wanted, rel=1e-12, abs=1e-13, nan_ok=True)


@in_turn("formula", FORMULAS)
def test_arrays_and_checks_take_it_as_they_take_the_table(formula: str):
    op = own_operation("mine", formula)
    graph = graph_of(f"L = mine({', '.join(op.slots)})", op)
    at = [0.7, 1.4, -0.3, 0.2][: len(op.slots)]
    graph = graph.with_values(dict(zip(sorted(graph.leaves), at, strict=True)))
    rule, into = array_op(op).forward, numpy.empty(1)
    with numpy.errstate(all="ignore"):
        rule.compute(*[numpy.array([at[slot]]) for slot in rule.reads], into)
    assert into[0] == pytest.approx(op.forward(*at), rel=1e-12, nan_ok=True)
    if math.isfinite(op.forward(*at)):
        assert all(each.verdict != "differs" for each in check(graph))


def test_it_is_called_in_formulas_and_stays_in_the_file():
    graph = graph_of("s = bend(u); L = s*w + twice(s, 3)", BEND, TWICE)
    assert write(graph, values=False) == "s = bend(u); L = s*w + twice(s, 3)"
    text = native.FORMAT.write(graph)
    assert '"version": 7' in text
    assert '{"name": "bend", "formula": "a * sigmoid(a)"}' in text
    again = native.FORMAT.read(text)
    assert again == graph
    assert native.FORMAT.write(again) == text


def test_one_that_no_node_uses_stays_in_the_file_too():
    graph = Graph(operations=(BEND,))
    assert native.FORMAT.read(native.FORMAT.write(graph)).operations == (BEND,)


def test_it_unfolds_into_its_formula_with_the_same_numbers():
    graph = graph_of("L = twice(u, v)*u", BEND, TWICE)
    graph = graph.with_values(dict(zip(sorted(graph.leaves), (0.4, -2.0), strict=True)))
    before = run(graph).gradients
    while nodes := [
        n for n in graph.nodes if getattr(graph.nodes[n], "op", "") in ("bend", "twice")
    ]:
        graph = edits.unfold(graph, nodes[0])
    after = run(graph).gradients
    assert all(after[leaf] == pytest.approx(before[leaf]) for leaf in graph.leaves)


def test_pasted_beside_another_of_its_name_it_is_called_otherwise_and_what_uses_it_follows():
    sheet = graph_of("L = bend(u)", own_operation("bend", "a * a"))
    pasted = graph_of("M = twice(v, w)", BEND, TWICE)
    both, _ids = edits.merge(sheet, pasted)
    names = {op.name: op.typed for op in both.operations}
    assert names["bend"] == "a * a"
    assert names["bend_2"] == "a * sigmoid(a)"
    assert names["twice"] == "bend_2(x) + bend_2(x*y)"
    assert {n.op for n in both.nodes.values() if isinstance(n, OpNode)} == {"bend", "twice"}


def test_a_changed_one_changes_those_that_use_it():
    changed = with_operation((BEND, TWICE), own_operation("bend", "a + 1"), "bend")
    assert [(op.name, op.value) for op in changed] == [
        ("bend", "a + 1"), ("twice", "x + 1 + (x * y + 1)"),
    ]  # fmt: skip
    renamed = with_operation((BEND, TWICE), own_operation("curve", "a * a"), "bend")
    assert [(op.name, op.typed) for op in renamed] == [
        ("curve", "a * a"), ("twice", "curve(x) + curve(x*y)"),
    ]  # fmt: skip


REFUSED = (
    ("tanh", "a", "tanh is taken; choose another name."),
    ("max", "a*a", "max is taken; choose another name."),
    ("neuron", "a*a", "neuron is taken; choose another name."),
    ("lambda", "a*a", "lambda is taken; choose another name."),
    ("x y", "a*a", "The name is one word of up to 24 letters, digits and _."),
    ("mine", "mine(a)", "mine is used in its own formula."),
    ("mine", "2", "An operation has a slot: write its formula with a letter, such as a."),
    ("mine", "a", "The value is a formula of its slots, such as a * sigmoid(a)."),
    ("mine", "a+b+c+d+f", "An operation has at most 4 slots; a, b, c, d, f are 5."),
    ("mine", "abc*a", "A slot is one letter, such as a or x; abc is not."),
    ("mine", "inf*a", "inf and nan can't stand in the formula of an operation."),
    ("mine", "a; b", "Line 1, column 1: only the last formula may stand without a name."),
    ("mine", "t = a*a; t*t", "The value is one formula on one line."),
    ("mine", "(", "Line 1, column 1: this bracket is never closed."),
    ("mine", "a" * 100_000, "The formula has up to 200 characters."),
    ("mine", "tanh(a, a)", "Line 1, column 1: tanh takes one argument, not 2."),
    ("mine", "exp", "Line 1, column 1: exp is the name of a function or a number."),
    ("mine", "__import__('os')", "Line 1, column 1: there is no function called __import__."),
    ("mine", "a.__class__", "Line 1, column 2: write a function after the dot: x.tanh()."),
    ("mine", "(lambda: a)()", "Line 1, column 2: lambda can't stand here."),
    ("mine", "", "The expression is empty."),
)


@in_turn(("name", "formula", "sentence"), REFUSED)
def test_what_can_not_be_one_is_refused_in_a_sentence(name: str, formula: str, sentence: str):
    with pytest.raises(EngineError) as caught:
        own_operation(name, formula)
    assert str(caught.value) == sentence


def test_none_comes_to_use_itself():
    with pytest.raises(EngineError, match="bend would use itself"):
        with_operation((BEND, TWICE), own_operation("bend", "twice(a, a)", "", (TWICE,)), "bend")


def test_one_that_doubles_in_each_it_uses_is_refused_before_it_is_written_out():
    deep, refused = BEND, ""
    for k in range(20):
        formula = f"{deep.name}({deep.name}(a)) + {deep.name}(a)"
        try:
            deep = own_operation(f"mine{k}", formula, "", (deep,))
        except EngineError as error:
            refused = str(error)
            break
    assert refused == "The formula is too long when it is written out."
