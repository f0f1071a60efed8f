"""Copying, pasting and duplicating under new ids; pure functions of text, drawing and sheet.

    clipboard_text(sheet, nodes, frames)           copies: the text for the clipboard
    read_clip(text)                                reads copied nodes, an expression or a program
    paste_on(sheet, drawing, place)                adds a drawing near a point
    duplicate_on(sheet, nodes, frames, offset)     adds copies that the same wires feed

Frames are the drawn groups, which are chosen apart from the nodes in them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import count
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from app.document.boxes import all_members, existing_group, shifted
from app.document.node_sizes import TYPICAL_GROUP_SIZE, node_size
from app.document.placement import columns, snapped
from app.document.sheet import Group, Point, Sheet, sheet_of
from engine import edits
from engine.edits import subgraph
from engine.errors import EditError
from engine.formats import python
from engine.formats.expression import read_typed
from engine.formats.native import Drawing, read_drawing, write_drawing
from engine.formats.notation import looks_like_a_program
from engine.formats.python import is_notebook
from engine.graph import Graph, Root, Wire
from engine.matching import added
from engine.numbers import counted


class Clip(Struct, frozen=True):
    """The drawing read from the text of the clipboard, and the kind of text."""

    drawing: Drawing
    kind: Literal["nodes", "expression", "program"]

    @property
    def description(self) -> str:
        """Return its size and origin: "7 nodes from an expression"."""
        nodes = counted(len(self.drawing.graph.nodes), "{count} node", "{count:,} nodes")
        return {
            "nodes": nodes,
            "expression": f"{nodes} from an expression",
            "program": f"{nodes} from a program",
        }[self.kind]


def clipboard_text(sheet: Sheet, nodes: Collection[int], frames: Collection[int] = ()) -> str:
    """Return nodes, wires between them, groups fully among them, and frames as JSON text."""
    return write_drawing(drawing_of(sheet, nodes, frames))


def drawing_of(sheet: Sheet, nodes: Collection[int], frames: Collection[int] = ()) -> Drawing:
    """Return the drawing of nodes and frames; slots fed by other nodes become empty."""
    wanted = frozenset(n for n in nodes if n in sheet.graph.nodes)
    complete = complete_groups(sheet, wanted).union(frames)
    groups = {
        number: group if group.parent in complete else replace(group, parent=None)
        for number, group in sheet.groups.items()
        if number in complete
    }
    places = {n: sheet.positions[n] for n in wanted if n in sheet.positions}
    return Sheet(subgraph(sheet.graph, wanted), places, groups).drawing()


def complete_groups(sheet: Sheet, nodes: frozenset[int]) -> frozenset[int]:
    """Return the groups whose nodes, including those of inner groups, are all among these."""
    every = all_members(sheet.groups)
    found = {number for number, members in every.items() if members and members <= nodes}
    # a drawn group in a collapsed one has no members, which are those of the collapsed one
    empty = (n for n, group in sheet.groups.items() if not every[n] and group.parent in found)
    return frozenset(found).union(empty)


def _is_backwire_text(text: str) -> bool:
    """Return whether a text looks like the JSON that Backwire copies."""
    return text.lstrip().startswith("{")


def read_clip(text: str) -> Clip:
    """Parse the text of the clipboard as JSON, expression or program; raises FormatError."""
    if _is_backwire_text(text) and not is_notebook(text):
        return Clip(read_drawing(text), "nodes")
    if is_notebook(text) or looks_like_a_program(text):
        return Clip(python.read_program(text), "program")
    typed = read_typed(text)
    return Clip(Drawing(typed.named, remark=typed.remark), "expression")


NOT_DRAWN_INSIDE = "Groups are drawn on the whole sheet; leave this one first."


class CopyResult(Struct, frozen=True):
    """A sheet with the copies, and their ids; `unplaced` if some have provisional positions."""

    sheet: Sheet
    nodes: frozenset[int]
    unplaced: bool = False


def paste_on(sheet: Sheet, drawing: Drawing, place: Point, into_group: bool = False) -> CopyResult:
    """Add a drawing with its upper left corner near a point, shifted by whole grid steps.

    Roots stay outside of groups, so a group gets the drawing without its Roots.
    """
    pasted = _without_roots(sheet_of(drawing)) if into_group else sheet_of(drawing)
    if not pasted.graph.nodes and not pasted.groups:
        raise EditError("There is nothing to add.")
    unplaced = len(pasted.positions) < len(pasted.graph.nodes)
    if unplaced:
        pasted = replace(pasted, positions=columns(pasted.graph))
    x, y, _width, _height = sheet_bounds(pasted)
    graph, ids = edits.merge(sheet.graph, pasted.graph)
    offset = snapped((place[0] - x, place[1] - y))
    numbers = _new_numbers(sheet, pasted.groups)
    result = sheet.with_graph(
        graph, {ids[n]: _moved(p, offset) for n, p in pasted.positions.items()}
    )
    groups = _copied_groups(pasted.groups, ids, numbers, offset)
    result = replace(result, groups={**result.groups, **groups})
    return CopyResult(result, frozenset(ids.values()), unplaced)


def formula_on(
    sheet: Sheet, typed: Graph, given: Collection[str], place: Point, wire: Wire | None
) -> CopyResult:
    """Add a typed graph at a point, which feeds the slot `wire`; it shares the sheet's leaves."""
    graph, new = added(sheet.graph, typed, given, wire)
    places = columns(subgraph(graph, new), place)
    return CopyResult(sheet.with_graph(graph, places), new, bool(new))


def _without_roots(sheet: Sheet) -> Sheet:
    """Return a sheet without its Roots; raises EditError if it has drawn groups."""
    if sheet.drawn:
        raise EditError(NOT_DRAWN_INSIDE)
    found = sheet.graph.nodes.items()
    kept = edits.subgraph(sheet.graph, [n for n, node in found if not isinstance(node, Root)])
    return sheet.with_graph(kept)


def duplicate_on(
    sheet: Sheet, nodes: Collection[int], frames: Collection[int], offset: Point
) -> CopyResult:
    """Add a copy of nodes and frames, shifted by an offset; wires from other nodes feed both."""
    if not nodes and not frames:
        raise EditError("Choose what to duplicate first.")
    graph, ids = edits.duplicate(sheet.graph, nodes)
    chosen = complete_groups(sheet, frozenset(ids)).union(frames)
    complete = {n: existing_group(sheet, n) for n in chosen}
    with_copies = _groups_with_copies(sheet, ids, complete)
    numbers = _new_numbers(sheet, complete)
    places = {ids[n]: _moved(sheet.positions[n], offset) for n in ids if n in sheet.positions}
    result = sheet.with_graph(graph, places)
    groups = _copied_groups(complete, ids, numbers, offset, sheet.groups)
    return CopyResult(replace(result, groups={**with_copies, **groups}), frozenset(ids.values()))


def sheet_bounds(sheet: Sheet) -> tuple[float, float, float, float]:
    """Return the bounds of everything on a sheet, estimated without drawing it."""
    nodes = sheet.graph.nodes
    rects = [(*place, *node_size(nodes[n])[:2]) for n, place in sheet.positions.items()]
    rects += [
        (*group.position, *TYPICAL_GROUP_SIZE) for group in sheet.groups.values() if group.collapsed
    ]
    rects += sheet.drawn.values()
    left = min((rect[0] for rect in rects), default=0.0)
    top = min((rect[1] for rect in rects), default=0.0)
    right = max((rect[0] + rect[2] for rect in rects), default=0.0)
    bottom = max((rect[1] + rect[3] for rect in rects), default=0.0)
    return (left, top, right - left, bottom - top)


def _new_numbers(sheet: Sheet, boxes: Collection[int]) -> dict[int, int]:
    return dict(zip(sorted(boxes), count(sheet.next_box), strict=False))


def _groups_with_copies(
    sheet: Sheet, ids: Mapping[int, int], complete: Collection[int]
) -> dict[int, Group]:
    """Return the groups of a sheet, with the copies of members of incomplete ones added."""
    return {
        number: group
        if number in complete
        else replace(group, members=group.members | {ids[n] for n in group.members if n in ids})
        for number, group in sheet.groups.items()
    }


def _copied_groups(
    groups: Mapping[int, Group],
    ids: Mapping[int, int],
    numbers: Mapping[int, int],
    offset: Point,
    parents: Collection[int] = (),
) -> dict[int, Group]:
    """Return the copies of groups; the outermost keep their parent if it is in `parents`."""
    return {
        numbers[number]: replace(
            shifted(group, offset),
            members=frozenset(ids[member] for member in group.members),
            parent=_parent(group.parent, numbers, parents),
        )
        for number, group in groups.items()
    }


def _parent(parent: int | None, numbers: Mapping[int, int], parents: Collection[int]) -> int | None:
    if parent is not None and parent in numbers:
        return numbers[parent]  # it is copied as well
    return parent if parent in parents else None


def _moved(place: Point, offset: Point) -> Point:
    return (place[0] + offset[0], place[1] + offset[1])
