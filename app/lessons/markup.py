"""Markup: what a lesson's text may hold besides words: `**bold**`, `` `code` `` and live numbers.

>>> [(part.kind, part.text) for part in parts("**a** holds {a.grad}.")]
[('bold', 'a'), ('plain', ' holds '), ('live', 'a.grad'), ('plain', '.')]
"""

from __future__ import annotations

import re
from typing import Final, Literal

from msgspec import Struct

from engine.errors import EngineError
from engine.graph import Graph, Wire

PartKind = Literal["plain", "bold", "code", "live"]
LiveKind = Literal["value", "grad", "contribution", "local", "loss"]
"""What a live number shows, and so its colour: of a node its value or gradient, of a wire the
contribution or the local derivative, or the loss."""

_MARKED: Final = re.compile(r"\*\*(?P<bold>[^*{}`]+)\*\*|`(?P<code>[^`]+)`|\{(?P<live>[^{}]*)\}")
_STRAY: Final = re.compile(r"\*\*|[`{}]")
_WIRE: Final = re.compile(r"(?P<node>[^.]+)\.(?P<slot>[1-9])")


class Part(Struct, frozen=True):
    """A piece of a text; the text of a live number is what stands in its braces."""

    kind: PartKind
    text: str


class Live(Struct, frozen=True):
    """A number that a text shows as it is now."""

    kind: LiveKind
    node: int | None = None
    wire: Wire | None = None


def parts(text: str) -> tuple[Part, ...]:
    """Return the pieces of a text; EngineError for a mark without its other half."""
    found: list[Part] = []
    place = 0
    for mark in _MARKED.finditer(text):
        found += _plain(text[place : mark.start()])
        kind: PartKind = mark.lastgroup  # pyright: ignore[reportAssignmentType]
        found.append(Part(kind, mark[kind]))
        place = mark.end()
    return (*found, *_plain(text[place:]))


def live(text: str, graph: Graph) -> Live:
    """Return the number that stands in braces; EngineError if there is none of that name."""
    if text == "loss":
        return Live("loss")
    if (node := graph.node_named(text)) is not None:
        return Live("value", node)
    name, dot, what = text.rpartition(".")
    if dot and what == "grad" and (node := graph.node_named(name)) is not None:
        return Live("grad", node)
    if dot and what == "local":
        return Live("local", wire=wire_named(name, graph))
    return Live("contribution", wire=wire_named(text, graph))


def wire_named(text: str, graph: Graph) -> Wire:
    """Return the wire called `e.1`: a node and its slot, from 1; EngineError if there is none."""
    found = _WIRE.fullmatch(text)
    node = None if found is None else graph.node_named(found["node"])
    if found is None or node is None:
        raise EngineError('"{text}" is neither a node nor a wire of the graph.', text=text)
    slot, slots = int(found["slot"]) - 1, len(graph.inputs(node))
    if slot >= slots:
        raise EngineError(
            '"{text}": {node} has {slots} slots.', text=text, node=found["node"], slots=slots
        )
    return node, slot


def _plain(text: str) -> list[Part]:
    if stray := _STRAY.search(text):
        raise EngineError("{mark} has no other half.", mark=stray[0])
    return [Part("plain", text)] if text else []
