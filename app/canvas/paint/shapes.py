"""Shapes of nodes: their outlines, which tell the kind."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainterPath

from app.style import sizes
from app.style.strokes import cut, rounded


@lru_cache(maxsize=2048)
def outline(kind: str, wide: float, high: float) -> QPainterPath:
    """Return the outline, whose shape tells the kind; shared, callers must not modify it."""
    rect = QRectF(0, 0, wide, high)
    if kind in ("constant", "pill"):
        return cut(rect, sizes.CORNER_CUT if kind == "constant" else sizes.PILL_CUT)
    if kind == "group":
        return rounded(rect, sizes.RADIUS_CARD, sizes.RADIUS_CARD)
    left = sizes.RADIUS_ROUND if kind == "leaf" else sizes.RADIUS_NODE
    right = sizes.RADIUS_ROUND if kind == "root" else sizes.RADIUS_NODE
    return rounded(rect, left, right)


@lru_cache(maxsize=2048)
def header(kind: str, wide: float, high: float) -> QPainterPath:
    """Return the part of an outline that is the header; shared too."""
    band = QPainterPath()
    band.addRect(0, 0, wide, sizes.NODE_HEADER)
    return outline(kind, wide, high).intersected(band)
