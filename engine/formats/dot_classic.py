"""The picture that micrograd's `draw_dot` draws, as DOT, or drawn by the bundled Graphviz.

    write(graph, frame)        # the DOT text; Roots, which micrograd does not know, are left out
    draw(frame, "svg")         # the picture: svg, png or pdf; also the text itself: dot, gv

As in micrograd, every gradient is 0.0000 before its first contribution, constants have gradients, a
node used twice has one edge, and a constant exponent is part of the operation's symbol (`**2`).
Without any label in the graph, records have no field for labels.
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
"""Forms of a picture that are the DOT text itself, for which Graphviz is not needed."""
_OP_SYMBOLS = {"relu": "ReLU"}
DPI = 96
"""Dots per inch at which a picture is shown 1:1."""
INCH_CM, POINTS = 2.54, 72.0
MAX_TYPE_PT, MIN_TYPE_PT = 10.0, 8.0
"""Font size in pt of a picture on paper, and the smallest legible one."""
MAX_HEIGHT_CM = 24.0
"""Maximum height of a picture on a page."""
PAD_CM = 0.1
"""Margin of a picture on paper."""
_FIGURE = {
    "fontname": FONT,
    "fontsize": f"{MAX_TYPE_PT:g}",
    "pad": "0",
    "margin": "0",
    "ranksep": "0.25",
    "nodesep": "0.15",
}
"""Graph attributes of a compact picture without margins."""
_LONG_NUMBER = 1e16
"""Threshold from which Python prints floats with an exponent."""


def write(graph: Graph, frame: Frame | None = None, look: Mapping[str, str] | None = None) -> str:
    """Return the active root's ancestors, or every node if there is no root, as DOT."""
    frame = frame or live_frame(graph)
    drawn = _drawn_nodes(graph)
    grads = _grads(frame)
    has_labels = any(graph.label(node) for node in drawn)
    records: list[Record] = []
    for node in drawn:
        rows = [graph.title(node) if graph.label(node) else ""] if has_labels else []
        value = f"{frame.values[node]:z.4f}" if node in frame.values else NOT_COMPUTED
        rows += [f"data {value}", f"grad {grads.get(node, 0.0):z.4f}"]
        is_op = not isinstance(graph.nodes[node], Leaf | Constant)
        operands = _operands(graph, node) if is_op else ()
        records.append(Record(node, rows, _op_symbol(graph, node) if is_op else "", operands))
    return dot_text(records, {"rankdir": "LR", **(look or {})})


class Record(Struct, frozen=True):
    """A node as drawn: rows of text, symbol of its operation or "", distinct operands."""

    node: int
    rows: list[str]
    symbol: str
    operands: tuple[int, ...]


def dot_text(records: Iterable[Record], look: Mapping[str, str]) -> str:
    """Return DOT of records; `look` holds the attributes of the graph."""
    attributes = ", ".join(f"{k}={quoted(v)}" for k, v in look.items())
    lines = ["digraph {", f"  graph [{attributes}];"]
    fonts = ", ".join(f"{k}={quoted(look[k])}" for k in ("fontname", "fontsize") if k in look)
    if fonts:
        lines.append(f"  node [{fonts}];")
    for record in records:
        node, label = record.node, " | ".join(map(_field, record.rows))
        lines.append(f'  "n{node}" [label="{{ {label} }}", shape="record"];')
        if record.symbol:
            lines.append(f'  "n{node}op" [label={quoted(record.symbol)}];')
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


class PaperSize(Struct, frozen=True):
    """A picture's size on paper: width and height in cm, font size in pt."""

    width: float
    height: float
    type_size: float
    rankdir: Literal["LR", "TB"]


def size_on_paper(frame: Frame, width: float) -> PaperSize:
    """Return the size of a frame's picture that is `width` cm wide, its font size at most 10 pt.

    Ranks run from left to right; from top to bottom if that avoids type below MIN_TYPE_PT.
    """
    found = _size_on_paper(frame, width, "LR")
    if found.type_size >= MIN_TYPE_PT:
        return found
    return max(found, _size_on_paper(frame, width, "TB"), key=lambda sized: sized.type_size)


def _size_on_paper(frame: Frame, width: float, rankdir: Literal["LR", "TB"]) -> PaperSize:
    look = {**_FIGURE, "rankdir": rankdir}
    # its first line is `graph scale width height`, in inches
    plain = render(write(frame.graph, frame, look), "plain").decode("utf-8")
    _graph, _scale, wide, high = plain.split("\n", 1)[0].split(" ")
    across = (width - 2 * PAD_CM) / (float(wide) * INCH_CM)
    scale = min(1.0, across, (MAX_HEIGHT_CM - 2 * PAD_CM) / (float(high) * INCH_CM))
    high_cm = float(high) * INCH_CM * scale + 2 * PAD_CM
    return PaperSize(width, high_cm, MAX_TYPE_PT * scale, rankdir)


def draw_on_paper(
    frame: Frame, form: str, sized: PaperSize, dpi: int = DPI, transparent: bool = False
) -> bytes:
    """Return the picture of a frame as a file's content; form is svg, png or pdf."""
    points = POINTS / INCH_CM
    sides = (sized.width * points, sized.height * points, sized.type_size / MAX_TYPE_PT)
    look = {**_FIGURE, "rankdir": sized.rankdir}
    look["viewport"] = ",".join(f"{side:.4f}" for side in sides)
    look |= {"dpi": str(dpi)} if form == "png" else {}
    look |= {"bgcolor": "transparent"} if transparent else {}
    return render(write(frame.graph, frame, look), form)


def _drawn_nodes(graph: Graph) -> list[int]:
    """Return the root's ancestors in topological order, without constant exponents."""
    if graph.root is None:
        found = sorted(node for node in graph.nodes if not isinstance(graph.nodes[node], Root))
    else:
        found = list(graph.plan(graph.root).order)
    fed = {source for node in found for source in _operands(graph, node)}
    hidden = {graph.inputs(node)[1] for node in found if _has_exponent(graph, node)} - fed
    return [node for node in found if node not in hidden or node == graph.root]


def _has_exponent(graph: Graph, node: int) -> bool:
    """Return whether a node is a power with a constant exponent."""
    found = graph.nodes[node]
    if not isinstance(found, OpNode) or found.op != "pow":
        return False
    exponent = found.inputs[1]
    return exponent is not None and isinstance(graph.nodes[exponent], Constant)


def _operands(graph: Graph, node: int) -> tuple[int, ...]:
    """Return the distinct operands, without a constant exponent."""
    inputs = graph.inputs(node)[: 1 if _has_exponent(graph, node) else None]
    return tuple(dict.fromkeys(source for source in inputs if source is not None))


def _op_symbol(graph: Graph, node: int) -> str:
    """Return micrograd's `_op`, such as `+`, `**2`, `ReLU`, `tanh`."""
    op = graph.op(node)
    symbol = _OP_SYMBOLS.get(op.name, op.infix or op.name)
    if not _has_exponent(graph, node):
        return symbol
    source = graph.inputs(node)[1]
    assert source is not None
    exponent = graph.nodes[source]
    assert isinstance(exponent, Constant)
    value = exponent.value
    # Print 2, not 2.0, as the program had it.
    plain = value.is_integer() and abs(value) < _LONG_NUMBER
    return f"**{int(value) if plain else value}"


def _grads(frame: Frame) -> Mapping[int, float]:
    """Return a frame's gradients including constants, by a pass in which they are leaves."""
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
    full_trace = run(Graph(nodes, graph.active_root, graph.next_id), trace.root, trace.rules)
    # The full pass has the steps of the frame's pass and more, to constants. Follow it up to the
    # frame's last step; at the end of the pass, to its own end.
    grads: dict[int, float] = {}
    wanted = [_key(event) for event in trace.events]
    matched = 0
    for event in full_trace.events:
        if matched == frame.cursor < len(wanted):
            break
        grads[event.node] = event.after
        matched += matched < len(wanted) and _key(event) == wanted[matched]
    # a mistake may order the longer pass otherwise: then the constants are left out
    return grads if matched == frame.cursor else frame.grads


def _key(event: Event) -> object:
    """Return what identifies a step in both passes: all but its numbers."""
    return event.kind, event.node, event.sender, event.slot, event.sweep


def _field(text: str) -> str:
    """Escape a text as one field of a record, where braces, bars and spaces are special too."""
    return re.sub(r"[{}|<>]|^ | $| (?= )", r"\\\g<0>", escaped(text))


FORMAT = Format("dot-classic", "Graphviz DOT as micrograd draws it", (".gv",), write=write)
