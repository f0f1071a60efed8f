"""Groups: making, collapsing and unpacking them, entering one, and the breadcrumbs on top."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from app.canvas.context.canvas_context import CanvasContext
from app.document.grouping import all_members, members_of
from app.document.sheet import Group
from app.style.current import Style


class GroupNavigation:
    """Makes groups, opens them in place, and enters a single group."""

    def __init__(self, canvas: CanvasContext, breadcrumbs: Breadcrumbs) -> None:
        self._canvas = canvas
        self._breadcrumbs = breadcrumbs

    def selected_groups(self) -> list[int]:
        """Return the outermost groups of which every member is selected."""
        groups, nodes = self._canvas.document.sheet.groups, self._canvas.selection.nodes
        selected = {g for g, members in all_members(groups).items() if members and members <= nodes}
        return sorted(g for g in selected if groups[g].parent not in selected)

    def make(self) -> None:
        """Group the selection."""
        document, selection = self._canvas.document, self._canvas.selection
        group = document.groups.make(selection.nodes)
        if group is not None:
            selection.choose(members_of(document.sheet.groups, group))

    def unpack(self) -> None:
        """Dissolve the selected groups and keep their members."""
        gesture = self._canvas.document.new_gesture()
        for group in self.selected_groups():
            self._canvas.document.groups.unpack(group, gesture)

    def collapse(self) -> None:
        """Collapse the selected groups, or open them in place if they are collapsed."""
        document = self._canvas.document
        gesture = document.new_gesture()
        for group in self.selected_groups():
            collapsed = document.sheet.groups[group].collapsed
            document.groups.collapse(group, not collapsed, gesture)

    # entering and leaving

    def enter_selected(self) -> None:
        """Enter the selected group."""
        for group in self.selected_groups()[:1]:  # of several the first
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


class Breadcrumbs(QFrame):
    """A row of sheet, layer, neuron ...; every part but the last is a button."""

    chosen = Signal(object)
    """Emitted with the number of the group to enter, or None for the whole sheet."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self.setProperty("kind", "card")
        self.setAccessibleName("Where you are")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(6, 2, 10, 2)
        self._row.setSpacing(2)
        self.hide()

    def show_path(self, groups: Mapping[int, Group], inside: int | None) -> None:
        """Show the path from the sheet to a group; hidden on the sheet itself."""
        while self._row.count():
            item = self._row.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.deleteLater()
        if inside is None:
            self.hide()
            return
        path: list[int] = []
        at: int | None = inside
        while at is not None:
            path.insert(0, at)
            at = groups[at].parent
        self._button("Sheet", None)
        for number in path:
            self._row.addWidget(QLabel("/", self))
            title = groups[number].title or "group"
            if number == inside:
                label = QLabel(title, self)
                label.setProperty("kind", "strong")
                self._row.addWidget(label)
            else:
                self._button(title, number)
        self.move(12, 12)
        self.show()
        self.resize(self.sizeHint())
        self.raise_()

    def _button(self, text: str, number: int | None) -> None:
        button = QPushButton(text, self)
        button.setProperty("kind", "link")
        button.setProperty("group", number)
        button.clicked.connect(self._choose)
        self._row.addWidget(button)

    def _choose(self) -> None:
        """Enter the group of the clicked button."""
        self.chosen.emit(self.sender().property("group"))
