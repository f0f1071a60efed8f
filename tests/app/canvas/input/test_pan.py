"""The sheet is taken by the hand: with the middle button, or with Space."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from tests.helpers.easel import Easel
from tests.helpers.mouse import MIDDLE, drag, held, key

FAR = QPointF(-130, 70)
START = QPointF(700, 500)


def test_the_middle_button_moves_the_sheet(sheet: Easel):
    below = sheet.view.camera.to_sheet(START)
    drag(sheet.view, START, START + FAR, button=MIDDLE)
    assert sheet.view.camera.to_sheet(START + FAR) == below
    assert sheet.view.camera.zoom == 1.0


def test_space_makes_the_left_button_do_the_same(sheet: Easel):
    below = sheet.view.camera.to_sheet(START)
    QTest.keyPress(sheet.view, Qt.Key.Key_Space)
    drag(sheet.view, START, START + FAR)
    QTest.keyRelease(sheet.view, Qt.Key.Key_Space)
    assert sheet.view.camera.to_sheet(START + FAR) == below
    assert sheet.selection.nodes == frozenset()


def test_space_let_go_gives_the_left_button_back(sheet: Easel):
    QTest.keyClick(sheet.view, Qt.Key.Key_Space)
    before = sheet.view.camera.to_sheet(START)
    drag(sheet.view, QPointF(40, 40), START)
    assert sheet.view.camera.to_sheet(START) == before
    assert sheet.selection.nodes


def test_esc_puts_the_sheet_back(sheet: Easel):
    before = sheet.view.camera.to_sheet(START)
    with held(sheet.view, START, START + FAR, button=MIDDLE):
        key(Qt.Key.Key_Escape)
    assert sheet.view.camera.to_sheet(START) == before


def test_looking_elsewhere_is_no_step_of_the_history(sheet: Easel):
    drag(sheet.view, START, START + FAR, button=MIDDLE)
    assert not sheet.document.steps
