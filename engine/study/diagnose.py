"""Diagnosis: finds the mistake that explains the gradients a learner got."""

import math
from collections.abc import Mapping

from engine.errors import EngineError
from engine.frame import Frame, frame_at
from engine.graph import Graph
from engine.problems import Problem, slope_spelled, spoken
from engine.rules import CORRECT, MISTAKES, Rules
from engine.trace import Trace, run

RELATIVE = 1e-6
"""Relative tolerance of a gradient, since learners round."""
ABSOLUTE = 1e-12
"""Absolute tolerance of a gradient of about 0, of which there is no share."""


def diagnose(graph: Graph, gradients: Mapping[str, float | None]) -> list[Rules]:
    """Return the mistakes that produce these gradients by node name; [] if they are correct.

    None stands for a gradient that was never computed.

    >>> from engine import from_expression
    >>> [rules.name for rules in diagnose(from_expression("y = a + a"), {"a": 1})]
    ['assign']
    """
    wanted: dict[int, float | None] = {}
    for name, gradient in gradients.items():
        node = graph.node_named(name)
        if node is None:
            raise EngineError("There is no node called {name}.", name=name)
        wanted[node] = gradient
    if not wanted or _produces(graph, CORRECT, wanted):
        return []
    return [rules for rules in MISTAKES if _produces(graph, rules, wanted)]


def first_bad_step(trace: Trace) -> Problem | None:
    """Return the first wire whose contribution is infinite or nan, with the reason, or None."""
    for event in trace.events:
        if event.kind != "contribution" or math.isfinite(event.contribution):
            continue
        who = spoken(trace.graph, event.target)
        slope = slope_spelled(trace.graph, event.target, event.slot, trace.values)
        return Problem(_why_bad(who, slope, event.local), event.target, event.slot)
    return None


def _why_bad(who: str, slope: str, local: float) -> str:
    if math.isnan(local):
        return f"{who} sends the first bad gradient: its local derivative {slope} is not defined."
    if math.isinf(local):
        return f"{who} sends the first bad gradient: its local derivative {slope} is infinite."
    return (
        f"{who} sends the first bad gradient: "
        "upstream × local derivative is too large for a number."
    )


def _produces(graph: Graph, rules: Rules, wanted: Mapping[int, float | None]) -> bool:
    try:
        trace = run(graph, rules=rules)
    except EngineError:
        if rules is CORRECT:
            raise
        return False  # the pass would take too many steps
    frame = frame_at(trace, len(trace))
    return all(_agrees(frame, node, gradient) for node, gradient in wanted.items())


def _agrees(frame: Frame, node: int, gradient: float | None) -> bool:
    found = frame.grads.get(node)
    if found is None or gradient is None:
        return found is gradient
    if math.isnan(found) or math.isnan(gradient):
        return math.isnan(found) and math.isnan(gradient)
    return math.isclose(found, gradient, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
