"""The time machine: passes stop at nodes, and a step is found by what happened at it."""

import pytest
from PySide6.QtCore import Qt

from app.window.frame.main_window import MainWindow
from tests.helpers.answering import told
from tests.helpers.mouse import at_header, click, node_named
from tests.helpers.seeing import menu_at, rows, take
from tests.helpers.window import open_example, press, said

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard")

F8, F9 = Qt.Key.Key_F8, Qt.Key.Key_F9


def choose(window: MainWindow, name: str) -> None:
    click(window.canvas, at_header(window.canvas, node_named(window.canvas, name)))


def test_a_pass_stops_whenever_a_node_fires_or_receives(window: MainWindow):
    open_example(window, "demonstration")
    choose(window, "d")
    press(window, F9)
    assert window.context.time_machine.breakpoints == {node_named(window.canvas, "d")}
    stops = []
    for _ in range(5):
        press(window, F8)
        stops.append(window.playback.cursor)
    assert stops == [5, 7, 8, 9, 9]
    assert said(window) == "No breakpoint is reached any more in this pass."
    press(window, F9)
    assert not window.context.time_machine.breakpoints


def test_playing_pauses_at_a_breakpoint(window: MainWindow, qtbot):
    open_example(window, "demonstration")
    choose(window, "f")
    press(window, F9)
    window.playback.set_speed(20)
    press(window, "b", Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.playback.playing)
    assert window.playback.cursor == 3


def test_one_goes_to_where_a_gradient_became_final_and_first_went_wrong(window: MainWindow):
    open_example(window, "demonstration")
    choose(window, "a")
    window.commands["to_final"].trigger()
    assert told(window).startswith("Step 10 of 11")
    assert not window.commands["to_first_wrong"].isEnabled()
    window.commands["rules-assign"].trigger()
    window.commands["to_first_wrong"].trigger()
    assert told(window).startswith("Step 8 of 11")
    choose(window, "e")
    window.commands["to_first_wrong"].trigger()
    assert said(window) == "e is never wrong in this pass."


def test_both_jumps_are_in_the_menu_of_a_node(window: MainWindow):
    open_example(window, "demonstration")
    view = window.canvas
    window.commands["rules-assign"].trigger()
    for node, text, count in (
        ("d", "Go to where its gradient became final", "Step 7 of 11"),
        ("a", "Go to where its gradient first went wrong", "Step 8 of 11"),
    ):
        take(menu_at(view, at_header(view, node_named(view, node))), text)
        assert told(window).startswith(count)
    window.commands["rules-correct"].trigger()
    menu = menu_at(view, at_header(view, node_named(view, "a")))
    assert "Go to where its gradient first went wrong" not in rows(menu)
    menu.close()


def test_a_deleted_node_has_no_breakpoint(window: MainWindow):
    open_example(window, "demonstration")
    choose(window, "a")
    press(window, F9, Qt.Key.Key_Delete)
    assert not window.context.time_machine.breakpoints


def test_a_stop_belongs_to_its_document(window: MainWindow):
    open_example(window, "demonstration")
    choose(window, "d")
    press(window, F9)
    open_example(window, "demonstration")
    assert not window.context.time_machine.breakpoints


def test_by_hand_no_jump_to_a_place_in_time_is_offered(window: MainWindow):
    open_example(window, "demonstration")
    choose(window, "a")
    press(window, F9)
    press(window, "h")
    for name in ("run_on", "to_final", "to_first_wrong"):
        assert not window.commands[name].isEnabled(), name
