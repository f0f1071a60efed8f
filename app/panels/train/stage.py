"""The stage of a training, in place of the sheet: layers, decision boundary, and one sample."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QMouseEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from app.controls.layouts import fill_background, in_column, in_row, plain_label
from app.controls.painted_buttons import IconButton
from app.controls.rich_text import RichLine
from app.controls.spans import Span, Spans
from app.guard import exception_safe
from app.panels.train.layers import NetworkRow
from app.panels.train.plane import Mark, PlaneView, paint_mark
from app.style.current import Style
from app.style.strokes import antialiased
from app.workbench.training import Training, nearest_sample

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
        self.boundary = PlaneView(style, training)
        self.sample = SamplePart(style, training)
        self._legend = [_LegendRow(style, mark, words) for mark, words in self._legend_texts()]
        self.title = plain_label("What the network says", "strong")
        self._side = QWidget()
        parts = (self.title, *self._legend, 1, self.sample)
        in_column(*parts, parent=self._side, style=style, edges=(0, 2, 0, 20), gap=0)
        self.network = NetworkRow(style, training)
        below = in_row((self.boundary, 1), self._side, style=style, gap=_SPACING)
        self._column = in_column(
            self.network, (below, 1), parent=self, style=style, edges=None, gap=_SPACING
        )
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # else keys would edit the sheet behind
        style.run_now_and_on_change(self._restyle)

    @property
    def has_layers(self) -> bool:
        """Return whether the layers are shown, with their bars."""
        return not self.network.isHidden()

    @property
    def has_sample(self) -> bool:
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
            in_column(head, buttons, parent=self, style=style, gap=6)
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
