"""The stage of a training: its layers and its boundary in place of the sheet, and one sample."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QHideEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.controls.layouts import fill_background, in_column, in_row, plain_label
from app.guard import guarded
from app.panels.training.boundary_view import BoundaryView
from app.panels.training.layers import NetworkRow
from app.panels.training.marks import Mark, paint_mark
from app.panels.training.sample_part import SamplePart
from app.style.current import Style
from app.workbench.training.training import Training

SIDE_WIDTH = 330
"""Width of legend and sample, in px at 100 %."""
LEAST_HEIGHT = 440
"""Height in px at 100 % below which the layers are left out."""


@guarded
class TrainingStage(QWidget):
    """What is looked at while a network learns."""

    def __init__(self, style: Style, training: Training) -> None:
        super().__init__()
        self._style, self._training = style, training
        fill_background(self, "canvas")
        self.boundary = BoundaryView(style, training)
        self.sample = SamplePart(style, training)
        self._rows = [_Row(style, mark, words) for mark, words in self._words()]
        self.title = plain_label("What the network says", "heading")
        self._beside = QWidget()
        parts = (self.title, *self._rows, self.sample, 1)
        in_column(*parts, parent=self._beside, style=style, edges=0, gap=8)
        self.network = NetworkRow(style, training)
        below = in_row((self.boundary, 1), self._beside, style=style, edges=0, gap=22)
        edges = (26, 18, 26, 14)
        in_column(self.network, (below, 1), parent=self, style=style, edges=edges, gap=14)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # else keys would edit the sheet behind
        style.changed.connect(self._restyle)
        self._restyle()

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
        """Leave the layers out where the boundary would become too small beside them."""
        px = self._style.px
        room = self.width() - 2 * px(26)
        self.network.setHidden(self.height() < px(LEAST_HEIGHT) or not self.network.fits(room))

    def _words(self) -> tuple[tuple[Mark, Callable[[], str]], ...]:
        return (
            ("disc", lambda: "target +1, blue where o > 0" if self._classes() else "a sample"),
            ("square", lambda: "target −1, grey where o < 0" if self._classes() else ""),
            ("line", lambda: "boundary: o = 0" if self._training.setup.sizes[0] > 1 else ""),
            ("curve", lambda: "" if self._training.setup.sizes[0] > 1 else "output o"),
            ("wrong", lambda: self._wrong() if self._classes() else ""),
            ("chosen", lambda: "the sample below; click another one"),
        )

    def _classes(self) -> bool:
        return self._training.learner.classes

    def _wrong(self) -> str:
        wrong, count = len(self.boundary.wrong()), len(self._training.learner.samples)
        return f"wrong: {wrong or 'none'} of {count:,}"

    def _restyle(self) -> None:
        self._beside.setFixedWidth(self._style.px(SIDE_WIDTH))

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
        return QSize(self._style.px(200), self._style.px(24))

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_mark(
                painter, self._style, self._mark, QPointF(self._style.px(12), self.height() / 2)
            )
