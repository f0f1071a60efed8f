"""Rows of the gradient check: backward and numerical gradients, for panel and command line.

`engine.check` decides as precisely as it can whether a gradient is wrong. A row may say so only if
the chosen method and h prove it as well; otherwise its verdict is "can't tell".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Final, Literal

from msgspec import Struct

from engine.asking.nudge import STEP, Method, Remark, quotient, remark
from engine.check import Check, checks
from engine.graph import Constant, Graph, Root
from engine.numbers import counted, full
from engine.rules import CORRECT, Rules
from engine.trace import Trace, run

CheckMethod = Literal["forward", "central", "exact"]
"""How the numerical gradient is computed; exact is the engine's own check."""

CHECK_METHODS: Final[tuple[CheckMethod, ...]] = ("forward", "central", "exact")
QUOTIENT_FORMULAS: Final[dict[Method, str]] = {
    "forward": "({root}({leaf}+h) − {root}({leaf})) ÷ h",
    "central": "({root}({leaf}+h) − {root}({leaf}−h)) ÷ 2h",
}
"""The difference quotient of a method, for the head of the table."""
Verdict = Literal["agrees", "differs", "can't tell"]
Doubt = Literal["", "not finite", "kink", "rounding", "h too small", "h too large"]

_NOTHING_TO_CHECK: Final = "No path leads to the root, so there is no gradient to check."


class CheckRow(Struct, frozen=True):
    """The gradients of one node; `backward` is None where no path leads to the root.

    `name` is for code and the command line, `title` and `short_name` are for people. `numerical`
    was computed by the method asked for. `doubt` is the reason for "can't tell", else "".
    """

    node: int
    name: str
    title: str
    short_name: str
    backward: float | None
    numerical: float
    verdict: Verdict
    reason: str
    doubt: Doubt = ""
    by_h: bool = False
    """Whether the doubt is due to this h alone."""

    @property
    def difference(self) -> float:
        """Return the absolute difference of the two gradients; nan for equal infinities."""
        return abs(self.numerical - (self.backward or 0.0))


def rows(
    graph: Graph,
    root: int | None = None,
    rules: Rules = CORRECT,
    *,
    method: CheckMethod = "exact",
    h: float = STEP,
    nodes: Collection[int] | None = None,
) -> Iterator[CheckRow]:
    """Yield a row for each leaf, or for each of the given nodes, in the order of ids.

    Raises EngineError for an h that is 0 or no number, and for a graph without a pass.
    """
    trace = run(graph, root, rules)
    for found in checks(trace, nodes):
        yield _row(trace, found, method, h)


def checkable_nodes(graph: Graph) -> list[int]:
    """Return the nodes with a gradient to check: leaves and operations."""
    return [n for n, found in graph.nodes.items() if not isinstance(found, Constant | Root)]


def summary(found: Sequence[CheckRow]) -> str:
    """Return one or two sentences that count the gradients by verdict."""
    rows = [row for row in found if row.backward is not None]
    count = Counter(row.verdict for row in rows)
    wrong, right, rest = count["differs"], count["agrees"], count["can't tell"]
    sentences = list[str]()
    if found and not rows:
        sentences.append(_NOTHING_TO_CHECK)
    if wrong:
        sentences.append(counted(wrong, "1 gradient is wrong.", "{count:,} gradients are wrong."))
    elif right == len(rows) and right:
        sentences.append(
            counted(right, "The gradient is right.", "All {count:,} gradients are right.")
        )
    elif right:
        sentences.append(counted(right, "1 gradient is right.", "{count:,} gradients are right."))
    if rest == len(rows) and rest:
        one, many = "1 gradient: can't tell.", "{count:,} gradients: can't tell."
        sentences.append(counted(rest, one, many))
    elif rest:
        sentences.append(f"For {rest:,} the check can't tell.")
    return " ".join(sentences)


def overall_verdict(found: Sequence[CheckRow]) -> Verdict | None:
    """Return the worst verdict of the rows; None without a gradient."""
    verdicts = {row.verdict for row in found if row.backward is not None}
    worst_first: tuple[Verdict, ...] = ("differs", "can't tell", "agrees")
    return next((verdict for verdict in worst_first if verdict in verdicts), None)


def _row(trace: Trace, found: Check, method: CheckMethod, h: float) -> CheckRow:
    node, graph, quotient_remark = found.node, trace.graph, Remark()
    common = node, found.name, graph.title(node), graph.short_name(node), found.analytic
    number, reason = found.numerical, found.reason
    if method != "exact" and found.analytic is not None:
        estimate = quotient(trace, found.node, h, method)
        slope = found.numerical if found.verdict == "differs" else None
        number, quotient_remark = (
            estimate.value,
            remark(trace, found.node, estimate, found.analytic, slope),
        )
        if slope is not None:
            reason = f"The slope is {full(slope)}. {reason}"
    if found.verdict not in ("agrees", "differs"):  # no method can tell
        return CheckRow(*common, number, "can't tell", reason, found.verdict)
    if quotient_remark.doubt:
        return CheckRow(
            *common,
            number,
            "can't tell",
            quotient_remark.sentence,
            quotient_remark.doubt,
            by_h=True,
        )
    if found.verdict == "agrees":
        reason = quotient_remark.sentence or reason
    return CheckRow(*common, number, found.verdict, reason)
