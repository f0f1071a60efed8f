"""Copying, pasting and duplicating under new ids; pure functions of text, drawing and sheet."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from app.document.grouping import all_members
from app.document.node_sizes import GROUP, node_size
from app.document.placement import columns, snapped
from app.document.sections import check_there
from app.document.sheet import Group, Point, Section, Sheet, sheet_of
from engine import edits
from engine.edits import part
from engine.errors import EditError, FormatError
from engine.formats import expression, python
from engine.formats.native import Drawing, read_drawing, write_drawing
from engine.formats.python import is_notebook
from engine.graph import Root
from engine.numbers import counted

_SIGNS_OF_A_PROGRAM = ("import ", "Value(", "tensor(", ".backward(", "def ", "print(")


class Clip(Struct, frozen=True):
    """The drawing that a text on the clipboard stands for, and the kind of text."""

    drawing: Drawing
    kind: Literal["nodes", "expression", "program"]

    @property
    def told(self) -> str:
        """Return a description of size and origin: "7 nodes from an expression"."""
        nodes = counted(len(self.drawing.graph.nodes), "{count} node", "{count:,} nodes")
        return {
            "nodes": nodes,
            "expression": f"{nodes} from an expression",
            "program": f"{nodes} from a program",
        }[self.kind]


def copied(sheet: Sheet, nodes: Collection[int], boxes: Collection[int] = ()) -> str:
    """Return the text of nodes with the wires between them, groups they fill, and sections."""
    return write_drawing(part_of(sheet, nodes, boxes))


def part_of(sheet: Sheet, nodes: Collection[int], boxes: Collection[int] = ()) -> Drawing:
    """Return the drawing of nodes and sections; slots fed from outside become empty."""
    wanted = frozenset(n for n in nodes if n in sheet.graph.nodes)
    whole = whole_groups(sheet, wanted)
    groups = {
        number: group if group.parent in whole else replace(group, parent=None)
        for number, group in sheet.groups.items()
        if number in whole
    }
    places = {n: sheet.positions[n] for n in wanted if n in sheet.positions}
    sections = {n: sheet.sections[n] for n in boxes if n in sheet.sections}
    return Sheet(part(sheet.graph, wanted), places, sections, groups).drawing()


def whole_groups(sheet: Sheet, nodes: frozenset[int]) -> frozenset[int]:
    """Return the groups whose nodes, including those of inner groups, are all among these."""
    found = all_members(sheet.groups).items()
    return frozenset(number for number, members in found if members and members <= nodes)


def is_ours(text: str) -> bool:
    """Return whether a text looks like nodes copied from Backwire."""
    return text.lstrip().startswith("{")


def clip(text: str) -> Clip:
    """Return what a text on the clipboard stands for, with its kind; raises FormatError."""
    if is_notebook(text):
        return _program(text)
    if is_ours(text):
        return Clip(read_drawing(text), "nodes")
    try:
        return Clip(Drawing(expression.read(text)), "expression")
    except FormatError:
        if not _looks_like_a_program(text):
            raise
    return _program(text)


def _program(text: str) -> Clip:
    program = python.read_program(text)
    return Clip(Drawing(program.graph, remark=program.remark), "program")


def _looks_like_a_program(text: str) -> bool:
    return any(sign in text for sign in _SIGNS_OF_A_PROGRAM)


NO_SECTION_IN_GROUP = "Sections stand on the whole sheet; leave the group first."


class Copied(Struct, frozen=True):
    """A sheet with the copies, and their ids; `unplaced` ones came without positions."""

    sheet: Sheet
    nodes: frozenset[int]
    sections: frozenset[int]
    unplaced: bool = False


def pasted_on(sheet: Sheet, drawing: Drawing, place: Point, into_group: bool = False) -> Copied:
    """Add a drawing with its upper left corner near a point, shifted by whole grid steps.

    Roots stay outside of groups, so a group gets the drawing without its Roots.
    """
    other = _without_roots(sheet_of(drawing)) if into_group else sheet_of(drawing)
    if not other.graph.nodes and not other.sections:
        raise EditError("There is nothing to add.")
    unplaced = len(other.positions) < len(other.graph.nodes)
    if unplaced:
        other = replace(other, positions=columns(other.graph))
    x, y, _width, _height = extent(other)
    graph, ids = edits.merge(sheet.graph, other.graph)
    by = snapped((place[0] - x, place[1] - y))
    numbers = _numbers(sheet, (*other.groups, *other.sections))
    grown = sheet.with_graph(graph, {ids[n]: _moved(p, by) for n, p in other.positions.items()})
    groups = _groups_under(other.groups, ids, numbers, by)
    sections = {numbers[n]: _shifted(found, by) for n, found in other.sections.items()}
    grown = replace(
        grown, groups={**grown.groups, **groups}, sections={**grown.sections, **sections}
    )
    return Copied(grown, frozenset(ids.values()), frozenset(sections), unplaced)


def _without_roots(sheet: Sheet) -> Sheet:
    """Return the part of a sheet that may be in a group."""
    if sheet.sections:
        raise EditError(NO_SECTION_IN_GROUP)
    found = sheet.graph.nodes.items()
    kept = edits.part(sheet.graph, [n for n, node in found if not isinstance(node, Root)])
    return sheet.with_graph(kept)


def duplicated_on(
    sheet: Sheet, nodes: Collection[int], boxes: Collection[int], by: Point
) -> Copied:
    """Add a copy of nodes and sections beside them; wires from outside feed the copies as well."""
    if not nodes and not boxes:
        raise EditError("Choose what to duplicate first.")
    check_there(sheet, boxes)
    graph, ids = edits.duplicate(sheet.graph, nodes)
    whole = {n: sheet.groups[n] for n in whole_groups(sheet, frozenset(ids))}
    homes = _homes(sheet, ids, whole)
    numbers = _numbers(sheet, (*whole, *boxes))
    places = {ids[n]: _moved(sheet.positions[n], by) for n in ids if n in sheet.positions}
    grown = sheet.with_graph(graph, places)
    groups = _groups_under(whole, ids, numbers, by, sheet.groups)
    sections = {numbers[n]: _shifted(sheet.sections[n], by) for n in boxes}
    grown = replace(grown, groups={**homes, **groups}, sections={**grown.sections, **sections})
    return Copied(grown, frozenset(ids.values()), frozenset(sections))


def extent(sheet: Sheet) -> tuple[float, float, float, float]:
    """Return the bounds of everything on a sheet, estimated without drawing it."""
    nodes = sheet.graph.nodes
    rects = [(*place, *node_size(nodes[n])[:2]) for n, place in sheet.positions.items()]
    rects += [(*group.position, *GROUP) for group in sheet.groups.values() if group.collapsed]
    rects += [section.rect for section in sheet.sections.values()]
    left = min((rect[0] for rect in rects), default=0.0)
    top = min((rect[1] for rect in rects), default=0.0)
    right = max((rect[0] + rect[2] for rect in rects), default=0.0)
    low = max((rect[1] + rect[3] for rect in rects), default=0.0)
    return (left, top, right - left, low - top)


def _numbers(sheet: Sheet, boxes: Collection[int]) -> dict[int, int]:
    """Return new numbers for boxes; groups and sections share one numbering."""
    following = max((*sheet.groups, *sheet.sections), default=0) + 1
    return {number: following + k for k, number in enumerate(sorted(set(boxes)))}


def _homes(sheet: Sheet, ids: Mapping[int, int], whole: Collection[int]) -> dict[int, Group]:
    """Return the groups of a sheet, with copies of single members added to them."""
    return {
        number: group
        if number in whole
        else replace(group, members=group.members | {ids[n] for n in group.members if n in ids})
        for number, group in sheet.groups.items()
    }


def _groups_under(
    groups: Mapping[int, Group],
    ids: Mapping[int, int],
    numbers: Mapping[int, int],
    by: Point,
    around: Collection[int] = (),
) -> dict[int, Group]:
    """Return the copies of groups; the outermost stay in the groups `around` them."""
    return {
        numbers[number]: Group(
            group.title,
            frozenset(ids[member] for member in group.members),
            group.collapsed,
            _moved(group.position, by),
            _parent(group.parent, numbers, around),
        )
        for number, group in groups.items()
    }


def _parent(parent: int | None, numbers: Mapping[int, int], around: Collection[int]) -> int | None:
    if parent is None or parent in numbers:
        return None if parent is None else numbers[parent]
    return parent if parent in around else None


def _moved(place: Point, by: Point) -> Point:
    return (place[0] + by[0], place[1] + by[1])


def _shifted(section: Section, by: Point) -> Section:
    x, y, wide, high = section.rect
    return replace(section, rect=(*_moved((x, y), by), wide, high))
