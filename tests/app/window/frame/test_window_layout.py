from itertools import product

import pytest
from PySide6.QtCore import QSize

from app.style import sizes
from app.window.frame.workspace import MIN_WIDTH_BESIDE, Choices, lay_out_window

WIDTHS = (880, 1024, 1280, 1366, 1439, 1440, 1600, 1920, 2560)
HEIGHTS = (560, 700, 768, 849, 850, 1080)
SIZES = (1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
LAPTOP = QSize(1366, 768)


@pytest.mark.parametrize(
    ("window", "small"),
    [((1439, 900), True), ((1440, 849), True), ((1440, 850), False), ((1920, 1080), False)],
)
def test_a_window_is_small_below_1440_by_850(style, window, small):
    found = lay_out_window(QSize(*window), style, Choices())
    assert found.small is found.rail is small
    widths = (sizes.RAIL, sizes.PAGE_SMALL) if small else (sizes.PALETTE, sizes.PAGE)
    assert (found.palette_width - 1, found.page_width) == widths
    assert found.strip_height == 146


@pytest.mark.parametrize("size", SIZES)
def test_every_window_leaves_room_for_the_sheet_in_every_size(style, size):
    style.set_size(size)
    for width, height in product(WIDTHS, HEIGHTS):
        for page in (False, True):
            found = lay_out_window(QSize(width, height), style, Choices(page=page))
            beside = found.page_width if page and not found.page_over_canvas else 0
            taken = found.palette_width + beside + style.px(sizes.RAIL) + 1
            assert taken + found.canvas.width() == width
            assert found.canvas.width() >= 0.6 * width
            assert found.canvas.height() > 0.29 * height


@pytest.mark.parametrize("size", SIZES)
def test_below_1280_a_page_lies_over_the_sheet_and_takes_nothing_from_it(style, size):
    style.set_size(size)
    edge = style.px(MIN_WIDTH_BESIDE)
    for width, over in ((edge - 1, True), (edge, False)):
        folded = lay_out_window(QSize(width, 900), style, Choices())
        found = lay_out_window(QSize(width, 900), style, Choices(page=True))
        assert found.page_over_canvas is over
        assert (found.canvas == folded.canvas) is over


def test_the_canvas_can_ask_for_the_rail_and_what_the_user_chose_wins(style):
    large = QSize(1600, 1000)
    forms = [lay_out_window(large, style, Choices(), rail) for rail in (False, True)]
    assert [form.rail for form in forms] == [False, True]
    assert forms[1].canvas.width() - forms[0].canvas.width() == sizes.PALETTE - sizes.RAIL
    assert not lay_out_window(LAPTOP, style, Choices(rail=False), rail=True).rail
    assert lay_out_window(large, style, Choices(rail=True)).rail


def test_hidden_parts_leave_their_room_to_the_canvas(style):
    hidden = frozenset({"menus", "toolbar", "palette", "bar", "strip", "status"})
    assert lay_out_window(LAPTOP, style, Choices(hidden=hidden)).canvas == LAPTOP


def test_in_a_presentation_a_page_lies_over_the_sheet_in_any_window(style):
    found = lay_out_window(QSize(2560, 1440), style, Choices(page=True, page_over_canvas=True))
    assert found.page_over_canvas
