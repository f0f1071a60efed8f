"""The descent panel: one epoch in four steps, the rate, what learns, and the curves."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QPushButton, QWidget

from app.controls.empty_state import LEAST_HEIGHT, EmptyState
from app.controls.layouts import (
    PANEL_EDGES,
    Box,
    fill_background,
    in_column,
    in_row,
    plain_label,
    scroll_area,
)
from app.document.document import Document
from app.guard import guarded
from app.panels.descent.learners import Learners
from app.panels.descent.rate_row import RateRow
from app.panels.descent.steps import StepButtons
from app.style.current import Style
from app.workbench.modes.loop import RATE, LoopState
from app.workbench.playback.playback import Playback
from app.workbench.runners.loop_runner import LoopRunner
from app.workbench.study.contour import Contour
from app.workbench.words.descent import loss_text

if TYPE_CHECKING:
    from app.panels.descent.loss_plot import LossPlot, TrailPlot

OFF = "Gradient descent moves the leaves against their gradients until the root is small."
BEGIN = "Begin"
STEPPING = "A pass is stepped through. The run waits as it is."
BACK = "Back to epoch {epoch:,}"
BETWEEN_PLOTS: Final = 0.25
"""Least seconds between two drawings of the plots while epochs run."""


@guarded
class DescentPanel(QWidget):
    """Shows the loop of `LoopRunner`, and passes on what a learner does."""

    def __init__(
        self,
        style: Style,
        document: Document,
        playback: Playback,
        descents: LoopRunner,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._style, self._document = style, document
        self._playback, self._descents = playback, descents
        self._contour = Contour(self)
        fill_background(self, "panel")
        self.setAccessibleName("Descent")
        self.empty = EmptyState(style, OFF, BEGIN)
        self.epoch = plain_label(kind="secondary")
        self.steps = StepButtons(style)
        self.zeroes = QCheckBox("Epochs begin with zero grad")
        self.zeroes.setToolTip("Whether 1 epoch, 10 epochs and Run zero the gradients first")
        self.rate = RateRow(style, RATE)
        self.learners = Learners(style)
        self.range = plain_label(kind="secondary")
        self.where = plain_label("Where they went", "strong")
        self.rings = plain_label(kind="caption")
        self.end = QPushButton("End Descent")
        self._drawn = 0.0
        self.losses: LossPlot | None = None
        self.trail: TrailPlot | None = None
        self._page, self._loss_part, self._trail_part = self._lay_out()
        self._connect()
        self._restyle()

    def _lay_out(self) -> tuple[QWidget, Box, Box]:
        head, page, loss, trail = QWidget(), QWidget(), QWidget(), QWidget()
        title = in_row((plain_label("One epoch", "heading"), 1), self.epoch)
        learns = in_row(plain_label("Learns", "secondary"), (self.learners, 1))
        parts = (title, self.steps, self.rate, self.zeroes, learns)
        in_column(*parts, parent=head, style=self._style, edges=PANEL_EDGES, gap=8)
        row = in_row((plain_label("Loss", "strong"), 1), self.range)
        loss_column = in_column(row, parent=loss, style=self._style, edges=PANEL_EDGES, gap=6)
        row = in_row((self.where, 1), self.rings)
        parts = (row, self.end)
        trail_column = in_column(*parts, parent=trail, style=self._style, edges=PANEL_EDGES, gap=6)
        parts = (head, _rule(), loss, _rule(), trail, 1)
        in_column(*parts, parent=page, edges=0, gap=0)
        area = scroll_area(page)
        in_column(self.empty, area, parent=self, edges=0, gap=0)
        self._area = area
        return page, loss_column, trail_column

    def _connect(self) -> None:
        descents = self._descents
        self.empty.acted.connect(self._begin_or_return)
        self.steps.chosen.connect(descents.do)
        self.zeroes.toggled.connect(descents.set_zeroes)
        self.rate.changed.connect(descents.set_rate)
        self.rate.refused.connect(self._document.refused)
        self.learners.chosen.connect(descents.set_learners)
        self.end.clicked.connect(descents.leave)
        self._playback.shown.connect(self._refresh)
        descents.changed.connect(self._refresh)
        self._contour.changed.connect(self._show_trail)
        self._style.changed.connect(self._restyle)

    def _begin_or_return(self) -> None:
        if self._descents.now is None:
            self._descents.toggle()
        else:
            self._descents.resume()

    def _refresh(self) -> None:
        """Show the loop; a hidden panel is refreshed when it is shown."""
        if not self.isVisible():
            return
        loop, shown = self._descents.now, self._descents.shown
        self._area.setVisible(shown)
        self.empty.setVisible(not shown)
        if loop is None:
            self.empty.show_state(OFF, BEGIN)
        elif not shown:
            self.empty.show_state(STEPPING, BACK.format(epoch=loop.at))
        if loop is None or not shown:
            self._contour.show_loop(None)
            return
        self.epoch.setText(f"epoch {loop.at:,}")
        self.steps.show_loop(loop)
        self.learners.show_loop(loop)
        if self.rate.rate != loop.loop.rate:
            self.rate.show_rate(loop.loop.rate)
        if self.zeroes.isChecked() != loop.zeroes:
            self.zeroes.setChecked(loop.zeroes)
        self._show_curves(loop)

    def _show_curves(self, loop: LoopState) -> None:
        """Show losses and trail; while epochs run now and then, as a plot costs several ticks."""
        now = perf_counter()
        if self._descents.running and now - self._drawn < BETWEEN_PLOTS:
            return
        known = [loss for loss in loop.losses if loss is not None]
        self.range.setText(
            f"{loss_text(known[0])} → {loss_text(known[-1])}" if len(known) > 1 else ""
        )
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
        plane = len(names) == 2
        self.where.setText(f"Where {' and '.join(names)} went" if plane else "Leaves by epoch")
        rings = self._contour.rings
        self.rings.setText("rings: equal loss" if plane and rings is not None else "")
        self.trail.show_loop(loop, rings)

    def _make_plots(self) -> None:
        """Make the plots; their library takes half a second to import, so it is done here."""
        from app.panels.descent.loss_plot import LossPlot, TrailPlot

        self.losses, self.trail = LossPlot(self._style), TrailPlot(self._style)
        self._loss_part.insertWidget(1, self.losses)
        self._trail_part.insertWidget(1, self.trail)

    def _restyle(self) -> None:
        self.empty.setMinimumHeight(self._style.px(LEAST_HEIGHT))
        self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._contour.cancel()


def _rule() -> QFrame:
    line = QFrame()
    line.setProperty("kind", "rule")
    return line
