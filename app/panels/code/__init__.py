"""Code: the pass as one line per step, and the graph as one function."""

from app.panels.code.page import CodePage

__all__ = ["CodePage"]
