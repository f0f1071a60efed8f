"""The picture of what is dragged out of the palette: the nodes as the canvas will show them."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.paint.figure import Shot, scene_of
from app.canvas.paint.painter import paint_scene
from app.document.placement import columns
from app.document.sheet import sheet_of
from engine.formats.native import Drawing
from engine.frame import live_frame

EDGE = 6.0
"""Space around the nodes, in sheet px; slots and capsules reach beyond their rectangles."""
LARGEST = 480.0
"""Largest width and height, in screen px; larger graphs are drawn smaller."""


def drag_picture(canvas: CanvasContext, drawing: Drawing) -> QPixmap:
    """Return a picture of a drawing at the zoom of the canvas."""
    sheet = sheet_of(drawing)
    if not sheet.positions:
        sheet = sheet.with_graph(sheet.graph, columns(sheet.graph))
    scene = scene_of(sheet, live_frame(sheet.graph), Shot(digits=canvas.style.digits))
    area: QRectF = scene.bounds().adjusted(-EDGE, -EDGE, EDGE, EDGE)
    scale = min(canvas.camera.scale, LARGEST / max(area.width(), area.height()))
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
