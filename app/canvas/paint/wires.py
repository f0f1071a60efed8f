"""Paints wires, their marks and their labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPolygonF

from app.canvas.appearance.looks import LabelLook, WireLook, as_shown, is_asked
from app.canvas.layout.drawn_course import DrawnCourse
from app.canvas.layout.text_sizes import LABEL_PAD, MARK_WIDTH, label_width
from app.style import sizes
from app.style.strokes import draw_sibling_mark, draw_text, hairline, pen, rounded, width
from app.style.theme import Theme, faded, mixed
from engine.graph import Wire

# both by the state of a WireLook; a state without dashes is a whole line
_WIDTHS = {
    "idle": sizes.WIRE_IDLE,
    "forward": sizes.WIRE_FORWARD,
    "ripple": sizes.WIRE_FORWARD,
    "next": sizes.WIRE_NEXT,
    "firing": sizes.WIRE_FIRING,
    "done": sizes.WIRE_DONE,
    "zero": sizes.WIRE_ZERO,
    "asked": sizes.WIRE_ASKED,
}
_DASHES: dict[str, tuple[float, ...]] = {
    "next": (2.4, 3.4),
    "zero": (9.0, 5.0),
    "asked": (3.4, 4.0),
}


_GLOW_MARGIN, _GLOW_OPACITY = 3.0, 0.22
"""Glow of a wire that carries a number in this step: px on each side of the wire, and opacity."""
MAX_PRINTED_IDLE_WIDTH = 1.2
"""Largest width of an idle wire in a theme without colours, in sheet px."""
SOURCE_MARK = 5.0
"""Distance of the mark of a wire from its source, in sheet px."""
LABEL_RADIUS = 9.0
MIN_MARK_SCALE = 0.75
"""Scale below which marks of crowded wires are left out."""


def wire_color(look: WireLook, theme: Theme) -> QColor:
    """Return the colour of a wire; each sibling, a wire from the same source, has its own hue."""
    # kept, since a zoomed-out sheet asks for thousands
    key = (theme.name, look.state, look.hue)
    if key not in _COLORS:
        _COLORS[key] = _wire_color(look, theme)
    return _COLORS[key]


_COLORS: dict[tuple[str, str, int], QColor] = {}


def _wire_color(look: WireLook, theme: Theme) -> QColor:
    if look.state == "idle":
        return theme.wire
    if look.state in ("forward", "ripple"):
        return theme.value
    if look.state == "asked":
        return theme.selection
    color = theme.sibling(look.hue) if look.hue >= 0 else theme.gradient
    return mixed(color, theme.canvas, 0.14) if look.state == "done" else color


def paint_wire(
    painter: QPainter, course: DrawnCourse, look: WireLook, theme: Theme, hovered: bool = False
) -> None:
    """Paint one wire with its halo, and its mark among siblings."""
    color = theme.text if hovered else wire_color(look, theme)
    wide = sizes.WIRE_HOVER if hovered else _WIDTHS[look.state]
    if look.state == "idle" and not theme.tints:
        wide = min(wide, MAX_PRINTED_IDLE_WIDTH)
    wide *= theme.scale  # of the projector's theme; the halo is clear of it as it is
    painter.fillPath(course.outline(wide + 2 * sizes.HALO), theme.canvas)
    if look.state in ("firing", "forward") and theme.tints:
        painter.fillPath(course.outline(wide + 2 * _GLOW_MARGIN), faded(color, _GLOW_OPACITY))
    if dash := _DASHES.get(look.state):
        # Qt strokes only the dashes in view, while an outline would hold all of them
        painter.strokePath(course.path, pen(color, wide, dash))
    else:
        painter.fillPath(course.outline(wide), color)
    if look.state in ("done", "zero", "next", "asked", "firing"):
        _source_mark(painter, course, look, color, theme)


class RunningWire(NamedTuple):
    """A wire along which the colour of a contribution is running, from its slot to its source."""

    wire: Wire
    before: WireLook
    """Its look before the step."""
    share: float
    """The share of its length that is coloured already, 0 to 1."""


def paint_running(
    painter: QPainter, course: DrawnCourse, running: RunningWire, theme: Theme
) -> None:
    """Paint a wire in its old look, and over it the stretch that is coloured already.

    A gradient runs from the slot, where a course begins, to the source.
    """
    paint_wire(painter, course, running.before, theme)
    color = theme.sibling(running.before.hue) if running.before.hue >= 0 else theme.gradient
    coloured = course.stretch(0.0, running.share)
    strokes = [(sizes.WIRE_FIRING + 2 * sizes.HALO, theme.canvas)]
    if theme.tints:
        strokes.append((sizes.WIRE_FIRING + 2 * _GLOW_MARGIN, faded(color, _GLOW_OPACITY)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for wide, stroke in (*strokes, (sizes.WIRE_FIRING, color)):
        painter.setPen(pen(stroke, wide * theme.scale))
        painter.drawPolyline(coloured)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawEllipse(coloured.last(), 5.5, 5.5)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_rippled(painter: QPainter, course: DrawnCourse, share: float, theme: Theme) -> None:
    """Paint a wire along which a change has run a share of the way from its source to its slot."""
    paint_wire(painter, course, WireLook("idle", -1), theme)
    if share > 0:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(theme.value, sizes.WIRE_FORWARD * theme.scale))
        # forwards, while a stretch is measured from the slot
        painter.drawPolyline(course.stretch(1.0 - share, 1.0))


def paint_wires_fast(
    painter: QPainter, courses: Sequence[DrawnCourse], look: WireLook, theme: Theme, scale: float
) -> None:
    """Paint quiet wires without their halos, each as two hairlines side by side.

    Qt draws antialiased hairlines ten times faster than any wider stroke.
    """
    dash = _DASHES["zero"] if look.state == "zero" else ()
    painter.setPen(hairline(wire_color(look, theme), 1.0, dash))
    # Each hairline is shifted diagonally by half a px. A wire that falls to its slot is shifted up
    # and right, one that rises down and right, so that slanted runs get wider, not only level ones.
    by_shift: dict[float, list[QPolygonF]] = {-0.5: [], 0.5: []}
    for course in courses:
        falls = course.y > course.start[1]  # y of the slot, and of the source
        by_shift[-0.5 if falls else 0.5].append(course.polyline)
    before = painter.transform()
    # translated, not drawn with other coordinates: the polylines are cached on their courses
    for side in (1, -1) if scale > 0.6 else (1,):  # zoomed out, one hairline is wide enough
        for shift_down, polylines in by_shift.items():
            painter.translate(side * 0.5 / scale, side * shift_down / scale)
            for line in polylines:
                painter.drawPolyline(line)
            painter.setTransform(before)
    if scale >= MIN_MARK_SCALE and look.hue >= 0:
        color = wire_color(look, theme)
        for course in courses:
            _source_mark(painter, course, look, color, theme)


def _source_mark(
    painter: QPainter, course: DrawnCourse, look: WireLook, color: QColor, theme: Theme
) -> None:
    """Paint an arrow to the source of a firing wire, or the mark of a sibling."""
    at = QPointF(course.start[0] + SOURCE_MARK, course.start[1])
    if look.state == "firing":
        disc = QPainterPath()
        disc.addEllipse(at, 8.0, 8.0)
        painter.fillPath(disc, color)
        arrow = QPainterPath(QPointF(at.x() - 4.2, at.y()))
        arrow.lineTo(at.x() + 2.6, at.y() - 3.8)
        arrow.lineTo(at.x() + 2.6, at.y() + 3.8)
        arrow.closeSubpath()
        painter.fillPath(arrow, theme.on_fill)
    elif look.hue >= 0:
        draw_sibling_mark(painter, look.hue, at, 7.5, color, hollow=look.state in ("next", "asked"))


# labels


def paint_label(
    painter: QPainter,
    look: LabelLook,
    rect: QRectF,
    theme: Theme,
    short: bool = False,
    hovered: bool = False,
) -> None:
    """Paint a label in a rectangle that fits it: factors above, contribution below.

    A `short` one, where a wire has no space for more, leaves the factors out.
    """
    hue = theme.sibling(look.hue) if look.hue >= 0 else theme.gradient
    _paint_label_box(painter, look, rect, hue, theme, hovered)
    result = theme.selection if look.state == "asked" else hue
    if look.state == "asked" and not look.local:  # the whole product is asked for
        at = (rect.center().x(), rect.center().y())
        draw_text(painter, look.contribution, "number", result, at, "middle")
        return
    first, last = (rect.center().y() + shift for shift in sizes.LABEL_MIDDLES)
    if short or not look.local:
        last = rect.center().y()
    else:
        _factors(painter, look, QPointF(rect.center().x(), first), theme)
    x = rect.left() + (rect.width() - label_width(look, short=True)) / 2 + LABEL_PAD
    x += draw_text(painter, "= ", "contribution", theme.secondary, (x, last))
    if look.hue >= 0:
        draw_sibling_mark(
            painter,
            look.hue,
            QPointF(x + MARK_WIDTH / 2 - 2, last),  # MARK_WIDTH ends with a gap of 4 px
            7,
            hue,
            hollow=look.state == "next",
        )
        x += MARK_WIDTH
    x += draw_text(painter, look.contribution, "contribution", result, (x, last))
    if look.wrong:
        x += draw_text(painter, " | ", "contribution", theme.secondary, (x, last))
        draw_text(painter, f"✘ {look.wrong}", "contribution", theme.error, (x, last))


def _paint_label_box(
    painter: QPainter, look: LabelLook, rect: QRectF, hue: QColor, theme: Theme, hovered: bool
) -> None:
    """Paint the background of a label and its outline, dashed before its step."""
    path = rounded(rect, LABEL_RADIUS, LABEL_RADIUS)
    painter.fillPath(path, theme.selection_tint if look.state == "asked" else theme.node)
    edge = {"asked": theme.selection, "firing": hue, "next": hue}.get(look.state, theme.line)
    if hovered and look.state != "firing":
        painter.strokePath(path, pen(theme.text, 1.6))
    elif look.state in ("next", "asked"):
        painter.strokePath(path, pen(edge, 1.4 if look.state == "next" else 2.0, (3.4, 2.6)))
    else:
        painter.strokePath(path, pen(edge, 2.0 if look.state == "firing" else 1.0))


def _factors(painter: QPainter, look: LabelLook, middle: QPointF, theme: Theme) -> None:
    """Paint the first line of a label: upstream gradient × local derivative."""
    x, y = middle.x() - width(f"{look.upstream} × {look.local}", "factors") / 2, middle.y()
    x += draw_text(painter, look.upstream, "factors", theme.gradient, (x, y))
    x += draw_text(painter, " × ", "factors", theme.secondary, (x, y))
    # an answer that is being typed stands in place of the number, with a mark before it
    local = theme.selection if is_asked(look.local) else theme.local
    draw_text(painter, as_shown(look.local), "factors", local, (x, y))


def paint_dot(painter: QPainter, look: LabelLook, at: QPointF, theme: Theme) -> None:
    """Paint the dot that replaces a label without space."""
    hue = theme.sibling(look.hue) if look.hue >= 0 else theme.gradient
    painter.setBrush(theme.node)
    painter.setPen(pen(hue, 1.6))
    painter.drawEllipse(at, 4.5, 4.5)
    painter.setBrush(QColor(0, 0, 0, 0))
