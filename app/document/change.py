"""Change: the difference between two sheets, as every view is told it."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from app.document.sheet import Group, Sheet
from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root

OrderChange = Literal["", "wiring", "root", "operation", "to constant", "to leaf"]
"""Why the order of a pass may differ: "to constant" turns a leaf into a constant."""


class Change(Struct, frozen=True):
    """The difference between two sheets.

    `updated` nodes have another value, label, operation or input; `moved` ones only another
    position. `root` says that another Root is active, `lesson` that the exercise or the
    steps differ.
    """

    added: frozenset[int] = frozenset()
    removed: frozenset[int] = frozenset()
    updated: frozenset[int] = frozenset()
    moved: frozenset[int] = frozenset()
    order_change: OrderChange = ""
    root: bool = False
    boxes: bool = False
    """Whether groups differ."""
    lesson: bool = False
    whole: bool = False
    """Whether every view must be rebuilt: the sheet is of another document, or after a fault."""
    opened: bool = False
    """Whether the history begins anew, with an opened document."""
    new_graph: bool = False
    """Whether the graph is another object, even if an equal one."""
    inside: bool = False
    """Whether another group, or none, is entered."""
    file: bool = False
    """Whether the path or the modified mark differs."""
    steps: bool = False
    """Whether other steps are done or can be redone."""

    @property
    def graph(self) -> bool:
        """Return whether the graph differs at all, positions aside."""
        return bool(
            self.added or self.removed or self.updated or self.root or self.whole or self.new_graph
        )

    @property
    def wiring(self) -> bool:
        """Return whether the order of a pass may differ, so that the playback must restart."""
        return self.whole or bool(self.order_change)

    def of(self, changes: Collection[Change]) -> Change:
        """Return this difference of two sheets with what else the `changes` between them say."""
        names = ("whole", "opened", "new_graph", "inside", "file", "steps")
        return replace(self, **{name: any(getattr(c, name) for c in changes) for name in names})


NO_CHANGE = Change()


def difference(before: Sheet, after: Sheet) -> Change:
    old, new = before.graph.nodes, after.graph.nodes
    added = frozenset(new.keys() - old.keys()) if old is not new else frozenset[int]()
    removed = frozenset(old.keys() - new.keys()) if old is not new else frozenset[int]()
    updated = frozenset(
        n
        for n, node in new.items()
        if node is not old.get(n, node) and not are_identical(node, old[n])
    )
    moved = frozenset(
        n
        for n, position in after.positions.items()
        if before.positions.get(n, position) != position
    )
    root = before.graph.active_root != after.graph.active_root
    return Change(
        added,
        removed,
        updated,
        moved,
        _order_change(before.graph, after.graph, added, removed, updated),
        root,
        boxes=before.groups != after.groups,
        lesson=before.task != after.task or before.lesson != after.lesson,
        new_graph=before.graph is not after.graph,
    )


def same_sheet(a: Sheet, b: Sheet) -> bool:
    """Return whether two sheets are equal to the last bit: nan equals nan, −0 differs from 0."""
    if a is b or a != b:  # graphs compare nan as equal to nan, but −0 as equal to 0
        return a is b
    nodes = b.graph.nodes
    return all(are_identical(node, nodes[n]) for n, node in a.graph.nodes.items())


def same_work(a: Sheet, b: Sheet | None) -> bool:
    """Return whether two sheets differ at most in which groups are collapsed, and where these lie.

    Opening a group is no edit; moving one moves its members, too, so that the sheets differ.
    """
    if b is None or a.groups.keys() != b.groups.keys():
        return False
    if a.groups != b.groups and all(
        _opened_at_origin(group) == _opened_at_origin(b.groups[n]) for n, group in a.groups.items()
    ):
        b = replace(b, groups=a.groups)
    return same_sheet(a, b)


def _opened_at_origin(group: Group) -> Group:
    return replace(group, collapsed=False, position=(0.0, 0.0))


def are_identical(a: Node, b: Node) -> bool:
    """Return whether two nodes are equal to the last bit: 0 is not −0, but nan is nan."""
    if not isinstance(a, Leaf | Constant) or not isinstance(b, Leaf | Constant):
        return a == b
    same_value = a.value == b.value or (math.isnan(a.value) and math.isnan(b.value))
    same_sign = a.value != 0 or math.copysign(1.0, a.value) == math.copysign(1.0, b.value)
    return same_value and same_sign and type(a) is type(b) and a.label == b.label


def _order_change(
    before: Graph,
    after: Graph,
    added: Collection[int],
    removed: Collection[int],
    updated: Collection[int],
) -> OrderChange:
    """Return why the order of a pass may differ; "" if it is the same."""
    pairs = [(before.nodes[n], after.nodes[n]) for n in updated]
    rewired = [before.nodes[n] for n in removed] + [after.nodes[n] for n in added]
    rewired += [new for old, new in pairs if old.inputs != new.inputs]
    if not all(isinstance(node, Root) for node in rewired):
        return "wiring"
    if rewired or before.active_root != after.active_root:
        return "root"
    for old, new in pairs:
        if type(old) is not type(new):
            return "to constant" if isinstance(new, Constant) else "to leaf"
        if isinstance(old, OpNode) and isinstance(new, OpNode) and old.op != new.op:
            return "operation"
    return ""
