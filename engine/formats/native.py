"""The native format: JSON with nodes, positions, sections, groups, the active root and a task.

Version 2 has a task; a drawing without one is written as version 1. Equal drawings give equal
texts, with one node per line. Files of a newer version are refused.
"""

import json
import math
from collections.abc import Container
from typing import cast

import msgspec

from engine.formats.format import Format
from engine.formats.native_reader import check_count, checked_point, read_drawing
from engine.formats.native_schema import (
    COORDINATE_LIMIT,
    ID_LIMIT,
    NAME,
    NODE_LIMIT,
    VERSION,
    Drawing,
    File,
    GroupEntry,
    JsonNumber,
    NodeEntry,
    Point,
    SectionEntry,
)
from engine.formats.strict_json import MIB, SIZE_LIMIT
from engine.graph import Graph, Node, OpNode, Root, kind_of

__all__ = [
    "COORDINATE_LIMIT",
    "FORMAT",
    "ID_LIMIT",
    "MIB",
    "NAME",
    "NODE_LIMIT",
    "SIZE_LIMIT",
    "VERSION",
    "Drawing",
    "GroupEntry",
    "Point",
    "SectionEntry",
    "read",
    "read_drawing",
    "spelled",
    "text_of",
    "write",
    "write_drawing",
]


def write_drawing(drawing: Drawing) -> str:
    """Return the text of a file; raises FormatError if the drawing exceeds a file's limits."""
    graph = drawing.graph
    check_count(len(graph.nodes))
    entries = [
        _entry(number, graph.nodes[number], drawing.positions.get(number))
        for number in sorted(graph.nodes)
    ]
    file = File(
        format=NAME,
        version=1 if drawing.task is None else VERSION,
        nodes=entries,
        active_root=graph.active_root,
        next_id=graph.next_id,
        sections=list(drawing.sections),
        groups=list(drawing.groups),
        task=drawing.task,
    )
    return text_of(msgspec.to_builtins(file), ("nodes", "sections", "groups"))


def read(text: str) -> Graph:
    """Return the graph in a file's text, without its layout."""
    return read_drawing(text).graph


def write(graph: Graph) -> str:
    """Return the text of a file that holds just the graph."""
    return write_drawing(Drawing(graph))


FORMAT = Format("native", "Backwire graph", (".backwire",), read, write)


def text_of(document: dict[str, object], lists: Container[str]) -> str:
    """Return JSON with one element of these lists per line, so that files compare well."""
    parts: list[str] = []
    for key, value in document.items():
        if key in lists and value:
            rows = ",\n  ".join(_line(row) for row in cast("list[object]", value))
            text = f"[\n  {rows}\n ]"
        else:
            text = _line(value)
        parts.append(f' "{key}": {text}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _entry(number: int, node: Node, position: Point | None) -> NodeEntry:
    entry = NodeEntry(id=number, kind=kind_of(node))
    if position is not None:
        entry.position = checked_point(position, "Node", number)
    if isinstance(node, Root):
        entry.inputs = [node.input]
        return entry
    entry.label = node.label
    if isinstance(node, OpNode):
        entry.op = node.op
        entry.inputs = list(node.inputs)
    else:
        entry.value = spelled(node.value)
    return entry


def spelled(value: float) -> JsonNumber:
    """Return a number as JSON can hold it."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value
