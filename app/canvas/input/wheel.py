"""Wheel: zooms at the pointer, scrolls the sheet, or changes the selected leaf's number."""

from __future__ import annotations

import math
from functools import partial

from PySide6.QtCore import QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QWheelEvent

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.input.hover import Hover
from app.controls.scrub import PIXELS_PER_STEP, scrub
from engine.graph import Constant, Leaf

REST = 800
"""Pause in milliseconds after which turning the wheel begins a new undo step."""
ZOOM = 1.0015
"""Zoom factor per eighth of a degree, the unit of Qt's wheel angle."""


class Wheel(QObject):
    """Handles the wheel and two-finger gestures on a trackpad over one canvas."""

    def __init__(self, canvas: CanvasContext, hover: Hover) -> None:
        super().__init__(canvas.widget)
        self._canvas = canvas
        self._hover = hover
        self._scrubbed: tuple[int, int] | None = None  # a node and the gesture that changes it
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(partial(canvas.document.value_released.emit, True))

    def turn(self, event: QWheelEvent) -> None:
        """Zoom at the pointer; two fingers on a trackpad scroll, with Ctrl they zoom."""
        pixels, angle = event.pixelDelta(), event.angleDelta()
        trackpad = (
            not pixels.isNull() and event.source() != Qt.MouseEventSource.MouseEventNotSynthesized
        )
        if trackpad and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._canvas.camera.pan_by(QPointF(pixels))
        elif self._scrub(event.position(), angle.y(), event.modifiers()):
            pass
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._canvas.camera.pan_by(QPointF(angle.y() + angle.x(), 0) / 2)
        elif angle.y():
            self._canvas.camera.zoom_by(math.pow(ZOOM, angle.y()), event.position())
        event.accept()

    def _scrub(self, at: QPointF, angle: int, modifiers: Qt.KeyboardModifier) -> bool:
        """Change the number below the pointer if its leaf is selected; return whether it is.

        Successive turns on one number are one undo step.
        """
        canvas = self._canvas
        found = self._hover.hit_at(at)
        node = found.node
        if (
            found.part != "number"
            or node is None
            or node not in canvas.selection.nodes
            or not angle
        ):
            return False
        if self._scrubbed is None or self._scrubbed[0] != node or not self._rest.isActive():
            self._scrubbed = (node, canvas.document.new_gesture())
            canvas.document.value_held.emit(node)
        self._rest.start(REST)
        number = canvas.document.graph.nodes[node]
        if isinstance(number, Leaf | Constant):
            pixels = math.copysign(PIXELS_PER_STEP, angle)
            value = scrub(number.value, pixels, modifiers)
            canvas.document.set_value(node, value, self._scrubbed[1])
        return True
