"""NumbersPart: gradients that a learner got are typed, and the mistakes behind them listed."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QPushButton, QWidget

from app.controls.elided_label import ElidedLabel
from app.controls.keys import ENTER, KeyClaim, PressedByEnter
from app.controls.kind import set_kind
from app.controls.layouts import PANEL_EDGES, in_column, in_row, plain_label
from app.style.current import Style
from app.workbench.gradients.formulas import grad_name
from app.workbench.study.lab import found_from, typed_leaves
from engine.graph import Graph
from engine.rules import Rules
from engine.study.answers import LONGEST

MOST_NODES = 200
"""Nodes of a graph up to which all mistakes are run at each letter typed."""
LONGEST_NAME = 14


class NumbersPart(QWidget):
    """One field per leaf; `run_wanted` carries the Rules of a mistake that is to be run."""

    run_wanted = Signal(object)
    answered = Signal()
    """Emitted after something was typed and answered."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self._graph = Graph()
        self._leaves: tuple[int, ...] = ()
        self._fields: dict[int, QLineEdit] = {}
        self._rows: list[_Suspect] = []
        self.heading = plain_label("Which mistake gave these numbers?", "strong")
        self.sentence = plain_label(kind="secondary", wraps=True)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(4)
        self.answer = QWidget()
        self._found = QWidget()
        self._column = in_column(parent=self._found, style=style, edges=0, gap=4)
        in_column(self.sentence, self._found, parent=self.answer, edges=0, gap=8)
        parts = (self.heading, self._grid, self.answer)
        in_column(*parts, parent=self, style=style, edges=PANEL_EDGES, gap=8)

    @property
    def fields(self) -> dict[str, QLineEdit]:
        """Return the fields by the names of their leaves."""
        return {self._graph.names[node]: field for node, field in self._fields.items()}

    @property
    def buttons(self) -> dict[str, QPushButton]:
        """Return the buttons that run the mistakes found, by their names."""
        return {row.rules.name: row.run for row in self._rows if not row.isHidden()}

    def show_graph(self, graph: Graph) -> None:
        """Offer a field for each leaf; what was typed stays while the leaves do."""
        names = [graph.names[n] for n in typed_leaves(graph)]
        if names != [self._graph.names.get(n) for n in self._leaves] or not self._fields:
            self._graph, self._leaves = graph, typed_leaves(graph)
            self._make_fields()
        changed = graph is not self._graph
        self._graph = graph
        if changed or not self.sentence.text():
            self._refresh()
        self.setVisible(bool(self._leaves))

    def _make_fields(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._fields = {}
        for row, node in enumerate(self._leaves):
            name = grad_name(self._graph, node, LONGEST_NAME)
            field = QLineEdit()
            field.setMaxLength(LONGEST)
            field.setAccessibleName(f"{name} came out as")
            field.setPlaceholderText("came out as")
            KeyClaim(field, *ENTER)
            field.textEdited.connect(self._answer_if_small)
            field.returnPressed.connect(self._answer)
            self._grid.addWidget(plain_label(name), row, 0)
            self._grid.addWidget(field, row, 1)
            self._fields[node] = field
        self._grid.setColumnStretch(1, 1)

    def _answer_if_small(self) -> None:
        if len(self._graph.nodes) <= MOST_NODES:
            self._answer()

    def _answer(self) -> None:
        self._refresh()
        self.answered.emit()

    def _refresh(self) -> None:
        """Say what would give what was typed."""
        found = found_from(self._graph, {n: field.text() for n, field in self._fields.items()})
        self.sentence.setText(found.sentence)
        set_kind(self.sentence, "error" if found.is_error else "secondary")
        while len(self._rows) < len(found.mistakes):
            row = _Suspect(self._style)
            row.run_wanted.connect(self.run_wanted)
            self._rows.append(row)
            self._column.addWidget(row)
        for row, rules in zip(self._rows, found.mistakes, strict=False):
            row.show_rules(rules)
        for place, row in enumerate(self._rows):
            row.setVisible(place < len(found.mistakes))


class _Suspect(QWidget):
    run_wanted = Signal(object)

    def __init__(self, style: Style) -> None:
        super().__init__()
        self.rules = Rules("", "", "", "")
        self._title = ElidedLabel(style, kind="strong")
        self.run = QPushButton("Run")
        PressedByEnter(self.run)
        right = Qt.AlignmentFlag.AlignRight
        in_row((self._title, 1), (self.run, right), parent=self, style=style, edges=0, gap=6)
        self.run.clicked.connect(lambda: self.run_wanted.emit(self.rules))

    def show_rules(self, rules: Rules) -> None:
        """Show a mistake."""
        self.rules = rules
        self._title.setText(rules.title)
        self.run.setAccessibleName(f"Run {rules.title}")
