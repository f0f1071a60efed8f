"""The layers of a network: NetworkRow as boxes at the top of the stage, LayerBars as rows of the
page Train.

The length of each layer's bar is the size of its gradients, relative to the largest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.controls.layouts import plain_tooltip
from app.guard import exception_safe
from app.style.current import Style
from app.style.strokes import antialiased
from app.workbench.training import Training

_BOX_HEIGHT: Final = 83
_HEAD_HEIGHT, _ROW_CENTRES, _BAR_CENTRE = 28, (42.0, 59.0), 74.0
"""Height of a box, of its head, and centres of its two rows and of its bar, in px at 100 %."""
_LAYER_WIDTH, _END_WIDTH, _MIN_BOX_WIDTH, _MIN_GAP = 168.0, 126.0, 118.0, 44.0
"""Widths of a layer, of the boxes at both ends, least width of a box, and least gap between two,
in px at 100 %."""
_STACK_OFFSET: Final = 3.0
"""Offset of each of the two boxes painted behind a layer, in px at 100 %."""
_MAX_WIRES: Final = 5
"""Lines that are drawn from a box to the next one, at most."""
_BAR_HEIGHT: Final = 5.0
"""Height of a bar in a box, in px at 100 %."""
_PAGE_BAR_LEFT, _PAGE_BAR_HEIGHT, _PAGE_ROW_HEIGHT = 58, 8.0, 22
"""Left end and height of the bars of the page, and height of its rows, in px at 100 %."""
_GRAD_SIZE_TOOLTIP: Final = (
    "grad size: root mean square of the gradients of all its weights and biases"
)


def shares(sizes: Sequence[float]) -> list[float]:
    """Return each size as a share of the largest one; that of nan is 0."""
    largest = max((size for size in sizes if not math.isnan(size)), default=0.0)
    if math.isinf(largest):
        return [1.0 if size == largest else 0.0 for size in sizes]
    return [size / largest if size > 0.0 else 0.0 for size in sizes]


def layer_names(training: Training) -> list[str]:
    """Return the name of each layer."""
    count = len(training.learner.layers)
    return [*(f"layer {k}" for k in range(1, count)), "output"]


@exception_safe
class _Layers(QWidget):
    """Base of the widgets that paint layers: a training, and a tooltip about the bars."""

    def __init__(self, style: Style, training: Training) -> None:
        super().__init__()
        self._style, self._training = style, training
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip(plain_tooltip(_GRAD_SIZE_TOOLTIP))
        style.changed.connect(self.updateGeometry)

    def minimumSizeHint(self) -> QSize:
        return QSize(1, self.sizeHint().height())


@exception_safe
class NetworkRow(_Layers):
    """A box for the inputs, for each layer, and for the loss; hidden where they don't fit."""

    def show_state(self) -> None:
        """Show the present state of the layers."""
        spoken = (f"{k}: {count} weights, grad size {size}" for k, (count, size) in self.rows())
        self.setAccessibleName("; ".join(spoken))
        self.update()

    def rows(self) -> list[tuple[str, tuple[str, str]]]:
        """Return the name of each layer, its number of weights and the size of its gradients."""
        training, short = self._training, self._style.short
        layers = zip(
            layer_names(training), training.learner.layers, training.grad_sizes, strict=True
        )
        return [(name, (f"{len(weights):,}", short(size))) for name, weights, size in layers]

    def fits(self, width: float) -> bool:
        """Return whether all boxes fit into a width in px."""
        boxes = len(self._training.learner.layers) + 2
        min_width = boxes * _MIN_BOX_WIDTH + (boxes - 1) * _MIN_GAP
        return min_width * self._style.control_scale <= width

    def bars(self) -> list[QRectF]:
        """Return the bar in the box of each layer, in px of the widget."""
        boxes = self._boxes()
        layers = enumerate(shares(self._training.grad_sizes), 1)  # box 0 is that of the inputs
        return [boxes.bar(boxes.rect(index), share) for index, share in layers]

    def _boxes(self) -> _Boxes:
        return _Boxes(self._style, self._training, float(self.width()))

    def sizeHint(self) -> QSize:
        # the layout gives it the whole width; `fits` says whether that is enough
        return QSize(self._style.px(480), self._style.px(_BOX_HEIGHT + 2 * _STACK_OFFSET))

    def paintEvent(self, _event: QPaintEvent) -> None:
        with antialiased(self) as painter:
            self._boxes().paint(painter, self.rows())


class _Box(NamedTuple):
    """The contents of a box: a head filled with a colour, a note at its right end, two rows.

    Each row is a caption, a number and its colour. `share` is the length of the bar, None without.
    """

    head: str
    note: str
    fill: QColor
    rows: tuple[tuple[str, str, QColor], tuple[str, str, QColor]]
    share: float | None = None


class _Boxes:
    """Lays out and paints the boxes and the wires between them, in a width in px."""

    def __init__(self, style: Style, training: Training, width: float) -> None:
        self._style, self._training = style, training
        self._scale = scale = style.control_scale
        layers = len(training.learner.layers)
        widths = [_END_WIDTH, *[_LAYER_WIDTH] * layers, _END_WIDTH]
        # without half an outline at each end, and the gaps, into which the stacked boxes reach
        available = width / scale - 1 - (layers + 1) * (_MIN_GAP + 2 * _STACK_OFFSET)
        if sum(widths) > available:  # all get the same width, with the least gaps
            widths = [available / (layers + 2)] * (layers + 2)
        self._widths = [x * scale for x in widths]
        self._gap = (width - scale - sum(self._widths)) / (layers + 1)

    def rect(self, index: int) -> QRectF:
        """Return the rectangle of a box, without those stacked behind it."""
        scale = self._scale
        left = sum(self._widths[:index]) + index * self._gap + scale / 2
        return QRectF(left, 2 * _STACK_OFFSET * scale, self._widths[index], _BOX_HEIGHT * scale - 1)

    def bar(self, rect: QRectF, share: float) -> QRectF:
        """Return the bar of a box, whose length is a share of the largest."""
        scale, inset = self._scale, 12 * self._scale
        top = rect.top() + (_BAR_CENTRE - _BAR_HEIGHT / 2) * scale
        return QRectF(
            rect.left() + inset, top, (rect.width() - 2 * inset) * share, _BAR_HEIGHT * scale
        )

    def paint(self, painter: QPainter, layers: list[tuple[str, tuple[str, str]]]) -> None:
        """Paint wires and boxes; `layers` are the texts of `NetworkRow.rows`."""
        sizes = self._training.setup.sizes
        for k, size in enumerate(sizes):
            self._paint_wires(painter, k, f"{size} → {sizes[k + 1]}" if k + 1 < len(sizes) else "")
        for index, box in enumerate([self._inputs(), *self._layers(layers), self._loss()]):
            self._paint_box(painter, self.rect(index), box)

    def _inputs(self) -> _Box:
        theme, learner = self._style.theme, self._training.learner
        inputs = ("inputs", f"{learner.setup.sizes[0]:,}", theme.text)
        samples = ("samples", f"{len(learner.samples):,}", theme.text)
        return _Box("x", "", theme.header_leaf, (inputs, samples))

    def _layers(self, layers: list[tuple[str, tuple[str, str]]]) -> Iterator[_Box]:
        theme, setup = self._style.theme, self._training.setup
        bar_shares = shares(self._training.grad_sizes)
        for k, (name, (weights, size)) in enumerate(layers, 1):
            output = "sigmoid" if setup.predicts_probability else setup.last
            kind = output if k == len(layers) else setup.activation
            rows = ("weights", weights, theme.text), ("grad size", size, theme.gradient)
            yield _Box(name, f"{setup.sizes[k]} {kind}", theme.header_op, rows, bar_shares[k - 1])

    def _loss(self) -> _Box:
        theme, loss = self._style.theme, self._training.loss
        rows = ("data", self._style.short(loss), theme.value), ("grad", "1", theme.gradient)
        return _Box("loss", "", theme.header_root, rows)

    def _paint_wires(self, painter: QPainter, index: int, text: str) -> None:
        """Paint the wires from a box to the next one, with the numbers of neurons on a chip.

        The last layer has one wire to the loss, and no text.
        """
        theme, scale = self._style.theme, self._scale
        start, end = self.rect(index), self.rect(index + 1)
        painter.setPen(QPen(theme.gradient, 1.4 * scale))
        count = min(self._training.setup.sizes[index], _MAX_WIRES) if text else 1
        for k in range(count):
            y = start.center().y() + (k - (count - 1) / 2) * 9 * scale
            painter.drawLine(QLineF(start.right(), y, end.left(), y))
        if not text:
            return
        painter.setFont(self._style.font("caption"))
        width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 12 * scale
        behind = 2 * _STACK_OFFSET * scale if index else 0.0  # of a layer; the inputs have none
        centre = (start.right() + behind + end.left()) / 2
        chip = QRectF(centre - width / 2, start.center().y() - 10 * scale, width, 20 * scale)
        painter.setPen(QPen(theme.line, 1.0))
        painter.setBrush(theme.panel)
        painter.drawRoundedRect(chip, 10 * scale, 10 * scale)
        painter.setPen(theme.secondary)
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_box(self, painter: QPainter, rect: QRectF, box: _Box) -> None:
        theme, scale = self._style.theme, self._scale
        radius, inset, behind = 10 * scale, 12 * scale, _STACK_OFFSET * scale
        painter.setPen(QPen(theme.outline, 1.2))
        painter.setBrush(theme.node)
        for k in (2, 1) if box.share is not None else ():
            painter.drawRoundedRect(rect.translated(k * behind, -k * behind), radius, radius)
        painter.drawRoundedRect(rect, radius, radius)
        outline = QPainterPath()
        outline.addRoundedRect(rect, radius, radius)
        head = QRectF(rect.left(), rect.top(), rect.width(), _HEAD_HEIGHT * scale)
        painter.save()
        painter.setClipPath(outline)
        painter.fillRect(head, box.fill)
        painter.restore()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect, radius, radius)
        head_text = head.adjusted(inset, 0, -inset, 0)
        self._draw_text(painter, head_text, ("name", box.head, theme.text))
        self._draw_text(painter, head_text, ("caption", box.note, theme.secondary), at_right=True)
        for centre, (caption, number, color) in zip(_ROW_CENTRES, box.rows, strict=True):
            row = head_text.translated(0, (centre - _HEAD_HEIGHT / 2) * scale)
            self._draw_text(painter, row, ("caption", caption, theme.secondary))
            self._draw_text(painter, row, ("interface strong", number, color), at_right=True)
        if box.share is not None:
            paint_bar(painter, self.bar(rect, 1.0), theme.line)
            paint_bar(painter, self.bar(rect, box.share), theme.gradient)

    def _draw_text(
        self, painter: QPainter, row: QRectF, text: tuple[str, str, QColor], at_right: bool = False
    ) -> None:
        role, string, color = text
        side = Qt.AlignmentFlag.AlignRight if at_right else Qt.AlignmentFlag.AlignLeft
        painter.setFont(self._style.font(role))
        painter.setPen(color)
        painter.drawText(row, side | Qt.AlignmentFlag.AlignVCenter, string)


def paint_bar(painter: QPainter, bar: QRectF, color: QColor) -> None:
    """Paint a bar with round ends."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    round_end = min(bar.height(), bar.width()) / 2
    painter.drawRoundedRect(bar, round_end, round_end)


@exception_safe
class LayerBars(_Layers):
    """A row for each layer: its name, its bar and the size of its gradients."""

    def show_state(self) -> None:
        """Show the present sizes of the gradients."""
        sizes = self._training.grad_sizes
        largest = max(range(len(sizes)), key=sizes.__getitem__)
        self.setAccessibleName(f"Which layer moves most: {layer_names(self._training)[largest]}")
        self.updateGeometry()
        self.update()

    def bars(self) -> list[QRectF]:
        """Return the bar of each layer, in px of the widget."""
        px, sizes = self._style.px, self._training.grad_sizes
        metrics = QFontMetricsF(self._style.font("caption strong"))
        number_width = max(metrics.horizontalAdvance(self._style.short(size)) for size in sizes)
        longest = self.width() - px(_PAGE_BAR_LEFT) - number_width - px(10)
        top = px(_PAGE_ROW_HEIGHT) / 2 - px(_PAGE_BAR_HEIGHT) / 2
        return [
            QRectF(
                px(_PAGE_BAR_LEFT),
                k * px(_PAGE_ROW_HEIGHT) + top,
                max(longest, 0.0) * share,
                px(_PAGE_BAR_HEIGHT),
            )
            for k, share in enumerate(shares(sizes))
        ]

    def sizeHint(self) -> QSize:
        return QSize(
            self._style.px(200),
            self._style.px(_PAGE_ROW_HEIGHT) * len(self._training.learner.layers),
        )

    def paintEvent(self, _event: QPaintEvent) -> None:
        style, px, theme = self._style, self._style.px, self._style.theme
        sizes, titles, bars = self._training.grad_sizes, layer_names(self._training), self.bars()
        longest = max(bars, key=QRectF.width)  # its share is 1: as long as the tracks of all
        with antialiased(self) as painter:
            for k, (title, size, bar) in enumerate(zip(titles, sizes, bars, strict=True)):
                row = QRectF(0, k * px(_PAGE_ROW_HEIGHT), self.width(), px(_PAGE_ROW_HEIGHT))
                middle = Qt.AlignmentFlag.AlignVCenter
                painter.setFont(style.font("caption"))
                painter.setPen(theme.text)
                painter.drawText(row, Qt.AlignmentFlag.AlignLeft | middle, title)
                painter.setFont(style.font("caption strong"))
                painter.setPen(theme.gradient)
                painter.drawText(row, Qt.AlignmentFlag.AlignRight | middle, style.short(size))
                track = QRectF(bar.left(), bar.top(), longest.width(), bar.height())
                paint_bar(painter, track, theme.line)
                paint_bar(painter, bar, theme.gradient)
