"""What is met first: the start page at every size, a blank canvas, and names of documents."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from app.window.frame.main_window import MainWindow
from engine import from_expression, save
from tests.helpers.window import CTRL, SHIFT, click, forget_changes, open_example, press


def show_at(window: MainWindow, width: int, height: int, size: float = 1.0) -> None:
    window.context.style.set_size(size)
    window.resize(width, height)
    for _layout in ("window", "page", "cards"):  # each asks the one around it
        QApplication.processEvents()


def in_window(window: MainWindow, widget: QWidget) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


def stands_whole(window: MainWindow, widget: QWidget) -> bool:
    page = window.pages.welcome
    return widget.isVisible() and in_window(window, page).contains(in_window(window, widget))


def focus(window: MainWindow, widget: QWidget) -> None:
    """Walk with Tab to a widget."""
    for _try in range(60):
        if QApplication.focusWidget() is widget:
            return
        press(window, Qt.Key.Key_Tab)
    raise AssertionError("Tab does not reach it")


def recent_files(window: MainWindow, folder: Path, count: int) -> None:
    for number in range(count):
        path = folder / f"lecture {number}.backwire"
        save(from_expression(f"a*{number} + b"), path)
        window.context.files.recent.add(path)
    QApplication.processEvents()


@pytest.mark.parametrize("height", [768, 690])
def test_the_first_six_examples_stand_whole_on_a_small_laptop(
    window: MainWindow, tmp_path: Path, height: int
):
    recent_files(window, tmp_path, 6)
    show_at(window, 1366, height)
    page = window.pages.welcome
    for card in page.examples.cards[:6]:
        assert stands_whole(window, card), card.text()
    for card in page.recent.cards:
        assert stands_whole(window, card), card.text()


@pytest.mark.parametrize(
    ("width", "height", "seen"), [(1920, 1080, 6), (1366, 768, 6), (1280, 720, 6), (880, 560, 4)]
)
def test_recent_files_stay_in_sight_at_twice_the_size(
    window: MainWindow, tmp_path: Path, width: int, height: int, seen: int
):
    recent_files(window, tmp_path, 6)
    show_at(window, width, height, 2.0)
    cards = window.pages.welcome.recent.cards
    assert [card.text() for card in cards if stands_whole(window, card)] == [
        card.text() for card in cards[:seen]
    ]


def test_scrolling_the_examples_leaves_the_recent_files_where_they_are(
    window: MainWindow, tmp_path: Path
):
    recent_files(window, tmp_path, 2)
    show_at(window, 1366, 768)
    page = window.pages.welcome
    before = in_window(window, page.recent.cards[0])
    focus(window, page.examples.cards[-1])
    press(window, Qt.Key.Key_Tab)
    assert in_window(window, page.recent.cards[0]) == before


def test_a_window_made_narrow_and_wide_again_keeps_its_recent_files(
    window: MainWindow, tmp_path: Path
):
    recent_files(window, tmp_path, 3)
    for width in (1366, 880, 1366, 880, 1600):
        show_at(window, width, 768)
        assert all(stands_whole(window, card) for card in window.pages.welcome.recent.cards), width


def test_enter_opens_the_example_that_has_the_focus(window: MainWindow):
    card = window.pages.welcome.examples.cards[1]
    focus(window, card)
    press(window, Qt.Key.Key_Return)
    assert window.document.title == card.example.title
    assert window.canvas.hasFocus()


def test_enter_opens_the_recent_file_that_has_the_focus(window: MainWindow, tmp_path: Path):
    recent_files(window, tmp_path, 2)
    card = window.pages.welcome.recent.cards[1]
    focus(window, card)
    press(window, Qt.Key.Key_Enter)
    assert window.document.path == card.path


def test_enter_on_empty_canvas_begins_one(window: MainWindow):
    focus(window, window.pages.welcome.empty_button)
    press(window, Qt.Key.Key_Return)
    assert window.canvas.isVisible()
    assert window.document.empty


def test_enter_on_the_button_below_the_formula_opens_it(window: MainWindow):
    page = window.pages.welcome
    focus(window, page.formula.button)
    press(window, Qt.Key.Key_Return)
    assert len(window.document.graph.nodes) == 7


@pytest.mark.parametrize("way", ["key", "button"])
def test_a_blank_canvas_is_one_act_away_at_100_percent(window: MainWindow, way: str):
    if way == "key":
        press(window, "n", modifier=CTRL)
    else:
        click(window.pages.welcome.empty_button)
    assert window.canvas.isVisible()
    assert window.canvas.hasFocus()
    assert window.palette_dock.tiles.isVisible() or window.palette_dock.rail.isVisible()
    assert window.canvas.camera.zoom == 1.0
    assert "100 %" in window.status_line.zoom.text()


def test_a_new_canvas_keeps_nothing_of_the_view_before(window: MainWindow):
    show_at(window, 1366, 768)
    open_example(window, "neuron")
    window.canvas.camera.set_zoom(0.4)
    forget_changes(window)
    press(window, "n", modifier=CTRL)
    assert window.canvas.camera.zoom == 1.0


def test_the_first_node_leaves_the_zoom_at_100_percent(window: MainWindow):
    press(window, "n", modifier=CTRL)
    press(window, Qt.Key.Key_Tab)
    press(window, "tanh")
    press(window, Qt.Key.Key_Return)
    assert window.canvas.camera.zoom == 1.0
    assert len(window.document.graph.nodes) == 1


def test_an_opened_example_is_titled_by_its_name(window: MainWindow):
    open_example(window, "neuron")
    assert window.windowTitle() == "One neuron[*] – Backwire"
    assert window.top_line.name.text() == "One neuron"
    assert window.top_line.name.isVisible()


def test_save_as_proposes_the_name_of_the_example(window: MainWindow):
    open_example(window, "neuron")
    press(window, "s", modifier=CTRL | SHIFT)
    (dialog,) = window.findChildren(QFileDialog)
    assert [Path(name).name for name in dialog.selectedFiles()] == ["One neuron.backwire"]
    dialog.reject()
