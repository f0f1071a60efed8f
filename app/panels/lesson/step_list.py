"""StepList: the steps of a lesson in order; ChoicesPart: the choices of a question in own words."""

from __future__ import annotations

from typing import Final, cast

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QButtonGroup, QRadioButton, QWidget

from app.controls.layouts import in_column, in_row, plain_label
from app.controls.row_list import Column, RowList
from app.guard import exception_safe
from app.lessons.lesson import Choice
from app.lessons.parsing import CHOICE_LIMIT
from app.panels.lesson.step_fields import LineField
from app.style.current import Style
from engine.asking.judging import MOST_CHOICES

_DROP_LINE: Final = 2
"""Thickness of the line at the drop position of a dragged step, in px at 100 %."""
_MOST_ROWS: Final = 8
"""Most visible rows of the list, so that the fields below it stay near."""
_SAY_LIMIT: Final = 240
_CHOICE_HINTS: Final = ("one answer", "another", "a third", "a fourth")
"""Placeholders of the choices of a question in own words."""


@exception_safe
class StepList(RowList):
    """The steps of a lesson, to be dragged, moved by Alt+Up and Alt+Down, copied and pasted."""

    dropped = Signal(int, int)
    """Emitted with the index of a row before and after its move."""
    removed = Signal(int)
    """Emitted with the index of the row that Delete removes."""
    copied = Signal()
    pasted = Signal()
    """Emitted by Ctrl+C and Ctrl+V."""
    dragged_over = Signal(int)
    """Emitted with the index of the row under the dragged one."""

    def __init__(self, style: Style) -> None:
        columns = (Column(16, right=True), Column(34), Column(stretches=True), Column(right=True))
        super().__init__(style, "Steps of the lesson", columns, row_height=26, most_rows=_MOST_ROWS)
        self._pressed_at: QPoint | None = None
        self._dragged = -1
        """The index of the dragged row, or −1."""
        self._gap = -1
        """The gap under the dragged row: 0 is above the first row; −1 without one."""

    def event(self, event: QEvent) -> bool:
        # Alt+Up and Delete are shortcuts of the sheet elsewhere
        if event.type() == QEvent.Type.ShortcutOverride:
            key = cast("QKeyEvent", event)
            if self._step_of(key) or key.key() == Qt.Key.Key_Delete or self._clipboard_of(key):
                event.accept()
                return True
        return super().event(event)

    def _step_of(self, event: QKeyEvent) -> int:
        """Return −1 for Alt+Up, 1 for Alt+Down, 0 for any other key."""
        if not event.modifiers() & Qt.KeyboardModifier.AltModifier:
            return 0
        return {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)

    def _clipboard_of(self, event: QKeyEvent) -> SignalInstance | None:
        """Return the signal of Ctrl+C or Ctrl+V; None for any other key."""
        if event.matches(QKeySequence.StandardKey.Copy):
            return self.copied
        return self.pasted if event.matches(QKeySequence.StandardKey.Paste) else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at, step = self.currentRow(), self._step_of(event)
        if event.key() == Qt.Key.Key_Escape and self._dragged >= 0:
            self._end_drag()
        elif step and 0 <= at + step < self.count():
            self.dropped.emit(at, at + step)
        elif step:
            event.accept()
        elif (signal := self._clipboard_of(event)) is not None:
            signal.emit()
        elif event.key() == Qt.Key.Key_Delete and at >= 0:
            self.removed.emit(at)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed_at = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        start, at = self._pressed_at, event.position().toPoint()
        if start is None or not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
            return
        far = (at - start).manhattanLength() >= QApplication.startDragDistance()
        if self._dragged < 0 and far:
            self._dragged = self.indexAt(start).row()
        if self._dragged >= 0:
            self._gap = self._gap_at(at)
            near = self._gap if at.y() > self.viewport().height() // 2 else self._gap - 1
            row = min(max(near, 0), self.count() - 1)
            self.scrollToItem(self.item(row))
            self.dragged_over.emit(row)
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        dragged, gap = self._dragged, self._gap
        self._end_drag()
        if dragged < 0:
            super().mouseReleaseEvent(event)
            return
        to = gap - 1 if gap > dragged else gap  # the gap counts the dragged row itself
        if to != dragged:
            self.dropped.emit(dragged, to)

    def _gap_at(self, at: QPoint) -> int:
        """Return the gap nearest to a point in px of the viewport."""
        for row in range(self.count()):
            if at.y() < self.rect_of(row).center().y():
                return row
        return self.count()

    def _end_drag(self) -> None:
        self._pressed_at, self._dragged, self._gap = None, -1, -1
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._gap < 0 or not self.count():
            return
        last = self.rect_of(self.count() - 1)
        y = self.rect_of(self._gap).top() if self._gap < self.count() else last.bottom()
        high = self._style.px(_DROP_LINE)
        top = min(max(y - high // 2, 0), self.viewport().height() - high)
        with QPainter(self.viewport()) as painter:
            line = QRect(0, top, self.viewport().width(), high)
            painter.fillRect(line, self._style.theme.selection)


class ChoicesPart(QWidget):
    """Two to four choices in own words, one right, each with a sentence for the reveal."""

    edited = Signal(object)
    """Emitted with the tuple of choices, valid or not."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self.rights: list[QRadioButton] = []
        self._one_right = QButtonGroup(self)
        self.texts: list[LineField] = []
        self.says: list[LineField] = []
        rows = [self._make_row(style, k) for k in range(MOST_CHOICES)]
        caption = plain_label("The answers; mark the right one", "caption", True)
        in_column(caption, *rows, parent=self, style=style, gap=4)

    def _make_row(self, style: Style, index: int) -> QWidget:
        right = QRadioButton()
        right.setAccessibleName(f"Answer {index + 1} is right")
        right.setToolTip("This answer is right")
        text = LineField(f"answer {index + 1}", _CHOICE_HINTS[index], CHOICE_LIMIT)
        say = LineField(f"said of answer {index + 1}", "said at the reveal", _SAY_LIMIT)
        for field in (text, say):
            field.textEdited.connect(self._emit)
        right.clicked.connect(self._emit)
        self.rights.append(right)
        self._one_right.addButton(right)
        self.texts.append(text)
        self.says.append(say)
        row, fields = QWidget(), QWidget()
        in_column(text, say, parent=fields, style=style, gap=2)
        in_row(right, (fields, 1), parent=row, style=style, gap=4)
        return row

    def show_choices(self, choices: tuple[Choice, ...]) -> None:
        """Show choices in the first rows; clear the others."""
        if choices == self._typed():
            return
        self._one_right.setExclusive(False)  # or Qt would keep one checked
        padded = [*choices, *[Choice("")] * (MOST_CHOICES - len(choices))]
        for right, text, say, choice in zip(
            self.rights, self.texts, self.says, padded, strict=True
        ):
            text.show_text(choice.text)
            say.show_text(choice.say)
            right.setChecked(choice.right)
        self._one_right.setExclusive(True)

    def _typed(self) -> tuple[Choice, ...]:
        rows = zip(self.rights, self.texts, self.says, strict=True)
        return tuple(
            Choice(text.text(), say.text(), right.isChecked())
            for right, text, say in rows
            if text.text().strip()
        )

    def _emit(self) -> None:
        self.edited.emit(self._typed())
