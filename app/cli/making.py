"""backwire new: makes a graph file from an expression or a Python script."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from app.cli.calling import Parser, naming, output_file, say, with_values
from app.cli.estimated_sizes import reckoned
from app.document.bands import LAPTOP, wrapped
from app.document.node_sizes import is_seated
from app.document.placement import GAPS, columns, gap_for, tidied
from app.document.sheet import Point
from engine.errors import EngineError
from engine.formats.expression import read
from engine.formats.files import decoded, read_text, save
from engine.formats.graphviz import layout
from engine.formats.native import SIZE_LIMIT, Drawing
from engine.formats.notebook import SUFFIX
from engine.formats.python import read_notebook, read_program
from engine.formats.python.reader import Reading
from engine.graph import Graph


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
    parser.take_values()
    parser.add_argument("-o", "--output", metavar="FILE.backwire", type=output_file, required=True)
    found = parser.read(arguments)
    if (found.expression is None) == (found.python is None):
        parser.error("give -e EXPR or --python SCRIPT, and not both")
    if Path(found.output).suffix.lower() != ".backwire":
        parser.error(f"a graph file ends in .backwire, not {found.output!r}")
    with naming("Standard input" if found.python == "-" else found.python):
        made = Reading(read(found.expression)) if found.python is None else _script(found.python)
        graph = with_values(made.graph, found.values)
    save(Drawing(graph, places(graph)), found.output)
    say(f"{found.output}: {len(graph.nodes)} nodes")
    if made.remark:
        say(made.remark)
    return 0


def places(graph: Graph) -> Mapping[int, Point]:
    """Return grid positions for all nodes by Graphviz, or in plain columns if that fails."""
    size, labels = reckoned(graph)
    try:
        drawn = {node: box for node, box in size.items() if not is_seated(graph, node)}
        found = layout(drawn, graph.wires(), gaps=GAPS)
    except EngineError:
        wide, high = (max(sides) for sides in zip(*size.values(), strict=True))
        gap = gap_for(max(labels.values(), default=0.0))
        return columns(graph, pitch=(wide + gap, high + GAPS[1]))
    placed = tidied(found, size.__getitem__, labels, graph)
    pairs = [(source, wire[0]) for source, wire in graph.wires()]
    placed = wrapped(placed, size.__getitem__, pairs, LAPTOP)
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
