"""Section hits: which section is at a point, and what lies in sections."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF

from app.canvas.layout.section_rects import grabbed_edges, outer_first
from app.canvas.scene.scene import Stage
from app.document.grouping import members_of
from app.document.sections import lies_in, nested
from app.style import sizes

SLACK = 12.0
"""How far a node may stick out and still lies in a section: numbers of a pass make it wider."""


def section_at(stage: Stage, point: QPointF, scale: float) -> tuple[int, str] | None:
    """The section whose title bar or edge is at a point, and which edges ("rb"); "" is the bar."""
    rects = stage.floorplan.section_rects()
    for number in reversed(outer_first(rects)):
        edges = grabbed_edges(rects[number], point, scale)
        if edges is not None:
            return number, edges
    return None


def content(stage: Stage, numbers: Iterable[int]) -> tuple[frozenset[int], frozenset[int]]:
    """The nodes and the sections that go along when sections are moved, themselves among them."""
    chosen = frozenset(n for n in numbers if n in stage.sheet.sections)
    boxes = chosen.union(*(nested(stage.sheet, number) for number in chosen))
    nodes: set[int] = set()
    for number in chosen:
        rect = stage.sheet.sections[number].rect
        outer = QRectF(*rect).adjusted(-SLACK, -SLACK, SLACK, SLACK)
        for node in stage.node_grid.within(outer):
            box = stage.boxes[node]
            if lies_in((box.x, box.y, box.w, sizes.NODE_HEIGHT), rect, SLACK):
                nodes.add(node)
        for group, found in stage.group_boxes.items():
            if outer.contains(found.rect):
                nodes |= members_of(stage.sheet.groups, group)
    return frozenset(nodes), boxes
