"""Grouping: what is done with the chosen groups, and which of all groups one looks into."""

from __future__ import annotations

from app.canvas.breadcrumbs import Breadcrumbs
from app.canvas.surface import Surface
from app.document.grouping import members_of


class Grouping:
    """Makes groups, opens them in place, and looks at the inside of one alone."""

    def __init__(self, view: Surface, breadcrumbs: Breadcrumbs) -> None:
        self._view = view
        self._breadcrumbs = breadcrumbs

    def chosen(self) -> list[int]:
        """The outermost groups of which every member is chosen."""
        groups, nodes = self._view.document.sheet.groups, self._view.selection.nodes
        whole = {g for g in groups if members_of(groups, g) and members_of(groups, g) <= nodes}
        return sorted(g for g in whole if groups[g].parent not in whole)

    def make(self) -> None:
        """Put what is chosen into a group, shown as one."""
        document, selection = self._view.document, self._view.selection
        group = document.make_group(selection.nodes)
        if group is not None:
            selection.choose(members_of(document.sheet.groups, group))

    def unpack(self) -> None:
        """Take the chosen groups away and leave what is in them."""
        gesture = self._view.document.new_gesture()
        for group in self.chosen():
            self._view.document.unpack_group(group, gesture)

    def collapse(self) -> None:
        """Show the chosen groups as one, or open them in place if they are."""
        document = self._view.document
        gesture = document.new_gesture()
        for group in self.chosen():
            collapsed = document.sheet.groups[group].collapsed
            document.collapse_group(group, not collapsed, gesture)

    # looking inside

    def enter(self, group: int | None) -> None:
        """Look at the inside of a group alone, or at the whole sheet again."""
        view = self._view
        view.stage.look_inside(group)
        view.document.new_nodes_join(view.stage.scheme.inside)
        view.playback.look_into(view.stage.scheme.inside)
        self.show_path()
        view.selection.clear()
        view.fit_all()

    def enter_chosen(self) -> None:
        """Look at the inside of the chosen group."""
        for group in self.chosen()[:1]:
            self._view.enter_group(group)

    def leave(self) -> bool:
        """Look at what is around the group that is looked into; whether there was one."""
        inside = self._view.stage.scheme.inside
        if inside is None:
            return False
        self._view.enter_group(self._view.document.sheet.groups[inside].parent)
        return True

    def look_at_sheet(self) -> None:
        """Another document has come: nothing of the old one is looked into."""
        if self._view.stage.scheme.inside is not None:
            self._view.stage.look_inside(None)
        self._view.document.new_nodes_join(None)
        self._view.playback.look_into(None)

    def show_path(self) -> None:
        """Show the way from the sheet to the group that is looked into."""
        view = self._view
        self._breadcrumbs.show_path(view.document.sheet.groups, view.stage.scheme.inside)
