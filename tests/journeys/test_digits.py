"""Other digits: every sentence and formula writes its numbers with the digits that are chosen."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible

from app.panels.why import WhyPage
from app.window.frame.main_window import MainWindow
from engine import from_expression
from tests.helpers.mouse import at_header, click, node_named
from tests.helpers.reading import look_of
from tests.helpers.sampling import sampled
from tests.helpers.window import choose, inspector, opened_page, press

DIGITS = [
    ("2 digits", "−1.9", "2.3"),
    ("4 digits", "−1.920", "2.250"),
    ("As many as needed", "−1.9204667", "2.2503"),
]
"""An entry of the menu, and how it writes −1.9204667 and 2.2503."""


@pytest.fixture
def scaled(window: MainWindow) -> MainWindow:
    """A constant without a label, and a leaf that is used twice."""
    graph = from_expression("y = -1.9204667*x; z = y + x", {"x": 2.2503})
    assert window.document.replace_graph(graph)
    return window


def heard(window: MainWindow) -> list[str]:
    """The accessible names of everything on the canvas."""
    whole = QAccessible.queryAccessibleInterface(window.canvas)
    children = [whole.child(k) for k in range(whole.childCount())]
    return [child.text(QAccessible.Text.Name) for child in children if child is not None]


@pytest.mark.parametrize(("entry", "factor", "leaf"), sampled(DIGITS, 2))
def test_formulas_sentences_and_accessible_names_have_the_digits_that_are_chosen(
    scaled: MainWindow, entry: str, factor: str, leaf: str
):
    choose(scaled, "View/Settings/Digits", entry)
    view = scaled.canvas
    click(view, at_header(view, node_named(view, "y")))
    node = inspector(scaled).node
    assert look_of(view, "y").texts.captions[0] == f"{factor} × x"
    assert node.formula.text() == f"{factor} × x"
    assert node.slopes.text().replace("\n", " ").endswith(f" = {factor}")
    scaled.playback.forward()
    press(scaled, Qt.Key.Key_Right)
    assert scaled.strip.sentence.text().startswith(f"y = {factor} × x = {factor} × ")
    press(scaled, "b", Qt.Key.Key_End)
    click(view, at_header(view, node_named(view, "x")))
    why = opened_page(scaled, "why")
    assert isinstance(why, WhyPage)
    assert f"{factor} × x with respect to x is {factor}." in why.words.text()
    scaled.playback.leave()
    assert any(name.startswith(f"x, leaf, value {leaf}") for name in heard(scaled))
    scaled.commands["rules-assign"].trigger()
    press(scaled, "b", Qt.Key.Key_End)
    x = next(name for name in heard(scaled) if name.startswith("x, leaf"))
    assert f"Here = overwrites 1 with {factor}, " in x
    assert any(name.endswith(f"1 × {factor} = {factor}") for name in heard(scaled))
