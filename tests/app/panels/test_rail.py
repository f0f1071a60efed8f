from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDrag
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.panels.palette import Rail
from app.panels.palette.palette import Palette
from app.panels.palette.rail import ALL, FAMILIES, PITCH, QUICK_ADD
from app.panels.palette.tile import IN_RAIL
from app.style import sizes
from app.workbench.adding import entries

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
