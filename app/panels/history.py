"""HistoryPage: every step that can be undone or redone, with the current one marked."""

from __future__ import annotations

from PySide6.QtWidgets import QUndoView, QWidget

from app.controls.empty_state import EmptyState
from app.controls.panel import Page
from app.document.document import Document
from app.guard import guarded
from app.style.current import Style
from app.style.icons import icon

NOTHING = "Nothing to undo yet."
START = "As it was opened"


@guarded
class HistoryPage(Page):
    """The undo history as a list; a click undoes or redoes up to that step."""

    def __init__(self, style: Style, document: Document) -> None:
        super().__init__(style, "History")
        self.empty = EmptyState(style, NOTHING)
        self.view = QUndoView(document.stack)
        self.view.setEmptyLabel(START)
        self.view.setAccessibleName("Changes of the sheet")
        self.add(self.empty, (self.view, 1))
        self.follow(document.stack.indexChanged)

    def first_field(self) -> QWidget | None:
        """Return the list, unless it is empty."""
        return self.view if self.view.isVisible() else None

    def refresh(self) -> None:
        """Show the list, or that there is nothing in it."""
        rows = self.view.model().rowCount()  # START is a row
        self.view.setVisible(rows > 1)
        self.empty.setVisible(rows <= 1)
        self.view.setCleanIcon(icon("save", self._style.theme, self._style.theme.secondary))
