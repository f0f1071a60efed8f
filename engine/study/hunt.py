"""The hunt for a hidden mistake: which mistakes agree with the steps of the pass seen so far.

>>> from engine import from_expression
>>> from engine.trace import run
>>> from engine.rules import BY_NAME
>>> trace = run(from_expression("y = a*b + a", {"a": 2, "b": 3}), rules=BY_NAME["assign"])
>>> [len(candidates(trace, seen)) for seen in (0, 1, 3, 5)]
[11, 10, 8, 1]
"""

import random
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress

import msgspec

from engine.errors import EngineError
from engine.graph import Graph
from engine.rules import MISTAKES, UNKNOWN, Rules
from engine.schedule import Schedule
from engine.study.diagnose import visible_mistakes
from engine.study.question import MOST_STEPS, near
from engine.trace import Event, Trace, run


def huntable(graph: Graph) -> tuple[Rules, ...]:
    """Return the mistakes that change the gradients of a graph, in a pass short enough to step."""
    return visible_mistakes(graph, MOST_STEPS)


def draw_mistake(graph: Graph, seed: int, among: Collection[Rules] = MISTAKES) -> Rules | None:
    """Draw a mistake `among` these that changes this graph's gradients; None if none does."""
    mistakes = [rules for rules in huntable(graph) if rules in among]
    return random.Random(seed).choice(mistakes) if mistakes else None


def candidates(trace: Trace, seen: int) -> tuple[Rules, ...]:
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


def all_passes(graph: Graph, root: int) -> Trace:
    """Return a trace of the correct pass and of those under all mistakes, to reserve space for.

    It depends on the graph alone, so that the space does not reveal which mistake is on.
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
