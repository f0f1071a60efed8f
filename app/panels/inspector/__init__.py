"""The inspector: what the selected node is, to be read in full and changed."""

from app.panels.inspector.inspector import Inspector

__all__ = ["Inspector"]
