"""Parses the text of a program, and reports errors with their place in it.

Programs come from notebooks and from web pages about them. Lines of IPython (`%matplotlib inline`,
`!pip install ...`) are removed, prompts (`>>>`, `In [3]:`) are cut off, and so is output between
prompts. Lines keep their numbers.
"""

import ast
import re
import warnings

from engine.errors import FormatError, PlacedFormatError
from engine.formats.expression_reader import NO_FILE

LENGTH_LIMIT = 600_000
MENDING_LIMIT = 200
"""Maximum number of IPython lines in a program: each costs one more parse."""
WAY_OUT = (
    "To see it, use Backwire's Value in the program: from backwire import Value; then y.show()."
)

_PROMPT = re.compile(r"[ \t]*(?:>>>|\.\.\.|In \[\d*\]:|\.\.\.+:)(?: |$)")
_FIRST_PROMPT = re.compile(r"[ \t]*(?:>>>|In \[\d*\]:)(?: |$)")
_OF_IPYTHON = re.compile(r"\s*[%!?]|.*\?\s*$")
_RUNS_CODE = re.compile(r"\s*%(?:%(?!time\s*$|capture\b)|(?:time|timeit|prun|run|load|macro)\b)")


class Source:
    """One program's text: its statements, and errors that name a place in it."""

    def __init__(self, text: str) -> None:
        self._lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._length = len(text)
        self._cut: dict[int, int] = {}  # characters removed at the start of a line, by row from 0

    def statements(self) -> list[ast.stmt]:
        """Return the program's statements; raises FormatError for a syntax error."""
        if self._length > LENGTH_LIMIT:
            raise FormatError(
                "The program is longer than {limit:,} characters.", limit=LENGTH_LIMIT
            )
        lines = list(self._lines)
        for _ in range(MENDING_LIMIT):
            try:
                return _parsed("\n".join(lines))
            except SyntaxError as error:
                row = min(max(error.lineno or 1, 1), len(lines)) - 1
                if not self._mend(lines, row, error):
                    column = max((error.offset or 1) - 1, 0) + self._cut.get(row, 0)
                    reason = "this can't be read as Python."
                    raise self._error_at(row, column, reason) from None
        raise FormatError("The program has too many lines that only a notebook can run.")

    def refusal(self, part: ast.AST, reason: str, /, **fields: object) -> FormatError:
        """Return the error for what the reader can't do, with advice."""
        return self._error(part, reason, WAY_OUT, **fields)

    def mistake(self, part: ast.AST, reason: str, /, **fields: object) -> FormatError:
        """Return the error for what would fail in Python as well."""
        return self._error(part, reason, **fields)

    def _error(
        self, part: ast.AST, reason: str, advice: str = "", /, **fields: object
    ) -> FormatError:
        row = min(max(getattr(part, "lineno", 1), 1), len(self._lines)) - 1
        cut = self._cut.get(row, 0)
        line = self._lines[row][cut:].encode()
        column = len(line[: getattr(part, "col_offset", 0)].decode(errors="ignore"))
        return self._error_at(row, column + cut, reason, advice, **fields)

    def _error_at(
        self, row: int, column: int, reason: str, advice: str = "", /, **fields: object
    ) -> FormatError:
        start = sum(len(line) + 1 for line in self._lines[:row]) + column
        place = (row + 1, column + 1)
        return PlacedFormatError(place, start, 1, reason, advice, **fields)

    def _mend(self, lines: list[str], row: int, error: SyntaxError) -> bool:
        """Remove IPython syntax or a prompt where the parser stopped; False if there is none."""
        begins = next((line for line in lines if line.strip()), "")
        if _FIRST_PROMPT.match(lines[row]) or _FIRST_PROMPT.match(begins):
            self._cut_prompts(lines)
        elif _OF_IPYTHON.match(lines[row]):
            if _RUNS_CODE.match(lines[row]):
                reason = "this line of IPython runs code, which can't be read."
                raise self._error_at(row, 0, reason, WAY_OUT) from None
            lines[row] = ""
        elif isinstance(error, IndentationError) and begins[:1] in (" ", "\t"):
            self._cut_margin(lines, begins)
        else:
            return False
        return True

    def _cut_prompts(self, lines: list[str]) -> None:
        """Keep what was typed after prompts, and drop output between them."""
        for row, line in enumerate(lines):
            found = _PROMPT.match(line)
            self._cut[row] = found.end() if found else 0
            lines[row] = line[found.end() :] if found else ""

    def _cut_margin(self, lines: list[str], begins: str) -> None:
        """Remove the indent shared by all lines of a pasted block."""
        margin = begins[: len(begins) - len(begins.lstrip())]
        for row, line in enumerate(lines):
            if line.startswith(margin):
                self._cut[row] = len(margin)
                lines[row] = line[len(margin) :]


def _parsed(text: str) -> list[ast.stmt]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text, NO_FILE).body
    except (RecursionError, MemoryError):
        raise FormatError("The program is nested too deeply.") from None
    except ValueError:
        raise FormatError("The program holds characters that Python can't read.") from None
