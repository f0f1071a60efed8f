"""Fields: a pass whose numbers are written as holes, so that writers of sentences write templates.

>>> from engine import from_expression
>>> from engine.trace import run
>>> trace = fields_of(run(from_expression("y = a*b", {"a": 2, "b": 3})))
>>> [each.key for each in (trace.values[1], trace.values[3], trace.events[1].local)]
['v1', 'v3', 'l1']

The keys: `v3` is the value of node 3; `l7`, `c7` and `a7` are the local derivative, the
contribution, and the receiver's gradient after event 7 of a backward pass, counted from 0, which is
an upstream gradient in later events. Numbers that no value changes, as of a seed, are no fields.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import msgspec

from engine.graph import Constant
from engine.numbers import FieldNumber
from engine.problems import arguments
from engine.trace import Computed, Event, Trace


def fields_of(trace: Trace) -> Trace:
    """Return a pass with fields in place of its numbers.

    All probes are finite and differ, and none is 0 or whole: sentences are written as where nothing
    is special.
    """
    probes = (1.5 + 1.0 / k for k in count(3))
    nodes = trace.graph.nodes
    values = {
        node: value if isinstance(nodes[node], Constant) else FieldNumber(next(probes), f"v{node}")
        for node, value in trace.values.items()
    }
    computed = (
        Computed(each.node, tuple(arguments(trace.graph, each.node, values)), values[each.node])
        for each in trace.computed
    )
    events = tuple(_events(trace, probes))
    return replace(trace, values=values, events=events, computed=tuple(computed))


def _events(trace: Trace, probes: Iterator[float]) -> Iterator[Event]:
    gradients: dict[int, float] = {}
    for k, event in enumerate(trace.events):
        before = gradients.get(event.node, event.before)
        if event.wire is None:
            gradients[event.node] = event.after
            yield msgspec.structs.replace(event, before=before)
            continue
        upstream = gradients.get(event.sender, event.upstream)
        local, contribution, after = (FieldNumber(next(probes), f"{c}{k}") for c in "lca")
        gradients[event.node] = after
        yield msgspec.structs.replace(
            event,
            upstream=upstream,
            local=local,
            contribution=contribution,
            before=before,
            after=after,
        )
