"""A learner with a laptop: little width, and perhaps everything enlarged."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAction, QFontMetrics
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QLabel,
    QMenu,
    QMenuBar,
    QPushButton,
    QTabBar,
    QWidget,
)

from app.canvas.editing.canvas_cards import QuickAdd
from app.controls.layouts import ElidedLabel
from app.panels.palette.tile import TileButton
from app.panels.strip.sentence import Sentence
from app.style import sizes
from app.window.commands.view_actions import PAGES
from app.window.frame.main_window import MainWindow
from tests.helpers.answering import button
from tests.helpers.sampling import sampled, spread
from tests.helpers.window import click, forget_changes, node, open_example, press, until

ROOT = Path(__file__).parents[2]
LAPTOP = (1366, 768)
NARROW = (1024, 700)


def resize(window: MainWindow, size: tuple[int, int], scale: float = 1.0) -> None:
    window.context.style.set_size(scale)
    window.resize(*size)
    for _ in range(3):
        QApplication.processEvents()


@pytest.fixture
def laptop(shared_leaf: MainWindow) -> MainWindow:
    """The shared leaf in a window of 1366 × 768."""
    resize(shared_leaf, LAPTOP)
    return shared_leaf


def test_another_page_moves_nothing(laptop):
    laptop.bar.open("why")
    QApplication.processEvents()
    before = laptop.canvas.size(), laptop.bar.frame.geometry()
    for name in sampled(PAGES, 2):
        laptop.bar.open(name)
        QApplication.processEvents()
        assert (laptop.canvas.size(), laptop.bar.frame.geometry()) == before


def test_the_canvas_of_a_laptop_is_1246_by_516_and_946_with_a_page(laptop):
    for page, width in (("", 1246), ("why", 946)):
        if page:
            laptop.bar.open(page)
            QApplication.processEvents()
        assert laptop.canvas.size().toTuple() == pytest.approx((width, 516), abs=3)
        assert laptop.canvas.size() == laptop.parts.layout_now.canvas


def test_the_canvas_can_ask_for_room_and_give_it_back(shared_leaf):
    window, wide = shared_leaf, shared_leaf.canvas.width()
    window.canvas.framing.palette = None  # or it would ask for what this graph needs
    expected = window.parts.canvas_size(rail=True)
    window.parts.prefer_rail(True)
    QApplication.processEvents()
    assert window.canvas.size() == expected
    assert not window.palette_dock.tiles.isVisible()
    window.parts.prefer_rail(False)
    QApplication.processEvents()
    assert window.canvas.width() == wide


@pytest.mark.parametrize(
    ("size", "mistake"), spread((1.0, 1.5, 2.0), ("zero-leaves-only", "correct"))
)
def test_nothing_is_cut_off_at_any_size(shared_leaf, size, mistake):
    window = shared_leaf
    window.commands[f"rules-{mistake}"].trigger()
    for shape in (NARROW, LAPTOP, (1440, 900)):
        resize(window, shape, size)
        press(window, "b", Qt.Key.Key_Right, Qt.Key.Key_Right)
        QApplication.processEvents()
        assert clipped(window) == []
        assert window.canvas.size() == window.parts.layout_now.canvas


def test_what_is_cut_off_would_be_found(laptop):
    press(laptop, "b")
    button(laptop, "step").setFixedWidth(30)
    found = " ".join(clipped(laptop))
    for name in ("IconButton Step",):
        assert name in found


def test_a_leaf_is_added_from_the_rail_by_a_click(laptop):
    before = len(laptop.document.graph.nodes)
    click(laptop.palette_dock.rail.button("leaf"))
    click(laptop.palette_dock.rail.button("activations"))
    click(laptop.palette_dock.rail.fly_out("activations").tile("op:tanh"))
    assert len(laptop.document.graph.nodes) == before + 2


def test_the_first_tile_of_the_rail_opens_quick_add(laptop):
    click(laptop.palette_dock.rail.button("quick_add"))
    assert any(card.isVisible() for card in laptop.findChildren(QuickAdd))


def test_a_page_opens_over_the_sheet_where_there_is_no_room_beside_it(laptop):
    resize(laptop, NARROW)
    bar, canvas = laptop.bar, laptop.canvas.size()
    click(bar.tiles["numeric"])
    assert laptop.parts.page_floats
    assert bar.frame.geometry().right() < bar.x()
    assert bar.frame.geometry().bottom() < laptop.strip.mapTo(laptop.parts, QPoint()).y()
    assert laptop.canvas.size() == canvas
    click(bar.tiles["lesson"])
    assert bar.name == "lesson"
    click(bar.tiles["lesson"])
    assert not bar.frame.isVisible()
    click(bar.tiles["lesson"])
    press(laptop, Qt.Key.Key_Escape)
    assert not bar.frame.isVisible()


def test_a_page_over_the_sheet_goes_beside_it_in_a_larger_window(laptop):
    resize(laptop, NARROW)
    click(laptop.bar.tiles["why"])
    resize(laptop, (1920, 1080))
    assert laptop.bar.frame.isVisible()
    assert not laptop.parts.page_floats
    assert laptop.bar.frame.width() == sizes.PAGE
    assert laptop.canvas.geometry().right() < laptop.bar.frame.x()


def test_what_the_user_folds_and_opens_is_remembered_and_wins(laptop, qtbot):
    laptop.commands["fold-palette"].trigger()
    assert laptop.palette_dock.tiles.isVisible()
    click(laptop.bar.tiles["why"])
    again = MainWindow()
    qtbot.addWidget(again, before_close_func=forget_changes)
    again.begin()
    open_example(again)
    resize(again, LAPTOP)
    assert again.palette_dock.tiles.isVisible()
    assert again.bar.name == "why"
    again.parts.prefer_rail(True)
    assert again.palette_dock.tiles.isVisible()
    again.commands["usual_parts"].trigger()
    QApplication.processEvents()
    assert again.palette_dock.rail.isVisible()


def folding_parts(window: MainWindow) -> dict[str, QWidget]:
    return {
        "menus": window.menu_bar,
        "palette": window.palette_dock,
        "page": window.bar.frame,
        "timeline": window.strip.timeline,
        "status": window.status_line,
    }


def test_what_has_no_room_is_folded_and_comes_back_and_nothing_of_it_is_kept(laptop):
    window, store = laptop, laptop.context.settings.store
    window.bar.open("why")
    press(window, "b", Qt.Key.Key_Right)
    kept = {key: store.value(key) for key in store.allKeys()}
    every = set(folding_parts(window))
    for size, folded in (
        ((1024, 640), set()),
        ((960, 540), set()),
        ((960, 430), {"timeline"}),
        ((700, 540), {"palette", "page"}),
        ((683, 384), every),
        ((640, 320), every),
        ((960, 540), set()),
        (LAPTOP, set()),
    ):
        resize(window, size)
        assert window.size().toTuple() == size
        found = {name for name, part in folding_parts(window).items() if not part.isVisible()}
        assert found == folded, size
        assert window.toolbar.menus.isVisible() is ("menus" in folded), size
        assert clipped(window) == [], size
        for reached in (button(window, "step"), window.strip.sentence, window.strip.answer):
            corner = reached.mapTo(window, reached.rect().bottomRight())
            assert window.rect().contains(corner), size
    assert {key: store.value(key) for key in store.allKeys()} == kept
    assert window.bar.name == "why"


def test_what_is_opened_in_a_small_window_stays_in_a_larger_one(laptop):
    laptop.bar.open("why")
    resize(laptop, (683, 384))
    for name in PAGES:
        laptop.bar.open(name)
        QApplication.processEvents()
        assert clipped(laptop) == [], name
    laptop.bar.open("numeric")
    resize(laptop, LAPTOP)
    assert laptop.bar.name == laptop.context.settings.page == "numeric"


def test_one_button_has_all_menus_where_the_bar_is_folded(laptop, monkeypatch):
    resize(laptop, (683, 384))
    opened: list[list[QAction]] = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, _at: opened.append(menu.actions()))
    click(laptop.toolbar.menus)
    assert opened == [laptop.menu_bar.actions()]
    laptop.commands["show-toolbar"].trigger()
    assert laptop.menu_bar.isVisible(), "the button is on the toolbar"


def test_start_page_and_menus_are_reached_in_every_small_window(window):
    page = window.pages.welcome
    for size in ((960, 540), (683, 384), (1366, 768), (640, 320)):
        resize(window, size)
        assert window.menu_bar.isVisible(), size
        for whole in (page.title, page.hero.button):
            until(lambda whole=whole: whole.visibleRegion().boundingRect() == whole.rect())


AT_TWICE = """
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QScrollArea
from app.window.commands.file_actions import open_example
from app.window.frame.main_window import MainWindow

application = QApplication([])
window = MainWindow()
window.begin()
open_example(window.context, "shared-leaf")
free = window.screen().availableGeometry().size()
window.resize(free)
print(window.devicePixelRatio(), *window.size().toTuple())
buttons = {"open": "Open", "save_as": "Save", "export": "Export", "export-worksheet": "Export"}
for action in (*buttons, "exercise", "commands", "shortcuts", "about"):
    window.commands[action].trigger()
    application.processEvents()
    dialog = next(d for d in window.findChildren(QDialog) if d.isVisible())
    if dialog.size().boundedTo(free) != dialog.size():
        print(action, "is larger than the screen")
    if any(a.horizontalScrollBar().maximum() for a in dialog.findChildren(QScrollArea)):
        print(action, "scrolls sideways")
    found = dialog.findChildren(QPushButton)
    whole = [b for b in found if b.visibleRegion().boundingRect() == b.rect()]
    if buttons.get(action, "") not in {"", *(b.text().replace("&", "") for b in whole)}:
        print(action, "has its button out of sight")
    dialog.close()
    application.processEvents()
window.document.home.practice = True
window.close()
"""


def test_every_dialog_fits_a_laptop_at_twice_the_size(tmp_path):
    place = {"name": "laptop", "x": 0, "y": 0, "width": 1366, "height": 768}
    screen = place | {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    config = tmp_path / "screens.json"
    config.write_text(json.dumps({"screens": [screen]}))
    done = subprocess.run(
        [sys.executable, "-c", AT_TWICE],
        env=os.environ
        | {"QT_QPA_PLATFORM": f"offscreen:configfile={config}", "QT_SCALE_FACTOR": "2"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "2.0 683 384\n"


def test_a_small_window_has_icons_for_arrange_and_export_and_words_for_the_rest(laptop):
    texts = {b.objectName() or b.accessibleName(): b.text() for b in laptop.toolbar.buttons()}
    assert [text for text in texts.values() if text] == ["Forward", "Backward"]
    assert texts["button-export"] == ""


def test_a_selected_node_can_be_inspected_while_the_page_is_over_the_sheet(laptop):
    resize(laptop, NARROW, 2.0)
    laptop.bar.open("why")
    laptop.selection.focus_on(node(laptop, "a"))
    QApplication.processEvents()
    assert laptop.parts.page_floats


@pytest.mark.parametrize("widths", sampled([(900, 1600, 900), (1600,)], 2))
def test_tab_goes_from_the_toolbar_through_the_palette_to_the_canvas(window, widths):
    open_example(window)
    for width in widths:
        window.resize(width, 800)
        QApplication.processEvents()
    parts = (window.toolbar, window.palette_dock, window.canvas)
    assert _tabbed(window, parts) == [*parts]


def _tabbed(window: MainWindow, parts: tuple[QWidget, ...]) -> list[QWidget]:
    """These parts, in the order in which Tab first comes to each."""
    found: list[QWidget] = []
    widget = window.nextInFocusChain()
    while widget is not None and widget is not window:
        part = next((p for p in parts if p is widget or p.isAncestorOf(widget)), None)
        there = widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if part is not None and there and part not in found:
            found.append(part)
        widget = widget.nextInFocusChain()
    return found


_SLACK = 1
"""Rounding of sizes, in px."""


def clipped(window: QWidget) -> list[str]:
    """What is cut off of the visible widgets of a window; what scrolls may be."""
    found = [w for w in window.findChildren(QWidget) if w.isVisible() and not _scrolls(w, window)]
    return [f"{name_of(w)}: {why}" for w in found if (why := _cut(w))]


def name_of(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QLabel | QPushButton) else ""
    return f"{type(widget).__name__} {text or widget.accessibleName() or widget.objectName()}"


def _scrolls(widget: QWidget, window: QWidget) -> bool:
    """Whether a widget is inside one that scrolls."""
    above = widget.parentWidget()
    while above is not None and above is not window:
        if isinstance(above, QAbstractScrollArea):
            return True
        above = above.parentWidget()
    return False


def _cut(widget: QWidget) -> str:
    parent = widget.parentWidget()
    assert parent is not None
    if not widget.isWindow() and not _with_slack(parent.rect()).contains(widget.geometry()):
        return f"{widget.geometry().getRect()} leaves its parent {parent.rect().getRect()}"
    wide, high = _room_wanted(widget)
    if wide > widget.width() + _SLACK or high > widget.height() + _SLACK:
        return f"needs {wide} × {high}, has {widget.width()} × {widget.height()}"
    return ""


def _with_slack(rect: QRect) -> QRect:
    return rect.adjusted(-_SLACK, -_SLACK, _SLACK, _SLACK)


def _room_wanted(widget: QWidget) -> tuple[int, int]:
    """The size that the text of a widget needs; nothing for those that shorten or paint freely."""
    if isinstance(widget, QMenuBar):
        last = widget.actionGeometry(widget.actions()[-1])
        return last.right(), last.bottom()
    if isinstance(widget, QTabBar):
        shown = [k for k in range(widget.count()) if widget.isTabVisible(k)]
        return sum(widget.tabSizeHint(k).width() for k in shown), 0
    if isinstance(widget, Sentence):
        _font, lines = widget.fitted()
        tall = sum(line.ascent + line.descent for line in lines)
        return round(max((line.width for line in lines), default=0)), round(tall)
    if isinstance(widget, TileButton):
        return widget.sizeHint().toTuple()
    if isinstance(widget, QLabel) and not isinstance(widget, ElidedLabel):
        text = QFontMetrics(widget.font()).size(0, widget.text())
        return (0 if widget.wordWrap() else text.width()), text.height()
    if isinstance(widget, QPushButton | QComboBox):
        return widget.minimumSizeHint().toTuple()
    return 0, 0
