"""Drawn groups on the canvas: where they are hit, what lies in them, and how they can be read."""

import pytest
from PySide6.QtCore import QPointF, Qt

from app.canvas.paint.figure import PictureOptions, picture_rect, scene_of
from app.canvas.paint.groups import group_edge_color, group_tint
from app.canvas.paint.picture_export import image
from app.canvas.scene.hit_test import content
from app.style.theme import THEMES
from engine.frame import live_frame
from tests.helpers.canvas import CanvasFixture, color_at, painted
from tests.helpers.colors import contrast
from tests.helpers.mouse import click, double_click, drag, hover, key, type_into_focus
from tests.helpers.tables import in_turn

INPUTS = (-48.0, -84.0, 240.0, 408.0)
"""Around a and b of the sheet."""


@pytest.fixture
def boxed(sheet: CanvasFixture) -> CanvasFixture:
    """The sheet with a group drawn around a and b, and a larger one around that."""
    sheet.document.groups.draw(INPUTS, "Inputs", 1)
    sheet.document.start(sheet.document.sheet.drawing())
    sheet.look()
    return sheet


def box(sheet: CanvasFixture, title: str) -> int:
    return next(n for n, found in sheet.document.sheet.groups.items() if found.title == title)


def at(sheet: CanvasFixture, x: float, y: float) -> QPointF:
    return sheet.view.camera.to_screen(QPointF(x, y))


@pytest.mark.parametrize(
    ("x", "y", "edges"),
    [
        (60, -70, ""),
        (-48, 100, "l"),
        (192, 150, "r"),
        (60, -84, "t"),
        (60, 324, "b"),
        (-48, -84, "lt"),
        (192, -84, "rt"),
        (-46, 322, "lb"),
        (190, 326, "rb"),
    ],
)
def test_the_title_bar_and_the_edges_can_be_taken_hold_of(boxed, x, y, edges):
    found = boxed.view.hover.hit_at(at(boxed, x, y))
    assert (found.part, found.group, found.edges) == ("frame", box(boxed, "Inputs"), edges)


@pytest.mark.parametrize(("x", "y"), [(160, 130), (20, -34), (60, 300), (-60, 100)])
def test_inside_it_is_the_canvas(boxed, x, y):
    assert boxed.view.hover.hit_at(at(boxed, x, y)).part == "canvas"


def test_a_node_lies_over_the_title_bar(boxed):
    boxed.document.move({1: (0.0, -70.0)})
    assert boxed.view.hover.hit_at(at(boxed, 20, -60)).node == 1


def test_far_away_the_title_stands_above_and_can_still_be_hit(boxed):
    boxed.view.camera.set_zoom(0.2)
    above = at(boxed, 60, -84) - QPointF(0, 10)
    assert boxed.view.hover.hit_at(above).group == box(boxed, "Inputs")
    assert [text.pixels >= 9 for text in painted(boxed.scene, 0.2)] == [True]


def test_the_inner_of_two_drawn_groups_is_hit(boxed):
    boxed.document.groups.draw((-60.0, -96.0, 600.0, 600.0), "Around")
    assert boxed.view.hover.hit_at(at(boxed, 60, -70)).group == box(boxed, "Inputs")


def test_what_lies_in_a_drawn_group_is_every_node_and_group_fully_inside(boxed):
    outer = boxed.document.groups.draw((-100.0, -150.0, 700.0, 700.0), "All")
    nodes, boxes = content(boxed.scene, (box(boxed, "Inputs"),))
    assert nodes == {1, 2}
    assert boxes == {box(boxed, "Inputs")}
    nodes, boxes = content(boxed.scene, (outer,))
    assert nodes == {1, 2, 3}
    assert boxes == {outer, box(boxed, "Inputs")}


def test_a_node_that_grows_in_a_pass_still_lies_in_its_group(boxed):
    boxed.document.wires.connect(2, 4, 1)
    boxed.document.wires.connect(4, 6, 0)
    boxed.playback.backward()
    nodes, _boxes = content(boxed.scene, (box(boxed, "Inputs"),))
    assert nodes == {1, 2}


# choosing


def test_a_click_on_the_title_chooses_the_group_and_nothing_else(boxed):
    boxed.selection.choose((1, 2))
    click(boxed.view, at(boxed, 60, -70))
    assert boxed.selection.frames == {box(boxed, "Inputs")}
    assert boxed.selection.nodes == frozenset()
    click(boxed.view, at(boxed, 500, 300))
    assert not boxed.selection.anything


def test_a_rubber_band_works_inside_and_chooses_the_drawn_groups_it_encloses(boxed):
    drag(boxed.view, at(boxed, -30, -30), at(boxed, 180, 290))
    assert boxed.selection.nodes == {1, 2}
    assert boxed.selection.frames == frozenset()
    drag(boxed.view, at(boxed, -58, -118), at(boxed, 250, 400))
    assert boxed.selection.nodes == {1, 2}
    assert boxed.selection.frames == {box(boxed, "Inputs")}


def test_a_drawn_group_under_the_pointer_or_chosen_is_drawn_otherwise(boxed):
    view, edge = boxed.view, at(boxed, -48, 100)
    hover(view, at(boxed, 400, 400))
    plain = color_at(view, edge)
    hover(view, at(boxed, 60, -70))
    assert "drag to move it with what lies in it" in boxed.hint
    line = contrast(color_at(view, edge), view.context.theme.text)
    assert line < contrast(plain, view.context.theme.text) / 2
    hover(view, at(boxed, 400, 400))
    click(view, at(boxed, 60, -70))
    ring = edge - QPointF(3, 0)
    assert contrast(color_at(view, ring), view.context.theme.selection) < 1.6


def test_over_an_edge_the_pointer_says_which_way_it_goes(boxed):
    shapes = {}
    for x, y in ((192, 150), (60, 324), (192, 324), (60, -70)):
        hover(boxed.view, at(boxed, x, y))
        shapes[x, y] = boxed.view.viewport().cursor().shape()
    assert list(shapes.values()) == [
        Qt.CursorShape.SizeHorCursor,
        Qt.CursorShape.SizeVerCursor,
        Qt.CursorShape.SizeFDiagCursor,
        Qt.CursorShape.ArrowCursor,
    ]


# title, delete, add


def test_a_double_click_on_the_title_edits_it(boxed):
    double_click(boxed.view, at(boxed, 60, -70))
    type_into_focus("What goes in")
    key(Qt.Key.Key_Return)
    assert box(boxed, "What goes in")
    assert boxed.document.done[-1].name == "Rename group"
    assert "What goes in" in boxed.texts()


def test_esc_leaves_the_title_as_it_was(boxed):
    before = boxed.bytes()
    double_click(boxed.view, at(boxed, 60, -70))
    type_into_focus("x")
    key(Qt.Key.Key_Escape)
    assert boxed.bytes() == before
    assert not boxed.document.steps


def test_a_group_is_drawn_around_what_is_chosen_and_named_in_one_step(sheet):
    before = sheet.bytes()
    sheet.selection.choose((3, 4))
    sheet.view.editing.draw_group()
    type_into_focus("Product")
    key(Qt.Key.Key_Return)
    number = box(sheet, "Product")
    assert sheet.selection.frame == number
    nodes, _boxes = content(sheet.scene, (number,))
    assert nodes == {3, 4}
    assert len(sheet.document.steps) == 1
    assert sheet.document.done[-1].name == "Draw group"
    sheet.document.undo()
    assert sheet.bytes() == before


def test_with_nothing_chosen_an_empty_group_stands_in_the_middle(sheet):
    sheet.view.editing.draw_group()
    key(Qt.Key.Key_Return)
    (rect,) = sheet.document.sheet.drawn.values()
    x, y, wide, high = rect
    middle = sheet.view.camera.sheet_centre
    assert x < middle[0] < x + wide
    assert y < middle[1] < y + high


def test_delete_takes_the_box_and_leaves_what_is_in_it(boxed):
    nodes = boxed.graph.nodes
    boxed.selection.choose(frames=(box(boxed, "Inputs"),))
    boxed.view.editing.delete()
    assert boxed.document.sheet.drawn == {}
    assert boxed.graph.nodes == nodes
    assert boxed.document.done[-1].name == "Delete group Inputs"
    assert boxed.selection.frames == frozenset()


def test_inside_a_group_none_is_drawn(boxed):
    group = boxed.document.groups.make((1, 2, 3))
    boxed.view.context.document.look_inside(group)
    assert boxed.scene.node_layout.groups.drawn == {}
    boxed.view.editing.draw_group()
    assert boxed.said[-1].startswith("Groups are drawn on the whole sheet")


# pictures


@in_turn("name", THEMES)
@in_turn("colour", range(4))
def test_titles_can_be_read_on_every_tint(name, colour):
    theme = THEMES[name]
    assert contrast(theme.text, group_tint(theme, colour)) >= 4.5
    assert contrast(group_edge_color(theme, colour), theme.canvas) >= 1.3


def test_a_picture_shows_drawn_groups_with_their_titles(boxed):
    frame = live_frame(boxed.graph)
    scene = scene_of(boxed.document.sheet, frame)
    left = picture_rect(scene).left()
    assert left <= INPUTS[0] - 12
    assert "Inputs" in [written.text for written in painted(scene)]
    picture = image(boxed.document.sheet, frame, PictureOptions())
    inside = picture.pixelColor(round(60 - left), round(INPUTS[1] - picture_rect(scene).top() + 8))
    assert inside == group_tint(THEMES["light"], 1)
