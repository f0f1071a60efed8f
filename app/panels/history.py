"""The history panel: every step that can be undone or redone, the present one marked."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedLayout, QUndoView, QWidget

from app.controls.empty_state import EmptyState
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
        self._can_undo = document.stack.canUndo()
        self._can_redo = document.stack.canRedo()
        self.setProperty("kind", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.empty = EmptyState(style, NOTHING)
        self.view = QUndoView(document.stack)
        self.view.setEmptyLabel(START)
        self.view.setAccessibleName("History")
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self.view)
        document.stack.canUndoChanged.connect(self._follow_undo)
        document.stack.canRedoChanged.connect(self._follow_redo)
        style.changed.connect(self._restyle)
        self._restyle()
        self._choose_page()

    def _follow_undo(self, can_undo: bool) -> None:
        self._can_undo = can_undo
        self._choose_page()

    def _follow_redo(self, can_redo: bool) -> None:
        self._can_redo = can_redo
        self._choose_page()

    def _choose_page(self) -> None:
        some = self._can_undo or self._can_redo
        self._pages.setCurrentWidget(self.view if some else self.empty)

    def _restyle(self) -> None:
        px = self._style.px
        self._pages.setContentsMargins(px(4), px(8), px(4), px(8))
        self.view.setCleanIcon(icon("save", self._style.theme, self._style.theme.secondary))
