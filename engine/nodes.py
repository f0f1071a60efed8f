"""Nodes: what a graph is made of, and the names that code and expressions give them.

A label is what someone wrote on a node: any line of text, or nothing. A name is made from it, or
from the operation: it can stand in code, and no two nodes share one.

A node knows only the ids of its inputs, None for an empty slot:

>>> nodes = {1: Leaf(2.0, "a"), 2: Leaf(3.0, "b"), 3: OpNode("mul", (1, 2)), 4: Root(3)}
>>> [inputs_of(node) for node in nodes.values()]
[(), (), (1, 2), (3,)]
>>> names_of(nodes)[1]
'a'
"""

from __future__ import annotations

import keyword
import math
import re
import reprlib
import unicodedata
from collections.abc import Mapping
from typing import Literal, SupportsFloat, SupportsIndex

import msgspec

from engine.errors import JOINERS, EditError
from engine.ops import BY_NAME

Wire = tuple[int, int]
"""A filled slot: (target node, slot number)."""

LABEL_LIMIT = 200
LONGEST_NAME = 24
"""Characters of a label or name in a sentence; longer ones are shortened."""

_BASE = 40
"""Characters of a label in a name that is made from it."""
_BEFORE_JOINER = ("L", "M", "So", "Sk")
"""Unicode categories: letters, combining marks, emoji, and skin tones."""
_AFTER_JOINER = ("L", "So")
_ARROW = "\u2194"
"""A mathematical symbol that is part of one emoji, the shaking head."""


def as_number(value: object) -> float:
    """Convert anything that is one real number to float; raises EditError."""
    if isinstance(value, SupportsFloat | SupportsIndex):
        try:
            return float(value)
        except OverflowError:
            raise EditError("This whole number is too large.") from None
        except (TypeError, ValueError):
            pass
    raise EditError("{value} is no number.", value=reprlib.repr(value))


def is_plain_line(text: str) -> bool:
    """Return whether a text is one line without control or hidden characters.

    U+200C and U+200D may stand between letters or emoji. Controls of the writing direction are not
    allowed: with them, one label can look like another.
    """
    if text.isprintable():
        return True
    bare = text.translate(dict.fromkeys(map(ord, JOINERS)))
    return bare.isprintable() and all(
        _joins(text[k - 1 : k], text[k + 1 : k + 2])
        for k, character in enumerate(text)
        if character in JOINERS
    )


def _joins(before: str, after: str) -> bool:
    if not before or not after:
        return False
    left, right = unicodedata.category(before), unicodedata.category(after)
    return left.startswith(_BEFORE_JOINER) and (right.startswith(_AFTER_JOINER) or after == _ARROW)


class Leaf(msgspec.Struct, frozen=True, gc=False):
    """A number that may change and whose gradient is wanted."""

    value: float = 1.0
    label: str = ""

    def __post_init__(self) -> None:
        _make_float(self)


class Constant(msgspec.Struct, frozen=True, gc=False):
    """A number that stays as it is and has no gradient."""

    value: float = 1.0
    label: str = ""

    def __post_init__(self) -> None:
        _make_float(self)


class OpNode(msgspec.Struct, frozen=True, gc=False):
    """An operation with its slots; None is an empty slot."""

    op: str
    inputs: tuple[int | None, ...]
    label: str = ""


class Root(msgspec.Struct, frozen=True, gc=False):
    """A marker on the node whose gradients are wanted."""

    input: int | None = None


Node = Leaf | Constant | OpNode | Root


def _make_float(node: Leaf | Constant) -> None:
    """Convert an integer value to float, before any power is taken of it."""
    if type(node.value) is not float:
        msgspec.structs.force_setattr(node, "value", as_number(node.value))


def inputs_of(node: Node) -> tuple[int | None, ...]:
    """Return the sources of a node, slot by slot."""
    if isinstance(node, OpNode):
        return node.inputs
    return (node.input,) if isinstance(node, Root) else ()


NodeKind = Literal["leaf", "constant", "op", "root"]


def kind_of(node: Node) -> NodeKind:
    """Return leaf, constant, op or root."""
    return _KINDS[type(node)]


_KINDS: dict[type, NodeKind] = {Leaf: "leaf", Constant: "constant", OpNode: "op", Root: "root"}


RESERVED = frozenset({"inf", "nan", "__debug__", *BY_NAME, *keyword.kwlist})
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def is_name(label: str) -> bool:
    """Return whether a label is a valid name in code."""
    return _IDENTIFIER.fullmatch(label) is not None and label not in RESERVED


def brief(text: str, longest: int = LONGEST_NAME) -> str:
    """Shorten a label in the middle.

    >>> brief("a very long label", 9)
    'a ve…abel'
    """
    if len(text) <= longest:
        return text
    half = (longest - 1) // 2
    return f"{text[:half]}…{text[-(longest - 1 - half) :]}"


def names_of(nodes: Mapping[int, Node]) -> dict[int, str]:
    """Return the name of each node: its label if that is valid and free, else one made from it."""
    names: dict[int, str] = {}
    taken: set[str] = set()
    for node in sorted(nodes):
        found = nodes[node]
        if not isinstance(found, Root) and is_name(found.label) and found.label not in taken:
            names[node] = found.label
            taken.add(found.label)
    for node in sorted(nodes):
        found = nodes[node]
        if isinstance(found, Root) or node in names:
            continue
        name = _derived(found, node)
        while name in taken:
            name += "_"
        names[node] = name
        taken.add(name)
    return names


def same_nodes(mine: Mapping[int, Node], theirs: Mapping[int, Node]) -> bool:
    """Return whether both hold the same nodes, where nan equals nan."""
    if mine == theirs:
        return True
    return mine.keys() == theirs.keys() and all(
        found == theirs[node] or _both_nan(found, theirs[node]) for node, found in mine.items()
    )


def _both_nan(one: Node, other: Node) -> bool:
    if not isinstance(one, Leaf | Constant) or not isinstance(other, Leaf | Constant):
        return False
    alike = type(one) is type(other) and one.label == other.label
    return alike and math.isnan(one.value) and math.isnan(other.value)


def _derived(node: Leaf | Constant | OpNode, number: int) -> str:
    """Make a name of a label, or else of the operation or kind, and of the id: `mul_3`."""
    base = re.sub(r"[^A-Za-z0-9]+", "_", node.label).strip("_")[:_BASE]
    if not base:
        base = node.op if isinstance(node, OpNode) else kind_of(node)
    return f"{'_' if base[0].isdigit() else ''}{base}_{number}"


def wrong_count(op: str, given: int) -> EditError:
    """Return the error for an operation with more or fewer inputs than it has slots."""
    slots = len(BY_NAME[op].slots)
    if slots == 1:
        return EditError("{op} has one slot, not {given}.", op=op, given=given)
    return EditError("{op} has {slots} slots, not {given}.", op=op, slots=slots, given=given)
