"""A lecturer takes a lecture along on paper, and the hands of its questions as a file."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.guide.play.guide import room_of
from app.window.commands.lesson_actions import begin_lesson
from app.window.dialogs.export import ExportDialog
from engine.formats.files import shown_name
from tests.helpers.exported import words_by_page
from tests.helpers.window import (
    choose_file,
    click,
    dialog_of,
    open_dialogs,
    opened_window,
    press,
    said,
    until,
)


@pytest.fixture
def marked(qtbot):
    """The shared leaf with marks at two steps, set by A."""
    with opened_window(qtbot, example="shared-leaf") as window:
        window.playback.backward()
        for step in (2, 6):
            window.playback.go(step)
            press(window, Qt.Key.Key_A)
        yield window


def ask(window) -> ExportDialog:
    window.commands["export-handout"].trigger()
    dialog = dialog_of(window, ExportDialog)
    dialog.refresh()
    return dialog


def test_the_marks_of_the_sheet_become_a_page_each(marked, tmp_path):
    dialog = ask(marked)
    fields = dialog.fields
    shown = (fields["per_page"], fields["notes"], fields["paper"])
    assert all(field.isVisible() for field in shown)
    assert not fields["blank"].isVisible()
    page = dialog.preview.picture.picture
    assert page.height() / page.width() == pytest.approx(297 / 210, abs=0.02)
    fields["paper"].setCurrentText("Letter")
    dialog.refresh()
    page = dialog.preview.picture.picture
    assert page.height() / page.width() == pytest.approx(279.4 / 215.9, abs=0.02)
    path = tmp_path / "shared-leaf-handout.pdf"
    assert dialog.path.text().endswith(path.name)
    dialog.path.setText(str(path))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    until(lambda: not open_dialogs(marked))
    assert said(marked) == f"Exported {path.name} to {shown_name(tmp_path)}."
    pages = ["".join(words) for words in words_by_page(path.read_bytes())]
    assert ["Step 1 of 2" in pages[0], "Step 2 of 2" in pages[1], len(pages)] == [True, True, 2]


def test_after_a_lecture_the_handout_hides_the_mistake_and_numbers_that_the_room_had(marked):
    planned = marked.context.recorders.for_room()
    marked.presentation.begin(room_of(planned.lesson, seed=7))
    press(marked, Qt.Key.Key_Escape)
    found = marked.context.recorders.for_room()
    assert (planned.seed, found.seed) == (0, 7)


def test_without_a_mark_there_is_nothing_to_hand_out_until_a_lesson_is_on(qtbot):
    with opened_window(qtbot, example="shared-leaf") as window:
        assert not window.commands["export-handout"].isEnabled()
        window.commands["export-worksheet"].trigger()
        dialog = dialog_of(window, ExportDialog)
        item = dialog.fields.form.findData("handout")
        enabled = Qt.ItemFlag.ItemIsEnabled
        assert (
            not dialog.fields.form.model().flags(dialog.fields.form.model().index(item, 0))
            & enabled
        )
        dialog.reject()
        begin_lesson(window.context, "two-paths")
        until(lambda: window.commands["export-handout"].isEnabled())
        dialog = ask(window)
        assert not dialog.preview.picture.picture.isNull()
        assert "key" in dialog.note.text()


def test_the_hands_of_a_lecture_are_saved_after_its_end(marked, tmp_path):
    recorder = marked.context.recorders.get()
    recorder.choose(1)
    recorder.set_kind("ask")
    assert not marked.commands["save_hands"].isEnabled()
    assert recorder.lesson is not None
    marked.context.shell.present_lesson(recorder.lesson)
    press(marked, Qt.Key.Key_PageDown)
    for number in (Qt.Key.Key_1, Qt.Key.Key_4, Qt.Key.Key_4):
        press(marked, number)
    press(marked, Qt.Key.Key_Escape)
    until(lambda: not marked.presentation.on)
    assert marked.commands["save_hands"].isEnabled()
    click(marked.context.messages.notice.button)
    path = tmp_path / "Two paths-hands.json"
    choose_file(marked, path)
    record = json.loads(path.read_text("utf-8"))
    assert record["date"] == marked.context.progress.today().isoformat()
    (question,) = record["questions"]
    assert (question["step"], question["question"]) == (2, "What does × (e) pass to a?")
    assert [choice.get("hands", 0) for choice in question["choices"]] == [1, 0, 0, 2]
    assert said(marked) == f"Saved as {path.name}."
