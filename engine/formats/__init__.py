"""FORMATS: every way of reading or writing a graph; of two with one ending, the first is taken."""

from engine.formats import dot, dot_classic, expression, latex, native, python, pytorch
from engine.formats.format import Format

FORMATS: tuple[Format, ...] = (
    native.FORMAT,
    expression.FORMAT,
    pytorch.FORMAT,
    python.FORMAT,
    latex.FORMAT,
    dot.FORMAT,
    dot_classic.FORMAT,
)
