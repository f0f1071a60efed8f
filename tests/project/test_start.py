"""The window starts without what its first picture does not need, and without Graphviz."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.late import LATE, MODULES, SOON
from tests.helpers.sentences import modules, walked

ROOT = Path(__file__).resolve().parents[2]
LOADED = f"print('loaded:', *[name for name in {(*LATE, 'PySide6')!r} if name in sys.modules])"
BY_MOUSE = """
import os, sys
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication
def leave(*_):
    from app.window.frame.main_window import MainWindow
    from tests.helpers.mouse import at_nothing, at_number, click, drag, draw_wire, node_named
    from tests.helpers.window import open_example, press
    window, = [w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow)]
    open_example(window, "shared-leaf")
    view, graph = window.canvas, window.document.graph
    drag(view, (at := at_number(view, node_named(view, "a"))), at + QPointF(60, 0))
    draw_wire(view, "b", "d", 0)
    draw_wire(view, "L", "e", 0)  # refused: a loop
    click(view, at_nothing(view))
    press(window, *[Qt.Key.Key_Right] * 3)
    print("done:", window.document.graph != graph, window.playback.frame.cursor > 0)
    print("networkx" in sys.modules, flush=True)
    os._exit(0)
QApplication.exec = leave
from app.__main__ import main
main([])
"""


STARTS = ("app/__main__.py", "app/cli/", "app/window/start.py")
"""Where each start imports only what it needs."""


def said_by(program: str, home: Path | None = None) -> list[str]:
    command = [sys.executable, "-c", "import sys\n" + program]
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    if home is not None:
        environment |= {f"XDG_{kind}_HOME": str(home) for kind in ("CONFIG", "STATE", "DATA")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_importing_them_loads_neither_qt_nor_what_comes_late():
    starts = ("engine", "app.__main__", "app.cli", "app.window.start")
    program = "\n".join(f"import {module}\n{LOADED}" for module in starts)
    assert said_by(program) == ["loaded:"] * len(starts)


def test_dragging_numbers_wires_and_stepping_wait_for_no_networkx(tmp_path: Path):
    assert said_by(BY_MOUSE, tmp_path)[-2:] == ["done: True True", "False"]


def imported_in_functions(tree: ast.Module) -> Iterator[tuple[int, set[str]]]:
    """Each import of our own in a function: its line, and the modules that it may load."""
    inside = set[int]()
    for node in walked(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inside.update(range(node.lineno + 1, (node.end_lineno or 0) + 1))
    for node in walked(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.lineno in inside:
            module = node.module
            if module.split(".")[0] in ("app", "engine"):
                yield node.lineno, {module, *(f"{module}.{a.name}" for a in node.names)}


@pytest.fixture(scope="module")
def late() -> Iterator[dict[str, list[tuple[int, set[str]]]]]:
    """What the functions of each module import."""
    yield {path: list(imported_in_functions(tree)) for path, tree in modules().items()}
    walked.cache_clear()
    modules.cache_clear()  # a million objects, which each copy of a window would map as well


def test_our_own_modules_are_imported_in_functions_only_if_the_start_does_without_them(
    late: dict[str, list[tuple[int, set[str]]]],
):
    listed = {*MODULES, *SOON}
    found = [
        f"{path}:{line}"
        for path, imports in late.items()
        for line, names in imports
        if not path.startswith(STARTS) and not names & listed
    ]
    assert not found


def test_all_that_comes_late_is_imported_in_a_function(late: dict[str, list[tuple[int, set[str]]]]):
    found = [names for imports in late.values() for _, names in imports]
    assert {*MODULES, *SOON} <= set().union(*found)
