"""The sheet: a graph, where its nodes stand, its sections and its groups; one immutable value."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from engine.errors import EditError
from engine.formats.native import COORDINATE_LIMIT, Drawing, GroupEntry, SectionEntry
from engine.graph import Constant, Graph, Leaf, Node

Point = tuple[float, float]
"""A place on the sheet in pixels at 100 %: the top left corner of what stands there."""

Rect = tuple[float, float, float, float]
"""x, y, width, height in pixels at 100 %."""


@dataclass(frozen=True, slots=True)
class Section:
    """A titled box that moves what lies in it."""

    title: str
    rect: Rect
    colour: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """A set of nodes that can be shown as one; a way of looking that the engine never sees."""

    title: str
    members: frozenset[int]
    collapsed: bool = False
    position: Point = (0.0, 0.0)
    parent: int | None = None


@dataclass(frozen=True)
class Sheet:
    """Everything that a file holds; never changed in place."""

    graph: Graph = field(default_factory=Graph)
    positions: Mapping[int, Point] = field(default_factory=dict[int, Point])
    sections: Mapping[int, Section] = field(default_factory=dict[int, Section])
    groups: Mapping[int, Group] = field(default_factory=dict[int, Group])

    def with_graph(self, graph: Graph, places: Mapping[int, Point] | None = None) -> "Sheet":
        """The sheet with another graph; places of nodes that are gone are dropped."""
        positions = {**self.positions, **places} if places else self.positions
        if len(positions) != len(graph.nodes):
            positions = {n: p for n, p in positions.items() if n in graph.nodes}
        return replace(self, graph=graph, positions=positions, groups=_kept(self.groups, graph))

    def drawing(self) -> Drawing:
        """The sheet as files hold it."""
        return Drawing(
            self.graph,
            self.positions,
            tuple(
                SectionEntry(number, section.title, section.rect, section.colour)
                for number, section in sorted(self.sections.items())
            ),
            tuple(
                GroupEntry(
                    number,
                    group.title,
                    sorted(group.members),
                    group.collapsed,
                    group.position,
                    group.parent,
                )
                for number, group in sorted(self.groups.items())
            ),
        )


def sheet_of(drawing: Drawing) -> Sheet:
    """The sheet in a file; nodes without a place have none here either."""
    sections = {s.id: Section(s.title, s.rect, s.colour) for s in drawing.sections}
    groups = {
        g.id: Group(g.title, frozenset(g.members), g.collapsed, g.position, g.parent)
        for g in drawing.groups
    }
    return Sheet(drawing.graph, dict(drawing.positions), sections, groups)


def same_sheet(a: Sheet, b: Sheet) -> bool:
    """Whether two sheets hold the same to the last bit: nan is nan, and −0 is not 0."""
    if a is b or a != b:
        return a is b
    nodes = b.graph.nodes
    return all(same_node(found, nodes[n]) for n, found in a.graph.nodes.items())


def same_node(a: Node, b: Node) -> bool:
    """Whether two nodes are the same to the last bit."""
    if not isinstance(a, Leaf | Constant) or not isinstance(b, Leaf | Constant):
        return a == b
    alike = (a.value == b.value) or (math.isnan(a.value) and math.isnan(b.value))
    signs = a.value != 0 or math.copysign(1.0, a.value) == math.copysign(1.0, b.value)
    return alike and signs and type(a) is type(b) and a.label == b.label


NOWHERE = "This place is outside the sheet."


def check_places(before: Sheet, after: Sheet) -> None:
    """Refuse what has come to stand where no file could hold it."""
    numbers: list[float] = []
    if after.positions != before.positions:
        known = before.positions
        numbers += [x for n, p in after.positions.items() if known.get(n) is not p for x in p]
    if after.sections != before.sections:
        numbers += [x for section in after.sections.values() for x in section.rect]
    if after.groups != before.groups:
        numbers += [x for group in after.groups.values() for x in group.position]
    if not all(abs(x) <= COORDINATE_LIMIT for x in numbers):  # nan neither
        raise EditError(NOWHERE)


def _kept(groups: Mapping[int, Group], graph: Graph) -> Mapping[int, Group]:
    """The groups without the nodes that are gone; a group left empty goes as well."""
    if all(group.members <= graph.nodes.keys() for group in groups.values()):
        return groups
    kept = {
        number: replace(group, members=frozenset(n for n in group.members if n in graph.nodes))
        for number, group in groups.items()
    }
    while empty := _empty(kept):
        for number in empty:
            del kept[number]
    return kept


def _empty(groups: Mapping[int, Group]) -> list[int]:
    """The groups in which nothing lies, neither nodes nor groups."""
    parents = {group.parent for group in groups.values()}
    return [n for n, group in groups.items() if not group.members and n not in parents]
