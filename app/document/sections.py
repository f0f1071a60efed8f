"""Sections: titled boxes that move their content; pure functions from a sheet to a sheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from app.document import grouping
from app.document.grouping import checked_title
from app.document.node_sizes import is_seated
from app.document.placement import snapped
from app.document.sheet import Point, Rect, Section, Sheet
from app.style import sizes
from engine.edits import check_nodes
from engine.errors import EditError
from engine.formats.dot import Cluster

COLOURS = ("Grey", "Blue", "Green", "Gold")
"""Names of the section colours; files hold their indices."""
SMALLEST = (96.0, 72.0)
BAR = 36.0
"""Height of the title bar."""
PAD = 24.0
TITLE = "Section"


def added(sheet: Sheet, section: Section) -> Sheet:
    """Return the sheet with a new section, under a number that no box has."""
    number = max((*sheet.sections, *sheet.groups), default=0) + 1
    return replace(sheet, sections={**sheet.sections, number: _checked(section)})


def changed(sheet: Sheet, number: int, section: Section) -> Sheet:
    """Return the sheet with another title, colour or rectangle for a section."""
    check_there(sheet, (number,))
    return replace(sheet, sections={**sheet.sections, number: _checked(section)})


def without(sheet: Sheet, numbers: Iterable[int]) -> Sheet:
    """Return the sheet without some sections; their content stays."""
    gone = set(numbers)
    check_there(sheet, gone)
    kept = {number: section for number, section in sheet.sections.items() if number not in gone}
    return replace(sheet, sections=kept)


def moved(sheet: Sheet, places: Mapping[int, Point], rects: Mapping[int, Rect]) -> Sheet:
    """Return the sheet with sections and nodes moved."""
    if not rects and not places:
        raise EditError("Choose what to move first.")
    check_there(sheet, rects)
    check_nodes(sheet.graph, places)
    sections = {
        number: replace(section, rect=rects[number]) if number in rects else section
        for number, section in sheet.sections.items()
    }
    places = {**_seated(sheet, places), **places}
    groups = grouping.moved_groups(sheet, places) if sheet.groups else sheet.groups
    positions = {**sheet.positions, **places}
    return replace(sheet, sections=sections, positions=positions, groups=groups)


def resized(rect: Rect, edges: str, by: Point, grid: float) -> Rect:
    """Return a rectangle with some edges ("rb") pulled, onto a grid of this width unless it is 0.

    It keeps the least size of a section.
    """
    left, top, wide, high = rect
    right, low = left + wide, top + high
    first, last = (left + by[0], top + by[1]), (right + by[0], low + by[1])
    if grid:
        first, last = snapped(first, grid), snapped(last, grid)
    if "l" in edges:
        left = min(first[0], right - SMALLEST[0])
    if "r" in edges:
        right = max(last[0], left + SMALLEST[0])
    if "t" in edges:
        top = min(first[1], low - SMALLEST[1])
    if "b" in edges:
        low = max(last[1], top + SMALLEST[1])
    return (left, top, right - left, low - top)


def _seated(sheet: Sheet, places: Mapping[int, Point]) -> dict[int, Point]:
    """Return where constants drawn at a slot of moved nodes go, to be there if they leave it."""
    graph, positions = sheet.graph, sheet.positions
    found: dict[int, Point] = {}
    for node, (x, y) in places.items():
        for source in graph.inputs(node):
            if source is not None and is_seated(graph, source):
                (old_x, old_y), (at_x, at_y) = positions[node], positions[source]
                found[source] = (at_x + x - old_x, at_y + y - old_y)
    return found


def check_there(sheet: Sheet, numbers: Iterable[int]) -> None:
    """Raise EditError for sections that are not on the sheet."""
    for number in numbers:
        if number not in sheet.sections:
            raise EditError("There is no section {section}.", section=number)


def around(rects: Iterable[Rect]) -> Rect | None:
    """Return the rectangle of a section around others, on the grid; None for no rectangles."""
    found = list(rects)
    if not found:
        return None
    left = min(x for x, _y, _w, _h in found) - PAD
    top = min(y for _x, y, _w, _h in found) - PAD - BAR
    right = max(x + w for x, _y, w, _h in found) + PAD
    low = max(y + h for _x, y, _w, h in found) + PAD
    grid = sizes.GRID / 2
    left, top = left // grid * grid, top // grid * grid
    return (left, top, -((left - right) // grid) * grid, -((top - low) // grid) * grid)


def lies_in(inner: Rect, outer: Rect, slack: float = 0.0) -> bool:
    """Return whether a rectangle lies fully in another one."""
    return (
        inner[0] >= outer[0] - slack
        and inner[1] >= outer[1] - slack
        and inner[0] + inner[2] <= outer[0] + outer[2] + slack
        and inner[1] + inner[3] <= outer[1] + outer[3] + slack
    )


def nested(sheet: Sheet, number: int) -> frozenset[int]:
    """Return the sections inside a section; of two equal ones the later is inside the earlier."""
    outer = sheet.sections[number].rect
    return frozenset(
        other
        for other, section in sheet.sections.items()
        if other != number
        and lies_in(section.rect, outer)
        and (section.rect != outer or other > number)
    )


DEEPEST = 50
"""Maximum nesting depth of boxes in DOT; deeper ones are placed side by side."""


def clusters(sheet: Sheet) -> tuple[Cluster, ...]:
    """Return the sections for DOT: each node in the smallest section around its middle."""
    order = sorted(sheet.sections, key=lambda n: (_area(sheet.sections[n].rect), -n))
    members: dict[int, set[int]] = {number: set() for number in order}
    for node, (x, y) in sheet.positions.items():
        middle = (x + sizes.OP_WIDTH / 2, y + sizes.NODE_HEIGHT / 2, 0.0, 0.0)
        home = next((n for n in order if lies_in(middle, sheet.sections[n].rect)), None)
        if home is not None:
            members[home].add(node)
    inside: dict[int | None, list[int]] = {}
    depth: dict[int | None, int] = {None: 0}
    for place in reversed(range(len(order))):  # the largest first
        number = order[place]
        around = (n for n in order[place + 1 :] if number in nested(sheet, n))
        outer = next(around, None)
        outer = outer if depth[outer] < DEEPEST else None
        depth[number] = depth[outer] + 1
        inside.setdefault(outer, []).append(number)

    def made(number: int) -> Cluster:
        section = sheet.sections[number]
        parts = tuple(made(n) for n in sorted(inside.get(number, ())))
        return Cluster(section.title, frozenset(members[number]), section.colour, parts)

    return tuple(made(number) for number in sorted(inside.get(None, ())))


def _area(rect: Rect) -> float:
    return rect[2] * rect[3]


def _checked(section: Section) -> Section:
    x, y, wide, high = section.rect
    rect = (x, y, max(wide, SMALLEST[0]), max(high, SMALLEST[1]))
    return Section(checked_title(section.title), rect, section.colour % len(COLOURS))
