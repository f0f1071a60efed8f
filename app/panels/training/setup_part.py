"""What is trained and how: samples, sizes, loss, batch, rate, epochs, seed."""

from __future__ import annotations

import math
import re
from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QSlider, QWidget

from app.controls.choice_box import ChoiceBox
from app.controls.keys import ARROWS, KeyClaim
from app.controls.kind import set_kind
from app.controls.layouts import PANEL_EDGES, in_column, in_row, plain_label
from app.controls.number_edit import NumberEdit
from app.style.current import Style
from app.workbench.training.training import MOST_EPOCHS, Training
from app.workbench.training.training_data import DATA, TABLE
from app.workbench.training.words import network_text
from engine.training.templates import CHANCE

FROM_FILE: Final = "CSV file …"
LOSSES: Final = {"mse": "mean (o − t)²", "hinge": "largest margin", CHANCE: "cross-entropy"}
ACTIVATIONS: Final = ("tanh", "relu", "sigmoid")
BATCHES: Final = (0, 1, 4, 10, 20, 50)
LOWEST, HIGHEST, TICKS = -4.0, 2.0, 20
"""Range of the slider of the rate, as powers of ten, and ticks for each power."""
FIELD: Final = 62
"""Width of a field for a number, in px at 100 %."""
LARGEST_SEED: Final = 2**31
_SIZES: Final = re.compile(r"(?:mlp)?\(?([\d,]{1,40})\)?", re.IGNORECASE)
"""The sizes of a network, without spaces."""
_BETWEEN_DIGITS: Final = re.compile(r"\d\s+\d")


class SetupPart(QWidget):
    """The fields; `table_wanted` asks for a file of samples, `refused` says why a text is none."""

    table_wanted = Signal()
    refused = Signal(str)

    def __init__(self, style: Style, training: Training, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style, self._training = style, training
        self.data = ChoiceBox("Samples")
        self.sizes = QLineEdit()
        self.activation = ChoiceBox("Activation")
        self.loss = ChoiceBox("Loss")
        self.batch = ChoiceBox("Batch")
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.rate = NumberEdit(style)
        self.epochs = NumberEdit(style)
        self.seed = NumberEdit(style)
        self._fill()
        self._lay_out()
        self._connect()
        self._restyle()
        self.show_setup()

    def show_setup(self) -> None:
        """Show what is trained."""
        training, setup = self._training, self._training.setup
        self.data.setCurrentText(FROM_FILE if training.data == TABLE else training.data)
        self.sizes.setText(network_text(setup.sizes))
        set_kind(self.sizes, "true", part="valid")
        self.activation.setCurrentText(setup.activation)
        self.loss.setCurrentText(LOSSES[setup.loss])
        self.loss.setEnabled(training.learner.classes)
        self.batch.setCurrentIndex(BATCHES.index(setup.batch))
        self._show_rate()
        self.epochs.set_value(setup.epochs)
        self.seed.set_value(setup.seed)

    def _fill(self) -> None:
        self.data.addItems([*DATA, FROM_FILE])
        self.activation.addItems(ACTIVATIONS)
        self.loss.addItems(list(LOSSES.values()))
        self.batch.addItems(["all" if not size else f"{size}" for size in BATCHES])
        self.sizes.setMaxLength(60)
        self.sizes.setAccessibleName("Network")
        self.sizes.setToolTip("Inputs, neurons of each layer, and one output: mlp(2, 8, 1)")
        self.slider.setRange(round(LOWEST * TICKS), round(HIGHEST * TICKS))
        self.slider.setPageStep(TICKS)
        self.slider.setAccessibleName("Learning rate")
        KeyClaim(self.slider, *ARROWS)
        KeyClaim(self.sizes, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)
        for field, name in ((self.rate, "Rate"), (self.epochs, "Epochs"), (self.seed, "Seed")):
            field.setAccessibleName(name)

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        captions = ("samples", "network", "neurons", "loss", "η rate", "epochs")
        for row, caption in enumerate(captions):
            grid.addWidget(plain_label(caption, "secondary"), row, 0)
        batch, seed = plain_label("batch", "secondary"), plain_label("seed", "secondary")
        grid.addWidget(self.data, 0, 1)
        grid.addWidget(self.sizes, 1, 1)
        grid.addLayout(in_row((self.activation, 1), batch, self.batch), 2, 1)
        grid.addWidget(self.loss, 3, 1)
        grid.addLayout(in_row((self.slider, 1), self.rate), 4, 1)
        grid.addLayout(in_row(self.epochs, 1, seed, self.seed), 5, 1)
        grid.setColumnStretch(1, 1)
        self._grid = grid
        in_column(grid, parent=self, style=self._style, edges=PANEL_EDGES, gap=6)

    def _connect(self) -> None:
        training = self._training
        training.reset_done.connect(self.show_setup)
        training.refused.connect(self.show_setup)
        training.advanced.connect(self._show_rate)
        self.data.activated.connect(self._choose_data)
        self.sizes.editingFinished.connect(self._take_sizes)
        for box in (self.activation, self.loss, self.batch):
            box.activated.connect(self._change)
        self.slider.valueChanged.connect(self._slide)
        self.rate.committed.connect(self._take_rate)
        self.epochs.committed.connect(self._take_epochs)
        self.seed.committed.connect(self._take_seed)
        for field in (self.rate, self.epochs, self.seed):
            field.refused.connect(self.refused)
        self._style.changed.connect(self._restyle)

    def _choose_data(self) -> None:
        if self.data.currentText() == FROM_FILE:
            self.show_setup()  # it is chosen when the columns are
            self.table_wanted.emit()
        elif self.data.currentText() != self._training.data:
            self._training.set_data(self.data.currentText())

    def _take_sizes(self) -> None:
        text = self.sizes.text()
        spaced = _BETWEEN_DIGITS.search(text)  # 8 8 is no 88
        found = None if spaced else _SIZES.fullmatch("".join(text.split()))
        sizes = tuple(int(part) for part in found[1].split(",") if part) if found else ()
        inputs = self._training.setup.sizes[0]
        if len(sizes) < 2 or sizes[0] != inputs or sizes[-1] != 1 or min(sizes) < 1:
            usual = network_text((inputs, 8, 1))
            self.refused.emit(f"A network has inputs, neurons of each layer, 1 output: {usual}.")
            self.show_setup()
        elif sizes != self._training.setup.sizes:
            self._training.change(replace(self._training.setup, sizes=sizes))
        else:
            self.show_setup()

    def _change(self) -> None:
        losses = {text: name for name, text in LOSSES.items()}
        setup = replace(
            self._training.setup,
            activation=self.activation.currentText(),
            loss=losses[self.loss.currentText()],
            batch=BATCHES[self.batch.currentIndex()],
        )
        self._training.change(setup)

    def _slide(self, tick: int) -> None:
        power = tick // TICKS
        self._training.set_rate(round(10.0 ** (tick / TICKS), 1 - power))
        self.rate.set_value(self._training.rate)

    def _take_rate(self, rate: float) -> None:
        self._training.set_rate(rate)
        self.rate.set_value(self._training.rate)
        self._show_tick()

    def _take_epochs(self, epochs: float) -> None:
        if epochs == epochs // 1 and 1 <= epochs <= MOST_EPOCHS:
            self._training.set_epochs(int(epochs))
        else:
            self.refused.emit(f"Epochs are a whole number from 1 to {MOST_EPOCHS:,}.")
        self.epochs.set_value(self._training.setup.epochs)

    def _take_seed(self, seed: float) -> None:
        if seed == seed // 1 and 0 <= seed < LARGEST_SEED:
            self._training.change(replace(self._training.setup, seed=int(seed)))
        else:
            self.refused.emit(f"A seed is a whole number from 0 to {LARGEST_SEED - 1:,}.")
        self.seed.set_value(self._training.setup.seed)

    def _show_rate(self) -> None:
        if self.rate.value() != self._training.rate:  # else another one may be being typed
            self.rate.set_value(self._training.rate)
        self._show_tick()

    def _show_tick(self) -> None:
        blocked = self.slider.blockSignals(True)
        self.slider.setValue(round(math.log10(self._training.rate) * TICKS))
        self.slider.blockSignals(blocked)

    def _restyle(self) -> None:
        self._grid.setSpacing(self._style.px(6))
        for field in (self.rate, self.epochs, self.seed):
            field.fit_width(FIELD)
