"""How many epochs a second a run does, so that it can be watched."""

from __future__ import annotations

from typing import Final

PACES: Final[dict[str, int]] = {"5": 5, "50": 50, "full": 0}
"""Epochs a second by name; 0: as many as there is time for."""
USUAL_PACE: Final = "5"


def pause_of(pace: str) -> int:
    """Return the milliseconds from one epoch to the next; 0 for as many as there is time for."""
    epochs = PACES[pace]
    return 1000 // epochs if epochs else 0
