"""The columns of a table: which are inputs, which is the target, and what its words become."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from app.controls.choice_box import ChoiceBox
from app.controls.elided_label import ElidedLabel
from app.controls.keys import PressedByEnter
from app.controls.kind import set_kind
from app.controls.layouts import in_column, in_row, plain_label
from app.style.current import Style
from engine.errors import EngineError
from engine.graph import brief
from engine.training.table import Table, target_words

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
        """Say what the words of the target become, or why it can be none."""
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
