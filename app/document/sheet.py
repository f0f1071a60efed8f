"""The sheet: a graph with positions, sections and groups; one immutable value."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct, field
from msgspec.structs import replace

from engine.errors import EditError
from engine.formats.native import COORDINATE_LIMIT, Drawing, GroupEntry, Point, SectionEntry
from engine.graph import Graph
from engine.study.task import Task

Rect = tuple[float, float, float, float]
"""x, y, width, height in px at 100 %."""
NO_RECTS: Mapping[int, Rect] = MappingProxyType({})


class Section(Struct, frozen=True):
    """A titled frame that moves along whatever lies in it."""

    title: str
    rect: Rect
    colour: int = 0


class Group(Struct, frozen=True):
    """A set of nodes that can be collapsed into one; not part of the engine's graph.

    It has its members as ids, for what lies in its frame may be others': the frame around a neuron
    of a network covers nodes of the next neuron, and opening and collapsing it must not take them.
    """

    title: str
    members: frozenset[int]
    collapsed: bool = False
    position: Point = (0.0, 0.0)
    parent: int | None = None


class Sheet(Struct, frozen=True):
    """Everything that a file holds; never changed in place."""

    graph: Graph = field(default_factory=Graph)
    positions: Mapping[int, Point] = field(default_factory=dict[int, Point])
    sections: Mapping[int, Section] = field(default_factory=dict[int, Section])
    groups: Mapping[int, Group] = field(default_factory=dict[int, Group])
    task: Task | None = None

    @property
    def keeps_wiring(self) -> bool:
        """Return whether its task locks the wiring."""
        return self.task is not None and self.task.locked

    def with_graph(self, graph: Graph, places: Mapping[int, Point] | None = None) -> "Sheet":
        """Return the sheet with another graph; positions of deleted nodes are dropped."""
        positions = {**self.positions, **places} if places else self.positions
        if len(positions) != len(graph.nodes):
            positions = {n: p for n, p in positions.items() if n in graph.nodes}
        return replace(self, graph=graph, positions=positions, groups=_kept(self.groups, graph))

    def drawing(self) -> Drawing:
        """Return the sheet in the form of a file."""
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
            self.task,
        )


class Home(Struct, eq=False):
    """Where the sheet of a document belongs: to a file, or under a title without one."""

    path: Path | None = None
    title: str = ""
    kept: Sheet | None = None
    """The sheet that can be had again: as opened, saved or typed; None if there is none."""
    saved: bool = False
    """Whether the window has written `kept` to the file."""
    practice: bool = False
    """Whether the sheet belongs to a lesson, so that nobody is asked to save it."""


def sheet_of(drawing: Drawing) -> Sheet:
    """Return the sheet of a file; nodes without a position have none here either."""
    sections = {s.id: Section(s.title, s.rect, s.colour) for s in drawing.sections}
    groups = {
        g.id: Group(g.title, frozenset(g.members), g.collapsed, g.position, g.parent)
        for g in drawing.groups
    }
    return Sheet(drawing.graph, dict(drawing.positions), sections, groups, drawing.task)


NOWHERE = "This place is outside the sheet."


def check_places(before: Sheet, after: Sheet) -> None:
    """Raise EditError for positions that no file could hold."""
    numbers: list[float] = []
    if after.positions != before.positions:
        known = before.positions
        numbers += [x for n, p in after.positions.items() if known.get(n) is not p for x in p]
    if after.sections != before.sections:
        numbers += [x for section in after.sections.values() for x in section.rect]
    if after.groups != before.groups:
        numbers += [x for group in after.groups.values() for x in group.position]
    if not all(abs(x) <= COORDINATE_LIMIT for x in numbers):  # also refuses nan
        raise EditError(NOWHERE)


def _kept(groups: Mapping[int, Group], graph: Graph) -> Mapping[int, Group]:
    """Return the groups without deleted nodes; groups that become empty are removed."""
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
    """Return the groups that contain neither nodes nor groups."""
    parents = {group.parent for group in groups.values()}
    return [n for n, group in groups.items() if not group.members and n not in parents]
