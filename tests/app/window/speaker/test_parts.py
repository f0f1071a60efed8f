"""The parts of the speaker's window: their places at all sizes, the chart of hands, the times."""

from itertools import combinations

import pytest
from msgspec.structs import asdict, replace
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QFontMetricsF, QImage
from PySide6.QtWidgets import QWidget

from app.guide.play.hands import HandsChoice, HandsQuestion, HandsRecord
from app.lessons.lesson import Choice
from app.style.current import Style
from app.window.speaker.hands import HandsChart, question_text, total_text
from app.window.speaker.marks import MarkButton, TopLine, clock_text
from app.window.speaker.window import LEAST_NOTES, LEAST_PICTURE, SMALLEST, Plan, plan_of
from engine import from_expression
from tests.helpers.marks import Mark, slide_of

SIZES = [(1366, 768), (1280, 720), (1024, 640), (1920, 1080), SMALLEST]
ASPECTS = [16 / 9, 16 / 10, 4 / 3, 21 / 9]


def parts_of(plan: Plan) -> dict[str, QRectF]:
    """The rectangles of the parts that are shown, by name."""
    return {name: rect for name, rect in asdict(plan).items() if rect is not None}


@pytest.mark.parametrize("in_words", [False, True])
@pytest.mark.parametrize("aspect", ASPECTS)
@pytest.mark.parametrize("size", SIZES)
def test_no_part_covers_another_or_leaves_the_window(
    size: tuple[float, float], aspect: float, in_words: bool
):
    parts = parts_of(plan_of(*size, aspect, in_words=in_words))
    for (name, one), (other_name, other) in combinations(parts.items(), 2):
        shared = one.intersected(other)
        assert shared.width() < 0.01 or shared.height() < 0.01, (name, other_name)
    for name, rect in parts.items():
        assert rect.left() >= 0, name
        assert rect.top() >= 0, name
        assert rect.right() <= size[0] + 0.01, name
        assert rect.bottom() <= size[1] + 0.01, name


@pytest.mark.parametrize("aspect", ASPECTS)
@pytest.mark.parametrize("size", SIZES)
def test_the_notes_keep_their_height_and_the_picture_the_shape_of_the_room(
    size: tuple[float, float], aspect: float
):
    plan = plan_of(*size, aspect)
    assert plan.notes.height() >= LEAST_NOTES - 0.01
    assert plan.now.width() / plan.now.height() == pytest.approx(aspect)


def test_at_1366_by_768_it_is_as_in_the_design():
    plan = plan_of(1366, 768)
    found = [round(x) for x in (plan.now.x(), plan.now.y(), plan.now.width(), plan.now.height())]
    assert found == [16, 82, 780, 439]
    assert abs(plan.following.width() - 530) < 4
    assert abs(plan.following.height() - 298) < 4
    assert plan.marks is not None


def _heights(plan: Plan) -> tuple[float, bool]:
    return plan.now.height(), plan.marks is not None


def test_pictures_shrink_first_and_then_the_marks_go():
    steps = [_heights(plan_of(1024 + 342 * k / 64, 640 + 128 * k / 64)) for k in range(65)]
    with_marks = [height for height, has_marks in steps if has_marks]
    without = [height for height, has_marks in steps if not has_marks]
    assert with_marks == sorted(with_marks)
    assert min(with_marks) >= LEAST_PICTURE
    assert without, "at 1024 × 640 the picture has the place of the marks"
    assert [has_marks for _height, has_marks in steps] == sorted(has for _height, has in steps)


def test_a_larger_scale_is_a_smaller_window_enlarged():
    one, two = parts_of(plan_of(1024, 640)), parts_of(plan_of(2048, 1280, scale=2.0))
    assert one.keys() == two.keys()
    for name, rect in one.items():
        assert two[name].width() == pytest.approx(2 * rect.width()), name
        assert two[name].y() == pytest.approx(2 * rect.y()), name


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


def test_a_mark_that_asks_has_a_question_mark_and_one_that_is_done_a_tick(qtbot):
    graph, parent, corners = from_expression("y = a*b"), QWidget(), list[QImage]()
    qtbot.addWidget(parent)
    choices = (Choice("a"), Choice("b", right=True))
    for mark in (
        Mark(title="T"),
        Mark("ask", title="T", asks="text", text="Why?", choices=choices),
    ):
        button = MarkButton(Style(), 0, slide_of(mark, graph), parent)
        button.resize(button.sizeHint())
        for is_done in (False, True):
            button.set_state(is_current=False, is_done=is_done)
            corners.append(button.grab(QRect(button.width() - 28, 4, 24, 20)).toImage())
    shown, shown_done, asks, asks_done = corners
    assert shown_done == asks_done
    assert shown != shown_done != asks != shown


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


def test_times_are_written_in_minutes_and_from_an_hour_on_in_hours():
    assert [clock_text(x) for x in (0, 35.9, 760, 3600)] == ["0:00", "0:35", "12:40", "1:00:00"]


def test_without_times_of_marks_there_is_no_whole_and_no_bar(qtbot):
    line = TopLine(Style(), None)
    qtbot.addWidget(line)
    line.show_times(760.0, 0.0)
    assert (line.running_time.text(), line.total.text()) == ("12:40", "")
    assert line.bar.isHidden()
    line.show_times(760.0, 2700.0)
    assert line.total.text() == "of 45:00"
    assert not line.bar.isHidden()


def test_a_long_title_leaves_the_clock_in_the_middle(qtbot):
    line = TopLine(Style(), None)
    qtbot.addWidget(line)
    line.resize(1024, 48)
    line.show_times(0.0, 0.0)
    line.show_mark("why gradients add up " * 10, 18, 20)
    assert abs(line.clock.geometry().center().x() - 512) <= 1
    assert line.mark_number.geometry().right() < line.clock.x()
    assert line.title.shown_text().endswith("…")
