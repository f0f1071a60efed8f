"""backwire new: a graph file from an expression or a Python script."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from app.cli.calling import Parser, say, with_values
from app.style import sizes
from engine.errors import EngineError
from engine.files import read_text, save
from engine.formats.expression import read
from engine.formats.native import Drawing
from engine.graph import Constant, Graph, Leaf, Node, Root, inputs_of
from engine.graphviz import NODE_GAP, RANK_GAP, layout

Point = tuple[float, float]


def do(verb: str, arguments: Sequence[str]) -> int:
    """Write a new graph file, laid out from left to right."""
    usage = "-e EXPR | --python SCRIPT [--set a=2 ...] -o FILE.backwire"
    parser = Parser(verb, usage, "Make a graph file from an expression or a Python script.")
    parser.add_argument("-e", "--expression", metavar="EXPR", help="a formula, or assignments")
    parser.add_argument("--python", metavar="SCRIPT", help="a program in micrograd's manner")
    parser.take_values()
    parser.add_argument("-o", "--output", metavar="FILE.backwire", required=True)
    found = parser.read(arguments)
    if (found.expression is None) == (found.python is None):
        parser.error("give -e EXPR or --python SCRIPT, and not both")
    if Path(found.output).suffix.lower() != ".backwire":
        parser.error(f"a graph file ends in .backwire, not {found.output!r}")
    graph = read(found.expression) if found.python is None else _script(found.python)
    graph = with_values(graph, found.values)
    save(Drawing(graph, places(graph)), found.output)
    say(f"{found.output}: {len(graph.nodes)} nodes")
    return 0


def places(graph: Graph) -> Mapping[int, Point]:
    """A place on the grid for each node, by Graphviz, or in plain columns where it can't."""
    try:
        found = layout({node: _size(graph, node) for node in graph.nodes}, graph.wires())
    except EngineError:
        found = _columns(graph)
    return {node: (_snapped(x), _snapped(y)) for node, (x, y) in found.items()}


def _script(path: str) -> Graph:
    from engine.formats.python import from_python

    return from_python(read_text(path))


def _size(graph: Graph, node: int) -> Point:
    found = graph.nodes[node]
    slots = len(inputs_of(found))
    height = sizes.NODE_HEIGHT_THREE if slots > 2 else sizes.NODE_HEIGHT
    if isinstance(found, Root):
        return (sizes.ROOT_WIDTH, height)
    if len(graph.outgoing[node]) > 1 and not isinstance(found, Constant):
        return (sizes.LEDGER_WIDTHS[0], height + sizes.LEDGER)
    return (_plain_width(found), height)


def _plain_width(node: Node) -> float:
    return sizes.LEAF_WIDTH if isinstance(node, Leaf | Constant) else sizes.OP_WIDTH


def _columns(graph: Graph) -> dict[int, Point]:
    """Each node one column after the last of its inputs."""
    column: dict[int, int] = {}
    filled: dict[int, int] = {}
    found: dict[int, Point] = {}
    for node in graph.structure.whole_order:
        at = max((column[s] + 1 for s in graph.inputs(node) if s is not None), default=0)
        column[node] = at
        row = filled[at] = filled.get(at, -1) + 1
        width, height = sizes.LEDGER_WIDTHS[0] + RANK_GAP, sizes.NODE_HEIGHT + sizes.LEDGER
        found[node] = (at * width, row * (height + NODE_GAP))
    return found


def _snapped(x: float) -> float:
    return float(round(x / sizes.GRID) * sizes.GRID)
