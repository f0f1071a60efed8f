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
LEAST_SIZE = (96.0, 72.0)
"""Least width and height of a section."""
TITLE_BAR_HEIGHT = 36.0
"""Height of a section's title bar."""
PADDING = 24.0
"""Distance of a new section's edges from its content."""
DEFAULT_TITLE = "Section"


def added(sheet: Sheet, section: Section) -> Sheet:
    """Return the sheet with a new section, under a number that no box has."""
    number = max((*sheet.sections, *sheet.groups), default=0) + 1
    return replace(sheet, sections={**sheet.sections, number: _checked(section)})


def changed(sheet: Sheet, number: int, section: Section) -> Sheet:
    """Return the sheet with another title, colour or rectangle for a section."""
    check_sections(sheet, (number,))
    return replace(sheet, sections={**sheet.sections, number: _checked(section)})


def without(sheet: Sheet, numbers: Iterable[int]) -> Sheet:
    """Return the sheet without some sections; their content stays."""
    gone = set(numbers)
    check_sections(sheet, gone)
    kept = {number: section for number, section in sheet.sections.items() if number not in gone}
    return replace(sheet, sections=kept)


def moved(sheet: Sheet, places: Mapping[int, Point], rects: Mapping[int, Rect]) -> Sheet:
    """Return the sheet with sections and nodes moved."""
    if not rects and not places:
        raise EditError("Choose what to move first.")
    check_sections(sheet, rects)
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
    """Return a section's rectangle with some edges ("rb": right, bottom) moved, at its least size.

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
            if source is not None and is_seated(graph, source):
                (old_x, old_y), (at_x, at_y) = positions[node], positions[source]
                found[source] = (at_x + x - old_x, at_y + y - old_y)
    return found


def check_sections(sheet: Sheet, numbers: Iterable[int]) -> None:
    """Raise EditError unless all sections are on the sheet."""
    for number in numbers:
        if number not in sheet.sections:
            raise EditError("There is no section {section}.", section=number)


def rect_around(rects: Iterable[Rect]) -> Rect | None:
    """Return the rectangle of a section around others, rounded outwards to half the grid."""
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


def sections_inside(sheet: Sheet, number: int) -> frozenset[int]:
    """Return the sections inside a section; of two equal ones the later is inside the earlier."""
    outer = sheet.sections[number].rect
    return frozenset(
        other
        for other, section in sheet.sections.items()
        if other != number
        and lies_in(section.rect, outer)
        and (section.rect != outer or other > number)
    )


_DEEPEST_NESTING = 50
"""Maximum nesting depth of boxes in DOT; deeper ones are placed side by side."""


def clusters(sheet: Sheet) -> tuple[Cluster, ...]:
    """Return the tree of sections for DOT: each node in the smallest section around its middle."""
    order = sorted(sheet.sections, key=lambda n: (_area(sheet.sections[n].rect), -n))
    members: dict[int, set[int]] = {number: set() for number in order}
    for node, (x, y) in sheet.positions.items():
        middle = (x + sizes.OP_WIDTH / 2, y + sizes.NODE_HEIGHT / 2, 0.0, 0.0)
        smallest = next((n for n in order if lies_in(middle, sheet.sections[n].rect)), None)
        if smallest is not None:
            members[smallest].add(node)
    # nest each section in the smallest one around it, unless that is too deep
    children: dict[int | None, list[int]] = {}
    depth: dict[int | None, int] = {None: 0}
    for k in reversed(range(len(order))):  # the largest first
        number = order[k]
        outers = (n for n in order[k + 1 :] if number in sections_inside(sheet, n))
        outer = next(outers, None)
        outer = outer if depth[outer] < _DEEPEST_NESTING else None
        depth[number] = depth[outer] + 1
        children.setdefault(outer, []).append(number)

    def cluster(number: int) -> Cluster:
        section = sheet.sections[number]
        parts = tuple(cluster(n) for n in sorted(children.get(number, ())))
        return Cluster(section.title, frozenset(members[number]), section.colour, parts)

    return tuple(cluster(number) for number in sorted(children.get(None, ())))


def _area(rect: Rect) -> float:
    return rect[2] * rect[3]


def _checked(section: Section) -> Section:
    x, y, wide, high = section.rect
    rect = (x, y, max(wide, LEAST_SIZE[0]), max(high, LEAST_SIZE[1]))
    return Section(checked_title(section.title), rect, section.colour % len(COLOURS))
