"""The history holds exactly what was done: to the last bit, and not what was given up."""

import math

import pytest

from app.document.document import Document
from app.document.files import whole_text
from app.document.sheet import Sheet, same_sheet
from app.workbench.playback import Playback
from engine.graph import Graph, Leaf, OpNode, Root


@pytest.fixture
def document(qapp) -> Document:
    found = Document()
    found.add_node(Leaf(0.0, "a"), (0.0, 0.0))
    found.add_node(Leaf(1.0, "b"), (0.0, 120.0))
    return found


def value(document: Document, node: int) -> float:
    found = document.graph.nodes[node]
    assert isinstance(found, Leaf)
    return found.value


def test_minus_zero_is_another_value_than_zero(document: Document):
    before = whole_text(document.sheet)
    document.set_value(1, -0.0)
    assert math.copysign(1.0, value(document, 1)) == -1.0
    document.stack.undo()
    assert whole_text(document.sheet) == before


def test_nan_again_is_no_step(document: Document):
    document.set_value(1, math.nan)
    steps = document.stack.count()
    document.set_value(1, math.nan)
    assert document.stack.count() == steps


@pytest.mark.parametrize("values", [(5.0,), (5.0, 6.0), (-10.0, 100.0, -0.0, 0.0), (math.nan,)])
def test_a_gesture_given_up_leaves_neither_a_value_nor_a_redo(document: Document, values):
    before, steps = whole_text(document.sheet), document.stack.count()
    gesture = document.new_gesture()
    for x in values:
        document.set_value(1, x, gesture)
    document.abandon(gesture)
    assert whole_text(document.sheet) == before
    assert document.stack.count() == steps
    assert not document.stack.canRedo()


def test_a_tick_that_changes_nothing_lets_the_numbers_stay_in_step(document: Document):
    """Numbers are shown only while they belong to the very graph of the document."""
    playback = Playback(document)
    gesture = document.new_gesture()
    for x in (5.0, 5.0, 0.0, 0.0):
        document.set_value(1, x, gesture)
        assert playback.frame.graph is document.graph
    document.stack.undo()
    assert playback.frame.graph is document.graph


def test_only_the_gesture_itself_is_given_up(document: Document):
    gesture = document.new_gesture()
    document.set_value(1, 5.0, gesture)
    document.set_value(2, 7.0)
    document.abandon(gesture)
    document.abandon(0)
    assert (value(document, 1), value(document, 2)) == (5.0, 7.0)


def test_the_last_step_can_be_taken_back_for_good(document: Document):
    document.set_value(1, 5.0)
    document.take_back()
    assert value(document, 1) == 0.0
    assert not document.stack.canRedo()


def test_groups_that_lose_all_they_hold_go_together(document: Document):
    inner = document.make_group([1], "inner")
    document.make_group([1], "outer")
    assert inner is not None
    document.remove([1])
    assert document.sheet.groups == {}
    document.stack.undo()
    assert inner in document.sheet.groups


@pytest.mark.parametrize("title", ["\x00", "two\nlines", "x" * 201])
def test_a_group_with_a_title_no_file_could_hold_is_refused(document: Document, title: str):
    said: list[str] = []
    document.refused.connect(lambda sentence: said.append(sentence))
    assert document.make_group([1], title) is None
    assert said == ["A title is one line of up to 200 characters."]
    assert whole_text(document.sheet)


def test_sheets_are_compared_to_the_last_bit():
    def sheet(x: float) -> Sheet:
        return Sheet(Graph({1: Leaf(x), 2: OpNode("exp", (1,)), 3: Root(2)}, 3, 4))

    assert same_sheet(sheet(math.nan), sheet(math.nan))
    assert not same_sheet(sheet(0.0), sheet(-0.0))
    assert not same_sheet(sheet(1.0), sheet(2.0))
