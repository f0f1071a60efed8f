"""What the start page says about the course and a learner's progress in it."""

from app.lessons.course import Course, course
from app.lessons.course_view import CourseView, Hero, course_view
from app.lessons.progress import LessonProgress, Progress
from tests.helpers.lessons import COURSE, DONE, HALF, RETURNING, SHOWN
from tests.helpers.tables import in_turn

NAMES = ("one-wire", "gears", "plus-times", "seven", "same-leaf", "two-paths")


def hero(progress: Progress) -> Hero:
    found = course_view(COURSE, progress).hero
    assert found is not None
    return found


def test_a_newcomer_starts_with_the_first_lesson():
    view = course_view(COURSE, Progress())
    assert view.title == "See a gradient flow back"
    lead = "6 short lessons, about 32 minutes in all. You are asked before you are told."
    assert view.lead == lead
    found = hero(Progress())
    assert (found.above, found.lesson.name, found.button) == ("Start here", "one-wire", "Start")
    assert found.aside == "4 min, 6 steps"
    assert [unit.note for unit in view.units] == ["14 min", "18 min"]


def test_a_returning_learner_continues():
    view = course_view(COURSE, RETURNING)
    assert view.title == "Welcome back"
    assert view.lead == "3 of 6 lessons done, about 16 minutes to go"  # one was shown
    found = hero(RETURNING)
    assert (found.above, found.lesson.name) == ("Unit 2, lesson 6", "two-paths")
    assert found.button == "Continue"
    assert found.text == "Step 4 of 6, about 3 minutes left. Next: Which one moves."
    assert [unit.note for unit in view.units] == ["2 of 3 done", "1 of 3 done"]


def test_lessons_are_numbered_through_the_units():
    view = course_view(COURSE, Progress())
    lessons = [lesson for unit in view.units for lesson in unit.lessons]
    assert [(lesson.number, lesson.name) for lesson in lessons] == list(enumerate(NAMES, 1))


@in_turn(
    ("progress", "name", "button"),
    [
        ({"one-wire": DONE}, "gears", "Start"),
        ({"one-wire": HALF, "gears": HALF}, "gears", "Continue"),
        ({"gears": HALF, "one-wire": DONE}, "gears", "Continue"),
        ({"two-paths": DONE}, "one-wire", "Start"),
        (dict.fromkeys(NAMES[:-1], DONE), "two-paths", "Start"),
        ({**dict.fromkeys(NAMES, DONE), "seven": SHOWN}, "seven", "Open"),
        (dict.fromkeys(NAMES, DONE), "one-wire", "Open"),
        ({"no lesson any more": HALF}, "one-wire", "Start"),
    ],
)
def test_the_next_lesson(progress: dict[str, LessonProgress], name: str, button: str):
    found = hero(Progress(progress))
    assert (found.lesson.name, found.button) == (name, button)


def test_at_the_end_nothing_is_left_to_do():
    view = course_view(COURSE, Progress(dict.fromkeys(NAMES, DONE)))
    assert view.lead == "6 of 6 lessons done"


def test_progress_in_more_steps_than_there_are_now_does_no_harm():
    found = hero(Progress({"gears": LessonProgress(at=11, states=("done",) * 12)}))
    assert found.text.startswith("Step 6 of 6, about 1 minute left.")
    assert found.lesson.share == 1


def test_without_lessons_there_is_no_hero():
    assert course_view(Course(()), Progress()) == CourseView()


def test_the_course_that_comes_with_the_program_is_listed():
    view = course_view(course(), Progress())
    lessons = [lesson for unit in view.units for lesson in unit.lessons]
    assert [lesson.name for lesson in lessons] == [head.name for head in course().lessons]
    assert view.hero is not None
    assert view.hero.lesson.spoken == "Lesson 1, One wire, one slope, 4 minutes, not begun"
    assert len(view.hero.graph.nodes) == 4
