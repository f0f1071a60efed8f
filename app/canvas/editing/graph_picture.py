"""GraphPicture: a small picture of a graph that is about to be added."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.canvas.paint.figure import Shot, scene_of
from app.canvas.paint.painter import BATCHED, paint_scene
from app.canvas.scene.scene import Scene
from app.document.placement import columns
from app.document.sheet import Sheet, sheet_of
from app.guard import guarded
from app.style.current import Style
from engine.formats.native import Drawing
from engine.frame import live_frame

SIZE = (264, 132)
"""Width and height, in px at 100 %."""
SILHOUETTE = 0.42
"""Largest zoom of the picture: nodes as outlines with their symbols, without numbers."""
SYMBOLS = 0.24
"""Zoom from which on the symbols are readable."""
CLOSER = (0.57, 0.8)
"""Pitch of the columns and rows of a graph without positions, as a share of the usual one."""


@guarded
class GraphPicture(QWidget):
    """Outlines of the nodes of a graph, and their wires."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._scene: Scene | None = None

    def show_drawing(self, drawing: Drawing) -> None:
        """Show another graph."""
        sheet = _placed(drawing)
        self._scene = scene_of(sheet, live_frame(sheet.graph), Shot(digits=self._style.digits))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the same size for every graph."""
        return QSize(self._style.px(SIZE[0]), self._style.px(SIZE[1]))

    def minimumSizeHint(self) -> QSize:
        """Return the same size for every graph."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the graph in the middle, as large as it fits."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            room = QRectF(self.rect())
            painter.fillRect(room, self._style.theme.canvas)
            bounds = self._scene.bounds() if self._scene is not None else QRectF()
            if self._scene is None or bounds.isEmpty():
                return
            inner = room.adjusted(8, 8, -8, -8)
            fitting = min(inner.width() / bounds.width(), inner.height() / bounds.height())
            scale = min(fitting, SILHOUETTE * self._style.scale)
            painter.translate(room.center())
            painter.scale(scale, scale)
            painter.translate(-bounds.center())
            level = max(min(scale, SILHOUETTE), BATCHED) if scale >= SYMBOLS else scale
            paint_scene(painter, self._scene, self._style.theme, bounds, level)


def _placed(drawing: Drawing) -> Sheet:
    """Return the sheet to show, with narrow columns, since it has no labels."""
    sheet = sheet_of(drawing)
    if len(sheet.positions) == len(sheet.graph.nodes):
        return sheet
    places = {n: (x * CLOSER[0], y * CLOSER[1]) for n, (x, y) in columns(sheet.graph).items()}
    return Sheet(sheet.graph, places)
