"""The rings of selection, hover, keyboard focus and lessons; the instructions on an empty sheet."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from app.canvas.appearance.detail import Detail
from app.canvas.appearance.items import GroupKey, ItemKey
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.layout.group_layout import title_rect
from app.canvas.paint.node_painting import outline, paint_badge
from app.canvas.scene.hit_test import Hit
from app.style import sizes
from app.style.current import Style
from app.style.strokes import pen, rounded
from app.style.theme import faded
from engine.graph import Wire

BAND_WIDTH = 9.0
"""Width of the band along a selected wire, in px."""
HOVER_WIDTH = 1.6
"""Width of the hover ring, in px."""
_DASHES = (6.0, 4.5)
"""Dash and gap of the ring around a part to watch in a lesson, in px."""


def paint_empty(painter: QPainter, area: QRectF, style: Style) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(style.theme.text)
    painter.setFont(style.font("heading"))
    middle = area.adjusted(24, 0, -24, -style.px(26))
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
    painter.drawText(middle, flags, "Press Tab to add a node")
    painter.setPen(style.theme.secondary)
    painter.setFont(style.font("interface"))
    below = area.adjusted(24, style.px(30), -24, 0)
    text = "or drag one from the palette, or paste a formula such as (a*b + a) * f"
    painter.drawText(below, flags, text)


def focused_point(canvas: CanvasContext) -> QPointF:
    """Return a point of the focused part: the head of a node, a title bar, or the centre."""
    scene, focus, frame = canvas.scene, canvas.selection.focus, canvas.selection.frame
    if focus is not None and focus in scene.boxes:
        box = scene.boxes[focus]
        return QPointF(box.x + box.w / 2, box.y + sizes.NODE_HEADER / 2)
    if focus is not None and focus in scene.visible.home:
        return scene.boxes[scene.visible.home[focus]].rect.center()
    if frame is not None and frame in scene.node_layout.groups.drawn:
        return title_rect(scene.node_layout.groups.drawn[frame]).center()
    return QPointF(*canvas.camera.sheet_centre)


def paint_selection(
    painter: QPainter, canvas: CanvasContext, area: QRectF, hover: Hit, shows_focus: bool
) -> None:
    """Paint the rings of selection, hover and, if `shows_focus`, keyboard focus."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    scene = canvas.scene
    _paint_frame_marks(painter, canvas, hover.group, shows_focus)
    _paint_wires(painter, canvas, area)
    _paint_lesson_marks(painter, canvas, area)
    if hover.node is not None and hover.node in scene.boxes and hover.part in ("node", "number"):
        _paint_ring(painter, canvas, hover.node, is_selected=False)
    lit = {scene.visible.key_of(node) for node in canvas.selection.lit_nodes}
    for node in canvas.selection.nodes | lit:
        if node in scene.boxes and scene.boxes[node].rect.intersects(area):
            _paint_ring(painter, canvas, node, is_selected=True, shows_focus=shows_focus)
    for key, item in scene.visible.folded.items():
        is_selected = item.members <= canvas.selection.nodes
        if is_selected or hover.group == key.group:
            _paint_ring(painter, canvas, key, is_selected, shows_focus)
    _paint_hovered_slot(painter, canvas, hover)


def _paint_wires(painter: QPainter, canvas: CanvasContext, area: QRectF) -> None:
    """Paint a band along the wires that are selected or lit, around the numbers of their labels."""
    scene, color = canvas.scene, canvas.theme.selection
    parts = canvas.selection.wires | canvas.selection.lit
    wires = [part for part in parts if isinstance(part, tuple) and part in scene.courses]
    if not wires:
        return
    clip, labels = QPainterPath(), list[QRectF]()
    clip.addRect(area)
    if canvas.detail >= Detail.RESULTS:
        labels = [rect for wire in wires if (rect := scene.labels.rect(wire)) is not None]
    for rect in labels:
        clip.addRect(rect)  # odd-even fill: this excludes the label from the area
    painter.save()
    painter.setClipPath(clip, Qt.ClipOperation.IntersectClip)
    for wire in wires:
        painter.strokePath(scene.courses[wire].path, pen(faded(color, 0.45), BAND_WIDTH))
    painter.restore()
    painter.setPen(pen(faded(color, 0.45), BAND_WIDTH / 2))
    for rect in labels:
        painter.drawRoundedRect(rect, BAND_WIDTH, BAND_WIDTH)


def _paint_lesson_marks(painter: QPainter, canvas: CanvasContext, area: QRectF) -> None:
    """Paint the rings of a lesson: solid around lit parts, dashed around watched ones."""
    scene, marks, gap = canvas.scene, canvas.selection.lesson_targets, float(sizes.SELECTION_GAP)
    for dashed, parts in ((False, marks.lit), (True, marks.watched)):
        dash = _DASHES if dashed else ()
        line = pen(canvas.theme.selection, sizes.OUTLINE_SELECTED, dash)
        for part in parts:
            if isinstance(part, tuple):
                _paint_wire_mark(painter, canvas, part, line)
            elif part in scene.boxes and scene.boxes[part].rect.intersects(area):
                box = scene.boxes[part]
                path = outline(scene.node(part).kind, box.w + 2 * gap, box.h + 2 * gap)
                painter.strokePath(path.translated(box.x - gap, box.y - gap), line)
                _repaint_badge(painter, canvas, part)


def _paint_wire_mark(painter: QPainter, canvas: CanvasContext, wire: Wire, line: QPen) -> None:
    """Paint a ring around the label of a wire, or a band along it while it has none."""
    scene = canvas.scene
    rect = scene.labels.rect(wire) if canvas.detail >= Detail.RESULTS else None
    painter.setPen(line)
    if rect is not None:
        painter.drawRoundedRect(rect.adjusted(-2, -2, 2, 2), BAND_WIDTH, BAND_WIDTH)
    elif wire in scene.courses:
        painter.strokePath(
            scene.courses[wire].path, pen(faded(canvas.theme.selection, 0.45), BAND_WIDTH)
        )


def _paint_hovered_slot(painter: QPainter, canvas: CanvasContext, hover: Hit) -> None:
    """Paint a ring around the hovered slot or output."""
    if hover.part not in ("slot", "output") or hover.node is None:
        return
    node_layout = canvas.scene.node_layout
    at = node_layout.slot_point(hover.wire) if hover.wire else node_layout.output(hover.node)
    if at is None:
        return
    painter.setPen(
        pen(faded(canvas.theme.selection, 0.5), 3.0 / min(max(canvas.camera.scale, 0.1), 1.0))
    )
    on_node = hover.node in node_layout.boxes and not hover.wire
    painter.drawEllipse(at, 9.0, 24.0 if on_node else 9.0)


def _paint_ring(
    painter: QPainter,
    canvas: CanvasContext,
    key: ItemKey,
    is_selected: bool,
    shows_focus: bool = False,
) -> None:
    scene, box, focus = canvas.scene, canvas.scene.boxes[key], canvas.selection.focus
    gap = float(sizes.SELECTION_GAP) if is_selected else 0.0
    wide = sizes.OUTLINE_SELECTED if is_selected or box.kind == "group" else HOVER_WIDTH
    path = outline(box.kind, box.w + 2 * gap, box.h + 2 * gap).translated(box.x - gap, box.y - gap)
    color = canvas.theme.selection if gap else canvas.theme.text
    if gap and shows_focus and focus is not None and key == scene.visible.key_of(focus):
        painter.strokePath(path, pen(faded(color, 0.35), wide + 5))
    # zoomed out it keeps 0.8 of its width on the screen
    painter.strokePath(path, pen(color, max(wide, wide / canvas.camera.scale * 0.8)))
    if gap and not isinstance(key, GroupKey):
        _repaint_badge(painter, canvas, key)


def _repaint_badge(painter: QPainter, canvas: CanvasContext, node: int) -> None:
    """Paint the badge on a node's corner again, above a ring that passes there."""
    if canvas.detail >= Detail.RESULTS:
        box = canvas.scene.boxes[node]
        painter.translate(box.x, box.y)
        paint_badge(painter, canvas.scene.node(node), box.w, canvas.theme)
        painter.translate(-box.x, -box.y)


def _paint_frame_marks(
    painter: QPainter, canvas: CanvasContext, hovered: int | None, shows_focus: bool
) -> None:
    """Paint rings around selected drawn groups and a line around the hovered one."""
    scene, theme, scale = canvas.scene, canvas.theme, max(canvas.camera.scale, 0.05)
    for number, rect in scene.node_layout.groups.drawn.items():
        if number in canvas.selection.frames:
            gap = 3.0 / min(scale, 1.0)
            path = rounded(rect.adjusted(-gap, -gap, gap, gap), 12.0, 12.0)
            wide = max(sizes.OUTLINE_SELECTED, sizes.OUTLINE_SELECTED / scale)
            if shows_focus and number == canvas.selection.frame:
                painter.strokePath(path, pen(faded(theme.selection, 0.35), wide * 3))
            painter.strokePath(path, pen(theme.selection, wide))
        elif number == hovered:
            path = rounded(rect, sizes.RADIUS_CARD, sizes.RADIUS_CARD)
            painter.strokePath(path, pen(theme.text, max(1.4, 1.4 / scale)))
