"""Where the parts of the speaker's window are, at all sizes that a screen may have."""

from itertools import combinations

import pytest
from msgspec.structs import asdict
from PySide6.QtCore import QRectF

from app.window.speaker.plan import LEAST_NOTES, LEAST_PICTURE, SMALLEST, Plan, plan_of

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
