"""Templates and data sets: the graphs people would otherwise wire by hand."""

import math

import pytest

from engine import EngineError, Graph
from engine.graph import Constant, Leaf, OpNode
from engine.ops import OPS
from engine.trace import evaluate_values, run
from engine.training import descent, templates
from tests.helpers.graphs import gradients, values
from tests.helpers.training import updated

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


@pytest.mark.parametrize("activation", [*ACTIVATIONS, templates.LINEAR])
def test_a_neuron_takes_any_activation(activation: str):
    graph = templates.neuron(1, activation)
    found = graph.nodes[graph.root or 0]
    assert isinstance(found, OpNode)
    assert found.op == ("add" if activation == templates.LINEAR else activation)
    assert graph.root_name == "o"


@pytest.mark.parametrize(
    "graph",
    [
        templates.neuron(2),
        templates.layer(2, 2),
        templates.mlp([2, 3, 1]),
        templates.mse(2),
        templates.hinge(2),
        templates.binary_cross_entropy(2),
    ],
)
def test_every_template_is_small_and_runs(graph: Graph):
    assert 5 <= len(graph.nodes) <= 40
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


@pytest.mark.parametrize(
    ("make", "loss", "grads"),
    [
        (templates.mse, ((0.5 - 1) ** 2 + (0.5 + 1) ** 2) / 2, {"p1": -0.5, "p2": 1.5}),
        (templates.hinge, (0.5 + 1.5) / 2, {"p1": -0.5, "p2": 0.5}),
        (templates.binary_cross_entropy, math.log(2), {"p1": -1.0, "p2": 1.0}),
    ],
)
def test_a_loss_is_a_mean_over_predictions(make, loss: float, grads: dict[str, float]):
    graph = make(2)
    assert graph.root_name == "loss"
    assert labels(graph, Leaf) == ["p1", "p2"]
    assert [label for label in labels(graph, Constant) if label] == ["t1", "t2"]
    assert values(graph)["loss"] == pytest.approx(loss, rel=1e-12)
    found = gradients(graph)
    assert {name: found[name] for name in grads} == pytest.approx(grads, rel=1e-12)
    assert make().root_name == "loss"


@pytest.mark.parametrize("loss", templates.LOSSES)
def test_a_network_learns_xor(loss: str):
    graph = templates.training([2, 4, 1], templates.xor(), loss, seed=3)
    assert set(labels(graph, Leaf)) == {
        *(f"w1_{j}_{i}" for j in range(1, 5) for i in (1, 2)),
        *(f"b1_{j}" for j in range(1, 5)),
        *(f"w2_1_{j}" for j in range(1, 5)),
        "b2_1",
    }
    assert {"x1_1", "x2_4", "t_3"} <= set(labels(graph, Constant))
    assert {"h1_2_3", "o_4", "loss"} <= set(labels(graph, OpNode))
    losses = [loop.loss or 0.0 for loop in updated(descent.start(graph, 0.5), 120)]
    assert losses[-1] < 0.6 * losses[0]


def test_one_sample_needs_no_mark():
    graph = templates.training([1, 1], templates.line(1), "mse")
    assert set(labels(graph, Constant)) == {"x1", "t", ""}
    assert {"o", "loss"} <= set(labels(graph, OpNode))


def test_a_line_is_learned():
    graph = templates.training([1, 1], templates.line(20, noise=0.0))
    loop = descent.start(graph, 0.3)
    *_, loop = updated(loop, 200)
    found = evaluate_values(loop.graph)
    weights = {graph.names[n]: found[n] for n in loop.chosen}
    assert weights == pytest.approx({"w1_1_1": 2.0, "b1_1": 1.0}, abs=1e-3)


def test_the_cross_entropy_takes_targets_of_minus_one_for_zero():
    graph = templates.training([2, 1], templates.xor(), "binary_cross_entropy")
    targets = [f.value for f in graph.nodes.values() if isinstance(f, Constant) and "t" in f.label]
    assert targets == [0.0, 1.0, 1.0, 0.0]
    assert run(graph).values


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: templates.neuron(0), "at least one input"),
        (lambda: templates.mlp([2]), "at least one input"),
        (lambda: templates.mlp([2, 0]), "at least one input"),
        (lambda: templates.mse(0), "at least one input"),
        (lambda: templates.neuron(2, "mul"), "mul is no activation"),
        (lambda: templates.neuron(2, "bump"), "bump is no activation"),
        (lambda: templates.mlp([2, 1], last="mul"), "mul is no activation"),
        (lambda: templates.mlp([2000, 2000]), "more than 200,000 nodes"),
        (lambda: templates.training([2, 1], []), "no samples"),
        (lambda: templates.training([2, 2], templates.xor()), "has one output"),
        (lambda: templates.training([3, 1], templates.xor()), "has 2 inputs; the network takes 3"),
        (lambda: templates.training([2, 1], templates.xor(), "mae"), "no loss called mae"),
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
