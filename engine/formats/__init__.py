"""FORMATS: every way of reading or writing a graph."""

from engine.formats import dot, expression, native
from engine.formats.format import Format

FORMATS: tuple[Format, ...] = (native.FORMAT, expression.FORMAT, dot.FORMAT, dot.CLASSIC)
