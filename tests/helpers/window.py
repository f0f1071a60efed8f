"""The real window, as a test opens it and a learner uses it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import numpy  # noqa: F401  (Check imports it in a thread; approx trips over half of it)
from PySide6.QtCore import QDeadlineTimer, QEventLoop, Qt, QThread
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QMenu,
    QMessageBox,
    QPushButton,
    QWidget,
)
from shiboken6 import isValid

from app.controls.panel import Page
from app.controls.slices import Slices
from app.document.examples import examples
from app.panels.why import WhyPage
from app.window.commands import file_actions
from app.window.frame.main_window import MainWindow
from app.window.frame.right_bar import PAGES
from app.workbench.trials import beginning
from engine.graph import Constant, Leaf
from tests.helpers.application import delete_widgets, kept_look
from tests.helpers.forks import NOTHING_OPEN, Prepare, is_copy, is_ending, keep, take_window
from tests.helpers.frames import FewFrames
from tests.helpers.sampling import is_whole

NONE = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@contextmanager
def opened_window(
    qtbot, path: Path | None = None, example: str = "", prepare: Prepare | None = None
) -> Iterator[MainWindow]:
    """A window on the screen, active, 1440 × 900; what it did to the application is undone.

    It shows the file, or the example, which is opened without a start page before it. Then it is
    prepared, by a function of a module: once for all tests whose windows are prepared alike.
    """
    shows = example if prepare is None else (example, prepare)
    found = take_window(shows if path is None else NOTHING_OPEN)
    if found is None:
        with new_window(path, example, prepare) as window:
            _draw_few(window)
            yield window
    else:
        window, closing = found
        _draw_few(window)
        try:
            yield window
        finally:
            if not is_ending() or not isValid(window):
                closing.close()
            elif is_whole():
                close(window)  # a tenth of a short test; its process goes anyhow, with all widgets


def _draw_few(window: MainWindow) -> None:
    if is_copy() and not is_whole():
        keep(FewFrames(window))


@contextmanager
def new_window(
    path: Path | None = None, example: str = "", prepare: Prepare | None = None
) -> Iterator[MainWindow]:
    """Such a window, made now.

    It is deleted before the application gets its own look back: to polish the widgets of a
    window that is about to go would take a third of the time the window costs.
    """
    application = the_application()
    with kept_look(application):
        window = MainWindow()
        try:
            # what a test sees does not depend on the moment
            window.context.style.set_motion(False)
            beginning.LONGEST_MS = 60_000
            window.resize(1440, 900)
            if example:
                window.show()
                file_actions.open_example(window.context, example)
            else:
                window.begin(path)
            window.activateWindow()
            until(window.isActiveWindow)
            QApplication.processEvents()
            if prepare is not None:
                prepare(window)
            yield window
        finally:
            if is_ending() and not is_whole():
                keep(window)  # its process ends, with all widgets
            elif isValid(window):  # a test may have let it go
                dismiss(window)


def use_all_parts() -> None:
    """Open a window, an example and each page once: imports, fonts and icons are ready then."""
    with new_window(example="shared-leaf") as window:
        for name in PAGES:
            window.bar.open(name)
            QApplication.processEvents()
        settle(window)


def make_late_parts(window: MainWindow) -> None:
    """Make what most journeys open, and a window only makes then."""
    window.bar.get("lesson")
    _ = window.palette_dock.tiles
    QApplication.processEvents()


def dismiss(window: MainWindow) -> None:
    """Close a window and delete it."""
    close(window)
    window.deleteLater()
    delete_widgets(the_application())


def close(window: MainWindow) -> None:
    """Close a window with its dialogs and without its question."""
    for dialog in window.findChildren(QDialog):
        dialog.close()
    forget_changes(window)
    window.close()


def the_application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application


def until(condition: Callable[[], bool]) -> None:
    """Handle events until a condition holds, as long as a busy machine may take."""
    waiting = QDeadlineTimer(60_000)
    while not condition():
        assert not waiting.hasExpired()
        QThread.msleep(1)  # another process or thread may be what is waited for: leave it the core
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)


def finish_slices(window: MainWindow) -> None:
    """Handle events until all work in slices is done: checks, counts, curves."""
    QApplication.processEvents()
    until(lambda: not any(slices.active for slices in window.findChildren(Slices)))


def settle(window: MainWindow) -> None:
    """Handle events until nothing goes on in a window, nor beside it: it is about to be copied."""
    finish_slices(window)
    until(lambda: not window.canvas.auto_layout.running and threading.active_count() == 1)


def forget_changes(window: MainWindow) -> None:
    """Let the window close without its question, as with a sheet that can be had again."""
    window.document.home.practice = True
    window.document.end_practice()


def open_example(window: MainWindow, name: str = "shared-leaf") -> None:
    file_actions.open_example(window.context, name)
    QApplication.processEvents()


def example_path(name: str = "shared-leaf") -> Path:
    return next(example.path for example in examples() if example.name == name)


# what a hand does


def press(window: MainWindow, *keys: Qt.Key | str, modifier=NONE) -> None:
    """Press keys where the keyboard is."""
    if not window.isActiveWindow():
        window.activateWindow()
        QApplication.processEvents()
    for key in keys:
        focused = QApplication.focusWidget() or window
        if isinstance(key, str):
            QTest.keyClicks(focused, key, modifier)
        else:
            QTest.keyClick(focused, key, modifier)
        QApplication.processEvents()


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)
    QApplication.processEvents()


def choose(window: MainWindow, menu: str, text: str) -> None:
    """Choose an entry of a menu, which fills itself when it is opened."""
    found = window.menu_bar.menu(menu)
    found.aboutToShow.emit()
    entry = next(a for a in found.actions() if a.text().replace("&", "").startswith(text))
    entry.trigger()
    QApplication.processEvents()


def entries(menu: QMenu) -> list[str]:
    """The texts of a menu that is about to be shown."""
    menu.aboutToShow.emit()
    return [a.text().replace("&", "") for a in menu.actions() if not a.isSeparator()]


# what a person sees


def node(window: MainWindow, name: str) -> int:
    """The node of this name."""
    found = window.document.graph.node_named(name)
    assert found is not None, f"there is no {name}"
    return found


def value(window: MainWindow, name: str) -> float:
    """The value of a leaf or a constant, as the document holds it."""
    found = window.document.graph.nodes[node(window, name)]
    assert isinstance(found, Leaf | Constant)
    return found.value


def inspector(window: MainWindow) -> WhyPage:
    """The page Why with its inspector unfolded."""
    page = opened_page(window, "why")
    assert isinstance(page, WhyPage)
    page.block("inspector").set_collapsed(False)
    QApplication.processEvents()
    return page


def opened_page(window: MainWindow, name: str) -> Page:
    """A page of the right bar, opened."""
    window.bar.open(name)
    QApplication.processEvents()
    return window.bar.get(name)


def question(window: QWidget) -> QMessageBox:
    """The one question or notice that is open."""
    found = [box for box in window.findChildren(QMessageBox) if box.isVisible()]
    assert len(found) == 1, [box.text() for box in found]
    return found[0]


def no_question(window: QWidget) -> bool:
    return not any(box.isVisible() for box in window.findChildren(QMessageBox))


def answer(window: QWidget, text: str) -> None:
    """Click a button of the open question."""
    box = question(window)
    button = next(b for b in box.findChildren(QPushButton) if b.text().replace("&", "") == text)
    click(button)


def choose_file(window: QWidget, path: Path) -> None:
    """Choose a file in the file dialog that is open."""
    dialog = next(d for d in window.findChildren(QFileDialog) if d.isVisible())
    dialog.fileSelected.emit(str(path))  # what is inside is Qt's, or the system's own dialog
    dialog.close()
    QApplication.processEvents()


Kind = TypeVar("Kind", bound=QDialog)


def dialog_of(window: MainWindow, kind: type[Kind]) -> Kind:
    """The open dialog of a kind, which has the keyboard."""
    QApplication.processEvents()
    found = [dialog for dialog in window.findChildren(kind) if dialog.isVisible()]
    assert len(found) == 1
    return found[0]


def open_dialogs(window: MainWindow) -> list[QDialog]:
    """The dialogs that are on the screen."""
    return [dialog for dialog in window.findChildren(QDialog) if dialog.isVisible()]


def said(window: MainWindow) -> str:
    """What the toast says, or an empty text when none is shown."""
    from app.controls.notices import Toast

    toast = window.findChild(Toast)
    return toast.text() if toast is not None and toast.isVisible() else ""
