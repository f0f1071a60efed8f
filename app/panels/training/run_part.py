"""The playback of a training: its buttons, the line of its epochs, and what it has come to."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QMenu, QPushButton, QWidget

from app.controls.epoch_line import EpochLine
from app.controls.icon_button import IconButton
from app.controls.keys import PressedByEnter
from app.controls.layouts import fill_background, in_column, in_row, plain_label
from app.controls.rich_line import RichLine
from app.controls.rich_text import Span
from app.guard import guarded
from app.style import sizes
from app.style.current import Style
from app.workbench.training.rate_trials import RateTrials
from app.workbench.training.training import Training
from app.workbench.training.words import sentence, trouble_of
from app.workbench.words.descent import loss_text

RUN, PAUSE, GO_ON = "Run", "Pause", "Go on"
SEVERAL: Final = 100
"""Epochs of the middle button."""
_ABOVE: Final = 9
_LINES: Final = {"strip": (33, 75), "presented": (10, 40)}
"""Where the line of epochs is and how high it is with its texts, in px at 100 %."""


@guarded
class RunPart(QWidget):
    """Starts, pauses, stops and resets; the line goes back to any epoch.

    It takes the place of the playback of a pass, while the stage takes that of the sheet.
    """

    def __init__(self, style: Style, training: Training, exports: QMenu) -> None:
        super().__init__()
        self._style, self._training = style, training
        self.trials = RateTrials(training, self)
        fill_background(self, "panel")
        self.setAccessibleName("Playback of the training")
        self.first = IconButton(style, "first", "To the first weights")
        self.one = IconButton(style, "step", "Train one epoch", text="1 epoch")
        self.several = IconButton(
            style, "step", f"Train {SEVERAL} epochs", text=f"{SEVERAL} epochs"
        )
        self.run = IconButton(style, "play", "Train as many epochs as are set", text=RUN)
        self.stop, self.reset = QPushButton("Stop"), QPushButton("Reset")
        self.stop.setToolTip("End the run here")
        self.reset.setToolTip("Go back to the first weights, and forget what was learned")
        self.export = QPushButton("Export …")
        self.export.setMenu(exports)
        for button in (self.stop, self.reset, self.export):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            PressedByEnter(button)
        self.run.set_kind("primary")
        self.line = EpochLine(style, loss_text)
        self.epoch, self.sentence = plain_label(kind="secondary"), RichLine(style)
        self._lay_out()
        self._connect()
        self.show_state()

    def show_state(self) -> None:
        """Show how far the training is."""
        training = self._training
        running, epoch = training.running, training.state.epochs
        text = PAUSE if running else GO_ON if training.rests else RUN
        if self.run.text() != text:
            self.run.setText(text)
            self.run.set_icon("pause" if running else "play")
        self.first.setEnabled(epoch > 0)
        for button in (self.one, self.several):
            button.setEnabled(not running)
        self.stop.setEnabled(running or training.rests)
        self.reset.setEnabled(training.epochs > 0)
        self.line.show_epochs(training.losses, epoch)
        self.epoch.setText(f"Epoch {epoch:,} of {training.epochs:,}")
        color = "text" if trouble_of(training) is None else "error"
        self.sentence.set_spans((Span(sentence(training, self.trials.advice), color),))

    def _lay_out(self) -> None:
        runs = (self.first, self.one, self.several, self.run, self.stop, self.reset)
        self._buttons = QWidget()
        in_row(*runs, 1, self.export, parent=self._buttons, style=self._style, edges=0, gap=6)
        words = in_row(self.epoch, (self.sentence, 1), style=self._style, edges=0, gap=12)
        parts = (self._buttons, self.line, words, 1)
        edges = (14, _ABOVE, 14, 0)
        self._column = in_column(*parts, parent=self, style=self._style, edges=edges, gap=0)

    def _connect(self) -> None:
        training = self._training
        self.first.clicked.connect(lambda: training.go(0))
        self.one.clicked.connect(lambda: training.run(1))
        self.several.clicked.connect(lambda: training.run(SEVERAL))
        self.run.clicked.connect(self._toggle)
        self.stop.clicked.connect(training.stop)
        self.reset.clicked.connect(training.reset)
        self.line.chosen.connect(training.go)
        training.advanced.connect(self.show_state)
        training.reset_done.connect(self.show_state)
        self.trials.changed.connect(self.show_state)
        self._style.changed.connect(self._restyle)

    def _toggle(self) -> None:
        if self._training.running:
            self._training.pause()
        else:
            self._training.run()

    def _restyle(self) -> None:
        """Take the rows of the playback whose place this has."""
        style = self._style
        presented = bool(style.presented)
        self._buttons.setHidden(presented)
        self._buttons.setFixedHeight(style.px(sizes.CONTROL))
        up, down = QBoxLayout.Direction.BottomToTop, QBoxLayout.Direction.TopToBottom
        self._column.setDirection(up if presented else down)
        self.line.set_rows(*_LINES["presented" if presented else "strip"])
        self.show_state()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._restyle()
