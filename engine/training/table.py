"""Samples from a table: some columns are inputs, another is the target.

Its cells are separated by commas, semicolons or tabs. A target is a number or one of two words.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from engine.errors import EngineError
from engine.graph import brief
from engine.numbers import LARGEST_DRAWN, plural, short
from engine.training.templates import Sample

MOST_ROWS: Final = 5_000
"""Rows that are read at most: more samples can't be drawn again while a network learns."""
_DELIMITERS: Final = ",;\t"
"""What may be between two cells; of equally many the first counts."""
_SHOWN: Final = 24
"""Characters of a cell that a sentence quotes."""
_LONGEST_NAME: Final = 40
"""Characters of the name of a column."""
_COMMA: Final = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?", re.ASCII)
"""A number with a decimal comma."""
_BETWEEN_DIGITS: Final = re.compile(r"(?<=\d),(?=\d)", re.ASCII)


class Table(Struct, frozen=True):
    """The names of the columns, the cells of each row, and the line on which each row ends."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]


def read_table(text: str) -> Table:
    """Read a table; its first line is a header unless all of it are numbers.

    Raises EngineError with the row that is wrong.
    """
    lines = _rows(text)
    first = next(lines, None)
    if first is None:
        raise EngineError("The table is empty.")
    head = first[1]
    named = not all(_is_like_number(cell) for cell in head)
    body = [] if named else [first]
    for line in lines:
        if len(body) == MOST_ROWS:
            raise EngineError("The table has more than {limit:,} rows.", limit=MOST_ROWS)
        body.append(line)
    if not body:
        raise EngineError("The table has names of columns but no row.")
    for number, row in body:
        if len(row) != len(head):
            one = "Row {row} has {count} cell; the first row has {wanted}."
            many = "Row {row} has {count} cells; the first row has {wanted}."
            raise EngineError(
                plural(len(row), one, many), count=len(row), row=number, wanted=len(head)
            )
    names = _names(head if named else ("",) * len(head))
    return Table(names, tuple(row for _line, row in body), tuple(line for line, _row in body))


def samples_of(table: Table, inputs: Sequence[int], target: int) -> tuple[Sample, ...]:
    """Return the rows as samples; two different targets become −1 and 1, the smaller one −1.

    Raises EngineError for a cell that is no number or too large to be drawn, with its row and its
    column, and for a target of words that are not two.
    """
    if not inputs:
        raise EngineError("Choose at least one column as input.")
    if target in inputs:
        raise EngineError("{column} can't be input and target.", column=table.names[target])
    words = target_words(table, target)
    found: list[Sample] = []
    for number, row in zip(table.lines, table.rows, strict=True):
        cells = tuple(_cell(table, number, row, column) for column in inputs)
        wanted = float(words.index(row[target])) if words else _cell(table, number, row, target)
        found.append(Sample(cells, wanted))
    values = sorted({sample.target for sample in found})
    if len(values) != 2:
        return tuple(found)
    return tuple(Sample(x.inputs, -1.0 if x.target == values[0] else 1.0) for x in found)


def target_words(table: Table, column: int) -> tuple[str, ...]:
    """Return the two words of a column, by the alphabet; none for a column of numbers.

    Raises EngineError for a column of one word or of more than two, with its name.
    """
    cells = [row[column] for row in table.rows]
    if any(map(_is_like_number, cells)) or not any(cells):
        return ()
    if "" in cells:
        place = {"row": table.lines[cells.index("")], "column": _called(table, column)}
        raise EngineError("Row {row}, {column}: an empty cell is no target.", **place)
    words = tuple(sorted(set(cells)))
    if len(words) != 2:
        what = "a target is a number or one of two words."
        one = "{column} holds only one word: {what}"
        many = "{column} has {count:,} different words: {what}"
        called = _called(table, column).replace("c", "C", 1)
        raise EngineError(plural(len(words), one, many), count=len(words), column=called, what=what)
    return words


def _rows(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the rows that are not empty, each with the line on which it ends."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
    try:
        for row in reader:
            cells = tuple(cell.strip() for cell in row)
            if any(cells):
                yield reader.line_num, cells
    except csv.Error as error:
        raise EngineError(
            "Row {row} is no row of a table: {reason}.", row=reader.line_num, reason=str(error)
        ) from None


def _delimiter(text: str) -> str:
    """Return what is between two cells; a comma between two digits may be a decimal one."""
    head = next((line for line in io.StringIO(text) if line.strip()), "")
    found = max(_DELIMITERS, key=head.count)
    if found == "," and any(other in head for other in _DELIMITERS[1:]):
        return max(_DELIMITERS, key=_BETWEEN_DIGITS.sub("", head).count)
    return found


def _names(head: Sequence[str]) -> tuple[str, ...]:
    """Return a name for each column; one that is empty or there twice gets its number."""
    head = [brief(name, _LONGEST_NAME) for name in head]
    counts = Counter(head)
    return tuple(
        _numbered(k) if not name else name if counts[name] == 1 else f"{name} ({_numbered(k)})"
        for k, name in enumerate(head, 1)
    )


def _called(table: Table, column: int) -> str:
    """Return what a column is called in a sentence; one without a name is called by its number."""
    name = table.names[column]
    return name if name == _numbered(column + 1) else f"column {name}"


def _numbered(place: int) -> str:
    return f"column {place}"


def _cell(table: Table, number: int, row: tuple[str, ...], column: int) -> float:
    text = row[column]
    value = _number(text)
    if value is not None and abs(value) < LARGEST_DRAWN:
        return value
    why = "Row {row}, {column}: {cell} is no number."
    if value is not None:
        why = "Row {row}, {column}: {cell} can't be drawn, as numbers below {limit} can."
    elif _COMMA.fullmatch(text):
        why = "Row {row}, {column}: {cell} is no number: write a decimal point."
    raise EngineError(
        why,
        row=number,
        column=_called(table, column),
        cell=f"“{text[:_SHOWN]}”" if text else "an empty cell",
        limit=short(LARGEST_DRAWN),
    )


def _is_like_number(text: str) -> bool:
    """Return whether a cell is no word: a number, nan, inf, or one with a decimal comma."""
    try:
        float(text.replace("−", "-"))
    except ValueError:
        return _COMMA.fullmatch(text) is not None
    return "_" not in text


def _number(text: str) -> float | None:
    """Return the finite number that a cell holds, or None."""
    try:
        value = float(text.replace("−", "-")) if "_" not in text else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) else None
