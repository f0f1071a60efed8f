"""The folder of a lesson: every lesson of the course has all four files, the same each time."""

import pytest

from app.controls.slices import drained
from app.lessons.course import course
from app.lessons.load import lesson
from app.takeaway.lesson_folder import file_names, lesson_folder, strip_steps
from tests.helpers.sampling import sampled
from tests.helpers.tables import in_turn


@pytest.mark.parametrize("name", sampled([head.name for head in course().lessons], 9, first=1))
def test_a_lesson_has_a_page_a_worksheet_its_key_and_a_strip(qapp, name: str):
    found = lesson(name)
    made = drained(lesson_folder(found))
    assert tuple(made.files) == tuple(file_names(found).values())
    assert made.kinds == ("page", "worksheet", "key", "strip")
    assert not made.missing
    assert drained(lesson_folder(found)) == made


@in_turn(
    ("total", "steps"),
    [
        (0, ()),
        (2, (1, 2)),
        (6, (1, 2, 3, 4, 5, 6)),
        (7, (1, 2, 3, 5, 6, 7)),
        (11, (1, 3, 5, 7, 9, 11)),
    ],
)
def test_a_strip_is_spread_over_the_pass(total: int, steps: tuple[int, ...]):
    assert strip_steps(total) == steps
