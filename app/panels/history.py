"""The history panel: lists every step that can be undone or redone, with the current one marked."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedLayout, QUndoView, QWidget

from app.controls.empty_state import EmptyState
from app.controls.layouts import fill_background
from app.document.document import Document
from app.style.current import Style
from app.style.icons import icon

NOTHING = "Nothing to undo yet."
START = "As it was opened"


class HistoryPanel(QWidget):
    """The undo history as a list; a click undoes or redoes up to that step."""

    def __init__(self, style: Style, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        fill_background(self, "panel")
        self.empty = EmptyState(style, NOTHING)
        self.view = QUndoView(document.stack)
        self.view.setEmptyLabel(START)
        self.view.setAccessibleName("History")
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self.view)
        document.stack.indexChanged.connect(self._choose_page)
        style.changed.connect(self._restyle)
        self._restyle()
        self._choose_page()

    def _choose_page(self) -> None:
        rows = self.view.model().rowCount()  # START is a row; the stack may be gone already
        self._pages.setCurrentWidget(self.view if rows > 1 else self.empty)

    def _restyle(self) -> None:
        px = self._style.px
        self._pages.setContentsMargins(px(4), px(8), px(4), px(8))
        self.view.setCleanIcon(icon("save", self._style.theme, self._style.theme.secondary))
