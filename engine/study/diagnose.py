"""Diagnosis: finds the mistake that explains the gradients a learner got."""

import math
from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from engine.errors import EngineError
from engine.frame import frame_at
from engine.graph import Graph
from engine.problems import Problem, slope_spelled, spoken
from engine.rules import CORRECT, MISTAKES, Rules
from engine.study.question import near
from engine.trace import Trace, run

RELATIVE = 1e-6
"""Relative tolerance of a gradient, since learners round."""
ABSOLUTE = 1e-12
"""Absolute tolerance of a gradient of about 0, of which there is no share."""

Gradients = Mapping[int, float]


class Suspects(Struct, frozen=True):
    """Which rules would give the gradients that came out.

    `mistakes` give all of them; `correct` says that the correct pass does. Then `accidents` are the
    mistakes that agree with it in every gradient of this graph, and `mistakes` is (). `telling` is
    a node whose gradient would tell some of the mistakes apart, or None if no gradient can.
    """

    mistakes: tuple[Rules, ...] = ()
    correct: bool = False
    accidents: tuple[Rules, ...] = ()
    telling: int | None = None


def suspects(
    graph: Graph, gradients: Mapping[int, float | None], rounded: Mapping[int, float] | None = None
) -> Suspects:
    """Return what would give these gradients, by node; None is one that was never computed.

    `rounded` says by how much some of them may be off, because they were rounded.
    """
    if not gradients:
        return Suspects()
    right, slack = _correct_gradients(graph), rounded or {}
    ends = {rules: final_gradients(graph, rules) for rules in MISTAKES}

    def gives(end: Gradients) -> bool:
        return all(agrees(end.get(n), x, slack.get(n, 0.0)) for n, x in gradients.items())

    if gives(right):
        alike = (rules for rules in MISTAKES if _same_ends(ends[rules], right))
        return Suspects(correct=True, accidents=tuple(alike))
    found = {rules: end for rules in MISTAKES if (end := ends[rules]) is not None and gives(end)}
    return Suspects(tuple(found), telling=_node_that_tells(graph, list(found.values()), gradients))


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
    return list(suspects(graph, wanted).mistakes)


def visible_mistakes(graph: Graph) -> tuple[Rules, ...]:
    """Return the mistakes that give some node another gradient than the correct pass."""
    right = _correct_gradients(graph)
    ends = ((rules, final_gradients(graph, rules)) for rules in MISTAKES)
    return tuple(rules for rules, end in ends if end is not None and not _same_ends(end, right))


def look_alikes(graph: Graph, rules: Rules) -> tuple[Rules, ...]:
    """Return the other mistakes that give every node of this graph the same gradient."""
    mine = final_gradients(graph, rules)
    others = (other for other in MISTAKES if other is not rules)
    return tuple(
        r for r in others if mine is not None and _same_ends(final_gradients(graph, r), mine)
    )


class WrongCount(Struct, frozen=True):
    """How many of `known` final gradients a mistake makes `wrong`; None if it takes too long."""

    rules: Rules
    wrong: int | None
    known: int


def wrong_counts(graph: Graph) -> Iterator[WrongCount]:
    """Yield for each mistake how many gradients differ from those of the correct pass at its end.

    Raises EngineError for a graph without a pass.

    >>> from engine import from_expression
    >>> counts = wrong_counts(from_expression("y = a*b + a", {"a": 2, "b": 3}))
    >>> [(count.rules.name, count.wrong, count.known) for count in counts][:3]
    [('assign', 1, 4), ('recursive', 0, 4), ('depth-first', 0, 4)]
    """
    right = _correct_gradients(graph)
    sizes = run(graph).path_sums
    for rules in MISTAKES:
        end = final_gradients(graph, rules)
        yield WrongCount(
            rules,
            None if end is None else sum(not near(end[n], x, sizes[n]) for n, x in right.items()),
            len(right),
        )


def final_gradients(graph: Graph, rules: Rules) -> Gradients | None:
    """Return the gradients at the end of a pass, by node; None if it takes too many steps.

    Those of the graph that was asked for last are kept.
    """
    ends = next((ends for known, ends in _KEPT if known is graph), None)
    if ends is None:
        ends = dict[Rules, Gradients | None]()
        _KEPT[:] = [(graph, ends)]
    if rules not in ends:
        try:
            trace = run(graph, rules=rules)
        except EngineError:
            if rules is CORRECT:
                raise
            ends[rules] = None
        else:
            ends[rules] = frame_at(trace, len(trace)).grads
    return ends[rules]


_KEPT: list[tuple[Graph, dict[Rules, Gradients | None]]] = []


def _correct_gradients(graph: Graph) -> Gradients:
    found = final_gradients(graph, CORRECT)
    assert found is not None  # the correct pass has no limit
    return found


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


def agrees(found: float | None, gradient: float | None, rounded: float = 0.0) -> bool:
    """Return whether a gradient is the one that was got, which may be rounded by so much."""
    if found is None or gradient is None:
        return found is gradient
    if math.isnan(found) or math.isnan(gradient):
        return math.isnan(found) and math.isnan(gradient)
    return math.isclose(found, gradient, rel_tol=RELATIVE, abs_tol=max(ABSOLUTE, rounded))


def _same_ends(end: Gradients | None, other: Gradients) -> bool:
    if end is None:
        return False
    return all(agrees(end.get(node), other.get(node)) for node in {*end, *other})


def _node_that_tells(graph: Graph, ends: list[Gradients], given: Collection[int]) -> int | None:
    """Return a node in whose gradient some of these passes differ, or None."""
    for node in graph.nodes:
        if node not in given and any(
            not agrees(end.get(node), ends[0].get(node)) for end in ends[1:]
        ):
            return node
    return None
