"""The log of errors: one text file in the state folder."""

from __future__ import annotations

import contextlib
from datetime import datetime
from pathlib import Path

from app.document.recovery import state_folder

_LONGEST_LOG = 1_000_000
"""Bytes after which the log starts anew."""


def log_file() -> Path:
    """Where errors are written."""
    return state_folder() / "errors.log"


def write_log(text: str) -> None:
    """Add a text to the log, which starts anew when it has grown long."""
    path = log_file()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = "w" if path.exists() and path.stat().st_size > _LONGEST_LOG else "a"
        with path.open(mode, encoding="utf-8", errors="replace") as file:
            file.write(f"--- {datetime.now().isoformat(timespec='seconds')}\n{text.rstrip()}\n")
