"""Minimap: the whole sheet in a corner of the canvas, with a frame round the visible part.

Its content is kept as a pixmap and painted again only after something moved or changed state;
panning moves only the frame. A press falls through to the canvas, which begins a gesture for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from time import perf_counter

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from app.canvas.appearance.items import GroupKey, ItemKey
from app.canvas.appearance.looks import TONES_BY_PRECEDENCE, Looks, Tone
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.layout.node_box import Box
from app.canvas.paint.far_view import tone_color
from app.document.sheet import is_large
from app.guard import exception_safe
from app.style import sizes

PADDING = 7.0
"""Space around the content, in px."""
MAX_SCALE = 0.12
"""Largest scale of the map, relative to 100 %, for small sheets."""
MIN_NODE_SIZE = 2.6
"""Least width and height of a node on the map, in px."""
IDLE_FACTOR = 25
"""Pause before a large map is drawn again, as a multiple of the time that drawing took."""


@exception_safe
class Minimap(QWidget):
    """The map of one canvas."""

    def __init__(self, canvas: CanvasContext) -> None:
        super().__init__(canvas.widget)
        self.setAccessibleName("Map")
        self.setMouseTracking(True)  # the canvas hears of moves
        self._canvas = canvas
        self._pixmap = QPixmap()
        self._key: object = None
        """Theme, size and scale for which the pixmap was drawn."""
        self._draws_now = False
        """Whether the pause before drawing a large map is over."""
        self._draw_seconds = 0.0
        """How long the last drawing took."""
        self._content = QRectF()
        self._content_key: object = None
        """The layout of which `_content` is the rectangle."""
        self._rects: dict[ItemKey, QRectF] = {}
        """Rectangles on the map by node, or by a group's negated number; empty if outdated."""
        self._tones: dict[int, Tone] = {}
        self._looks: Looks | None = None
        """The looks that were drawn last."""
        self._redraw_timer = QTimer(self, singleShot=True)
        self._redraw_timer.timeout.connect(self._draw_later)

    def redraw(self) -> None:
        """Schedule a repaint; a separate `update` would paint the sheet twice."""
        if self.isVisible():
            self._canvas.repaint.on_screen(QRectF(self.geometry()))

    @property
    def content(self) -> QRectF:
        """Return the sheet rectangle around all content."""
        scene = self._canvas.scene
        dragged = bool(scene.node_layout.preview)  # measured once, however many moves follow
        layout = (scene.visible, dragged, 0 if dragged else scene.generation)
        if self._content_key != layout:
            self._content, self._content_key = self._bounds(), layout
            self._rects.clear()
        return self._content

    @property
    def is_needed(self) -> bool:
        """Return whether part of the content is out of view."""
        seen = self._canvas.camera.visible_area
        return not self.content.isEmpty() and not seen.contains(self.content)

    @property
    def frame(self) -> QRectF:
        """Return the frame of the visible part on the map, kept inside the card.

        However far the view is from the content, 6 px of it stay to be grabbed.
        """
        area, card, scale = self._canvas.camera.visible_area, self._card, self.scale
        corner = card.center() + (area.topLeft() - self.content.center()) * scale
        unclamped = QRectF(corner.x(), corner.y(), area.width() * scale, area.height() * scale)
        inner = card.adjusted(3, 3, -3, -3)
        left = min(max(unclamped.left(), inner.left()), inner.right() - 6)
        top = min(max(unclamped.top(), inner.top()), inner.bottom() - 6)
        right = max(min(unclamped.right(), inner.right()), left + 6)
        bottom = max(min(unclamped.bottom(), inner.bottom()), top + 6)
        return QRectF(QPointF(left, top), QPointF(right, bottom))

    @property
    def scale(self) -> float:
        """Return map px per sheet px."""
        content, pad = self.content, 2 * PADDING
        if content.isEmpty():
            return MAX_SCALE
        fitting = (self.width() - pad) / content.width(), (self.height() - pad) / content.height()
        return min(*fitting, MAX_SCALE * self._canvas.camera.interface_scale)

    def to_sheet(self, point: QPointF) -> QPointF:
        return (point - self._card.center()) / self.scale + self.content.center()

    def paintEvent(self, _event: QPaintEvent) -> None:
        self._refresh()
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._pixmap)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._canvas.theme.selection, 2.0))
            painter.drawRoundedRect(self.frame, 4, 4)

    # private

    @property
    def _card(self) -> QRectF:
        return QRectF(self.rect())

    def _bounds(self) -> QRectF:
        """Return the rectangle around all nodes, collapsed and drawn groups."""
        scene = self._canvas.scene
        corners = [(b.x, b.y, b.x + b.w, b.y + b.h) for b in scene.boxes.values()]
        for rect in scene.node_layout.groups.drawn.values():
            corners.append((rect.left(), rect.top(), rect.right(), rect.bottom()))
        if not corners:
            return QRectF()
        lefts, tops, rights, bottoms = zip(*corners, strict=True)
        return QRectF(QPointF(min(lefts), min(tops)), QPointF(max(rights), max(bottoms)))

    def _refresh(self) -> None:
        """Redraw outdated content: at once if that is quick, else when idle."""
        canvas = self._canvas
        unit, ratio = canvas.camera.interface_scale, self.devicePixelRatioF()
        key = (canvas.theme.name, self.size().toTuple(), ratio, unit)
        if key != self._key:
            self._key = key
            self._rects.clear()
            self._draw()
        elif self._is_as_drawn():
            self._draws_now = False
            self._looks = canvas.scene.looks
        elif self._draws_now or not is_large(canvas.document.graph):
            self._draw()
        elif not self._redraw_timer.isActive():
            # at least 60 ms, in which several steps of a playing pass fall together
            self._redraw_timer.start(max(60, round(self._draw_seconds * IDLE_FACTOR * 1000)))

    def _is_as_drawn(self) -> bool:
        """Return whether nothing moved and at most numbers differ since it was drawn."""
        looks, drawn = self._canvas.scene.looks, self._looks
        if not self._rects or drawn is None:
            return False
        return looks is drawn or looks.has_same_tones_as(drawn)

    def _draw_later(self) -> None:
        self._draws_now = True
        self.redraw()

    def _draw(self) -> None:
        start = perf_counter()
        self._draws_now = False
        theme, ratio = self._canvas.theme, self.devicePixelRatioF()
        self._pixmap = QPixmap(self.size() * ratio)
        self._pixmap.setDevicePixelRatio(ratio)
        self._pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(self._pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.outline, 1.0))
        painter.setBrush(theme.node)
        edge = self._card.adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(edge, sizes.RADIUS_BUTTON, sizes.RADIUS_BUTTON)
        painter.setPen(Qt.PenStyle.NoPen)
        rects = self._rects_by_tone()
        plain = is_large(self._canvas.document.graph)  # without round corners
        for tone in reversed(TONES_BY_PRECEDENCE):  # those that matter most on top
            painter.setBrush(tone_color(tone, theme))
            if plain:
                painter.drawRects(rects[tone])
            else:
                for rect in rects[tone]:
                    painter.drawRoundedRect(rect, 1.5, 1.5)
        painter.end()
        self._draw_seconds = perf_counter() - start

    def _rects_by_tone(self) -> dict[Tone, list[QRectF]]:
        """Return the rectangles of nodes and collapsed groups on the map, by tone."""
        scene = self._canvas.scene
        self._read_tones()
        if not self._rects:
            self._rects = {key: self._rect_on_map(box) for key, box in scene.boxes.items()}
        tones = self._tones
        rects: dict[Tone, list[QRectF]] = {tone: [] for tone in TONES_BY_PRECEDENCE}
        for key, rect in self._rects.items():
            rects[scene.tone(key) if isinstance(key, GroupKey) else tones[key]].append(rect)
        return rects

    def _rect_on_map(self, box: Box) -> QRectF:
        scale = self.scale
        corner = self._card.center() + (QPointF(box.x, box.y) - self._content.center()) * scale
        wide, high = max(box.w * scale, MIN_NODE_SIZE), max(box.h * scale, MIN_NODE_SIZE)
        return QRectF(corner.x(), corner.y(), wide, high)

    def _read_tones(self) -> None:
        """Update the states that may differ; during a pass only those changed by a step."""
        looks, last_looks = self._canvas.scene.looks, self._looks
        self._looks, frame = looks, looks.frame
        changed: Iterable[int] = frame.graph.nodes
        if last_looks is not None and looks.has_same_tones_as(last_looks):
            return
        before = frame if last_looks is None else last_looks.frame
        if (
            last_looks is not None
            and before.graph is frame.graph
            and before.unhidden is frame.unhidden
        ):
            changed = {step.node for step in (before.current, frame.current) if step is not None}
            changed |= before.grads.keys() ^ frame.grads.keys()
            changed |= before.values.keys() ^ frame.values.keys()
            changed |= set(frame.graph.roots())
        else:
            self._tones = {}
        for node in changed:
            self._tones[node] = looks.tone(node)
