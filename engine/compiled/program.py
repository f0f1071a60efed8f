"""Program: a graph compiled for many runs, as when a slider moves or a network learns.

>>> from engine import Program, from_expression
>>> program = Program(from_expression("(a*b + a) * f"))
>>> program.run({"a": 2.0, "b": -3.0, "f": -2.0})
(8.0, (4.0, -4.0, -4.0))

A program runs in one of three tiers. The tape needs no preparation, straight-line source suits up
to some thousand operations, levels of arrays suit large graphs that are not too deep. The choice is
the tier with the lowest estimated time for preparation and the expected number of runs. Tape and
source give exactly the numbers of a trace; levels add in another order and agree to 1e-12. Each run
starts with all gradients at zero.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal, Protocol

from engine.compiled import source
from engine.errors import EngineError
from engine.graph import Graph, Leaf
from engine.tape import LEAF, Tape, lay_out
from engine.trace import resolve
from engine.value import Value, place_of
from engine.value import lay_out as lay_out_value

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from engine.compiled.arrays import Array
    from engine.compiled.levels import Levels, Terms


Values = Mapping[str, float] | Mapping[int, float] | list[float] | tuple[float, ...]


class ProgramInputs:
    """The wanted leaves of a tape and the other leaves, as places, with the values of the graph.

    `source_graph` is the graph that the tape was made from, None if that was a Value; `order` are
    then the Values at the places of the tape.
    """

    def __init__(
        self,
        tape: Tape,
        source_graph: Graph | None,
        wrt: Iterable[str | int | Value] | None,
        order: list[Value],
    ) -> None:
        self._tape, self._source_graph = tape, source_graph
        self.wanted = tape.leaves
        if wrt is not None:
            self.wanted = [self._place(leaf, order) for leaf in wrt]
        chosen = set(self.wanted)
        if len(chosen) < len(self.wanted):
            raise EngineError("A leaf is wanted twice.")
        self.others = [leaf for leaf in tape.leaves if leaf not in chosen]
        self.start = [tape.start[leaf] for leaf in self.wanted]
        self.other_start = [tape.start[leaf] for leaf in self.others]

    @cached_property
    def graph(self) -> Graph:
        """Return the graph that is run."""
        return self._tape.graph() if self._source_graph is None else self._source_graph

    def read(self, values: Values | None) -> tuple[list[float], list[float]]:
        """Return the values of wanted and other leaves, by default those of the graph."""
        if values is None:
            return self.start, self.other_start
        if not isinstance(values, Mapping):
            if len(values) != len(self.start):
                raise EngineError(
                    "{needed} values are needed, not {given}.",
                    needed=len(self.start),
                    given=len(values),
                )
            return [float(number) for number in values], self.other_start
        given = {self.leaf(key): float(number) for key, number in values.items()}
        ids, start = self._tape.ids, self._tape.start
        return (
            [given.get(ids[place], start[place]) for place in self.wanted],
            [given.get(ids[place], start[place]) for place in self.others],
        )

    def leaf(self, key: str | int) -> int:
        """Return the id of a leaf given by name or id."""
        node = self.graph.node_named(key) if isinstance(key, str) else key
        if node is None or not isinstance(self.graph.nodes.get(node), Leaf):
            raise EngineError("There is no leaf {key}.", key=key)
        return node

    def _place(self, leaf: str | int | Value, order: list[Value]) -> int:
        """Return the place of a wanted leaf; `order` are the Values at the places."""
        if isinstance(leaf, Value):
            place = place_of(leaf, order)
        else:
            place = self._tape.place.get(self.leaf(leaf))
        if place is None:
            raise EngineError("{leaf} does not lead to the root, so it has no gradient.", leaf=leaf)
        if self._tape.codes[place] != LEAF:
            raise EngineError("{leaf} is no leaf.", leaf=leaf)
        return place


Tier = Literal["tape", "source", "levels"]

SOURCE_LIMIT = 2_000
"""Largest number of operations of which the source is shown."""

LEVELS_MIN_OPS = 300
"""Smaller graphs are not run as levels: the cost of the calls would prevail."""

SOURCE_MAX_OPS = 200_000
"""Larger graphs are not compiled to source: Python's compiler would take minutes."""

# Measured seconds to prepare one operation and to run it once. Levels also take time for each
# level, however few operations it has.
TAPE_SECONDS = (1e-6, 150e-9)
SOURCE_SECONDS = (22e-6, 50e-9)
LEVELS_SECONDS = (3e-6, 15e-9)
SECONDS_PER_LEVEL = 6e-6


_ASSIGNMENT = re.compile(r"\s*(.+?) [+-]?= ")
"""What a line of source assigns to, or adds to."""


class Run(Protocol):
    """A compiled form that can be run."""

    def __call__(self, values: Values | None = None, /) -> tuple[float, tuple[float, ...]]: ...


class Program:
    """A root and its ancestors, compiled for the gradients of some of its leaves.

    `wrt` (with respect to) are the leaves whose values are given and whose gradients are returned:
    by name, by id, or as Values if the graph is one; by default all that lead to the root. `runs`
    is the expected number of runs, from which the tier follows; `tier` overrules it.

    `run(values)` returns the root's value and the gradients in the order of `wrt`. The values are a
    list in that order, or a mapping by name or id of any leaves; missing ones are taken from the
    graph. `others` are the other leaves that lead to the root.
    """

    run: Run

    def __init__(
        self,
        graph: Graph | Value,
        wrt: Iterable[str | int | Value] | None = None,
        *,
        runs: int = 1_000,
        tier: Tier | None = None,
    ) -> None:
        order: list[Value] = []
        if isinstance(graph, Value):
            self._tape, order = lay_out_value(graph)
        else:
            self._tape = lay_out(graph, resolve(graph, None))
        self._source_graph = graph if isinstance(graph, Graph) else None
        self._inputs = ProgramInputs(self._tape, self._source_graph, wrt, order)
        self.wrt = tuple([self._tape.ids[leaf] for leaf in self._inputs.wanted])
        self.tier: Tier = tier or self._fastest_tier(runs)
        self.others = tuple([self._tape.ids[leaf] for leaf in self._inputs.others])
        self._levels: Levels | None = None
        self.run = self._compile()

    @property
    def graph(self) -> Graph:
        """Return the graph that is run."""
        return self._inputs.graph

    def step(self, values: Array) -> tuple[float, Array]:
        """Run once on an array, for training; returns the root's value and the gradients."""
        import numpy

        if self._levels is not None:
            return self._levels.run(values, self._inputs.other_start)
        number, grads = self.run(values.tolist())
        return number, numpy.array(grads)

    def batch(self, values: ArrayLike, others: ArrayLike | None = None) -> tuple[Array, Array]:
        """Run once for each sample; returns the root's value for each, and the gradients.

        `values` are the numbers of the leaves in `wrt`, `others` those of the other leaves: an
        array with a row for each sample, or a single row that all samples share. The gradients have
        a row for each sample as well; those of shared values are summed over the samples. They
        agree with `run` to 1e-12.
        """
        import numpy

        from engine.compiled.arrays import batch_backward

        rows = self._over_samples(values, others)
        grads = batch_backward(self._tape, rows, self._inputs.wanted)[self._inputs.wanted]
        return rows[self._tape.root], grads.T if numpy.ndim(values) == 2 else grads.sum(axis=1)

    def batch_values(self, values: ArrayLike, others: ArrayLike | None = None) -> Array:
        """Return the root's value for each sample, as `batch` does, without the gradients."""
        return self._over_samples(values, others)[self._tape.root]

    def _over_samples(self, values: ArrayLike, others: ArrayLike | None) -> Array:
        """Return the rows of all values: a column for each sample."""
        import numpy

        from engine.compiled.arrays import batch_forward

        tape, inputs = self._tape, self._inputs
        given = [
            numpy.asarray(values, float),
            numpy.asarray(inputs.other_start if others is None else others, float),
        ]
        samples = {len(array) for array in given if array.ndim == 2}
        if len(samples) != 1:
            raise EngineError("A batch needs arrays with the same number of rows, one per sample.")
        rows = numpy.empty((len(tape), samples.pop()))
        rows[:] = numpy.array(tape.start)[:, None]
        for array, leaves in zip(given, (inputs.wanted, inputs.others), strict=True):
            if array.ndim not in (1, 2) or array.shape[-1] != len(leaves):
                raise EngineError(
                    "A row has {needed} values, not {given}.",
                    needed=len(leaves),
                    given=array.shape[-1] if array.ndim else 1,
                )
            rows[leaves] = array.T if array.ndim == 2 else array[:, None]
        return batch_forward(tape, rows)

    def all_values_and_grads(
        self, values: Values | None = None
    ) -> tuple[dict[int, float], dict[int, float]]:
        """Return every value and every gradient of the graph by id, for display."""
        tape, with_gradient = self._whole_graph
        if not isinstance(values, Mapping):
            values = dict(zip(self.wrt, self._inputs.read(values)[0], strict=True))
        start = list(tape.start)
        for key, number in values.items():
            start[tape.place[self._inputs.leaf(key)]] = number
        numbers, grads = tape.run(start)
        return dict(zip(tape.ids, numbers, strict=True)), {
            tape.ids[k]: grads[k] for k in with_gradient
        }

    def source(self) -> str:
        """Return the program as straight-line source, with the labels of the nodes as comments."""
        if len(self._tape.steps) > SOURCE_LIMIT:
            raise EngineError(
                "The source of more than {limit:,} operations is not shown.", limit=SOURCE_LIMIT
            )
        return "\n".join([self._with_label(line) for line in self._source().splitlines()])

    def _with_label(self, line: str) -> str:
        """Return a line of source with the labels of the nodes that it assigns to."""
        found = _ASSIGNMENT.match(line)
        target = found[1] if found else ""
        labels = [self.graph.label(int(node)) for node in re.findall(r"[vg](\d+)", target)]
        if not target or not all(labels):
            return line
        if target.startswith("g"):
            return f"{line}  # gradient of {', '.join(labels)}"
        return f"{line}  # {', '.join(labels)}"

    def _source(self) -> str:
        return source.write(self._tape, self._inputs.wanted, self._inputs.others)

    @cached_property
    def _whole_graph(self) -> tuple[Tape, list[int]]:
        """Return a tape of the whole graph, and the places that have a gradient."""
        root = self._tape.ids[self._tape.root]
        tape = (
            self._tape
            if self._source_graph is None
            else lay_out(self._source_graph, root, whole=True)
        )
        has_gradient = tape.depends_on(tape.leaves)
        # the nodes after the root have none; the root has one, whatever it depends on
        return tape, [place for place in range(tape.root) if has_gradient[place]] + [tape.root]

    @cached_property
    def _terms(self) -> Terms:
        from engine.compiled.levels import rewrite

        return rewrite(self._tape, self._inputs.wanted)

    def _fastest_tier(self, runs: int) -> Tier:
        """Return the tier with the lowest total time for this many runs."""
        ops = len(self._tape.steps)
        costs: dict[Tier, float] = {"tape": ops * (TAPE_SECONDS[0] + runs * TAPE_SECONDS[1])}
        if ops <= SOURCE_MAX_OPS:
            costs["source"] = ops * (SOURCE_SECONDS[0] + runs * SOURCE_SECONDS[1])
        if ops > LEVELS_MIN_OPS:
            levels = int(self._terms.level.max())
            costs["levels"] = (
                ops * (LEVELS_SECONDS[0] + runs * LEVELS_SECONDS[1])
                + runs * levels * SECONDS_PER_LEVEL
            )
        return min(costs, key=lambda tier: costs[tier])

    def _compile(self) -> Run:
        """Compile the chosen tier."""
        if self.tier == "tape":
            return partial(_run_tape, self._tape, self._inputs)
        if self.tier == "source":
            return source.build(self._source(), self._inputs.read, len(self.wrt))
        from engine.compiled.levels import Levels

        wanted, others = self._inputs.wanted, self._inputs.others
        self._levels = Levels(self._tape, self._terms, wanted, others)
        del self._terms  # no longer needed, and as large as the graph
        return partial(_run_levels, self._levels, self._inputs)


def _run_tape(
    tape: Tape, inputs: ProgramInputs, values: Values | None = None
) -> tuple[float, tuple[float, ...]]:
    given, other_start = inputs.read(values)
    start = list(tape.start)
    for place, number in zip((*inputs.wanted, *inputs.others), (*given, *other_start), strict=True):
        start[place] = number
    numbers, grads = tape.run(start)
    return numbers[tape.root], tuple([grads[place] for place in inputs.wanted])


def _run_levels(
    levels: Levels, inputs: ProgramInputs, values: Values | None = None
) -> tuple[float, tuple[float, ...]]:
    number, grads = levels.run(*inputs.read(values))
    return number, tuple(grads.tolist())
