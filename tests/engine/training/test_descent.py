"""Gradient descent: four pure steps, and what happens to those who forget one."""

import pytest

from engine import EngineError, Graph, from_expression
from engine.graph import Leaf, Root
from engine.training import descent
from tests.helpers.graphs import reference
from tests.helpers.training import updated

REFERENCE = reference("descent")


def begun(rate: float = REFERENCE["learning_rate"], chosen=None) -> descent.Descent:
    graph = from_expression(REFERENCE["expression"], REFERENCE["start"])
    return descent.start(graph, rate, chosen)


def leaves(loop: descent.Descent) -> dict[str, float]:
    graph = loop.graph
    return {graph.names[n]: f.value for n, f in graph.nodes.items() if isinstance(f, Leaf)}


def gathered(loop: descent.Descent) -> dict[str, float]:
    return {loop.graph.names[node]: grad for node, grad in loop.grads.items()}


def test_the_known_descent_comes_out_to_the_digit():
    before = begun()
    for row, loop in zip(REFERENCE["rows"], updated(before, 10), strict=True):
        assert leaves(before) == {"w1": row["w1"], "w2": row["w2"]}
        assert loop.loss == row["loss"]
        before = loop
    assert leaves(before) == REFERENCE["after"]
    assert before.updates == 10
    published = REFERENCE["published"]["losses"]
    assert [round(row["loss"], 4) for row in REFERENCE["rows"]] == published


def test_each_step_changes_only_its_own_part():
    first = begun()
    assert (first.loss, dict(first.values), first.current) == (None, {}, False)
    computed = descent.forward(first)
    assert computed.loss == 2.5
    assert computed.graph is first.graph
    assert gathered(computed) == {"w1": 0.0, "w2": 0.0}
    sent = descent.backward(computed)
    assert gathered(sent) == {"w1": 1.0, "w2": -2.0}
    assert sent.values is computed.values
    moved = descent.update(sent)
    assert leaves(moved) == {"w1": 1.5, "w2": 4.0}
    assert moved.loss == 2.5
    assert gathered(moved) == gathered(sent)
    assert gathered(descent.zero_grad(moved)) == {"w1": 0.0, "w2": 0.0}
    assert leaves(first) == REFERENCE["start"]
    assert gathered(first) == {"w1": 0.0, "w2": 0.0}


def test_gradients_that_are_not_zeroed_add_up():
    loop = descent.backward(descent.backward(descent.forward(begun())))
    assert gathered(loop) == {"w1": 2.0, "w2": -4.0}


def test_without_forward_the_old_values_are_sent_back_again():
    loop = descent.all_four_steps(begun())
    again = descent.backward(descent.zero_grad(loop))
    assert gathered(again) == {"w1": 1.0, "w2": -2.0}
    fresh = descent.backward(descent.forward(descent.zero_grad(loop)))
    assert gathered(fresh) == {"w1": 0.5, "w2": -1.0}


def test_backward_before_any_forward_is_refused():
    with pytest.raises(EngineError, match="Run forward first"):
        descent.backward(begun())


def test_only_chosen_leaves_learn():
    graph = begun().graph
    w2 = graph.node_named("w2")
    assert w2 is not None
    loop = descent.all_four_steps(begun(chosen=[w2]))
    assert leaves(loop) == {"w1": 2.0, "w2": 4.0}
    assert gathered(loop) == {"w1": 1.0, "w2": -2.0}
    assert leaves(descent.all_four_steps(begun(chosen=[]))) == REFERENCE["start"]


def test_a_leaf_without_a_path_stays_where_it_is():
    graph = from_expression("b = 3; y = a*a")
    lonely = graph.node_named("b")
    assert lonely is not None
    assert leaves(descent.all_four_steps(descent.start(graph, 0.5))) == {"b": 3.0, "a": 0.0}
    assert leaves(descent.all_four_steps(descent.start(graph, 0.5, [lonely]))) == {
        "b": 3.0,
        "a": 1.0,
    }


def test_only_leaves_can_be_chosen():
    graph = from_expression("y = a*2")
    for node in (2, 3):
        with pytest.raises(EngineError, match=r"Only leaves learn; .+ is none"):
            descent.start(graph, chosen=[node])
    with pytest.raises(EngineError, match="node 99 is none"):
        descent.start(graph, chosen=[99])


def test_a_graph_without_a_root_has_nothing_to_make_small():
    with pytest.raises(EngineError, match="Choose a root"):
        descent.start(Graph())


def test_a_root_that_is_taken_away_has_no_loss():
    loop = begun()
    bare = Graph({1: Leaf(2.0), 2: Root(None)}, 2, 3)
    assert descent.Descent(bare, frozenset(), loop.rate).loss is None
