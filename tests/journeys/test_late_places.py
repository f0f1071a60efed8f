"""Graphviz takes its time: places that come late reach only the sheet and the step they are for."""

from pathlib import Path

from PySide6.QtCore import QProcess

from app.document.files import whole_text
from app.window.commands.file import open_expression, open_now
from app.window.commands.save import save_now
from app.window.frame.main_window import MainWindow
from tests.helpers.window import CTRL, open_example, press

PROGRAM = "a = Value(2)\nb = Value(3)\nc = a*b\nd = c + a\nd.backward()\n"


def wait_for_places(window: MainWindow, qtbot) -> None:
    qtbot.waitUntil(lambda: not window.canvas.auto_layout.running, timeout=20_000)


def wait_for_workers(window: MainWindow, qtbot) -> None:
    """Until no process of a layout is left, so that no answer can come any more."""
    arranger = window.canvas.auto_layout
    qtbot.waitUntil(lambda: not arranger.findChildren(QProcess), timeout=20_000)


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
