"""Runs a training: its strip with the line of its epochs, and the buttons in the page.

The rows of the strip:

    0    the line of epochs
    103  the sentence, its buttons at the right end
    131  the epoch, and advice in trouble

Centres in px at 100 %, as in the strip of a pass, whose place this has.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.controls.epoch_line import EpochLine
from app.controls.icon_button import IconButton
from app.controls.keys import PressedByEnter
from app.controls.layouts import fill_background, in_row
from app.controls.rich_line import RichLine
from app.controls.rich_text import Span
from app.guard import guarded
from app.style import sizes
from app.style.current import Style
from app.workbench.training import RateTrials, Training, sentence, trouble_of
from app.workbench.words.descent import loss_text
from app.workbench.words.strip import EPOCHS

DRAG: Final = "drag the line to go back to any epoch"
_LINE, _ROW, _PRESENTED_LINE = 86, 42, 40
"""Height of the line of epochs, where it is in it, and its height during a presentation."""
_BELOW, _SENTENCE, _ANSWER = 60, 17, 45
"""Height below the line, and the centres of sentence and answer line in it."""
_EDGE, _BETWEEN, _WIDE = 14, 12, 86


@guarded
class RunPart(QWidget):
    """Trains 1 or 10 epochs or all, and goes back; the line goes to any epoch."""

    def __init__(self, style: Style, training: Training) -> None:
        super().__init__()
        self._style, self._training = style, training
        self.trials = RateTrials(training, self)
        fill_background(self, "panel")
        self.setAccessibleName("Epochs of the training")
        self.line = EpochLine(style, loss_text, self)
        self.sentence = RichLine(style, parent=self)
        self.answer = RichLine(style, font_role="interface", wrap=False, parent=self)
        self.back = IconButton(style, "step_back", "One epoch back")
        self.one = IconButton(style, "step", "Train one epoch", text="1 epoch")
        self.one.set_kind("primary")
        self.one.set_icon_last()
        self.several = IconButton(style, "", f"Train {EPOCHS} epochs", text=f"{EPOCHS} epochs")
        self.run = IconButton(style, "play", "Train as many epochs as are set", text=RUN)
        self._buttons = QWidget(self)
        parts = (self.back, self.one, self.several, self.run)
        in_row(*parts, parent=self._buttons, style=style, edges=0, gap=6)
        self._connect()
        self._restyle()

    def show_state(self) -> None:
        """Show how far the training is."""
        training = self._training
        running, epoch = training.running, training.state.epochs
        if _show_run(self.run, training, ""):
            self.run.set_tip("Pause" if running else "Train as many epochs as are set")
        self.back.setEnabled(epoch > 0)
        for button in (self.one, self.several):
            button.setEnabled(not running)
        self.line.show_epochs(training.losses, epoch, training.last_epoch)
        wrong, advice = trouble_of(training), self.trials.advice
        presented = bool(self._style.presented)
        said = () if wrong is None else (Span(wrong.said, "error"),)
        if presented and advice:
            said = (*said, Span(f" {advice}", "error"))
        self.sentence.set_spans(said or sentence(training))
        of = f"Epoch {epoch:,} of {training.last_epoch or training.setup.epochs:,}"
        rest = advice or (DRAG if training.epochs else "")
        role = "text" if advice else "secondary"
        self.answer.set_spans((Span(f"{of}    ", "secondary"), Span(rest, role)))
        self._place()

    def _connect(self) -> None:
        training = self._training
        self.back.clicked.connect(self._go_back)
        self.one.clicked.connect(self._train_one)
        self.several.clicked.connect(self._train_several)
        self.run.clicked.connect(training.run_or_pause)
        self.line.chosen.connect(training.go)
        training.advanced.connect(self.show_state)
        training.reset_done.connect(self.show_state)
        self.trials.changed.connect(self.show_state)
        self._style.changed.connect(self._restyle)

    def _go_back(self) -> None:
        self._training.go(self._training.state.epochs - 1)

    def _train_one(self) -> None:
        self._training.run(1)

    def _train_several(self) -> None:
        self._training.run(EPOCHS)

    def _restyle(self) -> None:
        px = self._style.px
        self.one.setMinimumWidth(px(_WIDE))
        self._buttons.setFixedHeight(px(sizes.CONTROL))
        if self._style.presented:
            self.line.set_rows(10, _PRESENTED_LINE)
        else:
            self.line.set_rows(_ROW, _LINE)
        self.show_state()

    def _place(self) -> None:
        """Take the rows of the strip in whose place this is."""
        px, wide, edge = self._style.px, self.width(), self._style.px(_EDGE)
        presented = bool(self._style.presented)
        self._buttons.setHidden(presented)
        self.answer.setHidden(presented)
        top = px(_PRESENTED_LINE if presented else _LINE)
        if presented:
            self._fit(QRect(edge, 0, wide - 2 * edge, self.height() - top))
            self.line.setGeometry(edge, self.height() - top, wide - 2 * edge, top)
            return
        scale = (self.height() - top) / _BELOW
        self.line.setGeometry(edge, 0, wide - 2 * edge, top)
        hint, middle = self._buttons.sizeHint(), top + round(_SENTENCE * scale)
        left = wide - edge - hint.width()
        self._buttons.setGeometry(left, middle - hint.height() // 2, hint.width(), hint.height())
        high = round(2 * _SENTENCE * scale)
        self._fit(QRect(edge, middle - high // 2, left - px(_BETWEEN) - edge, high))
        high = px(sizes.CLICK_TARGET)
        middle = top + round(_ANSWER * scale)
        self.answer.setGeometry(edge, middle - high // 2, wide - 2 * edge, high)

    def _fit(self, rect: QRect) -> None:
        """Place the sentence, smaller where it needs a second line."""
        self.sentence.setGeometry(rect)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.sentence.set_font_role("step")
        if len(self.sentence.lines()) > 1:
            self.sentence.set_font_role("interface")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()


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
        """Enable the buttons that have an effect now."""
        training = self._training
        _show_run(self.run, training, PAUSE)
        self.stop.setEnabled(training.running or training.rests)
        self.reset.setEnabled(training.epochs > 0)


def _show_run(button: IconButton, training: Training, pause: str) -> bool:
    """Let a button run, go on or pause, where it has this text; return whether it changed."""
    text = pause if training.running else GO_ON if training.rests else RUN
    changes = button.text() != text
    if changes:
        button.setText(text)
        button.set_icon("pause" if training.running else "play")
    return changes
