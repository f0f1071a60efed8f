"""While a value is dragged every number has its place in every frame, in graphs of all sizes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPicture

from app.canvas.layout import layout
from app.canvas.paint import node_painting as node_painter
from app.canvas.paint.painter import paint_scene
from app.canvas.scene.scene import Scene
from app.document.placement import columns
from app.document.sheet import LARGE
from app.style.strokes import width
from app.style.theme import THEMES
from engine.formats.native import Drawing
from tests.benchmarks.layers import layered
from tests.helpers.canvas import CanvasFixture

VALUES = (-0.001796, 123456.78, -0.0001234567)
"""What the dragged leaf is set to: numbers of few characters and of many."""
LINE = 9.0
"""Texts whose baselines are nearer than this may be on one another."""


@pytest.mark.parametrize(("count", "budget"), [(14, 0.0), (50, 0.0), (50, 60.0), (LARGE + 1, 0.0)])
def test_no_number_lies_on_another_in_any_frame(canvas: CanvasFixture, monkeypatch, count, budget):
    monkeypatch.setattr(layout, "MEASURING_BUDGET", budget)
    graph = layered(count).graph
    canvas.document.start(Drawing(graph, columns(graph, pitch=(420.0, 200.0))))
    leaves = random.Random(count).sample(canvas.document.graph.leaves, 2)
    for phase in ("live", "backward"):
        if phase == "backward":
            canvas.playback.backward()
            canvas.playback.go(canvas.steps - 1)
        canvas.view.grab()
        for value in VALUES:
            for leaf, number in zip(leaves, (value, -1.37 * value), strict=True):
                canvas.document.set_value(leaf, number)
            assert not [*overlapping([*drawn(canvas.scene, monkeypatch)])], (phase, value)


Text = tuple[float, float, float, str]
"""Baseline, left and right end, and the text."""


def drawn(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> Iterator[Text]:
    """Yield where texts of nodes are painted on the sheet."""
    found: list[Text] = []
    draw = node_painter.draw_text

    def record(painter: QPainter, text: str, role: str, *rest: Any) -> float:
        x, y = rest[1]
        align = rest[2] if len(rest) > 2 else "left"
        wide = width(text, role)
        x -= {"left": 0.0, "middle": wide / 2, "right": wide}[align]
        left, right = (painter.transform().map(QPointF(end, y)) for end in (x, x + wide))
        found.append((left.y(), left.x(), right.x(), text))
        return draw(painter, text, role, *rest)

    with monkeypatch.context() as patch, QPainter(picture := QPicture()) as painter:
        patch.setattr(node_painter, "draw_text", record)
        paint_scene(painter, scene, THEMES["light"], scene.bounds(), 1.0)
    assert not picture.isNull()
    yield from found


def overlapping(texts: list[Text]) -> Iterator[tuple[str, str]]:
    rows: list[list[Text]] = []
    for text in sorted(texts):
        if not rows or text[0] - rows[-1][0][0] > LINE:
            rows.append([])
        rows[-1].append(text)
    for row in rows:
        for one, other in pairwise(sorted(row, key=lambda text: text[1])):
            if other[1] < one[2] - 0.1 and abs(one[0] - other[0]) < LINE:
                yield one[3], other[3]
