"""The numbers with which the leaves of a typed formula begin.

Whether they pass a gradient on is judged here by Python's own functions and finite differences.
"""

import math
import random
from collections.abc import Mapping
from typing import Final

import pytest

from engine.formats.expression import read_typed
from engine.graph import Constant, Graph, Leaf, OpNode
from engine.study.beginning import LEAST_SLOPE, MOST_NODES, SMALL, passes_gradients, started
from engine.study.friendly import Friendly, friendly_search, run_to_end
from engine.study.question import LEVELS
from engine.trace import run
from tests.helpers.sampling import sampled

FUNCTIONS: Final = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "pow": lambda a, b: a**b,
    "neg": lambda a: -a,
    "exp": math.exp,
    "log": math.log,
    "sqrt": math.sqrt,
    "sin": math.sin,
    "tanh": math.tanh,
}
NEAR: Final = 1e-3
"""How near to the bound a slope may be so that a difference quotient does not tell its side."""


def own_values(graph: Graph) -> dict[int, float] | None:
    """The values of the pass by Python's own functions; None where one has no finite value."""
    assert graph.root is not None
    found: dict[int, float] = {}
    for node in graph.plan(graph.root).order:
        what = graph.nodes[node]
        if isinstance(what, Leaf | Constant):
            found[node] = what.value
            continue
        assert isinstance(what, OpNode)
        try:
            found[node] = FUNCTIONS[what.op](*[found[s] for s in what.inputs if s is not None])
        except (ArithmeticError, ValueError):
            return None
        if isinstance(found[node], complex) or not math.isfinite(found[node]):
            return None
    return found


def leads_from_leaf(graph: Graph, node: int) -> bool:
    sources = [s for s in graph.inputs(node) if s is not None]
    return isinstance(graph.nodes[node], Leaf) or any(leads_from_leaf(graph, s) for s in sources)


def least_slope(graph: Graph, values: Mapping[int, float]) -> float:
    """The smallest slope of the pass in size, from difference quotients; 0 where one is none."""
    assert graph.root is not None
    found = [math.inf]
    for node in graph.plan(graph.root).order:
        what = graph.nodes[node]
        if not isinstance(what, OpNode):
            continue
        at = [values[s] for s in what.inputs if s is not None]
        for slot, source in enumerate(what.inputs):
            if source is None or not leads_from_leaf(graph, source):
                continue
            h = 1e-6 * max(1.0, abs(at[slot]))
            ends = [[*at[:slot], at[slot] + way * h, *at[slot + 1 :]] for way in (-1, 1)]
            try:
                low, high = (FUNCTIONS[what.op](*end) for end in ends)
            except (ArithmeticError, ValueError):
                return 0.0
            if isinstance(low, complex) or isinstance(high, complex):
                return 0.0
            found.append(abs((high - low) / (2 * h)))
    return min(found)


def random_formula(seed: int) -> str:
    draw, terms = random.Random(seed), ["3", "c", "b", "a"]
    for _k in range(draw.randint(1, 6)):
        form = draw.choice(
            (
                *("({} + {})", "({} - {})", "({} * {})", "({} / {})", "({} ** {})"),
                *("exp({})", "log({})", "sqrt({})", "sin({})", "tanh({})", "(-{})"),
            )
        )
        terms.append(form.format(draw.choice(terms[-2:]), draw.choice(terms)))
    return terms[-1]


def leaf_values(graph: Graph) -> list[float]:
    return [found.value for found in graph.nodes.values() if isinstance(found, Leaf)]


def drawn(graph: Graph, seed: int, leaves=None) -> Friendly:
    leaves = graph.leaves if leaves is None else leaves
    kinds = LEVELS["whole step"].kinds
    return run_to_end(friendly_search(graph, seed, kinds, leaves=leaves))


@pytest.mark.parametrize("seed", sampled(range(600), 6))
def test_leaves_count_up_from_2_exactly_where_the_pass_has_finite_values_and_no_flat_slope(seed):
    graph = read_typed(random_formula(seed))
    counted = {leaf: 2.0 + k for k, leaf in enumerate(graph.leaves)}
    found = started(graph, graph.leaves)
    tried = graph.with_values(counted)
    values = own_values(tried)
    least = 0.0 if values is None else least_slope(tried, values)
    if abs(least - LEAST_SLOPE) < NEAR:
        return
    ones = dict.fromkeys(graph.leaves, 1.0)
    assert found == (counted if least > LEAST_SLOPE else ones)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("(a*b + a) * f", [2, 3, 4]),
        ("a + a*a", [2]),
        ("log(a - b)", [1, 1]),  # of −1
        ("sqrt(a - b*c)", [1, 1, 1]),
        ("a / (b - 3)", [1, 1]),  # by 0
        ("tanh(a*b)", [1, 1]),  # flat at 6
        ("exp(exp(exp(a*b)))", [1, 1]),  # past the largest number
        ("x ** 2", [2]),
        ("a*b + inf", [1, 1]),
        ("2*3", []),
    ],
)
def test_it_is_known_of_these_formulas(text: str, numbers: list[float]):
    graph = read_typed(text)
    assert list(started(graph, graph.leaves).values()) == numbers


def test_a_leaf_with_a_value_keeps_it_and_no_other_gets_the_same():
    graph = read_typed("b = 3; y = a*b + c")
    a, b, c = (graph.node_named(name) for name in "abc")
    assert a is not None
    assert c is not None
    assert started(graph, [a, c]) == {a: 2.0, c: 4.0}
    assert b not in started(graph, [a, c])


@pytest.mark.parametrize(("leaves", "first"), [(400, 2.0), (700, 1.0)])
def test_a_graph_that_is_too_large_to_try_it_out_has_ones(leaves: int, first: float):
    graph = read_typed("+".join(f"a{k}" for k in range(leaves)))
    assert (len(graph.nodes) <= MOST_NODES) == (first == 2.0)
    assert next(iter(started(graph, graph.leaves).values())) == first


# those that are drawn


@pytest.mark.parametrize("text", ["(a*b + a) * f", "a*b*c*d*e*f", "a/b", "log(a)*b", "x**2 + y**2"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_drawn_numbers_are_finite_different_and_leave_no_slope_flat(text: str, seed: int):
    found = drawn(read_typed(text), seed)
    assert found.changed
    numbers = leaf_values(found.graph)
    assert len({*numbers}) == len(numbers)
    values = own_values(found.graph)
    assert values is not None
    assert least_slope(found.graph, values) > LEAST_SLOPE - NEAR


def test_the_formula_of_the_start_page_begins_with_2_3_and_7():
    found = drawn(read_typed("(a*b + a) * f"), 1)
    assert leaf_values(found.graph) == [2.0, 3.0, 7.0]
    assert run(found.graph).values[found.graph.root or 0] == 56.0


@pytest.mark.parametrize("text", ["x**2", "-log(p)", "a*b + a"])
def test_numbers_drawn_again_are_others(text: str):
    first = drawn(read_typed(text), 1)
    again = drawn(first.graph, 2)
    assert first.changed
    assert again.changed
    assert leaf_values(first.graph) != leaf_values(again.graph)


def test_only_the_leaves_that_are_asked_for_are_drawn():
    graph = read_typed("b = 1.25; y = a*b + c")
    b = graph.node_named("b")
    found = drawn(graph, 1, [leaf for leaf in graph.leaves if leaf != b])
    assert found.changed
    assert b is not None
    assert found.graph.nodes[b] == graph.nodes[b]
    assert 1.0 not in leaf_values(found.graph)


@pytest.mark.parametrize("text", ["a/b/c/d/e/f/g/h", "exp(a*b*c*d*e*f*g*h)", "(a*b)**999"])
def test_no_draw_flattens_a_graph_whose_slopes_are_not_flat(text: str):
    graph = read_typed(text)
    found = drawn(graph.with_values(dict.fromkeys(graph.leaves, 1.0)), 1)
    assert passes_gradients(found.graph)


@pytest.mark.parametrize("text", ["0*a", "relu(-a*a)"])
def test_where_each_slope_is_flat_anyway_numbers_are_drawn(text: str):
    assert drawn(read_typed(text), 1).changed


def test_for_a_large_graph_none_are_drawn():
    graph = read_typed("+".join(f"a{k}" for k in range(SMALL)))
    found = drawn(graph, 1)
    assert not found.changed
    assert found.graph is graph
