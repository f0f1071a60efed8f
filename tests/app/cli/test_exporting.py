"""backwire export: pictures, DOT and texts."""

import os
from pathlib import Path

import pytest

from app.__main__ import main
from app.document.examples import examples
from app.style.theme import THEMES
from engine import load
from engine.formats import FORMATS, dot
from tests.app.cli.test_running import refused

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


def test_a_copy_keeps_the_places(tmp_path):
    out = tmp_path / "copy.backwire"
    main(["export", SHARED, "-o", str(out)])
    assert out.read_bytes() == Path(SHARED).read_bytes()


@pytest.mark.parametrize(
    ("step", "says", "says_not"),
    [
        ([], r"a\ndata 2\ngrad –", "="),
        (["--forward"], r"L\ndata 8", "−2 × −3"),
        (["--step", "0"], r"L\ndata 8\ngrad –", "+6"),
        (["--step", "1"], r"L\ndata 8\ngrad 1", "+6"),
        (["--step", "6"], "−2 × −3 = +6", "−2 × 2 = −4"),
        (["--backward"], "−2 × 2 = −4", "···"),
    ],
)
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


def test_each_step_of_the_classic_picture_is_a_file(tmp_path):
    out = tmp_path / "out.dot"
    assert main(["export", SHARED, "-o", str(out), "--format", "classic", "--step", "all"]) == 0
    assert len(os.listdir(tmp_path)) == 8
    assert "{ a | data 2.0000 | grad 4.0000 }" in (tmp_path / "out-7.dot").read_text("utf-8")


@pytest.mark.parametrize(
    ("suffix", "beginning"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_pictures_need_no_display(suffix: str, beginning: bytes, tmp_path, qapp):
    out = tmp_path / f"out.{suffix}"
    arguments = ["--step", "3", "--theme", "dark", "--dpi", "120", "--transparent"]
    assert main(["export", SHARED, "-o", str(out), *arguments]) == 0
    assert out.read_bytes().startswith(beginning)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["-o", "x.dot", "--step", "8"], "has 7 steps; there is no step 8"),
        (["-o", "x.png", "--step", "8"], "has 7 steps; there is no step 8"),
        (["-o", "x.txt", "--step", "2"], "only pictures and DOT hold a step"),
        (["-o", "x.jpeg"], "no format"),
        (["-o", "x.tex", "--format", "classic"], "the formats are .dot, .gv, .png, .svg, .pdf"),
        (["-o", "x.xyz"], "the formats are .png, .svg, .pdf, .backwire"),
        (["-o", "x"], "no format"),
    ],
)
def test_what_can_not_be_exported_is_one_line(arguments, says, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert says in refused(capsys, 1, "export", SHARED, *arguments)
    assert os.listdir(tmp_path) == []


def test_a_picture_that_can_not_be_written_is_not_the_graphs_fault(capsys, tmp_path):
    out = tmp_path / "nowhere" / "x.txt"
    said = refused(capsys, 1, "export", SHARED, "-o", str(out))
    assert said.startswith("backwire: x.txt can't be written")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["-o", "x.png", "--step", "two"],
        ["-o", "x.png", "--step", "-1"],
        ["-o", "x.png", "--step", "1", "--forward"],
        ["-o", "x.png", "--forward", "--backward"],
        ["-o", "x.png", "--theme", "pink"],
        ["-o", "x.png", "--dpi", "7"],
        ["-o", "x.png", "--format", "modern"],
        ["-o", "x.png", "--format", "classic", "--theme", "dark"],
        ["-o", "x.dot", "--theme", "dark"],
        ["-o", "x.tex", "--dpi", "300"],
        ["-o", "x.gv", "--transparent"],
        ["-o", "x.png", "--dpi", "many"],
    ],
)
def test_a_wrong_call_is_one_line_and_code_two(arguments, capsys):
    assert refused(capsys, 2, "export", SHARED, *arguments).startswith("backwire export: ")


def test_dot_has_the_colours_of_the_light_theme():
    light = THEMES["light"]
    pairs = {
        dot.TEXT: light.text,
        dot.SECONDARY: light.secondary,
        dot.GRADIENT: light.gradient,
        dot.IDLE: light.wire,
        dot.OUTLINE: light.outline,
        dot.HEADER_OP: light.header_op,
        dot.HEADER_LEAF: light.header_leaf,
        dot.HEADER_ROOT: light.header_root,
        **dict(zip(dot.SIBLINGS, light.siblings, strict=True)),
    }
    assert all(colour == found.name() for colour, found in pairs.items())


@pytest.mark.parametrize("end", ["", "."])
def test_an_output_that_ends_as_a_folder_is_a_wrong_call(end, tmp_path, capsys):
    out = os.path.join(tmp_path, "g.backwire", end)
    assert "is a folder" in refused(capsys, 2, "export", SHARED, "-o", out)
    assert "is a folder" in refused(capsys, 2, "new", "-e", "a * b", "-o", out)
    assert os.listdir(tmp_path) == []


def test_two_outputs_are_a_wrong_call(tmp_path, capsys):
    first, second = tmp_path / "a.svg", tmp_path / "b.svg"
    said = refused(capsys, 2, "export", SHARED, "-o", str(first), "-o", str(second))
    assert "only once" in said
    assert os.listdir(tmp_path) == []
