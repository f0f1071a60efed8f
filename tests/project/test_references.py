"""This PySide6 neither loses nor keeps references of None and True (6.12.0 on Python 3.11 did)."""

import sys

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QGraphicsRectItem

SLACK = 200  # what the interpreter itself may hold or let go meanwhile


class Bell(QObject):
    rung = Signal()


def counts() -> tuple[int, int]:
    return sys.getrefcount(None), sys.getrefcount(True)


def assert_kept(before: tuple[int, int]) -> None:
    """Nobody has lost or kept None or True; from Python 3.14 on they say that they never die."""
    is_immortal = getattr(sys, "_is_immortal", None)
    if is_immortal is not None:
        assert is_immortal(None)
        assert is_immortal(True)
        return
    assert all(abs(now - then) < SLACK for now, then in zip(counts(), before, strict=True))


def test_calls_that_return_none_keep_the_count_of_none(qapp):
    item = QGraphicsRectItem()
    before = counts()
    for step in range(1_000):
        item.setPos(step, step)
    assert_kept(before)


def test_signals_keep_the_counts_of_none_and_true(qapp):
    bell = Bell()
    before = counts()
    for _ in range(10_000):
        bell.rung.emit()
    assert_kept(before)
