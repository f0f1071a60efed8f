"""Backwire, a desktop node editor that teaches backpropagation."""

VERSION = "0.1.0"
"""The version in pyproject.toml, for copies that are not installed as a package."""


def described_version() -> str:
    """Return the version and origin of this copy, for `--version` and the About dialog."""
    import sys
    from importlib.metadata import PackageNotFoundError, version

    if getattr(sys, "frozen", False):
        return f"{VERSION} (bundle)"
    try:
        return version("backwire")
    except PackageNotFoundError:
        return f"{VERSION} (from its source folder)"
