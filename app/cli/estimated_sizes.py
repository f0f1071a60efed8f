"""Estimates the sizes of nodes and wire labels without a display.

The window measures texts with fonts. Here every character counts with a typical width, so that a
file made on the command line opens with enough space for all numbers of its backward pass.
"""

from app.canvas.appearance.captions import Captions
from app.document.node_sizes import (
    TextWidths,
    header_width,
    is_seated,
    ledger_height,
    node_size,
    pill_width,
)
from app.style import sizes
from engine.errors import EngineError
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph, Root, kind_of
from engine.numbers import short, signed
from engine.trace import run

DIGIT = 8.5
"""Typical width of a character of a value or gradient, in scene px."""
LETTER = 8.0
"""Typical width of a character of all other texts."""
LABEL = 16.0
"""Width of a label beyond its texts."""
CHIP = 30.0
"""Width of a chip beyond its number."""
LEDGER = 48.0
"""Width of a ledger beyond its chips and its total."""

Sizes = dict[int, tuple[float, float]]


def reckoned(graph: Graph) -> tuple[Sizes, dict[int, float]]:
    """Return each node's size including its ledger, and the widest label on a wire into it."""
    frame = _last_frame(graph)
    labels: dict[int, float] = {}
    for (target, _slot), event in frame.fired.items():
        numbers = short(event.upstream), short(event.local), signed(event.contribution)
        longest = max(len(f"{numbers[0]} × {numbers[1]}"), len(f"= {numbers[2]}"))
        labels[target] = max(labels.get(target, 0.0), LETTER * longest + LABEL)
    return {node: _size(graph, frame, node) for node in graph.nodes}, labels


def _size(graph: Graph, frame: Frame, node: int) -> tuple[float, float]:
    found, kind = graph.nodes[node], kind_of(graph.nodes[node])
    shown = found.input if isinstance(found, Root) else node
    value, grad = (
        0.0 if shown is None or shown not in numbers else DIGIT * len(short(numbers[shown]))
        for numbers in (frame.values, frame.grads)
    )
    fired = (frame.fired.get((node, slot)) for slot in range(len(graph.inputs(node))))
    slopes = [DIGIT * len(short(event.local)) for event in fired if event is not None]
    captions = Captions(graph, short)
    slopes += [LETTER * len(caption) for caption in captions.slots(node)]
    chips = len(frame.ledger(node)) if kind != "root" else 0
    ledger = _ledger(frame, node) if chips > 1 else 0.0
    symbol = captions.symbol(node)
    title = captions.titles(node)
    formula = captions.reserved(node)
    header = header_width(kind, title, symbol, lambda text, _role: LETTER * len(text), formula)
    texts = TextWidths(max(slopes, default=0.0), max(value, grad), ledger)
    wide, high, _left = node_size(found, header, texts)
    if is_seated(graph, node):
        return (pill_width(value), float(sizes.PILL))
    return (wide, high + (ledger_height(chips) if chips > 1 else 0))


def _ledger(frame: Frame, node: int) -> float:
    """Return the width of a node's ledger."""
    chips = frame.ledger(node)[: sizes.CHIPS_IN_LINE]
    texts = [signed(chip.event.contribution) for chip in chips if chip.event is not None]
    total = DIGIT * len(short(frame.grads.get(node, 0.0)))
    return LEDGER + sum(LETTER * len(text) + CHIP for text in texts) + total


def _last_frame(graph: Graph) -> Frame:
    """Return the last frame of the backward pass, or live values if there can be none."""
    try:
        trace = run(graph)
    except EngineError:
        return live_frame(graph)
    return frame_at(trace, len(trace))
