"""The page Mistakes: the mistake that is on, why nodes are wrong, the hunt, and typed numbers."""

from app.panels.mistakes.mistakes_page import MistakesPage

__all__ = ["MistakesPage"]
