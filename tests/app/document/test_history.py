"""The history holds exactly what was done: to the last bit, and not what was given up."""

import math

import pytest

from app.document.change import Change, same_sheet
from app.document.document import Document
from app.document.document_file import whole_text
from app.document.history import LOCKED, Edit
from app.document.sheet import Sheet
from app.workbench.playback.playback import Playback
from engine import from_expression
from engine.formats.native import Drawing
from engine.graph import Graph, Leaf, OpNode, Root
from engine.rules import Recorded


@pytest.fixture
def document(document: Document) -> Document:
    document.add_node(Leaf(0.0, "a"), (0.0, 0.0))
    document.add_node(Leaf(1.0, "b"), (0.0, 120.0))
    return document


def value(document: Document, node: int) -> float:
    found = document.graph.nodes[node]
    assert isinstance(found, Leaf)
    return found.value


def test_minus_zero_is_another_value_than_zero(document: Document):
    before = whole_text(document.sheet)
    document.set_value(1, -0.0)
    assert math.copysign(1.0, value(document, 1)) == -1.0
    document.undo()
    assert whole_text(document.sheet) == before


def test_nan_again_is_no_step(document: Document):
    document.set_value(1, math.nan)
    steps = len(document.steps)
    document.set_value(1, math.nan)
    assert len(document.steps) == steps


@pytest.mark.parametrize("values", [(5.0,), (5.0, 6.0), (-10.0, 100.0, -0.0, 0.0), (math.nan,)])
def test_a_gesture_given_up_leaves_neither_a_value_nor_a_redo(document: Document, values):
    before, steps = whole_text(document.sheet), len(document.steps)
    gesture = document.new_gesture()
    for x in values:
        document.set_value(1, x, gesture)
    document.abandon(gesture)
    assert whole_text(document.sheet) == before
    assert len(document.steps) == steps
    assert not document.undone


def test_a_tick_that_changes_nothing_lets_the_numbers_stay_in_step(document: Document):
    """Numbers are shown only while they belong to the very graph of the document."""
    playback = Playback(document)
    gesture = document.new_gesture()
    for x in (5.0, 5.0, 0.0, 0.0):
        document.set_value(1, x, gesture)
        assert playback.frame.graph is document.graph
    document.undo()
    assert playback.frame.graph is document.graph


def test_groups_that_lose_all_they_hold_go_together(document: Document):
    inner = document.groups.make([1], "inner")
    document.groups.make([1], "outer")
    assert inner is not None
    document.remove([1])
    assert document.sheet.groups == {}
    document.undo()
    assert inner in document.sheet.groups


def test_sheets_are_compared_to_the_last_bit():
    def sheet(x: float) -> Sheet:
        return Sheet(Graph({1: Leaf(x), 2: OpNode("exp", (1,)), 3: Root(2)}, 3, 4))

    assert same_sheet(sheet(math.nan), sheet(math.nan))
    assert not same_sheet(sheet(0.0), sheet(-0.0))
    assert not same_sheet(sheet(1.0), sheet(2.0))


def history(document: Document) -> tuple[tuple[Edit, ...], tuple[Edit, ...], list[bool]]:
    """What is done, what can be redone, and which of it the file holds."""
    saved = [step.is_saved for step in (document.opened, *document.steps)]
    return document.done, document.undone, saved


@pytest.mark.parametrize("saved", [0, 1, 2, 3, 4])
def test_a_gesture_given_up_leaves_all_that_could_be_redone(document: Document, tmp_path, saved):
    document.set_label(1, "c")
    document.set_label(1, "d")
    sheets = []
    for index in range(5):
        document.go_to(index)
        sheets.append(document.sheet)
        if index == saved:
            document.saved(tmp_path / "x.backwire")
    document.go_to(2)
    before, told = history(document), []
    document.changed.connect(lambda _change: told.append(document.modified))
    gesture = document.new_gesture()
    for x in (5.0, 6.0):
        document.set_value(1, x, gesture)
    told.clear()
    document.abandon(gesture)
    assert history(document) == before
    assert told == [saved != 2]  # one message, and never as if it were saved on the way
    for index in range(5):
        document.go_to(index)
        assert same_sheet(document.sheet, sheets[index])
        assert document.modified == (index != saved)


def test_what_was_done_after_a_gesture_is_not_overrun_by_giving_it_up(document: Document):
    document.undo()
    gesture = document.new_gesture()
    document.set_value(1, 5.0, gesture)
    document.set_label(1, "z")
    document.move({1: (48.0, 0.0)})
    steps = history(document)
    document.abandon(gesture)
    document.abandon(0)
    assert history(document) == steps


def test_a_gesture_that_ends_where_it_began_leaves_all_that_could_be_redone(document: Document):
    document.undo()
    before, sheet, gesture = history(document), document.sheet, document.new_gesture()
    for x in (5.0, 0.0):
        document.set_value(1, x, gesture)
    assert history(document) == before
    assert document.sheet is sheet
    document.redo()
    assert value(document, 2) == 1.0


def test_a_saved_step_takes_no_other_value_of_its_gesture_in(document: Document, tmp_path):
    gesture = document.new_gesture()
    document.set_value(1, 5.0, gesture)
    document.saved(tmp_path / "x.backwire")
    document.set_value(1, 6.0, gesture)
    document.undo()
    assert value(document, 1) == 5.0
    assert not document.modified


def test_beyond_the_first_and_the_last_step_nothing_is_told(document: Document):
    told: list[Change] = []
    document.changed.connect(told.append)
    document.redo()
    document.go_to(3)
    document.go_to(0)
    document.undo()
    assert len(told) == 1
    assert document.empty


def test_steps_below_the_floor_of_undo_stay(document: Document):
    document.undo_floor = 1
    document.undo()
    assert len(document.done) == 1
    document.undo()
    document.go_to(0)
    assert len(document.done) == 1
    document.undo_floor = 0
    document.undo()
    assert document.empty


def test_going_over_steps_that_cancel_out_is_told_once(document: Document):
    document.move({1: (48.0, 0.0)})
    document.move({1: (0.0, 0.0)})
    told: list[Change] = []
    document.changed.connect(told.append)
    document.go_to(2)
    assert told == [Change(steps=True)]
    assert [step.name for step in document.undone] == ["Move a", "Move a"]


def test_better_places_join_the_sheet_as_it_was_opened_without_a_step(document: Document):
    asked: list[int] = []
    document.layout_wanted.connect(lambda _nodes, gesture: asked.append(gesture))
    document.start(Drawing(document.graph))
    document.apply_layout({1: (480.0, 96.0)}, asked[0])
    assert document.positions[1] == (480.0, 96.0)
    assert not document.steps
    assert not document.modified
    document.set_value(1, 5.0)
    document.apply_layout({1: (0.0, 0.0)}, asked[0])
    assert document.positions[1] == (480.0, 96.0), "another step was done"


def test_better_places_are_an_edit_of_a_sheet_that_has_its_old_values_again(document: Document):
    document.start(Drawing(document.graph, document.positions))
    document.set_value(1, 5.0)
    document.set_value(1, 0.0)
    assert not document.modified
    document.make_way({2: (480.0, 96.0)})
    assert document.modified


def test_neighbours_make_way_in_the_step_that_made_a_node_larger(document: Document):
    before = dict(document.positions)
    assert document.set_value(1, 12345.0)
    document.make_way({2: (900.0, 0.0)})
    assert document.positions[2] == (900.0, 0.0)
    document.undo()
    assert document.positions == before
    assert value(document, 1) == 0.0


def test_a_graph_that_was_saved_since_then_stays_as_the_file_has_it(document: Document, tmp_path):
    before = dict(document.positions)
    assert document.set_value(1, 12345.0)
    document.saved(tmp_path / "y.backwire")
    document.make_way({2: (900.0, 0.0)})
    assert document.positions == before
    assert not document.modified


def test_a_locked_document_refuses_every_edit_with_a_sentence(document: Document):
    said: list[str] = []
    document.refused.connect(said.append)
    sheet = document.sheet
    document.locked = True
    assert not document.set_value(1, 2.0)
    assert not document.move({1: (5.0, 5.0)})
    assert said == [LOCKED, LOCKED]
    assert document.sheet is sheet


def test_a_sheet_that_another_formula_replaces_is_named_by_the_formula_that_undo_brings_back():
    first, edited, other = "y = tanh(w*x + b)", "y = tanh(w*x + b) - c", "s = p*q"
    document, named = Document(), list[str]()
    document.replaced.connect(named.append)
    document.replace_graph(from_expression(first), first)
    document.edit_expression(from_expression(edited), edited)
    for text in (other, first):
        document.replace_graph(from_expression(text), text)
    document.undo()
    document.undo()
    assert document.typed.text_for(document.graph) == edited
    assert named == [edited, other]


def test_what_a_program_did_is_kept_until_the_wiring_is_edited(document: Document):
    graph = from_expression("y = a*b + a", {"a": 2, "b": 3})
    recorded = Recorded({1: 2.0}, {}, {1: 4.0})
    document.start(Drawing(graph, recorded=recorded))
    a, y = graph.node_named("a"), graph.root
    assert a is not None
    assert y is not None
    document.set_value(a, 5.0)
    document.set_label(y, "L")
    document.move({a: (5.0, 5.0)})
    assert len(document.done) == 3
    assert document.sheet.recorded is recorded
    assert document.sheet.drawing().recorded is recorded
    document.wires.disconnect(y, 0)
    assert document.sheet.recorded is None
    document.undo()
    assert document.sheet.recorded is recorded
