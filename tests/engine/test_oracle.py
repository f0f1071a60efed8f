"""Gradients of random graphs against exact mathematics, and what every pass must keep to.

The oracle goes forward with dual numbers of 60 digits and knows none of our slopes. It is asked
twice: with exact values throughout, and with the engine's own rounded values, which leaves the
backward pass alone to blame.
"""

from collections.abc import Mapping

from hypothesis import assume, given, settings

from engine import from_expression
from engine.graph import Constant, Graph, Leaf, OpNode
from engine.trace import Trace, run
from tests.helpers.drawn import smooth_graphs
from tests.helpers.exact import EXACT, Dual, mpf
from tests.helpers.graphs import EXAMPLES, last_frame
from tests.helpers.sampling import tries
from tests.helpers.tables import in_turn

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


def tame(graph: Graph, sums: Mapping[int, float]) -> bool:
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
    grads, sums = last_frame(trace).grads, trace.path_sums
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


@in_turn(("expression", "leaves"), WELL_CONDITIONED)
def test_well_conditioned_graphs_need_no_allowance_for_their_values(expression, leaves):
    trace = run(from_expression(expression, leaves))
    sums, grads = trace.path_sums, last_frame(trace).grads
    for node, found in trace.graph.nodes.items():
        if isinstance(found, Leaf):
            error = abs(mpf(grads[node]) - exact_gradient(trace, node, rounded=False))
            assert error <= ACCURACY * max(1.0, sums[node])


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
