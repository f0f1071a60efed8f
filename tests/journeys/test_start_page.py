"""Who sees what on the start page, how units fold, and what may be dropped there."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtWidgets import QApplication

from app.lessons.course import OPENING
from app.lessons.progress import LessonProgress
from app.panels.train.plane import PlaneView
from app.panels.welcome.course_list import HeroCard, Lessons
from app.window.frame.main_window import MainWindow
from app.window.messages import Messages
from app.window.window_files import data_folder
from engine import from_expression, save
from tests.helpers.mouse import drop
from tests.helpers.window import click, new_window, press, until

BEGUN = LessonProgress(states=("done", "", ""), at=1)
ENTER = Qt.Key.Key_Return


def hero(window: MainWindow) -> HeroCard:
    found = window.pages.welcome.hero
    assert found is not None
    return found


def lessons(window: MainWindow) -> Lessons:
    found = window.pages.welcome.lessons
    assert found is not None
    return found


def titles(window: MainWindow) -> list[str]:
    return [card.example.title for card in window.pages.welcome.examples.cards if card.isVisible()]


def change(window: MainWindow, name: str) -> None:
    window.context.progress.change(lambda found: found.updated(name, BEGUN))
    QApplication.processEvents()


def test_a_newcomer_sees_the_cold_open_and_what_else_there_is(window: MainWindow):
    page = window.pages.welcome
    assert hero(window).title.text() == "Why is this dot wrong?"
    assert hero(window).button.hasFocus()
    assert hero(window).again.text() == "or lesson 1, 4 min"
    assert "Why is this dot wrong?" not in titles(window)
    assert page.recent._title.text() == "Your notebook, script or file"
    pressable = [row.line for row in lessons(window).rows if row.line.isVisible()]
    assert len(pressable) == 4
    stops = (hero(window), *lessons(window).stops, page.daily, page.test)
    assert all(page.rect().contains(part.geometry().topLeft()) for part in stops)


def test_who_has_begun_a_lesson_or_opened_a_file_has_the_card_of_the_course(
    window: MainWindow, tmp_path: Path
):
    path = tmp_path / "lecture.backwire"
    save(from_expression("a*b"), path)
    window.context.files.recent.add(path)
    QApplication.processEvents()
    assert hero(window).title.text() == "One wire, one slope"
    assert titles(window)[0] == "Why is this dot wrong?"
    assert window.pages.welcome.recent._title.text() == "Recent"
    change(window, "gears")
    assert hero(window).button.text() == "Continue"
    assert not window.pages.welcome.findChildren(PlaneView)


def test_a_cold_open_that_was_begun_is_an_example(window: MainWindow):
    change(window, OPENING)
    assert hero(window).title.text() == "One wire, one slope"
    assert titles(window)[0] == "Why is this dot wrong?"
    assert "A double" not in titles(window)[:4]


def test_units_fold_to_the_open_one(window: MainWindow):
    rows = lessons(window).rows
    assert [row.is_open for row in rows] == [True, False, False, False, False]
    assert rows[1].line.text() == "▸  2  A graph by hand"
    click(rows[1].line)
    assert [row.is_open for row in rows] == [False, True, False, False, False]
    assert rows[1].buttons[0].hasFocus()
    press(window, Qt.Key.Key_End, ENTER)
    assert [row.is_open for row in rows] == [False, False, False, False, True]
    change(window, "gears")  # a next lesson's unit is open
    assert rows[0].is_open


def dropped(text: str = "", path: Path | None = None) -> QMimeData:
    mime = QMimeData()
    if path is None:
        mime.setText(text)
    else:
        mime.setUrls([QUrl.fromLocalFile(str(path))])
    return mime


def test_a_notebook_a_script_and_a_formula_are_dropped_on_the_start_page(
    window: MainWindow, tmp_path: Path
):
    import json

    cell = {"cell_type": "code", "source": "a = 2\nb = 3\ny = a*b", "metadata": {}, "outputs": []}
    notebook = {"cells": [cell], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}
    files = {"lecture.ipynb": json.dumps(notebook), "pass.py": "a = 2.0\nb = 3.0\ny = a*b\n"}
    middle = window.rect().center()
    for name, text in files.items():
        path = tmp_path / name
        path.write_text(text)
        window.show_start_page()
        assert drop(window, dropped(path=path), middle)
        assert not window.on_full_page, name
    window.show_start_page()
    assert drop(window, dropped("y = a*b + c"), middle)
    assert not window.on_full_page
    assert len(window.document.graph.nodes) == 6


def test_damaged_files_show_the_newcomers_page_and_say_why(qtbot, monkeypatch: pytest.MonkeyPatch):
    said = list[str]()
    monkeypatch.setattr(Messages, "refuse", lambda _messages, sentence: said.append(sentence))
    folder = data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "lessons.json").write_text("{")
    with new_window() as window:
        assert hero(window).title.text() == "Why is this dot wrong?"
        until(lambda: bool(said))
    assert said[0].startswith("The file of your progress can't be read; it is kept as")
