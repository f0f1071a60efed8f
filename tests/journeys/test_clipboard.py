"""The clipboard: nodes as text, within, between and from outside windows; derivations, passes."""

import json
from itertools import combinations

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QCursor, QGuiApplication

from app.canvas.editing.canvas_cards import PastePreview
from app.document.document_file import whole_text
from app.window.frame.main_window import MainWindow
from tests.engine.formats.test_notebook import notebook
from tests.helpers.answering import told
from tests.helpers.mouse import at_header, click, key
from tests.helpers.reading import in_view, written
from tests.helpers.window import CTRL, node, opened_window, press, said

PROGRAM = """\
from micrograd.engine import Value

a = Value(2.0)
b = Value(-3.0)
c = a * b + a
c.backward()
print(a.grad)
"""


def point_at(window: MainWindow, x: int, y: int) -> tuple[float, float]:
    """Put the pointer there; returns the point of the sheet under it."""
    view = window.canvas.viewport()
    QCursor.setPos(view.mapToGlobal(QPoint(x, y)))
    at = window.canvas.hover.on_sheet()
    return at.x(), at.y()


def middle(window: MainWindow) -> tuple[float, float]:
    """The middle of what is selected."""
    rect = window.canvas.scene.bounds(window.selection.nodes)
    return rect.center().x(), rect.center().y()


def put(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def card(window: MainWindow) -> PastePreview | None:
    found = window.canvas.findChild(PastePreview)
    return found if isinstance(found, PastePreview) and found.isVisible() else None


def test_our_nodes_are_pasted_at_once_at_the_pointer_as_one_step(shared_leaf: MainWindow):
    window = shared_leaf
    before = whole_text(window.document.sheet)
    click(window.canvas, at_header(window.canvas, node(window, "e")))
    press(window, "c", modifier=CTRL)
    wanted = point_at(window, 500, 100)
    press(window, "v", modifier=CTRL)
    assert card(window) is None
    assert len(window.selection.nodes) == 1
    x, y = middle(window)
    assert abs(x - wanted[0]) <= 24
    assert abs(y - wanted[1]) <= 40
    assert window.document.done[-1].name == "Paste"
    assert len(window.document.steps) == 1
    press(window, "z", modifier=CTRL)
    assert whole_text(window.document.sheet) == before


def test_pasting_again_covers_nothing_and_is_in_view(shared_leaf: MainWindow):
    window = shared_leaf
    click(window.canvas, at_header(window.canvas, node(window, "e")))
    press(window, "c", modifier=CTRL)
    point_at(window, 500, 100)
    for _ in range(3):
        press(window, "v", modifier=CTRL)
        (pasted,) = window.selection.nodes
        scene = window.canvas.scene
        assert window.canvas.camera.visible_area.contains(scene.boxes[pasted].rect)
        rects = [box.rect for box in scene.boxes.values()]
        assert not any(one.intersects(two) for one, two in combinations(rects, 2))


def test_many_nodes_pasted_over_others_stand_beside_them(shared_leaf: MainWindow):
    window = shared_leaf
    press(window, "a", modifier=CTRL)
    press(window, "c", modifier=CTRL)
    point_at(window, 500, 300)
    press(window, "v", modifier=CTRL)
    rects = [box.rect for box in window.canvas.scene.boxes.values()]
    assert len(rects) == 14
    assert not any(one.intersects(two) for one, two in combinations(rects, 2))


def test_a_text_from_outside_is_looked_at_before_it_is_placed(shared_leaf: MainWindow):
    window = shared_leaf
    texts = (("(p*q + p) * r", "7 nodes from an expression"), (PROGRAM, "5 nodes from a program"))
    for steps, (text, found_in_it) in enumerate(texts):
        before, count = len(window.document.graph.nodes), int(found_in_it[0])
        put(text)
        point_at(window, 400, 300)
        press(window, "v", modifier=CTRL)
        found = card(window)
        assert found is not None
        assert found.text() == found_in_it
        assert len(window.document.graph.nodes) == before
        assert len(window.document.steps) == steps
        key(Qt.Key.Key_Return)
        assert card(window) is None
        assert len(window.document.graph.nodes) == before + count
        assert len(window.selection.nodes) == count
        assert window.document.done[-1].name == "Paste"


def test_a_formula_covers_nothing_that_is_there(shared_leaf: MainWindow, qtbot):
    window = shared_leaf
    before = set(window.document.graph.nodes)
    put("tanh(x1*w1 + x2*w2 + b2)")
    point_at(window, 400, 300)
    press(window, "v", modifier=CTRL)
    key(Qt.Key.Key_Return)
    new = window.selection.nodes
    qtbot.waitUntil(lambda: not window.canvas.auto_layout.running, timeout=60_000)
    scene = window.canvas.scene
    assert not scene.bounds(new).intersects(scene.bounds(before))
    qtbot.waitUntil(lambda: all(in_view(window.canvas, n) for n in new))


def test_a_wrong_text_says_why_and_changes_nothing(shared_leaf: MainWindow):
    window = shared_leaf
    before = whole_text(window.document.sheet)
    for text in ("to be or not to be", '{"format": "other"}', "a = $", "import os; os.remove('x')"):
        put(text)
        press(window, "v", modifier=CTRL)
        assert said(window).startswith("This can't be pasted. "), text
        assert card(window) is None
        assert whole_text(window.document.sheet) == before


def test_a_duplicate_keeps_the_wires_from_outside(shared_leaf: MainWindow):
    window = shared_leaf
    d = node(window, "d")
    click(window.canvas, at_header(window.canvas, d))
    press(window, "d", modifier=CTRL)
    copy = window.selection.only
    assert copy is not None
    assert copy != d
    assert window.document.graph.inputs(copy) == window.document.graph.inputs(d)
    assert window.document.done[-1].name == "Duplicate"
    press(window, "z", modifier=CTRL)
    assert copy not in window.document.graph.nodes


def test_cut_is_one_step_and_paste_brings_it_back(shared_leaf: MainWindow):
    window = shared_leaf
    press(window, "a", modifier=CTRL)
    press(window, "x", modifier=CTRL)
    assert not window.document.graph.nodes
    assert len(window.document.steps) == 1
    assert window.document.done[-1].name == "Cut 7 nodes"
    press(window, "v", modifier=CTRL)
    assert window.expression.text() == "e = a*b; d = e + a; L = d*f"


def test_a_formula_is_pasted_on_the_start_page_too(window: MainWindow):
    put("a*b + 1")
    window.commands["paste"].trigger()
    key(Qt.Key.Key_Return)
    assert window.expression.text() == "a*b + 1"


def test_the_clipboard_holds_text_that_any_window_or_editor_reads(shared_leaf: MainWindow, qtbot):
    window = shared_leaf
    press(window, "a", modifier=CTRL)
    press(window, "c", modifier=CTRL)
    text = QGuiApplication.clipboard().text()
    content = json.loads(text)
    assert content["format"] == "backwire"
    assert [n.get("label", "") for n in content["nodes"]][:3] == ["a", "b", "e"]
    with opened_window(qtbot) as other:
        other.show_work()
        put(text)  # as if it had come by mail
        press(other, "v", modifier=CTRL)
        assert {"a", "e", "d", "L", "8"} <= set(written(other.canvas))
        assert other.expression.text() == window.expression.text()
        assert other.commands["undo"].text() == "&Undo Paste"
        click(other.canvas, at_header(other.canvas, node(other, "d")))
        press(other, "x", modifier=CTRL)
        assert "d" not in written(other.canvas)
    press(window, "v", modifier=CTRL)  # and back again
    assert len(window.document.graph.nodes) == 8
    assert len(window.selection.nodes) == 1


def test_a_bad_paste_takes_the_offer_of_the_paste_before_away(shared_leaf: MainWindow):
    window = shared_leaf
    before = whole_text(window.document.sheet)
    point_at(window, 500, 100)
    for text in ("def (", "a ** * b", ""):
        put(PROGRAM)
        press(window, "v", modifier=CTRL)
        assert card(window) is not None
        put(text)
        press(window, "v", modifier=CTRL)
        assert card(window) is None
        assert "paste" in said(window)
    key(Qt.Key.Key_B)  # not Enter, which plays
    assert told(window).startswith("Step 1 of 7")
    assert whole_text(window.document.sheet) == before


@pytest.mark.parametrize("as_file", [True, False])
def test_a_notebook_is_pasted_as_text_or_as_the_file_that_was_copied(
    shared_leaf, tmp_path, as_file
):
    window, text = shared_leaf, notebook("%pwd\na = Value(2)", "b = a*a\nb.backward()")
    path = tmp_path / "lecture.ipynb"
    path.write_text(text, "utf-8")
    mime = QMimeData()
    if as_file:
        mime.setUrls([QUrl.fromLocalFile(str(path))])
    else:
        mime.setText(text)
    QGuiApplication.clipboard().setMimeData(mime)
    before = len(window.document.graph.nodes)
    press(window, "v", modifier=CTRL)
    assert card(window) is not None
    key(Qt.Key.Key_Return)
    assert len(window.document.graph.nodes) == before + 3


def copied(window: MainWindow, action: str) -> str:
    window.commands[action].trigger()
    return QGuiApplication.clipboard().text()


def test_a_derivation_is_copied_as_text_and_as_latex(shared_leaf: MainWindow):
    press(shared_leaf, "b", Qt.Key.Key_End)
    shared_leaf.context.selection.choose((node(shared_leaf, "a"),))
    lines = copied(shared_leaf, "copy_text").splitlines()
    assert lines[0] == "∂L/∂a = ∂L/∂d · ∂⁺d/∂a + ∂L/∂e · ∂e/∂a"
    assert lines[1] == "= (−2) · 1 + (−2) · (−3) = 4"
    assert lines[2] == "0 − 2 + 6 = 4"
    assert said(shared_leaf) == "The derivation is on the clipboard."
    text = copied(shared_leaf, "copy_latex")
    assert text.startswith("\\begin{align*}\n& \\frac{\\partial L}{\\partial a}=")
    assert "(-2)\\cdot 1+(-2)\\cdot (-3)=4" in text
    assert text.isascii()
    assert text.count("{") == text.count("}")


def test_the_pass_is_copied_in_the_chosen_voice(shared_leaf: MainWindow):
    press(shared_leaf, "b")
    lines = copied(shared_leaf, "copy_pass").splitlines()
    assert len(lines) == 7
    assert lines[5].startswith("6. × (e) got −2 and passes −2 × −3 = +6 to a")
    shared_leaf.commands["voice-code"].trigger()
    assert "a.grad += e.grad * b.data" in copied(shared_leaf, "copy_pass")


def test_while_a_learner_is_asked_only_what_is_known_is_copied(shared_leaf: MainWindow):
    press(shared_leaf, "b", Qt.Key.Key_Right, "c")
    lines = copied(shared_leaf, "copy_pass").splitlines()
    assert len(lines) == 2
    assert "4" not in "".join(line.partition(".")[2] for line in lines)


def test_without_a_pass_or_a_node_there_is_nothing_to_copy(shared_leaf: MainWindow):
    shared_leaf.context.selection.clear()
    for action in ("copy_text", "copy_latex", "copy_pass"):
        assert not shared_leaf.commands[action].isEnabled(), action
    shared_leaf.context.selection.choose((node(shared_leaf, "L"),))
    assert "no contribution" not in said(shared_leaf)
    shared_leaf.commands["copy_latex"].trigger()
    assert said(shared_leaf) == "There is no formula to copy: no contribution comes here."
