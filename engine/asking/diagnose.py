"""Diagnosis: finds the mistake that explains the gradients a learner got, or the steps seen.

Each mistake is run to its end; it explains them if it gives the same numbers.

>>> from engine import from_expression
>>> graph = from_expression("y = a*b + a", {"a": 2, "b": 3})  # a gets 1, then 3 more
>>> [rules.name for rules in suspects(graph, {1: 3.0, 2: 2.0}).mistakes]
['assign']

With = the last writer wins, so the numbers depend on the order, of which there are many valid ones:

>>> product = from_expression("f = (a*b)*(a + b)", {"a": -2, "b": 3})  # 3: a*b, 4: a + b
>>> suspects(product, {1: -6.0, 2: -6.0}).other_order
(5, 3, 4)

In the hunt for a hidden mistake, `indistinguishable_mistakes` are those that agree with the steps
seen so far:

>>> from engine.rules import BY_NAME
>>> trace = run(from_expression("y = a*b + a", {"a": 2, "b": 3}), rules=BY_NAME["assign"])
>>> [len(indistinguishable_mistakes(trace, seen)) for seen in (0, 1, 3, 5)]
[11, 10, 8, 1]
"""

import math
import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress

import msgspec
from msgspec import Struct

from engine.asking.question import MOST_STEPS, near
from engine.errors import EngineError
from engine.graph import Graph, OpNode
from engine.rules import BY_NAME, CORRECT, MISTAKES, UNKNOWN, Rules
from engine.schedule import Schedule
from engine.trace import Event, Trace, resolve, run

RELATIVE = 1e-6
"""Relative tolerance of a gradient, since learners round."""
ABSOLUTE = 1e-12
"""Absolute tolerance of a gradient near 0, where a relative one means nothing."""

Gradients = Mapping[int, float]
"""The gradient of each node; a node without one is missing."""


class Suspects(Struct, frozen=True):
    """The rules that explain a learner's gradients.

    `mistakes` give all of these gradients. If the `correct` pass does, `mistakes` is (), and
    `indistinguishable` are the mistakes that agree with it in every gradient of this graph.
    `distinguishing_node` is a node in whose gradient some of `mistakes` differ, None if there is
    none. `other_order` is the valid firing order in which = gives these numbers, () if it is that
    of our pass or there is none. `orders_tried` is how many were tried if that were not all.
    """

    mistakes: tuple[Rules, ...] = ()
    correct: bool = False
    indistinguishable: tuple[Rules, ...] = ()
    distinguishing_node: int | None = None
    other_order: tuple[int, ...] = ()
    orders_tried: int | None = None


def suspects(
    graph: Graph, gradients: Mapping[int, float | None], rounded: Mapping[int, float] | None = None
) -> Suspects:
    """Return the rules that give these gradients, by node; None is one that was never computed.

    `rounded` holds the rounding error that some of them may have.
    """
    if not gradients:
        return Suspects()
    right, slack = _correct_gradients(graph), rounded or {}
    ends = {rules: final_gradients(graph, rules) for rules in MISTAKES}

    def gives(end: Gradients) -> bool:
        return all(agrees(end.get(n), x, slack.get(n, 0.0)) for n, x in gradients.items())

    if gives(right):
        unseen = (rules for rules in MISTAKES if _same_ends(ends[rules], right))
        return Suspects(correct=True, indistinguishable=tuple(unseen))
    found = {rules: end for rules in MISTAKES if (end := ends[rules]) is not None and gives(end)}
    other_order: tuple[int, ...] = ()
    orders_tried = None
    if _ASSIGN not in found:
        most = max(1, min(MOST_ORDERS, _MOST_FIRINGS // len(graph.nodes)))
        for count, (order, end) in enumerate(_ends_by_order(graph)):
            if count == most:
                orders_tried = most
                break
            if gives(end):
                other_order, found = order, {_ASSIGN: end, **found}
                break
    return Suspects(
        tuple(found),
        distinguishing_node=_distinguishing_node(graph, list(found.values()), gradients),
        other_order=other_order,
        orders_tried=orders_tried,
    )


MOST_ORDERS = 500
"""Valid firing orders of = that are tried; fewer in a large graph."""
_MOST_FIRINGS = 20_000
"""Firings of all orders that are tried: about a tenth of a second."""
_ASSIGN = BY_NAME["assign"]


def firing_orders(graph: Graph) -> Iterator[tuple[int, ...]]:
    """Yield each order of the operations in which a node fires after all those that use it."""
    import networkx

    plan = graph.plan(resolve(graph, None))
    ops = [n for n in plan.order if n in plan.with_gradient and isinstance(graph.nodes[n], OpNode)]
    part = graph.structure.wiring.subgraph(ops)
    return (tuple(reversed(order)) for order in networkx.all_topological_sorts(part))


def _ends_by_order(graph: Graph) -> Iterator[tuple[tuple[int, ...], Gradients]]:
    """Yield each valid firing order, with the gradients at the end of a pass with =."""
    trace = run(graph, rules=_ASSIGN)
    fired: dict[int, list[Event]] = {}
    for event in trace.events:
        fired.setdefault(event.sender, []).append(event)
    for order in firing_orders(graph):
        grads = dict.fromkeys(trace.gradients, 0.0) | {trace.root: _ASSIGN.seed}
        for node in order:
            grads |= {event.node: grads[node] * event.local for event in fired.get(node, ())}
        yield order, grads


def visible_mistakes(graph: Graph, most: int | None = None) -> tuple[Rules, ...]:
    """Return the mistakes that give some node another gradient, in at most this many steps."""
    return tuple(rules for rules in MISTAKES if is_visible(graph, rules, most))


def is_visible(graph: Graph, rules: Rules, most: int | None = None) -> bool:
    """Return whether a mistake gives some node another gradient, in at most this many steps."""
    end = final_gradients(graph, rules, most=most)
    return end is not None and not _same_ends(end, _correct_gradients(graph))


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


def final_gradients(
    about: Graph | Trace, rules: Rules = CORRECT, root: int | None = None, most: int | None = None
) -> Gradients | None:
    """Return the gradients at the end of a pass, by node; None if it takes too many steps.

    `most` is the limit of steps. Results for the latest graph or trace are cached. Raises
    EngineError for a graph without a pass.
    """
    graph = about.graph if isinstance(about, Trace) else about
    if not _LATEST or _LATEST[0][0] is not about:
        _LATEST[:] = [(about, {})]
    ends, key = _LATEST[0][1], (rules, root, most)
    if key not in ends:
        try:
            ends[key] = run(graph, root, rules, most).gradients
        except EngineError:
            if rules is CORRECT:
                raise
            ends[key] = None
    return ends[key]


_End = tuple[Rules, int | None, int | None]
_LATEST: list[tuple[Graph | Trace, dict[_End, Gradients | None]]] = []
"""The latest graph or trace with its gradients, or nothing yet."""


def _correct_gradients(graph: Graph) -> Gradients:
    found = final_gradients(graph, CORRECT)
    assert found is not None  # the correct pass has no limit
    return found


def agrees(found: float | None, gradient: float | None, rounded: float = 0.0) -> bool:
    """Return whether two gradients are equal up to RELATIVE, or up to the rounding error."""
    if found is None or gradient is None:
        return found is gradient
    if math.isnan(found) or math.isnan(gradient):
        return math.isnan(found) and math.isnan(gradient)
    return math.isclose(found, gradient, rel_tol=RELATIVE, abs_tol=max(ABSOLUTE, rounded))


def _same_ends(end: Gradients | None, other: Gradients) -> bool:
    if end is None:
        return False
    return all(agrees(end.get(node), other.get(node)) for node in {*end, *other})


def _distinguishing_node(graph: Graph, ends: list[Gradients], given: Collection[int]) -> int | None:
    """Return a node in whose gradient some of these passes differ, or None."""
    for node in graph.nodes:
        if node not in given and any(
            not agrees(end.get(node), ends[0].get(node)) for end in ends[1:]
        ):
            return node
    return None


# The hunt


def huntable_mistakes(graph: Graph) -> tuple[Rules, ...]:
    """Return the mistakes that change the gradients of a graph, in a pass short enough to step."""
    return visible_mistakes(graph, MOST_STEPS)


def draw_mistake(graph: Graph, seed: int, among: Collection[Rules] = MISTAKES) -> Rules | None:
    """Draw a mistake `among` these that changes this graph's gradients; None if none does."""
    mistakes = [rules for rules in huntable_mistakes(graph) if rules in among]
    return random.Random(seed).choice(mistakes) if mistakes else None


def indistinguishable_mistakes(trace: Trace, seen: int) -> tuple[Rules, ...]:
    """Return the mistakes under which the first `seen` steps would be the same."""
    return tuple(rules for rules in MISTAKES if first_difference(trace, rules, seen) is None)


def first_difference(trace: Trace, rules: Rules, seen: int) -> int | None:
    """Return the first of the steps seen, from 1, that differs under `rules`; None if none does.

    Where one pass ends before the other, the next step differs.
    """
    other = _events(trace.graph, trace.root, rules)
    for k, (mine, its) in enumerate(zip(trace.events[:seen], other, strict=False), 1):
        if not same_step(mine, its, trace.path_sums.get(mine.node, 0.0)):
            return k
    if len(other) < seen or (seen >= len(trace) and len(other) > seen):
        return min(len(other), seen) + 1
    return None


def same_step(event: Event, other: Event, scale: float = 0.0) -> bool:
    """Return whether two steps show the same numbers on the same wire, within `scale`."""
    if (event.kind, event.node, event.sender, event.slot) != (
        other.kind,
        other.node,
        other.sender,
        other.slot,
    ):
        return False
    pairs = (
        (event.upstream, other.upstream),
        (event.local, other.local),
        (event.contribution, other.contribution),
        (event.after, other.after),
    )
    return all(near(x, y, scale) for x, y in pairs)


def trace_of_all_rules(graph: Graph, root: int) -> Trace:
    """Return one trace with the steps of the correct pass and of those under all mistakes.

    A hunt reserves space for its numbers. As it depends on the graph alone, the space does not
    reveal which mistake is on.
    """
    passes = [run(graph, root), *_short_passes(graph, root)]
    # sweeps of its own for each pass, so that no two passes share one: a mistake has up to 2
    events = [
        msgspec.structs.replace(event, sweep=2 * k + event.sweep)
        for k, one in enumerate(passes)
        for event in one.events
    ]
    firings = tuple(firing for one in passes for firing in one.schedule.firings)
    return Trace(
        graph,
        root,
        "backward",
        UNKNOWN,
        passes[0].values,
        tuple(events),
        schedule=Schedule("backward", firings),
    )


def _short_passes(graph: Graph, root: int) -> Iterator[Trace]:
    """Yield the passes under those mistakes that take at most MOST_STEPS steps."""
    for rules in MISTAKES:
        with suppress(EngineError):
            yield run(graph, root, rules, MOST_STEPS)


def _events(graph: Graph, root: int, rules: Rules) -> Sequence[Event]:
    """Return the steps under a mistake; none if they are too many."""
    try:
        return run(graph, root, rules).events
    except EngineError:
        return ()
