"""Section hits: which section is at a point, and what lies in sections."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF

from app.canvas.layout.section_rects import grabbed_edges, outer_first
from app.canvas.scene.scene import Scene
from app.document.grouping import members_of
from app.document.sections import lies_in, nested
from app.style import sizes

SLACK = 12.0
"""How far a node may stick out and still lies in a section: numbers of a pass make it wider."""


def section_at(scene: Scene, point: QPointF, scale: float) -> tuple[int, str] | None:
    """The section whose title bar or edge is at a point, and which edges ("rb"); "" is the bar."""
    rects = scene.node_layout.sections.rects()
    for number in reversed(outer_first(rects)):
        edges = grabbed_edges(rects[number], point, scale)
        if edges is not None:
            return number, edges
    return None


def content(scene: Scene, numbers: Iterable[int]) -> tuple[frozenset[int], frozenset[int]]:
    """The nodes and the sections that go along when sections are moved, themselves among them."""
    chosen = frozenset(n for n in numbers if n in scene.sheet.sections)
    boxes = chosen.union(*(nested(scene.sheet, number) for number in chosen))
    nodes: set[int] = set()
    for number in chosen:
        rect = scene.sheet.sections[number].rect
        outer = QRectF(*rect).adjusted(-SLACK, -SLACK, SLACK, SLACK)
        for node in scene.node_index.within(outer):
            box = scene.boxes[node]
            if lies_in((box.x, box.y, box.w, sizes.NODE_HEIGHT), rect, SLACK):
                nodes.add(node)
        for group, found in scene.group_boxes.items():
            if outer.contains(found.rect):
                nodes |= members_of(scene.sheet.groups, group)
    return frozenset(nodes), boxes
