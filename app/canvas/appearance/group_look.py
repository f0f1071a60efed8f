"""Looks of folded groups."""

from __future__ import annotations

from msgspec import Struct

from app.canvas.appearance.face import body_look, face
from app.canvas.appearance.items import Item
from app.canvas.appearance.looks import Looks, NodeState, NumberLook
from app.document.sheet import Group
from engine.numbers import counted
from engine.trace import Computed, Event

UNTITLED = "group"
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


def group_look(looks: Looks, group: Group, item: Item) -> GroupLook:
    """Return the look of a folded group."""
    lines = tuple(_output_line(looks, node) for node in item.outputs)
    return GroupLook(
        group.title or UNTITLED,
        len(item.members),
        len(item.slots),
        lines,
        _state(looks, item),
        group.colour,
    )


def _output_line(looks: Looks, node: int) -> OutputLine:
    body = body_look(looks, node)
    numbers = tuple(cell.number(looks, node) for cell in face(body.kind, 0))
    return OutputLine(looks.graph.title(node), numbers, (body.value_known, body.grad_known))


def _state(looks: Looks, item: Item) -> NodeState:
    step = looks.frame.current
    if isinstance(step, Computed):
        return "forward" if step.node in item.members else "idle"
    if isinstance(step, Event):
        if step.sender in item.members:
            return "firing"
        if step.node in item.members:
            return "receiving"
    return "idle"


def size_text(count: int) -> str:
    """Return the number of nodes of a group as its header says it."""
    return counted(count, "{count} node", "{count} nodes")
