"""TrainPage: Descent on the sheet, or the training of a network, chosen at its top."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QScrollArea, QWidget

from app.controls.choices import Segmented
from app.controls.layouts import in_column, in_row
from app.controls.panel import Block, Page
from app.document.document import Document
from app.guard import exception_safe
from app.panels.train.descent_view import DescentView
from app.style import sizes
from app.style.current import Style
from app.workbench.playback.playback import Playback
from app.workbench.runners.loop_runner import LoopRunner

if TYPE_CHECKING:
    from app.panels.train.training_view import TrainingView
    from app.workbench.training import Training


View = Literal["descent", "training"]
"""Keys of the two views, in the Segmented at the top of the page."""


@exception_safe
class TrainPage(Page):
    """Two views: Descent trains the sheet's own leaves, Training a network of its own.

    While Training is shown, the window puts `stage` (map of the decision boundary, curve of losses)
    in place of the sheet, and `run_controls` in place of the strip.
    """

    retitled = Signal()
    """Emitted when the title of the stage has changed."""
    staging = Signal()
    """Emitted before the stage is created or shown."""
    staged_changed = Signal()
    """Emitted when the stage is shown or hidden."""
    table_wanted = Signal()
    """Emitted when a file with a table of samples is to be chosen."""
    step_wanted = Signal(int)
    """Emitted with the index of the sample whose pass is to be shown as a graph."""
    export_wanted = Signal(str)
    """Emitted with a key of `EXPORTS`: what is to be exported, as what."""
    refused = Signal(str)
    """Emitted with the sentence that says why something could not be done."""

    def __init__(
        self,
        style: Style,
        document: Document,
        playback: Playback,
        loop_runner: LoopRunner,
        training: Callable[[], Training],
    ) -> None:
        """`loop_runner` runs Descent on the sheet; `training` creates the network on first use."""
        super().__init__(style, "Train")
        self._runner, self._new_training = loop_runner, training
        self._shown: View = "descent"
        self._training: TrainingView | None = None
        self._document, self._sample_title = document, ""
        """The document, and its title while it is the graph of a sample with a plane."""
        self.stage, self.run_controls = QWidget(), QWidget()
        for container in (self.stage, self.run_controls):
            in_column(parent=container, gap=0)
        self.views = Segmented(style, [("descent", "Descent"), ("training", "Training")], "Train")
        self.descent = DescentView(style, document, playback, loop_runner)
        self._setup_block = Block(style, "Set-up", key="train-set-up", tight=True)
        self._layers_block = Block(style, "Which layer moves most", key="train-layers", tight=True)
        self._lay_out()
        self._collapser = HeightCollapser(style, self.area, self._content)
        self._collapser.changed.connect(self._follow_height)
        self.views.chosen.connect(self.show_view)
        loop_runner.changed.connect(self._show_foot)
        playback.shown.connect(self._show_foot)
        playback.shown.connect(self._show_plane)
        self._show_foot()

    @property
    def training(self) -> TrainingView:
        """Return the view of Training, created on first use."""
        if self._training is None:
            self._training = self._new_view()
        return self._training

    @property
    def stage_title(self) -> str:
        """Return the title of the stage, in place of the sheet's formula; "" without a stage."""
        return self.training.title if self._shown == "training" else ""

    def first_field(self) -> QWidget:
        """Return the first widget for the keyboard: the button of the view that is shown."""
        return self.views.button(self._shown)

    def show_view(self, view: View) -> None:
        """Show Descent or Training."""
        self.views.set_choice(view)
        if view == self._shown:
            return
        if view == "descent":
            self.stop_running()
        else:
            self.staging.emit()
        self._shown = view
        self.descent.setVisible(view == "descent")
        self.training.setVisible(view == "training")
        self._show_foot()
        self._show_plane()
        self.staged_changed.emit()
        self.retitled.emit()

    def leave_stage(self) -> None:
        """End Training: show Descent and the sheet."""
        self.show_view("descent")

    def set_plane(self, plane: QWidget | None) -> None:
        """Show the plane of the sample whose graph the sheet has, while it has; None for none."""
        old = self._plane_place.takeAt(0)
        if old is not None and (widget := old.widget()) is not None:
            widget.hide()
            widget.deleteLater()
        self._sample_title = "" if plane is None else self._document.title
        if plane is not None:
            self._plane_place.addWidget(plane)
        self._show_plane()

    def _show_plane(self) -> None:
        if self._sample_title and self._document.title != self._sample_title:
            self.set_plane(None)
        self._plane_holder.setVisible(bool(self._sample_title) and self._shown == "descent")

    def stop_running(self) -> bool:
        """Stop running epochs; return whether there were any."""
        if self._shown == "descent":
            running = self._runner.running
            self._runner.stop()
            return running
        training = self.training.training
        running = training.running
        if running:
            training.pause()
        return running

    def _lay_out(self) -> None:
        top = QWidget()
        edges = (sizes.PAGE_EDGE, 10, sizes.PAGE_EDGE, 0)
        in_row((self.views, 1), parent=top, style=self._style, edges=edges)
        self.add(top)
        self._plane_holder = QWidget()
        edges = (sizes.PAGE_EDGE, 8, sizes.PAGE_EDGE, 0)
        self._plane_place = in_column(parent=self._plane_holder, style=self._style, edges=edges)
        self._plane_holder.hide()
        self.add(self._plane_holder)
        self._column.add((self.descent, 1))
        for block in (self._setup_block, self._layers_block, *self.descent.blocks):
            block.collapsed_by_user.connect(self.block_collapsed)
        for block in (self._setup_block, self._layers_block):
            block.setParent(self._content)
            block.hide()
        # `_views_foot`, with both feet, moves between two places: a fixed one below the
        # scroll area, and on a low page one at the end of what is scrolled
        self._views_foot = QWidget()
        self._views_feet = in_column(self.descent.foot, parent=self._views_foot, gap=0)
        fixed = QWidget()
        self._fixed_place = in_column(parent=fixed, gap=0)
        self.set_foot((fixed, 1))
        self._scrolled = QWidget()
        edges = (sizes.PAGE_EDGE, 5, sizes.PAGE_EDGE, 7)
        self._scrolled_place = in_column(parent=self._scrolled, style=self._style, edges=edges)
        self._column.add(self._scrolled)

    def _new_view(self) -> TrainingView:
        from app.panels.train.training_view import TrainingView

        blocks = (self._setup_block, self._layers_block)
        view = TrainingView(self._style, self._new_training(), *blocks)
        view.hide()
        self._column.insertWidget(self._column.count() - 1, view, 1)  # before the scrolled foot
        self._views_feet.add(view.foot)
        for container, widget in ((self.stage, view.stage), (self.run_controls, view.run_part)):
            layout = container.layout()
            assert layout is not None
            layout.addWidget(widget)
        view.retitled.connect(self.retitled)
        view.table_wanted.connect(self.table_wanted)
        view.step_wanted.connect(self.step_wanted)
        view.export_wanted.connect(self.export_wanted)
        view.refused.connect(self.refused)
        view.ended.connect(self.leave_stage)
        return view

    def _show_foot(self) -> None:
        """Show the foot of the view, and fold its blocks as needed."""
        is_training = self._shown == "training"
        self.descent.foot.setVisible(not is_training)
        if self._training is not None:
            self._training.foot.setVisible(is_training)
        self._collapser.follow(self.training.folding if is_training else self.descent.folding)
        self._place_foot()

    def _follow_height(self) -> None:
        if self._training is not None:
            self._training.set_low(self._collapser.low)
        self._place_foot()

    def _place_foot(self) -> None:
        """Place the foot below the scroll area, or inside it where the page is low.

        Descent has nothing to end while it is off, so it has no foot then.
        """
        shown, low = self._shown == "training" or self.descent.on, self._collapser.low
        (self._scrolled_place if low else self._fixed_place).addWidget(self._views_foot)
        self._scrolled.setVisible(shown and low)
        self.show_foot(shown and not low)


_HYSTERESIS = 16
"""Spare height from which a low page is no longer low, in px at 100 %; else it would flicker."""


@exception_safe
class HeightCollapser(QObject):
    """Folds blocks of a page that is too low for them, and unfolds them again where they fit.

    A block that the user has folded or unfolded stays so. `low`: the page has to scroll even with
    all of them folded.
    """

    changed = Signal()
    """Emitted after `low` has changed."""

    def __init__(self, style: Style, area: QScrollArea, content: QWidget) -> None:
        super().__init__(area)
        self._style, self._area, self._content = style, area, content
        self._blocks: Sequence[Block] = ()
        self._set_by_user: set[Block] = set()
        """Blocks that stay as the user has set them, in this session or in an earlier one."""
        self._known: set[Block] = set()
        """Blocks followed so far, whose signals are connected."""
        self.low = False
        area.installEventFilter(self)
        content.installEventFilter(self)

    def follow(self, blocks: Sequence[Block]) -> None:
        """Manage these blocks, of which the first folds first; folded ones stay folded."""
        self._blocks = blocks
        for block in blocks:
            if block not in self._known:
                self._known.add(block)
                block.collapsed_by_user.connect(self._leave_to_user)
                if block.collapsed:
                    self._set_by_user.add(block)
        self.fit()

    def fit(self) -> None:
        """Fold as many blocks as needed to make the page fit its height."""
        if not self._area.isVisible():
            return
        available = self._area.viewport().height()
        shown = [block for block in self._blocks if not block.isHidden()]
        # height with all blocks unfolded, from which the bodies of folded ones are taken off
        needed = self._content.minimumSizeHint().height()
        needed += sum(self._body_height(block) for block in shown if block.collapsed)
        for block in shown:
            if block in self._set_by_user:
                folds = block.collapsed
            else:
                folds = needed > available
                if folds != block.collapsed:
                    block.set_collapsed(folds)
            needed -= self._body_height(block) if folds else 0
        low = needed > available - (self._style.px(_HYSTERESIS) if self.low else 0)
        if low != self.low:
            self.low = low
            self.changed.emit()

    def _body_height(self, block: Block) -> int:
        """Return the height that folding a block saves."""
        return block.body.minimumSizeHint().height()

    def _leave_to_user(self) -> None:
        block = self.sender()
        assert isinstance(block, Block)
        self._set_by_user.add(block)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kinds = (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.LayoutRequest)
        if event.type() in kinds:
            self.fit()
        return super().eventFilter(watched, event)
