"""Rectangles of groups: collapsed boxes, frames of open ones, title bars and edges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce

from PySide6.QtCore import QPointF, QRectF

from app.canvas.appearance.group_look import CollapsedGroup, GroupBox, VisibleNodes, group_box
from app.canvas.layout.text_sizes import TextSizes
from app.document.boxes import TITLE_BAR_HEIGHT, common_shift, path_to
from app.document.sheet import Group, Point, Rect, Sheet

EDGE_REACH = 6.0
"""Distance from the outline, in screen px, within which an edge can be dragged."""
CORNER_REACH = 14.0
"""Distance from a corner, in screen px, within which both of its edges are dragged."""
MIN_BAR_HEIGHT = 16.0
"""Minimum height of a title bar, in screen px."""
MIN_SCALE = 0.05
"""Smallest zoom of the camera; a smaller scale counts as this one."""


def title_rect(rect: QRectF) -> QRectF:
    """Return the rectangle in which a drawn group's title is edited."""
    # 10 px from the sides and 5 px from the edges of its bar; longer lines are hard to read
    return QRectF(
        rect.left() + 10, rect.top() + 5, min(rect.width() - 20, 320.0), TITLE_BAR_HEIGHT - 10
    )


def bar_rect(rect: QRectF, scale: float) -> QRectF:
    """Return the title bar: at the top of a drawn group, or above it when zoomed out."""
    if is_far(scale):
        high = MIN_BAR_HEIGHT / max(scale, MIN_SCALE)
        return QRectF(rect.left(), rect.top() - high, rect.width(), high)
    return QRectF(rect.left(), rect.top(), rect.width(), TITLE_BAR_HEIGHT)


def is_far(scale: float) -> bool:
    """Return whether a title bar in a group would be too low for its title on the screen."""
    return scale * TITLE_BAR_HEIGHT < MIN_BAR_HEIGHT


def grabbed_edges(rect: QRectF, point: QPointF, scale: float) -> str | None:
    """Return the edges of a drawn group at a point ("rb"); "" for its title bar, None outside."""
    scale = max(scale, MIN_SCALE)
    reach = EDGE_REACH / scale
    if rect.adjusted(-reach, -reach, reach, reach).contains(point):
        edges = _edges(rect, point, reach, CORNER_REACH / scale)
        if edges:
            return edges
    return "" if bar_rect(rect, scale).contains(point) else None


def _edges(rect: QRectF, point: QPointF, reach: float, corner: float) -> str:
    """Return the edges near a point: horizontal first, so that "lt" is the upper left corner."""
    sides = {
        "l": abs(point.x() - rect.left()),
        "r": abs(point.x() - rect.right()),
        "t": abs(point.y() - rect.top()),
        "b": abs(point.y() - rect.bottom()),
    }
    if min(sides.values()) > reach:
        return ""
    near = [side for side, away in sides.items() if away <= corner]
    horizontal = [side for side in near if side in "lr"][:1]
    vertical = [side for side in near if side in "tb"][:1]
    if horizontal and vertical:
        return horizontal[0] + vertical[0]
    return min(sides, key=lambda side: sides[side])


def as_rect(rect: QRectF) -> Rect:
    """Return a rectangle in the form that the sheet stores."""
    return (rect.x(), rect.y(), rect.width(), rect.height())


FRAME_MARGINS = (20.0, 40.0, 20.0, 16.0)
"""Margin of an opened group's frame around its members: left, top, right, bottom."""


def frame_margins(groups: Mapping[int, Group], opened: Iterable[int], group: int) -> list[float]:
    """Return the margins of an opened group's frame, as `FRAME_MARGINS`.

    A frame around other frames is larger than they are, so that the outlines lie apart.
    """
    nested = sum(n != group and group in path_to(groups, n) for n in opened)
    return [margin * (1 + min(nested, 2) * 0.6) for margin in FRAME_MARGINS]


class GroupLayout:
    """The boxes and frames of the groups on one sheet.

    `around` returns the rectangle around some nodes; `changing` is called with a group before its
    box changes.
    """

    def __init__(
        self, around: Callable[[Iterable[int]], QRectF], changing: Callable[[int], None]
    ) -> None:
        self.boxes: dict[int, GroupBox] = {}
        self.drawn: dict[int, QRectF] = {}
        """The frame of each drawn group, larger ones before those that may lie in them."""
        self.dragged: Mapping[int, Rect] = {}
        """Where drawn groups are shown while they are dragged."""
        self._around = around
        self._changing = changing
        self._sheet = Sheet()
        self._visible = VisibleNodes(frozenset())
        self._measured: tuple[VisibleNodes, TextSizes] | None = None
        self._texts: dict[int, tuple[float, float]] = {}
        """The widths of the widest name and the widest number of each collapsed group."""
        self._frames: dict[int, QRectF] = {}

    def update(
        self,
        sheet: Sheet,
        visible: VisibleNodes,
        text_sizes: TextSizes,
        preview: Mapping[int, Point],
    ) -> set[int]:
        """Update the boxes; returns the members of the groups whose box has changed."""
        if visible is not self._visible:
            self.forget_frames()
        self._sheet, self._visible = sheet, visible
        # they are drawn on the whole sheet, as its user has laid it out
        drawn = sheet.drawn if visible.inside is None and not visible.opens else {}
        found = {n: QRectF(*self.dragged.get(n, rect)).normalized() for n, rect in drawn.items()}
        area = {n: rect.width() * rect.height() for n, rect in found.items()}
        self.drawn = {n: found[n] for n in sorted(found, key=lambda n: (-area[n], n))}
        if (visible, text_sizes) != self._measured:
            self._measured = (visible, text_sizes)
            self._texts = {g: text_sizes.group(group) for g, group in visible.collapsed.items()}
        for group in self.boxes.keys() - visible.collapsed.keys():
            self._changing(group)
            del self.boxes[group]
        changed = set[int]()
        for group, collapsed in visible.collapsed.items():
            place = self._position_of(group, collapsed, preview)
            box = group_box(sheet.groups[group].title, collapsed, self._texts[group], place)
            if box != self.boxes.get(group):
                self._changing(group)
                self.boxes[group] = box
                changed |= collapsed.members
        return changed

    def forget_frames(self) -> None:
        """Clear the cached frames after nodes moved."""
        self._frames.clear()

    def visible_positions(self, places: Mapping[int, Point]) -> list[Point]:
        """Return the new positions of collapsed groups whose members all move."""
        found: list[Point] = []
        for group, collapsed in self._visible.collapsed.items():
            inside = collapsed.members & places.keys()
            shift = common_shift(self._sheet, inside, places)
            if shift is not None:
                x, y = self._sheet.groups[group].position
                found.append((x + shift[0], y + shift[1]))
        return found

    @property
    def frames(self) -> dict[int, QRectF]:
        """Return the frames of all open groups, drawn ones first."""
        return {**self.drawn, **{group: self.rect(group) for group in self._visible.opened}}

    def rect(self, group: int) -> QRectF:
        """Return the box or the frame of a group; an empty one if it is not shown.

        A frame around members is cached until something moves.
        """
        if group in self.boxes:
            return self.boxes[group].rect
        if group in self._visible.opened and group not in self._frames:
            self._frames[group] = self._frame_around(group)
        return QRectF(self.drawn.get(group) or self._frames.get(group) or QRectF())

    def bounds(self) -> QRectF:
        """Return the rectangle around all groups."""
        return united([*self.frames.values(), *(box.rect for box in self.boxes.values())])

    def _frame_around(self, group: int) -> QRectF:
        members = self._visible.opened[group]
        found = self._around(members)
        for other, rect in self.boxes.items():
            if self._visible.collapsed[other].members <= members:
                found = found.united(rect.rect)
        left, top, right, bottom = frame_margins(self._sheet.groups, self._visible.opened, group)
        return found.adjusted(-left, -top, right, bottom)

    def _position_of(
        self, group: int, collapsed: CollapsedGroup, preview: Mapping[int, Point]
    ) -> Point:
        """Return a group's position; it moves along when all its members are dragged."""
        x, y = self._sheet.groups[group].position
        member = next(iter(collapsed.members), None)
        if member is not None and member in preview and collapsed.members <= preview.keys():
            (ax, ay), (bx, by) = preview[member], self._sheet.positions.get(member, (0.0, 0.0))
            x, y = x + ax - bx, y + ay - by
        return (x, y)


def united(rects: Iterable[QRectF]) -> QRectF:
    """Return the rectangle around some rectangles; an empty one around none."""
    return reduce(QRectF.united, rects, QRectF())
