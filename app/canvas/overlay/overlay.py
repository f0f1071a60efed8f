"""Overlay: places the minimap, the zoom buttons and the legend in the corners of the canvas.

They are child widgets of the sheet, which Qt paints above it.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.overlay.legend import EDGE, Legend
from app.canvas.overlay.minimap import Minimap
from app.canvas.overlay.zoom_buttons import ZoomButtons

GAP = 8
MAP, BUTTONS = (160, 104), (146, 32)
"""Width and height of the map and of all zoom buttons together, in px at 100 %."""
ROOM_FOR_BUTTONS = (260, 200)
ROOM_FOR_MAP = (560, 320)
"""Minimum width and height of the canvas, at 100 %, for the buttons or the map to be shown."""


class Overlay:
    """The minimap, the zoom buttons and the legend of one canvas."""

    def __init__(self, canvas: CanvasContext) -> None:
        self._canvas = canvas
        self.minimap = Minimap(canvas)
        self.zoom_buttons = ZoomButtons(canvas)
        self.legend = Legend(canvas)
        for widget in (self.minimap, self.zoom_buttons, self.legend):
            widget.hide()
        canvas.style.changed.connect(self.place)

    @property
    def area(self) -> QRectF:
        """Return the rectangle of map and buttons, as far as they are shown."""
        return self._rect_of(*self._shown())

    def clearance(self, rect: QRectF) -> QPointF:
        """Return the smallest shift that moves a screen rectangle out from under the minimap."""
        taken = self.area.adjusted(-GAP, -GAP, GAP, GAP)
        if not taken.intersects(rect):
            return QPointF()
        up, left = taken.top() - rect.bottom(), taken.left() - rect.right()
        ways = [QPointF(0, up)] if rect.top() + up >= 0 else []
        ways += [QPointF(left, 0)] if rect.left() + left >= 0 else []
        return min(ways, key=QPointF.manhattanLength, default=QPointF())

    def place(self) -> None:
        """Move the widgets into their corners, in the size of the style."""
        px = self._canvas.style.px
        edge, room = px(EDGE), self._canvas.widget.rect()
        corner = room.bottomRight() - QPoint(edge, edge)
        for widget, (wide, high) in ((self.zoom_buttons, BUTTONS), (self.minimap, MAP)):
            rect = QRect(QPoint(), QSize(px(wide), px(high)))
            rect.moveBottomRight(corner)
            widget.setGeometry(rect)
            corner.setY(rect.top() - px(GAP) - 1)
        self.legend.place()

    def refresh(self) -> None:
        """Show or hide the widgets; called before painting, when it is settled what is in view."""
        buttons, with_map = self._shown()
        self.zoom_buttons.refresh()
        self.zoom_buttons.setVisible(buttons)
        self.minimap.setVisible(with_map)
        self.legend.refresh(self._rect_of(buttons, with_map))

    # private

    def _shown(self) -> tuple[bool, bool]:
        """Return whether the buttons are shown, and the map, while part of the sheet is hidden."""
        buttons = self._fits(ROOM_FOR_BUTTONS) and not self._canvas.document.empty
        return buttons, buttons and self._fits(ROOM_FOR_MAP) and self.minimap.worth_showing

    def _rect_of(self, buttons: bool, with_map: bool) -> QRectF:
        rect = self.zoom_buttons.geometry() if buttons else QRect()
        return QRectF(rect.united(self.minimap.geometry()) if with_map else rect)

    def _fits(self, room: tuple[int, int]) -> bool:
        style, host = self._canvas.style, self._canvas.widget
        if style.presented:
            return False
        return (
            host.width() >= room[0] * style.control_scale
            and host.height() >= room[1] * style.control_scale
        )
