"""A program's own operation, frozen on the sheet, in every room, mode, export and question."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.__main__ import main
from app.document.clipboard import clipboard_text
from app.takeaway.forms import FORMS, KINDS
from app.window.commands.file_actions import export_files, open_drawing
from app.window.dialogs.export_forms import export_of
from app.window.frame.main_window import MainWindow
from engine import Value, load
from engine.formats.native import Drawing, read, write
from engine.graph import Graph
from tests.helpers.sampling import sampled
from tests.helpers.window import (
    forget_changes,
    inspector,
    node,
    open_dialogs,
    press,
    question,
    said,
)
from tests.journeys.test_modes_beside_every_page import MODES, TABS, all_faults, play

NO_FORMULA = "h (bend) is an operation of a program and has no formula here."
REFUSED = {
    "expression": f"{NO_FORMULA} An expression can't hold it.",
    "python": f"{NO_FORMULA} A program needs one.",
    "pytorch": f"{NO_FORMULA} A program needs one.",
}


def bend(*operands: Value) -> Value:
    """What a learner adds to Value: a sum of squares, with a backward step of its own."""
    out = Value(sum(v.data**2 for v in operands), operands, "bend")

    def _backward() -> None:
        for v in operands:
            v.grad += 2 * v.data * out.grad

    out._backward = _backward
    return out


def program() -> dict[str, Value]:
    a, b, c = (Value(n, label=x) for n, x in ((2.0, "a"), (-3.0, "b"), (0.5, "c")))
    h = bend(a * b, a, c)
    y = (h * 0.1).tanh() * bend(c) + a
    h.label, y.label = "h", "y"
    y.backward()
    return {"a": a, "b": b, "c": c, "h": h, "y": y}


def grads(window: MainWindow) -> dict[str, float]:
    names = window.document.graph.names
    return {names[n]: grad for n, grad in window.playback.frame.grads.items()}


@pytest.fixture
def graph() -> Graph:
    return program()["y"].graph()


@pytest.mark.qt_no_exception_capture
def test_a_frozen_operation_is_drawn_stepped_edited_saved_and_asked_about(
    window: MainWindow, graph: Graph, tmp_path: Path
):
    path, document, playback = tmp_path / "own.backwire", window.document, window.playback
    path.write_text(write(graph), "utf-8")
    with all_faults() as faults:
        open_drawing(window.context, Drawing(load(path)))
        h, a = node(window, "h"), node(window, "a")
        playback.backward()
        playback.to_end()
        found = grads(window)
        for name, value in program().items():
            assert found[name] == pytest.approx(value.grad, rel=1e-12), name
        window.context.selection.choose([h])
        assert (shown := inspector(window).node).formula.text() == "bend(v3, a, c)"
        assert (shown.op.currentIndex(), shown.op.placeholderText()) == (-1, "bend")
        assert "measured" in shown.slopes.text()
        # edited: it and what follows has no value, and no pass begins
        playback.go(4)
        document.set_value(a, 3.0)
        known = {document.graph.names[n] for n in playback.frame.values}
        assert playback.phase == "live"
        assert {"a", "b", "c"} <= known
        assert not {"h", "y"} & known
        assert said(window).startswith(f"The pass has ended. {NO_FORMULA}")
        assert not playback.backward()
        assert said(window).startswith(f"{NO_FORMULA} Its value is known only for the inputs")
        document.undo()
        assert document.graph == graph
        for mode in sampled([*MODES], 2):
            play(window, mode, TABS[MODES.index(mode) + 1], faults)
        assert not faults, faults[0]
        forget_changes(window)


@pytest.mark.qt_no_exception_capture
def test_a_frozen_operation_is_copied_pasted_and_replaced(window: MainWindow, graph: Graph):
    document = window.document
    with all_faults() as faults:
        open_drawing(window.context, Drawing(graph))
        h, a = node(window, "h"), node(window, "a")
        text = clipboard_text(document.sheet, [h, a])
        assert [op.name for op in read(text).operations] == ["bend"]
        QApplication.clipboard().setText(text)
        window.canvas.setFocus()
        window.commands["paste"].trigger()
        press(window, Qt.Key.Key_Return)
        QApplication.processEvents()
        assert document.graph.operations == graph.operations
        assert document.set_op(h, "where_gt0")
        document.undo()
        QApplication.processEvents()
        assert not faults, faults[0]
        forget_changes(window)


def test_each_export_of_a_frozen_operation_is_written_or_refused_by_a_sentence(
    window: MainWindow, graph: Graph, tmp_path: Path
):
    open_drawing(window.context, Drawing(graph))
    for form in (name for name in KINDS if FORMS[KINDS[name]].maker is None):
        path = tmp_path / f"{form}{FORMS[KINDS[form]].kinds[form]}"
        written = export_files(window.context, export_of(form, path), window)
        assert written == path.exists() == (form not in REFUSED), form
        if not written:
            assert question(window).informativeText() == REFUSED[form]
            for opened in open_dialogs(window):
                opened.close()
    assert load(tmp_path / "native.backwire") == graph
    forget_changes(window)


def test_the_command_line_says_why_a_frozen_operation_has_no_value(
    graph: Graph, tmp_path: Path, capsys
):
    path = tmp_path / "own.backwire"
    path.write_text(write(graph), "utf-8")
    for call, code, text in (
        (["run", "{}"], 0, "bend"),
        (["run", "{}", "--set", "b=1"], 1, f"{NO_FORMULA} Its value is known only"),
        (["check", "{}"], 1, "An operation on the way has no formula"),
        (["export", "{}", "-o", "{}.html", "--ask", "last"], 0, ".html"),
        (["export", "{}", "-o", "a.pdf", "--worksheet", "--copies", "2"], 1,
         f"{NO_FORMULA} Other numbers need one."),
    ):  # fmt: skip
        assert main([word.format(path) for word in call]) == code, call
        out = capsys.readouterr()
        assert text in out.out + out.err, call
