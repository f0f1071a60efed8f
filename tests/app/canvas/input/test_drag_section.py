"""Sections moved and resized by hand: with what lies in them, on the grid, one step each."""

import pytest
from PySide6.QtCore import QPointF, Qt

from app.document.sheet import Section
from tests.helpers.easel import Easel
from tests.helpers.mouse import ALT, CTRL, SHIFT, at_header, click, drag, held, key

INPUTS = (-48.0, -84.0, 240.0, 408.0)
AROUND = (-72.0, -156.0, 288.0, 504.0)


@pytest.fixture
def boxed(sheet: Easel) -> Easel:
    """The sheet with a section around a and b, within another section."""
    sheet.document.sections.add(Section("Inputs", INPUTS, 1))
    sheet.document.sections.add(Section("Around", AROUND))
    sheet.document.start(sheet.document.sheet.drawing())
    sheet.look()
    return sheet


def box(sheet: Easel, title: str) -> int:
    return next(n for n, found in sheet.document.sheet.sections.items() if found.title == title)


def rect(sheet: Easel, title: str):
    return sheet.document.sheet.sections[box(sheet, title)].rect


def at(sheet: Easel, x: float, y: float) -> QPointF:
    return sheet.view.camera.to_screen(QPointF(x, y))


def title_of(sheet: Easel, title: str) -> QPointF:
    x, y, _w, _h = rect(sheet, title)
    return at(sheet, x + 60, y + 16)


def test_dragging_the_title_moves_the_box_and_what_lies_in_it_as_one_step(boxed):
    before = boxed.bytes()
    start = title_of(boxed, "Inputs")
    drag(boxed.view, start, start + QPointF(101, 83))
    assert rect(boxed, "Inputs") == (48.0, 0.0, 240.0, 408.0)
    assert boxed.document.positions[1] == (96.0, 84.0)
    assert boxed.document.positions[2] == (96.0, 276.0)
    assert boxed.document.positions[3] == (360.0, 48.0)
    assert rect(boxed, "Around") == AROUND
    assert boxed.document.done[-1].name == "Move section Inputs"
    assert len(boxed.document.steps) == 1
    boxed.document.undo()
    assert boxed.bytes() == before


def test_a_section_within_goes_along(boxed):
    start = title_of(boxed, "Around")
    drag(boxed.view, start, start + QPointF(0, 120))
    assert rect(boxed, "Inputs") == (-48.0, 36.0, 240.0, 408.0)
    assert rect(boxed, "Around")[1] == -36.0
    assert boxed.document.positions[2] == (0.0, 312.0)


def test_everything_follows_the_hand_before_it_lets_go(boxed):
    before = boxed.bytes()
    start = title_of(boxed, "Inputs")
    with held(boxed.view, start, start + QPointF(0, 240)):
        assert boxed.scene.node_layout.sections.rects[box(boxed, "Inputs")].top() == INPUTS[1] + 240
        assert boxed.scene.boxes[1].y == 240
        assert boxed.bytes() == before
        key(Qt.Key.Key_Escape)
    assert boxed.bytes() == before
    assert boxed.scene.node_layout.sections.rects[box(boxed, "Inputs")].top() == INPUTS[1]
    assert not boxed.document.steps
    assert not boxed.selection.anything


def test_alt_moves_off_the_grid(boxed):
    start = title_of(boxed, "Inputs")
    drag(boxed.view, start, start + QPointF(101, 83), ALT)
    assert rect(boxed, "Inputs")[:2] == (53.0, -1.0)


def test_what_else_is_chosen_comes_along(boxed):
    boxed.selection.choose((5,), (), (box(boxed, "Inputs"),))
    start = title_of(boxed, "Inputs")
    drag(boxed.view, start, start + QPointF(120, 0))
    assert boxed.document.positions[5] == (840.0, 288.0)
    assert boxed.document.positions[1] == (120.0, 0.0)
    assert boxed.document.done[-1].name == "Move selection"


def test_a_chosen_section_comes_along_when_a_node_is_dragged(boxed):
    boxed.selection.choose((5,), (), (box(boxed, "Inputs"),))
    start = at_header(boxed.view, 5)
    drag(boxed.view, start, start + QPointF(0, 120))
    assert rect(boxed, "Inputs")[1] == INPUTS[1] + 120
    assert boxed.document.positions[1] == (0.0, 120.0)
    assert boxed.document.positions[5] == (720.0, 408.0)
    assert len(boxed.document.steps) == 1


def test_a_collapsed_group_inside_goes_along(boxed):
    group = boxed.document.groups.make((1, 2))
    assert group is not None
    before = boxed.document.sheet.groups[group].position
    start = title_of(boxed, "Inputs")
    drag(boxed.view, start, start + QPointF(120, 0))
    assert boxed.document.sheet.groups[group].position == (before[0] + 120, before[1])
    assert boxed.document.positions[1] == (120.0, 0.0)


def test_shift_adds_and_ctrl_toggles(boxed):
    click(boxed.view, title_of(boxed, "Inputs"))
    click(boxed.view, title_of(boxed, "Around"), SHIFT)
    assert boxed.selection.sections == {box(boxed, "Inputs"), box(boxed, "Around")}
    click(boxed.view, title_of(boxed, "Inputs"), CTRL)
    assert boxed.selection.sections == {box(boxed, "Around")}


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
def test_edges_and_corners_are_pulled_and_nothing_in_it_moves(boxed, grab, far, expected):
    before = boxed.bytes()
    drag(boxed.view, at(boxed, *grab), at(boxed, *grab) + QPointF(*far))
    assert rect(boxed, "Inputs") == expected
    assert boxed.document.positions[1] == (0.0, 0.0)
    assert boxed.document.done[-1].name == "Resize section Inputs"
    assert len(boxed.document.steps) == 1
    boxed.document.undo()
    assert boxed.bytes() == before


def test_esc_while_resizing_leaves_no_trace(boxed):
    before = boxed.bytes()
    boxed.selection.choose((5,))
    start = at(boxed, 192, 324)
    with held(boxed.view, start, start + QPointF(120, 120)):
        assert boxed.scene.node_layout.sections.rects[box(boxed, "Inputs")].width() == 360
        key(Qt.Key.Key_Escape)
    assert boxed.bytes() == before
    assert not boxed.document.steps
    assert boxed.selection.nodes == {5}
    assert boxed.scene.node_layout.sections.rects[box(boxed, "Inputs")].width() == 240


@pytest.mark.parametrize("grab", [(60, -70), (192, 324)])
def test_a_section_that_goes_away_in_the_middle_breaks_nothing(boxed, grab):
    with held(boxed.view, at(boxed, *grab), at(boxed, *grab) + QPointF(60, 60)):
        boxed.document.remove((), (), (box(boxed, "Inputs"),))
    boxed.view.grab()
    assert "Inputs" not in {found.title for found in boxed.document.sheet.sections.values()}


@pytest.mark.parametrize("grab", [(60, -70), (192, 324)])
def test_a_click_with_a_trembling_hand_changes_nothing(boxed, grab):
    before = boxed.bytes()
    drag(boxed.view, at(boxed, *grab), at(boxed, *grab) + QPointF(2, 1), steps=2)
    assert boxed.bytes() == before
    assert boxed.selection.section == box(boxed, "Inputs")
