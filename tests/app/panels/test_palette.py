import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QDrag, QImage, QMouseEvent, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.panels.palette import Rail
from app.panels.palette.palette import Palette
from app.panels.palette.rail import ALL, FAMILIES, PITCH, QUICK_ADD
from app.panels.palette.tile import IN_RAIL, curve, paint_curve
from app.style import sizes
from app.workbench.adding import entries
from engine.ops import OPS


@pytest.fixture
def palette(host) -> Palette:
    return host.show(Palette(host.style), 152)


def test_every_operation_and_the_three_basics_have_a_tile(palette):
    assert palette.shown_keys()[:3] == ["leaf", "constant", "root"]
    assert {f"op:{op.name}" for op in OPS} <= set(palette.shown_keys())
    assert palette.width() == sizes.PALETTE


def test_a_click_says_which_entry_was_chosen(qtbot, palette):
    with qtbot.waitSignal(palette.chosen) as chosen:
        QTest.mouseClick(palette.tile("op:mul"), Qt.MouseButton.LeftButton)
    assert chosen.args == ["op:mul"]


def test_the_filter_ranks_and_enter_chooses_the_first(qtbot, palette):
    qtbot.keyClicks(palette.filter, "times")
    assert palette.shown_keys()[0] == "op:mul"
    assert not palette.tile("op:tanh").isVisible()
    with qtbot.waitSignal(palette.chosen) as chosen:
        qtbot.keyClick(palette.filter, Qt.Key.Key_Return)
    assert chosen.args == ["op:mul"]
    qtbot.keyClick(palette.filter, Qt.Key.Key_Escape)
    assert len(palette.shown_keys()) == len(entries())


def test_a_filter_that_finds_nothing_says_what_to_try(qtbot, palette):
    qtbot.keyClicks(palette.filter, "zzz")
    assert palette.shown_keys() == []
    qtbot.keyClick(palette.filter, Qt.Key.Key_Return)


def test_the_arrows_walk_over_the_tiles_and_enter_adds(qtbot, palette):
    palette.filter.setFocus()
    qtbot.keyClick(palette.filter, Qt.Key.Key_Down)
    assert palette.tile("leaf").hasFocus()
    qtbot.keyClick(palette.tile("leaf"), Qt.Key.Key_Right)
    qtbot.keyClick(palette.tile("constant"), Qt.Key.Key_Down)
    assert palette.tile("op:sub").hasFocus()
    with qtbot.waitSignal(palette.chosen) as chosen:
        qtbot.keyClick(palette.tile("op:sub"), Qt.Key.Key_Return)
    assert chosen.args == ["op:sub"]
    qtbot.keyClick(palette.tile("op:sub"), Qt.Key.Key_Up)
    qtbot.keyClick(palette.tile("constant"), Qt.Key.Key_Up)
    assert palette.filter.hasFocus()


def test_a_drag_carries_the_key_of_the_entry(monkeypatch, palette):
    tile = palette.tile("op:tanh")
    dragged = []
    monkeypatch.setattr(
        QDrag,
        "exec",
        lambda drag, *_a: dragged.append(
            bytes(drag.mimeData().data("application/x-backwire-entry").data())
        ),
    )
    QTest.mousePress(tile, Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    move = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(40, 40),
        QPointF(tile.mapToGlobal(QPoint(40, 40))),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    tile.mouseMoveEvent(move)
    assert dragged == [b"op:tanh"]
    assert not tile.isDown()
    assert not tile.drag_pixmap().isNull()


def test_the_tooltip_says_what_an_operation_is(palette):
    assert "squashes to between −1 and 1" in palette.tile("op:tanh").toolTip()
    assert "a × b" in palette.tile("op:mul").toolTip()


def test_the_palette_grows_with_everything(host, all_looks, palette):
    for look in all_looks():
        assert palette.width() == host.style.px(sizes.PALETTE), look
        assert not palette.grab().isNull()
        row = [palette.tile(key) for key in ("leaf", "constant", "root")]
        assert all(a.geometry().right() < b.geometry().left() for a, b in pairwise(row))


LEFT = Qt.MouseButton.LeftButton
FULL = [
    QUICK_ADD,
    *("leaf", "constant", "root"),
    *("op:add", "op:sub", "op:mul", "op:div", "op:pow"),
    *("functions", "activations", "blocks"),
    ALL,
]


@pytest.fixture
def small(host) -> QWidget:
    """A small window with a rail at the left of a sheet."""
    window, sheet = QWidget(), QWidget()
    row = QHBoxLayout(window)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(Rail(host.style, sheet))
    row.addWidget(sheet, 1)
    return host.show(window, 900, 662)


@pytest.fixture
def rail(small: QWidget) -> Rail:
    """The rail of the small window."""
    found = small.findChild(Rail)
    assert found is not None
    return found


def test_the_rail_is_60_wide_with_tiles_of_48_by_38_at_42(rail):
    assert rail.width() == sizes.RAIL
    assert rail.shown_keys() == FULL
    tops = [rail.button(key).y() for key in FULL]
    assert {rail.button(key).size().toTuple() for key in FULL} == {(48, 38)}
    assert {b - a for a, b in pairwise(tops)} == {PITCH, PITCH + 6}
    assert tops[-1] + IN_RAIL.height < rail.height()


def test_every_entry_is_in_the_rail_or_in_a_fly_out(rail):
    found = {key for key in FULL if key in {e.key for e in entries()}}
    for key in FAMILIES:
        found |= {tile.key for tile in rail.fly_out(key).tiles}
    assert found == {entry.key for entry in entries()}


@pytest.mark.parametrize("key", ["leaf", "op:mul"])
def test_a_click_on_a_tile_chooses_its_entry(rail, qtbot, key):
    with qtbot.waitSignal(rail.chosen) as chosen:
        QTest.mouseClick(rail.button(key), LEFT)
    assert chosen.args == [key]


def test_the_first_tile_asks_for_quick_add(rail, qtbot):
    with qtbot.waitSignal(rail.quick_add_wanted):
        QTest.mouseClick(rail.button(QUICK_ADD), LEFT)


def test_a_fly_out_shows_the_rest_and_closes_when_something_is_chosen(rail, qtbot):
    QTest.mouseClick(rail.button("functions"), LEFT)
    tiles = rail.fly_out("functions")
    assert tiles.isVisible()
    assert tiles.mapTo(rail.window(), QPoint()).x() > rail.width()
    with qtbot.waitSignal(rail.chosen) as chosen:
        QTest.mouseClick(tiles.tile("op:exp"), LEFT)
    assert chosen.args == ["op:exp"]
    assert not tiles.isVisible()


def test_one_fly_out_is_open_at_a_time_and_its_tile_closes_it(rail):
    QTest.mouseClick(rail.button("functions"), LEFT)
    QTest.mouseClick(rail.button("blocks"), LEFT)
    assert not rail.fly_out("functions").isVisible()
    assert rail.fly_out("blocks").isVisible()
    QTest.mouseClick(rail.button("blocks"), LEFT)
    assert not rail.fly_out("blocks").isVisible()


def test_a_press_elsewhere_or_escape_closes_a_fly_out(rail, qtbot):
    for close in (
        lambda: QTest.mouseClick(rail.window(), LEFT, pos=QPoint(880, 640)),
        lambda: qtbot.keyClick(rail.window(), Qt.Key.Key_Escape),
    ):
        QTest.mouseClick(rail.button("activations"), LEFT)
        assert rail.fly_out("activations").isVisible()
        close()
        assert not rail.fly_out("activations").isVisible()


def test_keys_walk_down_the_rail_into_a_fly_out_and_back(rail, qtbot):
    pow_tile, functions = rail.button("op:pow"), rail.button("functions")
    pow_tile.setFocus()
    qtbot.keyClick(pow_tile, Qt.Key.Key_Down)
    assert functions.hasFocus()
    qtbot.keyClick(functions, Qt.Key.Key_Return)
    first, second = rail.fly_out("functions").tiles[:2]
    assert first.hasFocus()
    qtbot.keyClick(first, Qt.Key.Key_Right)
    assert second.hasFocus()
    qtbot.keyClick(second, Qt.Key.Key_Escape)
    assert functions.hasFocus()


def test_all_opens_the_whole_palette_with_its_filter(rail, qtbot):
    QTest.mouseClick(rail.button(ALL), LEFT)
    palette = rail.fly_out(ALL)
    assert isinstance(palette, Palette)
    assert palette.filter.hasFocus()
    qtbot.keyClicks(palette.filter, "squash")
    with qtbot.waitSignal(rail.chosen):
        qtbot.keyClick(palette.filter, Qt.Key.Key_Return)
    assert not palette.isVisible()


def test_a_drag_from_a_fly_out_uncovers_the_sheet_before_it_begins(rail, monkeypatch):
    QTest.mouseClick(rail.button("activations"), LEFT)
    tiles = rail.fly_out("activations")
    seen = []
    monkeypatch.setattr(QDrag, "exec", lambda *_a: seen.append(tiles.isVisible()))
    tile = tiles.tile("op:tanh")
    QTest.mousePress(tile, LEFT, pos=QPoint(9, 9))
    QTest.mouseMove(tile, QPoint(40, 40))
    assert seen == [False]


@pytest.mark.parametrize("height", [200, 300, 390, 460, 560])
def test_a_low_rail_shows_fewer_tiles_and_cuts_none(rail, height):
    rail.window().resize(900, height)
    assert rail.height() == height
    keys = rail.shown_keys()
    assert {"leaf", "root", ALL} <= set(keys)
    for key in keys:
        assert rail.rect().contains(rail.button(key).geometry())
    assert all(rail.button(key).isVisible() is (key in keys) for key in FULL)


def test_the_rail_can_be_painted_in_every_look(rail, all_looks):
    for look in all_looks():
        assert not rail.grab().isNull(), look
        for key in rail.shown_keys():
            assert rail.rect().contains(rail.button(key).geometry()), look


def raises(_x: float) -> float:
    raise OverflowError


def test_a_curve_fills_its_square():
    for function in (math.tanh, math.sin, abs, math.exp):
        pieces, _ = curve(function)
        points = [point for piece in pieces for point in piece]
        assert (min(x for x, _ in points), max(x for x, _ in points)) == pytest.approx((0, 1))
        assert (min(y for _, y in points), max(y for _, y in points)) == pytest.approx((0, 1))


def test_a_function_that_lives_on_one_side_only_takes_the_whole_width():
    (root,), (logarithm,) = (curve(function)[0] for function in (math.sqrt, math.log))
    assert root[0][0] == pytest.approx(0)
    assert root[-1] == pytest.approx((1, 1))
    assert logarithm[0] == pytest.approx((0, 0))


@pytest.mark.parametrize("function", [lambda x: 1 / x, lambda x: math.copysign(1, x)])
def test_a_pole_or_a_jump_is_a_gap(function):
    pieces, _ = curve(function)
    assert len(pieces) == 2


def test_zero_is_where_the_function_is_zero():
    assert curve(math.tanh)[1] == pytest.approx(0.5)
    assert curve(abs)[1] == pytest.approx(0, abs=1e-9)
    assert curve(lambda x: 2 + x * 0)[1] is None


def test_a_function_without_any_value_has_no_curve():
    for function in (lambda _: math.nan, lambda _: math.inf, raises, lambda x: (-8) ** (x + 0.3)):
        assert curve(function) == ((), None)


@given(st.lists(st.floats(), min_size=1, max_size=9))
def test_any_function_can_be_drawn(values: list[float]):
    pieces, _ = curve(lambda x: values[round(abs(x)) % len(values)])
    assert all(-1e-6 <= c <= 1 + 1e-6 for piece in pieces for point in piece for c in point)


def test_the_painter_draws_inside_the_rectangle_in_the_colour(qapp):
    image = QImage(40, 30, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    paint_curve(painter, QRectF(5, 5, 30, 20), math.tanh, QColor("#000000"))
    painter.end()
    dark = [
        (x, y) for x in range(40) for y in range(30) if image.pixelColor(x, y).lightness() < 120
    ]
    assert dark
    assert all(4 <= x <= 36 and 4 <= y <= 26 for x, y in dark)
