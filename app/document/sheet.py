"""The sheet: a graph with positions and groups; one immutable value."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from engine.asking.question import Task
from engine.errors import EditError
from engine.formats.native import COORDINATE_LIMIT, Drawing, GroupEntry, Point, Rect
from engine.graph import Graph, OpNode
from engine.rules import CORRECT, Recorded, Rules

LARGE: Final = 250
"""Nodes above which a sheet is large: nobody follows single wires and numbers on it. Its wires are
drawn as if alone, its numbers have fixed widths, nothing glides, and what takes long waits until it
is asked for."""
NO_RECTS: Mapping[int, Rect] = MappingProxyType({})


def is_large(graph: Graph) -> bool:
    return len(graph.nodes) > LARGE


class Group(Struct, frozen=True):
    """A titled box: open, it frames and moves its content; collapsed, it is one node.

    Members are ids, not the nodes inside its frame: the frame around a neuron of a network covers
    nodes of the next neuron, which opening and collapsing must not affect. Those of groups inside
    it are not among them. `position` is where it is shown while `collapsed`, `parent` the group
    that contains it, `colour` an index into `app.document.boxes.COLOURS`.

    One with a `rect` was drawn by hand. While open it holds what lies in that rectangle, so that a
    node is put into it by dragging; collapsing it makes that its members.
    """

    title: str
    members: frozenset[int] = frozenset[int]()
    collapsed: bool = False
    position: Point = (0.0, 0.0)
    parent: int | None = None
    rect: Rect | None = None
    colour: int | None = None

    @property
    def drawn(self) -> Rect | None:
        """Return the rectangle of an open drawn group; None of a collapsed or a nested one, and of
        one with members by id."""
        hidden = self.collapsed or self.members or self.parent is not None
        return None if hidden else self.rect


class Sheet(Struct, frozen=True):
    """Everything that a file holds; never changed in place.

    `positions` are the upper left corners of the nodes; groups have numbers of their own.
    """

    graph: Graph = field(default_factory=Graph)
    positions: Mapping[int, Point] = field(default_factory=dict[int, Point])
    groups: Mapping[int, Group] = field(default_factory=dict[int, Group])
    task: Task | None = None
    lesson: str = ""
    """The steps of a lesson on the graph, as TOML without [graph]."""
    recorded: Recorded | None = None
    """The pass of the program that the graph came from, until the wiring is edited."""

    @property
    def wiring_locked(self) -> bool:
        """Return whether the task of its exercise locks the wiring."""
        return self.task is not None and self.task.locked

    @property
    def next_box(self) -> int:
        """Return the number of the next group."""
        return max(self.groups, default=0) + 1

    @property
    def drawn(self) -> dict[int, Rect]:
        """Return the rectangle of each group that is drawn and open."""
        found = ((number, group.drawn) for number, group in self.groups.items())
        return {number: rect for number, rect in found if rect is not None}

    def with_graph(self, graph: Graph, places: Mapping[int, Point] | None = None) -> "Sheet":
        """Return the sheet with another graph; positions of deleted nodes are dropped."""
        positions = {**self.positions, **places} if places else self.positions
        if len(positions) != len(graph.nodes):
            positions = {n: p for n, p in positions.items() if n in graph.nodes}
        groups = _without_deleted(self.groups, graph)
        recorded = self.recorded if _same_wiring(self.graph, graph) else None
        return replace(self, graph=graph, positions=positions, groups=groups, recorded=recorded)

    def drawing(self) -> Drawing:
        """Return the sheet as the file format holds it."""
        return Drawing(
            self.graph,
            self.positions,
            tuple(
                GroupEntry(
                    number,
                    group.title,
                    sorted(group.members),
                    group.collapsed,
                    group.position,
                    group.parent,
                    group.rect,
                    group.colour,
                )
                for number, group in sorted(self.groups.items())
            ),
            self.task,
            self.lesson,
            self.recorded,
        )


class Home(Struct, eq=False):
    """The origin of a document's sheet, and what of the document is no part of a file."""

    path: Path | None = None
    title: str = ""
    safe_sheet: Sheet | None = None
    """The sheet that needs no saving: as last opened, saved or typed; None if there is none."""
    saved: bool = False
    """Whether the window has written `safe_sheet` to the file."""
    practice: bool = False
    """Whether the sheet belongs to a lesson, which never asks to save it."""
    rules: Rules = CORRECT
    """The rules of its backward pass: the mistake that is on."""
    stops: frozenset[int] = frozenset()
    """Its nodes with a breakpoint."""


def sheet_of(drawing: Drawing) -> Sheet:
    """Return the sheet of a file; nodes without a position stay without one."""
    groups = {
        g.id: Group(
            *(g.title, frozenset(g.members), g.collapsed, g.position), g.parent, g.rect, g.colour
        )
        for g in drawing.groups
    }
    return Sheet(
        *(drawing.graph, dict(drawing.positions), groups, drawing.task),
        drawing.lesson,
        drawing.recorded,
    )


OUTSIDE_SHEET = "This place is outside the sheet."


def check_coordinates(before: Sheet, after: Sheet) -> None:
    """Raise EditError for changed coordinates beyond the limit of the file format, and for nan."""
    coordinates: list[float] = []
    if after.positions != before.positions:
        old = before.positions
        coordinates += [x for n, p in after.positions.items() if old.get(n) is not p for x in p]
    if after.groups != before.groups:
        boxes = after.groups.values()
        coordinates += [x for group in boxes for x in (*group.position, *(group.rect or ()))]
    if not all(abs(x) <= COORDINATE_LIMIT for x in coordinates):  # also refuses nan
        raise EditError(OUTSIDE_SHEET)


def _same_wiring(one: Graph, other: Graph) -> bool:
    """Return whether two graphs have the same operations, wired alike, and the same root."""
    if one.structure is not other.structure:
        if one.nodes.keys() != other.nodes.keys():
            return False
        for node, found in one.nodes.items():
            twin = other.nodes[node]
            if type(found) is not type(twin) or found.inputs != twin.inputs:
                return False
            if isinstance(found, OpNode) and isinstance(twin, OpNode) and found.op != twin.op:
                return False
    return one.active_root == other.active_root


def _without_deleted(groups: Mapping[int, Group], graph: Graph) -> Mapping[int, Group]:
    """Return the groups without deleted nodes; groups that become empty are removed.

    A drawn group may be empty; those in a collapsed one go with the last of its members.
    """
    if all(group.members <= graph.nodes.keys() for group in groups.values()):
        return groups
    kept = {
        number: replace(group, members=frozenset(n for n in group.members if n in graph.nodes))
        for number, group in groups.items()
    }
    held, todo = set[int](), [n for n, group in kept.items() if group.members or group.drawn]
    while todo:  # a group may hold nothing but groups
        held.add(number := todo.pop())
        parent = kept[number].parent
        todo += [] if parent is None or parent in held else [parent]
    return {
        n: group for n, group in kept.items() if n in held or (group.rect and group.parent in held)
    }
