"""Blocks, search and quick add: everything that can be added to the sheet.

meaning("w")              the leaf w first, then other matches
meaning("w = 2")          the leaf w with this value
meaning("mlp(2, 4, 1)")   a network of 49 nodes
meaning("p*q +")          no entries, and the syntax error
ranked("times")           × first
block("layer(2, 3)")      a group per layer with a group per neuron in it; its inputs are outside
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

from msgspec import Struct

from app.document.placement import columns
from app.document.sheet import Point
from engine.errors import EngineError
from engine.formats.expression import read_typed
from engine.formats.native import Drawing, GroupEntry
from engine.graph import Graph, OpNode, Root, is_name
from engine.numbers import counted, full, parse_number, plural
from engine.ops import BY_NAME, FAMILIES, OPS, Op
from engine.own import FAMILY as MINE
from engine.training.templates import layer, mlp, neuron

BASICS = "Inputs and root"


class Entry(Struct, frozen=True):
    """An entry of the palette: `key` is "leaf", "op:tanh" and the like, `says` its description.

    `slots` is the number of its inputs, `family` its heading; `words` are synonyms for the search,
    `short` is its title on a tile, if that is too long.
    """

    key: str
    title: str
    symbol: str
    says: str
    slots: int
    family: str = BASICS
    words: tuple[str, ...] = ()
    short: str = ""


_BASICS = (
    Entry(
        "leaf",
        "leaf",
        "x",
        "a number that may change; its gradient is wanted",
        0,
        words=("input", "variable", "parameter", "weight", "number"),
    ),
    Entry(
        "constant",
        "constant",
        "3",
        "a number that stays as it is and has no gradient",
        0,
        words=("const", "number", "literal"),
        short="const",
    ),
    Entry(
        "root",
        "root",
        "⚑",
        "marks the number whose gradients are wanted",
        1,
        words=("loss", "output", "result", "seed"),
    ),
)


BLOCKS = "Blocks"
_BLOCKS = (
    Entry(
        "block:neuron",
        "neuron",
        "Σ",
        "weights, bias and tanh in one; neuron(3) has three inputs",
        0,
        BLOCKS,
        ("perceptron", "unit", "block"),
    ),
    Entry(
        "block:layer",
        "layer",
        "Σ",
        "neurons side by side; layer(2, 3) has two inputs, three neurons",
        0,
        BLOCKS,
        ("dense", "linear", "block"),
    ),
    Entry(
        "block:mlp",
        "MLP",
        "Σ",
        "a network of layers; mlp(2, 4, 1) has two inputs, one output",
        0,
        BLOCKS,
        ("network", "perceptron", "multilayer", "block"),
    ),
)


@cache
def entries() -> tuple[Entry, ...]:
    """Return everything that can be added, in palette order."""
    return (*_BASICS, *map(_entry_of, OPS), *_BLOCKS)


def _entry_of(op: Op) -> Entry:
    words = (*op.synonyms, *((op.infix,) if op.infix else ()))
    slots, key = len(op.slots), f"op:{op.name}"
    return Entry(key, op.name, op.symbol, op.description, slots, op.family, words, op.short)


def own_entries(operations: Iterable[Op]) -> tuple[Entry, ...]:
    """Return the operations of one's own, of those of a sheet."""
    return tuple(_entry_of(op) for op in operations if op.typed)


def families() -> tuple[str, ...]:
    """Return the headings of the palette, in order."""
    return (BASICS, MINE, *FAMILIES, BLOCKS)


def ranked(query: str, own: Sequence[Entry] = ()) -> list[Entry]:
    """Return the entries that match a query, best first; all of them for an empty query.

    `own` are the entries of the sheet's own operations.
    """
    wanted, found = query.strip().lower(), (*own, *entries())
    if not wanted:
        return list(found)
    ranks = [(_rank(entry, wanted), k) for k, entry in enumerate(found)]
    return [found[k] for rank, k in sorted(ranks) if rank < _NO_MATCH]


_NO_MATCH = 9
"""The rank behind the nine tests of `_rank`."""


def _rank(entry: Entry, wanted: str) -> int:
    """Return the rank of an entry: 0 for its name, 1 for its symbol, up to 9 for no match."""
    name, symbol = entry.title.lower(), entry.symbol.lower()
    words = [word.lower() for word in entry.words]
    says = entry.says.lower()
    tests = (  # best first: the index of the first that passes is the rank
        name == wanted,
        symbol == wanted,
        name.startswith(wanted),
        wanted in words,
        any(word.startswith(wanted) for word in words),
        wanted in name,
        any(wanted in word for word in words),
        any(word.startswith(wanted) for word in says.replace(",", " ").split()),
        wanted in says,
    )
    return next((rank for rank, passed in enumerate(tests) if passed), _NO_MATCH)


def is_op(key: str) -> bool:
    """Return whether the key of an entry names an existing operation."""
    return key.startswith("op:") and key[3:] in BY_NAME


DEFAULT_SIZES: dict[str, tuple[int, ...]] = {"neuron": (2,), "layer": (2, 3), "mlp": (2, 3, 1)}
BLOCK_NODE_LIMIT = 5000
"""A block of more nodes is refused: `mlp(100, 100, 1)` would have 40,000."""
_NODES_PER_WEIGHT = 4
"""An upper bound of a block's nodes by its weights: weight, input, product, sum."""
_ROW_PITCH = 168.0
"""From neuron to neuron of a layer, and from input to input: a node with a ledger, in px."""
_FIRST_LAYER_X, _LAYER_PITCH = 600.0, 456.0
"""x of the first layer, right of the inputs' ledgers, and from layer to layer, in px."""
_OUTPUT_GAP, _OUTPUT_PITCH = 456.0, 260.0
"""From the last layer to the first node after it, and from there to the next, in px."""

Owner = tuple[int, int]
"""The layer and the index of a neuron, from 1."""

# 40 characters are enough for any sizes; without a limit `int` would refuse thousands of digits
_BLOCK_CALL = re.compile(r"\s*(neuron|layer|mlp)\s*(?:\(([\d\s,]{0,40})\))?\s*", re.IGNORECASE)
_OUTPUT_LABEL = re.compile(r"o\d*")
_PARAMETER_LABEL = re.compile(r"[wb](?:(\d+)_(\d+))?(?:_?\d+)?")
"""Weights and biases as the templates label them: `w1_2_3` of layer 1, neuron 2; `w3` of a lone
neuron."""


def is_block(text: str) -> bool:
    """Return whether a text names a block, as `mlp(2, 4, 1)` does."""
    return _BLOCK_CALL.fullmatch(text) is not None


def is_sized_block(text: str) -> bool:
    """Return whether a text names a block with sizes of its own, as `mlp(2, 4, 1)` does."""
    return "(" in text and is_block(text)


def block(text: str) -> Drawing:
    """Return the block that a text names; raises EngineError for wrong sizes."""
    call = _BLOCK_CALL.fullmatch(text)
    if call is None:
        raise EngineError("A block is neuron(inputs), layer(inputs, outputs) or mlp(sizes).")
    name = call[1].lower()
    numbers = [part for part in (call[2] or "").split(",") if part.strip()]
    sizes = tuple(int(part) for part in numbers) or DEFAULT_SIZES[name]
    _check_sizes(name, sizes)
    if name == "neuron":
        return grouped(neuron(sizes[0]))
    if name == "layer":
        return grouped(layer(sizes[0], sizes[1]))
    return grouped(mlp(sizes, last="tanh"))


def _check_sizes(name: str, sizes: tuple[int, ...]) -> None:
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
    if wires * _NODES_PER_WEIGHT > BLOCK_NODE_LIMIT:
        raise EngineError(
            "This block would have more than {limit:,} nodes.", limit=BLOCK_NODE_LIMIT
        )


def grouped(graph: Graph, ungrouped: int = 0) -> Drawing:
    """Return a network with a group per layer and neuron; nodes after its output are outside.

    A network of up to `ungrouped` neurons has no groups around its layers.
    """
    neurons = _nodes_by_neuron(graph)
    is_alone = len(neurons) == 1
    layers = sorted({owner[0] for owner in neurons})
    groups: list[GroupEntry] = []
    number = 0  # a group's id in the drawing; a lone neuron has no layer around it
    for index in layers:
        inside = sorted(owner for owner in neurons if owner[0] == index)
        parent: int | None = None
        if len(neurons) > max(ungrouped, 1):
            number += 1
            parent = number
            place = (_column(index), 0.0)
            title = f"layer {index}"
            groups.append(GroupEntry(number, title, [], collapsed=True, position=place))
        for row, owner in enumerate(inside):
            number += 1
            # without a layer it is called as its weights are
            name = f"{owner[1]}" if parent else f"{index}_{owner[1]}"
            title = "neuron" if is_alone else f"neuron {name}"
            place = (_column(index), _ROW_PITCH * row)
            members = neurons[owner]
            groups.append(
                GroupEntry(number, title, members, collapsed=True, position=place, parent=parent)
            )
    return Drawing(graph, _positions(graph, neurons, len(layers)), tuple(groups))


def _column(index: int) -> float:
    """Return the x of a layer; the first leaves space for the inputs' ledgers."""
    return _FIRST_LAYER_X + _LAYER_PITCH * (index - 1)


def _positions(graph: Graph, neurons: dict[Owner, list[int]], layers: int) -> dict[int, Point]:
    """Return positions: inputs in a column, members where `columns` has them, then the outputs."""
    positions = dict(columns(graph))
    inside = {node for members in neurons.values() for node in members}
    inputs, outputs = 0, 0  # placed so far
    for node, found in graph.nodes.items():
        if isinstance(found, Root | OpNode) and node not in inside:
            positions[node] = (_column(layers) + _OUTPUT_GAP + _OUTPUT_PITCH * outputs, 0.0)
            outputs += 1
        elif node not in inside:
            positions[node] = (0.0, _ROW_PITCH * inputs)
            inputs += 1
    return positions


def _nodes_by_neuron(graph: Graph) -> dict[Owner, list[int]]:
    """Return the nodes of each neuron: its weights, its bias, and the ops they lead to."""
    owners: dict[int, Owner] = {}  # labels give parameters a neuron, ops take it from their inputs
    for node in graph.structure.topological_order:
        found = graph.nodes[node]
        if isinstance(found, OpNode):
            sources = [source for source in found.inputs if source is not None]
            feeding = [owners[source] for source in sources if source in owners]
            after_output = any(_OUTPUT_LABEL.fullmatch(graph.label(source)) for source in sources)
            if feeding and not after_output:
                owners[node] = max(feeding)  # of the later layer: others feed it as inputs
            continue
        match = None if isinstance(found, Root) else _PARAMETER_LABEL.fullmatch(found.label)
        if match is not None:
            owners[node] = (int(match[1] or 1), int(match[2] or 1))
    result: dict[Owner, list[int]] = {}
    for node, owner in owners.items():
        result.setdefault(owner, []).append(node)
    return result


LEAF, CONSTANT, BLOCK, FORMULA = "leaf:", "constant:", "block:", "formula:"
"""Prefixes of the keys of entries made from a typed text, which follows the prefix."""
_FORMULA_NAME = re.compile(r"[A-Za-z]_?\d*(_\d+)?")
"""Names as formulas use them: one letter, maybe with an index."""
_LONGEST_SYMBOL = 5
"""Characters that fit on a tile; a longer text gets a general symbol."""
_BLOCK_DESCRIPTIONS = {
    "neuron": "neuron, {nodes}",
    "layer": "layer, {nodes}",
    "mlp": "network, {nodes}",
}


class Meaning(Struct, frozen=True):
    """The entries for a typed text, best first; `error` is its syntax error, if it has one."""

    entries: tuple[Entry, ...]
    drawing: Drawing | None = None
    """The graph of the first entry, if that is a block or a formula."""
    error: str = ""


def meaning(text: str, operations: Sequence[Op] = ()) -> Meaning:
    """Return the entries for a typed text, also of the sheet's own `operations`."""
    text = text.strip()
    matches = tuple(ranked(text, own_entries(operations)))
    if is_name(text):
        symbol = text if len(text) <= _LONGEST_SYMBOL else "x"
        leaf = Entry(f"{LEAF}{text}", text, symbol, f"a new leaf called {text}", 0)
        leaf_first = _FORMULA_NAME.fullmatch(text) is not None
        return Meaning((leaf, *matches) if leaf_first else (*matches, leaf))
    name, value = parse_leaf(text)
    if value is not None:
        symbol = name if len(name) <= _LONGEST_SYMBOL else "x"
        title, says = f"{name} = {full(value)}", f"a new leaf {name} with the value {full(value)}"
        return Meaning((Entry(f"{LEAF}{title}", title, symbol, says, 0),))
    # inf and nan are identifiers: as formulas they become constants too
    if not text.isidentifier() and parse_number(text) is not None:
        symbol = text if len(text) <= _LONGEST_SYMBOL else "3"
        constant = Entry(f"{CONSTANT}{text}", text, symbol, f"a constant with the value {text}", 0)
        return Meaning((constant, *matches))
    return _block_or_formula(text, matches, operations) if text else Meaning(matches)


def parse_leaf(text: str) -> tuple[str, float | None]:
    """Return the name and the value, or None, in a text such as `w` or `w = 2`."""
    name, equals, number = (part.strip() for part in text.partition("="))
    value = parse_number(number) if equals and is_name(name) else None
    return (text, None) if value is None else (name, value)


def _block_or_formula(text: str, matches: tuple[Entry, ...], operations: Sequence[Op]) -> Meaning:
    """Return the entries of a block with sizes or of a formula, before the other matches."""
    try:
        if is_sized_block(text):
            drawing = block(text)
            says = _BLOCK_DESCRIPTIONS[text.partition("(")[0].strip().lower()]
            key, symbol = f"{BLOCK}{text}", "Σ"
        else:
            drawing = Drawing(read_typed(text, (), operations).named)
            says, key, symbol = "formula, {nodes}", f"{FORMULA}{text}", "ƒ"
    except EngineError as error:
        return Meaning(matches, error="" if matches else str(error))
    nodes = counted(len(drawing.graph.nodes), "{count} node", "{count} nodes")
    entry = Entry(key, text, symbol, says.format(nodes=nodes), 0, BLOCKS)
    return Meaning((entry, *matches), drawing)
