"""Pictures: the same painter on PNG, SVG and PDF, of one size for every step."""

import re
import shutil
import subprocess
from base64 import b64decode
from html import escape
from io import BytesIO
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest
from fontTools.ttLib import TTFont
from msgspec.structs import replace
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from app.canvas.paint import figure
from app.canvas.paint.figure import PictureOptions, TextKind, scene_of
from app.canvas.paint.picture_export import image, save_pictures
from app.document.sheet import Group, Sheet, sheet_of
from app.style import strokes
from app.style.theme import THEMES
from app.workbench.words.alt_text import alt_text
from engine import edits
from engine.asking.question import hide_answers
from engine.errors import FormatError
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph, Leaf, OpNode, Root
from engine.trace import run
from tests.helpers.canvas import example_drawing
from tests.helpers.exported import save_picture, words_of
from tests.helpers.graphs import chain


@pytest.fixture
def sheet(qapp) -> Sheet:
    return sheet_of(example_drawing("shared-leaf"))


@pytest.fixture
def last(sheet: Sheet) -> Frame:
    trace = run(sheet.graph)
    return frame_at(trace, len(trace))


def texts_of(path: Path) -> list[str]:
    """The words of an SVG; parsing it proves it well-formed."""
    root = ElementTree.fromstring(path.read_bytes())
    return ["".join(found.itertext()) for found in root.iter("{http://www.w3.org/2000/svg}text")]


def test_png_is_the_picture_of_the_step(sheet: Sheet, last: Frame, tmp_path: Path):
    save_picture(tmp_path / "a.png", sheet, last)
    expected = image(sheet, last)
    found = QImage(str(tmp_path / "a.png")).convertToFormat(expected.format())
    assert found == expected


def test_a_picture_made_during_a_presentation_is_the_usual_one(
    sheet: Sheet, last: Frame, tmp_path: Path
):
    usual = image(sheet, last)
    save_picture(tmp_path / "usual.svg", sheet, last)
    strokes.set_presented(True)
    try:
        assert image(sheet, last) == usual
        save_picture(tmp_path / "presented.svg", sheet, last)
        assert strokes.is_presented()
    finally:
        strokes.set_presented(False)
    assert (tmp_path / "presented.svg").read_bytes() == (tmp_path / "usual.svg").read_bytes()


@pytest.mark.parametrize("theme", ["light", "dark", "projector", "print"])
def test_each_theme_has_its_paper_unless_it_is_left_out(sheet: Sheet, last: Frame, theme: str):
    paper = image(sheet, last, PictureOptions(theme=theme)).pixelColor(0, 0)
    assert paper.getRgb() == THEMES[theme].canvas.getRgb()
    assert (
        image(sheet, last, PictureOptions(theme=theme, transparent=True)).pixelColor(0, 0).alpha()
        == 0
    )


def test_svg_holds_every_number_as_text(sheet: Sheet, last: Frame, tmp_path: Path):
    save_picture(tmp_path / "a.svg", sheet, last)
    words = texts_of(tmp_path / "a.svg")
    assert "seed 1" in words
    assert {"+6", "−2", "= 4"} <= set(words)


LABELS = ("α²", "x<0", "x1*w1 'q' \\", 'say "κόσμε" & ∂', "w")


def odd(sheet: Sheet) -> Sheet:
    """The sheet with labels that need more than letters."""
    graph = sheet.graph
    for node, label in zip(sorted(graph.names), LABELS, strict=False):
        graph = edits.set_label(graph, node, label)
    return replace(sheet, graph=edits.set_value(graph, min(graph.nodes), 1234.5678))


def held(stage_words: list[str]) -> str:
    """All words in one line, without the white space between."""
    return "".join("".join(stage_words).split())


def test_text_of_a_pdf_is_what_the_picture_shows(sheet: Sheet, tmp_path: Path):
    sheet = odd(sheet)
    for cursor in (0, 3, 7):
        frame = frame_at(run(sheet.graph), cursor)
        save_picture(tmp_path / "a.pdf", sheet, frame)
        save_picture(tmp_path / "a.svg", sheet, frame)
        words = words_of((tmp_path / "a.pdf").read_bytes())
        assert held(words) == held(texts_of(tmp_path / "a.svg"))
        assert "≈1235" in held(words)
        assert not any("\ue000" <= c <= "\uf8ff" or c == "\t" for word in words for c in word)
        assert all("".join(label.split()) in held(words) for label in LABELS)


SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = (*LABELS, "</text><script>", "\u202eabc\u202c", "🙂", "x" * 200)


def test_an_svg_of_outlines_needs_no_font_of_the_reader(sheet: Sheet, last: Frame, tmp_path: Path):
    boxed = replace(sheet, groups={1: Group("Product", rect=(-30.0, -60.0, 600.0, 500.0))})
    save_picture(tmp_path / "a.svg", boxed, last)
    expected = image(boxed, last)
    root = ElementTree.fromstring((tmp_path / "a.svg").read_bytes())
    found = list(root.iter(f"{SVG}text"))
    assert "Product" in texts_of(tmp_path / "a.svg")
    assert all(text.get("fill-opacity") == "0" for text in found)
    assert most_different(expected, without_text(tmp_path / "a.svg", expected.size())) < 30
    save_picture(tmp_path / "a.svg", boxed, last, PictureOptions(text="system"))
    assert most_different(expected, without_text(tmp_path / "a.svg", expected.size())) > 60


def without_text(path: Path, size: QSize) -> QImage:
    """An SVG as a renderer shows it that has no font at all."""
    found = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(found)
    bare = re.sub(rb"<text.*?</text>", b"", path.read_bytes(), flags=re.S)
    QSvgRenderer(bare).render(painter)
    painter.end()
    return found


def most_different(one: QImage, other: QImage) -> float:
    """The largest difference of grey, of 255, between tiles of about 6 × 6 px."""
    tiles = QSize(one.width() // 6, one.height() // 6)
    return max(abs(a - b) for a, b in zip(_shrunk(one, tiles), _shrunk(other, tiles), strict=True))


@pytest.mark.parametrize("text", ["outlines", "font", "system"])
def test_an_svg_has_its_text_to_search_and_the_same_bytes_each_time(
    sheet: Sheet, last: Frame, tmp_path: Path, text: TextKind
):
    graph = last.graph
    for node, label in zip(sorted(graph.names), HOSTILE, strict=False):
        graph = edits.set_label(graph, node, label)
    sheet = replace(sheet, graph=graph)
    for name in ("a.svg", "b.svg"):
        save_picture(tmp_path / name, sheet, live_frame(graph), PictureOptions(text=text))
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    save_picture(tmp_path / "plain.svg", sheet, live_frame(graph), PictureOptions(text="system"))
    words = texts_of(tmp_path / "a.svg")
    assert words == texts_of(tmp_path / "plain.svg")
    assert {"data", "α²", "x<0"} <= set(words)


def test_the_look_of_an_svg_costs_less_than_60_kb(qapp, tmp_path: Path):
    drawing = example_drawing("neuron")
    trace = run(drawing.graph)
    sizes: dict[TextKind, int] = {}
    for text in ("outlines", "font", "system"):
        save_picture(
            tmp_path / "a.svg",
            sheet_of(drawing),
            frame_at(trace, len(trace)),
            PictureOptions(text=text),
        )
        sizes[text] = (tmp_path / "a.svg").stat().st_size
    assert sizes["system"] < sizes["font"] < sizes["outlines"] < sizes["system"] + 60_000


def test_the_font_in_an_svg_has_every_letter_of_its_texts(sheet: Sheet, tmp_path: Path):
    sheet = odd(sheet)
    sheet = replace(sheet, graph=edits.set_label(sheet.graph, min(sheet.graph.names), "ℵ"))
    frame = frame_at(run(sheet.graph), 7)
    save_picture(tmp_path / "a.svg", sheet, frame, PictureOptions(text="font"))
    content = (tmp_path / "a.svg").read_text("utf-8")
    faces = re.findall(r'font-family:"([^"]*)";font-weight:(\d+);src:url\([^,]*,([^)]*)', content)
    letters = {
        (family, weight): set(map(chr, TTFont(BytesIO(b64decode(source))).getBestCmap() or ()))
        for family, weight, source in faces
    }
    fallback = letters["DejaVu Sans", "400"]
    for text in ElementTree.fromstring(content).iter(f"{SVG}text"):
        own = letters["Inter", text.get("font-weight", "")]
        assert set("".join(text.itertext())) <= own | fallback


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="needs pdftotext")
def test_a_reader_of_pdf_finds_the_numbers(sheet: Sheet, last: Frame, tmp_path: Path):
    save_picture(tmp_path / "a.pdf", sheet, last)
    done = subprocess.run(
        ["pdftotext", "-layout", tmp_path / "a.pdf", "-"], capture_output=True, check=True
    )
    text = done.stdout.decode("utf-8")
    assert all(words in text for words in ("−2 × −3", "+6", "seed 1"))


def test_pdf_is_one_page_of_the_pictures_size(sheet: Sheet, last: Frame, tmp_path: Path):
    save_picture(tmp_path / "a.pdf", sheet, last)
    content = (tmp_path / "a.pdf").read_bytes()
    assert content.startswith(b"%PDF-")
    assert content.rstrip().endswith(b"%%EOF")
    assert content.count(b"/Type /Page\n") == 1
    box = content[content.index(b"/MediaBox") :].split(b"[")[1].split(b"]")[0].split()
    picture = image(sheet, last)
    assert float(box[2]) == pytest.approx(picture.width() * 0.75, abs=2)
    assert float(box[3]) == pytest.approx(picture.height() * 0.75, abs=2)


def test_each_picture_says_its_step_and_has_the_same_bytes_again(sheet: Sheet, tmp_path: Path):
    frame = frame_at(run(sheet.graph), 6)
    for suffix in ("png", "svg", "pdf"):
        path = tmp_path / f"a.{suffix}"
        save_picture(path, sheet, frame)
        before = path.read_bytes()
        save_picture(path, sheet, frame)
        assert path.read_bytes() == before, suffix
    title, step = alt_text([frame])
    assert step.startswith("Step 6 of 7 of the backward pass. × ")
    picture = QImage(str(tmp_path / "a.png"))
    assert (picture.text("Title"), picture.text("Description")) == (title, step)
    root = ElementTree.fromstring((tmp_path / "a.svg").read_bytes())
    assert [found.text for found in root[:2]] == [title, step]
    pdf = (tmp_path / "a.pdf").read_bytes()
    named = {"Title": title, "Subject": step}
    for name, text in named.items():
        assert f"\n/{name} (".encode() + b"\xfe\xff" + text.encode("utf-16-be")[:20] in pdf, name
        assert escape(text).encode() in pdf, name  # in the XMP too


def test_an_unknown_suffix_is_refused_and_nothing_is_written(
    sheet: Sheet, last: Frame, tmp_path: Path
):
    with pytest.raises(FormatError, match="no picture format"):
        save_picture(tmp_path / "a.bmp", sheet, last)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("far", "picture_options", "sentence"),
    [
        ((50_000.0, 0.0), PictureOptions(), "Choose fewer dots per inch, or SVG"),
        ((50_000.0, 0.0), PictureOptions(dpi=96, least_dpi=96), r"Choose SVG or PDF\.$"),
        ((50_000.0, 0.0), PictureOptions(dpi=300, least_dpi=96), r"Choose SVG or PDF\.$"),
        ((15_000.0, 15_000.0), PictureOptions(), "100,000,000 in all are the most"),
    ],
)
def test_a_picture_beyond_all_measure_is_refused_with_advice(
    qapp, tmp_path: Path, far: tuple[float, float], picture_options: PictureOptions, sentence: str
):
    graph = Graph({1: Leaf(), 2: OpNode("neg", (1,)), 3: Root(2)}, 3, 4)
    sheet = Sheet(graph, {1: (0.0, 0.0), 2: far, 3: (300.0, 0.0)})
    with pytest.raises(FormatError, match=sentence):
        save_picture(tmp_path / "a.png", sheet, live_frame(graph), picture_options)
    save_picture(tmp_path / "a.svg", sheet, live_frame(graph))
    assert texts_of(tmp_path / "a.svg")


def test_a_graph_of_very_many_nodes_is_refused_at_once(qapp, tmp_path: Path):
    sheet = Sheet(chain(49_000))
    for suffix in ("svg", "png", "pdf"):
        with pytest.raises(FormatError, match="up to 3,000 nodes, and this graph shows 49,"):
            save_picture(tmp_path / f"a.{suffix}", sheet, live_frame(sheet.graph))
    assert not list(tmp_path.iterdir())


def test_what_is_inside_a_collapsed_group_does_not_count(qapp, tmp_path: Path, monkeypatch):
    monkeypatch.setattr(figure, "MOST_NODES", 8)
    sheet = Sheet(chain(12))
    with pytest.raises(FormatError, match="Collapse groups"):
        save_picture(tmp_path / "a.svg", sheet, live_frame(sheet.graph))
    inside = frozenset(sorted(sheet.graph.nodes)[1:9])
    grouped = replace(sheet, groups={1: Group("most", inside, True)})
    save_picture(tmp_path / "a.svg", grouped, live_frame(sheet.graph))
    assert "most" in texts_of(tmp_path / "a.svg")


def test_pages_of_a_pdf_are_the_steps_all_of_one_size(sheet: Sheet, tmp_path: Path):
    trace = run(sheet.graph)
    frames = [frame_at(trace, k) for k in range(len(trace) + 1)]
    save_pictures([tmp_path / "a.pdf"], figure.figure_of(sheet, frames[0]), frames)
    content = (tmp_path / "a.pdf").read_bytes()
    boxes = re.findall(rb"/MediaBox \[[^]]*\]", content)
    assert len(boxes) == len(frames)
    assert len(set(boxes)) == 1


def test_an_empty_sheet_makes_an_empty_picture(qapp):
    found = image(Sheet(), live_frame(Graph()))
    assert found.width() > 100


def test_a_covered_step_keeps_its_secret_on_paper(sheet: Sheet, tmp_path: Path):
    frame = frame_at(run(sheet.graph), 1)
    save_picture(tmp_path / "a.svg", sheet, hide_answers(frame, ("contribution",)))
    assert "?" in texts_of(tmp_path / "a.svg")


def _shrunk(picture: QImage, size: QSize) -> list[int]:
    """Brightness of a coarse raster."""
    small = picture.scaled(size, mode=Qt.TransformationMode.SmoothTransformation).convertToFormat(
        QImage.Format.Format_Grayscale8
    )
    return [small.pixelColor(x, y).red() for y in range(size.height()) for x in range(size.width())]


@pytest.mark.parametrize("digits", [6, 17])
@pytest.mark.parametrize("name", ["sigmoid-parts", "neuron"])
def test_nodes_keep_apart_however_many_digits_are_shown(qapp, name: str, digits: int):
    drawn, picture_options = sheet_of(example_drawing(name)), PictureOptions(digits=digits)
    trace = run(drawn.graph.with_values(dict.fromkeys(drawn.graph.leaves, 0.7 / 3)))
    boxes = scene_of(
        replace(drawn, graph=trace.graph), frame_at(trace, len(trace)), picture_options
    ).boxes
    rects = [box.rect for box in boxes.values() if box.kind != "pill"]
    assert not [(a, b) for a, b in combinations(rects, 2) if a.intersects(b)]
