"""The paths panel: every path from a node to the root, and how the order is found."""

from app.panels.paths.panel import PathsPanel

__all__ = ["PathsPanel"]
