"""How far wires are drawn on one another, seem to be joined, or are drawn through nodes."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise, takewhile

from PySide6.QtCore import QPointF

from app.canvas.layout.wire_path import Course
from app.canvas.scene.scene import Scene
from engine.graph import Wire

STEP = 2.0
"""Distance of two samples of a wire, in sheet px."""
NEAR = 2.0
"""Wires nearer than this touch: each is drawn 2 px wide."""
SLANT = 0.17
"""The most sine of the angle between wires that run along one another: 10 degrees."""
LEVEL = 14.0
"""Level runs nearer than this may be taken for one, in sheet px."""
GAP = 6.0
"""Distance of the end of one from the beginning of the other up to which they seem joined."""
INSIDE = 2.0
"""How far inside a node a point must be, in sheet px, for the wire to run through it."""

Sample = tuple[float, float, float, float]
"""Position and direction."""


def samples(course: Course) -> list[Sample]:
    """Return points about every STEP px of a wire."""
    found: list[Sample] = []
    for a, b in pairwise(course.polyline.toList()):
        dx, dy = b.x() - a.x(), b.y() - a.y()
        length = math.hypot(dx, dy)
        count = math.ceil(length / STEP)
        for k in range(count):
            share = k / count
            found.append((a.x() + share * dx, a.y() + share * dy, dx / length, dy / length))
    return found


def overlaps(scene: Scene) -> dict[tuple[Wire, Wire], float]:
    """Return for pairs of wires of different sources how many px they are drawn on one another."""
    graph = scene.sheet.graph
    cells: dict[tuple[int, int], list[tuple[Wire, Sample]]] = {}
    every = {wire: samples(course) for wire, course in scene.courses.items()}
    for wire, line in every.items():
        for at in line:
            cell = (int(at[0] // NEAR), int(at[1] // NEAR))
            cells.setdefault(cell, []).append((wire, at))
    counts: Counter[tuple[Wire, Wire]] = Counter()
    for wire, line in every.items():
        for x, y, dx, dy in line:
            i, j = int(x // NEAR), int(y // NEAR)
            near = {
                other
                for cell in ((i + a, j + b) for a in (-1, 0, 1) for b in (-1, 0, 1))
                for other, at in cells.get(cell, ())
                if graph.source(other) != graph.source(wire)
                and math.hypot(at[0] - x, at[1] - y) < NEAR
                and abs(dx * at[3] - dy * at[2]) < SLANT
            }
            counts.update((wire, other) for other in near if wire < other)
    return {pair: count * STEP for pair, count in counts.items()}


def joined(scene: Scene) -> list[tuple[Wire, Wire]]:
    """Return wires whose first level run seems to go on as the last one of another source's."""
    graph = scene.sheet.graph
    found: list[tuple[Wire, Wire]] = []
    for one, course in scene.courses.items():
        first, leaves = course.start, _end_of_level(course.polyline.toList())
        for other, beside in scene.courses.items():
            line = beside.polyline.toList()[::-1]
            arrives = _end_of_level(line)
            near = abs(line[0].y() - first.y()) < LEVEL
            meet = max(first.x(), arrives - GAP) < min(leaves, line[0].x())
            if near and meet and graph.source(one) != graph.source(other):
                found.append((one, other))
    return found


def _end_of_level(line: list[QPointF]) -> float:
    """Return the x up to which a line stays at the height at which it begins."""
    level = takewhile(lambda at: abs(at.y() - line[0].y()) < NEAR, line)
    return list(level)[-1].x()


def runs_through(scene: Scene) -> list[tuple[Wire, int]]:
    """Return the wires that run through nodes, their own ones too, with the nodes."""
    found: list[tuple[Wire, int]] = []
    for wire, course in scene.courses.items():
        line = samples(course)
        for node, box in scene.boxes.items():
            rect = box.rect.adjusted(INSIDE, INSIDE, -INSIDE, -INSIDE)
            if any(rect.contains(x, y) for x, y, _dx, _dy in line):
                found.append((wire, node))
    return found
