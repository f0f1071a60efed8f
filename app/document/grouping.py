"""Groups: pure functions from a sheet to a sheet, refusing with one sentence.

A node lies in at most one group directly; groups may lie in groups. Each group remembers where
it stands while it is collapsed.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from app.document.place import free_block, snapped
from app.document.sheet import Group, Point, Rect, Sheet
from app.style import sizes
from engine.edits import check_nodes
from engine.errors import EditError
from engine.graph import LABEL_LIMIT, Root
from engine.nodes import is_plain_line


def members_of(groups: Mapping[int, Group], number: int) -> frozenset[int]:
    """The nodes of a group and of all groups inside it."""
    return all_members(groups)[number]


def all_members(groups: Mapping[int, Group]) -> Mapping[int, frozenset[int]]:
    """The nodes of every group and of all groups inside it, found once for the groups of a sheet.

    They are asked for at every frame. A sheet never changes, so neither do its groups.
    """
    global _found
    if _found[0] is not groups:
        _found = (groups, _all_members(groups))
    return _found[1]


_found: tuple[Mapping[int, Group], Mapping[int, frozenset[int]]] = ({}, {})
"""The groups that were asked about last, and the members of each."""


def group_of(groups: Mapping[int, Group], node: int) -> int | None:
    """The group a node lies in directly, or None."""
    return next((number for number, group in groups.items() if node in group.members), None)


def make(sheet: Sheet, nodes: Iterable[int], title: str = "", collapsed: bool = True) -> Sheet:
    """Put nodes into a new group; groups that they fill whole go along as groups."""
    given = frozenset(nodes)
    check_nodes(sheet.graph, given)
    chosen = frozenset(n for n in given if not isinstance(sheet.graph.nodes[n], Root))
    if not chosen:
        raise EditError("Choose nodes first; a root stays outside of groups.")
    members = all_members(sheet.groups)
    whole = {n for n in sheet.groups if members[n] <= chosen}
    outer = sorted(n for n in whole if sheet.groups[n].parent not in whole)
    if any(members[n] == chosen for n in outer):
        raise EditError("These nodes are a group already.")
    inside = frozenset[int]().union(*(members[n] for n in outer))
    loose = chosen - inside
    homes = {group_of(sheet.groups, n) for n in loose} | {sheet.groups[n].parent for n in outer}
    if len(homes) > 1:
        raise EditError("Nodes of different groups can't be put together; open or unpack them.")
    parent = next(iter(homes), None)
    name = _checked(title)
    number = max((*sheet.groups, *sheet.sections), default=0) + 1
    groups = dict(sheet.groups)
    if parent is not None:
        groups[parent] = replace(groups[parent], members=groups[parent].members - loose)
    for child in outer:
        groups[child] = replace(groups[child], parent=number)
    groups[number] = Group(
        name or f"group {number}", loose, collapsed, seat_of(sheet, chosen), parent
    )
    return replace(sheet, groups=groups)


def way_to(groups: Mapping[int, Group], number: int | None) -> tuple[int, ...]:
    """A group and all groups around it, the outermost first."""
    found: list[int] = []
    at = number
    while at is not None and at in groups:
        found.append(at)
        at = groups[at].parent
    return tuple(reversed(found))


def joined(sheet: Sheet, before: Sheet, number: int | None) -> Sheet:
    """The sheet with what is new in it put into a group; Roots stay outside.

    Without a group, a node that was put between members of one group becomes one of them.
    """
    if not sheet.groups or sheet.graph is before.graph:
        return sheet
    grouped = {node for group in sheet.groups.values() for node in group.members}
    new = [
        node
        for node, found in sheet.graph.nodes.items()
        if node not in before.graph.nodes and node not in grouped and not isinstance(found, Root)
    ]
    groups = dict(sheet.groups)
    for other in groups.keys() - before.groups.keys() if number in groups else ():
        if groups[other].parent is None and other != number:
            groups[other] = replace(groups[other], parent=number)
    for node in new:
        home = _between(sheet, node) if number is None else number
        if home in groups:
            groups[home] = replace(groups[home], members=groups[home].members | {node})
    return sheet if groups == sheet.groups else replace(sheet, groups=groups)


def _between(sheet: Sheet, node: int) -> int | None:
    """The group of which all that feeds a node and all that it feeds are members, or None."""
    sources = [source for source in sheet.graph.inputs(node) if source is not None]
    targets = [target for target, _slot in sheet.graph.outgoing[node]]
    homes = {group_of(sheet.groups, other) for other in (*sources, *targets)}
    return homes.pop() if sources and targets and len(homes) == 1 else None


def unpack(sheet: Sheet, number: int) -> Sheet:
    """Take a group away; what was in it lies where the group lay."""
    gone = _existing(sheet, number)
    groups = {n: group for n, group in sheet.groups.items() if n != number}
    for other, group in groups.items():
        if group.parent == number:
            groups[other] = replace(group, parent=gone.parent)
    if gone.parent is not None:
        outer = groups[gone.parent]
        groups[gone.parent] = replace(outer, members=outer.members | gone.members)
    return replace(sheet, groups=groups)


def collapse(sheet: Sheet, number: int, collapsed: bool) -> Sheet:
    """Show a group as one, or open it in place."""
    group = _existing(sheet, number)
    place = group.position
    if collapsed and not group.collapsed:
        place = seat_of(sheet, members_of(sheet.groups, number))
    changed = replace(group, collapsed=collapsed, position=place)
    return replace(sheet, groups={**sheet.groups, number: changed})


def rename(sheet: Sheet, number: int, title: str) -> Sheet:
    """Give a group another title: one line of plain text."""
    group = _existing(sheet, number)
    return replace(sheet, groups={**sheet.groups, number: replace(group, title=_checked(title))})


def moved_groups(sheet: Sheet, places: Mapping[int, Point]) -> Mapping[int, Group]:
    """The groups, those moved along of which every member goes the same way."""
    groups = dict(sheet.groups)
    for number, members in all_members(sheet.groups).items():
        by = common_shift(sheet, members, places) if members <= places.keys() else None
        if by is not None:
            x, y = groups[number].position
            groups[number] = replace(groups[number], position=(x + by[0], y + by[1]))
    return groups


SAME = 1e-3
"""Shifts that differ by less than so many pixels are one: sums of fractions are never equal."""


def common_shift(sheet: Sheet, nodes: Iterable[int], places: Mapping[int, Point]) -> Point | None:
    """How far nodes go to their new places, if all go the same way."""
    old = sheet.positions
    shifts = [
        (places[n][0] - old[n][0], places[n][1] - old[n][1]) for n in sorted(nodes) if n in old
    ]
    if not shifts or any(math.dist(shift, shifts[0]) > SAME for shift in shifts):
        return None
    return shifts[0]


def seat_of(sheet: Sheet, nodes: frozenset[int]) -> Point:
    """Where a collapsed group of these nodes stands: amid them, and on nothing else."""
    places = [sheet.positions[n] for n in nodes if n in sheet.positions]
    if not places:
        return (0.0, 0.0)
    left, right = min(x for x, _y in places), max(x for x, _y in places)
    top, bottom = min(y for _x, y in places), max(y for _x, y in places)
    graph, hidden = sheet.graph, set(nodes)
    taken: list[Rect] = []
    for number, group in sheet.groups.items():
        members = members_of(sheet.groups, number)
        if group.collapsed and not members & nodes:
            hidden |= members
            taken.append((*group.position, *_WITH_SLOTS))
    taken += [(*sheet.positions[n], *_NODE) for n in graph.nodes if n not in hidden]
    slots = sum(s is not None and s not in nodes for n in nodes for s in graph.inputs(n))
    outputs = sum(any(w[0] not in nodes for w in graph.outgoing[n]) for n in nodes)
    high = sizes.NODE_HEADER + 2 * sizes.NODE_PADDING + max(slots, outputs, 1) * sizes.NODE_ROW
    wanted = snapped(((left + right) / 2, (top + bottom) / 2))
    return snapped(free_block(taken, (*wanted, _WITH_SLOTS[0], float(high)), sizes.GRID))


_NODE: Final = (160.0, 120.0)
_WITH_SLOTS: Final = (184.0, 120.0)
"""Usual sizes of a node with its ledger and of a collapsed group: the sheet draws neither."""


def _all_members(groups: Mapping[int, Group]) -> Mapping[int, frozenset[int]]:
    inner: dict[int | None, list[int]] = {}
    for number, group in groups.items():
        inner.setdefault(group.parent, []).append(number)
    outside_in = list(inner.get(None, ()))
    for number in outside_in:  # grows on the way
        outside_in += inner.get(number, ())
    found: dict[int, frozenset[int]] = {}
    for number in reversed(outside_in):
        parts = (found[other] for other in inner.get(number, ()))
        found[number] = groups[number].members.union(*parts)
    return {number: found[number] for number in groups}


def _checked(title: str) -> str:
    text = title.strip()
    if len(text) > LABEL_LIMIT or not is_plain_line(text):
        raise EditError(f"A title is one line of up to {LABEL_LIMIT} characters.")
    return text


def _existing(sheet: Sheet, number: int) -> Group:
    if number not in sheet.groups:
        raise EditError("This group is gone.")
    return sheet.groups[number]
