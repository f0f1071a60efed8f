"""The layers of a network: as stacked boxes above the boundary, and as bars in the panel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.controls.kind import plain_tooltip
from app.guard import guarded
from app.style.current import Style
from app.workbench.training.training import Training

HIGH: Final = 104
"""Height of the boxes, in px at 100 %."""
HEAD: Final = 30
WIDEST, NARROWEST, GAP, LEAST_GAP = 156.0, 118.0, 60.0, 44.0
"""Widths of a box and of the space between two, in px at 100 %."""
BEHIND: Final = 4.0
"""How far each of the two boxes behind a layer stands out, in px at 100 %."""
ROW: Final = 24
"""Height of the bar of a layer, in px at 100 %."""
MEANT: Final = "grad size: root mean square of the gradients of all its weights and biases"


def names(training: Training) -> list[str]:
    """Return the name of each layer."""
    count = len(training.learner.layers)
    return [*(f"layer {k}" for k in range(1, count)), "output"]


@guarded
class NetworkRow(QWidget):
    """The inputs, a box for each layer, and the loss; hidden where they have no room."""

    def __init__(self, style: Style, training: Training) -> None:
        super().__init__()
        self._style, self._training = style, training
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip(plain_tooltip(MEANT))
        style.changed.connect(self.updateGeometry)

    def show_state(self) -> None:
        """Show the layers as they are now."""
        rows = self.rows()
        self.setAccessibleName("; ".join(f"{head}: {', '.join(texts)}" for head, texts in rows))
        self.update()

    def rows(self) -> list[tuple[str, tuple[str, str]]]:
        """Return the name of each layer, its number of weights and the size of its gradients."""
        training, short = self._training, self._style.short
        layers = zip(names(training), training.learner.layers, training.grad_sizes, strict=True)
        return [(name, (f"{len(places):,}", short(size))) for name, places, size in layers]

    def fits(self, width: float) -> bool:
        """Return whether all boxes have room in a width."""
        boxes = len(self._training.learner.layers) + 2
        scale = self._style.control_scale
        return boxes * NARROWEST * scale + (boxes - 1) * LEAST_GAP * scale <= width

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(480), self._style.px(HIGH + 2 * BEHIND))

    def minimumSizeHint(self) -> QSize:
        return QSize(1, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            boxes = _Boxes(painter, self._style, self._training, float(self.width()))
            boxes.paint(self.rows())


class _Box(NamedTuple):
    """A box: its head with a text beside it, and two numbers with their captions and colours."""

    head: str
    beside: str
    fill: QColor
    rows: tuple[tuple[str, str, QColor], tuple[str, str, QColor]]
    stacked: bool = False


class _Boxes:
    """Paints the boxes and what is between them."""

    def __init__(self, painter: QPainter, style: Style, training: Training, width: float) -> None:
        self._painter, self._style, self._training = painter, style, training
        scale, count = style.control_scale, len(training.learner.layers) + 2
        share = (width - (count - 1) * LEAST_GAP * scale) / count
        self._wide = min(max(share, NARROWEST * scale), WIDEST * scale)
        gap = (width - count * self._wide) / (count - 1)
        self._gap = min(max(gap, LEAST_GAP * scale), GAP * scale)
        self._scale = scale

    def paint(self, layers: list[tuple[str, tuple[str, str]]]) -> None:
        sizes = self._training.setup.sizes
        for k, size in enumerate(sizes):
            self._wires(k, f"{size} → {sizes[k + 1]}" if k + 1 < len(sizes) else "")
        boxes = [self._inputs(), *self._layers(layers), self._loss()]
        for place, box in enumerate(boxes):
            self._paint_box(self._rect(place), box)

    def _inputs(self) -> _Box:
        theme, learner = self._style.theme, self._training.learner
        inputs = ("inputs", f"{learner.setup.sizes[0]:,}", theme.text)
        samples = ("samples", f"{len(learner.samples):,}", theme.text)
        return _Box("x", "", theme.header_leaf, (inputs, samples))

    def _layers(self, layers: list[tuple[str, tuple[str, str]]]) -> Iterator[_Box]:
        theme, setup = self._style.theme, self._training.setup
        for k, (name, (weights, size)) in enumerate(layers, 1):
            last = "sigmoid" if setup.chance else setup.last
            kind = last if k == len(layers) else setup.activation
            rows = ("weights", weights, theme.text), ("grad size", size, theme.gradient)
            yield _Box(name, f"{setup.sizes[k]} {kind}", theme.header_op, rows, stacked=True)

    def _loss(self) -> _Box:
        theme, loss = self._style.theme, self._training.loss
        rows = ("data", self._style.short(loss), theme.value), ("grad", "1", theme.gradient)
        return _Box("loss", "", theme.header_root, rows)

    def _rect(self, place: int) -> QRectF:
        scale = self._scale
        left = place * (self._wide + self._gap) + 1
        return QRectF(left, 2 * BEHIND * scale, self._wide - 2 * BEHIND * scale, HIGH * scale - 1)

    def _wires(self, place: int, text: str) -> None:
        """Paint what leads from a box to the next one, with the numbers of neurons."""
        painter, theme, scale = self._painter, self._style.theme, self._scale
        start, end = self._rect(place), self._rect(place + 1)
        painter.setPen(QPen(theme.wire, 1.6 * scale))
        for down in (-14, 0, 14) if text else (0,):
            y = start.center().y() + down * scale
            painter.drawLine(QLineF(start.right(), y, end.left(), y))
        if not text:
            return
        painter.setFont(self._style.font("small"))
        wide = QFontMetricsF(painter.font()).horizontalAdvance(text) + 8 * scale
        centre = (start.right() + 2 * BEHIND * scale * (place > 0) + end.left()) / 2
        chip = QRectF(centre - wide / 2, start.center().y() - 9 * scale, wide, 18 * scale)
        painter.setPen(QPen(theme.line, 1.0))
        painter.setBrush(theme.panel)
        painter.drawRoundedRect(chip, 6 * scale, 6 * scale)
        painter.setPen(theme.secondary)
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_box(self, rect: QRectF, box: _Box) -> None:
        painter, theme, scale = self._painter, self._style.theme, self._scale
        radius, inset = 8 * scale, 10 * scale
        painter.setPen(QPen(theme.outline, 1.2))
        painter.setBrush(theme.node)
        for k in (2, 1) if box.stacked else ():
            painter.drawRoundedRect(rect.translated(k * BEHIND, -k * BEHIND), radius, radius)
        painter.drawRoundedRect(rect, radius, radius)
        outline = QPainterPath()
        outline.addRoundedRect(rect, radius, radius)
        head = QRectF(rect.left(), rect.top(), rect.width(), HEAD * scale)
        painter.save()
        painter.setClipPath(outline)
        painter.fillRect(head, box.fill)
        painter.restore()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect, radius, radius)
        self._write(head.adjusted(inset, 0, -inset, 0), "interface strong", box.head, theme.text)
        beside = head.adjusted(inset, 0, -inset, 0)
        self._write(beside, "small", box.beside, theme.secondary, at_right=True)
        high = (rect.height() - HEAD * scale) / 2
        for k, (caption, number, color) in enumerate(box.rows):
            row = QRectF(head.left(), head.bottom() + k * high, head.width(), high)
            row.adjust(inset, 0, -inset, 0)
            self._write(row, "caption", caption, theme.secondary)
            self._write(row, "interface strong", number, color, at_right=True)

    def _write(
        self, row: QRectF, font: str, text: str, color: QColor, at_right: bool = False
    ) -> None:
        side = Qt.AlignmentFlag.AlignRight if at_right else Qt.AlignmentFlag.AlignLeft
        self._painter.setFont(self._style.font(font))
        self._painter.setPen(color)
        self._painter.drawText(row, side | Qt.AlignmentFlag.AlignVCenter, text)


@guarded
class LayerBars(QWidget):
    """A bar for each layer, as long as its gradients are large beside those of the others."""

    def __init__(self, style: Style, training: Training) -> None:
        super().__init__()
        self._style, self._training = style, training
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip(plain_tooltip(MEANT))
        style.changed.connect(self.updateGeometry)

    def show_state(self) -> None:
        """Show the gradients as they are now."""
        sizes = self._training.grad_sizes
        largest = max(range(len(sizes)), key=sizes.__getitem__)
        self.setAccessibleName(f"Which layer moves most: {names(self._training)[largest]}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(200), self._style.px(ROW) * len(self._training.learner.layers))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        style, px, theme = self._style, self._style.px, self._style.theme
        sizes, titles = self._training.grad_sizes, names(self._training)
        largest = max((size for size in sizes if size - size == 0.0), default=0.0) or 1.0
        texts = [style.short(size) for size in sizes]
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            number = QFontMetricsF(style.font("caption strong"))
            right = max(number.horizontalAdvance(text) for text in texts)
            wide = self.width() - px(60) - right - px(10)
            for k, (title, size, text) in enumerate(zip(titles, sizes, texts, strict=True)):
                row = QRectF(0, k * px(ROW), self.width(), px(ROW))
                middle = Qt.AlignmentFlag.AlignVCenter
                painter.setFont(style.font("caption"))
                painter.setPen(theme.secondary)
                painter.drawText(row, Qt.AlignmentFlag.AlignLeft | middle, title)
                painter.setFont(style.font("caption strong"))
                painter.setPen(theme.gradient)
                painter.drawText(row, Qt.AlignmentFlag.AlignRight | middle, text)
                share = size / largest if size - size == 0.0 else 0.0
                bar = QRectF(px(60), row.center().y() - px(4), wide * share, px(8))
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.gradient)
                painter.drawRoundedRect(bar, px(4), px(4))
