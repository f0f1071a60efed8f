"""Items: what is drawn of a sheet, each node by itself or in a folded group.

Groups affect only the drawing. A folded group has one slot per node that feeds it and one output
per member that feeds a node outside; the wires themselves do not change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct, field

from app.document.boxes import all_members, path_to
from app.document.sheet import Sheet
from engine.graph import Graph, Root, Wire


class GroupKey(NamedTuple):
    """The key of a folded group among items; a node's is its id."""

    group: int


ItemKey = int | GroupKey


def painting_order(key: ItemKey) -> tuple[int, int]:
    """Sort items as they are painted: groups lie above nodes."""
    return (1, key.group) if isinstance(key, GroupKey) else (0, key)


class Item(Struct, frozen=True):
    """A node or a folded group as drawn."""

    key: ItemKey
    members: frozenset[int]
    """The nodes in a group; of a node itself."""
    slots: tuple[tuple[Wire, ...], ...]
    """Per slot the wires that it takes: in a group all from one source, which are drawn as one."""
    outputs: tuple[int, ...]
    """The member that each output belongs to."""


class DrawnWire(NamedTuple):
    """One line on the sheet: the wires that it stands for, and the slot at which they end."""

    wires: tuple[Wire, ...]
    target: ItemKey
    slot: int


class Drawn(Struct, frozen=True):
    """The items and frames of a whole sheet, or of the group that was entered."""

    shown: frozenset[int]
    """The nodes that are drawn themselves."""
    folded: Mapping[GroupKey, Item] = field(default_factory=dict[GroupKey, Item])
    """The groups that are drawn in place of their members."""
    opened: Mapping[int, frozenset[int]] = field(default_factory=dict[int, frozenset[int]])
    """By number, the members of each group that is drawn as a frame around them."""
    home: Mapping[int, GroupKey] = field(default_factory=dict[int, GroupKey])
    """For each node that is not drawn itself, the folded group that contains it."""
    into_groups: Mapping[Wire, DrawnWire] = field(default_factory=dict[Wire, DrawnWire])
    """The wires that end at a folded group."""
    inside: int | None = None
    """The group that was entered; None for the whole sheet."""
    opens: frozenset[int] = frozenset()
    """The folded groups that are opened for a question, for which the sheet has no space."""

    @property
    def has_groups(self) -> bool:
        """Return whether any group affects the drawing."""
        return bool(self.folded or self.opened) or self.inside is not None

    def is_drawn_like(self, other: Drawn) -> bool:
        """Return whether the same groups are drawn in place of the same nodes."""
        return self is other or (self.folded == other.folded and self.inside == other.inside)

    def key_of(self, node: int) -> ItemKey:
        """Return the item that shows a node."""
        return self.home.get(node, node)

    def item(self, key: ItemKey, graph: Graph) -> Item:
        """Return a folded group or a node as it is drawn."""
        if isinstance(key, GroupKey):
            return self.folded[key]
        slots = tuple(((key, slot),) for slot in range(len(graph.inputs(key))))
        outputs = () if isinstance(graph.nodes[key], Root) else (key,)
        return Item(key, frozenset((key,)), slots, outputs)

    def wire(self, wire: Wire) -> DrawnWire:
        """Return the line that shows a wire."""
        return self.into_groups.get(wire) or DrawnWire((wire,), *wire)

    def is_drawn(self, node: int) -> bool:
        """Return whether a node is visible, by itself or as part of a folded group."""
        return node in self.shown or node in self.home


def drawn(sheet: Sheet, inside: int | None = None, opens: frozenset[int] = frozenset()) -> Drawn:
    """Return what is drawn of a sheet, or of the inside of one of its groups.

    The folded groups of `opens` are drawn opened.
    """
    if not sheet.groups:
        return Drawn(frozenset(sheet.graph.nodes))
    every = all_members(sheet.groups)
    opened: dict[int, frozenset[int]] = {}
    folded: dict[GroupKey, Item] = {}
    order = {node: index for index, node in enumerate(sheet.graph.structure.topological_order)}
    for number, members in every.items():
        path = path_to(sheet.groups, number)
        if inside in path:
            path = path[path.index(inside) + 1 :]
        elif inside is not None:
            continue
        outer = next((n for n in path if sheet.groups[n].collapsed and n not in opens), None)
        if path and outer is None and members:
            opened[number] = members
        elif outer == number:
            item = _group(sheet.graph, number, sorted(members, key=order.__getitem__))
            folded[GroupKey(number)] = item
    home = {node: key for key, item in folded.items() for node in item.members}
    into_groups = {
        wire: DrawnWire(wires, key, slot)
        for key, item in folded.items()
        for slot, wires in enumerate(item.slots)
        for wire in wires
    }
    nodes = sheet.graph.nodes.keys() if inside is None else every[inside]
    return Drawn(frozenset(nodes - home.keys()), folded, opened, home, into_groups, inside, opens)


def _group(graph: Graph, number: int, members: list[int]) -> Item:
    """Return a folded group, from its members in topological order.

    A labelled member that feeds nothing is an output too: its label says that it is a result.
    """
    inside, by_source = frozenset(members), dict[int, list[Wire]]()
    for node in members:
        for slot, source in enumerate(graph.inputs(node)):
            if source is not None and source not in inside:
                by_source.setdefault(source, []).append((node, slot))
    outputs = tuple(
        node
        for node in members
        if any(target not in inside for target, _slot in graph.outgoing[node])
        or (not graph.outgoing[node] and graph.label(node) != "")
    )
    return Item(GroupKey(number), inside, tuple(map(tuple, by_source.values())), outputs)
