"""Typing values and labels on the canvas, deleting, healing, and what things say."""

import math

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtWidgets import QLineEdit

from app.canvas.editing.inline_fields import InlineEdit
from engine.graph import Constant, Graph, Leaf, OpNode, Root
from tests.helpers.asked import cover
from tests.helpers.easel import Easel
from tests.helpers.mouse import (
    at_header,
    at_label,
    at_nothing,
    at_number,
    at_output,
    at_slot,
    at_wire,
    click,
    double_click,
    drag_out,
    drag_over,
    drop,
    drop_entry,
    entry,
    hover,
    key,
    type_into_focus,
)

RETURN, ESCAPE = Qt.Key.Key_Return, Qt.Key.Key_Escape
NODES = {
    1: Leaf(2.0, "a"),
    2: Constant(3.0),
    3: OpNode("mul", (1, 2), "b"),
    4: OpNode("tanh", (3,), "c"),
    5: Root(4),
}
PLACES = {1: (0.0, 0.0), 2: (0.0, 192.0), 3: (360.0, 48.0), 4: (720.0, 48.0), 5: (1080.0, 48.0)}


@pytest.fixture
def sheet(easel: Easel) -> Easel:
    easel.show(Graph(NODES, 5, 6), PLACES)
    return easel


def field(sheet: Easel) -> InlineEdit | None:
    """The field that is open, if one is."""
    fields = sheet.view.viewport().findChildren(InlineEdit)
    return next((found for found in fields if found.isVisible()), None)


def opened(sheet: Easel) -> InlineEdit:
    found = field(sheet)
    assert found is not None
    assert found.hasFocus()
    return found


def value(sheet: Easel, node: int) -> float:
    found = sheet.graph.nodes[node]
    assert isinstance(found, Leaf | Constant)
    return found.value


# values


@pytest.mark.parametrize("node", [1, 2])
def test_a_double_click_on_a_leaf_or_constant_opens_its_value(sheet: Easel, node: int):
    double_click(sheet.view, at_number(sheet.view, node))
    shown = opened(sheet)
    assert float(shown.text()) == value(sheet, node)
    assert shown.selectedText() == shown.text()


def test_a_typed_value_is_taken_with_enter_as_one_step(sheet: Easel):
    double_click(sheet.view, at_number(sheet.view, 1))
    type_into_focus("-4.5")
    key(RETURN)
    assert value(sheet, 1) == -4.5
    assert field(sheet) is None
    assert sheet.view.hasFocus()
    assert sheet.document.done[-1].name == "Set a"
    assert len(sheet.document.steps) == 1
    assert sheet.scene.node(3).value.text == "−13.5"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("7", 7.0), ("1e-3", 0.001), ("−2", -2.0), ("inf", math.inf), ("-inf", -math.inf)],
)
def test_numbers_are_read_as_people_write_them(sheet: Easel, typed: str, meant: float):
    double_click(sheet.view, at_number(sheet.view, 1))
    opened(sheet).setText(typed)
    key(RETURN)
    assert value(sheet, 1) == meant


@pytest.mark.parametrize("typed", ["", "two", "1,,2", "1e", "import os"])
def test_what_is_no_number_stays_open_and_changes_nothing(sheet: Easel, typed: str):
    before = sheet.bytes()
    double_click(sheet.view, at_number(sheet.view, 1))
    opened(sheet).setText(typed)
    key(RETURN)
    assert opened(sheet).property("valid") == "false"
    assert sheet.bytes() == before
    key(ESCAPE)
    assert field(sheet) is None
    assert sheet.bytes() == before


def test_esc_closes_the_field_without_a_trace(sheet: Easel):
    before = sheet.bytes()
    double_click(sheet.view, at_number(sheet.view, 1))
    type_into_focus("99")
    key(ESCAPE)
    assert field(sheet) is None
    assert sheet.bytes() == before
    assert not sheet.document.steps


def test_a_click_elsewhere_takes_a_good_value(sheet: Easel):
    double_click(sheet.view, at_number(sheet.view, 1))
    type_into_focus("8")
    click(sheet.view, at_nothing(sheet.view))
    assert value(sheet, 1) == 8.0
    assert field(sheet) is None


def test_a_click_elsewhere_drops_a_bad_value(sheet: Easel):
    before = sheet.bytes()
    double_click(sheet.view, at_number(sheet.view, 1))
    opened(sheet).setText("eight")
    click(sheet.view, at_nothing(sheet.view))
    assert sheet.bytes() == before
    assert field(sheet) is None


def test_leaving_the_field_for_another_widget_lets_the_keyboard_go_there(sheet: Easel):
    other = QLineEdit(sheet.view)
    other.show()
    double_click(sheet.view, at_number(sheet.view, 1))
    type_into_focus("8")
    other.setFocus(Qt.FocusReason.MouseFocusReason)
    assert value(sheet, 1) == 8.0
    assert field(sheet) is None
    assert other.hasFocus()


def test_the_same_value_again_is_no_step(sheet: Easel):
    double_click(sheet.view, at_number(sheet.view, 1))
    key(RETURN)
    assert not sheet.document.steps


def test_enter_opens_the_value_of_the_node_that_the_keyboard_is_on(sheet: Easel):
    for way, node in ((Qt.Key.Key_Left, 2), (Qt.Key.Key_Up, 1)):  # at the slot, and a leaf
        click(sheet.view, at_header(sheet.view, 3))
        key(way)
        assert sheet.selection.only == node
        key(RETURN)
        type_into_focus("5")
        key(RETURN)
        assert value(sheet, node) == 5.0


def test_the_value_of_a_seated_constant_is_edited_where_it_stands(sheet: Easel):
    pill = sheet.scene.boxes[2]
    assert pill.kind == "pill"
    double_click(sheet.view, at_number(sheet.view, 2))
    shown = opened(sheet)
    at = sheet.view.camera.rect_on_screen(pill.rect).toRect()
    assert shown.geometry().topLeft() == at.topLeft()
    assert shown.text() == "3"
    type_into_focus("-12345.5")
    key(RETURN)
    assert value(sheet, 2) == -12345.5
    assert sheet.scene.node(3).value.text == "−24691"
    wider = sheet.scene.boxes[2]
    assert wider.w > pill.w
    assert wider.rect.right() == pill.rect.right()  # it grows away from its slot


def test_the_field_opens_over_its_number_at_any_zoom(sheet: Easel):
    for zoom in (1.0, 0.5, 2.0):
        sheet.view.camera.set_zoom(zoom)
        sheet.view.framing.show_node(1)
        sheet.selection.focus_on(1)
        sheet.view.editing.fields.edit_value(sheet.view.context.selection.focus)
        shown = opened(sheet)
        assert shown.geometry().contains(at_number(sheet.view, 1).toPoint())
        key(ESCAPE)


def test_a_field_whose_node_goes_away_closes(sheet: Easel):
    double_click(sheet.view, at_number(sheet.view, 1))
    sheet.document.remove([1])
    assert field(sheet) is None
    assert len(sheet.document.steps) == 1


# labels


def test_f2_labels_and_the_label_shows(sheet: Easel):
    sheet.selection.focus_on(3)
    sheet.view.editing.label()
    assert opened(sheet).text() == "b"
    type_into_focus("x1*w1")
    key(RETURN)
    assert sheet.scene.node(3).texts.label == "x1*w1"
    assert sheet.document.done[-1].name == "Label b"
    assert sheet.graph.names[3] == "x1_w1_3"


def test_a_double_click_on_an_op_or_on_a_head_labels(sheet: Easel):
    double_click(sheet.view, at_header(sheet.view, 4))
    opened(sheet).setText("out")
    key(RETURN)
    assert sheet.graph.label(4) == "out"
    double_click(sheet.view, at_header(sheet.view, 1))
    opened(sheet).setText("input")
    key(RETURN)
    assert sheet.graph.label(1) == "input"
    assert sheet.scene.node(5).texts.label == "out"  # the root carries the name of its node


def test_a_label_can_be_emptied_and_is_plain_text(sheet: Easel):
    sheet.document.set_label(1, "<b>bold</b>")
    assert "<b>bold</b>" in sheet.texts()
    sheet.selection.focus_on(3)
    sheet.view.editing.label()
    opened(sheet).clear()
    key(RETURN)
    assert sheet.graph.label(3) == ""


def test_a_label_is_at_most_200_characters(sheet: Easel):
    sheet.selection.focus_on(3)
    sheet.view.editing.label()
    opened(sheet).setText("y" * 300)
    key(RETURN)
    assert len(sheet.graph.label(3)) == 200


def test_a_root_says_why_it_has_no_label(sheet: Easel):
    sheet.selection.focus_on(5)
    sheet.view.editing.label()
    assert field(sheet) is None
    assert "no label" in sheet.said[-1]


def test_labelling_nothing_does_nothing(sheet: Easel):
    sheet.selection.clear()
    sheet.view.editing.label()
    sheet.view.editing.fields.edit_value(sheet.view.context.selection.focus)
    assert field(sheet) is None


# deleting and healing


def test_delete_takes_nodes_and_their_wires_away(sheet: Easel):
    before = sheet.bytes()
    sheet.selection.choose((1, 3))
    sheet.view.editing.delete()
    assert set(sheet.graph.nodes) == {2, 4, 5}
    assert sheet.graph.inputs(4) == (None,)
    assert sheet.document.done[-1].name == "Delete 2 nodes"
    assert set(sheet.scene.boxes) == {2, 4, 5}
    assert (4, 0) not in sheet.scene.courses
    sheet.document.undo()
    assert sheet.bytes() == before


def test_delete_unplugs_a_chosen_wire(sheet: Easel):
    click(sheet.view, at_wire(sheet.view, (3, 0)))
    assert sheet.selection.wires == {(3, 0)}
    sheet.view.editing.delete()
    assert sheet.graph.inputs(3) == (None, 2)
    assert len(sheet.graph.nodes) == 5


def test_heal_joins_the_neighbours_of_a_one_slot_op(sheet: Easel):
    before = sheet.bytes()
    sheet.selection.focus_on(4)
    sheet.view.editing.delete(bypass=True)
    assert sheet.graph.source((5, 0)) == 3
    assert sheet.document.done[-1].name == "Delete c and join"
    sheet.document.undo()
    assert sheet.bytes() == before


def test_what_can_not_be_healed_is_deleted(sheet: Easel):
    sheet.selection.focus_on(3)
    sheet.view.editing.delete(bypass=True)
    assert 3 not in sheet.graph.nodes
    assert sheet.graph.inputs(4) == (None,)


def test_deleting_nothing_is_no_step(sheet: Easel):
    sheet.selection.clear()
    sheet.view.editing.delete()
    assert not sheet.document.steps


# dropping


@pytest.mark.parametrize("key_of", ["leaf", "constant", "root", "op:add", "op:tanh"])
def test_an_entry_dropped_on_the_canvas_stands_under_the_pointer(sheet: Easel, key_of: str):
    at = at_nothing(sheet.view)
    number = drop_entry(sheet.view, key_of, at)
    middle = sheet.scene.boxes[number].rect.center()
    assert (middle - sheet.view.camera.to_sheet(at)).manhattanLength() < 50
    assert sheet.selection.only == number
    assert len(sheet.document.steps) == 1


def test_an_op_dropped_on_a_wire_goes_into_it(sheet: Easel):
    at = at_wire(sheet.view, (4, 0))
    number = drop_entry(sheet.view, "op:exp", at)
    assert sheet.graph.source((4, 0)) == number
    assert sheet.graph.source((number, 0)) == 3
    assert len(sheet.document.steps) == 1


def test_a_leaf_dropped_on_a_wire_stands_beside_it(sheet: Easel):
    number = drop_entry(sheet.view, "leaf", at_wire(sheet.view, (4, 0)))
    assert sheet.graph.source((4, 0)) == 3
    assert sheet.graph.outgoing[number] == ()


def test_hovering_with_an_op_lights_up_the_wire_and_leaving_darkens_it(sheet: Easel):
    at = at_wire(sheet.view, (4, 0))
    hover(sheet.view, QPointF(5, 5))
    before = sheet.view.grab().toImage()
    assert drag_over(sheet.view, entry("op:exp"), at)
    assert sheet.view.grab().toImage() != before
    drag_out(sheet.view)
    assert sheet.view.grab().toImage() == before
    assert not sheet.document.steps


def test_what_is_no_entry_is_not_taken(sheet: Easel):
    text = QMimeData()
    text.setText("hello")
    before = sheet.bytes()
    assert not drop(sheet.view, text, QPointF(500, 500))
    drop(sheet.view, entry("op:nonsense"), at_nothing(sheet.view))
    drop(sheet.view, entry("nonsense"), at_nothing(sheet.view))
    assert sheet.bytes() == before


# what is said of things


def test_hovering_tells_names_and_full_numbers(sheet: Easel):
    hover(sheet.view, at_header(sheet.view, 4))
    assert sheet.hint.startswith("c, value 0.99998")
    hover(sheet.view, at_wire(sheet.view, (4, 0)))
    assert sheet.hint == "b → c, slot 1"
    hover(sheet.view, at_output(sheet.view, 1))
    assert "Drag to a slot" in sheet.hint
    hover(sheet.view, at_nothing(sheet.view))
    assert sheet.hint == ""


def test_hovering_a_label_tells_its_product_in_full(sheet: Easel):
    sheet.playback.backward()
    sheet.playback.to_end()
    hover(sheet.view, at_label(sheet.view, (4, 0)))
    assert sheet.hint.startswith("b → c, slot 1: 1 × ")
    assert " = " in sheet.hint


def test_an_empty_slot_says_what_to_do(sheet: Easel):
    sheet.document.wires.disconnect(3, 0)
    hover(sheet.view, at_slot(sheet.view, 3, 0))
    assert "empty" in sheet.hint


def test_a_click_on_a_covered_label_shows_the_number(sheet: Easel):
    cover(sheet.playback)
    sheet.playback.backward()
    label = sheet.scene.label((4, 0))
    assert label is not None
    assert label.contribution == "?"
    click(sheet.view, at_label(sheet.view, (4, 0)))
    shown = sheet.scene.label((4, 0))
    assert shown is not None
    assert shown.contribution not in ("?", "···")
    assert sheet.playback.cursor == 1
