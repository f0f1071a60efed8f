"""The chain-rule panel's part for a group: incoming, outgoing and inner gradients."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from app.controls.layouts import Box, in_column, plain_label
from app.controls.panel import Block
from app.controls.rich_text import Span, plain_text
from app.controls.row_list import Column, ListRow, RowList
from app.style.current import Style
from app.workbench.gradients.group_flow import GroupFlow
from engine.graph import brief

MOST_ROWS = 8
_ROW = 22
_APART = 4
"""Space above a table beyond the gap of the block, in px at 100 %."""

Row = tuple[str, Sequence[Span]]


class GroupPart(Block):
    """Three short tables; the first is left out if the node above covers it."""

    def __init__(self, style: Style) -> None:
        super().__init__(style, tight=True)
        self.heading = plain_label(kind="heading", wraps=True)
        self.arrives = Table(style, "Arrives at its outputs")
        self.passes = Table(style, "Passed on to its inputs")
        self.inside = Table(style, "Inside")
        self.words = plain_label(kind="secondary", wraps=True)
        self.add(self.heading)
        for table in (self.arrives, self.passes, self.inside):
            self.add(_apart(style, table.title), table, table.more)
        self.add(_apart(style, self.words))

    def show_group(self, found: GroupFlow, alone: bool) -> None:
        """Show a group; `alone` if no node above covers its only output."""
        digits = self._style.digits
        self.heading.setText(f"Gradients through {brief(found.title or 'the group')}")
        self.heading.setVisible(alone)
        outputs = found.outputs if alone else ()
        self.arrives.show_numbers([found.gradient(n, digits) for n in outputs])
        self.passes.show_numbers([found.passed(n, digits) for n in found.inputs])
        self.inside.show_numbers([found.gradient(n, digits) for n in found.inner])
        self.words.setText(_words(found))


class Table(RowList):
    """Rows of a name and a number, with a title above and the count of more below."""

    def __init__(self, style: Style, title: str) -> None:
        columns = (Column(takes_rest=True), Column(right=True, font="number"))
        super().__init__(style, title, columns, row_height=_ROW, choosable=False)
        self.title = plain_label(title, "strong")
        self.more = plain_label(kind="caption")

    def show_numbers(self, rows: Sequence[Row]) -> None:
        """Show the first rows, and the number of the others; nothing without rows."""
        self.show_rows([_list_row(*row) for row in rows[:MOST_ROWS]])
        self.more.setText(f"and {len(rows) - MOST_ROWS:,} more")
        self.more.setVisible(len(rows) > MOST_ROWS)
        self.title.setVisible(bool(rows))
        self.setVisible(bool(rows))


def _apart(style: Style, part: QWidget) -> Box:
    return in_column(part, style=style, edges=(0, _APART, 0, 0))


def _list_row(name: str, number: Sequence[Span]) -> ListRow:
    cells = ((Span(name),), tuple(number))
    return ListRow(cells, f"{name}: {plain_text(number)}", tip=name)


def _words(found: GroupFlow) -> str:
    """Say how to see more, and why there may be nothing."""
    if not found.outputs:
        return "Nothing outside reads this group, so no gradient comes into it."
    return "To see the sum of a single node, open the group (Ctrl+J) and select the node."
