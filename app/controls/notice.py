"""Notice: a sentence over the canvas with one button; it stays until answered."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QPushButton, QWidget

from app.controls.icon_button import IconButton
from app.controls.kind import set_kind
from app.controls.layouts import in_row, plain_label
from app.guard import guarded
from app.style import sizes
from app.style.current import Style


@guarded
class Notice(QFrame):
    """One sentence, one button, and a close button."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._host = parent
        self._act: Callable[[], object] | None = None
        self._on_enter = False
        set_kind(self, "card")
        self._sentence = plain_label(wraps=True)
        self._button = QPushButton(self)
        self._button.setProperty("kind", "primary")
        self._button.clicked.connect(self._acted)
        self._close = IconButton(style, "close", "Close", parent=self)
        self._close.set_kind("quiet")
        self._close.clicked.connect(self.dismiss)
        in_row((self._sentence, 1), self._button, self._close, parent=self)
        parent.installEventFilter(self)
        style.changed.connect(self._place)
        self.hide()

    @property
    def button(self) -> QPushButton:
        """Return the action button."""
        return self._button

    def text(self) -> str:
        """Return the sentence."""
        return self._sentence.text()

    def offer(
        self, sentence: str, action: str, act: Callable[[], object], on_enter: bool = False
    ) -> None:
        """Show a sentence and a button that calls `act`.

        With `on_enter`, Enter does so too, on the parent or on the widget that has the focus.
        """
        self._act, self._on_enter = act, on_enter
        focused = QApplication.focusWidget()
        if on_enter and focused is not None and focused is not self._host:
            focused.installEventFilter(self)
        self._sentence.setText(sentence)
        self._button.setText(action.replace("&", "&&"))
        self.setAccessibleName(sentence)
        self.show()
        self._place()
        self.raise_()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, sentence))

    def dismiss(self) -> None:
        """Hide without doing anything."""
        self._act = None
        self.hide()

    def _acted(self) -> None:
        act, self._act = self._act, None
        self.hide()
        if act is not None:
            act()

    def _place(self) -> None:
        """Centre below the upper edge of the parent."""
        if not self.isVisible():
            return
        gap = self._style.px(sizes.SPACES[3])
        room = self._host.width() - 2 * gap
        button = self._button.sizeHint().width() + self._close.sizeHint().width()
        words = self._sentence.fontMetrics().horizontalAdvance(self._sentence.text())
        width = min(room, words + button + 5 * gap)
        inner = width - button - 4 * gap
        height = max(self._sentence.heightForWidth(inner), self._button.sizeHint().height())
        self.setGeometry((self._host.width() - width) // 2, gap, width, height + 2 * gap)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        waits = self._on_enter and self._act is not None and self.isVisible()
        return waits and isinstance(event, QKeyEvent) and self._answered_by(event)

    def _answered_by(self, event: QKeyEvent) -> bool:
        """Answer the offer by Enter or Esc, before any shortcut; return whether it was one."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if not enter and event.key() != Qt.Key.Key_Escape:
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() != QEvent.Type.KeyPress:
            return False
        self._acted() if enter else self.dismiss()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)
