"""The recent files of the start page, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from app.controls.icon_button import IconButton
from app.controls.layouts import in_column, in_row, plain_label
from app.controls.tab_order import visit_after
from app.panels.welcome.cards import LEAST_ROW, ROW, RecentCard
from app.style.current import Style

NO_RECENT = "Nothing here yet. Your own graph files are listed here once you open or save one."
MOST_RECENT = 6
_LEAST_ROWS = 2
_GAP = 8
"""Space between files, and below the heading, in px at 100 %."""


class RecentFiles(QWidget):
    """A heading with a button to open a file, and one card per file."""

    chosen = Signal(str)
    open_wanted = Signal()

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._columns = 1
        self.cards: list[RecentCard] = []
        self.open_button = IconButton(style, "", "Open a file", "Ctrl+O", text="Open a file…")
        self.open_button.set_kind("offer")
        self.open_button.clicked.connect(self.open_wanted)
        self._nothing = _nothing_yet()
        self._head = in_row((plain_label("Recent", "heading"), 1), self.open_button)
        self._grid = QGridLayout()
        parts = (self._head, self._nothing, self._grid)
        in_column(*parts, parent=self, style=style, edges=0, gap=_GAP)

    def set_files(self, paths: Sequence[Path]) -> None:
        """List these files."""
        for card in self.cards:
            self._grid.removeWidget(card)
            card.deleteLater()
        self.cards = [RecentCard(self._style, path) for path in paths[:MOST_RECENT]]
        for card in self.cards:
            card.chosen.connect(self.chosen)
        self._nothing.setVisible(not self.cards)
        self._arrange()
        visit_after(self.open_button, self.cards)

    def fit(self, columns: int, width: int, height: int) -> int:
        """Show as many files as fit into a height in px, at least two rows; return the height."""
        px = self._style.px
        self._grid.setSpacing(px(_GAP))
        if columns != self._columns:
            self._columns = columns
            self._arrange()
        head = self._head.sizeHint().height() + px(_GAP)
        if not self.cards:
            return head + self._nothing.heightForWidth(width)
        rows = max(_LEAST_ROWS, (height - head + px(_GAP)) // px(LEAST_ROW + _GAP))
        rows = min(rows, -(-len(self.cards) // columns))
        for_one = int(((height - head + px(_GAP)) / rows - px(_GAP)) / px(100) * 100)
        high = max(LEAST_ROW, min(for_one, ROW))
        for place, card in enumerate(self.cards):
            card.setVisible(place < rows * columns)
            card.set_height(high)
        return head + rows * (px(high) + px(_GAP)) - px(_GAP)

    def _arrange(self) -> None:
        for card in self.cards:
            self._grid.removeWidget(card)
        for place, card in enumerate(self.cards):
            self._grid.addWidget(card, place // self._columns, place % self._columns)


def _nothing_yet() -> QFrame:
    frame = QFrame()
    frame.setProperty("kind", "empty")
    in_column(plain_label(NO_RECENT, "secondary", wraps=True), parent=frame, edges=16)
    return frame
