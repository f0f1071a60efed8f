"""What the chart of hands says, in words, and how it is drawn."""

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QFontMetricsF

from app.lessons.hands import HandsChoice, HandsQuestion, HandsRecord
from app.style.current import Style
from app.window.speaker.record import HandsChart, question_text, total_text

ONCE = HandsQuestion(
    3,
    "the second",
    "What does × (e) pass to a?",
    (HandsChoice("−4", "own value", hands=9), HandsChoice("+6", right=True, hands=11)),
)
TWICE = HandsQuestion(
    5,
    "again",
    "What does × (e) pass to a?",
    (
        HandsChoice("+24", "own value", hands=9, again=2),
        HandsChoice("+8", right=True, hands=11, again=24),
        HandsChoice("", "upstream forgotten", hands=4, again=0),
    ),
)


def test_a_question_is_said_with_its_hands():
    assert question_text(ONCE) == "Mark 3, the second: −4: 9; +6 (right): 11."


def test_a_question_that_was_asked_again_is_said_with_both_counts():
    said = question_text(TWICE)
    expected = (
        "Mark 5, again: +24: 9, then 2; +8 (right): 11, then 24; upstream forgotten: 4, then 0."
    )
    assert said == expected


def test_the_total_of_a_second_count_stands_behind_the_first():
    assert total_text(ONCE) == "20 hands"
    assert total_text(replace(ONCE, choices=(HandsChoice("1", hands=1),))) == "1 hand"
    assert total_text(TWICE) == "24 → 26 hands"


def test_the_chart_grows_with_its_questions_and_says_them(qtbot):
    chart = HandsChart(Style())
    qtbot.addWidget(chart)
    chart.show_record(None)
    assert chart.accessibleName() == "No hands yet."
    one = chart.sizeHint().height()
    chart.show_record(HandsRecord("Two paths", (ONCE, TWICE)))
    assert chart.sizeHint().height() > one
    assert chart.accessibleName() == f"{question_text(ONCE)} {question_text(TWICE)}"


def test_bars_are_shares_of_the_most_hands(qtbot):
    chart = HandsChart(Style())
    qtbot.addWidget(chart)
    chart.show_record(HandsRecord("Two paths", (ONCE,)))
    chart.resize(500, chart.sizeHint().height())
    image = chart.grab().toImage()
    ink = chart._style.theme.text.name()
    rows = [
        sum(image.pixelColor(x, y).name() == ink for x in range(image.width()))
        for y in range(image.height())
    ]
    half = (500 - 2 * 12 - 14) / 2
    assert abs(max(rows) - half) < 6, "11 of 11 hands fill the width of their choice"


@pytest.mark.parametrize("label", ["−0.76159", "Backward twice, only leaves zeroed", 9 * "word "])
def test_labels_and_hands_stand_beside_one_another_in_as_many_rows_as_needed(qtbot, label: str):
    chart = HandsChart(Style())
    qtbot.addWidget(chart)
    choices = tuple(HandsChoice(label, hands=k, again=9) for k in range(4))
    chart.show_record(HandsRecord("Two paths", (HandsQuestion(13, "slope", "?", choices),)))
    chart.show()
    chart.resize(1200, 60)
    in_one_row = chart.minimumHeight()
    chart.resize(300, 60)
    assert chart.minimumHeight() > in_one_row
    chart.resize(300, chart.minimumHeight())
    image, hands = chart.grab().toImage(), QFontMetricsF(Style().font("interface"))
    right = 300 - 12 - hands.horizontalAdvance("0 → 9")
    gap = range(round(right) - 6, round(right) - 2)
    labels = range(12 + 20 + 2, 12 + 20 + 16)
    paper = image.pixelColor(gap[0], 12 + 20 - 4).name()
    assert {image.pixelColor(x, y).name() for x in gap for y in labels} == {paper}
