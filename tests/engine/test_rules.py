"""The correct rules and the classic mistakes, by the numbers each is known for."""

import re

import pytest

from engine import MISTAKES, EngineError, from_expression, schedule
from engine.asking.micrograd_program import PROGRAM, program, wrong_and_right
from engine.graph import Graph
from engine.rules import CORRECT, Rules
from engine.trace import run, run_forward, run_within_limit
from tests.helpers.graphs import (
    chain,
    demonstration,
    diamond,
    example,
    gradients,
    mistake,
    reference,
)
from tests.helpers.tables import in_turn

KNOWN = reference("mistakes")
NAMES = {
    "correct": "correct",
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
EVERY = pytest.mark.parametrize("rules", MISTAKES, ids=lambda rules: rules.name)


def test_all_mistakes_are_there():
    names = (
        "assign recursive depth-first breadth-first forward-order no-seed no-zero-grad "
        "zero-leaves-only mul-own-input division-sends-nothing random-order"
    )
    assert [rules.name for rules in MISTAKES] == names.split()
    assert {NAMES[row["rules"]] for row in KNOWN["rows"]} >= set(names.split()[:9])


@in_turn("row", KNOWN["rows"])
def test_the_table_of_the_demonstration_holds_exactly(row):
    graph = from_expression(KNOWN["graph"], KNOWN["leaves"])
    assert gradients(graph, mistake(NAMES[row["rules"]])) == row["grads"]


@pytest.mark.parametrize("row", KNOWN["second_rows"], ids=lambda row: NAMES[row["rules"]])
def test_the_table_of_the_second_graph_holds_exactly(row):
    graph = from_expression(KNOWN["second_graph"], KNOWN["second_leaves"])
    found = gradients(graph, mistake(NAMES[row["rules"]]))
    assert {name: found[name] for name in row["grads"]} == row["grads"]


def telling_graph(rules: Rules) -> Graph:
    """A graph on which a mistake gives itself away."""
    if rules.name == "breadth-first":
        return from_expression(KNOWN["second_graph"], KNOWN["second_leaves"])
    if rules.name == "division-sends-nothing":
        return example("sigmoid-parts").graph
    return demonstration()


@EVERY
def test_a_mistake_differs_from_the_truth_on_a_known_graph(rules):
    graph = telling_graph(rules)
    assert gradients(graph, rules) != gradients(graph)


@EVERY
def test_a_mistake_says_what_the_programmer_wrote(rules):
    assert re.fullmatch(r"[a-z-]+", rules.name)
    assert rules.title
    assert rules.sentence.endswith(".")
    assert rules.sentence.count(".") == 1
    wrong, right = wrong_and_right(rules)
    assert wrong
    assert right
    assert {line.text for line in PROGRAM} >= set(right)
    assert [line.text for line in program(rules) if line.wrong] == list(wrong)


def kinds(rules: Rules, graph: Graph | None = None) -> list[tuple[str, int]]:
    return [(e.kind, e.sweep) for e in run(graph or from_expression("y = a*b"), rules=rules).events]


def test_two_passes_are_one_trace_with_the_zeroing_between():
    send = ("contribution", 1)
    again = [("seed", 2), ("contribution", 2), ("contribution", 2)]
    assert kinds(CORRECT) == [("seed", 1), send, send]
    assert kinds(mistake("no-seed")) == [send, send]
    assert kinds(mistake("no-zero-grad")) == [("seed", 1), send, send, *again]
    zeroed = [("seed", 1), send, send, ("zero", 2), ("zero", 2), *again]
    assert kinds(mistake("zero-leaves-only")) == zeroed


def test_zeroing_everything_between_two_passes_gives_the_truth():
    twice = Rules("twice", "Twice", "Backward runs twice.", "code", passes=2, zeroed="all")
    graph = from_expression("c = a + 2; y = c*c", {"a": 3})
    assert gradients(graph, twice) == gradients(graph)
    zeroed = [e for e in run(graph, rules=twice).events if e.kind == "zero"]
    assert [graph.names[e.node] for e in zeroed] == ["a", "c", "y"]
    assert [(e.before, e.after, e.sender, e.wire) for e in zeroed[:1]] == [(10.0, 0.0, -1, None)]


def test_random_order_is_the_same_each_time():
    one, two = (gradients(demonstration(), mistake("random-order")) for _ in range(2))
    assert one == two


@pytest.mark.parametrize("name", ["recursive", "assign", "depth-first", "no-zero-grad"])
def test_a_pass_that_explodes_is_stopped_with_a_sentence(name, monkeypatch):
    monkeypatch.setattr(schedule, "EVENT_LIMIT", 1000)
    graph = diamond(40) if name == "recursive" else chain(1000)
    with pytest.raises(EngineError) as caught:
        run(graph, rules=mistake(name))
    assert str(caught.value) == "This pass takes more than 1,000 steps; it was stopped."
    assert len(run(chain(999), rules=mistake("assign"))) == 1000
    assert len(run(chain(1000))) == 1001


def test_a_pass_that_explodes_is_followed_once(monkeypatch):
    graph, recursive, begun = diamond(40), mistake("recursive"), list[Graph]()
    make = schedule._backward_firings
    monkeypatch.setattr(schedule, "_backward_firings", lambda *a: begun.append(a[0]) or make(*a))
    for most in (2_000, 2_000, 5_000, 2_000, 5_000):
        with pytest.raises(EngineError, match=f"more than {most:,} steps"):
            run(graph, rules=recursive, most=most)
    assert len(begun) == 2  # once for each limit above the one before
    small = diamond(5)
    with pytest.raises(EngineError, match="more than 10 steps"):
        run(small, rules=recursive, most=10)
    assert len(run(small, rules=recursive)) > 10


def test_a_pass_to_be_stepped_is_refused_when_it_is_too_long(monkeypatch):
    monkeypatch.setattr(schedule, "EVENT_LIMIT", 1000)
    sentence = "This pass takes more than 1,000 steps; it was stopped."
    ways: tuple[tuple[schedule.Pass, int, int], ...] = (
        ("backward", 1000, 999),
        ("forward", 1001, 1000),
    )
    for phase, length, most in ways:
        with pytest.raises(EngineError) as caught:
            run_within_limit(chain(length), phase)
        assert str(caught.value) == sentence
        assert len(run_within_limit(chain(most), phase)) == 1000
    mistaken: tuple[tuple[schedule.Pass, Graph], ...] = (
        ("backward", diamond(40)),
        ("forward", chain(1001)),
    )
    for phase, graph in mistaken:
        with pytest.raises(EngineError, match="1,000 steps"):
            run_within_limit(graph, phase, mistake("recursive"))
    assert run_within_limit(demonstration(), "backward") == run(demonstration())
    assert run_within_limit(demonstration(), "forward") == run_forward(demonstration())


def test_recursion_goes_down_once_per_slot():
    graph = from_expression("d = c*c; y = exp(d)", {"c": 2})
    fired = [graph.names[e.sender] for e in run(graph, rules=mistake("recursive")).events[1:]]
    assert fired == ["y", "d", "d"]
    deeper = from_expression("c = exp(a); y = c*c")
    fired = [deeper.names[e.sender] for e in run(deeper, rules=mistake("recursive")).events[1:]]
    assert fired == ["y", "y", "c", "c"]
