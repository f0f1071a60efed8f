"""Python programs for micrograd, `.py` or `.ipynb`: parsed without running them, and written.

    from_python("a = Value(2.0); b = a * a; b.backward()")

The code cells of a Jupyter notebook are one program, from top to bottom; outputs are ignored, and
`engine.formats.python.source` drops what only IPython runs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from engine.errors import FormatError
from engine.formats import strict_json
from engine.formats.format import Format
from engine.formats.python.writer import write, write_pytorch
from engine.graph import Graph

if TYPE_CHECKING:
    from engine.formats.python.reader import Reading


VERSIONS = (3, 4)
"""Supported values of `nbformat`."""
SUFFIX = ".ipynb"
WHAT = "Jupyter notebook"

# a notebook is an object of JSON whose first key is one of these
_BEGINS = re.compile(r'\ufeff?\s*{\s*"(?:cells|metadata|nbformat|nbformat_minor|worksheets)"\s*:')


class _Cell(msgspec.Struct):
    """A cell; nbformat 3 has code in `input`, nbformat 4 in `source`."""

    cell_type: str
    source: str | list[str] = ""
    input: str | list[str] = ""


class _Worksheet(msgspec.Struct):
    cells: list[_Cell] = []


class _Notebook(msgspec.Struct):
    """The subset of the notebook schema that is decoded."""

    nbformat: int
    cells: list[_Cell] = []
    worksheets: list[_Worksheet] = []


def from_python(text: str) -> Graph:
    """Return the graph that a program makes; raises FormatError with line and column.

    Its root is the Value whose `backward` is called, or else the last one made. The text of a
    Jupyter notebook is the program of its code cells; then errors name the cell as well.
    """
    return read_program(text).graph


def from_notebook(text: str) -> Graph:
    """Return the graph that a Jupyter notebook makes; raises FormatError with cell and line."""
    return read_notebook(text).graph


def read_notebook(text: str) -> Reading:
    """Return the graph as `from_notebook` does, with a remark if a class was substituted."""
    from engine.formats.python.reader import ProgramReader  # here, as it imports a dozen files

    return ProgramReader(cells(text)).reading()


def read_program(text: str) -> Reading:
    """Return the graph as `from_python` does, with a remark if a class was substituted."""
    if is_notebook(text):
        return read_notebook(text)
    from engine.formats.python.reader import ProgramReader  # here, as it imports a dozen files

    return ProgramReader(text).reading()


def is_notebook(text: str) -> bool:
    """Return whether a text begins like notebook JSON, valid or not."""
    return _BEGINS.match(text) is not None


def cells(text: str) -> dict[int, str]:
    """Return the source of each code cell by cell number, from 1, counting all kinds of cells.

    Raises FormatError for invalid JSON, with line and column, and for a notebook without code.
    """
    file = strict_json.decode(strict_json.valid_utf8(text.removeprefix("\ufeff")), _Notebook, WHAT)
    if file.nbformat not in VERSIONS:
        raise FormatError(
            "The notebook is of version {version}; this program reads versions 3 and 4.",
            version=file.nbformat,
        )
    every = [*file.cells, *(cell for sheet in file.worksheets for cell in sheet.cells)]
    found = {
        number: _joined(cell.input or cell.source)
        for number, cell in enumerate(every, 1)
        if cell.cell_type == "code"
    }
    if not any(map(str.strip, found.values())):
        raise FormatError("The notebook holds no code, so there is no graph.")
    return found


def _joined(source: str | list[str]) -> str:
    return source if isinstance(source, str) else "".join(source)


FORMAT = Format("python", "Python for micrograd", (".py",), from_python, write)
PYTORCH = Format("pytorch", "PyTorch", (".torch.py",), from_python, write_pytorch)
NOTEBOOK = Format("notebook", "Jupyter notebook", (SUFFIX,), from_notebook)
