"""Templates and data sets: the graphs people would otherwise wire by hand."""

import math

import pytest

from engine import EngineError, Graph
from engine.graph import Leaf, OpNode
from engine.ops import OPS
from engine.trace import evaluate_values
from engine.training import templates
from tests.helpers.graphs import gradients, values
from tests.helpers.tables import in_turn

ACTIVATIONS = [op.name for op in OPS if len(op.slots) == 1]


def labels(graph: Graph, kind: type) -> list[str]:
    return [graph.label(n) for n, found in graph.nodes.items() if isinstance(found, kind)]


def filled(graph: Graph, **numbers: float) -> Graph:
    return graph.with_values({graph.node_named(name) or 0: x for name, x in numbers.items()})


def test_a_neuron_is_the_one_of_the_lecture():
    graph = templates.neuron(2)
    assert labels(graph, Leaf) == ["x1", "x2", "w1", "w2", "b"]
    assert labels(graph, OpNode) == ["x1*w1", "x2*w2", "", "n", "o"]
    set_up = filled(graph, x1=2.0, x2=0.0, w1=-3.0, w2=1.0, b=6.881373587019543)
    assert values(set_up)["o"] == pytest.approx(math.sqrt(0.5), rel=1e-12)
    assert gradients(set_up)["w1"] == pytest.approx(1.0, rel=1e-12)


@in_turn("activation", [*ACTIVATIONS, templates.LINEAR])
def test_a_neuron_takes_any_activation(activation: str):
    graph = templates.neuron(1, activation)
    found = graph.nodes[graph.root or 0]
    assert isinstance(found, OpNode)
    assert found.op == ("add" if activation == templates.LINEAR else activation)
    assert graph.root_name == "o"


@in_turn(
    "graph",
    [
        templates.neuron(2),
        templates.layer(2, 2),
        templates.mlp([2, 3, 1]),
        *(templates.sample_loss([2, 3, 1], loss) for loss in templates.LOSSES),
    ],
)
def test_every_template_is_small_and_runs(graph: Graph):
    assert 5 <= len(graph.nodes) < 50
    assert all(math.isfinite(value) for value in evaluate_values(graph).values())


def test_the_same_seed_gives_the_same_numbers():
    assert templates.mlp([2, 3, 1], seed=4) == templates.mlp([2, 3, 1], seed=4)
    assert templates.mlp([2, 3, 1], seed=4) != templates.mlp([2, 3, 1], seed=5)


def test_a_layer_has_an_output_a_neuron_and_no_root():
    graph = templates.layer(3, 2, "relu")
    assert graph.root is None
    assert [label for label in labels(graph, OpNode) if label] == ["o1", "o2"]
    assert len(labels(graph, Leaf)) == 3 + 2 * 4
    assert templates.layer(2, 1).root_name == "o"


def test_a_network_has_a_weight_a_wire_and_a_bias_a_neuron():
    graph = templates.mlp([2, 16, 16, 1], "relu")
    assert len(labels(graph, Leaf)) == 2 + (2 * 16 + 16) + (16 * 16 + 16) + (16 + 1)
    assert graph.root_name == "o"
    assert {"h1_1", "h2_16", "o", "w1_1_1", "w2_16_16", "b3_1"} <= set(graph.names.values())
    assert sum(f.op == "relu" for f in graph.nodes.values() if isinstance(f, OpNode)) == 32


def test_a_network_computes_what_a_loop_would():
    graph = templates.mlp([2, 3, 1], "tanh", seed=1)
    known = values(graph)
    hidden = [
        math.tanh(sum(known[f"w1_{j}_{i}"] * known[f"x{i}"] for i in (1, 2)) + known[f"b1_{j}"])
        for j in (1, 2, 3)
    ]
    total = sum(known[f"w2_1_{j}"] * h for j, h in enumerate(hidden, 1))
    assert known["o"] == pytest.approx(total + known["b2_1"], rel=1e-12)


LOSS_OF_A_LINE = {
    # o = 0.5 and t = 0 or −1: loss and gradient of the bias
    "mse": (-1.0, 2.25, 3.0),
    "hinge": (-1.0, 1.5, 1.0),
    templates.CROSS_ENTROPY: (0.0, math.log(2), 0.5),
}


@pytest.mark.parametrize("loss", templates.LOSSES)
def test_the_loss_of_a_sample_and_its_gradient_are_those_of_the_formula(loss: str):
    graph = templates.sample_loss([1, 1], loss)
    target, value, slope = LOSS_OF_A_LINE[loss]
    bias = 0.0 if loss == templates.CROSS_ENTROPY else 0.5  # its sigmoid gives ½
    graph = filled(graph, x1=0.0, t=target, b1_1=bias)
    assert labels(graph, Leaf) == ["w1_1_1", "b1_1", "x1", "t"]
    assert (graph.root_name, values(graph)["o"]) == ("loss", 0.5)
    assert values(graph)["loss"] == pytest.approx(value, rel=1e-12)
    assert gradients(graph)["b1_1"] == pytest.approx(slope, rel=1e-12)


@in_turn(
    ("make", "says"),
    [
        (lambda: templates.neuron(0), "at least one input"),
        (lambda: templates.mlp([2]), "at least one input"),
        (lambda: templates.mlp([2, 0]), "at least one input"),
        (lambda: templates.neuron(2, "mul"), "mul is no activation"),
        (lambda: templates.neuron(2, "bump"), "bump is no activation"),
        (lambda: templates.mlp([2, 1], last="mul"), "mul is no activation"),
        (lambda: templates.mlp([2000, 2000]), "more than 200,000 nodes"),
        (lambda: templates.check_samples([2, 2], templates.xor()), "has one output"),
        (lambda: templates.check_samples([2, 1], ()), "no samples"),
    ],
)
def test_what_can_not_be_made_is_refused(make, says: str):
    with pytest.raises(EngineError, match=says):
        make()


def test_moons_are_two_and_apart():
    found = templates.moons(200, noise=0.0)
    assert len(found) == 200
    assert sum(sample.target for sample in found) == 0
    for sample in found:
        x, y = sample.inputs
        centre = (0.0, 0.0) if sample.target < 0 else (1.0, 0.5)
        assert math.hypot(x - centre[0], y - centre[1]) == pytest.approx(1.0, abs=2e-3)
    assert templates.moons(50, seed=1) == templates.moons(50, seed=1)
    assert templates.moons(50, seed=1) != templates.moons(50, seed=2)
    assert [sample.target for sample in templates.moons(1)] == [-1.0]


def test_xor_is_true_where_one_is():
    assert [(s.inputs, s.target) for s in templates.xor()] == [
        ((0.0, 0.0), -1.0),
        ((0.0, 1.0), 1.0),
        ((1.0, 0.0), 1.0),
        ((1.0, 1.0), -1.0),
    ]


def test_a_line_is_straight():
    found = templates.line(5, slope=2.0, intercept=1.0, noise=0.0)
    assert [sample.inputs[0] for sample in found] == [-1.0, -0.5, 0.0, 0.5, 1.0]
    assert [sample.target for sample in found] == [-1.0, 0.0, 1.0, 2.0, 3.0]
    assert templates.line(1)[0].inputs == (-1.0,)
