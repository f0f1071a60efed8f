"""Progress: kept whole, forgotten on request, and never in the way when its file is damaged."""

import json
from pathlib import Path

import pytest

from app.lessons.progress import (
    LessonProgress,
    Progress,
    forget_progress,
    read_progress,
    write_progress,
)
from engine.errors import FormatError

HALF = LessonProgress("ab12", 2, ("done", "shown"), typed=("−3",), right=1, asked=3, seconds=61.5)
DONE = LessonProgress("cd34", 3, ("done",) * 4, right=3, asked=3, ended="2026-03-01")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lessons.json"


def test_progress_comes_back_as_it_was_written(path: Path):
    progress = Progress({"gears": DONE, "two-paths": HALF})
    write_progress(path, progress)
    found = read_progress(path)
    assert found == progress
    assert found.names == ("two-paths", "gears")


def test_without_a_file_nothing_is_begun(path: Path):
    assert read_progress(path) == Progress()
    assert read_progress(path).of("gears") == LessonProgress()
    assert not list(path.parent.iterdir())


def test_a_lesson_opened_again_becomes_the_last_one():
    progress = Progress({"gears": DONE, "two-paths": HALF})
    found = progress.updated("gears", HALF)
    assert found.names == ("gears", "two-paths")
    assert found.of("gears") == HALF
    assert progress.of("gears") == DONE


@pytest.mark.parametrize(
    ("lesson", "state"),
    [
        (LessonProgress(), "new"),
        (LessonProgress(at=1), "begun"),
        (LessonProgress(states=("done",)), "begun"),
        (HALF, "begun"),
        (DONE, "done"),
        (LessonProgress(states=("done", "shown"), ended="2026-03-01"), "shown"),
    ],
)
def test_the_state_of_a_lesson(lesson: LessonProgress, state: str):
    assert lesson.state == state


def as_file(**lesson: object) -> bytes:
    file = {"format": "backwire progress", "version": 1, "lessons": {"gears": lesson}}
    return json.dumps(file).encode()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"format": "backwire", "version": 1, "lessons": {}}',
        b'{"format": "backwire progress", "version": 3, "lessons": {}}',
        b'{"format": "backwire progress", "version": 2, "lessons": {}, "slips": [{"name": "x"}]}',
        as_file(title="Gears"),
        as_file(at=-1),
        as_file(at=12),
        as_file(at="2"),
        as_file(states=["done"] * 13),
        as_file(states=["right"]),
        as_file(typed=("1" * 401,)),
        as_file(seconds=-1),
        as_file(ended="yesterday"),
        as_file(score=3),
    ],
)
def test_a_damaged_file_is_kept_aside(path: Path, content: bytes):
    path.write_bytes(content)
    assert read_progress(path) == Progress()
    assert not path.exists()
    assert path.with_name("lessons.json.damaged").read_bytes() == content


def test_a_file_of_the_first_version_loses_nothing(path: Path):
    path.write_bytes(as_file(digest="ab12", at=2, states=["done", "shown"], right=1, asked=3))
    found = read_progress(path)
    assert found == Progress(
        {"gears": LessonProgress("ab12", 2, ("done", "shown"), (), None, 1, 3)}
    )
    write_progress(path, found)
    assert read_progress(path) == found


def test_what_can_not_be_a_file_is_left_alone(path: Path):
    path.mkdir()
    assert read_progress(path) == Progress()
    assert path.is_dir()
    with pytest.raises(FormatError):
        write_progress(path, Progress())


def test_progress_is_forgotten_with_the_damaged_file(path: Path):
    path.write_text("{")
    read_progress(path)
    write_progress(path, Progress({"gears": DONE}))
    forget_progress(path)
    assert not list(path.parent.iterdir())
    forget_progress(path)
