"""Samples from a table: some columns are inputs, another is the target.

Its cells are separated by commas, semicolons or tabs.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence

from msgspec import Struct

from engine.errors import EngineError
from engine.training.datasets import Sample

MOST_ROWS = 5_000
"""Rows that are read at most: more samples can't be drawn again while a network learns."""
_DELIMITERS = ",;\t"
"""What may be between two cells; of equally many the first counts."""
_SHOWN = 24
"""Characters of a cell that a sentence quotes."""


class Table(Struct, frozen=True):
    """The names of the columns, the cells of each row, and the line on which each row ends."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]


def read_table(text: str) -> Table:
    """Read a table; its first line is a header unless all of it are numbers.

    Raises EngineError with the row that is wrong.
    """
    head_line = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=head_line.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        read = [(reader.line_num, tuple(cell.strip() for cell in row)) for row in reader]
    except csv.Error as error:
        raise EngineError("This is no table: {reason}.", reason=error) from None
    lines = [(number, row) for number, row in read if any(row)]
    if not lines:
        raise EngineError("The table is empty.")
    head = lines[0][1]
    named = any(_number(cell) is None for cell in head)
    body = lines[1:] if named else lines
    if not body:
        raise EngineError("The table has names of columns but no row.")
    if len(body) > MOST_ROWS:
        raise EngineError("The table has more than {limit:,} rows.", limit=MOST_ROWS)
    for number, row in body:
        if len(row) != len(head):
            raise EngineError(
                "Row {row} has {count} cells; the first row has {wanted}.",
                row=number,
                count=len(row),
                wanted=len(head),
            )
    names = head if named else tuple(f"column {k}" for k in range(1, len(head) + 1))
    return Table(names, tuple(row for _line, row in body), tuple(line for line, _row in body))


def samples_of(table: Table, inputs: Sequence[int], target: int) -> tuple[Sample, ...]:
    """Return the rows as samples; two different targets become −1 and 1, the smaller one −1.

    Raises EngineError for a cell that is no number, with its row and its column.
    """
    if not inputs:
        raise EngineError("Choose at least one column as input.")
    if target in inputs:
        raise EngineError("{column} can't be input and target.", column=table.names[target])
    found: list[Sample] = []
    for number, row in zip(table.lines, table.rows, strict=True):
        cells = [_cell(table, number, row, column) for column in (*inputs, target)]
        found.append(Sample(tuple(cells[:-1]), cells[-1]))
    values = sorted({sample.target for sample in found})
    if len(values) != 2:
        return tuple(found)
    return tuple(Sample(x.inputs, -1.0 if x.target == values[0] else 1.0) for x in found)


def _cell(table: Table, number: int, row: tuple[str, ...], column: int) -> float:
    value = _number(row[column])
    if value is None:
        text = row[column]
        raise EngineError(
            "Row {row}, column {column}: {cell} is no number.",
            row=number,
            column=table.names[column],
            cell=f"“{text[:_SHOWN]}”" if text else "an empty cell",
        )
    return value


def _number(text: str) -> float | None:
    """Return the finite number that a cell holds, or None."""
    try:
        value = float(text.replace("−", "-")) if "_" not in text else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) else None
