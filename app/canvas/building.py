"""Building: what can be added, typed and dropped on the canvas, and what it says of things."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QPoint, QPointF, QRect, QRectF, QTimer
from PySide6.QtGui import QPainter

from app.canvas.geometry import course, slot_row
from app.canvas.gestures.draw_wire import paint_tip
from app.canvas.hits import Hit, wire_near
from app.canvas.ink import pen
from app.canvas.inline_edit import InlineEdit, read_value, value_text
from app.canvas.quick_add import QuickAdd
from app.canvas.sections import as_rect, title_rect
from app.canvas.surface import Surface
from app.document.place import snapped
from app.document.sections import COLOURS, TITLE, around
from app.document.sheet import Point, Section
from app.style import sizes
from app.style.theme import faded
from app.workbench.blocks import block, is_block
from engine import edits
from engine.errors import EngineError
from engine.formats.expression import read
from engine.formats.native import Drawing
from engine.graph import Constant, Leaf, Node, OpNode, Root, Wire
from engine.graphviz import Direction
from engine.ops import BY_NAME

if TYPE_CHECKING:
    from app.canvas.paste_preview import PastePreview

HIDDEN = "This node lies in a collapsed group; open the group first."
ENTRY_TYPE = "application/x-backwire-entry"
"""The MIME type of an entry dragged out of the palette."""


def node_for(key: str, label: str = "") -> Node | None:
    """The node that an entry's key stands for."""
    if key == "leaf":
        return Leaf(1.0, label)
    if key == "constant":
        return Constant(1.0, label)
    if key == "root":
        return Root()
    kind, _colon, name = key.partition(":")
    return edits.op_node(name, label=label) if kind == "op" and name in BY_NAME else None


class Building:
    """Adds, edits, deletes and arranges on behalf of the canvas."""

    def __init__(self, view: Surface) -> None:
        self._view = view
        self._box: QuickAdd | None = None
        self._field: InlineEdit | None = None
        self._card: PastePreview | None = None
        self._at = QPointF()
        self._source: int | None = None
        self._wire: Wire | None = None
        self._over: Wire | None = None
        self._over_at = QPointF()

    # adding

    def add(self, key: str, at: QPointF, label: str = "") -> int | None:
        """Add an entry with its middle at a point of the sheet; returns the node."""
        view = self._view
        node = node_for(key, label or self._next_label(key))
        if node is None:
            return self._add_block(key.partition(":")[2], at)
        number = view.document.add_node(node, _corner(node, at))
        if number is not None:
            view.selection.focus_on(number)
            self.fit_if_first()
        return number

    def fit_if_first(self) -> None:
        """The first node of a sheet stands in view at 100 %."""
        if len(self._view.document.graph.nodes) == 1:
            self._view.show_node(next(iter(self._view.document.graph.nodes)))

    def _add_block(self, text: str, at: QPointF) -> int | None:
        """Put a neuron, a layer or a network on the sheet, as groups."""
        try:
            made = block(text)
        except EngineError as error:
            self._view.refuse(str(error))
            return None
        name = text.partition("(")[0].strip()
        ids = self._view.document.paste(made, snapped((at.x(), at.y())), f"Add {name}")
        self._view.selection.choose(ids)
        self._view.show_nodes(ids)
        return next(iter(sorted(ids)), None)

    def _next_label(self, key: str) -> str:
        """New leaves are called a, b, c ..."""
        if key != "leaf":
            return ""
        taken = set(self._view.document.graph.names.values())
        letters = "abcdfghijkmnpqrstuvwxyz"
        return next((letter for letter in letters if letter not in taken), "")

    # quick add

    def open_quick_add(self, at: QPointF, source: int | None, wire: Wire | None) -> None:
        """Open the box; what is added is wired to `source` or into `wire`."""
        view = self._view
        if self._box is None:
            self._box = QuickAdd(view.style_in_force, view.host)
            self._box.chosen.connect(self._add_chosen)
            self._box.named.connect(self._add_named)
            self._box.formula.connect(self._add_formula)
        self._at, self._source, self._wire = at, source, wire
        told = ""
        graph = view.document.graph
        if source is not None:
            told = f"from {graph.title(source)}"
        elif wire is not None:
            told = f"into {graph.title(wire[0])}, slot {wire[1] + 1}"
        place = view.to_screen(at).toPoint() + QPoint(12, 12)
        self._box.open_at(place, told, source is not None, wire is not None)

    def _add_chosen(self, key: str) -> None:
        self._add_typed(key, "")

    def _add_named(self, name: str) -> None:
        self._add_typed("leaf", name)

    def _add_typed(self, key: str, label: str) -> None:
        view = self._view
        if self._source is None and self._wire is None:
            self.add(key, self._at, label)
            return
        node = node_for(key, label or self._next_label(key))
        if node is None:
            return
        high = sizes.NODE_HEIGHT / 2
        x = self._at.x() if self._source is not None else self._at.x() - _width(node)
        place = snapped((x, self._at.y() - high))
        number = view.document.add_wired(node, place, self._source, self._wire)
        if number is not None:
            view.selection.focus_on(number)

    def _add_formula(self, text: str) -> None:
        if is_block(text):
            self._add_block(text, self._at)
            return
        try:
            graph = read(text)
        except EngineError as error:
            self._view.refuse(str(error))
            return
        place = snapped((self._at.x(), self._at.y()))
        ids = self._view.document.paste(Drawing(graph), place, "Add formula")
        self._view.selection.choose(ids)

    # pasting

    def preview_paste(
        self, drawing: Drawing, told: str, at: QPointF, take: Callable[[], object]
    ) -> None:
        """Show at a point of the sheet what would be pasted; `take` is called on Enter."""
        from app.canvas.paste_preview import PastePreview

        self.close()
        if self._card is None:
            self._card = PastePreview(self._view.style_in_force, self._view.host)
        self._card.ask(drawing, told, self._view.to_screen(at).toPoint(), take)

    # dropping

    def can_drop(self, mime: QMimeData) -> bool:
        """Whether it is an entry of the palette."""
        return mime.hasFormat(ENTRY_TYPE)

    def drag_over(self, mime: QMimeData | None, at: QPointF) -> None:
        """Light up the wire that an op would be put into."""
        self._over = None
        if mime is not None and self._key(mime).startswith("op:"):
            self._over = wire_near(self._view.stage, at, 16.0)
        self._over_at = at
        self._view.redraw()

    def drop(self, mime: QMimeData, at: QPointF) -> None:
        """Add the entry here, or put it into the wire below."""
        key = self._key(mime)
        self.drag_over(mime, at)
        wire, self._over = self._over, None
        node = node_for(key, self._next_label(key))
        if wire is None or not isinstance(node, OpNode):
            self.add(key, at)
            return
        place = _corner(node, at)
        slots = range(len(node.inputs))
        slot = min(slots, key=lambda k: abs(place[1] + slot_row(k) - at.y()))
        number = self._view.document.insert_new(node, place, wire, slot)
        if number is not None:
            self._view.selection.focus_on(number)

    def _key(self, mime: QMimeData) -> str:
        return bytes(mime.data(ENTRY_TYPE).data()).decode("utf-8", "replace")

    def paint(self, painter: QPainter) -> None:
        """Draw what dropping would do, and the wire that Enter would plug."""
        view = self._view
        if self._over is not None and self._over in view.stage.courses:
            path = view.stage.courses[self._over].path
            painter.strokePath(path, pen(faded(view.theme.selection, 0.3), 10))
            painter.strokePath(path, pen(view.theme.selection, 4.0))
            graph = view.document.graph
            source = graph.source(self._over)
            before = "" if source is None else graph.title(source)
            text = f"Insert between {before} and {graph.title(self._over[0])}"
            paint_tip(painter, view, self._over_at, text)
        pair = view.wiring
        if pair is not None and pair[0] in view.stage.boxes:
            end = view.stage.slot_point(pair[1]) or QPointF()
            path = course(view.stage.output(pair[0]) or end, end).path
            painter.strokePath(path, pen(view.theme.selection, sizes.WIRE_PREVIEW, (7.0, 4.0)))
            painter.setPen(pen(view.theme.selection, 2.4))
            painter.drawEllipse(end, 8.0, 8.0)

    # typing values and labels

    def edit_value(self, node: int | None) -> None:
        """Open the field for the value of a leaf or a constant."""
        graph = self._view.document.graph
        found = graph.nodes.get(node) if node is not None else None
        if node is None or not isinstance(found, Leaf | Constant):
            return
        box = self._view.stage.boxes.get(node)
        if box is None:
            self._view.refuse(HIDDEN)
            return
        rect = QRectF(box.x + 42, box.y + slot_row(0) - 13, box.w - 46, 26)

        def take(text: str) -> bool:
            value = read_value(text)
            if value is None:
                return False
            return self._view.document.set_value(node, value)

        self._open_field(rect, value_text(found.value), take)

    def edit_label(self, node: int | None) -> None:
        """Open the field for a label; a root has none."""
        graph = self._view.document.graph
        if node is None or node not in graph.nodes:
            return
        if isinstance(graph.nodes[node], Root):
            self._view.refuse("A root has no label; label the node that is plugged into it.")
            return
        box = self._view.stage.boxes.get(node)
        if box is None:
            self._view.refuse(HIDDEN)
            return
        rect = QRectF(box.x, box.y, box.w, sizes.NODE_HEADER)

        def take(text: str) -> bool:
            return self._view.document.set_label(node, text)

        self._open_field(rect, graph.label(node), take)

    def edit_group(self, group: int) -> None:
        """Open the field for the title of a group."""
        stage, document = self._view.stage, self._view.document
        if group in stage.group_boxes:
            rect = QRectF(stage.group_boxes[group].rect)
        elif group in stage.scheme.opened:
            rect = stage.frame_rect(group)
        else:
            return
        rect.setHeight(sizes.NODE_HEADER)

        def take(text: str) -> bool:
            return document.rename_group(group, text)

        self._open_field(rect, document.sheet.groups[group].title, take)

    def add_section(self) -> None:
        """Draw a titled box around what is chosen, or an empty one in the middle of the view."""
        view, document = self._view, self._view.document
        if view.stage.inside is not None:
            view.refuse("Sections stand on the whole sheet; leave the group first.")
            return
        bounds = view.stage.in_pass().bounds(view.selection.nodes)
        rects = [as_rect(bounds)] if not bounds.isEmpty() else []
        rects += [document.sheet.sections[n].rect for n in view.selection.sections]
        x, y = snapped((view.centre()[0] - 240.0, view.centre()[1] - 144.0))
        rect = around(rects) or (x, y, 480.0, 288.0)
        gesture = document.new_gesture()
        section = Section(TITLE, rect, len(document.sheet.sections) % len(COLOURS))
        number = document.add_section(section, gesture)
        if number is not None:
            view.selection.choose(sections=(number,))
            self.edit_title(number, gesture)

    def edit_title(self, section: int, gesture: int = 0) -> None:
        """Open the field for the title of a section."""
        document = self._view.document
        if section not in self._view.stage.section_rects():
            return
        step = "Add section" if gesture else "Rename section"

        def take(text: str) -> bool:
            found = document.sheet.sections.get(section)
            if found is None:
                return True
            return document.set_section(section, replace(found, title=text), step, gesture)

        rect = title_rect(self._view.stage, section)
        self._open_field(rect, document.sheet.sections[section].title, take)

    def _open_field(self, rect: QRectF, text: str, take: Callable[[str], bool]) -> None:
        view = self._view
        self.close()
        top, low = view.to_screen(rect.topLeft()), view.to_screen(rect.bottomRight())
        at = QRect(top.toPoint(), low.toPoint())
        at.setSize(at.size().expandedTo(QRect(0, 0, view.style_in_force.px(110), 26).size()))
        self._field = InlineEdit(view.style_in_force, view.host, at, text, take)

    def close(self) -> bool:
        """Close the box and the field; whether one was open."""
        field, self._field = self._field, None
        if self._card is not None and self._card.isVisible():
            self._card.close_quietly()
            return True
        if self._box is not None and self._box.isVisible():
            self._box.close_quietly()
            return True
        return field is not None and _finish(field, keep=False)

    def leave(self) -> None:
        """Close the box; what stands in the field is taken if it can be."""
        if self._field is not None:
            _finish(self._field, keep=True)
        self.close()

    # the rest

    def double_click(self, found: Hit, at: QPointF) -> None:
        """A leaf's value, another node's label, or something new in the empty."""
        graph = self._view.document.graph
        if found.group is not None:
            self._view.enter_group(found.group)
        elif found.section is not None:
            self.edit_title(found.section)
        elif found.node is None and found.wire is None:
            self.open_quick_add(at, None, None)
        elif found.node is not None and found.part in ("node", "number"):
            box = self._view.stage.boxes[found.node]
            on_header = at.y() < box.y + sizes.NODE_HEADER
            if isinstance(graph.nodes[found.node], Leaf | Constant) and not on_header:
                self.edit_value(found.node)
            else:
                self.edit_label(found.node)

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
        scheme = view.stage.scheme
        everything = scheme.shown | frozenset(scheme.home)
        nodes = view.selection.nodes if only_selected else everything
        if not nodes:
            return
        corner = view.stage.bounds(nodes).topLeft()

        def take(places: dict[int, Point]) -> None:
            left = min(x for x, _y in places.values())
            top = min(y for _x, y in places.values())
            moved = {
                n: snapped((x - left + corner.x(), y - top + corner.y()))
                for n, (x, y) in places.items()
            }
            view.document.move(moved, text="Arrange")
            if not only_selected:
                QTimer.singleShot(0, view.host, view.fit_all)

        view.arranger.arrange(frozenset(nodes), take, direction)


def _corner(node: Node, middle: QPointF) -> Point:
    return snapped((middle.x() - _width(node) / 2, middle.y() - sizes.NODE_HEIGHT / 2))


def _width(node: Node) -> float:
    if isinstance(node, Root):
        return float(sizes.ROOT_WIDTH)
    return float(sizes.OP_WIDTH if isinstance(node, OpNode) else sizes.LEAF_WIDTH)


def _finish(field: InlineEdit, keep: bool) -> bool:
    try:
        if field.isVisible():
            field.leave() if keep else field.finish(keep=False)
            return True
    except RuntimeError:  # Qt has deleted it already
        return False
    return False
