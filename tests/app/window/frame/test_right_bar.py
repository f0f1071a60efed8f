"""The right bar: its pages are opened, used and left by mouse and by keys."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSlider, QApplication, QLineEdit, QWidget

from app.controls.panel import Page
from app.panels.code import CodePage
from app.panels.numeric.curve_plot import CurvePlot
from app.window.commands.view_actions import PAGES
from app.window.frame.main_window import MainWindow
from engine.rules import CORRECT
from tests.helpers.mouse import key
from tests.helpers.sampling import sampled, spread
from tests.helpers.window import CTRL, click, entries, node, open_example, press

NUMBERS = {name: getattr(Qt.Key, f"Key_{k}") for k, name in enumerate(PAGES, 1)}
ESCAPE, LEFT, RIGHT = Qt.Key.Key_Escape, Qt.Key.Key_Left, Qt.Key.Key_Right
FIRST = {
    "lesson": "Lessons",
    "why": "a",
    "numeric": "Face: Check",
    "mistakes": "Mistakes",
    "train": "Train: Descent",
    "code": "Face: Steps",
    "history": "Changes of the sheet",
}
"""What has the keyboard once a page was opened by its key, as a screen reader says it."""


def focused() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


@pytest.fixture
def edited(shared_leaf: MainWindow) -> MainWindow:
    """A leaf is selected that was changed before, in a backward pass at its step 3."""
    shared_leaf.document.set_value(node(shared_leaf, "a"), 3.0)
    shared_leaf.selection.focus_on(node(shared_leaf, "a"))
    shared_leaf.playback.backward(cursor=3)
    shared_leaf.canvas.setFocus()
    return shared_leaf


def menu(window: MainWindow, path: str) -> list[str]:
    return entries(window.menu_bar.menu(path))


def stops(page: Page) -> Iterator[QWidget]:
    """What Tab reaches on a page, without what arrows change: texts, sliders and the curve."""
    for widget in page.findChildren(QWidget):
        tabbed = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        usable = widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None
        if tabbed and usable and not isinstance(widget, QLineEdit | QAbstractSlider | CurvePlot):
            yield widget


def test_its_key_opens_a_page_with_the_keyboard_in_its_first_field_and_folds_it(edited):
    for name in PAGES:
        press(edited, NUMBERS[name], modifier=CTRL)
        assert edited.bar.get(name).isVisible(), name
        assert focused().accessibleName() == FIRST[name]
        press(edited, NUMBERS[name], modifier=CTRL)
        assert not edited.bar.frame.isVisible(), name
        assert edited.canvas.hasFocus(), name


def test_with_nothing_selected_the_first_field_is_a_slider_and_no_heading(shared_leaf):
    press(shared_leaf, NUMBERS["why"], modifier=CTRL)
    assert isinstance(focused(), QAbstractSlider)
    assert focused().accessibleName() == "a"


def test_escape_goes_back_to_the_sheet_once_nothing_else_is_left_to_end(edited):
    for name in PAGES:
        edited.selection.focus_on(node(edited, "a"))
        edited.playback.backward(cursor=3)
        press(edited, NUMBERS[name], modifier=CTRL)
        assert not edited.canvas.hasFocus(), name
        press(edited, ESCAPE, ESCAPE, ESCAPE)
        assert not edited.selection.anything, name
        assert edited.playback.phase == "live", name
        assert edited.canvas.hasFocus(), name
        assert edited.bar.get(name).isVisible(), name


@pytest.mark.parametrize("name", sampled(PAGES, 2))
def test_the_keys_of_the_sheet_work_wherever_the_keyboard_is_on_a_page(edited, name):
    press(edited, NUMBERS[name], modifier=CTRL)
    page, playback = edited.bar.get(name), edited.playback
    for widget in (edited.bar.frame.fold_button, *sampled(stops(page), every=3)):
        playback.backward(cursor=3)
        QApplication.processEvents()
        if not widget.isVisible():  # it belongs to another step
            continue
        widget.setFocus()
        press(edited, RIGHT)
        assert playback.cursor == 4, widget.accessibleName()
        if not widget.isVisible():
            continue
        press(edited, LEFT)
        assert playback.cursor == 3, widget.accessibleName()
        press(edited, "b")
        assert playback.cursor == 1, widget.accessibleName()


def test_up_and_down_choose_between_the_faces_of_a_page(edited):
    for name, then in (("numeric", "Rule"), ("train", "Training"), ("code", "Source")):
        press(edited, NUMBERS[name], modifier=CTRL)
        assert focused().accessibleName() == FIRST[name]
        press(edited, Qt.Key.Key_Down)
        assert focused().accessibleName().endswith(then)
        assert focused().property("checked"), name
        press(edited, Qt.Key.Key_Up, Qt.Key.Key_Up)
        assert focused().accessibleName() == FIRST[name]
        assert focused().property("checked"), name


def test_f6_goes_round_the_window_while_a_network_trains(shared_leaf):
    press(shared_leaf, NUMBERS["train"], modifier=CTRL)
    press(shared_leaf, Qt.Key.Key_Down)
    stage, playback = shared_leaf.parts.stage_widgets
    formula = shared_leaf.expression  # read-only
    parts = (shared_leaf.bar.frame, shared_leaf.bar, formula, stage, playback)
    seen = []
    for _ in parts:
        press(shared_leaf, Qt.Key.Key_F6)
        seen.append(next(k for k, part in enumerate(parts) if part.isAncestorOf(focused())))
    assert seen == [1, 2, 3, 4, 0]


def test_source_and_the_line_of_why_show_their_faces_of_the_page_code(edited):
    edited.commands["source"].trigger()
    page = edited.bar.get("code")
    assert isinstance(page, CodePage)
    assert page.source.isVisible()
    edited.bar.open("why")
    QApplication.processEvents()
    click(edited.bar.get("why").line)
    assert page.steps.isVisible()
    assert not page.source.isVisible()


def test_p_asks_wherever_the_keyboard_is_on_a_page(edited):
    edited.context.modes.set_steps("every")
    press(edited, NUMBERS["code"], modifier=CTRL)
    press(edited, "p")
    assert edited.context.modes.asks
    assert edited.strip.sentence.isAncestorOf(focused())


def test_a_page_that_is_wanted_on_the_start_page_is_seen(window):
    for example, name in spread(("", "shared-leaf"), PAGES):
        if example:
            open_example(window, example)
        window.bar.fold()
        window.show_start_page()
        QApplication.processEvents()
        key(NUMBERS[name], CTRL)
        QApplication.processEvents()
        assert not window.on_full_page, (example, name)
        assert window.bar.get(name).isVisible(), (example, name)
        assert window.bar.frame.isAncestorOf(focused()), (example, name)


def test_a_tile_opens_and_folds_its_page_and_so_does_the_button_in_its_head(shared_leaf):
    shared_leaf.commands["all_tools"].trigger()
    for name in PAGES:
        tile, bar = shared_leaf.bar.tiles[name], shared_leaf.bar
        click(tile)
        assert bar.get(name).isVisible(), name
        assert tile.isChecked(), name
        click(tile)
        assert not bar.frame.isVisible(), name
        click(tile)
        click(bar.frame.fold_button)
        assert not bar.frame.isVisible(), name
        assert not tile.isChecked(), name


def test_a_mistake_chosen_by_mouse_brings_its_menu_with_zero_grad(shared_leaf):
    page = shared_leaf.bar.get("mistakes")
    shared_leaf.bar.open("mistakes")
    QApplication.processEvents()
    rows = page.first_field()
    place = next(k for k, row in enumerate(rows.texts()) if "no zero_grad" in row)
    middle = rows.visualItemRect(rows.item(place)).center()
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(middle))
    assert shared_leaf.playback.rules is not CORRECT
    assert "Mistakes" in menu(shared_leaf, "Learn")
    assert "Zero grad" in menu(shared_leaf, "Learn/Mistakes")
    assert shared_leaf.commands["zero_grad"].isEnabled()
    assert "Hunt for a mistake" not in menu(shared_leaf, "Learn")


def test_which_mistake_gave_these_numbers_has_the_caret_where_they_are_typed(edited):
    edited.bar.get("mistakes").printed.set_collapsed(True)
    edited.commands["which_mistake"].trigger()
    QApplication.processEvents()
    assert focused().accessibleName() == "a.grad came out as"
    assert focused().isVisible()


def test_a_mistake_that_is_on_puts_a_red_dot_on_its_tile_until_the_correct_pass(shared_leaf):
    tile, red = shared_leaf.bar.tiles["mistakes"], shared_leaf.context.style.theme.error
    for name, dot in (("assign", red), ("correct", None)):
        shared_leaf.commands[f"rules-{name}"].trigger()
        assert tile.dot == dot


def test_a_ripple_begun_by_its_button_brings_its_line(shared_leaf):
    shared_leaf.selection.focus_on(node(shared_leaf, "a"))
    shared_leaf.bar.open("why")
    QApplication.processEvents()
    click(shared_leaf.bar.get("why").value.ripple)
    assert shared_leaf.context.ripples.on
    assert "Ripple" in menu(shared_leaf, "Learn")
