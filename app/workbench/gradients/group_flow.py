"""Rows of the page Why: the gradients through the border of a group, and the paths of a node."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct

from app.controls.rich_text import Span, Spans, filled
from app.document.grouping import all_members, members_of
from app.document.sheet import Group
from app.style.current import Notation
from app.workbench.gradients.chain_rule import summand
from app.workbench.gradients.formulas import bracketed, grad_name, gradient_text
from engine.frame import Frame
from engine.graph import Constant, Root, Wire
from engine.numbers import DIGITS_SHOWN, NOT_COMPUTED, Digits, counted, short, signed
from engine.problems import pass_obstacle
from engine.study.paths import COUNT_LIMIT, Path, count, paths
from engine.trace import run


class GroupFlow(Struct, frozen=True):
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
        name = grad_name(graph, node, _NAME_LIMIT)
        if grad is None:
            return name, (Span(NOT_COMPUTED, "secondary"),)
        return name, (Span(short(grad, digits), "gradient", bold=True),)

    def sent_to(self, source: int, digits: Digits = DIGITS_SHOWN) -> tuple[str, Spans]:
        """Return a row: the sum of contributions that the group sends to one of its inputs."""
        fired = self.frame.fired
        sent = [fired[w].contribution for w in self.inputs[source] if w in fired]
        name = f"to {self.frame.graph.brief(source, _NAME_LIMIT)}"
        if not sent:
            return name, (Span(NOT_COMPUTED, "secondary"),)
        head = signed(sent[0], digits)
        more = " ".join(summand(x, digits) for x in sent[1:])
        ellipsis = Span(" + ···" if len(sent) < len(self.inputs[source]) else "", "secondary")
        if not more:
            return name, (Span(head, "gradient", bold=True), ellipsis)
        if len(sent) > _SUMMAND_LIMIT:
            head, more = f"{len(sent)} contributions", ""
        total = Span(signed(sum(sent), digits), "gradient", bold=True)
        return name, (Span(f"{head} {more}".strip()), ellipsis, Span(" = "), total)


_SUMMAND_LIMIT = 3
"""Summands written out in one row; more are counted."""
_NAME_LIMIT = 16
"""Characters of a name in one row."""


def selected_group(groups: Mapping[int, Group], nodes: Collection[int]) -> int | None:
    """Return the outermost group whose members are exactly these nodes, or None."""
    selected = frozenset(nodes)
    found = [n for n, members in all_members(groups).items() if selected and members == selected]
    return next((n for n in found if groups[n].parent not in found), None)


def group_flow(frame: Frame, groups: Mapping[int, Group], group: int) -> GroupFlow:
    """Return the gradients that enter and leave a group, by the wires that carry one."""
    graph = frame.graph
    members = members_of(groups, group) & graph.nodes.keys()
    root = graph.root if frame.trace is None else frame.trace.root
    plan = None if root is None else graph.plan(root)
    inputs: dict[int, list[Wire]] = {}
    for target in sorted(members):
        for slot, source in enumerate(graph.inputs(target)):
            if source is None or source in members:
                continue
            if plan is not None and source in plan.with_gradient and target in plan.with_gradient:
                inputs.setdefault(source, []).append((target, slot))
    return GroupFlow(
        frame,
        groups[group].title,
        members,
        tuple(n for n in sorted(members) if n == root or _feeds_outside(frame, n, members)),
        {source: tuple(wires) for source, wires in inputs.items()},
    )


def _feeds_outside(frame: Frame, node: int, members: frozenset[int]) -> bool:
    return any(target not in members for target, _slot in frame.graph.outgoing[node])


_PATH_LIMIT = 100
"""Paths that are listed; their number grows exponentially with the depth of a graph."""
_FACTOR_LIMIT = 12
"""Factors written out in one row of the panel."""


class PathRow(Struct, frozen=True):
    """One path: its nodes, its factors, their product, and its wires, to be lit."""

    nodes: str
    factors: str
    result: str
    wires: tuple[Wire, ...]

    @property
    def product(self) -> str:
        """Return the factors and their product as one equation."""
        return self.factors if self.factors == self.result else f"{self.factors} = {self.result}"


class PathTable(Struct, frozen=True):
    """The paths of one node, and a remark on their number and sum."""

    rows: tuple[PathRow, ...]
    remark: Spans


def path_table(
    frame: Frame, node: int | None, digits: Digits = DIGITS_SHOWN, notation: Notation = "partial"
) -> PathTable:
    """Return the paths of a node to the active root; while a learner is asked, none."""
    graph = frame.graph
    if node is None or isinstance(graph.nodes[node], Root):
        return PathTable((), filled("Select a node to see its paths to the root."))
    if frame.hides == "step":
        return PathTable((), filled("The paths are shown after you have answered."))
    if pass_obstacle(graph) is not None or graph.root is None:
        return PathTable((), filled("The paths are shown once a backward pass can run."))
    name, root = graph.brief(node), graph.brief(graph.root)
    if node == graph.root:
        return PathTable((), filled("{root} is the root: its gradient is 1.", root=root))
    found = paths(graph, node, limit=_PATH_LIMIT)
    if not found:
        return PathTable((), filled("No path leads from {name} to {root}.", name=name, root=root))
    rows = tuple(_row(graph.brief(node), frame, path, digits) for path in found)
    return PathTable(rows, _remark(frame, node, found, digits, notation))


def _row(name: str, frame: Frame, path: Path, digits: Digits) -> PathRow:
    names = [name, *(frame.graph.brief(node) for node in path.nodes)]
    factors = [bracketed(short(slope, digits)) for slope in path.factors[:_FACTOR_LIMIT]]
    if len(path.factors) > _FACTOR_LIMIT:
        factors.append("…")
    return PathRow(" → ".join(names), " · ".join(factors), short(path.product, digits), path.wires)


def _remark(
    frame: Frame, node: int, found: list[Path], digits: Digits, notation: Notation
) -> Spans:
    graph = frame.graph
    assert graph.root is not None
    number, trace = count(graph, node), run(graph)
    wires = sum(event.kind == "contribution" for event in trace.events)
    total = sum(path.product for path in found)
    fields: dict[str, Span | str] = {
        "name": graph.brief(node),
        "root": graph.brief(graph.root),
        "gradient": Span(gradient_text(graph, graph.root, node, notation), "gradient"),
        "total": Span(short(total, digits), "gradient", bold=True),
        "wires": counted(wires, "{count} wire", "{count:,} wires"),
    }
    if number == 1:
        return filled(
            "One path leads from {name} to {root}: its product is {gradient} = {total}."
            " Backward visits {wires}, each once, for all nodes.",
            **fields,
        )
    if number <= len(found):
        return filled(
            "{count} paths lead from {name} to {root}; their products add up to"
            " {gradient} = {total}. Backward visits {wires}, each once, for all nodes.",
            count=f"{number:,}",
            **fields,
        )
    many = "More than 10³⁰" if number >= COUNT_LIMIT else f"{number:,}"
    return filled(
        "{many} paths lead from {name} to {root}; the first {listed} are listed. Backward visits"
        " {wires}, each once, and needs none of them.",
        many=many,
        listed=f"{len(found):,}",
        **fields,
    )
