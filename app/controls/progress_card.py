"""ProgressCard: shows what takes long, with progress and a cancel button."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QProgressBar, QPushButton, QWidget

from app.controls.kind import set_kind
from app.controls.layouts import plain_label
from app.guard import guarded
from app.style import sizes
from app.style.current import Style

WIDE = 320
FINE = 1000
"""Number of steps of the progress bar."""


@guarded
class ProgressCard(QFrame):
    """A card over the canvas, visible only while something is running."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._host = parent
        self._cancel: Callable[[], object] | None = None
        set_kind(self, "card")
        self.setAutoFillBackground(True)
        self._sentence = plain_label()
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.button = QPushButton("Cancel", self)
        self.button.clicked.connect(self.cancel)
        grid = QGridLayout(self)
        grid.addWidget(self._sentence, 0, 0)
        grid.addWidget(self.bar, 1, 0)
        grid.addWidget(self.button, 0, 1, 2, 1)
        grid.setColumnStretch(0, 1)
        parent.installEventFilter(self)
        style.changed.connect(self._place)
        self.hide()

    def text(self) -> str:
        """Return what is running, as text."""
        return self._sentence.text()

    def wait_for(self, sentence: str, cancel: Callable[[], object]) -> None:
        """Show indefinite progress with a cancel button."""
        self._cancel = cancel
        self.bar.setRange(0, 0)
        self._begin(sentence)

    def show_share(self, sentence: str, share: float) -> None:
        """Show definite progress (0 to 1) of a blocking computation; painted at once."""
        self._cancel = None
        self.bar.setRange(0, FINE)
        self.bar.setValue(round(share * FINE))
        if not self.isVisible() or self.text() != sentence:
            self._begin(sentence)
        self.repaint()

    def cancel(self) -> bool:
        """Cancel what is running; return whether it could be cancelled."""
        cancel, self._cancel = self._cancel, None
        if cancel is None:
            return False
        self.finish()
        cancel()
        return True

    def finish(self) -> None:
        """Hide the progress card."""
        self._cancel = None
        self.hide()

    def _begin(self, sentence: str) -> None:
        self._sentence.setText(sentence)
        self.button.setVisible(self._cancel is not None)
        self.show()
        self._place()
        self.raise_()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, sentence))

    def _place(self) -> None:
        """Centre below the upper edge of the parent."""
        if self.isVisible():
            gap = self._style.px(sizes.SPACES[3])
            wide = min(self._style.px(WIDE), self._host.width() - 2 * gap)
            self.setGeometry((self._host.width() - wide) // 2, gap, wide, self.sizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False
