"""Run, Pause or Go on; Stop; Reset: the buttons of a training in the page."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QWidget

from app.controls.icon_button import IconButton
from app.controls.keys import PressedByEnter
from app.controls.layouts import in_row
from app.style.current import Style
from app.workbench.training.training import Training

RUN, PAUSE, GO_ON = "Run", "Pause", "Go on"


class RunRow(QWidget):
    """Starts, pauses, ends and resets a training."""

    def __init__(self, style: Style, training: Training, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._training = training
        self.run = IconButton(style, "play", "Train as many epochs as are set", text=RUN)
        self.run.set_kind("primary")
        self.stop = QPushButton("Stop")
        self.stop.setToolTip("End the run here")
        PressedByEnter(self.stop)
        self.reset = IconButton(
            style, "undo", "Go back to the first weights, and forget what was learned", text="Reset"
        )
        parts = ((self.run, 1), (self.stop, 1), (self.reset, 1))
        in_row(*parts, parent=self, style=style, edges=0, gap=8)
        self.run.clicked.connect(training.run_or_pause)
        self.stop.clicked.connect(training.stop)
        self.reset.clicked.connect(training.reset)
        for signal in (training.advanced, training.reset_done):
            signal.connect(self.show_state)
        self.show_state()

    def show_state(self) -> None:
        """Show what may be done now."""
        training = self._training
        text = PAUSE if training.running else GO_ON if training.rests else RUN
        if self.run.text() != text:
            self.run.setText(text)
            self.run.set_icon("pause" if training.running else "play")
        self.stop.setEnabled(training.running or training.rests)
        self.reset.setEnabled(training.epochs > 0)
