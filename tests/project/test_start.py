"""The window starts without the heavy libraries, and never loads Graphviz beside Qt."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LATE = ("numpy", "networkx", "pyqtgraph", "ziamath", "PIL", "pygraphviz")
LOADED = f"print('loaded:', *[name for name in {LATE!r} if name in sys.modules], flush=True)"
WHOLE_START = """
import os
from PySide6.QtWidgets import QApplication
def leave(*_):
    for _ in range(20):
        QApplication.processEvents()
    print("windows:", *[type(w).__name__ for w in QApplication.topLevelWidgets() if w.isVisible()])
    {loaded}
    os._exit(0)
QApplication.exec = leave
from app.__main__ import main
main([])
"""


def said_by(program: str) -> list[str]:
    command = [sys.executable, "-c", "import sys\n" + program]
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("module", ["engine", "app.__main__", "app.cli", "app.window.start"])
def test_importing_it_loads_no_heavy_library(module: str):
    assert said_by(f"import {module}\n{LOADED}") == ["loaded:"]


def test_the_window_opens_without_any_heavy_library():
    said = said_by(WHOLE_START.format(loaded=LOADED))
    assert "windows: MainWindow" in said
    assert said[-1] == "loaded:"


@pytest.mark.parametrize("module", ["engine", "app.cli", "app.window.start"])
def test_what_needs_no_qt_loads_none(module: str):
    program = f"import {module}\nprint([name for name in sys.modules if 'PySide6' in name])"
    assert said_by(program) == ["[]"]
