"""Finds what a window cuts off: widgets that reach out of their parents, texts without room."""

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QComboBox,
    QLabel,
    QMenuBar,
    QPushButton,
    QTabBar,
    QWidget,
)

from app.controls.elided_label import ElidedLabel
from app.panels.palette.tile import TileButton
from app.panels.strip.sentence import Sentence

_SLACK = 1
"""Rounding of sizes, in px."""


def clipped(window: QWidget) -> list[str]:
    """What is cut off of the visible widgets of a window; what scrolls may be."""
    found = [w for w in window.findChildren(QWidget) if w.isVisible() and not _scrolls(w, window)]
    return [f"{name_of(w)}: {why}" for w in found if (why := _cut(w))]


def name_of(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QLabel | QPushButton) else ""
    return f"{type(widget).__name__} {text or widget.accessibleName() or widget.objectName()}"


def _scrolls(widget: QWidget, window: QWidget) -> bool:
    """Whether a widget is inside one that scrolls."""
    above = widget.parentWidget()
    while above is not None and above is not window:
        if isinstance(above, QAbstractScrollArea):
            return True
        above = above.parentWidget()
    return False


def _cut(widget: QWidget) -> str:
    parent = widget.parentWidget()
    assert parent is not None
    if not widget.isWindow() and not _with_slack(parent.rect()).contains(widget.geometry()):
        return f"{widget.geometry().getRect()} leaves its parent {parent.rect().getRect()}"
    wide, high = _room_wanted(widget)
    if wide > widget.width() + _SLACK or high > widget.height() + _SLACK:
        return f"needs {wide} × {high}, has {widget.width()} × {widget.height()}"
    return ""


def _with_slack(rect: QRect) -> QRect:
    return rect.adjusted(-_SLACK, -_SLACK, _SLACK, _SLACK)


def _room_wanted(widget: QWidget) -> tuple[int, int]:
    """The size that the text of a widget needs; nothing for those that shorten or paint freely."""
    if isinstance(widget, QMenuBar):
        last = widget.actionGeometry(widget.actions()[-1])
        return last.right(), last.bottom()
    if isinstance(widget, QTabBar):
        shown = [k for k in range(widget.count()) if widget.isTabVisible(k)]
        return sum(widget.tabSizeHint(k).width() for k in shown), 0
    if isinstance(widget, Sentence):
        _font, lines = widget.fitted()
        tall = sum(line.ascent + line.descent for line in lines)
        return round(max((line.width for line in lines), default=0)), round(tall)
    if isinstance(widget, TileButton):
        return widget.sizeHint().toTuple()
    if isinstance(widget, QLabel) and not isinstance(widget, ElidedLabel):
        text = QFontMetrics(widget.font()).size(0, widget.text())
        return (0 if widget.wordWrap() else text.width()), text.height()
    if isinstance(widget, QPushButton | QComboBox):
        return widget.minimumSizeHint().toTuple()
    return 0, 0


def covers(one: QWidget, other: QWidget) -> bool:
    """Whether two widgets of one window overlap on the screen."""
    rects = [QRect(w.mapToGlobal(QPoint(0, 0)), w.size()) for w in (one, other)]
    return rects[0].intersects(rects[1])
