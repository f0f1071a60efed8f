"""Blocks: neurons, layers and networks as groups."""

import pytest

from app.workbench.adding import block, entries, families, is_block, ranked
from engine.errors import EngineError
from engine.graph import Root
from engine.ops import FAMILIES, OPS
from tests.helpers.tables import in_turn


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


def keys(query: str) -> list[str]:
    return [entry.key for entry in ranked(query)]


def test_everything_is_found_without_a_query():
    assert len(keys("")) == len(entries())
    assert keys("")[:3] == ["leaf", "constant", "root"]
    assert families()[1] == "Mine"
    assert families()[2 : len(FAMILIES) + 2] == FAMILIES


@in_turn("query", ["*", "mul", "times", "product", "×", " MUL "])
def test_a_product_is_found_by_whatever_it_is_called(query: str):
    assert keys(query)[0] == "op:mul"


@in_turn("op", OPS)
def test_every_operation_is_first_under_its_own_name(op):
    assert keys(op.name)[0] == f"op:{op.name}"


@in_turn(
    ("query", "first"),
    [("leaf", "leaf"), ("const", "constant"), ("loss", "root"), ("ln", "op:log"), ("/", "op:div"),
     ("**", "op:pow"), ("-", "op:sub"), ("+", "op:add"), ("logistic", "op:sigmoid")],
)  # fmt: skip
def test_other_words_find_as_well(query: str, first: str):
    assert keys(query)[0] == first


def test_a_prefix_comes_before_a_part_of_a_name():
    found = keys("ta")
    assert found.index("op:tan") < found.index("op:atan")
    assert found.index("op:tanh") < found.index("op:atan")


def test_a_name_that_is_nothing_finds_nothing():
    assert keys("zzz") == []


def test_every_entry_says_what_it_is():
    assert all(entry.says and entry.symbol and entry.title for entry in entries())
