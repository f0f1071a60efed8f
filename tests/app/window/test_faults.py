import faulthandler
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.controls.slices import Slices
from app.window import window_files
from app.window.unexpected_ends import end_watch, watch_crashes
from app.window.window_files import log_file, write_log
from engine.formats.files import load
from tests.helpers.sampling import sampled
from tests.helpers.window import answer, no_question, press, question


@pytest.fixture
def guarded(shared_leaf, monkeypatch):
    """The window with its own handling of errors, as the program runs it."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    log_file().unlink(missing_ok=True)
    shared_leaf.faults.install()
    return shared_leaf


def _break(*_anything):
    raise RuntimeError("planted")


def test_an_error_in_a_view_is_logged_and_told_once(guarded, capsys):
    guarded.playback.shown.connect(_break)
    press(guarded, "b")
    assert "Something went wrong" in question(guarded).text()
    assert "RuntimeError: planted" in log_file().read_text()
    answer(guarded, "Close")
    guarded.playback.step()
    QApplication.processEvents()
    assert no_question(guarded)
    guarded.playback.shown.disconnect(_break)


def test_an_error_under_the_mouse_is_told_too_and_ends_nothing(guarded, monkeypatch):
    monkeypatch.setattr(guarded.canvas.mouse, "press", lambda _event: int("planted"))
    QTest.mouseClick(guarded.canvas.viewport(), Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    assert "Something went wrong" in question(guarded).text()
    assert "ValueError: invalid literal for int() with base 10: 'planted'" in log_file().read_text()
    answer(guarded, "Close")
    press(guarded, "b")
    assert guarded.playback.phase == "backward"


def test_the_edit_that_was_under_way_is_taken_back(guarded):
    before = guarded.document.sheet
    broken = [True]

    def view(change):
        if broken.pop() if broken else False:
            raise RuntimeError("planted")

    guarded.document.changed.connect(view)
    guarded.document.set_value(guarded.document.graph.node_named("a"), 9.0)
    QApplication.processEvents()
    assert guarded.document.sheet == before
    assert not guarded.document.undone
    assert not guarded.document.modified
    assert "taken back" in question(guarded).informativeText()


def test_an_error_of_a_timer_after_an_edit_takes_back_nothing(guarded, qtbot):
    document = guarded.document
    document.set_value(document.graph.node_named("a"), 9.0)
    kept = document.graph  # its positions follow later, as numbers are measured after an edit
    QTimer.singleShot(0, guarded, _break)
    qtbot.waitUntil(lambda: not no_question(guarded))
    assert document.graph is kept
    assert document.done
    assert "taken back" not in question(guarded).informativeText()


def test_an_error_in_a_slice_of_work_is_told_and_ends_the_work(guarded, qtbot):
    def work():
        yield 0
        _break()

    slices = Slices(guarded)
    slices.start(work())
    qtbot.waitUntil(lambda: not no_question(guarded))
    assert not slices.active


def test_an_edit_that_came_after_the_broken_one_is_not_taken_back(guarded):
    document = guarded.document
    document.changed.connect(_break)
    document.set_value(document.graph.node_named("a"), 9.0)
    document.changed.disconnect(_break)
    document.set_value(document.graph.node_named("b"), 5.0)
    kept = document.sheet
    QApplication.processEvents()
    assert document.sheet is kept
    assert "taken back" not in question(guarded).informativeText()


def test_a_broken_tick_that_ends_where_its_gesture_began_takes_back_no_other_step(guarded):
    document = guarded.document
    node = document.graph.node_named("a")
    document.set_value(document.graph.node_named("b"), 5.0)
    kept = document.sheet
    gesture = document.new_gesture()
    document.set_value(node, 9.0, gesture)
    document.changed.connect(_break)
    document.set_value(node, 2.0, gesture)
    document.changed.disconnect(_break)
    QApplication.processEvents()
    assert document.graph.nodes == kept.graph.nodes
    assert len(document.steps) == 1


def test_a_broken_tick_takes_back_its_gesture(guarded):
    document = guarded.document
    node, before, gesture = document.graph.node_named("a"), document.sheet, document.new_gesture()
    document.set_value(node, 9.0, gesture)
    document.changed.connect(_break)
    document.set_value(node, 8.0, gesture)
    document.changed.disconnect(_break)
    QApplication.processEvents()
    assert document.sheet == before
    assert "taken back" in question(guarded).informativeText()


def test_an_error_while_a_refusal_is_told_takes_back_no_edit(guarded):
    document = guarded.document
    document.set_value(document.graph.node_named("a"), 9.0)
    kept = document.sheet
    document.refused.connect(_break)
    assert not document.set_label(document.graph.node_named("a"), "x" * 300)
    QApplication.processEvents()
    assert document.sheet is kept
    assert "taken back" not in question(guarded).informativeText()
    document.refused.disconnect(_break)


def test_the_document_stays_usable(guarded):
    guarded.playback.said.connect(_break)
    guarded.playback.said.emit("x")
    QApplication.processEvents()
    answer(guarded, "Close")
    node = guarded.document.graph.node_named("a")
    assert guarded.document.set_value(node, 3.0)
    guarded.commands["backward"].trigger()
    guarded.playback.to_end()
    assert guarded.playback.frame.grads[node] == 4.0
    guarded.document.undo()
    assert guarded.document.graph.nodes[node].value == 2.0


def test_the_details_can_be_copied(guarded):
    guarded.playback.said.connect(_break)
    guarded.playback.said.emit("x")
    QApplication.processEvents()
    answer(guarded, "Copy details")
    assert "RuntimeError: planted" in QGuiApplication.clipboard().text()


def test_an_error_that_comes_back_while_mending_does_not_go_round_for_ever(guarded):
    guarded.document.changed.connect(_break)
    guarded.document.set_value(guarded.document.graph.node_named("a"), 9.0)
    for _ in range(10):
        QApplication.processEvents()
    assert question(guarded)
    guarded.document.changed.disconnect(_break)


def test_the_log_starts_anew_when_it_is_long(guarded, monkeypatch):
    monkeypatch.setattr(window_files, "_MAX_LOG_SIZE", 100)
    for _ in range(9):
        write_log("x" * 50)
    assert log_file().stat().st_size < 300


def test_what_a_crash_wrote_is_moved_to_the_log(qapp, monkeypatch):
    monkeypatch.setattr(faulthandler, "enable", lambda _file: None)  # pytest watches crashes here
    monkeypatch.setattr(faulthandler, "disable", lambda: None)
    log_file().parent.mkdir(parents=True, exist_ok=True)
    for left in log_file().parent.glob("crash-*.log"):  # windows of other tests
        left.unlink()
    (log_file().parent / "crash-1.log").write_text("Fatal Python error: planted")
    watched = watch_crashes()
    assert "planted" in log_file().read_text()
    end_watch(watched)
    assert list(log_file().parent.glob("crash-*.log")) == []


@pytest.mark.skipif(os.name != "posix", reason="elsewhere the log of a living program is held")
def test_the_empty_logs_of_killed_runs_are_removed_and_those_of_living_ones_stay(qapp, monkeypatch):
    monkeypatch.setattr(faulthandler, "enable", lambda _file: None)  # pytest watches crashes here
    monkeypatch.setattr(faulthandler, "disable", lambda: None)
    killed = subprocess.Popen([sys.executable, "-c", "pass"])
    killed.wait()
    folder = log_file().parent
    folder.mkdir(parents=True, exist_ok=True)
    gone, living = folder / f"crash-{killed.pid}.log", folder / f"crash-{os.getppid()}.log"
    gone.touch()
    living.touch()
    end_watch(watch_crashes())
    assert not gone.exists()
    assert living.exists()
    living.unlink()


ROOT = Path(__file__).resolve().parents[3]

# Opens the window as the program does, makes a change, and says so.
PROGRAM = """
import signal
import sys
from PySide6.QtCore import QTimer
from app.window.frame import main_window
from app.window.start import start
from engine import from_expression

def change(window):
    window.document.replace_graph(from_expression("p * q"))
    print("changed", flush=True)

after = main_window.MainWindow.after_start
def changed(self):
    after(self)
    QTimer.singleShot(0, self, lambda: change(self))
main_window.MainWindow.after_start = changed
# A shell lets what it starts with & ignore Ctrl-C, and with it the tests; nohup so with SIGHUP.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_IGN if "--nohup" in sys.argv else signal.SIG_DFL)
sys.exit(start([]))
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("name", sampled(["SIGINT", "SIGTERM", "nohup", "SIGHUP"], 2))
def test_a_signal_keeps_unsaved_work_and_ends_without_a_word(name: str, tmp_path: Path):
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, f"--{name}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"changed\n"
    if name == "nohup":
        process.send_signal(signal.Signals["SIGHUP"])  # lost, so that the next one ends the program
    number = signal.Signals["SIGTERM" if name == "nohup" else name]
    process.send_signal(number)
    _out, said = process.communicate(timeout=30)
    assert process.returncode == 128 + number
    assert b"Traceback" not in said
    (kept,) = tmp_path.rglob("*.backwire")
    assert {"p", "q"} <= set(load(kept).names.values())
    assert list(tmp_path.rglob("crash-*")) == []
