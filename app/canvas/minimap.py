"""Minimap: the whole sheet in a corner of the canvas, with a frame round the part that is seen.

What it shows is kept as a pixmap and drawn anew only after something moved or came into another
state; while one pans, only the frame moves.
"""

from __future__ import annotations

from time import perf_counter

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPen, QPixmap

from app.canvas.geometry import Box
from app.canvas.group_look import GroupBox
from app.canvas.look import Tone
from app.canvas.paint_far import tone_color
from app.canvas.painter import TONES
from app.canvas.surface import Surface
from app.style import sizes

WIDE, HIGH = 160, 104
PAD = 7.0
LARGEST = 0.12
"""A small sheet is drawn no larger than this, beside its size at 100 %."""
LEAST_NODE = 2.6
AT_ONCE = 0.001
"""Seconds: a map that took longer to draw is drawn anew later, when there is time."""
SHARE = 25
"""Drawing takes at most one part in so many of the time."""


class Minimap:
    """The map of one canvas, painted into a card on the screen."""

    def __init__(self, view: Surface) -> None:
        self._view = view
        self._pixmap = QPixmap()
        self._key: object = None
        self._stale = True
        self._due = False
        self._cost = 0.0
        self._content = QRectF()
        self._measured: object = None
        self._later = QTimer(view.host)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._draw_later)

    def follow(self, moved: bool) -> None:
        """Something looks different, or even stands elsewhere; it is drawn when next seen."""
        self._stale = True
        if moved:
            self._measured = None

    @property
    def content(self) -> QRectF:
        """The rectangle of the sheet on which something stands."""
        looked_at = (self._view.stage.inside,)
        if self._measured != looked_at:
            self._content, self._measured = self._bounds(), looked_at
            self._stale = True
        return self._content

    @property
    def worth_showing(self) -> bool:
        """Whether part of the sheet is out of sight."""
        return not self.content.isEmpty() and not self._view.visible_area.contains(self.content)

    def size(self) -> tuple[int, int]:
        """Its width and height on the screen."""
        style = self._view.style_in_force
        return style.px(WIDE), style.px(HIGH)

    def to_sheet(self, point: QPointF, card: QRectF) -> QPointF:
        """The point of the sheet that a point of the map stands for."""
        return (point - card.center()) / self._scale(card) + self.content.center()

    def frame(self, card: QRectF) -> QRectF:
        """The rectangle on the map that stands for the part that is seen, kept in sight."""
        area, scale = self._view.visible_area, self._scale(card)
        corner = card.center() + (area.topLeft() - self.content.center()) * scale
        whole = QRectF(corner.x(), corner.y(), area.width() * scale, area.height() * scale)
        inner = card.adjusted(3, 3, -3, -3)
        left = min(max(whole.left(), inner.left()), inner.right() - 6)
        top = min(max(whole.top(), inner.top()), inner.bottom() - 6)
        right = max(min(whole.right(), inner.right()), left + 6)
        bottom = max(min(whole.bottom(), inner.bottom()), top + 6)
        return QRectF(QPointF(left, top), QPointF(right, bottom))

    def paint(self, painter: QPainter, card: QRectF) -> None:
        """Draw the map and the frame into a rectangle of the screen."""
        theme = self._view.theme
        self._refresh(card, painter.device().devicePixelRatioF())
        painter.drawPixmap(card.topLeft(), self._pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.selection, 2.0))
        painter.drawRoundedRect(self.frame(card), 4, 4)

    # inside

    def _scale(self, card: QRectF) -> float:
        """Pixels of the map per pixel of the sheet."""
        content, pad = self.content, 2 * PAD
        if content.isEmpty():
            return LARGEST
        fitting = (card.width() - pad) / content.width(), (card.height() - pad) / content.height()
        return min(*fitting, LARGEST * self._view.unit)

    def _bounds(self) -> QRectF:
        """Around all nodes, groups and sections."""
        stage = self._view.stage
        boxes = [*stage.boxes.values(), *stage.group_boxes.values()]
        corners = [(b.x, b.y, b.x + b.w, b.y + b.h) for b in boxes]
        for rect in stage.section_rects().values():
            corners.append((rect.left(), rect.top(), rect.right(), rect.bottom()))
        if not corners:
            return QRectF()
        lefts, tops, rights, bottoms = zip(*corners, strict=True)
        return QRectF(QPointF(min(lefts), min(tops)), QPointF(max(rights), max(bottoms)))

    def _refresh(self, card: QRectF, ratio: float) -> None:
        """Draw anew what is stale: at once where that is quick, else when there is time."""
        key = (self._view.theme.name, card.width(), card.height(), ratio)
        if key != self._key:
            self._key = key
            self._draw(card, ratio)
        elif self._stale and (self._due or self._cost < AT_ONCE):
            self._draw(card, ratio)
        elif self._stale and not self._later.isActive():
            self._later.start(max(60, round(self._cost * SHARE * 1000)))

    def _draw_later(self) -> None:
        if self._stale:
            self._due = True
            self._view.host.update()

    def _draw(self, card: QRectF, ratio: float) -> None:
        start = perf_counter()
        self._stale = self._due = False
        theme = self._view.theme
        self._pixmap = QPixmap(round(card.width() * ratio), round(card.height() * ratio))
        self._pixmap.setDevicePixelRatio(ratio)
        self._pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(self._pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.outline, 1.0))
        painter.setBrush(theme.node)
        whole = QRectF(0, 0, card.width(), card.height())
        edge = whole.adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(edge, sizes.RADIUS_BUTTON, sizes.RADIUS_BUTTON)
        painter.setPen(Qt.PenStyle.NoPen)
        for tone, rects in self._marks(whole).items():
            painter.setBrush(tone_color(tone, theme))
            if len(rects) > 300:
                painter.drawRects(rects)
            else:
                for rect in rects:
                    painter.drawRoundedRect(rect, 1.5, 1.5)
        painter.end()
        self._cost = perf_counter() - start

    def _marks(self, card: QRectF) -> dict[Tone, list[QRectF]]:
        """A small rectangle for each node and collapsed group, by the colour of its state."""
        stage, scale, content = self._view.stage, self._scale(card), self.content
        x = card.center().x() - content.center().x() * scale
        y = card.center().y() - content.center().y() * scale
        marks: dict[Tone, list[QRectF]] = {}

        def put(tone: Tone, box: Box | GroupBox) -> None:
            wide, high = max(box.w * scale, LEAST_NODE), max(box.h * scale, LEAST_NODE)
            rect = QRectF(x + box.x * scale, y + box.y * scale, wide, high)
            marks.setdefault(tone, []).append(rect)

        tone = stage.looks.tone
        for node, box in stage.boxes.items():
            put(tone(node), box)
        for group, box in stage.group_boxes.items():
            outputs = stage.scheme.folded[group].outputs
            tones: list[Tone] = [tone(node) for node in outputs] or [TONES[-1]]
            put(min(tones, key=TONES.index), box)
        return marks
