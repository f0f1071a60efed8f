"""What comes into a group and what it passes on."""

import pytest

from app.document.document import Document
from app.workbench.gradients.group_flow import GroupFlow, group_flow, selected_group
from app.workbench.playback.playback import Playback
from engine import from_expression
from tests.helpers.graphs import DEMONSTRATION


class Bench:
    """The demonstration graph with a group in it."""

    def __init__(self, inside: str) -> None:
        self.document = Document()
        self.document.replace_graph(from_expression(DEMONSTRATION, {"a": 2, "b": 3}))
        self.playback = Playback(self.document)
        self.nodes = [self.node(name) for name in inside]
        number = self.document.groups.make(self.nodes, "inner")
        assert number is not None
        self.group = number

    def node(self, name: str) -> int:
        found = self.document.graph.node_named(name)
        assert found is not None
        return found

    def found(self, cursor: int) -> GroupFlow:
        self.playback.backward()
        self.playback.go(cursor)
        return group_flow(self.playback.frame, self.document.sheet.groups, self.group)


@pytest.fixture
def bench(qapp) -> Bench:
    return Bench("cde")


def _texts(rows) -> list[str]:
    return [f"{name} {''.join(span.text for span in spans)}" for name, spans in rows]


def test_outputs_are_what_others_read_and_inputs_what_is_fed(bench: Bench):
    found = bench.found(11)
    assert found.outputs == tuple(bench.nodes)
    assert _texts(found.gradient(n) for n in found.outputs) == ["c.grad 7", "d.grad 6", "e.grad 1"]
    passed = _texts(found.sent_to(n) for n in found.inputs)
    assert passed == ["to a +7 + 18 = +25", "to b +7 + 12 = +19"]
    assert found.inner == ()


def test_what_has_not_been_reached_is_hidden(bench: Bench):
    found = bench.found(1)
    assert _texts(found.gradient(n) for n in found.outputs) == ["c.grad –", "d.grad –", "e.grad –"]
    assert _texts(found.sent_to(n) for n in found.inputs) == ["to a –", "to b –"]
    bench.document.groups.collapse(bench.group, False)
    assert _texts(bench.found(8).sent_to(n) for n in found.inputs) == ["to a +18 + ···", "to b –"]


def test_a_group_with_one_output_has_the_others_inside(qapp):
    bench = Bench("efy")
    found = bench.found(11)
    assert found.outputs == (bench.node("y"),)
    assert _texts(found.gradient(n) for n in found.inner) == ["e.grad 1", "f.grad 1"]


def test_a_group_is_chosen_by_exactly_its_members(bench: Bench):
    groups = bench.document.sheet.groups
    assert selected_group(groups, bench.nodes) == bench.group
    assert selected_group(groups, bench.nodes[:2]) is None
    assert selected_group(groups, [*bench.nodes, bench.node("y")]) is None
    assert selected_group(groups, []) is None
