"""What a training has come to: its loss, and the share of samples that are right."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QFrame, QWidget

from app.controls.kind import set_kind
from app.controls.layouts import PANEL_EDGES, in_row, plain_label
from app.style.current import Style
from app.workbench.training.training import Training

NO_CLASSES: Final = "–"


class ResultPart(QWidget):
    """Two cards: loss and accuracy at the epoch that is shown."""

    def __init__(self, style: Style, training: Training, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style, self._training = style, training
        self.loss, self.accuracy = plain_label(kind="value"), plain_label(kind="strong")
        cards = (_card("loss", self.loss), _card("accuracy", self.accuracy))
        in_row(*((card, 1) for card in cards), parent=self, style=style, edges=PANEL_EDGES, gap=6)
        for signal in (training.advanced, training.reset_done, style.changed):
            signal.connect(self.show_state)
        self.show_state()

    def show_state(self) -> None:
        """Show loss and accuracy as they are now."""
        training, short = self._training, self._style.short
        accuracy = training.accuracy
        self.loss.setText(short(training.loss))
        self.accuracy.setText(NO_CLASSES if accuracy is None else f"{short(100.0 * accuracy)} %")
        set_kind(self.loss, "error" if training.loss - training.loss != 0.0 else "value")


def _card(caption: str, number: QWidget) -> QFrame:
    frame = QFrame()
    frame.setProperty("kind", "card")
    words = plain_label(caption, "caption")
    in_row(words, 1, number, parent=frame, edges=(10, 6, 10, 6))
    return frame
