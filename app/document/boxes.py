"""Groups: functions from a sheet to a sheet, refusing with one sentence.

A node is a direct member of at most one group; groups may contain groups. Each group remembers its
position while it is collapsed. A drawn group has its content by place until it is collapsed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from app.document.node_sizes import TYPICAL_GROUP_SIZE, group_height, is_pill, reserved_size
from app.document.placement import columns, condensed, free_block, snapped
from app.document.sheet import Group, Point, Rect, Sheet
from app.style import sizes
from engine.edits import check_nodes
from engine.errors import EditError
from engine.formats.dot import Cluster
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


def make_group(
    sheet: Sheet, nodes: Iterable[int], title: str = "", collapsed: bool = True
) -> Sheet:
    """Put nodes into a new group; groups of which all nodes are included become inner groups."""
    number = sheet.next_box
    name = checked_title(title) or f"group {number}"
    return _gathered(sheet, number, Group(name, collapsed=collapsed), nodes)


def _gathered(sheet: Sheet, number: int, group: Group, nodes: Iterable[int]) -> Sheet:
    """Return the sheet with a group of nodes, and of the groups that hold no others."""
    requested = frozenset(nodes)
    check_nodes(sheet.graph, requested)
    chosen = frozenset(n for n in requested if not isinstance(sheet.graph.nodes[n], Root))
    if not chosen:
        raise EditError("Choose nodes first; a root stays outside of groups.")
    members = all_members(sheet.groups)
    included = {n for n in sheet.groups if members[n] and members[n] <= chosen}
    outer = sorted(n for n in included if sheet.groups[n].parent not in included)
    if any(members[n] == chosen for n in outer) and group.rect is None:
        raise EditError("These nodes are a group already.")
    inner_nodes = frozenset[int]().union(*(members[n] for n in outer))
    direct = chosen - inner_nodes
    parents = {group_of(sheet.groups, n) for n in direct} | {sheet.groups[n].parent for n in outer}
    if len(parents) > 1:
        raise EditError("Nodes of different groups can't be put together; open or unpack them.")
    parent = next(iter(parents), None)
    groups = dict(sheet.groups)
    if parent is not None:
        groups[parent] = replace(groups[parent], members=groups[parent].members - direct)
    for child in outer:
        groups[child] = replace(groups[child], parent=number)
    position = collapsed_position(sheet, chosen)
    groups[number] = replace(group, members=direct, position=position, parent=parent)
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


def unpack_group(sheet: Sheet, number: int) -> Sheet:
    """Dissolve a group; its content joins the group around it."""
    dissolved = existing_group(sheet, number)
    groups = {n: group for n, group in sheet.groups.items() if n != number}
    for other, group in groups.items():
        if group.parent == number:
            groups[other] = replace(group, parent=dissolved.parent)
    if dissolved.parent is not None:
        outer = groups[dissolved.parent]
        groups[dissolved.parent] = replace(outer, members=outer.members | dissolved.members)
    return replace(sheet, groups=groups)


def collapse_group(
    sheet: Sheet, number: int, collapsed: bool, content: Iterable[int] = ()
) -> Sheet:
    """Collapse a group, or open it in place; a drawn one has its `content` as members meanwhile."""
    group = existing_group(sheet, number)
    if collapsed and group.drawn:
        inner = {
            n: replace(sheet.groups[n], parent=number) for n in drawn_inside(sheet.drawn, number)
        }
        gathered = _gathered(sheet, number, replace(group, collapsed=True), content)
        return replace(gathered, groups={**gathered.groups, **inner})
    if group.collapsed and group.rect and group.parent is None:
        opened = unpack_group(sheet, number)
        open_group = replace(group, members=frozenset[int](), collapsed=False)
        return replace(opened, groups={**opened.groups, number: open_group})
    position = group.position
    if collapsed and not group.collapsed:
        position = collapsed_position(sheet, members_of(sheet.groups, number))
    changed = replace(group, collapsed=collapsed, position=position)
    return replace(sheet, groups={**sheet.groups, number: changed})


def rename_group(sheet: Sheet, number: int, title: str) -> Sheet:
    """Set a group's title: one line of plain text."""
    renamed = replace(existing_group(sheet, number), title=checked_title(title))
    return replace(sheet, groups={**sheet.groups, number: renamed})


def colour_group(sheet: Sheet, number: int, colour: int) -> Sheet:
    """Set a group's colour, an index into `COLOURS`."""
    coloured = replace(existing_group(sheet, number), colour=colour % len(COLOURS))
    return replace(sheet, groups={**sheet.groups, number: coloured})


def moved_groups(sheet: Sheet, places: Mapping[int, Point]) -> Mapping[int, Group]:
    """Return the groups, with those moved along whose members all move by the same shift."""
    groups = dict(sheet.groups)
    # drawn groups in a collapsed one have no members of their own
    inner = [n for n, g in groups.items() if g.rect and not g.members and g.parent is not None]
    for number, members in all_members(sheet.groups).items():
        shift = common_shift(sheet, members, places) if members <= places.keys() else None
        if shift is not None:
            for n in (number, *(n for n in inner if groups[n].parent == number)):
                groups[n] = shifted(groups[n], shift)
    return groups


def shifted(group: Group, shift: Point) -> Group:
    """Return a group elsewhere on the sheet."""
    (x, y), rect = group.position, group.rect
    if rect is not None:
        rect = (rect[0] + shift[0], rect[1] + shift[1], rect[2], rect[3])
    return replace(group, position=(x + shift[0], y + shift[1]), rect=rect)


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


def in_columns(sheet: Sheet) -> Sheet:
    """Return a sheet with all nodes in columns, those of each group where the group is.

    A folded group lies in the column that its inputs give it, and its content begins there.
    """
    inner: dict[int | None, list[int]] = {}
    members, loose = all_members(sheet.groups), sheet.graph.nodes.keys()
    for number, group in sheet.groups.items():
        inner.setdefault(group.parent, []).extend([number] if members[number] else ())
    positions, groups = dict[int, Point](), dict(sheet.groups)
    todo: list[tuple[int | None, Point]] = [(None, (0.0, 0.0))]
    while todo:
        number, origin = todo.pop()
        inside = inner.get(number, [])
        items = {n: sheet.graph.next_id + g for g in inside for n in members[g]}
        direct = loose if number is None else sheet.groups[number].members
        items |= {n: n for n in direct if n not in items}
        places = columns(condensed(sheet.graph, items), origin)
        positions |= {n: places[n] for n in direct if n in places}
        for each in inside:
            place = places[sheet.graph.next_id + each]
            groups[each] = replace(groups[each], position=place)
            todo.append((each, place))
    return replace(sheet, positions=positions, groups=groups)


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
    """Return the title of a group without blanks around it, or raise EditError."""
    text = title.strip()
    if len(text) > LABEL_LIMIT or not is_plain_line(text):
        raise EditError(
            "A title is one line of plain text of up to {limit} characters.", limit=LABEL_LIMIT
        )
    return text


def existing_group(sheet: Sheet, number: int) -> Group:
    """Return a group, or raise EditError."""
    if number not in sheet.groups:
        raise EditError("This group is gone.")
    return sheet.groups[number]


COLOURS = ("Grey", "Blue", "Green", "Gold")
"""Names of the colours of groups; files hold their indices."""
LEAST_SIZE = (96.0, 72.0)
"""Least width and height of a drawn group."""
TITLE_BAR_HEIGHT = 36.0
"""Height of a drawn group's title bar."""
PADDING = 24.0
"""Distance of a new drawn group's edges from its content."""


def draw_group(sheet: Sheet, rect: Rect, title: str, colour: int) -> Sheet:
    """Return the sheet with a new group that is drawn at a rectangle."""
    rect = (*rect[:2], max(rect[2], LEAST_SIZE[0]), max(rect[3], LEAST_SIZE[1]))
    drawn = Group(checked_title(title), rect=rect, colour=colour % len(COLOURS))
    return replace(sheet, groups={**sheet.groups, sheet.next_box: drawn})


def moved(sheet: Sheet, places: Mapping[int, Point], rects: Mapping[int, Rect]) -> Sheet:
    """Return the sheet with drawn groups and nodes moved."""
    if not rects and not places:
        raise EditError("Choose what to move first.")
    drawn = {n: replace(existing_group(sheet, n), rect=rect) for n, rect in rects.items()}
    check_nodes(sheet.graph, places)
    places = {**_seated(sheet, places), **places}
    groups = moved_groups(sheet, places) if sheet.groups else sheet.groups
    return replace(
        sheet,
        positions={**sheet.positions, **places},
        groups={**groups, **drawn} if drawn else groups,
    )


def resized(rect: Rect, edges: str, by: Point, grid: float) -> Rect:
    """Return a group's rectangle with some edges ("rb": right, bottom) moved, at its least size.

    The edges snap to a grid of this width unless it is 0.
    """
    left, top, wide, high = rect
    right, low = left + wide, top + high
    first, last = (left + by[0], top + by[1]), (right + by[0], low + by[1])
    if grid:
        first, last = snapped(first, grid), snapped(last, grid)
    if "l" in edges:
        left = min(first[0], right - LEAST_SIZE[0])
    if "r" in edges:
        right = max(last[0], left + LEAST_SIZE[0])
    if "t" in edges:
        top = min(first[1], low - LEAST_SIZE[1])
    if "b" in edges:
        low = max(last[1], top + LEAST_SIZE[1])
    return (left, top, right - left, low - top)


def _seated(sheet: Sheet, places: Mapping[int, Point]) -> dict[int, Point]:
    """Return the positions of constants drawn at a slot of moved nodes: they move along, unseen."""
    graph, positions = sheet.graph, sheet.positions
    found: dict[int, Point] = {}
    for node, (x, y) in places.items():
        for source in graph.inputs(node):
            if source is not None and is_pill(graph, source):
                (old_x, old_y), (at_x, at_y) = positions[node], positions[source]
                found[source] = (at_x + x - old_x, at_y + y - old_y)
    return found


def rect_around(rects: Iterable[Rect]) -> Rect | None:
    """Return the rectangle of a group around others, rounded outwards to half the grid."""
    found = list(rects)
    if not found:
        return None
    left = min(x for x, _y, _w, _h in found) - PADDING
    top = min(y for _x, y, _w, _h in found) - PADDING - TITLE_BAR_HEIGHT
    right = max(x + w for x, _y, w, _h in found) + PADDING
    low = max(y + h for _x, y, _w, h in found) + PADDING
    grid = sizes.GRID / 2
    left, top = left // grid * grid, top // grid * grid
    return (left, top, -((left - right) // grid) * grid, -((top - low) // grid) * grid)


def lies_in(inner: Rect, outer: Rect, slack: float = 0.0) -> bool:
    """Return whether a rectangle lies in another one that is widened by `slack`."""
    return (
        inner[0] >= outer[0] - slack
        and inner[1] >= outer[1] - slack
        and inner[0] + inner[2] <= outer[0] + outer[2] + slack
        and inner[1] + inner[3] <= outer[1] + outer[3] + slack
    )


def drawn_inside(drawn: Mapping[int, Rect], number: int) -> frozenset[int]:
    """Return the drawn groups inside one; of two equal ones the later is inside the earlier."""
    outer = drawn[number]
    return frozenset(
        other
        for other, rect in drawn.items()
        if other != number and lies_in(rect, outer) and (rect != outer or other > number)
    )


_DEEPEST_NESTING = 50
"""Maximum nesting depth of boxes in DOT; deeper ones are placed side by side."""


def clusters(sheet: Sheet) -> tuple[Cluster, ...]:
    """Return the tree of drawn groups for DOT: each node in the smallest around its middle."""
    drawn = sheet.drawn
    order = sorted(drawn, key=lambda n: (drawn[n][2] * drawn[n][3], -n))
    members: dict[int, set[int]] = {number: set() for number in order}
    for node, (x, y) in sheet.positions.items():
        middle = (x + sizes.OP_WIDTH / 2, y + sizes.NODE_HEIGHT / 2, 0.0, 0.0)
        smallest = next((n for n in order if lies_in(middle, drawn[n])), None)
        if smallest is not None:
            members[smallest].add(node)
    # nest each group in the smallest one around it, unless that is too deep
    children: dict[int | None, list[int]] = {}
    depth: dict[int | None, int] = {None: 0}
    for k in reversed(range(len(order))):  # the largest first
        number = order[k]
        outers = (n for n in order[k + 1 :] if number in drawn_inside(drawn, n))
        outer = next(outers, None)
        outer = outer if depth[outer] < _DEEPEST_NESTING else None
        depth[number] = depth[outer] + 1
        children.setdefault(outer, []).append(number)

    def cluster(number: int) -> Cluster:
        group = sheet.groups[number]
        parts = tuple(cluster(n) for n in sorted(children.get(number, ())))
        return Cluster(group.title, frozenset(members[number]), group.colour or 0, parts)

    return tuple(cluster(number) for number in sorted(children.get(None, ())))
