"""The inspector: one node in full, several nodes at once, or unfinished parts of the graph."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QPushButton,
    QWidget,
)

from app.controls.empty_state import LEAST_HEIGHT, EmptyState
from app.controls.layouts import (
    PANEL_EDGES,
    fill_background,
    in_column,
    in_row,
    plain_label,
    scroll_area,
)
from app.document.document import Document
from app.document.sheet import Sheet
from app.guard import guarded
from app.panels.inspector.node_part import NodePart
from app.panels.inspector.problem_list import ProblemList
from app.style.current import Style
from app.workbench.playback.playback import Playback
from app.workbench.selection import Selection
from engine import edits
from engine.frame import Frame
from engine.graph import Constant, Leaf, kind_of

NOTHING_SELECTED = "Select a node to read all its digits and to change it."


@guarded
class Inspector(QWidget):
    """Shows the selection; `node_chosen` carries the node of a clicked problem."""

    node_chosen = Signal(int)

    def __init__(
        self,
        style: Style,
        document: Document,
        playback: Playback,
        selection: Selection,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._document = document
        self._playback = playback
        self._selection = selection
        fill_background(self, "panel")
        self.empty = EmptyState(style, NOTHING_SELECTED)
        self.node = NodePart(style, document)
        self.many = QWidget()
        self.count = plain_label(kind="heading", wraps=True)
        self.kinds = plain_label(kind="secondary", wraps=True)
        self.delete = QPushButton("Delete")
        self.turn = QPushButton()
        self.problems = ProblemList(style)
        self._lay_out()
        self.delete.clicked.connect(self._delete)
        self.turn.clicked.connect(self._turn)
        self.problems.node_chosen.connect(self.node_chosen)
        playback.shown.connect(self._refresh)
        selection.changed.connect(self._selection_changed)
        style.changed.connect(self._restyle)
        self._restyle()

    def _lay_out(self) -> None:
        buttons, page = in_row(self.turn, self.delete, 1), QWidget()
        parts = (self.count, self.kinds, buttons)
        in_column(*parts, parent=self.many, style=self._style, edges=PANEL_EDGES, gap=8)
        parts = (self.empty, self.node, self.many, self.problems, 1)
        in_column(*parts, parent=page, edges=0, gap=0)
        in_column(scroll_area(page), parent=self, edges=0)

    def _selection_changed(self) -> None:
        if not self._playback.behind:  # otherwise the pending message refreshes it
            self._refresh()

    def _refresh(self) -> None:
        """Show the selection; a hidden panel is refreshed when it is shown."""
        if not self.isVisible():
            return
        frame = self._playback.frame
        chosen = [n for n in sorted(self._selection.nodes) if n in frame.graph.nodes]
        self.empty.setVisible(not chosen)
        self.node.setVisible(len(chosen) == 1)
        self.many.setVisible(len(chosen) > 1)
        if len(chosen) == 1:
            self.node.show_node(chosen[0], frame, self._playback.now.comparison)
        elif chosen:
            self._show_many(chosen, frame)
        self.problems.show_problems(frame.graph)

    def _show_many(self, chosen: list[int], frame: Frame) -> None:
        nodes = frame.graph.nodes
        self.count.setText(f"{len(chosen):,} nodes selected")
        kinds = Counter(kind_of(nodes[n]) for n in chosen)
        self.kinds.setText(", ".join(_counted(kind, count) for kind, count in kinds.items()))
        leaves = all(isinstance(nodes[n], Leaf) for n in chosen)
        numbers = all(isinstance(nodes[n], Leaf | Constant) for n in chosen)
        self.turn.setText("Make constants" if leaves else "Make leaves")
        self.turn.setVisible(numbers)

    def _delete(self) -> None:
        self._document.remove(self._selection.nodes, self._selection.wires)

    def _turn(self) -> None:
        graph = self._document.graph
        chosen = [n for n in sorted(self._selection.nodes) if n in graph.nodes]
        constant = all(isinstance(graph.nodes[n], Leaf) for n in chosen)

        def step(sheet: Sheet) -> Sheet:
            changed = sheet.graph
            for node in chosen:
                changed = edits.set_kind(changed, node, constant)
            return sheet.with_graph(changed)

        self._document.commit(self.turn.text(), step)

    def _restyle(self) -> None:
        self.empty.setMinimumHeight(self._style.px(LEAST_HEIGHT))
        self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()


def _counted(kind: str, count: int) -> str:
    word = {"op": "operation", "leaf": "leaf"}.get(kind, kind)
    plural = {"leaf": "leaves"}.get(word, f"{word}s")
    return f"{count} {word if count == 1 else plural}"
