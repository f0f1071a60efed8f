"""The timeline: both passes as rows of ticks, one for each step, for reading and scrubbing."""

from __future__ import annotations

import math
from collections.abc import Mapping

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QToolTip, QWidget

from app.controls.kind import plain_tooltip
from app.guard import guarded
from app.panels.strip.lane import FORWARD_TICK, NO_MARKS, STRIP_ROWS, Lane, LaneLook, LaneRows
from app.panels.strip.lane_painting import paint_lane
from app.style.current import Style
from app.workbench.playback.ticks import Track
from engine.frame import Frame

_FORWARD_SHARE = 0.24
_NOTCH = 120
"""Wheel angle of one notch, in eighths of a degree."""
_DIVIDER = 20


@guarded
class Timeline(QAbstractSlider):
    """Shows the position in the pass; `scrubbed` carries the requested phase and cursor."""

    scrubbed = Signal(str, int)

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._frame: Frame | None = None
        self._headed = True
        self._tracks: tuple[Track, ...] = ()
        self.lanes: tuple[Lane, ...] = ()
        self._dragged: Lane | None = None
        self._wheel = 0
        self._wrong = frozenset[int]()
        self._marks = NO_MARKS
        self._asked = 0
        self._hides = False
        self._rows = STRIP_ROWS
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Timeline")
        style.changed.connect(self._lay_out)

    def show_tracks(
        self,
        tracks: tuple[Track, ...],
        frame: Frame,
        wrong: frozenset[int] = frozenset(),
        marks: Mapping[int, bool] = NO_MARKS,
        asked: int = 0,
    ) -> None:
        """Show the passes, and the progress of the one in the frame.

        `wrong` are the cursors at which a mistake shows; those reached get a cross. `marks` say of
        the cursors whose steps a learner was asked about whether the answers were right; `asked` is
        the step that is asked about now, or 0.
        """
        same = tracks == self._tracks and len(self.lanes) == len(tracks)
        self._tracks, self._frame, self._wrong, self._marks = tracks, frame, wrong, marks
        self._asked = asked
        blocked = self.blockSignals(True)
        self.setRange(0, frame.total)
        self.setValue(frame.cursor)
        self.blockSignals(blocked)
        place = "Step {step:,} of {total:,}"
        if frame.cursor in wrong:
            place = "Step {step:,} of {total:,}, differs from the correct pass"
        if frame.hides == "end":
            place = "Step {step:,}"
        self.setAccessibleDescription(place.format(step=frame.cursor, total=frame.total))
        if not same:
            self._lay_out()
        self.update()

    def show_head(self, shown: bool) -> None:
        """Mark the place in the pass, or leave the mark out while no step of it is done."""
        if shown != self._headed:
            self._headed = shown
            self.update()

    def hide_order(self, hides: bool) -> None:
        """Leave out who fires and receives in the steps to come."""
        if hides != self._hides:
            self._hides = hides
            self.update()

    def set_rows(self, rows: LaneRows) -> None:
        """Set where the rows are."""
        if rows != self._rows:
            self._rows = rows
            self._lay_out()

    def _lay_out(self) -> None:
        """Divide the width between the passes."""
        self.setFixedHeight(self._style.px(self._rows.height))
        px, width = self._style.px, float(self.width())
        tracks = [track for track in self._tracks if len(track)]
        forward = next((track for track in tracks if track.phase == "forward"), None)
        share = 0.0
        if forward is not None and len(tracks) > 1:
            wanted = max(px(70), px(FORWARD_TICK) * len(forward))
            share = min(wanted, width * _FORWARD_SHARE)
        lanes: list[Lane] = []
        for track in tracks:
            if track is forward and share:
                lanes.append(Lane(track, 0.0, share, self._style, self._rows))
            else:
                left = share + px(_DIVIDER) if share else 0.0
                lanes.append(Lane(track, left, width, self._style, self._rows))
        self.lanes = tuple(lanes)
        self.update()

    def _look(self, lane: Lane) -> LaneLook:
        """Return the progress of a lane; live values count as a finished forward pass."""
        assert self._frame is not None
        frame, phase = self._frame, lane.track.phase
        if frame.phase == phase:
            return LaneLook(
                frame,
                frame.cursor,
                self._headed,
                self._wrong,
                self._marks,
                self._asked,
                self._hides,
            )
        done = len(lane.track) if phase == "forward" else 0
        return LaneLook(frame, done, False, hides_order=self._hides)

    def _lane_at(self, x: float) -> Lane | None:
        lanes = [lane for lane in self.lanes if x <= lane.right] or list(self.lanes[-1:])
        return lanes[0] if lanes else None

    def _scrub(self, x: float) -> None:
        lane = self._dragged
        if lane is None or self._frame is None:
            return
        cursor = lane.cursor_at(x)
        if (lane.track.phase, cursor) != (self._frame.phase, self._frame.cursor):
            self.scrubbed.emit(lane.track.phase, cursor)

    def tip_at(self, x: float) -> str:
        """Return what happens at the tick nearest to x, without its number."""
        lane = self._lane_at(x)
        if lane is None:
            return ""
        cursor = lane.cursor_at(x)
        if cursor == 0:
            return f"Start of the {lane.track.phase} pass"
        lines = [f"Step {cursor:,}: {lane.track.words(cursor)}", "Click or drag to go there"]
        look = self._look(lane)
        if look.is_hidden(cursor):
            lines[0] = f"Step {cursor:,}"
        if look.crossed(cursor):
            lines.insert(1, "✗ differs from the correct pass")
        if cursor in look.marks:
            lines.insert(1, "✓ answered right" if look.marks[cursor] else "✗ answered wrong")
        return "\n".join(lines)

    def _go(self, steps: int) -> None:
        if self._frame is not None and self._frame.phase != "live":
            cursor = max(0, min(self._frame.cursor + steps, self._frame.total))
            if cursor != self._frame.cursor:
                self.scrubbed.emit(self._frame.phase, cursor)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            tip = plain_tooltip(self.tip_at(event.x()))
            QToolTip.showText(event.globalPos(), tip, self)
            return True
        return super().event(event)

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(480), self._style.px(self._rows.height))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(120), self._style.px(self._rows.height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._dragged = self._lane_at(event.position().x())
            self._scrub(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._scrub(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragged = None

    def wheelEvent(self, event: QWheelEvent) -> None:
        delta = event.angleDelta()
        self._wheel += delta.y() if abs(delta.y()) >= abs(delta.x()) else delta.x()
        steps = math.trunc(self._wheel / _NOTCH)
        self._wheel -= steps * _NOTCH
        if steps:
            self._go(-steps)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        total = self._frame.total if self._frame is not None else 0
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Down: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: 1,
            Qt.Key.Key_PageUp: -1,
            Qt.Key.Key_PageDown: 1,
            Qt.Key.Key_Home: -total,
            Qt.Key.Key_End: total,
        }.get(Qt.Key(event.key()))
        if steps is None:
            super().keyPressEvent(event)
        else:
            self._go(steps)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setClipRect(self.rect())
            if self._frame is None:
                return
            for lane in self.lanes:
                paint_lane(painter, lane, self._look(lane), self._style)
            if len(self.lanes) > 1:
                px, rows = self._style.px, self._rows
                x = round(self.lanes[0].right + px(_DIVIDER) / 2)
                painter.setPen(self._style.theme.line)
                painter.drawLine(x, px(rows.heads - 3), x, px(rows.names + 14))
