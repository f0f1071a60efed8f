from itertools import product

import pytest
from PySide6.QtCore import QSize

from app.style import sizes
from app.window.frame.window_layout import LEAST_SHEET, Choices, lay_out_window
from app.workbench.room import Room

WIDTHS = (880, 1024, 1280, 1366, 1439, 1440, 1600, 1920, 2560)
HEIGHTS = (560, 700, 768, 849, 850, 1080)
SIZES = (1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
LAPTOP = QSize(1366, 768)


def test_on_a_laptop_the_canvas_is_1006_by_516(style):
    found = lay_out_window(LAPTOP, style, Choices())
    assert (found.small, found.rail, found.tabs) == (True, True, False)
    assert found.canvas.width() == pytest.approx(1006, abs=3)
    assert found.canvas.height() == pytest.approx(516, abs=2)


@pytest.mark.parametrize(
    ("window", "small"),
    [((1439, 900), True), ((1440, 849), True), ((1440, 850), False), ((1920, 1080), False)],
)
def test_a_window_is_small_below_1440_by_850(style, window, small):
    found = lay_out_window(QSize(*window), style, Choices())
    assert found.small is found.rail is small
    widths = (sizes.RAIL, sizes.DOCK_SMALL) if small else (sizes.PALETTE, sizes.DOCK)
    assert (found.palette - 1, found.side - 1) == widths
    assert found.playback == 146


@pytest.mark.parametrize("size", SIZES)
def test_every_window_leaves_room_for_the_sheet_in_every_size(style, size):
    style.set_size(size)
    for width, height in product(WIDTHS, HEIGHTS):
        found = lay_out_window(QSize(width, height), style, Choices())
        shares = found.palette + found.canvas.width() + found.side
        assert shares == width
        assert found.canvas.width() >= 0.7 * width or not found.tabs
        assert found.tabs or found.canvas.width() >= LEAST_SHEET * style.scale - 2
        assert found.canvas.height() > 0.29 * height


def test_more_room_folds_the_palette_first_and_then_the_side_panel(style):
    large = QSize(1600, 1000)
    forms = [lay_out_window(large, style, Choices(), room) for room in Room]
    assert [(form.rail, form.tabs) for form in forms] == [
        (False, False),
        (True, False),
        (True, True),
    ]
    widths = [form.canvas.width() for form in forms]
    assert widths == sorted(widths)
    assert widths[2] - widths[1] == sizes.DOCK - sizes.DOCK_TABS


def test_what_the_user_chose_wins(style):
    wide = lay_out_window(LAPTOP, style, Choices(rail=False, tabs=False, side_width=400), Room.TABS)
    assert (wide.palette - 1, wide.side - 1) == (sizes.PALETTE, 400)
    folded = lay_out_window(QSize(1920, 1080), style, Choices(rail=True, tabs=True))
    assert (folded.palette - 1, folded.side - 1) == (sizes.RAIL, sizes.DOCK_TABS)


def test_hidden_parts_leave_their_room_to_the_canvas(style):
    hidden = frozenset({"menus", "toolbar", "palette", "side", "strip", "status"})
    assert lay_out_window(LAPTOP, style, Choices(hidden=hidden)).canvas == LAPTOP


def test_a_side_panel_wider_than_the_window_is_cut_to_it(style):
    found = lay_out_window(QSize(880, 560), style, Choices(tabs=False, side_width=1900))
    assert found.canvas.width() >= sizes.RAIL
