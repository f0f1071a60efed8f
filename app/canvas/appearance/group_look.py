"""Groups: the visible nodes of a sheet, and the looks of collapsed groups.

Groups affect only the drawing. A collapsed group has one slot per node that feeds it and one output
per member that feeds a node outside; the wires themselves do not change.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF

from app.canvas.appearance.face import body_look, face
from app.canvas.appearance.looks import Looks, NodeState, NumberLook
from app.document.boxes import all_members
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
    """Per slot the wires that it takes."""
    outputs: tuple[int, ...]
    """The member that each output belongs to."""

    def slot_index(self, wire: Wire) -> int | None:
        """Return the index of the slot that takes a wire, or None for a wire inside the group."""
        return next((k for k, wires in enumerate(self.slots) if wire in wires), None)


class VisibleNodes(Struct, frozen=True):
    """The drawn nodes and groups of a whole sheet, or of the group that was entered."""

    shown: frozenset[int]
    """The nodes that are drawn themselves."""
    collapsed: Mapping[int, CollapsedGroup] = field(default_factory=dict[int, CollapsedGroup])
    """By number, the groups that are drawn in place of their members."""
    opened: Mapping[int, frozenset[int]] = field(default_factory=dict[int, frozenset[int]])
    """By number, the members of each group that is drawn as a frame around them."""
    group_of_hidden: Mapping[int, int] = field(default_factory=dict[int, int])
    """For each hidden node, the collapsed group that contains it."""
    inside: int | None = None
    """The group that was entered; None for the whole sheet."""
    opens: frozenset[int] = frozenset()
    """The collapsed groups that are opened for a question, for which the sheet has no space."""

    @property
    def has_groups(self) -> bool:
        """Return whether any group affects the drawing."""
        return bool(self.collapsed or self.opened) or self.inside is not None

    def is_drawn_like(self, other: VisibleNodes) -> bool:
        """Return whether the same groups are drawn in place of the same nodes."""
        same = self.collapsed == other.collapsed and self.group_of_hidden == other.group_of_hidden
        return self is other or (same and self.inside == other.inside)

    def merged_wires(self, wire: Wire) -> tuple[Wire, ...]:
        """Return the wires from one source into one collapsed group, drawn as a single wire."""
        group = self.group_of_hidden.get(wire[0])
        slot = None if group is None else self.collapsed[group].slot_index(wire)
        return (wire,) if group is None or slot is None else self.collapsed[group].slots[slot]

    def is_drawn(self, node: int) -> bool:
        """Return whether a node is visible, by itself or as part of a collapsed group."""
        return node in self.shown or node in self.group_of_hidden


def visible_nodes(
    sheet: Sheet, inside: int | None = None, opens: frozenset[int] = frozenset()
) -> VisibleNodes:
    """Return the drawn nodes and groups of a sheet, or of the inside of one of its groups.

    The collapsed groups of `opens` are drawn opened.
    """
    groups = {
        n: replace(g, collapsed=g.collapsed and n not in opens) for n, g in sheet.groups.items()
    }
    if not groups:
        return VisibleNodes(frozenset(sheet.graph.nodes))
    every = all_members(sheet.groups)
    nodes = frozenset(sheet.graph.nodes) if inside is None else every[inside]
    group_of_hidden: dict[int, int] = {}
    opened: dict[int, frozenset[int]] = {}
    collapsed: dict[int, frozenset[int]] = {}
    for number in groups:
        if number == inside or not _is_nested(groups, number, inside):
            continue
        outer = _outermost_collapsed(groups, number, inside)
        if outer is None and every[number]:
            opened[number] = every[number]
        elif outer == number:
            collapsed[number] = every[number]
            group_of_hidden.update(dict.fromkeys(every[number], number))
    shown = frozenset(n for n in nodes if n not in group_of_hidden)
    order = {node: index for index, node in enumerate(sheet.graph.structure.topological_order)}
    collapsed_groups = {
        number: _collapsed_group(sheet.graph, members, sorted(members, key=order.__getitem__))
        for number, members in collapsed.items()
    }
    return VisibleNodes(shown, collapsed_groups, opened, group_of_hidden, inside, opens)


def _is_nested(groups: Mapping[int, Group], number: int, inside: int | None) -> bool:
    """Return whether a group is nested in `inside`; always true if `inside` is None."""
    at: int | None = number
    while at is not None and at != inside:
        at = groups[at].parent
    return at == inside


def _outermost_collapsed(
    groups: Mapping[int, Group], number: int, inside: int | None
) -> int | None:
    """Return the outermost collapsed group within `inside` that contains a group or is it."""
    found: int | None = None
    at: int | None = number
    while at is not None and at != inside:
        if groups[at].collapsed:
            found = at
        at = groups[at].parent
    return found


def _collapsed_group(graph: Graph, members: frozenset[int], in_order: list[int]) -> CollapsedGroup:
    """Return the slots and outputs of a group, from its members in topological order.

    A labelled member that feeds nothing is an output too: its label says that it is a result.
    """
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
MIN_GROUP_WIDTH = 160.0
"""Least width of a collapsed group, in sheet px."""
MAX_TITLE_WIDTH = 180.0
"""Width above which the title in a header is shortened, in sheet px."""
SYMBOL_WIDTH = 28.0
"""Space of the button that opens the group, in its header, in sheet px."""
MAX_OUTPUT_NAME_WIDTH = 90.0
"""Width above which the name of an output is shortened, in sheet px."""
GROW_TITLES_BELOW, MAX_TITLE_GROWTH = 0.75, 1.6
"""Zoom below which group titles grow, since captions are 9 px tall there; the largest factor."""


def title_growth(scale: float) -> float:
    """Return the factor by which an opened group's title grows at this zoom, to stay readable."""
    return min(max(GROW_TITLES_BELOW / scale, 1.0), MAX_TITLE_GROWTH)


class OutputLine(Struct, frozen=True):
    """One output of a collapsed group: its name, and the numbers of its node."""

    name: str
    numbers: tuple[NumberLook, ...]
    known: tuple[bool, bool]
    """Whether value and gradient are known."""


class GroupLook(Struct, frozen=True):
    """A collapsed group as drawn: title, number of nodes and slots, a line per output, state."""

    title: str
    count: int
    slots: int
    lines: tuple[OutputLine, ...]
    state: NodeState
    colour: int | None = None


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

    def row(self, index: int) -> float:
        """Return the y of the middle of a row."""
        return self.y + row_middle("group", index)

    def slot(self, index: int) -> QPointF:
        """Return the middle of a slot."""
        return QPointF(self.x, self.row(index))

    def output(self, index: int) -> QPointF:
        """Return the point where the wires of an output leave."""
        return QPointF(self.x + self.w + sizes.CAPSULE_WIDTH / 2, self.row(index))

    @property
    def opener(self) -> QRectF:
        """Return the rectangle of the button that opens the group in place."""
        return QRectF(self.x + 6, self.y + 4, 20, 20)


def group_look(looks: Looks, group: Group, collapsed: CollapsedGroup) -> GroupLook:
    """Return the look of a collapsed group."""
    lines = tuple(_output_line(looks, node) for node in collapsed.outputs)
    return GroupLook(
        group.title or UNTITLED,
        len(collapsed.members),
        len(collapsed.slots),
        lines,
        _state(looks, collapsed),
        group.colour,
    )


def _output_line(looks: Looks, node: int) -> OutputLine:
    body = body_look(looks, node)
    numbers = tuple(cell.number(looks, node) for cell in face(body.kind, 0))
    return OutputLine(looks.graph.title(node), numbers, (body.value_known, body.grad_known))


def _state(looks: Looks, collapsed: CollapsedGroup) -> NodeState:
    step = looks.frame.current
    if isinstance(step, Computed):
        return "forward" if step.node in collapsed.members else "idle"
    if isinstance(step, Event):
        if step.sender in collapsed.members:
            return "firing"
        if step.node in collapsed.members:
            return "receiving"
    return "idle"


def size_text(count: int) -> str:
    """Return the number of nodes of a group as its header says it."""
    return counted(count, "{count} node", "{count} nodes")


def group_box(
    title: str, collapsed: CollapsedGroup, text_widths: tuple[float, float], position: Point
) -> GroupBox:
    """Return a group's box for the widths of its widest name and its widest number."""
    name, number = text_widths
    # a line has paddings, the name of an output, and its value and gradient, equally wide
    line = 24 + min(name, MAX_OUTPUT_NAME_WIDTH) + 2 * max(number, 34.0) + 60
    # a header has the button, the title, and the number of nodes
    header = 10 + SYMBOL_WIDTH + min(width(title or UNTITLED, "label"), MAX_TITLE_WIDTH)
    header += width(size_text(len(collapsed.members)), "caption") + 30
    wide = max(MIN_GROUP_WIDTH, line, header)
    high = group_height(max(len(collapsed.slots), len(collapsed.outputs)))
    # groups have few different widths, as nodes have: so groups of like content look alike
    wide = MIN_GROUP_WIDTH + sizes.stepped(wide - MIN_GROUP_WIDTH)
    return GroupBox(*position, wide, high)
