"""The mistakes panel: the mistake that is on, why nodes are wrong, the hunt, and typed numbers."""

from app.panels.mistakes.panel import MistakesPanel

__all__ = ["MistakesPanel"]
