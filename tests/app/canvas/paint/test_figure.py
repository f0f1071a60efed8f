"""Figures: a width on paper at which type is 8 to 10 pt, as far as the graph allows it."""

import dataclasses
import re
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QImage

from app.canvas.paint.figure import (
    PAGE_WIDTH,
    PLAIN,
    SLIDE,
    Figure,
    PictureOptions,
    advice,
    described,
    figure_of,
)
from app.canvas.paint.painter import label_wires
from app.canvas.paint.picture_export import image
from app.document.boxes import rect_around
from app.document.examples import examples
from app.document.placement import balanced_columns
from app.document.sheet import Group, Sheet, sheet_of
from app.style.theme import THEMES
from app.workbench.adding import block
from engine.errors import FormatError
from engine.formats.expression import read
from engine.frame import Frame, frame_at
from engine.trace import run
from tests.helpers.canvas import example_drawing, folded_boxes
from tests.helpers.exported import save_picture
from tests.helpers.sampling import sampled
from tests.helpers.tables import in_turn

EXAMPLES = ("shared-leaf", "neuron", "two-weights-loss", "demonstration")
COLUMN = 8.5
WIDTHS = (COLUMN, 13.0, PAGE_WIDTH, SLIDE[0])
FORMULAS = (
    *("(a*b+a)*f", "tanh(w*x+b+w*u)", "relu(w*x+b)*(u+w)"),
    *("a*b+b*c+a*c", "(a+b)*(b+c)*(a-c)"),
)


def sheet_and_frame(name: str) -> tuple[Sheet, Frame]:
    sheet = sheet_of(example_drawing(name))
    trace = run(sheet.graph)
    return sheet, frame_at(trace, len(trace))


def figure(name: str, width: float | None = None, height: float | None = None) -> Figure:
    sheet, frame = sheet_and_frame(name)
    return figure_of(sheet, frame, PictureOptions(width=width, height=height))


@pytest.fixture(autouse=True)
def _app(qapp) -> None:
    """Fonts need an application."""


@pytest.mark.parametrize("name", EXAMPLES)
def test_on_the_width_of_a_page_type_is_8_to_10_pt(name: str):
    found = figure(name, width=PAGE_WIDTH)
    assert found.type_sizes == pytest.approx((8.0, 10.0), abs=0.05)
    assert found.is_readable
    assert found.rows >= 2


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("width", [COLUMN, PAGE_WIDTH])
def test_everything_lies_on_the_paper_and_no_two_nodes_overlap(name: str, width: float):
    found = figure(name, width=width)
    rects = [box.rect for box in found.scene.boxes.values()]
    shown = found.area.width() * found.scale
    assert shown <= width / 2.54 * 96
    assert all(found.area.contains(rect) for rect in rects)
    for k, one in enumerate(rects):
        assert not any(one.intersects(other) for other in rects[k + 1 :])


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_wire_that_runs_to_the_next_row_covers_a_node(name: str):
    check_wires_pass_nodes(figure(name, width=COLUMN))


@in_turn(("width", "text"), sampled(product(WIDTHS, FORMULAS), every=3))
def test_in_the_figure_of_a_formula_no_wire_runs_behind_a_node(text: str, width: float):
    """A wire into the second column of a row turns into its slot beside the first."""
    graph = read(text)
    sheet, trace = Sheet(graph, balanced_columns(graph)), run(graph)
    check_wires_pass_nodes(
        figure_of(sheet, frame_at(trace, len(trace)), PictureOptions(width=width))
    )


def check_wires_pass_nodes(found: Figure) -> None:
    graph = found.scene.sheet.graph
    for wire, course in found.scene.courses.items():
        own = {wire[0], graph.source(wire)}
        others = [box.rect for node, box in found.scene.boxes.items() if node not in own]
        inner = [rect.adjusted(6, 6, -6, -6) for rect in others]
        points = [course.path.pointAtPercent(k / 100) for k in range(101)]
        assert not any(rect.contains(point) for rect in inner for point in points)


def test_a_figure_without_a_width_is_as_drawn():
    found = figure("shared-leaf")
    assert (found.scale, found.rows) == (1.0, 0)
    assert found.type_sizes == pytest.approx((9.0, 11.25))


ACTIVATION = ("n", "o")
DOT = ("x1w1", "x2w2", "x1w1x2w2")


def framed_neuron(kind: str) -> tuple[Sheet, Frame, frozenset[int]]:
    """The neuron with a group, and the nodes in that."""
    sheet, frame = sheet_and_frame("neuron")
    names = DOT if "group" in kind else ACTIVATION
    inside = frozenset(sheet.graph.node_named(name) or 0 for name in names)
    if "group" in kind:
        group = Group("dot", inside, kind == "closed group", sheet.positions[min(inside)])
        return replace(sheet, groups={1: group}), frame, inside
    boxes = figure_of(sheet, frame).scene.boxes
    rect = rect_around((b.x, b.y, b.w, b.h) for n, b in boxes.items() if n in inside)
    assert rect is not None
    return replace(sheet, groups={1: Group("Sum", rect=rect)}), frame, inside


@pytest.mark.parametrize("kind", ["drawn", "opened group", "closed group"])
def test_a_graph_with_groups_is_set_in_rows_too(kind: str):
    """The smallest type was 4.7 pt on the width of a page."""
    sheet, frame, inside = framed_neuron(kind)
    found = figure_of(sheet, frame, PictureOptions(width=PAGE_WIDTH))
    assert found.rows == 2
    assert found.is_readable
    assert found.type_sizes == pytest.approx((8.0, 10.0), abs=0.05)
    check_wires_pass_nodes(found)
    layout = found.scene.node_layout
    groups = [box.rect for box in folded_boxes(layout).values()]
    rects = [box.rect for box in found.scene.boxes.values()]
    for k, one in enumerate(rects):
        assert not any(one.intersects(other) for other in rects[k + 1 :])
    frames = [*layout.groups.frames.values()]
    assert all(rect.contains(found.scene.boxes[n].rect) for rect in frames for n in inside)
    assert all(found.area.contains(rect) for rect in [*frames, *groups])


@pytest.mark.parametrize("width", [COLUMN, 12.0, PAGE_WIDTH])
@pytest.mark.parametrize("kind", ["drawn", "opened group"])
def test_no_frame_covers_a_node_that_it_left_free(kind: str, width: float):
    sheet, frame, inside = framed_neuron(kind)

    def cut_into(picture_options: PictureOptions) -> set[int]:
        scene = figure_of(sheet, frame, picture_options).scene
        layout = scene.node_layout
        [rect] = layout.groups.frames.values()
        inner = {n: box.rect.adjusted(12, 12, -12, -12) for n, box in scene.boxes.items()}
        return {n for n, box in inner.items() if n not in inside and rect.intersects(box)}

    assert cut_into(PictureOptions(width=width)) <= cut_into(PictureOptions())


def test_an_empty_group_keeps_all_nodes_where_they_are():
    sheet, frame = sheet_and_frame("neuron")
    boxed = replace(sheet, groups={1: Group("Sum", rect=(-900.0, -900.0, 300.0, 300.0))})
    picture_options = PictureOptions(width=COLUMN)
    found = figure_of(boxed, frame, picture_options)
    assert found.rows == 0
    assert found.scene.sheet.positions == boxed.positions
    assert "An empty group" in advice(
        found, boxed, frame, replace(picture_options, width=PAGE_WIDTH)
    )


def test_each_example_is_readable_on_a_page_and_nearly_so_in_a_column():
    """`demonstration` had type of 6.2 pt on a page and of 3.1 pt in a column."""
    least = {
        name: [figure(name, width=width).type_sizes[0] for width in (PAGE_WIDTH, COLUMN)]
        for name in (found.name for found in examples())
    }
    assert all(page >= 7.95 and column >= 5.9 for page, column in least.values()), least
    assert least["shared-leaf"][1] == pytest.approx(8.0, abs=0.05)
    assert least["demonstration"][1] > 7.2


def test_the_figure_does_not_depend_on_the_step():
    sheet, _frame = sheet_and_frame("shared-leaf")
    trace = run(sheet.graph)
    picture_options = PictureOptions(width=COLUMN)
    sizes = {
        figure_of(sheet, frame_at(trace, k), picture_options).size.toTuple()
        for k in range(len(trace) + 1)
    }
    assert len(sizes) == 1


# what is written


@pytest.mark.parametrize("width", [COLUMN, PAGE_WIDTH])
def test_a_pdf_has_its_width_in_points(tmp_path: Path, width: float):
    sheet, frame = sheet_and_frame("neuron")
    save_picture(tmp_path / "a.pdf", sheet, frame, PictureOptions(width=width))
    box = re.search(rb"/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]", (tmp_path / "a.pdf").read_bytes())
    assert box is not None
    assert float(box[1]) == pytest.approx(width / 2.54 * 72, abs=0.01)


def test_an_svg_has_its_width_in_mm(tmp_path: Path):
    sheet, frame = sheet_and_frame("neuron")
    save_picture(tmp_path / "a.svg", sheet, frame, PictureOptions(width=COLUMN))
    found = re.search(r'<svg width="([0-9.]+)mm"', (tmp_path / "a.svg").read_text("utf-8"))
    assert found is not None
    assert float(found[1]) == pytest.approx(85.0, abs=0.001)


@pytest.mark.parametrize("dpi", [96, 300])
def test_a_png_has_its_width_in_pixels_and_its_dots_per_inch(tmp_path: Path, dpi: int):
    sheet, frame = sheet_and_frame("neuron")
    save_picture(tmp_path / "a.png", sheet, frame, PictureOptions(width=COLUMN, dpi=dpi))
    found = QImage(str(tmp_path / "a.png"))
    assert found.width() == round(COLUMN / 2.54 * dpi)
    assert found.dotsPerMeterX() == round(dpi / 0.0254)


def test_a_slide_is_16_to_9_and_holds_the_whole_figure():
    found = figure("neuron", width=SLIDE[0], height=SLIDE[1])
    assert found.centimetres == pytest.approx(SLIDE)
    assert found.area.height() * found.scale <= SLIDE[1] / 2.54 * 96
    assert "on a slide 33.9 cm wide its type is" in described(
        found, PictureOptions(width=16, height=9)
    )


def test_no_figure_is_higher_than_a_page():
    for name in EXAMPLES:
        assert figure(name, width=3.0).centimetres[1] <= 24.01


# crop


def test_a_crop_to_nodes_shows_them_and_little_else():
    sheet, frame = sheet_and_frame("neuron")
    whole = figure_of(sheet, frame)
    node = min(sheet.graph.nodes)
    found = figure_of(sheet, frame, PictureOptions(crop=frozenset({node})))
    assert found.area.contains(found.scene.boxes[node].rect)
    assert found.size.width() < whole.size.width() / 4


def test_a_crop_to_a_rectangle_leaves_the_margin_empty():
    sheet, frame = sheet_and_frame("neuron")
    box = next(iter(figure_of(sheet, frame).scene.boxes.values()))
    crop = (box.x + 10, box.y + 10, box.w - 20, box.h - 20)
    found = image(sheet, frame, PictureOptions(crop=crop, margin=5.0))
    margin = 5 / 25.4 * 96
    assert found.width() == pytest.approx(box.w - 20 + 2 * margin, abs=1)
    paper = THEMES["light"].canvas.getRgb()
    assert {found.pixelColor(5, y).getRgb() for y in range(found.height())} == {paper}


def test_a_crop_to_nothing_is_refused():
    sheet, frame = sheet_and_frame("neuron")
    with pytest.raises(FormatError, match="Nothing is selected"):
        figure_of(sheet, frame, PictureOptions(crop=frozenset()))


# rows and type that are asked for


def demanded(name: str, **options) -> Figure:
    sheet, frame = sheet_and_frame(name)
    return figure_of(sheet, frame, PictureOptions(**options))


def test_rows_and_type_are_as_asked_for():
    usual = demanded("neuron", width=COLUMN)
    for rows in sampled(range(1, 6), 2):  # also with more wires between rows than usual
        found = demanded("neuron", width=COLUMN, rows=rows)
        assert (found.rows, found.centimetres[0]) == (rows, pytest.approx(COLUMN)), rows
    assert demanded("neuron", rows=3).rows == 3  # without a width
    low = demanded("neuron", width=COLUMN, min_type=4)
    assert low.has_type(4)
    assert low.centimetres[1] < usual.centimetres[1] / 2
    assert demanded("neuron", width=PAGE_WIDTH, min_type=6).rows < 3
    for name in ("shared-leaf", "neuron"):  # smaller type is lower also in as many rows
        heights = [
            demanded(name, width=COLUMN, min_type=s).centimetres[1]
            for s in sampled((4, 5, 6, 7), 3)
        ]
        assert heights == sorted(set(heights)), name
    assert demanded("shared-leaf", width=COLUMN, min_type=6).centimetres[1] < 16  # of 20
    assert demanded("shared-leaf", width=COLUMN, rows=4, min_type=6).is_readable
    assert demanded("square", width=PAGE_WIDTH, min_type=6).is_readable  # in one row
    assert demanded("square", width=COLUMN, min_type=9).type_sizes[0] == pytest.approx(9)
    graph = read("tanh(w1*x1 + w2*x2 + b)")  # of 11 nodes, which had less than 4 pt
    sheet, frame = Sheet(graph, balanced_columns(graph)), frame_at(run(graph), 0)
    assert figure_of(sheet, frame, PictureOptions(width=COLUMN)).type_sizes[0] < 4
    assert figure_of(sheet, frame, PictureOptions(width=COLUMN, min_type=5)).has_type(5)


@pytest.mark.parametrize(("options", "sentence"), [
    ({"rows": 9}, "The nodes of this graph go into 1, 2, 3, 4 or 5 rows, not into 9."),
    ({"min_type": 9}, "Type of 9 pt does not fit 8.5 × 24 cm: it has up to 7.6 pt in 4 rows."),
    ({"min_type": 8, "rows": 2}, "Type of 8 pt does not fit 8.5 × 24 cm: it has up to 4.3 pt in 2 "
     "rows, and up to 7.6 pt in 4 rows."),
    ({"rows": 2, "crop": frozenset({1})}, "Only a whole graph of 2 to 150 nodes, without an empty "
     "group, goes into 2 rows."),
])  # fmt: skip
def test_what_does_not_fit_is_refused_with_what_would(options: dict[str, object], sentence: str):
    with pytest.raises(FormatError) as caught:
        demanded("neuron", **{"width": COLUMN, **options})
    assert str(caught.value) == sentence


def test_the_type_that_is_told_to_fit_is_granted():
    for name in EXAMPLES:
        with pytest.raises(FormatError, match=r"up to [0-9.]+ pt in \d rows\.$") as caught:
            demanded(name, width=5.0, min_type=60)
        size, rows = re.findall(r"up to ([0-9.]+) pt in (\d) rows", str(caught.value))[0]
        granted = demanded(name, width=5.0, min_type=float(size))
        assert granted.rows <= int(rows), name


# sentences


def test_other_rows_are_told_where_they_have_larger_type():
    sheet, frame = sheet_and_frame("neuron")
    picture_options = PictureOptions(width=COLUMN, rows=2)
    found = figure_of(sheet, frame, picture_options)
    assert "In 4 rows it is 7.6 to 9.5 pt." in advice(found, sheet, frame, picture_options)
    asked = PictureOptions(width=COLUMN, min_type=7)  # smaller than usual, and as asked for
    assert advice(figure_of(sheet, frame, asked), sheet, frame, asked) == ""


def test_no_advice_names_the_rows_that_the_figure_has():
    sheet, frame = sheet_and_frame("shared-leaf")
    plain = PictureOptions(width=COLUMN)
    limited = figure_of(sheet, frame, PictureOptions(width=COLUMN, min_type=6, max_type=6))
    assert limited.rows == figure_of(sheet, frame, plain).rows > 1
    assert "This is small" in advice(limited, sheet, frame, plain)
    assert f"In {limited.rows} rows" not in advice(limited, sheet, frame, plain)


def test_a_small_type_is_told_with_what_helps():
    sheet, frame = sheet_and_frame("two-weights-loss")
    picture_options = PictureOptions(width=COLUMN)
    found = figure_of(sheet, frame, picture_options)
    assert not found.is_readable
    assert "This is small" in advice(found, sheet, frame, picture_options)
    assert "At 17 cm it is 8 to 10 pt." in advice(found, sheet, frame, picture_options)
    assert re.match(
        r"8\.5 × [0-9.]+ cm, type [0-9.]+ to [0-9.]+ pt, in \d rows\.$",
        described(found, picture_options),
    )


def test_without_a_problem_there_is_no_advice():
    sheet, frame = sheet_and_frame("shared-leaf")
    picture_options = PictureOptions(width=PAGE_WIDTH)
    assert advice(figure_of(sheet, frame, picture_options), sheet, frame, picture_options) == ""
    assert advice(figure_of(sheet, frame), sheet, frame, PictureOptions()) == ""


def test_each_contribution_has_its_label_or_is_named():
    for text in ("mlp(2, 3, 1)", "mlp(3, 4, 1)"):
        folded = block(text)
        trace = run(folded.graph)
        frame = frame_at(trace, len(trace))
        for width, rows in ((17.5, None), (17.5, 1), (17.5, 2), (8.5, None)):
            options = PictureOptions(width=width, rows=rows)
            scene = figure_of(sheet_of(folded), frame, options).scene
            places = scene.wire_layout.label_layout
            dots = [w for w in label_wires(scene, scene.bounds()) if places[w].form == "dot"]
            assert not dots, (text, width, rows)
    folded = block("mlp(2, 3, 1)")
    crowded = dataclasses.replace(folded, groups=())  # their insides lie over one another
    frame = frame_at(run(crowded.graph), len(run(crowded.graph)))
    figure = figure_of(sheet_of(crowded), frame, PLAIN)
    remark = "No room for the labels of x1 to v21 and w2_1_1 to v31."
    assert advice(figure, sheet_of(crowded), frame, PLAIN) == remark
