"""The chain-rule panel's part for a group: incoming, outgoing and inner gradients."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.controls.elided_label import ElidedLabel
from app.controls.layouts import in_column, in_row, plain_label
from app.controls.rich_line import RichLine
from app.controls.rich_text import Span, plain_text
from app.controls.rows_on_demand import RowsOnDemand
from app.style.current import Style
from app.workbench.gradients.group_flow import Passing
from engine.graph import brief

MOST_ROWS = 8

Row = tuple[str, Sequence[Span]]


class GroupPart(QWidget):
    """Three short tables; the first is left out if the node above covers it."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self.heading = plain_label(kind="heading", wraps=True)
        self.arrives = Table(style, "Arrives at its outputs")
        self.passes = Table(style, "Passed on to its inputs")
        self.inside = Table(style, "Inside")
        self.words = plain_label(kind="secondary", wraps=True)
        parts = (self.heading, self.arrives, self.passes, self.inside, self.words)
        in_column(*parts, parent=self, style=style, edges=0, gap=10)

    def show_group(self, found: Passing, alone: bool) -> None:
        """Show a group; `alone` if no node above covers its only output."""
        digits = self._style.digits
        self.heading.setText(f"Gradients through {brief(found.title or 'the group')}")
        self.heading.setVisible(alone)
        outputs = found.outputs if alone else ()
        self.arrives.show_rows([found.gradient(n, digits) for n in outputs])
        self.passes.show_rows([found.passed(n, digits) for n in found.inputs])
        self.inside.show_rows([found.gradient(n, digits) for n in found.inner])
        self.words.setText(_words(found))


class Table(QWidget):
    """A caption over rows of a name and a number; hidden without rows."""

    def __init__(self, style: Style, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._more = plain_label(kind="caption")
        parts = (plain_label(title, "strong"), self._more)
        self._column = in_column(*parts, parent=self, style=style, edges=0, gap=4)
        self._rows = RowsOnDemand(lambda: _NumberRow(style), self._add)

    def texts(self) -> list[str]:
        """Return the rows as plain text."""
        return [row.text() for row in self._rows.shown]

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show the first rows, and the number of the others."""
        shown = rows[:MOST_ROWS]
        for row, found in zip(self._rows.show(len(shown)), shown, strict=True):
            row.show_row(*found)
        self._more.setText(f"and {len(rows) - MOST_ROWS:,} more")
        self._more.setVisible(len(rows) > MOST_ROWS)
        self.setVisible(bool(rows))

    def _add(self, row: QWidget) -> None:
        self._column.insertWidget(self._column.count() - 1, row)


class _NumberRow(QWidget):
    """A name at the left, a number at the right."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._name = ElidedLabel(style)
        self._number = RichLine(style, font_role="number")
        self._number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        in_row(self._name, (self._number, 1), parent=self, edges=0)

    def text(self) -> str:
        return f"{self._name.text()} {self._number.text()}"

    def show_row(self, name: str, spans: Sequence[Span]) -> None:
        self._name.setText(name)
        self._number.set_spans(spans)
        self.setAccessibleName(f"{name}: {plain_text(spans)}")


def _words(found: Passing) -> str:
    """Say how to see more, and why there may be nothing."""
    if not found.outputs:
        return "Nothing outside reads this group, so no gradient comes into it."
    return "To see the sum of a single node, open the group (Ctrl+J) and select the node."
