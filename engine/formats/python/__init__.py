"""Python in micrograd's manner: programs read without running them, and written.

a = Value(2.0); b = a * a; b.backward()
"""

from engine.formats.format import Format
from engine.formats.python.reader import ProgramReader, Reading
from engine.formats.python.writer import write
from engine.graph import Graph

__all__ = ["FORMAT", "Reading", "from_python", "read_program", "write"]


def from_python(text: str) -> Graph:
    """Return the graph that a program makes; raises FormatError with line and column.

    Its root is the Value whose `backward` is called, or else the last one made.
    """
    return read_program(text).graph


def read_program(text: str) -> Reading:
    """Return the graph as `from_python` does, with a remark if something was substituted."""
    return ProgramReader(text).reading()


FORMAT = Format("python", "Python for micrograd", (".py",), from_python, write)
