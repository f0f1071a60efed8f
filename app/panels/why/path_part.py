"""PathPart: every path from a node to the root with its product; the hovered path is lit."""

from __future__ import annotations

from app.controls.panel import Block
from app.controls.rich_line import RichLine
from app.controls.rich_text import Span
from app.controls.row_list import Column, ListRow, RowList
from app.style.current import Notation, Style
from app.workbench.gradients.group_flow import PathRow, PathTable, path_table
from app.workbench.selection import Selection
from engine.frame import Frame
from engine.numbers import Digits

MOST_ROWS = 12
"""Paths above which the list scrolls by itself."""
_ROW = 24
_SHORT = 26
"""Characters of a path and its factors that fit into one row."""


class PathPart(Block):
    """A row per path: pointing at it, or choosing it by keys, lights its wires on the canvas."""

    def __init__(self, style: Style, selection: Selection) -> None:
        super().__init__(style, "Paths", key="paths")
        self._selection = selection
        self._table = PathTable((), ())
        self.remark = RichLine(style, font_role="interface")
        columns = (Column(takes_rest=True), Column(right=True), Column(right=True))
        self.rows = RowList(
            style, "Paths to the root", columns, row_height=_ROW, most_rows=MOST_ROWS
        )
        self.rows.hovered.connect(self._light)
        self.rows.moved.connect(self._light)
        self.add(self.rows, self.remark)

    def show_paths(
        self, frame: Frame, node: int, digits: Digits, notation: Notation
    ) -> tuple[str, str]:
        """Show the paths of a node; return a title for them and their number."""
        table = path_table(frame, node, digits, notation)
        self.remark.set_spans(table.remark)
        self.rows.setVisible(bool(table.rows))
        graph = frame.graph
        title = "Paths"
        if table.rows and graph.root is not None:
            title = f"Paths from {graph.brief(node)} to {graph.brief(graph.root)}"
        if table.rows != self._table.rows:
            self.light_none()
            self.rows.show_rows([_row(row) for row in table.rows])
            self.rows.set_current(-1)
        self._table = table
        return title, f"{len(table.rows):,}" if table.rows else ""

    def clear(self) -> None:
        """Show no path, and light none."""
        self._table = PathTable((), ())
        self.remark.set_spans(())
        self.rows.show_rows(())
        self.light_none()

    def light_none(self) -> None:
        """Switch off the light of the lit path."""
        self._selection.light(())

    def _light(self, place: int) -> None:
        wires = self._table.rows[place].wires if 0 <= place < len(self._table.rows) else ()
        self._selection.light(wires)


def _row(path: PathRow) -> ListRow:
    """Return nodes, factors and product; of a long path the factors are below."""
    names = Span(path.nodes, bold=True)
    product = (Span(path.result, "gradient", bold=True),)
    factors = (Span(path.factors, "local"),) if path.factors != path.result else ()
    spoken = f"{path.nodes}: {path.product}"
    if len(path.nodes) + len(path.factors) > _SHORT:
        return ListRow(((names,), (), product), spoken, below=factors, tip=path.nodes)
    return ListRow(((names,), factors, product), spoken)
