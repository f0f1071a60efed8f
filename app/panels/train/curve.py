"""The losses by epoch, or the accuracies, by pyqtgraph."""

# pyqtgraph has no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from typing import Any, Final, Literal

import numpy
import pyqtgraph  # type: ignore[import-untyped]
from PySide6.QtCore import QBuffer, QIODevice, QPoint, QPointF, QRect, QRectF
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from app.controls.drawn_range import is_drawable, is_wide
from app.controls.plot import Plot, plot_pen
from app.guard import guarded
from app.style.current import Style
from app.workbench.training import Training
from engine.numbers import LARGEST_DRAWN, short
from engine.training.learning import Array

HEIGHT: Final = 108
"""Least height of the plot, of which the plane has 90, in px at 100 %."""
MOST: Final = 600
"""Points that are drawn; of more losses, the least and the largest of each stretch are."""
DOT: Final = 9
SHARP: Final = 2
"""Pixels of a picture for each px of the plot."""

Shown = Literal["loss", "accuracy"]


@guarded
class Curve(Plot):
    """The curve so far, with a dot at the epoch that is shown."""

    def __init__(self, style: Style, training: Training, parent: QWidget | None = None) -> None:
        super().__init__(style, HEIGHT, self._redraw, whole=True, grows=True, parent=parent)
        self._training = training
        self._shows: Shown = "loss"
        self._line: Any = pyqtgraph.PlotCurveItem(antialias=True)
        self._dot: Any = pyqtgraph.ScatterPlotItem(antialias=True)
        box: Any = self.getPlotItem()
        self._first: Any = pyqtgraph.TextItem(anchor=(-0.12, 0.4))
        for item in (self._line, self._dot, self._first):
            box.addItem(item, ignoreBounds=True)
        self._redraw()

    def show_kind(self, kind: str) -> None:
        """Draw losses or accuracies."""
        self._shows = "accuracy" if kind == "accuracy" else "loss"
        self.show_state()

    def show_state(self) -> None:
        """Draw the curve as it is now."""
        training = self._training
        xs, ys = self._points()
        drawn = numpy.abs(ys) < LARGEST_DRAWN  # False for nan
        xs, ys = thinned(xs[drawn], ys[drawn])
        self._line.setData(xs, ys)
        top = 1.0 if self._shows == "accuracy" else float(ys.max(initial=0.0))
        top = top if is_wide(0.0, top) else 1.0
        last = max(training.last_epoch, 10)
        self.getViewBox().setRange(xRange=(0.0, last), yRange=(0.0, top), padding=0.04)
        self._show_first(top)
        now = training.loss if self._shows == "loss" else training.accuracy
        dot = [(training.state.epochs, now)] if now is not None and is_drawable(now) else []
        self._dot.setData([x for x, _y in dot], [y for _x, y in dot])
        said = "–" if now is None else short(now)
        self.setAccessibleName(f"{self._shows} at epoch {training.state.epochs}: {said}")

    def _show_first(self, top: float) -> None:
        """Write the first loss at the beginning of the curve."""
        first = self._training.losses[0]
        shown = self._shows == "loss" and is_drawable(first)
        self._first.setVisible(shown)
        if shown:
            self._first.setText(short(first), self._style.theme.value)
            self._first.setPos(0.0, min(first, top))

    def picture(self, form: Literal["png", "svg"]) -> bytes:
        """Return a picture of the curve as it is shown, a PNG at twice its size."""
        content, size = QBuffer(), self.size()
        content.open(QIODevice.OpenModeFlag.WriteOnly)
        if form == "svg":
            drawing = QSvgGenerator()
            drawing.setOutputDevice(content)
            drawing.setSize(size)
            drawing.setViewBox(QRect(QPoint(0, 0), size))
            drawing.setTitle("Loss by epoch" if self._shows == "loss" else "Accuracy by epoch")
            with QPainter(drawing) as painter:
                self._paint(painter, QRectF(QPointF(0, 0), size))
        else:
            image = QImage(size * SHARP, QImage.Format.Format_ARGB32)
            with QPainter(image) as painter:
                self._paint(painter, QRectF(QPointF(0, 0), size * SHARP))
            QImageWriter(content, b"png").write(image)
        return bytes(content.data().data())

    def _paint(self, painter: QPainter, area: QRectF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(area, self._style.theme.muted)
        self.render(painter, area, self.rect())

    def _points(self) -> tuple[Array, Array]:
        training = self._training
        if self._shows == "loss":
            return numpy.arange(float(len(training.losses))), numpy.array(training.losses)
        known = sorted((k, v) for k, v in training.accuracies.items() if v is not None)
        return numpy.array([k for k, _v in known], float), numpy.array(
            [v for _k, v in known], float
        )

    def _redraw(self) -> None:
        theme = self._style.theme
        self._line.setPen(plot_pen(theme.value, 1.8))
        self._dot.setSize(self._style.px(DOT))
        self._dot.setBrush(theme.value)
        self._dot.setPen(plot_pen(theme.node, 1.0))
        self._first.setFont(self._style.font("caption strong"))
        self.show_state()


def thinned(xs: Array, ys: Array) -> tuple[Array, Array]:
    """Return at most `MOST` points that look the same: least and largest of each stretch."""
    if len(xs) <= MOST:
        return xs, ys
    stretch = -(-len(xs) // (MOST // 2))
    starts = numpy.arange(0, len(xs), stretch)
    low = [int(start + ys[start : start + stretch].argmin()) for start in starts]
    high = [int(start + ys[start : start + stretch].argmax()) for start in starts]
    places = numpy.unique([*low, *high, 0, len(xs) - 1])
    return xs[places], ys[places]
