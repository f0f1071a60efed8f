"""Step names: what the steps of the history are called where that needs the sheet before them."""

from __future__ import annotations

from collections.abc import Callable, Collection

from app.document.grouping import all_members
from app.document.sheet import Sheet
from engine.graph import Node, OpNode, Root, Wire

Name = Callable[[Sheet], str]
"""Asked only of a sheet on which the step could be done, so that all it is about is there."""


def about(text: str, *nodes: int) -> Name:
    """A text with the titles of nodes in it."""
    return lambda sheet: text.format(*(sheet.graph.title(node) for node in nodes))


def replugged(old: Wire, new: Wire) -> Name:
    """From what to what a wire leads that is taken off its slot."""

    def name(sheet: Sheet) -> str:
        source = sheet.graph.source(old)
        assert source is not None
        return f"Connect {sheet.graph.title(source)} → {sheet.graph.title(new[0])}"

    return name


def without(verb: str, nodes: Collection[int], boxes: Collection[int]) -> Name:
    """Which node goes, or how many; without nodes, which sections; without those, it is wires."""

    def name(sheet: Sheet) -> str:
        if len(nodes) > 1 or (not nodes and len(boxes) > 1):
            return f"{verb} {len(nodes)} nodes" if nodes else f"{verb} {len(boxes)} sections"
        for node in nodes:
            return f"{verb} {sheet.graph.title(node)}"
        for box in boxes:
            return f"{verb} section {sheet.sections[box].title}".rstrip()
        return "Unplug"

    return name


def moved(nodes: Collection[int]) -> Name:
    """Which node is moved, which group, or how many nodes."""

    def name(sheet: Sheet) -> str:
        if len(nodes) == 1:
            return f"Move {sheet.graph.title(*nodes)}"
        chosen = frozenset(nodes)
        for number, members in all_members(sheet.groups).items():
            if members == chosen:
                return f"Move group {sheet.groups[number].title}".rstrip()
        return f"Move {len(nodes)} nodes"

    return name


def kind_word(node: Node) -> str:
    """What a node that is added is called: its operation or its kind."""
    if isinstance(node, OpNode):
        return node.op
    return "root" if isinstance(node, Root) else type(node).__name__.lower()
