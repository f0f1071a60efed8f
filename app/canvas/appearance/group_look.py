"""What a collapsed group shows: its title, its slots, and a line of numbers per output."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF

from app.canvas.appearance.face import body_look, face
from app.canvas.appearance.look import Figure, NodeState
from app.canvas.appearance.looks import Looks
from app.canvas.appearance.visible_nodes import Folded
from app.document.node_sizes import group_height, row_middle
from app.document.sheet import Point
from app.style import sizes
from app.style.strokes import width
from engine.numbers import counted
from engine.trace import Computed, Event

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
    """Everything that a collapsed group shows."""

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


def group_look(looks: Looks, title: str, folded: Folded) -> GroupLook:
    """Return what a collapsed group shows in a frame."""
    lines = tuple(_line(looks, node) for node in folded.outputs)
    return GroupLook(
        title or UNTITLED, len(folded.members), len(folded.slots), lines, _state(looks, folded)
    )


def _line(looks: Looks, node: int) -> OutputLine:
    body = body_look(looks, node)
    figures = tuple(cell.figure(looks, node) for cell in face(body.kind, 0))
    return OutputLine(looks.graph.title(node), figures, (body.value_known, body.grad_known))


def _state(looks: Looks, folded: Folded) -> NodeState:
    step = looks.frame.current
    if isinstance(step, Computed):
        return "forward" if step.node in folded.members else "idle"
    if isinstance(step, Event):
        if step.target in folded.members:
            return "firing"
        if step.node in folded.members:
            return "receiving"
    return "idle"


def size_text(count: int) -> str:
    """Return the number of nodes of a group as its header says it."""
    return counted(count, "{count} node", "{count} nodes")


def group_box(title: str, folded: Folded, texts: tuple[float, float], place: Point) -> GroupBox:
    """Compute a group's size; `texts` are its widest name and the widest number it may show."""
    name, number = texts
    wide = max(160.0, 24 + min(name, 90.0) + 2 * max(number, 34.0) + 60)
    header = 10 + SYMBOL_ROOM + min(width(title or UNTITLED, "label"), TITLE_ROOM)
    wide = max(wide, header + width(size_text(len(folded.members)), "caption") + 30)
    high = group_height(max(len(folded.slots), len(folded.outputs)))
    return GroupBox(*place, 160.0 + sizes.stepped(wide - 160.0), high)
