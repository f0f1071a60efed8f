"""A teacher makes a graph an exercise; whoever opens its file does it, and hands in a report."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.cli import run_verb
from app.controls import panel
from app.document.history import KEEPS_WIRING
from app.document.recovery import state_folder
from app.lessons.course import course
from app.panels.lesson import LessonPage
from app.window.commands.asking_actions import MADE_TEXT, REMOVED_TEXT
from app.window.commands.file_actions import open_example, open_file, open_now
from app.window.commands.lesson_actions import begin_lesson
from app.window.commands.save_actions import offer_recovered, save_now
from app.window.dialogs.action_list import CommandPalette
from app.window.dialogs.exercise import NO_LOCK, ExerciseDialog
from app.window.dialogs.file_dialogs import ReportDialog
from app.window.frame.main_window import MainWindow
from app.window.window_files import data_folder
from app.workbench.modes.quiz import Quiz
from engine import from_expression
from engine.asking.kinds import answer as right_number
from engine.asking.question import MODE_TITLES, Task
from engine.asking.record import Record, summary
from engine.formats.files import save
from engine.formats.native import Drawing
from tests.helpers.answering import acts
from tests.helpers.mouse import at_output, at_slot, drag, key, type_into_focus
from tests.helpers.sampling import sampled
from tests.helpers.window import (
    CTRL,
    SHIFT,
    answer,
    choose_file,
    click,
    dialog_of,
    node,
    open_dialogs,
    opened_window,
    press,
    question,
    said,
    value,
)

TEXT = "Fill in each gradient; then change b until a.grad is 0."
GRAPH = from_expression("y = a*b + a", {"a": 2, "b": 3})
ENTER, TAB, ESC = Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape
DOWN, END = Qt.Key.Key_Down, Qt.Key.Key_End
NO_LINE = "The text is one line of plain text of up to 240 characters."


def exercise_file() -> Path:
    """An exercise with locked wiring that asks for whole steps, each of them."""
    path = data_folder() / "exercise.backwire"
    if not path.exists():  # in a copy of a window that has opened it
        path.parent.mkdir(parents=True, exist_ok=True)
        save(Drawing(GRAPH, task=Task(TEXT, "predict", "whole step", "every", locked=True)), path)
    return path


@pytest.fixture
def handed_out(qapp) -> Path:
    return exercise_file()


def begin_exercise(window: MainWindow) -> None:
    assert open_now(window.context, exercise_file())


@pytest.fixture
def learner(qtbot) -> Iterator[MainWindow]:
    with opened_window(qtbot, prepare=begin_exercise) as window:
        yield window


def asked_for(window: MainWindow) -> ExerciseDialog:
    """The dialog, opened from the command palette by keys."""
    press(window, Qt.Key.Key_P, modifier=CTRL | SHIFT)
    type_into_focus("make an exercise")
    assert dialog_of(window, CommandPalette).texts()[0] == "Make an exercise…"
    key(ENTER)
    return dialog_of(window, ExerciseDialog)


def page(window: MainWindow) -> LessonPage:
    """The page Lesson, which is open."""
    assert window.bar.name == "lesson"
    found = window.bar.page
    assert isinstance(found, LessonPage)
    return found


def test_an_exercise_of_a_sheet_with_a_lesson_leaves_its_steps_to_the_teacher(
    shared_leaf: MainWindow, tmp_path: Path
):
    window, own, path = shared_leaf, tmp_path / "own.backwire", tmp_path / "exercise.backwire"
    press(window, Qt.Key.Key_A)  # a step of a lesson
    assert window.document.sheet.lesson
    save_now(window.context, own)
    asked_for(window)
    type_into_focus(TEXT)
    key(ENTER)
    assert said(window) == (
        "The exercise is a new sheet without your steps. Undo brings them back."
    )
    assert window.document.path is None
    assert window.document.modified
    save_now(window.context, path)
    assert "[[step]]" in own.read_text("utf-8")
    assert "[[step]]" not in path.read_text("utf-8")
    press(window, Qt.Key.Key_Z, modifier=CTRL)
    assert window.document.sheet.lesson
    assert window.document.path == own
    assert not window.document.modified
    assert open_now(window.context, path)
    assert page(window).exercise.text.isVisible()


@pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard")
def test_a_teacher_makes_an_exercise_by_keys_and_its_file_opens_as_one(
    shared_leaf: MainWindow, tmp_path: Path
):
    window, path = shared_leaf, tmp_path / "exercise.backwire"
    dialog = asked_for(window)
    type_into_focus(TEXT)
    choice = (DOWN, DOWN, ENTER)  # opens the list, the next row of it, chosen
    for each in (TAB, *choice, TAB, TAB, TAB, Qt.Key.Key_Space, ENTER):
        key(each)
    assert open_dialogs(window) == []
    assert said(window) == MADE_TEXT
    assert window.document.sheet.task == Task(TEXT, "cover", locked=True)
    assert not window.context.modes.is_cover, "its teacher may go on working"
    save_now(window.context, path)
    open_example(window.context, "square")
    assert open_now(window.context, path)
    assert window.context.modes.is_cover
    assert page(window).exercise.text.text() == TEXT
    assert page(window).exercise.lock.isVisible()
    assert dialog is not None


def test_what_no_label_could_hold_can_not_be_taken(shared_leaf: MainWindow):
    dialog = asked_for(shared_leaf)
    assert dialog.make.isEnabled()
    assert dialog.note.text() == NO_LOCK
    for text in ("x" * 241, "a\u202eb"):
        dialog.text.setPlainText(text)
        assert dialog.note.text() == NO_LINE
        key(ENTER)
        assert open_dialogs(shared_leaf) == [dialog]
    assert dialog.count.text() == "3 of 240 characters"
    dialog.text.setPlainText("two\nlines ")
    key(ENTER)
    assert shared_leaf.document.sheet.task == Task("two lines", "predict")


def test_a_mode_that_asks_nothing_has_no_blanks_and_steps(shared_leaf: MainWindow):
    dialog = asked_for(shared_leaf)
    dialog.level.setCurrentIndex(dialog.level.findData("sum"))
    dialog.start.setCurrentIndex(dialog.start.findData("by hand"))
    assert not dialog.level.isVisible()
    assert not dialog.steps.isVisible()
    click(dialog.make)
    assert shared_leaf.document.sheet.task == Task(start="by hand")


def test_an_exercise_without_hints_has_no_help_and_is_written_for_readers_that_know_it(
    shared_leaf: MainWindow, tmp_path: Path
):
    path = tmp_path / "exercise.backwire"
    dialog = asked_for(shared_leaf)
    assert dialog.hints.isChecked()
    dialog.start.setCurrentIndex(dialog.start.findData("by hand"))
    assert not dialog.hints.isVisible()
    dialog.start.setCurrentIndex(dialog.start.findData("predict"))
    dialog.steps.setCurrentIndex(dialog.steps.findData("every"))
    dialog.hints.click()
    click(dialog.make)
    save_now(shared_leaf.context, path)
    assert '"version": 5' in path.read_text("utf-8")
    open_example(shared_leaf.context, "square")
    assert open_now(shared_leaf.context, path)
    modes = shared_leaf.context.modes
    QApplication.processEvents()
    assert "answer" in acts(shared_leaf)
    assert modes.now is not None
    assert not set(acts(shared_leaf)) & {"hint", "show", "another"}
    tries = modes.now.tries
    modes.hint()
    modes.show_answer()
    assert (modes.now.tries, modes.now.shown) == (tries, False)


def test_the_page_of_lessons_offers_to_make_one(shared_leaf: MainWindow):
    shared_leaf.show_page("lesson")
    click(page(shared_leaf).make_exercise)
    assert dialog_of(shared_leaf, ExerciseDialog).isVisible()


def test_a_learner_is_told_the_task_is_asked_at_once_and_has_their_own_choice_after_it(
    learner: MainWindow,
):
    assert page(learner).exercise.text.text() == TEXT
    assert not page(learner).exercise.button.isVisible()
    assert "whole step" in learner.status_line.text()
    caret = QApplication.focusWidget()
    assert caret in learner.strip.sentence.fields
    settings, modes = learner.context.settings, learner.context.modes
    assert (settings.level, settings.asked_steps) == ("contribution and sum", "")
    assert (modes.level, modes.steps) == ("whole step", "every")
    open_example(learner.context, "square")
    assert (modes.level, modes.steps) == ("contribution and sum", "every")
    modes.set_level("sum")
    assert settings.level == "sum"


def test_the_task_is_read_out(qtbot, handed_out: Path, monkeypatch: pytest.MonkeyPatch):
    heard: list[str] = []
    event = panel.QAccessibleAnnouncementEvent

    def announce(widget, text: str):
        heard.append(text)
        return event(widget, text)

    monkeypatch.setattr(panel, "QAccessibleAnnouncementEvent", announce)
    QAccessible.setActive(True)
    try:
        with opened_window(qtbot, handed_out):
            assert heard == [TEXT]
    finally:
        QAccessible.setActive(False)


@pytest.mark.parametrize("start", sampled([start for start in MODE_TITLES if start], 2))
def test_each_mode_begins_and_can_be_begun_again(qtbot, tmp_path: Path, start):
    path = tmp_path / "exercise.backwire"
    save(Drawing(GRAPH, task=Task(TEXT, start)), path)
    with opened_window(qtbot, path) as window:
        assert window.playback.now.does_task
        button = page(window).exercise.button
        while window.playback.now.does_task:
            press(window, ESC)
        assert button.text() == f"Begin: {MODE_TITLES[start]}"
        click(button)
        assert window.playback.now.does_task
        own_page = {"hunt": "mistakes", "descent": "train"}.get(start, "")
        assert button.isVisible() == bool(own_page)
        if own_page:
            click(button)
            assert window.bar.name == own_page


def test_a_task_without_a_mode_is_a_text_alone(qtbot, tmp_path: Path):
    path = tmp_path / "exercise.backwire"
    save(Drawing(GRAPH, task=Task(TEXT)), path)
    with opened_window(qtbot, path) as window:
        found = page(window)
        assert found.exercise.text.text() == TEXT
        assert not found.exercise.button.isVisible()
        assert not found.empty.isVisible()
        assert not found.exercise.lock.isVisible()


def test_locked_wiring_is_refused_whichever_way_it_is_edited(learner: MainWindow, qtbot):
    press(learner, ESC, ESC)
    qtbot.waitUntil(lambda: not learner.canvas.auto_layout.running)
    before, canvas = learner.document.sheet, learner.canvas
    b, y = node(learner, "b"), node(learner, "y")
    edits = {
        "delete": lambda: press(learner, Qt.Key.Key_Delete),
        "quick add": lambda: press(learner, TAB),
        "a wire": lambda: drag(canvas, at_output(canvas, b), at_slot(canvas, y, 1)),
        "duplicate": learner.commands["duplicate"].trigger,
    }
    for name, edit in edits.items():
        canvas.setFocus()
        learner.selection.choose((b,))
        learner.context.messages.dismiss_toast()
        edit()
        assert said(learner) == KEEPS_WIRING, name
    assert learner.document.sheet is before
    learner.document.set_value(node(learner, "b"), -1.0)
    assert value(learner, "b") == -1.0


def test_a_formula_typed_over_it_is_no_exercise(learner: MainWindow):
    press(learner, ESC, ESC)
    learner.expression.field.setFocus()
    learner.expression.field.selectAll()
    press(learner, "p*q*r + tanh(s)", ENTER)
    assert learner.document.sheet.task is None
    assert not page(learner).exercise.isVisible()
    learner.commands["undo"].trigger()
    assert page(learner).exercise.text.text() == TEXT


def test_it_can_be_lifted_and_undone(learner: MainWindow):
    press(learner, ESC, ESC)
    dialog = asked_for(learner)
    assert dialog.text.line == TEXT
    assert dialog.level.currentData() == "whole step"
    lift = next(b for b in dialog.findChildren(type(dialog.make)) if b.text() == "Lift it")
    click(lift)
    assert said(learner) == REMOVED_TEXT
    assert not page(learner).exercise.isVisible()
    assert not learner.commands["lift_exercise"].isEnabled()
    learner.selection.choose((node(learner, "b"),))
    learner.commands["delete"].trigger()
    learner.commands["undo"].trigger()
    learner.commands["undo"].trigger()
    assert page(learner).exercise.text.text() == TEXT
    learner.commands["lift_exercise"].trigger()
    assert learner.document.sheet.task is None


def test_a_damaged_task_is_refused_by_its_place(window: MainWindow, handed_out: Path):
    text = handed_out.read_text("utf-8")
    for good, bad, place in (
        (TEXT, "x" * 241, "Task: The text is one line"),
        ("whole step", "some step", "Task: There is no level"),
        ('"predict"', '"cheat"', "`$.task.start`"),
    ):
        handed_out.write_text(text.replace(good, bad), "utf-8")
        assert not open_now(window.context, handed_out)
        assert place in question(window).informativeText()
        answer(window, "Close")
    assert window.on_full_page


def test_an_unsaved_exercise_survives_a_crash(qtbot, learner: MainWindow):
    learner.document.set_value(node(learner, "a"), 42.0)
    learner.context.files.recovery.keep()
    (kept,) = (state_folder() / "unsaved").glob("*.backwire")
    left = kept.with_name("left.backwire")
    left.write_bytes(kept.read_bytes())
    try:
        with opened_window(qtbot) as window:
            offer_recovered(window.context)
            answer(window, "Restore")
            assert value(window, "a") == 42.0
            assert page(window).exercise.text.text() == TEXT
            assert window.context.modes.asks
    finally:
        left.unlink(missing_ok=True)


def test_its_report_names_the_task_and_grading_compares(
    learner: MainWindow, handed_out: Path, tmp_path: Path, capsys
):
    def hand_in(name: str) -> str:
        for text, field in zip("111", learner.strip.sentence.fields, strict=False):
            field.setFocus()
            QTest.keyClicks(field, text)
        press(learner, ENTER)
        learner.commands["save_report"].trigger()
        dialog_of(learner, ReportDialog).name.setText(name)
        choose_file(learner, tmp_path / f"{name}.report.json")
        capsys.readouterr()
        run_verb(["grade", str(tmp_path / f"{name}.report.json"), "--graph", str(handed_out)])
        return capsys.readouterr().out

    assert "asked otherwise" not in hand_in("ada")
    learner.context.modes.choose("slope", "every")
    other = "asked otherwise than in exercise.backwire: level slope, not whole step"
    assert other in hand_in("ben")


def test_a_lesson_and_an_exercise_take_turns_on_the_page(learner: MainWindow, handed_out: Path):
    begin_lesson(learner.context, course().lessons[0].name)
    assert learner.document.sheet.task is None
    assert not page(learner).exercise.isVisible()
    assert open_now(learner.context, handed_out)
    assert page(learner).exercise.text.text() == TEXT
    assert not page(learner).list_block.isVisible()
    assert learner.context.modes.level == "whole step"
    assert learner.context.modes.asks


def fill_in(window: MainWindow) -> None:
    """Answer each question of the pass rightly."""
    modes = window.context.modes
    while window.playback.cursor < window.playback.frame.total or modes.question is not None:
        now, frame = modes.now, window.playback.frame
        assert now is not None
        assert frame.unhidden is not None
        for each in now.blanks(frame):
            modes.set_text(each, repr(right_number(each, frame.unhidden)))
        modes.answer()
    window.playback.step()


def record(window: MainWindow) -> Record:
    report = window.context.modes.report
    assert report is not None
    return report.record


def leave(window: MainWindow) -> None:
    """Leave the mode by Escape, which first closes what lies over the window for a while."""
    for _ in range(4):
        if window.context.modes.now is not None:
            press(window, ESC)
    assert window.context.modes.now is None


def look_by_hand(window: MainWindow) -> None:
    by_hand, graph = window.context.modes.by_hand, window.document.graph
    by_hand.begin("backward")
    while (run := by_hand.now) is not None and not run.is_over(graph):
        by_hand.take_turn()


def look_and_open_again(window: MainWindow) -> None:
    press(window, "b", END)
    assert window.document.path is not None
    open_now(window.context, window.document.path)


def look_and_change(window: MainWindow) -> None:
    press(window, "b", END)
    for number in (7.0, 2.0):
        window.document.set_value(node(window, "a"), number)


LOOKS: Mapping[str, Callable[[MainWindow], object]] = {
    "stepped": lambda w: press(w, *[Qt.Key.Key_Right] * 8),
    "backward": lambda w: press(w, "b", END),
    "covered": lambda w: press(w, "c", END),
    "by hand": look_by_hand,
    "opened again": look_and_open_again,
    "other numbers between": look_and_change,
}


def test_what_was_looked_up_before_an_exercise_is_asked_counts_as_seen(
    learner: MainWindow, handed_out: Path
):
    for name in sampled([*LOOKS], 3):
        learner.context.modes._run = Quiz()  # as a window has it that has shown nothing
        open_now(learner.context, handed_out)
        leave(learner)
        LOOKS[name](learner)
        press(learner, ESC, ESC)
        leave(learner)
        click(page(learner).exercise.button)
        fill_in(learner)
        found = summary(record(learner))
        assert found.answered == found.seen > 3, name
        assert not found.right_first, name


def test_a_run_of_an_exercise_begun_again_keeps_the_first_which_counts(
    learner: MainWindow, handed_out: Path, tmp_path: Path, capsys
):
    modes = learner.context.modes
    again: Mapping[str, Callable[[], object]] = {
        "again": lambda: learner.strip.act("again"),
        "backward": lambda: press(learner, "b"),
        "left and begun": lambda: (press(learner, ESC, ESC), click(page(learner).exercise.button)),
        "opened again": lambda: open_now(learner.context, handed_out),
    }
    modes.skip()
    press(learner, ENTER)
    modes.show_answer()
    for k, (name, begin) in enumerate(again.items(), 1):
        modes.saved = record(learner)
        begin()
        caret = QApplication.focusWidget()
        assert caret in learner.strip.sentence.fields, name
        fill_in(learner)
        assert max(a.round for a in record(learner).attempts) == k, name
        assert summary(record(learner)).shown == 3, name
    learner.strip.act("save report")
    dialog = dialog_of(learner, ReportDialog)
    dialog.name.setText("Ada L.")
    (chosen,) = dialog.selectedFiles()
    assert Path(chosen).name == "Ada L-exercise.report.json"
    choose_file(learner, tmp_path / "ada.report.json")
    capsys.readouterr()
    assert run_verb(["grade", "--csv", str(tmp_path / "ada.report.json")]) == 0
    [row] = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["runs"], row["date"]) == ("5", date.today().isoformat())


def test_at_the_end_of_an_exercise_its_report_is_saved_and_its_level_stays(learner: MainWindow):
    learner.context.modes.choose("slope", "every")
    fill_in(learner)
    acts = [button.act for button in learner.strip.buttons.shown]
    assert acts == ["back", "again", "save report"]
    assert learner.strip.buttons.button("again").text() == "Again"
    learner.strip.act("again")
    assert learner.context.modes.level == "slope"


def test_answers_of_an_exercise_are_not_lost_without_a_question(
    learner: MainWindow, handed_out: Path, tmp_path: Path
):
    learner.close()
    assert not learner.isVisible(), "nothing was answered yet"
    learner.show()
    learner.context.modes.show_answer()
    ways = {"closed": learner.close, "another file": lambda: open_file(learner.context, handed_out)}
    for name, leave in ways.items():
        leave()
        assert question(learner).text() == "Save the report of this exercise?", name
        answer(learner, "Cancel")
        assert learner.isVisible()
        assert record(learner).attempts
    learner.close()
    answer(learner, "Save report…")
    dialog_of(learner, ReportDialog).name.setText("Ada")
    choose_file(learner, tmp_path / "ada.report.json")
    assert not learner.isVisible()
