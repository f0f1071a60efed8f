"""What stands in the way of a pass, and where numbers go wrong, in sentences."""

import math

from engine import Graph, edits, from_expression
from engine.graph import Constant, Leaf, OpNode, Root
from engine.problems import (
    Problem,
    empty_slots,
    first_not_finite,
    name_with_op,
    obstacle,
    problems,
    slope_with_numbers,
)
from engine.trace import evaluate_values
from tests.helpers.graphs import demonstration, unfinished
from tests.helpers.tables import in_turn


def test_a_finished_graph_has_no_problems():
    assert problems(demonstration()) == []
    assert problems(Graph()) == []
    assert obstacle(demonstration(), 7) is None


def test_every_empty_slot_is_a_problem_of_its_place():
    graph = edits.add(unfinished(), Root(None))
    assert empty_slots(graph) == [(2, 1), (6, 0)]
    assert problems(graph) == [
        Problem("× (c) has an empty slot 2. Plug something in to go on.", 2, 1),
        Problem("The root has nothing plugged in. Plug a node in to go on.", 6, 0),
    ]


def test_a_missing_root_is_a_problem_of_the_last_sink():
    sentence = "Choose a root: the number whose gradient you want."
    graph = edits.remove(unfinished(), (4, 5))
    assert problems(graph)[-1] == Problem(sentence, 3)
    assert problems(Graph({1: Leaf()}, None, 2)) == [Problem(sentence, 1)]
    assert problems(Graph({1: Root(None)}, None, 2))[-1] == Problem(sentence, 1)


def test_only_the_ancestors_of_a_root_can_be_in_its_way():
    graph = unfinished()
    assert obstacle(graph, 3) is None
    assert obstacle(graph, 2) == Problem(
        "× (c) has an empty slot 2. Plug something in to go on.", 2, 1
    )


def test_sentences_call_an_op_by_sign_and_title():
    graph = demonstration()
    assert name_with_op(graph, 4) == "× (d)"
    assert name_with_op(graph, 1) == "a"
    assert name_with_op(from_expression("exp(2)"), 1) == "v1"


@in_turn(
    ("expression", "x", "sentence"),
    [
        ("y = log(x - 1)", 0.0, "y (log) is the first bad node: log(−1) has no value."),
        ("y = 2 / x", 0.0, "÷ (y) is the first bad node: 2 ÷ 0 is infinite."),
        ("y = sqrt(-x)", 2.0, "y (sqrt) is the first bad node: √(−2) has no value."),
        ("y = (-2) ** x", 3.0000001, "xʸ (y) is the first bad node: (−2) ^ (≈ 3) has no value."),
        ("y = exp(x)*0", 1e3, "v2 (exp) is the first bad node: exp(1000) is infinite."),
        (
            "y = x + 1",
            math.nan,
            "x is nan. That is allowed, but what is computed from it may be nan or inf.",
        ),
        (
            "y = x + 1",
            -math.inf,
            "x is −inf. That is allowed, but what is computed from it may be nan or inf.",
        ),
        ("y = tanh(x)", 1.0, None),
    ],
)
def test_the_first_bad_node_is_named_with_its_reason(expression, x, sentence):
    graph = from_expression(expression, {"x": x})
    found = first_not_finite(graph, evaluate_values(graph))
    assert (found and found.sentence) == sentence


def test_a_bad_node_beside_an_unfinished_one_is_found():
    nodes = {1: Leaf(0.0), 2: OpNode("div", (1, None)), 3: OpNode("log", (1,)), 4: Constant(1.0)}
    graph = Graph(nodes, None, 5)
    found = first_not_finite(graph, evaluate_values(graph))
    assert found is not None
    assert found.node == 3


def test_a_slope_is_spelled_with_its_numbers():
    graph = from_expression("y = x / z", {"x": -6, "z": 3})
    values = evaluate_values(graph)
    assert slope_with_numbers(graph, 3, 0, values) == "1 ÷ 3"
    assert slope_with_numbers(graph, 3, 1, values) == "−(−6 ÷ 3) ÷ 3"
