"""Backwire, a desktop node editor that teaches backpropagation."""

VERSION = "0.1.0"
"""As pyproject.toml has it, for where the program is not installed as a package."""
