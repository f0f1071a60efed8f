"""backwire export of worksheets, filmstrips and GIFs, and of covered steps."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from app.cli import run_verb
from app.document.examples import FOLDER
from engine.formats.files import load_drawing
from engine.formats.native import write_drawing
from tests.helpers.exported import words_by_page, words_of
from tests.helpers.steps import PlannedStep, lesson_of

SHARED = str(FOLDER / "shared-leaf.backwire")
LESSON = str(FOLDER.parent / "lessons" / "two-paths.toml")


def export(*arguments: str) -> int:
    return run_verb(["export", *arguments])


@pytest.mark.parametrize("made_from", [[SHARED], ["-e", "e = a*b; L = e + a"], [LESSON]])
def test_a_worksheet_and_its_key_are_two_files(made_from: list[str], tmp_path, qapp, capsys):
    out = tmp_path / "sheet.pdf"
    assert export(*made_from, "-o", str(out), "--worksheet", "--paper", "Letter") == 0
    assert sorted(os.listdir(tmp_path)) == ["sheet-key.pdf", "sheet.pdf"]
    assert capsys.readouterr().out.splitlines() == [str(out), str(tmp_path / "sheet-key.pdf")]
    assert b"/MediaBox [0 0 612.000000 792.000000]" in out.read_bytes()


@pytest.mark.parametrize(
    ("out", "beside", "more"),
    [("pass.gif", "pass.txt", []), ("sheet.pdf", "sheet-key.pdf", ["--worksheet"])],
)
def test_a_file_that_nobody_named_is_not_replaced(out, beside, more, tmp_path, qapp, capsys):
    target, own = tmp_path / out, tmp_path / beside
    own.write_text("my thesis")
    assert export("-e", "L = a*b", "-o", str(target), *more) == 1
    assert f"{own} is there already" in capsys.readouterr().err
    assert (os.listdir(tmp_path), own.read_text()) == ([beside], "my thesis")
    own.unlink()
    assert export("-e", "L = a*b", "-o", str(target), *more) == 0
    assert export("-e", "L = a*b", "-o", str(target), *more) == 0  # the two are exported again
    own.write_text("L = a*b")
    if own.suffix == ".txt":
        assert export(str(own), "-o", str(target), *more) == 1
        assert own.read_text() == "L = a*b"


def lecture_file(folder: Path) -> str:
    """A graph's file with two steps, the second of which asks."""
    drawing = load_drawing(SHARED)
    e = drawing.graph.node_named("e")
    planned_steps = (
        PlannedStep(notes="Begin slowly."),
        PlannedStep("ask", phase="backward", step=6, node=e, slot=0, asks="contribution"),
    )
    path, lesson = folder / "two-paths.backwire", lesson_of(planned_steps, drawing.graph)
    path.write_text(write_drawing(replace(drawing, lesson=lesson)), "utf-8")
    return str(path)


def test_the_steps_of_a_file_are_a_handout(tmp_path, qapp, capsys):
    file, out = lecture_file(tmp_path), tmp_path / "handout.pdf"
    call = [file, "-o", str(out), "--handout", "--notes", "--paper", "Letter"]
    assert export(*call) == 0
    assert capsys.readouterr().out.splitlines() == [str(out)]
    assert b"/MediaBox [0 0 612.000000 792.000000]" in out.read_bytes()
    pages = ["".join("".join(page).split()) for page in words_by_page(out.read_bytes())]
    assert len(pages) == 3
    assert "Beginslowly" in pages[0]
    assert "Whatdoes×(e)passtoa?" in pages[1]
    assert "Key" in pages[2]
    assert export(file, "-o", str(out), "--handout", "--per-page", "2", "--set", "a=4") == 0
    text = "".join("".join(words_of(out.read_bytes())).split())
    assert "Beginslowly" not in text


def test_a_lesson_is_a_handout_with_the_numbers_of_a_seed(tmp_path, qapp):
    out = tmp_path / "handout.pdf"
    assert export(LESSON, "-o", str(out), "--handout", "--seed", "3") == 0
    first = out.read_bytes()
    assert export(LESSON, "-o", str(out), "--handout", "--seed", "4") == 0
    assert out.read_bytes() != first


def test_a_lesson_over_two_graphs_is_one_handout(tmp_path, qapp, capsys):
    file, out = tmp_path / "hour.toml", str(tmp_path / "handout.pdf")
    file.write_text(HOUR, "utf-8")
    assert export(str(file), "-o", out, "--handout", "--notes") == 0
    pages = ["".join("".join(page).split()) for page in words_by_page(Path(out).read_bytes())]
    assert len(pages) == 3
    assert "Anhour" in pages[0]
    assert "Whatdoes×(y)passtoa?" in pages[0]
    assert "zis0" in pages[1]
    assert "Slowdown." in pages[1]
    assert export(str(file), "-o", out, "--handout", "--set", "a=1") == 2
    assert "a lesson has its own" in capsys.readouterr().err
    file.write_text("format = 9", "utf-8")
    assert export(str(file), "-o", out, "--handout") == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_handout_has_the_same_bytes_under_another_order_of_hashes(tmp_path):
    found = []
    for seed in ("1", "2"):
        out = tmp_path / f"{seed}.pdf"
        call = [sys.executable, "-m", "app", "export", lecture_file(tmp_path), "-o", str(out)]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([*call, "--handout", "--per-page", "2"], env=environment, check=True)
        found.append(out.read_bytes())
    assert found[0] == found[1]


def test_copies_begin_at_the_seed(tmp_path, qapp):
    out = tmp_path / "sheet.pdf"
    call = [SHARED, "-o", str(out), "--worksheet", "--seed", "7", "--copies", "2"]
    assert export(*call) == 0
    first = out.read_bytes()
    words = "".join("".join(words_of(first)).split())
    assert "seed7" in words
    assert "seed8" in words
    assert export(*call) == 0
    assert out.read_bytes() == first


def test_a_gif_has_the_pace_and_the_width_that_are_asked_for(tmp_path, qapp):
    path = tmp_path / "pass.gif"
    assert export(LESSON, "-o", str(path)) == 0
    with Image.open(path) as found:
        usual, wide = found.info["duration"], found.width
    assert export(LESSON, "-o", str(path), "--seconds", "0.6", "--width", "480") == 0
    with Image.open(path) as found:
        assert (found.info["duration"], found.width) == (usual / 2, 480)
        assert wide > 480
        assert found.height > 480  # rows keep the type readable


def test_a_strip_and_a_gif_with_its_narration(tmp_path, qapp):
    for suffix in ("png", "svg", "pdf"):
        assert export(SHARED, "-o", str(tmp_path / f"s.{suffix}"), "--strip", "4,5,6") == 0
    assert export(LESSON, "-o", str(tmp_path / "pass.gif"), "--blank-first", "--loop") == 0
    assert sorted(os.listdir(tmp_path)) == ["pass.gif", "pass.txt", "s.pdf", "s.png", "s.svg"]
    assert "Two paths from a to L" in (tmp_path / "pass.txt").read_text("utf-8")


def test_cover_hides_the_next_step_in_each_form_of_picture(tmp_path, qapp):
    shown, covered = tmp_path / "a.svg", tmp_path / "b.svg"
    assert export(SHARED, "-o", str(shown), "--step", "5") == 0
    assert export(SHARED, "-o", str(covered), "--step", "5", "--cover") == 0
    assert ">?<" not in shown.read_text("utf-8")
    assert ">?<" in covered.read_text("utf-8")
    assert export(SHARED, "-o", str(tmp_path / "c.pdf"), "--step", "all", "--cover") == 0
    words = words_of((tmp_path / "c.pdf").read_bytes())
    assert "?" in words
    assert "= 4" in words  # the last page, after the last step
    for suffix in ("dot", "png"):
        assert export(SHARED, "-o", str(tmp_path / f"d.{suffix}"), "--step", "5", "--cover") == 0


HOUR = """
format = 1
title = "An hour"
graph = { expression = "y = a*b", values = { a = 2, b = 3 } }

[[step]]
start = "backward 1"
kind = "ask"
ask = [{ kind = "contribution", wire = "y.1" }]
form = "choices"

[[step]]
kind = "say"
start = "values"
graph = { expression = "z = tanh(x)", values = { x = 0 } }
notes = "Slow down."
"""

REFUSED = (
    (["-o", "x.png", "--worksheet"], 1, "a worksheet is a file with .pdf"),
    (["-o", "x.gif", "--strip", "4,5"], 1, "a strip is a file with .png or .svg or .pdf"),
    (["-o", "x.pdf", "--strip", "4,x"], 2, "no list of steps such as 4,5,6"),
    (["-o", "x.pdf", "--strip", "4"], 1, "2 to 6 steps"),
    (["-o", "x.pdf", "--strip", "4,99"], 1, "no step 99"),
    (["-o", "x.pdf", "--worksheet", "--strip", "4,5"], 2, "exclude one another"),
    (["-o", "x.pdf", "--worksheet", "--loop"], 2, "--loop does not go with --worksheet"),
    (["-o", "x.pdf", "--worksheet", "--copies", "0"], 2, "from 1 to 200"),
    (["-o", "x.gif", "--seconds", "0"], 2, "'0' is not a duration in seconds from 0.1 to 60"),
    (["-o", "x.gif", "--width", "17"], 2, "'17' is not a width in px from 160 to 1280"),
    (["-o", "x.pdf", "--strip", "4,5", "--min-type", "6"], 2, "--min-type goes with --width"),
    (["-o", "x.pdf", "--strip", "4,5", "--width", "480"], 2, "a width in cm from 2 to 120"),
    (["-o", "x.pdf", "--strip", "4,5", "--seconds", "2"], 2, "--seconds does not go with --strip"),
    (["-o", "x.gif", "--copies", "3"], 2, "--copies does not go with a GIF"),
    (["-o", "x.gif", "--mistake", "nothing"], 1, "nothing"),
    (["-o", "x.gif", "--forward", "--mistake", "assign"], 2, "not with --forward"),
    (["-o", "x.png", "--handout"], 1, "a handout is a file with .pdf"),
    (["-o", "x.pdf", "--handout"], 1, "There is no step"),
    (["-o", "x.pdf", "--handout", "--worksheet"], 2, "--worksheet and --handout exclude"),
    (["-o", "x.pdf", "--handout", "--strip", "4,5"], 2, "--handout and --strip exclude"),
    (["-o", "x.pdf", "--handout", "--blank", "all"], 2, "--blank does not go with --handout"),
    (["-o", "x.pdf", "--handout", "--copies", "2"], 2, "--copies does not go with --handout"),
    (["-o", "x.pdf", "--handout", "--theme", "dark"], 2, "--theme does not go with --handout"),
    (["-o", "x.pdf", "--handout", "--per-page", "3"], 2, "invalid choice"),
    (["-o", "x.pdf", "--handout", "-e", "y = a"], 2, "--handout needs a FILE"),
    (["-o", "x.pdf", "--worksheet", "--notes"], 2, "--notes does not go with --worksheet"),
    (["-o", "x.gif", "--per-page", "2"], 2, "--per-page does not go with a GIF"),
    (["--handout"], 2, "-o"),
    (["--worksheet"], 2, "-o"),
    (["-o", "x.png", "--cover"], 2, "--step"),
    (["-o", "x.png", "--cover", "--backward"], 2, "--step"),
)


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(("arguments", "code", "words"), REFUSED, ids=lambda value: str(value)[:40])
def test_refusals_are_one_line_and_write_nothing(
    arguments: list[str], code: int, words: str, tmp_path: Path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    assert export(SHARED, *arguments) == code
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
    assert not os.listdir(tmp_path)


def test_a_lesson_keeps_its_own_numbers(tmp_path, qapp, capsys):
    out = str(tmp_path / "x.pdf")
    assert export(LESSON, "-o", out, "--worksheet", "--set", "a=2") == 2
    assert "a lesson has its own" in capsys.readouterr().err
