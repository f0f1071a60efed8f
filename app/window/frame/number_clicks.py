"""NumberClicks: a click on a number of the sheet puts it into the text of a recorded step.

The head of a node and a bare wire hold no number: a click there selects, as it always does. While
moves are recorded every click is one of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from app.controls.focus import application
from app.document.node_sizes import has_columns, row_height
from app.guard import exception_safe
from app.style import sizes

if TYPE_CHECKING:
    from app.canvas.scene.hit_test import Hit
    from app.window.context import Context

TAKES_NUMBERS = "takes_numbers"
"""Property of a text field into which a clicked number is put."""


@exception_safe
class NumberClicks(QObject):
    """Takes clicks on the sheet while a text of a recorded step has the caret."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.shell.widget)
        self._context = context
        self._is_taken = False
        """Whether the press was taken, so that its release is, too."""
        self._was_recording = False
        """Whether moves were recorded at the last change of the recorder."""
        self._left: QPlainTextEdit | None = None
        """The text that the canvas has just taken the focus from, as Qt does before a press."""
        context.canvas.viewport().installEventFilter(self)
        application().focusChanged.connect(self._follow_focus)
        context.recorders.changed.connect(self._follow_recording)

    def _follow_recording(self) -> None:
        """Give the keyboard to the sheet as soon as moves are recorded, for they are made there."""
        recorder = self._context.recorders.now
        is_recording = recorder is not None and recorder.recording is not None
        if is_recording and not self._was_recording:
            self._context.canvas.setFocus()
        self._was_recording = is_recording

    def _follow_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        takes = isinstance(old, QPlainTextEdit) and bool(old.property(TAKES_NUMBERS))
        self._left = old if takes and new is self._context.canvas else None  # pyright: ignore
        QTimer.singleShot(0, self, self._forget)  # after the press that moved the focus

    def _forget(self) -> None:
        self._left = None

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Put the number under a press into the text that has the caret; the canvas gets no click.

        A double click counts as a press, and puts the number in twice.
        """
        if event.type() == QEvent.Type.MouseButtonRelease and self._is_taken:
            self._is_taken = False
            return True
        is_press = event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
        if not is_press or not isinstance(event, QMouseEvent):
            return False
        field = self._field
        if field is None or event.button() != Qt.MouseButton.LeftButton:
            return False
        text = self._live_text(event.position())
        if text:
            field.insertPlainText(text)
            field.setFocus()
            self._is_taken = True
        return bool(text)

    @property
    def _field(self) -> QPlainTextEdit | None:
        """Return the text that has the caret, or had it until this press."""
        focused = QApplication.focusWidget()
        if isinstance(focused, QPlainTextEdit) and focused.property(TAKES_NUMBERS):
            return focused
        return self._left

    def _live_text(self, at: QPointF) -> str:
        """Return the reference to the number at a point, as the text of a step has it; "" for none.

        The text then shows the number as it is at that step.
        """
        recorder, found = self._context.recorders.now, self._context.canvas.mouse.hover.hit_at(at)
        if recorder is None or recorder.recording is not None:
            return ""
        if found.wire is not None and found.part != "wire":  # its contribution
            return recorder.live_text(*found.wire, "")
        point = self._context.canvas.camera.to_sheet(at)
        if found.node is None or self._is_in_head(found.node, point):
            return ""
        slot, quantity = self._cell(found, point)
        return recorder.live_text(found.node, slot, quantity)

    def _is_in_head(self, node: int, point: QPointF) -> bool:
        """Return whether a point is in the head of a node, above its numbers.

        A box that is no higher than a head has none.
        """
        rect = self._context.canvas.scene.boxes[node].rect
        return point.y() < rect.top() + sizes.NODE_HEADER < rect.bottom()

    def _cell(self, found: Hit, point: QPointF) -> tuple[int | None, str]:
        """Return the slot (None for the node itself) and the quantity of the cell at a point."""
        canvas, node = self._context.canvas, found.node
        assert node is not None
        box = canvas.scene.boxes[node]
        top = box.y + sizes.NODE_HEADER + sizes.NODE_PADDING
        row = int((point.y() - top) // row_height(box.kind))
        slots = len(canvas.scene.sheet.graph.inputs(node))
        # at the left an operation has a slope for each slot, at the right its value and gradient
        in_left_column = has_columns(box.kind) and point.x() - box.x < box.left
        if box.kind == "op" and in_left_column and 0 <= row < slots:
            return row, "local"
        return None, "grad" if row > 0 else ""  # "" for the value
