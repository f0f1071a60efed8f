"""Widgets for numbers and text that know nothing of the document."""
