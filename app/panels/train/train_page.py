"""The Train page: Descent on the sheet, or the training of a network, chosen at its top."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QScrollArea, QWidget

from app.controls.layouts import in_column, in_row
from app.controls.panel import Block, Page
from app.controls.segmented import Segmented
from app.document.document import Document
from app.guard import guarded
from app.panels.train.descent_view import DescentView
from app.style import sizes
from app.style.current import Style
from app.workbench.playback.playback import Playback
from app.workbench.runners.loop_runner import LoopRunner

if TYPE_CHECKING:
    from app.panels.train.training_view import TrainingView
    from app.workbench.training import Training


View = Literal["descent", "training"]


@guarded
class TrainPage(Page):
    """Two views; the one of Training has a stage in place of the sheet, and a strip of its own."""

    retitled = Signal()
    """Emitted when the title of the stage has changed."""
    staging = Signal()
    """Emitted before there is a stage."""
    staged_changed = Signal()
    """Emitted when the stage is shown or hidden."""
    table_wanted = Signal()
    step_wanted = Signal(int)
    export_wanted = Signal(str)
    refused = Signal(str)

    def __init__(
        self,
        style: Style,
        document: Document,
        playback: Playback,
        descents: LoopRunner,
        training: Callable[[], Training],
        parent: QWidget | None = None,
    ) -> None:
        """`training` makes the network when its view is first shown."""
        super().__init__(style, "Train", parent)
        self._descents, self._new_training = descents, training
        self._shown: View = "descent"
        self._training: TrainingView | None = None
        self.stage, self.playback = QWidget(), QWidget()
        for room in (self.stage, self.playback):
            in_column(parent=room, edges=0, gap=0)
        self.views = Segmented(style, [("descent", "Descent"), ("training", "Training")], "Train")
        self.descent = DescentView(style, document, playback, descents)
        self._setup_block = Block(style, "Set-up", key="train-set-up", tight=True)
        self._layers_block = Block(style, "Which layer moves most", key="train-layers", tight=True)
        self._lay_out()
        self._collapser = HeightCollapser(style, self.area, self._content)
        self._collapser.changed.connect(self._follow_height)
        self.views.chosen.connect(self.show_view)
        descents.changed.connect(self._show_foot)
        playback.shown.connect(self._show_foot)
        self._show_foot()

    @property
    def training(self) -> TrainingView:
        """Return the view of Training, made now if it is the first time."""
        if self._training is None:
            self._training = self._made()
        return self._training

    @property
    def stage_title(self) -> str:
        """Return the title of the stage, in place of the sheet's formula; "" without a stage."""
        return self.training.title if self._shown == "training" else ""

    def first_field(self) -> QWidget:
        """Return the button of the view, from which the arrow keys lead to the other."""
        return self.views.button(self._shown)

    def show_view(self, view: View) -> None:
        """Show Descent or Training."""
        self.views.set_choice(view)
        if view == self._shown:
            return
        if view == "descent":
            self.rest()
        else:
            self.staging.emit()
        self._shown = view
        self.descent.setVisible(view == "descent")
        self.training.setVisible(view == "training")
        self._show_foot()
        self.staged_changed.emit()
        self.retitled.emit()

    def leave_stage(self) -> None:
        """End Training: show Descent, and so the sheet."""
        self.show_view("descent")

    def rest(self) -> bool:
        """Stop the epochs that are running; return whether some were."""
        if self._shown == "descent":
            running = self._descents.running
            self._descents.stop()
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
        self._column.add((self.descent, 1))
        for block in (self._setup_block, self._layers_block, *self.descent.blocks):
            block.collapsed_by_user.connect(self.block_collapsed)
        for block in (self._setup_block, self._layers_block):
            block.setParent(self._content)
            block.hide()
        self._feet = QWidget()
        self._foot_parts = in_column(self.descent.foot, parent=self._feet, edges=0, gap=0)
        foot = QWidget()
        self._high_foot = in_column(parent=foot, edges=0, gap=0)
        self.set_foot((foot, 1))
        self._scrolling_foot = QWidget()
        edges = (sizes.PAGE_EDGE, 5, sizes.PAGE_EDGE, 7)
        self._low_foot = in_column(parent=self._scrolling_foot, style=self._style, edges=edges)
        self._column.add(self._scrolling_foot)

    def _made(self) -> TrainingView:
        from app.panels.train.training_view import TrainingView

        blocks = (self._setup_block, self._layers_block)
        view = TrainingView(self._style, self._new_training(), *blocks)
        view.hide()
        self._column.insertWidget(self._column.count() - 1, view, 1)
        self._foot_parts.add(view.foot)
        for room, widget in ((self.stage, view.stage), (self.playback, view.run_part)):
            layout = room.layout()
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
        """Show the foot of the view; Descent has nothing to end while it is off."""
        trains = self._shown == "training"
        self.descent.foot.setVisible(not trains)
        if self._training is not None:
            self._training.foot.setVisible(trains)
        self._collapser.follow(self.training.folding if trains else self.descent.folding)
        self._place_foot()

    def _follow_height(self) -> None:
        if self._training is not None:
            self._training.set_low(self._collapser.low)
        self._place_foot()

    def _place_foot(self) -> None:
        """Keep the foot below the scroll area, or inside it where the page is low."""
        shown, low = self._shown == "training" or self.descent.on, self._collapser.low
        (self._low_foot if low else self._high_foot).addWidget(self._feet)
        self._scrolling_foot.setVisible(shown and low)
        self.show_foot(shown and not low)


_SLACK = 16
"""Height that a low page has to have to spare before it is none, in px at 100 %."""


@guarded
class HeightCollapser(QObject):
    """Unfolds them again where there is room; a block that the user has folded or unfolded stays.

    `low`: the page has to scroll even with all of them collapsed.
    """

    changed = Signal()
    """Emitted after `low` has changed."""

    def __init__(self, style: Style, area: QScrollArea, content: QWidget) -> None:
        super().__init__(area)
        self._style, self._area, self._content = style, area, content
        self._blocks: Sequence[Block] = ()
        self._kept: set[Block] = set()
        self._seen: set[Block] = set()
        self.low = False
        area.installEventFilter(self)
        content.installEventFilter(self)

    def follow(self, blocks: Sequence[Block]) -> None:
        """Fold these blocks, the first of them first; one that is folded already stays so."""
        self._blocks = blocks
        for block in blocks:
            if block not in self._seen:
                self._seen.add(block)
                block.collapsed_by_user.connect(self._keep)
                if block.collapsed:
                    self._kept.add(block)
        self.fit()

    def fit(self) -> None:
        """Fold as many blocks as the height of the page asks for."""
        if not self._area.isVisible():
            return
        room = self._area.viewport().height()
        shown = [block for block in self._blocks if not block.isHidden()]
        needed = self._content.minimumSizeHint().height()
        needed += sum(self._body(block) for block in shown if block.collapsed)
        for block in shown:
            if block in self._kept:
                folds = block.collapsed
            else:
                folds = needed > room
                if folds != block.collapsed:
                    block.set_collapsed(folds)
            needed -= self._body(block) if folds else 0
        low = needed > room - (self._style.px(_SLACK) if self.low else 0)
        if low != self.low:
            self.low = low
            self.changed.emit()

    def _body(self, block: Block) -> int:
        """Return the height that a block has more where it is not folded."""
        return block.body.minimumSizeHint().height()

    def _keep(self) -> None:
        block = self.sender()
        assert isinstance(block, Block)
        self._kept.add(block)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kinds = (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.LayoutRequest)
        if event.type() in kinds:
            self.fit()
        return super().eventFilter(watched, event)
