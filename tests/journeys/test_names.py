"""Every node has a name that is found on the screen: `v3`, or `w_7` beside a second label w."""

import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QWidget

from app.panels.expression_bar import ExpressionBar
from app.window.commands.view_actions import PAGES
from app.window.frame.main_window import MainWindow
from tests.helpers.mouse import key, type_into_focus
from tests.helpers.sampling import sampled
from tests.helpers.window import click, inspector, node, press

RETURN = Qt.Key.Key_Return


@pytest.fixture
def twice(shared_leaf: MainWindow) -> MainWindow:
    """The shared leaf after f was labelled a, as another leaf is."""
    shared_leaf.selection.focus_on(node(shared_leaf, "f"))
    press(shared_leaf, Qt.Key.Key_F2)
    type_into_focus("a")
    key(RETURN)
    return shared_leaf


def test_a_label_taken_away_leaves_a_name_that_sentence_and_node_share(shared_leaf: MainWindow):
    window, e = shared_leaf, node(shared_leaf, "e")
    window.document.set_label(e, "")
    look = window.canvas.scene.node(e)
    assert look.texts[:2] == ("", f"v{e}")
    assert look.texts.captions[0] == "a × b"
    assert "v3" in window.canvas.scene.node(node(window, "d")).texts.captions[0]
    press(window, "b")
    window.context.playback.go(6)
    assert f"({look.texts.name})" in window.strip.sentence.text()


def test_a_second_label_is_kept_and_a_free_one_offered_for_enter(twice: MainWindow):
    notice = twice.context.messages.notice
    assert notice.isVisible()
    assert notice.text() == "Another node is called a already."
    assert notice.button.text() == "Call it a2"
    assert twice.canvas.scene.node(5).texts.title == "a · a_5"
    key(RETURN)
    assert twice.document.graph.label(5) == "a2"
    assert not notice.isVisible()
    twice.document.undo()
    assert twice.document.graph.label(5) == "a"


def test_one_click_takes_it_too_and_esc_keeps_what_was_typed(twice: MainWindow):
    key(Qt.Key.Key_Escape)
    assert not twice.context.messages.notice.isVisible()
    assert twice.document.graph.label(5) == "a"
    twice.document.set_label(5, "b")
    click(twice.context.messages.notice.button)
    assert twice.document.graph.label(5) == "b2"


def test_the_inspector_warns_too(shared_leaf: MainWindow):
    window = shared_leaf
    window.selection.focus_on(node(window, "f"))
    part = inspector(window).node
    part.label.setFocus()
    part.label.selectAll()
    type_into_focus("d")
    key(RETURN)
    assert window.context.messages.notice.text() == "Another node is called d already."
    key(RETURN)
    assert window.document.graph.label(5) == "d2"


def test_no_warning_comes_for_a_label_that_stays_or_is_free(shared_leaf: MainWindow):
    window = shared_leaf
    for label in ("f", "g", ""):
        window.document.set_label(node(window, "f") if label == "f" else 5, label)
        assert not window.context.messages.notice.isVisible()


ODD = ("x1*w1", "<b>my</b> loss", "a & b", "50 %", "${k}$", '"q"', "🐍 snake", "-2", "p/q + r")


CODE = {"SourcePanel", "ExpressionField", "CodeView"}


def everything_said(window: MainWindow) -> set[str]:
    """Every text, accessible name, tip, menu entry and cell of what is shown, but for code."""
    found: set[str] = set()
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or isinstance(widget, ExpressionBar):
            continue
        if {type(above).__name__ for above in _up(widget)} & CODE:
            continue
        assert "<b>" not in widget.toolTip() or "&lt;b&gt;" in widget.toolTip()
        if isinstance(widget, QLabel) and "<b>" in widget.text():
            assert widget.textFormat() == Qt.TextFormat.PlainText, widget.text()
        found |= {widget.accessibleName(), widget.accessibleDescription(), widget.toolTip()}
        for read in ("text", "title", "placeholderText"):
            if callable(getattr(widget, read, None)):
                found.add(str(getattr(widget, read)()))
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            model = widget.model()
            places = (model.index(r, c) for r in range(model.rowCount()) for c in range(4))
            found |= {str(place.data()) for place in places if place.isValid()}
    told = {action.text() for action in window.findChildren(QAction)}
    assert not any("a & b" in text for text in told)  # "&" would be a mnemonic
    return (found | told) - {""}


def _up(widget: QWidget | None) -> Iterator[QWidget]:
    while widget is not None:
        yield widget
        widget = widget.parentWidget()


def test_no_panel_calls_a_node_by_a_name_made_for_code(shared_leaf: MainWindow):
    window, document = shared_leaf, shared_leaf.document
    for number, label in zip(sorted(document.graph.names), ODD, strict=False):
        document.set_label(number, label)
    press(window, "b", Qt.Key.Key_Right)
    said: set[str] = set()
    for tab in PAGES:
        if tab in ("train", "code"):
            continue
        window.bar.open(tab)
        for number in sampled(document.graph.names, 3):
            window.selection.focus_on(number)
            QApplication.processEvents()
            said |= everything_said(window)
    names = [name for n, name in document.graph.names.items() if document.graph.label(n) != name]
    assert len(names) == len(document.graph.names)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(names)})(?!\w)")
    assert [text for text in said if pattern.search(text)] == []
    assert any("x1*w1" in text for text in said)
