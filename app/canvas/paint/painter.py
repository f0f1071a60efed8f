"""Paints a scene: wires, nodes above them, labels on top; on any surface, at any size.

For each node and label it asks PartPainter in pictures, CachedPartPainter on the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from app.canvas.appearance.detail import Detail
from app.canvas.appearance.items import GroupKey, painting_order
from app.canvas.appearance.looks import WIRE_ORDER, LabelLook, NodeLook, WireLook
from app.canvas.layout.drawn_course import DrawnCourse
from app.canvas.layout.node_box import Box
from app.canvas.layout.spatial_index import sides_of
from app.canvas.layout.text_sizes import label_width
from app.canvas.paint.far_view import (
    STATE_EDGE,
    TEXT_SIZE,
    FarText,
    far_body,
    far_texts,
    paint_far_body,
    paint_far_text,
    tone_color,
)
from app.canvas.paint.groups import paint_frames, paint_groups
from app.canvas.paint.node_painting import NODE_MARGIN, paint_body, paint_node, paint_texts
from app.canvas.paint.pixmap_cache import PixmapCache, Point
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
    """Paint the ground, which is below nodes: frames of groups, wires."""
    theme, scale = parts.theme, parts.scale
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, scale >= SILHOUETTE_SCALE)
    paint_frames(painter, scene, theme, area, scale)
    if scale < SILHOUETTE_SCALE:
        _paint_far_wires(painter, scene, theme, area)
        return
    _paint_wires(painter, scene, theme, area, scale, emphasis)


def ground_key(scene: Scene, area: QRectF, emphasis: Emphasis) -> object:
    """Return a cache key of the ground in an area; None if it has more than resting wires.

    Frames depend on more than a key could compare cheaply, running wires change with
    every frame.
    """
    if scene.visible.opened or scene.visible.inside is not None or scene.node_layout.groups.drawn:
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
    near = sorted(scene.index.within(area), key=painting_order)
    parts.paint_nodes(painter, scene, (key for key in near if isinstance(key, int)), detail)
    paint_groups(painter, scene, theme, (key for key in near if isinstance(key, GroupKey)))
    if detail >= Detail.RESULTS:
        _paint_seed(painter, scene, theme)
    if detail >= Detail.NUMBERS:
        _paint_labels(painter, scene, area, parts, emphasis.hovered)


def _paint_wires(
    painter: QPainter, scene: Scene, theme: Theme, area: QRectF, scale: float, emphasis: Emphasis
) -> None:
    hairlines: dict[WireLook, list[DrawnCourse]] = {}
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
    lines = scene.far_wires(area)
    for look, group in sorted(lines.items(), key=lambda item: WIRE_ORDER[item[0].state]):
        color = wire_color(look, theme)
        painter.setPen(hairline(color, 2.0 if look.state == "firing" else 1.0))
        painter.drawLines(group)


def _paint_silhouettes(painter: QPainter, scene: Scene, theme: Theme, area: QRectF) -> None:
    """Paint nodes and folded groups as rectangles, grouped by colour."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    for tone, group in scene.far_nodes(area).items():
        painter.setBrush(tone_color(tone, theme))
        painter.drawRects(group)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _paint_seed(painter: QPainter, scene: Scene, theme: Theme) -> None:
    """Paint the seed, `seed 1`, above the root while the pass is shown."""
    frame = scene.looks.frame
    root = scene.sheet.graph.active_root
    if frame.phase != "backward" or not frame.cursor or root is None or root not in scene.boxes:
        return
    if not scene.looks.shows_pass:  # the numbers of a ripple are no gradients
        return
    if "terms" in scene.looks.folded:
        return
    # a mistake may leave the seed out
    if frame.trace is None or frame.trace.events[0].kind != "seed":
        return
    box = scene.boxes[root]
    at = (box.x + box.w / 2, box.y - 14)
    seed = scene.looks.short(frame.trace.rules.seed)
    draw_text(painter, f"seed {seed}", "caption strong", theme.root, at, "middle")


# nodes and labels: directly on any surface, or from the pixmap cache

LABEL_MARGIN = 2.0
"""Margin in sheet px by which the edge of a label exceeds its rectangle."""
TEXT_MARGIN = 2.0
"""The same in screen px of a text when zoomed out."""
BASELINE = QPointF(TEXT_MARGIN, TEXT_SIZE + TEXT_MARGIN)
"""Left end of the baseline of such a text in its pixmap."""


class PartPainter:
    """Paints nodes and labels in one theme at one scale, on a surface of any kind."""

    def __init__(self, theme: Theme, scale: float) -> None:
        self.theme, self.scale = theme, scale

    def paint_nodes(
        self, painter: QPainter, scene: Scene, nodes: Iterable[int], detail: Detail
    ) -> None:
        theme, scale = self.theme, self.scale
        for node in nodes:
            box, look = scene.boxes[node], scene.node(node)
            painter.save()
            painter.translate(box.x, box.y)
            if detail >= Detail.RESULTS:
                paint_node(painter, look, box.w, box.h, box.left, theme)
            else:
                paint_far_body(painter, far_body(look.body, bool(look.flag)), box.w, box.h, theme)
                painter.scale(1 / scale, 1 / scale)
                for text in far_texts(look, box, theme, scale, detail >= Detail.NUMBERS):
                    paint_far_text(painter, text, QPointF(text.x, text.y))
            painter.restore()

    def paint_label(
        self, painter: QPainter, look: LabelLook, rect: QRectF, short: bool, hovered: bool
    ) -> None:
        paint_label(painter, look, rect, self.theme, short, hovered)


class CachedPartPainter(PartPainter):
    """Paints nodes and labels on the screen from the pixmap cache.

    Nodes that differ only in names and numbers share the pixmap of a body; zoomed out, equal texts
    share one at all scales.
    """

    def __init__(self, cache: PixmapCache, theme: Theme, scale: float) -> None:
        super().__init__(theme, scale)
        self._cache = cache

    def paint_nodes(
        self, painter: QPainter, scene: Scene, nodes: Iterable[int], detail: Detail
    ) -> None:
        is_far = detail < Detail.RESULTS
        sheet, scale = painter.transform(), self.scale
        left, top = sheet.dx(), sheet.dy()  # of the sheet's origin, in px of the view
        margin = STATE_EDGE if is_far else NODE_MARGIN
        painter.save()
        painter.resetTransform()  # pixmaps have the scale already
        for node in nodes:
            box, look = scene.boxes[node], scene.node(node)
            at = (left + (box.x - margin) * scale, top + (box.y - margin) * scale)
            if is_far:
                self._paint_far(painter, look, box, at, detail >= Detail.NUMBERS)
            else:
                self._paint_near(painter, look, box, at)
        painter.restore()

    def paint_label(
        self, painter: QPainter, look: LabelLook, rect: QRectF, short: bool, hovered: bool
    ) -> None:
        wide, high = rect.width(), rect.height()
        at = painter.transform().map(rect.topLeft() - QPointF(LABEL_MARGIN, LABEL_MARGIN))

        def make() -> QPixmap:
            def paint(inner: QPainter) -> None:
                at_origin = QRectF(0, 0, wide, high)
                paint_label(inner, look, at_origin, self.theme, short, hovered)

            return self._new_pixmap(wide, high, LABEL_MARGIN, paint)

        painter.save()
        painter.resetTransform()
        key = (look, wide, high, short, hovered, self.scale)
        self._cache.draw(painter, key, (at.x(), at.y()), make)
        painter.restore()

    # private

    def _paint_near(self, painter: QPainter, look: NodeLook, box: Box, at: Point) -> None:
        shape = (box.w, box.h, box.left)

        def make() -> QPixmap:
            def paint(inner: QPainter) -> None:
                # the body from its own pixmap, in px; then the texts in sheet px
                to_sheet = inner.transform()
                inner.resetTransform()
                self._paint_body(inner, look, box, (0.0, 0.0))
                inner.setTransform(to_sheet)
                paint_texts(inner, look, *shape, self.theme)

            return self._new_pixmap(box.w, box.h, NODE_MARGIN, paint)

        self._cache.draw(painter, (look, shape, self.scale), at, make)

    def _paint_body(self, painter: QPainter, look: NodeLook, box: Box, at: Point) -> None:
        body, shape = look.body, (box.w, box.h, box.left)

        def make() -> QPixmap:
            def paint(inner: QPainter) -> None:
                paint_body(inner, body, *shape, self.theme)

            return self._new_pixmap(box.w, box.h, NODE_MARGIN, paint)

        self._cache.draw(painter, (body, shape, self.scale), at, make)

    def _paint_far(
        self, painter: QPainter, look: NodeLook, box: Box, at: Point, shows_numbers: bool
    ) -> None:
        body = far_body(look.body, bool(look.flag))
        theme, scale = self.theme, self.scale

        def make() -> QPixmap:
            def paint(inner: QPainter) -> None:
                paint_far_body(inner, body, box.w, box.h, theme)

            return self._new_pixmap(box.w, box.h, STATE_EDGE, paint)

        self._cache.draw(painter, (body, box.w, box.h, scale), at, make)
        # texts are placed from the whole device px at which the cache draws the body
        ratio, inset = self._cache.ratio, STATE_EDGE * scale - TEXT_MARGIN
        left = round(at[0] * ratio) / ratio + inset
        top = round(at[1] * ratio) / ratio + inset - TEXT_SIZE
        for text in far_texts(look, box, theme, scale, shows_numbers):
            key = (text.text, text.font.role, text.font.factor, text.color.rgba())
            corner = (left + text.x, top + text.y)
            self._cache.draw(painter, key, corner, partial(self._text_pixmap, text))

    def _text_pixmap(self, text: FarText) -> QPixmap:
        """Return the pixmap of a text, in px of the screen."""
        wide, high = text.wide + 2 * TEXT_MARGIN, 2.0 * (TEXT_SIZE + TEXT_MARGIN)
        return self._cache.new_pixmap(wide, high, partial(paint_far_text, text=text, at=BASELINE))

    def _new_pixmap(
        self, wide: float, high: float, margin: float, paint: Callable[[QPainter], None]
    ) -> QPixmap:
        """Return a pixmap of a size on the sheet with a margin around it."""

        def paint_on_sheet(painter: QPainter) -> None:
            painter.scale(self.scale, self.scale)
            painter.translate(margin, margin)
            paint(painter)

        size = (wide + 2 * margin) * self.scale, (high + 2 * margin) * self.scale
        return self._cache.new_pixmap(*size, paint_on_sheet)
