"""A row of the question card: an answer of any length fits, and assistive technology reads it."""

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget

from app.canvas.editing.question_row import QuestionRow, answered, columns
from app.style.current import Style
from app.workbench.modes.quiz import Given
from engine.study.grading import grade
from engine.study.question import LEVELS, asked
from engine.trace import Trace, run
from tests.helpers.easel import example_drawing

WIDTH = 445
"""What a row has at 100 %, in px."""


@pytest.fixture
def trace() -> Trace:
    return run(example_drawing("shared-leaf").graph)


@pytest.fixture
def card(qtbot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    return widget


@pytest.fixture
def row(card: QWidget, style: Style) -> QuestionRow:
    widget = QuestionRow(style, card)
    widget.show()
    return widget


def show(row: QuestionRow, style: Style, trace: Trace, text: str) -> None:
    """Show an answer to the first question of a pass."""
    question = next(iter(asked(trace, LEVELS["local"])))
    content = answered(Given(question, text, grade(question, trace, text)), trace, style)
    row.show_text(content, columns([content], style))
    row.resize(style.px(WIDTH), row.high(style.px(WIDTH)))


@pytest.mark.parametrize("size", [1.0, 2.0])
@pytest.mark.parametrize("length", [40, 80, 200])
def test_a_long_wrong_answer_is_elided_and_told_in_full(row, style, trace, length, size):
    style.set_size(size)
    answer = "7" * length
    show(row, style, trace, answer)
    assert QRectF(row.rect()).contains(row.wrong_box(row.width()))
    assert row.toolTip() == answer
    assert f"✗ you said {answer}" in row.accessibleName()


def test_a_short_wrong_answer_is_whole_and_needs_no_tooltip(row, style, trace):
    show(row, style, trace, "7" * 80)
    show(row, style, trace, "7")
    assert not row.toolTip()
    assert row.wrong_box(row.width()) == row.wrong_box(2 * row.width())


def test_the_tooltip_follows_the_width(row, style, trace):
    show(row, style, trace, "7" * 12)
    assert not row.toolTip()
    row.resize(row.width() - 60, row.height())
    assert row.toolTip() == "7" * 12
    assert QRectF(row.rect()).contains(row.wrong_box(row.width()))


def test_it_is_static_text_to_assistive_technology(row, style, trace):
    show(row, style, trace, "7")
    interface = QAccessible.queryAccessibleInterface(row)
    assert interface.role() == QAccessible.Role.StaticText
    assert interface.text(QAccessible.Text.Name) == row.content.spoken
