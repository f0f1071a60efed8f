"""Parses a program's text into statements, and makes errors with line and column.

Text pasted from notebooks is repaired where Python's parser stops: IPython lines (`%matplotlib
inline`, `!pip install ...`), prompts (`>>>`, `In [3]:`) and output between prompts are removed.
What is left keeps its line and column. Each cell of a notebook is parsed alone, and one that is no
Python has no statements.
"""

import ast
import re
import warnings
from collections.abc import Iterator, Mapping

from engine.errors import FormatError
from engine.formats.notation import refused

NO_FILE = ""
"""File name given to Python's parser.

The parser opens the file to quote a faulty line; the default, "<unknown>", may exist in the working
directory.
"""
LENGTH_LIMIT = 600_000
"""Maximum number of characters of a program, or of all cells of a notebook."""
REPAIR_LIMIT = 200
"""Maximum number of repairs of a program or cell: each costs one more parse."""
WORK_LIMIT = 5_000_000
"""Maximum number of characters of a program or notebook that are parsed to repair it."""

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


def statements(program: str | Mapping[str, str]) -> list[tuple[str | None, ast.stmt]]:
    """Return the statements of a program, or of a notebook's cells with the title of each cell.

    A syntax error raises FormatError; a cell with one has no statements, as it makes nothing.
    """
    parts = {None: program} if isinstance(program, str) else program
    if sum(map(len, parts.values())) > LENGTH_LIMIT:
        what = "program" if isinstance(program, str) else "notebook"
        reason = "The {what} is longer than {limit:,} characters."
        raise FormatError(reason, what=what, limit=LENGTH_LIMIT)
    found: list[tuple[str | None, ast.stmt]] = []
    left = [WORK_LIMIT]
    for title, text in parts.items():
        try:
            found += [(title, each) for each in _statements(text, left, is_cell=title is not None)]
        except FormatError:
            if title is None:
                raise
    return found


def _statements(text: str, left: list[int], *, is_cell: bool) -> list[ast.stmt]:
    written = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines, begins = list(written), _beginning(written)
    if is_cell and begins.lstrip().startswith("%%"):
        if _FOREIGN_CELL.match(begins):
            return []
        lines[lines.index(begins)] = ""
    # the parser says only where it stops: repair that line and parse again
    for _ in range(REPAIR_LIMIT):
        try:
            return _parsed("\n".join(lines))
        except SyntaxError as error:
            row = min(max(error.lineno or 1, 1), len(lines)) - 1
            repaired = _repaired(lines, row, of_indent=isinstance(error, IndentationError))
            if repaired == lines:
                column = min(max(error.offset or 1, 1) - 1, len(written[row]))
                start = sum(len(line) + 1 for line in written[:row]) + column
                reason = "this can't be read as Python."
                if _MAGIC_WITH_CODE.match(lines[row]):
                    reason = "this line of IPython runs code, which can't be read."
                raise refused("\n".join(written), start, start + 1, reason) from None
            lines = repaired
            left[0] -= len(text)
            if left[0] < 0:
                break
    raise FormatError("The program has too many lines that only a notebook can run.")


def _beginning(lines: list[str]) -> str:
    return next((line for line in lines if line.strip()), "")


def _repaired(lines: list[str], row: int, *, of_indent: bool) -> list[str]:
    """Return lines without the prompts, the IPython line or the common indent met in a row."""
    begins = _beginning(lines)
    if _FIRST_PROMPT.match(lines[row]) or _FIRST_PROMPT.match(begins):
        prompts = map(_PROMPT.match, lines)  # what has none is output
        pairs = zip(lines, prompts, strict=True)
        return [blanked(line, prompt.end()) if prompt else "" for line, prompt in pairs]
    if _MAGIC_WITH_CODE.match(lines[row]):
        return lines
    if _OF_IPYTHON.match(lines[row]):
        return _without_magic(lines, row)
    if of_indent and begins[:1] in (" ", "\t"):
        margin = begins[: len(begins) - len(begins.lstrip())]
        return [blanked(line, len(margin) * line.startswith(margin)) for line in lines]
    return lines


def _without_magic(lines: list[str], row: int) -> list[str]:
    """Remove an IPython line with its continuation lines; of `%time x`, keep x."""
    found, timed = list(lines), _TIMED.match(lines[row])
    if timed:
        moved = timed[0].removeprefix(timed[1]) + timed[1] + lines[row][timed.end() :]
        found[row] = blanked(moved, timed.end() - len(timed[1]))
        return found
    while found[row].endswith("\\") and row + 1 < len(found):
        found[row] = ""
        row += 1
    indent = found[row][: len(found[row]) - len(found[row].lstrip())]
    found[row] = f"{indent}pass" if indent else ""  # a block must not become empty
    return found


def blanked(line: str, length: int) -> str:
    """Return a line of Python whose first characters are no indent, and all else in its column.

    A form feed resets the indent for Python's tokenizer.
    """
    return f"{' ' * (length - 1)}\f{line[length:]}" if length else line


def walk(part: ast.AST) -> Iterator[ast.AST]:
    """Yield a syntax node and its descendants."""
    # WORKAROUND: `ast.walk` imports a module at each call, and while the window runs, PySide's hook
    # looks into the source file of whoever imports.
    todo = [part]
    while todo:
        found = todo.pop()
        todo.extend(ast.iter_child_nodes(found))
        yield found


def _parsed(text: str) -> list[ast.stmt]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text, NO_FILE).body
    except (RecursionError, MemoryError):
        raise FormatError("The program is nested too deeply.") from None
    except ValueError:
        raise FormatError("The program holds characters that Python can't read.") from None
