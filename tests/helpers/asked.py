"""Playbacks whose learner is asked."""

from app.workbench.modes.quiz import begun
from app.workbench.playback import Playback


def cover(playback: Playback, wanted: bool = True, level: str = "contribution") -> None:
    """Hide the next number, or show all again."""
    playback.set_mode(begun("cover", playback.frame.graph, level) if wanted else None)
