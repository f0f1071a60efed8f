"""What canvases are timed on: a graph in layers, each node fed by neighbours in the layer before.

Nearly two wires for each node, numbers that stay small, places in columns like those of Arrange.
"""

from __future__ import annotations

import random

from app.document.sheet import Point
from engine.formats.native import Drawing
from engine.graph import Graph, Leaf, Node, OpNode, Root
from engine.ops import BY_NAME

COLUMN, ROW = 528.0, 144.0
LARGEST = 4.0
"""An operation whose value would be larger becomes a tanh."""
NEAR = 3
"""How many rows up or down a wire mostly goes."""
FAR = 0.06
"""The part of the wires that come from farther away."""


def layered(count: int) -> Drawing:
    """A drawing of so many nodes, the last layer added up; the same for the same count."""
    dice = random.Random(count)
    rows = max(4, round((count * 2) ** 0.5))  # as wide and high as a screen
    nodes: dict[int, Node] = {}
    values: dict[int, float] = {}
    places: dict[int, Point] = {}
    for number in range(1, count - rows + 1):
        column, row = divmod(number - 1, rows)
        if column:
            nodes[number], values[number] = _operation(dice, values, column, row, rows)
        else:
            values[number] = round(dice.uniform(-2, 2), 2)
            nodes[number] = Leaf(values[number], f"x{number}")
        places[number] = (column * COLUMN, row * ROW)
    root = _add_up(nodes, places, sorted(nodes)[-rows:])
    nodes[count] = Root(root)
    places[count] = (places[root][0] + COLUMN, places[root][1])
    return Drawing(Graph(nodes, count, count + 1), places)


def _operation(
    dice: random.Random, values: dict[int, float], column: int, row: int, rows: int
) -> tuple[OpNode, float]:
    """A node at this place, and its value."""
    inputs = (_source(dice, column, row, rows), _source(dice, column, row, rows))
    op = dice.choice(("add", "sub", "mul"))
    value = BY_NAME[op].forward(*(values[source] for source in inputs))
    if abs(value) > LARGEST:
        op, inputs = "tanh", inputs[:1]
        value = BY_NAME[op].forward(values[inputs[0]])
    return OpNode(op, inputs), value


def _source(dice: random.Random, column: int, row: int, rows: int) -> int:
    """A node left of this place: mostly a neighbour in the column before."""
    if dice.random() < FAR:
        column, row = dice.randrange(column) + 1, dice.randrange(rows)
    near = min(max(row + dice.randint(-NEAR, NEAR), 0), rows - 1)
    return (column - 1) * rows + near + 1


def _add_up(nodes: dict[int, Node], places: dict[int, Point], last: list[int]) -> int:
    """Add nodes two by two until one is left; returns it."""
    while len(last) > 1:
        column = max(places[node][0] for node in last) + COLUMN
        pairs = list(zip(last[::2], last[1::2], strict=False))
        last = last[len(last) - len(last) % 2 :]
        for a, b in pairs:
            number = len(nodes) + 1
            nodes[number] = OpNode("add", (a, b))
            places[number] = (column, (places[a][1] + places[b][1]) / 2)
            last.append(number)
    return last[0]
