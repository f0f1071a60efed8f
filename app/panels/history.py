"""The history panel: every step that can be undone or redone, the present one marked."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedLayout, QUndoView, QWidget

from app.controls.empty_state import EmptyState
from app.document.change import Change
from app.document.document import Document
from app.style.current import Style
from app.style.icons import icon

NOTHING = "Nothing to undo yet."
START = "As it was opened"


class HistoryPanel(QWidget):
    """The undo history as a list; a click goes back or forth to there."""

    def __init__(self, style: Style, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._stack = document.stack
        self.setProperty("kind", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.empty = EmptyState(style, NOTHING)
        self.view = QUndoView(document.stack)
        self.view.setEmptyLabel(START)
        self.view.setAccessibleName("History")
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self.view)
        document.changed.connect(self._follow)
        style.changed.connect(self._restyle)
        self._restyle()
        self._follow()

    def _follow(self, _change: Change | None = None) -> None:
        self._pages.setCurrentWidget(self.view if self._stack.count() else self.empty)

    def _restyle(self) -> None:
        px = self._style.px
        self._pages.setContentsMargins(px(4), px(8), px(4), px(8))
        self.view.setCleanIcon(icon("save", self._style.theme, self._style.theme.secondary))
