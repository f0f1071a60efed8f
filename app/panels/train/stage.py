"""The stage of a training: its layers and its boundary in place of the sheet, and one sample."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.controls.layouts import fill_background, in_column, in_row, plain_label
from app.guard import guarded
from app.panels.train.boundary_view import BoundaryView, Mark, paint_mark
from app.panels.train.layers import NetworkRow
from app.panels.train.sample_part import SamplePart
from app.style.current import Style
from app.workbench.training import Training

SIDE_WIDTH, LEAST_PLANE = 340, 320
"""Width of legend and sample, and least width of the boundary left of them, in px at 100 %."""
LEAST_HEIGHT = 400
"""Height in px at 100 % below which the layers are left out."""
_EDGE, _NARROW_EDGE, _TOP, _BETWEEN = 24, 16, 10, 22


@guarded
class TrainingStage(QWidget):
    """What is looked at while a network learns."""

    fitted = Signal()
    """Emitted after layers, or legend and sample, have got or lost their room."""

    def __init__(self, style: Style, training: Training) -> None:
        super().__init__()
        self._style, self._training = style, training
        fill_background(self, "canvas")
        self.boundary = BoundaryView(style, training)
        self.sample = SamplePart(style, training)
        self._rows = [_Row(style, mark, words) for mark, words in self._words()]
        self.title = plain_label("What the network says", "strong")
        self._beside = QWidget()
        parts = (self.title, *self._rows, 1, self.sample)
        in_column(*parts, parent=self._beside, style=style, edges=(0, 2, 0, 20), gap=0)
        self.network = NetworkRow(style, training)
        below = in_row((self.boundary, 1), self._beside, style=style, edges=0, gap=_BETWEEN)
        self._column = in_column(self.network, (below, 1), parent=self, gap=_BETWEEN, style=style)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # else keys would edit the sheet behind
        style.changed.connect(self._restyle)
        self._restyle()

    @property
    def has_layers(self) -> bool:
        """Return whether the layers are shown, with their bars."""
        return not self.network.isHidden()

    @property
    def has_sample(self) -> bool:
        """Return whether the sample is shown."""
        return not self._beside.isHidden()

    def show_state(self, sample: int) -> None:
        """Show what the network says now, and a sample."""
        self.boundary.choose(sample)
        self.boundary.show_state()
        self.sample.show_sample(sample)
        for row in self._rows:
            row.refresh()

    def show_layers(self) -> None:
        """Show the layers as they are now, where they have room."""
        self._fit()
        self.network.show_state()

    def choose(self, sample: int) -> None:
        """Put the violet ring around a sample."""
        self.boundary.choose(sample)
        self.sample.show_sample(sample)

    def _fit(self) -> None:
        """Hide the legend or the layers where the boundary would become too small."""
        px, before = self._style.px, (self.has_layers, self.has_sample)
        room = self.width() - 2 * px(_EDGE)
        beside = room >= px(LEAST_PLANE + _BETWEEN + SIDE_WIDTH)
        high = self.height() >= px(LEAST_HEIGHT)
        self._beside.setVisible(beside)
        self.network.setVisible(beside and high and self.network.fits(room))
        edge = px(_EDGE if beside else _NARROW_EDGE)
        self._column.setContentsMargins(edge, px(_TOP if self.has_layers else 17), edge, px(6))
        if before != (self.has_layers, self.has_sample):
            self.fitted.emit()

    def _words(self) -> tuple[tuple[Mark, Callable[[], str]], ...]:
        return (
            ("disc", lambda: "target +1, blue where o > 0" if self._classes() else "a sample"),
            ("square", lambda: "target −1, grey where o < 0" if self._classes() else ""),
            ("line", lambda: "boundary: o = 0" if self._training.setup.sizes[0] > 1 else ""),
            ("curve", lambda: "" if self._training.setup.sizes[0] > 1 else "output o"),
            ("wrong", lambda: self._wrong() if self._classes() else ""),
            ("chosen", lambda: "the sample below; click another"),
        )

    def _classes(self) -> bool:
        return self._training.learner.classes

    def _wrong(self) -> str:
        wrong, count = len(self.boundary.wrong()), len(self._training.learner.samples)
        return f"wrong: {wrong or 'none'} of {count:,}"

    def _restyle(self) -> None:
        self._beside.setFixedWidth(self._style.px(SIDE_WIDTH))
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


@guarded
class _Row(QWidget):
    """A mark and what it means; hidden while there are no words."""

    def __init__(self, style: Style, mark: Mark, words: Callable[[], str]) -> None:
        super().__init__()
        self._style, self._words = style, words
        self._mark: Mark = mark
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._label = plain_label()
        in_row(self._label, 1, parent=self, style=style, edges=(30, 0, 0, 0))

    def refresh(self) -> None:
        """Show what the words are now."""
        words = self._words()
        if words != self._label.text():
            self._label.setText(words)
        self.setVisible(bool(words))

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(200), self._style.px(22))

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_mark(
                painter, self._style, self._mark, QPointF(self._style.px(11), self.height() / 2)
            )
