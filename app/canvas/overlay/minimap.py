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

from app.canvas.appearance.group_look import GroupBox
from app.canvas.appearance.look import TONES, Tone
from app.canvas.appearance.looks import Looks
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.layout.node_box import Box
from app.canvas.paint.far_view import tone_color
from app.guard import guarded
from app.style import sizes

PAD = 7.0
LARGEST = 0.12
"""Largest scale of the map, relative to 100 %, for small sheets."""
LEAST_NODE = 2.6
MANY = 300
"""Above this number of nodes, the map is drawn without round corners and only when idle."""
SHARE = 25
"""Drawing the map may take at most one part in this many of the time."""


@guarded
class Minimap(QWidget):
    """The map of one canvas."""

    def __init__(self, canvas: CanvasContext) -> None:
        super().__init__(canvas.widget)
        self.setAccessibleName("Map")
        self.setMouseTracking(True)  # the canvas hears of moves
        self._canvas = canvas
        self._pixmap = QPixmap()
        self._key: object = None
        self._due = False
        self._cost = 0.0
        self._content = QRectF()
        self._measured: object = None
        self._spots: dict[int, QRectF] = {}
        self._tones: dict[int, Tone] = {}
        self._looks: Looks | None = None
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._draw_later)

    def redraw(self) -> None:
        """Schedule a repaint; `update` beside one of the sheet would paint the sheet twice."""
        if self.isVisible():
            self._canvas.repaint.on_screen(QRectF(self.geometry()))

    @property
    def content(self) -> QRectF:
        """Return the sheet rectangle around all content."""
        scene = self._canvas.scene
        dragged = bool(scene.node_layout.preview)  # measured once, however many moves follow
        layout = (scene.visible, dragged, 0 if dragged else scene.generation)
        if self._measured != layout:
            self._content, self._measured = self._bounds(), layout
            self._spots.clear()
        return self._content

    @property
    def worth_showing(self) -> bool:
        """Return whether part of the content is out of view."""
        seen = self._canvas.camera.visible_area
        return not self.content.isEmpty() and not seen.contains(self.content)

    @property
    def frame(self) -> QRectF:
        """Return the frame of the visible part on the map, kept inside the card."""
        area, card, scale = self._canvas.camera.visible_area, self._card, self.scale
        corner = card.center() + (area.topLeft() - self.content.center()) * scale
        whole = QRectF(corner.x(), corner.y(), area.width() * scale, area.height() * scale)
        inner = card.adjusted(3, 3, -3, -3)
        left = min(max(whole.left(), inner.left()), inner.right() - 6)
        top = min(max(whole.top(), inner.top()), inner.bottom() - 6)
        right = max(min(whole.right(), inner.right()), left + 6)
        bottom = max(min(whole.bottom(), inner.bottom()), top + 6)
        return QRectF(QPointF(left, top), QPointF(right, bottom))

    @property
    def scale(self) -> float:
        """Return map px per sheet px."""
        content, pad = self.content, 2 * PAD
        if content.isEmpty():
            return LARGEST
        fitting = (self.width() - pad) / content.width(), (self.height() - pad) / content.height()
        return min(*fitting, LARGEST * self._canvas.camera.unit)

    def to_sheet(self, point: QPointF) -> QPointF:
        """Map a point of the minimap to the sheet."""
        return (point - self._card.center()) / self.scale + self.content.center()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the map and the frame."""
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
        """Return the rectangle around all nodes, groups and sections."""
        scene = self._canvas.scene
        boxes = [*scene.boxes.values(), *scene.group_boxes.values()]
        corners = [(b.x, b.y, b.x + b.w, b.y + b.h) for b in boxes]
        for rect in scene.node_layout.sections.rects.values():
            corners.append((rect.left(), rect.top(), rect.right(), rect.bottom()))
        if not corners:
            return QRectF()
        lefts, tops, rights, bottoms = zip(*corners, strict=True)
        return QRectF(QPointF(min(lefts), min(tops)), QPointF(max(rights), max(bottoms)))

    def _refresh(self) -> None:
        """Redraw outdated content: at once if that is quick, else when idle."""
        canvas = self._canvas
        unit, ratio = canvas.camera.unit, self.devicePixelRatioF()
        key = (canvas.theme.name, self.size().toTuple(), ratio, unit)
        if key != self._key:
            self._key = key
            self._spots.clear()
            self._draw()
        elif self._is_as_drawn():
            self._due = False
            self._looks = canvas.scene.looks
        elif self._due or len(canvas.scene.boxes) <= MANY:
            self._draw()
        elif not self._later.isActive():
            self._later.start(max(60, round(self._cost * SHARE * 1000)))

    def _is_as_drawn(self) -> bool:
        """Return whether nothing moved and at most numbers differ since it was drawn."""
        looks, drawn = self._canvas.scene.looks, self._looks
        if not self._spots or drawn is None:
            return False
        return looks is drawn or looks.has_same_tones_as(drawn)

    def _draw_later(self) -> None:
        self._due = True
        self.redraw()

    def _draw(self) -> None:
        start = perf_counter()
        self._due = False
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
        marks = self._marks()
        many = len(self._spots) > MANY
        for tone in reversed(TONES):
            painter.setBrush(tone_color(tone, theme))
            if many:
                painter.drawRects(marks[tone])
            else:
                for rect in marks[tone]:
                    painter.drawRoundedRect(rect, 1.5, 1.5)
        painter.end()
        self._cost = perf_counter() - start

    def _marks(self) -> dict[Tone, list[QRectF]]:
        """Return a small rectangle per node and collapsed group, by the colour of its state."""
        scene = self._canvas.scene
        self._read_tones()
        if not self._spots:  # by node, or by a group's negated number
            self._spots = {node: self._small(box) for node, box in scene.boxes.items()}
            groups = scene.group_boxes.items()
            self._spots |= {-group: self._small(box) for group, box in groups}
        tones = self._tones
        marks: dict[Tone, list[QRectF]] = {tone: [] for tone in TONES}
        for key, rect in self._spots.items():
            marks[tones[key] if key >= 0 else scene.group_tone(-key)].append(rect)
        return marks

    def _small(self, box: Box | GroupBox) -> QRectF:
        scale = self.scale
        corner = self._card.center() + (QPointF(box.x, box.y) - self._content.center()) * scale
        wide, high = max(box.w * scale, LEAST_NODE), max(box.h * scale, LEAST_NODE)
        return QRectF(corner.x(), corner.y(), wide, high)

    def _read_tones(self) -> None:
        """Update the states that may differ; during a pass only those changed by a step."""
        looks, old = self._canvas.scene.looks, self._looks
        self._looks, frame = looks, looks.frame
        touched: Iterable[int] = frame.graph.nodes
        if old is not None and looks.has_same_tones_as(old):
            return
        before = frame if old is None else old.frame
        if old is not None and before.graph is frame.graph and before.unhidden is frame.unhidden:
            touched = {step.node for step in (before.current, frame.current) if step is not None}
            touched |= before.grads.keys() ^ frame.grads.keys()
            touched |= before.values.keys() ^ frame.values.keys()
            touched |= set(frame.graph.roots())
        else:
            self._tones = {}
        for node in touched:
            self._tones[node] = looks.tone(node)
