"""Schedules: the firing order of a pass and its steps, which depend on wiring and rules alone.

A node fires once in a pass; each wire along which it sends a contribution is one step. A schedule
does not depend on values, so it stays while a slider moves, and the timeline draws it in advance.

A wire is (target, slot) in both directions. So in a backward pass its target is the sender, and the
input in its slot receives the contribution. A mistake may run backward twice; each run is a sweep,
counted from 1.

>>> from engine import from_expression
>>> graph = from_expression("y = a*b + a", {"a": 2, "b": 3})  # 1: a, 2: b, 3: a*b, 4: y
>>> [(tick.kind, tick.node) for tick in schedule_of(graph, 4, "backward").ticks][:3]
[('seed', 4), ('contribution', 3), ('contribution', 1)]
>>> schedule_of(graph, 4, "backward").arrivals[1]  # the steps, from 0, at which a receives
(2, 3)
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Literal, NamedTuple
from weakref import WeakKeyDictionary

from engine.errors import EngineError
from engine.graph import Graph, Leaf, OpNode, Plan, Structure, Wire
from engine.ops import Rule
from engine.rules import CORRECT, Rules

EVENT_LIMIT = 100_000
"""Maximum number of steps of a pass that is shown, or that is run with a mistake.

A correct pass has one step for each wire; some mistakes take one for each path. A correct `run` has
no limit.
"""

Pass = Literal["forward", "backward"]
BackwardKind = Literal["seed", "contribution", "zero"]
StepKind = BackwardKind | Literal["compute"]
NO_NODE = -1
"""No node: the `sender` of a seed or zero, and an unused field of a question."""
NO_SLOT = -1
"""The `slot` of a step without a wire: seed, zero or compute."""


class Tick(NamedTuple):
    """One step of a schedule: `node` receives a contribution from `sender` along its `slot`.

    A seed or zero has NO_NODE and NO_SLOT. A node whose value is computed is its own `sender`.
    """

    kind: StepKind
    node: int
    sender: int
    slot: int
    sweep: int

    @property
    def wire(self) -> Wire | None:
        """The wire of a contribution, or None."""
        return None if self.slot == NO_SLOT else (self.sender, self.slot)


class Firing(NamedTuple):
    """One turn in a pass: `node` fires along its wires, or is seeded, zeroed or computed.

    `inputs` are the arguments of the local derivatives; `sends` are the contributions, each as
    (slot, source, local derivative).
    """

    kind: StepKind
    node: int
    sweep: int = 1
    inputs: tuple[int, ...] = ()
    sends: tuple[tuple[int, int, Rule], ...] = ()

    @property
    def ticks(self) -> int:
        """The number of its steps."""
        return len(self.sends) if self.kind == "contribution" else 1


class Schedule:
    """The firings of one pass, and the steps that they consist of."""

    def __init__(self, phase: Pass, firings: tuple[Firing, ...]) -> None:
        self.phase: Pass = phase
        self.firings = firings
        self._length = sum(firing.ticks for firing in firings)

    def __len__(self) -> int:
        return self._length

    @property
    def is_too_long(self) -> bool:
        """Whether it has more than EVENT_LIMIT steps."""
        return len(self) > EVENT_LIMIT

    @cached_property
    def ticks(self) -> tuple[Tick, ...]:
        """Every step, in order; the seed and a zeroing have no `sender`."""
        found: list[Tick] = []
        for kind, node, sweep, _inputs, sends in self.firings:
            if kind == "contribution":
                found += [Tick(kind, source, node, slot, sweep) for slot, source, _rule in sends]
            else:
                sender = node if kind == "compute" else NO_NODE
                found.append(Tick(kind, node, sender, NO_SLOT, sweep))
        return tuple(found)

    @cached_property
    def receivers(self) -> tuple[int, ...]:
        """For each step the node that is computed, or whose gradient changes."""
        return tuple(tick.node for tick in self.ticks)

    @cached_property
    def actors(self) -> tuple[int, ...]:
        """For each step the node that computes or fires; NO_NODE for the seed and a zeroing."""
        return tuple(tick.sender for tick in self.ticks)

    @cached_property
    def wires(self) -> tuple[Wire | None, ...]:
        """For each step the wire of its contribution, or None."""
        return tuple(tick.wire for tick in self.ticks)

    @cached_property
    def arrivals(self) -> dict[int, tuple[int, ...]]:
        """For each node the indices of the steps that contribute to its gradient."""
        found: dict[int, list[int]] = {}
        for k, tick in enumerate(self.ticks):
            if tick.kind == "contribution":
                found.setdefault(tick.node, []).append(k)
        return {node: tuple(places) for node, places in found.items()}

    @cached_property
    def steps_of(self) -> dict[int | Wire, list[int]]:
        """The steps, from 1, at which a wire carries a contribution or a node's number is set."""
        found: dict[int | Wire, list[int]] = {}
        for step, tick in enumerate(self.ticks, 1):
            found.setdefault(tick.node, []).append(step)
            if (wire := tick.wire) is not None:
                found.setdefault(wire, []).append(step)
        return found

    @cached_property
    def firing_numbers(self) -> dict[int, int]:
        """The number of each node in the firing order, from 1."""
        fired = (f.node for f in self.firings if f.kind == "contribution" and f.sends)
        return {node: k for k, node in enumerate(dict.fromkeys(fired), 1)}

    @cached_property
    def turns(self) -> tuple[tuple[int, int], ...]:
        """The first and the last step of each node's turn, from 1; zeroings are one turn.

        A node that sends nothing has no turn. (`Plan.turns` counts nodes instead of steps.)
        """
        found: list[tuple[int, int]] = []
        last: StepKind | None = None
        steps_so_far = 0
        for firing in self.firings:
            first, steps_so_far = steps_so_far + 1, steps_so_far + firing.ticks
            if firing.kind == last == "zero":
                found[-1] = (found[-1][0], steps_so_far)
            elif steps_so_far >= first:  # it has at least one step
                found.append((first, steps_so_far))
                last = firing.kind
        return tuple(found)

    @cached_property
    def node_ends(self) -> tuple[int, ...]:
        """The number of steps at the end of each turn."""
        return tuple(last for _first, last in self.turns)


def schedule_of(
    graph: Graph, root: int, phase: Pass, rules: Rules = CORRECT, most: int | None = None
) -> Schedule:
    """Return the schedule of a pass from a node whose ancestors have no empty slot.

    Raises EngineError for a mistake that takes more than `most` steps, EVENT_LIMIT unless given.
    """
    cache = _SCHEDULES.setdefault(graph.structure, {})
    key: _Key = (root, phase, rules)
    limit, found = most or EVENT_LIMIT, cache.get(key, 0)
    if isinstance(found, int) and found < limit:
        plan = graph.plan(root)
        make_firings = _forward_firings if phase == "forward" else _backward_firings
        firings = make_firings(graph, plan, rules)
        if rules is not CORRECT:
            firings = _up_to_limit(firings, limit)
        try:
            cache[key] = found = Schedule(phase, tuple(firings))
        except EngineError:
            cache[key] = limit
            raise
    if isinstance(found, int) or (rules is not CORRECT and len(found) > limit):
        raise too_long(most)  # it was cached by a call with another limit
    return found


_Key = tuple[int, Pass, Rules]
_SCHEDULES: WeakKeyDictionary[Structure, dict[_Key, Schedule | int]] = WeakKeyDictionary()
"""The schedules of each structure, dropped with it; of a pass above a limit that limit alone."""


def _up_to_limit(firings: Iterator[Firing], most: int) -> Iterator[Firing]:
    """Yield the firings of a mistake; EngineError at the limit, as it may follow 2ⁿ paths."""
    steps = 0
    for firing in firings:
        yield firing
        steps += firing.ticks
        if steps > most:
            raise too_long(most)


def too_long(most: int | None = None) -> EngineError:
    """Return the error for a pass above the limit."""
    return EngineError(
        "This pass takes more than {limit:,} steps; it was stopped.", limit=most or EVENT_LIMIT
    )


def _forward_firings(graph: Graph, plan: Plan, rules: Rules) -> Iterator[Firing]:
    """Yield the firings of a forward pass."""
    for node in rules.computing_order(graph, plan):
        if isinstance(graph.nodes[node], OpNode):
            yield Firing("compute", node, inputs=_inputs(graph, node))


def _backward_firings(graph: Graph, plan: Plan, rules: Rules) -> Iterator[Firing]:
    """Yield the firings of a backward pass: the seed, then one node after the other."""
    slopes = dict(rules.slopes)
    for sweep in range(1, rules.passes + 1):
        if sweep > 1:  # zero_grad(), or the part of it that a mistake does
            for node in _zeroed(graph, plan, rules):
                yield Firing("zero", node, sweep)
        if rules.seed:  # correct: ∂root/∂root = 1
            yield Firing("seed", plan.root, sweep)
        for node in rules.firing_order(graph, plan):  # correct: its gradient is complete
            if isinstance(graph.nodes[node], OpNode):
                sends = tuple(_sends(graph, plan, rules, node))
                if slopes:
                    sends = tuple(_own_slope(send, slopes.get((node, send[0]))) for send in sends)
                yield Firing("contribution", node, sweep, _inputs(graph, node), sends)


def _inputs(graph: Graph, node: int) -> tuple[int, ...]:
    return tuple([source for source in graph.inputs(node) if source is not None])


def _sends(graph: Graph, plan: Plan, rules: Rules, node: int) -> Iterator[tuple[int, int, Rule]]:
    """Yield the contributions of a node, as in `Firing.sends`.

    An input without gradient gets none, nor does any under a mistake whose `partial` is None.
    """
    op = graph.op(node)
    for slot, source in enumerate(graph.inputs(node)):
        if source in plan.with_gradient:
            partial = rules.partial(op, slot)
            if partial is not None:
                yield slot, source, partial


def _own_slope(send: tuple[int, int, Rule], slope: float | None) -> tuple[int, int, Rule]:
    """Return a contribution with a local derivative that a program had, if there is one."""
    slot, source, _partial = send
    return send if slope is None else (slot, source, lambda *_numbers: slope)


def _zeroed(graph: Graph, plan: Plan, rules: Rules) -> list[int]:
    """Return the nodes whose gradient is set to 0 between two sweeps."""
    if rules.zeroed == "none":
        return []
    with_gradient = [node for node in plan.order if node in plan.with_gradient]
    return [n for n in with_gradient if rules.zeroed == "all" or isinstance(graph.nodes[n], Leaf)]
