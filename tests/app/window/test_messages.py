"""Messages over the canvas leave the rest visible; what takes long says so, and can be ended."""

import sys

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.controls.notices import Toast
from app.window.commands.file_actions import open_now
from app.window.frame.main_window import MainWindow
from engine.formats.files import save
from tests.benchmarks.layers import layered
from tests.helpers.sampling import sampled
from tests.helpers.window import open_example, press, said

SLOW = (sys.executable, "-c", "import time; time.sleep(30)")


@pytest.fixture
def slow(window, monkeypatch):
    """A window whose layouts never come to an end."""
    monkeypatch.setattr("app.canvas.context.auto_layout.COMMAND", SLOW)
    monkeypatch.setattr("app.canvas.context.auto_layout.SLOW_AFTER", 500)
    open_example(window, "shared-leaf")
    window.commands["arrange"].trigger()
    yield window
    window.canvas.auto_layout.cancel()


def test_a_layout_that_takes_half_a_second_shows_a_bar_and_a_button(slow, qtbot):
    progress = slow.context.messages.progress
    assert not progress.isVisible()
    qtbot.waitUntil(progress.isVisible, timeout=60_000)
    assert progress.text() == "Arranging the nodes"
    assert (progress.bar.minimum(), progress.bar.maximum()) == (0, 0)
    area, card = slow.parts.rect(), progress.geometry()
    assert area.contains(card)
    assert progress.rect().contains(progress.button.geometry())


@pytest.mark.parametrize("way", ["button", "Esc"])
def test_a_layout_can_be_ended_and_nothing_has_moved(slow, qtbot, way):
    progress = slow.context.messages.progress
    before = dict(slow.document.positions)
    qtbot.waitUntil(progress.isVisible, timeout=60_000)
    if way == "button":
        QTest.mouseClick(progress.button, Qt.MouseButton.LeftButton)
    else:
        press(slow, Qt.Key.Key_Escape)
    assert not progress.isVisible()
    assert not slow.canvas.auto_layout.running
    assert slow.document.positions == before
    assert slow.selection.anything is False


def test_a_layout_that_never_ends_is_given_up_with_a_sentence(slow, qtbot):
    progress = slow.context.messages.progress
    qtbot.waitUntil(progress.isVisible, timeout=60_000)
    slow.canvas.auto_layout.give_up()
    assert not progress.isVisible()
    assert "No places were found within 60 seconds" in said(slow)


@pytest.mark.parametrize("at_start", sampled([False, True], 2))
def test_opening_very_many_nodes_shows_how_far_it_has_come(window, tmp_path, at_start):
    path = tmp_path / "many.backwire"
    save(layered(1200), path)
    if not at_start:
        open_example(window, "square")
    seen: list[tuple[bool, int, str]] = []
    busy = window.context.messages.progress
    window.canvas.routing.connect(
        lambda _share: seen.append((busy.isVisible(), busy.bar.value(), busy.text()))
    )
    assert open_now(window.context, path)
    count = len(window.document.graph.nodes)
    shown = [value for visible, value, text in seen if visible and f"{count:,} nodes" in text]
    assert len(shown) >= 4
    assert shown == sorted(shown)
    assert not busy.isVisible()


def test_a_share_is_painted_at_once_and_offers_no_button(window):
    progress = window.context.messages.progress
    progress.show_share("Opening 5,000 nodes", 0.25)
    assert progress.bar.value() / progress.bar.maximum() == 0.25
    assert not progress.button.isVisible()
    assert not progress.cancel()
    progress.finish()
    assert not progress.isVisible()


LONG = "A sentence that says why something can't be done just now, and that needs much room."


def place(window: MainWindow, widget: QWidget, inside: QRect | None = None) -> QRect:
    """A widget, or a part of it, in the window's coordinates."""
    found = widget.rect() if inside is None else inside
    return QRect(widget.mapTo(window, found.topLeft()), found.size())


@pytest.mark.parametrize("size", [(1440, 900), (1000, 560)])
@pytest.mark.parametrize("keys", ["p", "h"], ids=["asked", "by hand"])
def test_the_strip_and_the_zoom_buttons_stay_visible(shared_leaf: MainWindow, keys, size):
    window = shared_leaf
    window.resize(*size)
    press(window, keys)
    QApplication.processEvents()
    window.context.messages.refuse(LONG)
    view = window.canvas
    (toast,) = (found for found in view.findChildren(Toast) if found.isVisible())
    said = place(window, toast)
    assert place(window, view).contains(said)
    assert not said.intersects(place(window, window.strip))
    assert not said.intersects(place(window, view, view.overlay.area.toAlignedRect()))
