"""Clicks, scrubbing, rubber band and pan; test_gesture.py has what holds for all of them."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from engine.graph import Leaf
from tests.helpers.canvas import CanvasFixture
from tests.helpers.graphs import demonstration
from tests.helpers.mouse import (
    ALT,
    CTRL,
    LEFT,
    MIDDLE,
    NONE,
    SHIFT,
    at_nothing,
    at_number,
    at_slot,
    at_wire,
    click,
    drag,
    glide,
    held,
    press,
    release,
)

FAR = QPointF(-130, 70)
START = QPointF(700, 500)


@pytest.mark.parametrize(("part", "keys"), [("wire", NONE), ("wire", ALT), ("slot", ALT)])
def test_a_wire_or_slot_let_go_elsewhere_is_neither_chosen_nor_cut(
    sheet: CanvasFixture, part, keys
):
    before, view = sheet.bytes(), sheet.view
    start = at_wire(view, (3, 1)) if part == "wire" else at_slot(view, 4, 0)
    drag(view, start, at_nothing(view), keys)
    assert sheet.bytes() == before
    assert not sheet.selection.wires


def test_a_wire_is_cut_on_release_and_not_before(sheet: CanvasFixture):
    at = at_wire(sheet.view, (3, 1))
    press(sheet.view, at, ALT)
    assert sheet.graph.source((3, 1)) == 2
    release(sheet.view, at, ALT)
    assert sheet.graph.source((3, 1)) is None
    assert sheet.document.done[-1].name == "Unplug c"


# the rubber band


def around(sheet: CanvasFixture, *nodes: int) -> tuple[QPointF, QPointF]:
    rect = sheet.scene.bounds(nodes).adjusted(-16, -16, 16, 16)
    to_screen = sheet.view.camera.to_screen
    return to_screen(rect.topLeft()), to_screen(rect.bottomRight())


@pytest.mark.parametrize(("keys", "chosen"), [(NONE, {1, 2}), (SHIFT, {1, 2, 6}), (CTRL, {2, 6})])
def test_the_band_chooses_adds_or_toggles_what_it_touches_while_it_is_drawn(sheet, keys, chosen):
    sheet.selection.choose((6,) if keys == SHIFT else (1, 6))
    with held(sheet.view, *around(sheet, 1, 2), keys):
        assert sheet.selection.nodes == chosen
    assert sheet.selection.nodes == chosen


def test_the_band_can_be_drawn_from_any_corner(sheet: CanvasFixture):
    start, end = around(sheet, 4, 5)
    drag(sheet.view, end, start)
    assert sheet.selection.nodes == {4, 5}


def test_a_click_on_nothing_chooses_nothing(sheet: CanvasFixture):
    sheet.selection.choose((1, 2), ((3, 0),))
    click(sheet.view, at_nothing(sheet.view))
    assert not sheet.selection.anything


# the pan


@pytest.mark.parametrize("button", [MIDDLE, LEFT])
def test_the_middle_button_or_space_moves_the_sheet(sheet: CanvasFixture, button):
    below = sheet.view.camera.to_sheet(START)
    if button == LEFT:
        QTest.keyPress(sheet.view, Qt.Key.Key_Space)
    drag(sheet.view, START, START + FAR, button=button)
    QTest.keyRelease(sheet.view, Qt.Key.Key_Space)
    assert sheet.view.camera.to_sheet(START + FAR) == below
    assert sheet.view.camera.zoom == 1.0
    assert not sheet.selection.nodes
    drag(sheet.view, QPointF(40, 40), START)  # Space let go gives the left button back
    assert sheet.view.camera.to_sheet(START + FAR) == below
    assert sheet.selection.nodes


def test_another_key_that_is_let_go_leaves_space_pressed(sheet: CanvasFixture):
    below = sheet.view.camera.to_sheet(START)
    QTest.keyPress(sheet.view, Qt.Key.Key_Space)
    QTest.keyRelease(sheet.view, Qt.Key.Key_Shift)
    drag(sheet.view, START, START + FAR)
    QTest.keyRelease(sheet.view, Qt.Key.Key_Space)
    assert sheet.view.camera.to_sheet(START + FAR) == below
    assert not sheet.selection.nodes


# numbers


def value_of_a(sheet: CanvasFixture) -> float:
    found = sheet.graph.nodes[sheet.node("a")]
    assert isinstance(found, Leaf)
    return found.value


def scrubbed(sheet: CanvasFixture, pixels: float, keys=NONE) -> float:
    """By how much a drag of so many pixels changes a."""
    before = value_of_a(sheet)
    start = at_number(sheet.view, sheet.node("a"))
    drag(sheet.view, start, start + QPointF(pixels, 0), keys, steps=10)
    return value_of_a(sheet) - before


def test_to_the_right_is_more_and_each_drag_is_one_step(sheet: CanvasFixture):
    assert scrubbed(sheet, 60) > 0
    assert [step.name for step in sheet.document.done] == ["Set a"]
    assert scrubbed(sheet, -120) < 0
    assert len(sheet.document.steps) == 2


def test_shift_is_fine_and_ctrl_is_coarse(sheet: CanvasFixture):
    plain, fine, coarse = (scrubbed(sheet, 60, keys) for keys in (NONE, SHIFT, CTRL))
    assert 0 < fine < plain < coarse


def test_numbers_follow_while_the_hand_moves(sheet: CanvasFixture):
    start = at_number(sheet.view, sheet.node("a"))
    with held(sheet.view, start, start + QPointF(60, 0)):
        a = value_of_a(sheet)
        assert a != 2.0
        assert sheet.scene.node(sheet.node("c")).value.text == sheet.style.short(a - 3.0)


def test_a_scrub_that_comes_home_leaves_no_step_and_what_could_be_redone(sheet: CanvasFixture):
    sheet.document.set_label(1, "z")
    sheet.document.undo()
    before, start = sheet.bytes(), at_number(sheet.view, sheet.node("a"))
    press(sheet.view, start)
    glide(sheet.view, start, start + QPointF(60, 0))
    assert sheet.bytes() != before
    glide(sheet.view, start + QPointF(60, 0), start)
    release(sheet.view, start)
    assert sheet.bytes() == before
    assert not sheet.document.done
    assert sheet.document.undone[0].name == "Label a"


def test_a_click_on_a_number_only_chooses_the_node(sheet: CanvasFixture):
    click(sheet.view, at_number(sheet.view, 1))
    assert sheet.selection.only == 1
    assert not sheet.document.steps


def test_scrubbing_in_the_middle_of_a_pass_keeps_the_place(canvas: CanvasFixture):
    canvas.show(demonstration())
    canvas.playback.backward()
    canvas.playback.go(4)
    scrubbed(canvas, 40)
    assert (canvas.playback.phase, canvas.playback.cursor) == ("backward", 4)
    assert canvas.scene.looks.graph is canvas.graph
