"""Thumbnails: a graph as small boxes and wires, without numbers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from app.document.node_sizes import is_seated
from app.document.placement import balanced
from app.style import sizes
from app.style.current import Style
from app.style.fonts import font as font_of
from app.style.icons import paint_icon
from engine.formats.native import Drawing
from engine.graph import Constant, Graph, Leaf, OpNode, Root
from engine.numbers import short

_BOX = QSizeF(34, 21)
_GAP = 12.0
"""Least length of a wire between two columns, in px at 100 %."""
_TALLER = 1.35
"""How much less than its width the height of a box shrinks, so that its text stays legible."""
_PITCH = 2 * sizes.OP_WIDTH
"""Distance of two columns on the sheet that are made evenly spaced."""
_SMALLEST = 0.2
"""Least size of a box, as a share of its usual one."""
_LEAST = 9.0
_NODE = QSizeF(sizes.OP_WIDTH, sizes.NODE_HEIGHT)
"""Typical size of a node on the sheet; its box is drawn around the same middle."""
MOST_NODES = 400


def paint_thumbnail(painter: QPainter, rect: QRectF, drawing: Drawing, style: Style) -> None:
    """Paint a graph so that it fits into rect; omit a very large graph."""
    graph = drawing.graph
    if not graph.nodes or len(graph.nodes) > MOST_NODES:
        return
    boxes, scale = _boxes(graph, drawing.positions, rect, style)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(style.theme.wire, 1.3 * max(scale, 0.6) * style.control_scale))
    for source, (target, slot) in graph.wires():
        painter.drawPath(_wire(boxes[source], boxes[target], slot, len(graph.inputs(target))))
    for node, box in boxes.items():
        _paint_box(painter, graph, node, box, style)
    painter.restore()


def _boxes(
    graph: Graph, positions: Mapping[int, tuple[float, float]], rect: QRectF, style: Style
) -> tuple[dict[int, QRectF], float]:
    """Return a box for each node, and the scale of the boxes relative to the usual size."""
    seated = any(is_seated(graph, node) for node in graph.nodes)  # too close to be told apart here
    placed = positions.keys() >= graph.nodes.keys() and not seated
    places = dict(positions) if placed else balanced(graph)
    middles = {
        n: QPointF(places[n][0] + _NODE.width() / 2, places[n][1] + _NODE.height() / 2)
        for n in graph.nodes
    }
    middles = _evenly_spaced(middles)
    left, right = _extent([p.x() for p in middles.values()])
    top, bottom = _extent([p.y() for p in middles.values()])
    size, gap = _BOX * style.control_scale, _GAP * style.control_scale
    most = 0.31 * style.control_scale
    columns = round((right - left) / _PITCH) + 1
    usual = (rect.width() - gap * (columns - 1)) / columns
    usual = min(size.width(), max(_SMALLEST * size.width(), usual))
    zoom = min((rect.width() - usual) / max(right - left, 1.0), most)
    tall = min((rect.height() - size.height()) / max(bottom - top, 1.0), most, 2 * zoom)
    zoom = min(zoom, 3 * tall)
    shrink = (_PITCH * zoom - gap) / size.width()
    shrink = max(_SMALLEST, min(1.0, shrink))
    lower = (_above(middles) * tall - 2) / size.height()
    lower = max(_SMALLEST, min(1.0, shrink * _TALLER, lower))
    middle = QPointF((left + right) / 2, (top + bottom) / 2)
    boxes: dict[int, QRectF] = {}
    for node, place in middles.items():
        off = place - middle
        at = rect.center() + QPointF(off.x() * zoom, off.y() * tall)
        wide, high = size.width() * shrink, size.height() * lower
        boxes[node] = QRectF(at.x() - wide / 2, at.y() - high / 2, wide, high)
    return boxes, shrink


def _evenly_spaced(middles: Mapping[int, QPointF]) -> dict[int, QPointF]:
    """Return the places with all columns at the same distance.

    The columns of a sheet are as wide as their texts, which are left out here.
    """
    column, start = -1, float("-inf")
    places: dict[int, QPointF] = {}
    for node, place in sorted(middles.items(), key=lambda item: item[1].x()):
        if place.x() - start > _NODE.width():
            column, start = column + 1, place.x()
        places[node] = QPointF(column * _PITCH, place.y())
    return places


def _above(middles: Mapping[int, QPointF]) -> float:
    """Return the least distance between two nodes in one column."""
    by_column: dict[int, list[float]] = {}
    for place in middles.values():
        by_column.setdefault(round(place.x()), []).append(place.y())
    above = [b - a for rows in by_column.values() for a, b in pairwise(sorted(rows))]
    return min(above, default=1e9)


def _extent(numbers: list[float]) -> tuple[float, float]:
    return min(numbers), max(numbers)


def _wire(source: QRectF, target: QRectF, slot: int, slots: int) -> QPainterPath:
    start = QPointF(source.right(), source.center().y())
    offset = 0.0 if slots < 2 else (slot - (slots - 1) / 2) * target.height() * 0.4
    end = QPointF(target.left(), target.center().y() + offset)
    bend = max(min((end.x() - start.x()) / 2, target.width()), 4.0)
    path = QPainterPath(start)
    turn = QPointF(start.x() + 2 * bend, end.y())
    path.cubicTo(QPointF(start.x() + bend, start.y()), QPointF(start.x() + bend, end.y()), turn)
    path.lineTo(end)
    return path


def _paint_box(painter: QPainter, graph: Graph, node: int, box: QRectF, style: Style) -> None:
    theme, found = style.theme, graph.nodes[node]
    fill: dict[type, QColor] = {
        Leaf: theme.header_leaf,
        OpNode: theme.header_op,
        Root: theme.header_root,
    }
    line = theme.root if isinstance(found, Root) else theme.outline
    painter.setPen(QPen(line, 1.0))
    painter.setBrush(fill.get(type(found), theme.muted))
    radius = box.height() * (0.45 if isinstance(found, Leaf) else 0.2)
    if isinstance(found, Root):
        box = box.adjusted(0, 0, -box.width() * 0.4, 0)
    painter.drawRoundedRect(box, radius, radius)
    if isinstance(found, Root):
        side = box.height() * 0.62
        flag = QRectF(box.center() - QPointF(side / 2, side / 2), QSizeF(side, side))
        paint_icon(painter, flag, "root", theme.root)
        return
    text = _text(graph, node)
    font = _font(style.control_scale, round(box.height() * 0.54), text, round(box.width()))
    if font is not None:
        painter.setFont(font)
        painter.setPen(QColor(theme.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _text(graph: Graph, node: int) -> str:
    found = graph.nodes[node]
    if isinstance(found, OpNode):
        return graph.op(node).symbol
    if isinstance(found, Constant) and not found.label:
        return short(found.value, 2)
    return graph.brief(node, 8)


@lru_cache(maxsize=512)
def _font(scale: float, pixels: int, text: str, room: int) -> QFont | None:
    """Return a font in which the text fits into its box, or None if it would be unreadable."""
    font = font_of("caption strong", scale)
    for size in range(pixels, int(_LEAST) - 1, -1):
        font.setPixelSize(size)
        if QFontMetricsF(font).horizontalAdvance(text) <= room - 3:
            return font
    return None
