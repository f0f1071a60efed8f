"""Covered: frames as the mode Cover shows them, in which the next step's numbers are `?`."""

from __future__ import annotations

from app.workbench.modes.quiz import Quiz
from engine.frame import Frame


def covered(frame: Frame) -> Frame:
    """Return a frame with `?` in place of the numbers of its next step; at an end it has none."""
    return Quiz(covers=True).hide(frame)
