"""Mouse and keyboard input through a real X server: the window system hands the events to Qt.

A drag and drop of the system blocks the program that starts it, so a timer does its later moves.
"""

from PySide6.QtCore import QDeadlineTimer, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
PAUSE = 15
"""Milliseconds between two moves of a drag."""

Place = QPointF | QPoint


def press(widget: QWidget, at: Place) -> None:
    QTest.mouseMove(_window(widget), _place(widget, at))
    QTest.mousePress(_window(widget), LEFT, NONE, _place(widget, at))
    QApplication.processEvents()


def move(widget: QWidget, at: Place) -> None:
    QTest.mouseMove(_window(widget), _place(widget, at))
    QApplication.processEvents()


def release(widget: QWidget, at: Place) -> None:
    QTest.mouseRelease(_window(widget), LEFT, NONE, _place(widget, at))
    QApplication.processEvents()


def click(widget: QWidget, at: Place | None = None) -> None:
    place = widget.rect().center() if at is None else at
    press(widget, place)
    release(widget, place)


def double_click(widget: QWidget, at: Place) -> None:
    QTest.mouseDClick(_window(widget), LEFT, NONE, _place(widget, at))
    QApplication.processEvents()


def drag(widget: QWidget, start: Place, end: Place, steps: int = 8) -> None:
    """Press, move, release within one window of ours."""
    a, b = QPointF(start), QPointF(end)
    press(widget, a)
    for k in range(1, steps + 1):
        move(widget, a + (b - a) * (k / steps))
    release(widget, b)


def carry(source: QWidget, target: QWidget, end: Place, steps: int = 10) -> None:
    """Drag out of one widget and drop on another, by the system's drag and drop."""
    a = QPointF(_place(source, source.rect().center()))
    b = QPointF(_place(target, end))
    window = _window(source)
    way = [(a + (b - a) * (k / steps)).toPoint() for k in range(2, steps + 1)]
    ended: list[bool] = []

    def go_on() -> None:
        if way:
            QTimer.singleShot(PAUSE, window, go_on)  # first, as the move may begin the drag
            QTest.mouseMove(window, way.pop(0))
        else:
            QTest.mouseRelease(window, LEFT, NONE, b.toPoint())
            ended.append(True)

    QTest.mousePress(window, LEFT, NONE, a.toPoint())
    QTimer.singleShot(PAUSE, window, go_on)
    far = QApplication.startDragDistance() + 4
    QTest.mouseMove(window, a.toPoint() + QPoint(far, far))  # here it begins, and waits for us
    deadline = QDeadlineTimer(5000)
    while not ended and not deadline.hasExpired():
        QApplication.processEvents()
    QTest.qWait(PAUSE)  # what was dropped arrives by way of the X server


def key(widget: QWidget, *keys: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
    """Press keys in a window; Qt finds who has the keyboard."""
    for pressed in keys:
        QTest.keyClick(_window(widget), pressed, modifiers)
        QApplication.processEvents()


def write(widget: QWidget, text: str) -> None:
    for letter in text:
        QTest.keyClick(_window(widget), Qt.Key(ord(letter.upper())))
        QApplication.processEvents()


def _window(widget: QWidget) -> QWindow:
    found = widget.window().windowHandle()
    assert found is not None
    return found


def _place(widget: QWidget, at: Place) -> QPoint:
    point = at.toPoint() if isinstance(at, QPointF) else at
    return widget.mapTo(widget.window(), point)
