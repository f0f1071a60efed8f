"""Sliders: every leaf with a slider of its own."""

from app.panels.sliders.sliders import SlidersPanel

__all__ = ["SlidersPanel"]
