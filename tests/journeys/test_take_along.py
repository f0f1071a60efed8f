"""A teacher takes away a page, a worksheet, a strip and a GIF; a learner takes a lesson along."""

from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog

from app.lessons.course import course
from app.panels.lesson import LessonPage
from app.window.commands.lesson_actions import begin_lesson
from app.window.dialogs.export import ExportDialog
from app.window.frame.main_window import MainWindow
from engine.formats.files import shown_name
from tests.helpers.exported import data_of
from tests.helpers.mouse import key
from tests.helpers.window import (
    CTRL,
    answer,
    choose,
    choose_file,
    click,
    dialog_of,
    finish_slices,
    no_question,
    open_dialogs,
    opened_window,
    press,
    question,
    said,
    until,
)

LESSON = "two-paths"
FILES = [
    f"{LESSON}{end}" for end in ("-strip.pdf", "-worksheet-key.pdf", "-worksheet.pdf", ".html")
]


def step(window: MainWindow) -> None:
    window.playback.backward()
    window.playback.go(6)


@pytest.fixture
def stepped(qtbot):
    """The example of a neuron after six steps backward."""
    with opened_window(qtbot, example="neuron", prepare=step) as window:
        yield window


def ask(window, form: str) -> ExportDialog:
    window.commands[f"export-{form}"].trigger()
    dialog = dialog_of(window, ExportDialog)
    dialog.refresh()
    return dialog


def write(window, dialog: ExportDialog, folder: Path) -> Path:
    """Export into a folder under the suggested name, by Enter."""
    path = folder / Path(dialog.path.text()).name
    dialog.path.setText(str(path))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    until(lambda: not open_dialogs(window))
    return path


def choose_by_keys(box: QComboBox, text: str, *keys: Qt.Key) -> None:
    """Open a box by its first letter or ↓, go on in its list, and press Enter."""
    if text:
        QTest.keyClicks(box, text[0])
    else:
        QTest.keyClick(box, Qt.Key.Key_Down)
    QTest.keyClicks(box.view(), text[1:])
    for pressed in (*keys, Qt.Key.Key_Return):
        QTest.keyClick(box.view(), pressed)


@pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard")
def test_a_page_asks_what_was_chosen_by_the_keys_alone(stepped, tmp_path):
    press(stepped, Qt.Key.Key_E, modifier=CTRL)
    dialog = dialog_of(stepped, ExportDialog)
    dialog.fields.form.setFocus()
    choose_by_keys(dialog.fields.form, "HTML")
    assert dialog.fields["ask"].isVisible()
    assert not dialog.fields["paper"].isVisible()
    QTest.keyClick(dialog.fields.form, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is dialog.fields["ask"]
    choose_by_keys(dialog.fields["ask"], "", Qt.Key.Key_Down, Qt.Key.Key_Down)
    dialog.refresh()
    assert dialog.note.text() == "The page asks 1 number."
    assert "Backward pass, step 2 of 10. " in dialog.preview.text.toPlainText()
    path = write(stepped, dialog, tmp_path)
    assert path.name == "neuron.html"
    assert (
        sum(len(step.get("questions", ())) for step in data_of(path.read_text("utf-8"))["steps"])
        == 1
    )
    assert said(stepped) == f"Exported neuron.html to {shown_name(tmp_path)}."


def test_a_worksheet_comes_with_its_key_and_asks_before_either_is_replaced(stepped, tmp_path):
    (tmp_path / "neuron-worksheet-key.pdf").write_text("mine")
    dialog = ask(stepped, "worksheet")
    dialog.fields["copies"].setValue(2)
    dialog.refresh()
    assert dialog.note.text().startswith("2 sheets, each with numbers of its own")
    page = dialog.preview.picture.picture
    assert page.height() / page.width() == pytest.approx(297 / 210, abs=0.02)
    dialog.path.setText(str(tmp_path / "neuron-worksheet.pdf"))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert "neuron-worksheet-key.pdf" in question(dialog).text()
    answer(dialog, "Replace")
    until(lambda: not open_dialogs(stepped))
    for name in ("neuron-worksheet.pdf", "neuron-worksheet-key.pdf"):
        assert (tmp_path / name).read_bytes().startswith(b"%PDF")
    assert said(stepped).startswith("Exported 2 files to ")


def test_a_strip_begins_with_the_last_steps_and_takes_others(stepped, tmp_path):
    dialog = ask(stepped, "strip")
    assert dialog.fields["strip"].text() == "4, 5, 6"
    buttons = dialog.fields.step_buttons.buttons
    assert [k for k, button in enumerate(buttons, 1) if button.isChecked()] == [4, 5, 6]
    click(buttons[0])
    buttons[4].setFocus()
    key(Qt.Key.Key_Space)
    assert dialog.fields["strip"].text() == "1, 4, 6"
    three = QImage(str(write(stepped, dialog, tmp_path)))
    dialog = ask(stepped, "strip")
    dialog.fields["strip"].setText("1 2")
    dialog.fields["upright"].setChecked(True)
    two = QImage(str(write_replacing(stepped, dialog, tmp_path)))
    assert three.width() > 2 * two.width()
    assert two.height() > three.height()


def write_replacing(window, dialog: ExportDialog, folder: Path) -> Path:
    path = folder / Path(dialog.path.text()).name
    dialog.path.setText(str(path))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    answer(dialog, "Replace")
    until(lambda: not open_dialogs(window))
    return path


def test_a_strip_of_no_such_steps_is_refused_in_one_sentence(stepped, tmp_path):
    dialog = ask(stepped, "strip")
    for steps in ("", "4", "4, 99", "1,2,3,4,5,6,7", "a, b", "-1, 2"):
        dialog.fields["strip"].setText(steps)
        dialog.refresh()
        note = dialog.note.text()
        dialog.path.setText(str(tmp_path / "strip.png"))
        QTest.keyClick(dialog, Qt.Key.Key_Return)
        assert no_question(dialog)
        assert note.count(".") == 1, steps
        assert not dialog.save.isEnabled()
    dialog.fields["strip"].setText("1, 2")
    dialog.refresh()
    assert dialog.save.isEnabled()
    assert not list(tmp_path.iterdir())


def test_a_gif_has_its_narration_beside_it(stepped, tmp_path):
    dialog = ask(stepped, "gif")
    dialog.fields["loop"].setChecked(True)
    path = write(stepped, dialog, tmp_path)
    with Image.open(path) as gif:
        assert getattr(gif, "n_frames", 1) == 10
        assert gif.info["loop"] == 0
    assert "Step 10 of 10. " in path.with_suffix(".txt").read_text("utf-8")


def test_cancel_ends_what_is_being_made_and_the_dialog_goes_on(stepped, tmp_path):
    dialog = ask(stepped, "worksheet")
    dialog.fields["copies"].setValue(200)
    dialog.path.setText(str(tmp_path / "sheet.pdf"))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    until(dialog.bar.isVisible)
    assert not dialog.save.isEnabled()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    assert dialog.save.isEnabled()
    assert not dialog.bar.isVisible()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not open_dialogs(stepped)
    assert not list(tmp_path.iterdir())


# a lesson


def end(window: MainWindow) -> None:
    begin_lesson(window.context, LESSON)
    window.context.guides.go_to(7)
    QApplication.processEvents()


@pytest.fixture
def ended(qtbot):
    """A window on the end page of a lesson."""
    with opened_window(qtbot, prepare=end) as window:
        yield window


def end_page(window) -> LessonPage:
    page = window.bar.page
    assert isinstance(page, LessonPage)
    return page


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_end_of_a_lesson_takes_it_along_into_a_folder(ended, tmp_path, monkeypatch):
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    click(end_page(ended).player.end.along)
    choose_file(ended, tmp_path)
    notice = ended.context.messages.notice
    until(notice.isVisible)
    assert files_in(tmp_path) == FILES
    assert notice.text() == f"Wrote page, worksheet, key and strip to {shown_name(tmp_path)}."
    click(notice.button)
    assert opened == [QUrl.fromLocalFile(str(tmp_path))]
    title = next(head.title for head in course().lessons if head.name == LESSON)
    assert data_of((tmp_path / f"{LESSON}.html").read_text("utf-8"))["title"] == title


def test_the_same_files_come_from_the_keys_and_are_replaced_only_when_asked(ended, tmp_path):
    (tmp_path / FILES[2]).write_text("mine")
    button = end_page(ended).player.end.along
    button.setFocus()
    key(Qt.Key.Key_Return)
    choose_file(ended, tmp_path)
    assert FILES[2] in question(ended).text()
    answer(ended, "Cancel")
    assert files_in(tmp_path) == [FILES[2]]
    choose(ended, "Learn/Lessons", "Take it along…")
    choose_file(ended, tmp_path)
    answer(ended, "Replace")
    until(ended.context.messages.notice.isVisible)
    assert files_in(tmp_path) == FILES


def test_taking_along_can_be_cancelled_while_it_is_made(ended, tmp_path):
    click(end_page(ended).player.end.along)
    choose_file(ended, tmp_path)
    card = ended.context.messages.progress
    assert card.isVisible()
    click(card.button)
    finish_slices(ended)
    assert not card.isVisible()
    assert not list(tmp_path.iterdir())


def test_without_a_lesson_there_is_nothing_to_take_along(stepped):
    assert not stepped.commands["lesson_take_along"].isEnabled()
    assert not stepped.findChildren(QFileDialog)
