"""LossPlot: loss by epoch; TrailPlot: parameters by epoch, or as a trail over equal losses."""

# pyqtgraph has no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import math
from typing import Final

from PySide6.QtGui import QFontMetricsF

from app.controls.drawn_range import axis_range, is_drawable, is_wide
from app.controls.plot import Plot, plot_pen
from app.style.current import Style
from app.style.theme import faded
from app.workbench.modes.loop import LoopState
from app.workbench.trials.contour import Rings
from engine.numbers import decimals

LOSS_HEIGHT, TRAIL_HEIGHT = 102, 90
"""Height of the losses, of which the plane has 84, and least height of the trail, in px at 100 %.
"""
LABELLED_LOSSES: Final = 4
"""Number of the first losses that have a label."""
MIN_EPOCHS: Final = 6
"""Least number of epochs on the axis."""
MAX_LINES: Final = 8
"""Parameters drawn by epoch; more lines are indistinguishable."""
MARGIN: Final = 0.12
"""Space around the drawn points, as a share of their range."""
EPOCH_MARGIN: Final = 0.04
"""Space before the first epoch and after the last one, as a share of the axis."""
_BELOW_LOSSES, _ABOVE_LOSSES = 0.1, 0.3
"""Space below the losses, and above them for their labels, as shares of their range."""
_MAX_DOTS: Final = 60
"""Epochs up to which each loss has a dot; dots of more would touch each other."""
_NAME_LENGTH: Final = 8
"""Characters of the name of a leaf."""
LABEL_GAP: Final = 6
"""Least space between the labels of two losses, in px."""


class LossPlot(Plot):
    """The loss of every epoch."""

    def __init__(self, style: Style) -> None:
        self._loop: LoopState | None = None
        super().__init__(style, LOSS_HEIGHT, self._draw, integers_only=True)
        self.getViewBox().sigResized.connect(self._draw)

    def show_loop(self, loop: LoopState) -> None:
        """Show the losses up to the current epoch."""
        self._loop = loop
        self._draw()

    def _draw(self) -> None:
        self.clear()
        loop, theme = self._loop, self._style.theme
        points = [] if loop is None else _drawable_losses(loop)
        self.setAccessibleName("Loss by epoch")
        last = max(MIN_EPOCHS, points[-1][0] if points else 0)
        ys = [y for _k, y in points]
        low, high = min([0.0, *ys]), max([0.0, *ys])
        high = high if is_wide(low, high) else low + 1.0
        height = high - low
        self.show_range(
            (-EPOCH_MARGIN * last, (1 + EPOCH_MARGIN) * last),
            (low - _BELOW_LOSSES * height, high + _ABOVE_LOSSES * height),
        )
        if not points:
            return
        losses = ", ".join(decimals(y) for y in ys[-10:])
        self.setAccessibleName(f"Loss by epoch, the last ones: {losses}")
        xs = [float(k) for k, _y in points]
        self.line(xs, ys, plot_pen(theme.value, 2.2))
        if len(points) <= _MAX_DOTS:
            self.dots(xs, ys, 8, theme.value, theme.value)
        self._label_first(points, last)

    def _label_first(self, points: list[tuple[int, float]], last: int) -> None:
        """Label the first losses, each where it covers no earlier label."""
        metrics, free = QFontMetricsF(self._style.font("caption strong")), -math.inf
        pitch = self.getViewBox().width() / ((1 + 2 * EPOCH_MARGIN) * last)  # px of an epoch
        for k, y in points[:LABELLED_LOSSES]:
            text = decimals(y)
            if k * pitch >= free:
                # right of its dot and above it
                self.word(text, k, y, self._style.theme.value, (-0.12, 0.8))
                free = k * pitch + metrics.horizontalAdvance(text) + LABEL_GAP


class TrailPlot(Plot):
    """The path of the parameters: a trail in the plane of two, else a line by epoch for each."""

    def __init__(self, style: Style) -> None:
        self._loop: LoopState | None = None
        self._rings: Rings | None = None
        super().__init__(style, TRAIL_HEIGHT, self._draw, grows=True)

    def show_loop(self, loop: LoopState, rings: Rings | None) -> None:
        """Show the trail up to the current epoch, over the rings that are known."""
        self._loop, self._rings = loop, rings
        self._draw()

    def _draw(self) -> None:
        self.clear()
        if self._loop is None:
            return
        if len(self._loop.learners) == 2:
            self._draw_plane(self._loop)
        else:
            self._draw_lines(self._loop)

    def _draw_plane(self, loop: LoopState) -> None:
        a, b = loop.learners
        theme, rings = self._style.theme, self._rings
        trail = [(loop.value(a, k), loop.value(b, k)) for k in range(loop.at + 1)]
        drawn = [(x, y) for x, y in trail if is_drawable(x) and is_drawable(y)]
        self.setAccessibleName(f"Trail of {loop.graph.brief(a)} and {loop.graph.brief(b)}")
        if not drawn:
            return
        xs, ys = [x for x, _y in drawn], [y for _x, y in drawn]
        if rings is not None and rings.contains(drawn):
            self.show_range((rings.left, rings.right), (rings.bottom, rings.top))
            self._draw_rings(rings)
        else:
            self.show_range(axis_range(xs, MARGIN, 1.0), axis_range(ys, MARGIN, 1.0))
        self.line(xs, ys, plot_pen(theme.text, 1.6))
        self.dots(xs, ys, 7, theme.text, theme.text)
        self.dots(xs[-1:], ys[-1:], 11, theme.value, theme.node)
        self.word("start", xs[0], ys[0], theme.secondary, (-0.25, 0.5))
        (left, right), (bottom, top) = self.getViewBox().viewRange()
        self.word(loop.graph.brief(a, _NAME_LENGTH), right, bottom, theme.text, (1, 1))
        self.word(loop.graph.brief(b, _NAME_LENGTH), left, top, theme.text, (0, 0))

    def _draw_rings(self, rings: Rings) -> None:
        """Draw the rings of equal loss, the inner ones over the outer ones."""
        theme = self._style.theme
        for ring in rings.lines:
            points = [point for segment in ring for point in segment]
            xs, ys = [x for x, _y in points], [y for _x, y in points]
            self.pairs(xs, ys, plot_pen(faded(theme.value, 0.45), 1.0))

    def _draw_lines(self, loop: LoopState) -> None:
        theme, shown = self._style.theme, loop.learners[:MAX_LINES]
        last = max(MIN_EPOCHS, loop.at)
        numbers = [loop.value(n, k) for n in shown for k in range(loop.at + 1)]
        numbers = [x for x in numbers if is_drawable(x)]
        self.setAccessibleName("Parameters by epoch")
        self.show_range(
            (-EPOCH_MARGIN * last, (1 + EPOCH_MARGIN) * last),
            axis_range(numbers or [0.0], MARGIN, 1.0),
        )
        for index, node in enumerate(shown):
            points = [(float(k), loop.value(node, k)) for k in range(loop.at + 1)]
            points = [p for p in points if is_drawable(p[1])]
            if not points:
                continue
            xs, ys = [x for x, _y in points], [y for _x, y in points]
            color = theme.sibling(index)
            self.line(xs, ys, plot_pen(color, 1.8))
            self.dots(xs[-1:], ys[-1:], 7, color, theme.node)
            self.word(loop.graph.brief(node, _NAME_LENGTH), xs[-1], ys[-1], color, (1.0, 1.05))


def _drawable_losses(loop: LoopState) -> list[tuple[int, float]]:
    """Return epoch and loss where the loss is known and can be drawn."""
    known = [(k, loss) for k, loss in enumerate(loop.losses) if loss is not None]
    return [(k, loss) for k, loss in known if is_drawable(loss)]
