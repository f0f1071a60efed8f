"""LectureState: the current mark of a lecture, its stage, and all polls, as an immutable value.

`LectureRunner` owns it, and `app.workbench.words.lecture` writes the room's texts from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from app.lessons.lecture import Lecture, Slide
from app.lessons.poll import Poll
from app.lessons.situation import Situation

Stage = Literal["shown", "asked", "revealed"]
"""shown: a mark without a question; asked: its question is open; revealed: with its answer."""


class LectureState(Struct, frozen=True):
    """A lecture with its slides, the index of the current one, and its stage.

    `poll` is that of the current question, also at the reveal; None for a mark that asks nothing.
    `polls` holds the poll of each question that was asked, by index; `visited` the indices of the
    marks that were shown.
    """

    lecture: Lecture
    slides: tuple[Slide, ...]
    at: int = 0
    stage: Stage = "shown"
    poll: Poll | None = None
    polls: Mapping[int, Poll] = field(default_factory=dict[int, Poll])
    visited: frozenset[int] = frozenset()

    @property
    def slide(self) -> Slide:
        """Return the current slide."""
        return self.slides[self.at]

    @property
    def situation(self) -> Situation | None:
        """Return the situation on the screen; None for a mark that no longer fits."""
        return self.slide.revealed if self.stage == "revealed" else self.slide.situation

    @property
    def following(self) -> LectureState | None:
        """Return the state after the next PageDown: the answer, or else the next mark, or None.

        A question that was not asked yet has no poll.
        """
        if self.stage == "asked" and self.slide.mark.reveals:
            return replace(self, stage="revealed")
        at = self.next_index(+1)
        if at is None:
            return None
        asks = self.slides[at].mark.kind == "ask"
        return replace(self, at=at, stage="asked" if asks else "shown", poll=self.polls.get(at))

    def next_index(self, direction: int) -> int | None:
        """Return the index of the next fitting slide in direction +1 or −1; None without one."""
        at = self.at + direction
        while 0 <= at < len(self.slides) and self.slides[at].misfit:
            at += direction
        return at if 0 <= at < len(self.slides) else None
