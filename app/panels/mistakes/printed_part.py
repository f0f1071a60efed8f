"""PrintedPart: gradients that a program printed are typed, and the mistakes behind them listed."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QPushButton, QWidget

from app.controls.elided_label import ElidedLabel
from app.controls.focus import ENTER, KeyClaim, PressedByEnter
from app.controls.layouts import in_column, in_row, plain_label, set_kind
from app.controls.panel import Block
from app.style.current import Style
from app.workbench.gradients.formulas import grad_name
from app.workbench.study.lab import MOST_NODES, NOTHING_TYPED, found_from, typed_leaves
from engine.graph import Graph
from engine.rules import Rules
from engine.study.judging import ANSWER_LIMIT

LONGEST_NAME = 14
_TWO_IN_A_ROW = 58
"""Width of a name up to which two leaves are in a row, in px at 100 %."""


class PrintedPart(Block):
    """One field per leaf; `run_wanted` carries the Rules of a mistake that is to be run."""

    run_wanted = Signal(object)
    answered = Signal()
    """Emitted after something was typed and answered."""

    def __init__(self, style: Style) -> None:
        super().__init__(style, "My program printed", key="printed")
        self._graph = Graph()
        self._leaves: tuple[int, ...] = ()
        self._fields: dict[int, QLineEdit] = {}
        self._names: list[QLabel] = []
        self._rows: list[_Suspect] = []
        self.sentence = plain_label(kind="caption", wraps=True)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self.answer = QWidget()
        self._found = QWidget()
        self._suspects = in_column(parent=self._found, style=style, edges=0, gap=4)
        in_column(self.sentence, self._found, parent=self.answer, edges=0, gap=6)
        self.add(self._grid, self.answer)
        style.changed.connect(self._place_fields)

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
        changed, before = graph is not self._graph, self._graph
        leaves = typed_leaves(graph)
        named = [(n, graph.names[n]) for n in leaves]
        self._graph = graph
        if named != [(n, before.names.get(n)) for n in self._leaves]:
            self._leaves = leaves
            self._make_fields()
        if changed and len(graph.nodes) <= MOST_NODES:
            self._refresh()
        elif changed:
            self._wait()
        self.setVisible(bool(self._leaves))

    def _make_fields(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._fields, self._names = {}, []
        for node in self._leaves:
            name = grad_name(self._graph, node, LONGEST_NAME)
            field = QLineEdit()
            field.setMaxLength(ANSWER_LIMIT)
            field.setAccessibleName(f"{name} came out as")
            field.setPlaceholderText("–")
            KeyClaim(field, *ENTER)
            field.textEdited.connect(self._answer_if_small)
            field.returnPressed.connect(self._answer)
            self._fields[node] = field
            self._names.append(plain_label(name))
        self._place_fields()

    def _place_fields(self) -> None:
        """Place two leaves in a row, or one where a name is wide."""
        px, metrics = self._style.px, QFontMetricsF(self._style.font("interface"))
        widest = max((metrics.horizontalAdvance(n.text()) for n in self._names), default=0.0)
        in_row = 2 if widest <= px(_TWO_IN_A_ROW) else 1
        for place, (label, field) in enumerate(
            zip(self._names, self._fields.values(), strict=True)
        ):
            row, column = divmod(place, in_row)
            self._grid.addWidget(label, row, 2 * column)
            self._grid.addWidget(field, row, 2 * column + 1)
        for column in (1, 3):
            self._grid.setColumnStretch(column, 1 if column < 2 * in_row else 0)
        self._grid.setHorizontalSpacing(px(8))
        self._grid.setVerticalSpacing(px(6))

    def _answer_if_small(self) -> None:
        if len(self._graph.nodes) <= MOST_NODES:
            self._answer()
        else:
            self._wait()

    def _wait(self) -> None:
        """Take back an answer about other numbers; that of a large graph waits for Enter."""
        typed = any(field.text().strip() for field in self._fields.values())
        self.sentence.setText("Press Enter to compare." if typed else NOTHING_TYPED)
        set_kind(self.sentence, "caption")
        for row in self._rows:
            row.hide()

    def _answer(self) -> None:
        self._refresh()
        self.answered.emit()

    def _refresh(self) -> None:
        """Say what would give what was typed."""
        found = found_from(self._graph, {n: field.text() for n, field in self._fields.items()})
        self.sentence.setText(found.sentence)
        set_kind(self.sentence, "error" if found.is_error else "caption")
        while len(self._rows) < len(found.mistakes):
            row = _Suspect(self._style)
            row.run_wanted.connect(self.run_wanted)
            self._rows.append(row)
            self._suspects.addWidget(row)
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
