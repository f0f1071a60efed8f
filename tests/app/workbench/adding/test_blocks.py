"""Blocks: neurons, layers and networks as groups."""

import pytest

from app.workbench.adding import block, is_block
from engine.errors import EngineError
from engine.graph import Root


def titles(text: str) -> list[str]:
    return [group.title for group in block(text).groups]


def test_a_network_is_a_group_per_layer_with_its_neurons_in_it():
    made = block("mlp(2, 3, 1)")
    assert titles("mlp(2, 3, 1)") == [
        "layer 1",
        "neuron 1",
        "neuron 2",
        "neuron 3",
        "layer 2",
        "neuron 1",
    ]
    parents = {group.id: group.parent for group in made.groups}
    assert [parents[group.id] for group in made.groups] == [None, 1, 1, 1, None, 5]


@pytest.mark.parametrize("text", ["neuron(3)", "layer(2, 2)", "mlp(3, 4, 4, 1)"])
def test_everything_but_inputs_and_the_root_lies_in_one_neuron(text: str):
    made = block(text)
    inside = [node for group in made.groups for node in group.members]
    assert len(inside) == len(set(inside))
    outside = set(made.graph.nodes) - set(inside)
    names = made.graph.names
    rest = {n for n in outside if not isinstance(made.graph.nodes[n], Root)}
    assert all(names[n].startswith("x") for n in rest)
    assert made.positions.keys() == made.graph.nodes.keys()


def test_the_usual_sizes_come_without_numbers():
    assert titles("neuron") == ["neuron"]
    assert block("MLP").groups


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("layer(2)", "takes 2 numbers"),
        ("mlp(3)", "inputs and of the neurons"),
        ("neuron(0)", "whole numbers from 1"),
        ("mlp(500, 500)", "more than"),
    ],
)
def test_wrong_sizes_are_refused_with_a_sentence(text: str, sentence: str):
    assert is_block(text)
    with pytest.raises(EngineError, match=sentence):
        block(text)


@pytest.mark.parametrize("text", ["a + b", "mlp(2, x)", "neurons", "layer(2, 2) + 1"])
def test_other_texts_are_no_blocks(text: str):
    assert not is_block(text)
