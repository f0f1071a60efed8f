"""The two pictures: the room's screen now, and after the next PageDown.

Both are painted by the painters of sheet and strip, never grabbed from the screen, into a pixmap.
It is repainted only after the room's window, in which `RoomLayout` has the rectangles of both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import (
    QEvent,
    QObject,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSizeF,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPixmap, QRegion, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.canvas.context.auto_layout import AutoLayout
from app.canvas.context.camera import Place, place_before_room
from app.canvas.paint.painter import paint_scene
from app.canvas.scene.scene import Scene
from app.controls.blank_screen import paint_line
from app.controls.spans import plain_text
from app.document.document import Document
from app.document.sheet import Sheet, sheet_of
from app.guard import exception_safe
from app.guide.play.guide import Room
from app.guide.words.room import RoomStrip
from app.lessons.situation import Situation
from app.panels.strip import StripPanel
from app.panels.strip.room_strip import ROOM_STRIP_SHARE, paint_room_strip
from app.style.strokes import hairline
from app.window.context import Context
from app.workbench.modes.hunt import mode_of_answer
from app.workbench.modes.mode import Mode
from app.workbench.playback.view_state import view_of
from engine.frame import live_frame
from engine.graph import Graph

_RING_EVENTS: Final = (QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide)


class RoomParts(Struct, frozen=True):
    """The widgets over and below the sheet in the room's window.

    `blank` returns the black screen, `ring` the ring of the pointer, or None.
    """

    strip: StripPanel
    blank: Callable[[], QWidget | None]
    ring: Callable[[], QWidget | None]


class RoomLayout(Struct, frozen=True):
    """Size of the room's window, and rectangles of its sheet and its strip, in the window's px."""

    size: QSizeF
    sheet: QRectF
    strip: QRectF

    @property
    def aspect(self) -> float:
        """Return width / height."""
        return self.size.width() / max(self.size.height(), 1.0)


def room_layout(context: Context) -> RoomLayout:
    """Return the present layout of the room's window."""
    window, sheet = context.shell.widget, context.canvas.viewport()
    corner = QPointF(sheet.mapTo(window, QPoint(0, 0)))
    sheet_rect = QRectF(corner, QSizeF(sheet.size()))
    below = window.height() - sheet_rect.bottom()
    return RoomLayout(
        QSizeF(window.size()),
        sheet_rect,
        QRectF(0, sheet_rect.bottom(), window.width(), max(below, 0.0)),
    )


@exception_safe
class Picture(QWidget):
    """A picture of the room's window, painted into a pixmap when pending events are done.

    It is as large as fits with the room's shape, from the upper left.
    """

    painted = Signal()
    """Emitted after each repaint of the pixmap."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._pixmap: QPixmap | None = None
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self.refresh)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)

    @property
    def factor(self) -> float:
        """Return the scale of the picture: its size by that of the room's window."""
        room = room_layout(self._context).size
        return min(self.width() / max(room.width(), 1.0), self.height() / max(room.height(), 1.0))

    @property
    def area(self) -> QRect:
        """Return the rectangle of the picture, with its frame."""
        return QRect(QPoint(), (room_layout(self._context).size * self.factor).toSize())

    def refresh_soon(self) -> None:
        """Repaint the pixmap once the room has been painted; several calls cause one repaint."""
        if self.isVisible():
            self._timer.start()

    def refresh(self) -> None:
        """Repaint the pixmap now."""
        self._timer.stop()
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(self.area.size() * ratio)
        if pixmap.isNull():
            return
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(self._context.style.theme.canvas)
        room = room_layout(self._context)
        with QPainter(pixmap) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.scale(self.factor, self.factor)
            self.paint_room(painter, room)
        self._pixmap = pixmap
        self.update()
        self.painted.emit()

    def paint_room(self, painter: QPainter, room: RoomLayout) -> None:
        """Paint the pixmap, in px of the room's window."""
        raise NotImplementedError

    def paint_over(self, painter: QPainter, room: RoomLayout) -> None:
        """Paint animated parts over the pixmap, in px of the room's window."""

    def paint_divider(self, painter: QPainter, room: RoomLayout) -> None:
        """Paint the line between sheet and strip."""
        painter.setPen(hairline(self._context.style.theme.line))
        edge = room.sheet.bottom()
        painter.drawLine(QPointF(0, edge), QPointF(room.size.width(), edge))

    def limit_height(self) -> None:
        """Leave the space below the picture of a wide room to the parts there."""
        self.setMaximumHeight(max(round(self.width() / room_layout(self._context).aspect), 1))

    # Qt's events

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.limit_height()
        self._pixmap = None

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._pixmap is None or self._pixmap.devicePixelRatio() != self.devicePixelRatioF():
            self.refresh()
        room = room_layout(self._context)
        with QPainter(self) as painter:
            if self._pixmap is not None:
                painter.drawPixmap(0, 0, self._pixmap)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setClipRect(self.area)
            painter.save()
            painter.scale(self.factor, self.factor)
            self.paint_over(painter, room)
            painter.restore()
            painter.setPen(hairline(self._context.style.theme.outline, 2.0))
            painter.drawRect(QRectF(self.area).adjusted(0.5, 0.5, -0.5, -0.5))


@exception_safe
class RoomPicture(Picture):
    """The room's screen now; the mouse over it points in the room."""

    pointed = Signal(QPointF)
    clicked = Signal(QPointF)
    """Emitted with the position of the mouse, as shares of width and height."""

    def __init__(self, context: Context, parts: RoomParts) -> None:
        super().__init__(context)
        self._parts = parts
        self._ring: QWidget | None = None
        """The ring whose moves repaint the picture."""
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setAccessibleName("What the room sees")

    def follow_ring(self) -> None:
        """Repaint at moves of the pointer's ring from now on, if there is one."""
        ring = self._parts.ring()
        if ring is not self._ring and ring is not None:
            self._ring = ring
            ring.installEventFilter(self)
            self.update()

    def show_time(self) -> None:
        """Repaint the timer's ring; the ticks of the timer also find a new ring of the pointer."""
        self.follow_ring()
        if self._parts.blank() is not None:
            self.refresh()  # the blank screen is in the pixmap, with the time that it shows
        timer = self._parts.strip.timer
        if timer is not None:
            rect, factor = self._in_room(timer), self.factor
            self.update(QRectF(rect.topLeft() * factor, rect.size() * factor).toAlignedRect())

    def paint_room(self, painter: QPainter, room: RoomLayout) -> None:
        blank = self._parts.blank()
        if blank is not None:
            _render(blank, painter, QPointF())
            return
        painter.save()
        painter.setClipRect(room.sheet)
        painter.translate(room.sheet.topLeft())
        self._context.canvas.compositor.paint_below_layers(painter)
        painter.restore()
        if not room.strip.isEmpty():
            strip = self._parts.strip
            _render(strip, painter, self._in_room(strip).topLeft())
            self.paint_divider(painter, room)

    def paint_over(self, painter: QPainter, room: RoomLayout) -> None:
        """Paint the layers of the sheet and the two rings."""
        if self._parts.blank() is not None:
            return
        painter.save()
        painter.setClipRect(room.sheet)
        painter.translate(room.sheet.topLeft())
        self._context.canvas.compositor.paint_layers(painter)
        painter.restore()
        timer = self._parts.strip.timer
        if timer is not None and timer.isVisible():
            painter.fillRect(self._in_room(timer), self._context.style.theme.panel)
            _render(timer, painter, self._in_room(timer).topLeft())
        if self._ring is not None and self._ring.isVisible():
            _render(self._ring, painter, self._in_room(self._ring).topLeft())

    def _in_room(self, widget: QWidget) -> QRectF:
        """Return the rectangle of a widget in the room's window."""
        corner = widget.mapTo(self._context.shell.widget, QPoint(0, 0))
        return QRectF(QPointF(corner), QSizeF(widget.size()))

    def _share(self, event: QMouseEvent) -> QPointF:
        at, area = event.position(), self.area
        return QPointF(at.x() / max(area.width(), 1), at.y() / max(area.height(), 1))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._ring and event.type() in _RING_EVENTS:
            self.update()
        return super().eventFilter(watched, event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.area.contains(event.position().toPoint()):
            self.pointed.emit(self._share(event))
            self.follow_ring()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        inside = self.area.contains(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and inside:
            self.clicked.emit(self._share(event))


def _render(widget: QWidget, painter: QPainter, corner: QPointF) -> None:
    """Render a widget of the room at the scale of the painter."""
    painter.save()
    painter.translate(corner)
    flags = QWidget.RenderFlag.DrawChildren | QWidget.RenderFlag.DrawWindowBackground
    widget.render(painter, QPoint(), QRegion(), flags)
    painter.restore()


@exception_safe
class NextPicture(Picture):
    """The room's screen after the next PageDown, with its answer, from a scene of its own."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._strip: RoomStrip | None = None
        self._state: Room | None = None
        """The state after the next PageDown, and its strip."""
        self._scene: Scene | None = None
        self._scene_key: object = None
        self._placed: tuple[Graph, Sheet] | None = None
        """The last graph of another slide than the room's, and its sheet."""
        self.setAccessibleName("What the room sees next")

    def show_next(self, strip: RoomStrip, state: Room) -> None:
        """Show the state of the lecture after the next PageDown, with its strip."""
        before, self._state = self._state, state
        previous_strip, self._strip = self._strip, strip
        same_sheet = (
            before is not None
            and before.situation is state.situation
            and before.slide.graph is state.slide.graph
        )
        if not same_sheet or previous_strip != strip:
            self.refresh_soon()

    def paint_room(self, painter: QPainter, room: RoomLayout) -> None:
        strip, state = self._strip, self._state
        if strip is None or state is None or state.situation is None:
            return
        if strip.kind == "blank":
            screen = QRectF(QPointF(), room.size)
            painter.fillRect(screen, Qt.GlobalColor.black)
            paint_line(painter, screen, plain_text(strip.sentence))
            return
        sheet, same = self._sheet_of(state, state.situation)
        scene = self._scene_of(sheet, state.situation, mode_of_answer(state.slide.asks), same)
        painter.save()
        painter.setClipRect(room.sheet)
        painter.translate(room.sheet.topLeft())
        offset, scale = self._place(scene, room, same)
        painter.translate(offset)
        painter.scale(scale, scale)
        area = QRectF(-offset / scale, room.sheet.size() / scale)
        paint_scene(painter, scene, self._context.style.theme, area, scale)
        painter.restore()
        # The strip's texts grow with its height: it has a question's, beyond a lower strip, too.
        high = ROOM_STRIP_SHARE * room.size.height()
        below = QRectF(0, room.strip.top(), room.size.width(), high)
        paint_room_strip(painter, below, strip, self._context.style)
        self.paint_divider(painter, room)

    def _sheet_of(self, state: Room, situation: Situation) -> tuple[Sheet, bool]:
        """Return the sheet of a slide, and whether the room shows the same graph."""
        document = self._context.document
        same = document.graph.structure is state.slide.graph.structure
        sheet = document.sheet if same else self._placed_sheet(state)
        return (
            sheet if sheet.graph == situation.graph else sheet.with_graph(situation.graph)
        ), same

    def _placed_sheet(self, state: Room) -> Sheet:
        """Return the sheet of a slide as the room will open it, with positions for all nodes."""
        graph = state.slide.graph
        if self._placed is None or self._placed[0] is not graph:
            sheet = sheet_of(state.lesson.drawing_of(graph))
            if sheet.graph.nodes.keys() - sheet.positions.keys():
                sheet = self._opened(sheet)
            self._placed = (graph, sheet)
        return self._placed[1]

    def _opened(self, sheet: Sheet) -> Sheet:
        """Return a sheet with the positions from the automatic layout of an opened document."""
        document, scene = Document(), self._new_scene()

        def show() -> None:
            found = document.sheet
            scene.show(replace(view_of(live_frame(found.graph)), sheet=found))

        layout = AutoLayout(document, scene, lambda: self._context.canvas.framing.viewport, show)
        document.open_practice(sheet, "")  # untitled, as nobody sees the document
        layout.deleteLater()
        document.deleteLater()
        return document.sheet

    def _new_scene(self) -> Scene:
        style = self._context.style
        return Scene(style.short, style.signed, style.extras, style.notation)

    def _scene_of(self, sheet: Sheet, situation: Situation, mode: Mode, same: bool) -> Scene:
        """Return the scene of a sheet at a situation; the same sheet reuses the last scene."""
        style = self._context.style
        key = (sheet.graph.structure, sheet.positions, style.sheet_settings)
        if self._scene is None or key != self._scene_key:
            self._scene, self._scene_key = self._new_scene(), key
        shown = replace(view_of(situation.known_frame, mode), sheet=sheet, rules=situation.rules)
        self._scene.show(shown)
        canvas = self._context.canvas
        # the room's rows stay as they are; another graph is wrapped for the view as it is now
        room_viewport = canvas.scene.node_layout.spacing.viewport
        self._scene.wrap_for(room_viewport if same else canvas.framing.viewport)
        self._scene.apply_layout()  # as the room does on entering a step
        return self._scene

    def _place(self, scene: Scene, room: RoomLayout, same: bool) -> Place:
        """Return the place of the sheet: that of the room, or of the fit to come."""
        camera = self._context.canvas.camera
        now = Place(camera.offset, camera.scale) if same else None
        # without a repeated fit the room has zoomed or panned: its camera does not fit again
        if now is not None and camera.repeated_fit is None:
            return now
        return place_before_room(scene, room.sheet.size(), now)
