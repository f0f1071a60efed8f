"""Rows, columns and labels of panels and dialogs."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QPushButton, QWidget

from app.controls.layouts import (
    ElidedLabel,
    in_column,
    in_row,
    plain_label,
    plain_tooltip,
    scroll_area,
    set_kind,
)
from app.style.current import Style


def test_edges_and_gap_follow_the_scale(qtbot):
    style, widget = Style(), QWidget()
    qtbot.addWidget(widget)
    one, other = plain_label("one"), plain_label("other")
    layout = in_row(one, (other, 2), 1, parent=widget, style=style, edges=(4, 8, 12, 16), gap=10)
    assert layout.contentsMargins().left() == 4
    assert [layout.stretch(k) for k in range(3)] == [0, 2, 1]
    style.set_theme("projector")
    margins = layout.contentsMargins()
    assert (margins.left(), margins.top(), margins.right(), margins.bottom()) == (5, 10, 15, 20)
    assert layout.spacing() == 12


def test_a_layout_that_is_gone_is_not_restyled(qtbot):
    style, widget = Style(), QWidget()
    in_column(in_row(plain_label("inner"), style=style, gap=3), parent=widget, style=style, edges=2)
    widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    style.set_size(2.0)


def test_a_label_shows_its_text_as_it_is(qtbot):
    label = plain_label("<b>a</b>", "caption", wraps=True)
    qtbot.addWidget(label)
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert label.property("kind") == "caption"
    assert label.wordWrap()


def test_a_part_may_be_aligned_and_a_page_scrolled(qtbot):
    page, label = QWidget(), plain_label("a")
    column = in_column((label, Qt.AlignmentFlag.AlignRight), parent=page)
    area = scroll_area(page)
    qtbot.addWidget(area)
    item = column.itemAt(0)
    assert item is not None
    assert item.alignment() == Qt.AlignmentFlag.AlignRight
    assert area.widget() is page
    assert not page.autoFillBackground()


def test_a_kind_can_be_seen_at_once(qtbot, styled):
    button = QPushButton("Step")
    qtbot.addWidget(button)
    button.show()
    middle = button.rect().adjusted(6, 6, 0, 0).topLeft()
    assert button.grab().toImage().pixelColor(middle) == styled.theme.node
    set_kind(button, "primary")
    assert button.grab().toImage().pixelColor(middle) == styled.theme.text


def test_a_tooltip_is_never_html_by_accident():
    assert plain_tooltip("a < b") == "a < b"
    assert "&lt;b&gt;" in plain_tooltip("<b>x</b>")


LONG = "a name that is much too long for its place"


@pytest.fixture
def label(qtbot, style) -> ElidedLabel:
    widget = ElidedLabel(style, LONG)
    qtbot.addWidget(widget)
    widget.show()
    return widget


def test_what_does_not_fit_ends_in_dots_and_is_whole_on_hover(label):
    label.resize(80, 20)
    assert label.shown_text().endswith("…")
    assert label.toolTip() == LONG


def test_what_fits_is_shown_whole_without_a_tooltip(label):
    label.resize(900, 20)
    assert label.shown_text() == LONG
    assert label.toolTip() == ""


def test_it_never_asks_for_more_room_than_there_is(label):
    assert label.minimumSizeHint().width() < 60


def test_it_shows_html_as_it_is(label):
    label.setText("<b>bold</b> and much more text than fits")
    label.resize(60, 20)
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert "&lt;b&gt;" in label.toolTip()


def test_it_may_keep_both_ends(qtbot, style):
    widget = ElidedLabel(
        style, "/a/long/path/to/a/file.backwire", mode=Qt.TextElideMode.ElideMiddle
    )
    qtbot.addWidget(widget)
    widget.resize(90, 20)
    assert widget.shown_text().startswith("/a")
    assert widget.shown_text().endswith("e")
