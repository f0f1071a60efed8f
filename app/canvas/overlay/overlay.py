"""Overlay: places minimap, legend and zoom buttons over the sheet.

The legend explains the labels on wires, at the bottom left while a backward pass is shown: in a
training loop the update, in a ripple the changes. It is transparent to the mouse, and fades out
near the pointer and over a node, a label or a mark of a ripple.
"""

from __future__ import annotations

from PySide6.QtCore import (
    QMarginsF,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from app.canvas.appearance.detail import Detail
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.overlay.minimap import Minimap
from app.guard import exception_safe
from app.style import sizes
from app.style.icons import paint_icon
from app.style.theme import Theme, mixed

WIDGET_GAP = 8
"""Distance between map and buttons, and from a rectangle kept clear of them, in px at 100 %."""
MAP_SIZE, BUTTONS_SIZE = (160, 104), (146, 32)
"""Width and height of the map and of all zoom buttons together, in px at 100 %."""
MIN_CANVAS_FOR_BUTTONS = (260, 200)
MIN_CANVAS_FOR_MAP = (560, 320)
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
        return self._rect_of(*self._visibility())

    def clearance(self, rect: QRectF) -> QPointF:
        """Return the smallest shift that moves a screen rectangle out from under the minimap."""
        covered = self.area.adjusted(-WIDGET_GAP, -WIDGET_GAP, WIDGET_GAP, WIDGET_GAP)
        if not covered.intersects(rect):
            return QPointF()
        up, left = covered.top() - rect.bottom(), covered.left() - rect.right()
        # only shifts that keep the rectangle in the view
        shifts = [QPointF(0, up)] if rect.top() + up >= 0 else []
        shifts += [QPointF(left, 0)] if rect.left() + left >= 0 else []
        return min(shifts, key=QPointF.manhattanLength, default=QPointF())

    def place(self) -> None:
        """Move the widgets into their corners, at the interface scale."""
        px = self._canvas.style.px
        edge = px(OVERLAY_MARGIN)
        corner = self._canvas.widget.rect().bottomRight() - QPoint(edge, edge)
        for widget, (wide, high) in ((self.zoom_buttons, BUTTONS_SIZE), (self.minimap, MAP_SIZE)):
            rect = QRect(QPoint(), QSize(px(wide), px(high)))
            rect.moveBottomRight(corner)
            widget.setGeometry(rect)
            corner.setY(rect.top() - px(WIDGET_GAP) - 1)
        self.legend.place()

    def refresh(self) -> None:
        """Show or hide the widgets; called before painting, when layout and camera are final."""
        buttons, with_map = self._visibility()
        self.zoom_buttons.refresh()
        self.zoom_buttons.setVisible(buttons)
        self.minimap.setVisible(with_map)
        self.legend.refresh(self._rect_of(buttons, with_map))

    # private

    def _visibility(self) -> tuple[bool, bool]:
        """Return whether the buttons are shown, and whether the map is."""
        buttons = self._has_size(MIN_CANVAS_FOR_BUTTONS) and not self._canvas.document.empty
        return buttons, buttons and self._has_size(MIN_CANVAS_FOR_MAP) and self.minimap.is_needed

    def _rect_of(self, buttons: bool, with_map: bool) -> QRectF:
        rect = self.zoom_buttons.geometry() if buttons else QRect()
        return QRectF(rect.united(self.minimap.geometry()) if with_map else rect)

    def _has_size(self, minimum: tuple[int, int]) -> bool:
        """Return whether the canvas has a minimum size at 100 %; never in a presentation."""
        style, host = self._canvas.style, self._canvas.widget
        if style.presented:
            return False
        return (
            host.width() >= minimum[0] * style.control_scale
            and host.height() >= minimum[1] * style.control_scale
        )


ZOOM_STEP = 1.25
"""Factor of one click on a zoom button."""


@exception_safe
class ZoomButton(QAbstractButton):
    """A button that paints nothing itself; ZoomButtons paints it as part of the row."""

    def __init__(self, icon: str, text: str, key: str, row: QWidget) -> None:
        super().__init__(row)
        keys = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
        self.icon_name = icon
        self.setAccessibleName(text)
        self.setToolTip(f"{text} ({keys})")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setMouseTracking(True)  # moves go on to the row and the canvas

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint nothing."""


@exception_safe
class ZoomButtons(QWidget):
    """A row of buttons, painted as one pixmap."""

    pressed = Signal()
    """Emitted when the mouse is pressed on a button, before its release acts."""

    def __init__(self, canvas: CanvasContext) -> None:
        super().__init__(canvas.widget)
        self._canvas = canvas
        self._shows_all = False
        """Whether everything is in view, so that following changes nothing."""
        self._pixmap_key: object = None
        self._pixmap = QPixmap()
        self.setAccessibleName("Zoom")
        self.setMouseTracking(True)
        self.buttons = (
            ZoomButton("minus", "Zoom out", "-", self),
            ZoomButton("plus", "Zoom in", "+", self),
            ZoomButton("fit", "Fit all", "Shift+1", self),
            ZoomButton("follow", "Follow the step", "Shift+F", self),
        )
        self._follow_button = self.buttons[-1]
        self._follow_button.setCheckable(True)
        acts = (self._zoom_out, self._zoom_in, canvas.framing.fit_all, canvas.framing.toggle_follow)
        for button, act in zip(self.buttons, acts, strict=True):
            button.pressed.connect(self.pressed)
            button.clicked.connect(act)

    def refresh(self) -> None:
        """Check Follow while the view follows; not if everything is in view, as it then stays."""
        self._shows_all = self._canvas.framing.shows_all
        self._follow_button.setChecked(self._canvas.style.follows_step and not self._shows_all)

    def _zoom_in(self) -> None:
        self._canvas.camera.zoom_by(ZOOM_STEP)

    def _zoom_out(self) -> None:
        self._canvas.camera.zoom_by(1 / ZOOM_STEP)

    # Qt's events

    def resizeEvent(self, _event: QResizeEvent) -> None:
        """Divide the row among the buttons."""
        for place, button in enumerate(self.buttons):
            button.setGeometry(self._cell(place).toRect())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the row from its pixmap."""
        theme, ratio = self._canvas.theme, self.devicePixelRatioF()
        states = tuple((button.underMouse(), button.isChecked()) for button in self.buttons)
        key = (theme.name, ratio, self.size().toTuple(), states, self._shows_all)
        if key != self._pixmap_key:
            self._pixmap_key = key
            self._pixmap = QPixmap(self.size() * ratio + QSize(1, 1))
            self._pixmap.setDevicePixelRatio(ratio)
            self._pixmap.fill(Qt.GlobalColor.transparent)
            with QPainter(self._pixmap) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                self._paint(painter)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._pixmap)

    # private

    def _cell(self, place: int) -> QRectF:
        """Return the rectangle of the button at a place of the row."""
        wide = self.width() / len(self.buttons)
        return QRectF(place * wide, 0, wide, self.height())

    def _paint(self, painter: QPainter) -> None:
        theme = self._canvas.theme
        painter.setPen(QPen(theme.outline, 1.0))
        painter.setBrush(theme.node)
        edge = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(edge, sizes.RADIUS_BUTTON, sizes.RADIUS_BUTTON)
        for place, button in enumerate(self.buttons):
            rect = self._cell(place)
            if button.underMouse():
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(mixed(theme.node, theme.text, 0.08))
                painter.drawRoundedRect(rect.adjusted(3, 3, -3, -3), 5, 5)
            if place:
                painter.setPen(QPen(theme.line, 1.0))
                painter.drawLine(rect.topLeft() + QPointF(0, 1), rect.bottomLeft() - QPointF(0, 1))
            ink = theme.text
            if button.isChecked():
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.text)
                painter.drawRoundedRect(rect.adjusted(3, 3, -3, -3), 5, 5)
                ink = theme.node
            elif button.isCheckable() and self._shows_all:
                ink = theme.secondary
            side = self._canvas.style.px(sizes.ICON)
            icon = QRectF(0, 0, side, side)
            icon.moveCenter(rect.center())
            paint_icon(painter, icon, button.icon_name, ink)


OVERLAY_MARGIN = 12
"""Margin of the widgets over the sheet, in px at 100 %."""
PADDING, HEIGHT = 12, 30
"""Padding left and right of the text, and height, in px at 100 %."""
FADE_DISTANCE = 36
"""Distance of the pointer, in px at 100 %, below which the legend fades."""


@exception_safe
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
        if canvas.style.presented or "terms" in canvas.scene.looks.folded:
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
        if not scene.is_free(area):
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
