import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.style.strokes import is_presented
from engine.rules import MISTAKES
from tests.helpers.window import click, opened_window


def test_the_start_page_stands_in_place_of_an_empty_grid(window):
    assert window.on_full_page
    assert not window.toolbar.isVisible()
    assert not window.canvas.isVisible()
    assert window.status_line.isVisible()


def test_an_example_takes_the_place_of_the_start_page(window):
    click(window.pages.welcome.examples.cards[0])
    assert not window.on_full_page
    assert window.canvas.isVisible()
    assert len(window.document.graph.nodes) == 7
    assert not window.document.modified


def test_the_toolbar_holds_seven_things(shared_leaf):
    names = [button.objectName() for button in shared_leaf.toolbar.buttons()]
    assert names == [
        *("button-undo", "button-redo"),
        *("button-forward", "button-backward", "button-arrange", "button-export"),
    ]
    places = [button.x() for button in shared_leaf.toolbar.buttons()]
    assert places == sorted(places)
    assert places[1] < shared_leaf.expression.x() < places[2]


def test_a_narrow_toolbar_leaves_its_room_to_the_formula(shared_leaf):
    window = shared_leaf
    for width, size, words in ((1440, 1.0, True), (880, 1.0, True), (880, 2.0, False)):
        window.context.style.set_size(size)
        window.resize(width, 700)
        QApplication.processEvents()
        texts = [button.text() for button in window.toolbar.buttons() if button.text()]
        assert texts == (["Forward", "Backward"] if words else []), (width, size)
        assert window.expression.width() >= window.context.style.px(280), (width, size)


def test_zero_grad_is_offered_only_while_a_mistake_needs_it(shared_leaf):
    window = shared_leaf
    zero = window.commands["zero_grad"]
    for rules in MISTAKES:
        window.playback.set_rules(rules)
        needed = rules.name in ("no-zero-grad", "zero-leaves-only")
        assert zero.isEnabled() == needed, rules.name
        if needed:
            zero.trigger()
            assert window.playback.rules.name == "correct", rules.name


def test_a_typed_graph_is_seen_whole_once_it_is_laid_out(window, qtbot):
    window.pages.welcome.expression_entered.emit("((a*b + c) * d + e) * f")
    rough = dict(window.document.positions)
    qtbot.waitUntil(lambda: window.document.positions != rough, timeout=60_000)
    QApplication.processEvents()
    right = max(box.rect.right() for box in window.canvas.scene.boxes.values())
    assert right <= window.canvas.camera.visible_area.right()


def test_a_key_that_comes_before_the_next_turn_finds_its_action_enabled(shared_leaf):
    window = shared_leaf
    window.canvas.setFocus()
    QApplication.processEvents()
    node = window.document.graph.node_named("d")
    window.selection.focus_on(node)  # and no turn of the event loop after it
    QTest.keyClick(window.canvas, Qt.Key.Key_Delete)
    assert node not in window.document.graph.nodes


@pytest.mark.parametrize("width", [880, 1024, 1366])
def test_the_title_is_not_behind_the_menus(shared_leaf, width):
    shared_leaf.resize(width, 700)
    QApplication.processEvents()
    name = shared_leaf.top_line.name
    if name.isVisible():
        menus = shared_leaf.menu_bar
        end = menus.mapTo(shared_leaf, menus.rect().topRight()).x()
        assert name.mapTo(shared_leaf, QPoint()).x() > end


def test_a_window_is_deleted_without_a_fault_while_the_canvas_has_the_keyboard(qtbot):
    with opened_window(qtbot, example="shared-leaf") as window:
        window.context.canvas.setFocus()
        assert window.context.canvas.hasFocus()
        with qtbot.captureExceptions() as faults:
            shiboken6.delete(window)
        assert faults == []


def test_a_presentation_ends_with_its_window(qtbot):
    with opened_window(qtbot, example="shared-leaf") as window:
        window.toggle_presentation()
        assert is_presented()
        window.close()
        assert not is_presented()
        assert not window.presenting
        assert not window.isFullScreen()
