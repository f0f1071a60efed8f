"""Typing values and labels on the canvas, deleting, healing, and what things say."""

import math

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtWidgets import QLineEdit

from app.canvas.editing.inline_fields import InlineEdit
from engine.graph import Constant, Graph, Leaf, OpNode, Root
from tests.helpers.asked import cover
from tests.helpers.canvas import CanvasFixture
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
    two_fingers,
    type_into_focus,
    wheel,
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
def sheet(canvas: CanvasFixture) -> CanvasFixture:
    canvas.show(Graph(NODES, 5, 6), PLACES)
    return canvas


def field(sheet: CanvasFixture) -> InlineEdit | None:
    """The field that is open, if one is."""
    fields = sheet.view.viewport().findChildren(InlineEdit)
    return next((found for found in fields if found.isVisible()), None)


def opened(sheet: CanvasFixture) -> InlineEdit:
    found = field(sheet)
    assert found is not None
    assert found.hasFocus()
    return found


def value(sheet: CanvasFixture, node: int) -> float:
    found = sheet.graph.nodes[node]
    assert isinstance(found, Leaf | Constant)
    return found.value


# values


@pytest.mark.parametrize("node", [1, 2])
def test_a_double_click_on_a_leaf_or_constant_opens_its_value(sheet: CanvasFixture, node: int):
    double_click(sheet.view, at_number(sheet.view, node))
    shown = opened(sheet)
    assert float(shown.text()) == value(sheet, node)
    assert shown.selectedText() == shown.text()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("7", 7.0), ("-4.5", -4.5), ("1e-3", 0.001), ("−2", -2.0),
        ("inf", math.inf), ("-inf", -math.inf),
    ],
)  # fmt: skip
def test_a_typed_value_is_taken_with_enter_as_one_step(
    sheet: CanvasFixture, typed: str, meant: float
):
    double_click(sheet.view, at_number(sheet.view, 1))
    opened(sheet).setText(typed)
    key(RETURN)
    assert value(sheet, 1) == meant
    assert field(sheet) is None
    assert sheet.view.hasFocus()
    assert [step.name for step in sheet.document.steps] == ["Set a"]
    assert sheet.scene.node(3).value.text == sheet.style.short(3 * meant)


@pytest.mark.parametrize("typed", ["", "two", "1,,2", "1e", "import os"])
def test_what_is_no_number_stays_open_until_esc_or_a_click_elsewhere(
    sheet: CanvasFixture, typed: str
):
    before = sheet.bytes()
    for end in (lambda: key(ESCAPE), lambda: click(sheet.view, at_nothing(sheet.view))):
        double_click(sheet.view, at_number(sheet.view, 1))
        opened(sheet).setText(typed)
        key(RETURN)
        assert opened(sheet).property("valid") == "false"
        end()
        assert field(sheet) is None
    assert sheet.bytes() == before
    assert not sheet.document.steps


def test_esc_drops_a_good_value_and_the_same_again_is_no_step(sheet: CanvasFixture):
    for typed, end in (("99", ESCAPE), ("2", RETURN)):
        double_click(sheet.view, at_number(sheet.view, 1))
        type_into_focus(typed)
        key(end)
        assert field(sheet) is None
        assert value(sheet, 1) == 2.0
        assert not sheet.document.steps


def test_a_click_elsewhere_takes_a_good_value(sheet: CanvasFixture):
    double_click(sheet.view, at_number(sheet.view, 1))
    type_into_focus("8")
    click(sheet.view, at_nothing(sheet.view))
    assert value(sheet, 1) == 8.0
    assert field(sheet) is None


def test_leaving_the_field_for_another_widget_lets_the_keyboard_go_there(sheet: CanvasFixture):
    other = QLineEdit(sheet.view)
    other.show()
    double_click(sheet.view, at_number(sheet.view, 1))
    type_into_focus("8")
    other.setFocus(Qt.FocusReason.MouseFocusReason)
    assert value(sheet, 1) == 8.0
    assert field(sheet) is None
    assert other.hasFocus()


def test_enter_opens_the_value_of_the_node_that_the_keyboard_is_on(sheet: CanvasFixture):
    for way, node in ((Qt.Key.Key_Left, 2), (Qt.Key.Key_Up, 1)):  # at the slot, and a leaf
        click(sheet.view, at_header(sheet.view, 3))
        key(way)
        assert sheet.selection.only == node
        key(RETURN)
        type_into_focus("5")
        key(RETURN)
        assert value(sheet, node) == 5.0


def test_the_value_of_a_seated_constant_is_edited_where_it_stands(sheet: CanvasFixture):
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


def test_a_field_whose_node_goes_away_closes(sheet: CanvasFixture):
    double_click(sheet.view, at_number(sheet.view, 1))
    sheet.document.remove([1])
    assert field(sheet) is None
    assert len(sheet.document.steps) == 1


# labels


@pytest.mark.parametrize(
    ("typed", "label", "name"),
    [("x1*w1", "x1*w1", "x1_w1_3"), ("", "", "v3"), ("y" * 300, "y" * 200, None)],
)
def test_f2_labels_and_the_label_shows(
    sheet: CanvasFixture, typed: str, label: str, name: str | None
):
    sheet.selection.focus_on(3)
    sheet.view.editing.label()
    assert opened(sheet).text() == "b"
    opened(sheet).setText(typed)
    key(RETURN)
    assert sheet.graph.label(3) == sheet.scene.node(3).texts.label == label
    assert sheet.document.done[-1].name == "Label b"
    assert name is None or sheet.graph.names[3] == name


def test_a_double_click_on_an_op_or_on_a_head_labels(sheet: CanvasFixture):
    for node, label in ((4, "out"), (1, "input")):
        double_click(sheet.view, at_header(sheet.view, node))
        opened(sheet).setText(label)
        key(RETURN)
        assert sheet.graph.label(node) == label
    assert sheet.scene.node(5).texts.label == "out"  # the root carries the name of its node


def test_a_root_says_why_it_has_no_label(sheet: CanvasFixture):
    sheet.selection.focus_on(5)
    sheet.view.editing.label()
    assert field(sheet) is None
    assert "no label" in sheet.said[-1]


def test_labelling_valuing_or_deleting_nothing_does_nothing(sheet: CanvasFixture):
    sheet.selection.clear()
    sheet.view.editing.label()
    sheet.view.editing.fields.edit_value(sheet.view.context.selection.focus)
    sheet.view.editing.delete()
    assert field(sheet) is None
    assert not sheet.document.steps


# deleting and healing


def test_delete_takes_nodes_and_their_wires_away(sheet: CanvasFixture):
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


def test_delete_unplugs_a_chosen_wire(sheet: CanvasFixture):
    click(sheet.view, at_wire(sheet.view, (3, 0)))
    assert sheet.selection.wires == {(3, 0)}
    sheet.view.editing.delete()
    assert sheet.graph.inputs(3) == (None, 2)
    assert len(sheet.graph.nodes) == 5


def test_a_one_slot_op_is_bypassed_and_any_other_node_deleted(sheet: CanvasFixture):
    before = sheet.bytes()
    sheet.selection.focus_on(4)
    sheet.view.editing.delete(bypass=True)
    assert sheet.graph.source((5, 0)) == 3
    assert sheet.document.done[-1].name == "Delete c and join"
    sheet.document.undo()
    assert sheet.bytes() == before
    sheet.selection.focus_on(3)
    sheet.view.editing.delete(bypass=True)
    assert 3 not in sheet.graph.nodes
    assert sheet.graph.inputs(4) == (None,)


# dropping


@pytest.mark.parametrize("key_of", ["leaf", "constant", "root", "op:add", "op:tanh"])
def test_an_entry_dropped_on_the_canvas_stands_under_the_pointer(sheet: CanvasFixture, key_of: str):
    at = at_nothing(sheet.view)
    number = drop_entry(sheet.view, key_of, at)
    middle = sheet.scene.boxes[number].rect.center()
    assert (middle - sheet.view.camera.to_sheet(at)).manhattanLength() < 50
    assert sheet.selection.only == number
    assert len(sheet.document.steps) == 1


@pytest.mark.parametrize("key_of", ["op:exp", "leaf"])
def test_an_op_dropped_on_a_wire_goes_into_it_and_a_leaf_beside_it(
    sheet: CanvasFixture, key_of: str
):
    number = drop_entry(sheet.view, key_of, at_wire(sheet.view, (4, 0)))
    inserted = key_of != "leaf"
    assert sheet.graph.source((4, 0)) == (number if inserted else 3)
    assert sheet.graph.inputs(number) == ((3,) if inserted else ())
    assert len(sheet.document.steps) == 1


def test_hovering_with_an_op_lights_up_the_wire_and_leaving_darkens_it(sheet: CanvasFixture):
    at = at_wire(sheet.view, (4, 0))
    hover(sheet.view, QPointF(5, 5))
    before = sheet.view.grab().toImage()
    assert drag_over(sheet.view, entry("op:exp"), at)
    assert sheet.view.grab().toImage() != before
    drag_out(sheet.view)
    assert sheet.view.grab().toImage() == before
    assert not sheet.document.steps


def test_what_is_no_entry_is_not_taken(sheet: CanvasFixture):
    text = QMimeData()
    text.setText("hello")
    before = sheet.bytes()
    assert not drop(sheet.view, text, QPointF(500, 500))
    drop(sheet.view, entry("op:nonsense"), at_nothing(sheet.view))
    drop(sheet.view, entry("nonsense"), at_nothing(sheet.view))
    assert sheet.bytes() == before


# what is said of things


def test_hovering_tells_names_full_numbers_and_what_to_do(sheet: CanvasFixture):
    view = sheet.view
    sheet.document.add_node(OpNode("exp", (None,)), (360.0, 480.0))
    for at, hint in (
        (at_header(view, 4), "c, value 0.99998"),
        (at_wire(view, (4, 0)), "b → c, slot 1"),
        (at_output(view, 1), "Drag to a slot"),
        (at_slot(view, 6, 0), "empty"),
    ):
        hover(view, at)
        assert hint in sheet.hint
    hover(view, at_nothing(view))
    assert sheet.hint == ""
    sheet.playback.backward()
    sheet.playback.to_end()
    hover(view, at_label(view, (4, 0)))
    assert sheet.hint.startswith("b → c, slot 1: 1 × ")
    assert " = " in sheet.hint


def test_a_click_on_a_covered_label_shows_the_number(sheet: CanvasFixture):
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


def offset(sheet: CanvasFixture, node: int = 1) -> QPointF:
    """How far the open field stands from its node, in pixels of the sheet."""
    corner = sheet.scene.boxes[node].rect.topLeft()
    return sheet.view.camera.to_sheet(QPointF(opened(sheet).pos())) - corner


def zoomed(sheet: CanvasFixture) -> None:
    wheel(sheet.view, at_nothing(sheet.view), -3)


def panned(sheet: CanvasFixture) -> None:
    two_fingers(sheet.view, at_nothing(sheet.view), QPoint(60, 35))


def placed_elsewhere(sheet: CanvasFixture) -> None:
    sheet.document.move({1: (120.0, 240.0)}, text="Arrange")


@pytest.mark.parametrize("shift", [zoomed, panned, placed_elsewhere])
@pytest.mark.parametrize("part", ["value", "label"])
def test_an_open_field_stays_on_its_node(sheet: CanvasFixture, shift, part):
    sheet.selection.focus_on(1)
    if part == "value":
        sheet.view.editing.fields.edit_value(sheet.view.context.selection.focus)
    else:
        sheet.view.editing.label()
    before, at = offset(sheet), opened(sheet).pos()
    type_into_focus("7")
    shift(sheet)
    assert opened(sheet).pos() != at
    assert (offset(sheet) - before).manhattanLength() < 4
    assert opened(sheet).text() == "7"


def test_the_field_of_a_drawn_group_stays_on_it(sheet: CanvasFixture):
    sheet.selection.choose_all()
    sheet.view.editing.draw_group()
    (rect,) = sheet.scene.node_layout.groups.drawn.values()
    for shift in (zoomed, panned):
        shift(sheet)
        at = sheet.view.camera.to_screen(rect.topLeft() + QPointF(10, 5))
        assert (QPointF(opened(sheet).pos()) - at).manhattanLength() < 3
    key(Qt.Key.Key_Return)
    assert len(sheet.document.steps) == 1
