"""backwire new: a graph file from an expression or a Python script."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from app.cli.calling import Parser, naming, output_file, say, with_values
from app.cli.room import Room
from app.style import sizes
from engine.errors import EngineError
from engine.files import decoded, read_text, save
from engine.formats.expression import read
from engine.formats.native import SIZE_LIMIT, Drawing
from engine.formats.python import Reading, read_program
from engine.graph import Graph
from engine.graphviz import NODE_GAP, layout

Point = tuple[float, float]

ROOT_GAP = 72.0


def do(verb: str, arguments: Sequence[str]) -> int:
    """Write a new graph file, laid out from left to right."""
    usage = "-e EXPR | --python SCRIPT|- [--set a=2 ...] -o FILE.backwire"
    parser = Parser(verb, usage, "Make a graph file from an expression or a Python script.")
    parser.add_argument("-e", "--expression", metavar="EXPR", help="a formula, or assignments")
    parser.add_argument(
        "--python",
        metavar="SCRIPT",
        help="a program in micrograd's manner; - reads it from standard input",
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
    """A place on the grid for each node, by Graphviz, or in plain columns where it can't."""
    room = Room(graph)
    try:
        gaps = (room.gap + sizes.GRID, NODE_GAP)  # snapping takes up to one step away
        found = layout({node: room.size(node) for node in graph.nodes}, graph.wires(), gaps=gaps)
    except EngineError:
        found = _columns(graph, room)
    for root in graph.roots():  # no label stands on a root's wire, so it can be near
        source = graph.inputs(root)[0]
        if source is not None:
            near = found[source][0] + room.size(source)[0] + ROOT_GAP
            found[root] = (min(found[root][0], near), found[root][1])
    return {node: (_snapped(x), _snapped(y)) for node, (x, y) in found.items()}


def _script(path: str) -> Reading:
    """What a program in a file makes; `-` is standard input."""
    return read_program(_standard_input() if path == "-" else read_text(path))


def _standard_input() -> str:
    if sys.stdin is None:
        raise EngineError("Standard input is closed.")
    return decoded(sys.stdin.buffer.read(SIZE_LIMIT + 1), "Standard input")


def _columns(graph: Graph, room: Room) -> dict[int, Point]:
    """Each node one column after the last of its inputs."""
    column: dict[int, int] = {}
    filled: dict[int, int] = {}
    found: dict[int, Point] = {}
    widest = max((room.size(node)[0] for node in graph.nodes), default=0.0)
    for node in graph.structure.whole_order:
        at = max((column[s] + 1 for s in graph.inputs(node) if s is not None), default=0)
        column[node] = at
        row = filled[at] = filled.get(at, -1) + 1
        height = sizes.NODE_HEIGHT_THREE + sizes.LEDGER + NODE_GAP
        found[node] = (at * (widest + room.gap), row * height)
    return found


def _snapped(x: float) -> float:
    return float(round(x / sizes.GRID) * sizes.GRID)
