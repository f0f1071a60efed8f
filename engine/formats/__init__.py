"""FORMATS: every way of reading or writing a graph."""

from engine.formats import expression, native
from engine.formats.format import Format

FORMATS: tuple[Format, ...] = (native.FORMAT, expression.FORMAT)
