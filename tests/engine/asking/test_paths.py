"""Paths from a node to the root: their products add up to its gradient."""

import math

import pytest
from hypothesis import given, settings

from engine import EngineError, Graph, from_expression
from engine.asking import paths
from engine.frame import frame_at
from engine.graph import Leaf
from engine.trace import run
from tests.helpers.graphs import chain, demonstration, diamond, fan, named
from tests.helpers.random_graphs import graphs
from tests.helpers.sampling import sized, tries


def test_the_paths_of_the_demonstration_graph():
    graph = demonstration()
    found = list(paths.paths(graph, named(graph, "a")))
    names = [" ".join(graph.names[node] for node in path.nodes) for path in found]
    assert names == ["c e y", "c f y", "d e y", "d f y"]
    assert [path.product for path in found] == [1.0, 6.0, 3.0, 15.0]
    assert found[3].factors == (3.0, 5.0, 1.0)
    assert found[0].wires[0] == (named(graph, "c"), 0)


def test_another_root_may_be_asked_for():
    graph = demonstration()
    assert paths.path_count(graph, named(graph, "a"), named(graph, "f")) == 2
    assert len(list(paths.paths(graph, named(graph, "a"), named(graph, "f")))) == 2


@settings(max_examples=tries(60))
@given(graphs(finite=True))
def test_the_products_add_up_to_the_gradient(graph: Graph):
    trace = run(graph)
    grads = frame_at(trace, len(trace)).grads
    for node, found in graph.nodes.items():
        if not isinstance(found, Leaf) or node not in grads:
            continue
        products = [path.product for path in paths.paths(graph, node, limit=2000)]
        size = sum(map(abs, products))
        if paths.path_count(graph, node) == len(products) and math.isfinite(size):
            assert grads[node] == pytest.approx(sum(products), abs=1e-9 * max(1.0, size))


@settings(max_examples=tries(60))
@given(graphs())
def test_counting_agrees_with_walking(graph: Graph):
    for node, found in graph.nodes.items():
        if isinstance(found, Leaf):
            many = paths.path_count(graph, node)
            assert len(list(paths.paths(graph, node, limit=3000))) == min(many, 3000)


def test_more_paths_than_atoms_are_counted_and_begun():
    graph = diamond(90)
    assert paths.path_count(graph, 1) == 2**90
    assert len(list(paths.paths(graph, 1))) == paths.LISTED_PATHS_LIMIT
    (first,) = paths.paths(graph, 1, limit=1)
    assert (len(first.nodes), first.product) == (90, 1.0)
    assert paths.path_count(diamond(400), 1) == paths.COUNT_LIMIT


def test_a_long_path_and_a_wide_fan_are_no_matter():
    far = sized(1_050, 20_000)  # either is further than a recursion could go
    assert [len(p.wires) for p in paths.paths(chain(far), 1)] == [far]
    assert paths.path_count(fan(far), 1) == far + 1
    assert len(paths.paths(fan(far), 1, limit=5)) == 5


def test_a_path_begins_at_a_node():
    graph = from_expression("y = a*a")
    for node in (3, 99):
        with pytest.raises(EngineError, match="begins at a node"):
            paths.path_count(graph, node)
        with pytest.raises(EngineError, match="begins at a node"):
            list(paths.paths(graph, node))


def test_the_root_has_the_empty_path_and_what_does_not_lead_there_has_none():
    graph = from_expression("b = 2; y = a*a")
    (path,) = paths.paths(graph, named(graph, "y"))
    assert (path.wires, path.product, paths.path_count(graph, named(graph, "y"))) == ((), 1.0, 1)
    assert (paths.paths(graph, named(graph, "b")), paths.path_count(graph, named(graph, "b"))) == (
        [],
        0,
    )
