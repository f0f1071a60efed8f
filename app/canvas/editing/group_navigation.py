"""GroupNavigation: makes, collapses and unpacks groups, and shows the inside of one."""

from __future__ import annotations

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.overlay.breadcrumbs import Breadcrumbs
from app.document.grouping import all_members, members_of


class GroupNavigation:
    """Makes groups, opens them in place, and enters a single group."""

    def __init__(self, canvas: CanvasContext, breadcrumbs: Breadcrumbs) -> None:
        self._canvas = canvas
        self._breadcrumbs = breadcrumbs

    def chosen(self) -> list[int]:
        """Return the outermost groups of which every member is selected."""
        groups, nodes = self._canvas.document.sheet.groups, self._canvas.selection.nodes
        whole = {g for g, members in all_members(groups).items() if members and members <= nodes}
        return sorted(g for g in whole if groups[g].parent not in whole)

    def make(self) -> None:
        """Group the selection."""
        document, selection = self._canvas.document, self._canvas.selection
        group = document.groups.make(selection.nodes)
        if group is not None:
            selection.choose(members_of(document.sheet.groups, group))

    def unpack(self) -> None:
        """Dissolve the selected groups and keep their members."""
        gesture = self._canvas.document.new_gesture()
        for group in self.chosen():
            self._canvas.document.groups.unpack(group, gesture)

    def collapse(self) -> None:
        """Collapse the selected groups, or open them in place if they are collapsed."""
        document = self._canvas.document
        gesture = document.new_gesture()
        for group in self.chosen():
            collapsed = document.sheet.groups[group].collapsed
            document.groups.collapse(group, not collapsed, gesture)

    # entering and leaving

    def enter_chosen(self) -> None:
        """Enter the selected group."""
        for group in self.chosen()[:1]:
            self._canvas.document.look_inside(group)

    def leave(self) -> bool:
        """Leave the entered group for the one around it; return whether there was one."""
        document = self._canvas.document
        if document.inside is None:
            return False
        document.look_inside(document.sheet.groups[document.inside].parent)
        return True

    def show_path(self) -> None:
        """Update the breadcrumbs to the entered group."""
        document = self._canvas.document
        self._breadcrumbs.show_path(document.sheet.groups, document.inside)
