"""Parses a program's text into statements, and makes errors with line and column.

Text pasted from notebooks is repaired where Python's parser stops: IPython lines (`%matplotlib
inline`, `!pip install ...`), prompts (`>>>`, `In [3]:`) and output between prompts are removed.
Lines keep their numbers. Each cell of a notebook is parsed alone; its errors name cell and line.
"""

import ast
import re
import warnings
from collections.abc import Iterator, Mapping

from msgspec import Struct

from engine.errors import FormatError, PlacedFormatError
from engine.formats.notation import NO_FILE

LENGTH_LIMIT = 600_000
"""Maximum number of characters of a program, or of all cells of a notebook."""
REPAIR_LIMIT = 200
"""Maximum number of repairs of a program or cell: each costs one more parse."""
ADVICE = (
    "To see it, use Backwire's Value in the program: from backwire import Value; then y.show()."
)

_PROMPT = re.compile(r"[ \t]*(?:>>>|\.\.\.|In \[\d*\]:|\.\.\.+:)(?: |$)")
"""A prompt of Python or IPython before a line, or before its continuation."""
_FIRST_PROMPT = re.compile(r"[ \t]*(?:>>>|In \[\d*\]:)(?: |$)")
"""A prompt before the first line of a statement; `...` alone is Python too."""
_OF_IPYTHON = re.compile(r"\s*[%!?]|.*\?\s*$|\s*[A-Za-z_][\w ,]*=\s*[%!]")
"""A line that IPython alone can run: `%magic`, `!shell`, `help?`, `files = !ls`."""
_MAGIC_WITH_CODE = re.compile(r"\s*%(?:%(?!time\s*$|capture\b)|(?:prun|run|macro)\b)")
"""A magic that runs code of the program, which would be lost with its line: `%run other.py`."""
_TIMED = re.compile(r"(\s*)%time[ \t]+(?=\S)")
"""`%time` before a statement, which is kept."""
_FOREIGN_CELL = re.compile(r"\s*%%(?!time\b|capture\b|prun\b)")
"""Cell magics whose body is not Python; of any other only the first line is removed."""


class _Cell(Struct, frozen=True):
    """A parse unit: a cell, or a whole program, which has no number."""

    number: int | None
    first: int
    """Row of its first line in the whole text, from 0."""
    lines: list[str]


class Source:
    """One program: a text, or the code of a notebook's cells by number."""

    def __init__(self, text: str | Mapping[int, str]) -> None:
        self.is_notebook = not isinstance(text, str)
        parts = {None: text} if isinstance(text, str) else text
        self._cells: list[_Cell] = []
        self._lines: list[str] = []
        for number, part in parts.items():
            lines = part.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            self._cells.append(_Cell(number, len(self._lines), lines))
            self._lines += lines
        self._length = sum(map(len, parts.values()))
        self._removed: dict[int, int] = {}  # characters removed at the start of a line, by row

    @property
    def what(self) -> str:
        """Return "notebook" or "program", for error sentences."""
        return "notebook" if self.is_notebook else "program"

    def statements(self) -> list[ast.stmt]:
        """Return the program's statements; raises FormatError for a syntax error.

        A cell of a notebook with a syntax error has none.
        """
        if self._length > LENGTH_LIMIT:
            raise FormatError(
                "The {what} is longer than {limit:,} characters.",
                what=self.what,
                limit=LENGTH_LIMIT,
            )
        found: list[ast.stmt] = []
        for cell in self._cells:
            try:
                found += self._statements_of(cell)
            except FormatError:
                if cell.number is None:
                    raise
        return found

    def place_of(self, part: ast.AST) -> tuple[int | None, int]:
        """Return the number of the cell of a syntax node, if it is in one, and the line there."""
        row = self._row(part)
        cell = self._cell_at(row)
        return cell.number, row - cell.first + 1

    def _statements_of(self, cell: _Cell) -> list[ast.stmt]:
        lines = list(cell.lines)
        begins = next((line for line in lines if line.strip()), "")
        if cell.number is not None and begins.lstrip().startswith("%%"):
            if _FOREIGN_CELL.match(begins):
                return []
            lines[lines.index(begins)] = ""
        # the parser says only where it stops: repair that line and parse again
        for _ in range(REPAIR_LIMIT):
            try:
                found = _parsed("\n".join(lines))
            except SyntaxError as error:
                row = min(max(error.lineno or 1, 1), len(lines)) - 1
                if not self._repair(cell, lines, row, error):
                    column = max((error.offset or 1) - 1, 0) + self._removed.get(
                        cell.first + row, 0
                    )
                    reason = "this can't be read as Python."
                    raise self._error_at(cell.first + row, column, reason) from None
                continue
            _shift_lines(found, cell.first)
            return found
        raise FormatError(
            "The {what} has too many lines that only a notebook can run.", what=self.what
        )

    def _row(self, part: ast.AST) -> int:
        return min(max(getattr(part, "lineno", 1), 1), len(self._lines)) - 1

    def _cell_at(self, row: int) -> _Cell:
        return next(cell for cell in reversed(self._cells) if cell.first <= row)

    def _error_at(
        self, row: int, column: int, reason: str, advice: str = "", /, **fields: object
    ) -> FormatError:
        start = sum(len(line) + 1 for line in self._lines[:row]) + column
        cell = self._cell_at(row)
        place = (row - cell.first + 1, column + 1)
        named = fields if cell.number is None else {**fields, "cell": cell.number}
        return PlacedFormatError(place, start, 1, reason, advice, **named)

    def _repair(self, cell: _Cell, lines: list[str], row: int, error: SyntaxError) -> bool:
        """Remove IPython syntax, prompts or a common indent; False if there is none."""
        begins = next((line for line in lines if line.strip()), "")
        if _FIRST_PROMPT.match(lines[row]) or _FIRST_PROMPT.match(begins):
            self._remove_prompts(cell, lines)
        elif _OF_IPYTHON.match(lines[row]):
            if _MAGIC_WITH_CODE.match(lines[row]):
                reason = "this line of IPython runs code, which can't be read."
                raise self._error_at(cell.first + row, 0, reason, ADVICE) from None
            self._remove_magic(cell, lines, row)
        elif isinstance(error, IndentationError) and begins[:1] in (" ", "\t"):
            self._remove_margin(cell, lines, begins)
        else:
            return False
        return True

    def _remove_magic(self, cell: _Cell, lines: list[str], row: int) -> None:
        """Remove an IPython line with its continuation lines; of `%time x`, keep x."""
        timed = _TIMED.match(lines[row])
        if timed:
            self._note_removed(cell.first + row, timed.end() - len(timed[1]))
            lines[row] = timed[1] + lines[row][timed.end() :]
            return
        while lines[row].endswith("\\") and row + 1 < len(lines):
            lines[row] = ""
            row += 1
        indent = lines[row][: len(lines[row]) - len(lines[row].lstrip())]
        lines[row] = f"{indent}pass" if indent else ""  # a block must not become empty

    def _remove_prompts(self, cell: _Cell, lines: list[str]) -> None:
        """Keep the input after prompts; drop the output between them."""
        for row, line in enumerate(lines):
            found = _PROMPT.match(line)
            self._note_removed(cell.first + row, found.end() if found else 0)
            lines[row] = line[found.end() :] if found else ""

    def _remove_margin(self, cell: _Cell, lines: list[str], begins: str) -> None:
        """Remove the indent shared by all lines of a pasted block."""
        margin = begins[: len(begins) - len(begins.lstrip())]
        for row, line in enumerate(lines):
            if line.startswith(margin):
                self._note_removed(cell.first + row, len(margin))
                lines[row] = line[len(margin) :]

    def _note_removed(self, row: int, length: int) -> None:
        """Add to the characters removed from a line: a prompt, and then the indent after it."""
        self._removed[row] = self._removed.get(row, 0) + length


def walk(part: ast.AST) -> Iterator[ast.AST]:
    """Yield a syntax node and its descendants."""
    # WORKAROUND: `ast.walk` imports a module at each call, and while the window runs, PySide's hook
    # looks into the source file of whoever imports.
    todo = [part]
    while todo:
        found = todo.pop()
        todo.extend(ast.iter_child_nodes(found))
        yield found


def _shift_lines(statements: list[ast.stmt], rows: int) -> None:
    """Convert line numbers of a cell to those of the whole text."""
    # all parts at which an error can be; handlers and patterns are in statements that are refused
    for part in walk(ast.Module(statements, [])) if rows else ():
        if isinstance(part, ast.stmt | ast.expr | ast.keyword | ast.arg | ast.alias):
            part.lineno += rows
            if part.end_lineno is not None:
                part.end_lineno += rows


def _parsed(text: str) -> list[ast.stmt]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text, NO_FILE).body
    except (RecursionError, MemoryError):
        raise FormatError("The program is nested too deeply.") from None
    except ValueError:
        raise FormatError("The program holds characters that Python can't read.") from None
