"""Every gesture in the window: Esc leaves no trace of it, done it is one named step.

A sheet with all there is to take hold of: nodes, wires, a group, a section, the map.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage

from app.canvas.editing.cards import QuickAdd
from app.document.files import whole_text
from app.document.history import Step
from app.document.sheet import Group, Section, Sheet
from app.window.frame.main_window import MainWindow
from engine.graph import Graph, Leaf, Node, OpNode, Root
from tests.helpers.mouse import (
    ALT,
    CTRL,
    LEFT,
    MIDDLE,
    NONE,
    SHIFT,
    at_header,
    at_nothing,
    at_number,
    at_output,
    at_slot,
    at_wire,
    held,
    hover,
)
from tests.helpers.seeing import map_frame, minimap, picture
from tests.helpers.window import CTRL as WITH_CTRL
from tests.helpers.window import press, said

ESCAPE = Qt.Key.Key_Escape
GROUP, SECTION, RECT = 20, 21, (-24.0, 408.0, 264.0, 168.0)
NODES: dict[int, Node] = {
    1: Leaf(2.0, "a"),
    2: Leaf(-3.0, "b"),
    3: OpNode("add", (1, 2), "c"),
    4: OpNode("mul", (3, None), "d"),
    5: OpNode("exp", (None,), "e"),
    6: Root(None),
    7: Leaf(1.0, "g"),
    8: OpNode("neg", (7,), "h"),
    9: Leaf(5.0, "k"),
    10: Leaf(0.0, "far"),
}
PLACES = {
    1: (0.0, 0.0),
    2: (0.0, 192.0),
    3: (240.0, 48.0),
    4: (480.0, 48.0),
    5: (480.0, 240.0),
    6: (696.0, 48.0),
    7: (300.0, 432.0),
    8: (420.0, 432.0),
    9: (0.0, 456.0),
    10: (4800.0, 0.0),
}
SHEET = Sheet(
    Graph(NODES, 6, 22),
    PLACES,
    {SECTION: Section("box", RECT)},
    {GROUP: Group("pair", frozenset({7, 8}), True, (336.0, 432.0))},
)

Find = Callable[[MainWindow], QPointF]


@dataclass(frozen=True)
class Case:
    """A gesture: where it begins and ends, what is held, and the step it is, or "" for none."""

    name: str
    start: Find
    end: Find
    step: str
    modifiers: Qt.KeyboardModifier = NONE
    button: Qt.MouseButton = LEFT


def _to_screen(x: float, y: float) -> Find:
    return lambda w: QPointF(w.canvas.camera.to_screen(QPointF(x, y)).toPoint())


def _header(node: int, dx: float = 0.0, dy: float = 0.0) -> Find:
    return lambda w: at_header(w.canvas, node) + QPointF(dx, dy)


def _output(node: int) -> Find:
    return lambda w: at_output(w.canvas, node)


def _slot(node: int, slot: int = 0) -> Find:
    return lambda w: at_slot(w.canvas, node, slot)


def _map(dx: float, dy: float) -> Find:
    return lambda w: map_frame(w.canvas).center() + QPointF(dx, dy)


def _wire(window: MainWindow) -> QPointF:
    return at_wire(window.canvas, (3, 1))


def _plus(window: MainWindow) -> QPointF:
    return window.canvas.camera.to_screen(window.canvas.scene.group_boxes[GROUP].opener.center())


def _empty(window: MainWindow) -> QPointF:
    return window.canvas.camera.to_screen(QPointF(330, 330))


CASES = (
    Case("move a node", _header(5), _header(5, -40, 90), "Move e"),
    Case("move freely", _header(5), _header(5, -41, 83), "Move e", ALT),
    Case("move into a wire", _header(5), lambda w: at_wire(w.canvas, (3, 1)), "Insert e"),
    Case("draw a wire", _output(2), _slot(4, 1), "Connect b → d"),
    Case("draw a wire backwards", _slot(5), _output(2), "Connect b → e"),
    Case("re-plug", _slot(4, 0), _slot(5), "Connect c → e"),
    Case("unplug", _slot(4, 0), _empty, "Unplug d"),
    Case("move all wires", _output(1), _output(2), "Move wires a → b", CTRL),
    Case("choose a wire", _wire, _wire, ""),
    Case("cut a wire", _wire, _wire, "Unplug c", ALT),
    Case("unplug a slot", _slot(4, 0), _slot(4, 0), "Unplug d", ALT),
    Case("open a group", _plus, _plus, "Open group"),
    Case("close a loop", _output(4), _slot(3, 0), ""),
    Case(
        "scrub",
        lambda w: at_number(w.canvas, 1),
        lambda w: at_number(w.canvas, 1) + QPointF(60, 0),
        "Set a",
    ),
    Case("rubber band", _empty, _header(3), ""),
    Case("rubber band that adds", _empty, _header(3), "", SHIFT),
    Case("pan", _empty, lambda w: _empty(w) + QPointF(50, 30), "", button=MIDDLE),
    Case("move a group", _to_screen(400, 480), _to_screen(448, 504), "Move group pair"),
    Case("move a section", _to_screen(120, 420), _to_screen(96, 372), "Move section box"),
    Case("resize a section", _to_screen(240, 500), _to_screen(288, 500), "Resize section box"),
    Case("look around on the map", _map(0, 0), _map(14, 6), ""),
)


@pytest.fixture
def window(window: MainWindow) -> MainWindow:
    """The sheet at 100 %, with a step that was undone and something chosen."""
    renew(window)
    return window


def renew(window: MainWindow) -> None:
    """As if nothing had been done yet."""
    window.document.start(SHEET.drawing())
    window.show_work()
    view = window.canvas
    view.camera.set_zoom(1.0)
    view.camera.pan_by(QPointF(60, 30) - view.camera.to_screen(QPointF(0, 0)))
    window.document.add_node(Leaf(7.0, "z"), (0.0, 700.0))
    press(window, "z", modifier=WITH_CTRL)
    window.selection.choose((9,), ((3, 0),))
    picture(view)
    assert minimap(view).isVisible()


@dataclass(frozen=True)
class Trace:
    """Everything that a cancelled gesture could have left behind, seen and unseen."""

    content: bytes
    history: tuple[tuple[Step, ...], tuple[Step, ...]]
    chosen: object
    seen: QImage
    undo: tuple[str, bool]

    @classmethod
    def of(cls, window: MainWindow) -> "Trace":
        document, undo = window.document, window.commands["undo"]
        return cls(
            whole_text(document.sheet),
            (document.done, document.undone),
            window.selection.snapshot(),
            picture(window.canvas),
            (undo.text(), undo.isEnabled()),
        )


def test_esc_leaves_no_trace_of_any_gesture(window: MainWindow):
    view = window.canvas
    for case in CASES:
        renew(window)
        start, end = case.start(window), case.end(window)
        hover(view, end)
        before = Trace.of(window)
        with held(view, start, end, case.modifiers, button=case.button):
            assert view.mouse.gesture is not None, case.name
            press(window, ESCAPE)
            assert view.mouse.gesture is None, case.name
        hover(view, end)
        after = Trace.of(window)
        assert after.content == before.content, case.name
        assert after.chosen == before.chosen, case.name
        assert after.seen == before.seen, case.name
        assert after.undo == before.undo, case.name
        assert said(window) == "", case.name
        assert after.history == before.history, case.name


def test_every_gesture_that_changes_the_sheet_is_one_step_with_its_name(window: MainWindow):
    view, document = window.canvas, window.document
    for case in CASES:
        renew(window)
        before, zoomed = whole_text(window.document.sheet), window.status_line.zoom.text()
        start, end = case.start(window), case.end(window)
        with held(view, start, end, case.modifiers, button=case.button):
            pass
        if not case.step:
            assert whole_text(window.document.sheet) == before, case.name
            assert not document.done, case.name
            continue
        done = whole_text(window.document.sheet)
        assert done != before, case.name
        assert [step.name for step in document.done] == [case.step], case.name
        assert window.commands["undo"].text() == f"&Undo {case.step}"
        press(window, "z", modifier=WITH_CTRL)
        assert whole_text(window.document.sheet) == before, case.name
        assert window.commands["redo"].text() == f"&Redo {case.step}"
        press(window, "y", modifier=WITH_CTRL)
        assert whole_text(window.document.sheet) == done, case.name
        assert window.status_line.zoom.text() == zoomed


def test_what_is_let_go_in_the_empty_and_then_left_with_esc_is_as_if_it_had_not_been(
    window: MainWindow,
):
    view = window.canvas
    for start in (at_output(view, 2), at_slot(view, 5)):
        before = whole_text(window.document.sheet)
        with held(view, start, at_nothing(view)):
            assert window.status_line.text() == "Let go to add a node here"
        box = view.findChild(QuickAdd)
        assert box is not None
        assert box.isVisible()
        press(window, ESCAPE)
        assert not box.isVisible()
        assert whole_text(window.document.sheet) == before
        assert not window.document.done
