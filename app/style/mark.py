"""The logo of Backwire: two values on the right, one gradient that flows back to the left."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QIcon, QImage, QPainter, QPainterPath, QPen

from app.style.stylesheet import ICONS
from app.style.theme import LIGHT, Theme

WINDOW_SIZES: Final = (16, 24, 32, 48, 64, 128, 256)
"""Sizes in px of the icon that a window hands to the desktop."""
ICON_SIZES: Final = (*WINDOW_SIZES, 512)
"""Sizes in px of the icon that is shipped as files."""

# in units of a square of 16 × 16
_GRID: Final = 16.0
_DOT_RADIUS: Final = 2.3
_DOT_CENTRES: Final = (QPointF(12.4, 4.0), QPointF(12.4, 12.0))
_WIRE_WIDTH: Final = 1.9
_TILE_RADIUS: Final = 3.6
_TILE_SHARE: Final = 0.78
"""Share of the tile that the logo fills."""


def paint_mark(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    """Paint the bare logo centred in rect, in the colours of a theme."""
    scale = min(rect.width(), rect.height()) / _GRID
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.center() - QPointF(_GRID / 2, _GRID / 2) * scale)
    painter.scale(scale, scale)
    pen = QPen(theme.gradient, _WIRE_WIDTH)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.strokePath(_wires(), pen)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    pen.setWidthF(0.8)
    painter.setPen(pen)
    painter.setBrush(theme.gradient)
    painter.drawPath(_arrow())
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.value)
    for dot in _DOT_CENTRES:
        painter.drawEllipse(dot, _DOT_RADIUS, _DOT_RADIUS)
    painter.restore()


def paint_app_icon(painter: QPainter, rect: QRectF) -> None:
    """Paint the logo on its white tile, as docks and task bars show it."""
    side = min(rect.width(), rect.height())
    radius = side * _TILE_RADIUS / _GRID
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(LIGHT.outline)
    painter.drawRoundedRect(rect, radius, radius)
    rim = side / 64
    painter.setBrush(LIGHT.panel)
    painter.drawRoundedRect(rect.adjusted(rim, rim, -rim, -rim), radius - rim, radius - rim)
    painter.restore()
    margin = side * (1 - _TILE_SHARE) / 2
    paint_mark(painter, rect.adjusted(margin, margin, -margin, -margin), LIGHT)


def app_icon() -> QIcon:
    """Return the icon of windows and of the application."""
    result = QIcon()
    for size in WINDOW_SIZES:
        result.addFile(str(ICONS / f"backwire-{size}.png"))  # decoded when Qt asks for it
    return result


def app_image(size: int) -> QImage:
    """Return the icon of the application as an image of `size` px, as it is shipped."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    paint_app_icon(painter, QRectF(0, 0, size, size))
    painter.end()
    return image


def app_svg() -> str:
    """Return the icon of the application as SVG text."""
    margin = _GRID * (1 - _TILE_SHARE) / 2
    rim = _GRID / 64
    value, gradient = LIGHT.value.name(), LIGHT.gradient.name()
    dots = "".join(
        f'    <circle cx="{dot.x():g}" cy="{dot.y():g}" r="{_DOT_RADIUS:g}" fill="{value}"/>\n'
        for dot in _DOT_CENTRES
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 16 16">\n'
        f'  <rect width="16" height="16" rx="{_TILE_RADIUS:g}" fill="{LIGHT.outline.name()}"/>\n'
        f'  <rect x="{rim:g}" y="{rim:g}" width="{_GRID - 2 * rim:g}" height="{_GRID - 2 * rim:g}" '
        f'rx="{_TILE_RADIUS - rim:g}" fill="{LIGHT.panel.name()}"/>\n'
        f'  <g transform="translate({margin:g} {margin:g}) scale({_TILE_SHARE:g})" '
        'stroke-linecap="round" stroke-linejoin="round">\n'
        f'    <path d="{_svg_path(_wires())}" fill="none" stroke="{gradient}" '
        f'stroke-width="{_WIRE_WIDTH:g}"/>\n'
        f'    <path d="{_svg_path(_arrow())}" fill="{gradient}" stroke="{gradient}" '
        'stroke-width="0.8"/>\n'
        f"{dots}  </g>\n</svg>\n"
    )


def _wires() -> QPainterPath:
    path = QPainterPath()
    for dot in _DOT_CENTRES:
        path.moveTo(dot)
        path.cubicTo(QPointF(8.4, dot.y()), QPointF(7.4, 8 + (dot.y() - 8) * 0.4), QPointF(4.6, 8))
    return path


def _arrow() -> QPainterPath:
    path = QPainterPath(QPointF(1.6, 8))
    path.lineTo(5.4, 5)
    path.lineTo(5.4, 11)
    path.closeSubpath()
    return path


def _svg_path(path: QPainterPath) -> str:
    """Convert a path to the d attribute of SVG."""
    letters = {
        QPainterPath.ElementType.MoveToElement: "M",
        QPainterPath.ElementType.LineToElement: "L",
        QPainterPath.ElementType.CurveToElement: "C",
    }
    elements = (path.elementAt(i) for i in range(path.elementCount()))
    return " ".join(f"{letters.get(e.type, '')}{e.x:g} {e.y:g}" for e in elements)
