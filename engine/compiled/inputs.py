"""Maps the values given to a program to the leaves of its tape."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from engine.errors import EngineError
from engine.generated.tape import LEAF, Tape
from engine.graph import Graph, Leaf
from engine.value import Value, place_of

Values = Mapping[str, float] | Mapping[int, float] | list[float] | tuple[float, ...]


class ProgramInputs:
    """The wanted leaves of a tape and the other leaves, as places, with the values of the graph."""

    def __init__(
        self,
        tape: Tape,
        given: Graph | None,
        wrt: Iterable[str | int | Value] | None,
        order: list[Value],
    ) -> None:
        self._tape, self._given = tape, given
        self.wanted = tape.leaves
        if wrt is not None:
            self.wanted = [self._place(leaf, order) for leaf in wrt]
        chosen = set(self.wanted)
        if len(chosen) < len(self.wanted):
            raise EngineError("A leaf is wanted twice.")
        self.others = [leaf for leaf in tape.leaves if leaf not in chosen]
        self.start = [tape.start[leaf] for leaf in self.wanted]
        self.rest = [tape.start[leaf] for leaf in self.others]

    @cached_property
    def graph(self) -> Graph:
        """Return the graph that is run."""
        return self._tape.graph() if self._given is None else self._given

    def read(self, values: Values | None) -> tuple[list[float], list[float]]:
        """Return the values of wanted and other leaves, by default those of the graph."""
        if values is None:
            return self.start, self.rest
        if not isinstance(values, Mapping):
            if len(values) != len(self.start):
                raise EngineError(
                    "{needed} values are needed, not {given}.",
                    needed=len(self.start),
                    given=len(values),
                )
            return [float(number) for number in values], self.rest
        given = {self.leaf(key): float(number) for key, number in values.items()}
        ids, start = self._tape.ids, self._tape.start
        return (
            [given.get(ids[place], start[place]) for place in self.wanted],
            [given.get(ids[place], start[place]) for place in self.others],
        )

    def leaf(self, key: str | int) -> int:
        """Return the id of a leaf given by name, id or Value."""
        node = self.graph.node_named(key) if isinstance(key, str) else key
        if node is None or not isinstance(self.graph.nodes.get(node), Leaf):
            raise EngineError("There is no leaf {key}.", key=key)
        return node

    def _place(self, leaf: str | int | Value, order: list[Value]) -> int:
        """The place of a wanted leaf; `order` are the Values at the places."""
        if isinstance(leaf, Value):
            place = place_of(leaf, order)
        else:
            place = self._tape.place.get(self.leaf(leaf))
        if place is None:
            raise EngineError("{leaf} does not lead to the root, so it has no gradient.", leaf=leaf)
        if self._tape.codes[place] != LEAF:
            raise EngineError("{leaf} is no leaf.", leaf=leaf)
        return place
