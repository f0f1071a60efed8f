"""What is met first: the start page at every size, a blank canvas, and names of documents."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication, QFileDialog, QScrollBar, QWidget

from app.lessons.progress import LessonProgress
from app.window.frame.main_window import MainWindow
from engine import from_expression, save
from tests.helpers.sampling import sampled
from tests.helpers.window import CTRL, SHIFT, click, forget_changes, open_example, press, until


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


@pytest.mark.parametrize(("width", "height"), sampled([(1024, 700), (1366, 690), (1920, 1080)], 2))
def test_course_recent_files_and_examples_stand_whole_in_the_window(
    window: MainWindow, tmp_path: Path, width: int, height: int
):
    recent_files(window, tmp_path, 6)
    show_at(window, width, height)
    page = window.pages.welcome
    assert page.hero is not None
    assert page.lessons is not None
    cards = [card for card in (*page.recent.cards, *page.examples.cards) if card.isVisible()]
    assert len(cards) >= 4
    for part in (page.hero, *page.lessons.stops, page.formula, *cards):
        assert stands_whole(window, part), part.accessibleName()


def test_the_newest_recent_files_stay_in_sight_at_twice_the_size(
    window: MainWindow, tmp_path: Path
):
    recent_files(window, tmp_path, 6)
    for width, height in sampled(((1280, 720), (1920, 1080), (1366, 768)), 2):
        show_at(window, width, height, 2.0)
        page = window.pages.welcome
        assert page.hero is not None
        for part in (page.hero, *page.recent.cards[:2]):
            assert stands_whole(window, part), (width, height, "at twice the size")


@pytest.mark.parametrize("size", sampled([2.0, 1.0], 2))
def test_the_texts_of_an_example_stand_whole_on_its_card(window: MainWindow, size: float):
    show_at(window, 1366, 768, size)
    style = window.context.style
    cards = [card for card in window.pages.welcome.examples.cards if card.isVisible()]
    assert cards
    for card in cards:
        width = card.width() - 2 * style.px(12)
        metrics = QFontMetricsF(style.font("caption"))
        lines = card.note_lines(width)
        assert max(map(metrics.horizontalAdvance, lines)) <= width, lines
        metrics = QFontMetricsF(style.font("caption strong"))
        assert metrics.horizontalAdvance(card.example.title) <= width


def test_the_course_needs_no_scroll_bar_when_no_question_is_due(window: MainWindow):
    ended = LessonProgress(ended="2026-03-01", states=("done",) * 6, at=5)
    progress = window.context.progress
    progress.change(lambda found: found.updated("two-paths", ended))
    show_at(window, 1366, 768)
    page = window.pages.welcome
    assert page.daily is not None
    assert stands_whole(window, page.daily)
    bars = [bar for bar in page.findChildren(QScrollBar) if bar.isVisible()]
    assert bars == []


def test_scrolling_the_examples_leaves_the_course_where_it_is(window: MainWindow):
    show_at(window, 1366, 768)
    page = window.pages.welcome
    assert page.hero is not None
    before = in_window(window, page.hero)
    click(page.examples.all_button)
    focus(window, page.examples.cards[-1])
    assert stands_whole(window, page.examples.cards[-1])
    assert in_window(window, page.hero) == before


def test_at_twice_the_size_a_narrow_window_has_everything_in_one_column(
    window: MainWindow, tmp_path: Path
):
    recent_files(window, tmp_path, 3)
    for width in (1600, 880):
        show_at(window, width, 768, 2.0)
        page = window.pages.welcome
        assert page.hero is not None
        formula, hero = in_window(window, page.formula), in_window(window, page.hero)
        assert (formula.left() > hero.right()) == (width > 900), width
        assert (formula.top() > hero.bottom()) == (width <= 900), width
        assert page.recent.cards[0].isVisible(), width


def test_a_lesson_out_of_sight_is_scrolled_to_by_arrows(window: MainWindow):
    show_at(window, 880, 560, 2.0)
    press(window, Qt.Key.Key_End)
    page = window.pages.welcome
    assert page.lessons is not None
    last = page.lessons.stops[-1]
    assert last.hasFocus()
    until(lambda: stands_whole(window, last))
    show_at(window, 880, 420, 2.0)
    until(lambda: stands_whole(window, last))
    show_at(window, 880, 560, 2.0)
    press(window, Qt.Key.Key_Home, Qt.Key.Key_Up)
    assert page.hero is not None
    assert page.hero.button.hasFocus()
    assert stands_whole(window, page.hero)


def test_f6_moves_between_course_and_formula(window: MainWindow):
    page = window.pages.welcome
    assert page.hero is not None
    press(window, Qt.Key.Key_F6)
    assert page.formula.field.hasFocus()
    press(window, Qt.Key.Key_F6)
    assert page.hero.button.hasFocus()


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
