"""Rectangles of groups: boxes of folded ones, frames of open ones, title bars and edges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce

from PySide6.QtCore import QPointF, QRectF

from app.canvas.appearance.group_look import MAX_OUTPUT_NAME_WIDTH, UNTITLED, size_text
from app.canvas.appearance.items import Drawn, GroupKey, Item, ItemKey
from app.canvas.layout.node_box import Box
from app.canvas.layout.text_sizes import TextSizes
from app.document.boxes import TITLE_BAR_HEIGHT, path_to
from app.document.node_sizes import group_height
from app.document.sheet import Group, Rect, Sheet
from app.style import sizes
from app.style.strokes import width

MIN_GROUP_WIDTH = 160.0
"""Least width of a folded group, in sheet px."""
MAX_TITLE_WIDTH = 180.0
"""Width above which the title in a header is shortened, in sheet px."""
SYMBOL_WIDTH = 28.0
"""Space of the button that opens the group, in its header, in sheet px."""


def group_box(title: str, item: Item, text_sizes: TextSizes) -> Box:
    """Return the box that a folded group needs, at the origin."""
    name, number = text_sizes.group(item)
    # a line has paddings, the name of an output, and its value and gradient, equally wide
    line = 24 + min(name, MAX_OUTPUT_NAME_WIDTH) + 2 * max(number, 34.0) + 60
    # a header has the button, the title, and the number of nodes
    header = 10 + SYMBOL_WIDTH + min(width(title or UNTITLED, "label"), MAX_TITLE_WIDTH)
    header += width(size_text(len(item.members)), "caption") + 30
    wide = max(MIN_GROUP_WIDTH, line, header)
    high = group_height(max(len(item.slots), len(item.outputs)))
    # groups have few different widths, as nodes have: so groups of like content look alike
    wide = MIN_GROUP_WIDTH + sizes.stepped(wide - MIN_GROUP_WIDTH)
    return Box(0.0, 0.0, wide, high, kind="group")


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
    """The frames of the open groups on one sheet; `boxes` are those of all items, by key."""

    def __init__(
        self, boxes: Mapping[ItemKey, Box], around: Callable[[Iterable[int]], QRectF]
    ) -> None:
        """`around` returns the rectangle around some nodes."""
        self.drawn: dict[int, QRectF] = {}
        """The frame of each drawn group, larger ones before those that may lie in them."""
        self.dragged: Mapping[int, Rect] = {}
        """Where drawn groups are shown while they are dragged."""
        self._boxes, self._around = boxes, around
        self._sheet = Sheet()
        self._visible = Drawn(frozenset())
        self._frames: dict[int, QRectF] = {}

    def update(self, sheet: Sheet, visible: Drawn) -> None:
        """Update the frames that are drawn; those around members wait until they are asked for."""
        if visible is not self._visible:
            self.forget_frames()
        self._sheet, self._visible = sheet, visible
        # they are drawn on the whole sheet, as its user has laid it out
        drawn = sheet.drawn if visible.inside is None and not visible.opens else {}
        found = {n: QRectF(*self.dragged.get(n, rect)).normalized() for n, rect in drawn.items()}
        area = {n: rect.width() * rect.height() for n, rect in found.items()}
        self.drawn = {n: found[n] for n in sorted(found, key=lambda n: (-area[n], n))}

    def forget_frames(self) -> None:
        """Clear the cached frames after nodes moved."""
        self._frames.clear()

    @property
    def frames(self) -> dict[int, QRectF]:
        """Return the frames of all open groups, drawn ones first."""
        return {**self.drawn, **{group: self.rect(group) for group in self._visible.opened}}

    def rect(self, group: int) -> QRectF:
        """Return the box or the frame of a group; an empty one if it is not shown.

        A frame around members is cached until something moves.
        """
        if (key := GroupKey(group)) in self._boxes:
            return self._boxes[key].rect
        if group in self._visible.opened and group not in self._frames:
            left, top, right, bottom = frame_margins(
                self._sheet.groups, self._visible.opened, group
            )
            around = self._around(self._visible.opened[group])
            self._frames[group] = around.adjusted(-left, -top, right, bottom)
        return QRectF(self.drawn.get(group) or self._frames.get(group) or QRectF())


def united(rects: Iterable[QRectF]) -> QRectF:
    """Return the rectangle around some rectangles; an empty one around none."""
    return reduce(QRectF.united, rects, QRectF())
