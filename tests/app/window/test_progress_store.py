"""The store of progress: two windows, a folder that can't be written, export and forgetting."""

from pathlib import Path

import pytest
from PySide6.QtCore import QObject

from app.lessons.progress import LessonProgress, Progress, read
from app.window.progress_store import ProgressStore, progress_file

BEGUN, FURTHER = LessonProgress(at=1), LessonProgress(at=2)


@pytest.fixture
def path(qapp: QObject, tmp_path: Path) -> Path:
    return tmp_path / "data" / "lessons.json"


def test_progress_is_written_at_once(path: Path, qtbot):
    store = ProgressStore(path)
    with qtbot.waitSignal(store.changed):
        store.put("gears", BEGUN)
    assert read(path).of("gears") == BEGUN
    assert ProgressStore(path).progress.of("gears") == BEGUN


def test_two_windows_keep_each_others_lessons(path: Path):
    first, second = ProgressStore(path), ProgressStore(path)
    assert first.progress == second.progress == Progress()
    first.put("gears", BEGUN)
    second.put("two-paths", FURTHER)
    assert read(path).of("gears") == BEGUN
    assert read(path).of("two-paths") == FURTHER


def test_progress_that_can_not_be_written_is_kept_and_told_once(path: Path):
    path.mkdir(parents=True)
    store = ProgressStore(path)
    said = list[str]()
    store.said.connect(said.append)
    store.put("gears", BEGUN)
    store.put("two-paths", FURTHER)
    assert store.progress.of("gears") == BEGUN
    assert store.progress.of("two-paths") == FURTHER
    assert len(said) == 1
    assert said[0].startswith("Your progress can't be kept: ")


def test_exported_progress_is_that_of_the_store(path: Path, tmp_path: Path):
    store = ProgressStore(path)
    store.put("gears", BEGUN)
    store.export(tmp_path / "mine.json")
    assert read(tmp_path / "mine.json") == store.progress


def test_forgotten_progress_leaves_no_file(path: Path, qtbot):
    store = ProgressStore(path)
    store.put("gears", BEGUN)
    with qtbot.waitSignal(store.changed):
        store.forget()
    assert store.progress == Progress()
    assert not list(path.parent.iterdir())


def test_the_file_is_in_the_data_folder_of_the_user(qapp: QObject, monkeypatch, tmp_path: Path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert progress_file() == tmp_path / "backwire" / "lessons.json"
