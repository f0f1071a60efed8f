"""Where PyTorch masks: it sends 0 where the plain product of ∞ and 0 is nan.

A contribution is the IEEE product of upstream gradient and local derivative, as micrograd computes
it. PyTorch computes the same for most operations, but for some (relu, maximum, where ...) it picks
where the gradient goes, and what is not picked gets 0 whatever arrives.
"""

import math
from collections.abc import Iterator

from engine.graph import Graph
from engine.problems import arguments, spoken
from engine.trace import Event, Trace


def masked(trace: Trace, event: Event) -> bool:
    """Return whether the contribution is nan and PyTorch would send 0."""
    if event.kind != "contribution" or event.local != 0 or not math.isnan(event.contribution):
        return False
    inputs = arguments(trace.graph, event.target, trace.values)
    return trace.graph.op(event.target).zero_blocks_nonfinite(event.slot, *inputs)


def mask_sentence(graph: Graph, event: Event) -> str:
    """Return one sentence on what differs in PyTorch."""
    node, receiver = spoken(graph, event.target), graph.title(event.node)
    return (
        f"{node} sends {receiver} the plain product {_infinite(event.upstream)} · 0 = nan; "
        "PyTorch masks it and sends 0."
    )


def mask_sentences(trace: Trace) -> Iterator[str]:
    """Yield a sentence for each contribution of a pass that PyTorch masks."""
    return (mask_sentence(trace.graph, event) for event in trace.events if masked(trace, event))


def _infinite(x: float) -> str:
    return "nan" if math.isnan(x) else "∞" if x > 0 else "−∞"
