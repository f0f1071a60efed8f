"""GroupEdits and SectionEdits: the user's edits of groups and sections."""

from __future__ import annotations

from collections.abc import Iterable

from app.document import grouping, sections
from app.document.history import History
from app.document.sheet import Section


class GroupEdits:
    """Makes, collapses, renames and unpacks groups, each as one named undo step."""

    def __init__(self, history: History) -> None:
        self._sheets = history

    def make(self, nodes: Iterable[int], title: str = "") -> int | None:
        """Put nodes into a new collapsed group; returns its number."""
        before = self._sheets.sheet.groups.keys()
        if not self._sheets.commit("Group", lambda sheet: grouping.make(sheet, nodes, title)):
            return None
        return next(iter(self._sheets.sheet.groups.keys() - before), None)

    def unpack(self, group: int, gesture: int = 0) -> bool:
        """Dissolve a group and keep its members."""
        return self._sheets.commit(
            "Unpack group", lambda sheet: grouping.unpack(sheet, group), gesture
        )

    def collapse(self, group: int, collapsed: bool, gesture: int = 0) -> bool:
        """Collapse a group, or open it in place."""
        text = "Collapse group" if collapsed else "Open group"
        return self._sheets.commit(
            text, lambda sheet: grouping.collapse(sheet, group, collapsed), gesture
        )

    def rename(self, group: int, title: str) -> bool:
        """Change a group's title."""
        return self._sheets.commit(
            "Rename group", lambda sheet: grouping.rename(sheet, group, title)
        )


class SectionEdits:
    """Adds and changes sections, each as one named undo step."""

    def __init__(self, history: History) -> None:
        self._sheets = history

    def add(self, section: Section, gesture: int = 0) -> int | None:
        """Add a section; returns its number."""
        before = self._sheets.sheet.sections.keys()
        if not self._sheets.commit(
            "Add section", lambda sheet: sections.added(sheet, section), gesture
        ):
            return None
        return next(iter(self._sheets.sheet.sections.keys() - before), None)

    def set(self, number: int, section: Section, text: str, gesture: int = 0) -> bool:
        """Change a section's title or colour; `text` names the undo step."""
        return self._sheets.commit(
            text, lambda sheet: sections.changed(sheet, number, section), gesture
        )
