"""Paints nodes when zoomed out: fewer texts, each readable, down to bare outlines."""

from __future__ import annotations

from typing import Literal, NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from app.canvas.appearance.look import NodeLook, Tone
from app.canvas.layout.node_box import Box
from app.canvas.paint.nodes import outline
from app.style import sizes
from app.style.strokes import baseline_drop, canvas_font, measured, pen, width
from app.style.theme import Theme

EDGE = 3.0
"""Width of the edge of a node with a state, in sheet px."""
INSET = 6
"""Distance of texts from the sides of a node, in sheet px."""
TEXT = 12
"""Size of texts on the screen, in px, when zoomed out."""


def tone_color(tone: Tone, theme: Theme) -> QColor:
    """Return the colour of a node's state when zoomed out."""
    return {
        "bad": theme.error,
        "value": theme.value,
        "grad": theme.gradient,
        "root": theme.root,
        "idle": theme.wire,
    }[tone]


class FarBody(NamedTuple):
    """What a node looks like without its texts when zoomed out."""

    kind: str
    edge: Literal["outline", "value", "gradient", "error"]


def far_body(look: NodeLook) -> FarBody:
    """Return the body of a node: its outline tells the kind, its edge the state."""
    if look.bad or not all(look.plugged):
        return FarBody(look.kind, "error")
    if look.state == "forward":
        return FarBody(look.kind, "value")
    if look.state in ("firing", "receiving"):
        return FarBody(look.kind, "gradient")
    return FarBody(look.kind, "error" if look.flag else "outline")


def paint_far_body(
    painter: QPainter, body: FarBody, wide: float, high: float, theme: Theme
) -> None:
    """Paint a body at the origin."""
    path = outline(body.kind, wide, high)
    fills = {"leaf": theme.header_leaf, "root": theme.header_root}
    painter.fillPath(path, fills.get(body.kind, theme.header_op))
    edges = {"value": theme.value, "gradient": theme.gradient, "error": theme.error}
    thick = 1.5 if body.edge == "outline" else EDGE
    painter.strokePath(path, pen(edges.get(body.edge, theme.outline), thick))


def paint_far_texts(
    painter: QPainter, look: NodeLook, box: Box, theme: Theme, scale: float, numbers: bool
) -> None:
    """Paint the name with the two numbers below it, or one text alone, over a body.

    The painter is at the corner of the node and counts px of the screen, so that the texts have
    the same size at every scale.
    """
    if look.kind == "pill":
        _paint_in_middle(painter, look.value.text, "number", theme.value, box, scale)
    elif numbers:
        _paint_name_and_numbers(painter, look, box, theme, scale)
    else:
        quiet = bool(look.name and not look.label)
        color = theme.error if look.flag else theme.secondary if quiet else theme.text
        text = _title(look, int((box.w - 2 * INSET) * scale)) or look.value.text
        text = f"✗ {text}" if look.flag else text
        _paint_in_middle(painter, text, "name" if quiet else "label", color, box, scale)


def _paint_in_middle(
    painter: QPainter, text: str, role: str, color: QColor, box: Box, scale: float
) -> None:
    font = _font(role, TEXT)
    at = QPointF((box.w * scale - _width(text, font)) / 2, box.h * scale / 2)
    _put(painter, text, font, color, at)


def _paint_name_and_numbers(
    painter: QPainter, look: NodeLook, box: Box, theme: Theme, scale: float
) -> None:
    numbers = [(look.value.text, theme.error if look.bad else theme.value)]
    row = min(box.h, sizes.NODE_HEIGHT) * scale / 3
    left, right = INSET * scale, (box.w - INSET) * scale
    room, y = int(right - left), scale + row / 2
    if look.flag:
        numbers.append((_flagged(look, room), theme.error))
    elif look.grad is not None:
        known = look.grad.kind == "grad"
        numbers.append((look.grad.text, theme.gradient if known else theme.secondary))
    role, color = ("label", theme.text) if look.label else ("name", theme.secondary)
    title = _shortened(_title(look, room), room)
    _put(painter, title, _font(role, TEXT), color, QPointF(left, y))
    for text, ink in numbers:
        y += row - scale
        font = _font("number", _size_that_fits(text, room + int(8 * scale)))
        _put(painter, text, font, ink, QPointF(right - _width(text, font), y))


def _put(painter: QPainter, text: str, font: Font, color: QColor, at: QPointF) -> None:
    """Draw a text whose left end is centred vertically on a point."""
    painter.setFont(font.font)
    painter.setPen(color)
    painter.drawText(QPointF(at.x(), at.y() + font.drop), text)


def _width(text: str, font: Font) -> float:
    """Return the width of a text: without hinting it grows as the size does."""
    return width(text, font.role) * font.grown


def _title(look: NodeLook, room: int) -> str:
    """Return symbol, label and name, as many of them as there is space for."""
    short, font = look.name or look.label, _font("label", TEXT)
    for text in (f"{look.symbol} {look.title}".strip(), f"{look.symbol} {short}".strip()):
        if _width(text, font) <= room:
            return text
    return short or look.symbol  # the sign of an op can be told from its neighbours


def _flagged(look: NodeLook, room: int) -> str:
    """Return what is wrong with a gradient, in full if there is space."""
    assert look.grad is not None
    fits = _width(look.flag, _font("number", TEXT)) <= room
    return look.flag if fits else f"✗ {look.grad.text}"


def _size_that_fits(text: str, room: int) -> int:
    """Return the size at which a number fits: a cut number would be another one."""
    wide = _width(text, _font("number", TEXT))
    return TEXT if wide <= room else max(1, int(TEXT * room / wide))


class Font(NamedTuple):
    """A role's font at another size than its own."""

    role: str
    font: QFont
    grown: float
    """How much larger it is than the role's own size."""
    drop: float
    """How far the baseline of a text is below its middle line."""


@measured(64)
def _font(role: str, size: int) -> Font:
    """Return the shared font of a role; callers must not modify it."""
    own = canvas_font(role)
    font = QFont(own)
    font.setPixelSize(size)
    return Font(role, font, size / own.pixelSize(), baseline_drop(role) * size / own.pixelSize())


@measured(2048)
def _shortened(title: str, room: int) -> str:
    measure = QFontMetricsF(_font("label", TEXT).font)
    return measure.elidedText(title, Qt.TextElideMode.ElideRight, room)
