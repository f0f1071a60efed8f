"""Ticks: the steps of both passes as the timeline writes them."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from engine.errors import EngineError
from engine.graph import Graph
from engine.rules import CORRECT, Rules
from engine.schedule import NO_NODE, Pass, Schedule, Tick, schedule_of

TICK_NAME = 12
"""Characters of a name under a tick or in a group's title."""


class Group(Struct, frozen=True):
    """Ticks of one turn: cursors `first` to `last`, under the name of the node that fires."""

    title: str
    first: int
    last: int


class Track(Struct, frozen=True, dict=True):
    """The steps of one pass with the words for them."""

    graph: Graph
    schedule: Schedule

    def __len__(self) -> int:
        return len(self.schedule)

    @property
    def phase(self) -> Pass:
        """The pass of its schedule."""
        return self.schedule.phase

    def name(self, cursor: int) -> str:
        """The name under a tick: who receives."""
        return self.graph.short_name(self.schedule.receivers[cursor - 1], TICK_NAME)

    def words(self, cursor: int) -> str:
        """The text of a tick, without its number: `× e to a`."""
        tick = self.schedule.ticks[cursor - 1]
        name = self.graph.brief(tick.node)
        if tick.kind == "seed":
            return f"the seed at {name}"
        if tick.kind == "zero":
            return f"{name} back to 0"
        if tick.kind == "compute":
            return f"{name} gets its value"
        return f"{self._title(tick)} to {name}"

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The ticks of each turn."""
        ticks, turns = self.schedule.ticks, self.schedule.turns
        return tuple(Group(self._title(ticks[first - 1]), first, last) for first, last in turns)

    @cached_property
    def ends(self) -> frozenset[int]:
        """The cursors at which a node has just finished."""
        return frozenset(self.schedule.node_ends)

    def _title(self, tick: Tick) -> str:
        if tick.target == NO_NODE:
            return tick.kind
        name = self.graph.short_name(tick.target, TICK_NAME)
        return f"{self.graph.op(tick.target).symbol} {name}"


def veiled_tracks(graph: Graph, root: int, known: Schedule) -> tuple[Track, ...]:
    """The forward pass, and the backward pass as far as its order has been seen."""
    schedules = [schedule_of(graph, root, "forward", CORRECT)]
    if known.phase == "backward" and len(known):
        schedules.append(known)
    return tuple(Track(graph, found) for found in schedules if not found.is_too_long)


def tracks(graph: Graph, root: int, rules: Rules) -> tuple[Track, ...]:
    """The forward and the backward pass of a complete root, each if it can be stepped through."""
    try:
        backward = [schedule_of(graph, root, "backward", rules)]
    except EngineError:  # a mistake without end
        backward = []
    schedules = [schedule_of(graph, root, "forward", CORRECT), *backward]
    return tuple(Track(graph, found) for found in schedules if not found.is_too_long)
