"""A training loop in the transport: its epochs, in place of the steps of a pass."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QWidget

from app.controls.epoch_line import EpochLine
from app.controls.icon_button import IconButton
from app.controls.layouts import in_row
from app.panels.transport.face import Said
from app.panels.transport.lane import LaneRows
from app.style.current import Style
from app.workbench.descending import Descending
from app.workbench.descent_words import loss_text, step_said, trouble
from app.workbench.descents import Descents
from app.workbench.playback import Playback
from app.workbench.shown import Shown
from engine.numbers import Digits

SEVERAL: Final = 10
"""Epochs of the middle button."""


class LoopFace:
    """The epochs of a training loop, and the buttons that go through them."""

    def __init__(self, style: Style, playback: Playback, descents: Descents) -> None:
        self.buttons = EpochButtons(style, descents)
        self.line = EpochLine(style, loss_text)
        self.line.chosen.connect(descents.go)
        self.buttons.pass_.clicked.connect(playback.backward)

    def refresh(self, now: Shown, digits: Digits) -> Said:
        """Show how far the loop is; return what is said of it."""
        loop = now.descending
        assert loop is not None
        self.buttons.refresh(loop)
        self.line.show_epochs([epoch.loss for epoch in loop.epochs], loop.at)
        return Said(f"Epoch {loop.at:,}", trouble(loop) or step_said(loop))

    def set_rows(self, rows: LaneRows) -> None:
        """Give the line the height of a timeline with these rows."""
        self.line.set_rows(rows.line, rows.height)


class EpochButtons(QWidget):
    """To the start, back, one epoch, ten, run or stop; and the backward pass in steps."""

    def __init__(self, style: Style, descents: Descents, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._descents = descents
        self.first = IconButton(style, "first", "To the start of the run")
        self.back = IconButton(style, "step_back", "One epoch back")
        self.one = IconButton(style, "step", "Do the rest of this epoch", text="1 epoch")
        self.ten = IconButton(style, "step", "Ten epochs", text=f"{SEVERAL} epochs")
        self.play = IconButton(style, "play", "Epoch after epoch, until you stop", text="Run")
        self.pass_ = IconButton(
            style, "backward", "Step through backward at these values", text="Step this backward"
        )
        self.one.set_kind("primary")
        self.one.set_icon_last()
        runs = (self.first, self.back, self.one, self.ten, self.play)
        in_row(*runs, 1, self.pass_, parent=self, style=style, edges=0, gap=6)
        self.first.clicked.connect(self._to_start)
        self.back.clicked.connect(self._go_back)
        self.one.clicked.connect(self._one)
        self.ten.clicked.connect(self._ten)
        self.play.clicked.connect(self._run_or_stop)

    def refresh(self, loop: Descending) -> None:
        """Enable what can be done, and show whether epochs are running."""
        running = self._descents.running
        self.first.setEnabled(loop.at > 0)
        self.back.setEnabled(loop.at > 0)
        self.one.setEnabled(not running)
        self.ten.setEnabled(not running)
        self.pass_.setEnabled(not running)
        if self.play.text() != ("Stop" if running else "Run"):
            self.play.setText("Stop" if running else "Run")
            self.play.set_icon("pause" if running else "play")

    def _to_start(self) -> None:
        self._descents.go(0)

    def _go_back(self) -> None:
        loop = self._descents.now
        if loop is not None:
            self._descents.go(loop.at - 1)

    def _one(self) -> None:
        self._descents.run(1)

    def _ten(self) -> None:
        self._descents.run(SEVERAL)

    def _run_or_stop(self) -> None:
        if self._descents.running:
            self._descents.stop()
        else:
            self._descents.run()
