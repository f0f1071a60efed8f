"""The tour of the README: from an empty canvas to a saved and exported graph, by hand."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QPushButton

from app.document.document_file import whole_text
from app.window.dialogs.export import ExportDialog
from app.window.frame.main_window import MainWindow
from engine.formats.files import shown_name
from tests.helpers.answering import push, sentence, told
from tests.helpers.mouse import (
    at_number,
    at_output,
    at_slot,
    double_click,
    drag,
    draw_wire,
    drop,
    key,
    node_named,
    type_into_focus,
)
from tests.helpers.reading import grad, label, labels, ledger, value, written
from tests.helpers.window import CTRL, choose_file, click, dialog_of, opened_window, press, said

RETURN = Qt.Key.Key_Return
DOT_READER = """
import json, pygraphviz, sys
graph = pygraphviz.AGraph(string=sys.stdin.read())
labels = {n: graph.get_node(n).attr["label"] for n in graph.nodes()}
wires = [[*e, graph.get_edge(*e).attr["label"]] for e in graph.edges(keys=True)]
print(json.dumps([labels, wires]))
"""


def click_empty(window: MainWindow) -> None:
    """Click on "Empty canvas"."""
    page = window.pages.welcome
    click(page.empty_button)  # type: ignore[attr-defined]


@pytest.fixture
def empty(window: MainWindow) -> MainWindow:
    click_empty(window)
    return window


def drop_tile(window: MainWindow, entry: str, x: int, y: int) -> int:
    """Drag a tile of the palette to the canvas."""
    number = window.document.graph.next_id
    tile = window.palette_dock.tiles.tile(entry)
    assert drop(window.canvas, tile.mime_data(), QPoint(x, y))
    return number


def set_value(window: MainWindow, name: str, text: str) -> None:
    view = window.canvas
    double_click(view, at_number(view, node_named(view, name)))
    type_into_focus(text)
    key(RETURN)


def label_node(window: MainWindow, node: int, text: str) -> None:
    window.selection.focus_on(node)
    press(window, Qt.Key.Key_F2)
    type_into_focus(text)
    key(RETURN)


def build(window: MainWindow) -> None:
    """e = a*b, d = e + a, with a root on d; a = 2, b = −3, on an empty canvas."""
    click_empty(window)
    drop_tile(window, "leaf", 90, 110)
    drop_tile(window, "leaf", 90, 330)
    times = drop_tile(window, "op:mul", 400, 200)
    plus = drop_tile(window, "op:add", 650, 160)
    root = drop_tile(window, "root", 860, 160)
    view = window.canvas
    label_node(window, times, "e")
    label_node(window, plus, "d")
    draw_wire(view, "a", "e", 0)
    draw_wire(view, "b", "e", 1)
    draw_wire(view, "e", "d", 0)
    draw_wire(view, "a", "d", 1)
    drag(view, at_output(view, plus), at_slot(view, root))
    set_value(window, "a", "2")
    set_value(window, "b", "-3")


@pytest.fixture
def built(qtbot) -> Iterator[MainWindow]:
    with opened_window(qtbot, prepare=build) as window:
        yield window


def test_nodes_dropped_from_the_palette_are_wired_labelled_and_valued(built: MainWindow):
    view = built.canvas
    assert built.document.graph.root == node_named(view, "d")
    assert [value(view, name) for name in "abed"] == ["2", "−3", "−6", "−4"]
    assert [grad(view, name) for name in "abed"] == ["–"] * 4
    assert value(view, "root") == "−4"
    assert built.expression.text() == "e = a*b; d = e + a"
    assert labels(view) == {}


def test_the_pass_is_read_step_by_step(built: MainWindow):
    view = built.canvas
    backward = built.toolbar.findChild(QPushButton, "button-backward")
    assert backward is not None
    click(backward)
    assert (grad(view, "d"), grad(view, "root")) == ("1", "1")
    assert told(built).startswith("Step 1 of 5")
    assert "d" in sentence(built)
    assert label(view, "d", 0) == ""
    assert label(view, "d", 1) == ""

    push(built, "step")
    assert label(view, "d", 0) == "1 × 1 = +1"
    assert label(view, "d", 1) == "1 × 1 = ···"
    assert grad(view, "e") == "1"
    assert grad(view, "a") == "–"
    assert ledger(view, "a") == "0 … … = –"

    press(built, Qt.Key.Key_Right)
    assert label(view, "d", 1) == "1 × 1 = +1"
    assert ledger(view, "a") == "0 +1 … = 1"
    assert told(built).startswith("Step 3 of 5")

    press(built, Qt.Key.Key_PageDown)
    assert label(view, "e", 0) == "1 × −3 = −3"
    assert ledger(view, "a") == "0 +1 −3 = −2"
    assert grad(view, "a") == "−2"

    press(built, Qt.Key.Key_End)
    assert label(view, "e", 1) == "1 × 2 = +2"
    assert [grad(view, name) for name in "abed"] == ["−2", "2", "1", "1"]
    assert sentence(built).startswith("The pass is over: ")
    assert {"−2", "+1", "−3", "+2"} <= set(written(view))


def test_stepping_back_takes_away_what_the_step_had_shown(built: MainWindow):
    view = built.canvas
    press(built, "b")
    seen = [(labels(view), grad(view, "a"), ledger(view, "a"))]
    for _ in range(4):
        press(built, Qt.Key.Key_Right)
        seen.append((labels(view), grad(view, "a"), ledger(view, "a")))
    for _ in range(2):
        press(built, Qt.Key.Key_Left)
        push(built, "back")
    for expected in seen:
        assert (labels(view), grad(view, "a"), ledger(view, "a")) == expected
        press(built, Qt.Key.Key_Right)
    press(built, Qt.Key.Key_Home)
    assert labels(view) == {}
    assert [grad(view, name) for name in "abed"] == ["–"] * 4


def test_a_value_edited_in_the_middle_of_the_pass_keeps_the_place(built: MainWindow):
    view = built.canvas
    press(built, "b", Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right)
    assert told(built).startswith("Step 4 of 5")
    set_value(built, "b", "5")
    assert told(built).startswith("Step 4 of 5")
    assert label(view, "e", 0) == "1 × 5 = +5"
    assert ledger(view, "a") == "0 +1 +5 = 6"
    assert value(view, "d") == "12"
    assert grad(view, "b") == "–"


def test_rewiring_in_the_middle_of_the_pass_returns_to_the_start_and_says_so(built: MainWindow):
    view = built.canvas
    press(built, "b", Qt.Key.Key_Right, Qt.Key.Key_Right)
    draw_wire(view, "b", "d", 1)
    assert said(built) == "The wiring changed: the pass is back at its start."
    assert told(built).startswith("Step 0 of")
    assert labels(view) == {}
    assert value(view, "d") == "−9"


def test_unplugging_in_the_middle_of_the_pass_ends_it_and_says_why(built: MainWindow):
    view = built.canvas
    press(built, "b", Qt.Key.Key_Right)
    drag(view, at_slot(view, node_named(view, "d"), 1), QPoint(500, 560))
    assert said(built).startswith("The pass has ended. + (d) has an empty slot 2.")
    assert built.playback.phase == "live"
    assert value(view, "d") == "–"
    press(built, "b")
    assert "empty slot" in said(built)
    assert built.selection.only == node_named(view, "d")


def test_everything_can_be_undone_to_the_first_byte_and_done_again_to_the_last(empty: MainWindow):
    first = whole_text(empty.document.sheet)
    build(empty)
    last = whole_text(empty.document.sheet)
    document = empty.document
    names = [step.name for step in document.steps]
    assert "Connect a → e" in names
    assert "Set b" in names
    while document.done:
        press(empty, Qt.Key.Key_Z, modifier=CTRL)
    assert whole_text(empty.document.sheet) == first
    assert [step.name for step in document.steps] == names
    assert len(names) == 14
    while document.undone:
        press(empty, Qt.Key.Key_Y, modifier=CTRL)
    assert whole_text(empty.document.sheet) == last


def test_it_is_saved_and_looks_the_same_when_it_is_opened_again(
    built: MainWindow, qtbot, tmp_path: Path
):
    press(built, Qt.Key.Key_S, modifier=CTRL)
    choose_file(built, tmp_path / "first.backwire")
    assert said(built) == "Saved as first.backwire."
    with opened_window(qtbot, tmp_path / "first.backwire") as again:
        assert again.document.sheet == built.document.sheet
        for window in (built, again):
            window.canvas.framing.fit_all()
            window.selection.clear()
            press(window, "b", Qt.Key.Key_End)
        assert written(again.canvas) == written(built.canvas)
        assert labels(again.canvas) == labels(built.canvas)


def exported(window: MainWindow, action: str, path: Path) -> Path:
    """Export through the dialog, as the menu opens it."""
    window.commands[action].trigger()
    dialog = dialog_of(window, ExportDialog)
    assert isinstance(dialog, ExportDialog)
    dialog.path.setText(str(path))
    button = next(b for b in dialog.findChildren(QPushButton) if b.text() == "Export")
    click(button)
    QApplication.processEvents()
    assert said(window) == f"Exported {path.name} to {shown_name(path.parent)}."
    return path


def test_the_step_is_exported_as_a_picture_in_three_forms(built: MainWindow, tmp_path: Path):
    press(built, "b", Qt.Key.Key_Right, Qt.Key.Key_Right)
    png = exported(built, "export-png", tmp_path / "step.png")
    picture = QImage(str(png))
    assert picture.width() > 1200
    assert picture.dotsPerMeterX() == round(192 / 0.0254)
    svg = exported(built, "export-svg", tmp_path / "step.svg")
    root = ElementTree.fromstring(svg.read_bytes())
    words = ["".join(t.itertext()) for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"a × b", "+1", "···", "= 1"} <= set(words)
    pdf = exported(built, "export-pdf", tmp_path / "step.pdf")
    assert pdf.read_bytes().startswith(b"%PDF-")


def test_the_graph_is_exported_as_dot_that_graphviz_reads_again(built: MainWindow, tmp_path: Path):
    press(built, "b", Qt.Key.Key_End)
    path = exported(built, "export-dot", tmp_path / "graph.dot")
    done = subprocess.run(
        [sys.executable, "-I", "-c", DOT_READER],
        input=path.read_text("utf-8"),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    nodes, wires = json.loads(done.stdout)
    graph = built.document.graph
    assert set(nodes) == {f"n{n}" for n in graph.nodes}
    assert r"a\ndata 2\ngrad −2" in nodes.values()
    expected = {
        (f"n{s}", f"n{t}", str(k), labels(built.canvas).get((t, k), ""))
        for s, (t, k) in graph.wires()
    }
    assert {tuple(wire) for wire in wires} == expected
