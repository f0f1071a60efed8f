from __future__ import annotations

import pytest
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.controls.row_visibility import row_width, show_only, taken_away


class Row(QWidget):
    """A row that gives up its last, highest widget where there is no room, as our rows do."""

    def __init__(self) -> None:
        super().__init__()
        self.words = [QLabel("one"), QLabel("two"), QLabel("three\nlines\nhigh")]
        self.line = QHBoxLayout(self)
        self.line.setSpacing(6)
        for word in self.words:
            self.line.addWidget(word)
        self.fitted = 0

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self.fitted += 1
        shown = {*self.words}
        if row_width(shown, 6) > self.width():
            shown.remove(self.words[-1])
        show_only(self.words, shown)


@pytest.fixture
def row(qtbot, styled):
    page = QWidget()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    row = Row()
    row.setMinimumWidth(20)
    row.line.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
    column.addWidget(row)
    column.addStretch(1)
    page.resize(600, 400)
    page.show()
    yield row
    page.close()


def test_a_row_comes_to_rest_though_it_is_lower_without_what_it_gives_up(row):
    for width in (70, 600, 75, 300):
        row.fitted = 0
        row.window().resize(width, 400)
        row.window().grab()
        assert row.fitted == 1


def test_what_does_not_fit_is_hidden_and_comes_back(row):
    assert row.words[-1].isVisible()
    row.window().resize(60, 400)
    assert not row.words[-1].isVisible()
    assert taken_away(row.words[-1])
    row.window().resize(600, 400)
    assert row.words[-1].isVisible()


def test_a_widget_is_not_taken_away_before_its_window_is_shown(qtbot, styled):
    page = QWidget()
    qtbot.addWidget(page)
    word = QLabel("one", page)
    assert not taken_away(word)
    show_only([word], [])
    page.show()
    assert not word.isVisible()
    show_only([word], [word])
    assert word.isVisible()


def test_a_hidden_widget_counts_as_wide_as_it_would_be(row):
    before = row_width(row.words, 6)
    row.words[1].hide()
    assert row_width(row.words, 6) == before
    row.words[1].setMinimumWidth(200)
    assert row_width(row.words, 6) > before
