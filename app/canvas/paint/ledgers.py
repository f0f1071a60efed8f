"""Paints ledgers: the lane of chips under a node, and their sum."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from app.canvas.appearance.ledgers import ChipLook, LedgerLook
from app.canvas.appearance.look import NodeLook
from app.canvas.layout.node_box import (
    CAUSE,
    CAUSE_GAP,
    CHIP_GAP,
    CHIP_TEXT,
    LEDGER_LEFT,
    LEDGER_RIGHT,
    chip_width,
    lane_places,
    lane_tops,
    total_middle,
)
from app.canvas.paint.shapes import outline
from app.document.node_sizes import ledger_height
from app.style import sizes
from app.style.strokes import elided, mark, pen, put, rounded
from app.style.theme import Theme
from engine.numbers import ASKED

_AND = Qt.ClipOperation.IntersectClip


def paint_ledger(painter: QPainter, look: NodeLook, wide: float, high: float, theme: Theme) -> None:
    """Paint the lane of chips and their sum under the body of a node at the origin.

    Where a mistake has made the sum wrong, that of the correct pass is above it.
    """
    lanes = lane_tops(look)
    own, below = lanes[-1]
    if look.correct is not None:
        _lane(painter, *lanes[0], wide, theme, theme.text)
        _red_ground(painter, look, QRectF(0, below, wide, high - below), theme)
        _causes(painter, look, below + ledger_height(len(own.chips)), (wide, high), theme)
    _lane(painter, own, below, wide, theme, theme.error if look.correct else theme.text)


def _lane(
    painter: QPainter, lane: LedgerLook, top: float, wide: float, theme: Theme, ink: QColor
) -> None:
    """Paint one lane that begins at a height."""
    middle = top + sizes.LEDGER / 2
    begun = put(painter, lane.start, "caption", theme.secondary, (LEDGER_LEFT, middle))
    lost = bool(lane.chips) and lane.chips[0].state == "overwritten"
    if lane.start.startswith("…") and lost:
        _strike(painter, LEDGER_LEFT, middle, begun, theme.error)
    end = QPointF()
    places = lane_places(lane, top)
    for chip, at in zip(lane.chips, places, strict=True):
        end = at + QPointF(paint_chip(painter, chip, at, theme) + CHIP_GAP, 0)
    if lane.more:
        at = (end.x() + 2, end.y())
        put(painter, f"+{lane.more} more", "caption", theme.secondary, at)
    at = (wide - LEDGER_RIGHT, total_middle(lane, top))
    color = theme.selection if lane.asked else ink
    put(painter, lane.total, "number", color, at, "right")


def _red_ground(painter: QPainter, look: NodeLook, rect: QRectF, theme: Theme) -> None:
    """Paint the ground of a mistake's lane, with a dashed edge above it."""
    painter.save()
    painter.setClipPath(outline(look.kind, rect.right(), rect.bottom()), _AND)
    painter.fillRect(rect.adjusted(1, 0, -1, -1), theme.error_tint)
    painter.restore()
    painter.setPen(pen(theme.error, 1.4, (4.0, 3.0)))
    painter.drawLine(rect.topLeft() + QPointF(1, 0), rect.topRight() - QPointF(1, 0))


def _causes(
    painter: QPainter, look: NodeLook, top: float, size: tuple[float, float], theme: Theme
) -> None:
    """Paint why the sum is wrong: what happens here, and what was wrong before."""
    wide, high = size
    y = top + sizes.CAUSE_EDGE / 2 + sizes.CAUSE_LINE / 2 - 2
    for name, text in look.causes:
        if y + sizes.CAUSE_LINE / 2 > high:
            return
        x = LEDGER_LEFT + put(painter, name, CAUSE, theme.error, (LEDGER_LEFT, y)) + CAUSE_GAP
        room = wide - x - LEDGER_LEFT
        put(painter, elided(text, "caption", room), "caption", theme.secondary, (x, y))
        y += sizes.CAUSE_LINE


def paint_chip(painter: QPainter, chip: ChipLook, at: QPointF, theme: Theme) -> float:
    """Paint a chip whose left side is centred on a point; returns its width."""
    wide = chip_width(chip.text)
    half = sizes.CHIP / 2
    rect = QRectF(at.x(), at.y() - half, wide, sizes.CHIP).adjusted(0.5, 0.5, -0.5, -0.5)
    path = rounded(rect, half - 0.5, half - 0.5)
    color = theme.error if chip.state == "overwritten" else theme.sibling(max(chip.hue, 0))
    spot = QPointF(at.x() + (14 if not chip.text else 10), at.y())
    if chip.state == "asked":
        painter.fillPath(path, theme.selection_tint)
        painter.strokePath(path, pen(theme.selection, 1.4, (3.0, 2.4)))
        at_middle = (rect.center().x(), at.y())
        put(painter, chip.text or ASKED, "caption strong", theme.selection, at_middle, "middle")
        return wide
    if chip.state == "waiting":
        painter.strokePath(path, pen(color, 1.3, (3.0, 2.4)))
        mark(painter, chip.hue, spot, 7, color, hollow=True)
        return wide
    landed = chip.state == "landed"
    tint = theme.error_tint if chip.state == "overwritten" else theme.sibling_tint(max(chip.hue, 0))
    painter.fillPath(path, color if landed else tint)
    painter.strokePath(path, pen(color, 1.2))
    ink = theme.on_fill if landed else color
    mark(painter, chip.hue, spot, 7, ink)
    x = at.x() + CHIP_TEXT
    number = put(painter, chip.text, "caption strong", ink, (x, at.y()))
    if chip.state == "overwritten":
        _strike(painter, x, at.y(), number, color)
    return wide


def _strike(painter: QPainter, x: float, middle: float, wide: float, color: QColor) -> None:
    """Strike through a number that was overwritten."""
    painter.setPen(pen(color, 1.4))
    painter.drawLine(QPointF(x - 1, middle), QPointF(x + wide + 1, middle))
