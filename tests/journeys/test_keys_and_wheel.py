"""Keys and the wheel change a number only on purpose: every control of the window, by its kind."""

from collections.abc import Iterator
from typing import cast

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QListWidget,
    QScrollBar,
    QSlider,
    QTabBar,
    QWidget,
)

from app.panels.strip.timeline import Timeline
from app.panels.train import TrainPage
from app.window.commands.view_actions import PAGES
from app.window.dialogs.export import ExportDialog
from app.window.frame.main_window import MainWindow
from engine.rules import BY_NAME
from tests.helpers.window import dialog_of, forget_changes, node, opened_page, press, until

Key, Reason = Qt.Key, Qt.FocusReason
LEFT, RIGHT, HOME, END = Key.Key_Left, Key.Key_Right, Key.Key_Home, Key.Key_End
ON, BACK = Key.Key_PageDown, Key.Key_PageUp
HOLDERS = (QAbstractSlider, QAbstractSpinBox, QComboBox, QAbstractItemView, QTabBar)
"""The kinds of widgets in which a key or the wheel can change something."""


def controls(window: QWidget) -> list[QWidget]:
    """The visible widgets that take the keyboard."""
    takes = Qt.FocusPolicy.TabFocus | Qt.FocusPolicy.ClickFocus
    found = [w for w in window.findChildren(QWidget) if w.isVisible() and w.isEnabled()]
    return [w for w in found if w.focusPolicy() & takes and not w.focusProxy()]


def pages(window: MainWindow, *names: str) -> Iterator[str]:
    """Open these pages one after the other, or else all of them, in step 3 of the pass."""
    for page in names or PAGES:
        opened_page(window, page)
        window.playback.backward(cursor=3)
        QApplication.processEvents()
        yield page


def number_of(control: QWidget) -> object:
    """What a control holds."""
    if isinstance(control, QComboBox):
        return control.currentIndex()
    return control.value() if isinstance(control, QAbstractSlider) else control.text()  # type: ignore[attr-defined]


def turn_wheel(control: QWidget, notches: int = -1) -> None:
    at, angle = QPointF(control.rect().center()), QPoint(0, 120 * notches)
    none = Qt.KeyboardModifier.NoModifier
    event = QWheelEvent(
        at, QPointF(control.mapToGlobal(at.toPoint())), QPoint(), angle,
        Qt.MouseButton.NoButton, none, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(control, event)
    QApplication.processEvents()


@pytest.fixture
def window(shared_leaf: MainWindow) -> Iterator[MainWindow]:
    shared_leaf.playback.set_rules(BY_NAME["assign"])
    shared_leaf.document.set_value(node(shared_leaf, "a"), 2.5)
    yield shared_leaf
    forget_changes(shared_leaf)


def test_page_keys_step_whatever_has_the_focus(window: MainWindow):
    graph, seen = window.document.graph, set[type]()
    for page in pages(window):
        for control in controls(window):
            if type(control) in seen:
                continue
            seen.add(type(control))
            control.setFocus(Reason.TabFocusReason)
            if not control.hasFocus():
                continue
            cursors = [window.playback.cursor]
            for key in (ON, BACK):
                press(window, key)
                cursors.append(window.playback.cursor)
                control.setFocus(Reason.TabFocusReason)
            assert cursors == [3, 4, 3], (page, type(control).__name__, cursors)
        assert window.document.graph is graph, page
    assert {QSlider, QListWidget} <= seen


def test_page_keys_turn_epochs_where_epochs_are_shown_and_leave_them_to_be_shown(
    window: MainWindow,
):
    descents = window.context.descents
    window.commands["descent"].trigger()
    page = cast("TrainPage", opened_page(window, "train"))
    for key, at in ((BACK, 0), (ON, 1), (ON, 2), (BACK, 1), (BACK, 0), (ON, 1)):
        (window.canvas if at % 2 else page.descent.rate.field).setFocus()
        press(window, key)
        until(lambda: not descents.running)
        assert window.playback.phase == "live", (key, at)
        assert descents.shown, (key, at)
        assert descents.now is not None
        assert (descents.now.at, len(descents.now.epochs) <= 3) == (at, True), (key, at)
    page.show_view("training")
    training = page.training.training
    press(window, Key.Key_F5)
    for key, at in ((ON, 1), (RIGHT, 2), (LEFT, 1), (BACK, 0), (BACK, 0), (END, 0), (HOME, 0)):
        press(window, key)
        until(lambda: not training.running)
        assert window.parts.staged, key
        assert training.state.epochs == at, key
    press(window, Key.Key_Escape)
    assert page.stage.isVisible()


def test_a_page_key_that_has_no_step_to_take_changes_no_slider(window: MainWindow):
    window.playback.leave()
    window.selection.focus_on(node(window, "a"))
    opened_page(window, "why")
    for slider in [w for w in controls(window) if isinstance(w, QSlider)]:
        before = slider.value()
        slider.setFocus(Reason.TabFocusReason)
        press(window, BACK)
        assert slider.value() == before


def test_arrows_change_a_slider_only_if_tab_or_f6_led_to_it(window: MainWindow):
    window.selection.focus_on(node(window, "a"))
    tried = 0
    for page in pages(window, "why", "numeric"):
        for slider in [w for w in controls(window) if isinstance(w, QSlider)]:
            tried += 1
            before = slider.value()
            for reached in (Reason.OtherFocusReason, Reason.MouseFocusReason):
                slider.clearFocus()
                slider.setFocus(reached)
                places = []
                for key in (LEFT, RIGHT, HOME, END):
                    press(window, key)
                    places.append(window.playback.cursor)
                assert places == [2, 3, 0, window.playback.frame.total], (page, reached)
                assert slider.value() == before, (page, reached)
                window.playback.go(3)
            slider.clearFocus()
            slider.setFocus(Reason.TabFocusReason)
            press(window, LEFT)
            assert slider.value() < before or before == slider.minimum(), page
            assert window.playback.cursor == 3, page
            QTest.mouseClick(slider, Qt.MouseButton.LeftButton)  # after that they step
            press(window, LEFT)
            assert window.playback.cursor == 2, page
            window.playback.go(3)
    assert tried >= 2


def test_opening_a_page_by_its_key_leaves_the_arrows_to_the_pass(window: MainWindow):
    window.selection.focus_on(node(window, "a"))
    window.playback.backward(cursor=3)
    press(window, Key.Key_2, modifier=Qt.KeyboardModifier.ControlModifier)
    assert isinstance(QApplication.focusWidget(), QSlider)
    graph = window.document.graph
    press(window, RIGHT)
    assert (window.playback.cursor, window.document.graph) == (4, graph)


def test_a_wheel_changes_nothing_that_was_not_clicked(window: MainWindow):
    window.selection.focus_on(node(window, "e"))
    window.commands["export-pdf"].trigger()
    dialog, seen = dialog_of(window, ExportDialog), 0
    dialog.fields["copies"].show()
    held = [("export", w) for w in controls(dialog) if isinstance(w, HOLDERS)]
    for k in range(1 + len(PAGES)):
        if k:
            page = [*PAGES][k - 1]
            opened_page(window, page)
            window.playback.backward(cursor=3)
            held = [(page, w) for w in controls(window) if isinstance(w, HOLDERS)]
        for page, control in held:
            if isinstance(control, QScrollBar | Timeline | QAbstractItemView):
                continue  # the first two are positions
            seen += 1
            control.clearFocus()
            before = number_of(control)
            for notches in (-1, 1):
                turn_wheel(control, notches)
                assert number_of(control) == before, (page, type(control).__name__)
                assert not control.hasFocus(), (page, type(control).__name__)
    dialog.reject()
    assert seen >= 12


def test_a_wheel_turns_a_slider_that_was_clicked(window: MainWindow):
    window.selection.focus_on(node(window, "a"))
    opened_page(window, "why")
    slider = next(w for w in controls(window) if isinstance(w, QSlider))
    QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() // 2, 5))
    before = slider.value()
    turn_wheel(slider)
    assert slider.value() != before


def test_keys_in_a_list_or_a_choice_only_highlight(window: MainWindow):
    window.commands["toggle_break"].trigger()
    tried = set[str]()
    for page in pages(window, "lesson", "why", "numeric", "mistakes", "history"):
        window.selection.focus_on(node(window, "e"))
        QApplication.processEvents()
        state = (window.document.graph, window.playback.rules, window.selection.nodes)
        for control in [w for w in controls(window) if isinstance(w, QListWidget | QComboBox)]:
            control.setFocus(Reason.TabFocusReason)
            before = number_of(control) if isinstance(control, QComboBox) else None
            for key in (Key.Key_Down, END, Key.Key_Up, HOME):
                press(window, key)
                popup = QApplication.activePopupWidget()
                if popup is not None:
                    QTest.keyClick(popup, Key.Key_Escape)
            if isinstance(control, QComboBox):
                assert number_of(control) == before, (page, control.accessibleName())
            now = (window.document.graph, window.playback.rules, window.selection.nodes)
            assert now == state, (page, control.accessibleName())
            assert window.playback.cursor == 3, (page, control.accessibleName())
            tried.add(control.accessibleName())
    assert {"Changes of the sheet", "Gradients", "Lessons"} <= tried, tried
