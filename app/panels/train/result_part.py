"""What a training has come to: its loss, and the share of samples that are right."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QLabel, QWidget

from app.controls.kind import set_kind
from app.controls.layouts import Box, in_column, in_row, plain_label
from app.style.current import Style
from app.workbench.training.training import Training

NO_CLASSES: Final = "–"
_HIGH, _LOW = 48, 40
"""Heights of a card with its number below its caption and beside it, in px at 100 %."""


class ResultPart(QWidget):
    """Two cards: loss and accuracy at the epoch that is shown."""

    def __init__(self, style: Style, training: Training, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style, self._training = style, training
        self._low = False
        self.loss, self.accuracy = plain_label(kind="value"), plain_label(kind="strong")
        self._cards: list[tuple[QFrame, Box, QLabel]] = []
        cards = (self._card("loss", self.loss), self._card("accuracy", self.accuracy))
        in_row(*((card, 1) for card in cards), parent=self, style=style, edges=0, gap=8)
        for signal in (training.advanced, training.reset_done):
            signal.connect(self.show_state)
        style.changed.connect(self._restyle)
        self._restyle()

    def show_state(self) -> None:
        """Show loss and accuracy as they are now."""
        training, short = self._training, self._style.short
        accuracy = training.accuracy
        self.loss.setText(short(training.loss))
        self.accuracy.setText(NO_CLASSES if accuracy is None else f"{short(100.0 * accuracy)} %")
        set_kind(self.loss, "error" if training.loss - training.loss != 0.0 else "value")

    def set_low(self, low: bool) -> None:
        """Put the numbers beside their captions, where the page is low."""
        if low != self._low:
            self._low = low
            self._restyle()

    def _card(self, caption: str, number: QLabel) -> QFrame:
        frame, words = QFrame(), plain_label(caption, "caption")
        frame.setProperty("kind", "code")
        column = in_column(words, number, parent=frame, style=self._style, edges=(10, 4, 10, 4))
        column.setSpacing(0)
        self._cards.append((frame, column, number))
        return frame

    def _restyle(self) -> None:
        style, low = self._style, self._low
        font = style.font("number")
        font.setPixelSize(style.px(15 if low else 17))
        font.setWeight(font.Weight.Bold)
        for frame, column, number in self._cards:
            ways = QBoxLayout.Direction
            column.setDirection(ways.LeftToRight if low else ways.TopToBottom)
            number.setAlignment(
                Qt.AlignmentFlag.AlignVCenter
                | (Qt.AlignmentFlag.AlignRight if low else Qt.AlignmentFlag.AlignLeft)
            )
            number.setFont(font)
            frame.setFixedHeight(style.px(_LOW if low else _HIGH))
        self.show_state()
