"""The check panel: backward beside numerical gradients, and one leaf nudged."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QPushButton, QWidget

from app.controls.empty_state import LEAST_HEIGHT, EmptyState
from app.controls.layouts import (
    PANEL_EDGES,
    fill_background,
    in_column,
    in_row,
    plain_label,
    scroll_area,
)
from app.controls.segmented import Segmented
from app.document.document import Document
from app.guard import guarded
from app.panels.check.nudge_part import NudgePart
from app.panels.check.step_row import StepRow
from app.panels.check.table import CheckTable
from app.panels.check.torch_part import TorchPart
from app.style.current import Style
from app.workbench.gradients.formulas import derivative_text, variable
from app.workbench.playback.playback import Playback
from app.workbench.selection import Selection
from app.workbench.study.checking import QUOTIENTS, WAYS, Row, summary
from app.workbench.study.checks import Checks
from engine.numbers import full
from engine.rules import CORRECT
from engine.study.nudge import STEP

QUESTION = "Is the gradient right?"
SELECT = "Select a row to read all its digits and to nudge the leaf."
BELOW_EDGES = (14, 0, 14, 12)
LONG, ALL_DIGITS = 6, 19
"""Characters of numbers up to which the table has room for them."""
LONGEST_ROOT = 6
"""Characters of the root's name in the head of the table."""


@guarded
class CheckPanel(QWidget):
    """The rows of the check, and how they are computed; `node_chosen` carries a row's node."""

    node_chosen = Signal(int)

    def __init__(
        self,
        style: Style,
        document: Document,
        playback: Playback,
        checks: Checks,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._style, self._document = style, document
        self._playback, self._checks = playback, checks
        self._selection: Selection | None = None
        fill_background(self, "panel")
        self.empty = EmptyState(style, "")
        self.way = Segmented(style, [(way, way) for way in WAYS], "Method")
        self.all_nodes = QCheckBox("all nodes")
        self.all_nodes.setToolTip("Check the gradients of operations as well as those of leaves")
        self.step = StepRow(style, checks.h)
        self.table = CheckTable(style)
        self.verdict = plain_label(kind="strong", wraps=True)
        self.other_h = QPushButton(f"Take h = {full(STEP)}")
        self.words = plain_label(kind="secondary", wraps=True)
        self.nudge = NudgePart(style, document, checks)
        self.torch = TorchPart(style)
        self._found = QWidget()
        self._lay_out()
        self._connect()
        self._restyle()

    def follow(self, selection: Selection) -> None:
        """Show the row of the selected node."""
        self._selection = selection
        selection.changed.connect(self._selection_changed)
        self._refresh()

    def _lay_out(self) -> None:
        head, page = QWidget(), QWidget()
        title = in_row((plain_label(QUESTION, "heading"), 1), self.all_nodes)
        parts = (title, in_row(self.way, 1), self.step)
        in_column(*parts, parent=head, style=self._style, edges=PANEL_EDGES, gap=8)
        parts = (self.table, self.verdict, in_row(self.other_h, 1), self.words)
        in_column(*parts, parent=self._found, style=self._style, edges=BELOW_EDGES, gap=6)
        self._rule = QFrame()
        self._rule.setProperty("kind", "rule")
        self._last_rule = QFrame()
        self._last_rule.setProperty("kind", "rule")
        above = (head, self.empty, self._found, self._rule, self.nudge)
        parts = (*above, self._last_rule, self.torch, 1)
        in_column(*parts, parent=page, edges=0, gap=0)
        self._page = page
        in_column(scroll_area(page), parent=self, edges=0)

    def _lay_out_again(self) -> None:
        """Lay out what asked for it while the page was hidden; Qt has dropped those requests."""
        layout = self._page.layout()
        if layout is not None:
            layout.invalidate()
            layout.activate()
        self._page.updateGeometry()

    def _connect(self) -> None:
        checks = self._checks
        self.way.chosen.connect(checks.set_way)
        self.all_nodes.toggled.connect(checks.set_all_nodes)
        self.step.changed.connect(checks.set_h)
        self.step.refused.connect(self._document.refused)
        self.other_h.clicked.connect(lambda: checks.set_h(STEP))
        self.table.node_chosen.connect(self.node_chosen)
        checks.changed.connect(self._refresh)
        self._style.changed.connect(self._restyle)

    def _selection_changed(self) -> None:
        if not self._playback.behind and self.isVisible():
            self._show_row()

    def _refresh(self) -> None:
        """Show what is known; what must not be shown any more goes even while this is hidden."""
        checks = self._checks
        if not self.isVisible() and not checks.said and not checks.rows:
            self.table.show_rows((), "", "")
            self._show_row()
            return
        self.way.set_choice(checks.way)
        self.step.setEnabled(checks.way != "exact")
        if self.step.h != checks.h:
            self.step.show_step(checks.h)
        self.empty.setVisible(bool(checks.said))
        self.empty.show_state(checks.said)
        self._found.setVisible(not checks.said)
        if checks.waits:
            self.verdict.setText(f"{len(checks.rows):,} of {checks.total:,} are checked …")
        else:
            self.verdict.setText(summary(checks.rows))
        self.other_h.setVisible(checks.needs_other_h)
        if not checks.waits or not checks.rows:  # to show the rows of each slice takes longer
            rows = () if checks.waits else checks.rows
            self.table.show_rows(rows, self._gradient(), self._formula())
            self._show_row()

    def _gradient(self) -> str:
        """Return what heads the gradients; those of a mistake are no derivatives."""
        graph, notation = self._playback.frame.graph, self._style.notation
        if graph.root is None:
            return ""
        root = variable(graph, graph.root, LONGEST_ROOT)
        correct = self._checks.rules is CORRECT
        return derivative_text(root, "x", notation if correct else "grad")

    def _formula(self) -> str:
        way, graph = self._checks.way, self._playback.frame.graph
        if way == "exact" or graph.root is None:
            return "numerical"
        return QUOTIENTS[way].format(root=variable(graph, graph.root, LONGEST_ROOT), leaf="x")

    def _show_row(self) -> None:
        """Say of the selected node why its gradients agree or differ."""
        row = self._row()
        self.table.select(None if row is None else row.node)
        self.words.setText(_sentence(row) if row is not None else SELECT)
        self.words.setVisible(bool(self._checks.rows))
        shown = self._checks.total > 0
        for part in (self.nudge, self.torch, self._rule, self._last_rule):
            part.setVisible(shown)
        self.torch.show_graph(self._playback.frame.graph if shown else None, self._checks.rules)
        only = None if self._selection is None else self._selection.only
        self.nudge.show_node(self._playback.frame, only if shown else None)

    def _row(self) -> Row | None:
        only = None if self._selection is None else self._selection.only
        return next((row for row in self._checks.rows if row.node == only), None)

    def _restyle(self) -> None:
        self.empty.setMinimumHeight(self._style.px(LEAST_HEIGHT))
        self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._checks.watch(True)
        self.nudge.load()
        QTimer.singleShot(0, self, self._lay_out_again)
        self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._checks.watch(False)


def _sentence(row: Row) -> str:
    """Say what the table has no room for, and why the gradients agree or differ."""
    if row.backward is None:
        return row.reason
    said = list[str]()
    if len(full(row.backward)) > LONG:
        said.append(f"backward {full(row.backward)}")
    if len(full(row.numerical)) > ALL_DIGITS:
        said.append(f"numerical {full(row.numerical)}")
    if row.verdict != "can't tell" and row.apart:
        said.append(f"off by {full(row.apart)}")
    head = f"{row.title}: {', '.join(said)}. " if said else f"{row.title}: "
    return f"{head}{row.reason}"
