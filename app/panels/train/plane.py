"""PlaneView: samples in the plane of two inputs, and the decision boundary of a network.

The boundary is blue where the output is above 0, as a value; grey below; an ink line at 0. Classes
differ by shape: blue discs and hollow ink squares. A wrong sample has a red ring, the chosen one a
violet ring. A network of one input is a curve over it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import repeat
from typing import Final, Literal

import numpy
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QFontMetricsF,
    QHideEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
    QShowEvent,
    QTransform,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.controls.drawn_range import Range
from app.controls.focus import claim_keys
from app.controls.rich_text import RichLine
from app.controls.spans import filled
from app.guard import exception_safe
from app.style.current import Style
from app.style.strokes import antialiased
from app.style.theme import mixed
from app.workbench.playback.playback import Playback
from app.workbench.playback.view_state import ViewState
from app.workbench.training import (
    COARSE_GRID,
    FINE_GRID,
    Training,
    decision_boundary,
    input_range,
    output_curve,
    output_plane,
)
from engine.graph import Graph
from engine.numbers import short
from engine.training.learning import Array

_DISC, _SQUARE, _WRONG_RING, _CHOSEN_RING = 9.0, 8.0, 15.0, 20.0
"""Diameters in px at 100 %."""
_LINE_WIDTH: Final = 2.0
"""Width of the line on which the output is 0, in px at 100 %."""

Mark = Literal["disc", "square", "line", "curve", "wrong", "chosen"]


def paint_mark(
    painter: QPainter, style: Style, mark: Mark, at: QPointF, fill: QColor | None = None
) -> None:
    """Paint one mark around a point; a disc or square with its `fill` has an ink outline."""
    theme, scale = style.theme, style.control_scale
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if mark in ("line", "curve"):
        painter.setPen(QPen(theme.text if mark == "line" else theme.value, _LINE_WIDTH * scale))
        painter.drawLine(at - QPointF(8 * scale, 0), at + QPointF(8 * scale, 0))
    elif mark == "disc":
        painter.setPen(QPen(theme.text if fill else theme.node, 1.2 * scale))
        painter.setBrush(fill or theme.value)
        painter.drawEllipse(at, _DISC * scale / 2, _DISC * scale / 2)
    elif mark == "square":
        painter.setPen(QPen(theme.text, 1.5 * scale))
        painter.setBrush(fill or theme.node)
        half = _SQUARE * scale / 2
        painter.drawRect(QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half))
    else:
        color, size = (
            (theme.error, _WRONG_RING) if mark == "wrong" else (theme.selection, _CHOSEN_RING)
        )
        painter.setPen(QPen(color, (1.8 if mark == "wrong" else 2.4) * scale))
        painter.drawEllipse(at, size * scale / 2, size * scale / 2)


_FILLS: Final = 8
"""Number of tints of each sign that a sample beside its slice is filled with."""
_SHADES: Final = 64
"""Number of tints of each side of the boundary."""
_NUMBERS_HEIGHT: Final = 20
"""Height of the numbers below the plane, in px at 100 %."""
_STAMP_SIZE: Final = 16
"""Side of the pixmap of a mark, in px at 100 %."""
_CLICK_DISTANCE: Final = 14
"""Largest distance of a click from its sample, in px at 100 %."""
_CURVE_LIMIT: Final = 1e4
"""Bound of a drawn curve, as a multiple of the samples' extent: Qt can't draw huge coordinates."""
_ABOUT_TICKS: Final = 5
"""Approximate number of numbers below the plane."""
_ARROWS: Final = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}


_LINE_HEIGHT: Final = 24
"""Height of the line below the numbers, in px at 100 %."""
_TOLD_HEIGHT: Final = 250
"""Usual height of a plane with its line, in px at 100 %."""
_REST_MS: Final = 120
"""Time in ms after which a value is held no more, and the fine grid is drawn."""
_PALE: Final = 0.3
"""Opacity of a plane whose network the sheet no longer is."""
_WRONG_TEXT: Final = "**{wrong}** of {all} dots wrong"
_STEPS_TEXT: Final = "After **{epochs}** steps of learning **{wrong}** of {all} dots wrong"
_OTHER_TEXT: Final = "This is no longer the network."


@exception_safe
class PlaneView(QWidget):
    """The decision boundary in the plane of two inputs, or the output as a curve over one input.

    One that is `told` has a line below it, and no sample to choose: how many are wrong, with the
    weights of a training that `learn` begins, or with those of the sheet that it follows.
    """

    sample_chosen = Signal(int)
    """Emitted with the index of a clicked sample, or of one reached by an arrow key."""

    def __init__(self, style: Style, training: Training, *, told: bool = False) -> None:
        super().__init__()
        self._style, self._training = style, training
        self.line = RichLine(style, font_role="interface", wrap=False, parent=self)
        self.line.setVisible(told)
        self._told, self._learns, self._is_network = told, False, True
        self._sheet: Graph | None = None
        """The graph of the sheet whose weights are shown."""
        self._held = QTimer(self, interval=_REST_MS, singleShot=True)
        self._held.timeout.connect(self.show_state)
        self._chosen_sample = 0
        self._image = QImage()
        self._lines: list[QLineF] = []
        self._x_range: Range = (0.0, 1.0)
        self._y_range: Range = (0.0, 1.0)
        self._curve = QPolygonF()
        self._wrong_samples: list[int] = []
        self._stamps: dict[str, QPixmap] = {}
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus if told else Qt.FocusPolicy.StrongFocus)
        # px at all sizes: what is read beside it grows, and the picture takes what is left
        self.setMinimumSize(160 if told else 200, 160)
        if told:
            self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        claim_keys(self, *_ARROWS)
        style.changed.connect(self.show_state)
        self.show_state()

    def show_state(self) -> None:
        """Redraw the network's outputs."""
        learner, state = self._training.learner, self._training.state
        self._x_range, self._y_range = input_range(learner, 0), input_range(learner, 1)
        self._image, self._lines, self._curve = QImage(), [], QPolygonF()
        if self._is_plane():
            is_moving = self._training.running or self._held.isActive()
            size = COARSE_GRID if is_moving else FINE_GRID
            grid = output_plane(learner, state, self._chosen_sample, size)
            self._image = self._shaded(grid.outputs)
            xs, ys = (ends.tolist() for ends in decision_boundary(grid))
            ends = zip(xs[::2], ys[::2], xs[1::2], ys[1::2], strict=True)
            self._lines = [QLineF(*line) for line in ends]
        else:
            xs, ys = (numbers.tolist() for numbers in output_curve(learner, state))
            low, high = self._y_range
            limit = _CURVE_LIMIT * (high - low)
            points = [QPointF(x, y) for x, y in zip(xs, ys, strict=True) if abs(y - low) < limit]
            self._curve = QPolygonF(points)
        self._wrong_samples = [k for k, right in enumerate(self._training.right) if not right]
        wrong, place = len(self._wrong_samples), self.slice_text
        name = f"Samples and boundary: {wrong} wrong"
        if place:
            name = f"Samples and boundary at {place}: {wrong} wrong"
        if self._told:
            self._tell()
        else:
            self.setAccessibleName(name)
        self.update()

    def learn(self) -> None:
        """Let the network learn once, while it is seen; without motion its end is shown at once."""
        self._learns = True
        self._training.advanced.connect(self._follow_training)
        self._go_on()

    def follow(self, playback: Playback) -> None:
        """Show the weights of the sheet from now on, on the coarse grid while they change."""
        playback.shown.connect(self._follow_sheet)
        self._follow_sheet(playback.now)

    def _go_on(self) -> None:
        training = self._training
        if self.isVisible() and training.epochs < training.setup.epochs and not training.running:
            training.set_pace("50" if self._style.motion else "full")
            training.run()

    def _follow_training(self) -> None:
        # each second step, for 25 pictures in a second are enough to see it move
        if not self._training.running or self._training.state.epochs % 2 == 0:
            self.show_state()

    def _follow_sheet(self, now: ViewState) -> None:
        graph = now.frame.graph
        if graph is self._sheet:
            return
        self._sheet, training = graph, self._training
        state = training.learner.state_of(graph)
        is_same = state is not None and bool((state.values == training.state.values).all())
        if is_same and self._is_network:
            return
        self._is_network = state is not None
        if state is not None:
            training.show_state(state)
        if self.isVisible():
            self._held.start()
        self.show_state()

    def _tell(self) -> None:
        """Write the line; a screen reader gets it when nothing moves."""
        training, wrong = self._training, len(self._wrong_samples)
        text = _STEPS_TEXT if self._learns else _WRONG_TEXT if self._is_network else _OTHER_TEXT
        count, epochs = f"{len(training.learner.samples)}", f"{training.state.epochs}"
        self.line.set_spans(filled(text, epochs=epochs, wrong=f"{wrong}", all=count))
        said = self.line.text()
        if self.line.sizeHint().width() > self.width():
            self.line.set_spans(filled(_WRONG_TEXT, wrong=f"{wrong}", all=count))
        said = f"Picture: {said[:1].lower()}{said[1:]}"
        if not training.running and said != self.accessibleName():
            self.setAccessibleName(said)
            if self._learns and training.epochs and QAccessible.isActive():
                QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, said))

    @property
    def slice_text(self) -> str:
        """Return `x3 = 0.5`, the inputs of the chosen sample that the plane has no axis for."""
        inputs = self._training.learner.samples[self._chosen_sample].inputs
        named = zip(self._training.titles[2:], inputs[2:], strict=True)
        return ", ".join(f"{title} = {short(x)}" for title, x in named)

    @property
    def axis_names(self) -> tuple[str, str]:
        """Return the names of the axis to the right and of the one upwards."""
        titles = self._training.titles
        return titles[0], titles[1] if self._is_plane() else "o"

    def choose(self, sample: int) -> None:
        """Mark the chosen sample by the violet ring, and show the slice through it."""
        if sample != self._chosen_sample:
            self._chosen_sample = sample
            if self.slice_text:
                self.show_state()
        self.update()

    def position_of(self, sample: int) -> QPointF:
        """Return the position of a sample in px of the widget."""
        found = self._training.learner.samples[sample]
        y = found.inputs[1] if self._is_plane() else found.target
        return self._to_screen().map(QPointF(found.inputs[0], y))

    def wrong_samples(self) -> Sequence[int]:
        """Return the indices of the samples with a red ring."""
        return self._wrong_samples

    def _is_plane(self) -> bool:
        return self._training.setup.sizes[0] > 1

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(300), self._style.px(_TOLD_HEIGHT))

    def _area(self) -> QRectF:
        below = _NUMBERS_HEIGHT + _LINE_HEIGHT * self._told
        return QRectF(0.0, 0.0, self.width(), self.height() - self._style.px(below))

    def _to_screen(self) -> QTransform:
        """Return the transform from inputs (or input and output) to px of the widget."""
        area, (left, right), (low, high) = self._area(), self._x_range, self._y_range
        x_scale, y_scale = area.width() / (right - left), area.height() / (high - low)
        # y grows upwards in the plane, downwards on the screen
        return QTransform(
            x_scale, 0.0, 0.0, -y_scale, -left * x_scale, area.bottom() + low * y_scale
        )

    def _shaded(self, outputs: Array) -> QImage:
        """Return an image of the outputs, a pixel for each point of the grid."""
        # outputs from -1 to 1 become indices of colours, 0 to 2 * _SHADES - 1, rounded down;
        # y grows upwards, so rows are flipped
        level = numpy.clip(numpy.nan_to_num(outputs), -1.0, 1.0)
        shades = numpy.floor((level + 1.0) * (_SHADES - 0.5)).astype(numpy.uint8)[::-1]
        shades = numpy.ascontiguousarray(shades)
        high, wide = shades.shape
        image = QImage(shades.tobytes(), wide, high, wide, QImage.Format.Format_Indexed8)
        theme = self._style.theme
        image.setColorTable(_tints(theme.muted.rgb(), theme.secondary.rgb(), theme.value.rgb()))
        return image.convertToFormat(QImage.Format.Format_RGB32)  # owns its pixels

    def _paint_plane(self, painter: QPainter) -> None:
        area, theme, scale = self._area(), self._style.theme, self._style.control_scale
        painter.save()
        painter.setClipRect(area)
        painter.fillRect(area, theme.muted)
        if not self._image.isNull():
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            # the middles of the outermost pixels lie on the edges of the area
            half_width = area.width() / (self._image.width() - 1) / 2
            half_height = area.height() / (self._image.height() - 1) / 2
            box = area.adjusted(-half_width, -half_height, half_width, half_height)
            painter.drawImage(box, self._image)
        pen = QPen(theme.text if self._is_plane() else theme.value, _LINE_WIDTH * scale)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.setTransform(self._to_screen(), combine=True)
        painter.drawLines(self._lines)
        painter.drawPolyline(self._curve)
        painter.restore()
        painter.setPen(QPen(theme.line, 1.0))
        painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))

    def _paint_numbers(self, painter: QPainter) -> None:
        font, to_screen = self._style.font("small"), self._to_screen()
        metrics, area = QFontMetricsF(font), self._area()
        painter.setFont(font)
        painter.setPen(self._style.theme.secondary)
        line, names = area.bottom() + metrics.ascent() + 4, (*self.axis_names, self.slice_text)
        right, half = Qt.TextElideMode.ElideRight, area.width() / 2 - 12
        right_name, up_name, place = (metrics.elidedText(name, right, half) for name in names)
        end = area.right() - metrics.horizontalAdvance(right_name)
        painter.drawText(QPointF(end, line), right_name)
        for x in ticks(*self._x_range):
            text, at = short(x), to_screen.map(QPointF(x, 0.0))
            wide = metrics.horizontalAdvance(text)
            if at.x() + wide / 2 < end - 6:
                painter.drawText(QPointF(at.x() - wide / 2, line), text)
        painter.setPen(self._style.theme.text)
        top = metrics.ascent() + 6
        painter.drawText(QPointF(6, top), up_name)
        left = area.right() - 6 - metrics.horizontalAdvance(place)
        painter.drawText(QPointF(left, top), place)

    def _paint_samples(self, painter: QPainter) -> None:
        learner, to_screen = self._training.learner, self._to_screen()
        plane, has_classes = self._is_plane(), learner.has_classes
        places = [
            to_screen.map(QPointF(x.inputs[0], x.inputs[1] if plane else x.target))
            for x in learner.samples
        ]
        half = QPointF(_STAMP_SIZE / 2, _STAMP_SIZE / 2) * self._style.control_scale
        is_slice = bool(self.slice_text)  # samples lie in front of it and behind it
        fills = map(self._fill, self._training.outputs.tolist()) if is_slice else repeat(None)
        for sample, at, fill in zip(learner.samples, places, fills, strict=False):
            # along a curve the height of a sample is its target: all are discs
            is_disc = sample.target > 0.0 or not (has_classes and plane)
            painter.drawPixmap(at - half, self._stamp("disc" if is_disc else "square", fill))
        for sample in self._wrong_samples:
            paint_mark(painter, self._style, "wrong", places[sample])
        paint_mark(painter, self._style, "chosen", places[self._chosen_sample])

    def _fill(self, output: float) -> QColor:
        """Return the colour of a sample's own output, in a few tints: blue above 0, else grey."""
        theme = self._style.theme
        strength = 0.0 if math.isnan(output) else round(min(abs(output), 1.0) * _FILLS) / _FILLS
        return mixed(theme.node, theme.value if output > 0.0 else theme.secondary, strength)

    def _stamp(self, mark: Mark, fill: QColor | None) -> QPixmap:
        """Return a picture of a mark: it is painted once and stamped for each sample."""
        pixel_ratio, size = self.devicePixelRatioF(), _STAMP_SIZE * self._style.control_scale
        key = f"{mark} {fill and fill.name()} {self._style.theme.name} {size} {pixel_ratio}"
        if key not in self._stamps:
            stamp = QPixmap(round(size * pixel_ratio), round(size * pixel_ratio))
            stamp.setDevicePixelRatio(pixel_ratio)
            stamp.fill(Qt.GlobalColor.transparent)
            with QPainter(stamp) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                paint_mark(painter, self._style, mark, QPointF(size / 2, size / 2), fill)
            self._stamps[key] = stamp
        return self._stamps[key]

    def paintEvent(self, _event: QPaintEvent) -> None:
        with antialiased(self) as painter:
            painter.setOpacity(1.0 if self._is_network else _PALE)
            self._paint_plane(painter)
            self._paint_numbers(painter)
            self._paint_samples(painter)
            if self.hasFocus():
                painter.setPen(QPen(self._style.theme.selection, 2.0))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(self._area().adjusted(1, 1, -1, -1))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._learns:
            QTimer.singleShot(0, self, self._go_on)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._learns:
            self._training.pause()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        height = self._style.px(_LINE_HEIGHT)
        self.line.setGeometry(QRect(0, self.height() - height, self.width(), height))
        if self._told:
            self._tell()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._told:
            event.ignore()
            return
        event.accept()
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        distances = [
            (self.position_of(sample) - event.position()).manhattanLength()
            for sample in range(len(self._training.learner.samples))
        ]
        nearest = min(range(len(distances)), key=distances.__getitem__)
        if event.button() == Qt.MouseButton.LeftButton and distances[nearest] <= self._style.px(
            _CLICK_DISTANCE
        ):
            self.sample_chosen.emit(nearest)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _ARROWS.get(Qt.Key(event.key()))
        if step is None:
            event.ignore()
        else:
            count = len(self._training.learner.samples)
            self.sample_chosen.emit((self._chosen_sample + step) % count)


def ticks(low: float, high: float) -> list[float]:
    """Return about five round numbers in a range, apart by 1, 2 or 5 times a power of ten."""
    least_stride = (high - low) / _ABOUT_TICKS
    power = 10.0 ** numpy.floor(numpy.log10(least_stride))
    step = power * next(factor for factor in (1, 2, 5, 10) if factor * power >= least_stride)
    first = int(numpy.ceil(low / step))
    return [float(k * step) for k in range(first, int(numpy.floor(high / step)) + 1)]


@cache
def _tints(paper: int, below_zero: int, above_zero: int) -> list[int]:
    """Return the colours of outputs from −1 to 1, for a background and the colours of two sides."""
    paper_color, secondary, value = (QColor(rgb) for rgb in (paper, below_zero, above_zero))
    pale, grey = (mixed(paper_color, secondary, share) for share in (0.06, 0.16))
    light, blue = (mixed(paper_color, value, share) for share in (0.14, 0.40))
    steps = [k / (_SHADES - 1) for k in range(_SHADES)]
    below = [mixed(grey, pale, step) for step in steps]
    above = [mixed(light, blue, step) for step in steps]
    return [color.rgb() for color in (*below, *above)]
