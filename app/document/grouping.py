"""Groups: pure functions from a sheet to a sheet, refusing with one sentence.

A node is a direct member of at most one group; groups may contain groups. Each group remembers its
position while it is collapsed.
"""

import math
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from app.document.node_sizes import TYPICAL_GROUP_SIZE, group_height, reserved_size
from app.document.placement import free_block, snapped
from app.document.sheet import Group, Point, Rect, Sheet
from app.style import sizes
from engine.edits import check_nodes
from engine.errors import EditError
from engine.graph import LABEL_LIMIT, Root
from engine.names import is_plain_line


def members_of(groups: Mapping[int, Group], number: int) -> frozenset[int]:
    """Return the nodes of a group and of all groups inside it."""
    return all_members(groups)[number]


def all_members(groups: Mapping[int, Group]) -> Mapping[int, frozenset[int]]:
    """Return the nodes of every group, including those of inner groups; cached.

    Every frame asks for them. A sheet is immutable, so the same mapping has the same members.
    """
    global _member_cache
    if _member_cache[0] is not groups:
        _member_cache = (groups, _all_members(groups))
    return _member_cache[1]


_member_cache: tuple[Mapping[int, Group], Mapping[int, frozenset[int]]] = ({}, {})
"""The groups of the last query, and the members of each."""


def group_of(groups: Mapping[int, Group], node: int) -> int | None:
    """Return the group that contains a node directly, or None."""
    return next((number for number, group in groups.items() if node in group.members), None)


def make(sheet: Sheet, nodes: Iterable[int], title: str = "", collapsed: bool = True) -> Sheet:
    """Put nodes into a new group; groups of which all nodes are included become inner groups."""
    requested = frozenset(nodes)
    check_nodes(sheet.graph, requested)
    chosen = frozenset(n for n in requested if not isinstance(sheet.graph.nodes[n], Root))
    if not chosen:
        raise EditError("Choose nodes first; a root stays outside of groups.")
    members = all_members(sheet.groups)
    included = {n for n in sheet.groups if members[n] <= chosen}
    outer = sorted(n for n in included if sheet.groups[n].parent not in included)
    if any(members[n] == chosen for n in outer):
        raise EditError("These nodes are a group already.")
    inner_nodes = frozenset[int]().union(*(members[n] for n in outer))
    direct = chosen - inner_nodes
    parents = {group_of(sheet.groups, n) for n in direct} | {sheet.groups[n].parent for n in outer}
    if len(parents) > 1:
        raise EditError("Nodes of different groups can't be put together; open or unpack them.")
    parent = next(iter(parents), None)
    name = checked_title(title)
    number = max((*sheet.groups, *sheet.sections), default=0) + 1
    groups = dict(sheet.groups)
    if parent is not None:
        groups[parent] = replace(groups[parent], members=groups[parent].members - direct)
    for child in outer:
        groups[child] = replace(groups[child], parent=number)
    groups[number] = Group(
        name or f"group {number}", direct, collapsed, collapsed_position(sheet, chosen), parent
    )
    return replace(sheet, groups=groups)


def path_to(groups: Mapping[int, Group], number: int | None) -> tuple[int, ...]:
    """Return a group and all groups around it, the outermost first."""
    path: list[int] = []
    group = number
    while group is not None and group in groups:
        path.append(group)
        group = groups[group].parent
    return tuple(reversed(path))


def with_new_nodes_grouped(sheet: Sheet, before: Sheet, number: int | None) -> Sheet:
    """Return the sheet with the nodes and groups that `before` lacks inside a group; no Roots.

    Without a group, a node inserted between members of one group becomes a member of it.
    """
    if sheet.graph is before.graph:
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
    """Return the group that contains all inputs and all targets of a node, or None."""
    sources = [source for source in sheet.graph.inputs(node) if source is not None]
    targets = [target for target, _slot in sheet.graph.outgoing[node]]
    groups = {group_of(sheet.groups, other) for other in (*sources, *targets)}
    return groups.pop() if sources and targets and len(groups) == 1 else None


def unpack(sheet: Sheet, number: int) -> Sheet:
    """Dissolve a group; its content joins the group around it."""
    dissolved = _existing(sheet, number)
    groups = {n: group for n, group in sheet.groups.items() if n != number}
    for other, group in groups.items():
        if group.parent == number:
            groups[other] = replace(group, parent=dissolved.parent)
    if dissolved.parent is not None:
        outer = groups[dissolved.parent]
        groups[dissolved.parent] = replace(outer, members=outer.members | dissolved.members)
    return replace(sheet, groups=groups)


def collapse(sheet: Sheet, number: int, collapsed: bool) -> Sheet:
    """Collapse a group, or open it in place."""
    group = _existing(sheet, number)
    position = group.position
    if collapsed and not group.collapsed:
        position = collapsed_position(sheet, members_of(sheet.groups, number))
    changed = replace(group, collapsed=collapsed, position=position)
    return replace(sheet, groups={**sheet.groups, number: changed})


def rename(sheet: Sheet, number: int, title: str) -> Sheet:
    """Set a group's title: one line of plain text."""
    group = _existing(sheet, number)
    renamed = replace(group, title=checked_title(title))
    return replace(sheet, groups={**sheet.groups, number: renamed})


def moved_groups(sheet: Sheet, places: Mapping[int, Point]) -> Mapping[int, Group]:
    """Return the groups, with those moved along whose members all move by the same shift."""
    groups = dict(sheet.groups)
    for number, members in all_members(sheet.groups).items():
        shift = common_shift(sheet, members, places) if members <= places.keys() else None
        if shift is not None:
            x, y = groups[number].position
            groups[number] = replace(groups[number], position=(x + shift[0], y + shift[1]))
    return groups


_SHIFT_TOLERANCE = 1e-3
"""Shifts that differ by less than this, in px, are equal, since sums of fractions are not exact."""


def common_shift(sheet: Sheet, nodes: Iterable[int], places: Mapping[int, Point]) -> Point | None:
    """Return the common shift of nodes to their new positions, or None if they differ."""
    old = sheet.positions
    shifts = [
        (places[n][0] - old[n][0], places[n][1] - old[n][1]) for n in sorted(nodes) if n in old
    ]
    if not shifts or any(math.dist(shift, shifts[0]) > _SHIFT_TOLERANCE for shift in shifts):
        return None
    return shifts[0]


def collapsed_position(sheet: Sheet, nodes: frozenset[int]) -> Point:
    """Return the position of a collapsed group: the free place nearest to the nodes' middle."""
    corners = [sheet.positions[n] for n in nodes if n in sheet.positions]
    if not corners:
        return (0.0, 0.0)
    left, right = min(x for x, _y in corners), max(x for x, _y in corners)
    top, bottom = min(y for _x, y in corners), max(y for _x, y in corners)
    graph, hidden = sheet.graph, set(nodes)
    taken: list[Rect] = []
    for number, group in sheet.groups.items():
        members = members_of(sheet.groups, number)
        if group.collapsed and not members & nodes:
            hidden |= members
            taken.append((*group.position, *TYPICAL_GROUP_SIZE))
    taken += [
        (*sheet.positions[n], *reserved_size(graph, n)) for n in graph.nodes if n not in hidden
    ]
    slots = sum(s is not None and s not in nodes for n in nodes for s in graph.inputs(n))
    outputs = sum(any(w[0] not in nodes for w in graph.outgoing[n]) for n in nodes)
    height = group_height(max(slots, outputs))
    middle = snapped(((left + right) / 2, (top + bottom) / 2))
    return snapped(free_block(taken, (*middle, TYPICAL_GROUP_SIZE[0], height), sizes.GRID))


def _all_members(groups: Mapping[int, Group]) -> Mapping[int, frozenset[int]]:
    inner: dict[int | None, list[int]] = {}
    for number, group in groups.items():
        inner.setdefault(group.parent, []).append(number)
    outside_in = list(inner.get(None, ()))
    for number in outside_in:  # a breadth-first search: the list grows while it is read
        outside_in += inner.get(number, ())
    members: dict[int, frozenset[int]] = {}
    for number in reversed(outside_in):  # inner groups first
        inner_members = (members[child] for child in inner.get(number, ()))
        members[number] = groups[number].members.union(*inner_members)
    return {number: members[number] for number in groups}


def checked_title(title: str) -> str:
    """Return the title of a group or a section without blanks around it, or raise EditError."""
    text = title.strip()
    if len(text) > LABEL_LIMIT or not is_plain_line(text):
        raise EditError(
            "A title is one line of plain text of up to {limit} characters.", limit=LABEL_LIMIT
        )
    return text


def _existing(sheet: Sheet, number: int) -> Group:
    if number not in sheet.groups:
        raise EditError("This group is gone.")
    return sheet.groups[number]
