"""What assistive technology is told of the canvas, asked the way it asks."""

import gc
import random
import weakref
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QPushButton
from shiboken6 import isValid

from app.canvas import accessibility as accessible
from app.canvas.accessibility import CanvasInterface, PartInterface
from engine.graph import Graph, Leaf, OpNode
from tests.helpers.asked import cover
from tests.helpers.canvas import CanvasFixture, new_canvas

NAME = QAccessible.Text.Name


@pytest.fixture
def read(canvas: CanvasFixture) -> CanvasFixture:
    """The shared leaf before any pass."""
    canvas.open_example("shared-leaf")
    return canvas


@pytest.fixture
def listening() -> Iterator[None]:
    """A screen reader is there."""
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


@pytest.fixture
def spoken(monkeypatch, listening) -> list[str]:
    """The sentences that are spoken."""
    found: list[str] = []
    monkeypatch.setattr(
        accessible,
        "QAccessibleAnnouncementEvent",
        lambda view, text: (found.append(text), AnnouncementEvent(view, text))[1],
    )
    return found


AnnouncementEvent = accessible.QAccessibleAnnouncementEvent


def root_interface(canvas: CanvasFixture) -> QAccessibleInterface:
    return QAccessible.queryAccessibleInterface(canvas.view)


def parts(canvas: CanvasFixture) -> list[PartInterface]:
    whole = root_interface(canvas)
    children = [whole.child(k) for k in range(whole.childCount())]
    return [child for child in children if isinstance(child, PartInterface)]


def names(canvas: CanvasFixture) -> list[str]:
    return [part.text(NAME) for part in parts(canvas)]


def named(canvas: CanvasFixture, start: str) -> PartInterface:
    return next(part for part in parts(canvas) if part.text(NAME).startswith(start))


def test_nodes_then_wires_are_read_in_reading_order(read):
    assert names(read)[:4] == [
        "a, leaf, value 2",
        "b, leaf, value −3",
        "e, times, value −6, inputs a and b",
        "d, plus, value −4, inputs e and a",
    ]
    assert names(read)[7] == "from a to e, slot 1"
    assert len(names(read)) == 14


def test_names_carry_the_numbers_of_the_step_but_no_covered_ones(read):
    read.playback.backward()
    read.playback.go(5)
    assert named(read, "a,").text(NAME).endswith("gradient −2 so far, 1 of 2")
    read.playback.go(6)
    for name in (
        "e, times, value −6, gradient −2, inputs a and b",
        "b, leaf, value −3, gradient not computed",
        "from a to e, slot 1, −2 × −3 = +6",
        "from b to e, slot 2, next, −2 × 2",
    ):
        assert name in names(read)
    assert named(read, "a,").text(NAME).endswith("gradient 4, 2 of 2 contributions")
    cover(read.playback)
    assert "from b to e, slot 2, asked, not yet known" in names(read)


def test_an_empty_slot_and_a_leaf_without_a_path_are_named(canvas):
    canvas.show(Graph({1: Leaf(2.0, "a"), 2: OpNode("mul", (1, None), "e")}, None, 3))
    assert named(canvas, "e").text(NAME) == "e, times, value not computed, inputs a and nothing"
    canvas.open_example("shared-leaf")
    canvas.document.add_node(Leaf(1.0, "z"), (0.0, 600.0))
    canvas.playback.backward()
    assert named(canvas, "z").text(NAME) == "z, leaf, value 1, gradient none, no path to the root"


def test_a_collapsed_group_is_one_thing_with_the_number_of_its_nodes(read):
    read.document.groups.make([read.node("e"), read.node("d")], "pair")
    assert named(read, "pair, group of 2 nodes")
    assert not any(name.startswith("e,") for name in names(read))
    read.document.remove([read.node("d")])
    assert named(read, "pair, group of 1 node,")


def test_a_quiz_that_opens_a_collapsed_group_has_its_nodes_read_instead(read):
    read.document.groups.make([read.node("e"), read.node("d")], "pair")
    group = named(read, "pair, group of 2 nodes")
    read.view.context.modes.toggle()
    assert not group.isValid()
    assert group.rect() == QRect()
    assert {"e", "d"} <= {name.split(",")[0] for name in names(read)}
    read.view.context.modes.toggle()
    assert group.isValid()
    assert not group.rect().isEmpty()


def test_a_drawn_group_is_read_with_how_much_lies_in_it(read):
    rect = read.scene.bounds((read.node("a"), read.node("b"))).adjusted(-24, -60, 24, 24)
    box = (rect.x(), rect.y(), rect.width(), rect.height())
    number = read.document.groups.draw(box, "Inputs")
    part = named(read, "group Inputs")
    assert part.text(NAME) == "group Inputs, 2 nodes"
    assert names(read).index(part.text(NAME)) < names(read).index(named(read, "a,").text(NAME))
    read.selection.choose(frames=(number,))
    assert part.state().selected
    assert part.state().focused
    assert root_interface(read).focusChild() is part
    at = read.view.viewport().mapToGlobal(read.view.camera.to_screen(rect.topLeft()).toPoint())
    assert root_interface(read).childAt(at.x() + 30, at.y() + 14) is part
    read.document.remove((), (), (number,))
    assert not part.isValid()


def test_parts_know_their_place_and_their_state(read):
    read.view.setFocus()
    read.selection.focus_on(read.node("a"))
    part = named(read, "a,")
    state = part.state()
    assert state.selected
    assert state.focused
    assert not state.offscreen
    assert root_interface(read).focusChild() is part
    assert not named(read, "b,").state().selected
    box = read.scene.boxes[read.node("a")].rect
    corner = read.view.camera.to_screen(box.topLeft()).toPoint()
    shown = read.view.viewport().mapToGlobal(corner)
    assert part.rect() == QRect(shown, box.size().toSize())
    read.view.camera.pan_by(read.view.camera.to_screen(box.topLeft()) + QPoint(3000, 0))
    assert part.state().offscreen


def test_tree_and_points_lead_to_the_same_parts_and_to_widgets_on_the_canvas(read):
    button = QPushButton("here", read.view)
    button.show()
    whole = root_interface(read)
    assert whole.role() == QAccessible.Role.Canvas
    assert whole.text(NAME) == "Canvas"
    children = [whole.child(k) for k in range(whole.childCount())]
    assert "here" in [child.text(NAME) for child in children]
    button.hide()
    for k, part in enumerate(parts(read)):
        assert whole.indexOfChild(part) == k
        if part.key[0] == "node":
            middle = part.rect().center()
            assert whole.childAt(middle.x(), middle.y()) is part
            assert part.parent() is whole


def test_steps_are_spoken_once_and_values_are_not(read, spoken):
    read.playback.backward()
    read.playback.step()
    assert spoken[0].startswith("L starts with grad 1")
    assert "passes" in spoken[1]
    before = len(spoken)
    read.document.set_value(read.node("a"), 5.0)
    cover(read.playback)
    assert len(spoken) == before
    read.playback.step_back()
    assert spoken[-1] == spoken[0] or "starts with grad 1" in spoken[-1]


def test_without_assistive_technology_nothing_is_made_or_said(read, monkeypatch):
    QAccessible.setActive(False)
    monkeypatch.setattr(accessible, "step_text", pytest.fail)
    read.playback.backward()
    read.playback.to_end()
    read.selection.focus_on(read.node("a"))
    assert read.view.announcer.interface is None


def test_what_has_gone_answers_nothing_and_is_forgotten(read):
    part = named(read, "a,")
    read.document.remove([read.node("a")])
    assert not isValid(part)
    assert not any(name.startswith("a,") for name in names(read))


def anything(canvas: CanvasFixture, chance: random.Random) -> Callable[[], object]:
    """Something that a person might do next."""
    nodes = [*canvas.graph.nodes] or [canvas.document.add_node(Leaf(1.0), (0.0, 0.0)) or 0]
    node, place = chance.choice(nodes), (chance.random() * 900, chance.random() * 600)
    return chance.choice(
        [
            lambda: canvas.document.remove([node]),
            lambda: canvas.document.add_node(Leaf(1.0), place),
            lambda: canvas.selection.focus_on(node),
            canvas.document.undo,
            canvas.document.redo,
            canvas.playback.step,
            canvas.playback.leave,
        ]
    )


def test_edits_and_questions_in_any_order_do_no_harm(read, listening):
    chance = random.Random(11)
    for _round in range(300):
        held = chance.sample(parts(read), min(3, len(parts(read))))
        anything(read, chance)()
        for part in (found for found in held if isValid(found)):
            told = part.text(NAME), part.rect(), part.state(), part.parent(), part.isValid()
            assert bool(told[0]) == told[4]
        assert len(names(read)) == len(read.graph.nodes) + len(list(read.graph.wires()))
    whole = root_interface(read)
    assert isinstance(whole, CanvasInterface)
    assert len(whole._interfaces) == len(names(read))


def test_a_canvas_leaves_nothing_behind(qapp):
    canvas = new_canvas()
    canvas.open_example("shared-leaf")
    kept = weakref.ref(parts(canvas)[0])
    view = canvas.view
    view.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not isValid(view)
    del canvas, view
    gc.collect()
    assert kept() is None


def test_the_zoom_buttons_are_read_by_name_and_pressed_without_a_mouse(read, qtbot):
    read.view.grab()
    row = QAccessible.queryAccessibleInterface(read.view.overlay.zoom_buttons)
    buttons = [row.child(k) for k in range(row.childCount())]
    names = ["Zoom out", "Zoom in", "Fit all", "Follow the step"]
    assert [button.text(NAME) for button in buttons] == names
    assert [button.role() for button in buttons[:3]] == [QAccessible.Role.Button] * 3
    assert buttons[3].role() == QAccessible.Role.CheckBox
    buttons[1].actionInterface().doAction("Press")
    qtbot.waitUntil(lambda: read.view.camera.zoom == 1.25)


def test_the_legend_is_read_as_text_while_it_is_shown(read):
    read.playback.to_end()
    read.view.grab()
    legend = QAccessible.queryAccessibleInterface(read.view.overlay.legend)
    assert legend.role() == QAccessible.Role.StaticText
    assert legend.text(NAME) == "upstream gradient  ×  local derivative  =  contribution"
    assert legend.state().invisible != read.view.overlay.legend.shown
