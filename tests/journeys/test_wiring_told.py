"""Wiring says and shows what it will do: replace, wait, insert, unplug; steps show their Why."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QDrag, QGuiApplication

from app.panels.why import WhyPage
from app.window.dialogs.action_list import GESTURES
from app.window.frame.main_window import MainWindow
from tests.helpers.mouse import (
    CTRL,
    NONE,
    SHIFT,
    at_header,
    at_nothing,
    at_output,
    at_slot,
    at_wire,
    click,
    drag,
    drop_entry,
    held,
    key,
    move,
    node_named,
    release,
    type_into_focus,
)
from tests.helpers.mouse import press as press_button
from tests.helpers.reading import value
from tests.helpers.seeing import differs, lit_wire, picture, shows, tip_at
from tests.helpers.window import opened_page, press

RETURN, ESCAPE = Qt.Key.Key_Return, Qt.Key.Key_Escape


@pytest.fixture
def window(shared_leaf: MainWindow) -> MainWindow:
    """(a*b + a) * f on the canvas, with room around it."""
    shared_leaf.canvas.camera.zoom_by(0.8)
    return shared_leaf


def why(window: MainWindow) -> WhyPage:
    panel = opened_page(window, "why")
    assert isinstance(panel, WhyPage)
    return panel


def test_over_an_occupied_slot_it_says_what_it_replaces_and_the_old_wire_fades(window: MainWindow):
    view = window.canvas
    a, ell = node_named(view, "a"), node_named(view, "L")
    path = view.scene.courses[ell, 1].path
    middle = view.camera.to_screen(path.pointAtPercent(0.4))
    calm = picture(view)
    with held(view, at_output(view, a), at_slot(view, ell, 1)):
        assert window.status_line.text() == "a → L, slot 2: replaces f"
        assert differs(calm, picture(view), middle, 1)
        move(view, at_slot(view, ell, 1) + QPointF(-4, 150))
        assert "replaces" not in window.status_line.text()
        assert not differs(calm, picture(view), middle, 1)
        move(view, at_slot(view, ell, 1))
    assert window.document.graph.source((ell, 1)) == a


def test_by_keys_it_says_so_as_well(window: MainWindow):
    view = window.canvas
    window.selection.focus_on(node_named(view, "f"))
    press(window, "w")
    for _ in range(12):
        if "→ L, slot 1" in window.status_line.text():
            break
        press(window, Qt.Key.Key_Down)
    assert "f → L, slot 1: replaces d" in window.status_line.text()


def test_a_wire_to_the_slot_it_fills_already_replaces_nothing(window: MainWindow):
    view = window.canvas
    ell = node_named(view, "L")
    with held(view, at_output(view, node_named(view, "f")), at_slot(view, ell, 1)):
        assert window.status_line.text() == "f → L, slot 2"


def test_the_wire_stays_while_quick_add_asks_what_it_leads_to(window: MainWindow):
    view, theme = window.canvas, window.context.style.theme
    start, end = at_output(view, node_named(view, "L")), QPointF(at_nothing(view))
    drag(view, start, end)
    at = start + QPointF(14, 0)
    assert shows(picture(view), theme.selection, at, 8)
    type_into_focus("tanh")
    assert shows(picture(view), theme.selection, at, 8)
    key(ESCAPE)
    assert not shows(picture(view), theme.selection, at, 8)
    assert not window.document.steps


def test_a_node_dropped_on_a_wire_makes_room_in_one_step(window: MainWindow):
    view = window.canvas
    d, ell = node_named(view, "d"), node_named(view, "L")
    before = dict(window.document.positions)
    number = drop_entry(view, "op:tanh", at_wire(view, (ell, 0)))
    boxes = view.scene.boxes
    assert boxes[d].rect.right() + 40 < boxes[number].x
    assert boxes[number].rect.right() + 40 < boxes[ell].x
    moved = {n for n, place in before.items() if window.document.positions[n] != place}
    assert ell in moved
    rects = [boxes[node].rect for node in sorted(boxes)]
    assert [
        (j, k) for k, one in enumerate(rects) for j in range(k) if one.intersects(rects[j])
    ] == []
    press(window, "z", modifier=CTRL)
    assert dict(window.document.positions) == before


def test_a_node_moved_onto_a_wire_makes_room_too(window: MainWindow):
    view = window.canvas
    number = drop_entry(view, "op:neg", at_nothing(view))
    ell = node_named(view, "L")
    drag(view, at_header(view, number), at_wire(view, (ell, 0)))
    assert window.document.graph.source((ell, 0)) == number
    boxes = view.scene.boxes
    assert boxes[number].rect.right() + 40 < boxes[ell].x
    assert boxes[node_named(view, "d")].rect.right() + 40 < boxes[number].x


def test_where_there_is_room_nothing_moves(window: MainWindow):
    view = window.canvas
    ell, at = node_named(view, "L"), window.document.positions
    ends = {ell: 600.0, window.document.graph.active_root or 0: 640.0}
    window.document.move({n: (at[n][0] + right, at[n][1]) for n, right in ends.items()})
    view.framing.fit_all()
    before = dict(window.document.positions)
    number = drop_entry(view, "op:neg", at_wire(view, (ell, 0)))
    assert {n: window.document.positions[n] for n in before} == before
    assert number in window.document.graph.nodes


def test_the_pointer_carries_the_node_itself_out_of_the_palette(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
):
    carried: list[QDrag] = []
    monkeypatch.setattr(QDrag, "exec", lambda self, *_actions: carried.append(self))
    view = window.canvas
    for entry in ("op:mul", "leaf", "root", "block:neuron"):
        tile = window.palette_dock.tiles.tile(entry)
        press_button(tile, QPoint(10, 10))
        move(tile, QPoint(60, 60))
        release(tile, QPoint(60, 60))
    sizes = [drag.pixmap().deviceIndependentSize() for drag in carried]
    number = drop_entry(view, "op:mul", at_nothing(view))
    box = view.scene.boxes[number]
    for size, expected in ((sizes[0].width(), box.w + 12), (sizes[0].height(), box.h + 12)):
        assert abs(size - expected * view.camera.scale) < 6
    assert sizes[3].width() > sizes[0].width()


@pytest.mark.parametrize("on", ["wire", "slot"])
def test_ctrl_shift_click_unplugs_where_alt_moves_windows(window: MainWindow, on: str):
    view = window.canvas
    d = node_named(view, "d")
    at = at_wire(view, (d, 0)) if on == "wire" else at_slot(view, d, 0)
    assert "Ctrl+Shift+click" in tip_at(view, at)
    click(view, at, CTRL | SHIFT)
    assert window.document.graph.source((d, 0)) is None
    assert ("Unplug a wire", "Alt + click, or Ctrl + Shift + click") in GESTURES


def test_after_a_paste_the_first_step_shows_its_own_why(window: MainWindow):
    view = window.canvas
    window.selection.focus_on(node_named(view, "a"))
    press(window, "c", modifier=CTRL)
    press(window, "v", modifier=CTRL)
    press(window, "b")
    step = window.playback.frame.event
    assert step is not None
    title = window.document.graph.title(step.node)
    assert why(window).why.note.text() == f"step at: {title}"
    assert title in why(window).why.head.text()


def test_after_pasting_a_formula_too_and_a_click_chooses_as_always(window: MainWindow):
    QGuiApplication.clipboard().setText("p*q + p")
    press(window, "v", modifier=CTRL)
    key(RETURN)
    assert len(window.selection.nodes) > 1
    press(window, "b")
    assert why(window).why.note.text() == "step at: L"
    view = window.canvas
    click(view, at_header(view, node_named(view, "b")), NONE)
    assert why(window).why.note.text() == "b"
    press(window, "b")
    assert value(view, "b") == "−3"
    assert not lit_wire(view, (node_named(view, "d"), 0), window.context.style.theme.error)
