"""The menu bar: its lines, and those that are folded until they are used."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.window.commands import ACTIONS, MENUS
from app.window.dialogs.action_list import CommandPalette
from app.window.frame.main_window import MainWindow
from app.window.settings import Settings, open_settings
from tests.helpers.answering import acts
from tests.helpers.mouse import key, type_into_focus
from tests.helpers.seeing import take
from tests.helpers.window import (
    CTRL,
    SHIFT,
    choose,
    click,
    dialog_of,
    entries,
    open_example,
    opened_window,
    press,
)

TITLES = [path for path in MENUS if "/" not in path]
BY_ID = {action.id: action for action in ACTIONS}


def lines(window: MainWindow, path: str) -> list[str]:
    return entries(window.menu_bar.menu(path))


FOLDED = [
    *("View/Pages/Mistakes", "View/Pages/Train", "View/Pages/Code", "View/Pages/History"),
    *("Run/Speed", "Run/Go to", "Run/Stops", "Run/Stop after each node", "Run/Say it in"),
    *("Learn/Blanks", "Learn/Cover the next number", "Learn/Hunt for a mistake", "Learn/Ripple"),
    *("Learn/Mistakes", "Learn/Save the report…"),
]
"""The lines that are hidden until they are used."""


def is_shown(window: MainWindow, name: str) -> bool:
    """Whether the menus have an action, or a line by its path."""
    path = name if "/" in name else f"{BY_ID[name].menu}/{BY_ID[name].plain_text}"
    menu, _, text = path.rpartition("/")
    return text in lines(window, menu)


def test_the_menu_bar_has_seven_menus(window):
    assert [a.text().replace("&", "") for a in window.menu_bar.actions()] == TITLES
    assert TITLES == ["File", "Edit", "View", "Build", "Run", "Learn", "Help"]


def test_the_file_menu_reads_as_in_any_program(window):
    assert lines(window, "File") == [
        *("New", "Open…", "Open example", "Save", "Save as…"),
        *("Make an exercise…", "Export…", "Copy as", "Quit"),
    ]


def test_a_newcomer_sees_what_needs_no_pass(window):
    assert lines(window, "Run") == ["Forward", "Backward", "Step", "Step back", "Play"]
    assert lines(window, "Learn") == ["Lessons", "Ask me", "By hand", "Train"]
    assert lines(window, "View/Pages") == ["Lesson", "Why", "Numeric"]
    assert lines(window, "Build") == [
        *("Add a node…", "Label", "Edit value", "Mark as root", "Change to"),
        *("Make leaf or constant", "Fold", "Arrange", "Group", "Friendly numbers"),
    ]


def test_every_folded_line_is_there_with_all_tools_and_folds_again(window: MainWindow):
    folded = FOLDED
    assert not [name for name in folded if is_shown(window, name)]
    window.commands["all_tools"].trigger()
    assert [name for name in folded if is_shown(window, name)] == folded
    assert window.commands["all_tools"].isChecked()
    window.commands["all_tools"].trigger()
    assert not [name for name in folded if is_shown(window, name)]


def test_lines_keep_their_order_when_they_come(window):
    window.commands["all_tools"].trigger()
    assert lines(window, "Run") == [
        *("Forward", "Backward", "Step", "Step back", "Play"),
        *("Speed", "Go to", "Stops", "Stop after each node", "Say it in"),
    ]
    assert lines(window, "View/Pages") == [
        *("Lesson", "Why", "Numeric", "Mistakes", "Train", "Code", "History")
    ]
    menu = window.menu_bar.menu("Run")
    gaps = [k for k, action in enumerate(menu.actions()) if action.isSeparator()]
    assert gaps == [2, 7, 11]


def test_what_a_key_does_comes_into_its_menu_and_stays(shared_leaf, qtbot):
    press(shared_leaf, "c")
    assert is_shown(shared_leaf, "cover")
    assert not is_shown(shared_leaf, "hunt")
    with opened_window(qtbot) as again:
        assert is_shown(again, "cover")
        assert not is_shown(again, "hunt")


def test_what_the_command_palette_does_brings_the_submenu_that_has_it(shared_leaf):
    press(shared_leaf, "p", modifier=CTRL | SHIFT)
    type_into_focus("instead of +=")
    key(Qt.Key.Key_Return)
    QApplication.processEvents()
    assert shared_leaf.playback.rules.name == "assign"
    assert is_shown(shared_leaf, "Learn/Mistakes")
    assert is_shown(shared_leaf, "page-mistakes")
    assert shared_leaf.bar.tiles["mistakes"].isVisible()
    assert not is_shown(shared_leaf, "Learn/Blanks")


def test_the_key_of_a_folded_page_opens_it_and_brings_its_line(shared_leaf):
    press(shared_leaf, Qt.Key.Key_6, modifier=CTRL)
    assert shared_leaf.context.shell.parts.page == "code"
    assert is_shown(shared_leaf, "page-code")
    assert shared_leaf.commands["page-code"].isChecked()
    assert not is_shown(shared_leaf, "page-history")


def test_ask_me_is_there_from_the_start_and_the_first_backward_pass_brings_the_ripple(shared_leaf):
    assert is_shown(shared_leaf, "predict")
    assert acts(shared_leaf) == ["step", "ask"]
    press(shared_leaf, "b", *[Qt.Key.Key_Right] * 5)
    assert not is_shown(shared_leaf, "ripple")
    assert acts(shared_leaf) == ["back", "step", "last", "play", "ask"]
    press(shared_leaf, Qt.Key.Key_Right)
    assert shared_leaf.playback.cursor == 7
    assert is_shown(shared_leaf, "ripple")
    assert acts(shared_leaf) == ["back", "ripple", "ask"]
    press(shared_leaf, Qt.Key.Key_Escape)
    assert acts(shared_leaf) == ["step", "last", "play", "ask"]


def test_a_forward_pass_brings_nothing(shared_leaf):
    press(shared_leaf, "b", modifier=SHIFT)
    press(shared_leaf, Qt.Key.Key_End)
    assert not is_shown(shared_leaf, "ripple")


def test_all_tools_is_on_where_the_program_was_used_before(qtbot):
    store = open_settings()
    store.setValue("look/theme", "dark")
    store.sync()
    with opened_window(qtbot) as window:
        assert window.context.settings.all_tools
        assert all(is_shown(window, name) for name in FOLDED)


def test_all_tools_stays_off_after_the_first_use_of_a_newcomer(qapp):
    assert not Settings(open_settings()).all_tools
    Settings(open_settings()).theme = "dark"
    assert not Settings(open_settings()).all_tools
    Settings(open_settings()).all_tools = True
    assert Settings(open_settings()).all_tools


def test_the_tile_all_tools_shows_every_line_and_every_page(shared_leaf):
    click(shared_leaf.bar.all_tools)
    assert shared_leaf.commands["all_tools"].isChecked()
    assert all(is_shown(shared_leaf, name) for name in FOLDED)
    assert all(tile.isVisible() for tile in shared_leaf.bar.tiles.values())
    assert not shared_leaf.bar.all_tools.isVisible()


@pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard")
def test_all_tools_is_switched_on_in_the_open_menu(window):
    menu = window.menu_bar.menu("View/Parts")
    menu.popup(window.mapToGlobal(window.rect().center()))
    take(menu, "All tools")
    assert window.context.settings.all_tools
    assert not menu.isVisible()
    menu.popup(window.mapToGlobal(window.rect().center()))
    assert menu.actions()[0].isChecked()
    QTest.keyClick(menu, Qt.Key.Key_Escape)


def test_an_example_opens_from_the_file_menu(window):
    choose(window, "File/Open example", "Shared leaf")
    QApplication.processEvents()
    assert window.document.graph.node_named("a") is not None


def test_the_seven_menus_have_at_most_60_lines(window):
    assert sum(len(lines(window, title)) for title in TITLES) == 49
    window.commands["all_tools"].trigger()
    assert sum(len(lines(window, title)) for title in TITLES) <= 60


def test_every_action_is_in_a_menu_or_in_the_command_palette(window):
    window.commands["all_tools"].trigger()
    placed = {text for path in MENUS for text in lines(window, path)}
    press(window, "p", modifier=CTRL | SHIFT)
    found = dialog_of(window, CommandPalette).texts()
    missing = [a.id for a in ACTIONS if a.plain_text not in placed and a.plain_text not in found]
    assert missing == []


def test_no_menu_names_a_thing_twice(window):
    window.commands["all_tools"].trigger()
    for path in MENUS:
        found = lines(window, path)
        assert len(found) == len(set(found)), path


def test_every_menu_is_one_column_on_a_laptop(window):
    open_example(window)
    window.commands["all_tools"].trigger()
    for path in MENUS:
        menu = window.menu_bar.menu(path)
        menu.aboutToShow.emit()
        assert menu.sizeHint().height() <= 768, path
        last = menu.actionGeometry(menu.actions()[-1])
        assert last.left() == menu.actionGeometry(menu.actions()[0]).left(), path
