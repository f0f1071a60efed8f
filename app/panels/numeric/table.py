"""The table of the check: leaf, backward, numerical with all digits, how far they are apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent

from app.controls.rich_text import Span, Spans, plain_text
from app.controls.row_list import Column, ListRow, RowList
from app.guard import guarded
from app.style.current import Style
from app.workbench.study.checking import Row
from engine.names import shortened
from engine.numbers import NO_PATH, full, short

MARKS: Final = {"agrees": "✓", "differs": "✗", "can't tell": "?"}
_SPOKEN: Final = {"agrees": "right", "differs": "wrong", "can't tell": "can't tell"}
FEW_DIGITS: Final = 2
"""Significant digits of a difference; all of them are in the sentence about its row."""
MOST_ROWS: Final = 8
"""Rows that the table is high; more of them are scrolled."""
_ROW: Final = 23
_LONG_NAME, _SHORT_NAME = 10, 6


@guarded
class CheckTable(RowList):
    """The rows; `node_chosen` carries the node of a row that was clicked or reached by keys.

    Where it is narrow, the heads become short, then the names, then the differences go; the digits
    of the numerical gradient are never cut.
    """

    node_chosen = Signal(int)

    def __init__(self, style: Style) -> None:
        columns = (
            Column(takes_rest=True, font="interface strong"),
            Column(right=True, font="factors"),
            Column(right=True, font="code"),
            Column(right=True, font="caption"),
        )
        super().__init__(style, "Gradients", columns, row_height=_ROW, most_rows=MOST_ROWS)
        self._checked: tuple[Row, ...] = ()
        self._gradient, self._formula = "", ""
        self._node: int | None = None
        self.moved.connect(self._choose)
        self.chosen.connect(self._choose)
        style.changed.connect(self._write)

    def show_checked(
        self, rows: Sequence[Row], gradient: str, formula: str, node: int | None
    ) -> None:
        """Show rows under the heads of gradients and of numerical ones, and mark a node's."""
        self._checked, self._gradient, self._formula = tuple(rows), gradient, formula
        self._node = node
        self._write()

    def cells(self) -> list[list[str]]:
        """Return the displayed texts, row by row."""
        return [[plain_text(spans) for spans in row.cells] for row in self.rows]

    def _write(self) -> None:
        """Write the table in the longest form that there is width for."""
        forms = (
            (self._gradient, self._formula, _LONG_NAME, True),
            ("grad", self._formula, _LONG_NAME, True),
            ("grad", "numerical", _LONG_NAME, True),
            ("grad", "numerical", _SHORT_NAME, True),
            ("grad", "numerical", _SHORT_NAME, False),
        )
        heads, rows = self._form(*forms[0])
        for form in forms[1:]:
            if self.has_width_for(heads, rows):
                break
            heads, rows = self._form(*form)
        self.show_heads(heads if rows else ())
        self.show_rows(rows)
        place = next((k for k, r in enumerate(self._checked) if r.node == self._node), -1)
        self.set_current(place)

    def _form(
        self, gradient: str, formula: str, longest: int, apart: bool
    ) -> tuple[tuple[Spans, ...], list[ListRow]]:
        texts = ("", gradient, formula, "off by" if apart else "")
        heads = tuple((Span(text, "secondary"),) if text else () for text in texts)
        return heads, self._list_rows(longest, apart)

    def _list_rows(self, longest: int, apart: bool) -> list[ListRow]:
        names = shortened({row.node: row.called for row in self._checked}, longest)
        return [
            _list_row(row, names.get(row.node, row.called), self._backward(row), apart,
                      row.node == self._node)
            for row in self._checked
        ]  # fmt: skip

    def _backward(self, row: Row) -> str:
        return NO_PATH if row.backward is None else self._style.short(row.backward)

    def _choose(self, place: int) -> None:
        if 0 <= place < len(self._checked):
            self.node_chosen.emit(self._checked[place].node)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._write()


def _list_row(row: Row, name: str, backward: str, apart: bool, chosen: bool) -> ListRow:
    known = row.backward is not None
    cells = (
        (Span(name, bold=True),),
        (Span(backward, "gradient" if known else "secondary"),),
        (Span(full(row.numerical), bold=chosen),),
        _judged(row, apart) if known else (),
    )
    said = f"{row.title}: backward {full(row.backward or 0.0)}, numerical {full(row.numerical)}, "
    spoken = said + _SPOKEN[row.verdict] if known else row.reason
    tip = f"{row.title}: {row.reason}" if known else row.reason
    return ListRow(cells, spoken, tone="asked" if chosen else "", tip=tip)


def _judged(row: Row, apart: bool) -> Spans:
    role = "error" if row.verdict == "differs" else "secondary"
    mark = Span(MARKS[row.verdict], "error" if row.verdict == "differs" else "text", bold=True)
    return (Span(f"{off_by(row.apart)} ", role), mark) if apart else (mark,)


def off_by(apart: float) -> str:
    """Return a difference with two digits, or one where it is written with an exponent."""
    text = short(apart, FEW_DIGITS)
    return short(float(f"{apart:.0e}"), FEW_DIGITS) if "e" in text else text
