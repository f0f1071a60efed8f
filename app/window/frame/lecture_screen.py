"""LectureScreen: strip, pointer ring, timer ring and cross-fade of a lecture on the room's screen.

`PointerRing` is the speaker's pointer, `CrossFade` the cut between two graphs.

It also highlights what a lesson points at, and the clicked node or wire. The speaker's window
calls `show_pointer` and `click_pointer`, as the mouse over its picture of the room points there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QObject,
    QPoint,
    QPointF,
    QPropertyAnimation,
    QRectF,
    QSizeF,
    Qt,
    QTimer,
    QVariantAnimation,
)
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QGraphicsOpacityEffect, QWidget

from app.canvas.scene.hit_test import hit
from app.guard import exception_safe
from app.panels.strip import StripPanel
from app.style.current import Style
from app.window.context import Context
from app.workbench.selection import LessonTargets
from app.workbench.words.strip import StripContext
from engine.graph import Wire

if TYPE_CHECKING:
    from app.window.frame.presentation import Presentation


_POINTING_EVENTS = (
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseButtonRelease,
    QEvent.Type.MouseButtonDblClick,
    QEvent.Type.ContextMenu,
    QEvent.Type.ToolTip,
)


@exception_safe
class LectureScreen(QObject):
    """Keeps strip and rings of a presenting window as the lecture's state."""

    def __init__(self, context: Context, presentation: Presentation, strip: StripPanel) -> None:
        super().__init__(context.shell.widget)
        self._context, self._presentation, self._strip = context, presentation, strip
        self.ring: PointerRing | None = None
        """The ring around the pointer, or None before it was first shown."""
        self._fade: CrossFade | None = None
        self._shows_new_graph = False
        self._generation = 0
        """`Scene.generation` at the last step."""
        self._live_edits = 0
        """The edits of the sheet since the step was entered."""
        self._lit_at: object = None
        """Phase, cursor, step and stage at which a click lit a target; None without one."""
        lecture = context.guides
        lecture.graph_changing.connect(self._on_graph_changing)
        lecture.changed.connect(self._refresh)
        lecture.ticked.connect(self._show_time)
        lecture.entered.connect(self._on_entered)
        context.playback.shown.connect(self._on_shown)
        context.style.changed.connect(self.show_strip)

    def end_on_full_page(self, on_full_page: bool) -> None:
        """End the lecture when the start page, or the result of a test, replaces its sheet."""
        if on_full_page and self._context.guides.room is not None:
            self._context.guides.end()

    # for the speaker's window

    def show_pointer(self, share: QPointF) -> None:
        """Show the ring at a point, given as shares of the window's width and height."""
        at = self._point_at(share)
        if at is not None:
            self.ring = self.ring or PointerRing(self._context.style, self._context.shell.widget)
            self.ring.show_at(at)

    def click_pointer(self, share: QPointF) -> None:
        """Highlight the node or wire at such a point, until the next step."""
        context, at = self._context, self._point_at(share)
        if at is None:
            return
        camera, on_canvas = (
            context.canvas.camera,
            context.canvas.viewport().mapFrom(context.shell.widget, at),
        )
        found = hit(context.canvas.scene, camera.to_sheet(on_canvas), camera.scale)
        target = found.wire if found.part in ("wire", "label", "slot") else found.node
        if target is None or not context.canvas.viewport().rect().contains(on_canvas.toPoint()):
            self._unlight()
        else:
            self._light(target)

    # private

    def _point_at(self, share: QPointF) -> QPointF | None:
        """Return a point of the window in px; None without a lecture, and on a black screen."""
        window = self._context.shell.widget
        is_shown = self._context.guides.room is not None and not self._is_blank
        return (
            QPointF(share.x() * window.width(), share.y() * window.height()) if is_shown else None
        )

    @property
    def _is_blank(self) -> bool:
        return self._presentation.blank is not None

    @property
    def _points(self) -> bool:
        """Return whether the mouse only points, as editing is locked."""
        return self._context.guides.room is not None and self._context.document.locked

    def _light(self, target: int | Wire) -> None:
        self._lit_at = self._moment
        self._context.selection.set_lesson_targets(LessonTargets(frozenset({target})))

    def _unlight(self) -> None:
        if self._lit_at is not None:
            self._lit_at = None
            self._context.guides.point()

    @property
    def _moment(self) -> object:
        playback, state = self._context.playback, self._context.guides.room
        stage = None if state is None else (state.at, state.stage)
        return playback.phase, playback.cursor, stage

    def _refresh(self) -> None:
        guides = self._context.guides
        if guides.is_moving or (guides.room is None and self._strip.room_strip is None):
            return
        self.show_strip()
        self._show_time()
        if self._lit_at != self._moment:
            self._unlight()
        viewport = self._context.canvas.viewport()
        if self._context.guides.room is not None:
            viewport.installEventFilter(self)  # once, however often
        else:
            viewport.removeEventFilter(self)
            if self.ring is not None:
                self.ring.clear()
        self._hide_cursor()

    def _hide_cursor(self) -> None:
        """Hide the cursor over the sheet while the mouse only points."""
        viewport, points = self._context.canvas.viewport(), self._points
        is_hidden = viewport.cursor().shape() == Qt.CursorShape.BlankCursor
        if points and not is_hidden:
            viewport.setCursor(Qt.CursorShape.BlankCursor)
        elif is_hidden and not points:
            viewport.unsetCursor()

    def _on_shown(self) -> None:
        if self._context.guides.room is not None:
            self._refresh()
            if not self._context.guides.is_moving:
                self._fit_after_undo()

    def _fit_after_undo(self) -> None:
        """Fit the sheet once its live edits are undone, as an edit may have moved the view."""
        document, canvas = self._context.document, self._context.canvas
        before, self._live_edits = self._live_edits, len(document.done) - document.undo_floor
        if document.undone and self._live_edits == 0 < before:
            canvas.scene.apply_layout()
            canvas.framing.fit_all()

    def show_strip(self) -> None:
        """Show the strip of the slide; without keys while the speaker's window has them."""
        context, state = self._context, self._context.guides.room
        if context.guides.is_moving:
            return
        if state is None:
            self._strip.set_room_strip(None)
            return
        from app.guide.words.room import room_strip

        style = context.style
        strip_context = StripContext(digits=style.digits, notation=style.notation, presented=True)
        asks = any(slide.kind == "ask" for slide in state.slides)
        self._strip.set_room_strip(
            room_strip(
                state,
                context.playback.now,
                strip_context,
                tells_keys=not context.shell.speaker_open,
            ),
            for_polls=asks,
        )

    def _show_time(self) -> None:
        self._strip.set_time(self._context.guides.time_share)

    def _on_graph_changing(self) -> None:
        """Keep a picture of the graph before the change for a cross-fade, if motion is on."""
        if self._context.guides.room is None:
            return
        self._shows_new_graph = True
        window = self._context.shell.widget
        if self._context.style.motion and self._strip.room_strip is not None and not self._is_blank:
            self._fade = CrossFade(window.grab(), window)

    def _on_entered(self) -> None:
        """Fit another graph, or the same one in another layout; else keep the view."""
        if self._context.guides.room is None:
            return
        canvas = self._context.canvas
        canvas.scene.apply_layout()  # now, as a later layout would move nodes before the room
        if self._shows_new_graph:
            self._shows_new_graph = False
            canvas.framing.fit_all()
        elif canvas.scene.generation != self._generation:
            canvas.framing.refit()
        self._generation = canvas.scene.generation
        self._fit_after_undo()
        if self._fade is not None:
            self._fade.start()
            self._fade = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Point with the mouse over the sheet, instead of selecting and editing."""
        is_mouse = isinstance(event, QMouseEvent)
        if self._context.guides.room is None or not (is_mouse or event.type() in _POINTING_EVENTS):
            return super().eventFilter(watched, event)
        self._hide_cursor()  # a release of Space, and the key E, change it
        if not self._points:
            return super().eventFilter(watched, event)
        if is_mouse:
            share = self._share(event)
            if event.type() == QEvent.Type.MouseMove:
                self.show_pointer(share)
            elif event.type() == QEvent.Type.MouseButtonPress:
                self.click_pointer(share)
        event.accept()
        return True

    def _share(self, event: QMouseEvent) -> QPointF:
        window, canvas = self._context.shell.widget, self._context.canvas.viewport()
        at = event.position() + QPointF(canvas.mapTo(window, QPoint()))
        size = QSizeF(window.size())
        return QPointF(at.x() / size.width(), at.y() / size.height())


_DIAMETER = 0.05
"""Diameter of the ring as a share of the window's height."""
FADE_AFTER_MS = 2000
"""Milliseconds of rest after which the ring fades."""
CUT_MS = 240
"""Duration in milliseconds of a cross-fade, and of the fading of the ring."""
_LINE, _EDGE = 4.0, 2.0
"""Width of the violet ring and of its white edges, inner and outer, in px at a height of 1080."""
_SCREEN_HEIGHT = 1080.0


@exception_safe
class PointerRing(QWidget):
    """A ring around the pointer, which fades when the pointer rests."""

    def __init__(self, style: Style, window: QWidget) -> None:
        super().__init__(window)
        self._style, self._window = style, window
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        self.rest = QTimer(self, singleShot=True, interval=FADE_AFTER_MS)
        """Restarts at each move; its timeout begins the fading."""
        self.rest.timeout.connect(self._fade)
        self._effect = QGraphicsOpacityEffect(self)
        self._effect.setEnabled(False)
        self.setGraphicsEffect(self._effect)
        self._fading = QPropertyAnimation(self._effect, b"opacity", self)
        self._fading.setDuration(CUT_MS)
        self._fading.setEndValue(0.0)
        self._fading.finished.connect(self.hide)

    def show_at(self, at: QPointF) -> None:
        """Show the ring around a point of the window, in px."""
        self._fading.stop()
        self._effect.setEnabled(False)
        high = self._window.height()
        side = _DIAMETER * high + 2 * _EDGE * high / _SCREEN_HEIGHT
        rect = QRectF(0, 0, side, side)
        rect.moveCenter(at)
        self.setGeometry(rect.toAlignedRect())
        self.show()
        self.raise_()
        self.rest.start()

    def clear(self) -> None:
        """Hide the ring at once."""
        self.rest.stop()
        self._fading.stop()
        self.hide()

    def _fade(self) -> None:
        if not self._style.motion:
            self.hide()
            return
        self._effect.setEnabled(True)
        self._fading.setStartValue(1.0)
        self._fading.start()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the ring with its edges."""
        scale = self._window.height() / _SCREEN_HEIGHT
        wide = (_LINE + 2 * _EDGE) * scale
        circle = QRectF(self.rect()).adjusted(wide / 2, wide / 2, -wide / 2, -wide / 2)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(Qt.GlobalColor.white, wide))
            painter.drawEllipse(circle)
            painter.setPen(QPen(self._style.theme.selection, _LINE * scale))
            painter.drawEllipse(circle)


@exception_safe
class CrossFade(QWidget):
    """A picture over a window, which fades out and deletes itself."""

    def __init__(self, picture: QPixmap, window: QWidget) -> None:
        super().__init__(window)
        self._picture, self._opacity = picture, 1.0
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setGeometry(window.rect())
        self.fading = QVariantAnimation(self)
        self.fading.setDuration(CUT_MS)
        self.fading.setStartValue(1.0)
        self.fading.setEndValue(0.0)
        self.fading.valueChanged.connect(self._show_opacity)
        self.fading.finished.connect(self.deleteLater)
        self.show()
        self.raise_()

    def start(self) -> None:
        """Begin to fade, once the window shows the new graph."""
        self.fading.start()

    def _show_opacity(self, opacity: float) -> None:
        self._opacity = opacity
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the picture in its present opacity."""
        with QPainter(self) as painter:
            painter.setOpacity(self._opacity)
            painter.drawPixmap(0, 0, self._picture)
