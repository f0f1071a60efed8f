"""Ctrl-C in the terminal, and a request to end, while the window is open."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.formats.files import load

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
# A shell lets what it starts with & ignore Ctrl-C, and with it the tests.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(start(sys.argv[1:]))
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_keeps_unsaved_work_and_ends_without_a_word(number, tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"changed\n"
    process.send_signal(number)
    _out, said = process.communicate(timeout=30)
    assert process.returncode == 128 + number
    assert b"Traceback" not in said
    (kept,) = tmp_path.rglob("*.backwire")
    assert {"p", "q"} <= set(load(kept).names.values())
    assert list(tmp_path.rglob("crash-*")) == []
