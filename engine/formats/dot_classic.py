"""The picture that micrograd's `draw_dot` draws, as DOT, or drawn by the bundled Graphviz.

    write(graph, frame)        # the DOT text; Roots, which micrograd does not know, are left out
    draw(frame, "svg")         # the picture: svg, png or pdf; also the text itself: dot, gv

It shows what a Value holds: every gradient is 0.0000 until something is added to it, a number has
a gradient like any other node, a node plugged in twice has one edge, and the number of a power
stands in its operation. Where nothing has a label there is no field for it.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct

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
INCH_CM, POINTS = 2.54, 72.0
LARGEST_TYPE, LEAST_TYPE = 10.0, 8.0
"""Size in pt of the type of a picture that is set on paper, and the least that is read easily."""
TALLEST = 24.0
"""Height in cm that a picture may take on a page."""
PAD_CM = 0.1
"""Margin of a picture that is set on paper."""
_FIGURE = {
    "fontname": FONT,
    "fontsize": f"{LARGEST_TYPE:g}",
    "pad": "0",
    "margin": "0",
    "ranksep": "0.25",
    "nodesep": "0.15",
}
"""What makes a picture compact, and its page no larger than it is."""
_LONG_NUMBER = 1e16
"""Python writes floats from here on with an exponent."""


def write(graph: Graph, frame: Frame | None = None, look: Mapping[str, str] | None = None) -> str:
    """Return the active root's ancestors, or every node if there is no root, as DOT."""
    frame = frame or live_frame(graph)
    drawn = _drawn(graph)
    grads = _grads(frame)
    has_labels = any(graph.label(node) for node in drawn)
    records: list[Record] = []
    for node in drawn:
        rows = [graph.title(node) if graph.label(node) else ""] if has_labels else []
        value = f"{frame.values[node]:z.4f}" if node in frame.values else NOT_COMPUTED
        rows += [f"data {value}", f"grad {grads.get(node, 0.0):z.4f}"]
        is_op = not isinstance(graph.nodes[node], Leaf | Constant)
        operands = _operands(graph, node) if is_op else ()
        records.append(Record(node, rows, _sign(graph, node) if is_op else "", operands))
    return text_of(records, {"rankdir": "LR", **(look or {})})


class Record(Struct, frozen=True):
    """A node as it is drawn: its rows, its operation or "", and its operands, each once."""

    node: int
    rows: list[str]
    sign: str
    operands: tuple[int, ...]


def text_of(records: Iterable[Record], look: Mapping[str, str]) -> str:
    """Return the DOT of nodes; `look` holds the attributes of the graph."""
    attributes = ", ".join(f"{k}={quoted(v)}" for k, v in look.items())
    lines = ["digraph {", f"  graph [{attributes}];"]
    fonts = ", ".join(f"{k}={quoted(look[k])}" for k in ("fontname", "fontsize") if k in look)
    if fonts:
        lines.append(f"  node [{fonts}];")
    for record in records:
        node, label = record.node, " | ".join(map(_field, record.rows))
        lines.append(f'  "n{node}" [label="{{ {label} }}", shape="record"];')
        if record.sign:
            lines.append(f'  "n{node}op" [label={quoted(record.sign)}];')
            lines.append(f'  "n{node}op" -> "n{node}";')
            lines += [f'  "n{source}" -> "n{node}op";' for source in record.operands]
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


class Sized(Struct, frozen=True):
    """How a picture is set on paper: width and height in cm, the size of its type in pt."""

    width: float
    height: float
    type_size: float
    rankdir: Literal["LR", "TB"]


def fitted(frame: Frame, width: float) -> Sized:
    """Return the size of a frame's picture that is `width` cm wide, with type of up to 10 pt.

    It runs from the top down where that makes its type larger and from left to right it is small.
    """
    found = _fitted(frame, width, "LR")
    if found.type_size >= LEAST_TYPE:
        return found
    return max(found, _fitted(frame, width, "TB"), key=lambda sized: sized.type_size)


def _fitted(frame: Frame, width: float, rankdir: Literal["LR", "TB"]) -> Sized:
    look = {**_FIGURE, "rankdir": rankdir}
    plain = render(write(frame.graph, frame, look), "plain").decode("utf-8")
    _graph, _scale, wide, high = plain.split("\n", 1)[0].split(" ")
    across = (width - 2 * PAD_CM) / (float(wide) * INCH_CM)
    scale = min(1.0, across, (TALLEST - 2 * PAD_CM) / (float(high) * INCH_CM))
    high_cm = float(high) * INCH_CM * scale + 2 * PAD_CM
    return Sized(width, high_cm, LARGEST_TYPE * scale, rankdir)


def draw_fitted(
    frame: Frame, form: str, sized: Sized, dpi: int = DPI, transparent: bool = False
) -> bytes:
    """Return the picture of a frame at its size on paper; form is svg, png or pdf."""
    points = POINTS / INCH_CM
    sides = (sized.width * points, sized.height * points, sized.type_size / LARGEST_TYPE)
    look = {**_FIGURE, "rankdir": sized.rankdir}
    look["viewport"] = ",".join(f"{side:.4f}" for side in sides)
    look |= {"dpi": str(dpi)} if form == "png" else {}
    look |= {"bgcolor": "transparent"} if transparent else {}
    return render(write(frame.graph, frame, look), form)


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
