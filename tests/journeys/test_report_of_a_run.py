"""A run of Ask me is handed in: the window, the list and `backwire grade` say the same figures."""

import csv
import io
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.cli import run_verb
from app.controls.spans import plain_text
from app.panels.lesson import LessonPage
from app.window.dialogs.file_dialogs import ReportDialog
from app.window.frame.main_window import MainWindow
from app.workbench.words.strip import Act
from engine.asking.record import regraded
from tests.helpers.window import choose_file, click, dialog_of, node, opened_page, press, said


@pytest.fixture
def asked(shared_leaf: MainWindow) -> MainWindow:
    """Every step is asked about, the first of which was looked at before."""
    shared_leaf.context.modes.set_steps("every")
    press(shared_leaf, "p")
    shared_leaf.playback.go(2)
    shared_leaf.playback.go(1)
    return shared_leaf


def use(window: MainWindow, *acts: Act) -> None:
    for act in acts:
        click(window.strip.buttons.button(act))


def answer(window: MainWindow, *texts: str) -> None:
    """Type into the open blanks, from left to right, and answer."""
    for text, field in zip(texts, window.strip.sentence.fields, strict=True):
        field.setFocus()
        QTest.keyClicks(field, text)
    use(window, "answer")


def sentence(window: MainWindow) -> str:
    return plain_text(window.strip.strip.sentence)


def listed(window: MainWindow) -> tuple[str, int]:
    """What stands below the list of the run, and how many of its rows are right first time."""
    found = opened_page(window, "lesson")
    assert isinstance(found, LessonPage)
    QApplication.processEvents()
    return found.run.note.text(), sum(text.endswith(", right") for text in found.rows.texts())


def graded(window: MainWindow, path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Save the report; returns what grading says of its figures, its slips, and what is changed."""
    window.commands["save_report"].trigger()
    dialog = dialog_of(window, ReportDialog)
    dialog.name.setText("Ada")
    choose_file(window, path)
    capsys.readouterr()
    assert run_verb(["grade", "--csv", str(path)]) == 0
    [row] = csv.DictReader(io.StringIO(capsys.readouterr().out))
    figures = ("questions", "answered", "right first time", "seen", "hints", "shown")
    return f"{' '.join(row[name] for name in figures)}; {row['slips']}{row['note']}"


def play(window: MainWindow) -> None:
    """One pass: seen before; two tries; two hints and the slope; skipped; three tries; right.

    Of the three tries the first has a sum that follows from its contribution: it is not counted.
    """
    answer(window, "-2")
    use(window, "go on")
    answer(window, "-2")
    answer(window, "-4")
    use(window, "go on", "hint", "hint")
    answer(window, "1", "-2")
    use(window, "go on", "skip")
    answer(window, "-4", "-6")
    answer(window, "6", "5")
    answer(window, "4")
    use(window, "go on")
    answer(window, "-4")


def test_a_run_is_graded_as_the_window_summed_it_up(asked: MainWindow, tmp_path: Path, capsys):
    play(asked)
    use(asked, "go on")
    assert sentence(asked).startswith("1 of 5 right first time: ")
    assert listed(asked) == ("1 of 5 right first time", 1)
    told = graded(asked, tmp_path / "first.report.json", capsys)
    assert told.startswith("7 5 1 1 1 0; ")
    press(asked, "b")
    use(asked, "show", "go on", "skip", "skip")
    answer(asked, "-2")
    press(asked, "p")
    assert said(asked).startswith("1 of 6 questions right first time.")
    assert listed(asked) == ("1 of 6 right first time", 1), "where a step has an answer, the first"
    path = tmp_path / "second.report.json"
    assert graded(asked, path, capsys).startswith("7 6 1 2 1 0; ")
    report = asked.context.modes.report
    assert report is not None
    assert regraded(report.record, report.graph) == report.record


def test_clicks_on_nodes_that_have_to_wait_are_slips_that_are_handed_in(
    shared_leaf: MainWindow, tmp_path: Path, capsys
):
    modes = shared_leaf.context.modes
    modes.choose("next node", "every")
    press(shared_leaf, "p")
    while modes.question is None:
        shared_leaf.playback.step()
    for name in ("e", "L"):
        modes.click(node(shared_leaf, name))
    while shared_leaf.playback.cursor < shared_leaf.playback.frame.total:
        if (question := modes.question) is not None:
            modes.click(question.node)
        shared_leaf.playback.step()
    figures = graded(shared_leaf, tmp_path / "clicks.report.json", capsys)
    assert figures == "3 3 2 0 0 0; waits"
    press(shared_leaf, "p")
    assert listed(shared_leaf) == ("2 of 3 right first time", 2)
