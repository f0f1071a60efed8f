"""A graph is saved and found again the next day, also after a crash or a late layout."""

import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QProcess, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog

from app.document import recovery
from app.document.document_file import whole_text
from app.document.recovery import state_folder
from app.window.commands.file_actions import open_expression, open_file, open_now
from app.window.commands.save_actions import offer_recovered, save_now
from app.window.dialogs.action_list import CommandPalette
from app.window.frame.main_window import DROP_REFUSAL, MainWindow
from engine.errors import FormatError
from tests.engine.formats.test_notebook import notebook
from tests.helpers.mouse import drop, key, type_into_focus
from tests.helpers.sampling import sampled
from tests.helpers.window import (
    CTRL,
    SHIFT,
    answer,
    choose,
    choose_file,
    dialog_of,
    entries,
    example_path,
    forget_changes,
    no_question,
    open_example,
    opened_window,
    press,
    question,
    said,
    value,
)
from tests.journeys.test_files_kept_safe import crashed


@pytest.fixture
def edited(shared_leaf):
    """The window with one change that is not saved."""
    window = shared_leaf
    window.document.set_value(window.document.graph.node_named("a"), 7.0)
    return window


def _save_as(window, path):
    window.commands["save_as"].trigger()
    choose_file(window, path)


def test_a_graph_is_saved_and_opens_identical(edited, qtbot, tmp_path):
    path = tmp_path / "mine.backwire"
    press(edited, "s", modifier=CTRL)
    choose_file(edited, path)
    assert said(edited) == "Saved as mine.backwire."
    assert not edited.isWindowModified()
    text = whole_text(edited.document.sheet)
    with opened_window(qtbot, path) as again:
        assert whole_text(again.document.sheet) == text == path.read_bytes()
        assert again.windowTitle() == "mine.backwire[*] – Backwire"


def test_a_name_that_ends_otherwise_gets_our_ending_so_that_it_opens_again(edited, tmp_path):
    press(edited, "s", modifier=CTRL)
    choose_file(edited, tmp_path / "net.1")
    assert said(edited) == "Saved as net.1.backwire."
    assert open_now(edited.context, tmp_path / "net.1.backwire")


def test_the_title_tells_what_is_not_saved(edited):
    assert edited.windowTitle() == "Shared leaf[*] – Backwire"
    assert edited.isWindowModified()
    press(edited, "z", modifier=CTRL)
    assert not edited.isWindowModified()


def test_unsaved_work_is_never_lost_without_a_question(edited):
    for action in ("new", "quit"):
        edited.commands[action].trigger()
        assert "Save the changes" in question(edited).text(), action
        answer(edited, "Cancel")
        assert edited.isVisible()
        assert len(edited.document.graph.nodes) == 7, action


def test_discard_goes_on_without_saving(edited):
    edited.commands["new"].trigger()
    answer(edited, "Discard")
    assert edited.document.empty
    assert edited.canvas.isVisible()


def test_save_in_the_question_saves_and_then_goes_on(edited, tmp_path):
    path = tmp_path / "kept.backwire"
    edited.close()
    edited.close()  # asks once
    assert edited.isVisible()
    answer(edited, "Save")
    choose_file(edited, path)
    assert path.exists()
    assert not edited.isVisible()


def test_cancelling_the_file_dialog_keeps_everything(edited):
    edited.close()
    answer(edited, "Save")
    edited.findChild(QFileDialog).reject()
    QApplication.processEvents()
    assert edited.isVisible()
    assert edited.document.modified


def test_closing_asks_nothing_when_all_is_saved(shared_leaf):
    shared_leaf.close()
    assert not shared_leaf.isVisible()


def test_a_file_that_changed_on_the_disk_is_not_overwritten_silently(edited, tmp_path):
    path = tmp_path / "mine.backwire"
    _save_as(edited, path)
    path.write_text(path.read_text() + "\n")
    edited.document.set_value(1, 3.5)
    press(edited, "s", modifier=CTRL)
    assert "has changed on the disk" in question(edited).text()
    answer(edited, "Cancel")
    assert path.read_text().endswith("\n\n")
    press(edited, "s", modifier=CTRL)
    answer(edited, "Overwrite")
    assert not edited.document.modified


def test_a_bad_file_is_told_in_a_sentence_and_changes_nothing(shared_leaf, tmp_path):
    path = tmp_path / "bad.backwire"
    path.write_text('{"format": "backwire", "version": 99, "nodes": []}')
    open_file(shared_leaf.context, path)
    box = question(shared_leaf)
    assert box.text() == "bad.backwire was not opened."
    assert "version 99" in box.informativeText()
    assert len(shared_leaf.document.graph.nodes) == 7


def test_a_file_on_the_command_line_that_is_missing_leaves_the_start_page(qtbot, tmp_path):
    with opened_window(qtbot, tmp_path / "nowhere.backwire") as window:
        assert "was not opened" in question(window).text()
        assert window.on_full_page


def test_opened_and_saved_files_are_listed_newest_first(shared_leaf, tmp_path):
    for name in ("one.backwire", "two.backwire"):
        _save_as(shared_leaf, tmp_path / name)
    assert _recent(shared_leaf) == ["two.backwire", "one.backwire"]
    shared_leaf.commands["start_page"].trigger()
    names = [card.accessibleName() for card in shared_leaf.pages.welcome.recent.cards]
    assert len(names) == 2


def test_a_recent_file_opens_from_the_command_palette(shared_leaf, tmp_path):
    _save_as(shared_leaf, tmp_path / "one & two.backwire")
    open_example(shared_leaf, "square")
    press(shared_leaf, "p", modifier=CTRL | SHIFT)
    type_into_focus("one & two")
    key(Qt.Key.Key_Return)
    QApplication.processEvents()
    assert shared_leaf.document.path == tmp_path / "one & two.backwire"


def test_recent_files_are_forgotten(shared_leaf, tmp_path):
    _save_as(shared_leaf, tmp_path / "one.backwire")
    assert _recent(shared_leaf) == ["one.backwire"]
    shared_leaf.commands["forget_recent"].trigger()
    assert _recent(shared_leaf) == []


def _recent(window: MainWindow) -> list[str]:
    """The recent files that the command palette lists."""
    press(window, "p", modifier=CTRL | SHIFT)
    dialog = dialog_of(window, CommandPalette)
    found = [text for text in dialog.texts() if text.startswith("Open recent: ")]
    key(Qt.Key.Key_Escape)
    return [text.removeprefix("Open recent: ") for text in found]


def test_every_example_opens_from_the_menu_without_a_path(shared_leaf):
    examples = shared_leaf.menu_bar.menu("File/Open example")
    for place in sampled(range(len(entries(examples))), 3):
        entries(examples)
        examples.actions()[place].trigger()
        assert no_question(shared_leaf)
        assert shared_leaf.document.path is None
        assert not shared_leaf.document.empty


def test_a_file_dropped_on_the_window_opens(window):
    assert drop(window, files_dropped(example_path("square")), QPoint(300, 300))
    assert window.document.path == example_path("square")
    assert window.canvas.isVisible()


@pytest.mark.parametrize(
    "proposed", sampled([Qt.DropAction.MoveAction, Qt.DropAction.CopyAction], 2)
)
def test_the_source_of_a_dropped_file_keeps_it(window, proposed):
    mime = files_dropped(example_path("square"))
    place, left, plain = QPoint(300, 300), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    either = Qt.DropAction.MoveAction | Qt.DropAction.CopyAction
    for event in (
        QDragEnterEvent(place, either, mime, left, plain),
        QDragMoveEvent(place, either, mime, left, plain),
        QDropEvent(QPointF(place), either, mime, left, plain),
    ):
        event.setDropAction(proposed)
        QApplication.sendEvent(window, event)
        assert event.isAccepted()
        assert event.dropAction() == Qt.DropAction.CopyAction
    assert window.document.path == example_path("square")


def test_a_notebook_that_is_dropped_is_read(window, tmp_path):
    path = tmp_path / "lecture.ipynb"
    path.write_text(notebook("a = Value(2)", "b = a*a\nb.backward()"), "utf-8")
    assert drop(window, files_dropped(path), QPoint(300, 300))
    assert len(window.document.graph.nodes) == 3
    assert window.document.path is None  # saving asks for a file of ours


@pytest.mark.parametrize("at_start", [True, False])
def test_what_cannot_be_dropped_is_told(window, tmp_path, at_start):
    if not at_start:
        open_example(window, "square")
    (tmp_path / "graphs.py").mkdir()
    before = window.document.sheet
    for mime in (
        files_dropped(example_path("square"), example_path("neuron")),
        files_dropped(tmp_path / "a.png"),
        files_dropped(tmp_path / "graphs.py"),
        text_dropped("Dear learner,"),
    ):
        assert not drop(window, mime, QPoint(300, 300))
        assert (question(window).text() if at_start else said(window)) == DROP_REFUSAL
        assert window.document.sheet is before
        if at_start:
            answer(window, "Close")


def files_dropped(*paths) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return mime


def text_dropped(text: str) -> QMimeData:
    mime = QMimeData()
    mime.setText(text)
    return mime


def test_a_formula_in_a_text_file_opens_as_a_new_document(window, tmp_path):
    path = tmp_path / "formula.txt"
    path.write_text("a * b + a\n")
    open_file(window.context, path)
    assert len(window.document.graph.nodes) == 5
    assert window.document.path is None


def test_saving_where_nothing_can_be_written_is_told(edited, tmp_path):
    save_now(edited.context, tmp_path / "no" / "such" / "folder.backwire")
    assert question(edited).text() == "folder.backwire was not saved."
    assert edited.document.modified


def test_the_menu_new_brings_a_blank_canvas(shared_leaf):
    choose(shared_leaf, "File", "New")
    assert shared_leaf.canvas.isVisible()
    assert shared_leaf.document.empty
    assert shared_leaf.windowTitle() == "untitled.backwire[*] – Backwire"


def test_deleting_everything_in_a_saved_graph_is_unsaved_work_too(edited, tmp_path):
    _save_as(edited, tmp_path / "mine.backwire")
    edited.commands["select_all"].trigger()
    edited.commands["delete"].trigger()
    edited.close()
    assert "mine.backwire" in question(edited).text()


def test_a_program_with_a_class_value_of_its_own_opens_as_far_as_it_is_straight(edited, tmp_path):
    path = tmp_path / "homework.py"
    path.write_text("class Value: pass\na = Value(2.0)\nb = a * a\nb.backward()\n")
    forget_changes(edited)
    open_file(edited.context, path)
    assert edited.document.graph.root_name == "b"
    (bar,) = edited.parts.program_bars
    assert "line 4, root b. It has a class of its own, Value." in bar.text()


VICTIM = textwrap.dedent("""
    import sys, time
    from pathlib import Path
    from app.window.frame.main_window import MainWindow
    from app.window.start import make_application
    application = make_application()
    window = MainWindow()
    window.begin(Path(sys.argv[1]))
    window.document.set_value(window.document.graph.node_named("a"), 42.0)
    window.context.files.recovery.keep()
    print("kept", flush=True)
    time.sleep(60)
""")


@pytest.fixture
def killed(qapp, tmp_path):
    """A window that was killed with a change that was not saved; gives the file it had open."""
    path = tmp_path / "mine.backwire"
    path.write_bytes(example_path("shared-leaf").read_bytes())
    victim = subprocess.Popen(
        [sys.executable, "-c", VICTIM, str(path)],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.getcwd()},
    )
    assert victim.stdout is not None
    assert victim.stdout.readline().strip() == b"kept"
    victim.kill()
    victim.wait()
    victim.stdout.close()
    yield path
    for left in (state_folder() / "unsaved").glob("*"):
        left.unlink()


def test_what_was_not_saved_is_offered_restored_and_kept_until_it_is_saved(killed, qtbot):
    with opened_window(qtbot) as window:
        offer_recovered(window.context)
        assert "unsaved work: mine.backwire" in question(window).text()
        answer(window, "Restore")
        assert value(window, "a") == 42.0
        assert window.document.path == killed
        assert window.isWindowModified()
        assert len(list((state_folder() / "unsaved").glob("*.backwire"))) == 1
        save_now(window.context, killed)
        assert list((state_folder() / "unsaved").glob("*.backwire")) == []


@pytest.fixture
def left_copy(qapp, tmp_path) -> Iterator[None]:
    """What such a window leaves behind, without the seconds of a process."""
    path = tmp_path / "mine.backwire"
    path.write_bytes(example_path("shared-leaf").read_bytes())
    crashed("x * y", path)
    yield
    for left in (state_folder() / "unsaved").glob("*"):
        left.unlink()


@pytest.mark.usefixtures("left_copy")
def test_what_can_not_be_kept_again_stays_where_it_was(qtbot, monkeypatch):
    def full(*_arguments):
        raise FormatError("No space left on device.")

    monkeypatch.setattr(recovery, "write_atomically", full)
    with opened_window(qtbot) as window:
        offer_recovered(window.context)
        answer(window, "Restore")
        assert window.document.graph.node_named("y") is not None
        (copy,) = (state_folder() / "unsaved").glob("*.backwire")
        assert '"y"' in copy.read_text()


def test_a_window_that_is_closed_leaves_nothing_behind(qtbot):
    with opened_window(qtbot, example_path("square")) as window:
        window.document.set_value(1, 5.0)
        window.context.files.recovery.keep()
        window.close()
        answer(window, "Discard")
        assert list((state_folder() / "unsaved").glob("*.backwire")) == []


@pytest.mark.usefixtures("left_copy")
def test_two_windows_do_not_offer_the_same_copy_nor_one_that_was_thrown_away(qtbot):
    with opened_window(qtbot) as first, opened_window(qtbot) as second:
        offer_recovered(first.context)
        offer_recovered(second.context)
        assert "unsaved work: mine.backwire" in question(first).text()
        assert no_question(second)
        answer(first, "Later")
        offer_recovered(second.context)
        answer(second, "Throw away")
        offer_recovered(first.context)
        assert no_question(first)


PROGRAM = "a = Value(2)\nb = Value(3)\nc = a*b\nd = c + a\nd.backward()\n"


def wait_for_places(window: MainWindow, qtbot) -> None:
    qtbot.waitUntil(lambda: not window.canvas.auto_layout.running, timeout=60_000)


def wait_for_workers(window: MainWindow, qtbot) -> None:
    """Until no process of a layout is left, so that no answer can come any more."""
    arranger = window.canvas.auto_layout
    qtbot.waitUntil(lambda: not arranger.findChildren(QProcess), timeout=60_000)


def steps(window: MainWindow) -> list[str]:
    return [step.name for step in window.document.steps]


def test_places_asked_for_one_graph_do_not_reach_the_next_that_is_opened(window: MainWindow, qtbot):
    open_example(window, "demonstration")
    press(window, "l", modifier=CTRL)
    assert window.canvas.auto_layout.running
    open_example(window, "shared-leaf")
    before = whole_text(window.document.sheet)
    wait_for_places(window, qtbot)
    wait_for_workers(window, qtbot)
    assert whole_text(window.document.sheet) == before
    assert steps(window) == []
    assert not window.document.modified


def test_a_file_opened_after_a_program_stands_as_it_was_saved(
    window: MainWindow, qtbot, tmp_path: Path
):
    program, saved = tmp_path / "a.py", tmp_path / "b.backwire"
    program.write_text(PROGRAM)
    open_example(window, "shared-leaf")
    assert save_now(window.context, saved)
    assert open_now(window.context, program)
    assert window.canvas.auto_layout.running
    assert open_now(window.context, saved)
    before = whole_text(window.document.sheet)
    wait_for_places(window, qtbot)
    wait_for_workers(window, qtbot)
    assert whole_text(window.document.sheet) == before


def test_a_formula_saved_before_its_places_come_stays_one_step_and_says_it_differs(
    window: MainWindow, qtbot, tmp_path: Path
):
    window.show_work()
    empty = whole_text(window.document.sheet)
    open_expression(window.context, "tanh(w*x + b)*3 + w")
    assert save_now(window.context, tmp_path / "x.backwire")
    rough = dict(window.document.positions)
    assert not window.document.modified
    wait_for_places(window, qtbot)
    assert window.document.positions != rough
    assert steps(window) == ["Type expression"]
    assert window.document.modified  # the file holds the rough places
    press(window, "z", modifier=CTRL)
    assert whole_text(window.document.sheet) == empty
    assert window.document.path is None  # the empty sheet that there was before
    assert not window.document.modified


def test_a_program_saved_before_its_places_come_says_it_differs(
    window: MainWindow, qtbot, tmp_path: Path
):
    program = tmp_path / "a.py"
    program.write_text(PROGRAM)
    assert open_now(window.context, program)
    assert save_now(window.context, tmp_path / "a.backwire")
    wait_for_places(window, qtbot)
    assert steps(window) == []
    assert window.document.modified


def test_a_program_that_gets_its_places_has_no_unsaved_work(
    window: MainWindow, qtbot, tmp_path: Path
):
    program = tmp_path / "a.py"
    program.write_text(PROGRAM)
    assert open_now(window.context, program)
    rough = dict(window.document.positions)
    wait_for_places(window, qtbot)
    assert window.document.positions != rough
    assert steps(window) == []
    assert not window.document.modified


def test_what_was_undone_can_be_redone_when_places_come(window: MainWindow, qtbot):
    window.show_work()
    open_expression(window.context, "a*b + c")
    node = window.document.graph.node_named("a")
    assert node is not None
    window.document.set_label(node, "z")
    press(window, "z", modifier=CTRL)
    wait_for_places(window, qtbot)
    assert steps(window) == ["Type expression", "Label a"]
    press(window, "y", modifier=CTRL)
    assert window.document.graph.label(node) == "z"
