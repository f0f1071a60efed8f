"""The final test, played in the window: by a learner who is always right, and by one with slips."""

import csv
import io
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication, QInputDialog

from app.cli import run_verb
from app.guide.run.guide_runner import TEST_LOCKED
from app.guide.words.final_result import values_text
from app.lessons.final_test import drawn_test
from app.panels.welcome.final_result_page import GRAPH_WIDTH, VALUES_WIDTH
from app.takeaway.forms import FORMS, KINDS
from app.window.commands.file_actions import export_files
from app.window.commands.lesson_actions import begin_drawn_test
from app.window.dialogs.export import ExportDialog
from app.window.dialogs.export_forms import export_of
from app.window.dialogs.file_dialogs import ReportDialog
from app.window.frame.main_window import MainWindow
from app.window.window_files import data_folder
from engine.asking.beliefs import belief_numbers
from engine.asking.kinds import answer
from engine.numbers import plain
from tests.helpers.answering import acts, push, told
from tests.helpers.lesson_learner import BACK, ENTER, ON, Learner
from tests.helpers.sampling import sized
from tests.helpers.window import (
    choose,
    choose_file,
    click,
    dialog_of,
    new_window,
    open_example,
    press,
    question,
    said,
    until,
)

SEED = 4
SLIPS = ("own value", "value for slope", "upstream forgotten", "minus lost", "replaced")
"""The slips of the second learner, in the first five questions."""


def play(window: MainWindow, slips: tuple[str, ...] = (), *, by_keys: bool = False) -> None:
    """Answer the whole test, the first questions with these slips."""
    begin_drawn_test(window.context, SEED)
    QApplication.processEvents()
    learner = Learner(window, by_keys=by_keys)
    for at in range(9):
        assert learner.state.at == at
        question, trace = learner.boxes[0], window.playback.now.unhidden_trace
        assert trace is not None
        texts = [*map(learner.right, learner.boxes)]
        if at < len(slips):
            numbers = belief_numbers(question, trace)
            texts = [plain(next(number for slip, number in numbers if slip.name == slips[at]))]
        give(window, learner, texts) if slips else learner.give(*texts)
        QApplication.processEvents()
    assert window.pages.at_result


def give(window: MainWindow, learner: Learner, texts: list[str]) -> None:
    """Answer as the fields do, without a hand that types; a node is clicked."""
    modes = window.context.modes
    if learner.boxes[0].kind == "next":
        learner.give(*texts)
        return
    for box, text in zip(learner.boxes, texts, strict=True):
        modes.set_text(box, text)
    modes.answer()


def saved_row(window: MainWindow, path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """Save the report by its button; return the row of `backwire grade`."""
    click(window.pages.result.save)
    dialog = dialog_of(window, ReportDialog)
    dialog.name.setText("Ada")
    choose_file(window, path)
    capsys.readouterr()
    assert run_verb(["grade", "--csv", str(path)]) == 0
    [row] = csv.DictReader(io.StringIO(capsys.readouterr().out))
    return row


def test_who_is_always_right_can_do_it_by_hand(window: MainWindow, tmp_path: Path, capsys):
    play(window, by_keys=True)
    page = window.pages.result
    assert page.score.text() == "8 of 8"
    assert page.sentence.text() == "You can do backpropagation by hand."
    assert all(": you said" in row and ", right, time" in row for row in page.rows.texts())
    row = saved_row(window, tmp_path / "ada.test.json", capsys)
    assert (row["student"], row["graph"]) == ("Ada", f"final test, seed {SEED}")
    assert row["score"].startswith("8 of 8, ")
    assert row["score"].endswith(": passed")
    assert (row["slips"], row["note"]) == ("", "")
    assert not window.context.progress.progress.slips
    window.show_work()
    for size in ((960, 540), (683, 384)):
        window.resize(*size)
        window.show_test_result()
        until(lambda: page.score.visibleRegion().boundingRect() == page.score.rect())
        assert window.focusWidget() is page.rows, size
        window.show_work()


def test_each_slip_is_named_comes_back_and_opens_its_step_after_a_restart_as_well(
    window: MainWindow, tmp_path: Path, capsys
):
    play(window, SLIPS)
    page = window.pages.result
    assert page.rows.hasFocus()
    assert page.rows.currentRow() == 0  # the first wrong one
    assert page.score.text() == "3 of 8"
    assert page.whole_score.text() == "and the whole graph right"
    cards = [card for card in page.cards.shown if card.isVisible()]
    assert [card.title.text() for card in cards] == [
        "✘  The slope alone: question 3",
        "✘  The value taken for the gradient: question 1 and question 2",
        "✘  A wrong sign: question 4",
        "✘  The last wire alone: question 5",
    ]
    returns = {card.returns.text() for card in cards if card.returns.isVisible()}
    assert returns == {"Comes back in Daily five after lesson 3, tomorrow at the earliest"}
    assert page.save.visibleRegion().boundingRect() == page.save.rect(), "without scrolling"
    row = saved_row(window, tmp_path / "bob.test.json", capsys)
    assert row["score"].startswith("3 of 8, ")
    assert row["score"].endswith("not passed")
    assert row["slips"] == "; ".join(SLIPS)
    assert {slip.name for slip in window.context.progress.progress.slips} == set(SLIPS)
    page.rows.setFocus()
    press(window, ENTER)
    assert not window.on_full_page
    single = drawn_test(SEED).singles[0]
    assert window.playback.cursor == single.question.step
    lesson = Learner(window).page
    assert lesson.player.texts[0].text().startswith("✘ You said")
    push(window, "next")
    assert Learner(window).state.at == 1
    click(lesson.result)
    assert window.pages.at_result
    check_after_a_restart(window, tmp_path, capsys)


def test_where_a_learner_begins_is_the_first_button_of_the_result(window: MainWindow):
    play(window, SLIPS[:5])
    page = window.pages.result
    buttons = [page.practise, page.save, page.again]
    assert [button.text() for button in buttons if button.isVisible()] == [
        "Practise this: lesson 2",
        "Save report…",
        "Another test",
    ]
    click(page.practise)
    assert not window.on_full_page
    assert Learner(window).state.lesson.name == "gears"
    choose(window, "Learn/Lessons", "Where do I begin?")
    assert Learner(window).state.is_test_open


def check_after_a_restart(window: MainWindow, tmp_path: Path, capsys) -> None:
    """The result is there, and leads to its steps."""
    titles = [card.title.text() for card in window.pages.result.cards.shown]
    slips = window.context.progress.progress.slips
    with new_window() as again:
        start = again.pages.welcome.test
        assert start.button.text() == "Result"
        click(start.button)
        QApplication.processEvents()
        page = again.pages.result
        assert again.pages.at_result
        assert page.rows.hasFocus()
        assert page.score.text() == "3 of 8"
        assert [card.title.text() for card in page.cards.shown] == titles
        assert saved_row(again, tmp_path / "bob.test.json", capsys)["score"].startswith("3 of 8, ")
        assert again.context.progress.progress.slips == slips
        page.rows.setFocus()
        press(again, ENTER)
        assert not again.on_full_page
        assert again.playback.cursor == drawn_test(SEED).singles[0].question.step
        assert Learner(again).page.player.texts[0].text().startswith("✘ You said")
        open_example(again)  # the test is left
        show = again.commands["final_test_result"]
        show.trigger()
        assert again.pages.at_result
        press(again, ENTER)
        assert again.context.guides.active


def test_a_result_that_can_not_be_read_is_said_and_another_test_is_offered(window: MainWindow):
    file = data_folder() / "final-test.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("{")
    window.show_start_page()
    button = window.pages.welcome.test.button
    click(button)
    assert said(window).startswith("The result of the final test can't be shown: ")
    assert window.on_full_page
    assert not window.pages.at_result
    assert button.text() == "Begin"
    assert not window.commands["final_test_result"].isEnabled()


def test_the_page_covers_no_graph_of_the_test_at_twice_the_size(window: MainWindow):
    window.resize(1366, 768)
    window.context.style.set_size(2.0)
    QApplication.processEvents()
    begin_drawn_test(window.context, 4117)
    learner, canvas = Learner(window), window.canvas
    for at in range(9):
        QApplication.processEvents()
        assert learner.state.at == at
        assert window.parts.page_floats
        page = learner.page.mapTo(window, learner.page.rect().topLeft()).x()
        right = canvas.camera.rect_on_screen(canvas.scene.bounds()).right()
        assert canvas.mapTo(window, canvas.rect().topLeft()).x() + right < page, at
        give(window, learner, [*map(learner.right, learner.boxes)])


def test_formulas_and_values_of_the_result_stand_whole_in_their_columns(window: MainWindow):
    """The longest of many tests, in the fonts of the table."""
    style = window.context.style
    code, words = (QFontMetricsF(style.font(role)) for role in ("code", "interface"))
    drawn = [drawn_test(seed) for seed in range(sized(4, 12))]
    singles = [single for test in drawn for single in test.singles]
    formulas = [
        *(single.expression for single in singles),
        *(t.all_gradients.expression for t in drawn),
    ]
    values = [values_text(single.question, single.trace) for single in singles]
    assert max(map(code.horizontalAdvance, formulas)) <= style.px(GRAPH_WIDTH)
    assert max(map(words.horizontalAdvance, values)) <= style.px(VALUES_WIDTH)


def test_a_question_has_one_try_and_no_help(window: MainWindow):
    begin_drawn_test(window.context, SEED)
    QApplication.processEvents()
    learner = Learner(window)
    assert set(acts(window)) <= {"back", "answer"}
    assert not learner.page.show_me.isVisible()
    learner.give("")
    assert told(window) == "One blank is empty."  # nothing is judged: the try is not used
    learner.give("12345")
    assert learner.state.at == 1
    assert "✘" not in told(window)
    press(window, BACK)
    assert learner.state.at == 1
    press(window, ON)
    assert learner.state.at == 1
    assert learner.page.player.warning.text() == "Not answered yet; a guess is an answer, too."


def test_while_the_test_is_open_no_export_shows_an_answer(window: MainWindow, tmp_path: Path):
    begin_drawn_test(window.context, SEED)
    window.context.settings.export_form = "page"
    QApplication.processEvents()
    off = {name for name, form in FORMS.items() if form.shows_hidden}
    assert off == {"strip", "gif", "page", "worksheet", "handout", "latex"}
    on = FORMS.keys() - off
    found = {name for kind, name in KINDS.items() if window.commands[f"export-{kind}"].isEnabled()}
    assert found == on
    assert not window.commands["export-all"].isEnabled()
    window.commands["export"].trigger()
    dialog = dialog_of(window, ExportDialog)
    box = dialog.fields.form
    assert dialog.fields.chosen_kind == "png", "not that of the last export"
    assert not dialog.fields["all_steps"].isEnabled()
    items = {box.itemData(k): box.model().index(k, 0).flags() for k in range(box.count())}
    assert {key for key, flags in items.items() if flags & Qt.ItemFlag.ItemIsEnabled} == on
    dialog.reject()
    for key, chosen in (
        *((kind, {}) for form in off for kind in FORMS[form].kinds),
        *((kind, {"all_steps": True}) for kind in ("pdf", "classic-svg")),
    ):
        export = export_of(key, tmp_path / "x", **chosen)
        assert not export_files(window.context, export, window)
        assert question(window).informativeText().startswith("It would show answers"), key
        question(window).reject()
    assert not list(tmp_path.iterdir())
    window.context.guides.end()
    open_example(window)
    assert window.commands["export-page"].isEnabled()


def test_the_answer_can_be_reached_neither_on_the_timeline_nor_in_another_mode(window: MainWindow):
    begin_drawn_test(window.context, SEED)
    QApplication.processEvents()
    question = Learner(window).boxes[0]
    trace = window.playback.now.unhidden_trace
    assert trace is not None
    window.playback.to_end()
    assert window.playback.cursor == question.step - 1
    window.context.document.set_value(window.document.graph.leaves[0], 1.0)
    assert said(window) == TEST_LOCKED
    window.context.modes.toggle(cover=True)
    QApplication.processEvents()
    assert Learner(window).boxes == (question,)
    assert answer(question, trace) not in window.playback.frame.grads.values()


def test_a_class_that_types_the_same_number_gets_the_same_test(window: MainWindow):
    choose(window, "Learn/Lessons", "Final test of a number…")
    dialog = dialog_of(window, QInputDialog)
    dialog.setIntValue(4117)
    dialog.accept()
    QApplication.processEvents()
    state = window.context.guides.learner
    assert state is not None
    assert (state.is_test_open, state.seed) == (True, 4117)
    assert Learner(window).page.player.minutes.text() == "number 4117"
    assert window.document.graph == drawn_test(4117).singles[0].trace.graph
