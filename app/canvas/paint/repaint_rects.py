"""The sheet rectangles to repaint after a step or a move of the pointer.

A rectangle may be too large but never too small.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF

from app.canvas.paint.nodes import MARGIN
from app.canvas.scene.hit_test import Hit
from app.canvas.scene.scene import Changed, Scene
from app.style import sizes
from engine.graph import Wire

WIRE = 18.0
"""Margin in sheet px of a wire with its glow and its marks."""
PLUG = 28.0
"""Radius in sheet px of the ring around a slot or an output."""


def by_steps(scene: Scene, steps: list[Changed], scale: float) -> list[QRectF]:
    """Return the rectangles of nodes, wires and labels that show these steps, and of the root."""
    rects: list[QRectF] = []
    graph = scene.sheet.graph
    for nodes, wires in steps:
        found = QRectF()
        for node in nodes:
            if node != graph.active_root:
                found = found.united(node_area(scene, node, scale))
        for target in {wire[0] for wire in wires}:
            for slot in range(len(graph.inputs(target))):  # neighbours adapt to a label
                found = found.united(wire_area(scene, (target, slot), scale))
        rects.append(found)
    marker = graph.active_root
    return rects if marker is None else [*rects, node_area(scene, marker, scale)]


def by_hit(scene: Scene, hit: Hit, scale: float) -> QRectF | None:
    """Return the rectangle that changes when a hit is hovered; None for the whole view."""
    if hit.part == "canvas":
        return QRectF()
    if hit.part in ("wire", "label") and hit.wire is not None:
        return wire_area(scene, hit.wire, scale)
    if hit.part in ("node", "number") and hit.node in scene.boxes:
        return node_area(scene, hit.node, scale)
    if hit.part in ("slot", "output") and hit.node is not None:
        node_layout = scene.node_layout
        at = node_layout.slot_point(hit.wire) if hit.wire else node_layout.output(hit.node)
        return QRectF() if at is None else _around(at, PLUG + 4 / scale)
    return None


def node_area(scene: Scene, node: int, scale: float) -> QRectF:
    """Return the rectangle of a node with its glow and badge."""
    if node not in scene.boxes:
        return QRectF()
    reach = MARGIN + 4 / scale
    return scene.boxes[node].rect.adjusted(-reach, -reach, reach, reach)


def wire_area(scene: Scene, wire: Wire, scale: float) -> QRectF:
    """Return the rectangle of a wire with its label, at any stage of the pass."""
    course = scene.courses.get(wire)
    if course is None:
        return QRectF()
    left, top, right, bottom = course.bounds
    reach = WIRE + 3 / scale
    found = QRectF(QPointF(left - reach, top - reach), QPointF(right + reach, bottom + reach))
    whole, short = scene.labels.widths(wire)
    if not whole:
        return found
    seat, half = scene.wire_layout.label_layout[wire], max(sizes.LABEL, 25 / scale) / 2 + 3
    wide = max(whole, short / min(scale, 1.0))
    return found.united(QRectF(seat.right - wide - 3, seat.y - half, wide + 6, 2 * half))


def _around(at: QPointF, reach: float) -> QRectF:
    return QRectF(at.x() - reach, at.y() - reach, 2 * reach, 2 * reach)
