"""What is cut off for want of room can be read in its tooltip."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QWidget

from app.controls.row_list import Column, RowList
from app.controls.spans import ListRow, Span
from app.document.examples import examples
from app.lessons.course_view import LessonEntry
from app.panels.lesson.player import NextLesson
from app.panels.mistakes.mistakes_page import MistakeField
from app.panels.welcome.start_cards import ExampleCard
from app.style.current import Style
from engine.rules import MISTAKES

LONG = "A title of which only the beginning has room"


def example(style: Style) -> tuple[QWidget, str]:
    found = max(examples(), key=lambda each: len(each.title))
    return ExampleCard(style, found), found.title


def mistake(style: Style) -> tuple[QWidget, str]:
    field, rules = MistakeField(style), max(MISTAKES, key=lambda each: len(each.title))
    field.show_mistake(rules, "3 of 6", unfolded=False, usable=True)
    return field, rules.title


def lesson(style: Style) -> tuple[QWidget, str]:
    card = NextLesson(style)
    card.show_lesson(LessonEntry(1, "x", LONG, 5, 6, 0, 0, "new"))
    return card, LONG


def row(style: Style) -> tuple[QWidget, str]:
    rows = RowList(style, "Rows", (Column(stretches=True),))
    rows.show_rows([ListRow(((Span(LONG),),), LONG)])
    return rows, LONG


@pytest.mark.parametrize("make", [example, mistake, lesson, row])
def test_a_title_that_is_cut_off_is_whole_in_the_tooltip(
    qtbot, styled: Style, make: Callable[[Style], tuple[QWidget, str]]
):
    widget, title = make(styled)
    qtbot.addWidget(widget)
    widget.resize(80, 60)
    widget.show()
    tooltip = widget.item(0).toolTip() if isinstance(widget, RowList) else widget.toolTip()
    assert title in tooltip
