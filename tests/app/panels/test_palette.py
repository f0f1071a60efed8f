from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtTest import QTest

from app.panels.palette.palette import Palette
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
