"""DescentView: one epoch in four steps, the rate, the leaves that learn, and the curves."""

from __future__ import annotations

from decimal import Decimal
from time import perf_counter
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QFontMetricsF, QHideEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QListView,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QWidget,
)

from app.controls.choices import Segmented
from app.controls.focus import NAVIGATION_KEYS, claim_keys
from app.controls.layouts import in_column, in_row, plain_label, plain_tooltip
from app.controls.painted_buttons import PaintedButton, push_button
from app.controls.panel import Block, EmptyState, Panel
from app.controls.text_fields import LogRow
from app.document.document import Document
from app.guard import exception_safe
from app.style import sizes
from app.style.current import Style
from app.style.icons import paint_icon
from app.style.strokes import antialiased
from app.style.theme import mixed
from app.workbench.modes.loop import DEFAULT_RATE, PACES, STEPS, LoopState, Step
from app.workbench.playback.playback import Playback
from app.workbench.runners.loop_runner import LoopRunner
from app.workbench.trials.contour import Contour
from app.workbench.words.loop_strip import NAMES, epoch_text, loss_text

if TYPE_CHECKING:
    from app.panels.train.loop_plots import LossPlot, TrailPlot


RATES: Final = tuple(
    float(Decimal(lead).scaleb(power)) for power in range(-4, 3) for lead in (1, 2, 5)
)[:-2]  # without 200 and 500
"""Rates of the slider, from 0.0001 to 100."""
NOT_ABOVE_0: Final = "The rate has to be a number above 0, such as 0.1."
_FIELD_WIDTH: Final = 52
"""Width of the field of the rate, in px at 100 %."""


class RateRow(LogRow):
    """A slider and a field for the learning rate η."""

    def __init__(self, style: Style, rate: float) -> None:
        super().__init__(style, "Learning rate", RATES, rate, NOT_ABOVE_0)
        self.slider.setToolTip("From 0.0001 to 100")
        self.field.setProperty("low", "true")
        self.field.fit_width(_FIELD_WIDTH)
        name, unit = plain_label("η", "heading"), plain_label("rate", "secondary")
        in_row(name, (self.slider, 1), self.field, unit, parent=self, gap=10, style=style)


class PaceRow(QWidget):
    """Chooses one of `PACES`, the speed of the epochs."""

    chosen = Signal(str)
    """Emitted with the name of the pace that the user has chosen."""

    def __init__(self, style: Style, caption_width: int = 0) -> None:
        """`caption_width` aligns it with captions above, in px at 100 %."""
        super().__init__()
        self._style, self._caption_width = style, caption_width
        self._caption = plain_label("speed", "secondary")
        choices = [(name, name) for name in PACES]
        self.paces = Segmented(style, choices, "Epochs a second", low=True)
        self.paces.setToolTip("Epochs a second, so that you can watch")
        parts = (self._caption, (self.paces, 1), plain_label("/ s", "secondary"))
        in_row(*parts, parent=self, style=style, gap=8)
        self.paces.chosen.connect(self.chosen)
        style.run_now_and_on_change(self._restyle)

    def show_pace(self, pace: str) -> None:
        """Show a pace, without emitting `chosen`."""
        self.paces.set_choice(pace)

    def _restyle(self) -> None:
        self._caption.setMinimumWidth(self._style.px(self._caption_width))


OFF_TEXT = "Gradient descent moves the leaves against their gradients until the root is small."
BEGIN_BUTTON = "Begin"
BACK_BUTTON = "Back to epoch {epoch:,}"
STEPPING_TEXT = "A pass is stepped through. The run waits as it is."
_NAME_LENGTH: Final = 10
"""Characters of the name of a leaf in the title of its trail."""
_PLOT_INTERVAL: Final = 0.25
"""Least seconds between two drawings of the plots while epochs run."""


@exception_safe
class DescentView(Panel):
    """Shows and drives the loop of `LoopRunner`; `foot` has its End button, for the page's foot."""

    def __init__(
        self, style: Style, document: Document, playback: Playback, loop_runner: LoopRunner
    ) -> None:
        super().__init__(style, "Descent")
        self._document, self._playback, self._runner = document, playback, loop_runner
        self._contour = Contour(self)
        self._drawn_at = 0.0  # when the plots were drawn last, in seconds
        self.losses: LossPlot | None = None
        self.trail: TrailPlot | None = None
        self.empty = EmptyState(style, OFF_TEXT, BEGIN_BUTTON, tall=True)
        self.steps = StepButtons(style)
        self.zeroes = QCheckBox("Epochs begin with zero grad")
        self.zeroes.setToolTip("Whether 1 epoch, 10 epochs and Run zero the gradients first")
        self.rate = RateRow(style, DEFAULT_RATE)
        self.pace = PaceRow(style)
        self.learners = Learners(style)
        self.end = push_button("End Descent")
        self.end.setAccessibleDescription("D or Esc")
        self._lay_out()
        self._connect()

    @property
    def folding(self) -> tuple[Block, ...]:
        """Return the blocks that fold, in this order, where the page is too low."""
        return self.trail_block, self.loss_block

    @property
    def on(self) -> bool:
        return self._runner.shown

    def _lay_out(self) -> None:
        style = self._style
        learns = in_row(plain_label("Learns", "secondary"), (self.learners, 1), gap=8)
        loop = in_column(self.steps, self.rate, self.pace, self.zeroes, learns, gap=3)
        self.loop_block = Block(style, "One epoch", loop, tight=True)
        self.loss_block = Block(style, "Loss", key="train-loss", tight=True)
        self.trail_block = Block(style, "Leaves by epoch", key="train-trail", tight=True)
        self.blocks = (self.loop_block, self.loss_block, self.trail_block)
        self.loop_block.set_line(False)
        spacer = QWidget()
        # the trail takes the height; only without it does the spacer
        parts = (self.empty, self.loop_block, self.loss_block, (self.trail_block, 100), (spacer, 1))
        in_column(*parts, parent=self, gap=0)
        self.foot = QWidget()
        keys = plain_label("D or Esc", "caption")
        in_row(self.end, 1, keys, parent=self.foot, style=style)

    def _connect(self) -> None:
        loop_runner = self._runner
        self.empty.action_clicked.connect(self._begin_or_return)
        self.steps.chosen.connect(loop_runner.do)
        self.zeroes.toggled.connect(loop_runner.set_zeroes)
        self.rate.changed.connect(loop_runner.set_rate)
        self.rate.refused.connect(self._document.refused)
        self.pace.chosen.connect(loop_runner.set_pace)
        self.learners.chosen.connect(loop_runner.set_learners)
        self.end.clicked.connect(loop_runner.leave)
        self._contour.changed.connect(self._show_trail)
        self.follow(self._playback.shown, loop_runner.changed)

    def _begin_or_return(self) -> None:
        if self._runner.now is None:
            self._runner.toggle()
        else:
            self._runner.resume()

    def refresh(self) -> None:
        loop, shown = self._runner.now, self.on
        self.empty.setVisible(not shown)
        for block in self.blocks:
            block.setVisible(shown)
        if loop is None:
            self.empty.show_state(OFF_TEXT, BEGIN_BUTTON)
        elif not shown:
            self.empty.show_state(STEPPING_TEXT, BACK_BUTTON.format(epoch=loop.at))
        if loop is None or not shown:
            self._contour.show_loop(None)
            return
        self.loop_block.set_note(epoch_text(loop))
        self.steps.show_loop(loop)
        self.learners.show_loop(loop)
        self.rate.show_number(loop.descent.rate)
        self.pace.show_pace(self._runner.pace)
        if self.zeroes.isChecked() != loop.zeroes:
            self.zeroes.setChecked(loop.zeroes)
        self._show_curves(loop)

    def _show_curves(self, loop: LoopState) -> None:
        """Show losses and trail; while epochs run only at intervals, as drawing is slow."""
        losses = loop.losses
        change = f"{loss_text(losses[0])} → {loss_text(losses[-1])}" if len(losses) > 1 else ""
        self.loss_block.set_note(change)
        now = perf_counter()
        if self._runner.running and now - self._drawn_at < _PLOT_INTERVAL:
            return
        if self.losses is None:
            self._make_plots()
        assert self.losses is not None
        self.losses.show_loop(loop)
        self._contour.show_loop(loop)
        self._show_trail()
        self._drawn_at = perf_counter()

    def _show_trail(self) -> None:
        loop = self._runner.now
        if loop is None or self.trail is None:
            return
        names = [loop.graph.brief(node, _NAME_LENGTH) for node in loop.learners]
        is_plane, rings = len(names) == 2, self._contour.rings
        title = f"Where {' and '.join(names)} went" if is_plane else "Leaves by epoch"
        self.trail_block.set_title(title)
        self.trail_block.set_note("equal loss" if is_plane and rings is not None else "")
        self.trail.show_loop(loop, rings)

    def _make_plots(self) -> None:
        """Create the plots, on first use: importing pyqtgraph takes half a second."""
        from app.panels.train.loop_plots import LossPlot, TrailPlot

        self.losses, self.trail = LossPlot(self._style), TrailPlot(self._style)
        self.loss_block.add(self.losses)
        self.trail_block.add((self.trail, 1))

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._contour.cancel()


_TIPS: dict[Step, str] = {
    "zero_grad": "Set every gradient to 0, since backward adds to what is there",
    "forward": "Compute all values from the leaves, and so the loss",
    "backward": "Compute the gradients of the loss, and add them to those of the leaves",
    "update": "Move each leaf that learns against its gradient, times the rate",
}
_GAP, _BUTTON_WIDTH, _PADDING, _CHECK_SIZE = 6, 133, 13, 16
"""Space between the buttons, width of one, space at its ends, and side of its check mark,
in px at 100 %."""


@exception_safe
class StepButton(PaintedButton):
    """A step with its number; filled where it is the next one, with a check where it is done."""

    def __init__(self, style: Style, number: int, name: str, parent: QWidget) -> None:
        super().__init__(style, parent)
        self._number = f"{number}"
        self.is_next = self.is_done = False
        self.setText(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_state(is_next=False, is_done=False)

    def show_state(self, *, is_next: bool, is_done: bool) -> None:
        """Mark the step as the next one, or as done."""
        self.is_next, self.is_done = is_next, is_done
        state = "next" if is_next else "done" if is_done else ""
        self.setAccessibleName(f"{self.text()}, {state}" if state else self.text())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(_BUTTON_WIDTH), self._style.px(sizes.CONTROL))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, px = self._style.theme, self._style.px
        fill = theme.text if self.is_next else theme.header_op if self.is_done else theme.node
        ink = theme.panel if self.is_next else theme.text
        if self.underMouse():
            fill = mixed(fill, ink, 0.10)
        number = ink if self.is_next else theme.secondary
        if not self.isEnabled():
            ink = number = mixed(theme.secondary, theme.panel, 0.45)
        with antialiased(self) as painter:
            self.paint_box(painter, fill, theme.line, sizes.RADIUS_BUTTON)
            row = QRectF(self.rect()).adjusted(px(_PADDING), 0, -px(_PADDING), 0)
            middle = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.setFont(self._style.font("caption"))
            painter.setPen(number)
            painter.drawText(row, middle, self._number)
            number_width = QFontMetricsF(painter.font()).horizontalAdvance(self._number)
            painter.setFont(self._style.font("interface strong"))
            painter.setPen(ink)
            painter.drawText(row.adjusted(number_width + px(8), 0, 0, 0), middle, self.text())
            if self.is_done:
                side = px(_CHECK_SIZE)
                top = row.center().y() - side / 2
                paint_icon(painter, QRectF(row.right() - side, top, side, side), "check", ink)


class StepButtons(QWidget):
    """The four steps of an epoch as buttons, two by two."""

    chosen = Signal(str)
    """Emitted with one of `STEPS`."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self.buttons: dict[Step, StepButton] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        for index, step in enumerate(STEPS):
            button = StepButton(style, index + 1, NAMES[step], self)
            button.setObjectName(step)
            button.setToolTip(plain_tooltip(_TIPS[step]))
            button.clicked.connect(self._choose)
            self.buttons[step] = button
            self._grid.addWidget(button, index // 2, index % 2)
        style.run_now_and_on_change(self._restyle)

    def show_loop(self, loop: LoopState) -> None:
        """Mark the steps done and the next one."""
        for step, button in self.buttons.items():
            is_next = loop.next == step
            button.show_state(is_next=is_next, is_done=step in loop.done and not is_next)

    def _choose(self) -> None:
        self.chosen.emit(self.sender().objectName())

    def _restyle(self) -> None:
        self._grid.setSpacing(self._style.px(_GAP))


_CHECK_BOX_WIDTH = 48
"""Width of an item besides its name, in px at 100 %."""
_ROW_HEIGHT, _VISIBLE_LEAVES = 26, 6
"""Height of a row in px at 100 %, and number of leaves visible without scrolling."""
_NODE_ROLE = Qt.ItemDataRole.UserRole


@exception_safe
class Learners(QListWidget):
    """Check boxes in rows, one for each leaf that leads to the loss."""

    chosen = Signal(object)
    """Emitted with the ids of all ticked leaves, a list[int], after the user has changed one."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Leaves that learn")
        self.setToolTip("Ticked leaves learn: update moves them. Others stay as they are.")
        claim_keys(self, *NAVIGATION_KEYS, Qt.Key.Key_Space)
        self.itemChanged.connect(self._emit_chosen)
        style.changed.connect(self._restyle)

    def show_loop(self, loop: LoopState) -> None:
        """Show the leaves of a loop and which of them learn."""
        blocked = self.blockSignals(True)
        names = tuple(loop.graph.brief(n) for n in loop.leaves)
        if [self.item(k).text() for k in range(self.count())] != list(names):
            self.clear()
            for name in names:
                item = QListWidgetItem(name, self)
                width = QFontMetrics(self.font()).horizontalAdvance(name)
                width += self._style.px(_CHECK_BOX_WIDTH)
                item.setSizeHint(QSize(width, self._style.px(_ROW_HEIGHT)))
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        for k, node in enumerate(loop.leaves):
            ticked = node in loop.descent.chosen
            self.item(k).setData(_NODE_ROLE, node)
            self.item(k).setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
        self.blockSignals(blocked)
        self._restyle()

    def ticked(self) -> list[int]:
        items = [self.item(k) for k in range(self.count())]
        return [x.data(_NODE_ROLE) for x in items if x.checkState() == Qt.CheckState.Checked]

    def _emit_chosen(self, _item: QListWidgetItem) -> None:
        self.chosen.emit(self.ticked())

    def _restyle(self) -> None:
        """Set the height to that of the rows of the first leaves."""
        last = self.item(min(self.count(), _VISIBLE_LEAVES) - 1) if self.count() else None
        row = self._style.px(_ROW_HEIGHT)
        bottom = row
        if last is not None:
            bottom = self.visualItemRect(last).bottom() + self.verticalScrollBar().value() + 1
        self.setFixedHeight(max(bottom, row) + 2)  # with both lines of the frame

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._restyle()
