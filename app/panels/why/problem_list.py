"""Lists what is unfinished in the graph; each entry selects its node."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCursor, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.controls.kind import plain_tooltip
from app.controls.layouts import in_column, plain_label
from app.controls.rows_on_demand import RowsOnDemand
from app.guard import guarded
from app.style.current import Style
from app.style.icons import icon
from engine.graph import Graph
from engine.problems import Problem, problems

MOST = 8


class ProblemList(QWidget):
    """The problems of a graph, updated only when its wiring changes."""

    node_chosen = Signal(int)

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._graph: Graph | None = None
        self._count = 0
        self._rows = RowsOnDemand(self._problem_row, self._add)
        self._more = plain_label(kind="secondary")
        self._column = in_column(self._more, parent=self, style=style, edges=0, gap=4)

    def sentences(self) -> list[str]:
        """Return the sentences shown."""
        return [row.problem.sentence for row in self._rows.shown]

    def row(self, place: int) -> QPushButton:
        """Return a row by its index from the top."""
        return self._rows[place]

    def show_problems(self, graph: Graph) -> int:
        """Show the problems of a graph; return their number."""
        before, self._graph = self._graph, graph
        same = before is not None and before.structure is graph.structure
        if same and before is not None and before.active_root == graph.active_root:
            return self._count
        found = problems(graph)
        self._count = len(found)
        for row, problem in zip(self._rows.show(min(len(found), MOST)), found, strict=False):
            row.show_problem(problem)
        hidden = len(found) - MOST
        self._more.setText(f"and {hidden:,} more")
        self._more.setVisible(hidden > 0)
        return len(found)

    def _problem_row(self) -> _ProblemRow:
        row = _ProblemRow(self._style, self)
        row.clicked.connect(self._choose)
        return row

    def _add(self, row: QWidget) -> None:
        self._column.insertWidget(self._column.count() - 1, row)

    def _choose(self) -> None:
        row = self.sender()
        if isinstance(row, _ProblemRow):
            self.node_chosen.emit(row.problem.node)


@guarded
class _ProblemRow(QPushButton):
    """One problem as a clickable sentence."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self.problem = Problem("", 0)
        self.setProperty("kind", "link")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setCursor(QCursor(Qt.CursorShape.PointingHandCursor))
        style.changed.connect(self._restyle)
        self._restyle()

    def show_problem(self, problem: Problem) -> None:
        self.problem = problem
        self.setAccessibleName(problem.sentence)
        self.setToolTip(plain_tooltip(f"{problem.sentence}\nClick to go there."))
        self._elide()

    def _elide(self) -> None:
        """Show the first sentence, elided if needed; the rest is in the tooltip."""
        text = self.problem.sentence.split(". ")[0].rstrip(".") + "."
        room = self.width() - self._style.px(32)
        self.setText(self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room))

    def _restyle(self) -> None:
        self.setIcon(icon("warning", self._style.theme, self._style.theme.error))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()
