"""GraphEditing: adds, labels, deletes, arranges and groups for the canvas.

At most one of its fields, the quick-add box and the paste preview is open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from app.canvas.appearance.items import GroupKey
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.editing.add_nodes import NodeAdder
from app.canvas.editing.finding import FindField
from app.canvas.editing.inline_fields import InlineFields
from app.canvas.layout.group_layout import as_rect
from app.canvas.scene.hit_test import Hit, content
from app.document.boxes import all_members, members_of, rect_around
from app.document.clipboard import NOT_DRAWN_INSIDE
from app.document.placement import snapped
from app.document.sheet import Group, Point
from app.style import sizes
from app.style.current import Style
from engine.formats.graphviz import Direction
from engine.formats.native import Drawing
from engine.graph import Constant, Leaf

if TYPE_CHECKING:
    from app.canvas.editing.canvas_cards import PastePreview


class GroupNavigation:
    """Makes groups, opens them in place, and enters a single group."""

    def __init__(self, canvas: CanvasContext, breadcrumbs: Breadcrumbs) -> None:
        self._canvas = canvas
        self._breadcrumbs = breadcrumbs

    def selected_groups(self) -> list[int]:
        """Return the chosen drawn groups, and the outermost of which every member is selected."""
        groups, nodes = self._canvas.document.sheet.groups, self._canvas.selection.nodes
        selected = {g for g, members in all_members(groups).items() if members and members <= nodes}
        outer = {g for g in selected if groups[g].parent not in selected}
        return sorted(outer | self._canvas.selection.frames)

    def make(self) -> None:
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
        document, selection = self._canvas.document, self._canvas.selection
        gesture = document.new_gesture()
        for group in self.selected_groups():
            before = members_of(document.sheet.groups, group)
            nodes, _frames = content(self._canvas.scene, (group,))
            collapsed = document.sheet.groups[group].collapsed
            document.groups.collapse(group, not collapsed, gesture, nodes)
            if document.sheet.groups[group].rect:  # chosen by its members while it is collapsed
                after, drawn = members_of(document.sheet.groups, group), document.sheet.drawn
                frames = selection.frames | ({group} & drawn.keys())
                selection.choose(selection.nodes - before | after, (), frames)

    # entering and leaving

    def enter_selected(self) -> None:
        frames = self._canvas.selection.frames
        for group in [g for g in self.selected_groups() if g not in frames][:1]:  # the first
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
        self.hide()  # while it is shown, new parts are hidden and have no size
        if inside is None:
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


EMPTY_FRAME_SIZE = (480.0, 288.0)
"""Width and height of a drawn group without nodes, in sheet px: multiples of the grid."""


class GraphEditing:
    """The edits that start on the canvas, with the fields and boxes in which they are typed."""

    def __init__(self, canvas: CanvasContext, groups: GroupNavigation) -> None:
        self._canvas = canvas
        self._groups = groups
        self.fields = InlineFields(canvas, self.close)
        self.adding = NodeAdder(canvas, self.fields.name_new)
        self._paste_preview: PastePreview | None = None

    @property
    def preview_rect(self) -> QRectF:
        """Return the rectangle of the preview of a paste, if one is open."""
        preview = self._paste_preview
        return QRectF(preview.geometry() if preview and preview.isVisible() else QRect())

    def close(self) -> bool:
        """Close the open preview, box or field without an edit; return whether there was one."""
        if self._paste_preview is not None and self._paste_preview.isVisible():
            self._paste_preview.close_quietly()
            return True
        return self.adding.close() or self.fields.close()

    def leave(self) -> None:
        """Close the open preview, box or field; a valid text in a field is committed."""
        self.fields.leave()
        self.close()

    def find(self) -> None:
        """Open the field in which nodes are found."""
        self.fields.open(lambda: FindField(self._canvas))

    def show_node(self, node: int) -> None:
        """Select a node and scroll it into view."""
        self._canvas.selection.choose((node,))
        self._canvas.framing.show_node(node)

    def preview_paste(
        self, drawing: Drawing, description: str, at: Point, paste: Callable[[], object]
    ) -> None:
        """Preview a paste at a sheet point; `paste` is called on Enter."""
        from app.canvas.editing.canvas_cards import PastePreview

        if self._canvas.document.refuse_if_locked(changes_wiring=True):
            return
        self.close()
        if self._paste_preview is None:
            self._paste_preview = PastePreview(self._canvas.style, self._canvas.widget)
        corner = self._canvas.camera.to_screen(QPointF(*at)).toPoint()
        self._paste_preview.ask(drawing, description, corner, paste)

    def draw_group(self) -> None:
        """Draw a titled box around the selection, or an empty one in the middle of the canvas."""
        canvas, document = self._canvas, self._canvas.document
        if canvas.scene.visible.inside is not None:
            canvas.messages.refuse(NOT_DRAWN_INSIDE)
            return
        bounds, drawn = canvas.scene.bounds(canvas.selection.nodes), document.sheet.drawn
        rects = [as_rect(bounds)] if not bounds.isEmpty() else []
        rects += [drawn[n] for n in canvas.selection.frames]
        wide, high = EMPTY_FRAME_SIZE
        x, y = canvas.camera.sheet_centre
        rect = rect_around(rects) or (*snapped((x - wide / 2, y - high / 2)), wide, high)
        # drawing it and typing its title are one undo step, which Esc takes back
        gesture, chosen = document.new_gesture(), canvas.selection.snapshot()

        def undo_drawing() -> None:
            document.abandon(gesture)
            canvas.selection.restore(chosen)

        number = document.groups.draw(rect, colour=len(drawn), gesture=gesture)
        if number is not None:
            canvas.selection.choose(frames=(number,))
            self.fields.edit_group(number, gesture, undo_drawing)

    def label(self) -> None:
        """Edit the label of the selected node, or the title of the selected group."""
        selection = self._canvas.selection
        group = next(iter(self._groups.selected_groups()), None)
        if group is not None and (  # one node, alone in an open group, has the label itself
            selection.only is None or GroupKey(group) in self._canvas.scene.boxes
        ):
            self.fields.edit_group(group)
        else:
            self.fields.edit_label(selection.focus)

    def double_click(self, found: Hit, at: QPointF) -> None:
        """Edit a leaf's value or another node's label, or open quick add on the empty sheet."""
        graph = self._canvas.document.graph
        if found.group is not None and self._canvas.document.sheet.groups[found.group].drawn:
            self.fields.edit_group(found.group)
        elif found.group is not None:
            self._canvas.document.look_inside(found.group)
        elif found.node is None and found.wire is None:
            self.adding.open_quick_add(at, None, None)
        elif found.node is not None and found.part in ("node", "number"):
            box = self._canvas.scene.boxes[found.node]
            on_header = box.kind != "pill" and at.y() < box.y + sizes.NODE_HEADER
            if isinstance(graph.nodes[found.node], Leaf | Constant) and not on_header:
                self.fields.edit_value(found.node)
            else:
                self.fields.edit_label(found.node)

    def delete(self, bypass: bool = False) -> None:
        """Delete the selection; `bypass` connects source and targets of a node with one input."""
        canvas = self._canvas
        chosen, wires = canvas.selection.nodes, canvas.selection.wires
        only = canvas.selection.only
        if bypass and only is not None and len(canvas.document.graph.inputs(only)) == 1:
            canvas.document.wires.bypass(only)
        elif canvas.selection.anything:
            canvas.document.remove(sorted(chosen), sorted(wires), sorted(canvas.selection.frames))

    def arrange(self, only_selected: bool = False, direction: Direction = "LR") -> None:
        """Arrange everything or the selection, keeping its upper left corner."""
        canvas = self._canvas
        visible = canvas.scene.visible
        everything = visible.shown | visible.home.keys()
        nodes = canvas.selection.nodes if only_selected else everything
        if not nodes:
            return
        corner = canvas.scene.bounds(nodes).topLeft()

        def apply(places: dict[int, Point]) -> None:
            # shift the layout so that its upper left corner is where that of the nodes was
            seen = canvas.scene.node_layout.visible_positions(places)
            left, top = min(x for x, _y in seen), min(y for _x, y in seen)
            dx, dy = snapped((corner.x() - left, corner.y() - top))
            moved = {n: (x + dx, y + dy) for n, (x, y) in places.items()}
            canvas.document.move(moved, text="Arrange")
            if not only_selected and not canvas.gesture_state.is_active:
                # fit when the views have followed the document, which they do at `changed`
                QTimer.singleShot(0, canvas.widget, canvas.framing.fit_all)

        canvas.auto_layout.arrange(frozenset(nodes), apply, direction)
