"""Groups: which nodes are drawn, and the looks of collapsed groups.

Groups affect only the drawing. A collapsed group has one slot per node that feeds it and one output
per member that feeds a node outside; the wires themselves do not change.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field
from PySide6.QtCore import QPointF, QRectF

from app.canvas.appearance.face import body_look, face
from app.canvas.appearance.look import Figure, NodeState
from app.canvas.appearance.looks import Looks
from app.document.grouping import all_members
from app.document.node_sizes import group_height, row_middle
from app.document.sheet import Group, Point, Sheet
from app.style import sizes
from app.style.strokes import width
from engine.graph import Graph, Wire
from engine.numbers import counted
from engine.trace import Computed, Event


class CollapsedGroup(Struct, frozen=True):
    """A collapsed group as drawn: its members, slots and outputs.

    A slot takes all wires from one source, which are drawn as one.
    """

    members: frozenset[int]
    slots: tuple[tuple[Wire, ...], ...]
    outputs: tuple[int, ...]

    def place(self, wire: Wire) -> int | None:
        """Return the index of the slot that takes a wire, or None for a wire inside the group."""
        return next((k for k, wires in enumerate(self.slots) if wire in wires), None)


class VisibleNodes(Struct, frozen=True):
    """The drawn nodes and groups of a whole sheet, or of the group that is `inside`.

    `home` maps each hidden node to the collapsed group that contains it.
    """

    shown: frozenset[int]
    collapsed: Mapping[int, CollapsedGroup] = field(default_factory=dict[int, CollapsedGroup])
    opened: Mapping[int, frozenset[int]] = field(default_factory=dict[int, frozenset[int]])
    home: Mapping[int, int] = field(default_factory=dict[int, int])
    inside: int | None = None

    @property
    def grouped(self) -> bool:
        """Return whether any group affects the drawing."""
        return bool(self.collapsed or self.opened) or self.inside is not None

    def is_drawn_like(self, other: VisibleNodes) -> bool:
        """Return whether the same groups are drawn in place of the same nodes."""
        same = self.collapsed == other.collapsed and self.home == other.home
        return self is other or (same and self.inside == other.inside)

    def drawn_as_one(self, wire: Wire) -> tuple[Wire, ...]:
        """Return the wires into a collapsed group that are drawn as one with this, itself too."""
        group = self.home.get(wire[0])
        place = None if group is None else self.collapsed[group].place(wire)
        return (wire,) if group is None or place is None else self.collapsed[group].slots[place]

    def drawn(self, node: int) -> bool:
        """Return whether a node is visible, by itself or as part of a collapsed group."""
        return node in self.shown or node in self.home


def visible_nodes(
    sheet: Sheet, inside: int | None = None, every_group_opened: bool = False
) -> VisibleNodes:
    """Return the drawn nodes and groups of a sheet, or of the inside of one of its groups.

    With `every_group_opened` collapsed groups are drawn as if they had been opened in place.
    """
    groups = sheet.groups
    if not groups:
        return VisibleNodes(frozenset(sheet.graph.nodes))
    every = all_members(groups)
    nodes = frozenset(sheet.graph.nodes) if inside is None else every[inside]
    home: dict[int, int] = {}
    opened: dict[int, frozenset[int]] = {}
    collapsed: dict[int, frozenset[int]] = {}
    for number in groups:
        if number == inside or not _below(groups, number, inside):
            continue
        outer = None if every_group_opened else _outermost_collapsed(groups, number, inside)
        if outer is None:
            opened[number] = every[number]
        elif outer == number:
            collapsed[number] = every[number]
            home.update(dict.fromkeys(every[number], number))
    shown = frozenset(n for n in nodes if n not in home)
    order = {node: place for place, node in enumerate(sheet.graph.structure.whole_order)}
    closed = {
        number: _collapsed_group(sheet.graph, members, sorted(members, key=order.__getitem__))
        for number, members in collapsed.items()
    }
    return VisibleNodes(shown, closed, opened, home, inside)


def _below(groups: Mapping[int, Group], number: int, inside: int | None) -> bool:
    """Return whether a group is nested in `inside`; always true if `inside` is None."""
    at: int | None = number
    while at is not None and at != inside:
        at = groups[at].parent
    return at == inside


def _outermost_collapsed(
    groups: Mapping[int, Group], number: int, inside: int | None
) -> int | None:
    found: int | None = None
    at: int | None = number
    while at is not None and at != inside:
        if groups[at].collapsed:
            found = at
        at = groups[at].parent
    return found


def _collapsed_group(graph: Graph, members: frozenset[int], in_order: list[int]) -> CollapsedGroup:
    by_source: dict[int, list[Wire]] = {}
    for node in in_order:
        for slot, source in enumerate(graph.inputs(node)):
            if source is not None and source not in members:
                by_source.setdefault(source, []).append((node, slot))
    slots = tuple(tuple(wires) for wires in by_source.values())
    outputs = tuple(
        node
        for node in in_order
        if any(target not in members for target, _slot in graph.outgoing[node])
        or (not graph.outgoing[node] and graph.label(node) != "")
    )
    return CollapsedGroup(members, slots, outputs)


UNTITLED = "group"
TITLE_ROOM = 180.0
SYMBOL_ROOM = 28.0
READABLE, LARGEST = 0.75, 1.6
"""Zoom below which group titles grow, as captions are nine px tall there; the largest factor."""


def title_growth(scale: float) -> float:
    """Return the factor by which an opened group's title grows at this zoom, to stay readable."""
    return min(max(READABLE / scale, 1.0), LARGEST)


class OutputLine(Struct, frozen=True):
    """One output: its name, and the figures of its node, which may be known or not."""

    name: str
    figures: tuple[Figure, ...]
    known: tuple[bool, bool]


class GroupLook(Struct, frozen=True):
    """A collapsed group as drawn: title, number of nodes and slots, a line per output, state."""

    title: str
    count: int
    slots: int
    lines: tuple[OutputLine, ...]
    state: NodeState


class GroupBox(Struct, frozen=True):
    """Position and size of a collapsed group, in sheet px."""

    x: float
    y: float
    w: float
    h: float

    @property
    def rect(self) -> QRectF:
        """Return its rectangle."""
        return QRectF(self.x, self.y, self.w, self.h)

    def row(self, place: int) -> float:
        """Return the y of the middle of a row."""
        return self.y + row_middle("group", place)

    def slot(self, place: int) -> QPointF:
        """Return the middle of a slot."""
        return QPointF(self.x, self.row(place))

    def output(self, place: int) -> QPointF:
        """Return the point where the wires of an output leave."""
        return QPointF(self.x + self.w + sizes.CAPSULE_WIDTH / 2, self.row(place))

    @property
    def opener(self) -> QRectF:
        """Return the rectangle of the button that opens the group in place."""
        return QRectF(self.x + 6, self.y + 4, 20, 20)


def group_look(looks: Looks, title: str, collapsed: CollapsedGroup) -> GroupLook:
    """Return the look of a collapsed group."""
    lines = tuple(_line(looks, node) for node in collapsed.outputs)
    return GroupLook(
        title or UNTITLED,
        len(collapsed.members),
        len(collapsed.slots),
        lines,
        _state(looks, collapsed),
    )


def _line(looks: Looks, node: int) -> OutputLine:
    body = body_look(looks, node)
    figures = tuple(cell.figure(looks, node) for cell in face(body.kind, 0))
    return OutputLine(looks.graph.title(node), figures, (body.value_known, body.grad_known))


def _state(looks: Looks, collapsed: CollapsedGroup) -> NodeState:
    step = looks.frame.current
    if isinstance(step, Computed):
        return "forward" if step.node in collapsed.members else "idle"
    if isinstance(step, Event):
        if step.target in collapsed.members:
            return "firing"
        if step.node in collapsed.members:
            return "receiving"
    return "idle"


def size_text(count: int) -> str:
    """Return the number of nodes of a group as its header says it."""
    return counted(count, "{count} node", "{count} nodes")


def group_box(
    title: str, collapsed: CollapsedGroup, texts: tuple[float, float], place: Point
) -> GroupBox:
    """Compute a group's size; `texts` are its widest name and the widest number it may show."""
    name, number = texts
    wide = max(160.0, 24 + min(name, 90.0) + 2 * max(number, 34.0) + 60)
    header = 10 + SYMBOL_ROOM + min(width(title or UNTITLED, "label"), TITLE_ROOM)
    wide = max(wide, header + width(size_text(len(collapsed.members)), "caption") + 30)
    high = group_height(max(len(collapsed.slots), len(collapsed.outputs)))
    return GroupBox(*place, 160.0 + sizes.stepped(wide - 160.0), high)
