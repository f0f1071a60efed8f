"""What can be done is found: context menus, tooltips, the history, the shortcuts, the commands."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QTreeWidget

from app.document.document_file import whole_text
from app.panels.history_page import HistoryPage
from app.window.commands import ACTIONS
from app.window.dialogs.action_list import CommandPalette, Shortcuts
from app.window.frame.main_window import MainWindow
from tests.helpers.answering import told
from tests.helpers.mouse import (
    at_header,
    at_nothing,
    at_number,
    at_output,
    at_slot,
    at_wire,
    click,
    drag,
    draw_wire,
    drop_entry,
    hover,
    key,
    node_named,
    type_into_focus,
)
from tests.helpers.reading import written
from tests.helpers.seeing import menu_at, rows, take, tip_at
from tests.helpers.window import CTRL, SHIFT, dialog_of, open_dialogs, opened_page, press, until

RETURN, ESCAPE = Qt.Key.Key_Return, Qt.Key.Key_Escape

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard")


@pytest.fixture
def window(shared_leaf: MainWindow) -> MainWindow:
    """(a*b + a) * f on the canvas, with room around it."""
    shared_leaf.canvas.camera.zoom_by(0.8)
    return shared_leaf


@pytest.mark.x11  # offscreen a menu takes the keyboard away with it
def test_what_the_menu_of_the_canvas_adds_stands_where_it_was_opened(window: MainWindow):
    view = window.canvas
    at = at_nothing(view)
    take(menu_at(view, at), "Add a node")
    type_into_focus("tanh")
    key(RETURN)
    (added,) = window.selection.nodes
    box = view.scene.boxes[added].rect
    assert box.contains(view.camera.to_sheet(at))


@pytest.mark.x11  # offscreen a menu takes the keyboard away with it
def test_after_a_menu_of_the_bar_is_closed_with_esc_keys_act_on_the_sheet(window: MainWindow):
    window.canvas.setFocus()
    menu = window.menu_bar.menu("Learn")
    window.menu_bar.setActiveAction(menu.menuAction())
    until(menu.isVisible)
    QTest.keyClick(menu, ESCAPE)
    until(lambda: QApplication.focusWidget() is window.canvas)
    key(Qt.Key.Key_Space)
    assert not menu.isVisible()
    assert window.playback.playing


def test_a_menu_is_closed_with_esc_and_nothing_is_done(window: MainWindow):
    view = window.canvas
    before = whole_text(window.document.sheet)
    menu = menu_at(view, at_header(view, node_named(view, "a")))
    assert rows(menu)["Edit value"] == ""
    QTest.keyClick(menu, ESCAPE)
    QApplication.processEvents()
    assert not any(found.isVisible() for found in window.findChildren(QMenu))
    assert whole_text(window.document.sheet) == before


def test_tooltips_tell_what_a_thing_is_and_how_to_use_it(window: MainWindow):
    view = window.canvas
    view.camera.set_zoom(1.0)
    press(window, "b", Qt.Key.Key_End)
    expected = (
        (at_header(view, node_named(view, "e")), ("e", "value −6", "gradient −2", "F2", "Delete")),
        (at_number(view, node_named(view, "a")), ("a, value 2", "Drag to change it")),
        (
            at_slot(view, node_named(view, "d"), 1),
            ("a → d, slot 2", "Alt+click or Ctrl+Shift+click to unplug"),
        ),
        (at_output(view, node_named(view, "e")), ("Drag to a slot", "Ctrl moves all its wires")),
        (at_wire(view, (node_named(view, "e"), 1)), ("b → e", "−2 × 2 = −4", "Alt+click")),
    )
    for at, pieces in expected:
        tip = tip_at(view, at)
        assert all(piece in tip for piece in pieces), tip
        hover(view, at)
        assert window.status_line.text() in tip.replace("\n", " ")  # also said without waiting
    assert tip_at(view, at_nothing(view)) == ""


def test_every_button_above_the_canvas_says_what_it_does_and_its_key(window: MainWindow):
    named = {f"button-{action.id}": action for action in ACTIONS}
    buttons = [b for b in window.findChildren(QAbstractButton) if b.objectName() in named]
    assert len(buttons) >= 5
    for button in buttons:
        action = named[button.objectName()]
        assert button.toolTip(), action.id
        assert action.shown_keys in button.toolTip()


def test_the_history_names_every_gesture_and_a_click_goes_there(window: MainWindow):
    view = window.canvas
    first = whole_text(window.document.sheet)
    draw_wire(view, "b", "d", 1)
    drag(view, at_header(view, node_named(view, "f")), at_nothing(view))
    drop_entry(view, "op:exp", at_nothing(view))
    last = whole_text(window.document.sheet)
    panel = opened_page(window, "history")
    assert isinstance(panel, HistoryPage)
    model = panel.view.model()
    names = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert names == ["As it was opened", "Connect b → d", "Move f", "Add exp"]
    for row, content in ((0, first), (3, last)):
        click(panel.view, QPointF(panel.view.visualRect(model.index(row, 0)).center()))
        assert whole_text(window.document.sheet) == content
        assert ("exp" in "".join(written(view))) == (row == 3)


def test_the_shortcuts_window_lists_every_key_of_the_table_and_is_searched(window: MainWindow):
    press(window, Qt.Key.Key_F1)
    dialog = dialog_of(window, Shortcuts)
    for action in ACTIONS:
        if action.keys:
            found = dialog.list.findItems(action.plain_text, Qt.MatchFlag.MatchExactly)
            assert any(item.text(1) for item in found), action.id
    type_into_focus("group")
    assert {"Group selection", "Unpack group"} <= set(dialog.texts())
    assert _keys(dialog.list)["Group selection"] == "Ctrl+G"
    assert "Backward" not in dialog.texts()
    key(ESCAPE)
    assert not open_dialogs(window)
    press(window, "b")
    assert told(window).startswith("Step 1 of 7")


def _keys(shown: QTreeWidget) -> dict[str, str]:
    items = [shown.topLevelItem(k) for k in range(shown.topLevelItemCount())]
    return {item.text(0): item.text(1) for item in items if item is not None}


def test_the_keys_of_a_page_scroll_the_shortcuts_while_they_are_searched(window: MainWindow):
    press(window, Qt.Key.Key_F1)
    bar = dialog_of(window, Shortcuts).list.verticalScrollBar()
    seen = []
    for pressed in (Qt.Key.Key_Down, Qt.Key.Key_PageDown, Qt.Key.Key_Up, Qt.Key.Key_PageUp):
        key(pressed)
        seen.append(bar.value())
    page = bar.pageStep()
    assert seen == [1, 1 + page, page, 0]
    type_into_focus("zoom")
    assert bar.value() == 0


def test_the_command_palette_finds_blocks_and_examples(window: MainWindow):
    for typed, found in (("mlp", "Add block: MLP"), ("dead relu", "Open example: Dead relu")):
        press(window, "p", modifier=CTRL | SHIFT)
        type_into_focus(typed)
        assert dialog_of(window, CommandPalette).texts()[0] == found
        key(RETURN)
        QApplication.processEvents()
        if typed == "mlp":
            assert window.commands["undo"].text() == "&Undo Add mlp"
            press(window, "z", modifier=CTRL)
    assert "relu" in window.expression.text()


def test_the_shortcuts_window_says_how_a_value_is_edited(window: MainWindow):
    press(window, Qt.Key.Key_F1)
    dialog = dialog_of(window, Shortcuts)
    type_into_focus("value")
    assert any(text.startswith("Edit the value") for text in dialog.texts())
