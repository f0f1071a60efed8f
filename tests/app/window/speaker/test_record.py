"""What the chart of hands says, in words, and how it is drawn."""

from msgspec.structs import replace

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


def test_long_words_leave_the_counts_their_space(qtbot):
    """Answers in words were drawn through their counts and the tick."""
    names = (
        "a acts along both wires at once",
        "to keep the larger one",
        "one convention of it all",
    )
    pictures = []
    for labels in (names, ("a", "b", "c")):
        choices = (
            HandsChoice(label, right=label[0] == "a", hands=111, again=124) for label in labels
        )
        question = replace(TWICE, choices=tuple(choices))
        chart = HandsChart(Style())
        qtbot.addWidget(chart)
        chart.show_record(HandsRecord("Two paths", (question,)))
        chart.resize(500, chart.sizeHint().height())
        pictures.append(chart.grab().toImage())
    long, short = pictures
    column = (500 - 2 * 12 - 2 * 14) / 3
    for k in range(3):
        right = round(12 + k * (column + 14) + column)
        counts = (right - 50, 0, 50, long.height())
        assert long.copy(*counts) == short.copy(*counts), names[k]


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
