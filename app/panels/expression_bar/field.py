"""The field of the expression bar: one line of code with error marks."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit, QWidget

from app.controls.keys import ARROWS, KeyClaim
from app.document.typed_formulas import joined
from app.guard import guarded
from app.style.current import Style

EXAMPLE = "Type a formula such as (a*b + a) * f"


@guarded
class ExpressionField(QPlainTextEdit):
    """Code on one line; Enter emits `entered`, Esc `left`; pasted lines are joined with `;`."""

    entered = Signal()
    left = Signal()
    held = Signal()
    """Emitted when something is typed while the field is read-only."""
    focus_changed = Signal()

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabChangesFocus(True)
        self.setProperty("kind", "bare")
        self.setStyleSheet("background: transparent; border: none; padding: 0px;")
        self.document().setDocumentMargin(0)
        self.setAccessibleName("Expression")
        self.setPlaceholderText(EXAMPLE)
        self._claim = KeyClaim(
            self, *ARROWS, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape
        )
        self.textChanged.connect(self.clear_error)
        style.changed.connect(self._follow_style)
        self._error: tuple[int, int] | None = None
        self._restyle()

    def text(self) -> str:
        """Return the text in the field."""
        return self.toPlainText()

    def set_text(self, text: str) -> None:
        """Set the text and clear the field's undo stack."""
        self._error = None
        self.setPlainText(text)
        self._to_start()

    def mark_error(self, start: int, length: int) -> None:
        """Underline an error, leaving the caret; one beyond the end marks the last character."""
        end = len(self.text())
        start = min(start, max(end - 1, 0))
        self._error = (start, max(1, min(length, end - start)))
        self._mark_result()

    def clear_error(self) -> None:
        """Remove the underline."""
        self._error = None
        self._mark_result()

    def error_range(self) -> tuple[int, int] | None:
        """Return start and length of the underlined range, or None."""
        return self._error

    def line_height(self) -> int:
        """Return the height of one line in px."""
        return QFontMetrics(self.font()).height() + 2

    def _to_start(self) -> None:
        cursor = self.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.Start)
        self.setTextCursor(cursor)
        self.horizontalScrollBar().setValue(0)

    def _mark_result(self) -> None:
        """Highlight the root's name in grey and an error with a red wave."""
        marks = [self._mark(*place, self._result_format()) for place in (self._result(),) if place]
        if self._error is not None:
            wave = QTextCharFormat()
            wave.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            wave.setUnderlineColor(self._style.theme.error)
            wave.setForeground(self._style.theme.error)
            marks.append(self._mark(*self._error, wave))
        self.setExtraSelections(marks)

    def _result(self) -> tuple[int, int] | None:
        """Return the range of the root's name and its equals sign, or None."""
        text = self.text()
        start = text.rfind(";") + 1
        equals = text.find("=", start)
        if equals < 0:
            return None
        start += len(text[start:]) - len(text[start:].lstrip())
        return start, equals + 1 - start

    def _result_format(self) -> QTextCharFormat:
        grey = QTextCharFormat()
        grey.setForeground(self._style.theme.secondary)
        return grey

    def _mark(self, start: int, length: int, look: QTextCharFormat) -> QTextEdit.ExtraSelection:
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(min(start + length, len(self.text())), QTextCursor.MoveMode.KeepAnchor)
        mark = QTextEdit.ExtraSelection()
        mark.cursor = cursor  # pyright: ignore[reportAttributeAccessIssue]
        mark.format = look  # pyright: ignore[reportAttributeAccessIssue]
        return mark

    def _follow_style(self) -> None:
        self._restyle()
        self.viewport().setFont(self.font())  # of the hint; under a style sheet it does not follow

    def _restyle(self) -> None:
        font = self._style.font("code")
        font.setPixelSize(self._style.px(13.5))
        self.setFont(font)
        self.setFixedHeight(self.line_height())
        self._mark_result()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undo = event.matches(QKeySequence.StandardKey.Undo)
            redo = event.matches(QKeySequence.StandardKey.Redo)
            history = self.document()
            if (undo and not history.isUndoAvailable()) or (redo and not history.isRedoAvailable()):
                event.ignore()  # nothing was typed: let the window undo
                return False
        return super().event(event)

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(240), self.line_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(60), self.line_height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif self.isReadOnly() and event.text().isprintable() and event.text():
            self.held.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText()

    def insertFromMimeData(self, source: QMimeData) -> None:
        self.insertPlainText(joined(source.text()))
