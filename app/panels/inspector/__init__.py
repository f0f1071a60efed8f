"""The inspector: shows and edits the selected node."""

from app.panels.inspector.inspector import Inspector

__all__ = ["Inspector"]
