"""Paints ledgers: the lane of chips under a node, and their sum."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from app.canvas.appearance.ledgers import ChipLook
from app.canvas.appearance.look import NodeLook
from app.canvas.layout.node_box import (
    CHIP_GAP,
    CHIP_TEXT,
    LEDGER_LEFT,
    LEDGER_RIGHT,
    chip_places,
    chip_width,
)
from app.document.node_sizes import body_height
from app.style import sizes
from app.style.strokes import mark, pen, put, rounded
from app.style.theme import Theme
from engine.numbers import ASKED


def paint_ledger(painter: QPainter, look: NodeLook, wide: float, high: float, theme: Theme) -> None:
    """Paint the lane of chips and their sum under the body of a node at the origin."""
    middle = body_height(look.kind, len(look.plugged)) + sizes.LEDGER / 2
    begun = put(painter, look.start, "caption", theme.secondary, (LEDGER_LEFT, middle))
    if look.start.startswith("…") and look.chips[0].state == "overwritten":
        _strike(painter, LEDGER_LEFT, middle, begun, theme.error)
    end = QPointF()
    for chip, at in zip(look.chips, chip_places(look), strict=True):
        end = at + QPointF(paint_chip(painter, chip, at, theme) + CHIP_GAP, 0)
    if look.more:
        at = (end.x() + 2, end.y())
        put(painter, f"+{look.more} more", "caption", theme.secondary, at)
    at = (wide - LEDGER_RIGHT, high - sizes.LEDGER / 2)
    color = theme.selection if look.total == ASKED else theme.text
    put(painter, f"= {look.total}", "number", color, at, "right")


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
        put(painter, ASKED, "caption strong", theme.selection, at_middle, "middle")
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
