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


def test_export_into_a_folder_that_is_not_there_keeps_the_dialog_and_its_choices(opened, tmp_path):
    opened.commands["export"].trigger()
    dialog = dialog_of(opened, ExportDialog)
    dialog.transparent.setChecked(True)
    dialog.path.setText(str(tmp_path / "none" / "x.png"))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert question(dialog).text() == "Nothing was written."
    assert f"there is no folder {tmp_path / 'none'}" in question(dialog).informativeText()
    answer(dialog, "Close")
    assert dialog.isVisible()
    assert dialog.transparent.isChecked()
    dialog.path.setText(str(tmp_path / "x.png"))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert (tmp_path / "x.png").exists()
    assert not dialog.isVisible()


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
    dialog.all_steps.setChecked(True)
    dialog.path.setText(str(tmp_path / "x.svg"))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert question(dialog).text() == "Replace 2 files?"
    answer(dialog, "Cancel")
    assert (tmp_path / "x-3.svg").read_text() == "kept"
