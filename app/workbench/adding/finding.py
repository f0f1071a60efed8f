"""Search for everything that can be added: the palette's entries, ranked by a query.

ranked("times")  # × first
"""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from engine.ops import BY_NAME, FAMILIES, OPS

BASICS = "Inputs and root"


class Entry(Struct, frozen=True):
    """One thing that can be added to the sheet: `key` is "leaf", "op:tanh" and the like."""

    key: str
    title: str
    symbol: str
    says: str
    slots: int
    family: str = BASICS
    words: tuple[str, ...] = ()


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
    ops = tuple(
        Entry(
            f"op:{op.name}",
            op.name,
            op.symbol,
            op.says,
            len(op.slots),
            op.family,
            (*op.words, *((op.infix,) if op.infix else ())),
        )
        for op in OPS
    )
    return _BASICS + ops + _BLOCKS


def families() -> tuple[str, ...]:
    """Return the headings of the palette, in order."""
    return (BASICS, *FAMILIES, BLOCKS)


def ranked(query: str) -> list[Entry]:
    """Return the entries that match a query, best first; all of them for an empty query."""
    wanted = query.strip().lower()
    if not wanted:
        return list(entries())
    places = [(_rank(entry, wanted), k) for k, entry in enumerate(entries())]
    return [entries()[k] for rank, k in sorted(places) if rank < _NOT_MEANT]


_NOT_MEANT = 9


def _rank(entry: Entry, wanted: str) -> int:
    """Return the rank of an entry: 0 for its name, 1 for its symbol, up to 9 for no match."""
    name, symbol = entry.title.lower(), entry.symbol.lower()
    words = [word.lower() for word in entry.words]
    says = entry.says.lower()
    tests = (
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
    return next((rank for rank, fits in enumerate(tests) if fits), _NOT_MEANT)


def is_op(key: str) -> bool:
    """Return whether the key of an entry names an existing operation."""
    return key.startswith("op:") and key[3:] in BY_NAME
