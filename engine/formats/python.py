"""Python in micrograd's manner: programs read without running them, and written.

a = Value(2.0); b = a * a; b.backward()
"""

from engine.formats.format import Format
from engine.formats.python_reader import Reader, Reading
from engine.formats.python_writer import write
from engine.graph import Graph

__all__ = ["FORMAT", "Reading", "from_python", "read_program", "write"]


def from_python(text: str) -> Graph:
    """The graph that a program makes; FormatError names line and column of what can't be read.

    Its root is the Value whose `backward` is called, or the last one that is made.
    """
    return read_program(text).graph


def read_program(text: str) -> Reading:
    """The graph as `from_python` gives it, with a remark where something else stands in."""
    return Reader(text).reading()


FORMAT = Format("python", "Python for micrograd", (".py",), from_python, write)
