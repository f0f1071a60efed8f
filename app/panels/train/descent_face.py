"""Descent: one epoch in four steps, the rate, what learns, and the curves."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QPushButton, QWidget

from app.controls.empty_state import LEAST_HEIGHT, EmptyState
from app.controls.keys import PressedByEnter
from app.controls.layouts import in_column, in_row, plain_label
from app.controls.panel import Block
from app.document.document import Document
from app.guard import guarded
from app.panels.train.learners import Learners
from app.panels.train.pace_row import PaceRow
from app.panels.train.rate_row import RateRow
from app.panels.train.steps import StepButtons
from app.style.current import Style
from app.workbench.modes.loop import RATE, LoopState
from app.workbench.playback.playback import Playback
from app.workbench.runners.loop_runner import LoopRunner
from app.workbench.study.contour import Contour
from app.workbench.words.descent import epoch_text, loss_text

if TYPE_CHECKING:
    from app.panels.train.loop_plots import LossPlot, TrailPlot

OFF = "Gradient descent moves the leaves against their gradients until the root is small."
BEGIN = "Begin"
BACK = "Back to epoch {epoch:,}"
STEPPING = "A pass is stepped through. The run waits as it is."
BETWEEN_PLOTS: Final = 0.25
"""Least seconds between two drawings of the plots while epochs run."""


@guarded
class DescentFace(QWidget):
    """Shows the loop of `LoopRunner`, and passes on what a learner does; its `foot` is for End."""

    def __init__(
        self, style: Style, document: Document, playback: Playback, descents: LoopRunner
    ) -> None:
        super().__init__()
        self._style, self._document = style, document
        self._playback, self._descents = playback, descents
        self._contour = Contour(self)
        self._drawn = 0.0
        self.losses: LossPlot | None = None
        self.trail: TrailPlot | None = None
        self.setAccessibleName("Descent")
        self.empty = EmptyState(style, OFF, BEGIN)
        self.steps = StepButtons(style)
        self.zeroes = QCheckBox("Epochs begin with zero grad")
        self.zeroes.setToolTip("Whether 1 epoch, 10 epochs and Run zero the gradients first")
        self.rate = RateRow(style, RATE)
        self.pace = PaceRow(style)
        self.learners = Learners(style)
        self.end = QPushButton("End Descent")
        self.end.setAccessibleDescription("D or Esc")
        PressedByEnter(self.end)
        self._lay_out()
        self._connect()
        self._restyle()

    @property
    def folding(self) -> tuple[Block, ...]:
        """Return the blocks that fold where the page is low, in this order."""
        return self.trail_block, self.loss_block

    @property
    def on(self) -> bool:
        """Return whether the loop is shown."""
        return self._descents.shown

    def _lay_out(self) -> None:
        style = self._style
        learns = in_row(plain_label("Learns", "secondary"), (self.learners, 1), edges=0, gap=8)
        loop = in_column(self.steps, self.rate, self.pace, self.zeroes, learns, edges=0, gap=3)
        self.loop_block = Block(style, "One epoch", loop, tight=True)
        self.loss_block = Block(style, "Loss", key="train-loss", tight=True)
        self.trail_block = Block(style, "Leaves by epoch", key="train-trail", tight=True)
        self.blocks = (self.loop_block, self.loss_block, self.trail_block)
        self.loop_block.set_line(False)
        rest = QWidget()
        parts = (self.empty, self.loop_block, self.loss_block, (self.trail_block, 100), (rest, 1))
        in_column(*parts, parent=self, edges=0, gap=0)
        self.foot = QWidget()
        keys = plain_label("D or Esc", "caption")
        in_row(self.end, 1, keys, parent=self.foot, style=style, edges=0)

    def _connect(self) -> None:
        descents = self._descents
        self.empty.acted.connect(self._begin_or_return)
        self.steps.chosen.connect(descents.do)
        self.zeroes.toggled.connect(descents.set_zeroes)
        self.rate.changed.connect(descents.set_rate)
        self.rate.refused.connect(self._document.refused)
        self.pace.chosen.connect(descents.set_pace)
        self.learners.chosen.connect(descents.set_learners)
        self.end.clicked.connect(descents.leave)
        self._playback.shown.connect(self.refresh)
        descents.changed.connect(self.refresh)
        self._contour.changed.connect(self._show_trail)
        self._style.changed.connect(self._restyle)

    def _begin_or_return(self) -> None:
        if self._descents.now is None:
            self._descents.toggle()
        else:
            self._descents.resume()

    def refresh(self) -> None:
        """Show the loop; a hidden face is refreshed when it is shown."""
        if not self.isVisible():
            return
        loop, shown = self._descents.now, self.on
        self.empty.setVisible(not shown)
        for block in self.blocks:
            block.setVisible(shown)
        if loop is None:
            self.empty.show_state(OFF, BEGIN)
        elif not shown:
            self.empty.show_state(STEPPING, BACK.format(epoch=loop.at))
        if loop is None or not shown:
            self._contour.show_loop(None)
            return
        self.loop_block.set_note(epoch_text(loop))
        self.steps.show_loop(loop)
        self.learners.show_loop(loop)
        self.rate.show_number(loop.loop.rate)
        self.pace.show_pace(self._descents.pace)
        if self.zeroes.isChecked() != loop.zeroes:
            self.zeroes.setChecked(loop.zeroes)
        self._show_curves(loop)

    def _show_curves(self, loop: LoopState) -> None:
        """Show losses and trail; while epochs run now and then, as a plot costs several ticks."""
        losses = loop.losses
        way = f"{loss_text(losses[0])} → {loss_text(losses[-1])}" if len(losses) > 1 else ""
        self.loss_block.set_note(way)
        now = perf_counter()
        if self._descents.running and now - self._drawn < BETWEEN_PLOTS:
            return
        if self.losses is None:
            self._make_plots()
        assert self.losses is not None
        self.losses.show_loop(loop)
        self._contour.show_loop(loop)
        self._show_trail()
        self._drawn = perf_counter()

    def _show_trail(self) -> None:
        loop = self._descents.now
        if loop is None or self.trail is None:
            return
        names = [loop.graph.brief(node, 10) for node in loop.learners]
        plane, rings = len(names) == 2, self._contour.rings
        title = f"Where {' and '.join(names)} went" if plane else "Leaves by epoch"
        self.trail_block.set_title(title)
        self.trail_block.set_note("equal loss" if plane and rings is not None else "")
        self.trail.show_loop(loop, rings)

    def _make_plots(self) -> None:
        """Make the plots; their library takes half a second to import, so it is done here."""
        from app.panels.train.loop_plots import LossPlot, TrailPlot

        self.losses, self.trail = LossPlot(self._style), TrailPlot(self._style)
        self.loss_block.add(self.losses)
        self.trail_block.add((self.trail, 1))

    def _restyle(self) -> None:
        self.empty.setMinimumHeight(self._style.px(LEAST_HEIGHT))
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._contour.cancel()
