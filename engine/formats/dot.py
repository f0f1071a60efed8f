"""Graphviz DOT: a graph, or one step of its pass, in our look.

    write(graph)         # values
    write(graph, frame)  # the values, gradients and products of that step

Nodes are called "n" and their id, and every text is quoted, so that no label can be mistaken for
DOT.
"""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from engine.formats.format import Format
from engine.frame import Frame, live_frame
from engine.graph import Constant, Graph, Leaf, Root, Wire
from engine.numbers import DIGITS_WRITTEN, NO_PATH, NOT_COMPUTED, short, signed
from engine.trace import Event

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
    lines = [_node(frame, node) for node in sorted(graph.nodes)]
    lines += [line for k, box in enumerate(clusters) for line in _cluster(graph, box, f"{k}", 1)]
    indices = _sibling_indices(frame)
    lines += [_wire(frame, source, wire, indices.get(wire)) for source, wire in graph.wires()]
    return "\n".join([*_HEAD, *lines, "}", ""])


def quoted(text: str) -> str:
    """Return a quoted DOT string, in which every character is literal."""
    return f'"{escaped(text)}"'


_ENTITY = re.compile(r"&(#?\w+;)")

FORMAT = Format("dot", "Graphviz DOT", (".dot",), write=write)


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
    if op is not None and op.name in ("sub", "div", "pow", "where_gt0"):
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
