"""The start page, shown in place of an empty canvas."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QLayout,
    QPushButton,
    QWidget,
)

from app.controls.icon_button import IconButton
from app.controls.layouts import fill_background, in_column, in_row, plain_label, scroll_area
from app.document.examples import examples
from app.guard import guarded
from app.panels.welcome.cards import CARD, ExampleCard, RecentCard
from app.panels.welcome.formula_box import FormulaBox
from app.style.current import Style

TITLE, AGAIN = "See a gradient flow back", "Welcome back"
LEAD = "Wire an expression, run it forward, then walk the gradient back one contribution at a time."
NO_RECENT = "Nothing here yet. Your own graph files are listed here once you open or save one."
MOST_RECENT = 6
_SIDE = 392
_NARROW = 900


@guarded
class Welcome(QWidget):
    """A formula field, examples, recent files, and an empty canvas to begin with."""

    example_chosen = Signal(str)
    file_chosen = Signal(str)
    open_wanted = Signal()
    expression_entered = Signal(str)
    empty_chosen = Signal()

    def __init__(
        self, style: Style, recent: Sequence[Path] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._columns = 0
        fill_background(self, "canvas")
        self.setAccessibleName("Start page")
        self.title = plain_label(TITLE, "title", wraps=True)
        self.formula = FormulaBox(style)
        self.cards = [ExampleCard(style, example, self) for example in examples()]
        self.recent_cards: list[RecentCard] = []
        self.open_button = IconButton(style, "open", "Open a file", "Ctrl+O", text="Open a file")
        self.empty_button = IconButton(style, "plus", "Start with nothing", text="Empty canvas")
        self._no_recent = _empty_recent()
        self._side = self._side_part()
        self._main = self._main_part()
        self._lay_out()
        self.formula.entered.connect(self.expression_entered)
        self.open_button.clicked.connect(self.open_wanted)
        self.empty_button.clicked.connect(self.empty_chosen)
        for card in self.cards:
            card.chosen.connect(self.example_chosen)
        style.changed.connect(self._restyle)
        self.set_recent(recent)
        self._restyle()

    def set_recent(self, paths: Sequence[Path]) -> None:
        """List these files, newest first."""
        for card in self.recent_cards:
            self._recent_column.removeWidget(card)
            card.deleteLater()
        self.recent_cards = [RecentCard(self._style, path) for path in paths[:MOST_RECENT]]
        for card in self.recent_cards:
            card.chosen.connect(self.file_chosen)
            self._recent_column.addWidget(card)
        self._no_recent.setVisible(not self.recent_cards)
        self.title.setText(AGAIN if self.recent_cards else TITLE)

    def _side_part(self) -> QWidget:
        side = QWidget()
        fill_background(side, "panel")
        self._recent_column = in_column(self._no_recent, style=self._style, gap=8)
        head = in_row((plain_label("Recent", "heading"), 1), self.open_button)
        lead = plain_label(LEAD, "secondary", wraps=True)
        parts = (self.title, lead, head, self._recent_column, 1)
        edges = (28, 30, 28, 24)
        column = in_column(*parts, parent=side, style=self._style, edges=edges, gap=12)
        column.insertSpacing(2, 12)
        self.open_button.set_kind("quiet")
        return side

    def _main_part(self) -> QWidget:
        main = QWidget()
        self.empty_button.set_kind("quiet")
        self.empty_button.setToolTip("An empty canvas; press Tab there to add a node by name")
        self._grid = QGridLayout()
        in_column(
            _head("Paste an expression", "a formula, or assignments with the root last"),
            self.formula,
            _head("Examples", "each is small and makes one point", self.empty_button),
            self._grid,
            1,
            parent=main,
            style=self._style,
            edges=(32, 24, 32, 24),
            gap=12,
        )
        return main

    def _lay_out(self) -> None:
        page = QWidget()
        self._row = in_row(self._side, (self._main, 1), parent=page, edges=0, gap=0)
        in_column(scroll_area(page), parent=self, edges=0)

    def _fit(self) -> None:
        """Show one, two or three columns of examples; in a narrow window the side goes below."""
        px = self._style.px
        narrow = self.width() < px(_NARROW)
        direction = QBoxLayout.Direction
        self._row.setDirection(direction.BottomToTop if narrow else direction.LeftToRight)
        side = px(_SIDE)
        self._side.setFixedWidth(side) if not narrow else self._side.setMaximumWidth(16_777_215)
        if narrow:
            self._side.setMinimumWidth(0)
        room = self.width() - (0 if narrow else side) - px(64)
        self.formula.set_narrow(room < px(560))
        self._arrange(max(1, min(3, (room + px(14)) // px(CARD[0] - 20))))

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for card in self.cards:
            self._grid.removeWidget(card)
        for place, card in enumerate(self.cards):
            self._grid.addWidget(card, place // columns, place % columns)
        for column in range(3):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)

    def _restyle(self) -> None:
        self._grid.setSpacing(self._style.px(14))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.formula.focus()


def _head(title: str, note: str, *buttons: QPushButton) -> QLayout:
    words = plain_label(note, "caption", wraps=True)
    return in_row(plain_label(title, "heading"), (words, 1), *buttons)


def _empty_recent() -> QFrame:
    frame = QFrame()
    frame.setProperty("kind", "empty")
    in_column(plain_label(NO_RECENT, "secondary", wraps=True), parent=frame, edges=16)
    return frame
