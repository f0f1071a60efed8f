"""Values dragged by their number."""

from PySide6.QtCore import QPointF, Qt

from engine.graph import Leaf
from tests.helpers.easel import Easel
from tests.helpers.graphs import demonstration
from tests.helpers.mouse import (
    CTRL,
    SHIFT,
    at_number,
    click,
    drag,
    glide,
    held,
    key,
    press,
    release,
)


def value(sheet: Easel, name: str) -> float:
    found = sheet.graph.nodes[sheet.node(name)]
    assert isinstance(found, Leaf)
    return found.value


def scrubbed(sheet: Easel, pixels: float, modifiers=Qt.KeyboardModifier.NoModifier) -> float:
    """By how much a drag of so many pixels changes a."""
    before = value(sheet, "a")
    start = at_number(sheet.view, sheet.node("a"))
    drag(sheet.view, start, start + QPointF(pixels, 0), modifiers, steps=10)
    return value(sheet, "a") - before


def test_to_the_right_is_more_and_to_the_left_is_less(sheet: Easel):
    assert scrubbed(sheet, 60) > 0
    assert scrubbed(sheet, -120) < 0


def test_shift_is_fine_and_ctrl_is_coarse(sheet: Easel):
    plain = scrubbed(sheet, 60)
    fine = scrubbed(sheet, 60, SHIFT)
    coarse = scrubbed(sheet, 60, CTRL)
    assert 0 < fine < plain < coarse


def test_all_ticks_of_a_drag_are_one_step(sheet: Easel):
    before = sheet.bytes()
    scrubbed(sheet, 60)
    assert len(sheet.document.steps) == 1
    assert sheet.document.done[-1].name == "Set a"
    sheet.document.undo()
    assert sheet.bytes() == before


def test_two_drags_are_two_steps(sheet: Easel):
    scrubbed(sheet, 60)
    scrubbed(sheet, 30)
    assert len(sheet.document.steps) == 2


def test_numbers_follow_while_the_hand_moves(sheet: Easel):
    c = sheet.node("c")
    start = at_number(sheet.view, sheet.node("a"))
    with held(sheet.view, start, start + QPointF(60, 0)):
        a = value(sheet, "a")
        assert a != 2.0
        assert sheet.scene.node(c).value.text == sheet.style.short(a - 3.0)


def test_esc_takes_the_whole_drag_back_and_leaves_no_redo(sheet: Easel):
    before = sheet.bytes()
    start = at_number(sheet.view, sheet.node("a"))
    with held(sheet.view, start, start + QPointF(60, 0)):
        assert sheet.bytes() != before
        key(Qt.Key.Key_Escape)
        assert sheet.bytes() == before
    assert sheet.bytes() == before
    assert not sheet.document.done
    assert not sheet.document.undone


def test_a_drag_that_comes_home_leaves_no_step(sheet: Easel):
    before = sheet.bytes()
    start = at_number(sheet.view, sheet.node("a"))
    press(sheet.view, start)
    glide(sheet.view, start, start + QPointF(60, 0))
    assert sheet.bytes() != before
    glide(sheet.view, start + QPointF(60, 0), start)
    release(sheet.view, start)
    assert sheet.bytes() == before
    assert not sheet.document.steps


def test_a_click_on_a_number_only_chooses_the_node(sheet: Easel):
    click(sheet.view, at_number(sheet.view, 1))
    assert sheet.selection.only == 1
    assert not sheet.document.steps


def test_scrubbing_in_the_middle_of_a_pass_keeps_the_place(easel: Easel):
    easel.show(demonstration())
    easel.playback.backward()
    easel.playback.go(4)
    scrubbed(easel, 40)
    assert (easel.playback.phase, easel.playback.cursor) == ("backward", 4)
    assert easel.scene.looks.graph is easel.graph


def test_a_drag_that_comes_home_leaves_what_could_be_redone(sheet: Easel):
    sheet.document.set_label(1, "z")
    sheet.document.undo()
    start = at_number(sheet.view, sheet.node("a"))
    press(sheet.view, start)
    glide(sheet.view, start, start + QPointF(60, 0))
    glide(sheet.view, start + QPointF(60, 0), start)
    release(sheet.view, start)
    assert sheet.document.undone[0].name == "Label a"
