"""Meaning of a text typed into quick add: an entry, a leaf of that name, a number, a formula.

meaning("w")              the leaf w first, then whatever else matches
meaning("w = 2")          the leaf w with this value
meaning("mlp(2, 4, 1)")   a network of 49 nodes
meaning("p*q +")          nothing, and why
"""

from __future__ import annotations

import re

from msgspec import Struct

from app.workbench.adding.blocks import block, is_sized_block
from app.workbench.adding.finding import BLOCKS, Entry, ranked
from engine.errors import EngineError
from engine.formats.expression import read
from engine.formats.native import Drawing
from engine.graph import is_name
from engine.numbers import counted, full, parse_number

LEAF, CONSTANT, BLOCK, FORMULA = "leaf:", "constant:", "block:", "formula:"
"""Beginnings of the keys of entries that a text makes; the rest is a name, a number or a text."""
_SYMBOL = re.compile(r"[A-Za-z]_?\d*(_\d+)?")
"""Names as formulas use them: one letter, maybe with an index."""
_SHORT = 5
"""Number of characters up to which a text is its own symbol."""
_SIZED = {"neuron": "neuron, {nodes}", "layer": "layer, {nodes}", "mlp": "network, {nodes}"}


class Meaning(Struct, frozen=True):
    """What can be added for a text, best first; `why` says what is wrong with an unreadable one."""

    entries: tuple[Entry, ...]
    drawing: Drawing | None = None
    """The graph of the first entry, if that is a block or a formula."""
    why: str = ""


def meaning(text: str) -> Meaning:
    """Return what can be added for a text."""
    text = text.strip()
    found = tuple(ranked(text))
    if is_name(text):
        symbol = text if len(text) <= _SHORT else "x"
        leaf = Entry(f"{LEAF}{text}", text, symbol, f"a new leaf called {text}", 0)
        first = _SYMBOL.fullmatch(text) is not None
        return Meaning((leaf, *found) if first else (*found, leaf))
    name, value = leaf_of(text)
    if value is not None:
        symbol = name if len(name) <= _SHORT else "x"
        title, says = f"{name} = {full(value)}", f"a new leaf {name} with the value {full(value)}"
        return Meaning((Entry(f"{LEAF}{title}", title, symbol, says, 0),))
    if not text.isidentifier() and parse_number(text) is not None:
        symbol = text if len(text) <= _SHORT else "3"
        constant = Entry(f"{CONSTANT}{text}", text, symbol, f"a constant with the value {text}", 0)
        return Meaning((constant, *found))
    return _read(text, found) if text else Meaning(found)


def leaf_of(text: str) -> tuple[str, float | None]:
    """Return the name and the value, or None, in a text such as `w` or `w = 2`."""
    name, equals, number = (part.strip() for part in text.partition("="))
    value = parse_number(number) if equals and is_name(name) else None
    return (text, None) if value is None else (name, value)


def _read(text: str, found: tuple[Entry, ...]) -> Meaning:
    """Return what a block with sizes or a formula means."""
    try:
        if is_sized_block(text):
            drawing = block(text)
            says = _SIZED[text.partition("(")[0].strip().lower()]
            key, symbol = f"{BLOCK}{text}", "Σ"
        else:
            drawing = Drawing(read(text))
            says, key, symbol = "formula, {nodes}", f"{FORMULA}{text}", "ƒ"
    except EngineError as error:
        return Meaning(found, why="" if found else str(error))
    nodes = counted(len(drawing.graph.nodes), "{count} node", "{count} nodes")
    entry = Entry(key, text, symbol, says.format(nodes=nodes), 0, BLOCKS)
    return Meaning((entry, *found), drawing)
