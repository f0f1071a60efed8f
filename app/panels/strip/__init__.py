"""The strip below the canvas: timeline, sentence with its blanks and buttons, answer line."""

from app.panels.strip.strip_panel import StripPanel, strip_height

__all__ = ["StripPanel", "strip_height"]
