"""The start page, in place of an empty grid."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.controls.icon_button import IconButton
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
    """Everything there is to begin with."""

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
        self.setProperty("kind", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("Start page")
        self.title = _label(TITLE, "title")
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
        side.setProperty("kind", "panel")
        side.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._side_column = QVBoxLayout(side)
        self._side_column.addWidget(self.title)
        self._side_column.addWidget(_label(LEAD, "secondary"))
        head = QHBoxLayout()
        head.addWidget(_label("Recent", "heading"), 1)
        head.addWidget(self.open_button)
        self._recent_column = QVBoxLayout()
        self._recent_column.addWidget(self._no_recent)
        self._side_column.addSpacing(12)
        self._side_column.addLayout(head)
        self._side_column.addLayout(self._recent_column)
        self._side_column.addStretch(1)
        self.open_button.set_kind("quiet")
        return side

    def _main_part(self) -> QWidget:
        main = QWidget()
        self._main_column = QVBoxLayout(main)
        self._main_column.addLayout(
            _head("Paste an expression", "a formula, or assignments with the root last")
        )
        self._main_column.addWidget(self.formula)
        self._main_column.addLayout(
            _head("Examples", "each is small and makes one point", self.empty_button)
        )
        self.empty_button.set_kind("quiet")
        self.empty_button.setToolTip("An empty canvas; press Tab there to add a node by name")
        self._grid = QGridLayout()
        self._main_column.addLayout(self._grid)
        self._main_column.addStretch(1)
        return main

    def _lay_out(self) -> None:
        page = QWidget()
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, page)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addWidget(self._side)
        self._row.addWidget(self._main, 1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(page)
        page.setAutoFillBackground(False)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)

    def _fit(self) -> None:
        """One, two or three columns of examples; the side goes to the end in a narrow window."""
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
        px = self._style.px
        self._side_column.setContentsMargins(px(28), px(30), px(28), px(24))
        self._side_column.setSpacing(px(12))
        self._recent_column.setSpacing(px(8))
        self._main_column.setContentsMargins(px(32), px(24), px(32), px(24))
        self._main_column.setSpacing(px(12))
        self._grid.setSpacing(px(14))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.formula.focus()


def _head(title: str, note: str, button: QPushButton | None = None) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(_label(title, "heading"))
    row.addWidget(_label(note, "caption"), 1)
    if button is not None:
        row.addWidget(button)
    return row


def _label(text: str, kind: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("kind", kind)
    label.setWordWrap(kind != "heading")
    return label


def _empty_recent() -> QFrame:
    frame = QFrame()
    frame.setProperty("kind", "empty")
    column = QVBoxLayout(frame)
    column.setContentsMargins(16, 16, 16, 16)
    column.addWidget(_label(NO_RECENT, "secondary"))
    return frame
