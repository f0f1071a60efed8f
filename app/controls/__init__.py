"""Widgets that know numbers and text, but not our document."""

import app.guard  # noqa: F401
