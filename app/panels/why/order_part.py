"""OrderPart: the order of the graph, and how it is found: visit, mark, append, reverse."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.controls.icon_button import IconButton
from app.controls.layouts import in_column, in_row, plain_label
from app.controls.rich_line import RichLine
from app.controls.rich_text import Span, Spans, filled, on_lines
from app.guard import guarded
from app.style.current import Style
from app.workbench.selection import Selection
from engine.graph import Graph
from engine.problems import pass_obstacle
from engine.study.program import CODE, LINES, WalkStep, order_walk

MOST_NODES = 500
"""Nodes of a graph whose order is walked; one with more can't be followed by eye."""

_SAID = {
    "mark": "**{node}** is visited for the first time: it is marked, then its inputs are built.",
    "again": "**{node}** is visited again: it is marked already, so nothing is done.",
    "append": "All inputs of **{node}** are in the list: it is appended.",
    "reverse": "The list is complete. Reversed, each node fires after all that it feeds.",
}


@guarded
class OrderPart(QWidget):
    """The walk one step at a time, with its line of code, and the list so far."""

    def __init__(self, style: Style, selection: Selection) -> None:
        super().__init__()
        self._style = style
        self._selection = selection
        self._graph: Graph | None = None
        self._steps: tuple[WalkStep, ...] = ()
        self._place = 0
        self.said = RichLine(style, font_role="interface")
        self.code = RichLine(style, font_role="interface", wrap=False)
        self.listed = plain_label(kind="secondary")
        self.listed.setWordWrap(True)
        self.count = plain_label(kind="secondary")
        self.back = IconButton(style, "step_back", "One step back in the walk")
        self.next = IconButton(style, "step", "The next step of the walk")
        self.first = IconButton(style, "first", "The beginning of the walk")
        self.last = IconButton(style, "last", "The end of the walk: the whole order")
        buttons = in_row(
            self.first, self.back, self.next, self.last, 1, self.count, style=style, edges=0, gap=6
        )
        in_column(
            *(buttons, self.said, self.code, plain_label("The list so far", "group"), self.listed),
            parent=self,
            style=style,
            edges=0,
            gap=8,
        )
        self.first.clicked.connect(lambda: self.go(0))
        self.back.clicked.connect(lambda: self.go(self._place - 1))
        self.next.clicked.connect(lambda: self.go(self._place + 1))
        self.last.clicked.connect(lambda: self.go(len(self._steps) - 1))

    @property
    def step(self) -> WalkStep | None:
        """Return the step that is shown, or None where there is no walk."""
        return self._steps[self._place] if self._steps else None

    def show_order(self, graph: Graph) -> None:
        """Walk a graph; after a change of its wiring, start again."""
        same = self._graph is not None and self._graph.structure is graph.structure
        if not (same and self._graph is not None and self._graph.root == graph.root):
            walks = pass_obstacle(graph) is None and len(graph.nodes) <= MOST_NODES
            root = graph.root if walks else None
            self._steps = () if root is None else tuple(order_walk(graph, root))
            self._place = max(0, len(self._steps) - 1)
        self._graph = graph
        self._show()

    def go(self, place: int) -> None:
        """Show one step of the walk, and focus its node on the canvas."""
        if not self._steps:
            return
        self._place = max(0, min(place, len(self._steps) - 1))
        self._selection.focus_on(self._steps[self._place].node)
        self._show()

    def _show(self) -> None:
        step, graph = self.step, self._graph
        for button, at_end in ((self.first, 0), (self.back, 0), (self.next, 1), (self.last, 1)):
            edge = len(self._steps) - 1 if at_end else 0
            button.setEnabled(bool(self._steps) and self._place != edge)
        now = None if step is None else LINES[step.does]
        self.code.set_spans(_code(now))
        if step is None or graph is None:
            self.said.set_spans(filled(_why_none(self._graph)))
            self.listed.setText("")
            self.count.setText("")
            return
        self.said.set_spans(filled(_SAID[step.does], node=Span(graph.brief(step.node), bold=True)))
        self.count.setText(f"{self._place + 1:,} of {len(self._steps):,}")
        listed = step.topo[::-1] if step.does == "reverse" else step.topo
        names = (f"{k} {graph.brief(node)}" for k, node in enumerate(listed, 1))
        self.listed.setText(" · ".join(names) or "empty")


def _why_none(graph: Graph | None) -> str:
    if graph is not None and len(graph.nodes) > MOST_NODES:
        return f"The walk is shown for graphs of up to {MOST_NODES} nodes."
    return "The order is shown once a backward pass can run."


def _code(now: int | None) -> Spans:
    """Return the program with one line marked; spaces that do not break keep its shape."""
    lines = (line.replace(" ", "\u00a0") for line in CODE)
    return on_lines(
        (
            Span("▸\u00a0" if k == now else "\u00a0\u00a0", code=True),
            Span(line, code=True, bold=k == now),
        )
        for k, line in enumerate(lines)
    )
