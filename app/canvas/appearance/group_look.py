"""What a collapsed group shows: its title, its slots, and a line of numbers per output."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from app.canvas.appearance.look import Figure, NodeState
from app.canvas.appearance.looks import Looks
from app.canvas.appearance.visible_nodes import Folded
from app.document.node_sizes import group_height
from app.document.sheet import Point
from app.style import sizes
from app.style.strokes import elided, pen, put, rounded, width
from app.style.theme import Theme, faded
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
    """One output: its name, value and gradient."""

    name: str
    value: Figure
    grad: Figure | None
    value_known: bool
    grad_known: bool


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
        return self.y + sizes.NODE_HEADER + sizes.NODE_PADDING + sizes.NODE_ROW * (place + 0.5)

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
    look = looks.node(node)
    return OutputLine(
        looks.graph.title(node),
        look.value,
        look.grad,
        look.value_known,
        look.grad_known,
    )


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


def group_box(title: str, folded: Folded, texts: tuple[float, float], place: Point) -> GroupBox:
    """Compute a group's size; `texts` are its widest name and the widest number it may show."""
    name, number = texts
    wide = max(160.0, 24 + min(name, 90.0) + 2 * max(number, 34.0) + 60)
    header = 10 + SYMBOL_ROOM + min(width(title or UNTITLED, "label"), TITLE_ROOM)
    wide = max(wide, header + width(f"{len(folded.members)} nodes", "caption") + 30)
    high = group_height(max(len(folded.slots), len(folded.outputs)))
    return GroupBox(*place, 160.0 + sizes.stepped(wide - 160.0), high)


def paint_group(painter: QPainter, look: GroupLook, wide: float, high: float, theme: Theme) -> None:
    """Paint a collapsed group at the origin, as a stack of sheets."""
    body = rounded(QRectF(0, 0, wide, high), sizes.RADIUS_CARD, sizes.RADIUS_CARD)
    for shift in (6.0, 3.0):
        under = body.translated(shift, shift)
        painter.fillPath(under, theme.quiet)
        painter.strokePath(under, pen(theme.outline, 1.0))
    glow = {"forward": theme.value, "firing": theme.gradient, "receiving": theme.gradient}
    if look.state in glow:
        painter.strokePath(body, pen(faded(glow[look.state], 0.24), 2 * sizes.GLOW + 2))
    painter.fillPath(body, theme.node)
    band = QRectF(0, 0, wide, high).adjusted(0, 0, 0, sizes.NODE_HEADER - high)
    painter.save()
    painter.setClipRect(band)
    painter.fillPath(body, theme.header_op)
    painter.restore()
    color = glow.get(look.state, theme.outline)
    painter.strokePath(
        body, pen(color, sizes.OUTLINE_FIRING if look.state in glow else sizes.OUTLINE)
    )
    _head(painter, look, wide, theme)
    box = GroupBox(0, 0, wide, high)
    for place in range(look.slots):
        painter.setBrush(theme.node)
        painter.setPen(pen(theme.secondary, 1.6))
        painter.drawEllipse(box.slot(place), sizes.SLOT / 2, sizes.SLOT / 2)
    for place, line in enumerate(look.lines):
        _paint_line(painter, line, box, place, theme)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _head(painter: QPainter, look: GroupLook, wide: float, theme: Theme) -> None:
    middle = sizes.NODE_HEADER / 2
    button = rounded(QRectF(6, 4, 20, 20), sizes.RADIUS_SYMBOL, sizes.RADIUS_SYMBOL)
    painter.fillPath(button, theme.node)
    painter.strokePath(button, pen(theme.outline, 1.0))
    painter.setPen(pen(theme.text, 1.6))
    painter.drawLine(QPointF(11, middle), QPointF(21, middle))
    painter.drawLine(QPointF(16, middle - 5), QPointF(16, middle + 5))
    caption = f"{look.count} nodes"
    put(painter, caption, "caption", theme.secondary, (wide - 12, middle), "right")
    room = wide - 34 - width(caption, "caption") - 20
    put(painter, elided(look.title, "label", room), "label", theme.text, (34, middle))


def _paint_line(
    painter: QPainter, line: OutputLine, box: GroupBox, place: int, theme: Theme
) -> None:
    y = box.row(place)
    right = box.w - 14
    if line.grad is not None:
        ink = {"grad": theme.gradient, "bad": theme.error}.get(line.grad.kind, theme.secondary)
        right -= put(painter, line.grad.text, "number", ink, (right, y), "right") + 8
        right -= put(painter, "·", "number", theme.secondary, (right, y), "right") + 8
    ink = {"value": theme.value, "bad": theme.error}.get(line.value.kind, theme.secondary)
    right -= put(painter, line.value.text, "number", ink, (right, y), "right") + 12
    name = elided(line.name, "caption strong", 90.0)
    put(painter, name, "caption strong", theme.secondary, (right, y), "right")
    capsule = QRectF(box.w - 5, y - 9, 10, 18)
    path = rounded(capsule, 5, 5)
    painter.fillPath(path, theme.node)
    painter.save()
    painter.setClipPath(path)
    if line.value_known:
        painter.fillRect(capsule.adjusted(0, 0, 0, -9), theme.value)
    if line.grad_known:
        painter.fillRect(capsule.adjusted(0, 9, 0, 0), theme.gradient)
    painter.restore()
    painter.strokePath(path, pen(theme.secondary, 1.5))
