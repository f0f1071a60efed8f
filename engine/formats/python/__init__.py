"""Python in micrograd's manner: programs and notebooks read without running them, and written.

a = Value(2.0); b = a * a; b.backward()
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.formats.format import Format
from engine.formats.notebook import SUFFIX, cells, is_notebook
from engine.formats.python.writer import write
from engine.graph import Graph

if TYPE_CHECKING:
    from engine.formats.python.reader import Reading

__all__ = [
    "FORMAT",
    "NOTEBOOK",
    "from_notebook",
    "from_python",
    "read_notebook",
    "read_program",
    "write",
]


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
    """Return the graph as `from_notebook` does, with a remark if something was substituted."""
    from engine.formats.python.reader import ProgramReader  # a dozen files

    return ProgramReader(cells(text)).reading()


def read_program(text: str) -> Reading:
    """Return the graph as `from_python` does, with a remark if something was substituted."""
    if is_notebook(text):
        return read_notebook(text)
    from engine.formats.python.reader import ProgramReader  # a dozen files

    return ProgramReader(text).reading()


FORMAT = Format("python", "Python for micrograd", (".py",), from_python, write)
NOTEBOOK = Format("notebook", "Jupyter notebook", (SUFFIX,), from_notebook)
