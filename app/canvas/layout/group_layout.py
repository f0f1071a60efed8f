"""GroupLayout: positions and sizes of collapsed groups, and the frames of opened ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import QRectF

from app.canvas.appearance.group_look import GroupBox, group_box
from app.canvas.appearance.visible_nodes import Folded, VisibleNodes
from app.canvas.layout.text_sizes import TextSizes
from app.document.grouping import common_shift
from app.document.sheet import Point, Sheet

FRAME = (20.0, 40.0, 20.0, 16.0)
"""Margin of an opened group's frame around its members: left, top, right, bottom."""


class GroupLayout:
    """The boxes and frames of the groups on one sheet.

    `around` returns the rectangle around some nodes; `changing` is called with a group before its
    box changes.
    """

    def __init__(
        self, around: Callable[[Iterable[int]], QRectF], changing: Callable[[int], None]
    ) -> None:
        self.boxes: dict[int, GroupBox] = {}
        self._around = around
        self._changing = changing
        self._sheet = Sheet()
        self._visible = VisibleNodes(frozenset())
        self._measured: tuple[VisibleNodes, TextSizes] | None = None
        self._texts: dict[int, tuple[float, float]] = {}
        """The widest name and the widest number of each collapsed group."""
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
        if (visible, text_sizes) != self._measured:
            self._measured = (visible, text_sizes)
            self._texts = {group: text_sizes.group(f) for group, f in visible.folded.items()}
        for group in self.boxes.keys() - visible.folded.keys():
            self._changing(group)
            del self.boxes[group]
        changed = set[int]()
        for group, folded in visible.folded.items():
            place = self._place_of(group, folded, preview)
            box = group_box(sheet.groups[group].title, folded, self._texts[group], place)
            if box != self.boxes.get(group):
                self._changing(group)
                self.boxes[group] = box
                changed |= folded.members
        return changed

    def forget_frames(self) -> None:
        """Clear the cached frames after nodes moved."""
        self._frames.clear()

    def seen_at(self, places: Mapping[int, Point]) -> list[Point]:
        """Return the new positions of collapsed groups whose members all move."""
        found: list[Point] = []
        for group, folded in self._visible.folded.items():
            inside = folded.members & places.keys()
            by = common_shift(self._sheet, inside, places)
            if by is not None:
                x, y = self._sheet.groups[group].position
                found.append((x + by[0], y + by[1]))
        return found

    def frame_rect(self, group: int) -> QRectF:
        """Return the frame of an opened group around its members; cached until something moves."""
        if group not in self._frames:
            self._frames[group] = self._frame_around(group)
        return QRectF(self._frames[group])

    def bounds(self) -> QRectF:
        """Return the rectangle around the frames of all opened groups."""
        found = QRectF()
        for group in self._visible.opened:
            found = found.united(self.frame_rect(group))
        return found

    def _frame_around(self, group: int) -> QRectF:
        members = self._visible.opened[group]
        found = self._around(members)
        for other, rect in self.boxes.items():
            if self._visible.folded[other].members <= members:
                found = found.united(rect.rect)
        left, top, right, bottom = FRAME
        nested = sum(
            other != group and inner < members for other, inner in self._visible.opened.items()
        )
        grow = 1 + min(nested, 2) * 0.6
        return found.adjusted(-left * grow, -top * grow, right * grow, bottom * grow)

    def _place_of(self, group: int, folded: Folded, preview: Mapping[int, Point]) -> Point:
        """Return a group's position; it follows when all its members are dragged."""
        x, y = self._sheet.groups[group].position
        member = next(iter(folded.members), None)
        if member is not None and member in preview and folded.members <= preview.keys():
            (ax, ay), (bx, by) = preview[member], self._sheet.positions.get(member, (0.0, 0.0))
            x, y = x + ax - bx, y + ay - by
        return (x, y)
