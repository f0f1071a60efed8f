"""The states of a lesson: open, wrong, done, shown, off the path, left, ended, continued."""

import csv
import io
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.cli import run_verb
from app.controls.notices import Toast
from app.guide.play.guide import learner_of
from app.guide.run import demonstration
from app.lessons.course import path_of
from app.lessons.load import lesson, load_lesson
from app.lessons.progress import Done
from app.panels.lesson.player import CHANGED, NOT_ANSWERED, OTHER_GRAPH
from app.window.commands.file_actions import open_now
from app.window.commands.lesson_actions import begin_lesson
from app.window.dialogs.file_dialogs import FileDialog, ReportDialog
from app.window.frame.main_window import MainWindow
from app.window.window_files import data_folder
from tests.helpers.answering import acts, blank, caret, push, sentence, told, type_into_blank
from tests.helpers.lesson_learner import BACK, ENTER, FIRST_LESSON, ON, Learner
from tests.helpers.lessons import LESSON
from tests.helpers.mouse import at_number, drop
from tests.helpers.sampling import sampled
from tests.helpers.window import (
    CTRL,
    answer,
    choose,
    choose_file,
    click,
    dialog_of,
    dismiss,
    entries,
    example_path,
    no_question,
    node,
    open_example,
    opened_window,
    press,
    question,
    said,
    until,
    value,
)

ESC = Qt.Key.Key_Escape


def begin(window: MainWindow) -> None:
    press(window, *FIRST_LESSON)


@pytest.fixture
def learner(qtbot) -> Iterator[Learner]:
    """Somebody who has begun the first lesson from the start page."""
    with opened_window(qtbot, prepare=begin) as window:
        yield Learner(window)


@pytest.fixture
def shown_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show me makes its moves with no time between them."""
    monkeypatch.setattr(demonstration, "MOVE_INTERVAL_MS", 0)


def to_step(learner: Learner, number: int) -> None:
    """Be at the step of this number, from 1, with all before it done, as after a break."""
    found = learner.state.lesson
    marks: list[Done] = ["done" if at < number - 1 else "" for at, _ in enumerate(found.steps)]
    assert learner.window.context.guides.begin(learner_of(found, number - 1, tuple(marks)))
    QApplication.processEvents()


def play_to_step(learner: Learner, number: int) -> None:
    """Do all steps before the one of this number, from 1."""
    while learner.state.at < number - 1:
        learner.do_step()
        learner.go_on()


def leave(learner: Learner) -> None:
    """Esc until the lesson is left: the caret leaves the blank first."""
    for _ in range(4):
        if not learner.window.context.guides.active:
            return
        press(learner.window, ESC)
    raise AssertionError("Esc does not leave the lesson")


def shown_step(learner: Learner) -> str:
    return learner.page.player.step_title.text()


def note(learner: Learner) -> str:
    """What the quiet box says of the sheet, or "" without it."""
    player = learner.page.player
    return player.edited.text() if player.edit_note.isVisible() else ""


def test_a_step_that_is_gone_to_is_read_out_with_what_it_asks(learner: Learner):
    heard: list[str] = []

    def announce(sentence: str) -> None:
        heard.append(sentence)

    learner.page.announce = announce
    learner.window.context.guides.go_back()  # from the first step to nowhere
    assert (learner.state.at, heard) == (0, [])
    play_to_step(learner, 2)
    total = len(learner.state.lesson.steps)
    assert heard[-1].startswith(f"Step 2 of {total}, do, {shown_step(learner)}. ")


# open, wrong, done, shown


def test_page_down_says_that_a_question_is_open_and_go_on_waits_once_it_is_done(learner: Learner):
    page = learner.page
    assert shown_step(learner) == "Guess, then drag"
    assert page.player.count.text() == "1 of 7"
    assert caret(learner.window) == 0
    assert acts(learner.window) == ["answer", "hint"]
    assert not page.back.isEnabled()
    assert "lesson: step 1 of 7, a question is open" in learner.window.status_line.text()
    press(learner.window, ON)
    assert page.player.warning.isVisible()
    assert page.player.warning.text() == NOT_ANSWERED
    assert shown_step(learner) == "Guess, then drag"
    learner.do_step()
    assert not page.player.warning.isVisible()
    assert acts(learner.window) == ["go on"]
    assert shown_step(learner) == "Guess, then drag"
    press(learner.window, ENTER)
    assert shown_step(learner) == "See it move"


def test_the_rungs_of_a_wrong_answer_end_with_the_answer(learner: Learner):
    window = learner.window
    learner.give("15")
    assert told(window).startswith("✘ 15 is the new value of × (y).")
    assert blank(window).text() == ""
    learner.give("15")
    assert told(window).startswith("✘")
    learner.give("15")
    assert told(window).startswith("Worked:")
    assert learner.state.ended == "shown"


def test_the_lessons_own_hint_comes_first_and_an_answer_that_is_shown_is_not_right(
    learner: Learner,
):
    push(learner.window, "hint")
    assert told(learner.window).startswith("b stays 5. What is 3 × 5")
    click(learner.page.show_me)
    assert learner.state.ended == "shown"
    assert told(learner.window).startswith("Worked:")
    assert learner.state.right_first == (0, 1)


def test_a_hint_shows_the_numbers_of_the_graph(window: MainWindow):
    begin_lesson(window.context, "gears")
    QApplication.processEvents()
    window.context.guides.go_to(2)
    QApplication.processEvents()
    push(window, "hint")
    assert told(window) == "1 of x is 3 of u, and each of those is 5 of y."


def test_enter_goes_on_once_a_typed_value_has_ended_the_step(learner: Learner):
    to_step(learner, 2)
    window = learner.window
    learner.set_value(node(window, "a"), 3)
    assert learner.state.ended == "done"
    press(window, ENTER)
    assert learner.state.at == 2


def test_a_button_leads_back_to_the_lesson_from_every_other_page(window: MainWindow):
    begin_lesson(window.context, "missing-plus")
    QApplication.processEvents()
    learner, bar = Learner(window), window.bar
    back = bar.frame.back
    assert not back.isVisible()
    learner.open_page("mistakes")
    assert back.isVisible()
    click(back)
    assert bar.name == "lesson"
    assert not back.isVisible()
    bar.open("mistakes")
    window.context.guides.end()
    assert not back.isVisible()


@pytest.mark.usefixtures("shown_at_once")
def test_show_me_makes_the_moves_and_the_step_counts_as_shown(learner: Learner, qtbot):
    to_step(learner, 3)
    click(learner.page.show_me)
    qtbot.waitUntil(lambda: bool(learner.state.ended))
    assert value(learner.window, "a") == 2.0
    assert learner.window.playback.cursor == 3
    assert learner.state.done[2] == "shown"
    assert not learner.page.show_me.isEnabled()


@pytest.mark.usefixtures("shown_at_once")
def test_to_go_on_while_show_me_plays_stops_it(learner: Learner):
    to_step(learner, 3)
    learner.page.show_me.click()
    learner.page.back.click()
    for _ in range(4):
        QApplication.processEvents()
    assert shown_step(learner) == "See it move"
    assert learner.window.playback.phase == "live"
    assert learner.state.done[2] == ""


# off the path


def test_a_value_that_was_changed_is_put_back(learner: Learner):
    window, player = learner.window, learner.page.player
    for step, said_then, cursor in ((2, CHANGED, 0), (4, OTHER_GRAPH, 3)):  # do, ask
        to_step(learner, step)
        assert note(learner) == ""
        learner.set_value(node(window, "b"), 7.0)
        assert note(learner) == said_then
        click(player.put_back)
        assert value(window, "b") == 5.0
        assert note(learner) == ""
        assert window.playback.cursor == cursor


def test_enter_goes_on_after_a_number_was_dragged_to_the_end_of_a_step(learner: Learner):
    to_step(learner, 2)
    window, canvas = learner.window, learner.window.canvas
    at, sheet = at_number(canvas, node(window, "a")).toPoint(), canvas.viewport()
    QTest.mousePress(sheet, Qt.MouseButton.LeftButton, pos=at)
    while value(window, "a") < 3:
        at += QPoint(1, 0)
        QTest.mouseMove(sheet, at)
    until(lambda: bool(learner.state.ended))
    QTest.mouseRelease(sheet, Qt.MouseButton.LeftButton, pos=at)
    until(lambda: not canvas.hasFocus())
    press(window, ENTER)
    assert learner.state.at == 2


def test_a_drag_before_the_answer_moves_no_question(learner: Learner):
    window = learner.window
    asked, leaf = sentence(window), node(window, "a")
    learner.give("15")
    learner.set_value(leaf, 3.2)
    assert sentence(window) == "The question is asked with a = 2."
    assert acts(window) == ["put back"]
    press(window, Qt.Key.Key_Right)  # a step waits for the answer
    assert window.playback.cursor == 0
    press(window, ENTER)
    assert (value(window, "a"), sentence(window), caret(window)) == (2.0, asked, 0)
    learner.give("5")
    assert told(window).startswith("✓ Right the second time.")
    learner.set_value(leaf, 3.0)
    assert "✓" not in sentence(window)
    assert learner.state.right_first == (0, 1)


def test_a_wiring_edit_puts_the_question_to_sleep_until_it_is_put_back(learner: Learner):
    window, player = learner.window, learner.page.player
    window.selection.choose([node(window, "b")])
    window.canvas.setFocus()
    press(window, Qt.Key.Key_Delete)
    assert note(learner) == OTHER_GRAPH
    assert not learner.page.show_me.isEnabled()
    press(window, ON)
    assert shown_step(learner) == "Guess, then drag"
    click(player.put_back)
    assert note(learner) == ""
    assert caret(window) == 0
    learner.do_step()
    assert learner.state.ended == "done"


def test_to_put_back_does_not_make_a_wrong_answer_good(learner: Learner):
    window = learner.window
    learner.give("15")
    learner.set_value(node(window, "b"), 7.0)
    click(learner.page.player.put_back)
    learner.do_step()
    assert learner.state.right_first == (0, 1)


# going back, leaving, continuing


def test_back_never_takes_a_tick_away(learner: Learner):
    to_step(learner, 3)
    press(learner.window, BACK, BACK)
    assert shown_step(learner) == "Guess, then drag"
    assert sentence(learner.window) == "✓ Guess, then drag"
    assert learner.state.done[:3] == ("done", "done", "")
    press(learner.window, ON, ON)
    assert shown_step(learner) == "Now backward"


def test_esc_leaves_the_lesson_and_the_sheet_stays(learner: Learner):
    to_step(learner, 2)
    window = learner.window
    learner.set_value(node(window, "a"), 4.0)
    leave(learner)
    assert window.bar.name == ""
    assert value(window, "a") == 4.0
    assert no_question(window)
    assert "lesson" not in window.status_line.text()
    assert not window.selection.lesson_targets.lit


def test_continue_opens_the_step_with_its_start_and_the_text_in_its_blank(learner: Learner):
    window = learner.window
    type_into_blank(window, "12")
    leave(learner)
    choose(window, "Learn/Lessons", "Continue")
    assert shown_step(learner) == "Guess, then drag"
    assert window.bar.name == "lesson"
    assert blank(window).text() == "12"
    assert value(window, "a") == 2.0


def test_to_leave_and_continue_does_not_make_a_wrong_answer_good(learner: Learner):
    learner.give("15")
    leave(learner)
    choose(learner.window, "Learn/Lessons", "Continue")
    learner.do_step()
    assert learner.state.right_first == (0, 1)


# the end


def test_enter_on_the_end_page_begins_the_next_lesson(learner: Learner):
    to_step(learner, 8)
    assert learner.at_end
    assert learner.page.player.following.accessibleName().startswith("Lesson 2, Gears in a row")
    assert learner.window.playback.cursor == learner.window.playback.frame.total
    press(learner.window, ENTER)
    assert learner.page.player.title.text() == "Gears in a row"
    assert not learner.at_end


# the next start


@pytest.fixture
def restarted(window: MainWindow, qtbot) -> Iterator[MainWindow]:
    """A second window, after the first one was closed in the third step of the first lesson."""
    press(window, *FIRST_LESSON)
    learner = Learner(window)
    learner.give("15")
    play_to_step(learner, 4)
    dismiss(window)
    with opened_window(qtbot) as again:
        yield again


def test_a_lesson_goes_on_after_a_restart(restarted: MainWindow):
    assert restarted.pages.welcome.hero is not None
    assert restarted.pages.welcome.hero.button.text() == "Continue"
    press(restarted, ENTER)
    learner = Learner(restarted)
    assert shown_step(learner) == "Whose gradient moves?"
    assert learner.state.done == ("done", "done", "done", "", "", "", "")
    assert restarted.playback.cursor == 3
    assert learner.state.right_first == (0, 1)


def test_typed_text_is_there_after_a_restart(window: MainWindow, qtbot):
    begin_lesson(window.context, "plus-times")
    learner = Learner(window)
    to_step(learner, 6)
    assert learner.page.player.step_title.text() == "New numbers"
    numbers = [value(window, name) for name in "abc"]
    type_into_blank(window, "-3")
    window.close()
    assert no_question(window)
    with opened_window(qtbot) as again:
        press(again, ENTER)
        assert blank(again).text() == "-3"
        assert [value(again, name) for name in "abc"] == numbers


def test_a_lesson_that_was_changed_since_begins_anew(window: MainWindow, qtbot):
    press(window, *FIRST_LESSON)
    to_step(Learner(window), 3)
    file = data_folder() / "lessons.json"
    digest = lesson("one-wire").digest
    file.write_text(file.read_text().replace(digest, "0" * len(digest)))
    dismiss(window)
    with opened_window(qtbot) as again:
        begin_lesson(again.context, "one-wire")
        learner = Learner(again)
        assert shown_step(learner) == "Guess, then drag"
        assert set(learner.state.done) == {""}


def test_progress_of_a_newer_version_is_left_with_a_sentence_over_the_start_page(qtbot):
    file = data_folder() / "lessons.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('{"format": "backwire progress", "version": 99, "units": []}')
    with opened_window(qtbot) as window:
        until(lambda: bool(window.findChildren(Toast)))
        (toast,) = window.findChildren(Toast)
        until(lambda: bool(toast.text()))  # a slow machine may have taken it away by now
        assert window.on_full_page
        assert toast.text() == (
            "Your progress can't be kept: its file was written by a newer Backwire,"
            " and is left as it is."
        )
    file.unlink()


# the learner's own sheet


def test_the_learners_own_sheet_comes_back(window: MainWindow):
    open_example(window)
    own = window.document.sheet
    begin_lesson(window.context, "one-wire")
    assert window.document.sheet != own
    assert window.windowTitle().startswith("lesson: one wire, one slope")
    choose(window, "Learn/Lessons", "Back to my graph")
    assert window.document.sheet == own
    assert not window.context.guides.active


def test_the_pass_of_a_lesson_is_not_reported_on_the_empty_sheet_that_comes_back(
    window: MainWindow,
):
    window.context.shell.show_work()
    begin_lesson(window.context, "seven-numbers")
    assert window.playback.frame.phase == "backward"
    choose(window, "Learn/Lessons", "Back to my graph")
    assert not window.document.graph.nodes
    assert "root" not in said(window)


def test_unsaved_work_is_asked_about_before_a_lesson(window: MainWindow):
    open_example(window)
    window.document.set_value(node(window, "a"), 9.0)
    begin_lesson(window.context, "one-wire")
    assert question(window).text().startswith("Save the changes to")
    answer(window, "Cancel")
    assert window.context.guides.learner is None
    begin_lesson(window.context, "one-wire")
    answer(window, "Discard")
    assert window.context.guides.active


def test_to_close_the_window_in_a_lesson_asks_nothing(learner: Learner):
    to_step(learner, 2)
    learner.set_value(node(learner.window, "a"), 5.0)
    learner.window.close()
    assert no_question(learner.window)
    assert not learner.window.isVisible()


def test_undo_in_a_lesson_ends_at_the_beginning_of_its_step(window: MainWindow):
    open_example(window)
    own, runner = window.document.sheet, window.context.guides
    for name, at in (("one-wire", 0), ("one-wire", 2), ("xor", 2)):
        runner.begin(learner_of(lesson(name)))
        runner.go_to(at)
        QApplication.processEvents()
        begun = window.document.sheet
        window.document.set_value(next(iter(window.document.graph.leaves)), 7.0)
        window.canvas.setFocus()
        for _ in range(3):
            press(window, "z", modifier=CTRL)
        assert window.document.sheet == begun, name
        assert runner.active, name
    runner.restore_own_sheet()
    assert window.document.sheet == own
    window.document.mark_root(window.document.graph.leaves[0])
    press(window, "z", modifier=CTRL)
    assert window.document.sheet == own, "after the lesson undo has no floor"


def test_a_file_that_is_opened_ends_the_lesson(learner: Learner):
    window = learner.window
    assert open_now(window.context, example_path("square"))
    QApplication.processEvents()
    assert not window.context.guides.active
    assert "Back to my graph" not in enabled(window)
    choose(window, "Learn/Lessons", "Continue")
    assert shown_step(learner) == "Guess, then drag"
    choose(window, "Learn/Lessons", "Back to my graph")
    assert window.document.title == "square.backwire"


def enabled(window: MainWindow) -> list[str]:
    """The lines of Learn, Lessons that can be chosen."""
    entries(menu := window.menu_bar.menu("Learn/Lessons"))
    return [a.text().replace("&", "") for a in menu.actions() if a.isEnabled()]


def test_a_presentation_of_daily_questions_answers_by_keys(learner: Learner):
    window = learner.window
    to_step(learner, 4)
    daily = replace(learner.state.lesson, kind="daily")
    assert window.context.guides.begin(learner_of(daily, at=3, done=learner.state.done))
    window.commands["presentation"].trigger()
    QApplication.processEvents()
    try:
        press(window, "2", ENTER)
        assert told(window).startswith("✓ that of b")
        press(window, ENTER)
        assert learner.state.at == 4
        assert window.playback.cursor == 2
        press(window, BACK, BACK)
        assert learner.state.at == 2
        assert value(window, "a") == 2.0
        assert said(window) == ""
    finally:
        window.commands["presentation"].trigger()


def test_a_presentation_of_a_lesson_leaves_it_at_its_step_with_what_is_typed(learner: Learner):
    window = learner.window
    type_into_blank(window, "4")
    marks, at = learner.state.done, learner.state.at
    window.commands["presentation"].trigger()
    QApplication.processEvents()
    try:
        assert window.bar.name == ""
        assert window.context.guides.room is not None
        press(window, ON, ON)
    finally:
        window.commands["presentation"].trigger()
    assert window.context.guides.active
    assert (learner.state.done, learner.state.at) == (marks, at)
    assert blank(window).text() == "4"
    assert window.bar.name == "lesson"


# lesson files


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A teacher's lesson, called as one of the course."""
    path = tmp_path / "gears.toml"
    text = path_of("one-wire").read_text("utf-8")
    path.write_text(text.replace("One wire, one slope", "My own lesson"), "utf-8")
    return path


@pytest.fixture
def damaged(file: Path) -> Path:
    file.write_text(file.read_text("utf-8").replace("kind =", "kidn =", 1), "utf-8")
    return file


def test_a_lesson_file_opens_by_file_open(window: MainWindow, file: Path):
    choose(window, "File", "Open…")
    choose_file(window, file)
    assert Learner(window).page.player.title.text() == "My own lesson"
    assert window.bar.name == "lesson"


def test_a_lesson_file_is_dropped(window: MainWindow, file: Path):
    open_example(window)
    assert drop(window, dropped(file), QPoint(300, 300))
    assert Learner(window).page.player.title.text() == "My own lesson"


def test_a_question_further_on_in_the_pass_says_to_step_to_it(window: MainWindow, tmp_path: Path):
    path = tmp_path / "further-on.toml"
    path.write_text(LESSON.replace('start = "backward 5"', 'start = "backward 3"'), "utf-8")
    assert window.context.guides.begin(learner_of(load_lesson(path), 2))
    window.bar.open("lesson")
    QApplication.processEvents()
    learner = Learner(window)
    while not learner.boxes:
        assert told(window) == "Press Step until it is asked."
        push(window, "step")
    assert "Press Step" not in told(window)


def test_unsaved_work_is_asked_about_once_before_a_lesson_file(window: MainWindow, file: Path):
    open_example(window)
    window.document.set_value(node(window, "a"), 9.0)
    drop(window, dropped(file), QPoint(300, 300))
    answer(window, "Discard")
    assert no_question(window)
    assert window.context.guides.active


def test_a_lesson_file_on_the_command_line_begins(qtbot, file: Path):
    with opened_window(qtbot, file) as window:
        assert not window.on_full_page
        assert Learner(window).page.player.title.text() == "My own lesson"


def test_what_is_wrong_with_a_lesson_file_is_one_sentence(window: MainWindow, damaged: Path):
    drop(window, dropped(damaged), QPoint(300, 300))
    box = question(window)
    assert box.text() == "gears.toml was not opened."
    assert box.informativeText().startswith("gears.toml:")
    assert "\n" not in box.informativeText()
    assert window.on_full_page
    assert window.context.guides.learner is None


def test_a_teachers_file_has_a_progress_of_its_own(window: MainWindow, file: Path):
    assert open_now(window.context, file)
    learner = Learner(window)
    to_step(learner, 3)
    begin_lesson(window.context, "gears")
    assert shown_step(learner) == "Two gears"
    assert open_now(window.context, file)
    assert shown_step(learner) == "Now backward"
    to_step(learner, 8)
    assert learner.page.next_lesson.isVisible()  # the first of the course


def dropped(path: Path) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    return mime


def test_progress_is_handed_in_with_a_name(
    learner: Learner, tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
):
    window, path = learner.window, tmp_path / "ada"
    guides = window.context.guides
    minutes = itertools.count(guides.clock(), 60.0)  # no hand is as fast as a test
    monkeypatch.setattr(guides, "clock", minutes.__next__)
    play_to_step(learner, 2)
    choose(window, "Learn/Lessons/My progress", "Hand in my progress…")
    dialog_of(window, ReportDialog).name.setText("Ada")
    choose_file(window, path)
    assert said(window) == "Saved as ada.json. Give this file to your teacher."
    capsys.readouterr()
    assert run_verb(["grade", "--csv", f"{path}.json"]) == 0
    [row] = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["student"], row["begun"], row["right first time"]) == ("Ada", "1", row["answered"])


@pytest.mark.parametrize("action", sampled(["Hand in my progress…", "Export my progress…"], 2))
def test_progress_replaces_another_file_only_after_a_question(
    learner: Learner, tmp_path: Path, action: str
):
    window, path = learner.window, tmp_path / "ada.json"
    path.write_text("notes")
    window.context.settings.student = "Ada"
    for choice, replaces in (("Cancel", False), ("Replace", True)):
        choose(window, "Learn/Lessons/My progress", action)
        choose_file(window, tmp_path / "ada")
        assert question(window).text() == "Replace ada.json?"
        answer(window, choice)
        assert (path.read_text() != "notes") is replaces
        if not replaces:  # the dialog is open again
            dialog_of(window, FileDialog).reject()


def test_next_is_in_the_strip_while_the_page_of_the_lesson_is_folded(learner: Learner):
    window = learner.window
    to_step(learner, 2)
    press(window, "1", modifier=CTRL)  # folds the page
    assert window.bar.name == ""
    assert "next" not in acts(window)  # the task is not done
    learner.do_step()
    assert "ask" not in acts(window)
    push(window, "next")
    assert learner.state.at == 2
    assert window.bar.name == ""
