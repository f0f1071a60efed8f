"""The rectangles of the sheet to repaint after a step or a move of the pointer.

A rectangle may be too large but never too small.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF

from app.canvas.layout.text_sizes import label_width
from app.canvas.paint.nodes import MARGIN
from app.canvas.scene.hit_test import Hit
from app.canvas.scene.scene import Scene
from app.canvas.scene.step_scope import Step, nodes_of, wires_of
from app.style import sizes
from engine.graph import Wire
from engine.trace import Event

WIRE = 18.0
"""How far a wire with its glow and its marks reaches beyond its course."""
PLUG = 28.0
"""How far the ring round a slot or an output reaches."""


def by_steps(scene: Scene, steps: list[Step], scale: float) -> list[QRectF]:
    """What is drawn of these steps: who fires, who receives, wires and labels; the root."""
    rects: list[QRectF] = []
    graph = scene.sheet.graph
    for step in steps:
        found = QRectF()
        for node in nodes_of(scene.sheet.graph, step):
            if node != graph.active_root:
                found = found.united(node_area(scene, node, scale))
        for target in {wire[0] for wire in wires_of(scene.sheet.graph, step)}:
            for slot in range(len(graph.inputs(target))):  # neighbours make room for a label
                found = found.united(wire_area(scene, (target, slot), scale))
        rects.append(found)
    marker = graph.active_root
    return rects if marker is None else [*rects, node_area(scene, marker, scale)]


def by_hit(scene: Scene, hit: Hit, scale: float) -> QRectF | None:
    """What looks otherwise while the pointer is on it; None if that may be anything."""
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
    """A node with its glow and badge."""
    if node not in scene.boxes:
        return QRectF()
    reach = MARGIN + 4 / scale
    return scene.boxes[node].rect.adjusted(-reach, -reach, reach, reach)


def wire_area(scene: Scene, wire: Wire, scale: float) -> QRectF:
    """A wire with its label, at whatever stage of the pass."""
    course = scene.courses.get(wire)
    if course is None:
        return QRectF()
    left, top, right, bottom = course.bounds
    reach = WIRE + 3 / scale
    found = QRectF(QPointF(left - reach, top - reach), QPointF(right + reach, bottom + reach))
    wide = max((_label_width(scene, event, scale) for event in _carried(scene, wire)), default=0)
    if not wide:
        return found
    seat, half = scene.wire_layout.label_layout[wire], max(sizes.LABEL_FIRING, 25 / scale) / 2 + 3
    return found.united(QRectF(seat.right - wide - 3, seat.y - half, wide + 6, 2 * half))


def _label_width(scene: Scene, event: Event, scale: float) -> float:
    """The width of a label: whole, or its contribution alone, kept readable from afar."""
    look = scene.looks.final_label(event)
    return max(label_width(look), label_width(look, True) / min(scale, 1.0))


def _carried(scene: Scene, wire: Wire) -> list[Event]:
    """What a wire carries in the pass that is shown, by now or next."""
    frame = scene.looks.frame
    found = [frame.fired.get(wire), frame.event, frame.next_event]
    return [event for event in found if event is not None and event.wire == wire]


def _around(at: QPointF, reach: float) -> QRectF:
    return QRectF(at.x() - reach, at.y() - reach, 2 * reach, 2 * reach)
