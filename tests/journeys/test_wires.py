"""Wires by hand: snapping, what lights up, refusals, dropping on a wire, re-plugging, breaking."""

import pytest
from PySide6.QtCore import QElapsedTimer, QPointF, Qt
from PySide6.QtWidgets import QApplication

from app.canvas.input.draw_wire import FLASH_COUNT, FLASH_PERIOD
from app.document.document_file import whole_text
from app.style import sizes
from app.window.frame.main_window import MainWindow
from engine.graph import Wire
from tests.helpers.mouse import (
    CTRL,
    at_nothing,
    at_output,
    at_slot,
    at_wire,
    click,
    drag,
    drag_out,
    drag_over,
    draw_wire,
    drop_entry,
    entry,
    held,
    hover,
    move,
    node_named,
)
from tests.helpers.reading import ledger, value, written
from tests.helpers.seeing import lit_wire, picture, shows
from tests.helpers.window import press, said

ESCAPE = Qt.Key.Key_Escape


@pytest.fixture
def window(shared_leaf: MainWindow) -> MainWindow:
    """(a*b + a) * f on the canvas, with room around it."""
    shared_leaf.bar.open("history")  # which leaves the canvas the width of a small graph
    QApplication.processEvents()
    shared_leaf.canvas.camera.zoom_by(0.8)
    return shared_leaf


def wire(window: MainWindow, target: str, slot: int = 0) -> Wire:
    return node_named(window.canvas, target), slot


def undone(window: MainWindow) -> str:
    """What the menu offers to undo."""
    return window.commands["undo"].text().replace("&", "")


def source(window: MainWindow, target: str, slot: int = 0) -> str:
    """What is plugged into a slot."""
    found = window.document.graph.source(wire(window, target, slot))
    return "" if found is None else window.document.graph.names[found]


def test_slots_that_can_take_the_wire_light_up_and_others_dim(window: MainWindow):
    view, theme = window.canvas, window.context.style.theme
    e, d, ell = (node_named(view, name) for name in "edL")
    body = view.camera.to_screen(view.scene.boxes[e].rect.center() + QPointF(0, 14))
    ring = QPointF(6, 0) * view.camera.scale
    calm = picture(view)
    with held(view, at_output(view, d), at_nothing(view)):
        seen = picture(view)
        assert shows(seen, theme.selection, at_slot(view, ell, 1) - ring, 1)
        assert not shows(seen, theme.selection, at_slot(view, e, 0) - ring, 1)
        assert seen.pixelColor(body.toPoint()) != calm.pixelColor(body.toPoint())
        press(window, ESCAPE)
    hover(view, at_nothing(view))
    assert not shows(picture(view), theme.selection, at_slot(view, ell, 1) - ring, 1)


def test_the_slots_of_what_is_not_the_same_both_ways_carry_letters(window: MainWindow):
    view = window.canvas
    for op, more in (("div", 1), ("sub", 1), ("pow", 1), ("add", 0), ("mul", 0), ("neg", 0)):
        view.camera.set_zoom(1.0)
        before = written(view)
        drop_entry(view, f"op:{op}", at_nothing(view))
        after = written(view)
        assert [after.count(x) - before.count(x) for x in "ab"] == [more, more], op
        press(window, "z", modifier=CTRL)


def test_a_loop_is_refused_while_hovering_names_its_path_and_lights_it_up(window: MainWindow):
    view, theme = window.canvas, window.context.style.theme
    before = whole_text(window.document.sheet)
    path = [wire(window, "d", 0), wire(window, "L", 0)]
    assert not any(lit_wire(view, found, theme.error) for found in path)
    with held(view, at_output(view, wire(window, "L")[0]), at_slot(view, *wire(window, "e"))):
        assert window.status_line.text() == "This wire would close a loop: e → d → L → e"
        assert all(lit_wire(view, found, theme.error) for found in path)
        assert not lit_wire(view, wire(window, "d", 1), theme.error)
        assert view.viewport().cursor().shape() == Qt.CursorShape.ForbiddenCursor
    assert said(window) == "This wire would close a loop: e → d → L → e"
    hover(view, at_nothing(view))
    assert not any(lit_wire(view, found, theme.error) for found in path)
    assert whole_text(window.document.sheet) == before
    assert not window.document.steps


def test_the_path_of_a_refused_loop_flashes_when_things_may_move(window: MainWindow, qtbot):
    view = window.canvas
    window.context.style.set_motion(True)
    start, slot = at_output(view, wire(window, "L")[0]), at_slot(view, *wire(window, "e"))
    at = view.camera.to_screen(
        view.scene.courses[wire(window, "d")].path.pointAtPercent(0.5)
    ).toPoint()
    seen: set[int] = set()
    again = QElapsedTimer()
    again.start()

    def flashed() -> bool:
        """Bright and faint in turn; looked at again where the machine was too slow to see it."""
        seen.add(picture(view).pixelColor(at).green() // 32)
        if again.elapsed() > 2 * FLASH_PERIOD * FLASH_COUNT:
            again.restart()
            move(view, at_nothing(view))
            move(view, slot)
        return len(seen) >= 3

    with held(view, start, slot):
        qtbot.waitUntil(flashed, timeout=60_000)
        qtbot.waitUntil(lambda: lit_wire(view, wire(window, "L"), window.context.style.theme.error))
        press(window, ESCAPE)
    assert not lit_wire(view, wire(window, "L"), window.context.style.theme.error)


def test_a_node_of_the_palette_lights_up_the_wire_it_is_held_over(window: MainWindow):
    view, theme = window.canvas, window.context.style.theme
    found = wire(window, "L")
    over = at_wire(view, found, late=True)  # so that the hint lies right of it
    assert not lit_wire(view, found, theme.selection)
    assert drag_over(view, entry("op:tanh"), over)
    assert lit_wire(view, found, theme.selection)
    drag_out(view)
    assert not lit_wire(view, found, theme.selection)
    number = drop_entry(view, "op:tanh", over)
    assert source(window, "L") == window.document.graph.names[number]
    assert value(view, "L") == "1.999"
    assert undone(window) == "Undo Insert tanh"


def test_ctrl_drag_on_an_output_moves_all_its_wires_and_is_refused_where_one_can_not_go(
    window: MainWindow,
):
    view = window.canvas
    a, f, ell = (at_output(view, node_named(view, name)) for name in "afL")
    before = whole_text(window.document.sheet)
    with held(view, a, ell, CTRL):
        assert "would close a loop" in window.status_line.text()
    assert whole_text(window.document.sheet) == before
    with held(view, a, f, CTRL):
        assert window.status_line.text() == "Move 2 wires to f"
    assert (source(window, "e"), source(window, "d", 1)) == ("f", "f")
    assert value(view, "L") == "−8"
    assert undone(window) == "Undo Move wires a → f"
    press(window, "z", modifier=CTRL)
    assert whole_text(window.document.sheet) == before


def test_a_wire_is_chosen_by_a_click_seen_to_be_and_deleted(window: MainWindow):
    view, theme = window.canvas, window.context.style.theme
    found = wire(window, "L")
    calm = picture(view)
    click(view, at_wire(view, found))
    at = at_wire(view, found)
    assert picture(view).pixelColor(at.toPoint()) != calm.pixelColor(at.toPoint())
    assert not lit_wire(view, found, theme.error)
    press(window, Qt.Key.Key_Delete)
    assert found not in view.scene.courses
    assert undone(window) == "Undo Unplug"


def test_both_wires_of_a_square_are_seen_apart_and_taken_one_by_one(window: MainWindow):
    view = window.canvas
    draw_wire(view, "a", "e", 1)
    one, other = (view.scene.courses[wire(window, "e", slot)] for slot in (0, 1))
    apart = min(other.distance(one.path.pointAtPercent(k / 20), 40.0) for k in range(21))
    assert apart > sizes.WIRE_DONE  # where both fall they are closest, and do not touch
    press(window, "b", Qt.Key.Key_End)
    assert ledger(view, "a") == "0 −2 −4 −4 = −10"
    drag(view, at_slot(view, *wire(window, "e", 0)), at_nothing(view))
    assert (source(window, "e", 0), source(window, "e", 1)) == ("", "a")
