"""The native format: JSON with nodes, places, sections, groups and the active root.

Version 1. What a file holds is checked whole before anything is made of it: size, nesting,
duplicate keys, duplicate ids, dangling and looping wires, numbers. A newer version is refused.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from engine.edits import op_node
from engine.errors import EngineError, FormatError
from engine.formats.format import Format
from engine.graph import LABEL_LIMIT, Constant, Graph, Leaf, Node, OpNode, Root, inputs_of, kind_of

NAME = "backwire"
VERSION = 1
SIZE_LIMIT = 64 * 1024 * 1024
DEPTH_LIMIT = 20
COORDINATE_LIMIT = 1e7
NODE_LIMIT = 200_000
ID_LIMIT = 2**53

Number = float | Literal["NaN", "Infinity", "-Infinity"]


class SectionEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A titled box: its place and size on the sheet, in pixels at 100 %."""

    id: int
    title: str
    rect: tuple[float, float, float, float]
    colour: int = 0


class GroupEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A set of nodes that can be shown as one; `parent` is the group it lies in."""

    id: int
    title: str
    members: list[int]
    collapsed: bool = False
    position: tuple[float, float] = (0.0, 0.0)
    parent: int | None = None


class _NodeEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    id: int
    kind: Literal["leaf", "constant", "op", "root"]
    label: str = ""
    value: Number | msgspec.UnsetType = msgspec.UNSET
    op: str | msgspec.UnsetType = msgspec.UNSET
    inputs: list[int | None] | msgspec.UnsetType = msgspec.UNSET
    position: tuple[float, float] | msgspec.UnsetType = msgspec.UNSET


class _File(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    format: Literal["backwire"]
    version: int
    nodes: list[_NodeEntry]
    active_root: int | None = None
    next_id: int | None = None
    sections: list[SectionEntry] = []
    groups: list[GroupEntry] = []


@dataclass(frozen=True)
class Drawing:
    """A graph with all that a file keeps of its looks."""

    graph: Graph
    positions: Mapping[int, tuple[float, float]] = field(default_factory=dict[int, Any])
    sections: tuple[SectionEntry, ...] = ()
    groups: tuple[GroupEntry, ...] = ()


def write_drawing(drawing: Drawing) -> str:
    """The text of a file; equal drawings give equal texts."""
    graph = drawing.graph
    entries = [
        _entry(number, graph.nodes[number], drawing.positions.get(number))
        for number in sorted(graph.nodes)
    ]
    file = _File(
        format=NAME,
        version=VERSION,
        nodes=entries,
        active_root=graph.active_root,
        next_id=graph.next_id,
        sections=list(drawing.sections),
        groups=list(drawing.groups),
    )
    head, *rest = _lines(file)
    return head + "".join(rest)


def read_drawing(text: str | bytes) -> Drawing:
    """The drawing in a file's text; FormatError names the place of the first fault."""
    file = _parsed(text)
    nodes: dict[int, Node] = {}
    positions: dict[int, tuple[float, float]] = {}
    for place, entry in enumerate(file.nodes, 1):
        if entry.id in nodes:
            raise FormatError(f"Node {place}: the id {entry.id} is used twice.")
        try:
            nodes[entry.id] = _node(entry)
        except EngineError as error:
            raise FormatError(f"Node {entry.id}: {error}") from None
        if not isinstance(entry.position, msgspec.UnsetType):
            positions[entry.id] = _point(entry.position, f"Node {entry.id}")
    graph = _checked(nodes, file)
    _check_boxes(file, graph)
    return Drawing(graph, positions, tuple(file.sections), tuple(file.groups))


def read(text: str) -> Graph:
    """The graph in a file's text, without its looks."""
    return read_drawing(text).graph


def write(graph: Graph) -> str:
    """The text of a file that holds just the graph."""
    return write_drawing(Drawing(graph))


FORMAT = Format("native", "Backwire graph", (".backwire",), read, write)


def _lines(file: _File) -> list[str]:
    """One node a line, so that files compare well."""
    document: dict[str, Any] = msgspec.to_builtins(file)
    document = {"format": NAME, "version": VERSION, **document}
    parts: list[str] = []
    for key, value in document.items():
        if isinstance(value, list) and value:
            rows = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in value)  # type: ignore[misc]
            parts.append(f' "{key}": [\n  {rows}\n ]')
        else:
            parts.append(f' "{key}": {json.dumps(value)}')
    return ["{\n", ",\n".join(parts), "\n}\n"]


def _entry(number: int, node: Node, position: tuple[float, float] | None) -> _NodeEntry:
    entry = _NodeEntry(id=number, kind=kind_of(node))  # type: ignore[arg-type]
    if position is not None:
        entry.position = (float(position[0]), float(position[1]))
    if isinstance(node, Root):
        entry.inputs = [node.input]
        return entry
    entry.label = node.label
    if isinstance(node, OpNode):
        entry.op = node.op
        entry.inputs = list(node.inputs)
    else:
        entry.value = _spelled(node.value)
    return entry


def _spelled(value: float) -> Number:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def _parsed(text: str | bytes) -> _File:
    if len(text) > SIZE_LIMIT:
        raise FormatError(f"The file is larger than {SIZE_LIMIT // 2**20} MiB.")
    try:
        plain = text.decode("utf-8") if isinstance(text, bytes) else text
        plain.encode("utf-8")
    except UnicodeError:
        raise FormatError("The file is not UTF-8 text.") from None
    _check_nesting(plain)
    try:
        document = json.loads(
            plain, object_pairs_hook=_no_duplicates, parse_constant=_no_constant, parse_float=_float
        )
    except json.JSONDecodeError as error:
        place = f"Line {error.lineno}, column {error.colno}"
        raise FormatError(f"{place}: this is not JSON ({error.msg}).") from None
    except RecursionError:
        raise FormatError("The file is nested too deeply.") from None
    except FormatError:
        raise
    except ValueError:
        raise FormatError("The file holds a whole number that is too long.") from None
    _check_head(document)
    try:
        return msgspec.convert(document, _File, strict=True)
    except (msgspec.ValidationError, OverflowError) as error:
        raise FormatError(f"The file is not a Backwire graph: {error}.") from None


def _check_head(document: object) -> None:
    if not isinstance(document, dict) or document.get("format") != NAME:  # type: ignore[misc]
        raise FormatError('The file is not a Backwire graph: it has no "format": "backwire".')
    version: object = document.get("version")  # type: ignore[misc]
    if type(version) is not int or version < 1:
        raise FormatError("The file has no version that is a whole number from 1.")
    if version > VERSION:
        raise FormatError(
            f"The file is of version {version}; this program reads up to version {VERSION}."
        )


def _check_nesting(text: str) -> None:
    depth, quoted, escaped = 0, False, False
    for character in text:
        if quoted:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                quoted = False
        elif character == '"':
            quoted = True
        elif character in "[{":
            depth += 1
            if depth > DEPTH_LIMIT:
                raise FormatError("The file is nested too deeply.")
        elif character in "]}":
            depth -= 1


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _value in pairs:
            if key in seen:
                raise FormatError(f'The key "{key}" stands twice in one object.')
            seen.add(key)
    return found


def _no_constant(word: str) -> float:
    raise FormatError(f'{word} is not JSON; write it as the string "{word}".')


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise FormatError(f"{text[:20]} is too large for a number.")
    return value


def _node(entry: _NodeEntry) -> Node:
    if not 0 <= entry.id < ID_LIMIT:
        raise FormatError("An id is a whole number from 0.")
    if len(entry.label) > LABEL_LIMIT or any(not c.isprintable() for c in entry.label):
        raise FormatError(f"A label is one line of plain text of up to {LABEL_LIMIT} characters.")
    if entry.kind in ("leaf", "constant"):
        value = _only(entry, "value", "op", "inputs")
        return (Leaf if entry.kind == "leaf" else Constant)(float(value), entry.label)
    if entry.kind == "root":
        inputs = _only(entry, "inputs", "op", "value")
        if len(inputs) != 1 or entry.label:
            raise FormatError("A root has one slot and no label.")
        return Root(inputs[0])
    op, inputs = _only(entry, "op", "value"), _only(entry, "inputs", "value")
    node = op_node(op, inputs, entry.label)
    if len(inputs) != len(node.inputs):
        raise FormatError(f"{op} has {len(node.inputs)} slots, not {len(inputs)}.")
    return node


def _only(entry: _NodeEntry, needed: str, *unwanted: str) -> Any:
    for name in unwanted:
        if getattr(entry, name) is not msgspec.UNSET:
            raise FormatError(f'A {entry.kind} has no "{name}".')
    if getattr(entry, needed) is msgspec.UNSET:
        raise FormatError(f'A {entry.kind} needs "{needed}".')
    return getattr(entry, needed)


def _point(point: tuple[float, float], place: str) -> tuple[float, float]:
    if not all(abs(number) <= COORDINATE_LIMIT for number in point):
        raise FormatError(f"{place}: its position is outside the sheet.")
    return (float(point[0]), float(point[1]))


def _checked(nodes: dict[int, Node], file: _File) -> Graph:
    if len(nodes) > NODE_LIMIT:
        raise FormatError(f"The file has {len(nodes):,} nodes; {NODE_LIMIT:,} is the most.")
    for number, node in nodes.items():
        for slot, source in enumerate(inputs_of(node)):
            if source is not None and source not in nodes:
                raise FormatError(f"Node {number}, slot {slot + 1}: there is no node {source}.")
            if source is not None and isinstance(nodes[source], Root):
                raise FormatError(f"Node {number}, slot {slot + 1}: a root gives nothing out.")
    following = max(nodes, default=0) + 1
    if file.next_id is not None and not following <= file.next_id <= ID_LIMIT:
        raise FormatError(f'"next_id" must be at least {following}.')
    if file.active_root is not None and not isinstance(nodes.get(file.active_root), Root):
        raise FormatError(f'"active_root": node {file.active_root} is not a root.')
    graph = Graph(dict(sorted(nodes.items())), file.active_root, file.next_id or following)
    place: dict[int, int] = {n: k for k, n in enumerate(graph.structure.whole_order)}
    for source, (target, slot) in graph.wires():
        if place[source] >= place[target]:
            raise FormatError(f"Node {target}, slot {slot + 1}: this wire closes a loop.")
    return graph


def _check_boxes(file: _File, graph: Graph) -> None:
    groups = {group.id for group in file.groups}
    if len(groups) != len(file.groups):
        raise FormatError("Two groups have the same id.")
    if len({section.id for section in file.sections}) != len(file.sections):
        raise FormatError("Two sections have the same id.")
    owned: set[int] = set()
    for group in file.groups:
        _point(group.position, f"Group {group.id}")
        _check_title(group.title, f"Group {group.id}")
        if group.parent is not None and group.parent not in groups:
            raise FormatError(f"Group {group.id}: there is no group {group.parent}.")
        for member in group.members:
            if member not in graph.nodes:
                raise FormatError(f"Group {group.id}: there is no node {member}.")
            if member in owned:
                raise FormatError(f"Group {group.id}: node {member} is in another group too.")
            owned.add(member)
    parents = {group.id: group.parent for group in file.groups}
    for group in parents:
        seen: set[int] = set()
        at: int | None = group
        while at is not None:
            if at in seen:
                raise FormatError(f"Group {group} lies within itself.")
            seen.add(at)
            at = parents[at]
    for section in file.sections:
        _point(section.rect[:2], f"Section {section.id}")
        _point(section.rect[2:], f"Section {section.id}")
        _check_title(section.title, f"Section {section.id}")


def _check_title(title: str, place: str) -> None:
    if len(title) > LABEL_LIMIT or any(not c.isprintable() for c in title):
        raise FormatError(f"{place}: its title is too long or holds control characters.")
