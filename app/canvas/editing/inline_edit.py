"""The field that opens on a node to edit a value or a label."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from app.controls.kind import set_kind
from app.controls.press_outside import PressOutside
from app.guard import guarded
from app.style.current import Style
from engine.numbers import full, parse_number

PASSED = (
    *(Qt.Key.Key_Tab, Qt.Key.Key_Delete, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown),
    *(Qt.Key.Key_Up, Qt.Key.Key_Down),
)
"""Keys that name nothing."""


@guarded
class InlineEdit(QLineEdit):
    """A text field on the canvas.

    Enter, a press outside the field or losing focus accepts the text, Esc discards it.
    """

    def __init__(
        self,
        style: Style,
        parent: QWidget,
        where: Callable[[], QRect],
        text: str,
        take: Callable[[str], bool],
        drop: Callable[[], object] | None = None,
    ) -> None:
        """Open at `where()`; `take` accepts or refuses the text, `drop` is called on Esc."""
        super().__init__(text, parent)
        self._where = where
        self._take = take
        self._drop = drop
        self._owner: QWidget = parent.parentWidget() or parent
        self._done = False
        self.passes_keys = False
        """Whether a key that types nothing closes the field and acts on the canvas."""
        self.setFont(style.font("number"))
        self.setProperty("kind", "inline")
        self.setMaxLength(200)
        self.textEdited.connect(self._typed_on)
        self._outside = PressOutside(self, self.leave)
        self.follow()
        self.selectAll()
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def follow(self, _what: object = None) -> None:
        """Move along with the node that is edited."""
        rect = self._where()
        if not rect.isEmpty():
            self.setGeometry(rect)

    def finish(self, keep: bool) -> None:
        """Close the field, accepting its text or not."""
        if self._done:
            return
        if keep and not self._take(self.text()):
            set_kind(self, "false", part="valid")
            self.selectAll()
            return
        self._done = True
        if self.hasFocus():  # else another widget has the focus already
            self._owner.setFocus()
        self.hide()
        self.deleteLater()

    def leave(self) -> None:
        """Accept the text if it is valid, and close in any case."""
        if not self._done:
            self.finish(keep=True)
            self.finish(keep=False)

    def _typed_on(self) -> None:
        """Clear the error mark when the text changes; keys are the field's from now on."""
        self.passes_keys = False
        set_kind(self, "true", part="valid")

    def event(self, event: QEvent) -> bool:
        """Close for a key that is meant for the canvas, as long as nothing was typed."""
        if self.passes_keys and isinstance(event, QKeyEvent) and _names_nothing(event):
            self.finish(keep=False)
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Accept the text on Enter and Tab, discard it on Esc."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab):
            self.finish(keep=True)
        elif event.key() == Qt.Key.Key_Escape:
            self.finish(keep=False)
            if self._drop is not None:
                self._drop()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Accept the text on losing focus, if it is valid."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.leave()


def value_text(value: float) -> str:
    """Return a value for the field, with every digit."""
    return full(value)


def read_value(text: str) -> float | None:
    """Return the number in the field, or None."""
    return parse_number(text)


def _names_nothing(event: QKeyEvent) -> bool:
    """Return whether a key press is no text, and so is meant for the canvas."""
    pressed = event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
    undo = event.matches(QKeySequence.StandardKey.Undo)
    return pressed and (undo or event.key() in PASSED)
