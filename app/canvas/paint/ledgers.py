"""Draws ledgers: the chips of a node in order of arrival, and the chip that still waits."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from app.canvas.appearance.ledgers import ChipLook
from app.canvas.appearance.look import Figure, NodeLook
from app.canvas.layout.geometry import body_height, slot_row
from app.canvas.layout.text_sizes import chip_width
from app.style import sizes
from app.style.strokes import mark, pen, put, rounded
from app.style.text_widths import width
from app.style.theme import Theme

EMPTY_FIGURE = Figure("", "unknown")
"""The number of a row that is left empty."""


def paint_waiting(
    painter: QPainter, chip: ChipLook, grad: Figure, x: float, right: float, theme: Theme
) -> Figure:
    """Draw the chip of the one contribution to come; without room it stands for the number."""
    begin = x + width("grad", "caption") + 6
    wide = chip_width(chip.text)
    if begin + wide + 6 <= right - width(grad.text, "number"):
        paint_chip(painter, chip, QPointF(begin, slot_row(1)), theme)
        return grad
    paint_chip(painter, chip, QPointF(right - wide, slot_row(1)), theme)
    return EMPTY_FIGURE


def paint_ledger(painter: QPainter, look: NodeLook, wide: float, theme: Theme) -> None:
    """Draw the lane of chips and their sum under the body of a node at the origin."""
    middle = body_height(len(look.plugged)) + sizes.LEDGER / 2
    begun = put(painter, look.start, "caption", theme.secondary, (12, middle))
    x = 12 + begun + 6
    if look.start.startswith("…") and look.chips[0].state == "overwritten":
        _strike(painter, 12, middle, begun, theme.error)
    for chip in look.chips:
        x += paint_chip(painter, chip, QPointF(x, middle), theme) + 4
    if look.more:
        put(painter, f"{look.more} more", "caption", theme.secondary, (x + 2, middle))
    put(painter, f"= {look.total}", "number", theme.text, (wide - 14, middle), "right")


def paint_chip(painter: QPainter, chip: ChipLook, at: QPointF, theme: Theme) -> float:
    """Draw a chip with the middle of its left side at a point; returns its width."""
    wide = chip_width(chip.text)
    half = sizes.CHIP / 2
    rect = QRectF(at.x(), at.y() - half, wide, sizes.CHIP).adjusted(0.5, 0.5, -0.5, -0.5)
    path = rounded(rect, half - 0.5, half - 0.5)
    color = theme.error if chip.state == "overwritten" else theme.sibling(max(chip.hue, 0))
    spot = QPointF(at.x() + (14 if not chip.text else 11), at.y())
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
    x = at.x() + 19
    number = put(painter, chip.text, "caption strong", ink, (x, at.y()))
    if chip.state == "overwritten":
        _strike(painter, x, at.y(), number, color)
    return wide


def _strike(painter: QPainter, x: float, middle: float, wide: float, color: QColor) -> None:
    """Draw a line through a text that was overwritten."""
    painter.setPen(pen(color, 1.4))
    painter.drawLine(QPointF(x - 1, middle), QPointF(x + wide + 1, middle))
