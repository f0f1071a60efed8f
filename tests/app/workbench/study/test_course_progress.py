"""Progress in the course: two windows, a folder that can't be written, export and forgetting."""

from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Signal

from app.lessons.progress import LessonProgress, Progress, read_progress
from app.window.files import data_folder
from app.workbench.study.course_progress import CourseProgress


class NoLesson(QObject):
    """Stands for a runner on which no lesson is."""

    changed = Signal()
    now = None


def kept_in(path: Path) -> CourseProgress:
    lessons = NoLesson()
    store = CourseProgress(lessons, path)  # pyright: ignore[reportArgumentType]
    lessons.setParent(store)
    return store


BEGUN, FURTHER = LessonProgress(at=1), LessonProgress(at=2)


@pytest.fixture
def path(qapp: QObject, tmp_path: Path) -> Path:
    return tmp_path / "data" / "lessons.json"


def test_progress_is_written_at_once(path: Path, qtbot):
    store = kept_in(path)
    with qtbot.waitSignal(store.changed):
        store.store("gears", BEGUN)
    assert read_progress(path).of("gears") == BEGUN
    assert kept_in(path).progress.of("gears") == BEGUN


def test_two_windows_keep_each_others_lessons(path: Path):
    first, second = kept_in(path), kept_in(path)
    assert first.progress == second.progress == Progress()
    first.store("gears", BEGUN)
    second.store("two-paths", FURTHER)
    assert read_progress(path).of("gears") == BEGUN
    assert read_progress(path).of("two-paths") == FURTHER


def test_progress_that_can_not_be_written_is_kept_and_told_once(path: Path):
    path.mkdir(parents=True)
    store = kept_in(path)
    said = list[str]()
    store.said.connect(said.append)
    store.store("gears", BEGUN)
    store.store("two-paths", FURTHER)
    assert store.progress.of("gears") == BEGUN
    assert store.progress.of("two-paths") == FURTHER
    assert len(said) == 1
    assert said[0].startswith("Your progress can't be kept: ")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('{"format": "backwire progress", "version": 3, "minds": []}', "was written by a newer"),
        ('{"format": "backwire progress", "version": 2, "minds": []}', "can't be read"),
        ("{", "can't be read"),
    ],
)
def test_progress_that_is_set_aside_is_told_once(path: Path, qtbot, content: str, reason: str):
    path.parent.mkdir()
    path.write_text(content)
    store, said = kept_in(path), list[str]()
    store.said.connect(said.append)
    with qtbot.waitSignal(store.said):
        assert store.progress == Progress()
    store.store("gears", BEGUN)
    assert len(said) == 1
    assert said[0].startswith(f"Your progress {reason}")
    assert said[0].endswith("the file is kept as lessons.json.damaged.")
    assert path.with_name("lessons.json.damaged").read_text() == content


def test_a_folder_that_can_not_be_made_is_told_in_words(path: Path):
    path.parent.write_text("a file")
    store, said = kept_in(path), list[str]()
    store.said.connect(said.append)
    store.store("gears", BEGUN)
    assert said == [f"Your progress can't be kept: {path.parent} can't be made: File exists."]


def test_exported_progress_is_that_of_the_store(path: Path, tmp_path: Path):
    store = kept_in(path)
    store.store("gears", BEGUN)
    store.export(tmp_path / "mine.json")
    assert read_progress(tmp_path / "mine.json") == store.progress


def test_forgotten_progress_leaves_no_file(path: Path, qtbot):
    store = kept_in(path)
    store.store("gears", BEGUN)
    with qtbot.waitSignal(store.changed):
        store.forget()
    assert store.progress == Progress()
    assert not list(path.parent.iterdir())


def test_the_file_is_in_the_data_folder_of_the_user(qapp: QObject, monkeypatch, tmp_path: Path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "backwire"
