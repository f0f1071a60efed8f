"""FORMATS: every format of a graph; if two share a suffix, the first one applies."""

from engine.formats import dot, dot_classic, expression, latex, native, python, pytorch
from engine.formats.format import Format

FORMATS: tuple[Format, ...] = (
    native.FORMAT,
    expression.FORMAT,
    pytorch.FORMAT,
    python.FORMAT,
    python.NOTEBOOK,
    latex.FORMAT,
    latex.FRAGMENT,
    dot.FORMAT,
    dot_classic.FORMAT,
)
