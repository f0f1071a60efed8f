"""Change: what differs between two sheets, so that views touch only that."""

from dataclasses import dataclass

from app.document.sheet import Sheet, same_node
from engine.graph import Graph, Node, OpNode, inputs_of


@dataclass(frozen=True, slots=True)
class Change:
    """The difference between two sheets.

    `updated` nodes have another value, label, operation or input; `moved` ones only stand
    elsewhere. `wiring` says that the order of a pass may differ, so its position is void;
    `anew` that it is another graph object, were it equal to the one before. `inside` says that
    another group is looked into, or none, and `file` that the path or the modified mark differ.
    """

    added: frozenset[int] = frozenset()
    removed: frozenset[int] = frozenset()
    updated: frozenset[int] = frozenset()
    moved: frozenset[int] = frozenset()
    wiring: bool = False
    root: bool = False
    boxes: bool = False
    whole: bool = False
    anew: bool = False
    inside: bool = False
    file: bool = False

    @property
    def graph(self) -> bool:
        """Whether the graph differs at all, places apart."""
        return bool(
            self.added or self.removed or self.updated or self.root or self.whole or self.anew
        )


NO_CHANGE = Change()


def difference(before: Sheet, after: Sheet) -> Change:
    """What differs between two sheets."""
    old, new = before.graph.nodes, after.graph.nodes
    added = frozenset(new.keys() - old.keys()) if old is not new else frozenset[int]()
    removed = frozenset(old.keys() - new.keys()) if old is not new else frozenset[int]()
    updated = frozenset(
        n
        for n, found in new.items()
        if found is not old.get(n, found) and not same_node(found, old[n])
    )
    moved = frozenset(
        n for n, place in after.positions.items() if before.positions.get(n, place) != place
    )
    root = before.graph.active_root != after.graph.active_root
    return Change(
        added,
        removed,
        updated,
        moved,
        wiring=bool(added or removed)
        or any(_rewired(old[n], new[n]) for n in updated)
        or _root_of(before.graph) != _root_of(after.graph),
        root=root,
        boxes=before.sections != after.sections or before.groups != after.groups,
        anew=before.graph is not after.graph,
    )


def _root_of(graph: Graph) -> tuple[int | None, int | None]:
    return graph.active_root, graph.root


def _rewired(old: Node, new: Node) -> bool:
    if type(old) is not type(new) or inputs_of(old) != inputs_of(new):
        return True
    return isinstance(old, OpNode) and isinstance(new, OpNode) and old.op != new.op
