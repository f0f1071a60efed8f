"""Sections on the canvas: where they are hit, what lies in them, and how they can be read."""

import pytest
from PySide6.QtCore import QPointF, Qt

from app.canvas.paint.figure import PictureOptions, picture_rect, scene_of
from app.canvas.paint.groups import section_edge_color, section_tint
from app.canvas.paint.picture_export import image
from app.canvas.scene.hit_test import section_content
from app.document.sheet import Section
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
    """The sheet with a section around a and b, and a larger one around that."""
    sheet.document.sections.add(Section("Inputs", INPUTS, 1))
    sheet.document.start(sheet.document.sheet.drawing())
    sheet.look()
    return sheet


def box(sheet: CanvasFixture, title: str) -> int:
    return next(n for n, found in sheet.document.sheet.sections.items() if found.title == title)


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
    assert (found.part, found.section, found.edges) == ("section", box(boxed, "Inputs"), edges)


@pytest.mark.parametrize(("x", "y"), [(160, 130), (20, -34), (60, 300), (-60, 100)])
def test_inside_it_is_the_canvas(boxed, x, y):
    assert boxed.view.hover.hit_at(at(boxed, x, y)).part == "canvas"


def test_a_node_lies_over_the_title_bar(boxed):
    boxed.document.move({1: (0.0, -70.0)})
    assert boxed.view.hover.hit_at(at(boxed, 20, -60)).node == 1


def test_far_away_the_title_stands_above_and_can_still_be_hit(boxed):
    boxed.view.camera.set_zoom(0.2)
    above = at(boxed, 60, -84) - QPointF(0, 10)
    assert boxed.view.hover.hit_at(above).section == box(boxed, "Inputs")
    assert [text.pixels >= 9 for text in painted(boxed.scene, 0.2)] == [True]


def test_the_inner_of_two_sections_is_hit(boxed):
    boxed.document.sections.add(Section("Around", (-60.0, -96.0, 600.0, 600.0)))
    assert boxed.view.hover.hit_at(at(boxed, 60, -70)).section == box(boxed, "Inputs")


def test_what_lies_in_a_section_is_every_node_and_section_fully_inside(boxed):
    outer = boxed.document.sections.add(Section("All", (-100.0, -150.0, 700.0, 700.0)))
    nodes, boxes = section_content(boxed.scene, (box(boxed, "Inputs"),))
    assert nodes == {1, 2}
    assert boxes == {box(boxed, "Inputs")}
    nodes, boxes = section_content(boxed.scene, (outer,))
    assert nodes == {1, 2, 3}
    assert boxes == {outer, box(boxed, "Inputs")}


def test_a_node_that_grows_in_a_pass_still_lies_in_its_section(boxed):
    boxed.document.wires.connect(2, 4, 1)
    boxed.document.wires.connect(4, 6, 0)
    boxed.playback.backward()
    nodes, _boxes = section_content(boxed.scene, (box(boxed, "Inputs"),))
    assert nodes == {1, 2}


# choosing


def test_a_click_on_the_title_chooses_the_section_and_nothing_else(boxed):
    boxed.selection.choose((1, 2))
    click(boxed.view, at(boxed, 60, -70))
    assert boxed.selection.sections == {box(boxed, "Inputs")}
    assert boxed.selection.nodes == frozenset()
    click(boxed.view, at(boxed, 500, 300))
    assert not boxed.selection.anything


def test_a_rubber_band_works_inside_and_chooses_the_sections_it_encloses(boxed):
    drag(boxed.view, at(boxed, -30, -30), at(boxed, 180, 290))
    assert boxed.selection.nodes == {1, 2}
    assert boxed.selection.sections == frozenset()
    drag(boxed.view, at(boxed, -58, -118), at(boxed, 250, 400))
    assert boxed.selection.nodes == {1, 2}
    assert boxed.selection.sections == {box(boxed, "Inputs")}


def test_a_section_under_the_pointer_or_chosen_is_drawn_otherwise(boxed):
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
    assert boxed.document.done[-1].name == "Rename section"
    assert "What goes in" in boxed.texts()


def test_esc_leaves_the_title_as_it_was(boxed):
    before = boxed.bytes()
    double_click(boxed.view, at(boxed, 60, -70))
    type_into_focus("x")
    key(Qt.Key.Key_Escape)
    assert boxed.bytes() == before
    assert not boxed.document.steps


def test_a_section_is_drawn_around_what_is_chosen_and_named_in_one_step(sheet):
    before = sheet.bytes()
    sheet.selection.choose((3, 4))
    sheet.view.editing.add_section()
    type_into_focus("Product")
    key(Qt.Key.Key_Return)
    number = box(sheet, "Product")
    assert sheet.selection.section == number
    nodes, _boxes = section_content(sheet.scene, (number,))
    assert nodes == {3, 4}
    assert len(sheet.document.steps) == 1
    assert sheet.document.done[-1].name == "Add section"
    sheet.document.undo()
    assert sheet.bytes() == before


def test_with_nothing_chosen_an_empty_section_stands_in_the_middle(sheet):
    sheet.view.editing.add_section()
    key(Qt.Key.Key_Return)
    (section,) = sheet.document.sheet.sections.values()
    x, y, wide, high = section.rect
    middle = sheet.view.camera.sheet_centre
    assert x < middle[0] < x + wide
    assert y < middle[1] < y + high


def test_delete_takes_the_box_and_leaves_what_is_in_it(boxed):
    nodes = boxed.graph.nodes
    boxed.selection.choose(sections=(box(boxed, "Inputs"),))
    boxed.view.editing.delete()
    assert boxed.document.sheet.sections == {}
    assert boxed.graph.nodes == nodes
    assert boxed.document.done[-1].name == "Delete section Inputs"
    assert boxed.selection.sections == frozenset()


def test_inside_a_group_there_are_no_sections(boxed):
    group = boxed.document.groups.make((1, 2, 3))
    boxed.view.context.document.look_inside(group)
    assert boxed.scene.node_layout.sections.rects == {}
    boxed.view.editing.add_section()
    assert boxed.said[-1].startswith("Sections stand on the whole sheet")


# pictures


@in_turn("name", THEMES)
@in_turn("colour", range(4))
def test_titles_can_be_read_on_every_tint(name, colour):
    theme = THEMES[name]
    assert contrast(theme.text, section_tint(theme, colour)) >= 4.5
    assert contrast(section_edge_color(theme, colour), theme.canvas) >= 1.3


def test_a_picture_shows_sections_with_their_titles(boxed):
    frame = live_frame(boxed.graph)
    scene = scene_of(boxed.document.sheet, frame)
    left = picture_rect(scene).left()
    assert left <= INPUTS[0] - 12
    assert "Inputs" in [written.text for written in painted(scene)]
    picture = image(boxed.document.sheet, frame, PictureOptions())
    inside = picture.pixelColor(round(60 - left), round(INPUTS[1] - picture_rect(scene).top() + 8))
    assert inside == section_tint(THEMES["light"], 1)
