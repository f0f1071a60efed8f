"""Export replaces nothing without a question, and its dialog stays until something is written."""

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.window.dialogs.export import ExportDialog
from tests.helpers.window import (
    answer,
    dialog_of,
    example_path,
    no_question,
    node,
    open_dialogs,
    opened_window,
    question,
)

posix = pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")


@pytest.fixture
def path(tmp_path) -> Path:
    """A graph on the disk, with leaves a and b."""
    found = tmp_path / "mine.backwire"
    found.write_bytes(example_path("shared-leaf").read_bytes())
    return found


@pytest.fixture
def opened(qtbot, path):
    """The window with that file and one change."""
    with opened_window(qtbot, path) as window:
        window.document.set_value(node(window, "a"), 42.0)
        yield window


def _into_a_missing_folder(opened, tmp_path) -> ExportDialog:
    opened.commands["export"].trigger()
    dialog = dialog_of(opened, ExportDialog)
    dialog.fields.transparent.setChecked(True)
    dialog.path.setText(str(tmp_path / "none" / "x.png"))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert question(dialog).text() == f"There is no folder {tmp_path / 'none'}."
    return dialog


def test_a_missing_folder_keeps_the_dialog_and_its_choices(opened, tmp_path):
    dialog = _into_a_missing_folder(opened, tmp_path)
    answer(dialog, "Cancel")
    assert dialog.isVisible()
    assert dialog.fields.transparent.isChecked()
    assert [path.name for path in tmp_path.iterdir()] == ["mine.backwire"]
    dialog.path.setText(str(tmp_path / "x.png"))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert (tmp_path / "x.png").exists()
    assert not dialog.isVisible()


def test_instead_of_a_missing_folder_another_is_offered(opened, tmp_path):
    dialog = _into_a_missing_folder(opened, tmp_path)
    answer(dialog, f"Write to {tmp_path.name}")
    assert (tmp_path / "x.png").exists()
    assert not (tmp_path / "none").exists()
    assert not open_dialogs(opened)


def test_a_missing_folder_is_made_on_request(opened, tmp_path):
    dialog = _into_a_missing_folder(opened, tmp_path)
    answer(dialog, "Make the folder")
    assert (tmp_path / "none" / "x.png").exists()
    assert not open_dialogs(opened)


def test_the_folder_is_kept_from_one_export_to_the_next(opened, tmp_path):
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    opened.commands["export-svg"].trigger()
    dialog = dialog_of(opened, ExportDialog)
    dialog.path.setText(str(pictures / "a.svg"))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    opened.commands["export-pdf"].trigger()
    dialog = dialog_of(opened, ExportDialog)
    assert Path(dialog.path.text()) == pictures / "mine.pdf"
    dialog.reject()
    (pictures / "a.svg").unlink()
    pictures.rmdir()
    opened.commands["export-pdf"].trigger()
    dialog = dialog_of(opened, ExportDialog)
    assert Path(dialog.path.text()) == tmp_path / "mine.pdf"
    dialog.refresh()
    assert f"The folder of the last export is gone: {pictures}." in dialog.note.text()


@posix
def test_an_export_over_a_protected_file_says_so_in_its_question(opened, tmp_path):
    path = tmp_path / "x.svg"
    path.write_text("kept")
    path.chmod(0o444)
    opened.commands["export-svg"].trigger()
    dialog = dialog_of(opened, ExportDialog)
    dialog.path.setText(str(path))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert "It is write-protected." in question(dialog).informativeText()
    answer(dialog, "Cancel")
    assert path.read_text() == "kept"
    assert dialog.isVisible()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    answer(dialog, "Replace")
    assert path.read_text().startswith("<?xml")


def test_an_export_never_writes_the_file_of_the_graph_itself(opened, path):
    before = path.read_bytes()
    opened.commands["export-native"].trigger()
    dialog = dialog_of(opened, ExportDialog)
    assert dialog.path.text() == str(path)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert "the file of the graph itself" in question(dialog).informativeText()
    answer(dialog, "Close")
    assert path.read_bytes() == before
    dialog.reject()
    opened.commands["save"].trigger()
    assert no_question(opened)
    assert path.read_bytes() != before


def test_numbered_pictures_replace_others_only_after_a_question(opened, tmp_path):
    for k in (0, 3):
        (tmp_path / f"x-{k}.svg").write_text("kept")
    opened.playback.backward()
    opened.commands["export-svg"].trigger()
    dialog = dialog_of(opened, ExportDialog)
    dialog.fields.all_steps.setChecked(True)
    dialog.path.setText(str(tmp_path / "x.svg"))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert question(dialog).text() == "Replace 2 files?"
    answer(dialog, "Cancel")
    assert (tmp_path / "x-3.svg").read_text() == "kept"
