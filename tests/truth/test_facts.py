"""The facts of a step are those of a pass that is written again in the tests."""

from engine.asking.facts import StepFacts, step_facts
from engine.graph import Graph
from engine.schedule import NO_NODE
from engine.trace import run, run_forward
from tests.helpers.tables import in_turn
from tests.truth.moment import Run, same
from tests.truth.oracle import Step, replaces, rules
from tests.truth.survey import NAMES, example_graphs, is_short, random_drawings

MOST = 400
SEED = 23
GRAPHS = {name: drawing.graph for name, drawing in (*example_graphs(), *random_drawings(6, SEED))}


def numbers(found: StepFacts | Step) -> tuple[float, ...]:
    return (found.upstream, found.local, found.contribution, found.before, found.after)


@in_turn("mistake", NAMES)
def test_a_step_is_what_it_must_be(mistake: str):
    for graph in GRAPHS.values():
        if is_short(graph, mistake, MOST):
            _check_steps(graph, mistake)


def _check_steps(graph: Graph, mistake: str) -> None:
    trace, steps = run(graph, rules=rules(graph, mistake)), Run(graph, mistake).steps
    arrived: set[int] = set()
    assert len(steps) == len(trace)
    for k, step in enumerate(steps, 1):
        at = step_facts(trace, k)
        wire = None if at.sender == NO_NODE else (at.sender, at.slot)
        assert (at.kind, at.receiver, wire, at.sweep) == (
            step.kind,
            step.node,
            step.wire,
            step.sweep,
        )
        if step.wire is not None:
            assert all(map(same, numbers(at), numbers(step)))
            assert at.first == (step.node not in arrived)
            assert at.adds != replaces(graph, step.wire, mistake)
            arrived.add(step.node)
        else:
            assert same(at.after, step.after)
            assert same(at.before, step.before)


def test_a_computed_node_has_its_inputs_and_its_value():
    for graph in GRAPHS.values():
        values, trace = Run(graph).values, run_forward(graph)
        for k in range(1, len(trace) + 1):
            at = step_facts(trace, k)
            inputs = [values[s] for s in graph.inputs(at.receiver) if s is not None]
            assert all(map(same, (*at.inputs, at.value), (*inputs, values[at.receiver])))
