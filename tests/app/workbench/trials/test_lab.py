"""The mistake lab in words: every wrong node has a reason, every wrong number its mistake."""

import json
from pathlib import Path

import pytest

from app.document.examples import examples
from app.workbench.gradients.comparison import compare
from app.workbench.gradients.explanation import causes_of
from app.workbench.trials.lab import (
    Referee,
    diagnose,
    matching_mistakes,
    wrong_count_text,
    wrong_nodes,
)
from engine import EngineError, from_expression
from engine.asking.diagnose import wrong_counts
from engine.formats.files import load_drawing
from engine.frame import frame_at
from engine.graph import Graph
from engine.numbers import short, signed
from engine.rules import MISTAKES, Rules
from engine.trace import run
from tests.app.panels.test_numeric import random_graph
from tests.helpers.graphs import diamond, mistake, named
from tests.helpers.sampling import sampled
from tests.helpers.tables import in_turn

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


@in_turn(("text", "leaves", "said", "gradients"), ROWS)
def test_every_row_of_the_table_is_found_from_its_numbers(text, leaves, said, gradients):
    graph, name = from_expression(text, leaves), NAMES[said]
    found = diagnose(graph, typed(graph, gradients))
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
    found = diagnose(graph, typed(graph, {"a": 0, "b": 0}))
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
    node = named(graph, "a")
    assert diagnose(graph, {node: text}).sentence == sentence


def test_assigning_in_another_valid_order_is_named_with_that_order():
    graph = from_expression("f = (a*b)*(a + b)", {"a": -2, "b": 3})
    found = diagnose(graph, typed(graph, {"a": -6, "b": -6}))
    assert [rules.name for rules in found.mistakes] == ["assign"]
    assert found.sentence == (
        "It gives these numbers where nodes fire in another valid order: × (f) → × (v3) → + (v4)."
    )


def test_a_rounded_number_is_taken_for_what_it_was():
    graph = from_expression("y = a*b*a", {"a": 0.7, "b": 1 / 3})
    node = named(graph, "a")
    assert "assign" in [rules.name for rules in diagnose(graph, {node: "0.23"}).mistakes]


@in_turn("rules", MISTAKES)
@in_turn("name", sampled(sorted(GRAPHS), 4))
def test_every_wrong_gradient_has_a_reason_at_every_step(name: str, rules: Rules):
    graph = GRAPHS[name]
    try:
        trace = run(graph, rules=rules, most=300)
    except EngineError:
        return
    beside = compare(trace)
    assert beside is not None
    for cursor in range(0, len(trace) + 1, 1 + len(trace) // 40):
        frame = frame_at(trace, cursor)
        for wrong in wrong_nodes(frame, beside):
            found = causes_of(frame, beside, wrong.node, short, signed)
            assert found.causes_here or found.causes_upstream, (cursor, wrong)


def test_a_part_of_a_title_is_enough_to_name_a_mistake():
    assert matching_mistakes("+=", MISTAKES) == (mistake("assign"),)
    assert matching_mistakes("no seed", MISTAKES) == (mistake("no-seed"),)
    assert len(matching_mistakes("backward twice", MISTAKES)) == 2
    assert matching_mistakes("zebra", MISTAKES) == ()
    assert matching_mistakes(" ", MISTAKES) == MISTAKES


def test_counts_are_what_running_each_mistake_to_its_end_and_comparing_gives():
    wrong = 0
    for graph in (*GRAPHS.values(), *map(random_graph, range(200))):
        for count in wrong_counts(graph):
            if count.wrong is None:
                continue
            trace = run(graph, rules=count.rules)
            frame, comparison = frame_at(trace, len(trace)), compare(trace)
            assert comparison is not None
            flagged = len(list(wrong_nodes(frame, comparison)))
            assert count.wrong == comparison.wrong_count(frame) == flagged, count
            assert count.known == len(frame.grads)
            wrong += count.wrong
    assert wrong > 500


def test_a_pass_that_is_too_long_is_not_counted():
    counts = {count.rules.name: count for count in wrong_counts(diamond(40))}
    assert wrong_count_text(counts["recursive"]) == "too long here"
    assert wrong_count_text(counts["depth-first"]) == "none here"
    assert wrong_count_text(counts["forward-order"]) == "39 of 41"


def test_the_referee_says_so_far_until_the_last_wire_of_a_leaf():
    graph = GRAPHS["demonstration"]
    trace = run(graph, rules=mistake("assign"))
    comparison, referee = compare(trace), Referee()
    assert comparison is not None
    said = {
        cursor: [
            (j.name, j.numerical, j.correct, j.wrong_with_mark)
            for j in referee.judge(frame_at(trace, cursor), comparison)
        ]
        for cursor in (5, 6, 8, 9, 10, 11)
    }
    a, b = ("a", "≈ 25", "25"), ("b", "≈ 19", "19")
    assert said[5] == []
    assert said[6] == [(*a, "–"), (*b, "–")]
    assert said[8] == [(*a, "3 so far"), (*b, "–")]
    assert said[9] == [(*a, "3 so far"), (*b, "2 so far")]
    assert said[10] == [(*a, "1 ✘"), (*b, "2 so far")]
    assert said[11] == [(*a, "1 ✘"), (*b, "1 ✘")]


def test_the_referee_does_not_confirm_what_it_can_not_tell():
    graph = from_expression("y = relu(a) + a", {"a": 0})
    trace = run(graph, rules=mistake("assign"))
    (judged,) = Referee().judge(frame_at(trace, len(trace)), compare(trace))
    assert judged.verdict == "can't tell"
