"""PaletteDrop: a palette entry dragged over the canvas, its picture, and the drop.

The key of an entry (`op:tanh`, see `add_nodes.py`) travels as the data of Qt's drag.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QMimeData, QPointF, QRectF, Qt
from PySide6.QtGui import QDrag, QDragEnterEvent, QDragMoveEvent, QDropEvent, QPainter, QPixmap

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.editing.add_nodes import NodeAdder, node_for
from app.canvas.editing.new_node import corner_for, insert_new
from app.canvas.paint.figure import PictureOptions, scene_of
from app.canvas.paint.painter import paint_scene
from app.canvas.scene.hit_test import wire_near
from app.document.node_sizes import row_middle
from app.document.placement import columns
from app.document.sheet import Point, sheet_of
from app.style.strokes import pen
from app.style.theme import faded
from engine.formats.native import Drawing
from engine.frame import live_frame
from engine.graph import OpNode, Wire

ENTRY_TYPE = "application/x-backwire-entry"
"""MIME type of an entry dragged out of the palette."""
WIRE_REACH = 16.0
"""Distance to a wire, in sheet px, within which a dropped op is inserted into it."""


class PaletteDrop:
    """The palette entry dragged over one canvas, and the wire it would be inserted into."""

    def __init__(self, canvas: CanvasContext, adding: NodeAdder) -> None:
        self._canvas = canvas
        self._adding = adding
        self._target_wire: Wire | None = None
        self._at = QPointF()
        """The sheet point under the pointer."""

    def show_picture(self, drag: QDrag) -> None:
        """Let the pointer carry the node itself, by its middle."""
        drawing = self._adding.drawing_for(_entry_key(drag.mimeData()))
        picture = drag_picture(self._canvas, drawing)
        drag.setPixmap(picture)
        drag.setHotSpot(QRectF(QPointF(), picture.deviceIndependentSize()).center().toPoint())

    def enter(self, event: QDragEnterEvent) -> None:
        """Accept drags of palette entries."""
        if event.mimeData().hasFormat(ENTRY_TYPE):
            event.acceptProposedAction()

    def move(self, event: QDragMoveEvent) -> None:
        """Preview the drop."""
        if event.mimeData().hasFormat(ENTRY_TYPE):
            self._set_target(
                _entry_key(event.mimeData()), self._canvas.camera.to_sheet(event.position())
            )
            event.acceptProposedAction()

    def leave(self) -> None:
        """Remove the preview."""
        self._target_wire = None
        self._canvas.repaint.everything()

    def drop(self, event: QDropEvent) -> bool:
        """Add the entry here, into the wire below if there is one; return False for other data."""
        if not event.mimeData().hasFormat(ENTRY_TYPE):
            return False
        self._canvas.widget.setFocus(Qt.FocusReason.OtherFocusReason)  # before a field opens
        self._add(_entry_key(event.mimeData()), self._canvas.camera.to_sheet(event.position()))
        event.acceptProposedAction()
        return True

    def paint(self, painter: QPainter) -> None:
        """Paint the preview."""
        if self._target_wire is not None and self._target_wire in self._canvas.scene.courses:
            self._paint_in_wire(painter, self._target_wire)

    # private

    def _paint_in_wire(self, painter: QPainter, wire: Wire) -> None:
        from app.canvas.input.draw_wire import paint_tooltip  # loaded by the first gesture

        canvas = self._canvas
        path = canvas.scene.courses[wire].path
        painter.strokePath(path, pen(faded(canvas.theme.selection, 0.3), 10))
        painter.strokePath(path, pen(canvas.theme.selection, 4.0))
        graph = canvas.document.graph
        source = graph.source(wire)
        before = "" if source is None else graph.title(source)
        text = f"Insert between {before} and {graph.title(wire[0])}"
        paint_tooltip(painter, canvas, self._at, text)

    def _set_target(self, key: str, at: QPointF) -> None:
        """Highlight the wire that an op would be inserted into."""
        self._target_wire = (
            wire_near(self._canvas.scene, at, WIRE_REACH) if key.startswith("op:") else None
        )
        self._at = at
        self._canvas.repaint.everything()

    def _add(self, key: str, at: QPointF) -> None:
        self._set_target(key, at)
        wire, self._target_wire = self._target_wire, None
        operations = self._canvas.document.graph.operations
        node = node_for(key, self._adding.next_label(key), operations)
        if wire is None or not isinstance(node, OpNode):
            self._adding.add(key, at)
            return
        corner = corner_for(node, at)
        slot = _slot_at(node, corner, at)
        insert_new(self._canvas, node, corner, wire, slot)


def _slot_at(node: OpNode, corner: Point, at: QPointF) -> int:
    """Return the slot nearest to a point, of a node that will be placed at `corner`."""
    slots = range(len(node.inputs))
    return min(slots, key=lambda k: abs(corner[1] + row_middle("op", k) - at.y()))


def _entry_key(mime: QMimeData) -> str:
    return bytes(mime.data(ENTRY_TYPE).data()).decode("utf-8", "replace")


PICTURE_MARGIN = 6.0
"""Space around the nodes, in sheet px; slots, and capsules at outputs, reach beyond these."""
MAX_PICTURE_SIZE = 480.0
"""Largest width and height, in screen px; larger graphs are drawn smaller."""


def drag_picture(canvas: CanvasContext, drawing: Drawing) -> QPixmap:
    """Return a picture of a drawing at the zoom of the canvas."""
    sheet = sheet_of(drawing)
    if not sheet.positions:
        sheet = sheet.with_graph(sheet.graph, columns(sheet.graph))
    scene = scene_of(sheet, live_frame(sheet.graph), PictureOptions(digits=canvas.style.digits))
    area: QRectF = scene.bounds().adjusted(
        -PICTURE_MARGIN, -PICTURE_MARGIN, PICTURE_MARGIN, PICTURE_MARGIN
    )
    scale = min(canvas.camera.scale, MAX_PICTURE_SIZE / max(area.width(), area.height()))
    ratio = canvas.widget.devicePixelRatioF()
    wide, high = area.width() * scale * ratio, area.height() * scale * ratio
    picture = QPixmap(math.ceil(wide), math.ceil(high))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        painter.scale(scale, scale)
        painter.translate(-area.topLeft())
        paint_scene(painter, scene, canvas.theme, area, scale)
    return picture
