"""Graphviz DOT: a graph, or one step of its pass, in our look or as micrograd draws it.

    write(graph)                 # values
    write(graph, frame)          # the values, gradients and products of that step
    write_classic(graph, frame)  # the picture of micrograd's `draw_dot`, as DOT
    draw(frame, "svg")           # it, drawn by Graphviz: svg, png or pdf; also the text: dot, gv
    read(text)                   # the graph that `write` has written, with its numbers

Nodes are called "n" and their id, and every text is quoted, so that no label can be mistaken for
DOT. A comment is the graph's file, with the exact numbers; it is left out where one is hidden.

As in micrograd, every gradient of the classic picture is 0.0000 before its first contribution,
constants have gradients, a node used twice has one edge, and a constant exponent is part of the
operation's symbol (`**2`). Roots, which micrograd does not know, are left out. Without any label in
the graph, records have no field for labels.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Literal

from msgspec import Struct

from engine.errors import FormatError
from engine.formats import native
from engine.formats.format import Format
from engine.formats.graphviz import DRAW_TIMEOUT, render
from engine.frame import Frame, live_frame
from engine.graph import Constant, Graph, Leaf, OpNode, Root, Wire
from engine.numbers import DIGITS_WRITTEN, NO_PATH, NOT_COMPUTED, short, signed
from engine.trace import Event, run

# the colours of the light theme, as the engine can't import those of the application
TEXT = "#17202b"
SECONDARY = "#56616f"
GRADIENT = "#b93a06"
IDLE = "#8f9bab"
OUTLINE = "#aeb8c6"
HEADER_OP = "#e8ecf2"
HEADER_LEAF = "#dfe8ff"
HEADER_ROOT = "#fbe7b8"
CLUSTER_FILLS = ("#eceff4", "#e8efff", "#e0f3f0", "#fdf3dc")
# hue and mark of each of several wires that contribute to one node
SIBLINGS = ("#b93a06", "#b5155a", "#86198f", "#74460f")
MARKS = "●■▲◆"
FONT = "DejaVu Sans"
"""Not Inter, whose ligatures draw an x between digits as × and -> as an arrow."""

_HEAD = (
    "digraph {",
    f'  graph [rankdir="LR", ranksep="0.6", nodesep="0.4", fontname="{FONT}"];',
    f'  node [shape="box", style="filled", fontname="{FONT}", fontsize="13", color="{OUTLINE}", '
    f'fontcolor="{TEXT}"];',
    f'  edge [fontname="{FONT}", fontsize="12", color="{IDLE}", fontcolor="{GRADIENT}", '
    'arrowsize="0.6", labelfontsize="10", labeldistance="1.5"];',
)


class Cluster(Struct, frozen=True):
    """A titled box around nodes and other boxes; `colour` is an index into CLUSTER_FILLS."""

    title: str
    nodes: frozenset[int]
    colour: int = 0
    inside: tuple["Cluster", ...] = ()


def write(graph: Graph, frame: Frame | None = None, clusters: Iterable[Cluster] = ()) -> str:
    """Return the graph as DOT; `frame` is a step of a pass over it, else its values are shown."""
    frame = frame or live_frame(graph)
    numbers = (n for n, found in graph.nodes.items() if isinstance(found, Leaf | Constant))
    is_whole = all(node in frame.values for node in numbers)  # none is hidden
    file = native.write(graph).replace("\n", "")
    lines = [f"  {_attributes(comment=file)};"] if is_whole else []
    lines += [_node(frame, node) for node in sorted(graph.nodes)]
    lines += [line for k, box in enumerate(clusters) for line in _cluster(graph, box, f"{k}", 1)]
    indices = _sibling_indices(frame)
    lines += [_wire(frame, source, wire, indices.get(wire)) for source, wire in graph.wires()]
    return "\n".join([*_HEAD, *lines, "}", ""])


def read(text: str) -> Graph:
    """Return the graph in the text of `write`; raises FormatError for any other DOT."""
    file = _FILE.search(text)
    if file is None:
        raise FormatError(_NOT_OURS)
    plain = re.sub(r"\\(.)", r"\1", file[1])
    graph = native.read(re.sub(r"&amp;(#?\w+;)", r"&\1", plain))
    drawn = [
        (int(source), (int(target), int(slot))) for source, target, slot in _WIRE.findall(text)
    ]
    if sorted(drawn) != sorted(graph.wires()):
        raise FormatError("The wires in this DOT are not those that Backwire wrote.")
    return graph


def quoted(text: str) -> str:
    """Return a quoted DOT string, in which every character is literal."""
    return f'"{escaped(text)}"'


_ENTITY = re.compile(r"&(#?\w+;)")

_FILE = re.compile(r'^  comment="((?:[^"\\]|\\.)*)";$', re.MULTILINE)
_WIRE = re.compile(r'^  "n(\d+)" -> "n(\d+)" \[key="(\d+)"', re.MULTILINE)
_NOT_OURS = "This DOT was not written by Backwire, or hides numbers: its graph is not known."

FORMAT = Format("dot", "Graphviz DOT", (".dot",), read, write)


def escaped(text: str) -> str:
    """Escape a text for use between DOT's quotation marks."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return _ENTITY.sub(r"&amp;\1", plain)


def _attributes(**found: str) -> str:
    return ", ".join(f"{name}={quoted(text)}" for name, text in found.items())


def _cluster(graph: Graph, box: Cluster, path: str, depth: int) -> Iterator[str]:
    """Yield a box, its nodes by name, and the boxes in it; `path` makes its name unique."""
    fill = CLUSTER_FILLS[box.colour % len(CLUSTER_FILLS)]
    look = _attributes(
        label=box.title,
        labeljust="l",
        style="filled,rounded",
        fillcolor=fill,
        color=IDLE,
        fontcolor=TEXT,
        fontsize="13",
    )
    margin = "  " * depth
    yield f'{margin}subgraph "cluster_{path}" {{'
    yield f"{margin}  graph [{look}];"
    yield from (f'{margin}  "n{node}";' for node in sorted(box.nodes) if node in graph.nodes)
    for k, inner in enumerate(box.inside):
        yield from _cluster(graph, inner, f"{path}_{k}", depth + 1)
    yield f"{margin}}}"


def _node(frame: Frame, node: int) -> str:
    found = frame.graph.nodes[node]
    if isinstance(found, Root):
        look = _attributes(fillcolor=HEADER_ROOT, style="filled,rounded")
    elif isinstance(found, Leaf):
        look = _attributes(fillcolor=HEADER_LEAF, style="filled,rounded")
    elif isinstance(found, Constant):
        look = _attributes(fillcolor=HEADER_OP, shape="octagon")
    else:
        look = _attributes(fillcolor=HEADER_OP)
    if frame.event is not None and node == frame.event.node:
        look += ", " + _attributes(color=GRADIENT, penwidth="2")
    label = "\n".join(_rows(frame, node))
    return f'  "n{node}" [{_attributes(label=label)}, {look}];'


def _rows(frame: Frame, node: int) -> Iterator[str]:
    """Yield the label's lines: operation and name, data, grad."""
    graph, found, shows = frame.graph, frame.graph.nodes[node], node
    if isinstance(found, Root):
        if found.input is None:
            yield "root"
            return
        shows = found.input
        yield f"root {graph.title(shows)}"
    elif isinstance(found, Leaf | Constant):
        yield graph.title(node)
    else:
        yield f"{graph.op(node).symbol} {graph.title(node)}"
    yield f"data {_value(frame, shows)}"
    if not isinstance(graph.nodes[shows], Constant) or shows == graph.root:
        yield f"grad {_grad(frame, shows)}"


def _value(frame: Frame, node: int) -> str:
    return _number(frame.values[node]) if node in frame.values else NOT_COMPUTED


def _grad(frame: Frame, node: int) -> str:
    if node in frame.unreachable_leaves:
        return NO_PATH
    return _number(frame.grads[node]) if node in frame.grads else NOT_COMPUTED


def _sibling_indices(frame: Frame) -> dict[Wire, int]:
    """Return the index of each wire among the wires that contribute to the same node."""
    found: dict[Wire, int] = {}
    for node in frame.trace.schedule.arrivals if frame.trace is not None else ():
        siblings = sorted({chip.wire for chip in frame.ledger(node)})
        if len(siblings) > 1:
            found.update((wire, place) for place, wire in enumerate(siblings))
    return found


def _wire(frame: Frame, source: int, wire: Wire, sibling: int | None) -> str:
    target, slot = wire
    graph = frame.graph
    look = {"key": str(slot)}
    op = None if isinstance(graph.nodes[target], Root) else graph.op(target)
    if op is not None and len(op.slots) > 1 and not op.commutes:
        look |= {"headlabel": op.slots[slot], "labelfontcolor": SECONDARY}
    if wire in frame.fired:
        look |= _fired(frame, frame.fired[wire], sibling)
    elif frame.next_event is not None and frame.next_event.wire == wire:
        event = frame.next_event
        look["label"] = f"{_number(event.upstream)} × {_number(event.local)} = ···"
        look |= {"color": GRADIENT, "style": "dotted"}
    return f'  "n{source}" -> "n{target}" [{_attributes(**look)}];'


def _fired(frame: Frame, event: Event, sibling: int | None) -> dict[str, str]:
    """Return the look of a wire after its step: the product; among siblings a hue and a mark."""
    arrived = signed(event.contribution, DIGITS_WRITTEN)
    product = f"{_number(event.upstream)} × {_number(event.local)} = {arrived}"
    look = {"color": GRADIENT, "label": product}
    if sibling is not None:
        hue, mark = SIBLINGS[sibling % len(SIBLINGS)], MARKS[sibling % len(MARKS)]
        look |= {"color": hue, "taillabel": mark, "labelfontcolor": hue}
    if event.contribution == 0:
        look["style"] = "dashed"
    if event is frame.event:
        look["penwidth"] = "3"
    return look


def _number(value: float) -> str:
    return short(value, DIGITS_WRITTEN)


# micrograd's picture

TEXT_FORMS = ("dot", "gv")
"""Forms of a picture that are the DOT text itself, for which Graphviz is not needed."""
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


def write_classic(
    graph: Graph, frame: Frame | None = None, look: Mapping[str, str] | None = None
) -> str:
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
    if form in TEXT_FORMS:
        return write_classic(frame.graph, frame).encode("utf-8")
    look = {"fontname": FONT} | ({"dpi": str(dpi)} if form == "png" else {})
    if transparent:
        look["bgcolor"] = "transparent"
    return render(write_classic(frame.graph, frame, look), form, timeout)


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
    plain = render(write_classic(frame.graph, frame, look), "plain").decode("utf-8")
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
    return render(write_classic(frame.graph, frame, look), form)


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
    symbol = op.micrograd or op.infix or op.name
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
    full_trace = run(replace(graph, nodes=nodes), trace.root, trace.rules)
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


CLASSIC = Format("dot-classic", "Graphviz DOT as micrograd draws it", (".gv",), write=write_classic)
