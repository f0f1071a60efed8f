"""Shown: what the playback tells all views, in one message."""

from __future__ import annotations

from msgspec import Struct

from app.document.change import NO_CHANGE, Change
from app.document.sheet import Sheet
from app.workbench.asking import Asking, hunts
from app.workbench.comparison import Comparison, compared
from app.workbench.descending import Descending
from engine.frame import Frame
from engine.rules import CORRECT, Rules
from engine.study.hand_run import HandRun
from engine.trace import Trace

Mode = Asking | HandRun | Descending
"""What is done instead of stepping through a pass; one excludes the others."""


class Shown(Struct, frozen=True, eq=False):
    """A sheet, its frame, and how it is viewed; the frame belongs to the sheet's graph.

    `inside` is the entered group, or None. `mode` is what is done instead of stepping through the
    pass, if anything; the frame hides what a mode asks for. `comparison` compares the pass with the
    correct one while a mistake is shown. `change` is the edit of the document that led here; None
    if only the playback has moved. `rules` are those of the next backward pass, or of the one that
    is shown.
    """

    sheet: Sheet
    frame: Frame
    inside: int | None = None
    mode: Mode | None = None
    comparison: Comparison | None = None
    change: Change = NO_CHANGE
    rules: Rules = CORRECT
    true_trace: Trace | None = None
    """The pass with all its steps, by which answers are judged."""

    @property
    def asks(self) -> bool:
        """Return whether the learner is asked about the pass, so that parts of it are hidden."""
        return isinstance(self.mode, Asking | HandRun)

    @property
    def asking(self) -> Asking | None:
        """Return the mode that asks about the next step, or None."""
        return self.mode if isinstance(self.mode, Asking) else None

    @property
    def by_hand(self) -> HandRun | None:
        """Return the pass that the learner does by hand, or None."""
        return self.mode if isinstance(self.mode, HandRun) else None

    @property
    def descending(self) -> Descending | None:
        """Return the training loop that is shown, or None."""
        return self.mode if isinstance(self.mode, Descending) else None


def _comparison(frame: Frame, last: Shown, asking: Asking | None) -> Comparison | None:
    """Return how a pass compares with the correct one, made once per pass; in a hunt None."""
    if frame.trace is None or hunts(asking, comparing=False):
        return None
    same = frame.trace is last.frame.whole and last.comparison is not None
    return last.comparison if same else compared(frame.trace)


def shown_next(last: Shown, sheet: Sheet, frame: Frame, mode: Mode | None, rules: Rules) -> Shown:
    """Return what is shown at a place of the pass; some modes have a place of their own."""
    if isinstance(mode, HandRun):
        frame = mode.frame(sheet.graph)
    elif isinstance(mode, Descending):
        frame = mode.frame
    asking = mode if isinstance(mode, Asking) else None
    beside = _comparison(frame, last, asking)
    hidden = mode.hide(frame) if isinstance(mode, Asking | HandRun) else frame
    return Shown(sheet, hidden, None, mode, beside, rules=rules, true_trace=frame.trace)
