"""The start page: a formula to type, examples, recent files, or an empty canvas."""

from app.panels.welcome.welcome import Welcome

__all__ = ["Welcome"]
