"""The steps of a sheet's lesson follow the names of its nodes, and are copied whole."""

from pathlib import Path

from app.lessons.draft import Draft, draft_of, written
from app.lessons.load import reading_of
from app.lessons.parsing import StepFile
from app.lessons.renaming import on_sheet, renamed, whole_step
from app.lessons.situation import at_start, situation_of, with_values
from engine import from_expression
from engine.edits import remove, set_label
from engine.graph import Graph
from tests.helpers.lessons import LESSON

GRAPH = from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})
STEPS = (
    StepFile(
        "do",
        title="{b} first",
        text="{b.grad}, {e.2}, {e.2.local}, `b`",
        task="change **b** until {b} is 0",
        start="e.2",
        values={"b": 1.0},
        slider={"b": (-4.0, 0.0)},
        light=("b", "e.2"),
        check=({"grad": "b", "is": 0}, {"wired": "e.2", "from": "b"}, {"readers": "b", "above": 0}),
        show=("b = -1", "fire b", "wire b e.1", "step 5"),
    ),
    StepFile(
        "ask",
        start="backward 3",
        ask=(
            {"kind": "final", "node": "b"},
            {"kind": "change", "leaf": "b", "to": 1, "node": "L"},
            {"kind": "text", "text": "{b}?", "choices": [{"text": "b", "say": "{b}"}]},
        ),
        ripple={"node": "b", "wires": ["e.2"]},
    ),
)


def node(name: str, graph: Graph = GRAPH) -> int:
    found = graph.node_named(name)
    assert found is not None
    return found


def steps_after(after: Graph) -> tuple[StepFile, ...]:
    return draft_of(renamed(written(Draft(steps=STEPS, carries=False)), GRAPH, after)).steps


def test_a_node_that_is_renamed_is_renamed_wherever_a_step_names_it():
    do, ask = steps_after(set_label(GRAPH, node("b"), "w"))
    assert (do.title, do.text) == ("{w} first", "{w.grad}, {e.2}, {e.2.local}, `b`")
    assert do.task == "change **w** until {w} is 0"
    assert (do.values, do.slider) == ({"w": 1}, {"w": (-4, 0)})
    assert do.light == ("w", "e.2")
    assert do.check[0] == {"grad": "w", "is": 0}
    assert do.check[1:] == ({"wired": "e.2", "from": "w"}, {"readers": "w", "above": 0})
    assert do.show == ("w = -1", "fire w", "wire w e.1", "step 5")
    assert ask.start == "backward 3"
    assert ask.ask[0] == {"kind": "final", "node": "w"}
    assert ask.ask[1] == {"kind": "change", "leaf": "w", "to": 1, "node": "L"}
    assert ask.ask[2]["choices"] == [{"text": "b", "say": "{w}"}]
    do, ask = steps_after(set_label(GRAPH, node("e"), "p"))
    assert (do.start, do.light, do.show[2]) == ("p.2", ("b", "p.2"), "wire b p.1")
    assert ask.ripple == {"node": "b", "wires": ["p.2"]}


def test_a_name_that_passes_to_another_node_counts_as_gone():
    after = set_label(remove(GRAPH, [node("b")]), node("f"), "b")
    text = renamed(written(Draft(steps=STEPS, carries=False)), GRAPH, after)
    assert draft_of(text).steps[1].ask[0]["node"] == "b_gone"
    alone = written(Draft(steps=(StepFile("say", light=("b_gone",)),), carries=False))
    (fault,) = reading_of(alone, Path("lesson.toml"), GRAPH).faults
    assert fault.clause.startswith('"b_gone" is no node of the graph')


def test_a_text_that_can_not_be_read_and_other_edits_leave_it_as_it_is():
    other = set_label(GRAPH, node("b"), "w")
    assert renamed("[[step", GRAPH, other) == "[[step"
    assert renamed(LESSON, GRAPH, GRAPH.with_values({node("b"): 9.0})) == LESSON


def test_a_step_with_a_graph_of_its_own_keeps_its_names():
    own = StepFile("say", graph={"expression": "b = a*2; y = b"}, light=("b",))
    text = written(Draft(steps=(own, STEPS[1]), carries=False))
    first, second = draft_of(renamed(text, GRAPH, set_label(GRAPH, node("b"), "w"))).steps
    assert first.light == ("b",)
    assert second.ask[0]["node"] == "w"


def test_a_copied_step_has_its_graph_and_is_the_same_again_on_its_sheet():
    begun = at_start(with_values(situation_of(GRAPH), {node("b"): 1.0}), "backward", 5)
    copied = whole_step(StepFile("say", start="e.1", values={"b": 1.0}, light=("e.1",)), begun)
    assert copied.graph == {
        "expression": "e = a*b; d = e + a; L = d*f",
        "values": {"a": 2, "b": 1, "f": -2},
    }
    assert (copied.values, copied.mistake) == ({}, "none")
    assert on_sheet(copied, GRAPH) == StepFile("say", start="e.1", values={"b": 1}, light=("e.1",))
    other = from_expression("y = u*v")
    assert on_sheet(copied, other) == copied
