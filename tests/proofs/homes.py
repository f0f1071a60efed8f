"""A home of its own for programs that a proof starts, so that they leave yours alone."""

from pathlib import Path

KINDS = ("CONFIG", "DATA", "CACHE", "STATE")


def homes(folder: Path) -> dict[str, str]:
    """What to set in the environment so that settings, logs and copies go to a folder."""
    found = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in KINDS}
    return found | {"HOME": str(folder), "USERPROFILE": str(folder)}
