"""Estimated layout: node sizes without fonts, and positions for a graph that has none.

What a screen or a picture needs exactly is measured with fonts by the canvas; here a width is a
number of characters.
"""

from __future__ import annotations

from collections.abc import Mapping

from app.canvas.appearance.captions import Captions
from app.document.bands import LAPTOP_VIEWPORT, wrap_into_bands
from app.document.node_sizes import (
    TextWidths,
    header_width,
    is_seated,
    ledger_height,
    node_size,
    pill_width,
)
from app.document.placement import GRAPHVIZ_GAPS, column_gap, columns, tidy_layout
from app.document.sheet import Point
from app.style import sizes
from engine.errors import EngineError
from engine.formats.graphviz import layout
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph, Root, kind_of
from engine.numbers import short, signed
from engine.trace import run


def node_positions(graph: Graph) -> Mapping[int, Point]:
    """Return positions of all nodes by Graphviz, or in plain columns if that fails."""
    sizes, label_widths = estimated_sizes(graph)
    try:
        drawn = {node: box for node, box in sizes.items() if not is_seated(graph, node)}
        graphviz_positions = layout(drawn, graph.wires(), gaps=GRAPHVIZ_GAPS)
    except EngineError:
        width, height = (max(sides) for sides in zip(*sizes.values(), strict=True))
        gap = column_gap(max(label_widths.values(), default=0.0))
        return columns(graph, pitch=(width + gap, height + GRAPHVIZ_GAPS[1]))
    placed = tidy_layout(graphviz_positions, sizes.__getitem__, label_widths, graph)
    pairs = [(source, wire[0]) for source, wire in graph.wires()]
    placed = wrap_into_bands(placed, sizes.__getitem__, pairs, LAPTOP_VIEWPORT)
    # a seated node is drawn in the node that it feeds
    return placed | {n: placed[graph.outgoing[n][0][0]] for n in graph.nodes if n not in placed}


DIGIT_WIDTH = 8.5
"""Typical width of a digit of a value or gradient, in scene px."""
LETTER_WIDTH = 8.0
"""Typical width of a character of other texts."""
LABEL_PADDING = 16.0
"""Padding of a wire's label."""
CHIP_PADDING = 30.0
"""Padding of a chip."""
LEDGER_PADDING = 48.0
"""Padding of a ledger."""

Sizes = dict[int, tuple[float, float]]


def estimated_sizes(graph: Graph) -> tuple[Sizes, dict[int, float]]:
    """Return each node's size including its ledger, and the widest label on a wire into it."""
    frame = _last_frame(graph)
    labels: dict[int, float] = {}
    for (target, _slot), event in frame.fired.items():
        numbers = short(event.upstream), short(event.local), signed(event.contribution)
        longest = max(len(f"{numbers[0]} × {numbers[1]}"), len(f"= {numbers[2]}"))
        labels[target] = max(labels.get(target, 0.0), LETTER_WIDTH * longest + LABEL_PADDING)
    return {node: _node_size(graph, frame, node) for node in graph.nodes}, labels


def _node_size(graph: Graph, frame: Frame, node: int) -> tuple[float, float]:
    """Return the width and height of a node, with its ledger if it has one."""
    found, kind = graph.nodes[node], kind_of(graph.nodes[node])
    shown = found.input if isinstance(found, Root) else node  # a Root shows its input's numbers
    value, grad = (
        0.0 if shown is None or shown not in numbers else DIGIT_WIDTH * len(short(numbers[shown]))
        for numbers in (frame.values, frame.grads)
    )
    fired = (frame.fired.get((node, slot)) for slot in range(len(graph.inputs(node))))
    slot_texts = [DIGIT_WIDTH * len(short(event.local)) for event in fired if event is not None]
    captions = Captions(graph, short)
    slot_texts += [LETTER_WIDTH * len(caption) for caption in captions.slots(node)]
    chips = len(frame.ledger(node)) if kind != "root" else 0
    ledger = _ledger_width(frame, node) if chips > 1 else 0.0
    symbol = captions.symbol(node)
    title = captions.label_and_name(node)
    formula = captions.reserved_formula(node)
    header = header_width(
        kind, title, symbol, lambda text, _role: LETTER_WIDTH * len(text), formula
    )
    texts = TextWidths(max(slot_texts, default=0.0), max(value, grad), ledger)
    width, height, _left = node_size(found, header, texts)
    if is_seated(graph, node):
        return (pill_width(value), float(sizes.PILL))
    return (width, height + (ledger_height(chips) if chips > 1 else 0))


def _ledger_width(frame: Frame, node: int) -> float:
    """Return the width of a ledger: its contributions as chips, and their sum."""
    chips = frame.ledger(node)[: sizes.CHIPS_IN_LINE]
    texts = [signed(chip.event.contribution) for chip in chips if chip.event is not None]
    total = DIGIT_WIDTH * len(short(frame.grads.get(node, 0.0)))
    return LEDGER_PADDING + sum(LETTER_WIDTH * len(text) + CHIP_PADDING for text in texts) + total


def _last_frame(graph: Graph) -> Frame:
    """Return the last frame of the backward pass, or live values if there can be none."""
    try:
        trace = run(graph)
    except EngineError:
        return live_frame(graph)
    return frame_at(trace, len(trace))
