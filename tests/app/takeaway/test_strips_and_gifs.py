"""Filmstrips, GIFs with their narration, and pictures of covered steps."""

from functools import cache
from io import BytesIO
from itertools import pairwise
from typing import NamedTuple

import pytest
from msgspec.structs import replace
from PIL import Image
from PySide6.QtGui import QImage
from PySide6.QtSvg import QSvgRenderer

from app.canvas.appearance.face import node_look
from app.canvas.paint.figure import PictureOptions, scene_of
from app.controls.slices import drained
from app.controls.spans import plain_text
from app.document.sheet import sheet_of
from app.style.theme import THEMES
from app.takeaway.estimated_layout import laid_out_drawing
from app.takeaway.filmstrip import (
    BLANK_MS,
    COLORS,
    GAP,
    GIF,
    LAST_MS,
    STEP_MS,
    SUM_MS,
    _timed_steps,
    column_remark,
    filmstrip,
    panels_of,
    step_of,
)
from app.takeaway.options import MAX_GIF_WIDTH, GifOptions, Source
from app.workbench.adding import block
from engine import edits, from_expression
from engine.errors import FormatError
from engine.formats.native import Drawing
from engine.graph import Graph
from engine.rules import BY_NAME
from engine.trace import Trace, run, run_forward
from tests.helpers.canvas import example_drawing
from tests.helpers.exported import words_of
from tests.helpers.graphs import chain
from tests.helpers.sampling import is_whole, sized

DIGITS = 4
HOSTILE = ("</script><b>", "quote\" ' \\ % {a}", "x" * 200, "שלום עולם", "**bold**")
FIVE_COLUMNS = "e = a*b; d = e + a; h = d*f + e; L = h*d + a"


def strip(suffix: str, *numbers: int, cover: bool = False, upright: bool = False) -> bytes:
    drawing = example_drawing("shared-leaf")
    trace = run(drawing.graph)
    steps = [step_of(trace, number, DIGITS, cover=cover) for number in numbers]
    return filmstrip(suffix, sheet_of(drawing), steps, PictureOptions(), upright=upright)


class Animation(NamedTuple):
    content: bytes
    narration: str


def gif(graph: Graph, trace: Trace | None = None, **chosen: bool) -> Animation:
    source = Source(laid_out_drawing(graph), "Title", trace=trace)
    content, narration = drained(GIF.write(source, GifOptions(**chosen), ".gif"))
    return Animation(content, narration.decode())


@cache
def plain_gif() -> Animation:
    return gif(shared_leaf())


def times(content: bytes) -> list[int]:
    picture, found = Image.open(BytesIO(content)), []
    for k in range(getattr(picture, "n_frames", 1)):
        picture.seek(k)
        found.append(picture.info["duration"])
    return found


def shared_leaf() -> Graph:
    return from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})


def test_a_strip_has_the_steps_side_by_side_or_below_one_another(qapp):
    row, column = (QImage.fromData(strip(".png", 4, 5, 6, upright=up)) for up in (False, True))
    panel = (row.width() - 2 * GAP) / 3
    assert column.width() == pytest.approx(panel, abs=1)
    assert column.height() == pytest.approx(3 * row.height() + 2 * GAP, abs=2)


@pytest.mark.parametrize("wide", [9, 17, 60])
def test_a_strip_is_as_wide_as_asked_and_no_higher_than_upright(wide: int, qapp):
    drawing = example_drawing("shared-leaf")
    steps = [step_of(run(drawing.graph), number, DIGITS) for number in (4, 5, 6)]
    sheet, picture_options = sheet_of(drawing), PictureOptions(width=wide)
    contents = [
        filmstrip(".svg", sheet, steps, picture_options, upright=up) for up in (False, True)
    ]
    assert all(f'width="{10 * wide}.0000mm"'.encode() in content for content in contents)
    chosen, upright = (QSvgRenderer(content).defaultSize().height() for content in contents)
    assert chosen <= upright


def test_each_step_of_a_strip_has_its_sentence(qapp):
    words = "".join("".join(words_of(strip(".pdf", 4, 5, 6))).split())
    trace = run(example_drawing("shared-leaf").graph)
    for number in (4, 5, 6):
        step = step_of(trace, number, DIGITS)
        assert "".join(plain_text(step.sentence).split()) in words
        assert "".join(step.position_text.split()) in words


def test_an_svg_of_a_strip_can_be_drawn_without_our_fonts(qapp):
    content = strip(".svg", 6, 7)
    assert QSvgRenderer(content).isValid()
    assert b'fill-opacity="0"' in content


def test_a_covered_strip_asks_for_the_numbers_of_its_steps(qapp):
    words = "".join("".join(words_of(strip(".pdf", 5, 6, cover=True))).split())
    assert "×(e)passes?toa;a.gradisnow?." in words
    assert "+6" not in words
    assert "=4" not in words
    seed = step_of(run(example_drawing("shared-leaf").graph), 1, DIGITS, cover=True)
    assert not seed.asks
    assert seed.frame.hides_number


def test_panels_have_one_size_and_scale(qapp):
    drawing = example_drawing("shared-leaf")
    trace = run(drawing.graph)
    steps = [step_of(trace, number, DIGITS) for number in range(1, 8)]
    panels = panels_of(sheet_of(drawing), steps, PictureOptions())
    scenes = [panels.figure.at(step.frame, panels.picture_options) for step in steps]
    assert all(a.area == b.area and a.scale == b.scale for a, b in pairwise(scenes))


@pytest.mark.parametrize("numbers", [(4,), (1, 2, 3, 4, 5, 6, 7), (1, 9)])
def test_a_strip_of_other_steps_is_refused(numbers: tuple[int, ...], qapp):
    with pytest.raises(FormatError, match="steps"):
        strip(".png", *numbers)


def test_a_frame_stands_longer_where_contributions_add_up_and_at_the_end(qapp):
    plain = times(plain_gif().content)
    assert plain == [STEP_MS] * 5 + [SUM_MS, LAST_MS]
    options = GifOptions(blank_first=True)
    asked = [ms for _step, ms in _timed_steps(run(shared_leaf()), options)]
    if is_whole():
        assert times(gif(shared_leaf(), blank_first=True).content) == asked
    assert asked == [STEP_MS, *[BLANK_MS, STEP_MS] * 4, BLANK_MS, SUM_MS, BLANK_MS, LAST_MS]


def test_no_frame_shows_the_factors_of_a_step_that_a_later_frame_asks_for(qapp):
    neuron, mistaken = example_drawing("neuron").graph, BY_NAME["assign"]
    for trace in (run(neuron), run(shared_leaf()), run(shared_leaf(), rules=mistaken)):
        sheet = sheet_of(laid_out_drawing(trace.graph))
        for chosen in ({"blank_first": True}, {"cover": True}):
            for step, _ms in _timed_steps(trace, GifOptions(**chosen)):
                case, done = (chosen, step.number, step.asks), step.number - step.asks
                looks = scene_of(sheet, step.frame).looks
                for event in trace.events[done:]:
                    assert event.wire is not None
                    label = looks.label(event.wire)
                    assert label is None or label[:2] == ("", ""), case
                nodes = (node_look(looks, node) for node in trace.graph.nodes)
                slopes = [n for look in nodes for n in look.numbers if n.kind == "local"]
                assert sum(slope.text != "" for slope in slopes) == done - 1, case


def test_a_gif_plays_once_unless_it_loops(qapp):
    found = (plain_gif(), gif(from_expression("y = a*b"), loop=True))
    once, again = (Image.open(BytesIO(each.content)) for each in found)
    assert "loop" not in once.info
    assert again.info["loop"] == 0


def test_a_gif_is_small_and_narrow_enough(qapp):
    graph = from_expression(FIVE_COLUMNS, {"a": 2, "b": -3, "f": -2})
    assert len(run(graph)) >= 12
    content = gif(graph, blank_first=is_whole()).content
    picture, paper = Image.open(BytesIO(content)), THEMES["light"].canvas
    canvas = (paper.red(), paper.green(), paper.blue())
    assert picture.width <= MAX_GIF_WIDTH
    assert len(content) <= sized(1_000_000, 2_000_000)
    assert picture.convert("RGB").getpixel((2, 2)) == canvas
    for k in range(len(times(content))):
        picture.seek(k)
        assert len(picture.convert("RGB").getcolors(256 * 256) or ()) <= COLORS


def test_the_narration_tells_each_step_once_in_its_order(qapp):
    text = plain_gif().narration.splitlines()
    assert text[:2] == ["Title", ""]
    assert len(text) == 2 + 7
    assert text[7].startswith("Step 6 of 7. × (e) got −2 and passes −2 × −3 = +6 to a")
    covered = gif(shared_leaf(), cover=True).narration
    assert "+6" not in covered


def test_a_forward_pass_and_a_mistake_can_be_shown(qapp):
    graph = shared_leaf()
    forward = gif(graph, run_forward(graph))
    assert "Step 1 of 3. e = a × b = 2 × (−3) = −6." in forward.narration
    wrong = gif(graph, run(graph, rules=BY_NAME["assign"]))
    assert "forgets" in wrong.narration


def test_equal_input_gives_equal_bytes(qapp):
    assert gif(shared_leaf()) == plain_gif()
    for suffix in (".png", ".svg", ".pdf"):
        assert strip(suffix, 5, 6) == strip(suffix, 5, 6)


def test_no_label_breaks_a_gif_or_a_strip(qapp):
    graph = shared_leaf()
    for node, label in zip(sorted(graph.nodes)[:5], HOSTILE, strict=False):
        graph = edits.set_label(graph, node, label)
    assert len(times(gif(graph).content)) == 7
    drawing = laid_out_drawing(graph)
    steps = [step_of(run(graph), number, DIGITS) for number in (5, 6)]
    assert QSvgRenderer(filmstrip(".svg", sheet_of(drawing), steps, PictureOptions())).isValid()


LONG, EMPTY = run(chain(200)), run_forward(from_expression("a", {"a": 1}))


@pytest.mark.parametrize(("trace", "words"), [(LONG, "at most"), (EMPTY, "no steps")])
def test_a_pass_that_is_too_long_or_empty_is_refused(trace: Trace, words: str, qapp):
    with pytest.raises(FormatError, match=words):
        gif(trace.graph, trace)


def test_a_strip_begins_before_the_pass_and_asks_nothing_there():
    trace = run(example_drawing("shared-leaf").graph)
    for cover in (False, True):
        before = step_of(trace, 0, DIGITS, cover=cover)
        assert (before.position_text, before.frame.cursor, before.asks) == ("Step 0 of 7", 0, False)
        assert QSvgRenderer(strip(".svg", 0, 1, cover=cover)).isValid()


@pytest.mark.parametrize("drawing", [example_drawing("shared-leaf"), block("mlp(2, 3, 1)")])
def test_steps_are_below_one_another_only_where_no_row_is_legible_and_it_is_said(drawing: Drawing):
    sheet, trace = sheet_of(drawing), run(drawing.graph)
    steps = [step_of(trace, number, DIGITS) for number in (0, 1, 3)]

    def height(picture_options: PictureOptions) -> float:
        content = filmstrip(".svg", sheet, steps, picture_options)
        return QSvgRenderer(content).viewBoxF().height()

    plain = PictureOptions(width=17.5)
    remark = column_remark(sheet, steps, plain)
    assert "the steps are below one another" in remark
    assert "--min-type 6 makes it lower" in remark
    smaller = replace(plain, min_type=6.0)
    assert height(smaller) < 0.7 * height(plain)
    assert column_remark(sheet, steps, smaller) == ""
    assert column_remark(sheet, steps, replace(plain, width=60.0)) == "", "a row fits"
