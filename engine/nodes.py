"""Nodes: what a graph is made of, and the names that code and expressions give them.

A label is what someone wrote on a node: any line of text, or nothing. A name can stand in code, and
no two nodes share one: it is the label where that is possible, else generated.

A node knows only the ids of its inputs, slot by slot, None for an empty slot:

>>> nodes = {1: Leaf(2.0, "a"), 2: Leaf(3.0, "b"), 3: OpNode("mul", (1, 2)), 4: Root(3)}
>>> [node.inputs for node in nodes.values()]
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
from collections import Counter
from collections.abc import Collection, Mapping
from itertools import count
from typing import ClassVar, Literal, SupportsFloat, SupportsIndex

import msgspec

from engine.errors import JOINERS, EditError
from engine.ops import BY_NAME

Wire = tuple[int, int]
"""A filled slot: (target node, slot number)."""

LABEL_LIMIT = 200
LONGEST_NAME = 24
"""Characters of a label or name in a sentence; longer ones are shortened."""
ASIDE = " · "
"""Stands between a label and the name of its node where other labels look the same."""

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
    inputs: ClassVar[tuple[int | None, ...]] = ()

    def __post_init__(self) -> None:
        _make_float(self)


class Constant(msgspec.Struct, frozen=True, gc=False):
    """A number that stays as it is and has no gradient."""

    value: float = 1.0
    label: str = ""
    inputs: ClassVar[tuple[int | None, ...]] = ()

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
    label: ClassVar[str] = ""

    @property
    def inputs(self) -> tuple[int | None, ...]:
        """The node that is plugged in, as the one slot of the marker."""
        return (self.input,)


Node = Leaf | Constant | OpNode | Root


def _make_float(node: Leaf | Constant) -> None:
    """Convert an integer value to float, before any power is taken of it."""
    if type(node.value) is not float:
        msgspec.structs.force_setattr(node, "value", as_number(node.value))


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
    """Return the name of each node: its label if that is valid and free, else a generated one.

    A generated name is `v` and the id, or made from the label; it is nobody's label.

    >>> names = names_of({3: OpNode("neg", (7,)), 7: Leaf(label="v3"), 8: Leaf(label="x*w")})
    >>> list(names.values())
    ['v3_3', 'v3', 'x_w_8']
    """
    named = {node: found for node, found in sorted(nodes.items()) if not isinstance(found, Root)}
    names: dict[int, str] = {}
    given: set[str] = set()
    for node, found in named.items():
        if is_name(found.label) and found.label not in given:
            names[node] = found.label
            given.add(found.label)
    for node, found in named.items():
        if node not in names and not _base(found) and automatic_name(node) not in given:
            names[node] = automatic_name(node)
    taken = {*names.values(), *(found.label for found in named.values())}
    for node, found in named.items():
        if node not in names:
            names[node] = _derived(_base(found) or automatic_name(node), node, taken)
            taken.add(names[node])
    return dict(sorted(names.items()))


def automatic_name(node: int) -> str:
    """Return the name of a node without a label: `v3`."""
    return f"v{node}"


def clear_labels(nodes: Mapping[int, Node], names: Mapping[int, str]) -> frozenset[int]:
    """Return the nodes whose label looks like no other node's label or name.

    >>> nodes = {1: Leaf(label="x*w"), 2: Leaf(label="w"), 3: Leaf(label="w "), 4: Leaf()}
    >>> sorted(clear_labels(nodes, names_of(nodes)))
    [1]
    """
    looks = {node: look for node, found in nodes.items() if (look := _look(found.label))}
    held = Counter(looks.values())
    held.update(name for node, name in names.items() if looks.get(node) != name)
    return frozenset(node for node, look in looks.items() if held[look] == 1)


def is_blank(label: str) -> bool:
    """Return whether nothing of a label can be seen."""
    return not _look(label)


def _look(label: str) -> str:
    """Return what can be seen of a label: accents composed, no joiners, no spaces at its ends."""
    if label.isascii() and " " not in label:
        return label
    bare = label.translate(dict.fromkeys(map(ord, JOINERS)))
    return " ".join(unicodedata.normalize("NFC", bare).split())


def shortened(called: Mapping[int, str], longest: int) -> dict[int, str]:
    """Shorten texts that call nodes, those above `longest` characters, so that all differ.

    Two that would be alike end with the ids of their nodes.

    >>> shortened({3: "a label before the end", 7: "a label behind the end", 8: "short"}, 12)
    {3: 'a label b…_3', 7: 'a label b…_7'}
    """
    found = {node: brief(text, longest) for node, text in called.items() if len(text) > longest}
    held = Counter(found.values())
    held.update(text for text in called.values() if len(text) == longest)
    for node, text in found.items():
        if held[text] > 1:
            tail = f"…_{node}"
            found[node] = f"{called[node][: max(longest - len(tail), 0)]}{tail}"
    return found


def numbered_label(label: str, taken: Collection[str]) -> str:
    """Return the first label like this one that is free.

    >>> numbered_label("w", {"w", "w2"})
    'w3'
    """
    base = label.rstrip("0123456789") or label
    labels = (f"{base}{number}" for number in count(2))
    return next(found for found in labels if found not in taken)


def with_names_read(nodes: Mapping[int, Node]) -> dict[int, Node]:
    """Return nodes read from a text, so that the name of each is what the text calls it.

    A label that equals the node's own automatic name is none. A node that the text does not name
    gets another id if its automatic name is a name of the text.
    """
    labels = {found.label for found in nodes.values() if not isinstance(found, Root)}
    kept: dict[int, Node] = {}
    ids: dict[int, int] = {}
    following = max(nodes, default=0) + 1
    for node, found in nodes.items():
        ids[node] = node
        if isinstance(found, Root) or automatic_name(node) not in labels:
            kept[node] = found
        elif found.label == automatic_name(node):
            kept[node] = msgspec.structs.replace(found, label="")
        elif found.label:
            kept[node] = found
        else:
            while automatic_name(following) in labels:
                following += 1
            ids[node], following = following, following + 1
            kept[ids[node]] = found
    moved = any(node != new for node, new in ids.items())
    return {n: _rewired(found, ids) for n, found in kept.items()} if moved else kept


def _rewired(node: Node, ids: Mapping[int, int]) -> Node:
    """Return a node whose inputs have other ids."""
    if isinstance(node, OpNode):
        inputs = tuple(None if source is None else ids[source] for source in node.inputs)
        return msgspec.structs.replace(node, inputs=inputs)
    if isinstance(node, Root) and node.input is not None:
        return Root(ids[node.input])
    return node


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


def _base(node: Leaf | Constant | OpNode) -> str:
    """Return what a label leaves for a name, or "" where it leaves nothing."""
    if not node.label:
        return ""
    base = re.sub(r"[^A-Za-z0-9]+", "_", node.label).strip("_")
    return base[:_BASE] or (node.label if is_name(node.label) else "")


def _derived(base: str, node: int, taken: Collection[str]) -> str:
    """Return a name made of a label and the id: `w_7`."""
    name = f"{'_' if base[0].isdigit() else ''}{base}_{node}"
    while name in taken:
        name += "_"
    return name


def wrong_count(op: str, given: int) -> EditError:
    """Return the error for an operation with more or fewer inputs than it has slots."""
    slots = len(BY_NAME[op].slots)
    if slots == 1:
        return EditError("{op} has one slot, not {given}.", op=op, given=given)
    return EditError("{op} has {slots} slots, not {given}.", op=op, slots=slots, given=given)
