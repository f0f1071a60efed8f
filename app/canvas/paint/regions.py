"""Regions: the exposed parts of a widget, painted one rectangle after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainter, QPixmap, QRegion
from PySide6.QtWidgets import QWidget

WASTE = 150_000
"""Area in px whose painting takes as long as starting another rectangle."""


def is_on_screen(painter: QPainter, widget: QWidget) -> bool:
    """Return whether a widget is painted on the screen, and not into a picture taken of it."""
    if not widget.isVisible():
        return False
    return painter.paintEngine().paintDevice() is widget.backingStore().paintDevice()


def paint_region(
    painter: QPainter, region: QRegion, paint: Callable[[QPainter, QRectF], None]
) -> None:
    """Call `paint` for each rectangle of a widget's exposed region.

    Within a clip region of several rectangles Qt draws every line ten times slower than within one
    rectangle, so each rectangle is painted separately.
    """
    rects: Iterable[QRect] = region  # type: ignore[assignment]  # its stubs lack __iter__
    ratio = painter.device().devicePixelRatioF()
    apart = region.rectCount() > 1 and ratio.is_integer()
    for rect in together(rects):
        if apart:
            patch = QPixmap(rect.size() * ratio)
            patch.setDevicePixelRatio(ratio)
            with QPainter(patch) as inner:
                inner.translate(-rect.topLeft())
                _paint_one(inner, rect, paint)
            painter.save()
            for part in rects:
                if rect.contains(part):
                    painter.setClipRect(part)
                    painter.drawPixmap(rect.topLeft(), patch)
            painter.restore()
        else:
            painter.save()
            _paint_one(painter, rect, paint)
            painter.restore()


def _paint_one(painter: QPainter, rect: QRect, paint: Callable[[QPainter, QRectF], None]) -> None:
    painter.setClipRect(rect)  # even where it is all there is: without a clip lines are slow
    paint(painter, QRectF(rect))


def together(rects: Iterable[QRect]) -> list[QRect]:
    """Merge rectangles that are close to each other: fewer are painted faster."""
    found: list[QRect] = []
    for rect in rects:
        grown = rect
        for other in [*found]:
            both = grown.united(other)
            if _pixels(both) - _pixels(grown) - _pixels(other) < WASTE:
                found.remove(other)
                grown = both
        found.append(grown)
    return found


def _pixels(rect: QRect) -> int:
    return rect.width() * rect.height()
