"""The set-up of a training: samples, network, loss, batch, epochs, seed, rate.

The columns of a table are chosen first: inputs, target, and the coding of the target's words.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.controls.choice_box import ChoiceBox
from app.controls.elided_label import ElidedLabel
from app.controls.focus import KeyClaim, PressedByEnter
from app.controls.layouts import Part, in_column, in_row, plain_label, set_kind
from app.controls.number_edit import NumberEdit
from app.panels.train.descent_view import RateRow
from app.style.current import Style
from app.workbench.training import DATA_SETS, EPOCH_LIMIT, TABLE, Training, network_text
from engine.errors import EngineError
from engine.graph import brief
from engine.training.table import Table, target_words
from engine.training.templates import CHANCE

LOSSES: Final = {"mse": "mean (o − t)²", "hinge": "largest margin", CHANCE: "cross-entropy"}
ACTIVATIONS: Final = ("tanh", "relu", "sigmoid")
BATCHES: Final = (0, 1, 4, 10, 20, 50)
CAPTION: Final = 54
"""Width of the captions, in px at 100 %."""
_ROW, _RIGHT, _BATCH, _NUMBER = 33, 82, 48, 60
"""Height of a row, widths of the fields at the right, of batch and of a number."""
LARGEST_SEED: Final = 2**31
_SIZES: Final = re.compile(r"(?:mlp)?\(?([\d,]{1,40})\)?", re.IGNORECASE)
"""The sizes of a network, without spaces."""
_BETWEEN_DIGITS: Final = re.compile(r"\d\s+\d")


class SetupPart(QWidget):
    """The fields; `table_wanted` asks for a file of samples, `refused` says why a text is none.

    The row of the rate is apart from the others, as it stays where those are folded.
    """

    table_wanted = Signal()
    refused = Signal(str)

    def __init__(self, style: Style, training: Training, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style, self._training = style, training
        self.data = ChoiceBox("Samples")
        self.csv = QPushButton("CSV file…")
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
        """Show the set-up."""
        training, setup = self._training, self._training.setup
        self.data.setCurrentIndex(self.data.findText(training.data))  # of a table: its placeholder
        self.sizes.setText(network_text(setup.sizes))
        set_kind(self.sizes, "true", part="valid")
        self.activation.setCurrentText(setup.activation)
        self.loss.setCurrentText(LOSSES[setup.loss])
        self.loss.setEnabled(training.learner.classes)
        self.batch.setCurrentIndex(BATCHES.index(setup.batch))
        self.rate.show_number(training.rate)
        self.epochs.set_value(setup.epochs)
        self.seed.set_value(setup.seed)

    def summary(self) -> str:
        """Return the set-up in a few words."""
        setup, size = self._training.setup, self.batch.currentText()
        return f"{self._training.data}, {network_text(setup.sizes)}, {size}"

    def _fill(self) -> None:
        self.data.addItems(list(DATA_SETS))
        self.data.setPlaceholderText(TABLE)
        self.csv.setToolTip("Train on the columns of a table")
        PressedByEnter(self.csv)
        self.activation.addItems(ACTIVATIONS)
        self.loss.addItems(list(LOSSES.values()))
        self.batch.addItems(["all" if not size else f"{size}" for size in BATCHES])
        self.sizes.setMaxLength(60)
        self.sizes.setAccessibleName("Network")
        self.sizes.setToolTip("Inputs, neurons of each layer, and one output: mlp(2, 8, 1)")
        KeyClaim(self.sizes, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)
        self.epochs.setAccessibleName("Epochs")
        self.seed.setAccessibleName("Seed")
        boxes = (self.data, self.activation, self.loss, self.batch)
        for box in boxes:
            box.setSizeAdjustPolicy(box.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(2)
        for field in (*boxes, self.csv, self.sizes, self.epochs, self.seed):
            field.setProperty("low", "true")

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
            in_row(caption, *fields, parent=row, style=self._style, edges=0, gap=6)
            self._rows.append(row)
        in_column(*self._rows, parent=self, edges=0, gap=0)

    def _connect(self) -> None:
        training = self._training
        training.reset_done.connect(self.show_setup)
        training.refused.connect(self.show_setup)
        training.advanced.connect(self._show_rate)
        self.data.activated.connect(self._choose_data)
        self.csv.clicked.connect(self.table_wanted)
        self.sizes.editingFinished.connect(self._take_sizes)
        for box in (self.activation, self.loss, self.batch):
            box.activated.connect(self._change)
        self.rate.changed.connect(training.set_rate)
        self.rate.refused.connect(self.refused)
        self.epochs.committed.connect(self._take_epochs)
        self.seed.committed.connect(self._take_seed)
        for field in (self.epochs, self.seed):
            field.refused.connect(self.refused)
        self._style.changed.connect(self._restyle)

    def _choose_data(self) -> None:
        if self.data.currentText() != self._training.data:
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

    def _take_epochs(self, epochs: float) -> None:
        if epochs == epochs // 1 and 1 <= epochs <= EPOCH_LIMIT:
            self._training.set_epochs(int(epochs))
        else:
            self.refused.emit(f"Epochs are a whole number from 1 to {EPOCH_LIMIT:,}.")
        self.epochs.set_value(self._training.setup.epochs)

    def _take_seed(self, seed: float) -> None:
        if seed == seed // 1 and 0 <= seed < LARGEST_SEED:
            self._training.change(replace(self._training.setup, seed=int(seed)))
        else:
            self.refused.emit(f"A seed is a whole number from 0 to {LARGEST_SEED - 1:,}.")
        self.seed.set_value(self._training.setup.seed)

    def _show_rate(self) -> None:
        self.rate.show_number(self._training.rate)

    def _restyle(self) -> None:
        px = self._style.px
        for row, caption in zip(self._rows, self._captions, strict=True):
            row.setFixedHeight(px(_ROW))
            caption.setFixedWidth(px(CAPTION))
        for widget in (self.csv, self.activation):
            widget.setFixedWidth(px(_RIGHT))
        self.batch.setFixedWidth(px(_BATCH))
        for field in (self.epochs, self.seed):
            field.fit_width(_NUMBER)


INPUT, TARGET, UNUSED = "input", "target", "not used"
MOST: Final = 12
"""Columns that can be chosen from; a table of more shows its first ones and its last one."""


class ColumnsPart(QFrame):
    """One row for each column; `chosen` carries the table, the inputs and the target."""

    chosen = Signal(object, object, int)
    refused = Signal(str)

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._table: Table | None = None
        self.setProperty("kind", "question")
        self.title = plain_label(kind="strong")
        self.boxes: dict[int, ChoiceBox] = {}
        self.use, self.leave = QPushButton("Use these columns"), QPushButton("Cancel")
        self.use.setProperty("kind", "primary")
        for button in (self.use, self.leave):
            PressedByEnter(button)
        self._rows = QVBoxLayout()
        self.note = plain_label(kind="secondary", wraps=True)
        buttons = in_row((self.use, 1), self.leave)
        in_column(
            self.title, self._rows, self.note, buttons, parent=self, style=style, edges=12, gap=6
        )
        self.use.clicked.connect(self._use)
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
        for column in [k for k in range(len(table.names)) if k < MOST - 1 or k == last]:
            box = ChoiceBox(table.names[column])
            box.addItems([INPUT, TARGET, UNUSED])
            box.setCurrentText(TARGET if column == last else INPUT)
            box.currentTextChanged.connect(self._judge)
            label = ElidedLabel(self._style)
            label.setText(table.names[column])
            row = QWidget()
            in_row((label, 1), box, parent=row, edges=0)
            self._rows.addWidget(row)
            self.boxes[column] = box
        self._judge()
        self.show()
        self.use.setFocus()

    def _chosen(self, use: str) -> list[int]:
        return [k for k, box in self.boxes.items() if box.currentText() == use]

    def _judge(self) -> None:
        """Show the coding of the target's words, or why it can't be a target."""
        targets, said, kind = self._chosen(TARGET), "", "secondary"
        try:
            if self._table is not None and len(targets) == 1:
                words = [brief(word) for word in target_words(self._table, targets[0])]
                name = self._table.names[targets[0]]
                said = "{}: {} is −1, {} is +1.".format(name, *words) if words else ""
        except EngineError as error:
            said, kind = str(error), "error"
        self.note.setText(said)
        self.note.setVisible(bool(said))
        set_kind(self.note, kind)

    def _use(self) -> None:
        targets, inputs = self._chosen(TARGET), self._chosen(INPUT)
        if len(targets) != 1:
            self.refused.emit("Choose exactly one column as target.")
        elif self._table is not None:
            self.chosen.emit(self._table, inputs, targets[0])
