"""Training: set-up, run and curve in the page; its signals ask the window for files.

While this face is shown, its `stage` is in place of the sheet, and its `run_part` in place of the
strip. Made when it is first shown, as it needs numpy and pyqtgraph.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QLabel, QMenu, QPushButton, QWidget

from app.controls.icon_button import IconButton
from app.controls.keys import PressedByEnter
from app.controls.kind import set_kind
from app.controls.layouts import Box, in_column, in_row, plain_label
from app.controls.panel import Block
from app.controls.segmented import Segmented
from app.guard import guarded
from app.panels.train.curve import Curve
from app.panels.train.layers import LayerBars
from app.panels.train.rate_and_pace import PaceRow
from app.panels.train.run_part import RunPart, RunRow
from app.panels.train.sample_part import SamplePart
from app.panels.train.setup_part import CAPTION, ColumnsPart, SetupPart
from app.panels.train.stage import TrainingStage
from app.style import sizes
from app.style.current import Style
from app.workbench.modes.loop import pause_of
from app.workbench.training import Training, nearest, title
from engine.errors import EngineError
from engine.training.table import Table, samples_of

EXPORTS: Final = {
    "graph": "Trained graph of this sample…",
    "png": "Curve as PNG…",
    "svg": "Curve as SVG…",
    "csv": "Curve as CSV…",
    "torch": "PyTorch script…",
}
ANEW: Final = "a change starts anew"


@guarded
class TrainingFace(QWidget):
    """Trains a network; the signals ask for a table, a graph on the sheet, or a file."""

    table_wanted = Signal()
    step_wanted = Signal(int)
    export_wanted = Signal(str)
    refused = Signal(str)
    retitled = Signal()
    ended = Signal()

    def __init__(
        self, style: Style, training: Training, setup_block: Block, layers_block: Block
    ) -> None:
        """The blocks are empty: they were there before, so that they are folded as they were."""
        super().__init__()
        self._style, self.training = style, training
        self._sample = self._turn = 0
        self.setAccessibleName("Training")
        self.setup_block, self.layers_block = setup_block, layers_block
        self.setup = SetupPart(style, training)
        self.columns = ColumnsPart(style)
        self.run_row = RunRow(style, training)
        self.pace = PaceRow(style, CAPTION)
        self.result = ResultPart(style, training)
        kinds = (("loss", "Loss"), ("accuracy", "Accuracy"))
        self.kind = Segmented(style, kinds, "Curve", low=True)
        self.curve = Curve(style, training)
        self.layers = LayerBars(style, training)
        self.sample = SamplePart(style, training, brief=True)
        self.export, self.end = IconButton(style, "export", "", text="Export…"), QPushButton()
        self.stage = TrainingStage(style, training)
        self.run_part = RunPart(style, training)
        self._lay_out()
        self._connect()
        self._start_again()
        self._show_parts()

    @property
    def folding(self) -> tuple[Block, ...]:
        """Return the blocks that fold where the page is low."""
        return (self.setup_block,)

    @property
    def title(self) -> str:
        """Return the network and its samples in words."""
        return title(self.training)

    @property
    def chosen_sample(self) -> int:
        """Return the sample with the violet ring."""
        return self._sample

    def choose(self, sample: int) -> None:
        """Choose a sample: it gets the violet ring, and its numbers are shown."""
        self._sample = sample
        self.stage.choose(sample)
        self.sample.show_sample(sample)

    def offer_columns(self, table: Table, name: str) -> None:
        """Let the columns of a table be chosen, in place of the set-up."""
        self.columns.show_table(table, name)
        self._show_setup()

    def set_low(self, low: bool) -> None:
        """Take less height."""
        self.result.set_low(low)

    def _lay_out(self) -> None:
        style = self._style
        self.setup_block.add(self.setup)
        self.setup_block.add_below(self.setup.rate)
        self.setup_block.set_line(False)
        self._columns_room = QWidget()
        edges = (sizes.PAGE_EDGE, 10, sizes.PAGE_EDGE, 12)
        in_column(self.columns, parent=self._columns_room, style=style, edges=edges)
        runs = in_column(self.run_row, self.pace, self.result, edges=0, gap=6, style=style)
        self.layers_block.add(self.layers)
        self.layers_block.set_note("grad size")
        self.curve_block = Block(style, "Curve", (self.curve, 1), tight=True)
        self.curve_block.add_to_head(self.kind)
        self.sample_block = Block(style, tight=True)
        self.sample_block.add(self.sample)
        parts = (
            self._columns_room,
            self.setup_block,
            Block(style, "", runs, tight=True),
            self.layers_block,
        )
        in_column(*parts, self.sample_block, (self.curve_block, 1), parent=self, edges=0, gap=0)
        self.export.setMenu(self._menu())
        self.end.setText("End Training")
        PressedByEnter(self.end)
        self.foot = QWidget()
        in_row(self.export, 1, self.end, parent=self.foot, style=style, edges=0)

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
        training.reset_done.connect(self._start_again)
        self.setup.table_wanted.connect(self.table_wanted)
        self.setup.refused.connect(self.refused)
        self.setup_block.fold_changed.connect(self._show_setup)
        self.columns.refused.connect(self.refused)
        self.columns.chosen.connect(self._use)
        self.columns.leave.clicked.connect(self._show_setup)
        self.pace.chosen.connect(training.set_pace)
        self.kind.chosen.connect(self.curve.show_kind)
        self.end.clicked.connect(self.ended)
        stage.boundary.sample_chosen.connect(self.choose)
        stage.fitted.connect(self._show_parts)
        for part in (stage.sample, self.sample):
            part.next_wanted.connect(self._choose_next)
            part.nearest_wanted.connect(self._choose_nearest)
            part.step_wanted.connect(self.step_wanted)

    def _start_again(self) -> None:
        """Show other samples, or the first weights again."""
        self._sample = min(self._sample, len(self.training.learner.samples) - 1)
        self._show_sample()
        self.curve.show_state()
        self._show_layers()
        self._show_setup()
        self.retitled.emit()

    def _show_sample(self) -> None:
        self.stage.show_state(self._sample)
        self.sample.show_sample(self._sample)

    def _show_layers(self) -> None:
        self.stage.show_layers()
        self.layers.show_state()

    def _show_setup(self) -> None:
        """Show the set-up, or the columns of a table in its place."""
        choosing = not self.columns.isHidden()
        self._columns_room.setVisible(choosing)
        self.setup_block.setVisible(not choosing)
        self.setup_block.set_note(self.setup.summary() if self.setup_block.folded else ANEW)

    def _show_parts(self) -> None:
        """Show bars and sample in the page where the stage is too small for them."""
        self.layers_block.setVisible(not self.stage.has_layers)
        self.sample_block.setVisible(not self.stage.has_sample)

    def show_state(self) -> None:
        """Show boundary, curve and layers; at full pace in turn, so that no frame takes all."""
        if not self.stage.isVisible():
            return
        self.pace.show_pace(self.training.pace)
        turns = (self._show_sample, self.curve.show_state, self._show_layers)
        self._turn = (self._turn + 1) % len(turns)
        hurries = self.training.running and not pause_of(self.training.pace)
        for show in (turns[self._turn],) if hurries else turns:
            show()

    def _choose_next(self) -> None:
        self.choose((self._sample + 1) % len(self.training.learner.samples))

    def _choose_nearest(self) -> None:
        self.choose(nearest(self.training.outputs))

    def _use(self, table: Table, inputs: list[int], target: int) -> None:
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


NO_CLASSES: Final = "–"
_HIGH, _LOW = 48, 40
"""Heights of a card with its number below its caption and right of it, in px at 100 %."""


class ResultPart(QWidget):
    """Two cards: loss and accuracy at the epoch that is shown."""

    def __init__(self, style: Style, training: Training, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style, self._training = style, training
        self._low = False
        self.loss, self.accuracy = plain_label(kind="value"), plain_label(kind="strong")
        self._cards: list[tuple[QFrame, Box, QLabel]] = []
        cards = (self._card("loss", self.loss), self._card("accuracy", self.accuracy))
        in_row(*((card, 1) for card in cards), parent=self, style=style, edges=0, gap=8)
        for signal in (training.advanced, training.reset_done):
            signal.connect(self.show_state)
        style.changed.connect(self._restyle)
        self._restyle()

    def show_state(self) -> None:
        """Show loss and accuracy as they are now."""
        training, short = self._training, self._style.short
        accuracy = training.accuracy
        self.loss.setText(short(training.loss))
        self.accuracy.setText(NO_CLASSES if accuracy is None else f"{short(100.0 * accuracy)} %")
        set_kind(self.loss, "error" if training.loss - training.loss != 0.0 else "value")

    def set_low(self, low: bool) -> None:
        """Place the numbers right of their captions, where the page is low."""
        if low != self._low:
            self._low = low
            self._restyle()

    def _card(self, caption: str, number: QLabel) -> QFrame:
        frame, words = QFrame(), plain_label(caption, "caption")
        frame.setProperty("kind", "code")
        column = in_column(words, number, parent=frame, style=self._style, edges=(10, 4, 10, 4))
        column.setSpacing(0)
        self._cards.append((frame, column, number))
        return frame

    def _restyle(self) -> None:
        style, low = self._style, self._low
        font = style.font("number")
        font.setPixelSize(style.px(15 if low else 17))
        font.setWeight(font.Weight.Bold)
        for frame, column, number in self._cards:
            ways = QBoxLayout.Direction
            column.setDirection(ways.LeftToRight if low else ways.TopToBottom)
            number.setAlignment(
                Qt.AlignmentFlag.AlignVCenter
                | (Qt.AlignmentFlag.AlignRight if low else Qt.AlignmentFlag.AlignLeft)
            )
            number.setFont(font)
            frame.setFixedHeight(style.px(_LOW if low else _HIGH))
        self.show_state()
