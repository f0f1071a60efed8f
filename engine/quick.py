"""Quick ways to what traces and frames compute, for graphs of thousands of nodes.

While a slider moves the wiring stays, so who fires when stays too; while one steps, the frame
beside is nearly the same. These functions keep what stays, and give, number for number, what
`live_frame`, `run` and `frame_at` of engine.frame and engine.trace give.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from weakref import WeakKeyDictionary

from engine.frame import Frame, frame_at
from engine.graph import Constant, Graph, Leaf, OpNode, Root, Structure, Wire
from engine.op import Rule
from engine.rules import CORRECT
from engine.trace import Event, Trace, run, run_forward

NEAR = 50
"""How many steps away a frame still counts as being beside."""


def live(graph: Graph) -> Frame:
    """What `live_frame` gives."""
    return Frame(graph, "live", 0, 0, _wiring(graph).values(graph), {}, {})


def rerun(before: Trace, graph: Graph) -> Trace:
    """What the pass of a trace gives with the numbers of a graph wired the same."""
    if before.phase == "forward":
        return run_forward(graph, before.root)
    if graph.structure is not before.graph.structure or before.rules is not CORRECT:
        return run(graph, before.root, before.rules)
    wiring = _wiring(graph)
    values = wiring.values(graph)
    events = wiring.fired(graph, before.root).events(graph, values)
    wired_as = before if before.wired_as is None else before.wired_as
    return Trace(graph, before.root, "backward", CORRECT, values, events, wired_as=wired_as)


def frame_again(before: Frame, trace: Trace) -> Frame:
    """The frame of a trace that was run again, where the frame before was."""
    old = before.trace
    if old is None or trace.graph.structure is not before.graph.structure:
        return frame_at(trace, before.cursor)
    if trace.rules is not CORRECT or old.rules is not CORRECT or before.phase != "backward":
        return frame_at(trace, before.cursor)
    fired = _wiring(trace.graph).fired(trace.graph, trace.root)
    events = trace.events[: before.cursor]  # at the end, all that want a gradient have one
    grads = dict(zip(fired.nodes, [event.after for event in events], strict=False))
    wires = dict(zip(fired.wires, events[1:], strict=False))
    return replace(
        before, graph=trace.graph, values=trace.values, grads=grads, fired=wires, trace=trace
    )


def frame_beside(before: Frame, trace: Trace, cursor: int) -> Frame:
    """The frame at a cursor, made from one of the same trace that is near."""
    k = max(0, min(cursor, len(trace)))
    near = abs(k - before.cursor) <= NEAR and 0 < k < len(trace)
    if before.trace is not trace or trace.rules is not CORRECT or not near:
        return frame_at(trace, cursor)
    if before.phase != "backward" or before.cursor == len(trace):
        return frame_at(trace, cursor)
    grads, fired = dict(before.grads), dict(before.fired)
    for event in trace.events[before.cursor : k]:
        grads[event.node] = event.after
        if event.wire is not None:
            fired[event.wire] = event
    for place in range(before.cursor - 1, k - 1, -1):
        _take_back(trace, place, grads, fired)
    return replace(before, cursor=k, grads=grads, fired=fired)


# inside


def _take_back(trace: Trace, place: int, grads: dict[int, float], fired: dict[Wire, Event]) -> None:
    """Let the event at a place not have happened, though all before it have."""
    event = trace.events[place]
    assert event.wire is not None  # the seed stays: a near frame is not at 0
    del fired[event.wire]
    if trace.arrivals[event.node][0] < place:
        grads[event.node] = event.before
    else:
        del grads[event.node]


@dataclass(frozen=True, slots=True)
class _Firing:
    """A node that fires: what it is computed from, and what it sends along which slots."""

    node: int
    inputs: tuple[int, ...]
    sends: tuple[tuple[int, int, Rule], ...]
    """Slot, source and local derivative."""


class _Fired:
    """The backward pass of one root, apart from its numbers."""

    def __init__(self, graph: Graph, root: int) -> None:
        plan = graph.plan(root)
        self.root, self.order = root, plan.order
        self.firings: list[_Firing] = []
        for target in reversed(plan.order):
            node = graph.nodes[target]
            if not isinstance(node, OpNode):
                continue
            partials = graph.op(target).partials
            sends = tuple(
                (slot, source, partials[slot])
                for slot, source in enumerate(node.inputs)
                if source is not None and source in plan.wants
            )
            inputs = tuple(source for source in node.inputs if source is not None)
            self.firings.append(_Firing(target, inputs, sends))

    @cached_property
    def wires(self) -> tuple[Wire, ...]:
        """The wires that fire, in order."""
        return tuple((f.node, slot) for f in self.firings for slot, _source, _rule in f.sends)

    @cached_property
    def nodes(self) -> tuple[int, ...]:
        """The node that receives at each step."""
        return (self.root, *(source for f in self.firings for _slot, source, _rule in f.sends))

    def events(self, graph: Graph, values: Mapping[int, float]) -> tuple[Event, ...]:
        """All events with the numbers of a graph."""
        grads: dict[int, float] = dict.fromkeys(self.order, 0.0)
        grads[self.root] = 1.0
        events = [Event("seed", self.root, -1, 0, 1.0, 1.0, 1.0, 0.0, 1.0)]
        for firing in self.firings:
            target, upstream = firing.node, grads[firing.node]
            arguments = [values[source] for source in firing.inputs]
            value = values[target]
            for slot, source, partial in firing.sends:
                local = partial(*arguments, value)
                share = upstream * local
                before = grads[source]
                after = grads[source] = before + share
                events.append(
                    Event(
                        "contribution", source, target, slot, upstream, local, share, before, after
                    )
                )
        return tuple(events)


class _Wiring:
    """What values and passes need to know of one wiring, worked out once."""

    def __init__(self, graph: Graph) -> None:
        self._fired: dict[int, _Fired] = {}
        self._given: list[int] = []
        self._steps: list[tuple[int, Rule, tuple[int, ...]]] = []
        known: set[int] = set()
        for node in graph.structure.whole_order:
            found = graph.nodes[node]
            if isinstance(found, OpNode):
                inputs = tuple(source for source in found.inputs if source in known)
                if len(inputs) == len(found.inputs):
                    known.add(node)
                    self._steps.append((node, graph.op(node).forward, inputs))
            elif not isinstance(found, Root):
                known.add(node)
                self._given.append(node)

    def values(self, graph: Graph) -> dict[int, float]:
        """The value of every node that can be computed."""
        values: dict[int, float] = {}
        for node in self._given:
            found = graph.nodes[node]
            assert isinstance(found, Leaf | Constant)
            values[node] = found.value
        for node, forward, inputs in self._steps:
            values[node] = forward(*[values[source] for source in inputs])
        return values

    def fired(self, graph: Graph, root: int) -> _Fired:
        """The backward pass of a root."""
        if root not in self._fired:
            self._fired[root] = _Fired(graph, root)
        return self._fired[root]


_WIRINGS: WeakKeyDictionary[Structure, _Wiring] = WeakKeyDictionary()


def _wiring(graph: Graph) -> _Wiring:
    found = _WIRINGS.get(graph.structure)
    if found is None:
        found = _WIRINGS[graph.structure] = _Wiring(graph)
    return found
