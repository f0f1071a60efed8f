"""Shown: what the playback tells all views, in one message."""

from __future__ import annotations

from dataclasses import dataclass

from app.document.change import NO_CHANGE, Change
from app.document.sheet import Sheet
from app.workbench.asking import Asking, hunts
from app.workbench.comparison import Comparison, compared
from app.workbench.descending import Descending
from engine.frame import Frame
from engine.rules import CORRECT, Rules
from engine.trace import Trace


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A sheet, its frame, and how it is viewed; the frame belongs to the sheet's graph.

    `inside` is the entered group, or None. `asking` is the mode in which the learner is asked, if
    one is on; the frame hides what is asked for. `comparison` compares the pass with the correct
    one while a mistake is shown. `change` is the edit of the document that led here; None if only
    the playback has moved. `rules` are those of the next backward pass, or of the one that is
    shown. `descending` is the training loop that is shown, if one is on.
    """

    sheet: Sheet
    frame: Frame
    inside: int | None = None
    asking: Asking | None = None
    comparison: Comparison | None = None
    change: Change = NO_CHANGE
    rules: Rules = CORRECT
    true_trace: Trace | None = None
    """The pass with all its steps, for whoever judges what a learner says of it."""
    descending: Descending | None = None


def comparison_for(frame: Frame, last: Shown, asking: Asking | None) -> Comparison | None:
    """Return how a pass compares with the correct one, made once per pass; in a hunt None."""
    if frame.trace is None or hunts(asking, comparing=False):
        return None
    same = frame.trace is last.frame.whole and last.comparison is not None
    return last.comparison if same else compared(frame.trace)
