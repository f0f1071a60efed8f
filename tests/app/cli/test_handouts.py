"""backwire export of worksheets, filmstrips and GIFs, and of covered steps."""

import os
from pathlib import Path

import pytest

from app.cli import run_verb
from app.document.examples import FOLDER
from tests.helpers.pdf_words import words_of

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


REFUSED = (
    (["-o", "x.png", "--worksheet"], 1, "a worksheet is a file with .pdf"),
    (["-o", "x.gif", "--strip", "4,5"], 1, "a strip is a file with .png or .svg or .pdf"),
    (["-o", "x.pdf", "--strip", "4,x"], 2, "no list of steps such as 4,5,6"),
    (["-o", "x.pdf", "--strip", "4"], 1, "2 to 6 steps"),
    (["-o", "x.pdf", "--strip", "4,99"], 1, "no step 99"),
    (["-o", "x.pdf", "--worksheet", "--strip", "4,5"], 2, "exclude one another"),
    (["-o", "x.pdf", "--worksheet", "--loop"], 2, "--loop does not go with --worksheet"),
    (["-o", "x.pdf", "--worksheet", "--copies", "0"], 2, "from 1 to 200"),
    (["-o", "x.gif", "--copies", "3"], 2, "--copies does not go with a GIF"),
    (["-o", "x.gif", "--mistake", "nothing"], 1, "nothing"),
    (["-o", "x.gif", "--forward", "--mistake", "assign"], 2, "not with --forward"),
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
