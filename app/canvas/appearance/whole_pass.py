"""WholePass: the pass that is shown or comes next, with all its steps, whose texts need room."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from app.canvas.appearance.looks import Looks
from app.workbench.gradients.comparison import Comparison, compared
from engine.errors import EngineError
from engine.frame import frame_at
from engine.graph import Constant, Wire
from engine.rules import CORRECT, Rules
from engine.trace import Event, Trace, run

MANY = 400
"""Above this number of nodes, sizes reserve a fixed width for numbers."""
_CONSTANT_SLOPES: Final = frozenset({"add", "sub", "neg"})


class WholePass:
    """One pass with the limits of its texts: its size, its training loop, its wrong end.

    The values alone where there can be no pass.
    """

    def __init__(self, looks: Looks, rules: Rules = CORRECT) -> None:
        self.looks, self.rules = looks, rules
        self.loop = looks.descending
        self.shown: Trace | None = looks.frame.unhidden

    @property
    def many(self) -> bool:
        """Return whether the graph is so large that numbers get a fixed width."""
        return len(self.looks.graph.nodes) > MANY

    @property
    def backward(self) -> bool:
        """Return whether a backward pass is shown."""
        return self.shown is not None and self.shown.phase == "backward"

    @cached_property
    def trace(self) -> Trace | None:
        """The backward pass that is shown or comes next; None if there can be none."""
        if self.backward or self.many:
            return self.shown if self.backward else None
        try:
            return run(self.looks.graph, rules=self.rules)
        except (EngineError, ValueError):
            return None

    @property
    def values(self) -> Mapping[int, float]:
        """Return the values of all nodes."""
        return self.looks.frame.values if self.shown is None else self.shown.values

    @cached_property
    def comparison(self) -> Comparison | None:
        """The correct pass, if a mistake is on."""
        return None if self.trace is None else compared(self.trace)

    @property
    def goes_wrong(self) -> bool:
        """Return whether the pass that is shown goes wrong, as one by hand may."""
        return self.backward and self.comparison is not None and bool(self.comparison.ever_wrong)

    @cached_property
    def at_end(self) -> Looks | None:
        """What nodes show at the end of a wrong pass."""
        if self.trace is None or self.comparison is None:
            return None
        frame = frame_at(self.trace, len(self.trace))
        return Looks(frame, self.looks.short, self.looks.signed, self.comparison)

    def arriving(self, node: int) -> list[Event]:
        """Return the events in which a node receives."""
        if self.trace is None:
            return []
        return [self.trace.events[k] for k in self.trace.schedule.arrivals.get(node, ())]

    def carried_by(self, wire: Wire) -> list[Event]:
        """Return the events that a wire carries."""
        return self._by_wire.get(wire, [])

    def most_chips(self, node: int) -> int:
        """Return the most contributions that a node gets in one sweep."""
        sweeps = [event.sweep for event in self.arriving(node)]
        return max((sweeps.count(sweep) for sweep in set(sweeps)), default=0)

    def learns(self, node: int) -> bool:
        """Return whether a training loop is shown in which a leaf learns."""
        return self.loop is not None and node in self.loop.loop.chosen

    def varies(self, node: int) -> bool:
        """Return whether a local derivative of an op may become another number in a loop."""
        graph = self.looks.graph
        op, inputs = graph.op(node).name, graph.inputs(node)
        fixed = [s is not None and isinstance(graph.nodes[s], Constant) for s in inputs]
        return op not in _CONSTANT_SLOPES and not (op == "mul" and any(fixed))

    @cached_property
    def _by_wire(self) -> dict[Wire, list[Event]]:
        found: dict[Wire, list[Event]] = {}
        for event in () if self.trace is None else self.trace.events:
            if event.wire is not None:
                found.setdefault(event.wire, []).append(event)
        return found
