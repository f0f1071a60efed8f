"""The examples of the start page: as many as fit, or all."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from app.controls.keys import PressedByEnter
from app.controls.layouts import in_column, in_row, plain_label
from app.document.examples import examples
from app.panels.welcome.cards import LEAST_PICTURE, LEAST_WIDTH, PICTURE, WIDTH, WORDS, ExampleCard
from app.style.current import Style

_COLUMNS = 3
_GAP = 12
"""Space between cards, in px at 100 %."""
_GOOD_PICTURE = 80
"""Height of a picture from which one more row is shown, in px at 100 %."""
_HEAD_GAP = 8


class Examples(QWidget):
    """A heading with a button for all examples, and a card for each one shown."""

    chosen = Signal(str)
    all_wanted = Signal()
    """Emitted when all examples, or again only those that fit, are to be shown."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._columns = 0
        self._all = False
        self.all_button = QPushButton(self)
        self.cards = [ExampleCard(style, example, self) for example in examples()]
        self.all_button.setProperty("kind", "offer")
        PressedByEnter(self.all_button)
        note = plain_label("each makes one point", "caption")
        self._head = in_row(plain_label("Examples", "heading"), (note, 1), self.all_button)
        self._grid = QGridLayout()
        parts = (self._head, self._grid)
        in_column(*parts, parent=self, style=style, edges=0, gap=_HEAD_GAP)
        for card in self.cards:
            card.chosen.connect(self.chosen)
        self.all_button.clicked.connect(self._toggle_all)

    @property
    def least(self) -> int:
        """Return the height of the heading and one row with the lowest pictures, in px."""
        px = self._style.px
        return self._head.sizeHint().height() + px(_HEAD_GAP) + px(LEAST_PICTURE + WORDS)

    def fit(self, width: int, height: int) -> None:
        """Arrange the cards for the room that is in sight without scrolling, in px."""
        px = self._style.px
        self._grid.setSpacing(px(_GAP))
        least = 2 if width >= px(2 * LEAST_WIDTH + _GAP) else 1
        columns = max(least, min(_COLUMNS, (width + px(_GAP)) // px(WIDTH + _GAP)))
        room = height - self._head.sizeHint().height() - px(_HEAD_GAP) + px(_GAP)
        rows = max(1, room // px(_GOOD_PICTURE + WORDS + _GAP))
        shown = rows * columns
        self.all_button.setText("Fewer" if self._all else f"All {len(self.cards)}")
        self.all_button.setVisible(shown < len(self.cards))
        rows = min(rows, -(-len(self.cards) // columns))
        picture = int((room / rows - px(_GAP)) / px(100) * 100) - WORDS - 1  # rounding
        picture = PICTURE if self._all else max(LEAST_PICTURE, min(picture, PICTURE))
        for place, card in enumerate(self.cards):
            card.setVisible(self._all or place < shown)
            card.set_picture(picture)
        self._arrange(columns)

    def _toggle_all(self) -> None:
        self._all = not self._all
        self.all_wanted.emit()

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
