"""The native format: JSON with nodes, positions, groups, the active root and a task.

Version 2 has a task, version 4 frozen operations and the recorded pass of a program, version 5 a
lesson, version 6 groups with a rectangle or a colour of their own, version 7 operations of one's
own; a drawing is written in the lowest version that holds it. Before version 6 such groups were a
list of sections, which is read as well. The marks of version 3, which was never released, are left
out. Equal drawings give equal texts, with one node per line. Files of a newer version are refused.

A text is checked in this order: JSON, schema, version, groups, task, lesson, operations, nodes,
dangling wires, cycles, recorded pass. The first error is raised, one sentence with its place.
"""

import itertools
import json
import math
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import msgspec

from engine.asking.question import Task, check_task
from engine.edits import op_node
from engine.errors import EngineError, FormatError, sentence
from engine.formats import strict_json
from engine.formats.format import Format
from engine.formats.own_formula import own_operation
from engine.graph import LABEL_LIMIT, Constant, Graph, Leaf, Node, OpNode, Root, kind_of, post_order
from engine.names import LONGEST_NAME, is_name, is_plain_line
from engine.nodes import slot_count_error
from engine.numbers import counted
from engine.ops import BY_NAME, MOST_SLOTS, Op, Use, frozen, in_order_of_use
from engine.rules import Recorded

NAME = "backwire"
VERSION = 7
COORDINATE_LIMIT = 1e7
"""Largest coordinate on the sheet, in px at 100 %."""
NODE_LIMIT = 50_000
"""Maximum number of nodes in a file, and as many groups."""
DEPTH_LIMIT = 64
"""Maximum number of groups around a node."""
LESSON_LIMIT = 128 * 1024
"""Most bytes of a lesson: many times the longest of the course."""
LESSON_TOO_LONG = "A lesson has up to {limit} KiB."
ID_LIMIT = 2**53
"""Bound of ids: below it, a program that reads JSON's numbers as floats keeps them exactly."""

JsonNumber = float | Literal["NaN", "Infinity", "-Infinity"]
"""A number in a file: JSON has no nan and no infinities, so these are strings."""
Point = tuple[float, float]
"""x and y on the sheet, in px at 100 %; of a node, its upper left corner."""
Rect = tuple[float, float, float, float]
"""x, y, width and height in px at 100 %."""


class GroupEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A set of nodes that can be shown as one; `parent` is the group that contains it.

    `members` are the nodes in it but in no group inside it. It is shown at `position` while it is
    `collapsed`. One with a `rect` is drawn there while it is open, and holds what lies in it;
    `colour` is an index into the colours of groups.
    """

    id: int
    title: str
    members: list[int]
    collapsed: bool = False
    position: Point = (0.0, 0.0)
    parent: int | None = None
    rect: Rect | None = None
    colour: int | None = None


class _SectionEntry(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A drawn group as files had it before version 6, of a numbering of its own."""

    id: int
    title: str
    rect: Rect
    colour: int = 0


class NodeEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A node: `value` is for leaves and constants, `op` for op nodes.

    `inputs` are the sources of an op node or a root, slot by slot; None for an empty slot.
    """

    id: int
    kind: Literal["leaf", "constant", "op", "root"]
    label: str = ""
    value: JsonNumber | msgspec.UnsetType = msgspec.UNSET
    op: str | msgspec.UnsetType = msgspec.UNSET
    inputs: list[int | None] | msgspec.UnsetType = msgspec.UNSET
    position: Point | msgspec.UnsetType = msgspec.UNSET


_Use = tuple[list[JsonNumber], JsonNumber, list[JsonNumber]]


class OperationEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A frozen operation: its uses in a program, each as inputs, value and slopes.

    `symbol` is what the program calls it, if that is not its name. One of one's own has a `formula`
    in place of uses, and the `rule` that the learner wrote for it, or "".
    """

    name: str
    uses: list[_Use] = []
    symbol: str = ""
    formula: str = ""
    rule: str = ""


class RecordedEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A recorded pass: for each node its id, value, and gradients before and after.

    `slopes` are node, slot and local derivative; the rest is as in `engine.rules.Recorded`.
    """

    nodes: list[tuple[int, JsonNumber, JsonNumber, JsonNumber | None]]
    fired: list[int] = []
    assigns: list[tuple[int, int]] = []
    slopes: list[tuple[int, int, JsonNumber]] = []
    seed: JsonNumber = 1.0
    wrong: bool = False


class File(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A whole file; `next_id` is the id of the next new node, so that none is used again."""

    format: Literal["backwire"]
    version: int
    nodes: list[NodeEntry]
    active_root: int | None = None
    next_id: int | None = None
    sections: list[_SectionEntry] = []
    groups: list[GroupEntry] = []
    task: Task | None = None
    lecture: list[Any] = []
    operations: list[OperationEntry] = []
    recorded: RecordedEntry | None = None
    lesson: str = ""


@dataclass(frozen=True)
class Drawing:
    """A graph with the layout that a file keeps."""

    graph: Graph
    positions: Mapping[int, Point] = field(default_factory=dict[int, Any])
    groups: tuple[GroupEntry, ...] = ()
    task: Task | None = None
    """The exercise, if the drawing is one."""
    lesson: str = ""
    """The steps of a lesson on the graph, as TOML without [graph]: it is never parsed here."""
    recorded: Recorded | None = None
    """What the pass of a program did to the graph, if it came from one."""
    remark: str = field(default="", compare=False)
    """A message for the user about the import, such as a substituted class; not saved."""


def write_drawing(drawing: Drawing) -> str:
    """Return the text of a file; raises FormatError if the drawing exceeds a file's limits."""
    graph = drawing.graph
    _check_count(len(graph.nodes))
    entries = [
        _entry(number, graph.nodes[number], drawing.positions.get(number))
        for number in sorted(graph.nodes)
    ]
    file = File(
        format=NAME,
        version=1,
        nodes=entries,
        active_root=graph.active_root,
        next_id=graph.next_id,
        groups=list(drawing.groups),
        task=drawing.task,
        operations=[_operation_entry(op) for op in in_order_of_use(graph.operations)],
        recorded=None if drawing.recorded is None else _recorded_entry(drawing.recorded),
        lesson=drawing.lesson,
    )
    file.version = max([1, *_needed_versions(file).values()])
    lists = ("nodes", "groups", "operations")
    return json_text(msgspec.to_builtins(file), lists)


_SINCE = {"task": 2, "lecture": 3, "operations": 4, "recorded": 4, "lesson": 5}
"""The first version of a file with each of its later fields."""


def _needed_versions(file: File) -> dict[str, int]:
    """Return the first version that has each of the later fields that a file has."""
    found = {part: since for part, since in _SINCE.items() if getattr(file, part)}
    if file.task is not None and not file.task.hints:
        found["task"] = 5  # readers of version 2 know no such task
    for part in ("rect", "colour"):
        if any(getattr(group, part) is not None for group in file.groups):
            found[part] = 6
    if any(entry.formula for entry in file.operations):
        found["operations"] = VERSION
    return found


def read(text: str) -> Graph:
    """Return the graph in a file's text, without its layout."""
    return read_drawing(text).graph


def write(graph: Graph) -> str:
    """Return the text of a file that holds just the graph."""
    return write_drawing(Drawing(graph))


FORMAT = Format("native", "Backwire graph", (".backwire",), read, write)


def json_text(document: dict[str, object], lists: Container[str]) -> str:
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
        entry.value = json_number(node.value)
    return entry


def _operation_entry(op: Op) -> OperationEntry:
    uses: list[_Use] = [
        ([*map(json_number, use.inputs)], json_number(use.value), [*map(json_number, use.slopes)])
        for use in op.uses
    ]
    symbol = "" if op.symbol == op.name else op.symbol
    return OperationEntry(op.name, uses, symbol, op.typed, op.rule)


def json_number(value: float) -> JsonNumber:
    """Return a number as JSON can hold it."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


_FIELDS = {"leaf": ("value",), "constant": ("value",), "op": ("op", "inputs"), "root": ("inputs",)}
"""Required fields by kind of node; its other optional fields are forbidden."""


def is_drawing(content: bytes) -> bool:
    """Return whether bytes begin as a file of this format does, of whatever version."""
    try:
        return strict_json.decode(content, strict_json.Head).has_format(NAME)
    except FormatError:
        return False


def read_drawing(text: str | bytes) -> Drawing:
    """Return the drawing in a file's text; raises FormatError with the place of the first error."""
    file = _file(strict_json.valid_utf8(text))
    for name, entries in (
        ("nodes", file.nodes),
        ("groups", file.groups),
        ("sections", file.sections),
    ):
        _check_count(len(entries), name)
    for part, since in _needed_versions(file).items():
        if file.version < since:
            template = "A file of version {version} has no field {part}."
            raise FormatError(template, version=file.version, part=part)
    groups = [*file.groups, *_drawn_groups(file)]
    _check_groups(groups)
    _check_task(file)
    _check_lesson(file.lesson)
    operations = _operations(file)
    nodes: dict[int, Node] = {}
    positions: dict[int, Point] = {}
    for place, entry in enumerate(file.nodes, 1):
        if entry.id in nodes:
            raise FormatError(
                "Node {place}: the id {node} is used twice.", place=place, node=entry.id
            )
        try:
            nodes[entry.id] = _node(entry, operations)
        except EngineError as error:
            raise FormatError("Node {node}: {reason}", node=entry.id, reason=error) from None
        if not isinstance(entry.position, msgspec.UnsetType):
            positions[entry.id] = checked_point(entry.position, "Node", entry.id)
    _check_members(groups, nodes)
    graph = _graph(nodes, file, operations)
    return Drawing(
        *(graph, positions, tuple(groups), file.task),
        file.lesson,
        _recorded(file, graph),
        _left_out(len(file.lecture)),
    )


def _check_count(number: int, what: str = "nodes") -> None:
    """Raise FormatError for more nodes or groups than a file may hold."""
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
    strict_json.check_no_duplicate_keys(content)
    return file


def _operations(file: File) -> tuple[Op, ...]:
    found: dict[str, Op] = {}
    for number, entry in enumerate(file.operations, 1):
        try:
            if entry.name in found:
                raise FormatError("Its name is used twice.")
            found[entry.name] = _operation(entry, tuple(found.values()))
        except EngineError as error:
            raise FormatError("Operation {number}: {reason}", number=number, reason=error) from None
    return tuple(found.values())


def _operation(entry: OperationEntry, before: tuple[Op, ...]) -> Op:
    """Return an operation, which may use those before; FormatError for one that none could be."""
    if entry.formula and not entry.uses and not entry.symbol:
        return own_operation(entry.name, entry.formula, entry.rule, before)
    if not is_name(entry.name) or len(entry.name) > LONGEST_NAME:
        raise FormatError("Its name is one word of up to {most} letters.", most=LONGEST_NAME)
    if len(entry.symbol) > LONGEST_NAME or not is_plain_line(entry.symbol):
        raise FormatError("Its symbol is up to {most} characters.", most=LONGEST_NAME)
    sizes = {len(numbers) for inputs, _value, slopes in entry.uses for numbers in (inputs, slopes)}
    if len(sizes) != 1 or not 1 <= max(sizes) <= MOST_SLOTS:
        raise FormatError(
            "Each use of it has a slope for each of its 1 to {most} inputs.", most=MOST_SLOTS
        )
    rows = tuple(
        Use(tuple(map(float, inputs)), float(value), tuple(map(float, slopes)))
        for inputs, value, slopes in entry.uses
    )
    return frozen(entry.name, entry.symbol or entry.name, rows)


def _recorded_entry(recorded: Recorded) -> RecordedEntry:
    before, grads = recorded.before, recorded.grads
    return RecordedEntry(
        [
            (
                *(node, json_number(value), json_number(before.get(node, 0.0))),
                json_number(grads[node]) if node in grads else None,
            )
            for node, value in sorted(recorded.values.items())
        ],
        list(recorded.fired),
        sorted(recorded.assigns),
        [(*wire, json_number(slope)) for wire, slope in sorted(recorded.slopes.items())],
        json_number(recorded.seed),
        recorded.wrong,
    )


def _recorded(file: File, graph: Graph) -> Recorded | None:
    """Return the recorded pass of a file; raises FormatError if it is that of another graph."""
    entry = file.recorded
    if entry is None:
        return None
    passing = {n for n, node in graph.nodes.items() if not isinstance(node, Root)}
    for node in (*(row[0] for row in entry.nodes), *entry.fired):
        if node not in passing:
            raise FormatError("The recorded pass: there is no node {node}.", node=node)
    wires = {wire for _source, wire in graph.wires()}
    for target, slot in (*(row[:2] for row in entry.slopes), *entry.assigns):
        if (target, slot) not in wires:
            raise _wire_refusal(target, slot, "the recorded pass has a step where no wire is.")
    return Recorded(
        {node: float(value) for node, value, _before, _grad in entry.nodes},
        {node: float(before) for node, _value, before, _grad in entry.nodes if float(before)},
        {node: float(grad) for node, _value, _before, grad in entry.nodes if grad is not None},
        tuple(entry.fired),
        frozenset(entry.assigns),
        {(target, slot): float(slope) for target, slot, slope in entry.slopes},
        float(entry.seed),
        entry.wrong,
    )


def _node(entry: NodeEntry, operations: Iterable[Op] = ()) -> Node:
    _check_fields(entry)
    if entry.kind in ("leaf", "constant"):
        value = float(cast(JsonNumber, entry.value))
        return (Leaf if entry.kind == "leaf" else Constant)(value, entry.label)
    inputs = cast("list[int | None]", entry.inputs)
    if entry.kind == "root":
        if len(inputs) != 1 or entry.label:
            raise FormatError("A root has one slot and no label.")
        return Root(inputs[0])
    name = cast(str, entry.op)
    node = op_node(name, inputs, entry.label, operations)
    if len(inputs) != len(node.inputs):
        known = BY_NAME | {op.name: op for op in operations}
        raise slot_count_error(known[name], len(inputs))
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


def _graph(nodes: Mapping[int, Node], file: File, operations: tuple[Op, ...]) -> Graph:
    _check_wires(nodes)
    least = max(nodes, default=-1) + 1  # 0 in an empty graph, although new ids begin at 1
    following = max(least, 1) if file.next_id is None else file.next_id
    if not least <= following <= ID_LIMIT:
        raise FormatError(
            '"next_id" is a whole number from {least} to {most}.', least=least, most=ID_LIMIT
        )
    if file.active_root is not None and not isinstance(nodes.get(file.active_root), Root):
        raise FormatError('"active_root": node {node} is not a root.', node=file.active_root)
    graph = Graph(dict(sorted(nodes.items())), file.active_root, following, operations)
    # inputs come before the nodes that use them, except along a wire that closes a loop
    place = {node: k for k, node in enumerate(graph.structure.topological_order)}
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
        _check_box(group)
        if group.parent is not None and group.parent not in parents:
            raise FormatError(
                "Group {group}: there is no group {parent}.", group=group.id, parent=group.parent
            )
    _check_nested_groups(parents)
    with_groups_inside = set(parents.values())
    for group in groups:
        is_drawn = group.rect is not None and not group.collapsed
        if not (group.members or is_drawn or group.id in with_groups_inside):
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
    depths: dict[int | None, int] = {None: 0}
    for number in post_order(parents, lambda group: (parents[group],)):
        # in this order a parent comes before its groups, unless it lies in one of them
        if parents[number] not in depths:
            raise FormatError("Group {group} lies within itself.", group=number)
        depths[number] = depths[parents[number]] + 1
        if depths[number] > DEPTH_LIMIT:
            template = "Group {group} lies in more than {limit} others."
            raise FormatError(template, group=number, limit=DEPTH_LIMIT)


def _drawn_groups(file: File) -> list[GroupEntry]:
    """Return the sections of an older file as groups; one whose id a group has gets another."""
    if len({section.id for section in file.sections}) != len(file.sections):
        raise FormatError("Two sections have the same id.")
    taken = {group.id for group in file.groups}
    new = itertools.count(max((*taken, *(section.id for section in file.sections)), default=0) + 1)
    return [
        GroupEntry(next(new) if s.id in taken else s.id, s.title, [], rect=s.rect, colour=s.colour)
        for s in file.sections
    ]


def _check_task(file: File) -> None:
    if file.task is None:
        return
    try:
        check_task(file.task)
    except EngineError as error:
        raise FormatError("Task: {reason}", reason=error) from None


def _check_lesson(text: str) -> None:
    if len(text.encode("utf-8", "replace")) > LESSON_LIMIT:
        raise FormatError(LESSON_TOO_LONG, limit=LESSON_LIMIT // 1024)


def _left_out(marks: int) -> str:
    if not marks:
        return ""
    one, many = "1 mark of an earlier version was", "{count:,} marks of an earlier version were"
    return f"{counted(marks, one, many)} left out."


def _check_box(group: GroupEntry) -> None:
    if not 1 <= group.id < ID_LIMIT:
        raise FormatError("Group {id}: an id of a group is a whole number from 1.", id=group.id)
    if not _is_line(group.title):
        raise FormatError(
            "Group {id}: its title is too long or holds control characters.", id=group.id
        )
    for point in (group.position, *((group.rect[:2], group.rect[2:]) if group.rect else ())):
        checked_point(point, "Group", group.id)  # width and height have the same limit


def _is_line(text: str) -> bool:
    return len(text) <= LABEL_LIMIT and is_plain_line(text)
