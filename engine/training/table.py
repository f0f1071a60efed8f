"""Samples from a table: some columns are inputs, another is the target.

    read_table(text)                   the names of the columns, and the cells
    samples_of(table, inputs, target)  the samples, from the indices of the chosen columns

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

ROW_LIMIT: Final = 5_000
"""Maximum number of rows: more samples can't be redrawn in time while a network learns."""
_DELIMITERS: Final = ",;\t"
"""The possible delimiters; of equally frequent ones the first is taken."""
_QUOTED_LENGTH: Final = 24
"""Maximum number of characters of a cell that a message quotes."""
_NAME_LENGTH: Final = 40
"""Maximum number of characters of a column's name."""
_DECIMAL_COMMA_NUMBER: Final = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?", re.ASCII)
"""A number with a decimal comma."""
_COMMA_BETWEEN_DIGITS: Final = re.compile(r"(?<=\d),(?=\d)", re.ASCII)
"""A comma that may be a decimal comma."""


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
    first_row = first[1]
    has_header = not all(_is_like_number(cell) for cell in first_row)
    body = [] if has_header else [first]
    for line in lines:
        if len(body) == ROW_LIMIT:
            raise EngineError("The table has more than {limit:,} rows.", limit=ROW_LIMIT)
        body.append(line)
    if not body:
        raise EngineError("The table has names of columns but no row.")
    for line_number, row in body:
        if len(row) != len(first_row):
            one = "Row {row} has {count} cell; the first row has {wanted}."
            many = "Row {row} has {count} cells; the first row has {wanted}."
            raise EngineError(
                plural(len(row), one, many), count=len(row), row=line_number, wanted=len(first_row)
            )
    names = _column_names(first_row if has_header else ("",) * len(first_row))
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
    samples: list[Sample] = []
    for number, row in zip(table.lines, table.rows, strict=True):
        cells = tuple(_cell_number(table, number, row, column) for column in inputs)
        target_number = (
            float(words.index(row[target])) if words else _cell_number(table, number, row, target)
        )
        samples.append(Sample(cells, target_number))
    values = sorted({sample.target for sample in samples})
    if len(values) != 2:
        return tuple(samples)
    return tuple(Sample(x.inputs, -1.0 if x.target == values[0] else 1.0) for x in samples)


def target_words(table: Table, column: int) -> tuple[str, ...]:
    """Return the two words of a column, by the alphabet; none for a column of numbers.

    Raises EngineError for a column of one word or of more than two, with its name.
    """
    cells = [row[column] for row in table.rows]
    if any(map(_is_like_number, cells)) or not any(cells):
        return ()
    if "" in cells:
        place = {"row": table.lines[cells.index("")], "column": _column_name(table, column)}
        raise EngineError("Row {row}, {column}: an empty cell is no target.", **place)
    words = tuple(sorted(set(cells)))
    if len(words) != 2:
        requirement = "a target is a number or one of two words."
        one = "{column} holds only one word: {what}"
        many = "{column} has {count:,} different words: {what}"
        name = _column_name(table, column).replace("c", "C", 1)
        raise EngineError(
            plural(len(words), one, many), count=len(words), column=name, what=requirement
        )
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
    """Guess the delimiter by the first line, in which a comma may also be a decimal comma."""
    first_line = next((line for line in io.StringIO(text) if line.strip()), "")
    commonest = max(_DELIMITERS, key=first_line.count)
    if commonest == "," and any(other in first_line for other in _DELIMITERS[1:]):
        return max(_DELIMITERS, key=_COMMA_BETWEEN_DIGITS.sub("", first_line).count)
    return commonest


def _column_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return a name for each column; an empty or repeated one gets the column's number."""
    names = [brief(name, _NAME_LENGTH) for name in names]
    counts = Counter(names)
    return tuple(
        _column_number(k)
        if not name
        else name
        if counts[name] == 1
        else f"{name} ({_column_number(k)})"
        for k, name in enumerate(names, 1)
    )


def _column_name(table: Table, column: int) -> str:
    """Return the name of a column for a message; one without a name has its number."""
    name = table.names[column]
    return name if name == _column_number(column + 1) else f"column {name}"


def _column_number(place: int) -> str:
    return f"column {place}"


def _cell_number(table: Table, number: int, row: tuple[str, ...], column: int) -> float:
    text = row[column]
    value = _finite_number(text)
    if value is not None and abs(value) < LARGEST_DRAWN:
        return value
    template = "Row {row}, {column}: {cell} is no number."
    if value is not None:
        template = "Row {row}, {column}: {cell} can't be drawn, as numbers below {limit} can."
    elif _DECIMAL_COMMA_NUMBER.fullmatch(text):
        template = "Row {row}, {column}: {cell} is no number: write a decimal point."
    raise EngineError(
        template,
        row=number,
        column=_column_name(table, column),
        cell=f"“{text[:_QUOTED_LENGTH]}”" if text else "an empty cell",
        limit=short(LARGEST_DRAWN),
    )


def _is_like_number(text: str) -> bool:
    """Return whether a cell is no word: a number, nan, inf, or one with a decimal comma."""
    try:
        float(text.replace("−", "-"))
    except ValueError:
        return _DECIMAL_COMMA_NUMBER.fullmatch(text) is not None
    return "_" not in text  # Python reads 1_000 as a number; in a table it is a word


def _finite_number(text: str) -> float | None:
    """Return the finite number that a cell holds, or None."""
    try:
        value = float(text.replace("−", "-")) if "_" not in text else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) else None
