"""LectureEditor: where marks are set, how their edits are undone, what they take from the sheet."""

from pathlib import Path

import pytest

from app.document.document import ValueGesture
from app.lessons.lecture import Lecture, PassPlace, Placed, lecture_of, mark_at
from app.workbench.study.lecture_editor import LectureEditor
from engine import from_expression
from engine.formats.native import Drawing
from engine.graph import Leaf
from engine.rules import BY_NAME
from engine.study.lecture import MARK_LIMIT, Mark

SHARED = "e = a*b; d = e + a; L = d*f"
VALUES = {"a": 2, "b": -3, "f": -2}


@pytest.fixture
def document(document):
    document.start(Drawing(from_expression(SHARED, VALUES)), title="Two paths")
    return document


@pytest.fixture
def editor(document, playback, selection) -> LectureEditor:
    return LectureEditor(document, playback, selection, document)


@pytest.fixture
def refusals(editor: LectureEditor) -> list[str]:
    found: list[str] = []
    editor.refused.connect(found.append)
    return found


def node(editor: LectureEditor, name: str) -> int:
    found = editor.graph.node_named(name)
    assert found is not None
    return found


def test_a_new_mark_comes_after_the_chosen_one(editor, playback):
    for step in (2, 6):
        playback.backward(cursor=step)
        editor.toggle()
    editor.choose(0)
    playback.backward(cursor=4)
    editor.toggle()
    assert [mark.step for mark in editor.marks] == [2, 4, 6]
    assert editor.at == 1


def test_in_a_forward_pass_a_node_is_marked_where_it_is_computed_and_a_leaf_with_the_values(
    editor, playback, selection
):
    playback.forward(cursor=1)
    selection.focus_on(node(editor, "d"))
    assert editor.mark_here() == Mark(phase="forward", step=2, node=node(editor, "d"), name="d")
    selection.focus_on(node(editor, "a"))
    assert editor.mark_here() == Mark()
    selection.clear()
    wire = (node(editor, "e"), 1)
    assert editor.mark_here(wire).node == node(editor, "e"), "where its node is computed"


def test_the_root_stands_for_its_node_and_what_an_edit_has_selected_for_nothing(
    editor, playback, selection
):
    selection.focus_on(editor.graph.active_root)
    assert editor.mark_here().node == node(editor, "L")
    playback.backward(cursor=3)
    selection.choose([node(editor, "a")], by_edit=True)
    assert editor.mark_here().step == 3


def test_two_marks_at_one_step_share_its_flag(editor, playback):
    playback.backward(cursor=6)
    editor.add()
    editor.add("ask")
    assert editor.flags == {PassPlace("backward", 6): "Mark 1: × (e) → a\nMark 2: × (e) → a"}
    editor.choose(0)
    editor.toggle()
    assert [mark.kind for mark in editor.marks] == ["ask"], "the chosen one of the two has gone"
    editor.remove(0)
    editor.add("blank")
    assert editor.flags == {}, "a blank screen has none"


def test_more_marks_than_a_file_holds_are_refused(editor, document, refusals):
    document.set_marks([Mark()] * MARK_LIMIT, "Add marks")
    editor.add()
    assert len(editor.marks) == MARK_LIMIT
    assert len(refusals) == 1


def test_values_that_were_changed_before_a_mark_was_chosen_stay_on_the_sheet(editor, document):
    b = node(editor, "b")
    editor.toggle()
    document.set_value(b, 5.0)
    editor.choose(0)  # the number is the sheet's own now
    document.set_value(node(editor, "a"), 7.0)
    editor.store_values()
    assert editor.mark.values == ((node(editor, "a"), 7.0),)
    assert [document.graph.nodes[node(editor, name)] for name in "ab"] == [
        Leaf(2.0, "a"), Leaf(5.0, "b"),
    ]  # fmt: skip
    document.undo()
    assert editor.mark.values == ()
    assert document.graph.nodes[node(editor, "a")] == Leaf(7.0, "a")


def test_values_are_taken_twice_and_add_up(editor, document):
    editor.toggle()
    for name, number in (("a", 7.0), ("b", 0.0)):
        document.set_value(node(editor, name), number)
        editor.store_values()
    assert dict(editor.mark.values) == {node(editor, "a"): 7.0, node(editor, "b"): 0.0}


def test_a_step_under_a_mistake_is_another_place_and_choosing_its_mark_switches_it_on(
    editor, playback
):
    playback.backward(cursor=6)
    editor.toggle()
    playback.set_rules(BY_NAME["assign"])
    playback.backward(cursor=6)
    editor.toggle()
    assert set(editor.flags) == {PassPlace("backward", 6), PassPlace("backward", 6, "assign")}
    editor.choose(0)
    assert not playback.rules.name or playback.rules.name == "correct"
    editor.choose(1)
    assert playback.rules.name == "assign"


def test_a_lecture_over_several_graphs_ends_when_another_document_is_opened_and_undo_keeps_it(
    editor, document, refusals
):
    graphs = (from_expression(SHARED, VALUES), from_expression("y = p*q", {"p": 2, "q": 3}))
    drawings = tuple(Drawing(graph) for graph in graphs)
    marks = tuple(Placed(k, mark_at(graph, "backward", 1)) for k, graph in enumerate(graphs))
    document.start(drawings[0], title="Hour")
    editor.open(Lecture("Hour", drawings, marks, "hour"), Path("hour.lecture.toml"))
    editor.choose(1)
    assert document.graph == graphs[1]
    assert editor.opened is not None
    assert editor.mark is None, "it is not edited here"
    editor.toggle()
    editor.add("ask")
    assert len(refusals) == 2
    document.undo()
    assert editor.opened is not None
    document.start(drawings[1], title="Another")
    assert editor.opened is None
    assert editor.lecture is None


def test_undo_of_an_earlier_mark_leaves_the_chosen_one_chosen(editor, document, playback):
    for step in (2, 6):
        playback.backward(cursor=step)
        editor.toggle()
    editor.choose(-1)
    editor.move(1, 0)
    assert [mark.step for mark in editor.marks] == [6, 2]
    editor.choose(0)
    document.undo()
    assert editor.at == 1
    assert editor.mark is not None
    assert editor.mark.step == 6
    document.redo()
    assert editor.at == 0


def test_marks_follow_a_dragged_value_once_it_is_released(editor, document, qtbot):
    editor.toggle()
    slides, value = editor.slides, ValueGesture(document)
    with qtbot.assertNotEmitted(editor.changed):
        value.set_value(node(editor, "a"), 9.0, "drag")
        value.set_value(node(editor, "a"), 8.0, "drag")
    with qtbot.waitSignal(editor.changed, timeout=0):
        value.end()
    assert editor.slides is not slides
    with qtbot.waitSignal(editor.changed, timeout=0):
        document.set_value(node(editor, "a"), 7.0)


def test_the_lecture_of_a_sheet_is_made_once_until_it_changes(editor, document):
    editor.toggle()
    lecture, slides = editor.lecture, editor.slides
    assert editor.lecture is lecture
    assert editor.slides is slides
    assert lecture == lecture_of(document.sheet.drawing(), "Two paths", "Two paths")
    document.set_value(node(editor, "a"), 9.0)
    assert editor.slides is not slides
