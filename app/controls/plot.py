"""Plot: a pyqtgraph plane in our style, with curves, segments, points and labels.

Import it when a plot is first shown: pyqtgraph takes half a second to import.
"""

# pyqtgraph has no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportCallIssue=false, reportIncompatibleMethodOverride=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyqtgraph  # type: ignore[import-untyped]
from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QWidget

from app.guard import exception_safe
from app.style.current import Style
from engine.numbers import short

_GRID_OPACITY = 60
"""Opacity of the grid, from 0 to 255."""


class Axis(pyqtgraph.AxisItem):
    """An axis with numbers in the notation of the program; `integers_only` omits fractions.

    `tickStrings` is pyqtgraph's hook for the texts of the ticks.
    """

    def __init__(self, side: str, *, integers_only: bool = False) -> None:
        super().__init__(side)
        self._integers_only = integers_only

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if self._integers_only and spacing < 1:
            return [short(x) if x.is_integer() else "" for x in map(float, values)]
        # rounded to the tick, or 0.30000000000000004 would be written
        return [short(round(value * scale / spacing) * spacing) for value in values]


@exception_safe
class Plot(pyqtgraph.PlotWidget):
    """A plane with axes below and at the right, which the mouse does not move."""

    def __init__(
        self,
        style: Style,
        height: int,
        draw: Callable[[], None],
        *,
        integers_only: bool = False,
        grows: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """`draw` is called after a change of the style.

        `height` is in px at 100 %; a plot that `grows` has at least this height.
        """
        self.axes = {"bottom": Axis("bottom", integers_only=integers_only), "right": Axis("right")}
        super().__init__(parent, axisItems=self.axes, enableMenu=False)
        self._style, self._plot_height, self._on_restyle = style, height, draw
        self._grows = grows
        self.hideAxis("left")
        self.showAxis("right")
        self.hideButtons()
        self.setMouseEnabled(x=False, y=False)
        self.setAntialiasing(True)
        style.changed.connect(self._restyle)
        self._restyle_plane()

    def show_range(self, x: tuple[float, float], y: tuple[float, float]) -> None:
        """Show exactly this part of the plane."""
        self.getViewBox().setRange(xRange=x, yRange=y, padding=0, update=True)

    def on_screen(self, x: float, y: float) -> QPointF:
        """Return where a point is, in px of the widget."""
        scene = self.getViewBox().mapViewToScene(QPointF(x, y))
        return QPointF(self.mapFromScene(scene))

    def line(self, xs: Sequence[float], ys: Sequence[float], pen: QPen) -> None:
        """Draw a polyline through the points."""
        item = pyqtgraph.PlotCurveItem(list(xs), list(ys), pen=pen, antialias=True)
        self.addItem(item, ignoreBounds=True)  # the range is that of `show_range`

    def pairs(self, xs: Sequence[float], ys: Sequence[float], pen: QPen) -> None:
        """Draw a segment between each point with an even index and the next one."""
        import numpy as np

        ends = np.asarray(xs, float), np.asarray(ys, float)
        item = pyqtgraph.PlotCurveItem(*ends, pen=pen, connect="pairs", antialias=True)
        self.addItem(item, ignoreBounds=True)

    def dots(
        self,
        xs: Sequence[float],
        ys: Sequence[float],
        size: int,
        fill: QColor,
        outline: QColor,
        wide: float = 1.5,
    ) -> None:
        """Draw points with a diameter in px at 100 %."""
        item = pyqtgraph.ScatterPlotItem(
            list(xs),
            list(ys),
            size=self._style.px(size),
            brush=fill,
            pen=plot_pen(outline, wide),
            antialias=True,
        )
        item.setZValue(10)  # above the curves and their labels
        self.addItem(item, ignoreBounds=True)

    def word(
        self, text: str, x: float, y: float, color: QColor, anchor: tuple[float, float]
    ) -> None:
        """Write a text at a point; the anchor (0, 0) is its upper left corner."""
        item: Any = pyqtgraph.TextItem(text, color=color, anchor=anchor)
        item.setFont(self._style.font("caption strong"))
        item.setPos(x, y)
        item.setZValue(9)  # above the curves
        self.addItem(item, ignoreBounds=True)

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(200), self._style.px(self._plot_height))

    def _restyle(self) -> None:
        self._restyle_plane()
        self._on_restyle()

    def _restyle_plane(self) -> None:
        theme, style = self._style.theme, self._style
        self.setBackground(theme.muted)
        if self._grows:
            self.setMinimumHeight(style.px(self._plot_height))
        else:
            self.setFixedHeight(style.px(self._plot_height))
        for axis in self.axes.values():
            axis.setPen(plot_pen(theme.line, 1.0))
            axis.setTextPen(plot_pen(theme.secondary, 1.0))
            axis.setTickFont(style.font("small"))
            axis.setStyle(tickLength=0, maxTickLevel=0)
            axis.setGrid(_GRID_OPACITY)

    # accepted and ignored: pyqtgraph would pan, zoom or open its menu

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the panel scrolls


def plot_pen(color: QColor, wide: float, dash: tuple[float, ...] = ()) -> QPen:
    """Return a pen with the same width at every scale; dash lengths are in px."""
    pen = QPen(color, wide, Qt.PenStyle.SolidLine)
    pen.setCosmetic(True)
    if dash:
        pen.setDashPattern([length / wide for length in dash])
    return pen
