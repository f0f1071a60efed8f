"""Columns of a layout: each as near to the one before as the labels between them allow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from app.document.sheet import Point
from app.style import sizes

BARE = 72.0
"""The least room between two columns, in which a wire can bend."""
BESIDE_LABEL = sizes.BEND[0] + 32.0
"""So much more than its label a wire takes: its bend, and the room before the slot."""
WIDEST = 340.0


class _Column(NamedTuple):
    """The left and the right edge of a column, and what stands in it."""

    left: float
    right: float
    nodes: tuple[int, ...]


def closed_up(
    places: Mapping[int, Point],
    widths: Mapping[int, float],
    labels: Mapping[int, float],
) -> dict[int, Point]:
    """The same columns without the room that no label needs.

    Graphviz keeps one distance between all columns, which the widest label of the graph sets.
    `widths` are those of the nodes, `labels` those of the widest label on a wire into each;
    nodes whose spans overlap are a column.
    """
    result = dict(places)
    shift, end = 0.0, None
    for column in _columns(places, widths):
        if end is not None:
            widest = max(labels.get(node, 0.0) for node in column.nodes)
            room = min(max(widest + BESIDE_LABEL, BARE), WIDEST) if widest else BARE
            shift = min(shift, end + room - column.left)
        for node in column.nodes:
            x, y = places[node]
            result[node] = (x + shift, y)
        end = column.right + shift
    return result


def _columns(places: Mapping[int, Point], widths: Mapping[int, float]) -> list[_Column]:
    """From left to right."""
    found: list[_Column] = []
    for node in sorted(places, key=lambda n: (places[n][0], n)):
        left = places[node][0]
        right = left + widths[node]
        if found and left < found[-1].right:
            last = found[-1]
            found[-1] = _Column(last.left, max(last.right, right), (*last.nodes, node))
        else:
            found.append(_Column(left, right, (node,)))
    return found
