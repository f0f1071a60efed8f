"""The training panel: setup, run and curve; what it asks for, the window does.

While the panel is at the front, its `stage` is shown in place of the sheet, and its `run` in place
of the playback.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from app.controls.layouts import (
    PANEL_EDGES,
    fill_background,
    in_column,
    in_row,
    plain_label,
    scroll_area,
)
from app.controls.segmented import Segmented
from app.guard import guarded
from app.panels.training.columns_part import ColumnsPart
from app.panels.training.layers import LayerBars
from app.panels.training.loss_plot import LossPlot
from app.panels.training.result_part import ResultPart
from app.panels.training.run_part import RunPart
from app.panels.training.setup_part import SetupPart
from app.panels.training.stage import TrainingStage
from app.style.current import Style
from app.workbench.training.boundary import nearest
from app.workbench.training.training import Training
from app.workbench.training.words import title
from engine.errors import EngineError
from engine.training.table import Table, samples_of

EXPORTS: Final = {
    "graph": "Trained graph of this sample …",
    "png": "Curve as PNG …",
    "svg": "Curve as SVG …",
    "csv": "Curve as CSV …",
    "torch": "PyTorch script …",
}


@guarded
class TrainingPanel(QWidget):
    """Trains a network; the signals ask for a table, a graph on the sheet, or a file."""

    table_wanted = Signal()
    step_wanted = Signal(int)
    export_wanted = Signal(str)
    refused = Signal(str)
    retitled = Signal()

    def __init__(self, style: Style, training: Training, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style, self.training = style, training
        self._sample = 0
        self._turn = 0
        fill_background(self, "panel")
        self.setup = SetupPart(style, training)
        self.columns = ColumnsPart(style)
        self.run = self.playback = RunPart(style, training, self._menu())
        self.result = ResultPart(style, training)
        self.stage = TrainingStage(style, training)
        self.kind = Segmented(style, [("loss", "Loss"), ("accuracy", "Accuracy")], "Curve")
        self.curve = LossPlot(style, training)
        self.layers = LayerBars(style, training)
        self._lay_out()
        self._connect()
        self._start_again()

    @property
    def title(self) -> str:
        """Return what is trained, and on which samples."""
        return title(self.training)

    @property
    def chosen_sample(self) -> int:
        """Return the sample with the violet ring."""
        return self._sample

    def rest(self) -> bool:
        """Pause a run that goes on; return whether one did."""
        running = self.training.running
        if running:
            self.training.pause()
        return running

    def choose(self, sample: int) -> None:
        """Put the violet ring around a sample, and show its numbers."""
        self._sample = sample
        self.stage.choose(sample)

    def _lay_out(self) -> None:
        page, style = QWidget(), self._style
        head = plain_label("Train a network", "heading")
        top = in_column(head, self.columns, style=style, edges=(14, 12, 14, 0), gap=8)
        plots = in_column(
            in_row(self.kind, 1),
            self.curve,
            style=style,
            edges=PANEL_EDGES,
            gap=8,
        )
        layers = in_column(
            in_row(
                (plain_label("Which layer moves most", "heading"), 1),
                plain_label("grad size", "secondary"),
            ),
            self.layers,
            style=style,
            edges=PANEL_EDGES,
            gap=6,
        )
        parts = (top, self.setup, _rule(), self.result, _rule(), plots, _rule(), layers, 1)
        in_column(*parts, parent=page, edges=0, gap=0)
        in_column(scroll_area(page), parent=self, edges=0)

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        for name, text in EXPORTS.items():
            menu.addAction(text).triggered.connect(
                lambda _checked=False, name=name: self.export_wanted.emit(name)
            )
        return menu

    def _connect(self) -> None:
        training = self.training
        training.refused.connect(self.refused)
        training.advanced.connect(self._show_state)
        training.reset_done.connect(self._start_again)
        self.setup.table_wanted.connect(self.table_wanted)
        self.setup.refused.connect(self.refused)
        self.columns.refused.connect(self.refused)
        self.columns.chosen.connect(self._use)
        self.stage.boundary.sample_chosen.connect(self.choose)
        self.stage.sample.next_wanted.connect(self._choose_next)
        self.stage.sample.nearest_wanted.connect(self._choose_nearest)
        self.stage.sample.step_wanted.connect(self.step_wanted)
        self.kind.chosen.connect(self.curve.show_kind)

    def _start_again(self) -> None:
        """Show other samples, or the first weights again."""
        self._sample = min(self._sample, len(self.training.learner.samples) - 1)
        self.stage.show_state(self._sample)
        self.curve.show_state()
        self._show_layers()
        self.retitled.emit()

    def _show_layers(self) -> None:
        self.stage.show_layers()
        self.layers.show_state()

    def _show_state(self) -> None:
        """Show boundary, curve and layers; while a run goes on in turn, so no frame takes all."""
        if not self.stage.isVisible():
            return
        shows = (lambda: self.stage.show_state(self._sample), self.curve.show_state)
        turns = (*shows, self._show_layers)
        self._turn = (self._turn + 1) % len(turns)
        for show in (turns[self._turn],) if self.training.running else turns:
            show()

    def _choose_next(self) -> None:
        self.choose((self._sample + 1) % len(self.training.learner.samples))

    def _choose_nearest(self) -> None:
        self.choose(nearest(self.training.outputs))

    def _use(self, table: Table, inputs: list[int], target: int) -> None:
        """Train on these columns, or say which cell is no number."""
        try:
            samples = samples_of(table, inputs, target)
        except EngineError as error:
            self.refused.emit(str(error))
            return
        if self.training.set_samples(samples, [table.names[column] for column in inputs]):
            self.columns.hide()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_state()


def _rule() -> QFrame:
    rule = QFrame()
    rule.setProperty("kind", "rule")
    return rule
