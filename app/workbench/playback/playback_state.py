"""PlaybackState: what playback shows now, its settings, and the one message about both."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from app.document.change import NO_CHANGE, Change
from app.document.document import Document
from app.document.files import SUFFIX
from app.workbench.modes.mode import STEPPING, Mode
from app.workbench.playback.view_state import ViewState, shown_next
from engine.frame import Frame, Phase, live_frame
from engine.graph import Graph
from engine.rules import CORRECT, Rules
from engine.study.ripple import GraphRipple, change_since, ripple

SPEEDS: tuple[float, ...] = (0.5, 1.0, 2.0, 4.0)
"""Playing speeds to choose from, in steps per second."""
SLOWEST, FASTEST = 0.1, 20.0
_SECOND = 1000
"""A second in ms."""


class RippleOf(Struct, frozen=True):
    """Which number a ripple changes, and by how much."""

    node: int
    change: float


class HeldValue(Struct, frozen=True, eq=False):
    """The node whose value is being dragged, and graph and values when it was pressed."""

    node: int
    graph: Graph
    values: Mapping[int, float]


class PlaybackState(QObject):
    """The frame that is shown, and the settings of the playback."""

    shown = Signal(object)
    """Emitted with a ViewState: anything that is shown has changed, settings included."""
    stepped = Signal()
    """Emitted after a single step forward, not after scrubbing; the frame is shown already."""
    said = Signal(str)
    """Emitted with a sentence for the learner."""
    stuck = Signal(object, str)
    """Emitted with the Problem that prevents a pass from starting."""
    held = Signal()
    """Emitted when a step is wanted that waits for the answer to an open question."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._frame = live_frame(document.graph)
        self._now = ViewState(document.sheet, self._frame)
        self._by_node = False
        self._mode: Mode = STEPPING
        self._speed = 1.0
        self._rules = CORRECT
        self._ripple: RippleOf | None = None
        self._held: HeldValue | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_SECOND)

    @property
    def now(self) -> ViewState:
        """Return what is shown: the value of the last message."""
        return self._now

    @property
    def behind(self) -> bool:
        """Return whether the document has changed and the message about it is not sent yet."""
        return self._now.sheet is not self._document.sheet

    @property
    def title(self) -> str:
        """Return what the graph is called: the document's title without the end of a file name."""
        return self._document.title.removesuffix(SUFFIX)

    @property
    def frame(self) -> Frame:
        """Return the current frame; while a learner is asked, without what is asked for."""
        return self._now.frame

    @property
    def phase(self) -> Phase:
        """Return live, forward or backward."""
        return self._now.frame.phase

    @property
    def cursor(self) -> int:
        """Return the number of steps done."""
        return self._now.frame.cursor

    @property
    def playing(self) -> bool:
        """Return whether playing."""
        return self._timer.isActive()

    @property
    def by_node(self) -> bool:
        """Return whether a step goes to the end of the current node."""
        return self._by_node

    @property
    def speed(self) -> float:
        """Return the playing speed in steps per second."""
        return self._speed

    @property
    def rules(self) -> Rules:
        """Return the rules of the backward pass, as far as they may be known."""
        return self._mode.known_rules(self._rules)

    # settings

    def set_speed(self, speed: float) -> None:
        """Set the playing speed in steps per second, from SLOWEST to FASTEST."""
        self._speed = min(max(speed, SLOWEST), FASTEST)
        self._timer.setInterval(round(_SECOND / self._speed))
        self._tell()

    def set_by_node(self, by_node: bool) -> None:
        """Stop after each node instead of each contribution."""
        self._by_node = by_node
        self._tell()

    # ripple

    @property
    def ripple_of(self) -> RippleOf | None:
        """Return which number the ripple changes, or None; a value that is dragged has no such."""
        return self._ripple

    def set_ripple(self, wanted: RippleOf | None) -> None:
        """Show the ripple of a number until something is asked, or the pass moves; None ends it."""
        if wanted != self._ripple:
            self._ripple = wanted
            self._now = replace(self._now, released=None)
            self._tell()

    def hold_value(self, node: int) -> None:
        """Begin the ripple of a dragged value, until it is released."""
        now = self._now
        if not now.hides and now.loop is None and node in now.values:
            self._held = HeldValue(node, now.frame.graph, now.values)

    def release_value(self, kept: bool = True) -> None:
        """End the ripple of a dragged value; its effect stays in the strip if it is `kept`."""
        if self._held is None:
            return
        self._held, now = None, self._now
        self._now = replace(now, released=now.ripple if kept and now.dragged else None)
        self._tell()

    def _with_ripple(self, now: ViewState, change: Change) -> ViewState:
        """Return the view state with its ripple."""
        last = self._now
        moved = (now.frame.phase, now.frame.cursor) != (last.frame.phase, last.frame.cursor)
        ends = change.whole or now.hides or now.loop is not None
        if ends or moved:
            self._ripple = None
        if ends or change.wiring or change.boxes:  # which ends a gesture as well
            self._held = None
        found = None if self._held is None else _dragged(self._held, now)
        dragged = found is not None
        if found is None and self._ripple is not None:
            found = _rippled(self._ripple, now, last)
            self._ripple = self._ripple if found is not None else None
        stays = found is None and now.mode is last.mode
        stays = stays and not (moved or change.graph or now.hides)
        released = last.released if stays else None
        return replace(now, ripple=found, dragged=dragged, released=released)

    def _tell(self, change: Change = NO_CHANGE, said: str = "") -> None:
        """Send the one message about what is shown, then a sentence if there is one."""
        document, frame = self._document, self._frame
        self._mode = self._mode.seen(frame)
        now = shown_next(self._now, document.sheet, frame, self._mode, self.rules)
        now = self._with_ripple(now, change)
        self._now = replace(now, inside=document.inside, change=change)
        self.shown.emit(self._now)
        if said:
            self.said.emit(said)


def _rippled(wanted: RippleOf, now: ViewState, last: ViewState) -> GraphRipple | None:
    """Return the ripple of a number, the last one if it is still true; None without a value."""
    known, graph, node = last.ripple, now.frame.graph, wanted.node
    if node not in now.values:
        return None
    same = known is not None and known.graph is graph and not last.dragged
    if same and known is not None and (known.node, known.wanted) == (node, wanted.change):
        return known
    return ripple(graph, node, wanted.change, now.values)


def _dragged(held: HeldValue, now: ViewState) -> GraphRipple | None:
    """Return the ripple of a dragged value since the press; None where it is as before."""
    node, graph = held.node, now.frame.graph
    if held.graph.structure is not graph.structure or held.values[node] == now.values[node]:
        return None
    return change_since(graph, node, held.values, now.values)
