"""A field for one number: Enter or leaving it commits, Esc cancels, what is no number stays red."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.controls.keys import KeyClaim
from app.controls.kind import set_kind
from app.guard import guarded
from app.style.current import Style
from app.style.numbers import full, parse_number, why_no_number

_LONGEST: int = 64


@guarded
class NumberEdit(QLineEdit):
    """A field that reads a number as people type it, inf and nan included.

    An inline one is small enough to stand in a node.
    """

    committed = Signal(float)
    cancelled = Signal()
    refused = Signal(str)
    """What was to be taken is no number: the sentence that says so."""

    def __init__(
        self,
        style: Style,
        value: float = 0.0,
        inline: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._value = float(value)
        self._editing = False
        self.setMaxLength(_LONGEST)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFont(style.font("number"))
        self.setProperty("kind", "inline" if inline else "")
        self.textChanged.connect(self._judge)
        self.textEdited.connect(self._begin)
        KeyClaim(self, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)
        style.changed.connect(self._restyle)
        self.set_value(value)

    def value(self) -> float:
        """The number last set or committed."""
        return self._value

    def set_value(self, value: float) -> None:
        """Show a number with all its digits, and forget what is being typed; emits nothing."""
        self._value = float(value)
        self._editing = False
        self.setText(full(self._value))

    def is_valid(self) -> bool:
        """Whether the text is a number."""
        return parse_number(self.text()) is not None

    def commit(self) -> bool:
        """Take the text as the value; one that is no number stays, red, and is `refused`."""
        number = parse_number(self.text())
        if number is None:
            self._judge()
            self.selectAll()
            self.refused.emit(why_no_number(self.text()))
            return False
        self.set_value(number)
        self.committed.emit(number)
        return True

    def cancel(self) -> None:
        """Go back to the value before the typing began."""
        self.set_value(self._value)
        self.cancelled.emit()

    def _begin(self) -> None:
        self._editing = True

    def _judge(self) -> None:
        valid = self.is_valid()
        set_kind(self, "true" if valid else "false", part="valid")
        self.setAccessibleDescription("" if valid else "Not a number")

    def _restyle(self) -> None:
        self.setFont(self._style.font("number"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
            self.commit()
        elif event.key() == Qt.Key.Key_Escape:
            event.accept()
            self.cancel()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() != Qt.FocusReason.MouseFocusReason:
            self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if not self._editing or event.reason() == Qt.FocusReason.PopupFocusReason:
            return
        if self.is_valid():
            self.commit()
        else:
            self.refused.emit(why_no_number(self.text()))
            self.cancel()
