"""Graphs that hypothesis draws: finite smooth ones, and any that the engine allows."""

import itertools
import math
from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root
from engine.ops import BY_NAME, OPS, THRESHOLD, Op, never

BOUNDARY = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.0, 20.0, 1e-8, 1e-300, 5e-324, -1e-300, 1e6)
LARGEST = 1e4
STEEPEST = 1e3


@st.composite
def smooth_graphs(draw: st.DrawFn, fewest: int = 3, most: int = 60) -> Graph:
    """A graph of 3 to 60 ops with shared nodes whose numbers are finite and off all kinks.

    An operation that would leave the finite, steep or smooth ground is replaced by a sine.
    """
    nodes: dict[int, Node] = {}
    values: dict[int, float] = {}
    numbers = st.sampled_from(BOUNDARY) | st.floats(-4, 4)
    for number in range(1, draw(st.integers(1, 5)) + 1):
        values[number] = draw(numbers)
        nodes[number] = Leaf(values[number], f"x{number}")
    for _ in range(draw(st.integers(0, 3))):
        values[len(nodes) + 1] = draw(numbers)
        nodes[len(nodes) + 1] = Constant(values[len(nodes) + 1])
    unused = list(nodes)
    goal = len(nodes) + draw(st.integers(fewest, most))
    while len(nodes) < goal or len(unused) > 1:
        number = len(nodes) + 1
        if number > goal - len(unused):  # time to join what feeds nothing yet
            op, inputs = BY_NAME["add"], (unused[-1], unused[0])
        else:
            op = draw(st.sampled_from(OPS))
            inputs = tuple(_source(draw, number, unused) for _ in op.slots)
        if not is_smooth(op, [values[source] for source in inputs]):
            op, inputs = BY_NAME["sin"], inputs[-1:]
        values[number] = op.forward(*(values[source] for source in inputs))
        nodes[number] = OpNode(op.name, inputs)
        unused = [node for node in unused if node not in inputs] + [number]
    marker = len(nodes) + 1
    nodes[marker] = Root(unused[0])
    return Graph(nodes, marker, marker + 1)


def _source(draw: st.DrawFn, number: int, unused: list[int]) -> int:
    """An earlier node: any, or one of the last, or one that feeds nothing yet."""
    recent = st.integers(max(1, number - 3), number - 1)
    waiting = st.sampled_from(unused)
    return draw(st.one_of(st.integers(1, number - 1), recent, waiting, waiting))


def is_smooth(op: Op, at: list[float]) -> bool:
    """Whether the op is finite, not too steep, and on one piece all around these inputs."""
    value = op.forward(*at)
    slopes = [partial(*at, value) for partial in op.partials]
    wanted = abs(value) <= LARGEST and all(abs(slope) <= STEEPEST for slope in slopes)
    if not wanted or op.kink(*at) or (op.name == "pow" and at[0] <= 0.0):
        return False
    nearby = [(x - 1e-7 * max(1.0, abs(x)), x + 1e-7 * max(1.0, abs(x))) for x in at]
    return all(
        piece(op, around) == piece(op, at) and math.isfinite(op.forward(*around))
        for around in itertools.product(*nearby)
    )


def piece(op: Op, inputs: Sequence[float]) -> object:
    """The smooth piece of an op in which the inputs lie; an op without a kink has one."""
    assert op.name in PIECES or op.kink is never, f"say in PIECES which pieces {op} has"
    return PIECES[op.name](*inputs) if op.name in PIECES else None


PIECES: dict[str, Callable[..., object]] = {
    "pow": lambda _a, _b: None,  # its kink is the one point 0 ** 0
    "abs": lambda a: (a > 0.0) - (a < 0.0),
    "sign": lambda a: (a > 0.0) - (a < 0.0),
    "floor": BY_NAME["floor"].forward,
    "relu": lambda a: a > 0.0,
    "leaky_relu": lambda a: a > 0.0,
    "elu": lambda a: a > 0.0,
    "softplus": lambda a: a > THRESHOLD,
    "maximum": lambda a, b: a > b,
    "minimum": lambda a, b: a > b,
    "where_gt0": lambda c, _x, _y: c > 0.0,
}
"""For each op that is made of several formulas, which of them holds where."""


LABELS = (
    st.sampled_from(["", "a", "b", "x1", "x1*w1", "exp", "lambda", "inf", "größe", "two words"])
    | st.sampled_from(
        [
            "1a",
            "_",
            "mul_3",
            "leaf_1",
            "v1",
            "v2",
            "v3",
            "v5",
            "v2_1",
            "<b>",
            '"',
            "\\",
            "__debug__",
            "x" * 200,
        ]
    )
    | st.text(st.characters(exclude_categories=("C", "Z")), max_size=12)
)
ANY_NUMBER = st.floats() | st.sampled_from(BOUNDARY)


@st.composite
def any_graphs(draw: st.DrawFn, most: int = 12, complete: bool = False) -> Graph:
    """Any graph: several Roots or none, empty slots unless `complete`, labels of all kinds."""
    nodes: dict[int, Node] = {}
    number = draw(st.integers(0, 3))
    for _ in range(draw(st.integers(1 if complete else 0, most))):
        sources = [n for n, found in nodes.items() if not isinstance(found, Root)]
        nodes[number] = _any_node(draw, sources, complete)
        number += draw(st.integers(1, 3))
    roots = [node for node, found in nodes.items() if isinstance(found, Root)]
    active = draw(st.sampled_from([*roots, None])) if roots else None
    graph = Graph(nodes, active, number)
    return _with_root(draw, graph) if complete else graph


def _any_node(draw: st.DrawFn, sources: list[int], complete: bool) -> Node:
    kind = draw(st.sampled_from(["leaf", "constant", "op", "op", "op", "root"]))
    if kind == "leaf" or (complete and not sources):
        return Leaf(draw(ANY_NUMBER), draw(LABELS))
    if kind == "constant":
        return Constant(draw(ANY_NUMBER), draw(LABELS))
    source = st.sampled_from(sources if complete else [*sources, None])
    if kind == "root":
        return Root(draw(source))
    op = draw(st.sampled_from(OPS))
    return OpNode(op.name, tuple(draw(source) for _ in op.slots), draw(LABELS))


def _with_root(draw: st.DrawFn, graph: Graph) -> Graph:
    sources = [node for node, found in graph.nodes.items() if not isinstance(found, Root)]
    marker = graph.next_id
    nodes: dict[int, Node] = {**graph.nodes, marker: Root(draw(st.sampled_from(sources)))}
    return Graph(nodes, marker, marker + 1)
