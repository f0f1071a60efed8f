"""MapAndZoom: the minimap and the zoom buttons, at the bottom right of the canvas.

They are painted over the sheet instead of being widgets: a widget over the canvas would make
every pan a whole repaint.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QKeySequence, QPainter, QPen

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.overlay.minimap import Minimap
from app.style import sizes
from app.style.icons import paint_icon
from app.style.theme import mixed

EDGE, GAP = 12, 8
BUTTON = 32
ROOM_FOR_BUTTONS = (260, 200)
ROOM_FOR_MAP = (560, 320)
"""The least width and height of the canvas, at 100 %, in which they do not stand in the way."""
ZOOM_STEP = 1.25


@dataclass(frozen=True)
class Button:
    """One button: its icon, what it says, its key, and what it does."""

    icon: str
    text: str
    key: str
    act: Callable[[], object]

    @property
    def tip(self) -> str:
        """What it does, and the key that does the same."""
        keys = QKeySequence(self.key).toString(QKeySequence.SequenceFormat.NativeText)
        return f"{self.text} ({keys})"


class MapAndZoom:
    """Where the map and the buttons are, and what they look like."""

    def __init__(self, canvas: CanvasContext) -> None:
        self._canvas = canvas
        self.minimap = Minimap(canvas)
        self.buttons = (
            Button("plus", "Zoom in", "+", self._zoom_in),
            Button("minus", "Zoom out", "-", self._zoom_out),
            Button("fit", "Fit all", "Shift+1", canvas.framing.fit_all),
        )
        self._with_map = False
        self._cards_for: object = None
        self._kept_cards = QRectF(), QRectF()
        self._pointed: Button | None = None

    # where things are

    @property
    def area(self) -> QRectF:
        """The rectangle of the screen that all of it takes; empty when nothing is shown."""
        if not self._fits(ROOM_FOR_BUTTONS) or self._canvas.document.empty:
            return QRectF()
        card = self.buttons_rect()
        return card.united(self.map_rect()) if self._with_map else card

    @property
    def map_shown(self) -> bool:
        """Whether there is a map: part of the sheet is out of sight, and there is room."""
        return self._with_map and not self.area.isEmpty()

    def map_rect(self) -> QRectF:
        """The card of the map."""
        return self._cards()[0]

    def buttons_rect(self) -> QRectF:
        """The card of the buttons, left of the map."""
        return self._cards()[1]

    def _cards(self) -> tuple[QRectF, QRectF]:
        """The cards of the map and of the buttons, kept while they stay where they are."""
        style, room = self._canvas.style, self._canvas.widget.size()
        key = (room.toTuple(), style.scale, self._with_map)
        if key != self._cards_for:
            self._cards_for, edge = key, style.px(EDGE)
            wide, high = self.minimap.size()
            right, bottom = room.width() - edge, room.height() - edge
            card = QRectF(right - wide, bottom - high, wide, high)
            side = style.px(BUTTON)
            high = side * len(self.buttons)
            right = round(card.left()) - style.px(GAP) if self._with_map else right
            self._kept_cards = card, QRectF(right - side, bottom - high, side, high)
        return self._kept_cards

    def rect_of(self, button: Button) -> QRectF:
        """The target of one button."""
        card, side = self.buttons_rect(), self._canvas.style.px(BUTTON)
        place = self.buttons.index(button)
        return QRectF(card.left(), card.top() + place * side, side, side)

    def covers(self, at: QPointF) -> bool:
        """Whether a point of the screen belongs to it and not to the sheet."""
        return self._on_map(at) or self.button_at(at) is not None

    def button_at(self, at: QPointF) -> Button | None:
        """The button under a point of the screen."""
        if self.area.isEmpty() or not self.buttons_rect().contains(at):
            return None
        return next((b for b in self.buttons if self.rect_of(b).contains(at)), None)

    # what happens

    def follow(self, moved: bool) -> None:
        """The sheet looks different, or things stand elsewhere on it."""
        self.minimap.follow(moved)

    def refresh(self) -> bool:
        """Show or hide the map as is fit, before painting; whether that differs now.

        While the pointer is on a button nothing moves away from under it.
        """
        fits = self._fits(ROOM_FOR_MAP) and not self._canvas.document.empty
        wanted = fits and self.minimap.worth_showing
        if wanted == self._with_map or self._pointed is not None:
            return False
        self._with_map = wanted
        return True

    def point(self, at: QPointF | None) -> str:
        """The pointer is here, or nowhere; returns what the button below it would do."""
        found = None if at is None else self.button_at(at)
        if found is not self._pointed:
            self._pointed = found
            self._canvas.repaint.on_screen(self.area)
        return "" if found is None else found.tip

    def on_map(self, at: QPointF) -> tuple[QPointF, float] | None:
        """The point of the sheet below a point of the map, and sheet px per screen px there."""
        if not self._on_map(at):
            return None
        card = self.map_rect()
        below = self.minimap.to_sheet(at, card)
        beside = self.minimap.to_sheet(at + QPointF(1, 0), card)
        return below, beside.x() - below.x()

    def paint(self, painter: QPainter, exposed: QRectF) -> None:
        """Draw it, in screen pixels, if any of it is exposed."""
        if self.area.isEmpty() or not self.area.intersects(exposed):
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._with_map:
            self.minimap.paint(painter, self.map_rect())
        self._paint_buttons(painter)

    # private

    def _zoom_in(self) -> None:
        self._canvas.camera.zoom_by(ZOOM_STEP)

    def _zoom_out(self) -> None:
        self._canvas.camera.zoom_by(1 / ZOOM_STEP)

    def _fits(self, room: tuple[int, int]) -> bool:
        style, host = self._canvas.style, self._canvas.widget
        return host.width() >= style.px(room[0]) and host.height() >= style.px(room[1])

    def _on_map(self, at: QPointF) -> bool:
        return self.map_shown and self.map_rect().contains(at)

    def _paint_buttons(self, painter: QPainter) -> None:
        theme, card = self._canvas.theme, self.buttons_rect()
        painter.setPen(QPen(theme.outline, 1.0))
        painter.setBrush(theme.node)
        edge = card.adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(edge, sizes.RADIUS_BUTTON, sizes.RADIUS_BUTTON)
        for button in self.buttons:
            rect = self.rect_of(button)
            if button is self._pointed:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(mixed(theme.node, theme.text, 0.08))
                painter.drawRoundedRect(rect.adjusted(3, 3, -3, -3), 5, 5)
            if button is not self.buttons[0]:
                painter.setPen(QPen(theme.line, 1.0))
                painter.drawLine(rect.topLeft() + QPointF(1, 0), rect.topRight() - QPointF(1, 0))
            side = self._canvas.style.px(sizes.ICON)
            icon = QRectF(0, 0, side, side)
            icon.moveCenter(rect.center())
            paint_icon(painter, icon, button.icon, theme.text)
