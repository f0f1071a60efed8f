"""The buttons of a run, the line of its epochs, and what it has come to."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QPushButton, QSlider, QWidget

from app.controls.keys import ARROWS, KeyClaim, PressedByEnter
from app.controls.kind import set_kind
from app.controls.layouts import PANEL_EDGES, in_column, in_row, plain_label
from app.style.current import Style
from app.workbench.training import Training
from app.workbench.training_words import sentence, trouble_of

ONE, RUN, PAUSE, GO_ON, STOP, RESET = "1 epoch", "Run", "Pause", "Go on", "Stop", "Reset"
NO_CLASSES: Final = "–"


class RunPart(QWidget):
    """Starts, pauses, stops and resets; the line goes back to any epoch."""

    def __init__(self, style: Style, training: Training, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style, self._training = style, training
        self.one, self.run = QPushButton(ONE), QPushButton(RUN)
        self.stop, self.reset = QPushButton(STOP), QPushButton(RESET)
        self.line = QSlider(Qt.Orientation.Horizontal)
        self.epoch = plain_label(kind="strong")
        self.loss, self.accuracy = plain_label(kind="value"), plain_label(kind="strong")
        self.sentence = plain_label(wraps=True)
        self.run.setProperty("kind", "primary")
        self.line.setAccessibleName("Epoch")
        KeyClaim(self.line, *ARROWS)
        for button in (self.one, self.run, self.stop, self.reset):
            PressedByEnter(button)
        self._lay_out()
        self._connect()
        self.show_state()

    def show_state(self) -> None:
        """Show how far the training is."""
        training, short = self._training, self._style.short
        running, epoch = training.running, training.state.epochs
        text = PAUSE if running else GO_ON if training.rests else RUN
        if self.run.text() != text:
            self.run.setText(text)
        self.one.setEnabled(not running)
        self.stop.setEnabled(running or training.rests)
        self.reset.setEnabled(training.epochs > 0)
        blocked = self.line.blockSignals(True)
        self.line.setRange(0, max(training.epochs, 1))
        self.line.setValue(epoch)
        self.line.setEnabled(training.epochs > 0)
        self.line.blockSignals(blocked)
        self.epoch.setText(f"{epoch:,} of {training.epochs:,}")
        self.loss.setText(short(training.loss))
        accuracy = training.accuracy
        self.accuracy.setText(NO_CLASSES if accuracy is None else f"{short(100.0 * accuracy)} %")
        self.sentence.setText(sentence(training))
        set_kind(self.sentence, "error" if trouble_of(training) else "secondary")
        set_kind(self.loss, "error" if training.loss - training.loss != 0.0 else "value")

    def _lay_out(self) -> None:
        cards = [_card("loss", self.loss), _card("accuracy", self.accuracy)]
        line = in_row(plain_label("epoch", "secondary"), (self.line, 1), self.epoch)
        buttons = in_row((self.one, 1), (self.run, 1), (self.stop, 1), (self.reset, 1), gap=6)
        rows = (buttons, line, in_row((cards[0], 1), (cards[1], 1), gap=6), self.sentence)
        in_column(*rows, parent=self, style=self._style, edges=PANEL_EDGES, gap=8)

    def _connect(self) -> None:
        training = self._training
        self.one.clicked.connect(lambda: training.run(1))
        self.run.clicked.connect(self._toggle)
        self.stop.clicked.connect(training.stop)
        self.reset.clicked.connect(training.reset)
        self.line.valueChanged.connect(training.go)
        training.advanced.connect(self.show_state)
        training.reset_done.connect(self.show_state)
        self._style.changed.connect(self.show_state)

    def _toggle(self) -> None:
        if self._training.running:
            self._training.pause()
        else:
            self._training.run()


def _card(caption: str, number: QWidget) -> QFrame:
    frame = QFrame()
    frame.setProperty("kind", "card")
    words = plain_label(caption, "caption")
    in_row(words, 1, number, parent=frame, edges=(10, 6, 10, 6))
    return frame
