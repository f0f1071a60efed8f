"""Nodes and drawn groups moved by hand: on the grid, along guides, together, and into wires."""

import pytest
from PySide6.QtCore import QPointF, Qt

from engine.graph import Leaf, OpNode
from tests.helpers.canvas import CanvasFixture, color_at
from tests.helpers.mouse import (
    ALT,
    CTRL,
    NONE,
    SHIFT,
    at_header,
    at_wire,
    click,
    drag,
    glide,
    held,
    key,
    press,
    release,
)


def move(sheet: CanvasFixture, name: str, dx: float, dy: float, *modifiers) -> None:
    start = at_header(sheet.view, sheet.node(name))
    drag(sheet.view, start, start + QPointF(dx, dy), *modifiers)


def place(sheet: CanvasFixture, name: str) -> tuple[float, float]:
    return sheet.document.positions[sheet.node(name)]


def test_a_node_goes_where_it_is_dragged_on_the_grid_and_undo_puts_it_back(sheet: CanvasFixture):
    move(sheet, "e", 101, 83)
    assert place(sheet, "e") == (720 + 96, 288 + 84)
    assert [step.name for step in sheet.document.steps] == ["Move e"]
    sheet.document.undo()
    assert sheet.scene.boxes[sheet.node("e")].rect.topLeft() == QPointF(720, 288)


def test_the_node_and_its_wires_follow_the_hand_before_it_lets_go(sheet: CanvasFixture):
    before, c = sheet.bytes(), sheet.node("c")
    start = at_header(sheet.view, c)
    with held(sheet.view, start, start + QPointF(0, 240)):
        box = sheet.scene.boxes[c]
        assert box.y == 48 + 240
        for slot in (0, 1):
            end = sheet.scene.courses[c, slot].path.currentPosition()
            assert abs(end.y() - box.slot(slot).y()) < 1
        assert sheet.scene.courses[sheet.wire("d")].start[1] > 288
        assert sheet.bytes() == before


def test_a_click_with_a_trembling_hand_moves_nothing(sheet: CanvasFixture):
    start = at_header(sheet.view, sheet.node("c"))
    drag(sheet.view, start, start + QPointF(2, 1), steps=2)
    assert not sheet.document.steps
    assert sheet.selection.only == sheet.node("c")


def test_alt_moves_off_the_grid(sheet: CanvasFixture):
    move(sheet, "e", 101, 83, ALT)
    assert place(sheet, "e") == (821, 371)


def test_many_nodes_move_together_as_one_step(sheet: CanvasFixture):
    before = sheet.bytes()
    sheet.selection.choose((1, 2, 3))
    move(sheet, "b", 48, 120)
    assert [place(sheet, name) for name in "abc"] == [(48, 120), (48, 312), (408, 168)]
    assert place(sheet, "d") == (720, 48)
    assert [step.name for step in sheet.document.steps] == ["Move 3 nodes"]
    sheet.document.undo()
    assert sheet.bytes() == before


def test_dragging_a_node_that_is_not_chosen_moves_it_alone(sheet: CanvasFixture):
    sheet.selection.choose((1, 2))
    move(sheet, "e", 0, 120)
    assert (place(sheet, "a"), place(sheet, "e")) == ((0, 0), (720, 408))
    assert sheet.selection.only == sheet.node("e")


def test_a_node_near_the_line_of_another_stands_on_it_and_a_guide_shows(sheet: CanvasFixture):
    sheet.document.move({2: (0.0, 199.0)})
    view = sheet.view
    start = at_header(view, sheet.node("e"))
    with held(view, start, start + QPointF(0, 199 - 288 + 4)):
        assert sheet.scene.boxes[sheet.node("e")].y == 199
        on_guide = view.camera.to_screen(QPointF(400, 199))
        assert color_at(view, on_guide).getRgb() != view.context.theme.canvas.getRgb()
    assert place(sheet, "e")[1] == 199


def test_a_node_dragged_back_home_leaves_no_step(sheet: CanvasFixture):
    view = sheet.view
    start = at_header(view, sheet.node("e"))
    press(view, start)
    glide(view, start, start + QPointF(120, 0))
    glide(view, start + QPointF(120, 0), start)
    release(view, start)
    assert not sheet.document.steps


def test_shift_adds_and_ctrl_toggles(sheet: CanvasFixture):
    view = sheet.view
    for node, keys, chosen in ((1, NONE, {1}), (2, SHIFT, {1, 2}), (1, CTRL, {2}), (3, NONE, {3})):
        click(view, at_header(view, node), keys)
        assert sheet.selection.nodes == chosen


# into a wire


def test_an_op_dropped_on_a_wire_is_put_into_it(sheet: CanvasFixture):
    view, wire = sheet.view, sheet.wire("c", 1)
    with held(view, at_header(view, sheet.node("e")), at_wire(view, wire)):
        assert sheet.hint == "Insert e between b and c"
    assert sheet.graph.source(wire) == sheet.node("e")
    assert sheet.graph.source(sheet.wire("e")) == sheet.node("b")
    assert [step.name for step in sheet.document.steps] == ["Insert e"]


def test_a_wire_that_goes_away_meanwhile_takes_nothing_in(sheet: CanvasFixture):
    view, wire, e = sheet.view, sheet.wire("c", 1), sheet.node("e")
    with held(view, at_header(view, e), at_wire(view, wire)):
        sheet.document.wires.disconnect(*wire)
        assert view.mouse.gesture is None
        view.grab()
    assert sheet.graph.source(wire) is None
    assert sheet.graph.inputs(e) == (None,)
    assert len(sheet.document.steps) == 1


def test_the_slot_under_the_pointer_gets_the_wire(sheet: CanvasFixture):
    view = sheet.view
    number = sheet.document.add_node(OpNode("sub", (None, None), "m"), (360.0, 480.0)) or 0
    box = sheet.scene.boxes[number]
    low = view.camera.to_screen(QPointF(box.x + 30, box.slot(1).y()))
    drag(view, low, at_wire(view, sheet.wire("c", 1)))
    assert sheet.graph.inputs(number) == (None, sheet.node("b"))
    assert sheet.graph.source(sheet.wire("c", 1)) == number


@pytest.mark.parametrize("name", ["d", "x"])
def test_neither_a_wired_node_nor_a_leaf_is_put_into_a_wire(sheet: CanvasFixture, name: str):
    sheet.document.add_node(Leaf(1.0, "x"), (360.0, 480.0))
    before, view = sheet.graph, sheet.view
    drag(view, at_header(view, sheet.node(name)), at_wire(view, sheet.wire("c", 1)))
    assert sheet.graph == before


# drawn groups

INPUTS = (-48.0, -84.0, 240.0, 408.0)
AROUND = (-72.0, -156.0, 288.0, 504.0)
EDGES = ((60, -70), (192, 324))
"""A point on the title of Inputs, and its lower right corner."""


@pytest.fixture
def boxed(sheet: CanvasFixture) -> CanvasFixture:
    """The sheet with a group drawn around a and b, within another one."""
    sheet.document.groups.draw(INPUTS, "Inputs", 1)
    sheet.document.groups.draw(AROUND, "Around")
    sheet.document.start(sheet.document.sheet.drawing())
    sheet.look()
    return sheet


def box(sheet: CanvasFixture, title: str) -> int:
    return next(n for n, found in sheet.document.sheet.groups.items() if found.title == title)


def rect(sheet: CanvasFixture, title: str):
    return sheet.document.sheet.drawn[box(sheet, title)]


def shown(sheet: CanvasFixture):
    return sheet.scene.node_layout.groups.drawn[box(sheet, "Inputs")].getRect()


def at(sheet: CanvasFixture, x: float, y: float) -> QPointF:
    return sheet.view.camera.to_screen(QPointF(x, y))


def title_of(sheet: CanvasFixture, title: str) -> QPointF:
    x, y, _w, _h = rect(sheet, title)
    return at(sheet, x + 60, y + 16)


def drag_title(
    sheet: CanvasFixture, dx: float, dy: float, *modifiers, title: str = "Inputs"
) -> None:
    start = title_of(sheet, title)
    drag(sheet.view, start, start + QPointF(dx, dy), *modifiers)


def test_dragging_the_title_moves_the_box_and_what_lies_in_it_as_one_step(boxed: CanvasFixture):
    before = boxed.bytes()
    drag_title(boxed, 101, 83)
    assert rect(boxed, "Inputs") == (48.0, 0.0, 240.0, 408.0)
    assert [boxed.document.positions[n] for n in (1, 2, 3)] == [(96, 84), (96, 276), (360, 48)]
    assert rect(boxed, "Around") == AROUND
    assert [step.name for step in boxed.document.steps] == ["Move group Inputs"]
    boxed.document.undo()
    assert boxed.bytes() == before
    drag_title(boxed, 101, 83, ALT)
    assert rect(boxed, "Inputs")[:2] == (53.0, -1.0)


def test_a_drawn_group_and_a_collapsed_group_within_go_along(boxed: CanvasFixture):
    group = boxed.document.groups.make((1, 2)) or 0
    x, y = boxed.document.sheet.groups[group].position
    drag_title(boxed, 0, 120, title="Around")
    assert rect(boxed, "Inputs") == (-48.0, 36.0, 240.0, 408.0)
    assert rect(boxed, "Around")[1] == -36.0
    assert boxed.document.positions[2] == (0.0, 312.0)
    assert boxed.document.sheet.groups[group].position == (x, y + 120)


@pytest.mark.parametrize(
    ("grab", "shift", "seen"),
    [((60, -68), 240, (-48, 156, 240, 408)), ((192, 324), 120, (-48, -84, 360, 528))],
)
def test_everything_follows_the_hand_and_esc_leaves_no_trace(
    boxed: CanvasFixture, grab, shift, seen
):
    before = boxed.bytes()
    boxed.selection.choose((5,))
    start = at(boxed, *grab)
    with held(boxed.view, start, start + QPointF(shift if shift == 120 else 0, shift)):
        assert shown(boxed) == seen
        assert boxed.scene.boxes[1].y == (240 if shift == 240 else 0)
        assert boxed.bytes() == before
        key(Qt.Key.Key_Escape)
    assert boxed.bytes() == before
    assert shown(boxed) == INPUTS
    assert not boxed.document.steps
    assert boxed.selection.nodes == {5}


@pytest.mark.parametrize("start", ["the drawn group", "a node"])
def test_the_whole_selection_comes_along(boxed: CanvasFixture, start):
    boxed.selection.choose((5,), (), (box(boxed, "Inputs"),))
    if start == "a node":
        move(boxed, "e", 0, 120)
    else:
        drag_title(boxed, 0, 120)
    assert rect(boxed, "Inputs")[1] == INPUTS[1] + 120
    assert [boxed.document.positions[n] for n in (1, 5)] == [(0.0, 120.0), (720.0, 408.0)]
    assert [step.name for step in boxed.document.steps] == ["Move selection"]


def test_shift_adds_and_ctrl_toggles_drawn_groups(boxed: CanvasFixture):
    inputs, outer = box(boxed, "Inputs"), box(boxed, "Around")
    click(boxed.view, title_of(boxed, "Inputs"))
    click(boxed.view, title_of(boxed, "Around"), SHIFT)
    assert boxed.selection.frames == {inputs, outer}
    click(boxed.view, title_of(boxed, "Inputs"), CTRL)
    assert boxed.selection.frames == {outer}


@pytest.mark.parametrize(
    ("grab", "far", "expected"),
    [
        ((192, 150), (50, 30), (-48.0, -84.0, 288.0, 408.0)),
        ((-48, 100), (-50, 30), (-96.0, -84.0, 288.0, 408.0)),
        ((60, 324), (30, 50), (-48.0, -84.0, 240.0, 456.0)),
        ((60, -84), (30, -50), (-48.0, -132.0, 240.0, 456.0)),
        ((192, 324), (50, -50), (-48.0, -84.0, 288.0, 360.0)),
        ((-48, -84), (-50, 50), (-96.0, -36.0, 288.0, 360.0)),
        ((192, 324), (-900, -900), (-48.0, -84.0, 96.0, 72.0)),
    ],
)
def test_edges_and_corners_are_pulled_and_nothing_in_it_moves(
    boxed: CanvasFixture, grab, far, expected
):
    drag(boxed.view, at(boxed, *grab), at(boxed, *grab) + QPointF(*far))
    assert rect(boxed, "Inputs") == expected
    assert boxed.document.positions[1] == (0.0, 0.0)
    assert [step.name for step in boxed.document.steps] == ["Resize group Inputs"]


@pytest.mark.parametrize("grab", EDGES)
def test_a_drawn_group_that_goes_away_in_the_middle_breaks_nothing(boxed: CanvasFixture, grab):
    with held(boxed.view, at(boxed, *grab), at(boxed, *grab) + QPointF(60, 60)):
        boxed.document.remove((), (), (box(boxed, "Inputs"),))
    boxed.view.grab()
    assert "Inputs" not in {found.title for found in boxed.document.sheet.groups.values()}


@pytest.mark.parametrize("grab", EDGES)
def test_a_trembling_hand_on_a_drawn_group_chooses_it(boxed: CanvasFixture, grab):
    before = boxed.bytes()
    drag(boxed.view, at(boxed, *grab), at(boxed, *grab) + QPointF(2, 1), steps=2)
    assert boxed.bytes() == before
    assert boxed.selection.frame == box(boxed, "Inputs")
