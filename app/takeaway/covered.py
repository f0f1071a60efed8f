"""Covered: frames as the mode Cover shows them, with `?` for the numbers of the next step."""

from __future__ import annotations

from app.workbench.modes.quiz import Quiz
from engine.frame import Frame


def covered(frame: Frame) -> Frame:
    """Return a frame that hides the numbers of its next step; unchanged at the end of a pass."""
    return Quiz(covers=True).hide(frame)
