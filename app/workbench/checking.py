"""Rows of the gradient check: backward beside numerical, as the panel and the command line show.

The verdict is always the one of `engine.check`, which measures as well as it can be measured; the
number shown is computed by the method that is asked for. So a quotient over a large h may be far
from the gradient, and the gradient is still right.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from typing import Final, Literal

from msgspec import Struct

from engine.check import Check, Verdict, checks
from engine.graph import Constant, Graph, Root
from engine.numbers import counted, full
from engine.rules import CORRECT, Rules
from engine.study.nudge import STEP, Method, quotient, remark
from engine.trace import Trace, run

Way = Literal["forward", "central", "exact"]
"""How the numerical gradient is computed; exact is the engine's own check."""

WAYS: Final[tuple[Way, ...]] = ("forward", "central", "exact")
QUOTIENTS: Final[dict[Method, str]] = {
    "forward": "({root}({leaf}+h) − {root}({leaf})) ÷ h",
    "central": "({root}({leaf}+h) − {root}({leaf}−h)) ÷ 2h",
}


class Row(Struct, frozen=True):
    """The gradients of one node; `backward` is None where no path leads to the root.

    `name` is for code and the command line, `title` and, as one word, `called` for people.
    `numerical` was computed by the method asked for; `verdict` is that of the best method.
    """

    node: int
    name: str
    title: str
    called: str
    backward: float | None
    numerical: float
    verdict: Verdict
    reason: str

    @property
    def apart(self) -> float:
        """Return how far the two gradients are apart; nan where they have no distance."""
        return abs(self.numerical - (self.backward or 0.0))


def rows(
    graph: Graph,
    root: int | None = None,
    rules: Rules = CORRECT,
    *,
    way: Way = "exact",
    h: float = STEP,
    nodes: Collection[int] | None = None,
) -> Iterator[Row]:
    """Yield a row for each leaf, or for each of the given nodes, in the order of ids.

    Raises EngineError for an h that is 0 or no number, and for a graph without a pass.
    """
    trace = run(graph, root, rules)
    for found in checks(trace, nodes):
        yield _row(trace, found, way, h)


def moveable(graph: Graph) -> list[int]:
    """Return all nodes with a gradient to check: leaves and operations."""
    return [n for n, found in graph.nodes.items() if not isinstance(found, Constant | Root)]


def summary(found: Sequence[Row]) -> str:
    """Say in one sentence how many gradients are right, wrong, or can't be compared."""
    wrong = sum(row.verdict == "differs" for row in found)
    right = sum(row.verdict == "agrees" for row in found)
    rest = len(found) - wrong - right
    if wrong:
        said = counted(wrong, "1 gradient is wrong.", "{count:,} gradients are wrong.")
    elif right:
        said = counted(right, "The gradient is right.", "All {count:,} gradients are right.")
        if rest:
            said = counted(right, "1 gradient is right.", "{count:,} gradients are right.")
    else:
        said = ""
    if rest:
        also = counted(rest, "1 can't be compared.", "{count:,} can't be compared.")
        said = f"{said} {also}".strip()
    return said


def all_agree(found: Sequence[Row]) -> bool:
    """Return whether there is something to compare, and everything agrees."""
    return bool(found) and all(row.verdict == "agrees" for row in found)


def _row(trace: Trace, found: Check, way: Way, h: float) -> Row:
    if way == "exact" or found.analytic is None:
        number, reason = found.numerical, found.reason
    else:
        made = quotient(trace, found.node, h, way)
        remarked = remark(trace, found.node, made, found.analytic)
        number, reason = made.value, _reason(found, remarked)
    node, graph = found.node, trace.graph
    names = found.name, graph.title(node), graph.called(node)
    return Row(node, *names, found.analytic, number, found.verdict, reason)


def _reason(found: Check, remarked: str) -> str:
    """Return why a quotient and a gradient differ, or why neither can be trusted."""
    if found.verdict == "agrees":
        return remarked or found.reason
    if found.verdict == "differs" and math.isfinite(found.numerical):
        return f"The slope is {full(found.numerical)}. {found.reason}"
    return found.reason
