"""Looking inside a group: what is done there stays there, and nothing unseen is touched."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication

from app.window.commands.view import show_node
from app.window.frame.main_window import MainWindow
from engine.graph import Root
from tests.helpers.answering import acts
from tests.helpers.mouse import (
    SHIFT,
    at_header,
    at_nothing,
    at_wire,
    click,
    double_click,
    drop_entry,
    key,
    node_named,
)
from tests.helpers.window import CTRL, open_example, press, said

BACKSPACE, DELETE, RETURN = Qt.Key.Key_Backspace, Qt.Key.Key_Delete, Qt.Key.Key_Return
HOME, NEXT = Qt.Key.Key_Home, Qt.Key.Key_Right

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard")


def choose(window: MainWindow, names: str) -> None:
    click(window.canvas, at_nothing(window.canvas))
    for name in names:
        click(window.canvas, at_header(window.canvas, node_named(window.canvas, name)), SHIFT)


def folded(window: MainWindow) -> int:
    """The one collapsed group that is drawn."""
    (number,) = window.canvas.scene.group_boxes
    return number


def enter(window: MainWindow) -> None:
    view = window.canvas
    box = view.scene.group_boxes[folded(window)]
    double_click(view, view.camera.to_screen(QPointF(box.x + box.w / 2, box.y + box.h - 8)))


def seen(window: MainWindow) -> set[str]:
    graph = window.document.graph
    return {graph.title(node) for node in window.canvas.scene.boxes}


def stops(window: MainWindow) -> list[int]:
    """Where the steps of the backward pass end."""
    click(window.canvas, at_nothing(window.canvas))
    press(window, "b", HOME)
    found = [window.playback.cursor]
    while "step" in acts(window):
        press(window, NEXT)
        found.append(window.playback.cursor)
    window.playback.leave()
    return found


@pytest.fixture
def inner(window: MainWindow) -> MainWindow:
    """c, d and e of the demonstration folded into one node, and looked into."""
    open_example(window, "demonstration")
    choose(window, "cde")
    press(window, "g", modifier=CTRL)
    enter(window)
    assert seen(window) == {"c", "d", "e"}
    return window


def test_everything_is_what_is_seen_and_the_rest_is_not_deleted_with_it(inner: MainWindow):
    press(inner, "a", modifier=CTRL)
    names = {inner.document.graph.title(node) for node in inner.selection.nodes}
    assert names == {"c", "d", "e"}
    press(inner, DELETE)
    graph = inner.document.graph
    assert {graph.title(node) for node in graph.nodes} == {"a", "b", "f", "y", "root"}


def test_ancestors_and_descendants_are_chosen_as_far_as_they_are_seen(inner: MainWindow):
    choose(inner, "e")
    inner.commands["select_ancestors"].trigger()
    inner.commands["select_descendants"].trigger()
    names = {inner.document.graph.title(node) for node in inner.selection.nodes}
    assert names == {"c", "d", "e"}


def test_a_group_that_is_undone_is_left_and_redone_it_takes_in_nothing_new(inner: MainWindow):
    press(inner, "z", modifier=CTRL)
    assert len(seen(inner)) == 8
    assert not inner.canvas.breadcrumbs.isVisible()
    press(inner, "y", modifier=CTRL)
    assert inner.document.inside is None
    group = folded(inner)
    before = inner.document.sheet.groups[group].members
    added = drop_entry(inner.canvas, "op:exp", at_nothing(inner.canvas))
    assert added in inner.canvas.scene.boxes
    assert inner.document.sheet.groups[group].members == before


def test_a_group_steps_as_one_again_after_undo_and_redo_inside_of_it(window: MainWindow):
    open_example(window, "shared-leaf")
    choose(window, "de")
    press(window, "g", modifier=CTRL)
    right = stops(window)
    assert right == [0, 1, 2, 3, 7]  # seed, the root's wires, then d and e together
    enter(window)
    assert len(stops(window)) == 8
    press(window, "z", modifier=CTRL)
    press(window, "y", modifier=CTRL)
    assert stops(window) == right


def test_unpacking_the_group_one_is_in_leads_to_the_one_around_it(inner: MainWindow):
    outer = inner.document.inside
    choose(inner, "cd")
    press(inner, "g", modifier=CTRL)
    enter(inner)
    assert seen(inner) == {"c", "d"}
    press(inner, "a", modifier=CTRL)
    press(inner, "u", modifier=CTRL)
    assert inner.document.inside == outer
    assert seen(inner) == {"c", "d", "e"}


def test_copies_and_templates_made_inside_are_seen_there(inner: MainWindow):
    choose(inner, "cd")
    press(inner, "g", modifier=CTRL)
    count = len(inner.canvas.scene.group_boxes)
    press(inner, "d", modifier=CTRL)
    assert len(inner.canvas.scene.group_boxes) == count + 1
    press(inner, "c", modifier=CTRL)
    press(inner, "v", modifier=CTRL)
    assert len(inner.canvas.scene.group_boxes) == count + 2
    inner.canvas.editing.adding.add_next("block:neuron(2)")
    assert len(inner.canvas.scene.group_boxes) == count + 3
    click(inner.canvas, at_nothing(inner.canvas))
    press(inner, BACKSPACE)
    assert len(inner.canvas.scene.group_boxes) == 1  # all of it lies in the group


def test_a_root_stays_outside_and_that_is_said(inner: MainWindow):
    before = inner.document.sheet
    inner.canvas.editing.adding.add_next("root")
    assert "A root stands on the whole sheet" in said(inner)
    assert inner.document.sheet is before
    QGuiApplication.clipboard().setText("u * v")
    press(inner, "v", modifier=CTRL)
    key(RETURN)
    assert {"u", "v"} <= seen(inner)
    roots = [n for n in inner.document.graph.nodes.values() if isinstance(n, Root)]
    assert len(roots) == 1


def test_a_node_that_is_shown_from_elsewhere_is_shown_on_the_whole_sheet(inner: MainWindow):
    show_node(inner.context, node_named(inner.canvas, "a"))
    assert inner.document.inside is None
    assert inner.selection.only == node_named(inner.canvas, "a")


def test_an_operation_put_into_a_wire_of_an_opened_group_belongs_to_it(window: MainWindow):
    open_example(window, "demonstration")
    choose(window, "cde")
    press(window, "g", modifier=CTRL)
    group = folded(window)
    press(window, "j", modifier=CTRL)
    e = node_named(window.canvas, "e")
    added = drop_entry(window.canvas, "op:tanh", at_wire(window.canvas, (e, 0)))
    assert window.document.graph.inputs(e)[0] == added
    assert added in window.document.sheet.groups[group].members
    choose(window, "d")
    press(window, "d", modifier=CTRL)
    assert window.selection.nodes <= window.document.sheet.groups[group].members


def test_w_says_what_it_needs_when_the_chosen_node_is_out_of_sight(inner: MainWindow):
    inner.selection.focus_on(node_named(inner.canvas, "a"))
    press(inner, "w")
    assert said(inner) == "Choose a node first; W then starts a wire from it."


def test_w_wires_a_folded_group_from_its_output_and_into_its_slots(window: MainWindow):
    open_example(window, "demonstration")
    view, graph = window.canvas, window.document.graph
    choose(window, "cd")
    press(window, "g", modifier=CTRL)
    box = view.scene.group_boxes[folded(window)]
    click(view, view.camera.to_screen(QPointF(box.x + box.w / 2, box.y + box.h - 8)))
    press(window, "w")
    pair = view.keyboard.wiring
    assert pair is not None
    assert graph.title(pair[0]) in "cd"
    press(window, RETURN)
    assert window.document.graph.source(pair[1]) == pair[0]
    press(window, "z", modifier=CTRL)
    leaf = drop_entry(view, "leaf", at_nothing(view))
    key(RETURN)  # its name may stay
    press(window, "w")
    targets = set()
    for _ in range(30):
        pair = view.keyboard.wiring
        assert pair is not None
        assert pair[0] == leaf
        targets.add(graph.title(pair[1][0]))
        press(window, NEXT)
    assert {"c", "d"} <= targets
