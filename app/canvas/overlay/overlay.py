"""Overlay: the minimap, the zoom buttons and the legend over the sheet.

It is painted last, in screen px, and gets pointer events before the sheet.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QKeySequence, QPainter, QPen, QPixmap

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.overlay.legend import Legend
from app.canvas.overlay.minimap import Minimap
from app.canvas.paint.pixmaps import whole_px
from app.style import sizes
from app.style.icons import paint_icon
from app.style.theme import mixed

EDGE, GAP = 12, 8
BUTTONS = 146, 32
"""Width and height of all zoom buttons together, in px at 100 %."""
ROOM_FOR_BUTTONS = (260, 200)
ROOM_FOR_MAP = (560, 320)
"""Minimum width and height of the canvas, at 100 %, for the buttons to be shown."""
ZOOM_STEP = 1.25


class Overlay:
    """The minimap, the zoom buttons and the legend of one canvas."""

    def __init__(self, canvas: CanvasContext) -> None:
        self._canvas = canvas
        self.tip = ""
        """Tooltip of the button under the pointer."""
        self.corner = MapAndZoom(canvas)
        self.legend = Legend(canvas)

    def covers(self, at: QPointF) -> bool:
        """Return whether a press at a screen point belongs to the overlay."""
        return self.corner.covers(at)

    def point(self, at: QPointF | None) -> bool:
        """Update the hovered button (None: pointer outside); return whether it changed."""
        self.legend.point(at)
        tip = self.corner.point(at)
        differs, self.tip = tip != self.tip, tip
        return differs

    def clearance(self, rect: QRectF) -> QPointF:
        """Return the smallest shift that moves a screen rectangle out from under the minimap."""
        self.corner.refresh(self._canvas.camera.visible_area)
        taken = self.corner.area.adjusted(-GAP, -GAP, GAP, GAP)
        if not taken.intersects(rect):
            return QPointF()
        up, left = taken.top() - rect.bottom(), taken.left() - rect.right()
        ways = [QPointF(0, up)] if rect.top() + up >= 0 else []
        ways += [QPointF(left, 0)] if rect.left() + left >= 0 else []
        return min(ways, key=QPointF.manhattanLength, default=QPointF())

    def moved_by(self, shift: QPoint) -> None:
        """Repaint the old and new places after the view was scrolled with the overlay on it."""
        for area in (self.corner.area, self.legend.area):
            if not area.isEmpty():
                self._canvas.repaint.on_screen(area.united(area.translated(shift)))

    def redraw(self) -> None:
        """Schedule a repaint of the map, if it is shown, after the sheet changed."""
        if self.corner.map_shown:
            self._canvas.repaint.on_screen(self.corner.map_rect())

    def refresh(self, seen: QRectF) -> None:
        """Decide what is shown; called before painting, when it is settled what is `seen`."""
        before = self.corner.area
        if self.corner.refresh(seen):
            self._canvas.repaint.on_screen(before.united(self.corner.area))
        self.legend.refresh(self.corner.area, seen)

    def paint(self, painter: QPainter, exposed: QRectF) -> None:
        """Paint the exposed part."""
        self.legend.paint(painter, exposed)
        self.corner.paint(painter, exposed)

    def follow(self, moved: bool) -> None:
        """Mark the map as outdated; `moved` if positions changed."""
        self.corner.minimap.follow(moved)


class Button(Struct, frozen=True):
    """One button: its icon, tooltip, shortcut and action."""

    icon: str
    text: str
    key: str
    act: Callable[[], object]
    on: Callable[[], bool] | None = None
    """Whether it is switched on; None for a button that is no switch."""

    @property
    def tip(self) -> str:
        """Return the tooltip with the shortcut."""
        keys = QKeySequence(self.key).toString(QKeySequence.SequenceFormat.NativeText)
        return f"{self.text} ({keys})"


class MapAndZoom:
    """Positions and look of the minimap and the buttons."""

    def __init__(self, canvas: CanvasContext) -> None:
        self._canvas = canvas
        self.minimap = Minimap(canvas)
        self.buttons = (
            Button("minus", "Zoom out", "-", self._zoom_out),
            Button("plus", "Zoom in", "+", self._zoom_in),
            Button("fit", "Fit all", "Shift+1", canvas.framing.fit_all),
            Button("follow", "Follow the step", "Shift+F", self._toggle_follow, self._follows),
        )
        self._with_map = False
        self._cards_for: object = None
        self._kept_cards = QRectF(), QRectF()
        self._pointed: Button | None = None
        self._buttons_for: object = None
        self._kept_buttons = QPixmap()

    # where things are

    @property
    def area(self) -> QRectF:
        """Return the screen rectangle of everything shown; empty when nothing is."""
        if not self._fits(ROOM_FOR_BUTTONS) or self._canvas.document.empty:
            return QRectF()
        card = self.buttons_rect()
        return card.united(self.map_rect()) if self._with_map else card

    @property
    def map_shown(self) -> bool:
        """Return whether the map is shown: part of the sheet is out of view, and there is space."""
        return self._with_map and not self.area.isEmpty()

    def map_rect(self) -> QRectF:
        """Return the rectangle of the map's card."""
        return self._cards()[0]

    def buttons_rect(self) -> QRectF:
        """Return the rectangle of the buttons' card, below the map."""
        return self._cards()[1]

    def _cards(self) -> tuple[QRectF, QRectF]:
        """Return the cards of map and buttons; cached while nothing moves."""
        style, room = self._canvas.style, self._canvas.widget.size()
        key = (room.toTuple(), style.control_scale)
        if key != self._cards_for:
            self._cards_for, edge = key, style.px(EDGE)
            wide, high = self.minimap.size()
            right, bottom = room.width() - edge, room.height() - edge
            across, down = style.px(BUTTONS[0]), style.px(BUTTONS[1])
            buttons = QRectF(right - across, bottom - down, across, down)
            low = buttons.top() - style.px(GAP)
            self._kept_cards = QRectF(right - wide, low - high, wide, high), buttons
        return self._kept_cards

    def rect_of(self, button: Button) -> QRectF:
        """Return the click target of one button."""
        card, place = self.buttons_rect(), self.buttons.index(button)
        wide = card.width() / len(self.buttons)
        return QRectF(card.left() + place * wide, card.top(), wide, card.height())

    def covers(self, at: QPointF) -> bool:
        """Return whether a screen point belongs to map or buttons instead of the sheet."""
        return self._on_map(at) or self.button_at(at) is not None

    def button_at(self, at: QPointF) -> Button | None:
        """Return the button at a screen point, or None."""
        if not self.buttons_rect().contains(at) or self.area.isEmpty():
            return None
        return next((b for b in self.buttons if self.rect_of(b).contains(at)), None)

    # what happens

    def refresh(self, seen: QRectF) -> bool:
        """Show or hide the map before painting; return whether that changed."""
        fits = self._fits(ROOM_FOR_MAP) and not self._canvas.document.empty
        wanted = fits and self.minimap.worth_showing(seen)
        if wanted == self._with_map:
            return False
        self._with_map = wanted
        return True

    def point(self, at: QPointF | None) -> str:
        """Update the hovered button (None: pointer outside); return its tooltip."""
        found = None if at is None else self.button_at(at)
        if found is not self._pointed:
            self._pointed = found
            self._canvas.repaint.on_screen(self.area)
        return "" if found is None else found.tip

    def on_map(self, at: QPointF) -> tuple[QPointF, float] | None:
        """Return the sheet point under a point of the map, and sheet px per screen px there."""
        if not self._on_map(at):
            return None
        card = self.map_rect()
        below = self.minimap.to_sheet(at, card)
        beside = self.minimap.to_sheet(at + QPointF(1, 0), card)
        return below, beside.x() - below.x()

    def paint(self, painter: QPainter, exposed: QRectF) -> None:
        """Paint it in screen px, if any of it is exposed."""
        if not self.area.intersects(exposed):
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._with_map:
            self.minimap.paint(painter, self.map_rect())
        card, ratio = self.buttons_rect(), painter.device().devicePixelRatioF()
        theme, shows_all = self._canvas.theme, self._canvas.framing.shows_all
        key = (theme.name, ratio, card.getRect(), self._pointed, self._follows(), shows_all)
        if key != self._buttons_for:
            self._buttons_for = key
            self._kept_buttons = QPixmap(QSizeF(card.size() * ratio).toSize() + QSize(1, 1))
            self._kept_buttons.setDevicePixelRatio(ratio)
            self._kept_buttons.fill(Qt.GlobalColor.transparent)
            with QPainter(self._kept_buttons) as inner:
                inner.setRenderHint(QPainter.RenderHint.Antialiasing)
                inner.translate(-card.topLeft())
                self._paint_buttons(inner)
        painter.drawPixmap(whole_px(card.left(), card.top(), ratio), self._kept_buttons)

    # private

    def _zoom_in(self) -> None:
        self._canvas.camera.zoom_by(ZOOM_STEP)

    def _zoom_out(self) -> None:
        self._canvas.camera.zoom_by(1 / ZOOM_STEP)

    def _follows(self) -> bool:
        """Return whether the view follows; where everything is in view, it need not."""
        return self._canvas.style.follow and not self._canvas.framing.shows_all

    def _toggle_follow(self) -> None:
        self._canvas.style.set_follow(not self._canvas.style.follow)

    def _fits(self, room: tuple[int, int]) -> bool:
        style, host = self._canvas.style, self._canvas.widget
        if style.presented:
            return False
        return (
            host.width() >= room[0] * style.control_scale
            and host.height() >= room[1] * style.control_scale
        )

    def _on_map(self, at: QPointF) -> bool:
        return self._with_map and self.map_rect().contains(at) and self.map_shown

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
                painter.drawLine(rect.topLeft() + QPointF(0, 1), rect.bottomLeft() - QPointF(0, 1))
            ink = theme.text
            if button.on is not None and button.on():
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.text)
                painter.drawRoundedRect(rect.adjusted(3, 3, -3, -3), 5, 5)
                ink = theme.node
            elif button.on is not None and self._canvas.framing.shows_all:
                ink = theme.secondary
            side = self._canvas.style.px(sizes.ICON)
            icon = QRectF(0, 0, side, side)
            icon.moveCenter(rect.center())
            paint_icon(painter, icon, button.icon, ink)
