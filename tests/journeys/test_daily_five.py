"""Daily five: a learner's slips come back on later days, until they are right three times."""

import random
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.controls.rich_text import RichLine
from app.lessons.progress import LessonProgress, Origin, Progress, StoredSlip
from app.lessons.review import noted
from app.panels.lesson.player import ANSWER_FIRST
from app.window.frame.main_window import MainWindow
from tests.helpers import mouse
from tests.helpers.answering import acts, told
from tests.helpers.lesson_learner import ENTER, ON, Learner
from tests.helpers.mouse import type_into_focus
from tests.helpers.window import CTRL, SHIFT, choose, click, press, said

DAY = date(2026, 3, 2)
MADE = {"one-wire": 2, "gears": 2, "plus-times": 1}
"""The wrong first answers of the learner, in each of the first three lessons."""


class Calendar:
    """The clock of a window, which a test moves."""

    def __init__(self, window: MainWindow) -> None:
        self.day = DAY
        self.window = window
        window.context.progress.today = lambda: self.day

    def pass_days(self, days: int) -> None:
        """Let days pass, and come back to the start page."""
        self.day += timedelta(days=days)
        self.window.pages.show_start_page()


@pytest.fixture
def calendar(window: MainWindow) -> Calendar:
    random.seed(5)
    return Calendar(window)


def offer(window: MainWindow) -> str:
    """What the card of Daily five says on the start page."""
    return window.pages.welcome.daily.text.text()


def stored(window: MainWindow) -> tuple[StoredSlip, ...]:
    return window.context.progress.progress.slips


def with_slips(*slips: StoredSlip) -> Callable[[Progress], Progress]:
    """Return a change to the progress of a learner who has finished three lessons."""
    lessons = {name: LessonProgress(ended="2026-02-01") for name in MADE}
    return lambda _progress: Progress(lessons, slips)


def from_line(learner: Learner) -> str:
    """The line that says where the slip of the question is from."""
    lines = [row.text() for row in learner.page.player.findChildren(RichLine) if row.isVisible()]
    return next(line for line in lines if line.startswith("from "))


def with_lessons(*names: str) -> Callable[[Progress], Progress]:
    """Return a change to the progress of a learner who has finished these with slips today."""
    found = {name: LessonProgress(ended=f"{DAY}") for name in names}
    slips = {
        "one-wire": [("own value", "local"), ("new value", "change")],
        "gears": [("upstream forgotten", "contribution"), ("replaced", "sum")],
    }

    def changed(progress: Progress) -> Progress:
        for name in names:
            progress = noted(progress, slips[name], Origin(name, name), DAY)  # pyright: ignore[reportArgumentType]
        return replace(progress, lessons=found)

    return changed


def play_with_slips(window: MainWindow, name: str, most: int) -> int:
    """Play a lesson; the first answers to so many questions are slips. Return how many were."""
    lessons = window.pages.welcome.lessons
    assert lessons is not None
    window.pages.show_start_page()
    click(next(button for button in lessons.buttons if button.lesson.name == name))
    learner, made = Learner(window), 0
    for _at in learner.steps():
        step = learner.state.step
        if made < most and step is not None and step.kind == "ask" and not step.guess:
            first, *others = learner.boxes
            slips = [] if first.kind == "text" else learner.wrong(first)
            if slips:
                learner.give(slips[0][0], *map(learner.right, others))
                made += 1
        learner.do_step()
    return made


def answer_day(learner: Learner, wrong: int = 0) -> None:
    """Answer the questions of a day, so many with a slip first."""
    for at in learner.steps():
        if at < wrong:
            (box,) = learner.boxes
            learner.give(learner.wrong(box)[0][0])
        learner.answer_all()


def test_slips_of_three_lessons_come_back_on_the_next_days(window: MainWindow, calendar: Calendar):
    assert offer(window) == "Opens after lesson 3: five questions from your own slips"
    assert window.pages.welcome.daily.button.isHidden()
    first, second, third = MADE
    window.context.progress.change(with_lessons(first, second))
    assert play_with_slips(window, third, MADE[third]) == MADE[third]
    assert "Comes back in tomorrow's Daily five." in Learner(window).read_out[0]
    calendar.pass_days(0)
    assert offer(window) == "Nothing is due. Next: tomorrow. Open: the number's own sign."
    assert not window.pages.welcome.daily.button.isEnabled()
    calendar.pass_days(1)
    slips = stored(window)
    due = len(slips)
    assert {slip.lesson for slip in slips} == MADE.keys()
    assert offer(window).startswith(f"{due} due, ")
    click(window.pages.welcome.daily.button)
    learner = Learner(window)
    answer_day(learner, wrong=1)
    assert learner.count == f"{due - 1} of {due} right first time"
    assert "comes back tomorrow" in learner.read_out[0]
    assert all("right, comes back on Friday" in line for line in learner.read_out[1:])
    click(learner.page.start_page)
    assert offer(window).startswith("Nothing is due. Next: tomorrow.")
    calendar.pass_days(1)
    assert offer(window).startswith("1 due, 2 minutes.")
    calendar.pass_days(2)
    assert offer(window).startswith(f"{due} due, ")


def test_the_start_page_says_after_a_day_which_beliefs_are_open_and_mended(
    window: MainWindow, calendar: Calendar
):
    slip = StoredSlip("own value", "local", "gears", "Gears in a row", DAY - timedelta(4), DAY)
    window.context.progress.change(with_slips(slip))
    assert window.pages.welcome.daily.text.text() == "1 due, 2 minutes."
    said_on_days: list[str] = []
    for days, wrong in ((0, 1), (1, 0), (3, 0), (7, 0)):
        calendar.pass_days(days)
        said_on_days.append(window.pages.welcome.daily.text.text())
        click(window.pages.welcome.daily.button)
        answer_day(Learner(window), wrong=wrong)
    assert said_on_days == [
        "1 due, 2 minutes.",
        "1 due, 2 minutes. Open: the own value taken for the slope.",
        "1 due, 2 minutes. Open: the own value taken for the slope.",
        # and a kind that was not asked for a week
        "2 due, 3 minutes. Mended: the own value taken for the slope.",
    ]


def test_the_next_days_begin_from_the_end_of_the_day_before(
    window: MainWindow, calendar: Calendar, qtbot
):
    slip = StoredSlip("own value", "local", "gears", "Gears in a row", DAY - timedelta(4), DAY)
    window.context.progress.change(with_slips(slip))
    learner = Learner(window)
    with qtbot.captureExceptions() as exceptions:
        for days, returns in ((0, "on Thursday"), (3, "in 7 days"), (7, "no more")):
            calendar.pass_days(days)
            click(window.pages.welcome.daily.button)
            answer_day(learner)
            assert learner.read_out[0] == f"Slope, right, comes back {returns}"
    assert not exceptions


def test_a_question_says_where_its_slip_is_from_and_has_no_help(
    window: MainWindow, calendar: Calendar
):
    yesterday = DAY - timedelta(1)
    slip = StoredSlip("own value", "local", "gears", "Gears in a row", yesterday, DAY)
    window.context.progress.change(with_slips(slip))
    calendar.pass_days(0)
    click(window.pages.welcome.daily.button)
    learner = Learner(window)
    player = learner.page.player
    assert player.title.text() == "Daily five"
    assert player.count.text() == "1 of 1"
    assert from_line(learner) == "from Gears in a row, yesterday"
    assert "hint" not in acts(window)
    assert not learner.page.show_me.isVisible()
    assert not any(button.isVisible() for button in window.strip.options.buttons)
    press(window, ON)
    assert player.warning.text() == ANSWER_FIRST


def test_a_slip_that_was_right_three_times_comes_back_no_more(
    window: MainWindow, calendar: Calendar
):
    slip = StoredSlip("own value", "local", "gears", "Gears in a row", DAY - timedelta(11), DAY, 2)
    window.context.progress.change(with_slips(slip))
    click(window.pages.welcome.daily.button)
    learner = Learner(window)
    answer_day(learner)
    assert learner.read_out == ["Slope, right, comes back no more"]
    assert [slip.is_over for slip in stored(window)] == [True]
    calendar.pass_days(0)
    assert offer(window) == "Nothing is due. Next: in 7 days."
    calendar.pass_days(7)
    assert offer(window).startswith("1 due, 2 minutes.")


def test_a_wrong_answer_is_helped_and_the_first_one_counts(window: MainWindow, calendar: Calendar):
    slip = StoredSlip(
        "own value", "local", "ab12", "A teacher's lesson", DAY - timedelta(4), DAY, 1
    )
    window.context.progress.change(with_slips(slip))
    click(window.pages.welcome.daily.button)
    learner = Learner(window)
    (box,) = learner.boxes
    wrong = [text for text, _said in learner.wrong(box)]
    learner.give(wrong[0])
    first = told(window)
    assert first.startswith("✘ ")
    assert stored(window)[0].stage == 0, "before the question is answered rightly"
    assert from_line(learner) == "from A teacher's lesson, 4 days ago"
    learner.give(wrong[1])
    assert told(window) != first
    learner.give(wrong[0])
    assert told(window).startswith("Worked: ")
    learner.act("go on")
    assert learner.count == "0 of 1 right first time"
    assert stored(window)[0].origin == slip.origin
    assert stored(window)[0].next == DAY + timedelta(1)


def test_clicks_changes_and_signs_are_asked_by_keys_alone(window: MainWindow, calendar: Calendar):
    origin = Origin("ab12", "A teacher's lesson")
    slips = noted(
        Progress(), [("waits", "next"), ("new value", "change"), ("", "sign")], origin, DAY
    ).slips
    window.context.progress.change(with_slips(*slips))
    calendar.pass_days(1)
    press(window, Qt.Key.Key_P, modifier=CTRL | SHIFT)
    type_into_focus("daily five")
    mouse.key(ENTER)
    QApplication.processEvents()
    learner = Learner(window, by_keys=True)
    assert [step.asks[0].kind for step in learner.state.lesson.steps] == ["next", "change", "sign"]
    answer_day(learner)
    assert learner.count == "3 of 3 right first time"
    assert [line.partition(",")[0] for line in learner.read_out] == [
        "Next node", "Change", "Rise or fall"
    ]  # fmt: skip


def test_what_was_not_answered_stays_due(window: MainWindow, calendar: Calendar):
    origin = Origin("gears", "Gears in a row")
    pairs = [("own value", "local"), ("upstream forgotten", "contribution"), ("replaced", "sum")]
    window.context.progress.change(with_slips(*noted(Progress(), pairs, origin, DAY).slips))  # pyright: ignore[reportArgumentType]
    calendar.pass_days(1)
    click(window.pages.welcome.daily.button)
    learner = Learner(window)
    learner.answer_all()
    window.canvas.setFocus()
    press(window, Qt.Key.Key_Escape)
    assert said(window) == "What is not answered stays due: Learn, Lessons, Daily five."
    calendar.pass_days(0)
    assert offer(window).startswith("2 due, 3 minutes.")


@pytest.mark.parametrize("on_start_page", [True, False])
def test_nothing_due_is_said_from_the_menu(
    on_start_page: bool, window: MainWindow, calendar: Calendar
):
    window.context.progress.change(with_slips())
    if not on_start_page:
        window.pages.show_work()
    choose(window, "Learn/Lessons", "Daily five")
    assert said(window) == "Nothing is due. Your slips come back here."
