"""The numbers with which the leaves of a typed formula begin."""

import pytest

from engine.asking.first_numbers import MOST_NODES, SMALL, passes_gradients, started
from engine.asking.friendly import Friendly, friendly_search, run_to_end
from engine.asking.question import LEVELS
from engine.formats.expression import read_typed
from engine.graph import Graph, Leaf
from engine.trace import run
from tests.helpers.sampling import sampled
from tests.helpers.tables import in_turn


def leaf_values(graph: Graph) -> list[float]:
    return [found.value for found in graph.nodes.values() if isinstance(found, Leaf)]


def drawn(graph: Graph, seed: int, leaves=None) -> Friendly:
    leaves = graph.leaves if leaves is None else leaves
    kinds = LEVELS["whole step"].kinds
    return run_to_end(friendly_search(graph, seed, kinds, leaves=leaves))


@in_turn(
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
    graph = read_typed(text).graph
    assert list(started(graph, graph.leaves).values()) == numbers


def test_a_leaf_with_a_value_keeps_it_and_no_other_gets_the_same():
    graph = read_typed("b = 3; y = a*b + c").graph
    a, b, c = (graph.node_named(name) for name in "abc")
    assert a is not None
    assert c is not None
    assert started(graph, [a, c]) == {a: 2.0, c: 4.0}
    assert b not in started(graph, [a, c])


@pytest.mark.parametrize(("leaves", "first"), [(400, 2.0), (700, 1.0)])
def test_a_graph_that_is_too_large_to_try_it_out_has_ones(leaves: int, first: float):
    graph = read_typed("+".join(f"a{k}" for k in range(leaves))).graph
    assert (len(graph.nodes) <= MOST_NODES) == (first == 2.0)
    assert next(iter(started(graph, graph.leaves).values())) == first


# those that are drawn


@in_turn("text", ["(a*b + a) * f", "a*b*c*d*e*f", "a/b", "log(a)*b", "x**2 + y**2"])
@in_turn("seed", sampled([1, 2, 3], 3))
def test_drawn_numbers_are_finite_different_and_leave_no_slope_flat(text: str, seed: int):
    found = drawn(read_typed(text).graph, seed)
    assert found.changed
    numbers = leaf_values(found.graph)
    assert len({*numbers}) == len(numbers)
    assert passes_gradients(found.graph)


def test_the_formula_of_the_start_page_begins_with_2_3_and_7():
    found = drawn(read_typed("(a*b + a) * f").graph, 1)
    assert leaf_values(found.graph) == [2.0, 3.0, 7.0]
    assert run(found.graph).values[found.graph.root or 0] == 56.0


@pytest.mark.parametrize("text", ["x**2", "-log(p)", "a*b + a"])
def test_numbers_drawn_again_are_others(text: str):
    first = drawn(read_typed(text).graph, 1)
    again = drawn(first.graph, 2)
    assert first.changed
    assert again.changed
    assert leaf_values(first.graph) != leaf_values(again.graph)


def test_only_the_leaves_that_are_asked_for_are_drawn():
    graph = read_typed("b = 1.25; y = a*b + c").graph
    b = graph.node_named("b")
    found = drawn(graph, 1, [leaf for leaf in graph.leaves if leaf != b])
    assert found.changed
    assert b is not None
    assert found.graph.nodes[b] == graph.nodes[b]
    assert 1.0 not in leaf_values(found.graph)


@pytest.mark.parametrize("text", ["a/b/c/d/e/f/g/h", "exp(a*b*c*d*e*f*g*h)", "(a*b)**999"])
def test_no_draw_flattens_a_graph_whose_slopes_are_not_flat(text: str):
    graph = read_typed(text).graph
    found = drawn(graph.with_values(dict.fromkeys(graph.leaves, 1.0)), 1)
    assert passes_gradients(found.graph)


@pytest.mark.parametrize("text", ["0*a", "relu(-a*a)"])
def test_where_each_slope_is_flat_anyway_numbers_are_drawn(text: str):
    assert drawn(read_typed(text).graph, 1).changed


def test_for_a_large_graph_none_are_drawn():
    graph = read_typed("+".join(f"a{k}" for k in range(SMALL))).graph
    found = drawn(graph, 1)
    assert not found.changed
    assert found.graph is graph
