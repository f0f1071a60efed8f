"""Paints a scene: wires, nodes above them, labels on top; on any surface, at any size."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from app.canvas.appearance.detail import Detail
from app.canvas.appearance.look import WIRE_ORDER, WireLook
from app.canvas.layout.spatial_index import sides_of
from app.canvas.layout.text_sizes import label_width
from app.canvas.layout.wire_path import Course
from app.canvas.paint.far_view import tone_color
from app.canvas.paint.groups import paint_frames, paint_groups, paint_sections
from app.canvas.paint.part_painter import PartPainter
from app.canvas.paint.wires import (
    RunningWire,
    paint_dot,
    paint_label,
    paint_rippled,
    paint_running,
    paint_wire,
    paint_wires_fast,
    wire_color,
)
from app.canvas.scene.scene import LABEL_ORDER, Scene
from app.style import fonts, sizes
from app.style.strokes import draw_text, hairline
from app.style.theme import Theme
from engine.graph import Wire

SILHOUETTE_SCALE = 0.3
"""Zoom below which everything is painted in a few calls."""

CROWD_SIZE = 50
"""Above this number of wires in view, a screen draws quiet wires as hairlines."""

CONTRIBUTION_SIZE = 11.5
"""Size on the screen, in px, of a contribution where labels are too small to be read."""

FADED_OPACITY = 0.25
"""Opacity of a wire that would be replaced."""

WIRE_REACH = 14.0
"""Margin in sheet px by which a painted wire may exceed its course."""
LABEL_REACH = 8.0, 16.0
"""Margins in sheet px: left and right of labels, and above and below them."""

CURRENT_STATES = ("forward", "next", "asked", "firing")
"""States of the wires of this step and the next, which are never hairlines."""


class Emphasis(Struct, frozen=True):
    """How single wires differ on a screen: hovered, dragged, running or fading."""

    hovered: Wire | None = None
    hidden: Wire | None = None
    """The wire that is dragged, painted elsewhere."""
    running: RunningWire | None = None
    """The wire along which colour is running."""
    crowded: bool = False
    """Whether many wires are in view, even if only part of the view is painted now."""
    fading: Wire | None = None
    """The wire that would be replaced, painted almost transparent."""
    ripple_progress: Callable[[Wire], float] | None = None
    """Returns the progress, 0 to 1, of a running ripple along a wire; None if none runs."""


def paint_scene(painter: QPainter, scene: Scene, theme: Theme, area: QRectF, scale: float) -> None:
    """Paint an area of the sheet; `scale` decides how much detail is shown."""
    parts, emphasis = PartPainter(theme, scale), Emphasis()
    paint_ground(painter, scene, area, parts, emphasis)
    paint_above(painter, scene, area, parts, emphasis)


def paint_ground(
    painter: QPainter, scene: Scene, area: QRectF, parts: PartPainter, emphasis: Emphasis
) -> None:
    """Paint the ground, which is below nodes: sections, frames of groups, wires."""
    theme, scale = parts.theme, parts.scale
    paint_sections(painter, scene, theme, area, scale)
    if scale < SILHOUETTE_SCALE:
        _paint_far_wires(painter, scene, theme, area)
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_frames(painter, scene, theme, area, scale)
    _paint_wires(painter, scene, theme, area, scale, emphasis)


def ground_key(scene: Scene, area: QRectF, emphasis: Emphasis) -> object:
    """Return a cache key of the ground in an area; None if it has more than resting wires.

    Frames and sections depend on more than a key could compare cheaply, running wires change with
    every frame.
    """
    if scene.visible.opened or scene.visible.inside is not None or scene.node_layout.sections.rects:
        return None
    if emphasis.running is not None or emphasis.ripple_progress is not None:
        return None
    wires = sorted(scene.wire_index.within(area))
    return ([(scene.courses[wire], scene.wire(wire)) for wire in wires], emphasis)


def paint_above(
    painter: QPainter, scene: Scene, area: QRectF, parts: PartPainter, emphasis: Emphasis
) -> None:
    """Paint nodes, and the labels of wires above them."""
    theme, scale = parts.theme, parts.scale
    if scale < SILHOUETTE_SCALE:
        _paint_silhouettes(painter, scene, theme, area)
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    detail = scene.detail(scale)
    parts.paint_nodes(painter, scene, sorted(scene.node_index.within(area)), detail)
    paint_groups(painter, scene, theme, area)
    if detail >= Detail.RESULTS:
        _paint_seed(painter, scene, theme)
    if detail >= Detail.NUMBERS:
        _paint_labels(painter, scene, area, parts, emphasis.hovered)


def _paint_wires(
    painter: QPainter, scene: Scene, theme: Theme, area: QRectF, scale: float, emphasis: Emphasis
) -> None:
    hairlines: dict[WireLook, list[Course]] = {}
    stroked: list[Wire] = []
    emphasised = (emphasis.hovered, emphasis.hidden, emphasis.fading)
    for wire in _wires_in(scene, area):
        look = scene.wire(wire)
        if not emphasis.crowded or look.state in CURRENT_STATES or wire in emphasised:
            stroked.append(wire)
        else:
            hairlines.setdefault(look, []).append(scene.courses[wire])
    for look in sorted(hairlines, key=lambda look: WIRE_ORDER[look.state]):
        paint_wires_fast(painter, hairlines[look], look, theme, scale)
    for wire in sorted(stroked, key=lambda w: (WIRE_ORDER[scene.wire(w).state], w)):
        look, course = scene.wire(wire), scene.courses[wire]
        ripple_share = 1.0 if emphasis.ripple_progress is None else emphasis.ripple_progress(wire)
        if emphasis.running is not None and wire == emphasis.running.wire:
            paint_running(painter, course, emphasis.running, theme)
        elif look.state == "ripple" and ripple_share < 1 and wire != emphasis.hidden:
            paint_rippled(painter, course, ripple_share, theme)
        elif wire != emphasis.hidden:
            painter.setOpacity(FADED_OPACITY if wire == emphasis.fading else 1.0)
            paint_wire(painter, course, look, theme, hovered=wire == emphasis.hovered)
            painter.setOpacity(1.0)


def is_crowded(scene: Scene, area: QRectF) -> bool:
    """Return whether an area has more than CROWD_SIZE wires, most of them drawn as hairlines."""
    return len(scene.wire_index.within(area)) > CROWD_SIZE


def _wires_in(scene: Scene, area: QRectF) -> set[Wire]:
    """Return the wires that may touch an area; with very many wires the index decides alone."""
    near = scene.wire_index.within(area)
    if len(near) > 4 * CROWD_SIZE:  # asking each wire takes longer than painting some in vain
        return set(near)
    reach = WIRE_REACH
    sides = sides_of(area.adjusted(-reach, -reach, reach, reach))
    return {wire for wire in near if scene.courses[wire].touches(sides)}


def label_wires(scene: Scene, area: QRectF) -> list[Wire]:
    """Return the wires whose labels may touch an area, in painting order."""
    if not scene.labels.any_shown:
        return []
    found: list[tuple[int, Wire]] = []
    aside, above = LABEL_REACH[0], LABEL_REACH[1] + sizes.LABEL / 2
    reach = area.adjusted(-aside, -above, aside + scene.labels.max_width, above)
    for wire in scene.wire_index.within(reach):
        course = scene.courses[wire]  # its label ends left of the end of its run
        if reach.contains(course.run_end, course.y):
            look = scene.label(wire)
            if look is not None:
                found.append((LABEL_ORDER[look.state], wire))
    return [wire for _rank, wire in sorted(found)]


def _paint_labels(
    painter: QPainter, scene: Scene, area: QRectF, parts: PartPainter, hovered: Wire | None
) -> None:
    """Paint the labels of wires: whole, their contributions, or those of this step at one size."""
    detail = scene.detail(parts.scale)
    for wire in label_wires(scene, area):
        look, place = scene.label(wire), scene.wire_layout.label_layout[wire]
        assert look is not None
        on_top = look.state != "done" or wire == hovered
        is_whole = on_top or (place.form == "full" and detail == Detail.WHOLE)
        if detail < Detail.RESULTS:
            if on_top:
                _paint_contribution(painter, scene, wire, parts.theme, parts.scale)
            continue
        if not is_whole and place.form == "dot":
            paint_dot(painter, look, QPointF(place.right - 6, place.y), parts.theme)
            continue
        labels = scene.labels
        rect = labels.rect(wire, full=True) if is_whole else labels.short_rect(wire)
        assert rect is not None
        parts.paint_label(painter, look, rect, short=not is_whole, hovered=wire == hovered)


def _paint_contribution(
    painter: QPainter, scene: Scene, wire: Wire, theme: Theme, scale: float
) -> None:
    look = scene.label(wire)
    assert look is not None
    place = scene.wire_layout.label_layout[wire]
    factor = CONTRIBUTION_SIZE / (scale * fonts.ROLES["contribution"].pixels)
    painter.save()
    painter.translate(place.right, place.y)
    painter.scale(factor, factor)
    wide = label_width(look, short=True)
    rect = QRectF(-wide, -sizes.LABEL_LINE / 2 + 1, wide, sizes.LABEL_LINE - 2)
    paint_label(painter, look._replace(upstream="", local=""), rect, theme, short=True)
    painter.restore()


def _paint_far_wires(painter: QPainter, scene: Scene, theme: Theme, area: QRectF) -> None:
    """Paint the wires of a zoomed-out sheet as straight lines, grouped by colour."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    paint_frames(painter, scene, theme, area, SILHOUETTE_SCALE)
    lines = scene.far_wires(area)
    for look, group in sorted(lines.items(), key=lambda item: WIRE_ORDER[item[0].state]):
        color = wire_color(look, theme)
        painter.setPen(hairline(color, 2.0 if look.state == "firing" else 1.0))
        painter.drawLines(group)


def _paint_silhouettes(painter: QPainter, scene: Scene, theme: Theme, area: QRectF) -> None:
    """Paint nodes and collapsed groups as rectangles, grouped by colour."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    rects = dict(scene.far_nodes(area))
    for number, box in scene.group_boxes.items():
        tone = scene.group_tone(number)
        rects[tone] = [*rects.get(tone, ()), box.rect]
    painter.setPen(Qt.PenStyle.NoPen)
    for tone, group in rects.items():
        painter.setBrush(tone_color(tone, theme))
        painter.drawRects(group)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _paint_seed(painter: QPainter, scene: Scene, theme: Theme) -> None:
    """Paint the seed, `seed 1`, above the root while the pass is shown."""
    frame = scene.looks.frame
    root = scene.sheet.graph.active_root
    if frame.phase != "backward" or not frame.cursor or root not in scene.boxes:
        return
    if scene.looks.ripple is not None:  # its numbers are no gradients
        return
    # a mistake may leave the seed out
    if frame.trace is None or frame.trace.events[0].kind != "seed":
        return
    box = scene.boxes[root]
    at = (box.x + box.w / 2, box.y - 14)
    seed = scene.looks.short(frame.trace.rules.seed)
    draw_text(painter, f"seed {seed}", "caption strong", theme.root, at, "middle")
