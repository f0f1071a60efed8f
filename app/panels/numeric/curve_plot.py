"""The plot of a nudge, by pyqtgraph; this module is imported when a curve is first drawn.

The curve is blue as a value, the tangent orange as a gradient, and the secant violet and dashed. A
straight line has all three in one place, so its tangent is a wide pale band below.
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
from PySide6.QtWidgets import QWidget

from app.controls.drawn_range import is_drawable
from app.controls.focus import KeyClaim
from app.controls.plot import Plot, plot_pen
from app.guard import guarded
from app.style.current import Style
from app.style.theme import faded
from app.workbench.study.nudging import Curve, Nudge
from engine.numbers import NOT_COMPUTED, full, short

HEIGHT: Final = 150
"""Height of the plot, in px at 100 %."""
CURVE, LINE, BAND = 2.4, 1.6, 9.0
"""Widths of the curve, of tangent and secant, and of the tangent of a straight line, in px."""
POINT, NUDGED = 11, 9
"""Diameters of the point and of the nudged point, in px."""
GRAB: Final = 14
"""Distance from the point at which it can be pressed, in px."""
SEEN: Final = 9
"""Least length in px of the triangle of h, and of its rise."""
DASH: Final = (4.0, 3.0)
DOTS: Final = (2.0, 2.0)
MOVES: Final = (Qt.Key.Key_Left, Qt.Key.Key_Right)


@guarded
class CurvePlot(Plot):
    """A curve with a point that can be dragged, or moved by the arrow keys.

    Every value carries the token of its gesture, as those of a `ValueSlider` do.
    """

    value_changed = Signal(float, object)
    gesture_ended = Signal()
    cancelled = Signal(object)

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(style, HEIGHT, self._draw, parent=parent)
        self._curve: Curve | None = None
        self._nudge: Nudge | None = None
        self._gesture: object | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        KeyClaim(self, *MOVES, Qt.Key.Key_Escape)

    @property
    def held(self) -> bool:
        """Return whether the point is being moved."""
        return self._gesture is not None

    def show_curve(self, curve: Curve, found: Nudge) -> None:
        """Show a curve with its point, tangent and secant."""
        self._curve, self._nudge = curve, found
        self._draw()

    def forget(self) -> None:
        """Show nothing, and hold no number."""
        self._curve, self._nudge, self._gesture = None, None, None
        self.clear()
        self.setAccessibleName("Curve")

    def point_at(self) -> QPointF:
        """Return where the point is, in px of the widget."""
        assert self._nudge is not None
        return self.on_screen(self._nudge.x, self._nudge.y)

    # drawing

    def _draw(self) -> None:
        self.clear()
        curve, found = self._curve, self._nudge
        if curve is None or found is None:
            return
        theme = self._style.theme
        self.show_range((curve.low, curve.high), (curve.bottom, curve.top))
        at_straight, is_there = curve.straight, is_drawable(found.y)
        if is_there and found.slope is not None and is_drawable(found.slope):
            wide = BAND if at_straight else LINE
            color = faded(theme.gradient, 0.4) if at_straight else theme.gradient
            self._line((found.x, found.y), found.slope, plot_pen(color, wide))
        for stroke in curve.strokes:
            self._stroke(stroke)
        self._rule(found.x, 90)
        if is_there:
            self._rule(found.y, 0)
            self._secant(curve, found)
            self.dots([found.x], [found.y], POINT, theme.value, theme.node)
        slope = NOT_COMPUTED if found.slope is None else full(found.slope)
        self.setAccessibleName(f"Curve at {full(found.x)}: {full(found.y)}, slope {slope}")

    def _rule(self, position: float, angle: int) -> None:
        """Draw a dotted line through the point, across (0) or up (90)."""
        pen = plot_pen(self._style.theme.outline, 1.0, DOTS)
        line = pyqtgraph.InfiniteLine(position, angle, pen, movable=False)
        self.addItem(line, ignoreBounds=True)

    def _secant(self, curve: Curve, found: Nudge) -> None:
        """Draw the secant of h, if its end is on the plane."""
        made = found.secant
        if made is not None and is_drawable(made.value) and is_drawable(made.above):
            pen = plot_pen(self._style.theme.selection, LINE, DASH)
            self._line((found.x + found.h, made.above), made.value, pen)
            self._triangle(curve, found)

    def _stroke(self, stroke: tuple[tuple[float, float], ...]) -> None:
        theme = self._style.theme
        if len(stroke) == 1:
            ((x, y),) = stroke
            self.dots([x], [y], 4, theme.value, theme.value)
            return
        xs, ys = zip(*stroke, strict=True)
        self.line(xs, ys, plot_pen(theme.value, CURVE))

    def _line(self, at: tuple[float, float], slope: float, pen: QPen) -> None:
        """Draw a straight line through a point, from edge to edge."""
        curve = self._curve
        assert curve is not None
        xs = [curve.low, curve.high]
        ys = [at[1] + slope * (x - at[0]) for x in xs]
        if abs(slope) * (curve.high - curve.low) > 20 * (curve.top - curve.bottom):
            ys = [curve.bottom, curve.top]  # a steep one, from the lower edge to the upper
            xs = [at[0] + (y - at[1]) / slope for y in ys]
        self.line(xs, ys, pen)

    def _triangle(self, curve: Curve, found: Nudge) -> None:
        """Draw h and the rise over it, and the nudged point, if they can be seen."""
        made, theme = found.secant, self._style.theme
        assert made is not None
        there = found.x + found.h
        across = abs(self.on_screen(there, found.y).x() - self.on_screen(found.x, found.y).x())
        if across < SEEN or not curve.low <= there <= curve.high:
            return
        pen = plot_pen(theme.selection, 1.2)
        self.line([found.x, there, there], [found.y, found.y, made.above], pen)
        self.dots([there], [made.above], NUDGED, theme.node, theme.selection, wide=2.0)
        rise, ink = made.above - found.y, theme.selection
        self.word(f"h = {short(found.h)}", (found.x + there) / 2, found.y, ink, (0.5, 0.0))
        if abs(self.on_screen(there, made.above).y() - self.on_screen(there, found.y).y()) > SEEN:
            self.word(self._style.signed(rise), there, found.y + rise / 2, ink, (0.0, 0.5))

    # moving the point

    def _x_at(self, at: QPointF) -> float:
        scene = self.mapToScene(at.toPoint())
        return float(self.getViewBox().mapSceneToView(scene).x())

    def _move(self, x: float) -> None:
        curve, found = self._curve, self._nudge
        if curve is not None and found is not None and curve.rounded(x) != found.x:
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
            (self.point_at() - event.position()).manhattanLength() <= self._style.px(GRAB)
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
        curve, found = self._curve, self._nudge
        if event.key() == Qt.Key.Key_Escape and self._gesture is not None:
            self._cancel()
        elif event.key() in MOVES and curve is not None and found is not None:
            if self._gesture is None:
                self._gesture = object()
            way = -1.0 if event.key() == Qt.Key.Key_Left else 1.0
            self._move(found.x + way * curve.step())
        else:
            event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() in MOVES and not event.isAutoRepeat():
            self._end()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._end()
