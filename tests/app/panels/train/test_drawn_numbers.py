"""No number is too large, too small or too odd for a plot: what it can't draw is left out."""

import itertools
import math
import random

import pytest

from app.controls.drawn_range import axis_range, is_wide
from app.controls.plot import Plot
from app.panels.numeric.curve_plot import CurvePlot
from app.panels.train.loop_plots import LossPlot, TrailPlot
from app.workbench.modes.loop import Epoch, LoopState, new_loop
from app.workbench.trials import contour
from app.workbench.trials.nudging import NudgeKey, compute_nudge, leaf_range, refusal
from engine import from_expression
from engine.rules import CORRECT
from tests.helpers.panel_host import PanelHost
from tests.helpers.sampling import sized
from tests.helpers.training import run_to_end

EXTREME = (0.0, 5e-324, 1e-310, 1e-160, 1e-9, 0.3, 7.0, 1e16, 1e149, 1e160, 1.7e308, math.inf)
"""Sizes of numbers; the last ones can't be drawn."""


@pytest.fixture
def drawn(monkeypatch) -> list[float]:
    """All coordinates that reach a plot of pyqtgraph."""
    found: list[float] = []

    def watched(name):
        method = getattr(Plot, name)

        def watch(plot, *given, **named):
            for part in given:
                numbers = part if isinstance(part, list | tuple) else [part]
                found.extend(x for x in numbers if isinstance(x, float))
            return method(plot, *given, **named)

        monkeypatch.setattr(Plot, name, watch)

    for name in ("line", "pairs", "dots", "word", "show_range"):
        watched(name)
    return found


def check(plot: Plot, drawn: list[float]) -> None:
    """Paint it, and look at all that it was given and at what it made of it."""
    plot.grab()
    assert drawn
    assert all(map(math.isfinite, drawn)), drawn
    transform = plot.getViewBox().viewTransform()
    sizes = (transform.m11(), transform.m22(), transform.dx(), transform.dy())
    assert all(map(math.isfinite, sizes)), sizes
    assert transform.m11()
    assert transform.m22()
    drawn.clear()


def test_a_range_around_numbers_always_has_a_width():
    for one, other in itertools.product((*EXTREME[:-3], 1e16 + 2.0), repeat=2):
        for numbers in ([one, other], [-one, other], [one], [one, math.nextafter(one, 1e300)]):
            low, high = axis_range(numbers, 0.1, 0.5)
            assert low < min(numbers)
            assert high > max(numbers)
            assert is_wide(low, high)


def test_losses_and_trails_of_any_size_are_drawn(host: PanelHost, drawn: list[float]):
    losses = host.show(LossPlot(host.style), 300, 200)
    trail = host.show(TrailPlot(host.style), 300, 200)
    dice = random.Random(5)
    for k in range(sized(20, 60)):
        loop = drawn_loop(dice)
        losses.show_loop(loop)
        check(losses, drawn)
        ringed = k % 5 == 0 and len(loop.learners) == 2
        rings = run_to_end(contour._sample_rings(loop)) if ringed else None
        trail.show_loop(loop, rings)
        if drawn:
            check(trail, drawn)


def drawn_loop(dice: random.Random) -> LoopState:
    """A loop with epochs of drawn parameters and losses."""
    text, names = dice.choice((("y = w*v", "wv"), ("y = w**2*v", "wv"), ("y = w*v + b", "wvb")))
    size = dice.choice(EXTREME[:-1])
    numbers = EXTREME if dice.random() < 0.5 else (size, size)
    loop = new_loop(from_expression(text, dict.fromkeys(names, size)))
    epochs = [*loop.epochs]
    for _k in range(4):
        moved = {n: dice.choice(numbers[:-1]) * dice.choice((1, -1)) for n in loop.learners}
        epochs.append(Epoch(loop.graph.with_values(moved), dice.choice(numbers)))
    loop = LoopState(loop.descent, tuple(epochs), loop.first)
    return loop.at_epoch(len(epochs) - 1)


def test_curves_of_any_size_are_drawn(host: PanelHost, drawn: list[float]):
    plot, curves, count = host.show(CurvePlot(host.style), 300, 200), 0, sized(30, 60)
    dice = random.Random(9)
    texts = ("y = w*v", "y = w**3*v", "y = exp(w)/v", "y = v/w", "y = v + w*0", "y = sqrt(w)*v")
    for _k in range(count):
        values = {name: dice.choice(EXTREME) for name in "wv"}
        graph = from_expression(dice.choice(texts), values)
        node, h = graph.node_named("w"), dice.choice((5e-324, 1e-9, 1e-3, 1e16, 1e200, 1.7e308))
        assert node is not None
        if refusal(graph, node):
            continue
        way = dice.choice(("forward", "central", "exact"))
        places = leaf_range(values["w"], h)
        made = list(compute_nudge(NudgeKey(graph, node, CORRECT, way, h), places, None))[-1]
        assert made is not None
        plot.show_curve(made.curve, made.nudge)
        check(plot, drawn)
        curves += 1
    assert curves > count / 2
