"""Gradients of random graphs against exact mathematics, and what every pass must keep to.

The oracle goes forward with dual numbers of 60 digits and knows none of our slopes. It is asked
twice: with exact values throughout, and with the engine's own rounded values, which leaves the
backward pass alone to blame.
"""

import math

import pytest
from hypothesis import assume, given, settings

from engine import from_expression
from engine.frame import frame_at
from engine.graph import Constant, Graph, Leaf, OpNode
from engine.trace import Trace, run
from tests.helpers.drawn import smooth_graphs
from tests.helpers.exact import EXACT, Dual, mpf
from tests.helpers.graphs import EXAMPLES, last_frame
from tests.helpers.sampling import tries

ACCURACY = 1e-12


def exact_gradient(trace: Trace, leaf: int, rounded: bool) -> mpf:
    """The speed of the root when one leaf moves at speed 1."""
    graph, duals = trace.graph, dict[int, Dual]()
    for node in graph.plan(trace.root).order:
        found = graph.nodes[node]
        if isinstance(found, Leaf | Constant):
            duals[node] = Dual(mpf(found.value), mpf(int(node == leaf)))
            continue
        assert isinstance(found, OpNode)
        dual = EXACT[found.op](*(duals[source] for source in found.inputs if source is not None))
        duals[node] = Dual(mpf(trace.values[node]), dual.speed) if rounded else dual
    return duals[trace.root].speed


def path_sums(trace: Trace) -> dict[int, float]:
    """For each node the sum of |products| over all its paths to the root."""
    sums = dict.fromkeys(trace.graph.plan(trace.root).order, 0.0)
    sums[trace.root] = 1.0
    for event in trace.events[1:]:
        sums[event.node] += sums[event.sender] * abs(event.local)
    return sums


def tame(graph: Graph, sums: dict[int, float]) -> bool:
    """Whether no activation stands so far down that its rounded slope is blown up."""
    return all(
        total <= 1e3
        for node, total in sums.items()
        if isinstance(graph.nodes[node], OpNode) and graph.op(node).family == "Activations"
    )


@settings(max_examples=tries(150))
@given(graph=smooth_graphs())
def test_gradients_are_those_of_exact_mathematics(graph):
    trace = run(graph)
    grads, sums = last_frame(trace).grads, path_sums(trace)
    assume(tame(graph, sums))
    for leaf, total in sums.items():
        if isinstance(graph.nodes[leaf], Leaf):
            allowed = ACCURACY * max(1.0, total)
            ours = exact_gradient(trace, leaf, rounded=True)
            assert abs(mpf(grads[leaf]) - ours) <= allowed
            exact = exact_gradient(trace, leaf, rounded=False)
            assert abs(mpf(grads[leaf]) - exact) <= allowed + 2 * abs(exact - ours)


WELL_CONDITIONED = (
    *((found.expression, found.leaves) for found in EXAMPLES if found.name != "dead-relu"),
    ("tanh(x*w + b)*sigmoid(x - w)", {"x": 0.5, "w": -1.2, "b": 0.3}),
    ("h = gelu(a*b); k = silu(h + a); log1p(square(k)) + softplus(-h)", {"a": 1.5, "b": 0.25}),
    ("exp(-square(x - m)/2)/sqrt(2*s)", {"x": 0.3, "m": 1.1, "s": 2.5}),
    ("atan(y/x) + asin(y/4) - acos(x/4)", {"x": 1.25, "y": 2.0}),
    ("where_gt0(a - b, tan(a), cos(b))**3", {"a": 0.9, "b": 0.4}),
    ("abs(a)*sign(b) + floor(a*b) + leaky_relu(b) + elu(b)", {"a": 1.3, "b": -0.7}),
    ("maximum(a, b)/minimum(a, b) + a**b + a**a", {"a": 1.3, "b": 2.7}),
)


@pytest.mark.parametrize(("expression", "leaves"), WELL_CONDITIONED)
def test_well_conditioned_graphs_need_no_allowance_for_their_values(expression, leaves):
    trace = run(from_expression(expression, leaves))
    sums, grads = path_sums(trace), last_frame(trace).grads
    for node, found in trace.graph.nodes.items():
        if isinstance(found, Leaf):
            error = abs(mpf(grads[node]) - exact_gradient(trace, node, rounded=False))
            assert error <= ACCURACY * max(1.0, sums[node])


@settings(max_examples=tries(50))
@given(graph=smooth_graphs())
def test_every_prefix_of_a_pass_is_the_fold_of_its_events(graph):
    trace = run(graph)
    grads: dict[int, float] = {}
    for cursor in range(len(trace) + 1):
        if cursor:
            event = trace.events[cursor - 1]
            assert event.before == grads.get(event.node, 0.0)
            grads[event.node] = event.after
        frame = frame_at(trace, cursor)
        if cursor < len(trace):
            assert frame.grads == grads
        assert frame.cursor == cursor
        assert set(frame.fired) == {e.wire for e in trace.events[1:cursor]}
    assert (
        last_frame(trace).grads == dict.fromkeys(graph.plan(trace.root).with_gradient, 0.0) | grads
    )


@settings(max_examples=tries(80))
@given(graph=smooth_graphs())
def test_contributions_sum_to_gradients_and_nodes_wait_for_all_of_theirs(graph):
    trace = run(graph)
    plan, grads = graph.plan(trace.root), last_frame(trace).grads
    sums = dict.fromkeys(plan.with_gradient, 0.0)
    open_wires = {
        node: sum(target in plan.with_gradient and target in plan.order for target, _ in wires)
        for node, wires in graph.outgoing.items()
    }
    for event in trace.events[1:]:
        assert open_wires[event.sender] == 0 or event.sender == trace.root
        assert event.upstream == grads[event.sender]
        assert event.contribution == event.upstream * event.local
        assert event.after == event.before + event.contribution
        sums[event.node] += event.contribution
        open_wires[event.node] -= 1
    sums[trace.root] = 1.0
    assert sums == {node: grads[node] for node in plan.with_gradient}
    wires = [e.wire for e in trace.events[1:]]
    assert len(set(wires)) == len(wires)
    for node in plan.order:
        for slot, source in enumerate(graph.inputs(node)):
            assert ((node, slot) in wires) == (source in plan.with_gradient)


@settings(max_examples=tries(60))
@given(graph=smooth_graphs(most=15))
def test_finite_differences_agree_as_a_net(graph):
    trace = run(graph)
    sums, grads = path_sums(trace), last_frame(trace).grads
    for leaf, found in graph.nodes.items():
        if not isinstance(found, Leaf) or leaf not in sums:
            continue
        step = 1e-6 * max(1e-2, abs(found.value))
        above = graph.with_values({leaf: found.value + step})
        below = graph.with_values({leaf: found.value - step})
        ends = [run(moved).values[trace.root] for moved in (above, below)]
        if not all(math.isfinite(end) for end in ends):
            continue
        numerical = (ends[0] - ends[1]) / (2 * step)
        curved = run(above), run(below)
        slopes = [last_frame(moved).grads[leaf] for moved in curved]
        spread = max(abs(slope - grads[leaf]) for slope in slopes)
        noise = 1e-9 * max(1.0, sums[leaf], abs(ends[0])) / step * 1e-6
        assert abs(numerical - grads[leaf]) <= 1e-5 * max(1.0, sums[leaf]) + 2 * spread + noise
