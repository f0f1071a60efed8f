"""The examples of the start page, in as many columns as fit."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from app.document.examples import examples
from app.panels.welcome.cards import LEAST_PICTURE, PICTURE, WIDTH, WORDS, ExampleCard
from app.style.current import Style

FIRST = 6
"""How many examples shall stand whole in the window before anything is scrolled."""
_COLUMNS = 3
_GAP = 14
"""Space between cards, in px at 100 %."""
_SQUEEZE = 20
"""By how much a card may be narrower than usual for one more column, in px at 100 %."""


class Examples(QWidget):
    """One card per example; their pictures become lower where the first six would be cut."""

    chosen = Signal(str)

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._columns = 0
        self.cards = [ExampleCard(style, example, self) for example in examples()]
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        for card in self.cards:
            card.chosen.connect(self.chosen)

    def fit(self, width: int, height: int) -> None:
        """Arrange the cards for the room that is in sight without scrolling, in px."""
        px = self._style.px
        self._grid.setSpacing(px(_GAP))
        columns = (width + px(_GAP)) // px(WIDTH - _SQUEEZE)
        self._arrange(max(1, min(_COLUMNS, columns)))
        rows = -(-FIRST // self._columns)
        for_one = (height - (rows - 1) * px(_GAP)) / rows / px(100) * 100
        picture = int(for_one) - WORDS - 1  # rounding must not cut the last row
        for card in self.cards:
            card.set_picture(min(picture, PICTURE) if picture >= LEAST_PICTURE else PICTURE)

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for card in self.cards:
            self._grid.removeWidget(card)
        for place, card in enumerate(self.cards):
            self._grid.addWidget(card, place // columns, place % columns)
        for column in range(_COLUMNS):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
