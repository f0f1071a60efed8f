"""Shown: what the playback tells all views, in one message."""

from __future__ import annotations

from dataclasses import dataclass

from app.document.change import NO_CHANGE, Change
from app.document.sheet import Sheet
from app.workbench.comparison import Comparison
from engine.frame import Frame


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """One sheet at one frame, computed from the graph of that sheet, and how it is looked at.

    `inside` is the group that is looked into, or None. With `cover` the next contribution is to
    be asked for; `covered` says that there is one and that it is hidden now. `comparison` is the
    pass beside the correct one while a mistake is shown. `change` is the edit of the document
    that led here; without one only the playback has moved on.
    """

    sheet: Sheet
    frame: Frame
    inside: int | None = None
    cover: bool = False
    covered: bool = False
    comparison: Comparison | None = None
    change: Change = NO_CHANGE

    @property
    def revealed(self) -> bool:
        """Whether the next contribution is shown before its step, where it is asked for."""
        return self.cover and not self.covered
