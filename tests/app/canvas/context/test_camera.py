"""Where one looks: zoom, offset, what is kept, and what is told of it; without any widget."""

import pytest
from PySide6.QtCore import QMarginsF, QPointF, QRectF, QSize

from app.canvas.context.camera import BORDER, MAX_PULL, MAX_ZOOM, MIN_ZOOM, Camera
from app.style.current import Style


class Seen:
    """A camera in a room of 800 × 600, and all it has told."""

    def __init__(self) -> None:
        self.room = QSize(800, 600)
        self.style = Style()
        self.camera = Camera(self.style, lambda: self.room)
        self.zooms: list[float] = []
        self.shifts: list[tuple[int, int]] = []
        self.camera.zoomed.connect(lambda zoom: self.zooms.append(zoom))
        self.camera.shifted.connect(lambda shift: self.shifts.append(shift.toTuple()))


@pytest.fixture
def seen(qapp) -> Seen:
    return Seen()


def around(pixels: float) -> QMarginsF:
    return QMarginsF(pixels, pixels, pixels, pixels)


def test_screen_and_sheet_are_inverse_for_points_rectangles_and_the_visible_area(seen: Seen):
    seen.style.set_size(1.5)
    seen.camera.set_zoom(0.7)
    for at in (QPointF(0, 0), QPointF(37, 911), QPointF(-400, 12)):
        back = seen.camera.to_screen(seen.camera.to_sheet(at))
        assert (back - at).manhattanLength() < 1e-9
    rect = QRectF(10, 20, 300, 100)
    shown = seen.camera.rect_on_screen(rect)
    assert shown.topLeft() == seen.camera.to_screen(rect.topLeft())
    assert shown.bottomRight() == seen.camera.to_screen(rect.bottomRight())
    seen.style.set_size(1.0)
    seen.camera.set_zoom(2.0)
    area = seen.camera.visible_area
    assert area.size().toTuple() == (400, 300)
    assert seen.camera.to_screen(area.topLeft()) == QPointF(0, 0)
    assert seen.camera.sheet_centre == area.center().toTuple()


@pytest.mark.parametrize("zoom", [0.3, 1.7])
@pytest.mark.parametrize("at", [QPointF(120, 480), QPointF(0, 0)])
def test_zoom_keeps_the_point_it_is_about(seen: Seen, zoom: float, at: QPointF):
    below = seen.camera.to_sheet(at)
    seen.camera.set_zoom(zoom, at)
    assert (seen.camera.to_screen(below) - at).manhattanLength() <= 1  # on whole pixels
    assert seen.zooms == [zoom]


def test_zoom_without_a_point_keeps_the_middle(seen: Seen):
    below = seen.camera.to_sheet(seen.camera.screen_centre)
    seen.camera.zoom_by(1.5)
    assert (seen.camera.to_screen(below) - seen.camera.screen_centre).manhattanLength() <= 1


@pytest.mark.parametrize(("wanted", "got"), [(0.001, MIN_ZOOM), (99.0, MAX_ZOOM)])
def test_zoom_has_its_limits(seen: Seen, wanted: float, got: float):
    seen.camera.set_zoom(wanted)
    assert seen.camera.zoom == got


def test_the_sheet_lies_on_whole_pixels(seen: Seen):
    seen.camera.set_zoom(0.777, QPointF(13, 17))
    seen.camera.pan_by(QPointF(3.4, -2.6))
    offset = seen.camera.offset
    assert (offset.x(), offset.y()) == (round(offset.x()), round(offset.y()))


def test_a_shift_is_told_in_pixels_and_nothing_else_is(seen: Seen):
    seen.camera.pan_by(QPointF(30, -20))
    seen.camera.pan_by(QPointF(0.2, 0.2))
    assert seen.shifts == [(30, -20)]
    assert seen.zooms == []


@pytest.mark.parametrize(("left", "shifts"), [(900, [(-340, 0)]), (100, [])])
def test_what_is_brought_in_moves_no_farther_than_it_must(seen: Seen, left, shifts):
    seen.camera.bring_into_view(QRectF(left, 100, 200, 50), QPointF)
    assert seen.shifts == shifts


def test_a_step_aside_is_decided_where_it_stands_then_and_told_as_one_shift(seen: Seen):
    rect = QRectF(900, 100, 200, 50)
    asked: list[QRectF] = []

    def aside() -> QPointF:
        asked.append(seen.camera.rect_on_screen(rect))
        return QPointF(0, -25)

    seen.camera.bring_into_view(rect, aside)
    assert [found.right() for found in asked] == [800]
    assert seen.shifts == [(-340, -25)]


def test_fitting_shows_all_of_a_rectangle_with_its_margins_in_screen_px(seen: Seen):
    rect = QRectF(-2000, 300, 4000, 500)
    seen.camera.fit(rect, QMarginsF(30, 20, 50, 90))
    shown = seen.camera.rect_on_screen(rect)
    assert shown.left() == pytest.approx(30, abs=1)  # it lies on whole pixels
    assert shown.right() == pytest.approx(800 - 50, abs=1)
    assert shown.center().y() == pytest.approx((20 + 600 - 90) / 2, abs=1)
    assert seen.zooms == [seen.camera.zoom]


@pytest.mark.parametrize(("most", "zoom"), [((), 1.0), ((0.8,), 0.8), ((1.3,), 1.3)])
def test_fitting_enlarges_no_more_than_it_may(seen: Seen, most, zoom):
    seen.camera.fit(QRectF(0, 0, 10, 10), around(5), *most)
    assert seen.camera.zoom == zoom


def test_fitting_takes_the_size_of_everything_into_account(seen: Seen):
    seen.style.set_size(2.0)
    rect = QRectF(0, 0, 700, 400)
    seen.camera.fit(rect, around(10))
    assert seen.camera.zoom == pytest.approx(780 / 700 / 2)
    assert seen.camera.visible_area.contains(rect)


@pytest.mark.parametrize("room", [QSize(800, 600), QSize(0, 0)])
def test_nothing_is_fitted_where_there_is_nothing_or_no_room(seen: Seen, room: QSize):
    seen.room = room
    seen.camera.fit(QRectF() if room.width() else QRectF(0, 0, 900, 900), around(48))
    assert seen.zooms == []
    assert seen.camera.zoom == 1.0


def test_looking_elsewhere_by_hand_forgets_what_was_kept_and_being_led_does_not(seen: Seen):
    def keep() -> None:
        pass

    led = (
        lambda: seen.camera.fit(QRectF(0, 0, 100, 100), around(5)),
        lambda: seen.camera.bring_into_view(QRectF(5000, 0, 9, 9), QPointF),
    )
    by_hand = (
        lambda: seen.camera.pan_by(QPointF(1, 0)),
        lambda: seen.camera.set_zoom(0.9),
        lambda: seen.camera.zoom_by(1.1),
        lambda: seen.camera.bring_to_middle(QPointF(50, 50)),
    )
    for look in (*led, *by_hand):
        seen.camera.repeated_fit = keep
        look()
        assert (seen.camera.repeated_fit is keep) == (look in led)


def test_the_pointer_pulls_harder_the_nearer_it_is_to_the_border(seen: Seen):
    camera = seen.camera
    assert camera.pull(QPointF(400, 300)).isNull()
    assert camera.pull(QPointF(BORDER, 600 - BORDER)).isNull()
    assert camera.pull(QPointF(BORDER - 10, 300)) == QPointF(5, 0)
    assert camera.pull(QPointF(800 - BORDER + 10, 300)) == QPointF(-5, 0)
    assert camera.pull(QPointF(-500, 9000)) == QPointF(MAX_PULL, -MAX_PULL)
