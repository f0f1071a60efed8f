"""Playbacks whose learner is asked."""

from app.workbench.modes.mode import STEPPING
from app.workbench.modes.quiz import Quiz
from app.workbench.playback import Playback
from engine.study.question import LEVELS, USUAL_LEVEL


def cover(playback: Playback, wanted: bool = True, level: str = USUAL_LEVEL) -> None:
    """Hide the next numbers, or show all again."""
    playback.set_mode(Quiz(covers=True, level=LEVELS[level]) if wanted else STEPPING)
