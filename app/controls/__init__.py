"""Widgets that know numbers and text, but not our document."""
