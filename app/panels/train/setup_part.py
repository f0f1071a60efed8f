"""SetupPart: samples, network, loss, batch, epochs, seed and rate of a training.

`ColumnsPart` chooses inputs and target of a table before it can be trained on.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLineEdit, QVBoxLayout, QWidget

from app.controls.choices import ChoiceBox
from app.controls.focus import claim_keys
from app.controls.layouts import (
    ElidedLabel,
    Part,
    in_column,
    in_row,
    plain_label,
    set_kind,
    show_text,
)
from app.controls.painted_buttons import push_button
from app.controls.text_fields import NumberEdit
from app.panels.train.descent_view import RateRow
from app.style.current import Style
from app.workbench.training import EPOCH_LIMIT, TABLE, Training, network_text
from engine.errors import EngineError
from engine.graph import brief
from engine.training.table import Table, target_words
from engine.training.templates import CROSS_ENTROPY, DATA_SETS

LOSSES: Final = {"mse": "mean (o − t)²", "hinge": "largest margin", CROSS_ENTROPY: "cross-entropy"}
ACTIVATIONS: Final = ("tanh", "relu", "sigmoid")
BATCHES: Final = (0, 1, 4, 10, 20, 50)
"""Samples of a batch; 0 takes all."""
CAPTION_WIDTH: Final = 54
"""Width of the captions, in px at 100 %."""
_ROW_HEIGHT, _RIGHT_WIDTH, _BATCH_WIDTH, _NUMBER_WIDTH = 33, 82, 48, 60
"""Height of a row, widths of the fields at the right, of batch and of a number, in px at 100 %."""
SEED_LIMIT: Final = 2**31
"""Seeds are whole numbers from 0 to below this."""
_SIZES: Final = re.compile(r"(?:mlp)?\(?([\d,]{1,40})\)?", re.IGNORECASE)
"""`mlp(2, 8, 1)` or `2, 8, 1`, after its spaces have been removed."""
_SPACE_IN_NUMBER: Final = re.compile(r"\d\s+\d")


class SetupPart(QWidget):
    """The fields of the set-up.

    `rate` is not in its layout: the page keeps it visible where the other rows are folded.
    """

    table_wanted = Signal()
    """Emitted when the user wants to choose a CSV file."""
    refused = Signal(str)
    """Emitted with the sentence about a text that is not accepted."""

    def __init__(self, style: Style, training: Training) -> None:
        super().__init__()
        self._style, self._training = style, training
        self.data = ChoiceBox("Samples")
        self.csv = push_button("CSV file…")
        self.sizes = QLineEdit()
        self.activation = ChoiceBox("Activation")
        self.loss = ChoiceBox("Loss")
        self.batch = ChoiceBox("Batch")
        self.epochs = NumberEdit(style)
        self.seed = NumberEdit(style)
        self.rate = RateRow(style, training.rate)
        self._fill()
        self._lay_out()
        self._connect()
        self._restyle()
        self.show_setup()

    def show_setup(self) -> None:
        training, setup = self._training, self._training.setup
        self.data.setCurrentIndex(self.data.findText(training.data))  # −1 for a table: placeholder
        self.sizes.setText(network_text(setup.sizes))
        self.activation.setCurrentText(setup.activation)
        self.loss.setCurrentText(LOSSES[setup.loss])
        self.loss.setEnabled(training.learner.has_classes)  # whether all targets are ±1
        self.batch.setCurrentIndex(BATCHES.index(setup.batch))
        self.rate.show_number(training.rate)
        self.epochs.set_value(setup.epochs)
        self.seed.set_value(setup.seed)

    def summary(self) -> str:
        """Return samples, network and batch as one line."""
        setup, size = self._training.setup, self.batch.currentText()
        return f"{self._training.data}, {network_text(setup.sizes)}, {size}"

    def _fill(self) -> None:
        self.data.addItems(list(DATA_SETS))
        self.data.setPlaceholderText(TABLE)
        self.csv.setToolTip("Train on the columns of a table")
        self.activation.addItems(ACTIVATIONS)
        self.loss.addItems(list(LOSSES.values()))
        self.batch.addItems(["all" if not size else f"{size}" for size in BATCHES])
        self.sizes.setMaxLength(60)
        self.sizes.setAccessibleName("Network")
        self.sizes.setToolTip("Inputs, neurons of each layer, and one output: mlp(2, 8, 1)")
        claim_keys(self.sizes, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)
        self.epochs.setAccessibleName("Epochs")
        self.seed.setAccessibleName("Seed")
        boxes = (self.data, self.activation, self.loss, self.batch)
        for box in boxes:
            box.setSizeAdjustPolicy(box.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(2)
        for field in (*boxes, self.csv, self.sizes, self.epochs, self.seed):
            field.setProperty("low", "true")  # the style sheet makes it lower than other fields

    def _lay_out(self) -> None:
        self._captions = [
            plain_label(text, "secondary") for text in ("samples", "network", "loss", "epochs")
        ]
        batch, seed = plain_label("batch", "secondary"), plain_label("seed", "secondary")
        rows: tuple[tuple[Part, ...], ...] = (
            ((self.data, 1), self.csv),
            ((self.sizes, 1), self.activation),
            ((self.loss, 1), batch, self.batch),
            (self.epochs, 1, seed, self.seed),
        )
        self._rows: list[QWidget] = []
        for caption, fields in zip(self._captions, rows, strict=True):
            row = QWidget()
            in_row(caption, *fields, parent=row, style=self._style, gap=6)
            self._rows.append(row)
        in_column(*self._rows, parent=self, gap=0)

    def _connect(self) -> None:
        training = self._training
        training.reset_done.connect(self.show_setup)
        training.refused.connect(self.show_setup)
        training.advanced.connect(self._show_rate)
        self.data.activated.connect(self._choose_data)
        self.csv.clicked.connect(self.table_wanted)
        self.sizes.editingFinished.connect(self._set_sizes)
        for box in (self.activation, self.loss, self.batch):
            box.activated.connect(self._set_choices)
        self.rate.changed.connect(training.set_rate)
        self.rate.refused.connect(self.refused)
        self.epochs.committed.connect(self._set_epochs)
        self.seed.committed.connect(self._set_seed)
        for field in (self.epochs, self.seed):
            field.refused.connect(self.refused)
        self._style.changed.connect(self._restyle)

    def _choose_data(self) -> None:
        if self.data.currentText() != self._training.data:
            self._training.set_data(self.data.currentText())

    def _set_sizes(self) -> None:
        text = self.sizes.text()
        has_split_number = _SPACE_IN_NUMBER.search(text)  # "8 8" must not become 88
        match = None if has_split_number else _SIZES.fullmatch("".join(text.split()))
        sizes = tuple(int(part) for part in match[1].split(",") if part) if match else ()
        inputs = self._training.setup.sizes[0]
        if len(sizes) < 2 or sizes[0] != inputs or sizes[-1] != 1 or min(sizes) < 1:
            example = network_text((inputs, 8, 1))
            self.refused.emit(f"A network has inputs, neurons of each layer, 1 output: {example}.")
            self.show_setup()
        elif sizes != self._training.setup.sizes:
            self._training.change(replace(self._training.setup, sizes=sizes))
        else:
            self.show_setup()

    def _set_choices(self) -> None:
        losses = {text: name for name, text in LOSSES.items()}
        setup = replace(
            self._training.setup,
            activation=self.activation.currentText(),
            loss=losses[self.loss.currentText()],
            batch=BATCHES[self.batch.currentIndex()],
        )
        self._training.change(setup)

    def _set_epochs(self, epochs: float) -> None:
        if epochs.is_integer() and 1 <= epochs <= EPOCH_LIMIT:
            self._training.set_epochs(int(epochs))
        else:
            self.refused.emit(f"Epochs are a whole number from 1 to {EPOCH_LIMIT:,}.")
        self.epochs.set_value(self._training.setup.epochs)

    def _set_seed(self, seed: float) -> None:
        if seed.is_integer() and 0 <= seed < SEED_LIMIT:
            self._training.change(replace(self._training.setup, seed=int(seed)))
        else:
            self.refused.emit(f"A seed is a whole number from 0 to {SEED_LIMIT - 1:,}.")
        self.seed.set_value(self._training.setup.seed)

    def _show_rate(self) -> None:
        self.rate.show_number(self._training.rate)

    def _restyle(self) -> None:
        px = self._style.px
        for row, caption in zip(self._rows, self._captions, strict=True):
            row.setFixedHeight(px(_ROW_HEIGHT))
            caption.setFixedWidth(px(CAPTION_WIDTH))
        for widget in (self.csv, self.activation):
            widget.setFixedWidth(px(_RIGHT_WIDTH))
        self.batch.setFixedWidth(px(_BATCH_WIDTH))
        for field in (self.epochs, self.seed):
            field.fit_width(_NUMBER_WIDTH)


INPUT, TARGET, UNUSED = "input", "target", "not used"
MAX_COLUMNS: Final = 12
"""Columns that are offered: of a table with more, its first ones and its last one."""


class ColumnsPart(QFrame):
    """Chooses the columns of a table."""

    chosen = Signal(object, object, int)
    """Emitted with the Table, the indices of the inputs, a list[int], and that of the target."""
    refused = Signal(str)
    """Emitted with a sentence when not exactly one column is the target."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self._table: Table | None = None
        self.setProperty("kind", "question")
        self.title = plain_label(kind="strong")
        self.boxes: dict[int, ChoiceBox] = {}  # by index of the column
        self.use, self.leave = push_button("Use these columns", "primary"), push_button("Cancel")
        self._rows = QVBoxLayout()
        self.note = plain_label(kind="secondary", wraps=True)
        buttons = in_row((self.use, 1), self.leave)
        in_column(
            self.title, self._rows, self.note, buttons, parent=self, style=style, edges=12, gap=6
        )
        self.use.clicked.connect(self._confirm)
        self.leave.clicked.connect(self.hide)
        self.hide()

    def show_table(self, table: Table, name: str) -> None:
        """Offer the columns of a table; by default the last is the target."""
        self._table = table
        self.title.setText(f"{name}: {len(table.rows):,} rows")
        while (item := self._rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        self.boxes = {}
        last = len(table.names) - 1
        for column in [k for k in range(len(table.names)) if k < MAX_COLUMNS - 1 or k == last]:
            box = ChoiceBox(table.names[column])
            box.addItems([INPUT, TARGET, UNUSED])
            box.setCurrentText(TARGET if column == last else INPUT)
            box.currentTextChanged.connect(self._show_coding)
            label = ElidedLabel(self._style)
            label.setText(table.names[column])
            row = QWidget()
            in_row((label, 1), box, parent=row)
            self._rows.addWidget(row)
            self.boxes[column] = box
        self._show_coding()
        self.show()
        self.use.setFocus()

    def _columns_used_as(self, use: str) -> list[int]:
        return [k for k, box in self.boxes.items() if box.currentText() == use]

    def _show_coding(self) -> None:
        """Show the coding of the target's words, or why it can't be a target."""
        targets, note, kind = self._columns_used_as(TARGET), "", "secondary"
        try:
            if self._table is not None and len(targets) == 1:
                words = [brief(word) for word in target_words(self._table, targets[0])]
                name = self._table.names[targets[0]]
                note = "{}: {} is −1, {} is +1.".format(name, *words) if words else ""
        except EngineError as error:
            note, kind = str(error), "error"
        show_text(self.note, note)
        set_kind(self.note, kind)

    def _confirm(self) -> None:
        targets, inputs = self._columns_used_as(TARGET), self._columns_used_as(INPUT)
        if len(targets) != 1:
            self.refused.emit("Choose exactly one column as target.")
        elif self._table is not None:
            self.chosen.emit(self._table, inputs, targets[0])
