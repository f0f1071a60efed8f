"""Backwire, a desktop node editor that teaches backpropagation."""

VERSION = "0.1.0"
"""As pyproject.toml has it, for where the program is not installed as a package."""


def described_version() -> str:
    """The version with where this copy comes from, as `--version` and the About dialog say it."""
    import sys
    from importlib.metadata import PackageNotFoundError, version

    if getattr(sys, "frozen", False):
        return f"{VERSION} (bundle)"
    try:
        return version("backwire")
    except PackageNotFoundError:
        return f"{VERSION} (from its source folder)"
