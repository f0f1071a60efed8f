"""Text on wires: each has its label in the window, clear of all else; a crowded one by hovering."""

from itertools import combinations

from PySide6.QtCore import QPointF, QRectF, Qt

from app.canvas.appearance.detail import Detail
from app.window.commands.file_actions import open_expression
from app.window.frame.main_window import MainWindow
from engine.graph import Wire
from tests.helpers.answering import acts, told
from tests.helpers.canvas import painted
from tests.helpers.mouse import at_header, at_wire, drag, hover, node_named
from tests.helpers.reading import in_view, labels, written
from tests.helpers.window import open_example, press

NEXT, END = Qt.Key.Key_Right, Qt.Key.Key_End


def label_layout(window: MainWindow) -> dict[Wire, QRectF]:
    """Where the labels stand that are seen now."""
    scene = window.canvas.scene
    found = {wire: scene.labels.rect(wire) for wire in scene.courses}
    return {wire: rect for wire, rect in found.items() if rect is not None}


def test_at_each_step_every_label_is_read_in_full_and_covers_nothing(window: MainWindow):
    view = window.canvas
    for name in ("demonstration", "two-weights-loss"):
        open_example(window, name)
        view.setFocus()
        view.camera.set_zoom(1.0)
        press(window, "b")
        step = 0
        while "step" in acts(window):
            step += 1
            press(window, NEXT)
            found, read = label_layout(window), set(written(view))
            for wire, rect in found.items():
                assert labels(view)[wire].split(" = ")[-1] in read, (name, step, wire)
                for node in view.scene.boxes:
                    extent = view.scene.boxes[node].rect
                    assert not rect.intersects(extent), (name, step, wire, node)
            for one, other in combinations(found, 2):
                assert not found[one].intersects(found[other]), (name, step, one, other)
        assert len(label_layout(window)) >= step - 1


def crowd(window: MainWindow) -> Wire:
    """Drag e so close to a that their wire has no room for writing."""
    view = window.canvas
    view.camera.set_zoom(1.0)
    e, a = node_named(view, "e"), node_named(view, "a")
    beside = view.scene.boxes[a].rect.right() + 48 - view.scene.boxes[e].x
    start = at_header(view, e)
    drag(view, start, start + QPointF(beside * view.camera.scale, 0))
    return e, 0


def test_nodes_placed_too_close_are_drawn_apart_in_a_pass_and_each_label_is_whole(
    shared_leaf: MainWindow,
):
    window, view = shared_leaf, shared_leaf.canvas
    wire = crowd(window)
    before = dict(window.document.positions)
    press(window, "b")
    for _ in range(5):
        press(window, NEXT)
    assert told(window).startswith("Step 6 of 7")
    assert "−2 × −3= +6" in "".join(written(view))  # in two lines
    press(window, END)
    assert "−2 × −3= +6" in "".join(written(view))
    hover(view, at_wire(view, wire))
    assert window.status_line.text() == "a → e, slot 1: −2 × −3 = 6"
    assert window.document.positions == before


def test_where_all_is_too_small_to_be_read_each_step_is_and_the_view_stays(
    window: MainWindow, qtbot
):
    open_expression(window.context, " + ".join(f"x{k}*w{k}" for k in range(1, 4)))
    view = window.canvas
    qtbot.waitUntil(lambda: not view.auto_layout.running)
    view.camera.set_zoom(0.6)
    assert view.context.detail == Detail.NUMBERS
    view.setFocus()
    press(window, "b", NEXT)
    seen = view.camera.visible_area
    while "step" in acts(window):
        press(window, NEXT)
        event = window.playback.frame.event
        assert event is not None
        assert event.wire is not None
        contribution = labels(view)[event.wire].split(" = ")[-1]
        found = [text for text in painted(view.scene, view.camera.scale) if text.text == "= "]
        assert contribution in written(view)
        assert all(text.pixels >= 11 for text in found)
        assert view.camera.visible_area == seen  # it shows everything, so no step leaves it
        assert all(in_view(view, node) for node in window.document.graph.nodes)
    press(window, Qt.Key.Key_Escape)
    assert window.playback.phase == "live"
    assert view.camera.visible_area == seen
