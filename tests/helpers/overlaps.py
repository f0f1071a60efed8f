"""How far wires are drawn on one another, and which nodes they are drawn through."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

from app.canvas.layout.course import Course
from app.canvas.scene.scene import Scene
from engine.graph import Wire

STEP = 2.0
"""Distance of two samples of a wire, in sheet px."""
NEAR = 2.0
"""Wires nearer than this touch: each is drawn 2 px wide."""
SLANT = 0.17
"""The most sine of the angle between wires that run along one another: 10 degrees."""
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
