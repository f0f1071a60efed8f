"""The tape: its texts have the bits of the functions, and each tier follows each slot."""

import pytest

from engine import OPS, Program, from_expression
from engine.graph import Graph, Leaf, OpNode, Root
from engine.tape import tape_of
from tests.helpers.graphs import gradients, same
from tests.helpers.tables import in_turn

SLOTS = [(op, slot) for op in OPS for slot in range(len(op.slots))]


def with_one_leaf(op: str, slot: int, slots: int) -> Graph:
    """The operation on constants, but for one slot."""
    numbers = ["0.6", "0.35", "0.8"][:slots]
    numbers[slot] = "a"
    return from_expression(f"y = {op}({', '.join(numbers)})*2", {"a": 0.5})


@in_turn(("op", "slot"), SLOTS)
def test_a_leaf_in_any_slot_gets_its_gradient(op, slot):
    graph = with_one_leaf(op.name, slot, len(op.slots))
    expected = gradients(graph)["a"]
    for tier in ("tape", "source"):
        assert same(Program(graph, ["a"], tier=tier).run()[1][0], expected), tier
    found = Program(graph, ["a"], tier="levels").run()[1][0]
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("slot", range(3))
def test_a_place_depends_on_a_leaf_through_any_slot(slot):
    nodes = {k: Leaf(float(k)) for k in range(1, 4)}
    graph = Graph({**nodes, 4: OpNode("where_gt0", (1, 2, 3)), 5: Root(4)}, 5, 6)
    tape = tape_of(graph, 4)
    assert tape.depends_on([tape.place[slot + 1]]) == [k == slot for k in range(3)] + [True]
