"""backwire export: pictures, DOT and texts."""

import os
import re
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from app.__main__ import main
from app.document.examples import examples
from app.style.theme import THEMES
from app.takeaway.forms import FORMS
from engine import from_expression, load, save
from engine.formats import FORMATS, dot, latex, python
from engine.formats.dot import draw
from engine.formats.files import load_drawing
from engine.formats.native import Drawing
from engine.frame import live_frame
from engine.graph import Leaf
from tests.app.cli.test_running import refused
from tests.helpers.sampling import sampled

SHARED = str(next(found.path for found in examples() if found.name == "shared-leaf"))


def test_every_format_that_can_be_written_is_written(tmp_path, capsys):
    for form in FORMATS:
        if form.write is None:
            continue
        out = tmp_path / f"out{form.suffixes[0]}"
        assert main(["export", SHARED, "-o", str(out)]) == 0
        assert out.stat().st_size > 40
        assert capsys.readouterr().out == f"{out}\n"
        if form.read is not None:
            assert load(out).root_name == "L"
    assert (tmp_path / "out.backwire").read_bytes() == Path(SHARED).read_bytes()
    named = {
        "latex-fragment": ("a.tex", latex.write_fragment(load(SHARED))),
        "pytorch": ("a.py", python.write_pytorch(load(SHARED))),  # as any program may end
    }
    for name, (file, text) in named.items():
        assert main(["export", SHARED, "-o", str(tmp_path / file), "--format", name]) == 0
        assert (tmp_path / file).read_text("utf-8") == text


@pytest.mark.parametrize(("step", "says", "says_not"), [
    ([], r"a\ndata 2\ngrad –", "="),
    (["--forward"], r"L\ndata 8", "−2 × −3"),
    (["--step", "0"], r"L\ndata 8\ngrad –", "+6"),
    (["--step", "1"], r"L\ndata 8\ngrad 1", "+6"),
    (["--step", "6"], "−2 × −3 = +6", "−2 × 2 = −4"),
    (["--backward"], "−2 × 2 = −4", "···"),
])  # fmt: skip
def test_dot_shows_the_step_that_is_asked_for(step, says, says_not, tmp_path):
    out = tmp_path / "out.dot"
    assert main(["export", SHARED, "-o", str(out), *step]) == 0
    text = out.read_text("utf-8")
    assert says in text
    assert f'label="{says_not}' not in text


def test_all_steps_are_numbered_files(tmp_path, capsys):
    out = tmp_path / "out.gv"
    assert main(["export", SHARED, "-o", str(out), "--step", "all"]) == 0
    names = [f"out-{k}.gv" for k in range(8)]
    assert sorted(os.listdir(tmp_path)) == names
    assert capsys.readouterr().out.split() == [str(tmp_path / name) for name in names]
    classic = ["-o", str(tmp_path / "c.dot"), "--format", "classic", "--step", "all"]
    assert main(["export", SHARED, *classic]) == 0
    assert len(os.listdir(tmp_path)) == 16
    assert "{ a | data 2.0000 | grad 4.0000 }" in (tmp_path / "c-7.dot").read_text("utf-8")


@pytest.mark.parametrize("suffix", ["dot", "gv", "svg", "png", "pdf"])
def test_the_classic_picture_needs_no_display_and_no_dot(suffix, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    out = tmp_path / f"out.{suffix}"
    arguments = ["--format", "classic", "--dpi", "120", "--transparent"]
    assert main(["export", SHARED, "-o", str(out), *arguments]) == 0
    start = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}.get(suffix, b"digraph")
    assert out.read_bytes().startswith(start)
    if suffix in ("dot", "gv", "svg"):
        assert b"data 2.0000" in out.read_bytes()
        assert b"grad 0.0000" in out.read_bytes()


def test_a_picture_has_its_step_theme_sharpness_and_no_background(tmp_path, qapp):
    out = tmp_path / "out.png"
    arguments = ["--step", "3", "--theme", "dark", "--dpi", "120", "--transparent"]
    assert main(["export", SHARED, "-o", str(out), *arguments]) == 0
    picture = QImage(str(out))
    assert picture.dotsPerMeterX() == round(120 / 0.0254)
    assert picture.pixelColor(0, 0).alpha() == 0


@pytest.mark.parametrize(("arguments", "says"), [
    (["-o", "x.dot", "--step", "8"], "has 7 steps; there is no step 8"),
    (["-o", "x.png", "--step", "8"], "has 7 steps; there is no step 8"),
    (["-o", "x.txt", "--step", "2"], "only pictures and DOT hold a step"),
    (["-o", "x.jpeg"], "no format"),
    (["-o", "x.tex", "--format", "classic"], "the formats are .dot, .gv, .png, .svg, .pdf"),
    (["-o", "x.xyz"], "the formats are .png, .svg, .pdf, .backwire"),
    (["-o", "x"], "no format"),
    (["-o", "x.png", "--mistake", "none"], "There is no mistake called none"),
    (["-o", "x.tex", "--mistake", "assign"], "only pictures and DOT hold one"),
    (["-o", "x.pdf", "--format", "latex-fragment"], "the formats are .tex"),
    (["-o", "x.pdf", "--set", "z=1"], "z"),
    *((["-o", "a.txt", "--format", form], "the formats are")
      for form in ("pytorch", "native", "dot-classic", "svg")),
    (["-o", "nowhere/x.txt"], "backwire: nowhere/x.txt can't be written"),
    (["-o", "none/x.png", "--step", "all"], "there is no folder"),
    (["-o", "x.svg", "--rows", "9"], "go into 1, 2, 3 or 4 rows, not into 9"),
    (["-o", "x.svg", "--width", "5", "--min-type", "20"], "Type of 20 pt does not fit 5 × 24 cm"),
])  # fmt: skip
def test_what_can_not_be_exported_is_one_line(arguments, says, capsys, tmp_path, monkeypatch, qapp):
    monkeypatch.chdir(tmp_path)
    assert says in refused(capsys, 1, "export", SHARED, *arguments)
    assert os.listdir(tmp_path) == []


def test_all_pictures_are_numbered_files_of_one_size(tmp_path, qapp, capsys):
    out = tmp_path / "step.png"
    assert main(["export", SHARED, "-o", str(out), "--step", "all", "--width", "17"]) == 0
    paths = [tmp_path / f"step-{k}.png" for k in range(8)]
    assert capsys.readouterr().out.split() == list(map(str, paths))
    assert {QImage(str(path)).width() for path in paths} == {round(17 / 2.54 * 96)}
    assert len({path.read_bytes() for path in paths}) == 8


def test_all_steps_of_a_pdf_are_pages_of_one_size(tmp_path, qapp, capsys):
    out = tmp_path / "steps.pdf"
    assert main(["export", SHARED, "-o", str(out), "--step", "all", "--width", "8.5"]) == 0
    assert os.listdir(tmp_path) == ["steps.pdf"]
    boxes = re.findall(rb"/MediaBox \[0 0 ([0-9.]+)", out.read_bytes())
    assert [float(box) for box in boxes] == pytest.approx([8.5 / 2.54 * 72] * 8, abs=0.01)


def test_a_formula_is_exported_without_a_file(tmp_path, qapp, capsys):
    out = tmp_path / "f.svg"
    call = ["export", "-e", "L = tanh(w*x)", "--set", "w=0.5", "--backward", "-o", str(out)]
    assert main([*call, "--width", "17"]) == 0
    text = out.read_text("utf-8")
    assert 'width="170.0000mm"' in text
    assert ">0.5<" in text
    assert ">tanh<" in text


def test_values_are_set_in_a_file_that_keeps_its_places(tmp_path):
    out = tmp_path / "g.backwire"
    assert main(["export", SHARED, "--set", "a=5", "-o", str(out)]) == 0
    assert load(out).nodes[1] == Leaf(5.0, "a")
    assert load_drawing(out).positions == load_drawing(SHARED).positions


@pytest.mark.parametrize(("digits", "says"), [("2", "≈ 0.46"), ("6", "0.462117")])
def test_numbers_have_as_many_digits_as_asked_for(digits: str, says: str, tmp_path, qapp):
    out = tmp_path / "f.svg"
    main(["export", "-e", "tanh(a)", "--set", "a=0.5", "-o", str(out), "--digits", digits])
    assert says.removeprefix("≈ ") in out.read_text("utf-8")


def test_a_mistake_is_shown_at_the_end_of_its_pass_or_at_a_step(tmp_path, qapp):
    out = tmp_path / "m.svg"
    assert main(["export", SHARED, "-o", str(out), "--mistake", "assign"]) == 0
    assert "seed 1" in out.read_text("utf-8")
    dots = [tmp_path / "right.dot", tmp_path / "wrong.dot"]
    main(["export", SHARED, "-o", str(dots[0]), "--backward"])
    main(["export", SHARED, "-o", str(dots[1]), "--mistake", "assign"])
    assert r"a\ndata 2\ngrad 4" in dots[0].read_text("utf-8")
    assert r"a\ndata 2\ngrad 6" in dots[1].read_text("utf-8")


def test_a_pdf_is_black_on_white_unless_another_theme_is_asked_for(tmp_path, qapp):
    looks = []
    for theme in ([], ["--theme", "print"], ["--theme", "light"]):
        out = tmp_path / "a.pdf"
        assert main(["export", SHARED, "-o", str(out), *theme]) == 0
        looks.append(len(out.read_bytes()))
    assert looks[0] == looks[1] != looks[2]


def test_a_wider_page_is_named_only_where_it_helps(tmp_path, qapp, capsys):
    out, large = tmp_path / "a.svg", "+".join(f"tanh(w{k}*x{k}+b{k})" for k in range(14))
    assert main(["export", "-e", large, "-o", str(out), "--width", "8.5"]) == 0
    said = capsys.readouterr().err
    assert "17 cm" not in said
    assert "Crop to a part of the graph" in said


def test_every_form_of_the_window_is_reached_by_its_name_and_its_suffix(tmp_path, qapp):
    alone = [form.kinds for form in FORMS.values() if form.maker is None]
    for name, suffix in (pair for kinds in alone for pair in kinds.items()):
        named, plain = tmp_path / f"{name}-named{suffix}", tmp_path / f"{name}{suffix}"
        assert main(["export", SHARED, "-o", str(named), "--format", name]) == 0
        assert main(["export", SHARED, "-o", str(plain)]) == 0
        if name in ("classic-png", "classic-svg"):
            assert named.read_bytes() == draw(live_frame(load(SHARED)), suffix.removeprefix("."))
        elif name != "latex-fragment":  # its suffix is that of the whole document
            assert named.read_bytes() == plain.read_bytes()


@pytest.mark.parametrize("width", sampled([8.5, 17], every=2))
def test_the_classic_picture_is_as_wide_as_asked(width: float, tmp_path, capsys):
    call = ["export", SHARED, "--backward", "--format", "classic", "--width", str(width), "-o"]
    for suffix in ("svg", "pdf", "png"):
        assert main([*call, str(tmp_path / f"a.{suffix}")]) == 0
    assert capsys.readouterr().err == ""
    svg = re.search(r'<svg width="(\d+)pt"', (tmp_path / "a.svg").read_text("utf-8"))
    pdf = re.search(rb"/MediaBox \[ 0 0 ([0-9.]+)", (tmp_path / "a.pdf").read_bytes())
    assert svg is not None
    assert pdf is not None
    points = width / 2.54 * 72
    assert (float(svg[1]), float(pdf[1])) == pytest.approx((points, points), abs=0.6)
    assert QImage(str(tmp_path / "a.png")).width() == pytest.approx(points / 72 * 96, abs=1)
    text = (tmp_path / "a.svg").read_text("utf-8")
    scale = re.search(r"scale\(([0-9.]+)", text)
    assert scale is not None
    assert set(re.findall(r'font-size="([0-9.]+)"', text)) == {"10.00"}
    assert float(scale[1]) >= 0.8  # of 10 pt


def test_dot_has_the_colours_of_the_light_theme():
    light = THEMES["light"]
    pairs = {
        dot.TEXT: light.text, dot.SECONDARY: light.secondary, dot.GRADIENT: light.gradient,
        dot.IDLE: light.wire, dot.OUTLINE: light.outline, dot.HEADER_OP: light.header_op,
        dot.HEADER_LEAF: light.header_leaf, dot.HEADER_ROOT: light.header_root,
        **dict(zip(dot.SIBLINGS, light.siblings, strict=True)),
    }  # fmt: skip
    assert all(colour == found.name() for colour, found in pairs.items())


@pytest.mark.parametrize(("form", "size", "advice"), [
    ([], r"4 × [0-9.]+ cm, type [0-9.]+ to [0-9.]+ pt, in \d rows\. ", " At 17 cm it is 8 to 10"),
    (["--format", "classic"], r"4 × [0-9.]+ cm, type [0-9.]+ pt\. ", ""),
])  # fmt: skip
def test_type_that_is_too_small_is_told_and_the_picture_written(
    form, size, advice, tmp_path, qapp, capsys
):
    out = tmp_path / "a.svg"
    width = "3" if form else "4"
    assert main(["export", SHARED, "-o", str(out), "--width", width, *form]) == 0
    said = capsys.readouterr()
    assert said.out == f"{out}\n"
    size = size.replace("4", width, 1)
    assert re.match(rf"backwire export: {size}This is small: below 8 pt\.{advice}", said.err)
    assert out.exists()


@pytest.mark.parametrize("end", ["", "."])
def test_an_output_that_ends_as_a_folder_is_a_wrong_call(end, tmp_path, capsys):
    out = os.path.join(tmp_path, "g.backwire", end)
    for call in (("export", SHARED), ("new", "-e", "a * b")):
        assert "is a folder" in refused(capsys, 2, *call, "-o", out)
    assert os.listdir(tmp_path) == []


def test_rows_and_type_are_numbers_that_a_figure_can_have(tmp_path, qapp, capsys):
    out = str(tmp_path / "a.svg")
    refusals = {
        ("--rows", "0"): "'0' is not a whole number from 1 to 12",
        ("--min-type", "0", "--width", "9"): "'0' is not a size in pt from 2 to 72",
        ("--min-type", "nan", "--width", "9"): "'nan' is not a size in pt from 2 to 72",
        ("--min-type", "8"): "--min-type goes with --width",
        ("--rows", "2", "--format", "classic"): "--rows does not go with --format classic",
    }
    for options, says in refusals.items():
        assert says in refused(capsys, 2, "export", SHARED, "-o", out, *options), options
    assert "--rows goes with pictures" in refused(
        capsys, 2, "export", SHARED, "-o", str(tmp_path / "a.tex"), "--rows", "2"
    )
    assert os.listdir(tmp_path) == []
    heights: list[float] = []
    for options in (["--rows", "4"], ["--min-type", "5"]):
        assert main(["export", SHARED, "-o", out, "--width", "8.5", *options]) == 0
        found = re.search(r'width="85.0000mm" height="([0-9.]+)mm"', Path(out).read_text("utf-8"))
        assert found is not None
        heights.append(float(found[1]))
    assert heights[1] < heights[0]


def test_figures_of_several_graphs_have_type_of_one_size(tmp_path, qapp, capsys):
    others = [str(found.path) for found in examples() if found.name in ("neuron", "square")]
    call = ["export", SHARED, *others, "-o", str(tmp_path / "fig.svg"), "--width", "8.5"]
    assert main(call) == 0
    names = [f"fig-{Path(file).stem}.svg" for file in (SHARED, *others)]
    said = capsys.readouterr()
    assert said.out.split() == [str(tmp_path / name) for name in names]
    # that of one file limits the others, so that no advice about these would help
    assert said.err.startswith("backwire export: all have the type of fig-neuron.svg: 8.5 × ")
    assert said.err.count("This is small") == said.err.count("\n") == 1
    scales: set[str] = set()
    for name in names:
        text = (tmp_path / name).read_text("utf-8")
        assert 'width="85.0000mm"' in text, name
        scales |= set(re.findall(r"matrix\(([0-9.]+),0,0,", text)) - {"1"}
    assert len(scales) == 1  # alone, the one of shared-leaf would be larger
    before = {name: (tmp_path / name).read_bytes() for name in names}
    assert main(call) == 0
    assert {name: (tmp_path / name).read_bytes() for name in names} == before
    capsys.readouterr()
    graph = from_expression("y = tanh(a)")
    positions = {node: (30_000.0 * k, 0.0) for k, node in enumerate(graph.nodes)}
    wide = str(tmp_path / "wide.backwire")
    save(Drawing(graph, positions), wide)
    refusals = {
        (SHARED, SHARED, "-o", str(tmp_path / "b.svg")): (1, "Two of the files would be written"),
        (SHARED, "none", "-o", str(tmp_path / "b.svg")): (1, "none"),
        (*others, "-o", str(tmp_path / "b.svg"), "--rows", "5"): (
            1,
            "square.backwire: The nodes of",
        ),
        (SHARED, *others, "-o", str(tmp_path / "b.tex")): (2, "several files go with pictures"),
        (*others, wide, "-o", str(tmp_path / "b.png")): (1, "wide.backwire: The picture would be"),
    }
    for words, (code, says) in refusals.items():
        assert says in refused(capsys, code, "export", *words), words
    assert sorted(os.listdir(tmp_path)) == sorted([*names, "wide.backwire"])


def test_the_text_of_an_svg_is_chosen_and_of_no_other_picture(tmp_path, qapp, capsys):
    sizes: dict[str, int] = {}
    for text in ("outlines", "font", "system"):
        out = tmp_path / f"{text}.svg"
        assert main(["export", SHARED, "-o", str(out), "--text", text]) == 0
        sizes[text] = len(out.read_bytes())
    assert main(["export", SHARED, "-o", str(tmp_path / "plain.svg")]) == 0
    assert (tmp_path / "plain.svg").read_bytes() == (tmp_path / "outlines.svg").read_bytes()
    assert sizes["system"] < sizes["font"] < sizes["outlines"]
    strip = tmp_path / "strip.svg"
    assert main(["export", SHARED, "-o", str(strip), "--strip", "1,2", "--text", "font"]) == 0
    assert b"@font-face" in strip.read_bytes()
    for other in ("a.png", "a.pdf", "a.tex"):
        assert main(["export", SHARED, "-o", str(tmp_path / other), "--text", "font"]) == 2
        assert "--text goes with" in capsys.readouterr().err
        assert not (tmp_path / other).exists()
