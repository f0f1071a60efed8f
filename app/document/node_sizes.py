"""Sizes of nodes, from the widths of their texts or estimated without them, in scene px.

The window measures texts with its fonts; the command line estimates them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.style import sizes
from engine.graph import Graph, Node, Root, inputs_of, kind_of

ROOMY = 160.0
"""Width reserved for a node, whatever its label and its numbers."""
GROUP = (184.0, 120.0)
"""Typical size of a collapsed group; its real size depends on its texts."""

Measure = Callable[[str, str], float]
"""Returns the width of a text in the font of a role."""


@dataclass(frozen=True, slots=True)
class TextWidths:
    """The widths of the widest texts that a node shows during a pass."""

    value: float = 0.0
    grad: float = 0.0
    local: float = 0.0
    chips: float = 0.0


def body_height(slots: int) -> float:
    """Return the height of a node without its ledger."""
    return group_height(max(slots, 2))


def group_height(rows: int) -> float:
    """Return the height of a collapsed group with this number of slots or outputs."""
    return float(sizes.NODE_HEADER + 2 * sizes.NODE_PADDING + max(rows, 1) * sizes.NODE_ROW)


def node_size(
    node: Node, header: float = 0.0, texts: TextWidths | None = None
) -> tuple[float, float, float]:
    """Return width, height without a ledger, and left column width of a node with these texts."""
    kind, shown = kind_of(node), texts or TextWidths()
    left = 0.0
    if kind == "op":
        left = max(52.0, sizes.stepped(shown.local + 18.0, 4.0) if shown.local > 34.0 else 0.0)
    right = 12 + 34 + max(shown.value, shown.grad) + 14
    least = {"op": sizes.OP_WIDTH, "root": sizes.ROOT_WIDTH}
    floor = float(least.get(kind, sizes.LEAF_WIDTH))
    wide = max(floor, left + right, header, shown.chips)
    if wide > floor:
        wide = floor + sizes.stepped(wide - floor)
    return wide, body_height(len(inputs_of(node))), left


def roomy_size(graph: Graph, node: int) -> tuple[float, float]:
    """Return the space reserved for a node, including its ledger, when no text is measured."""
    found = graph.nodes[node]
    ledger = sizes.LEDGER if len(graph.outgoing[node]) > 1 else 0
    wide = float(sizes.ROOT_WIDTH if isinstance(found, Root) else ROOMY)
    return wide, body_height(len(inputs_of(found))) + ledger


def header_width(kind: str, label: str, symbol: str, width: Measure) -> float:
    """Return the width of a node's header; a formula beside the label is cut first."""
    box = max(float(sizes.SYMBOL), width(symbol, "done") + 8) + 8 if symbol else 0.0
    header = 10 + box + min(width(label, "label"), 180.0) + 12
    if kind != "op":
        header += width(kind, "caption") + 10 + (18 if kind == "root" else 0)
    return header
