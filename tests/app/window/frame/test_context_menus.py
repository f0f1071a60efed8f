"""The menus of things on the canvas: what they offer, with which keys, and what it does."""

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu

from app.canvas.editing.canvas_cards import QuickAdd
from app.canvas.scene.hit_test import Hit
from app.window.commands import ACTIONS, groups
from app.window.frame.main_window import MainWindow
from app.window.frame.menus import CONTEXT_MENUS
from engine.formats.native import Drawing
from engine.graph import Constant, OpNode
from engine.ops import OPS
from tests.helpers.graphs import chain, count_looks
from tests.helpers.mouse import at_header, at_nothing, at_slot
from tests.helpers.window import node

BY_ID = {action.id: action for action in ACTIONS}


def menu_at(window: MainWindow, at: QPointF | None, keyboard: bool = False) -> QMenu:
    """The menu that a right click at a point of the canvas opens."""
    view = window.canvas.viewport()
    place = (at or QPointF(view.rect().center())).toPoint()
    reason = QContextMenuEvent.Reason.Keyboard if keyboard else QContextMenuEvent.Reason.Mouse
    event = QContextMenuEvent(reason, place, view.mapToGlobal(place))
    QApplication.sendEvent(view, event)
    QApplication.processEvents()
    return SHOWN.pop()


def entry(menu: QMenu, text: str):
    for action in menu.actions():
        if action.text().replace("&", "").startswith(text):
            return action
    raise AssertionError(f"no {text} among {texts(menu)}")


def texts(menu: QMenu) -> list[str]:
    return [a.text().replace("&", "") for a in menu.actions() if not a.isSeparator()]


def inner(menu: QMenu, text: str) -> QMenu:
    found = entry(menu, text).menu()
    assert isinstance(found, QMenu)
    return found


def choose(menu: QMenu, *path: str) -> None:
    for step in path[:-1]:
        menu = inner(menu, step)
    menu.aboutToHide.emit()
    entry(menu, path[-1]).trigger()
    QApplication.processEvents()


SHOWN: list[QMenu] = []


@pytest.fixture(autouse=True)
def menus_are_only_looked_at(monkeypatch):
    """An open menu grabs the keyboard, which offscreen there is none of."""
    SHOWN.clear()
    monkeypatch.setattr(QMenu, "popup", lambda menu, _at: SHOWN.append(menu))
    yield
    for menu in SHOWN:
        menu.deleteLater()


def test_every_entry_is_an_action_of_the_table(shared_leaf):
    for name in (name for menu in CONTEXT_MENUS.values() for g in groups(menu) for name in g):
        if name.startswith(">"):
            assert shared_leaf.menu_bar.menu(name[1:]).actions()
        else:
            assert name in BY_ID


def test_the_operation_of_a_node_is_changed_from_its_menu(shared_leaf):
    window = shared_leaf
    d = node(window, "d")
    menu = menu_at(window, at_header(window.canvas, d))
    families = inner(menu, "Change to")
    offered = [a for name in texts(families) for a in inner(families, name).actions()]
    assert [a.text() for a in offered] == [op.name for op in OPS]
    assert [a.text() for a in offered if a.isChecked()] == ["add"]
    choose(menu, "Change to", "Arithmetic", "sub")
    found = window.document.graph.nodes[d]
    assert isinstance(found, OpNode)
    assert found.op == "sub"
    assert window.document.done[-1].name == "Change d to sub"


def test_a_leaf_becomes_a_constant_and_has_no_operation(shared_leaf):
    window = shared_leaf
    a = node(window, "a")
    menu = menu_at(window, at_header(window.canvas, a))
    assert "Change to" not in texts(menu)
    choose(menu, "Make leaf or constant")
    assert isinstance(window.document.graph.nodes[a], Constant)


def test_a_slot_is_unplugged_plugged_and_fed_from_its_menu(shared_leaf):
    window = shared_leaf
    d = node(window, "d")
    choose(menu_at(window, at_slot(window.canvas, d, 1)), "Unplug")
    assert window.document.graph.source((d, 1)) is None
    menu = menu_at(window, at_slot(window.canvas, d, 1))
    assert "Unplug" not in texts(menu)
    choose(menu, "Plug in", "f")
    assert window.document.graph.source((d, 1)) == node(window, "f")
    window.document.undo()
    choose(menu_at(window, at_slot(window.canvas, d, 1)), "Add a leaf here")
    assert window.document.graph.source((d, 1)) is not None


def test_the_sources_of_a_slot_are_found_in_one_walk(shared_leaf, monkeypatch):
    shared_leaf.document.start(Drawing(chain(many := 60)))
    looked = count_looks(monkeypatch)
    middle = many // 2
    shared_leaf.canvas.menu_wanted.emit(Hit("slot", middle, (middle, 0)), QPoint(0, 0))
    assert inner(SHOWN.pop(), "Plug in").actions()
    assert len(looked) < 10 * many


def test_what_the_canvas_menu_adds_stands_where_it_was_opened(shared_leaf):
    window = shared_leaf
    at = at_nothing(window.canvas)
    choose(menu_at(window, at), "Add a node")
    box = window.canvas.findChild(QuickAdd)
    assert box is not None
    assert box.isVisible()
    assert (box.pos() - at.toPoint() - QPoint(12, 12)).manhattanLength() <= 2


def test_the_canvas_menu_offers_what_concerns_everything(shared_leaf):
    window = shared_leaf
    menu = menu_at(window, at_nothing(window.canvas))
    wanted = ["Paste", "Draw group", "Select all", "Arrange", "Arrange from top to bottom"]
    assert set(wanted) <= set(texts(menu))
    assert any(text.startswith("Copy") and "picture" in text for text in texts(menu))


def test_a_drawn_group_has_a_menu_with_its_colours(shared_leaf):
    window = shared_leaf
    number = window.document.groups.draw((-400.0, -400.0, 240.0, 200.0), "Part")
    window.canvas.framing.fit_all()
    title = window.canvas.camera.to_screen(QPointF(-340, -384))
    menu = menu_at(window, title)
    assert window.selection.frames == {number}
    choose(menu, "Group colour", "Gold")
    assert window.document.sheet.groups[number].colour == 3
    assert window.document.done[-1].name == "Colour group"
    choose(menu_at(window, title), "Delete")
    assert not window.document.sheet.drawn


def test_the_menu_key_opens_the_menu_of_what_has_the_keyboard(shared_leaf):
    window = shared_leaf
    window.selection.focus_on(node(window, "f"))
    menu = menu_at(window, None, keyboard=True)
    assert "Edit value" in texts(menu)
    assert window.selection.only == node(window, "f")


def test_heal_is_offered_only_where_it_can_be_done(shared_leaf):
    window = shared_leaf
    assert "Delete and join" not in texts(menu_at(window, at_nothing(window.canvas)))
    e = node(window, "e")
    assert "Delete and join" in texts(menu_at(window, at_header(window.canvas, e)))
