"""Ticks: the steps of both passes as the timeline writes them."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from engine.errors import EngineError
from engine.graph import Graph
from engine.rules import CORRECT, Rules
from engine.schedule import NO_NODE, Pass, Schedule, Tick, schedule_of

TICK_NAME_LIMIT = 12
"""Characters of a name under a tick or in a group's title."""


class TickGroup(Struct, frozen=True):
    """Ticks of one turn: cursors `first` to `last`, under the name of the node that fires."""

    title: str
    first: int
    last: int


class Track(Struct, frozen=True, dict=True):
    """The steps of one pass and their texts; a cursor counts from 1."""

    graph: Graph
    schedule: Schedule
    folds_terms: bool = False

    def __len__(self) -> int:
        return len(self.schedule)

    @property
    def phase(self) -> Pass:
        """Return the pass of the schedule."""
        return self.schedule.phase

    def name(self, cursor: int) -> str:
        """Return the name under a tick: the receiver of the step."""
        return self.graph.short_name(self.schedule.receivers[cursor - 1], TICK_NAME_LIMIT)

    def words(self, cursor: int) -> str:
        """Return the text of a tick, without its number: `× e to a`.

        The tooltip that shows it has space for a long name, unlike the tick itself.
        """
        tick = self.schedule.ticks[cursor - 1]
        name = self.graph.brief(tick.node)
        if tick.kind == "seed":
            return f"{name} begins" if self.folds_terms else f"the seed at {name}"
        if tick.kind == "zero":
            return f"{name} back to 0"
        if tick.kind == "compute":
            return f"{name} gets its value"
        return f"{self._title(tick)} to {name}"

    @cached_property
    def groups(self) -> tuple[TickGroup, ...]:
        """Return the ticks of each turn."""
        ticks, turns = self.schedule.ticks, self.schedule.turns
        return tuple(TickGroup(self._title(ticks[first - 1]), first, last) for first, last in turns)

    @cached_property
    def ends(self) -> frozenset[int]:
        """Return the cursors at which a node has just finished."""
        return frozenset(self.schedule.node_ends)

    def _title(self, tick: Tick) -> str:
        if tick.sender == NO_NODE:
            return "" if self.folds_terms else tick.kind
        name = self.graph.short_name(tick.sender, TICK_NAME_LIMIT)
        return f"{self.graph.op(tick.sender).symbol} {name}"


def known_tracks(graph: Graph, root: int, known: Schedule) -> tuple[Track, ...]:
    """Return the forward pass, and the backward pass in the order the learner has seen."""
    schedules = [schedule_of(graph, root, "forward", CORRECT)]
    if known.phase == "backward" and len(known):
        schedules.append(known)
    return tuple(Track(graph, found) for found in schedules if not found.is_too_long)


def tracks(
    graph: Graph, root: int, rules: Rules, *, folds_terms: bool = False
) -> tuple[Track, ...]:
    """Return the forward and the backward pass of a complete root; not one that is too long."""
    try:
        backward = [schedule_of(graph, root, "backward", rules)]
    except EngineError:  # under this mistake the pass never ends
        backward = []
    schedules = [schedule_of(graph, root, "forward", CORRECT), *backward]
    found = (each for each in schedules if not each.is_too_long)
    return tuple(Track(graph, each, folds_terms) for each in found)
