"""The parts of the speaker's window: the chart of hands, the steps, the times."""

from itertools import combinations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from app.guide.play.hands import HandsChoice, HandsQuestion, HandsRecord
from app.guide.play.slides import slides_of
from app.lessons.lesson import Choice
from app.lessons.load import lesson
from app.style.current import Style
from app.window.speaker.choices import HandsChart, question_text, total_text
from app.window.speaker.steps import TopLine, clock_text, show_slide
from engine import from_expression
from engine.numbers import ASKED
from tests.helpers.steps import PlannedStep, slide_of

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
    (HandsChoice("+24", "own value", hands=2), HandsChoice("+8", right=True, hands=24)),
    count=2,
)


def test_a_question_is_said_with_its_hands():
    assert question_text(ONCE) == "Step 3, the second: −4 (own value): 9; +6 (right): 11."


def test_a_second_count_is_said_with_its_own_numbers():
    assert question_text(TWICE) == "Step 5, again, count 2: +24 (own value): 2; +8 (right): 24."


def test_each_count_has_its_total():
    assert total_text(ONCE) == "20 hands"
    assert total_text(replace(ONCE, choices=(HandsChoice("1", hands=1),))) == "1 hand"
    assert total_text(TWICE) == "26 hands"


def test_a_step_that_asks_has_a_question_step_and_one_that_is_done_a_tick(qtbot):
    graph, button = from_expression("y = a*b"), QPushButton()
    qtbot.addWidget(button)
    choices = (Choice("a"), Choice("b", right=True))
    texts = []
    for planned in (
        PlannedStep(title="T"),
        PlannedStep("ask", title="T", asks="text", text="Why?", choices=choices),
    ):
        for done in (False, True):
            show_slide(button, slide_of(planned, graph), current=False, done=done)
            texts.append(button.text().replace("\n", " ").split())
    assert texts == [["1", "T"], ["1", "✓", "T"], ["1", ASKED, "T"], ["1", "✓", "T"]]


def test_two_questions_of_one_step_have_its_number(qtbot):
    button = QPushButton()
    qtbot.addWidget(button)
    names = []
    for slide in slides_of(lesson("plus-times"), seed=1)[5:8]:
        show_slide(button, slide, current=False, done=False)
        names.append(button.accessibleName().partition(",")[0])
    assert names == ["Step 6", "Step 6", "Step 7"]


def test_the_chart_grows_with_its_questions_and_says_them(qtbot):
    chart = HandsChart(Style())
    qtbot.addWidget(chart)
    chart.show_record(None)
    assert chart.accessibleName() == "No hands yet."
    one = chart.sizeHint().height()
    chart.show_record(HandsRecord("Two paths", (ONCE, TWICE)))
    assert chart.sizeHint().height() > one
    assert chart.accessibleName() == f"{question_text(ONCE)} {question_text(TWICE)}"


def test_bars_are_shares_of_the_most_hands_of_their_count(qtbot):
    chart = HandsChart(Style())
    qtbot.addWidget(chart)
    chart.show_record(HandsRecord("Two paths", (ONCE, TWICE)))
    bars = [(bar.value(), bar.maximum()) for bar in chart.findChildren(QProgressBar)]
    assert bars == [(9, 11), (11, 11), (2, 24), (24, 24)]


@pytest.mark.parametrize("label", ["−0.76159", "Backward twice, only leaves zeroed", 9 * "word "])
def test_labels_and_hands_stand_beside_one_another(qtbot, label: str):
    chart = HandsChart(Style())
    qtbot.addWidget(chart)
    choices = tuple(HandsChoice(label, hands=k) for k in range(4))
    chart.show_record(HandsRecord("Two paths", (HandsQuestion(13, "slope", "?", choices),)))
    chart.resize(300, chart.minimumSizeHint().height())
    chart.show()
    parts = [w for w in chart.findChildren(QWidget) if not w.children()]
    places = [QRect(w.mapTo(chart, QPoint()), w.size()) for w in parts]
    assert all(chart.rect().contains(place) for place in places)
    assert not [pair for pair in combinations(places, 2) if pair[0].intersects(pair[1])]


def test_times_are_written_in_minutes_and_from_an_hour_on_in_hours():
    assert [clock_text(x) for x in (0, 35.9, 760, 3600)] == ["0:00", "0:35", "12:40", "1:00:00"]


def test_without_times_of_steps_there_is_no_whole_and_no_bar(qtbot):
    line = TopLine(Style())
    qtbot.addWidget(line)
    line.show_times(760.0, 0.0)
    assert (line.running_time.text(), line.total.text()) == ("12:40", "")
    assert line.bar.isHidden()
    line.show_times(760.0, 2700.0)
    assert line.total.text() == "of 45:00"
    assert not line.bar.isHidden()


def test_a_long_title_leaves_the_clock_in_the_middle(qtbot):
    line = TopLine(Style())
    qtbot.addWidget(line)
    line.resize(1024, 48)
    line.show_times(0.0, 0.0)
    line.show_step("why gradients add up " * 10, 18, 20)
    line.show()
    assert abs(line.clock.geometry().center().x() - 512) <= 1
    number = line.step_number
    assert number.mapTo(line, number.rect().bottomRight()).x() < line.clock.x()
    assert line.title.shown_text().endswith("…")
