"""Shown: what the playback tells all views, in one message."""

from __future__ import annotations

from dataclasses import dataclass

from app.document.change import NO_CHANGE, Change
from app.document.sheet import Sheet
from app.workbench.comparison import Comparison
from engine.frame import Frame
from engine.rules import CORRECT, Rules


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A sheet, its frame, and how it is viewed; the frame belongs to the sheet's graph.

    `inside` is the entered group, or None. With `cover` the learner is asked for the next
    contribution; `covered` says that there is one and that it is hidden now. `comparison` compares
    the pass with the correct one while a mistake is shown. `change` is the edit of the document
    that led here; None if only the playback has moved. `rules` are those of the next backward
    pass, or of the one that is shown.
    """

    sheet: Sheet
    frame: Frame
    inside: int | None = None
    cover: bool = False
    covered: bool = False
    comparison: Comparison | None = None
    change: Change = NO_CHANGE
    rules: Rules = CORRECT

    @property
    def revealed(self) -> bool:
        """Return whether the next contribution is shown before its step, while `cover` is on."""
        return self.cover and not self.covered
