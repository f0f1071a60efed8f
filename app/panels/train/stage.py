"""The stage of a training, in place of the sheet: layers, decision boundary, and one sample.

The boundary is blue where the output is above 0, as a value; grey below; an ink line at 0. Classes
differ by shape: blue discs and hollow ink squares. A wrong sample has a red ring, the chosen one a
violet ring. A network of one input is a curve over it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from itertools import repeat
from typing import Final, Literal

import numpy
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
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
    QTransform,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from app.controls.buttons import IconButton
from app.controls.drawn_range import Range
from app.controls.focus import claim_keys
from app.controls.layouts import fill_background, in_column, in_row, plain_label
from app.controls.rich_text import RichLine, Span, Spans
from app.guard import exception_safe
from app.panels.train.layers import NetworkRow
from app.style.current import Style
from app.style.strokes import antialiased
from app.style.theme import mixed
from app.workbench.training import (
    COARSE_GRID,
    FINE_GRID,
    Training,
    decision_boundary,
    input_range,
    nearest_sample,
    output_curve,
    output_plane,
)
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


@exception_safe
class BoundaryView(QWidget):
    """The decision boundary in the plane of two inputs, or the output as a curve over one input."""

    sample_chosen = Signal(int)
    """Emitted with the index of a clicked sample, or of one reached by an arrow key."""

    def __init__(self, style: Style, training: Training) -> None:
        super().__init__()
        self._style, self._training = style, training
        self._chosen_sample = 0
        self._image = QImage()
        self._lines: list[QLineF] = []
        self._x_range: Range = (0.0, 1.0)
        self._y_range: Range = (0.0, 1.0)
        self._curve = QPolygonF()
        self._wrong_samples: list[int] = []
        self._stamps: dict[str, QPixmap] = {}
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(200, 160)
        claim_keys(self, *_ARROWS)
        style.changed.connect(self.show_state)
        self.show_state()

    def show_state(self) -> None:
        """Redraw the network's outputs."""
        learner, state = self._training.learner, self._training.state
        self._x_range, self._y_range = input_range(learner, 0), input_range(learner, 1)
        self._image, self._lines, self._curve = QImage(), [], QPolygonF()
        if self._is_plane():
            size = COARSE_GRID if self._training.running else FINE_GRID
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
        self.setAccessibleName(name)
        self.update()

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

    def _area(self) -> QRectF:
        return QRectF(0.0, 0.0, self.width(), self.height() - self._style.px(_NUMBERS_HEIGHT))

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
            self._paint_plane(painter)
            self._paint_numbers(painter)
            self._paint_samples(painter)
            if self.hasFocus():
                painter.setPen(QPen(self._style.theme.selection, 2.0))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(self._area().adjusted(1, 1, -1, -1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
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


_SIDE_WIDTH, _LEAST_PLANE_WIDTH = 340, 320
"""Width of legend and sample, and least width of the boundary on their left, in px at 100 %."""
_LEAST_LAYERS_HEIGHT = 400
"""Height of the stage in px at 100 % below which the layers are hidden."""
_EDGE, _NARROW_EDGE, _SPACING = 24, 16, 22
"""Margins left and right, with and without the side, and space between the parts, in px at 100 %.
"""
_TOP_MARGIN, _TOP_MARGIN_WITHOUT_LAYERS = 10, 17
"""Margin above the layers, and above the boundary where they are hidden, in px at 100 %."""


@exception_safe
class TrainingStage(QWidget):
    """Layers, boundary and sample of a network while it learns."""

    parts_shown = Signal()
    """Emitted after the layers, or legend and sample, were shown or hidden for their space."""

    def __init__(self, style: Style, training: Training) -> None:
        super().__init__()
        self._style, self._training = style, training
        fill_background(self, "canvas")
        self.boundary = BoundaryView(style, training)
        self.sample = SamplePart(style, training)
        self._legend = [_LegendRow(style, mark, words) for mark, words in self._legend_texts()]
        self.title = plain_label("What the network says", "strong")
        self._side = QWidget()
        parts = (self.title, *self._legend, 1, self.sample)
        in_column(*parts, parent=self._side, style=style, edges=(0, 2, 0, 20), gap=0)
        self.network = NetworkRow(style, training)
        below = in_row((self.boundary, 1), self._side, style=style, edges=0, gap=_SPACING)
        self._column = in_column(self.network, (below, 1), parent=self, gap=_SPACING, style=style)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # else keys would edit the sheet behind
        style.run_now_and_on_change(self._restyle)

    @property
    def has_layers(self) -> bool:
        """Return whether the layers are shown, with their bars."""
        return not self.network.isHidden()

    @property
    def has_sample(self) -> bool:
        """Return whether the sample is shown."""
        return not self._side.isHidden()

    def show_state(self, sample: int) -> None:
        """Redraw the network's outputs, and show a sample."""
        self.boundary.choose(sample)
        self.boundary.show_state()
        self._describe(sample)

    def show_layers(self) -> None:
        """Redraw the layers, which are hidden if they don't fit."""
        self._fit()
        self.network.show_state()

    def choose(self, sample: int) -> None:
        """Mark the chosen sample by the violet ring, and show the slice through it."""
        self.boundary.choose(sample)
        self._describe(sample)

    def _describe(self, sample: int) -> None:
        """Write the sample's card and the legend, whose texts the boundary must know before."""
        self.sample.show_sample(sample)
        for row in self._legend:
            row.refresh()

    def _fit(self) -> None:
        """Hide legend and sample, or the layers, if the boundary would become too small."""
        px, before = self._style.px, (self.has_layers, self.has_sample)
        width = self.width() - 2 * px(_EDGE)
        has_side = width >= px(_LEAST_PLANE_WIDTH + _SPACING + _SIDE_WIDTH)
        is_high_enough = self.height() >= px(_LEAST_LAYERS_HEIGHT)
        self._side.setVisible(has_side)
        self.network.setVisible(has_side and is_high_enough and self.network.fits(width))
        edge = px(_EDGE if has_side else _NARROW_EDGE)
        top = px(_TOP_MARGIN if self.has_layers else _TOP_MARGIN_WITHOUT_LAYERS)
        self._column.setContentsMargins(edge, top, edge, px(6))
        if before != (self.has_layers, self.has_sample):
            self.parts_shown.emit()

    def _legend_texts(self) -> tuple[tuple[Mark, Callable[[], str]], ...]:
        return (
            ("disc", lambda: self._class_text("+1", "blue where o > 0") or "a sample"),
            ("square", lambda: self._class_text("−1", "grey where o < 0")),
            ("line", self._boundary_text),
            ("curve", lambda: "" if self._training.setup.sizes[0] > 1 else "output o"),
            ("wrong", lambda: self._wrong_text() if self._has_classes() else ""),
            ("chosen", lambda: "the sample below; click another"),
        )

    def _class_text(self, target: str, of_plane: str) -> str:
        color = of_plane.replace("where", "where its") if self.boundary.slice_text else of_plane
        return f"target {target}, {color}" if self._has_classes() else ""

    def _has_classes(self) -> bool:
        return self._training.learner.has_classes

    def _boundary_text(self) -> str:
        if self._training.setup.sizes[0] == 1:
            return ""
        place = self.boundary.slice_text
        return f"boundary: o = 0 at {place}" if place else "boundary: o = 0"

    def _wrong_text(self) -> str:
        wrong, count = len(self.boundary.wrong_samples()), len(self._training.learner.samples)
        return f"wrong: {wrong or 'none'} of {count:,}"

    def _restyle(self) -> None:
        self._side.setFixedWidth(self._style.px(_SIDE_WIDTH))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._training.pause()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()  # the sheet below gets nothing

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        event.accept()


@exception_safe
class _LegendRow(QWidget):
    """A legend entry: a mark and its meaning; hidden while the meaning is empty."""

    def __init__(self, style: Style, mark: Mark, words: Callable[[], str]) -> None:
        super().__init__()
        self._style, self._words = style, words
        self._mark: Mark = mark
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._label = plain_label()
        in_row(self._label, 1, parent=self, style=style, edges=(30, 0, 0, 0))  # beside the mark

    def refresh(self) -> None:
        """Set the meaning of the mark."""
        words = self._words()
        if words != self._label.text():
            self._label.setText(words)
        self.setVisible(bool(words))

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(200), self._style.px(22))

    def paintEvent(self, _event: QPaintEvent) -> None:
        with antialiased(self) as painter:
            paint_mark(
                painter, self._style, self._mark, QPointF(self._style.px(11), self.height() / 2)
            )


_GAP = "   "
_NEAREST_NOTE = ", nearest the boundary"
_STEP_TEXT, _NEAREST_TEXT, _NEXT_TEXT = "Step its backward", "Nearest", "Next"


class SamplePart(QFrame):
    """A sample with its output and loss, as a card on the stage, or `brief` in the page."""

    step_wanted = Signal(int)
    """Emitted with its index when its graph is wanted on the sheet, with a backward pass begun."""
    next_wanted = Signal()
    nearest_wanted = Signal()
    """Emitted when the sample nearest to the decision boundary is wanted."""

    def __init__(self, style: Style, training: Training, brief: bool = False) -> None:
        super().__init__()
        self._style, self._training, self._brief = style, training, brief
        self._sample = 0
        self.title = plain_label(kind="strong")
        self.target = plain_label(kind="secondary")
        self.numbers = RichLine(style, font_role="interface", wrap=not brief)
        self.step = IconButton(
            style,
            "backward",
            "Put its graph on the sheet and step its backward pass",
            text=_STEP_TEXT,
        )
        self.step.set_kind("backward")
        self.nearest = IconButton(
            style, "", "The sample whose output is nearest 0, the boundary", text=_NEAREST_TEXT
        )
        self.next = IconButton(style, "", "The next sample", text=_NEXT_TEXT)
        self._lay_out()
        self.step.clicked.connect(self._emit_step_wanted)
        self.next.clicked.connect(self.next_wanted)
        self.nearest.clicked.connect(self.nearest_wanted)

    def _lay_out(self) -> None:
        style = self._style
        for button in (self.step, self.nearest, self.next):
            button.setProperty("low", "true" if self._brief else "")
        buttons = in_row(
            (self.step, 1), self.nearest, self.next, style=style, gap=4 if self._brief else 6
        )
        if self._brief:
            head = in_row(self.title, 1, self.numbers, self.target, style=style, gap=8)
            in_column(head, buttons, parent=self, style=style, edges=0, gap=6)
        else:
            self.setProperty("kind", "question")
            parts = (self.title, self.target, self.numbers, buttons)
            in_column(*parts, parent=self, style=style, edges=12, gap=5)

    def show_sample(self, sample: int) -> None:
        """Show a sample with the network's current output for it."""
        self._sample = sample
        training, short = self._training, self._style.short
        learner = training.learner
        is_nearest = learner.has_classes and sample == nearest_sample(training.outputs)
        self.title.setText(
            f"Sample {sample + 1}{_NEAREST_NOTE if is_nearest and not self._brief else ''}"
        )
        self.nearest.setHidden(not learner.has_classes)
        self.nearest.setEnabled(not is_nearest)
        self.target.setText(f"target {short(learner.samples[sample].target)}")
        self.numbers.set_spans(self._number_spans(sample))

    def _number_spans(self, sample: int) -> Spans:
        """Return the output as spans; on the card between the inputs and the loss."""
        training, learner = self._training, self._training.learner
        numbers = [("o", float(training.outputs[sample]))]
        if not self._brief:
            inputs = zip(training.titles, learner.samples[sample].inputs, strict=True)
            loss = float(learner.sample_losses(training.state)[sample])
            numbers = [*inputs, *numbers, ("loss", loss)]
        spans: list[Span] = []
        for title, value in numbers:
            number = Span(self._style.short(value), "value", bold=True)
            gap = "" if not spans else "\n" if title == "o" else _GAP
            spans += [Span(gap), Span(title, "secondary"), Span("\N{NO-BREAK SPACE}"), number]
        return tuple(span for span in spans if span.text)

    def _emit_step_wanted(self) -> None:
        self.step_wanted.emit(self._sample)
