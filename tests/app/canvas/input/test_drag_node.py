"""Nodes moved by hand: on the grid, along guides, many at once, and into wires."""

from PySide6.QtCore import QPointF

from engine.graph import Leaf, OpNode
from tests.helpers.easel import Easel, color_at
from tests.helpers.mouse import (
    ALT,
    CTRL,
    SHIFT,
    at_header,
    at_wire,
    click,
    drag,
    glide,
    held,
    press,
    release,
)


def move(sheet: Easel, name: str, dx: float, dy: float, modifiers=None) -> None:
    start = at_header(sheet.view, sheet.node(name))
    drag(sheet.view, start, start + QPointF(dx, dy), *([modifiers] if modifiers else []))


def place(sheet: Easel, name: str) -> tuple[float, float]:
    return sheet.document.positions[sheet.node(name)]


def test_a_node_goes_where_it_is_dragged_on_the_grid(sheet: Easel):
    move(sheet, "e", 101, 83)
    assert place(sheet, "e") == (720 + 96, 288 + 84)
    assert sheet.document.done[-1].name == "Move e"
    assert len(sheet.document.steps) == 1


def test_undo_puts_it_back_to_the_last_byte(sheet: Easel):
    before = sheet.bytes()
    move(sheet, "e", 101, 83)
    sheet.document.undo()
    assert sheet.bytes() == before
    assert sheet.scene.boxes[sheet.node("e")].rect.topLeft() == QPointF(720, 288)


def test_the_node_and_its_wires_follow_the_hand_before_it_lets_go(sheet: Easel):
    before = sheet.bytes()
    c = sheet.node("c")
    start = at_header(sheet.view, c)
    with held(sheet.view, start, start + QPointF(0, 240)):
        box = sheet.scene.boxes[c]
        assert box.y == 48 + 240
        for slot in (0, 1):
            end = sheet.scene.courses[c, slot].path.currentPosition()
            assert abs(end.y() - box.slot(slot).y()) < 1
        assert sheet.scene.courses[sheet.wire("d")].start.y() > 288
        assert sheet.bytes() == before


def test_a_click_with_a_trembling_hand_moves_nothing(sheet: Easel):
    start = at_header(sheet.view, sheet.node("c"))
    drag(sheet.view, start, start + QPointF(2, 1), steps=2)
    assert not sheet.document.steps
    assert sheet.selection.only == sheet.node("c")


def test_alt_moves_off_the_grid(sheet: Easel):
    move(sheet, "e", 101, 83, ALT)
    assert place(sheet, "e") == (821, 371)


def test_many_nodes_move_together_as_one_step(sheet: Easel):
    before = sheet.bytes()
    sheet.selection.choose((1, 2, 3))
    move(sheet, "b", 48, 120)
    assert [place(sheet, name) for name in "abc"] == [(48, 120), (48, 312), (408, 168)]
    assert place(sheet, "d") == (720, 48)
    assert sheet.document.done[-1].name == "Move 3 nodes"
    assert len(sheet.document.steps) == 1
    sheet.document.undo()
    assert sheet.bytes() == before


def test_dragging_a_node_that_is_not_chosen_moves_it_alone(sheet: Easel):
    sheet.selection.choose((1, 2))
    move(sheet, "e", 0, 120)
    assert place(sheet, "a") == (0, 0)
    assert place(sheet, "e") == (720, 408)
    assert sheet.selection.only == sheet.node("e")


def test_a_node_near_the_line_of_another_stands_on_it_and_a_guide_shows(sheet: Easel):
    sheet.document.move({2: (0.0, 199.0)})
    view = sheet.view
    start = at_header(view, sheet.node("e"))
    with held(view, start, start + QPointF(0, 199 - 288 + 4)):
        assert sheet.scene.boxes[sheet.node("e")].y == 199
        on_guide = view.camera.to_screen(QPointF(400, 199))
        assert color_at(view, on_guide).getRgb() != view.context.theme.canvas.getRgb()
    assert place(sheet, "e")[1] == 199


def test_a_node_dragged_back_home_leaves_no_step(sheet: Easel):
    view = sheet.view
    start = at_header(view, sheet.node("e"))
    press(view, start)
    glide(view, start, start + QPointF(120, 0))
    glide(view, start + QPointF(120, 0), start)
    release(view, start)
    assert not sheet.document.steps


def test_shift_adds_and_ctrl_toggles(sheet: Easel):
    view = sheet.view
    click(view, at_header(view, 1))
    click(view, at_header(view, 2), SHIFT)
    assert sheet.selection.nodes == {1, 2}
    click(view, at_header(view, 1), CTRL)
    assert sheet.selection.nodes == {2}
    click(view, at_header(view, 3))
    assert sheet.selection.nodes == {3}


# into a wire


def test_an_op_dropped_on_a_wire_is_put_into_it(sheet: Easel):
    view = sheet.view
    target = at_wire(view, sheet.wire("c", 1))
    with held(view, at_header(view, sheet.node("e")), target):
        assert sheet.hint == "Insert e between b and c"
    assert sheet.graph.source(sheet.wire("c", 1)) == sheet.node("e")
    assert sheet.graph.source(sheet.wire("e")) == sheet.node("b")
    assert sheet.document.done[-1].name == "Insert e"
    assert len(sheet.document.steps) == 1


def test_a_wire_that_goes_away_meanwhile_takes_nothing_in(sheet: Easel):
    view, wire, e = sheet.view, sheet.wire("c", 1), sheet.node("e")
    with held(view, at_header(view, e), at_wire(view, wire)):
        sheet.document.wires.disconnect(*wire)
        assert view.mouse.gesture is None
        view.grab()
    assert sheet.graph.source(wire) is None
    assert sheet.graph.inputs(e) == (None,)
    assert len(sheet.document.steps) == 1


def test_the_slot_under_the_pointer_gets_the_wire(sheet: Easel):
    view = sheet.view
    number = sheet.document.add_node(OpNode("sub", (None, None), "m"), (360.0, 480.0))
    assert number is not None
    box = sheet.scene.boxes[number]
    low = view.camera.to_screen(QPointF(box.x + 30, box.slot(1).y()))
    drag(view, low, at_wire(view, sheet.wire("c", 1)))
    assert sheet.graph.inputs(number) == (None, sheet.node("b"))
    assert sheet.graph.source(sheet.wire("c", 1)) == number


def test_a_node_that_is_wired_already_is_only_moved(sheet: Easel):
    view = sheet.view
    before = sheet.graph
    drag(view, at_header(view, sheet.node("d")), at_wire(view, sheet.wire("c", 1)))
    assert sheet.graph == before


def test_a_leaf_is_never_put_into_a_wire(sheet: Easel):
    view = sheet.view
    number = sheet.document.add_node(Leaf(1.0, "x"), (360.0, 480.0))
    assert number is not None
    before = sheet.graph
    drag(view, at_header(view, number), at_wire(view, sheet.wire("c", 1)))
    assert sheet.graph == before
