"""Nothing on the disk is lost: files that changed, are gone or protected, bad names, bad copies."""

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit

from app.document.document import Document
from app.document.document_file import DocumentFile
from app.document.recovery import Recovery, state_folder
from app.window.commands.save_actions import offer_recovered, save_as
from app.window.dialogs.export import ExportDialog
from app.window.frame.main_window import MainWindow
from engine import from_expression
from engine.formats.files import load
from tests.helpers.sampling import sampled
from tests.helpers.window import (
    CTRL,
    answer,
    choose_file,
    dialog_of,
    example_path,
    no_question,
    node,
    open_dialogs,
    opened_window,
    press,
    question,
    said,
    value,
)

posix = pytest.mark.skipif(os.name != "posix", reason="modes and pipes of POSIX")


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


@pytest.fixture
def unsaved():
    """The folder of recovery copies, empty before and after."""
    folder = state_folder() / "unsaved"

    def clear() -> None:
        for left in folder.rglob("*"):
            if left.is_file():
                left.unlink()

    clear()
    yield folder
    clear()


def crashed(formula: str, origin: Path | None = None) -> Path:
    """Leave behind what a window does that is killed with this formula; gives its copy."""
    document = Document()
    file = DocumentFile(document)
    if origin is not None:
        file.open(origin)
    document.replace_graph(from_expression(formula))
    recovery = Recovery(document, known_hash=lambda: file.known_hash)
    recovery.keep()
    assert recovery._lock is not None
    recovery._lock.unlock()
    recovery._timer.stop()
    return recovery._file


def save_dialog(window: MainWindow) -> QFileDialog:
    (found,) = [d for d in window.findChildren(QFileDialog) if d.isVisible()]
    return found


def type_name(dialog: QFileDialog, name: str) -> None:
    """Type a name into the dialog and press Enter."""
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    assert field is not None
    dialog.activateWindow()
    field.setFocus()
    QApplication.processEvents()
    assert field.hasFocus()
    field.selectAll()
    typed = QInputMethodEvent()
    typed.setCommitString(name)
    QApplication.sendEvent(field, typed)
    QTest.keyClick(field, Qt.Key.Key_Return)
    QApplication.processEvents()


def test_two_graphs_left_behind_are_asked_about_one_after_the_other(qtbot, path):
    crashed("x * y", path)
    crashed("p * q")
    with opened_window(qtbot) as window:
        window.after_start()
        assert question(window).text().endswith("unsaved work: a graph that was never saved.")
        answer(window, "Throw away")
        assert question(window).text().endswith("unsaved work: mine.backwire.")
        answer(window, "Restore")
        assert no_question(window)
        assert window.document.graph.node_named("y") is not None


# a file that changed


def test_after_a_restore_save_asks_before_it_replaces_a_newer_file(qtbot, path, unsaved):
    crashed("x * y", path)
    path.write_text(path.read_text() + "\n")
    newer = path.read_bytes()
    with opened_window(qtbot) as window:
        offer_recovered(window.context)
        assert "The file itself was written since then" in question(window).informativeText()
        answer(window, "Restore")
        press(window, "s", modifier=CTRL)
        assert (
            question(window).text() == "mine.backwire has changed on the disk since it was opened."
        )
        answer(window, "Cancel")
        assert path.read_bytes() == newer
        press(window, "s", modifier=CTRL)
        answer(window, "Overwrite")
        assert path.read_bytes() != newer
        assert not window.document.modified


def test_after_a_restore_save_asks_nothing_when_the_file_is_as_it_was(qtbot, path, unsaved):
    crashed("x * y", path)
    with opened_window(qtbot) as window:
        offer_recovered(window.context)
        assert "written since" not in question(window).informativeText()
        answer(window, "Restore")
        press(window, "s", modifier=CTRL)
        assert no_question(window)
        assert {"x", "y"} <= set(load(path).names.values())


# a file that is gone


def test_saving_asks_when_the_file_was_deleted(opened, path):
    path.unlink()
    press(opened, "s", modifier=CTRL)
    assert question(opened).text() == "mine.backwire is no longer on the disk."
    answer(opened, "Cancel")
    assert not path.exists()
    press(opened, "s", modifier=CTRL)
    answer(opened, "Save again")
    assert path.exists()
    assert not opened.document.modified


def test_closing_asks_when_the_file_was_deleted_though_all_was_saved(opened, path):
    press(opened, "s", modifier=CTRL)
    path.unlink()
    opened.close()
    assert opened.isVisible()
    assert question(opened).text() == "mine.backwire is no longer on the disk. Save it again?"
    answer(opened, "Save")
    assert path.exists()
    assert not opened.isVisible()


def test_coming_back_to_the_window_shows_that_the_file_was_deleted(opened, path):
    press(opened, "s", modifier=CTRL)
    path.unlink()
    application = QGuiApplication.instance()
    assert isinstance(application, QGuiApplication)
    application.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    assert opened.isWindowModified()
    assert said(opened) == "mine.backwire is no longer on the disk. Save to write it again."


# a file that may not be written, and what is no file


@posix
def test_a_write_protected_file_is_saved_over_only_after_a_question(opened, path):
    path.chmod(0o444)
    before = path.read_bytes()
    press(opened, "s", modifier=CTRL)
    assert question(opened).text() == "mine.backwire is write-protected."
    answer(opened, "Cancel")
    assert path.read_bytes() == before
    press(opened, "s", modifier=CTRL)
    answer(opened, "Overwrite")
    assert path.read_bytes() != before
    assert path.stat().st_mode & 0o777 == 0o444


@posix
def test_save_as_over_a_protected_file_says_so_in_its_question(opened, path, tmp_path):
    other = tmp_path / "other.backwire"
    other.write_text("kept")
    other.chmod(0o444)
    opened.commands["save_as"].trigger()
    choose_file(opened, other)
    assert "It is write-protected." in question(opened).informativeText()
    answer(opened, "Cancel")
    assert other.read_text() == "kept"


@pytest.mark.parametrize("kind", sampled(["folder", "pipe"], 2))
def test_save_as_replaces_nothing_that_is_no_file(opened, tmp_path, kind):
    if os.name != "posix":
        pytest.skip("pipes of POSIX")
    other = tmp_path / "other.backwire"
    other.mkdir() if kind == "folder" else os.mkfifo(other)
    opened.commands["save_as"].trigger()
    choose_file(opened, other)
    assert question(opened).text() == "other.backwire was not saved."
    assert f"it is a {kind}, not a file" in question(opened).informativeText()
    answer(opened, "Close")
    assert not other.is_file()
    assert save_dialog(opened)


# names


@pytest.mark.parametrize("name", sampled(["ä" * 130, "n" * 256], 2))
def test_a_name_that_is_too_long_is_told_and_the_dialog_stays(opened, tmp_path, name):
    opened.commands["save_as"].trigger()
    dialog = save_dialog(opened)
    dialog.setDirectory(str(tmp_path))
    type_name(dialog, name)
    length = len(f"{name}.backwire".encode())
    assert f"its name takes {length} bytes" in question(dialog).informativeText()
    answer(dialog, "Close")
    assert save_dialog(opened) is dialog
    type_name(dialog, "short")
    assert said(opened) == "Saved as short.backwire."
    assert (tmp_path / "short.backwire").exists()


def test_a_save_as_that_fails_asks_for_a_place_again_and_then_goes_on(opened, tmp_path):
    opened.close()
    save_as(opened.context, opened._close_now)
    answer(opened, "Cancel")
    choose_file(opened, tmp_path / "none" / "x.backwire")
    assert "there is no folder" in question(opened).informativeText()
    answer(opened, "Close")
    choose_file(opened, tmp_path / "x.backwire")
    assert (tmp_path / "x.backwire").exists()
    assert not opened.isVisible()


# recovery copies


def test_a_broken_newest_copy_is_set_aside_and_an_older_one_is_offered(qtbot, unsaved):
    older, newest = crashed("x * y"), crashed("x + 1")
    os.utime(older, (1e9, 1e9))
    newest.write_text("cut o")
    with opened_window(qtbot) as window:
        offer_recovered(window.context)
        assert "A newer copy of unsaved work can't be read" in question(window).informativeText()
        answer(window, "Restore")
        assert value(window, "x") == 1.0
        assert window.document.graph.node_named("y") is not None
    assert newest.with_suffix(".broken").read_text() == "cut o"


def test_a_broken_copy_alone_is_told_once(qtbot, unsaved):
    crashed("x * y").write_text("{")
    with opened_window(qtbot) as window:
        offer_recovered(window.context)
        assert "can't be read" in question(window).informativeText()
        answer(window, "Close")
        offer_recovered(window.context)
        assert no_question(window)


def test_throwing_one_copy_away_offers_the_older_one(qtbot, unsaved):
    for formula in ("x * y", "x + 1"):
        crashed(formula)
    with opened_window(qtbot) as window:
        offer_recovered(window.context)
        answer(window, "Throw away")
        answer(window, "Restore")
        assert window.document.modified
    assert [path.suffix for path in unsaved.glob("*")].count(".broken") == 0


def _into_a_missing_folder(opened, tmp_path) -> ExportDialog:
    opened.commands["export"].trigger()
    dialog = dialog_of(opened, ExportDialog)
    dialog.fields["transparent"].setChecked(True)
    dialog.path.setText(str(tmp_path / "none" / "x.png"))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert question(dialog).text() == f"There is no folder {tmp_path / 'none'}."
    return dialog


def test_a_missing_folder_keeps_the_dialog_and_its_choices_and_offers_another(opened, tmp_path):
    dialog = _into_a_missing_folder(opened, tmp_path)
    answer(dialog, "Cancel")
    assert dialog.isVisible()
    assert dialog.fields["transparent"].isChecked()
    assert [path.name for path in tmp_path.iterdir()] == ["mine.backwire"]
    QTest.keyClick(dialog, Qt.Key.Key_Return)
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


def test_an_export_has_the_suffix_of_its_form_whatever_was_typed(opened, tmp_path):
    opened.commands["export-svg"].trigger()
    dialog = dialog_of(opened, ExportDialog)
    (tmp_path / "x.svg").write_text("kept")
    for name in ("x.dot", "x"):
        dialog.path.setText(str(tmp_path / name))
        QTest.keyClick(dialog, Qt.Key.Key_Return)
        assert "x.svg" in question(dialog).text(), name
        answer(dialog, "Cancel")
    assert not (tmp_path / "x.dot").exists()
    assert not (tmp_path / "x").exists()


def test_numbered_pictures_replace_others_only_after_a_question(opened, tmp_path):
    for k in (0, 3):
        (tmp_path / f"x-{k}.svg").write_text("kept")
    opened.playback.backward()
    opened.commands["export-svg"].trigger()
    dialog = dialog_of(opened, ExportDialog)
    dialog.fields["all_steps"].setChecked(True)
    dialog.path.setText(str(tmp_path / "x.svg"))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert question(dialog).text() == "Replace 2 files?"
    answer(dialog, "Cancel")
    assert (tmp_path / "x-3.svg").read_text() == "kept"
