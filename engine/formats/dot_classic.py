"""The picture that micrograd's `draw_dot` draws, as DOT, or drawn by the bundled Graphviz.

    write(graph, frame)        # the DOT text; Roots, which micrograd does not know, are left out
    draw(frame, "svg")         # the picture: svg, png or pdf; also the text itself: dot, gv

It shows what a Value holds: every gradient is 0.0000 until something is added to it, a number has
a gradient like any other node, a node plugged in twice has one edge, and the number of a power
stands in its operation. Where nothing has a label there is no field for it.
"""

import re
from collections.abc import Iterator, Mapping

from engine.formats.dot import FONT, escaped, quoted
from engine.formats.format import Format
from engine.formats.graphviz import DRAW_TIMEOUT, render
from engine.frame import Frame, live_frame
from engine.graph import Constant, Graph, Leaf, OpNode, Root
from engine.numbers import NOT_COMPUTED
from engine.trace import Event, run

TEXTS = ("dot", "gv")
_SIGNS = {"relu": "ReLU"}
DPI = 96
"""Dots per inch at which a picture is shown 1:1."""
_LONG_NUMBER = 1e16
"""Python writes floats from here on with an exponent."""


def write(graph: Graph, frame: Frame | None = None, look: Mapping[str, str] | None = None) -> str:
    """Return the active root's ancestors, or every node if there is no root, as DOT."""
    frame = frame or live_frame(graph)
    drawn = _drawn(graph)
    grads = _grads(frame)
    has_labels = any(graph.label(node) for node in drawn)
    attributes = ", ".join(f"{k}={quoted(v)}" for k, v in {"rankdir": "LR", **(look or {})}.items())
    lines = ["digraph {", f"  graph [{attributes}];"]
    if look and "fontname" in look:
        lines.append(f"  node [fontname={quoted(look['fontname'])}];")
    for node in drawn:
        rows = [graph.label(node)] if has_labels else []
        value = f"{frame.values[node]:z.4f}" if node in frame.values else NOT_COMPUTED
        rows += [f"data {value}", f"grad {grads.get(node, 0.0):z.4f}"]
        label = " | ".join(map(_field, rows))
        lines.append(f'  "n{node}" [label="{{ {label} }}", shape="record"];')
        lines += _operation(graph, node)
    return "\n".join([*lines, "}", ""])


def draw(
    frame: Frame,
    form: str,
    dpi: int = DPI,
    transparent: bool = False,
    timeout: float = DRAW_TIMEOUT,
) -> bytes:
    """Return the picture of a frame as a file's content.

    Raises EngineError if Graphviz can't draw it or takes longer than `timeout` seconds.
    """
    if form in TEXTS:
        return write(frame.graph, frame).encode("utf-8")
    look = {"fontname": FONT} | ({"dpi": str(dpi)} if form == "png" else {})
    if transparent:
        look["bgcolor"] = "transparent"
    return render(write(frame.graph, frame, look), form, timeout)


def _drawn(graph: Graph) -> list[int]:
    """Return the nodes that `draw_dot` finds from the root, without exponents of powers."""
    if graph.root is None:
        found = sorted(node for node in graph.nodes if not isinstance(graph.nodes[node], Root))
    else:
        found = list(graph.plan(graph.root).order)
    fed = {source for node in found for source in _operands(graph, node)}
    hidden = {graph.inputs(node)[1] for node in found if _has_exponent(graph, node)} - fed
    return [node for node in found if node not in hidden or node == graph.root]


def _has_exponent(graph: Graph, node: int) -> bool:
    """Return whether a node is a power by a number, which micrograd writes into its symbol."""
    found = graph.nodes[node]
    if not isinstance(found, OpNode) or found.op != "pow":
        return False
    exponent = found.inputs[1]
    return exponent is not None and isinstance(graph.nodes[exponent], Constant)


def _operands(graph: Graph, node: int) -> tuple[int, ...]:
    """Return the sources of a node, each once."""
    inputs = graph.inputs(node)[: 1 if _has_exponent(graph, node) else None]
    return tuple(dict.fromkeys(source for source in inputs if source is not None))


def _operation(graph: Graph, node: int) -> Iterator[str]:
    """Yield the small node of an operation, with an edge from it and the edges to it."""
    if isinstance(graph.nodes[node], Leaf | Constant):
        return
    yield f'  "n{node}op" [label={quoted(_sign(graph, node))}];'
    yield f'  "n{node}op" -> "n{node}";'
    for source in _operands(graph, node):
        yield f'  "n{source}" -> "n{node}op";'


def _sign(graph: Graph, node: int) -> str:
    """Return micrograd's `_op`: `+`, `**2`, `ReLU`, `tanh`."""
    op = graph.op(node)
    sign = _SIGNS.get(op.name, op.infix or op.name)
    if not _has_exponent(graph, node):
        return sign
    exponent = graph.nodes[graph.inputs(node)[1] or 0]
    assert isinstance(exponent, Constant)
    value = exponent.value
    # Print 2, not 2.0, as the program had it.
    plain = value.is_integer() and abs(value) < _LONG_NUMBER
    return f"**{int(value) if plain else value}"


def _grads(frame: Frame) -> Mapping[int, float]:
    """Return the gradients of a frame, and those that micrograd gives to numbers."""
    graph, trace = frame.graph, frame.trace
    if trace is None:
        return frame.grads
    if frame.phase != "backward":
        return {}
    nodes = {
        node: Leaf(found.value, found.label) if isinstance(found, Constant) else found
        for node, found in graph.nodes.items()
    }
    if nodes == graph.nodes:
        return frame.grads
    whole = run(Graph(nodes, graph.active_root, graph.next_id), trace.root, trace.rules)
    grads: dict[int, float] = {}
    wanted = [_key(event) for event in trace.events]
    matched = 0
    for event in whole.events:
        if matched == frame.cursor < len(wanted):
            break
        grads[event.node] = event.after
        matched += matched < len(wanted) and _key(event) == wanted[matched]
    return grads if matched == frame.cursor else frame.grads


def _key(event: Event) -> object:
    return event.kind, event.node, event.target, event.slot, event.sweep


def _field(text: str) -> str:
    """Escape a text as one field of a record, where braces, bars and spaces are special too."""
    return re.sub(r"[{}|<>]|^ | $| (?= )", r"\\\g<0>", escaped(text))


FORMAT = Format("dot-classic", "Graphviz DOT as micrograd draws it", (".gv",), write=write)
