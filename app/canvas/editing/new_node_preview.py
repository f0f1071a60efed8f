"""Paints the node that quick add would add, and the wire that waits for it."""

from __future__ import annotations

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.editing.new_node import NewNode
from app.canvas.layout.wire_path import course
from app.style import sizes
from app.style.strokes import pen, rounded
from app.style.theme import faded
from engine.graph import Wire

DASHES = (7.0, 4.0)
"""Lengths of the dashes and gaps of what is not on the sheet yet, in line widths."""


def paint_new_node(
    painter: QPainter,
    canvas: CanvasContext,
    new: NewNode | None,
    source: int | None,
    wire: Wire | None,
    at: QPointF,
) -> None:
    """Paint the outline of a node and its wire; without a node, the wire with its end at `at`."""
    layout, color = canvas.scene.node_layout, canvas.theme.selection
    start, end = at, at
    if new is not None:
        source, wire = new.source, new.wire
        outline = rounded(new.rect, sizes.RADIUS_NODE, sizes.RADIUS_NODE)
        painter.fillPath(outline, faded(color, 0.08))
        painter.strokePath(outline, pen(color, sizes.WIRE_PREVIEW / 2, DASHES))
        start, end = new.output, new.slot()
    pairs: list[tuple[QPointF, QPointF]] = []
    if source is not None:
        pairs.append((layout.output(source) or start, end))
    if wire is not None:
        pairs.append((start, layout.slot_point(wire) or end))
    for ends in pairs:
        painter.strokePath(course(*ends).path, pen(color, sizes.WIRE_PREVIEW, DASHES))
