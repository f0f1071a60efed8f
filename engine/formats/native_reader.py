"""Reads Backwire files: everything is checked before anything is built from it.

Checks the text, its shape, sections, groups, the task, nodes, dangling and cyclic wires in this
order; the first error is reported as one sentence that names its place.
"""

from collections.abc import Iterable, Mapping
from typing import cast

import msgspec

from engine.edits import op_node
from engine.errors import EngineError, FormatError, sentence
from engine.formats import strict_json
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
from engine.graph import LABEL_LIMIT, Constant, Graph, Leaf, Node, OpNode, Root
from engine.names import is_plain_line
from engine.nodes import wrong_count
from engine.order import post_order
from engine.study import task

_FIELDS = {"leaf": ("value",), "constant": ("value",), "op": ("op", "inputs"), "root": ("inputs",)}
"""The fields that a node of each kind has, and no other of a node's fields."""


def read_drawing(text: str | bytes) -> Drawing:
    """Return the drawing in a file's text; raises FormatError with the place of the first error."""
    file = _file(strict_json.checked(text))
    for boxes, found in (
        ("nodes", file.nodes),
        ("groups", file.groups),
        ("sections", file.sections),
    ):
        check_count(len(found), boxes)
    _check_sections(file)
    _check_groups(file.groups)
    _check_task(file)
    nodes: dict[int, Node] = {}
    positions: dict[int, Point] = {}
    for place, entry in enumerate(file.nodes, 1):
        if entry.id in nodes:
            raise FormatError(
                "Node {place}: the id {node} is used twice.", place=place, node=entry.id
            )
        try:
            nodes[entry.id] = _node(entry)
        except EngineError as error:
            raise FormatError("Node {node}: {reason}", node=entry.id, reason=error) from None
        if not isinstance(entry.position, msgspec.UnsetType):
            positions[entry.id] = checked_point(entry.position, "Node", entry.id)
    _check_members(file.groups, nodes)
    graph = _graph(nodes, file)
    return Drawing(graph, positions, tuple(file.sections), tuple(file.groups), file.task)


def check_count(number: int, what: str = "nodes") -> None:
    """Raise FormatError for more nodes, groups or sections than a file may hold."""
    if number > NODE_LIMIT:
        raise FormatError(
            "A file holds up to {limit:,} {what}, not {number:,}.",
            limit=NODE_LIMIT,
            what=what,
            number=number,
        )


def checked_point(point: Iterable[float], kind: str, number: int) -> Point:
    """Return two coordinates; raises FormatError if they are off the sheet."""
    x, y = point
    if not (abs(x) <= COORDINATE_LIMIT and abs(y) <= COORDINATE_LIMIT):  # also refuses nan
        raise FormatError("{kind} {id}: its position is outside the sheet.", kind=kind, id=number)
    return (float(x), float(y))


def _file(content: bytes) -> File:
    strict_json.check_head(content, NAME, VERSION)
    file = strict_json.decode(content, File)
    strict_json.check_keys(content)
    return file


def _node(entry: NodeEntry) -> Node:
    _check_fields(entry)
    if entry.kind in ("leaf", "constant"):
        value = float(cast(JsonNumber, entry.value))
        return (Leaf if entry.kind == "leaf" else Constant)(value, entry.label)
    inputs = cast("list[int | None]", entry.inputs)
    if entry.kind == "root":
        if len(inputs) != 1 or entry.label:
            raise FormatError("A root has one slot and no label.")
        return Root(inputs[0])
    return _op(cast(str, entry.op), inputs, entry.label)


def _op(op: str, inputs: list[int | None], label: str) -> OpNode:
    node = op_node(op, inputs, label)
    if len(inputs) != len(node.inputs):
        raise wrong_count(op, len(inputs))
    return node


def _check_fields(entry: NodeEntry) -> None:
    if not 0 <= entry.id < ID_LIMIT:
        raise FormatError("An id is a whole number from 0.")
    if not _is_line(entry.label):
        raise FormatError(
            "A label is one line of plain text of up to {limit} characters.", limit=LABEL_LIMIT
        )
    for name in ("value", "op", "inputs"):
        given = getattr(entry, name) is not msgspec.UNSET
        if given != (name in _FIELDS[entry.kind]):
            template = 'A node of kind {kind} needs "{name}".'
            if given:
                template = 'A node of kind {kind} has no "{name}".'
            raise FormatError(template, kind=entry.kind, name=name)


def _graph(nodes: Mapping[int, Node], file: File) -> Graph:
    _check_wires(nodes)
    least = max(nodes, default=-1) + 1
    following = max(least, 1) if file.next_id is None else file.next_id
    if not least <= following <= ID_LIMIT:
        raise FormatError(
            '"next_id" is a whole number from {least} to {most}.', least=least, most=ID_LIMIT
        )
    if file.active_root is not None and not isinstance(nodes.get(file.active_root), Root):
        raise FormatError('"active_root": node {node} is not a root.', node=file.active_root)
    graph = Graph(dict(sorted(nodes.items())), file.active_root, following)
    place = {node: k for k, node in enumerate(graph.structure.whole_order)}
    for source, (target, slot) in graph.wires():
        if place[source] >= place[target]:
            raise _wire_refusal(target, slot, "this wire closes a loop.")
    return graph


def _check_wires(nodes: Mapping[int, Node]) -> None:
    for number, node in nodes.items():
        for slot, source in enumerate(node.inputs):
            if source is not None and source not in nodes:
                raise _wire_refusal(number, slot, "there is no node {source}.", source=source)
            if source is not None and isinstance(nodes[source], Root):
                raise _wire_refusal(number, slot, "a root gives nothing out.")


def _wire_refusal(node: int, slot: int, reason: str, **fields: object) -> FormatError:
    template, said = "Node {node}, slot {slot}: {reason}", sentence(reason, fields)
    return FormatError(template, node=node, slot=slot + 1, reason=said, **fields)


def _check_groups(groups: list[GroupEntry]) -> None:
    parents = {group.id: group.parent for group in groups}
    if len(parents) != len(groups):
        raise FormatError("Two groups have the same id.")
    for group in groups:
        _check_box(group, group.position, "Group")
        if group.parent is not None and group.parent not in parents:
            raise FormatError(
                "Group {group}: there is no group {parent}.", group=group.id, parent=group.parent
            )
    _check_nested_groups(parents)
    around = set(parents.values())
    for group in groups:
        if not group.members and group.id not in around:
            raise FormatError("Group {group}: there is nothing in it.", group=group.id)


def _check_members(groups: list[GroupEntry], nodes: Mapping[int, Node]) -> None:
    owned: set[int] = set()
    for group in groups:
        for member in group.members:
            if member not in nodes:
                raise FormatError(
                    "Group {group}: there is no node {node}.", group=group.id, node=member
                )
            if isinstance(nodes[member], Root):
                raise FormatError(
                    "Group {group}: node {node} is a root; it stays outside of groups.",
                    group=group.id,
                    node=member,
                )
            if member in owned:
                raise FormatError(
                    "Group {group}: node {node} stands in a group twice.",
                    group=group.id,
                    node=member,
                )
            owned.add(member)


def _check_nested_groups(parents: Mapping[int, int | None]) -> None:
    met: set[int | None] = {None}
    for number in post_order(parents, lambda group: (parents[group],)):
        if parents[number] not in met:  # a parent comes before its groups
            raise FormatError("Group {group} lies within itself.", group=number)
        met.add(number)


def _check_sections(file: File) -> None:
    if len({section.id for section in file.sections}) != len(file.sections):
        raise FormatError("Two sections have the same id.")
    for section in file.sections:
        _check_box(section, section.rect[:2], "Section")
        checked_point(section.rect[2:], "Section", section.id)


def _check_task(file: File) -> None:
    if file.task is None:
        return
    if file.version == 1:
        raise FormatError("A file of version 1 has no task.")
    try:
        task.check(file.task)
    except EngineError as error:
        raise FormatError("Task: {reason}", reason=error) from None


def _check_box(box: GroupEntry | SectionEntry, position: Iterable[float], kind: str) -> None:
    if not 1 <= box.id < ID_LIMIT:
        raise FormatError(
            "{kind} {id}: an id of a section or a group is a whole number from 1.",
            kind=kind,
            id=box.id,
        )
    if not _is_line(box.title):
        raise FormatError(
            "{kind} {id}: its title is too long or holds control characters.", kind=kind, id=box.id
        )
    checked_point(position, kind, box.id)


def _is_line(text: str) -> bool:
    return len(text) <= LABEL_LIMIT and is_plain_line(text)
