"""Facts: one step of a pass as numbers and node ids, without any text.

>>> from engine import from_expression
>>> from engine.trace import run
>>> trace = run(from_expression("y = a*b + a", {"a": 2, "b": 3}))  # 1: a, 2: b, 3: a*b, 4: y
>>> at = step_facts(trace, 4)  # the product passes 1 × 3 on to a, which holds 1
>>> at.sender, at.slot, at.receiver, at.before, at.contribution, at.after, at.first
(3, 0, 1, 1.0, 3.0, 4.0, False)

A contribution is the IEEE product of upstream gradient and local derivative, as in micrograd, so
∞ · 0 is nan. PyTorch computes the same for most operations, but for some (relu, maximum, where …)
it masks: inputs that are not selected get 0, even if the upstream gradient is infinite or nan.
"""

import math
from collections.abc import Iterator

from msgspec import Struct

from engine.graph import Graph
from engine.ops import Op
from engine.problems import arguments, name_with_op
from engine.schedule import NO_NODE, NO_SLOT, StepKind
from engine.trace import Computed, Event, Trace, kept_for_pass


class StepFacts(Struct, frozen=True):
    """The sender, the receiver and the numbers of one step.

    Without a wire, as in a seed, `sender` is NO_NODE, `slot` NO_SLOT and `operation` None; a node
    that is computed is the `receiver`. `operation`, `inputs` and `value` belong to the node that
    fires, or that is computed. `local` is the derivative that the pass uses; the contribution takes
    the receiver's gradient from `before` to `after`, and replaces it unless the pass `adds`.
    `first` says that the receiver got nothing before this. A mistake that runs backward more than
    once is in `sweep` of `sweeps`.
    """

    kind: StepKind
    sender: int
    slot: int
    receiver: int
    operation: Op | None
    inputs: tuple[float, ...]
    value: float
    upstream: float
    local: float
    contribution: float
    before: float
    after: float
    first: bool
    sweep: int
    sweeps: int
    adds: bool

    @property
    def op(self) -> Op:
        """The `operation`, in a step that has one."""
        assert self.operation is not None
        return self.operation


@kept_for_pass
def step_facts(trace: Trace, step: int) -> StepFacts:
    """Return the facts of a step of a pass, counted from 1."""
    if trace.phase == "forward":
        return _computed_facts(trace.computed[step - 1], trace)
    event = trace.events[step - 1]
    fires = event.wire is not None
    steps_to_node = trace.schedule.arrivals.get(event.node, (step - 1,))  # the seed is in no list
    return StepFacts(
        kind=event.kind,
        sender=event.sender if fires else NO_NODE,
        slot=event.slot,
        receiver=event.node,
        operation=trace.graph.op(event.sender) if fires else None,
        inputs=tuple(arguments(trace.graph, event.sender, trace.values)) if fires else (),
        value=trace.values[event.sender if fires else event.node],
        upstream=event.upstream,
        local=event.local,
        contribution=event.contribution,
        before=event.before,
        after=event.after,
        first=steps_to_node[0] == step - 1,
        sweep=event.sweep,
        sweeps=trace.rules.passes,
        adds=not trace.rules.replaces(event.wire),
    )


def _computed_facts(step: Computed, trace: Trace) -> StepFacts:
    """Return the facts of a step of a forward pass."""
    op, no_gradients = trace.graph.op(step.node), (0.0, 0.0, 0.0, 0.0, 0.0)
    parties = (NO_NODE, NO_SLOT, step.node, op, step.inputs, step.value)
    return StepFacts("compute", *parties, *no_gradients, first=True, sweep=1, sweeps=1, adds=True)


def is_masked_by_torch(trace: Trace, event: Event) -> bool:
    """Return whether the contribution is ∞ · 0 = nan where PyTorch sends 0."""
    if event.kind != "contribution" or event.local != 0 or not math.isnan(event.contribution):
        return False
    inputs = arguments(trace.graph, event.sender, trace.values)
    return trace.graph.op(event.sender).zero_blocks_nonfinite(event.slot, *inputs)


def torch_mask_sentence(graph: Graph, event: Event) -> str:
    """Return the sentence that PyTorch masks this contribution to 0."""
    node, receiver = name_with_op(graph, event.sender), graph.title(event.node)
    return (
        f"{node} sends {receiver} the plain product {_nonfinite_text(event.upstream)} · 0 = nan; "
        "PyTorch masks it and sends 0."
    )


def torch_mask_sentences(trace: Trace) -> Iterator[str]:
    """Yield a sentence for each contribution of a pass that PyTorch masks."""
    return (
        torch_mask_sentence(trace.graph, event)
        for event in trace.events
        if is_masked_by_torch(trace, event)
    )


def _nonfinite_text(x: float) -> str:
    return "nan" if math.isnan(x) else "∞" if x > 0 else "−∞"
