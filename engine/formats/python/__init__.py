"""Python in micrograd's manner: programs read without running them, and written.

a = Value(2.0); b = a * a; b.backward()
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.formats.format import Format
from engine.formats.python.writer import write
from engine.graph import Graph

if TYPE_CHECKING:
    from engine.formats.python.reader import Reading

__all__ = ["FORMAT", "from_python", "read_program", "write"]


def from_python(text: str) -> Graph:
    """Return the graph that a program makes; raises FormatError with line and column.

    Its root is the Value whose `backward` is called, or else the last one made.
    """
    return read_program(text).graph


def read_program(text: str) -> Reading:
    """Return the graph as `from_python` does, with a remark if something was substituted."""
    from engine.formats.python.reader import ProgramReader  # a dozen files

    return ProgramReader(text).reading()


FORMAT = Format("python", "Python for micrograd", (".py",), from_python, write)
