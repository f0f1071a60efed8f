"""Paints nodes when zoomed out: a name and two numbers, then one text, then outlines alone.

Texts keep their size on the screen, so each is placed in screen px over a body in sheet px.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from app.canvas.appearance.face import DATA, GRAD, Cell, face
from app.canvas.appearance.looks import BodyLook, NodeLook, NumberLook, Tone
from app.canvas.layout.node_box import Box
from app.canvas.paint.node_painting import outline
from app.style import sizes
from app.style.strokes import baseline_drop, cached_metric, canvas_font, pen, width
from app.style.theme import Theme

STATE_EDGE = 3.0
"""Width of the edge of a node whose state colours it, in sheet px."""
TEXT_INSET = 6
"""Distance of texts from the sides of a node, in sheet px."""
TEXT_SIZE = 12
"""Font size of texts on the screen, in px, at every scale."""


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
    """The look of a node without its texts when zoomed out."""

    kind: str
    edge: Literal["outline", "value", "gradient", "error"]


def far_body(look: BodyLook, flagged: bool = False) -> FarBody:
    """Return the zoomed-out body of a node; its outline shows the kind, its edge the state."""
    if look.bad or not all(look.plugged):
        return FarBody(look.kind, "error")
    if look.state == "forward":
        return FarBody(look.kind, "value")
    if look.state in ("firing", "receiving"):
        return FarBody(look.kind, "gradient")
    return FarBody(look.kind, "error" if flagged else "outline")


def paint_far_body(
    painter: QPainter, body: FarBody, wide: float, high: float, theme: Theme
) -> None:
    """Paint a body at the origin."""
    path = outline(body.kind, wide, high)
    fills = {"leaf": theme.header_leaf, "root": theme.header_root}
    painter.fillPath(path, fills.get(body.kind, theme.header_op))
    edges = {"value": theme.value, "gradient": theme.gradient, "error": theme.error}
    thick = 1.5 if body.edge == "outline" else STATE_EDGE
    painter.strokePath(path, pen(edges.get(body.edge, theme.outline), thick))


class ScaledFont(NamedTuple):
    """The font of a text role scaled to another size."""

    role: str
    font: QFont
    factor: float
    """Its size as a multiple of the role's size."""
    baseline: float
    """Distance from the middle line of a text down to its baseline, in px."""


class FarText(NamedTuple):
    """A text over a body: the left end of its baseline is in screen px from the node's corner."""

    text: str
    font: ScaledFont
    color: QColor
    x: float
    y: float

    @property
    def wide(self) -> float:
        """Return its width, in screen px."""
        return _text_width(self.text, self.font)


def far_texts(look: NodeLook, box: Box, theme: Theme, scale: float, numbers: bool) -> list[FarText]:
    """Return the name with value and gradient below it if `numbers`, else one text alone.

    They have the same size on the screen at every scale.
    """
    if look.kind == "pill":
        return [_centered(look.value.text, "number", theme.value, box, scale)]
    if numbers:
        return _name_and_numbers(look, box, theme, scale)
    role, color = _title_style(look, theme)
    text = _title(look, int((box.w - 2 * TEXT_INSET) * scale)) or look.value.text
    if look.flag:
        text, color = f"✘ {text}", theme.error
    return [_centered(text, role, color, box, scale)]


def paint_far_text(painter: QPainter, text: FarText, at: QPointF) -> None:
    """Paint a text with the left end of its baseline at a point, in px of the screen."""
    painter.setFont(text.font.font)
    painter.setPen(text.color)
    painter.drawText(at, text.text)


def _centered(text: str, role: str, color: QColor, box: Box, scale: float) -> FarText:
    font = _scaled_font(role, TEXT_SIZE)
    x = (box.w * scale - _text_width(text, font)) / 2
    return FarText(text, font, color, x, box.h * scale / 2 + font.baseline)


def _name_and_numbers(look: NodeLook, box: Box, theme: Theme, scale: float) -> list[FarText]:
    cells = face(look.kind, slots=0)
    # the title and the numbers share the height without a ledger; at least three rows
    row = min(box.h, sizes.NODE_HEIGHT) * scale / max(3, 1 + len(cells))
    left, right = TEXT_INSET * scale, (box.w - TEXT_INSET) * scale
    room, y = int(right - left), scale + row / 2  # 1 sheet px below the top edge
    role, color = _title_style(look, theme)
    font = _scaled_font(role, TEXT_SIZE)
    found = [FarText(_shortened(_title(look, room), room), font, color, left, y + font.baseline)]
    # not strict: behind value and gradient a look has the local derivatives
    for cell, number in zip(cells, look.numbers, strict=False):
        y += row - scale  # rows overlap by 1 sheet px, or the last would touch the bottom edge
        text, ink = number.text, _far_number_color(cell, number, theme)
        if cell is GRAD and look.flag:
            text, ink = _flag_text(look, room), theme.error
        # a number may use the space left of the texts too, before it is drawn smaller
        font = _scaled_font("number", _size_that_fits(text, room + int(8 * scale)))
        found.append(FarText(text, font, ink, right - _text_width(text, font), y + font.baseline))
    return found


def _far_number_color(cell: Cell, number: NumberLook, theme: Theme) -> QColor:
    """Return the colour of a number, which separates value and gradient even while unknown."""
    if cell is DATA:
        return theme.error if number.kind == "bad" else theme.value
    return theme.gradient if number.kind == "grad" else theme.secondary


def _title_style(look: NodeLook, theme: Theme) -> tuple[str, QColor]:
    """Return text role and colour of a title: a label counts more than an automatic name."""
    named = bool(look.texts.name) and not look.texts.label
    return ("name", theme.secondary) if named else ("label", theme.text)


def _text_width(text: str, font: ScaledFont) -> float:
    """Return the width of a text, which without hinting is proportional to its size."""
    return width(text, font.role) * font.factor


def _title(look: NodeLook, room: int) -> str:
    """Return symbol, label and name, or the short title where they are too long."""
    symbol, texts, font = look.body.symbol, look.texts, _scaled_font("label", TEXT_SIZE)
    short = texts.name or texts.label
    for text in (f"{symbol} {texts.title}".strip(), f"{symbol} {short}".strip()):
        if _text_width(text, font) <= room:
            return text
    return short or symbol


def _flag_text(look: NodeLook, room: int) -> str:
    """Return the flag of a wrong gradient, or `✘` and the gradient where that is too long."""
    assert look.grad is not None
    fits = _text_width(look.flag, _scaled_font("number", TEXT_SIZE)) <= room
    return look.flag if fits else f"✘ {look.grad.text}"


def _size_that_fits(text: str, room: int) -> int:
    """Return the size at which a number fits: shrunk, since a cut one would be another number."""
    wide = _text_width(text, _scaled_font("number", TEXT_SIZE))
    return TEXT_SIZE if wide <= room else max(1, int(TEXT_SIZE * room / wide))


@cached_metric(64)
def _scaled_font(role: str, size: int) -> ScaledFont:
    """Return the shared font of a role; callers must not modify it."""
    base = canvas_font(role)
    font = QFont(base)
    font.setPixelSize(size)
    return ScaledFont(
        role, font, size / base.pixelSize(), baseline_drop(role) * size / base.pixelSize()
    )


@cached_metric(2048)
def _shortened(title: str, room: int) -> str:
    measure = QFontMetricsF(_scaled_font("label", TEXT_SIZE).font)
    return measure.elidedText(title, Qt.TextElideMode.ElideRight, room)
