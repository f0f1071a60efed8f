import pytest
from PySide6.QtCore import Qt

from app.controls.elided_label import ElidedLabel

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
