"""Python programs for micrograd, `.py` or `.ipynb`: their straight lines read, and written.

    from_python("a = Value(2.0); b = a * a; b.backward()")

The code cells of a Jupyter notebook are one program, from top to bottom; outputs are ignored, and
`engine.formats.python.source` drops what only IPython runs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from engine.errors import FormatError
from engine.formats import strict_json
from engine.formats.format import Format
from engine.formats.native import Drawing
from engine.formats.python.writer import write, write_pytorch
from engine.graph import Graph

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
    execution_count: object = None
    prompt_number: object = None


class _Worksheet(msgspec.Struct):
    cells: list[_Cell] = []


class _Notebook(msgspec.Struct):
    """The subset of the notebook schema that is decoded."""

    nbformat: int
    cells: list[_Cell] = []
    worksheets: list[_Worksheet] = []


def from_python(text: str) -> Graph:
    """Return the graph that the straight lines of a program make; raises FormatError.

    Its root is the Value whose `backward` is called last, or else the last one made. The text of a
    Jupyter notebook is the program of its code cells.
    """
    return read_program(text).graph


def from_notebook(text: str) -> Graph:
    """Return the graph that the straight lines of a Jupyter notebook make."""
    return read_notebook(text).graph


def read_notebook(text: str) -> Drawing:
    """Return the graph as `from_notebook` does, with a remark on what was passed over."""
    return _drawing(cells(text))


def read_program(text: str) -> Drawing:
    """Return the graph as `from_python` does, with a remark on what was passed over."""
    return read_notebook(text) if is_notebook(text) else _drawing(text)


def _drawing(text: str | Mapping[str, str]) -> Drawing:
    from engine.formats.python.straight import straight  # here, as the start needs no program

    found = straight(text)
    return Drawing(found.graph(), remark=found.remark)


def is_notebook(text: str) -> bool:
    """Return whether a text begins like notebook JSON, valid or not."""
    return _BEGINS.match(text) is not None


def cells(text: str) -> dict[str, str]:
    """Return the source of each code cell by its title, as `In [3]` in Jupyter.

    Where the counts don't tell the cells apart, they are `code cell 1`, `code cell 2` and so on;
    `app.runner` calls them the same. Raises FormatError for invalid JSON, with line and column, and
    for a notebook without code.
    """
    file = strict_json.decode(strict_json.valid_utf8(text.removeprefix("\ufeff")), _Notebook, WHAT)
    if file.nbformat not in VERSIONS:
        raise FormatError(
            "The notebook is of version {version}; this program reads versions 3 and 4.",
            version=file.nbformat,
        )
    every = [*file.cells, *(cell for sheet in file.worksheets for cell in sheet.cells)]
    sources = ["".join(cell.input or cell.source) for cell in every if cell.cell_type == "code"]
    if not any(map(str.strip, sources)):
        raise FormatError("The notebook holds no code, so there is no graph.")
    counts = [
        cell.execution_count or cell.prompt_number for cell in every if cell.cell_type == "code"
    ]
    numbers = {count for count in counts if type(count) is int and 0 < count < 1 << 31}
    is_clear = len(numbers) == len(counts)
    titles = [
        f"In [{count}]" if is_clear else f"code cell {k}" for k, count in enumerate(counts, 1)
    ]
    return dict(zip(titles, sources, strict=True))


FORMAT = Format("python", "Python for micrograd", (".py",), from_python, write)
PYTORCH = Format("pytorch", "PyTorch", (".torch.py",), from_python, write_pytorch)
NOTEBOOK = Format("notebook", "Jupyter notebook", (SUFFIX,), from_notebook)
