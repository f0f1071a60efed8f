"""While a sum is asked nothing that is painted or said shows that contributions are added."""

import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication

from app.window.frame.main_window import MainWindow
from engine import from_expression
from engine.formats.native import Drawing
from tests.app.window.test_hidden import hints, texts
from tests.helpers.asked import ask, give
from tests.helpers.reading import written
from tests.helpers.window import open_example


def painted(window: MainWindow) -> Iterator[str]:
    """Every text that the window paints."""
    content = QBuffer()
    content.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(content)
    generator.setSize(window.size())
    window.render(generator)
    content.close()
    svg = bytes(content.data().data()).decode()
    for line in re.findall(r"<text[^>]*>(.*?)</text>", svg, re.S):
        yield re.sub(r"<[^>]*>", "", line).strip()


GIVES_AWAY = re.compile(
    r"Σ|(?<!× [?]) = [?]|^= [?]|[+] ?[?·…]|\d\s[+−]\s[\d?]|add up|waits for \d|so far"
)
"""A sum, as the sheet and its pages write one: Σ, a row of chips with its total, `−2 + ?`."""
PAGES = ("why", "lesson")


def told(window: MainWindow) -> set[str]:
    """Everything that is painted or said with the receiver of the sum selected."""
    found: set[str] = set()
    window.context.selection.choose((A,))
    for name in PAGES:
        window.bar.open(name)
        QApplication.processEvents()
        found.update((*painted(window), *texts(window), *hints(window)))
    return found


def sums_told(window: MainWindow) -> set[str]:
    is_key = re.compile(r"\((?:Ctrl|Alt|Shift)?\+?.*\)")
    return {text for text in told(window) if GIVES_AWAY.search(is_key.sub("", text))}


A = 1
"""The shared leaf."""


@pytest.fixture
def at_sum(window: MainWindow) -> MainWindow:
    """A window before the step that brings a its second contribution."""
    open_example(window, "shared-leaf")
    window.resize(1366, 768)
    window.playback.backward(cursor=5)
    return window


def test_no_text_and_no_card_shows_a_sum_before_the_first_wrong_one(at_sum: MainWindow):
    window, modes = at_sum, at_sum.context.modes
    window.resize(1440, 1000)  # so that the page shows the run below the lessons
    window.playback.backward(cursor=6)
    assert any("Σ" in text for text in sums_told(window)), "shown without a question"
    # at the foot of the card and in the timeline; and on the wire if that is asked for, too
    for level, marks in (("contribution and sum", 3), ("sum", 2)):
        modes.leave()
        window.playback.backward(cursor=5)
        ask(modes, level)
        assert sums_told(window) == set(), level
        ledger = window.canvas.context.scene.node(A).ledger
        assert (ledger.start, ledger.chips, ledger.total, ledger.asked) == ("", (), "?", True)
        assert [*painted(window)].count("?") == marks, level
    give(modes, "123456")
    assert window.playback.frame.cursor == 5
    assert any("Σ" in text for text in sums_told(window))
    assert window.canvas.context.scene.node(A).ledger.chips


def test_a_covered_sum_shows_no_plus_until_it_is_clicked(at_sum: MainWindow):
    ask(at_sum.context.modes, "sum", is_cover=True)
    assert sums_told(at_sum) == set()


def test_while_a_sum_is_asked_no_other_one_shows_how_it_came_about(window: MainWindow):
    graph = from_expression("e = a*b; d = e + a; L = d*b", {"a": 2, "b": -3})
    window.document.start(Drawing(graph, {}))
    window.playback.backward(cursor=6)
    ask(window.context.modes, "sum")
    for name in ("a", "b"):
        node = graph.node_named(name)
        assert node is not None
        ledger = window.canvas.context.scene.node(node).ledger
        assert (ledger.chips, ledger.asked) == ((), name == "b"), name
    assert written(window.canvas).count("contributions") == 1, "in the place of the chips of a"
    assert not [text for text in painted(window) if GIVES_AWAY.search(text)]
