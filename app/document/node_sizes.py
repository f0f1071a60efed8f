"""Sizes of nodes, from the widths of their texts or estimated without them, in scene px.

    node_size(node, header, texts)   width and height of a drawn node
    reserved_size(graph, node)       the space kept for one whose texts are not measured
    row_middle(kind, row), ...       where its slots, captions and numbers are

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

RESERVED_WIDTH = 132.0
"""Width reserved for an op or leaf whose texts are not measured."""
TYPICAL_GROUP_SIZE = (184.0, 120.0)
"""Typical size of a collapsed group; its real size depends on its texts."""
PAD_LEFT, PAD_RIGHT = 11.0, 12.0
"""Distance of texts from the left and from the right edge of a node."""
DIVIDER_GAP = 7.0
"""Distance of texts from the divider between the columns of an op."""
CAPTION_NUMBER_GAP = 8.0
"""Least distance between a row's caption and its number."""
CAPTION_WIDTH = 27.0
"""Usual width of the captions `data` and `grad`."""
KIND_WIDTH = 26.0
"""Width reserved in a leaf's header for the caption `leaf`."""
HEADER_LEFT, SYMBOL_PADDING, SYMBOL_GAP = 8.0, 8.0, 8.0
"""Left margin of an op's header, what its symbol's box is wider than the symbol, and the gap behind
the box."""
FLAG_WIDTH = 18.0
"""Width reserved in a Root's header for its flag."""
KIND_GAP = 4.0
"""Gap before the caption `leaf` in a leaf's header."""
HEADER_PAD_RIGHT, FORMULA_GAP = 8.0, 5.0
"""Right margin of a header, and the least gap between its label and its formula."""
SHORT_FORMULA = 48.0
"""Largest width reserved for a formula, about `v30 + v31`; a longer one is elided."""
PILL_PAD = 9.0
"""Distance of a pill's number from its edges."""

ROWS: Final = {"constant": 1}
"""The number of rows of the kinds of nodes that lack the gradient; the others have two."""

MeasureText = Callable[[str, str], float]
"""Returns the width of a text in the font of a role."""


class TextWidths(Struct, frozen=True):
    """The largest widths in a pass of a node's numbers, left and right, its chips and captions.

    A node without a left column has all its numbers in the right one.
    """

    left: float = 0.0
    right: float = 0.0
    chips: float = 0.0
    caption: float = CAPTION_WIDTH


# heights


def has_columns(kind: str) -> bool:
    """Return whether captions are above their numbers, not left of them."""
    return kind in ("op", "root")


def row_height(kind: str) -> float:
    """Return the height of a row or cell of a node of this kind."""
    return float(sizes.NODE_CELL if has_columns(kind) else sizes.NODE_ROW)


def row_middle(kind: str, row: int) -> float:
    """Return the y of a row's or cell's middle, where its slot is, from the node's top."""
    return sizes.NODE_HEADER + sizes.NODE_PADDING + row_height(kind) * (row + 0.5)


def caption_middle(kind: str, row: int) -> float:
    """Return the y of the middle line of a caption, from the node's top."""
    return _middle_in_cell(kind, row, sizes.CELL_CAPTION)


def number_middle(kind: str, row: int) -> float:
    """Return the y of the middle line of a number, from the node's top."""
    return _middle_in_cell(kind, row, sizes.CELL_NUMBER)


def _middle_in_cell(kind: str, row: int, share: float) -> float:
    """Return the y at a share of a cell's height; in a row, that of the row's middle."""
    shift = (share - 0.5) * sizes.NODE_CELL if has_columns(kind) else 0.0
    return row_middle(kind, row) + shift


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
    kind, widths = kind_of(node), texts or TextWidths()
    cell, left, least = max(widths.caption, widths.right) + PAD_RIGHT, 0.0, 0
    if kind == "op":
        left = PAD_LEFT + max(widths.left, widths.caption) + DIVIDER_GAP
        body = left + DIVIDER_GAP + cell
    elif kind == "root":
        body, least = PAD_LEFT + cell, sizes.ROOT_WIDTH
    else:
        body = PAD_LEFT + widths.caption + CAPTION_NUMBER_GAP + widths.right + PAD_RIGHT
        least = sizes.LEAF_WIDTH
    wide = max(least, body, header, widths.chips)
    return sizes.stepped(wide), body_height(kind, len(node.inputs)), left


def pill_width(number: float) -> float:
    """Return the width of a pill, from that of its number."""
    return sizes.stepped(max(number + 2 * PILL_PAD, float(sizes.PILL)))


def is_pill(graph: Graph, node: int) -> bool:
    """Return whether a node is drawn at the slot of its only reader, as a number in a pill."""
    return node in graph.structure.literals


def reserved_size(graph: Graph, node: int) -> tuple[float, float]:
    """Return the space reserved for a node, including its ledger, when no text is measured."""
    drawn = graph.nodes[node]
    chips = len(graph.outgoing[node])  # one contribution per wire
    ledger = ledger_height(chips) if chips > 1 else 0.0
    wide = float(sizes.ROOT_WIDTH if isinstance(drawn, Root) else RESERVED_WIDTH)
    return wide, body_height(kind_of(drawn), len(drawn.inputs)) + ledger


def header_width(
    kind: str, title: tuple[str, str], symbol: str, width: MeasureText, formula: str = ""
) -> float:
    """Return the width of a node's header: symbol, title (label and name) and a short formula.

    A longer formula reserves no width: it is elided.
    """
    label, name = title
    box = 0.0
    if symbol:
        box = max(float(sizes.SYMBOL), width(symbol, "done") + SYMBOL_PADDING) + SYMBOL_GAP
    title_width = min(width(label, "label"), float(sizes.LABEL_WIDTH))
    title_width += width(name_suffix(label, name), "name")
    header = HEADER_LEFT + box + title_width + PAD_RIGHT
    if formula and (wide := width(formula, "caption")) <= SHORT_FORMULA:
        header += FORMULA_GAP + wide + HEADER_PAD_RIGHT - PAD_RIGHT  # in place of the wider margin
    return header + {"root": FLAG_WIDTH, "leaf": KIND_GAP + KIND_WIDTH}.get(kind, 0.0)


def name_suffix(label: str, name: str) -> str:
    """Return the name with a separator if a label precedes it: ` · w_7`."""
    return f"{ASIDE}{name}" if label and name else name
