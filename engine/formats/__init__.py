"""FORMATS: every format of a graph; if two share a suffix, the first one applies."""

from engine.formats import dot, expression, latex, native, python
from engine.formats.format import Format

FORMATS: tuple[Format, ...] = (
    native.FORMAT,
    expression.FORMAT,
    python.PYTORCH,
    python.FORMAT,
    python.NOTEBOOK,
    latex.FORMAT,
    latex.FRAGMENT,
    dot.FORMAT,
    dot.CLASSIC,
)
