"""The window starts without the heavy libraries, and never loads Graphviz beside Qt."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LATE = ("numpy", "networkx", "pyqtgraph", "ziamath", "PIL", "pygraphviz")
LOADED = f"import sys; print(*[name for name in {LATE!r} if name in sys.modules])"


def loaded_after(statement: str) -> list[str]:
    command = [sys.executable, "-c", f"{statement}\n{LOADED}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize("module", ["engine", "app.window", "app.__main__", "app.cli"])
def test_importing_it_loads_no_heavy_library(module: str):
    assert loaded_after(f"import {module}") == []


def test_the_engine_loads_no_qt():
    command = "import engine, sys; print([name for name in sys.modules if 'PySide6' in name])"
    done = subprocess.run([sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
