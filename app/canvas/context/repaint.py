"""Repaint: schedules repaints; what a step or the pointer changes is up to repaint_rects."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QWidget

from app.canvas.context.camera import Camera

BLUR = 2
"""Antialiasing reaches so many screen pixels beyond a rectangle of the sheet."""


class Repaint:
    """Schedules repaints of one canvas; Qt merges them into one paint event."""

    def __init__(self, widget: QWidget, camera: Camera) -> None:
        self._widget = widget
        self._camera = camera

    def everything(self) -> None:
        """Schedule a repaint of the whole canvas."""
        self._widget.update()

    def on_sheet(self, rect: QRectF) -> None:
        """Schedule a repaint of a rectangle of the sheet."""
        if not rect.isEmpty():
            self.on_screen(self._camera.rect_on_screen(rect).adjusted(-BLUR, -BLUR, BLUR, BLUR))

    def on_screen(self, rect: QRectF) -> None:
        """Schedule a repaint of a rectangle of the widget."""
        self._widget.update(rect.toAlignedRect())
