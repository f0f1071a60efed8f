"""The mistake lab in words: every wrong node has a reason, every wrong number its mistake."""

import json
from pathlib import Path

import pytest

from app.document.examples import examples
from app.workbench.gradients.causes import causes_of
from app.workbench.gradients.comparison import compared
from app.workbench.study.lab import found_from, guessed, wrong_nodes
from engine import EngineError, from_expression
from engine.formats.files import load_drawing
from engine.frame import frame_at
from engine.graph import Graph
from engine.numbers import short, signed
from engine.rules import MISTAKES, Rules
from engine.study.diagnose import look_alikes
from engine.trace import run
from tests.helpers.extent import sampled
from tests.helpers.graphs import mistake

TABLE = json.loads((Path(__file__).parent / "mistakes.json").read_text("utf-8"))
NAMES = {
    "assign instead of accumulate": "assign",
    "recursive, no topological order": "recursive",
    "depth-first pre-order, visit once": "depth-first",
    "forward order (not reversed)": "forward-order",
    "no seed": "no-seed",
    "backward twice, no zero_grad": "no-zero-grad",
    "backward twice, only leaves zeroed": "zero-leaves-only",
    "breadth-first, visit once": "breadth-first",
    "mul uses its own input": "mul-own-input",
}
ROWS = [
    (TABLE[f"{which}graph"], TABLE[f"{which}leaves"], row["rules"], row["grads"])
    for which in ("", "second_")
    for row in TABLE[f"{which}rows"]
    if row["rules"] != "correct"
]
GRAPHS = {found.name: load_drawing(found.path).graph for found in examples()}


def typed(graph: Graph, gradients: dict[str, float], names: str = "ab") -> dict[int, str]:
    found = {name: graph.node_named(name) for name in names}
    return {node: f"{gradients[name]:g}" for name, node in found.items() if node is not None}


@pytest.mark.parametrize(("text", "leaves", "said", "gradients"), ROWS)
def test_every_row_of_the_table_is_found_from_its_numbers(text, leaves, said, gradients):
    graph, name = from_expression(text, leaves), NAMES[said]
    found = found_from(graph, typed(graph, gradients))
    if not found.mistakes:
        assert (name, found.sentence.split(".")[0]) == (
            "breadth-first",
            "The correct pass gives these numbers",
        )
        assert "By accident so do, on this graph: Breadth-first" in found.sentence
        return
    assert name in [rules.name for rules in found.mistakes]
    if len(found.mistakes) > 1:
        assert found.sentence.startswith(("They can not be told apart", "On this graph they can"))


def test_mistakes_that_give_the_same_numbers_are_told_apart_by_another_gradient():
    graph = from_expression(TABLE["graph"], TABLE["leaves"])
    found = found_from(graph, typed(graph, {"a": 0, "b": 0}))
    assert [rules.name for rules in found.mistakes] == ["forward-order", "no-seed"]
    assert found.sentence == "They can not be told apart by these; e.grad would tell."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Type the gradients that your program printed, as far as you know them."),
        ("two", "Write a number, such as −3, 1/3, 2 × 0.5 or inf."),
        ("29.5", "No mistake of the list gives these numbers."),
        ("29", "One mistake gives these numbers."),
    ],
)
def test_what_is_typed_is_answered(text, sentence):
    graph = from_expression(TABLE["graph"], TABLE["leaves"])
    node = graph.node_named("a")
    assert node is not None
    assert found_from(graph, {node: text}).sentence == sentence


def test_a_rounded_number_is_taken_for_what_it_was():
    graph = from_expression("y = a*b*a", {"a": 0.7, "b": 1 / 3})
    node = graph.node_named("a")
    assert node is not None
    assert "assign" in [rules.name for rules in found_from(graph, {node: "0.23"}).mistakes]


@pytest.mark.parametrize("rules", MISTAKES, ids=lambda rules: rules.name)
@pytest.mark.parametrize("name", sampled(sorted(GRAPHS), 4))
def test_every_wrong_gradient_has_a_reason_at_every_step(name: str, rules: Rules):
    graph = GRAPHS[name]
    try:
        trace = run(graph, rules=rules, most=300)
    except EngineError:
        return
    beside = compared(trace)
    assert beside is not None
    for cursor in range(0, len(trace) + 1, 1 + len(trace) // 40):
        frame = frame_at(trace, cursor)
        for wrong in wrong_nodes(frame, beside):
            found = causes_of(frame, beside, wrong.node, short, signed)
            assert found.here or found.before, (cursor, wrong)


def test_a_part_of_a_title_is_enough_to_name_a_mistake():
    assert guessed("+=", MISTAKES) is mistake("assign")
    assert guessed("no seed", MISTAKES) is mistake("no-seed")
    assert guessed("backward twice", MISTAKES) is None
    assert guessed("", MISTAKES) is None


def test_look_alikes_give_every_node_the_same_gradient():
    graph = from_expression("y = a*b", {"a": 2, "b": 3})
    assert "recursive" in [r.name for r in look_alikes(graph, mistake("depth-first"))]
