"""Estimates the sizes of nodes and wire labels without a display.

The window measures texts with fonts. Here every character counts with a typical width, so that a
file made on the command line opens with enough space for all numbers of its backward pass.
"""

from app.document.node_sizes import TextWidths, header_width, node_size
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
        labels[target] = max(labels.get(target, 0.0), LETTER * len(" × ".join(numbers)))
    return {node: _size(graph, frame, node) for node in graph.nodes}, labels


def _size(graph: Graph, frame: Frame, node: int) -> tuple[float, float]:
    found, kind = graph.nodes[node], kind_of(graph.nodes[node])
    shown = found.input if isinstance(found, Root) else node
    value, grad = (
        0.0 if shown is None or shown not in numbers else DIGIT * len(short(numbers[shown]))
        for numbers in (frame.values, frame.grads)
    )
    fired = (frame.fired.get((node, slot)) for slot in range(len(graph.inputs(node))))
    slopes = (LETTER * len(f"∂ {short(event.local)}") for event in fired if event is not None)
    ledger = _ledger(frame, node) if kind != "root" else 0.0
    symbol = graph.op(node).symbol if kind == "op" else ""
    header = header_width(kind, graph.label(node), symbol, lambda text, _role: LETTER * len(text))
    texts = TextWidths(value, grad, max(slopes, default=0.0), ledger)
    wide, high, _left = node_size(found, header, texts)
    return (wide, high + (sizes.LEDGER if ledger else 0))


def _ledger(frame: Frame, node: int) -> float:
    """Return the width of a node's ledger, or 0 if it gets fewer than two contributions."""
    chips = frame.ledger(node)[: sizes.CHIPS_SHOWN]
    if len(chips) < 2:
        return 0.0
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
