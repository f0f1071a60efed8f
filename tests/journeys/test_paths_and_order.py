"""Paths and order: every path lights up with its product, and the order is found step by step."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.panels.why import WhyPage
from app.window.frame.main_window import MainWindow
from tests.helpers.window import click, node, opened_page, opened_window, press


def choose(window: MainWindow) -> None:
    window.context.selection.choose((node(window, "a"),))
    opened_page(window, "why")


@pytest.fixture
def window(qtbot) -> Iterator[MainWindow]:
    with opened_window(qtbot, example="demonstration", prepare=choose) as window:
        yield window


@pytest.fixture
def panel(window: MainWindow) -> WhyPage:
    found = window.bar.page
    assert isinstance(found, WhyPage)
    return found


def rows(panel: WhyPage) -> list[str]:
    return panel.paths.rows.texts()


def test_every_path_stands_there_with_its_product_and_they_add_up(panel: WhyPage):
    assert rows(panel) == [
        "a → c → e → y: 1 · 1 · 1 = 1",
        "a → c → f → y: 1 · 6 · 1 = 6",
        "a → d → e → y: 3 · 1 · 1 = 3",
        "a → d → f → y: 3 · 5 · 1 = 15",
    ]
    assert panel.paths.remark.text() == (
        "4 paths lead from a to y; their products add up to ∂y/∂a = 25."
        " Backward visits 10 wires, each once, for all nodes."
    )


def test_a_path_is_lit_while_it_is_pointed_at(panel: WhyPage, window: MainWindow):
    names = window.document.graph.names
    third = panel.paths.rows.rect_of(2).center()
    QTest.mouseMove(panel.paths.rows.viewport(), third)
    QTest.mouseMove(panel.paths.rows.viewport(), third + QPoint(2, 0))
    lit = {(names[target], slot) for target, slot in window.context.selection.lit}
    assert lit == {("d", 0), ("e", 1), ("y", 0)}
    click(panel.block("paths").head)
    assert not window.context.selection.lit


def test_another_value_gives_other_products(panel: WhyPage, window: MainWindow):
    window.document.set_value(node(window, "b"), 10.0)
    assert rows(panel)[3] == "a → d → f → y: 10 · 12 · 1 = 120"


def test_while_a_learner_is_asked_no_path_gives_the_answer_away(panel: WhyPage, window: MainWindow):
    press(window, "c", "b")
    assert rows(panel) == []
    assert panel.paths.remark.text() == "The paths are shown after you have answered."


def test_cover_of_the_next_node_does_not_tell_the_order(panel: WhyPage, window: MainWindow):
    window.context.modes.set_level("next node")
    press(window, "c", "b")
    assert not panel.block("order").isVisible()
    assert panel.paths.remark.text() == "The paths are shown once no number is hidden."
    press(window, "c")
    assert panel.block("order").isVisible()


def test_a_node_without_a_path_says_so(panel: WhyPage, window: MainWindow):
    press(window, "z")
    window.context.selection.choose((node(window, "y"),))
    assert panel.paths.remark.text() == "y is the root: its gradient is 1."


def test_the_order_is_found_one_line_of_code_at_a_time(panel: WhyPage, window: MainWindow):
    click(panel.block("order").head)
    order = panel.order
    assert order.listed.text().startswith("1 y · 2 f · 3 e")  # the end: reversed
    order.first.click()
    assert (
        order.sentence.text()
        == "y is visited for the first time: it is marked, then its inputs are built."
    )
    assert order.listed.text() == "empty"
    seen = [order.sentence.text()]
    while order.next.isEnabled():
        order.next.click()
        seen.append(order.sentence.text())
    assert "c is visited again: it is marked already, so nothing is done." in seen
    assert seen[-1] == "The list is complete. Reversed, each node fires after all that it feeds."
    assert window.context.selection.only == node(window, "y")


def test_paths_and_order_are_reached_by_keys(panel: WhyPage, window: MainWindow):
    names = window.document.graph.names
    panel.paths.rows.setFocus()
    press(window, Qt.Key.Key_Home, Qt.Key.Key_Down)
    lit = {(names[target], slot) for target, slot in window.context.selection.lit}
    assert lit == {("c", 0), ("f", 0), ("y", 1)}
    panel.block("order").head.setFocus()
    press(window, Qt.Key.Key_Space)
    assert panel.order.isVisible()
    panel.order.first.setFocus()
    press(window, Qt.Key.Key_Space)
    panel.order.next.setFocus()
    press(window, Qt.Key.Key_Space)
    assert panel.order.sentence.text().startswith("e is visited for the first time")
    assert panel.order.count.text() == "2 of 19"
