"""backwire new: makes a graph file from an expression or a Python script.

Without a window no text can be measured: `node_positions` estimates the sizes of nodes, also for
the pictures of `backwire export`.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from app.canvas.appearance.captions import Captions
from app.cli.command_line import (
    Parser,
    parse_output_path,
    prefix_file_name,
    print_line,
    with_values,
)
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
from engine.formats.expression import read
from engine.formats.files import decoded, read_text, save
from engine.formats.graphviz import layout
from engine.formats.native import Drawing
from engine.formats.python import SUFFIX, read_notebook, read_program
from engine.formats.python.reader import Reading
from engine.formats.strict_json import SIZE_LIMIT
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph, Root, kind_of
from engine.numbers import short, signed
from engine.trace import run


def do(verb: str, arguments: Sequence[str]) -> int:
    """Write a new graph file, laid out from left to right."""
    usage = "-e EXPR | --python SCRIPT|- [--set a=2 ...] -o FILE.backwire"
    parser = Parser(verb, usage, "Make a graph file from an expression or a Python script.")
    parser.add_argument("-e", "--expression", metavar="EXPR", help="a formula, or assignments")
    parser.add_argument(
        "--python",
        metavar="SCRIPT",
        help="a program in micrograd's manner, or a notebook; - reads it from standard input",
    )
    parser.add_set_argument()
    parser.add_argument(
        "-o", "--output", metavar="FILE.backwire", type=parse_output_path, required=True
    )
    options = parser.read(arguments)
    if (options.expression is None) == (options.python is None):
        parser.error("give -e EXPR or --python SCRIPT, and not both")
    if Path(options.output).suffix.lower() != ".backwire":
        parser.error(f"a graph file ends in .backwire, not {options.output!r}")
    with prefix_file_name("Standard input" if options.python == "-" else options.python):
        reading = (
            Reading(read(options.expression)) if options.python is None else _script(options.python)
        )
        graph = with_values(reading.graph, options.values)
    save(Drawing(graph, node_positions(graph)), options.output)
    print_line(f"{options.output}: {len(graph.nodes)} nodes")
    if reading.remark:
        print_line(reading.remark)
    return 0


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


def _script(path: str) -> Reading:
    """Read the program or notebook in a file; `-` is standard input."""
    text = _standard_input() if path == "-" else read_text(path)
    is_notebook = Path(path).suffix.lower() == SUFFIX
    return read_notebook(text) if is_notebook else read_program(text)


def _standard_input() -> str:
    if sys.stdin is None:
        raise EngineError("Standard input is closed.")
    return decoded(sys.stdin.buffer.read(SIZE_LIMIT + 1), "Standard input")


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
