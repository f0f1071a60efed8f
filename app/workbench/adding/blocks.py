"""Blocks: a neuron, a layer or a network, to be added to the sheet as groups.

\n     block("neuron(3)")     block("layer(2, 3)")     block("mlp(2, 4, 1)")

A network is a group per layer with a group per neuron in it; its inputs are outside.
"""

from __future__ import annotations

import re
from itertools import pairwise

from app.document.placement import columns
from app.document.sheet import Point
from engine.errors import EngineError
from engine.formats.native import Drawing, GroupEntry
from engine.graph import Graph, OpNode, Root
from engine.numbers import plural
from engine.training.templates import layer, mlp, neuron

USUAL: dict[str, tuple[int, ...]] = {"neuron": (2,), "layer": (2, 3), "mlp": (2, 3, 1)}
MOST_NODES = 5000
_NODES_A_WIRE = 4
"""Nodes that a block has at most for each weight: weight, input, product, sum."""
_ROW = 168.0
"""Distance between neurons of a layer, and between inputs with ledgers, in px at 100 %."""
_FIRST_LAYER, _LAYER = 600.0, 456.0
"""x of the first layer, and distance to the next, in px at 100 %."""
_FIRST_AFTER, _AFTER = 456.0, 260.0
"""Distance from the last layer to what follows it, and from one node of that to the next."""

Owner = tuple[int, int]
"""The layer and the index of a neuron, from 1."""

_TEXT = re.compile(r"\s*(neuron|layer|mlp)\s*(?:\(([\d\s,]{0,40})\))?\s*", re.IGNORECASE)
_OUTPUT = re.compile(r"o\d*")
_WEIGHT = re.compile(r"[wb](?:(\d+)_(\d+))?(?:_?\d+)?")


def is_block(text: str) -> bool:
    """Return whether a text names a block, as `mlp(2, 4, 1)` does."""
    return _TEXT.fullmatch(text) is not None


def is_sized_block(text: str) -> bool:
    """Return whether a text names a block with sizes of its own, as `mlp(2, 4, 1)` does."""
    return "(" in text and is_block(text)


def block(text: str) -> Drawing:
    """Return the block that a text names; raises EngineError for wrong sizes."""
    found = _TEXT.fullmatch(text)
    if found is None:
        raise EngineError("A block is neuron(inputs), layer(inputs, outputs) or mlp(sizes).")
    name = found[1].lower()
    numbers = [part for part in (found[2] or "").split(",") if part.strip()]
    sizes = tuple(int(part) for part in numbers) or USUAL[name]
    _check(name, sizes)
    if name == "neuron":
        return grouped(neuron(sizes[0]))
    if name == "layer":
        return grouped(layer(sizes[0], sizes[1]))
    return grouped(mlp(sizes, last="tanh"))


def _check(name: str, sizes: tuple[int, ...]) -> None:
    wanted = {"neuron": 1, "layer": 2}.get(name)
    if wanted is not None and len(sizes) != wanted:
        one = "{name} takes {count} number, not {given}."
        many = "{name} takes {count} numbers, not {given}."
        raise EngineError(plural(wanted, one, many), name=name, count=wanted, given=len(sizes))
    if name == "mlp" and len(sizes) < 2:
        raise EngineError("mlp takes the number of inputs and of the neurons of each layer.")
    if min(sizes) < 1:
        raise EngineError("The sizes of a block are whole numbers from 1.")
    wires = sizes[0] if name == "neuron" else sum(a * b for a, b in pairwise(sizes))
    if wires * _NODES_A_WIRE > MOST_NODES:
        raise EngineError("This block would have more than {limit:,} nodes.", limit=MOST_NODES)


def grouped(graph: Graph) -> Drawing:
    """Return a network with a group per layer and neuron; what follows its output is outside."""
    neurons = _neurons(graph)
    layers = sorted({owner[0] for owner in neurons})
    groups: list[GroupEntry] = []
    number = 0
    for index in layers:
        inside = sorted(owner for owner in neurons if owner[0] == index)
        parent: int | None = None
        if len(neurons) > 1:
            number += 1
            parent = number
            place = (_column(index), 0.0)
            groups.append(GroupEntry(number, f"layer {index}", [], True, place))
        for row, owner in enumerate(inside):
            number += 1
            title = f"neuron {owner[1]}" if parent else "neuron"
            place = (_column(index), _ROW * row)
            groups.append(GroupEntry(number, title, neurons[owner], True, place, parent))
    return Drawing(graph, _places(graph, neurons, len(layers)), (), tuple(groups))


def _column(index: int) -> float:
    """Return the x of a layer; the first leaves space for the inputs' ledgers."""
    return _FIRST_LAYER + _LAYER * (index - 1)


def _places(graph: Graph, neurons: dict[Owner, list[int]], layers: int) -> dict[int, Point]:
    """Return positions: inputs in a column, members around their group, the root at the end."""
    places = dict(columns(graph))
    inside = {node for members in neurons.values() for node in members}
    row, after = 0, 0
    for node, found in graph.nodes.items():
        if isinstance(found, Root | OpNode) and node not in inside:
            places[node] = (_column(layers) + _FIRST_AFTER + _AFTER * after, 0.0)
            after += 1
        elif node not in inside:
            places[node] = (0.0, _ROW * row)
            row += 1
    return places


def _neurons(graph: Graph) -> dict[Owner, list[int]]:
    """Return the nodes of each neuron: its weights, its bias, and the ops they lead to."""
    owners: dict[int, Owner] = {}
    for node in graph.structure.whole_order:
        found = graph.nodes[node]
        if isinstance(found, OpNode):
            sources = [source for source in found.inputs if source is not None]
            feeding = [owners[source] for source in sources if source in owners]
            beyond = any(_OUTPUT.fullmatch(graph.label(source)) for source in sources)
            if feeding and not beyond:
                owners[node] = max(feeding)
            continue
        match = None if isinstance(found, Root) else _WEIGHT.fullmatch(found.label)
        if match is not None:
            owners[node] = (int(match[1] or 1), int(match[2] or 1))
    result: dict[Owner, list[int]] = {}
    for node, owner in owners.items():
        result.setdefault(owner, []).append(node)
    return result
