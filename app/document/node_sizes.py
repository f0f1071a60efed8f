"""Sizes of nodes, from the widths of their texts or estimated without them, in scene px.

Leaves and constants have rows: caption and number side by side. Ops and roots have cells: caption
above number, in a left column for the slots and a right one for value and gradient. The window
measures texts with its fonts; the command line estimates them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from app.style import sizes
from engine.graph import ASIDE, Graph, Node, Root, kind_of

ROOMY = 132.0
"""Width reserved for a node, whatever its label and its numbers."""
GROUP = (184.0, 120.0)
"""Typical size of a collapsed group; its real size depends on its texts."""
PAD_LEFT, PAD_RIGHT = 11.0, 12.0
"""Distance of texts from the left and from the right edge of a node."""
BESIDE_DIVIDER = 7.0
"""Distance of texts from the line between the columns of an op."""
AFTER_CAPTION = 8.0
"""Least distance between a row's caption and its number."""
CAPTION = 27.0
"""Usual width of the captions `data` and `grad`."""
KIND = 26.0
"""Width reserved in a leaf's header for the caption `leaf`."""
HEAD_RIGHT, BEFORE_FORMULA = 8.0, 5.0
"""Right margin of a header, and the least gap between its label and its formula."""
FORMULA = 48.0
"""Width up to which a formula is given its room beside an automatic name; about `v30 + v31`."""
PILL_PAD = 9.0
"""Distance of a seated constant's number from its edges."""

ROWS: Final = {"constant": 1}
"""The rows of numbers on a node, for each kind with others than value and gradient."""

Measure = Callable[[str, str], float]
"""Returns the width of a text in the font of a role."""


class TextWidths(Struct, frozen=True):
    """The widths of the widest texts in the columns and below them that a node shows in a pass.

    What has no left column has all its numbers in the right one.
    """

    left: float = 0.0
    right: float = 0.0
    chips: float = 0.0
    caption: float = CAPTION


# heights


def has_columns(kind: str) -> bool:
    """Return whether captions are above their numbers, not left of them."""
    return kind in ("op", "root")


def row_height(kind: str) -> float:
    """Return the height of a row or cell of a node of this kind."""
    return float(sizes.NODE_CELL if has_columns(kind) else sizes.NODE_ROW)


def row_middle(kind: str, place: int) -> float:
    """Return the y of a row's or cell's middle, where its slot is, from the node's top."""
    return sizes.NODE_HEADER + sizes.NODE_PADDING + row_height(kind) * (place + 0.5)


def caption_middle(kind: str, place: int) -> float:
    """Return the y of the middle line of a caption, from the node's top."""
    return _line(kind, place, sizes.CELL_CAPTION)


def number_middle(kind: str, place: int) -> float:
    """Return the y of the middle line of a number, from the node's top."""
    return _line(kind, place, sizes.CELL_NUMBER)


def _line(kind: str, place: int, share: float) -> float:
    shift = (share - 0.5) * sizes.NODE_CELL if has_columns(kind) else 0.0
    return row_middle(kind, place) + shift


def capsule_middle(kind: str) -> float:
    """Return the y of the capsule's middle, between value and gradient, from the node's top."""
    return sizes.NODE_HEADER + sizes.NODE_PADDING + row_height(kind) * ROWS.get(kind, 2) / 2


def body_height(kind: str, slots: int) -> float:
    """Return the height of a node without its ledger."""
    rows = max(slots, ROWS.get(kind, 2))
    return sizes.NODE_HEADER + 2 * sizes.NODE_PADDING + rows * row_height(kind)


def ledger_height(chips: int) -> float:
    """Return the height of a ledger with this many chips in the whole pass."""
    return float(sizes.LEDGER + (sizes.LEDGER_LINE if chips > sizes.CHIPS_IN_LINE else 0))


def lane_height(chips: int, lines: int) -> float:
    """Return the height of a mistake's lane from its number of chips and of lines of causes."""
    strip = sizes.CAUSE_LINE * lines + sizes.CAUSE_EDGE if lines else 0
    return ledger_height(chips) + strip


def group_height(rows: int) -> float:
    """Return the height of a collapsed group with this number of slots or outputs."""
    return float(sizes.NODE_HEADER + 2 * sizes.NODE_PADDING + max(rows, 1) * sizes.NODE_ROW)


# widths


def node_size(
    node: Node, header: float = 0.0, texts: TextWidths | None = None
) -> tuple[float, float, float]:
    """Return width, height without a ledger, and left column width of a node with these texts."""
    kind, shown = kind_of(node), texts or TextWidths()
    cell, left, least = max(shown.caption, shown.right) + PAD_RIGHT, 0.0, 0
    if kind == "op":
        left = PAD_LEFT + max(shown.left, shown.caption) + BESIDE_DIVIDER
        body = left + BESIDE_DIVIDER + cell
    elif kind == "root":
        body, least = PAD_LEFT + cell, sizes.ROOT_WIDTH
    else:
        body = PAD_LEFT + shown.caption + AFTER_CAPTION + shown.right + PAD_RIGHT
        least = sizes.LEAF_WIDTH
    wide = max(least, body, header, shown.chips)
    return sizes.stepped(wide), body_height(kind, len(node.inputs)), left


def pill_width(number: float) -> float:
    """Return the width of a seated constant, from that of its number."""
    return sizes.stepped(max(number + 2 * PILL_PAD, float(sizes.PILL)))


def is_seated(graph: Graph, node: int) -> bool:
    """Return whether a node is drawn at the slot of its only reader, as a number in a pill."""
    return node in graph.structure.literals


def roomy_size(graph: Graph, node: int) -> tuple[float, float]:
    """Return the space reserved for a node, including its ledger, when no text is measured."""
    found = graph.nodes[node]
    several = len(graph.outgoing[node])
    ledger = ledger_height(several) if several > 1 else 0.0
    wide = float(sizes.ROOT_WIDTH if isinstance(found, Root) else ROOMY)
    return wide, body_height(kind_of(found), len(found.inputs)) + ledger


def header_width(
    kind: str, title: tuple[str, str], symbol: str, width: Measure, formula: str = ""
) -> float:
    """Return the width of a node's header, whose title are label and name.

    A formula beside a label is left out first; a short one beside a name alone has its room.
    """
    label, name = title
    box = max(float(sizes.SYMBOL), width(symbol, "done") + 8) + 8 if symbol else 0.0
    aside = width(name_aside(label, name), "name")
    header = 8 + box + min(width(label, "label"), float(sizes.LABEL_WIDTH)) + aside + PAD_RIGHT
    if formula and (wide := width(formula, "caption")) <= FORMULA:
        header += BEFORE_FORMULA + wide + HEAD_RIGHT - PAD_RIGHT
    return header + {"root": 18.0, "leaf": 4 + KIND}.get(kind, 0.0)


def name_aside(label: str, name: str) -> str:
    """Return the name as it stands behind a label, if there is one: ` · w_7`."""
    return f"{ASIDE}{name}" if label and name else name
