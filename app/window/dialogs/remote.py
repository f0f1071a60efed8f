"""Remote: the name of each pressed key, and its act in a lecture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QLabel

from app.controls.layouts import in_column, plain_label
from app.guard import guarded
from app.style import sizes
from app.window.remote_keys import MODIFIER_KEYS, key_description

if TYPE_CHECKING:
    from app.window.context import Context

_SIZE = (420, 190)
"""Width and height of the dialog, in px at 100 %."""
_PROMPT = "Press a key of the remote."
_CLOSES = "Esc twice closes this."


@guarded
class RemoteDialog(QDialog):
    """Shows every key instead of obeying it, to try a remote before the lecture."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.shell.widget)
        px = context.style.px
        self._last_was_escape = False
        """Whether the last key was Esc."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Remote")
        self.key = _label(_PROMPT, "title")
        """The name of the last key."""
        self.act = _label("", "")
        """The description of its act in a lecture."""
        in_column(
            1,
            self.key,
            self.act,
            1,
            _label(_CLOSES, "caption"),
            parent=self,
            style=context.style,
            edges=sizes.SPACES[4],
            gap=sizes.SPACES[2],
        )
        self.setFixedSize(px(_SIZE[0]), px(_SIZE[1]))

    def event(self, event: QEvent) -> bool:
        """Consume a key before it becomes a shortcut, moves the focus or closes the dialog."""
        if not isinstance(event, QKeyEvent) or event.type() not in (
            QEvent.Type.ShortcutOverride,
            QEvent.Type.KeyPress,
        ):
            return super().event(event)
        event.accept()
        is_press = event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat()
        if is_press and Qt.Key(event.key()) not in MODIFIER_KEYS:
            self._show_key(event)
        return True

    def _show_key(self, event: QKeyEvent) -> None:
        is_escape = event.key() == Qt.Key.Key_Escape
        if is_escape and self._last_was_escape:
            self.reject()
            return
        self._last_was_escape = is_escape
        name, act = key_description(event)
        self.key.setText(name)
        self.act.setText(act)
        self.setAccessibleDescription(f"{name}: {act}")


def _label(text: str, kind: str) -> QLabel:
    label = plain_label(text, kind, wraps=True)
    label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    label.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return label
