"""The log of errors: one text file in the state folder."""

from __future__ import annotations

import contextlib
from datetime import datetime
from pathlib import Path

from app.document.recovery import state_folder

_LONGEST_LOG = 1_000_000
"""Maximum size in bytes, above which the log is overwritten."""


def log_file() -> Path:
    """Return the path of the log."""
    return state_folder() / "errors.log"


def write_log(text: str) -> None:
    """Append a text to the log, or overwrite it when it is too large."""
    path = log_file()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = "w" if path.exists() and path.stat().st_size > _LONGEST_LOG else "a"
        with path.open(mode, encoding="utf-8", errors="replace") as file:
            file.write(f"--- {datetime.now().isoformat(timespec='seconds')}\n{text.rstrip()}\n")
