"""Review: slips return after 1, 3 and 7 days, the longest due first, and end after the third."""

from datetime import date, timedelta
from pathlib import Path

from app.lessons.progress import LessonProgress, Origin, Progress, read_progress, write_progress
from app.lessons.review import (
    ReviewItem,
    answered,
    asked,
    beliefs_text,
    believed,
    due_items,
    next_day,
    noted,
    open_beliefs,
)
from engine.asking.inference import IDEAS, Sighting
from engine.asking.question import Kind
from tests.helpers.tables import in_turn

DAY = date(2026, 3, 2)
GEARS, PATHS = Origin("gears", "Gears in a row"), Origin("5f2c", "A teacher's lesson")
ADDED: tuple[str, Kind] = ("factors added", "contribution")
WAITS: tuple[str, Kind] = ("waits", "next")


def after(days: int) -> date:
    return DAY + timedelta(days=days)


def names(found: tuple[ReviewItem, ...]) -> list[str]:
    return [getattr(each, "name", each.kind) for each in found]


def made(*slips: tuple[str, Kind], day: int = 0, lesson: Origin = GEARS) -> Progress:
    return noted(Progress(), slips, lesson, after(day))


@in_turn(
    ("answers", "days"),
    [
        ("", [1]),
        ("r", [1, 4]),
        ("rr", [1, 4, 11]),
        ("rrr", [1, 4, 11, None]),
        ("w", [1, 2]),
        ("rw", [1, 4, 5]),
        ("rrwrrr", [1, 4, 11, 12, 15, 22, None]),
    ],
)
def test_a_slip_returns_after_one_three_and_seven_days(answers: str, days: list[int | None]):
    progress, today = made(ADDED), DAY
    for answer, day in zip(answers, days, strict=False):
        assert day is not None
        assert due_items(progress, after(day - 1)) == ()
        assert next_day(progress, today) == after(day)
        today = after(day)
        (slip,) = due_items(progress, today)
        progress = answered(progress, slip, answer == "r", today)
        assert due_items(progress, today) == ()
    last = days[len(answers)]
    assert next_day(progress, today) == (None if last is None else after(last))


def test_a_day_has_five_slips_at_most_the_longest_due_first():
    progress = Progress()
    for day in (4, 1, 6, 0, 3, 2, 5):
        progress = noted(progress, [(f"slip {day}", "sum")], GEARS, after(day))
    assert names(due_items(progress, after(3))) == ["slip 0", "slip 1", "slip 2"]
    assert names(due_items(progress, after(9))) == [f"slip {day}" for day in range(5)]


def test_a_slip_made_again_begins_anew_in_the_later_lesson():
    progress = answered(made(ADDED), due_items(made(ADDED), after(1))[0], True, after(1))
    progress = noted(progress, [ADDED, WAITS], PATHS, after(2))
    assert [(s.stage, s.origin, s.next) for s in progress.slips] == [(0, PATHS, after(3))] * 2


def test_kinds_of_finished_lessons_follow_when_they_were_not_asked_for_a_week():
    progress = asked(made(ADDED), ["sum", "final"], GEARS, DAY)
    assert names(due_items(progress, after(7))) == ["factors added"], "gears is not finished"
    progress = progress.updated("gears", LessonProgress(ended="2026-03-02"))
    assert names(due_items(progress, after(6))) == ["factors added"]
    assert names(due_items(progress, after(7))) == ["factors added", "sum", "final"]
    progress = asked(progress, ["sum"], PATHS, after(5))
    assert names(due_items(progress, after(7))) == ["factors added", "final"]
    final = due_items(progress, after(7))[1]
    progress = answered(progress, final, False, after(7))
    assert names(due_items(progress, after(12))) == ["factors added", "sum"]
    assert progress.slips == made(ADDED).slips


def test_a_clock_that_was_ahead_holds_nothing_back():
    ahead = made(ADDED, day=40_000)
    ahead = asked(ahead, ["sum"], GEARS, after(40_000))
    ahead = ahead.updated("gears", LessonProgress(ended="2026-03-02"))
    assert names(due_items(ahead, DAY)) == ["factors added", "sum"]
    assert next_day(ahead, DAY) is None


def test_slips_are_written_and_read_with_the_title_of_their_lesson(tmp_path: Path):
    progress = asked(made(ADDED, WAITS, lesson=PATHS), ["next", "sum"], PATHS, DAY)
    path = tmp_path / "lessons.json"
    write_progress(path, progress)
    assert read_progress(path) == progress
    assert b"A teacher's lesson" in path.read_bytes()
    assert b'"version": 4' in path.read_bytes()


def seen(*steps: str, idea: str = "own") -> Progress:
    """Progress after sightings such as `held here` and `right there`, one a day."""
    progress = Progress()
    for day, step in enumerate(steps):
        outcome, _space, graph = step.partition(" ")
        sighting = Sighting(idea, outcome, graph)  # pyright: ignore[reportArgumentType]
        progress = believed(progress, [sighting], after(day))
    return progress


@in_turn(
    ("steps", "is_open"),
    [
        (("held here",), True),
        (("held here", "right there"), True),
        (("held here", "right here", "right here"), True),  # the same graph alone
        (("held here", "right here", "right there"), False),
        (("held here", "right there", "right here"), False),
        (("held here", "right there", "wrong there", "right there"), True),
        (("held here", "right there", "right there", "held there"), True),
        (("held here", "right there", "right there", "wrong here"), False),
    ],
)
def test_a_belief_is_mended_by_two_right_answers_in_a_row_one_of_them_in_another_graph(
    steps: tuple[str, ...], is_open: bool
):
    progress = seen(*steps)
    assert open_beliefs(progress) == (("own",) if is_open else ())
    assert [each.name for each in progress.beliefs] == ["own"]


def test_right_answers_open_no_belief_and_the_one_seen_last_is_named_first():
    assert seen("right here", "wrong here") == Progress()
    progress = seen("held here")
    progress = believed(progress, [Sighting("slope only", "held", "here")], after(1))
    assert open_beliefs(progress) == ("slope only", "own")
    again = believed(progress, [Sighting("own", "held", "there")], after(2))
    assert open_beliefs(again) == ("own", "slope only")


def test_open_and_mended_beliefs_are_named_two_of_each_and_the_rest_counted():
    progress = seen("held here", "right here", "right there")
    for idea in ("data", "slope only"):
        progress = believed(progress, [Sighting(idea, "held", "here")], after(4))
    assert beliefs_text(progress) == (
        "Open: the slope alone, the value taken for the gradient."
        " Mended: the own value taken for the slope."
    )
    progress = believed(progress, [Sighting("sign", "held", "here")], after(5))
    assert beliefs_text(progress).startswith("Open: a wrong sign, the slope alone, 1 more. ")
    unknown = believed(Progress(), [Sighting("of another version", "held", "here")], DAY)
    assert beliefs_text(unknown) == "" == beliefs_text(Progress())
    assert all(not idea.title[:1].isupper() for idea in IDEAS)
