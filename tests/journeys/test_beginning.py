"""A typed formula begins with small, different numbers, and with others where these are wanted."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication

from app.controls.spans import plain_text
from app.document.examples import examples
from app.window.commands.file_actions import open_now
from app.window.frame.main_window import MainWindow
from app.workbench.trials import beginning
from engine.trace import evaluate_values
from tests.helpers.mouse import click as click_at
from tests.helpers.mouse import key, type_into_focus
from tests.helpers.reading import value as shown_value
from tests.helpers.window import (
    CTRL,
    click,
    example_path,
    forget_changes,
    opened_window,
    press,
    until,
    value,
)

RETURN = Qt.Key.Key_Return
FORMULA = "(a*b + a) * f"
SMALL = "a, b and f got small, different numbers to begin with. Click one to change it."


def type_formula(window: MainWindow, text: str) -> None:
    field = window.expression.field
    click_at(field, field.viewport().rect().center())
    field.selectAll()
    type_into_focus(text)
    key(RETURN)


def drawn(window: MainWindow) -> None:
    """Wait until the numbers and the places are final."""
    begun, layout = window.context.beginning, window.canvas.auto_layout
    until(lambda: not (begun.running or layout.running))


def numbers(window: MainWindow, names: str = "abf") -> list[float]:
    return [value(window, name) for name in names]


def root_value(window: MainWindow) -> float:
    graph = window.document.graph
    assert graph.root is not None
    return evaluate_values(graph)[graph.root]


def sentence(window: MainWindow) -> str:
    return plain_text(window.strip.strip.sentence)


def answer_line(window: MainWindow) -> str:
    return plain_text(window.strip.strip.answer)


def shown_acts(window: MainWindow) -> list[str]:
    return [look.act for look in window.strip.buttons.shown]


def offers(window: MainWindow) -> list[str]:
    return [button.text() for button in window.strip.offers.stops if button.isVisible()]


@pytest.fixture
def blank(window: MainWindow) -> MainWindow:
    press(window, "n", modifier=CTRL)
    return window


def begin(window: MainWindow) -> None:
    press(window, "n", modifier=CTRL)
    type_formula(window, FORMULA)
    drawn(window)


@pytest.fixture
def begun(qtbot) -> Iterator[MainWindow]:
    """The formula of the first lesson, typed on an empty sheet."""
    with opened_window(qtbot, prepare=begin) as window:
        yield window


def test_the_first_formula_is_56_asks_how_much_each_leaf_matters_and_is_one_step(begun: MainWindow):
    assert numbers(begun) == [2, 3, 7]
    assert sentence(begun) == "v6 is 56. Press Backward: how much does each leaf matter?"
    assert answer_line(begun) == SMALL
    assert offers(begun) == ["Other numbers", "All 1"]
    assert begun.expression.chips.shown() == ["a 2", "b 3", "f 7"]
    graph = begun.document.graph
    assert [graph.title(node) for node in (3, 4, 6)] == ["v3", "v4", "v6"]
    assert [graph.label(node) for node in (3, 4, 6)] == ["", "", ""]
    assert len(begun.document.steps) == 1
    assert not begun.document.modified
    press(begun, "z", modifier=CTRL)
    assert begun.document.empty
    press(begun, "z", modifier=CTRL | Qt.KeyboardModifier.ShiftModifier)
    assert numbers(begun) == [2, 3, 7]
    assert offers(begun) == ["Other numbers", "All 1"]


def test_other_numbers_and_ones_are_one_step_each(begun: MainWindow):
    document, row = begun.document, begun.strip.offers
    click(row.button("others"))
    drawn(begun)
    others = numbers(begun)
    assert others != [2, 3, 7]
    assert len({*others}) == 3
    assert (len(document.steps), document.done[-1].name) == (2, "Other numbers")
    assert answer_line(begun) == SMALL
    click(row.button("ones"))
    assert numbers(begun) == [1, 1, 1]
    assert root_value(begun) == 2
    assert (len(document.steps), document.done[-1].name) == (3, "All 1")
    assert answer_line(begun) == "a, b and f are 1 to begin with. Click one to change it."
    assert offers(begun) == ["Other numbers"]
    press(begun, "z", modifier=CTRL)
    assert numbers(begun) == others
    press(begun, "z", modifier=CTRL)
    assert numbers(begun) == [2, 3, 7]
    assert offers(begun) == ["Other numbers", "All 1"]


def test_the_offers_are_gone_in_a_pass_and_after_another_edit(begun: MainWindow):
    assert shown_acts(begun) == ["back", "step", "ask"]
    press(begun, "b")
    assert offers(begun) == []
    assert shown_acts(begun) == ["back", "step", "last", "play", "ask"]
    press(begun, Qt.Key.Key_End)
    assert shown_acts(begun) == ["back", "ripple", "ask"]
    press(begun, Qt.Key.Key_Escape)
    assert shown_acts(begun) == ["back", "step", "last", "play", "ask"]
    assert offers(begun) == ["Other numbers", "All 1"]
    begun.document.set_value(begun.document.graph.leaves[0], 12.0)
    assert offers(begun) == []
    assert answer_line(begun) == ""
    press(begun, "z", modifier=CTRL)
    assert offers(begun) == ["Other numbers", "All 1"]


def test_the_start_page_begins_like_the_bar(window: MainWindow):
    page = window.pages.welcome.formula
    click(page.button)
    drawn(window)
    assert numbers(window) == [2, 3, 7]
    assert answer_line(window) == SMALL


def test_an_empty_sheet_offers_the_first_formula(blank: MainWindow):
    assert sentence(blank) == "Type a formula above, or press Tab to add a node."
    assert offers(blank) == [f"Try {FORMULA}"]
    left = blank.strip.offers.geometry().left()
    assert left == blank.strip.sentence.geometry().left()
    click(blank.strip.offers.button("try"))
    drawn(blank)
    assert numbers(blank) == [2, 3, 7]
    assert blank.expression.text() == FORMULA
    press(blank, "z", modifier=CTRL)
    assert blank.document.empty


# which leaves


def test_a_value_in_the_text_stays(blank: MainWindow):
    type_formula(blank, "b = 1.25; y = a*b + c")
    drawn(blank)
    assert value(blank, "b") == 1.25
    assert 1.0 not in numbers(blank, "ac")
    assert answer_line(blank).startswith("a and c got small, different numbers")
    click(blank.strip.offers.button("ones"))
    assert numbers(blank, "abc") == [1, 1.25, 1]


def test_an_edited_formula_changes_no_value_but_those_of_new_leaves(shared_leaf: MainWindow):
    before = numbers(shared_leaf)
    QGuiApplication.clipboard().setText("e = a*b; d = e + a; L = d*f + w*q")
    field = shared_leaf.expression.field
    click_at(field, field.viewport().rect().center())
    field.selectAll()
    press(shared_leaf, "v", modifier=CTRL)
    key(RETURN)
    drawn(shared_leaf)
    assert numbers(shared_leaf) == before
    w, q = numbers(shared_leaf, "wq")
    assert w != q
    assert 1.0 not in (w, q)
    assert answer_line(shared_leaf).startswith("w and q got small, different numbers")
    assert len(shared_leaf.document.steps) == 1


def test_what_is_not_found_in_time_is_offered_and_never_applied(blank: MainWindow, monkeypatch):
    monkeypatch.setattr(beginning, "LONGEST_MS", 0)
    for text, names, first in ((FORMULA, "abf", [2, 3, 4]),):
        forget_changes(blank)
        press(blank, "n", modifier=CTRL)
        type_formula(blank, text)
        drawn(blank)
        assert numbers(blank, names) == first, text
        assert shown_value(blank.canvas, "a") == str(int(first[0])), text
        assert "Other numbers" in offers(blank), text
        click(blank.strip.offers.button("others"))
        drawn(blank)
        assert numbers(blank, names) != first, text


# what comes between


def entered(window: MainWindow, text: str = FORMULA) -> None:
    """Enter a formula; the search for its numbers waits for its first event."""
    window.expression.field.set_text(text)
    window.expression.enter()
    assert window.context.beginning.running
    assert window.expression.chips.shown() == ["a –", "b –", "f –"]
    assert shown_value(window.canvas, "a") == "–"
    assert sentence(window) == "The leaves get numbers to begin with."
    assert offers(window) == []


def test_a_pass_that_begins_before_they_are_drawn_keeps_the_numbers_it_shows(blank: MainWindow):
    entered(blank)
    blank.playback.backward()
    assert not blank.context.beginning.running
    assert shown_value(blank.canvas, "a") == "2"
    drawn(blank)
    assert numbers(blank) == [2, 3, 4]


@pytest.mark.parametrize("way", ["a file", "an example"])
def test_what_is_opened_has_its_own_numbers(window: MainWindow, way: str):
    if way == "a file":
        assert open_now(window.context, example_path())
    else:
        click(window.pages.welcome.examples.cards[0])
        assert examples()[0].title == window.document.title
    assert offers(window) == []
    assert window.context.beginning.now is None


def test_a_laptop_has_39_targets_on_the_first_sheet_and_all_tools_brings_more(begun: MainWindow):
    begun.resize(1366, 768)
    QApplication.processEvents()
    menus = begun.menu_bar.actions()
    tools = begun.toolbar.buttons()  # and the formula
    rail = [b for b in begun.palette_dock.findChildren(QAbstractButton) if b.isVisible()]
    tiles = [b for b in begun.bar.findChildren(QAbstractButton) if b.isVisible()]
    steps = begun.strip.buttons.stops
    zoom = 3  # they are painted
    counts = (len(menus), len(tools) + 1, len(rail), len(tiles), len(steps), zoom)
    assert counts == (7, 7, 13, 4, 3, 3)
    assert sum(counts) + len(offers(begun)) == 39
    click(begun.bar.all_tools)
    assert shown_acts(begun) == ["back", "step", "last", "play", "ask"]
