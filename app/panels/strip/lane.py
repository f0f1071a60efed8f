"""A lane of the timeline: where the ticks of one pass are."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from itertools import accumulate
from typing import Final, NamedTuple

from msgspec import Struct, field
from PySide6.QtGui import QFontMetricsF

from app.style.current import Style
from app.workbench.playback.ticks import Track
from engine.frame import Frame

_GROUP_GAP = 1.25
"""Gap between ticks of different nodes, relative to that between ticks of one node."""
_EDGE = 20
FORWARD_TICK: Final = 46
"""Most px at 100 % between two ticks of a forward pass."""
_BACKWARD_TICK = 170


class LaneRows(NamedTuple):
    """Where the rows of a lane are, in px at 100 %."""

    heads: int
    line: int
    names: int
    brackets: int
    height: int
    thin: bool = False
    """Whether only ticks and names are shown, without heads, groups and brackets."""


STRIP_ROWS: Final = LaneRows(heads=14, line=42, names=51, brackets=67, height=86)
THIN_ROWS: Final = LaneRows(heads=3, line=10, names=19, brackets=0, height=40, thin=True)


NO_MARKS: Final[Mapping[int, bool]] = {}


class LaneLook(Struct, frozen=True):
    """Progress of a lane, whether its pass is shown, where it goes wrong, and what was answered."""

    frame: Frame
    cursor: int
    current: bool
    wrong: frozenset[int] = frozenset()
    marks: Mapping[int, bool] = field(default_factory=lambda: NO_MARKS)
    asked: int = 0
    """The cursor of the step that is asked about, or 0."""
    hides_order: bool = False
    """Whether the steps to come show neither sender nor receiver."""

    def is_hidden(self, cursor: int) -> bool:
        """Return whether the names of a step are left out."""
        return self.hides_order and cursor > self.cursor

    def crossed(self, cursor: int) -> bool:
        """Return whether a tick has a cross: its step is wrong, and it has been reached."""
        return cursor <= self.cursor and cursor in self.wrong


class Lane:
    """One pass between two edges; maps cursors to px and back."""

    def __init__(
        self, track: Track, left: float, right: float, style: Style, rows: LaneRows = STRIP_ROWS
    ) -> None:
        self.track = track
        self.rows = rows
        self.left = left
        self.right = right
        title = QFontMetricsF(style.font("caption strong")).horizontalAdvance(self.title)
        self.head = title + style.px(6) if track.phase == "backward" and not rows.thin else 0.0
        edge = style.px(_EDGE)
        starts = {group.first for group in track.groups[1:]}
        steps = (_GROUP_GAP if k in starts else 1.0 for k in range(2, len(track) + 1))
        offsets = list(accumulate(steps, initial=0.0))
        room = max(right - left - self.head - 2 * edge, 1.0)
        most = style.px(FORWARD_TICK if track.phase == "forward" else _BACKWARD_TICK)
        self.spacing = min(room / max(offsets[-1], 1.0), most)
        start = left + self.head + edge
        self._places = [start + offset * self.spacing for offset in offsets]

    @property
    def title(self) -> str:
        """Return Forward or Backward."""
        return self.track.phase.capitalize()

    @property
    def start(self) -> float:
        """Return the x of the first tick."""
        return self._places[0]

    @property
    def end(self) -> float:
        """Return the x of the last tick."""
        return self._places[-1]

    def x_of(self, cursor: int) -> float:
        """Return the x of a cursor's tick; cursor 0 is left of the first tick."""
        if cursor <= 0:
            return self._places[0] - min(max(self.spacing / 2, 6.0), 12.0)
        return self._places[min(cursor, len(self._places)) - 1]

    def cursor_at(self, x: float) -> int:
        """Return the cursor whose tick is nearest to x."""
        if x < (self.x_of(0) + self.x_of(1)) / 2:
            return 0
        place = bisect_left(self._places, x)
        if place == 0:
            return 1
        if place == len(self._places):
            return place
        left, right = self._places[place - 1], self._places[place]
        return place if x - left < right - x else place + 1
