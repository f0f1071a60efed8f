"""Reads Jupyter notebooks: their code cells are one program, from top to bottom. Nothing is run.

    cells('{"nbformat": 4, "cells": [{"cell_type": "code", "source": "a = Value(2)"}]}')

What only a notebook can run (`%matplotlib inline`, `!pip install`, `%%bash`) is left out by
`engine.formats.python.source`. Outputs are not looked at.
"""

import re

import msgspec

from engine.errors import FormatError
from engine.formats import strict_json

VERSIONS = (3, 4)
"""The versions of notebooks that have a structure known here."""
SUFFIX = ".ipynb"
WHAT = "Jupyter notebook"

_BEGINS = re.compile(r'\ufeff?\s*{\s*"(?:cells|metadata|nbformat|nbformat_minor|worksheets)"\s*:')


class _Cell(msgspec.Struct):
    """A cell; version 3 calls the source of code its input."""

    cell_type: str
    source: str | list[str] = ""
    input: str | list[str] = ""


class _Worksheet(msgspec.Struct):
    cells: list[_Cell] = []


class _Notebook(msgspec.Struct):
    """The parts of a notebook that are read."""

    nbformat: int
    cells: list[_Cell] = []
    worksheets: list[_Worksheet] = []


def is_notebook(text: str) -> bool:
    """Return whether a text begins as a notebook does, damaged or not."""
    return _BEGINS.match(text) is not None


def cells(text: str) -> dict[int, str]:
    """Return the code of a notebook's cells by their number; all cells count, from 1.

    Raises FormatError with the place for what is no notebook, and for one without code.
    """
    file = strict_json.decode(strict_json.checked(text.removeprefix("\ufeff")), _Notebook, WHAT)
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
