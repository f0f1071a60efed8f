"""Legend: explains the labels on wires, at the bottom left while a backward pass is shown.

In a training loop it explains the update, in a ripple the changes. It is transparent to the mouse,
and fades out near the pointer and over a node, a label or a mark of a ripple.
"""

from __future__ import annotations

from PySide6.QtCore import QMarginsF, QPointF, QRectF, Qt, QVariantAnimation
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel

from app.canvas.appearance.detail import Detail
from app.canvas.context.canvas_context import CanvasContext
from app.guard import guarded
from app.style import sizes
from app.style.theme import Theme

OVERLAY_MARGIN = 12
"""Margin of the widgets over the sheet, in px at 100 %."""
PADDING, HEIGHT = 12, 30
"""Padding left and right of the text, and height, in px at 100 %."""
FADE_DISTANCE = 36
"""Distance of the pointer, in px at 100 %, below which the legend fades."""


@guarded
class Legend(QLabel):
    """A card with `upstream gradient × local derivative = contribution`, each in its colour."""

    def __init__(self, canvas: CanvasContext) -> None:
        super().__init__(canvas.widget)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._canvas = canvas
        self._pointer: QPointF | None = None
        self._was_near = False
        """Whether the pointer was near it at the last painting; it moves with the window's size."""
        self._measured: object = None
        """Cache key of the text width."""
        self._text_width = 0
        self._wanted = False
        """Whether it is visible or fading in; it fades out otherwise."""
        self._opacity = 0.0
        self._fade = QVariantAnimation(self)
        self._fade.setDuration(sizes.MOTION_PANEL)
        self._fade.valueChanged.connect(self._set_opacity)

    @property
    def shown(self) -> bool:
        """Return whether it is visible or fading in."""
        return self._wanted

    def point(self, at: QPointF | None) -> None:
        """Update the pointer position; None if the pointer is outside."""
        self._pointer = at
        if self._is_near() != self._was_near:
            self._canvas.repaint.on_screen(QRectF(self.geometry()))

    def place(self) -> None:
        """Move it to the lower left corner, as wide as its text."""
        style = self._canvas.style
        if self._measured != self._text_key:
            self._measured = self._text_key
            measure = QFontMetricsF(style.font("caption strong"))
            texts = [text for text, _color in self._pieces]
            self._text_width = round(sum(measure.horizontalAdvance(text) for text in texts))
            self.setAccessibleName("".join(texts))
        edge, high = style.px(OVERLAY_MARGIN), style.px(HEIGHT)
        top = self._canvas.widget.height() - edge - high
        self.setGeometry(edge, top, self._text_width + 2 * style.px(PADDING), high)

    def refresh(self, map_area: QRectF) -> None:
        """Show or hide it before painting; `map_area` is the rectangle of map and buttons."""
        if self._measured != self._text_key:
            self.place()
        self._was_near = self._is_near()  # for `_is_wanted` and the next `point`
        wanted = self._is_wanted(map_area)
        if wanted == self._wanted:
            return
        self._wanted = wanted
        self._fade.stop()
        self._fade.setStartValue(self._opacity)
        self._fade.setEndValue(1.0 if wanted else 0.0)
        if self._canvas.style.motion:
            self._fade.start()
        else:
            self._set_opacity(float(wanted))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the card and its text."""
        theme, style, rect = self._canvas.theme, self._canvas.style, QRectF(self.rect())
        with QPainter(self) as painter:
            painter.setOpacity(self._opacity)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.line, 1.0))
            painter.setBrush(theme.node)
            edge = rect.adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(edge, sizes.RADIUS_BUTTON, sizes.RADIUS_BUTTON)
            font = style.font("caption strong")
            measure = QFontMetricsF(font)
            painter.setFont(font)
            x = style.px(PADDING)
            y = rect.center().y() + (measure.ascent() - measure.descent()) / 2
            for text, color in self._pieces:
                painter.setPen(color)
                painter.drawText(QPointF(x, y), text)
                x += measure.horizontalAdvance(text)

    # private

    @property
    def _shows_loop(self) -> bool:
        return self._canvas.scene.looks.loop_state is not None

    @property
    def _shows_ripple(self) -> bool:
        return self._canvas.scene.looks.ripple is not None

    @property
    def _text_key(self) -> object:
        return (self._shows_loop, self._shows_ripple, self._canvas.style.control_scale)

    @property
    def _pieces(self) -> tuple[tuple[str, QColor], ...]:
        """Return the pieces of the text, each with its colour."""
        return _pieces(self._canvas.theme, self._shows_loop, self._shows_ripple)

    def _is_wanted(self, map_area: QRectF) -> bool:
        canvas = self._canvas
        if canvas.style.presented:
            return False
        frame = canvas.scene.looks.frame
        steps = frame.phase == "backward" and frame.cursor > 0
        if not (steps or self._shows_loop or self._shows_ripple) or canvas.detail < Detail.RESULTS:
            return False
        return not self._was_near and self._has_room(map_area) and not self._covers_something()

    def _is_near(self) -> bool:
        distance = FADE_DISTANCE * self._canvas.style.control_scale
        around = QRectF(self.geometry()).marginsAdded(
            QMarginsF(distance, distance, distance, distance)
        )
        return self._pointer is not None and around.contains(self._pointer)

    def _has_room(self, map_area: QRectF) -> bool:
        gap = OVERLAY_MARGIN * self._canvas.style.control_scale
        rect, map_area = QRectF(self.geometry()), map_area.adjusted(-gap, 0, 0, 0)
        return rect.right() + gap <= self._canvas.widget.width() and not rect.intersects(map_area)

    def _covers_something(self) -> bool:
        """Return whether a node, a group, a label or a mark lies under it or close to it."""
        canvas, scene = self._canvas, self._canvas.scene
        rect = QRectF(self.geometry()).adjusted(-8, -8, 8, 8)
        to_sheet = canvas.camera.to_sheet
        area = QRectF(to_sheet(rect.topLeft()), to_sheet(rect.bottomRight()))
        if any(scene.boxes[node].rect.intersects(area) for node in scene.node_index.within(area)):
            return True
        if any(box.rect.intersects(area) for box in scene.group_boxes.values()):
            return True
        if self._shows_ripple:
            return any(mark.intersects(area) for mark in canvas.framing.marks())
        labels = (scene.labels.rect(wire) for wire in scene.wire_index.within(area))
        return any(label is not None and label.intersects(area) for label in labels)

    def _set_opacity(self, opacity: float) -> None:
        self._opacity = opacity
        self.setVisible(opacity > 0)
        self.update()


def _pieces(theme: Theme, shows_loop: bool, shows_ripple: bool) -> tuple[tuple[str, QColor], ...]:
    if shows_loop:
        return (
            ("w ← w − η · grad", theme.text),
            ("     grey: from before the update", theme.secondary),
        )
    if shows_ripple:
        return (
            ("change of a value  Δ", theme.value),
            ("  ×  ", theme.secondary),
            ("local derivative", theme.local),
            ("  =  ", theme.secondary),
            ("change it causes", theme.value),
        )
    return (
        ("upstream gradient", theme.gradient),
        ("  ×  ", theme.secondary),
        ("local derivative", theme.local),
        ("  =  ", theme.secondary),
        ("contribution", theme.gradient),
    )
