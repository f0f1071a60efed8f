"""A formula is changed where it stands: what was not touched stays as and where it is."""

from itertools import combinations

import pytest
from PySide6.QtCore import Qt

from app.document.files import whole_text
from app.window.frame.main_window import MainWindow
from engine.formats.native import Drawing
from engine.graph import Graph, Leaf, OpNode, Root
from tests.helpers.mouse import click as click_at
from tests.helpers.mouse import draw_wire, drop_entry, key, type_into_focus
from tests.helpers.reading import value
from tests.helpers.window import CTRL, node, press, said

SHARED = "e = a*b; d = e + a; L = d*f"


def type_formula(window: MainWindow, text: str) -> None:
    field = window.expression.field
    click_at(field, field.viewport().rect().center())
    field.selectAll()
    type_into_focus(text)
    key(Qt.Key.Key_Return)


def places(window: MainWindow, names: str) -> dict[str, tuple[float, float]]:
    boxes = window.canvas.scene.boxes
    return {name: (boxes[node(window, name)].x, boxes[node(window, name)].y) for name in names}


def test_a_tanh_put_into_the_middle_moves_nothing_else(shared_leaf: MainWindow):
    window = shared_leaf
    before, content = places(window, "abdefL"), whole_text(window.document.sheet)
    ids = dict(window.document.graph.names)
    type_formula(window, "e = a*b; d = tanh(e) + a; L = d*f")
    assert places(window, "abdefL") == before
    assert {n: window.document.graph.names[n] for n in ids} == ids
    assert value(window.canvas, "a") == "2"
    assert value(window.canvas, "L") == "≈ −2"
    press(window, "z", modifier=CTRL)
    assert whole_text(window.document.sheet) == content
    assert window.expression.text() == SHARED


def test_the_new_node_is_seen_and_stands_on_no_other(shared_leaf: MainWindow):
    window = shared_leaf
    before = set(window.document.graph.nodes)
    type_formula(window, "e = a*b; d = tanh(e) + a; L = d*f")
    (new,) = set(window.document.graph.nodes) - before
    scene = window.canvas.scene
    for other in before:
        assert not scene.boxes[new].rect.intersects(scene.boxes[other].rect)
    assert scene.boxes[node(window, "e")].x < scene.boxes[new].x < scene.boxes[node(window, "d")].x


def test_typing_what_is_shown_changes_not_a_byte(shared_leaf: MainWindow):
    window = shared_leaf
    content = whole_text(window.document.sheet)
    type_formula(window, SHARED + " ")
    assert whole_text(window.document.sheet) == content
    assert not window.document.modified
    assert not window.document.steps


def test_a_sketch_beside_the_graph_is_left_alone(shared_leaf: MainWindow):
    window = shared_leaf
    canvas = window.canvas
    canvas.camera.set_zoom(0.6)
    sketch = drop_entry(canvas, "op:exp", canvas.viewport().rect().bottomLeft() * 0.8)
    there = canvas.scene.boxes[sketch]
    type_formula(window, "L = a*f")
    assert window.document.graph.nodes.keys() >= {sketch}
    assert canvas.scene.boxes[sketch] == there
    assert window.expression.text() == "L = a*f"


def test_with_an_empty_slot_the_bar_can_only_be_read(shared_leaf: MainWindow):
    window = shared_leaf
    window.document.wires.disconnect(node(window, "d"), 1)
    assert window.expression.text() == "e = a*b; d = e + ?; L = d*f"
    content = whole_text(window.document.sheet)
    type_formula(window, "x")
    assert window.expression.text() == "e = a*b; d = e + ?; L = d*f"
    assert "Slot 2 of + (d) is empty" in window.expression.field.toolTip()
    assert whole_text(window.document.sheet) == content
    window.canvas.camera.set_zoom(0.8)
    draw_wire(window.canvas, "a", "d", 1)
    type_formula(window, "e = a*b; d = e + a + 1; L = d*f")
    assert window.expression.text() == "e = a*b; d = e + a + 1; L = d*f"


def test_a_step_of_a_pass_goes_back_to_the_start_when_the_formula_changes(shared_leaf: MainWindow):
    window = shared_leaf
    window.playback.backward()
    window.playback.step()
    type_formula(window, "e = a*b; d = e - a; L = d*f")
    assert window.playback.cursor == 0
    assert "start" in said(window)


@pytest.mark.parametrize("name", ["a", "b"])
def test_a_value_typed_in_the_formula_is_taken_and_others_stay(shared_leaf: MainWindow, name: str):
    window = shared_leaf
    type_formula(window, f"{name} = 9; {SHARED}")
    assert value(window.canvas, name) == "9"
    assert value(window.canvas, "f") == "−2"
    assert len(window.document.steps) == 1


def test_an_edit_while_loose_nodes_lie_about_makes_no_heap(window: MainWindow, qtbot):
    nodes = {
        1: Leaf(1.0, "a"),
        2: OpNode("mul", (1, 3)),
        3: Leaf(1.0, "beta"),
        4: Leaf(1.0, "w"),
        5: Leaf(1.0, "x"),
        6: OpNode("mul", (4, 5)),
        7: Leaf(1.0, "b"),
        8: OpNode("add", (6, 7)),
        9: OpNode("tanh", (8,), "y"),
        10: Root(9),
    }
    loose = {1: (0.0, 0.0), 3: (0.0, 144.0), 2: (312.0, 48.0)}
    others = {4: (0.0, 312.0), 5: (0.0, 432.0), 6: (312.0, 336.0), 7: (312.0, 480.0),
              8: (624.0, 360.0), 9: (936.0, 360.0), 10: (1152.0, 360.0)}  # fmt: skip
    window.document.start(Drawing(Graph(nodes, 10, 11), loose | others))
    window.show_work()
    layout = window.canvas.auto_layout
    type_formula(window, "y = tanh(w*x + b + w*u)")
    qtbot.waitUntil(lambda: not layout.running, timeout=20_000)
    rects = [box.rect for box in window.canvas.scene.boxes.values()]
    assert not any(one.intersects(two) for one, two in combinations(rects, 2))
    assert {n: window.document.positions[n] for n in loose} == loose
