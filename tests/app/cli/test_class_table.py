"""backwire grade lists the progress files of a class: lessons, right first time, and slips."""

import csv
import io
from datetime import date
from pathlib import Path

import pytest

from app.__main__ import main
from app.lessons.progress import LessonProgress, Origin, Progress, read_progress, write_progress
from app.lessons.review import noted
from tests.app.cli.test_grading import ALONG_B, answer, handed_in

DONE = LessonProgress("a", 5, ("done",) * 6, right=4, asked=5, seconds=300, ended="2026-03-01")
SHOWN = LessonProgress("b", 5, ("done", "shown"), right=1, asked=3, seconds=90, ended="2026-03-04")
BEGUN = LessonProgress("c", 1, ("done", ""), right=1, asked=1, seconds=30)
GEARS = Origin("gears", "Gears in a row")


@pytest.fixture
def ada(tmp_path: Path) -> str:
    slips = [("own value", "contribution"), ("replaced", "sum"), ("own value", "local")]
    progress = Progress({"one-wire": DONE, "gears": SHOWN, "xor": BEGUN})
    progress = noted(progress, slips, GEARS, date(2026, 3, 4))  # pyright: ignore
    write_progress(tmp_path / "ada.json", progress, "Ada")
    assert read_progress(tmp_path / "ada.json") == progress
    return str(tmp_path / "ada.json")


@pytest.fixture
def bo(tmp_path: Path) -> str:
    write_progress(tmp_path / "bo.json", Progress({"one-wire": BEGUN, "0f" * 32: DONE}), "Bo")
    return str(tmp_path / "bo.json")


def test_a_class_is_a_table_with_a_row_for_each_learner(capsys, ada: str, bo: str):
    assert main(["grade", "--csv", ada, bo]) == 0
    first, second = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert first == {
        "progress": "ada.json", "student": "Ada", "lessons done": "1", "shown": "1", "begun": "1",
        "last": "2026-03-04", "minutes": "7", "answered": "9", "right first time": "6",
        "slips": "own value; replaced", "note": "",
    }  # fmt: skip
    assert (second["student"], second["note"]) == ("Bo", "1 lesson of another file")


def test_reports_and_progress_are_two_tables(capsys, tmp_path: Path, ada: str):
    report = handed_in(tmp_path, "run.report.json", answer(ALONG_B, "2"), student="Ada")
    assert main(["grade", ada, report]) == 0
    above, below = capsys.readouterr().out.split("\n\n")
    assert above.splitlines()[0].startswith("report")
    assert below.splitlines()[0].startswith("progress")


def test_more_right_than_asked_is_refused(capsys, tmp_path: Path, ada: str):
    path = tmp_path / "forged.progress.json"
    write_progress(path, Progress({"gears": LessonProgress(right=50, asked=5)}))
    assert main(["grade", ada, str(path)]) == 1
    found = capsys.readouterr()
    assert "Ada" in found.out
    assert "forged.progress.json: The lesson gears counts 50 right of 5 questions." in found.err


def test_a_damaged_progress_file_is_named_and_left_alone(capsys, tmp_path: Path, ada: str):
    path = tmp_path / "damaged.json"
    path.write_text('{"format": "backwire progress", "version": 2, "lessons": 3}', "utf-8")
    assert main(["grade", str(path), ada]) == 1
    found = capsys.readouterr()
    assert "damaged.json" in found.err
    assert "Ada" in found.out
    assert path.exists()
