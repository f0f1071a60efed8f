"""A sample of what `python3 run.py proof text` reads whole: nothing false, nothing unread."""

import re

import pytest

from engine import from_expression
from engine.edits import set_label
from engine.formats.native import Drawing, GroupEntry
from engine.graph import Graph
from tests.helpers.sampling import sampled, sized, spread
from tests.helpers.tables import in_turn
from tests.truth.places import Views
from tests.truth.survey import NAMES, Tally, example_graphs, random_drawings, survey, survey_written

EXAMPLES = dict(example_graphs())
SEED = 11
"""Of the random graphs; the proof takes another one each time."""
FEW, MANY = sized(2, 4), sized(6, 30)
"""Moments of a pass that are read."""


@pytest.fixture(scope="module")
def views(qapp):
    found = Views()
    yield found
    found.close()


@pytest.fixture(autouse=True)
def four_digits(views):
    views.style.set_digits(4)
    views.style.set_notation("partial")


def wrong(tally: Tally) -> list[str]:
    """The faults as one reads them; there must have been something to read."""
    assert tally.equations.total() > 10
    return [f"{f.kind} {f.place}, step {f.cursor}: {f.text} ({f.why})" for f in tally.faults]


@in_turn("mistake", NAMES)
def test_nothing_is_false_under_a_mistake(views, mistake):
    drawing = EXAMPLES["demonstration"]
    assert wrong(survey(views, "sample", drawing, [mistake], FEW, ("backward",))) == []


def test_nothing_is_false_of_a_node_that_is_overwritten_again_and_again(views):
    drawing = Drawing(
        from_expression("y = " + " + ".join(f"{k}*a" for k in range(2, 11)), {"a": 1}), {}
    )
    assert wrong(survey(views, "nine uses", drawing, ["assign"], MANY, ("backward",))) == []


def test_nothing_is_false_of_a_ledger_of_which_only_a_zero_is_not_overwritten(views):
    drawing = Drawing(from_expression("y = " + "0*a + " * 8 + "7*a", {"a": 1}), {})
    assert wrong(survey(views, "zeros", drawing, ["assign"], MANY, ("backward",))) == []


def test_nothing_is_false_where_nodes_share_their_labels(views):
    graph = from_expression("p = a*b; q = p*c; y = q/p", {"a": 1.5, "b": -3, "c": 0.5})
    for name in ("b", "c", "p", "q"):
        graph = set_label(graph, graph.structure.by_name[name], "a" if name < "d" else "x1*w1")
    assert wrong(survey(views, "namesakes", Drawing(graph, {}), ["correct"], MANY)) == []


@in_turn("name", sampled(EXAMPLES, 4, 1))
def test_nothing_is_false_in_an_example(views, name):
    assert wrong(survey(views, name, EXAMPLES[name], ["correct"], 2)) == []


@in_turn(
    ("mistake", "names"),
    spread(("correct", "assign", "no-zero-grad", "recursive"), ("cd", "cde", "ab", "ef")),
)
def test_nothing_is_false_of_a_collapsed_group(views, mistake, names):
    graph = EXAMPLES["demonstration"]
    graph = graph if isinstance(graph, Graph) else graph.graph
    members = [found for name in names if (found := graph.node_named(name)) is not None]
    groups = (GroupEntry(graph.next_id, "group", members, collapsed=True),)
    drawing = Drawing(graph, {}, groups=groups)
    assert wrong(survey(views, "collapsed", drawing, [mistake], MANY)) == []


def test_nothing_is_false_of_infinities_that_meet_in_one_wire_into_a_group(views):
    graph = from_expression("d = a - a; u = a**a + a; y = d*u", {"a": 12345.678})
    members = [found for name in "du" if (found := graph.node_named(name)) is not None]
    groups = (GroupEntry(graph.next_id, "group", members, collapsed=True),)
    drawing = Drawing(graph, {}, groups=groups)
    assert wrong(survey(views, "infinities", drawing, ["correct"], MANY)) == []


def test_nothing_is_false_in_graphs_made_at_random(views):
    tally = Tally()
    for k, (name, drawing) in enumerate(random_drawings(sized(2, 4), SEED)):
        tally.add(survey(views, name, drawing, [NAMES[k]], 2))
    assert wrong(tally) == []


@in_turn("digits", [2, "shortest"])
def test_nothing_is_false_with_other_digits(views, digits):
    views.style.set_digits(digits)
    drawing = EXAMPLES["demonstration"]
    assert wrong(survey(views, "sample", drawing, ["breadth-first", "assign"], FEW)) == []


@in_turn(("name", "notation"), spread(["demonstration", "neuron"], ["total", "grad"]))
def test_nothing_is_false_in_another_notation(views, name, notation):
    views.style.set_notation(notation)
    assert wrong(survey(views, name, EXAMPLES[name], ["correct", "assign"], FEW)) == []


def all_texts(views) -> list[str]:
    """Every text of every step of a backward pass."""
    found: list[str] = []
    views.open(EXAMPLES["demonstration"])
    views.start("backward")
    for cursor in sampled(range(views.playback.frame.total + 1), 3):
        views.go(cursor)
        found += [said.text for said in views.texts()]
        for node in views.document.graph.nodes:
            found += [said.text for said in views.of(node)]
    return found


def test_the_notations_say_the_same(views):
    partial = all_texts(views)
    views.style.set_notation("total")
    total = all_texts(views)
    views.style.set_notation("grad")
    grad = all_texts(views)
    assert not any("∂" in text for text in total)
    assert sum("∂y/∂" in text for text in partial) > sized(30, 100)
    assert [re.sub(r"\bd(⁺?\w*)/d(?=\w)", r"∂\1/∂", text) for text in total] == partial
    of_root = re.compile(r"∂⁺?y/∂(\w+)")  # the local derivatives of the root stay
    held = [of_root.sub(r"\1.grad", text) for text in partial]
    assert [of_root.sub(r"\1.grad", text) for text in grad] == held
    assert len(of_root.findall(" ".join(grad))) < len(of_root.findall(" ".join(partial)))


def test_nothing_is_false_of_a_group(views):
    drawings = random_drawings(7, SEED)
    name, drawing = next(found for found in drawings[1:] if found[1].groups)
    tally = survey(views, name, drawing, ["correct"], 4)
    assert wrong(tally) == []
    assert any(place.startswith("group ") for place, _mistake in tally.texts)


@in_turn("name", ["shared-leaf", "neuron"])
def test_nothing_is_false_in_latex(name):
    assert wrong(survey_written(name, EXAMPLES[name].graph)) == []
