"""TrainingView: set-up, run and curve of a training in the page.

While this view is shown, its `stage` replaces the sheet, and its `run_part` the strip. It is
imported when first shown, as it needs numpy and pyqtgraph.
"""

# pyqtgraph has no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import math
from typing import Any, Final, Literal

import numpy
import pyqtgraph  # type: ignore[import-untyped]
from PySide6.QtCore import QBuffer, QIODevice, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QImage, QImageWriter, QPainter, QResizeEvent, QShowEvent
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QBoxLayout, QFrame, QLabel, QMenu, QWidget

from app.controls.choices import Segmented
from app.controls.drawn_range import is_drawable, is_wide
from app.controls.epoch_line import EpochLine
from app.controls.layouts import Box, fill_background, in_column, in_row, plain_label, set_kind
from app.controls.painted_buttons import IconButton, push_button
from app.controls.panel import Block
from app.controls.plot import Plot, plot_pen
from app.controls.rich_text import RichLine
from app.controls.spans import Span
from app.guard import exception_safe
from app.panels.train.descent_view import PaceRow
from app.panels.train.layers import LayerBars
from app.panels.train.setup_part import CAPTION_WIDTH, ColumnsPart, SetupPart
from app.panels.train.stage import SamplePart, TrainingStage
from app.style import sizes
from app.style.current import Style
from app.workbench.modes.loop import epoch_pause
from app.workbench.training import (
    RateTrials,
    Training,
    find_trouble,
    nearest_sample,
    progress_sentence,
    training_title,
)
from app.workbench.words.loop_strip import loss_text
from app.workbench.words.strip import EPOCHS_PER_CLICK
from engine.errors import EngineError
from engine.numbers import LARGEST_DRAWN, short
from engine.training.learning import Array
from engine.training.table import Table, samples_of

EXPORTS: Final = {
    "graph": "Trained graph of this sample…",
    "png": "Curve as PNG…",
    "svg": "Curve as SVG…",
    "csv": "Curve as CSV…",
    "torch": "PyTorch script…",
}
RESTART_NOTE: Final = "a change starts anew"


@exception_safe
class TrainingView(QWidget):
    """Trains a network; signals ask the window for a table, a graph on the sheet, or a file."""

    table_wanted = Signal()
    """Emitted when the user wants to choose a CSV file to train on."""
    step_wanted = Signal(int)
    """Emitted with the index of a sample whose backward pass is to be stepped on the sheet."""
    export_wanted = Signal(str)
    """Emitted with one of the keys of `EXPORTS`."""
    refused = Signal(str)
    """Emitted with the sentence about an input that is not accepted."""
    retitled = Signal()
    """Emitted when the network or the samples, and with them `title`, have changed."""
    ended = Signal()
    """Emitted when the user ends Training."""

    def __init__(
        self, style: Style, training: Training, setup_block: Block, layers_block: Block
    ) -> None:
        """Fill these empty blocks, which the page has from the start to restore their folding."""
        super().__init__()
        self._style, self.training = style, training
        self.chosen_sample = self._turn = 0
        """The chosen sample, and the index of the part that was last shown at full pace."""
        self.setAccessibleName("Training")
        self.setup_block, self.layers_block = setup_block, layers_block
        self.setup = SetupPart(style, training)
        self.columns = ColumnsPart(style)
        self.run_row = RunRow(style, training)
        self.pace = PaceRow(style, CAPTION_WIDTH)
        self.result = ResultPart(style, training)
        measures = (("loss", "Loss"), ("accuracy", "Accuracy"))
        self.measure = Segmented(style, measures, "Curve", low=True)
        self.curve = Curve(style, training)
        self.layers = LayerBars(style, training)
        self.sample = SamplePart(style, training, brief=True)
        self.export, self.end = IconButton(style, "export", "", text="Export…"), push_button()
        self.stage = TrainingStage(style, training)
        self.run_part = RunPart(style, training)
        self._lay_out()
        self._connect()
        self._show_anew()
        self._show_parts()

    @property
    def folding(self) -> tuple[Block, ...]:
        """Return the blocks that fold where the page is too low."""
        return (self.setup_block,)

    @property
    def title(self) -> str:
        """Return the network and its samples in words."""
        return training_title(self.training)

    def choose(self, sample: int) -> None:
        """Choose a sample: it gets the violet ring, and its numbers are shown."""
        self.chosen_sample = sample
        self.stage.choose(sample)
        self.sample.show_sample(sample)

    def offer_columns(self, table: Table, name: str) -> None:
        """Let the columns of a table be chosen, in place of the set-up."""
        self.columns.show_table(table, name)
        self._show_setup()

    def set_low(self, low: bool) -> None:
        """Set whether the page is low, so that the results take less height."""
        self.result.set_low(low)

    def _lay_out(self) -> None:
        style = self._style
        self.setup_block.add(self.setup)
        self.setup_block.add_below(self.setup.rate)
        self.setup_block.set_line(False)
        self._columns_container = QWidget()
        edges = (sizes.PAGE_EDGE, 10, sizes.PAGE_EDGE, 12)
        in_column(self.columns, parent=self._columns_container, style=style, edges=edges)
        runs = in_column(self.run_row, self.pace, self.result, gap=6, style=style)
        self.layers_block.add(self.layers)
        self.layers_block.set_note("grad size")
        self.curve_block = Block(style, "Curve", (self.curve, 1), tight=True)
        self.curve_block.add_to_head(self.measure)
        self.sample_block = Block(style, tight=True)
        self.sample_block.add(self.sample)
        parts = (
            self._columns_container,
            self.setup_block,
            Block(style, "", runs, tight=True),
            self.layers_block,
        )
        in_column(*parts, self.sample_block, (self.curve_block, 1), parent=self, gap=0)
        self.export.setMenu(self._menu())
        self.end.setText("End Training")
        self.foot = QWidget()
        in_row(self.export, 1, self.end, parent=self.foot, style=style)

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        for name, text in EXPORTS.items():
            action = menu.addAction(text)
            action.setObjectName(name)
            action.triggered.connect(self._export)
        return menu

    def _export(self) -> None:
        self.export_wanted.emit(self.sender().objectName())

    def _connect(self) -> None:
        training, stage = self.training, self.stage
        training.refused.connect(self.refused)
        training.advanced.connect(self.show_state)
        training.reset_done.connect(self._show_anew)
        self.setup.table_wanted.connect(self.table_wanted)
        self.setup.refused.connect(self.refused)
        self.setup_block.fold_changed.connect(self._show_setup)
        self.columns.refused.connect(self.refused)
        self.columns.chosen.connect(self._use_columns)
        self.columns.leave.clicked.connect(self._show_setup)
        self.pace.chosen.connect(training.set_pace)
        self.measure.chosen.connect(self.curve.show_measure)
        self.end.clicked.connect(self.ended)
        stage.boundary.sample_chosen.connect(self.choose)
        stage.parts_shown.connect(self._show_parts)
        for part in (stage.sample, self.sample):
            part.next_wanted.connect(self._choose_next)
            part.nearest_wanted.connect(self._choose_nearest)
            part.step_wanted.connect(self.step_wanted)

    def _show_anew(self) -> None:
        """Show everything anew, after the samples or the network have changed or were reset."""
        self.chosen_sample = min(self.chosen_sample, len(self.training.learner.samples) - 1)
        self._show_sample()
        self.curve.show_state()
        self._show_layers()
        self._show_setup()
        self.retitled.emit()

    def _show_sample(self) -> None:
        self.stage.show_state(self.chosen_sample)
        self.sample.show_sample(self.chosen_sample)

    def _show_layers(self) -> None:
        self.stage.show_layers()
        self.layers.show_state()

    def _show_setup(self) -> None:
        """Show the set-up, or the columns of a table in its place."""
        choosing = not self.columns.isHidden()
        self._columns_container.setVisible(choosing)
        self.setup_block.setVisible(not choosing)
        self.setup_block.set_note(
            self.setup.summary() if self.setup_block.collapsed else RESTART_NOTE
        )

    def _show_parts(self) -> None:
        """Show bars and sample in the page where the stage is too small for them."""
        self.layers_block.setVisible(not self.stage.has_layers)
        self.sample_block.setVisible(not self.stage.has_sample)

    def show_state(self) -> None:
        """Show sample, curve and layers; at full pace one after the other, as all take too long."""
        if not self.stage.isVisible():
            return
        self.pace.show_pace(self.training.pace)
        parts = (self._show_sample, self.curve.show_state, self._show_layers)
        self._turn = (self._turn + 1) % len(parts)
        is_full_pace = self.training.running and not epoch_pause(self.training.pace)
        for show in (parts[self._turn],) if is_full_pace else parts:
            show()

    def _choose_next(self) -> None:
        self.choose((self.chosen_sample + 1) % len(self.training.learner.samples))

    def _choose_nearest(self) -> None:
        self.choose(nearest_sample(self.training.outputs))

    def _use_columns(self, table: Table, inputs: list[int], target: int) -> None:
        """Train on these columns, or say which cell is no number."""
        try:
            samples = samples_of(table, inputs, target)
        except EngineError as error:
            self.refused.emit(str(error))
            return
        if self.training.set_samples(samples, [table.names[column] for column in inputs]):
            self.columns.hide()
            self._show_setup()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_state()


NO_ACCURACY: Final = "–"
_CARD_HEIGHT, _LOW_CARD_HEIGHT = 48, 40
"""Heights of a card with its number below its caption, or right of it, in px at 100 %."""
_NUMBER_SIZE, _LOW_NUMBER_SIZE = 17, 15
"""Font sizes of the number in these cards, in px at 100 %."""


class ResultPart(QWidget):
    """Two cards: loss and accuracy at the epoch that is shown."""

    def __init__(self, style: Style, training: Training) -> None:
        super().__init__()
        self._style, self._training = style, training
        self._low = False
        self.loss, self.accuracy = plain_label(kind="value"), plain_label(kind="strong")
        self._cards: list[tuple[QFrame, Box, QLabel]] = []
        cards = (self._card("loss", self.loss), self._card("accuracy", self.accuracy))
        in_row(*((card, 1) for card in cards), parent=self, style=style, gap=8)
        for signal in (training.advanced, training.reset_done):
            signal.connect(self.show_state)
        style.run_now_and_on_change(self._restyle)

    def show_state(self) -> None:
        """Show the present loss and accuracy."""
        training, short = self._training, self._style.short
        accuracy = training.accuracy
        self.loss.setText(short(training.loss))
        self.accuracy.setText(NO_ACCURACY if accuracy is None else f"{short(100.0 * accuracy)} %")
        set_kind(self.loss, "value" if math.isfinite(training.loss) else "error")

    def set_low(self, low: bool) -> None:
        """Place the numbers right of their captions, where the page is low."""
        if low != self._low:
            self._low = low
            self._restyle()

    def _card(self, caption: str, number: QLabel) -> QFrame:
        frame, label = QFrame(), plain_label(caption, "caption")
        frame.setProperty("kind", "code")
        column = in_column(label, number, parent=frame, style=self._style, edges=(10, 4, 10, 4))
        column.setSpacing(0)
        self._cards.append((frame, column, number))
        return frame

    def _restyle(self) -> None:
        style, low = self._style, self._low
        font = style.font("number")
        font.setPixelSize(style.px(_LOW_NUMBER_SIZE if low else _NUMBER_SIZE))
        font.setWeight(font.Weight.Bold)
        for frame, column, number in self._cards:
            direction = QBoxLayout.Direction
            column.setDirection(direction.LeftToRight if low else direction.TopToBottom)
            number.setAlignment(
                Qt.AlignmentFlag.AlignVCenter
                | (Qt.AlignmentFlag.AlignRight if low else Qt.AlignmentFlag.AlignLeft)
            )
            number.setFont(font)
            frame.setFixedHeight(style.px(_LOW_CARD_HEIGHT if low else _CARD_HEIGHT))
        self.show_state()


DRAG_HINT: Final = "drag the line to go back to any epoch"
_TIMELINE_HEIGHT, _LINE_CENTRE = 86, 42
"""Height of the epoch line, and centre of its line in it, in px at 100 %, as in the strip."""
_PRESENTED_TIMELINE, _PRESENTED_LINE_CENTRE = 40, 10
"""The same in a presentation."""
_SENTENCE_HEIGHT, _SENTENCE_CENTRE, _ANSWER_CENTRE = 60, 17, 45
"""Height below the line, and the centres of sentence and answer line in it."""
_MARGIN, _GAP, _MIN_MAIN_WIDTH = 14, 12, 86
"""Space left and right, between sentence and buttons, and least width of the main button."""


@exception_safe
class RunPart(QWidget):
    """Trains 1, 10 or all epochs and restarts; the epoch line seeks to any epoch."""

    def __init__(self, style: Style, training: Training) -> None:
        super().__init__()
        self._style, self._training = style, training
        self.trials = RateTrials(training, self)
        fill_background(self, "panel")
        self.setAccessibleName("Epochs of the training")
        self.line = EpochLine(style, loss_text, self)
        self.sentence = RichLine(style, parent=self)
        self.answer = RichLine(style, font_role="interface", wrap=False, parent=self)
        self.back = IconButton(style, "step_back", "One epoch back")
        self.one = IconButton(style, "step", "Train one epoch", text="1 epoch")
        self.one.set_kind("primary")
        self.one.set_icon_last()
        self.several = IconButton(
            style, "", f"Train {EPOCHS_PER_CLICK} epochs", text=f"{EPOCHS_PER_CLICK} epochs"
        )
        self.run = IconButton(style, "play", "Train as many epochs as are set", text=RUN_TEXT)
        self._buttons = QWidget(self)
        parts = (self.back, self.one, self.several, self.run)
        in_row(*parts, parent=self._buttons, style=style, gap=6)
        self._connect()
        self._restyle()

    def show_state(self) -> None:
        training = self._training
        running, epoch = training.running, training.state.epochs
        if _show_run(self.run, training, ""):
            self.run.set_tooltip("Pause" if running else "Train as many epochs as are set")
        self.back.setEnabled(epoch > 0)
        for button in (self.one, self.several):
            button.setEnabled(not running)
        self.line.show_epochs(training.losses, epoch, training.last_epoch)
        trouble, advice = find_trouble(training), self.trials.advice
        presented = bool(self._style.presented)
        problem = () if trouble is None else (Span(trouble.said, "error"),)
        if presented and advice:
            problem = (*problem, Span(f" {advice}", "error"))
        self.sentence.set_spans(problem or progress_sentence(training))
        progress = f"Epoch {epoch:,} of {training.last_epoch or training.setup.epochs:,}"
        hint = advice or (DRAG_HINT if training.epochs else "")
        role = "text" if advice else "secondary"
        self.answer.set_spans((Span(f"{progress}    ", "secondary"), Span(hint, role)))
        self._lay_out_rows()

    def _connect(self) -> None:
        training = self._training
        self.back.clicked.connect(self._go_back)
        self.one.clicked.connect(self._train_one)
        self.several.clicked.connect(self._train_several)
        self.run.clicked.connect(training.run_or_pause)
        self.line.chosen.connect(training.go)
        training.advanced.connect(self.show_state)
        training.reset_done.connect(self.show_state)
        self.trials.changed.connect(self.show_state)
        self._style.changed.connect(self._restyle)

    def _go_back(self) -> None:
        self._training.go(self._training.state.epochs - 1)

    def _train_one(self) -> None:
        self._training.run(1)

    def _train_several(self) -> None:
        self._training.run(EPOCHS_PER_CLICK)

    def _restyle(self) -> None:
        px = self._style.px
        self.one.setMinimumWidth(px(_MIN_MAIN_WIDTH))
        self._buttons.setFixedHeight(px(sizes.CONTROL))
        if self._style.presented:
            self.line.set_rows(_PRESENTED_LINE_CENTRE, _PRESENTED_TIMELINE)
        else:
            self.line.set_rows(_LINE_CENTRE, _TIMELINE_HEIGHT)
        self.show_state()

    def _lay_out_rows(self) -> None:
        """Lay out the parts in the rows of the strip that this replaces."""
        px, edge = self._style.px, self._style.px(_MARGIN)
        inner = self.width() - 2 * edge
        presented = bool(self._style.presented)
        self._buttons.setHidden(presented)
        self.answer.setHidden(presented)
        line_height = px(_PRESENTED_TIMELINE if presented else _TIMELINE_HEIGHT)
        below = self.height() - line_height
        if presented:  # the sentence is above the line
            self._fit(QRect(edge, 0, inner, below))
            self.line.setGeometry(edge, below, inner, line_height)
            return
        scale = below / _SENTENCE_HEIGHT
        self.line.setGeometry(edge, 0, inner, line_height)
        hint, middle = self._buttons.sizeHint(), line_height + round(_SENTENCE_CENTRE * scale)
        left = edge + inner - hint.width()
        self._buttons.setGeometry(left, middle - hint.height() // 2, hint.width(), hint.height())
        height = round(2 * _SENTENCE_CENTRE * scale)
        self._fit(QRect(edge, middle - height // 2, left - px(_GAP) - edge, height))
        height = px(sizes.CLICK_TARGET)
        middle = line_height + round(_ANSWER_CENTRE * scale)
        self.answer.setGeometry(edge, middle - height // 2, inner, height)

    def _fit(self, rect: QRect) -> None:
        """Place the sentence, smaller where it needs a second line."""
        self.sentence.setGeometry(rect)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.sentence.set_font_role("step")
        if len(self.sentence.lines()) > 1:
            self.sentence.set_font_role("interface")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out_rows()


RUN_TEXT, PAUSE_TEXT, GO_ON_TEXT = "Run", "Pause", "Go on"


class RunRow(QWidget):
    """Starts, pauses, ends and resets a training."""

    def __init__(self, style: Style, training: Training) -> None:
        super().__init__()
        self._training = training
        self.run = IconButton(style, "play", "Train as many epochs as are set", text=RUN_TEXT)
        self.run.set_kind("primary")
        self.stop = push_button("Stop")
        self.stop.setToolTip("End the run here")
        self.reset = IconButton(
            style, "undo", "Go back to the first weights, and forget what was learned", text="Reset"
        )
        parts = ((self.run, 1), (self.stop, 1), (self.reset, 1))
        in_row(*parts, parent=self, style=style, gap=8)
        self.run.clicked.connect(training.run_or_pause)
        self.stop.clicked.connect(training.stop)
        self.reset.clicked.connect(training.reset)
        for signal in (training.advanced, training.reset_done):
            signal.connect(self.show_state)
        self.show_state()

    def show_state(self) -> None:
        """Enable the buttons that have an effect now."""
        training = self._training
        _show_run(self.run, training, PAUSE_TEXT)
        self.stop.setEnabled(training.running or training.is_paused)
        self.reset.setEnabled(training.epochs > 0)


def _show_run(button: IconButton, training: Training, pause: str) -> bool:
    """Show whether a button runs, goes on, or pauses (with the text `pause`).

    Returns whether the button has changed.
    """
    text = pause if training.running else GO_ON_TEXT if training.is_paused else RUN_TEXT
    changes = button.text() != text
    if changes:
        button.setText(text)
        button.set_icon("pause" if training.running else "play")
    return changes


PLOT_HEIGHT: Final = 108
"""Least height of the plot, of which the plane has 90, in px at 100 %."""
MAX_POINTS: Final = 600
"""Points that are drawn; of more, the least and the largest of each stretch are."""
DOT_SIZE: Final = 9
"""Diameter of the dot at the shown epoch, in px at 100 %."""
PNG_SCALE: Final = 2
"""Pixels of a picture for each px of the plot."""

Measure = Literal["loss", "accuracy"]


@exception_safe
class Curve(Plot):
    """Loss or accuracy by epoch, with a dot at the shown epoch."""

    def __init__(self, style: Style, training: Training, parent: QWidget | None = None) -> None:
        super().__init__(
            style, PLOT_HEIGHT, self._redraw, integers_only=True, grows=True, parent=parent
        )
        self._training = training
        self._measure: Measure = "loss"
        self._line: Any = pyqtgraph.PlotCurveItem(antialias=True)
        self._dot: Any = pyqtgraph.ScatterPlotItem(antialias=True)
        plot_item: Any = self.getPlotItem()
        # right of its point, about at its height
        self._first_label: Any = pyqtgraph.TextItem(anchor=(-0.12, 0.4))
        for item in (self._line, self._dot, self._first_label):
            plot_item.addItem(item, ignoreBounds=True)
        self._redraw()

    def show_measure(self, measure: Measure) -> None:
        """Draw losses or accuracies."""
        self._measure = measure
        self.show_state()

    def show_state(self) -> None:
        """Draw the present curve."""
        training = self._training
        xs, ys = self._points()
        drawn = numpy.abs(ys) < LARGEST_DRAWN  # False for nan
        xs, ys = thinned(xs[drawn], ys[drawn])
        self._line.setData(xs, ys)
        top = 1.0 if self._measure == "accuracy" else float(ys.max(initial=0.0))
        top = top if is_wide(0.0, top) else 1.0  # an axis needs a range
        last = max(training.last_epoch, 10)  # a short run does not fill the axis
        self.getViewBox().setRange(xRange=(0.0, last), yRange=(0.0, top), padding=0.04)
        self._show_first(top)
        now = training.loss if self._measure == "loss" else training.accuracy
        dot = [(training.state.epochs, now)] if now is not None and is_drawable(now) else []
        self._dot.setData([x for x, _y in dot], [y for _x, y in dot])
        number = "–" if now is None else short(now)
        self.setAccessibleName(f"{self._measure} at epoch {training.state.epochs}: {number}")

    def _show_first(self, top: float) -> None:
        """Write the first loss at the beginning of the curve."""
        first = self._training.losses[0]
        shown = self._measure == "loss" and is_drawable(first)
        self._first_label.setVisible(shown)
        if shown:
            self._first_label.setText(short(first), self._style.theme.value)
            self._first_label.setPos(0.0, min(first, top))

    def picture(self, form: Literal["png", "svg"]) -> bytes:
        """Return a picture of the curve as it is shown, a PNG at twice its size."""
        content, size = QBuffer(), self.size()
        content.open(QIODevice.OpenModeFlag.WriteOnly)
        if form == "svg":
            drawing = QSvgGenerator()
            drawing.setOutputDevice(content)
            drawing.setSize(size)
            drawing.setViewBox(QRect(QPoint(0, 0), size))
            drawing.setTitle("Loss by epoch" if self._measure == "loss" else "Accuracy by epoch")
            with QPainter(drawing) as painter:
                self._paint(painter, QRectF(QPointF(0, 0), size))
        else:
            image = QImage(size * PNG_SCALE, QImage.Format.Format_ARGB32)
            with QPainter(image) as painter:
                self._paint(painter, QRectF(QPointF(0, 0), size * PNG_SCALE))
            QImageWriter(content, b"png").write(image)
        return bytes(content.data().data())

    def _paint(self, painter: QPainter, area: QRectF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(area, self._style.theme.muted)
        self.render(painter, area, self.rect())

    def _points(self) -> tuple[Array, Array]:
        training = self._training
        if self._measure == "loss":
            return numpy.arange(float(len(training.losses))), numpy.array(training.losses)
        known = sorted((k, v) for k, v in training.accuracies.items() if v is not None)
        return numpy.array([k for k, _v in known], float), numpy.array(
            [v for _k, v in known], float
        )

    def _redraw(self) -> None:
        theme = self._style.theme
        self._line.setPen(plot_pen(theme.value, 1.8))
        self._dot.setSize(self._style.px(DOT_SIZE))
        self._dot.setBrush(theme.value)
        self._dot.setPen(plot_pen(theme.node, 1.0))
        self._first_label.setFont(self._style.font("caption strong"))
        self.show_state()


def thinned(xs: Array, ys: Array) -> tuple[Array, Array]:
    """Return at most `MAX_POINTS` points that look the same: least and largest of each stretch."""
    if len(xs) <= MAX_POINTS:
        return xs, ys
    stretch = -(-len(xs) // (MAX_POINTS // 2))  # rounded up
    starts = numpy.arange(0, len(xs), stretch)
    low = [int(start + ys[start : start + stretch].argmin()) for start in starts]
    high = [int(start + ys[start : start + stretch].argmax()) for start in starts]
    indices = numpy.unique([*low, *high, 0, len(xs) - 1])
    return xs[indices], ys[indices]
