"""CurvePlot: the plot of a nudge, by pyqtgraph; imported when a curve is first drawn.

The curve is blue as a value, the tangent orange as a gradient, and the secant violet and dashed. A
straight line coincides with its tangent and secant, so its tangent is a wide pale band below.
"""

# pyqtgraph has no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportCallIssue=false, reportIncompatibleMethodOverride=false

from __future__ import annotations

from typing import Final

import pyqtgraph  # type: ignore[import-untyped]
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPen

from app.controls.drawn_range import is_drawable
from app.controls.focus import claim_keys
from app.controls.plot import Plot, plot_pen
from app.guard import exception_safe
from app.style.current import Style
from app.style.theme import faded
from app.workbench.trials.nudging import Curve, Nudge
from engine.numbers import NOT_COMPUTED, full, short

_HEIGHT: Final = 150
"""Height of the plot, in px at 100 %."""
_CURVE_WIDTH, _LINE_WIDTH, _BAND_WIDTH = 2.4, 1.6, 9.0
"""Widths of the curve, of tangent and secant, and of the tangent of a straight line, in px."""
_POINT_SIZE, _NUDGED_POINT_SIZE = 11, 9
"""Diameters of the point and of the nudged point, in px."""
_ISOLATED_POINT_SIZE: Final = 4
"""Diameter of a point of the curve between two gaps, in px."""
_GRAB_DISTANCE: Final = 14
"""Distance from the point at which it can be pressed, in px at 100 %."""
_MIN_TRIANGLE: Final = 9
"""Least length in px of the sides of the triangle of h; a smaller one is only a blot."""
_DASH: Final = (4.0, 3.0)
_DOTS: Final = (2.0, 2.0)
_MOVE_KEYS: Final = (Qt.Key.Key_Left, Qt.Key.Key_Right)


@exception_safe
class CurvePlot(Plot):
    """A curve with a point that can be dragged, or moved by the arrow keys.

    Every value carries the token of its gesture, an object that joins its changes into one undo
    step, as those of a `ValueSlider` do.
    """

    value_changed = Signal(float, object)
    """Emitted with the value of the leaf at the moved point, and the token of the gesture."""
    gesture_ended = Signal()
    """Emitted when the point is released, and when the plot loses the keyboard focus."""
    cancelled = Signal(object)
    """Emitted with the token of a gesture that Esc ends; the receiver restores the value."""

    def __init__(self, style: Style) -> None:
        super().__init__(style, _HEIGHT, self._draw)
        self._curve: Curve | None = None
        self._nudge: Nudge | None = None
        self._gesture: object | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        claim_keys(self, *_MOVE_KEYS, Qt.Key.Key_Escape)

    @property
    def is_moving(self) -> bool:
        return self._gesture is not None

    def show_curve(self, curve: Curve, nudge: Nudge) -> None:
        """Show a curve with its point, tangent and secant."""
        self._curve, self._nudge = curve, nudge
        self._draw()

    def forget(self) -> None:
        """Clear the plot, and forget all its numbers."""
        self._curve, self._nudge, self._gesture = None, None, None
        self.clear()
        self.setAccessibleName("Curve")

    def point_at(self) -> QPointF:
        """Return the position of the point in the widget, in px."""
        assert self._nudge is not None
        return self.on_screen(self._nudge.x, self._nudge.y)

    # Drawing

    def _draw(self) -> None:
        self.clear()
        curve, nudge = self._curve, self._nudge
        if curve is None or nudge is None:
            return
        theme = self._style.theme
        self.show_range((curve.low, curve.high), (curve.bottom, curve.top))
        is_straight, has_point = curve.straight, is_drawable(nudge.y)
        if has_point and nudge.slope is not None and is_drawable(nudge.slope):
            width = _BAND_WIDTH if is_straight else _LINE_WIDTH
            color = faded(theme.gradient, 0.4) if is_straight else theme.gradient
            self._draw_line((nudge.x, nudge.y), nudge.slope, plot_pen(color, width))
        for stroke in curve.strokes:
            self._draw_stroke(stroke)
        self._draw_dotted(nudge.x, 90)
        if has_point:
            self._draw_dotted(nudge.y, 0)
            self._draw_secant(curve, nudge)
            self.dots([nudge.x], [nudge.y], _POINT_SIZE, theme.value, theme.node)
        slope = NOT_COMPUTED if nudge.slope is None else full(nudge.slope)
        self.setAccessibleName(f"Curve at {full(nudge.x)}: {full(nudge.y)}, slope {slope}")

    def _draw_dotted(self, position: float, angle: int) -> None:
        """Draw a dotted line through the point, at an angle in degrees: across (0) or up (90)."""
        pen = plot_pen(self._style.theme.outline, 1.0, _DOTS)
        line = pyqtgraph.InfiniteLine(position, angle, pen, movable=False)
        self.addItem(line, ignoreBounds=True)

    def _draw_secant(self, curve: Curve, nudge: Nudge) -> None:
        """Draw the secant over h, if its slope and its far end can be drawn."""
        quotient = nudge.secant
        if quotient is None:
            return
        if is_drawable(quotient.value) and is_drawable(quotient.above):
            pen = plot_pen(self._style.theme.selection, _LINE_WIDTH, _DASH)
            # not through the point itself: that of a central quotient may pass beside it
            self._draw_line((nudge.x + nudge.h, quotient.above), quotient.value, pen)
            self._draw_triangle(curve, nudge)

    def _draw_stroke(self, stroke: tuple[tuple[float, float], ...]) -> None:
        """Draw one piece of the curve; a single point between two gaps is a dot."""
        theme = self._style.theme
        if len(stroke) == 1:
            ((x, y),) = stroke
            self.dots([x], [y], _ISOLATED_POINT_SIZE, theme.value, theme.value)
            return
        xs, ys = zip(*stroke, strict=True)
        self.line(xs, ys, plot_pen(theme.value, _CURVE_WIDTH))

    def _draw_line(self, at: tuple[float, float], slope: float, pen: QPen) -> None:
        """Draw a straight line through a point, from edge to edge."""
        curve = self._curve
        assert curve is not None
        xs = [curve.low, curve.high]
        ys = [at[1] + slope * (x - at[0]) for x in xs]
        if abs(slope) * (curve.high - curve.low) > 20 * (curve.top - curve.bottom):
            # a steep line would end far outside the plot: go from the lower edge to the upper
            ys = [curve.bottom, curve.top]
            xs = [at[0] + (y - at[1]) / slope for y in ys]
        self.line(xs, ys, pen)

    def _draw_triangle(self, curve: Curve, nudge: Nudge) -> None:
        """Draw h and the rise over it, and the nudged point, if they can be seen."""
        quotient, theme = nudge.secant, self._style.theme
        assert quotient is not None
        end = nudge.x + nudge.h
        width = abs(self.on_screen(end, nudge.y).x() - self.on_screen(nudge.x, nudge.y).x())
        if width < _MIN_TRIANGLE or not curve.low <= end <= curve.high:
            return
        pen = plot_pen(theme.selection, 1.2)
        self.line([nudge.x, end, end], [nudge.y, nudge.y, quotient.above], pen)
        self.dots(
            [end], [quotient.above], _NUDGED_POINT_SIZE, theme.node, theme.selection, wide=2.0
        )
        rise, ink = quotient.above - nudge.y, theme.selection
        self.word(f"h = {short(nudge.h)}", (nudge.x + end) / 2, nudge.y, ink, (0.5, 0.0))
        upper, lower = self.on_screen(end, quotient.above), self.on_screen(end, nudge.y)
        if abs(upper.y() - lower.y()) > _MIN_TRIANGLE:
            self.word(self._style.signed(rise), end, nudge.y + rise / 2, ink, (0.0, 0.5))

    # Moving the point

    def _x_at(self, at: QPointF) -> float:
        scene = self.mapToScene(at.toPoint())
        return float(self.getViewBox().mapSceneToView(scene).x())

    def _move(self, x: float) -> None:
        curve, nudge = self._curve, self._nudge
        if curve is not None and nudge is not None and curve.rounded(x) != nudge.x:
            self.value_changed.emit(curve.rounded(x), self._gesture)

    def _end(self) -> None:
        if self._gesture is not None:
            self._gesture = None
            self.gesture_ended.emit()

    def _cancel(self) -> None:
        gesture, self._gesture = self._gesture, None
        self.cancelled.emit(gesture)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        near = self._nudge is not None and (
            (self.point_at() - event.position()).manhattanLength() <= self._style.px(_GRAB_DISTANCE)
        )
        if near and event.button() == Qt.MouseButton.LeftButton and self._gesture is None:
            self._gesture = object()
            self.setCursor(Qt.CursorShape.SizeHorCursor)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._gesture is not None and event.buttons() & Qt.MouseButton.LeftButton:
            self._move(self._x_at(event.position()))
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.unsetCursor()
        self._end()
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        curve, nudge = self._curve, self._nudge
        if event.key() == Qt.Key.Key_Escape and self._gesture is not None:
            self._cancel()
        elif event.key() in _MOVE_KEYS and curve is not None and nudge is not None:
            if self._gesture is None:
                self._gesture = object()
            sign = -1.0 if event.key() == Qt.Key.Key_Left else 1.0
            self._move(nudge.x + sign * curve.step())
        else:
            event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() in _MOVE_KEYS and not event.isAutoRepeat():
            self._end()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._end()
