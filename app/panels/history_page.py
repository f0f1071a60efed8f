"""HistoryPage: every step that can be undone or redone, with the current one marked."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from app.controls.panel import EmptyState, Page
from app.document.document import Document
from app.style.current import Style
from app.style.icons import icon
from app.style.theme import Theme
from app.workbench.playback.playback import Playback

NOTHING_TO_UNDO = "Nothing to undo yet."


class HistoryPage(Page):
    """The opened sheet and all steps as a list; a click or Enter undoes or redoes up to a row.

    Steps below the floor of undo, as those that began a lesson, are not in it.

    A QListWidget, because the list may be long and changes with every edit: too slow for `RowList`.
    """

    def __init__(self, style: Style, document: Document, playback: Playback) -> None:
        super().__init__(style, "History")
        self._document = document
        self._shown: tuple[list[str], list[int], Theme] | None = None
        """Names of the steps in the list, its rows of saved sheets, and its theme."""
        self.empty = EmptyState(style, NOTHING_TO_UNDO)
        self.view = QListWidget()
        self.view.setAccessibleName("Changes of the sheet")
        self.add(self.empty, (self.view, 1))
        self.view.itemClicked.connect(self._go_to)
        self.view.itemActivated.connect(self._go_to)
        self.follow(playback.shown)

    def first_field(self) -> QWidget | None:
        """Return the list, unless it is empty."""
        return self.view if self.view.isVisible() else None

    def refresh(self) -> None:
        """Show the list, or that there is nothing in it."""
        opened, steps, theme = self._document.opened, self._document.steps, self._style.theme
        floor = self._document.undo_floor
        names = [step.name for step in (opened, *steps)][floor:]
        saved = [count - floor for count, step in enumerate(steps, 1) if step.is_saved]
        if opened.sheet is opened.home.safe_sheet:
            saved.append(-floor)  # the row of the opened sheet
        with QSignalBlocker(self.view):
            if (names, saved, theme) != self._shown:
                self._shown = names, saved, theme
                self.view.clear()
                self.view.addItems(names)
                for row in saved:
                    if row >= 0:
                        self.view.item(row).setIcon(icon("save", theme, theme.secondary))
            self.view.setCurrentRow(len(self._document.done) - floor)
        self.view.setVisible(len(names) > 1)
        self.empty.setVisible(len(names) == 1)

    def _go_to(self, item: QListWidgetItem) -> None:
        row = self.view.row(item)  # first: a refresh makes new items
        if self._document.refuse_if_locked():
            self.refresh()
        else:
            self._document.go_to(row + self._document.undo_floor)
