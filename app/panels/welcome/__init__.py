"""The start page: the course, a formula to type, recent files, examples, or an empty canvas."""

from app.panels.welcome.welcome import Welcome

__all__ = ["Welcome"]
