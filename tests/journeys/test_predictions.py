"""A learner predicts: the panel keeps what they answered, names the slip, and asks three more."""

import json
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QWidget

from app.cli import run_verb
from app.panels.lesson import LessonPage
from app.window.commands.file_actions import open_drawing
from app.window.dialogs.file_dialogs import ReportDialog
from app.window.frame.main_window import MainWindow
from engine import from_expression
from engine.asking.beliefs import belief_numbers
from engine.asking.kinds import answer
from engine.formats.native import Drawing
from engine.formats.report import read
from tests.helpers.answering import ask, quiz
from tests.helpers.graphs import chain
from tests.helpers.sampling import sampled
from tests.helpers.window import (
    CTRL,
    choose_file,
    click,
    dialog_of,
    entries,
    forget_changes,
    node,
    open_dialogs,
    open_example,
    opened_page,
    opened_window,
    press,
    said,
    until,
    value,
)


def ask_for_slopes(window: MainWindow) -> None:
    window.canvas.setFocus()
    ask(window, "slope")


@pytest.fixture
def local(qtbot) -> Iterator[MainWindow]:
    """Slopes are asked for at every step."""
    with opened_window(qtbot, example="shared-leaf", prepare=ask_for_slopes) as window:
        yield window


def panel(window: MainWindow) -> LessonPage:
    found = opened_page(window, "lesson")
    assert isinstance(found, LessonPage)
    QApplication.processEvents()
    return found


def answers(window: MainWindow, *steps: str) -> None:
    """Answer a step after the other without the mouse; a wrong one is shown, and on it goes."""
    modes = window.context.modes
    for text in steps:
        now = quiz(window)
        for question in now.open_questions(window.playback.frame):
            modes.set_text(question, text)
        modes.answer()
        if modes.question is not None:
            modes.show_answer()
        modes.answer()  # goes on
        QApplication.processEvents()


def test_no_page_opens_by_itself_and_a_dot_says_where_the_run_is_listed(shared_leaf: MainWindow):
    tile = shared_leaf.bar.tiles["lesson"]
    assert tile.dot is None
    press(shared_leaf, "p")
    assert shared_leaf.bar.name == ""
    assert tile.dot == shared_leaf.context.style.theme.selection
    click(tile)
    assert shared_leaf.bar.name == "lesson"
    assert tile.isChecked()
    press(shared_leaf, Qt.Key.Key_Escape, Qt.Key.Key_Escape)
    assert shared_leaf.context.modes.now is None
    assert tile.dot is None
    click(tile)
    assert shared_leaf.bar.name == ""


def test_every_answer_is_a_row_and_the_open_question_the_last(local: MainWindow):
    answers(local, "-2", "-2")
    right, wrong, waits = panel(local).rows.texts()
    assert right == "step 2, slope of × (L) → d: −2, right"
    assert wrong == "step 3, slope of × (L) → f: −4, you said −2. the own value taken for the slope"
    assert waits == "step 4, slope of + (d) → e: not answered yet"
    assert panel(local).run.note.text() == "1 of 2 right first time"


def test_every_question_of_a_long_run_stays_in_the_list_and_the_wheel_scrolls_it(
    window: MainWindow,
):
    open_drawing(window.context, Drawing(chain(40)))
    ask(window)
    answers(window, *["0.5"] * 30)
    rows = panel(window).rows
    heard = QAccessible.queryAccessibleInterface(rows)
    heard = [heard.child(k).text(QAccessible.Text.Name) for k in range(heard.childCount())]
    assert heard == rows.texts()
    assert len(heard) == 31
    last = rows.count() - 1
    until(lambda: rows.visibleRegion().boundingRect().contains(rows.rect_of(last)))
    shown = rows.visibleRegion().boundingRect()
    assert not shown.contains(rows.visualItemRect(rows.item(0)))
    at = window.mapFromGlobal(rows.mapToGlobal(shown.center()))
    QTest.wheelEvent(window.windowHandle(), QPointF(at), QPoint(0, 1200))
    assert rows.visibleRegion().boundingRect().top() < shown.top()


def test_a_title_that_is_cut_off_is_the_tip_of_its_row(local: MainWindow):
    answers(local, "-2", "0.123456789012345678")
    rows = panel(local).rows
    titles = ["slope of × (L) → d", "slope of × (L) → f", "slope of + (d) → e"]
    for wide, tips in ((rows.width(), [""] * 3), (90, titles)):
        rows.setFixedWidth(wide)
        QApplication.processEvents()
        assert [rows.item(k).toolTip() for k in range(3)] == tips


def test_the_same_slip_twice_is_a_pattern_with_its_rule(local: MainWindow):
    answers(local, "-2", "-2", "1", "1")
    assert panel(local).sentence.isHidden() or not panel(local).more.isVisible()
    answers(local, "2")
    found = panel(local)
    assert found.slip.note.text() == "same idea at 3 and 6"
    assert "2 is a itself" in found.sentence.text()
    assert found.rule.text() == "∂(a × b)/∂a = b\n∂(a × b)/∂b = a"
    assert found.more.isVisible()


def test_three_more_are_asked_with_other_numbers_and_the_document_stays(local: MainWindow):
    answers(local, "-2", "-2", "1", "1", "2")
    sheet, found = local.document.sheet, panel(local)
    click(found.more)
    assert found.drill.field.hasFocus()
    for place in (1, 2, 3):
        drill = found.drill.drills[place - 1]
        right = answer(drill.question, drill.trace)
        _slip, wrong = next(belief_numbers(drill.question, drill.trace))
        assert found.drill_block.note.text() == f"{place} of 3"
        assert "slope of ×" in found.drill.question.text()
        press(local, "two", Qt.Key.Key_Return)
        assert "Write a number" in found.drill.verdict.text()
        found.drill.field.clear()
        press(local, f"{wrong if place == 2 else right:g}", Qt.Key.Key_Return)
        assert ("✘" in found.drill.verdict.text()) == (place == 2)
        assert ("2 of 3 right." in found.drill.verdict.text()) == (place == 3)
        press(local, Qt.Key.Key_Return)
    assert found.drill.isHidden()
    assert local.canvas.hasFocus()
    assert local.document.sheet is sheet
    assert not local.document.modified


def test_three_more_that_are_right_mend_the_belief_behind_them(local: MainWindow):
    answers(local, "-2", "-2", "1", "1", "2")
    progress, found = local.context.progress, panel(local)
    assert progress.open_beliefs == ("own",)
    click(found.more)
    for drill in found.drill.drills:
        right = answer(drill.question, drill.trace)
        press(local, f"{right:g}", Qt.Key.Key_Return, Qt.Key.Key_Return)
    assert progress.open_beliefs == ()
    assert [held.stage for held in progress.progress.beliefs] == ["mended"]


def test_three_more_are_asked_and_offered_on_their_graph_alone(local: MainWindow):
    answers(local, "-2", "-2", "1", "1", "2")
    found = panel(local)
    click(found.more)
    assert found.drill_block.isVisible()
    local.document.start(Drawing(from_expression("p*q + 1")))
    QApplication.processEvents()
    assert found.isVisible()
    assert found.drill_block.isHidden()
    assert found.slip.isHidden()


def test_esc_leaves_the_drill_and_nothing_else(local: MainWindow):
    answers(local, "-2", "-2", "1", "1", "2")
    click(panel(local).more)
    press(local, "3", Qt.Key.Key_Escape)
    assert panel(local).drill.isHidden()
    assert local.context.modes.now is not None


def test_a_run_that_ends_is_summed_up_and_can_be_handed_in(
    local: MainWindow, tmp_path: Path, capsys
):
    answers(local, "-2", "-2", "1", "1", "2", "2")
    press(local, "p")
    assert said(local) == (
        "4 of 6 questions right first time. 2 of 2 missed: the own value taken for the slope."
    )
    found = panel(local)
    assert found.slips.text() == "the own value taken for the slope: twice"
    click(found.save)
    dialog = dialog_of(local, ReportDialog)
    assert dialog.name.hasFocus(), "the name is asked for once"
    QTest.keyClicks(dialog.name, "Ada  Lovelace")
    choose_file(local, tmp_path / "ada")
    path = tmp_path / "ada.report.json"
    assert "not a lock" in json.loads(path.read_text("utf-8"))["note"]
    report = read(path.read_bytes())
    assert len(report.record.attempts) == 6
    assert report.graph == local.document.graph
    assert (report.student, report.title) == ("Ada Lovelace", "Shared leaf")
    assert run_verb(["grade", str(path)]) == 0
    row = capsys.readouterr().out.splitlines()[1]
    assert row.startswith("ada.report.json  Ada Lovelace  Shared leaf: e = a*b; d = e + a;")
    today = date.today().isoformat()
    assert row.split()[-11:] == ["6", "6", "4", "0", "0", "2", today, "own", "value", "×", "2"]


def test_the_name_is_kept_and_can_be_changed_where_the_report_is_saved(
    local: MainWindow, tmp_path: Path
):
    answers(local, "-2")
    local.commands["save_report"].trigger()
    dialog = dialog_of(local, ReportDialog)
    dialog.accept()
    QApplication.processEvents()
    assert dialog.isVisible(), "without a name nothing is saved"
    box = next(d for d in open_dialogs(local) if isinstance(d, QMessageBox))
    assert box.text() == "Whose report is it?"
    box.close()
    QTest.keyClicks(dialog.name, "Ada")
    choose_file(local, tmp_path / "one")
    assert local.context.settings.student == "Ada"
    local.commands["save_report"].trigger()
    dialog = dialog_of(local, ReportDialog)
    assert (dialog.name.text(), dialog.name.hasFocus()) == ("Ada", False)
    dialog.name.setText("Ben")
    choose_file(local, tmp_path / "two")
    saved = [read((tmp_path / f"{n}.report.json").read_bytes()) for n in ("one", "two")]
    assert [report.student for report in saved] == ["Ada", "Ben"]
    local.context.settings.store.setValue("asking/student", "a\nb" + "c" * 999)
    assert local.context.settings.student == "a\ufffdb" + "c" * 197


def attempts(window: MainWindow) -> list[tuple[int, bool, bool]]:
    """For each question of the run its step, whether it was seen, and whether right first time."""
    now = window.context.modes.now
    assert now is not None
    return [(a.question.step, a.seen, a.right_first) for a in now.record.attempts]


LOOKS: dict[str, Callable[[MainWindow], object]] = {
    "jump to the end and back": lambda w: (w.playback.to_end(), w.playback.go(1)),
    "jump to the end and begin again": lambda w: (w.playback.to_end(), w.playback.backward()),
    "scrub past it": lambda w: (w.playback.go(2), w.playback.go(1)),
    "edit after looking, and take it back": lambda w: (
        w.playback.to_end(),
        w.document.set_value(node(w, "a"), 5.0),
        w.playback.go(1),
        w.document.undo(),
    ),
    "skip it, and begin again": lambda w: (w.context.modes.skip(), w.playback.backward()),
}


@pytest.mark.parametrize("way", sampled(LOOKS, 2))
def test_what_was_looked_at_first_is_seen_and_not_right_first_time(local: MainWindow, way: str):
    LOOKS[way](local)
    answers(local, "-2")
    assert attempts(local)[-1] == (2, True, False)
    row = panel(local).rows.texts()[0 if "skip" not in way else -2]
    assert row == "step 2, slope of × (L) → d: −2. Seen before it was answered."
    assert panel(local).run.note.text() == "0 of 1 right first time"


def test_what_was_passed_no_further_is_not_seen(local: MainWindow):
    local.playback.go(3)
    local.playback.go(1)
    answers(local, "-2", "-4", "1")
    assert attempts(local) == [(2, True, False), (3, True, False), (4, False, True)]
    local.playback.backward()
    answers(local, "-2", "-4", "1")
    assert [seen for _step, seen, _first in attempts(local)[3:]] == [False] * 3, "answered by then"


def test_other_numbers_after_an_edit_were_not_seen(local: MainWindow):
    local.playback.to_end()
    local.document.set_value(node(local, "f"), 5.0)
    local.playback.go(1)
    answers(local, "5")
    assert attempts(local) == [(2, True, False)], "the whole pass was shown with the new number"
    local.context.modes.leave()
    local.playback.backward()
    press(local, "p")
    local.document.set_value(node(local, "f"), 7.0)
    answers(local, "7")
    assert attempts(local) == [(2, False, True)]


def test_a_final_gradient_is_seen_once_all_has_arrived(shared_leaf: MainWindow):
    ask(shared_leaf, "final gradients")
    assert shared_leaf.playback.cursor == 0
    shared_leaf.playback.go(5)  # L, d, f, e have theirs, a holds the first of two contributions
    shared_leaf.playback.go(0)
    answers(shared_leaf, "1")
    now = shared_leaf.context.modes.now
    assert now is not None
    names = shared_leaf.document.graph.names
    seen = {names[a.question.node]: a.seen for a in now.record.attempts}
    assert seen == {"f": True, "a": False, "b": False}


def test_values_are_seen_where_the_forward_pass_was_left(shared_leaf: MainWindow):
    press(shared_leaf, "p")
    shared_leaf.playback.forward()
    answers(shared_leaf, "-6")
    shared_leaf.playback.backward()
    shared_leaf.playback.forward()
    answers(shared_leaf, "-6", "-4")
    now = shared_leaf.context.modes.now
    assert now is not None
    assert [a.seen for a in now.record.attempts] == [False, False, True]


def test_a_second_round_does_not_show_the_numbers_of_the_first(local: MainWindow):
    answers(local, "-2", "-2", "1", "1", "2", "2")
    press(local, "b", Qt.Key.Key_Right)
    found = panel(local)
    assert [text for text in found.rows.texts() if "−4" in text] == []
    assert not found.more.isVisible()
    assert found.run.note.text() == "4 of 6 right first time"


def test_level_and_every_step_are_kept_for_the_next_start(shared_leaf: MainWindow):
    shared_leaf.commands["all_tools"].trigger()  # without it blanks are folded
    assert entries(shared_leaf.menu_bar.menu("Learn/Blanks"))[:8] == [
        *("Contribution and sum", "Slope", "Contribution", "Sum", "Whole step"),
        *("Final gradients", "Values", "Next node"),
    ]
    shared_leaf.commands["level-whole step"].trigger()
    assert shared_leaf.context.settings.level == "whole step"
    assert shared_leaf.context.settings.asked_steps == ""
    shared_leaf.commands["ask_every"].trigger()
    assert shared_leaf.context.settings.asked_steps == "every"
    shared_leaf.context.settings.store.setValue("asking/blanks", "nonsense")
    assert shared_leaf.context.settings.level == "contribution and sum"


def test_friendly_numbers_are_one_step_that_can_be_undone(shared_leaf: MainWindow, qtbot):
    before = [value(shared_leaf, name) for name in "abf"]
    shared_leaf.commands["friendly"].trigger()
    qtbot.waitUntil(lambda: not shared_leaf.context.friendly.running, timeout=60_000)
    assert "a right answer differs from every slip" in said(shared_leaf)
    assert [value(shared_leaf, name) for name in "abf"] != before
    press(shared_leaf, "p")
    now = shared_leaf.context.modes.now
    assert now is not None
    assert now.record.seed is not None
    shared_leaf.context.modes.leave()
    shared_leaf.canvas.setFocus()
    press(shared_leaf, Qt.Key.Key_Z, modifier=CTRL)
    assert [value(shared_leaf, name) for name in "abf"] == before
    assert not shared_leaf.document.done


def test_numbers_that_stay_say_why(window: MainWindow, qtbot):
    open_drawing(window.context, Drawing(chain(60)))
    before = window.document.sheet
    window.commands["friendly"].trigger()
    qtbot.waitUntil(lambda: not window.context.friendly.running, timeout=60_000)
    assert said(window).startswith("The numbers stay: ")
    assert window.document.sheet is before


def test_an_edit_ends_the_search_for_friendly_numbers(shared_leaf: MainWindow, qtbot):
    shared_leaf.context.friendly.begin(("local",), shared_leaf.playback.rules, 1)
    if shared_leaf.context.friendly.running:
        shared_leaf.document.set_value(node(shared_leaf, "a"), 7.0)
    qtbot.waitUntil(lambda: not shared_leaf.context.friendly.running, timeout=60_000)
    assert not shared_leaf.context.messages.progress.isVisible()


def test_typing_in_the_drill_presses_no_key_of_the_window(local: MainWindow):
    answers(local, "-2", "-2", "1", "1", "2")
    click(panel(local).more)
    cursor = local.playback.cursor
    QTest.keyClicks(panel(local).drill.field, "pcb.")
    press(local, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home)
    assert local.playback.cursor == cursor
    assert local.context.modes.now is not None


def test_answers_to_another_graph_are_not_taken_for_answers_to_this_one(local: MainWindow):
    answers(local, "-2", "-2")
    local.context.modes.leave()
    found = panel(local)
    assert "The last run" in texts_of(found)
    local.document.set_value(node(local, "a"), 5.0)
    assert "The last run" in texts_of(found)
    local.document.mark_root(node(local, "d"))
    assert "The last run, on another graph" in texts_of(found), "another root"
    press(local, "z", modifier=CTRL)
    assert "The last run" in texts_of(found)
    local.document.mark_root(node(local, "d"))
    assert local.commands["save_report"].isEnabled(), "an edited graph is the same document"
    local.document.replace_graph(from_expression("y = a*a"), "y = a*a")
    assert not [text for text in texts_of(found) if "run" in text], "another document has none"
    assert not local.commands["save_report"].isEnabled()
    forget_changes(local)
    open_example(local, "neuron")
    assert not [text for text in texts_of(found) if "run" in text]
    press(local, "p")
    assert "This run" in texts_of(found)


def texts_of(found: QWidget) -> list[str]:
    return [label.text() for label in found.findChildren(QLabel) if label.isVisible()]


def test_a_long_wrong_answer_leaves_room_for_its_step_and_title(local: MainWindow):
    answers(local, "1234567890" * 4)
    found = panel(local)
    assert "1234567890" * 4 in found.rows.texts()[0]
    row = found.rows.rows[0]
    written = "".join(span.text for span in row.below).partition("\n")[0]
    assert written.startswith("you said 12345")
    assert len(written) < 30
