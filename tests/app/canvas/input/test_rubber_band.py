"""The rubber band chooses what it touches, while it is drawn."""

from PySide6.QtCore import QPointF

from tests.helpers.easel import Easel
from tests.helpers.mouse import CTRL, SHIFT, at_header, at_nothing, click, drag, held


def round_about(sheet: Easel, *nodes: int) -> tuple[QPointF, QPointF]:
    rect = sheet.scene.bounds(nodes).adjusted(-16, -16, 16, 16)
    return sheet.view.camera.to_screen(rect.topLeft()), sheet.view.camera.to_screen(
        rect.bottomRight()
    )


def test_all_nodes_that_it_touches_are_chosen(sheet: Easel):
    drag(sheet.view, *round_about(sheet, 1, 2))
    assert sheet.selection.nodes == {1, 2}


def test_it_can_be_drawn_from_any_corner(sheet: Easel):
    start, end = round_about(sheet, 4, 5)
    drag(sheet.view, end, start)
    assert sheet.selection.nodes == {4, 5}


def test_the_choice_is_seen_while_it_is_drawn(sheet: Easel):
    with held(sheet.view, *round_about(sheet, 1)):
        assert sheet.selection.nodes == {1}


def test_shift_adds_to_what_is_chosen(sheet: Easel):
    click(sheet.view, at_header(sheet.view, 6))
    drag(sheet.view, *round_about(sheet, 1), SHIFT)
    assert sheet.selection.nodes == {1, 6}


def test_ctrl_toggles(sheet: Easel):
    sheet.selection.choose((1, 6))
    drag(sheet.view, *round_about(sheet, 1, 2), CTRL)
    assert sheet.selection.nodes == {2, 6}


def test_a_click_on_nothing_chooses_nothing(sheet: Easel):
    sheet.selection.choose((1, 2), ((3, 0),))
    click(sheet.view, at_nothing(sheet.view))
    assert sheet.selection.nodes == frozenset()
    assert sheet.selection.wires == frozenset()


def test_a_choice_is_no_step_of_the_history(sheet: Easel):
    drag(sheet.view, *round_about(sheet, 1, 2))
    assert not sheet.document.steps
