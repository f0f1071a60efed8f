"""Building: what can be done to the graph on the canvas, and what is open on it to do that."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QTimer

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.editing.add_nodes import NodeAdder
from app.canvas.editing.inline_fields import InlineFields
from app.canvas.layout.geometry import as_rect
from app.canvas.scene.hit_test import Hit
from app.document.place import snapped
from app.document.sections import COLOURS, TITLE, around
from app.document.sheet import Point, Section
from app.style import sizes
from engine.formats.native import Drawing
from engine.graph import Constant, Leaf
from engine.graphviz import Direction

if TYPE_CHECKING:
    from app.canvas.editing.paste_preview import PastePreview


class GraphEditing:
    """Adds, types, deletes and arranges on behalf of the canvas; one box or field is open."""

    def __init__(self, view: CanvasContext) -> None:
        self._view = view
        self.adding = NodeAdder(view)
        self.fields = InlineFields(view, self.close)
        self._card: PastePreview | None = None

    def close(self) -> bool:
        """Close what is open, a card, a box or a field; whether anything was."""
        if self._card is not None and self._card.isVisible():
            self._card.close_quietly()
            return True
        return self.adding.close() or self.fields.close()

    def leave(self) -> None:
        """Close what is open; what stands in the field is taken if it can be."""
        self.fields.leave()
        self.close()

    def preview_paste(
        self, drawing: Drawing, told: str, at: QPointF, take: Callable[[], object]
    ) -> None:
        """Show at a point of the sheet what would be pasted; `take` is called on Enter."""
        from app.canvas.editing.paste_preview import PastePreview

        self.close()
        if self._card is None:
            self._card = PastePreview(self._view.style_in_force, self._view.host)
        self._card.ask(drawing, told, self._view.to_screen(at).toPoint(), take)

    def add_section(self) -> None:
        """Draw a titled box around what is chosen, or an empty one in the middle of the view."""
        view, document = self._view, self._view.document
        if view.scene.visible.inside is not None:
            view.refuse("Sections stand on the whole sheet; leave the group first.")
            return
        bounds = view.scene.in_pass().bounds(view.selection.nodes)
        rects = [as_rect(bounds)] if not bounds.isEmpty() else []
        rects += [document.sheet.sections[n].rect for n in view.selection.sections]
        x, y = snapped((view.centre()[0] - 240.0, view.centre()[1] - 144.0))
        rect = around(rects) or (x, y, 480.0, 288.0)
        gesture, chosen = document.new_gesture(), view.selection.chosen()

        def drop() -> None:
            document.abandon(gesture)
            view.selection.choose_again(chosen)

        section = Section(TITLE, rect, len(document.sheet.sections) % len(COLOURS))
        number = document.add_section(section, gesture)
        if number is not None:
            view.selection.choose(sections=(number,))
            self.fields.edit_title(number, gesture, drop)

    def label(self, groups: Iterable[int]) -> None:
        """Type a label for the chosen node, or a title for the chosen section, or for a group."""
        selection = self._view.selection
        group = next(iter(groups), None)
        if selection.section is not None:
            self.fields.edit_title(selection.section)
        elif group is not None and (
            selection.only is None or group in self._view.scene.group_boxes
        ):
            self.fields.edit_group(group)
        else:
            self.fields.edit_label(selection.focus)

    def double_click(self, found: Hit, at: QPointF) -> None:
        """A leaf's value, another node's label, or something new in the empty."""
        graph = self._view.document.graph
        if found.group is not None:
            self._view.enter_group(found.group)
        elif found.section is not None:
            self.fields.edit_title(found.section)
        elif found.node is None and found.wire is None:
            self.adding.open_quick_add(at, None, None)
        elif found.node is not None and found.part in ("node", "number"):
            box = self._view.scene.boxes[found.node]
            on_header = at.y() < box.y + sizes.NODE_HEADER
            if isinstance(graph.nodes[found.node], Leaf | Constant) and not on_header:
                self.fields.edit_value(found.node)
            else:
                self.fields.edit_label(found.node)

    def delete(self, heal: bool) -> None:
        """Delete what is chosen, joining neighbours if asked to and if that can be."""
        view = self._view
        chosen, wires = view.selection.nodes, view.selection.wires
        one = view.selection.only
        if heal and one is not None and len(view.document.graph.inputs(one)) == 1:
            view.document.heal(one)
        elif view.selection.anything:
            view.document.remove(sorted(chosen), sorted(wires), sorted(view.selection.sections))

    def arrange(self, only_selected: bool, direction: Direction) -> None:
        """Arrange everything or what is chosen, its corner staying where it is."""
        view = self._view
        visible = view.scene.visible
        everything = visible.shown | frozenset(visible.home)
        nodes = view.selection.nodes if only_selected else everything
        if not nodes:
            return
        corner = view.scene.bounds(nodes).topLeft()

        def take(places: dict[int, Point]) -> None:
            seen = view.scene.node_layout.seen_at(places)
            left, top = min(x for x, _y in seen), min(y for _x, y in seen)
            dx, dy = snapped((corner.x() - left, corner.y() - top))
            moved = {n: (x + dx, y + dy) for n, (x, y) in places.items()}
            view.document.move(moved, text="Arrange")
            if not only_selected and not view.held:
                QTimer.singleShot(0, view.host, view.fit_all)

        view.auto_layout.arrange(frozenset(nodes), take, direction)
