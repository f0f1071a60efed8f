"""Names: the identifier of each node in code and expressions, and the labels they are made from.

A label is the text that a user wrote on a node: one line, or empty; labels may repeat. A name is an
identifier, unique in its graph: the label if it is a free identifier, else a generated one.

>>> nodes = {1: Leaf(2.0, "a"), 2: Leaf(3.0, "a"), 3: OpNode("mul", (1, 2)), 4: Root(3)}
>>> names_of(nodes)
{1: 'a', 2: 'a_2', 3: 'v3'}
"""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping
from itertools import count

import msgspec

from engine.errors import JOINERS
from engine.nodes import Constant, Leaf, Node, OpNode, Root
from engine.ops import BY_NAME

LABEL_LIMIT = 200
"""Maximum number of characters of a label."""
LONGEST_NAME = 24
"""Maximum length of a label or name in a sentence; longer ones are shortened."""
ASIDE = " · "
"""Separates an ambiguous label from the name of its node."""
RESERVED = frozenset({"inf", "nan", "__debug__", *BY_NAME, *keyword.kwlist})
"""Identifiers with a meaning in expressions or Python, which can't be names."""
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PATH = re.compile(r"[^\W\d]\w*(\[\w+\])*(\.[^\W\d]\w*(\[\w+\])*)+")
_INNER = re.compile(r"(?<=\.)(\w)\w*(?=(?:\[\w+\])*\.)")
"""A name between the first and the last one of a path."""
_BASE_LIMIT = 40
"""Maximum number of characters of a label in a name derived from it."""
_BEFORE_JOINER = ("L", "M", "So", "Sk")
"""Unicode categories that a joiner may follow: letters, combining marks, emoji, skin tones."""
_AFTER_JOINER = ("L", "So")
_ARROW = "\u2194"
"""A mathematical symbol that is part of one emoji, the shaking head."""


def names_of(nodes: Mapping[int, Node]) -> dict[int, str]:
    """Return the name of each node: its label if that is valid and free, else a generated one.

    A generated name is `v` and the id, or derived from the label; it equals no label.

    >>> names = names_of({3: OpNode("neg", (7,)), 7: Leaf(label="v3"), 8: Leaf(label="x*w")})
    >>> list(names.values())
    ['v3_3', 'v3', 'x_w_8']
    """
    named = {node: found for node, found in sorted(nodes.items()) if not isinstance(found, Root)}
    names: dict[int, str] = {}
    used_labels: set[str] = set()
    for node, found in named.items():
        if is_name(found.label) and found.label not in used_labels:
            names[node] = found.label
            used_labels.add(found.label)
    for node, found in named.items():
        if node not in names and not _base(found) and automatic_name(node) not in used_labels:
            names[node] = automatic_name(node)
    # derived names are last, so that they can avoid all labels and all other names
    taken = {*names.values(), *(found.label for found in named.values())}
    for node, found in named.items():
        if node not in names:
            names[node] = _derived(_base(found) or automatic_name(node), node, taken)
            taken.add(names[node])
    return dict(sorted(names.items()))


def automatic_name(node: int) -> str:
    """Return the name of a node without a label: `v3`."""
    return f"v{node}"


def is_name(label: str) -> bool:
    """Return whether a label is a valid name in code."""
    return _IDENTIFIER.fullmatch(label) is not None and label not in RESERVED


def is_plain_line(text: str) -> bool:
    """Return whether a text is one line without control or hidden characters.

    The joiners U+200C and U+200D are allowed between letters or emoji. Bidirectional controls are
    not: with them, one label can look like another.
    """
    if text.isprintable():
        return True
    bare = text.translate(dict.fromkeys(map(ord, JOINERS)))
    return bare.isprintable() and all(
        _joins(text[k - 1 : k], text[k + 1 : k + 2])
        for k, character in enumerate(text)
        if character in JOINERS
    )


def brief(text: str, longest: int = LONGEST_NAME) -> str:
    """Shorten a label in the middle, and a path first by its inner names.

    >>> brief("a very long label", 9), brief("net.layers[1].neurons[0].w[2]")
    ('a ve…abel', 'net.l[1].n[0].w[2]')
    """
    if len(text) <= longest or len(text := abbreviated(text)) <= longest:
        return text
    half = (longest - 1) // 2
    return f"{text[:half]}…{text[-(longest - 1 - half) :]}"


def abbreviated(text: str) -> str:
    """Return a path with its inner names as single letters: its numbers are what differs.

    >>> abbreviated("n.layers[1].b"), abbreviated("Fig. 1. Loss")
    ('n.l[1].b', 'Fig. 1. Loss')
    """
    return _INNER.sub(r"\1", text) if _PATH.fullmatch(text) else text


def clear_labels(nodes: Mapping[int, Node], names: Mapping[int, str]) -> frozenset[int]:
    """Return the nodes whose label looks like no other node's label or name.

    >>> nodes = {1: Leaf(label="x*w"), 2: Leaf(label="w"), 3: Leaf(label="w "), 4: Leaf()}
    >>> sorted(clear_labels(nodes, names_of(nodes)))
    [1]
    """
    forms = {node: form for node, found in nodes.items() if (form := _visible_form(found.label))}
    counts = Counter(forms.values())
    counts.update(name for node, name in names.items() if forms.get(node) != name)
    return frozenset(node for node, form in forms.items() if counts[form] == 1)


def is_blank(label: str) -> bool:
    """Return whether a label has no visible character."""
    return not _visible_form(label)


def _visible_form(label: str) -> str:
    """Return the visible form of a label: accents composed, no joiners, single inner spaces."""
    if label.isascii() and " " not in label:
        return label
    bare = label.translate(dict.fromkeys(map(ord, JOINERS)))
    return " ".join(unicodedata.normalize("NFC", bare).split())


def shortened(names: Mapping[int, str], longest: int) -> dict[int, str]:
    """Return the names with more than `longest` characters, shortened and still unique.

    Equal shortened forms end with the ids of their nodes.

    >>> shortened({3: "a label before the end", 7: "a label behind the end", 8: "short"}, 12)
    {3: 'a label b…_3', 7: 'a label b…_7'}
    """
    short_forms = {
        node: brief(text, longest) for node, text in names.items() if len(text) > longest
    }
    counts = Counter(short_forms.values())
    counts.update(text for text in names.values() if len(text) == longest)
    for node, text in short_forms.items():
        if counts[text] > 1:
            tail = f"…_{node}"
            short_forms[node] = f"{names[node][: max(longest - len(tail), 0)]}{tail}"
    return short_forms


def numbered_label(label: str, taken: Collection[str]) -> str:
    """Return the label with the first free number at its end.

    >>> numbered_label("w", {"w", "w2"})
    'w3'
    """
    base = label.rstrip("0123456789") or label
    labels = (f"{base}{number}" for number in count(2))
    return next(found for found in labels if found not in taken)


def with_parsed_names(nodes: Mapping[int, Node]) -> dict[int, Node]:
    """Adjust labels and ids of parsed nodes, so that `names_of` returns the names in the text.

    A label equal to the node's own automatic name is dropped. A node without a label gets a new id
    if its automatic name is the label of another node.
    """
    labels = {found.label for found in nodes.values() if not isinstance(found, Root)}
    kept: dict[int, Node] = {}
    ids: dict[int, int] = {}
    free_id = max(nodes, default=0) + 1
    for node, found in nodes.items():
        ids[node] = node
        if isinstance(found, Root) or automatic_name(node) not in labels:
            kept[node] = found
        elif found.label == automatic_name(node):
            kept[node] = msgspec.structs.replace(found, label="")
        elif found.label:
            kept[node] = found
        else:
            while automatic_name(free_id) in labels:
                free_id += 1
            ids[node], free_id = free_id, free_id + 1
            kept[ids[node]] = found
    renumbered = any(node != new for node, new in ids.items())
    return {n: rewired(found, ids) for n, found in kept.items()} if renumbered else kept


def rewired(node: Node, ids: Mapping[int, int]) -> Node:
    """Return a node with the new ids of its inputs."""
    if isinstance(node, OpNode):
        inputs = tuple(None if source is None else ids[source] for source in node.inputs)
        return msgspec.structs.replace(node, inputs=inputs)
    if isinstance(node, Root) and node.input is not None:
        return Root(ids[node.input])
    return node


def _base(node: Leaf | Constant | OpNode) -> str:
    """Return the ASCII letters and digits of a label as the base of a name, or ""."""
    if not node.label:
        return ""
    base = re.sub(r"[^A-Za-z0-9]+", "_", node.label).strip("_")
    return base[:_BASE_LIMIT] or (node.label if is_name(node.label) else "")


def _derived(base: str, node: int, taken: Collection[str]) -> str:
    """Return a name made of a label and the id: `w_7`."""
    name = f"{'_' if base[0].isdigit() else ''}{base}_{node}"
    while name in taken:
        name += "_"
    return name


def _joins(before: str, after: str) -> bool:
    """Return whether a joiner has a visible effect between these two characters."""
    if not before or not after:
        return False
    left, right = unicodedata.category(before), unicodedata.category(after)
    return left.startswith(_BEFORE_JOINER) and (right.startswith(_AFTER_JOINER) or after == _ARROW)
