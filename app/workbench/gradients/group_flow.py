"""Passing: the gradients that enter a group through its outputs, and those it passes on."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct

from app.controls.rich_text import Span, Spans
from app.document.grouping import all_members, members_of
from app.document.sheet import Group
from app.workbench.gradients.chain_rule import added
from app.workbench.gradients.formulas import grad_name
from engine.frame import Frame
from engine.graph import Constant, Wire
from engine.numbers import DIGITS_SHOWN, NOT_COMPUTED, Digits, short, signed


class Passing(Struct, frozen=True):
    """A group in a frame: `outputs` feed nodes outside, `inputs` are outside nodes that feed it."""

    frame: Frame
    title: str
    members: frozenset[int]
    outputs: tuple[int, ...]
    inputs: Mapping[int, tuple[Wire, ...]]

    @property
    def inner(self) -> tuple[int, ...]:
        """Return the members that feed only members, without those that have no gradient."""
        nodes = self.frame.graph.nodes
        hidden = self.members.difference(self.outputs)
        return tuple(n for n in sorted(hidden) if not isinstance(nodes[n], Constant))

    def gradient(self, node: int, digits: Digits = DIGITS_SHOWN) -> tuple[str, Spans]:
        """Return a row: the gradient of a node, as far as it is known."""
        graph, grad = self.frame.graph, self.frame.grads.get(node)
        name = grad_name(graph, node, _LONGEST_NAME)
        if grad is None:
            return name, (Span(NOT_COMPUTED, "secondary"),)
        return name, (Span(short(grad, digits), "gradient", bold=True),)

    def passed(self, source: int, digits: Digits = DIGITS_SHOWN) -> tuple[str, Spans]:
        """Return a row: what the group sends to one of its inputs, summed over the wires to it."""
        fired = self.frame.fired
        sent = [fired[w].contribution for w in self.inputs[source] if w in fired]
        name = f"to {self.frame.graph.brief(source, _LONGEST_NAME)}"
        if not sent:
            return name, (Span(NOT_COMPUTED, "secondary"),)
        head = signed(sent[0], digits)
        more = " ".join(added(x, digits) for x in sent[1:])
        waiting = Span(" + ···" if len(sent) < len(self.inputs[source]) else "", "secondary")
        if not more:
            return name, (Span(head, "gradient", bold=True), waiting)
        if len(sent) > _MOST_SUMMANDS:
            head, more = f"{len(sent)} contributions", ""
        total = Span(signed(sum(sent), digits), "gradient", bold=True)
        return name, (Span(f"{head} {more}".strip()), waiting, Span(" = "), total)


_MOST_SUMMANDS = 3
_LONGEST_NAME = 16
"""Characters of a name in a row."""


def group_chosen(groups: Mapping[int, Group], nodes: Collection[int]) -> int | None:
    """Return the outermost group whose members are exactly these nodes, or None."""
    chosen = frozenset(nodes)
    found = [n for n, members in all_members(groups).items() if chosen and members == chosen]
    return next((n for n in found if groups[n].parent not in found), None)


def passing(frame: Frame, groups: Mapping[int, Group], group: int) -> Passing:
    """Return what passes through a group; only wires that carry a gradient count."""
    graph = frame.graph
    members = members_of(groups, group) & graph.nodes.keys()
    root = graph.root if frame.trace is None else frame.trace.root
    plan = None if root is None else graph.plan(root)
    inputs: dict[int, list[Wire]] = {}
    for target in sorted(members):
        for slot, source in enumerate(graph.inputs(target)):
            if source is None or source in members:
                continue
            if plan is not None and source in plan.wants and target in plan.wants:
                inputs.setdefault(source, []).append((target, slot))
    return Passing(
        frame,
        groups[group].title,
        members,
        tuple(n for n in sorted(members) if n == root or _read_outside(frame, n, members)),
        {source: tuple(wires) for source, wires in inputs.items()},
    )


def _read_outside(frame: Frame, node: int, members: frozenset[int]) -> bool:
    return any(target not in members for target, _slot in frame.graph.outgoing[node])
