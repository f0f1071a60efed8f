"""Estimated layout: node sizes without fonts, and positions for a graph that has none.

The canvas measures texts with fonts, for which it needs Qt. Here a text is as wide as its number of
characters times a typical width, so that the command line lays graphs out without loading Qt. All
lengths are scene px.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from app.canvas.appearance.captions import Captions
from app.document.boxes import all_members, in_columns, moved
from app.document.node_sizes import (
    TYPICAL_GROUP_SIZE,
    TextWidths,
    group_height,
    header_width,
    is_pill,
    ledger_height,
    node_size,
    pill_width,
)
from app.document.placement import (
    GRAPHVIZ_GAPS,
    LAPTOP_VIEWPORT,
    column_gap,
    columns,
    columns_at_once,
    condensed,
    snapped,
    stacked,
    tidy_layout,
    wrap_into_bands,
)
from app.document.sheet import Point, sheet_of
from app.style import sizes
from engine.errors import EngineError
from engine.formats.graphviz import layout
from engine.formats.native import Drawing
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph, Root, kind_of
from engine.numbers import short, signed
from engine.trace import run


def laid_out_drawing(graph: Graph) -> Drawing:
    """Return a drawing of a graph, with `node_positions`."""
    return Drawing(graph, node_positions(graph))


def laid_out(drawing: Drawing) -> Drawing:
    """Return a drawing with positions: by Graphviz, or where groups are folded, in columns."""
    folded = {group.id for group in drawing.groups if group.collapsed and group.parent is None}
    if not folded:
        return replace(drawing, positions=node_positions(drawing.graph))
    sheet = in_columns(sheet_of(drawing))
    graph, members = sheet.graph, all_members(sheet.groups)
    items = {node: node for node in graph.nodes}
    places, item_sizes = dict(sheet.positions), estimated_sizes(graph)[0]
    for number in folded:
        item, inside = graph.next_id + number, members[number]
        items |= dict.fromkeys(inside, item)
        slots = sum(source not in inside for node in inside for source in graph.inputs(node))
        places[item] = sheet.groups[number].position
        item_sizes[item] = TYPICAL_GROUP_SIZE[0], group_height(slots)
    outer = condensed(graph, items)
    found = stacked({item: places[item] for item in outer.nodes}, item_sizes, outer)
    shifts = {
        item: (snapped(place)[0] - places[item][0], snapped(place)[1] - places[item][1])
        for item, place in found.items()
    }
    moves = {
        node: (places[node][0] + shifts[item][0], places[node][1] + shifts[item][1])
        for node, item in items.items()
    }
    return moved(sheet, moves, {}).drawing()


def node_positions(graph: Graph) -> Mapping[int, Point]:
    """Return the upper left corners of all nodes by Graphviz, or in columns if Graphviz fails."""
    node_sizes, label_widths = estimated_sizes(graph)
    try:
        drawn = {node: size for node, size in node_sizes.items() if not is_pill(graph, node)}
        found = columns_at_once(drawn, graph.wires())
        found = found or layout(drawn, graph.wires(), gaps=GRAPHVIZ_GAPS)
    except EngineError:
        width, height = (max(sides) for sides in zip(*node_sizes.values(), strict=True))
        gap = column_gap(max(label_widths.values(), default=0.0))
        return columns(graph, pitch=(width + gap, height + GRAPHVIZ_GAPS[1]))
    placed = tidy_layout(found, node_sizes.__getitem__, label_widths, graph)
    pairs = [(source, wire[0]) for source, wire in graph.wires()]
    placed = wrap_into_bands(placed, node_sizes.__getitem__, pairs, LAPTOP_VIEWPORT)
    # a pill is drawn in the node that it feeds
    return placed | {n: placed[graph.outgoing[n][0][0]] for n in graph.nodes if n not in placed}


DIGIT_WIDTH: Final = 8.5
"""Typical width of a digit of a value or gradient."""
LETTER_WIDTH: Final = 8.0
"""Typical width of a character of other texts."""
LABEL_PADDING: Final = 16.0
"""Left and right padding of a wire's label together."""
CHIP_PADDING: Final = 30.0
"""Left and right padding of a chip together, its mark and the gap before the next one."""
LEDGER_PADDING: Final = 48.0
"""Left and right padding of a ledger together, and the `0` and `=` in it."""


def estimated_sizes(
    graph: Graph, least: int = 0
) -> tuple[dict[int, tuple[float, float]], dict[int, float]]:
    """Return width and height of each node with its ledger, and the widest label on its inputs.

    The numbers are those at the end of the backward pass, or live values if there is no pass; a
    node has room for numbers of `least` characters.
    """
    frame = _last_frame(graph)
    label_widths: dict[int, float] = {}
    for (node, _slot), event in frame.fired.items():
        factors = f"{short(event.upstream)} × {short(event.local)}"
        longest = max(len(factors), len(f"= {signed(event.contribution)}"))
        label_width = LETTER_WIDTH * longest + LABEL_PADDING
        label_widths[node] = max(label_widths.get(node, 0.0), label_width)
    return {node: _node_size(graph, frame, node, least) for node in graph.nodes}, label_widths


def _node_size(graph: Graph, frame: Frame, node: int, least: int) -> tuple[float, float]:
    """Return the width and height of a node, with its ledger if it has one."""
    found, kind = graph.nodes[node], kind_of(graph.nodes[node])
    shown = found.input if isinstance(found, Root) else node  # a Root shows its input's numbers
    value_width, grad_width = (
        0.0 if shown is None or shown not in numbers else DIGIT_WIDTH * len(short(numbers[shown]))
        for numbers in (frame.values, frame.grads)
    )
    fired = (frame.fired.get((node, slot)) for slot in range(len(graph.inputs(node))))
    lengths = [len(short(event.local)) for event in fired if event is not None]
    slot_widths = [DIGIT_WIDTH * max(least, length) for length in lengths]
    captions = Captions(graph, short)
    slot_widths += [LETTER_WIDTH * len(caption) for caption in captions.slots(node)]
    chips = len(frame.ledger(node)) if kind != "root" else 0
    ledger_width = _ledger_width(frame, node, least) if chips > 1 else 0.0
    symbol = captions.symbol(node)
    title = captions.label_and_name(node)
    formula = captions.reserved_formula(node)
    header = header_width(
        kind, title, symbol, lambda text, _role: LETTER_WIDTH * len(text), formula
    )
    number_width = max(value_width, grad_width, DIGIT_WIDTH * least)
    texts = TextWidths(max(slot_widths, default=0.0), number_width, ledger_width)
    width, height, _left = node_size(found, header, texts)
    if is_pill(graph, node):
        return (pill_width(value_width), float(sizes.PILL))
    return (width, height + (ledger_height(chips) if chips > 1 else 0))


def _ledger_width(frame: Frame, node: int, least: int) -> float:
    """Return the width of a ledger's first line, with the sum."""
    chips = frame.ledger(node)[: sizes.CHIPS_IN_LINE]
    texts = [signed(chip.event.contribution) for chip in chips if chip.event is not None]
    sum_width = DIGIT_WIDTH * max(least, len(short(frame.grads.get(node, 0.0))))
    chip_widths = [LETTER_WIDTH * max(least, len(text)) + CHIP_PADDING for text in texts]
    return LEDGER_PADDING + sum(chip_widths) + sum_width


def _last_frame(graph: Graph) -> Frame:
    """Return the last frame of the backward pass, or live values if there is no pass."""
    try:
        trace = run(graph)
    except EngineError:
        return live_frame(graph)
    return frame_at(trace, len(trace))
